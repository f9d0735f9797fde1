/* The bodies of SHA-256 of many messages, as tests: a program that defines all_with, what
 * it tries with a body, runs one for each. */
#ifndef SIGMILL_TESTS_SHA256_MANY_BODIES_H
#define SIGMILL_TESTS_SHA256_MANY_BODIES_H

#include "base/cpu.h"
#include "harness.h"
#include "hash/sha256_many.h"

static void all_with(const sha256_many_body *body);

static void portable(void) {
  all_with(&sm_sha256_many_portable);
}

static void avx2(void) {
#ifdef SHA256_MANY_X86
  if (sm_cpu_features()->avx2) {
    all_with(&sm_sha256_many_avx2);
    return;
  }
#endif
  test_skip("this processor has no AVX2");
}

static void avx512(void) {
#ifdef SHA256_MANY_X86
  if (sm_cpu_features()->avx512) {
    all_with(&sm_sha256_many_avx512);
    return;
  }
#endif
  test_skip("this processor has no AVX-512");
}

static inline void run_with_each_body(void) {
  RUN(portable);
  RUN(avx2);
  RUN(avx512);
}

#endif
