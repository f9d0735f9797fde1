/* Traces whole jobs once, for the sizes of what they hand to kernels: what they load is
 * taken as unknown words, so that it matters little what stands there. */
#define VEC_TRACE
#define LANES_P256_TABLE traced_jobs
#define LANES_P256_NAME  "trace"
#include "lanes/lanes_p256.inc"

#include "safegcd_call.h"
#include "trace.h"

const safegcd_modulus sm_safegcd_p256_p = {.neg_inverse = 1};
const safegcd_modulus sm_safegcd_p256_n = {.neg_inverse = 2};
const u256 sm_sc_p256_order, sm_p256_prime;
const uint64_t sm_p256_comb[P256_COMB_WINDOWS][P256_COMB_ENTRIES][8];
const uint64_t sm_p256_wide[P256_WIDE_ENTRIES][8];
const uint64_t sm_p256_spread[P256_SPREAD_WINDOWS][P256_SPREAD_ENTRIES][8][8];

/* Secret scalars are below n. */
static void scalars(u256 *k, size_t count) {
  for (int i = 0; i < 4; i++) {
    const vec word = trace_in("k", i);
    for (size_t j = 0; j < count; j++) {
      k[j].v[i] = trace_tag(word.id, 255);
    }
  }
}

int main(void) {
  enum { COUNT = LANES };
  static p256_claim claims[COUNT];
  static p256_point points[COUNT], others[COUNT];
  static uint8_t bytes[COUNT];
  static u256 k[COUNT], s[COUNT], plain;
  claims[0].has_point = true;
  trace_kernel("verify_vt");
  traced_jobs.verify_vt(bytes, claims, COUNT);
  trace_kernel("lift_x_vt");
  traced_jobs.lift_x_vt(points, bytes, s, bytes, COUNT);
  trace_kernel("mul_base");
  scalars(k, COUNT);
  traced_jobs.mul_base(points, k, COUNT);
  trace_kernel("mul");
  scalars(k, COUNT);
  traced_jobs.mul(points, k, others, COUNT);
  trace_kernel("sign_equation");
  scalars(k, COUNT);
  traced_jobs.sign_equation(s, k, k, k, k, COUNT);
  trace_kernel("mul_base_one");
  traced_jobs.mul_base_one(points, &plain);
  return 0;
}
