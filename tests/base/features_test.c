/* Which code may run on which processor: the linker leads sm_cpu_features to a record
 * made up here, so that one machine stands for all. */
#define _POSIX_C_SOURCE 200809L
#include "base/cpu.h"
#include "group/engine_p256.h"
#include "harness.h"
#include "hash/sha256.h"

#include <stdlib.h>
#include <string.h>

static cpu_features made_up;

const cpu_features *__wrap_sm_cpu_features(void);

const cpu_features *__wrap_sm_cpu_features(void) {
  return &made_up;
}

/* Is an engine of this name compiled in, and *usable? */
static bool lists(const char *name, bool *usable) {
  const p256_engine *engine;
  for (size_t i = 0; (engine = sm_p256_engine_list(i, usable)) != NULL; i++) {
    if (strcmp(engine->name, name) == 0) {
      return true;
    }
  }
  return false;
}

/* MULX and ADCX came with different processors, and a hypervisor may hide either. */
static void x86_64_needs_both(void) {
  bool usable;
  if (!lists("x86-64", &usable)) {
    test_skip("no engine for x86-64 compiled in");
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

/* Neither by name nor by the environment; this settles the choice of the process. */
static void unusable_is_not_chosen(void) {
  bool unused;
  made_up = (cpu_features){.bmi2 = true};
  EXPECT(!sm_p256_engine_select("x86-64"), "by name");
  setenv("SIGMILL_BACKEND", "x86-64", 1);
  const char *best = lists("portable", &unused) ? "portable" : "portable32";
  EXPECT(strcmp(sm_p256_engine()->name, best) == 0, "%s", sm_p256_engine()->name);
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
  RUN(unusable_is_not_chosen);
  RUN(sha256_needs_its_instructions);
  return test_end();
}
