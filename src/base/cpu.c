/* Reads the processor's features: CPUID leaves 1 and 7, and from XCR0 which register
 * state the operating system saves (Intel SDM, volume 1, chapters 13 and 14). */
#include "base/cpu.h"

#include <stdatomic.h>

enum {
  HAS_BMI2 = 1,
  HAS_ADX = 2,
  HAS_AVX2 = 4,
  HAS_AVX512 = 8,
  HAS_IFMA = 16,
  HAS_SHA_NI = 32,
  HAS_AVX_IFMA = 64,
  KNOWN = 128 /* the features have been read */
};

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <stdint.h>

/* Bits of XCR0. */
enum {
  STATE_XMM_YMM = 1 << 1 | 1 << 2,
  STATE_MASK_ZMM = 1 << 5 | 1 << 6 | 1 << 7,
};

/* In EAX of leaf 7, subleaf 1. */
enum { LEAF_7_1_AVX_IFMA = 1 << 23 };

static bool all_bits(uint32_t word, uint32_t bits) {
  return (word & bits) == bits;
}

/* The low half of XCR0.  in: CPUID says OSXSAVE. */
static uint32_t read_xcr0(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static unsigned read_features(void) {
  uint32_t eax, ebx, ecx, edx, last7, ebx7, ecx7, edx7;
  uint32_t eax71 = 0, ebx71, ecx71, edx71;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
    return 0;
  }
  if (!__get_cpuid_count(7, 0, &last7, &ebx7, &ecx7, &edx7)) {
    ebx7 = last7 = 0;
  }
  if (last7 >= 1) {
    __cpuid_count(7, 1, eax71, ebx71, ecx71, edx71);
  }
  uint32_t xcr0 = all_bits(ecx, bit_OSXSAVE) ? read_xcr0() : 0;
  bool ymm = all_bits(xcr0, STATE_XMM_YMM);
  bool zmm = ymm && all_bits(xcr0, STATE_MASK_ZMM);

  unsigned found = 0;
  found |= all_bits(ebx7, bit_BMI2) ? HAS_BMI2 : 0;
#ifdef SIGMILL_CT_VALGRIND
  /* Valgrind carries out ADCX and ADOX, but its CPUID does not say so. */
  found |= all_bits(ebx7, bit_BMI2) ? HAS_ADX : 0;
#else
  found |= all_bits(ebx7, bit_ADX) ? HAS_ADX : 0;
#endif
  if (ymm && all_bits(ecx, bit_AVX) && all_bits(ebx7, bit_AVX2)) {
    found |= HAS_AVX2;
    found |= all_bits(eax71, LEAF_7_1_AVX_IFMA) ? HAS_AVX_IFMA : 0;
  }
  if (zmm && (found & HAS_AVX2) != 0 &&
      all_bits(ebx7, bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL)) {
    found |= HAS_AVX512;
    found |= all_bits(ebx7, bit_AVX512IFMA) ? HAS_IFMA : 0;
  }
  if (all_bits(ecx, bit_SSSE3 | bit_SSE4_1) && all_bits(ebx7, bit_SHA)) {
    found |= HAS_SHA_NI;
  }
  return found;
}
#else
static unsigned read_features(void) {
  return 0;
}
#endif

/* Every possible answer stands here, so that one atomic word says which it is: nothing to
 * lock, to wait for, or to tear when a process forks. */
#define ANSWER(i)                                                                        \
  {                                                                                      \
    .bmi2 = ((i)&HAS_BMI2) != 0, .adx = ((i)&HAS_ADX) != 0, .avx2 = ((i)&HAS_AVX2) != 0, \
    .avx512 = ((i)&HAS_AVX512) != 0, .ifma = ((i)&HAS_IFMA) != 0,                        \
    .sha_ni = ((i)&HAS_SHA_NI) != 0, .avx_ifma = ((i)&HAS_AVX_IFMA) != 0                 \
  }
#define ANSWERS_4(i) ANSWER(i), ANSWER((i) + 1), ANSWER((i) + 2), ANSWER((i) + 3)
#define ANSWERS_16(i)                                                                    \
  ANSWERS_4(i), ANSWERS_4((i) + 4), ANSWERS_4((i) + 8), ANSWERS_4((i) + 12)
#define ANSWERS_64(i)                                                                    \
  ANSWERS_16(i), ANSWERS_16((i) + 16), ANSWERS_16((i) + 32), ANSWERS_16((i) + 48)
static const cpu_features answers[KNOWN] = {ANSWERS_64(0), ANSWERS_64(64)};

const cpu_features *sm_cpu_features(void) {
  static atomic_uint published;
  unsigned found = atomic_load_explicit(&published, memory_order_relaxed);
  if (found == 0) {
    found = KNOWN | read_features();
    atomic_store_explicit(&published, found, memory_order_relaxed);
  }
  return &answers[found % KNOWN];
}
