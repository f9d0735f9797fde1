# The bodies of the eight lanes' vocabulary (src/lanes/vec.h) that this compiler and
# processor family have: SIGMILL_LANES_BODIES, each with its compile options in
# SIGMILL_LANES_OPTIONS_<body>.  A unit of body B is compiled with VEC_B defined, which it
# does itself or gets from the build.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

# Kernels live on unrolled loops whose arrays become registers.
set(lanes_optimised $<$<NOT:$<CONFIG:Debug>>:-O3>)

set(SIGMILL_LANES_BODIES PLAIN)
set(SIGMILL_LANES_OPTIONS_PLAIN ${lanes_optimised})

# The condition of P256_LANES_X86 in src/lanes/lanes_p256.h.
check_c_source_compiles("
#if !defined(__x86_64__) || !defined(__GNUC__)
#error
#endif
int main(void) { return 0; }" SIGMILL_LANES_X86)
if(SIGMILL_LANES_X86)
  # With gcc 12's allocation of registers across calls, some functions return without
  # VZEROUPPER, and what runs next in SSE, SHA-256 above all, takes nearly twice as long.
  check_c_compiler_flag(-fno-ipa-ra SIGMILL_HAS_NO_IPA_RA)
  list(APPEND SIGMILL_LANES_BODIES AVX512 IFMA256)
  set(SIGMILL_LANES_OPTIONS_AVX512 ${lanes_optimised}
    -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512ifma -mbmi2
    $<$<BOOL:${SIGMILL_HAS_NO_IPA_RA}>:-fno-ipa-ra>)
  set(SIGMILL_LANES_OPTIONS_IFMA256 ${SIGMILL_LANES_OPTIONS_AVX512}
    -mprefer-vector-width=256)
  # From gcc 13 and clang 16 on.
  check_c_compiler_flag(-mavxifma SIGMILL_LANES_AVXIFMA)
  if(SIGMILL_LANES_AVXIFMA)
    list(APPEND SIGMILL_LANES_BODIES AVXIFMA)
    add_compile_definitions(P256_LANES_AVXIFMA)
    set(SIGMILL_LANES_OPTIONS_AVXIFMA ${lanes_optimised} -mavx2 -mavxifma -mbmi2
      $<$<BOOL:${SIGMILL_HAS_NO_IPA_RA}>:-fno-ipa-ra>)
  endif()
endif()
