/* Which code may run on which processor: the linker leads sm_cpu_features to a record
 * made up here, so that one machine stands for all. */
#define _POSIX_C_SOURCE 200809L
#include "base/cpu.h"
#include "harness.h"
#include "hash/sha256.h"
#include "lanes/backend.h"

#include <stdlib.h>
#include <string.h>

static cpu_features made_up;

const cpu_features *__wrap_sm_cpu_features(void);

const cpu_features *__wrap_sm_cpu_features(void) {
  return &made_up;
}

/* Is a backend of this name compiled in, and *usable? */
static bool lists(const char *name, bool *usable) {
  const backend *b;
  for (size_t i = 0; (b = sm_backend_list(i, usable)) != NULL; i++) {
    if (strcmp(b->name, name) == 0) {
      return true;
    }
  }
  return false;
}

/* MULX and ADCX came with different processors, and a hypervisor may hide either. */
static void x86_64_needs_both(void) {
  bool usable;
  if (!lists("x86-64", &usable)) {
    test_skip("no backend for x86-64 compiled in");
    return;
  }
  for (int i = 0; i < 8; i++) {
    bool bmi2 = (i & 1) != 0, adx = (i & 2) != 0, others = (i & 4) != 0;
    made_up = (cpu_features){.bmi2 = bmi2,
                             .adx = adx,
                             .avx2 = others,
                             .avx512 = others,
                             .ifma = others,
                             .sha_ni = others};
    EXPECT(lists("x86-64", &usable) && usable == (bmi2 && adx),
           "BMI2 %d, ADX %d, all others %d: %d", bmi2, adx, others, usable);
    EXPECT(!lists("portable", &usable) || usable, "portable runs anywhere");
    EXPECT(lists("portable32", &usable) && usable, "portable32 runs anywhere");
  }
}

/* Lanes need their instructions and those of the scalar code beside them. */
static void lanes_need_all(void) {
  static const char *const names[] = {"avx512ifma", "avx512ifma-256"};
  bool usable;
  for (int n = 0; n < 2; n++) {
    if (!lists(names[n], &usable)) {
      test_skip("no lanes for AVX-512 compiled in");
      return;
    }
    for (int i = 0; i < 16; i++) {
      made_up = (cpu_features){.bmi2 = (i & 1) != 0,
                               .adx = (i & 2) != 0,
                               .avx2 = true,
                               .avx512 = (i & 4) != 0,
                               .ifma = (i & 8) != 0};
      EXPECT(lists(names[n], &usable) && usable == (i == 15), "%s, case %d: %d", names[n],
             i, usable);
    }
  }
  made_up = (cpu_features){0};
  EXPECT(lists("plain-lanes", &usable) && usable, "plain-lanes run anywhere");
}

/* AVX-512 does not stand in for AVX-IFMA, nor the other way about. */
static void avxifma_needs_its_own(void) {
  bool usable;
  if (!lists("avxifma", &usable)) {
    test_skip("this compiler does not know AVX-IFMA");
    return;
  }
  for (int i = 0; i < 32; i++) {
    const bool others = (i & 16) != 0;
    made_up = (cpu_features){.bmi2 = (i & 1) != 0,
                             .adx = (i & 2) != 0,
                             .avx2 = (i & 4) != 0,
                             .avx_ifma = (i & 8) != 0,
                             .avx512 = others,
                             .ifma = others};
    EXPECT(lists("avxifma", &usable) && usable == (i % 16 == 15), "case %d: %d", i,
           usable);
    if (!others) {
      EXPECT(!lists("avx512ifma", &usable) || !usable, "case %d", i);
    }
  }
}

/* Neither by name nor by the environment; this settles the choice of the process. */
static void unusable_is_not_chosen(void) {
  bool unused;
  made_up = (cpu_features){.bmi2 = true};
  EXPECT(!sm_backend_select("x86-64"), "by name");
  setenv("SIGMILL_BACKEND", "x86-64", 1);
  const char *best = lists("portable", &unused) ? "portable" : "portable32";
  EXPECT(strcmp(sm_backend()->name, best) == 0, "%s", sm_backend()->name);
}

static void sha256_needs_its_instructions(void) {
  made_up = (cpu_features){.bmi2 = true, .adx = true, .avx2 = true};
  sm_sha256_use(NULL);
  EXPECT(sm_sha256_body() == &sm_sha256_portable, "%s", sm_sha256_body()->name);
#if defined(__x86_64__) || defined(__i386__)
  made_up = (cpu_features){.sha_ni = true};
  sm_sha256_use(NULL);
  EXPECT(sm_sha256_body() == &sm_sha256_shani, "%s", sm_sha256_body()->name);
#endif
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(x86_64_needs_both);
  RUN(lanes_need_all);
  RUN(avxifma_needs_its_own);
  RUN(unusable_is_not_chosen);
  RUN(sha256_needs_its_instructions);
  return test_end();
}
