/* The field of P-256: conversions, powers and inverses, over any of its bodies. */
#ifndef SIGMILL_FIELD_FE_P256_CHAIN_H
#define SIGMILL_FIELD_FE_P256_CHAIN_H

static inline void fe_p256_from_u256(fe_p256 *out, const u256 *a) {
  fe_p256 t;
  fe_p256_from_mont(&t, a);
  fe_p256_mul(out, &t, &FE_P256_R2);
}

static inline void fe_p256_to_u256(u256 *out, const fe_p256 *a) {
  fe_p256 t;
  fe_p256_mul(&t, a, &FE_P256_R0);
  fe_p256_to_mont(out, &t);
}

/* out = a^(2^n).  n >= 1. */
static inline void fe_p256_sqr_n(fe_p256 *out, const fe_p256 *a, int n) {
  fe_p256_sqr(out, a);
  for (int i = 1; i < n; i++) {
    fe_p256_sqr(out, out);
  }
}

/* From the Montgomery integer m = a*R: 1/m * R^3 / R = R/a. */
static inline void fe_p256_inv(fe_p256 *out, const fe_p256 *a) {
  u256 m;
  fe_p256_to_mont(&m, a);
  sm_safegcd_inv(&m, &m, &sm_safegcd_p256_p);
  fe_p256 inverse;
  fe_p256_from_mont(&inverse, &m);
  fe_p256_mul(out, &inverse, &FE_P256_R3);
  wipe(&m, sizeof m);
  wipe(&inverse, sizeof inverse);
}

static inline void fe_p256_inv_vt(fe_p256 *out, const fe_p256 *a) {
  u256 m;
  fe_p256_to_mont(&m, a);
  sm_safegcd_inv_vt(&m, &m, &sm_safegcd_p256_p);
  fe_p256 inverse;
  fe_p256_from_mont(&inverse, &m);
  fe_p256_mul(out, &inverse, &FE_P256_R3);
}

/* (p+1)/4 = 2^94 * (1 + 2^96 * (1 + 2^32 * (2^32 - 1))); x_k below is a^(2^k - 1). */
static inline uint64_t fe_p256_sqrt(fe_p256 *out, const fe_p256 *a) {
  const fe_p256 x1 = *a;
  fe_p256 x = x1, y;
  for (int k = 1; k < 32; k *= 2) { /* x_2k = x_k^(2^k) * x_k */
    fe_p256_sqr_n(&y, &x, k);
    fe_p256_mul(&x, &x, &y);
  }
  fe_p256_sqr_n(&x, &x, 32);
  fe_p256_mul(&x, &x, &x1);
  fe_p256_sqr_n(&x, &x, 96);
  fe_p256_mul(&x, &x, &x1);
  fe_p256_sqr_n(&x, &x, 94);
  fe_p256_sqr(&y, &x);
  uint64_t is_square = fe_p256_eq(&y, &x1);
  *out = x;
  return is_square;
}

#endif
