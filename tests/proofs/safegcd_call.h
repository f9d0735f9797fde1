/* The scalar inversion as a call, for programs that trace what is above it. */
#ifndef SIGMILL_TESTS_PROOFS_SAFEGCD_CALL_H
#define SIGMILL_TESTS_PROOFS_SAFEGCD_CALL_H

#include "field/safegcd.h"
#include "trace.h"

void sm_safegcd_inv(u256 *out, const u256 *a, const safegcd_modulus *m) {
  printf("call inverse/%s", m == &sm_safegcd_p256_p ? "p" : "n");
  for (int i = 0; i < 4; i++) {
    trace_source(a->v[i]);
  }
  printf("\n");
  for (int i = 0; i < 4; i++) {
    out->v[i] = trace_tag(trace_line("result"), 255);
    printf("\n");
  }
}

void sm_safegcd_inv_vt(u256 *out, const u256 *a, const safegcd_modulus *m) {
  sm_safegcd_inv(out, a, m);
}

#endif
