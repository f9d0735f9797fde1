/* The field of P-256, portable 64-bit body: four 64-bit limbs, least significant first,
 * Montgomery domain a*R mod p with R = 2^256, always canonical (< p).
 *
 * p = -1 mod 2^96, so the Montgomery digit of a 64-bit step is the limb itself
 * (Montgomery, "Modular multiplication without trial division", 1985), and adding q*p
 * takes shifts by 32 in place of products: with p3 = 2^64 - 2^32 + 1 the top limb of p,
 *   q*p = q*(2^96 - 1) + q*p3*2^192.
 *
 * See field/fe_p256.h for the contract. */
#ifndef SIGMILL_FIELD_FE_P256_U64_H
#define SIGMILL_FIELD_FE_P256_U64_H

#include "field/fe_p256_4x64.h"

/* out = the 257-bit number carry*2^256 + s, less p if it is not below p.  in: < 2p. */
static inline void fe_p256_subtract_p(fe_p256 *out, const uint64_t s[4], uint64_t carry) {
  uint64_t d[4], borrow = 0;
  d[0] = sub_borrow_u64(s[0], UINT64_MAX, &borrow);
  d[1] = sub_borrow_u64(s[1], FE_P256_P1, &borrow);
  d[2] = sub_borrow_u64(s[2], 0, &borrow);
  d[3] = sub_borrow_u64(s[3], FE_P256_P3, &borrow);
  uint64_t keep = ct_mask_u64(borrow & (carry ^ 1));
  for (int i = 0; i < 4; i++) {
    out->v[i] = ct_select_u64(keep, s[i], d[i]);
  }
}

static inline void fe_p256_add(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  uint64_t s[4], carry = 0;
  for (int i = 0; i < 4; i++) {
    s[i] = add_carry_u64(a->v[i], b->v[i], &carry);
  }
  fe_p256_subtract_p(out, s, carry);
}

static inline void fe_p256_dbl(fe_p256 *out, const fe_p256 *a) {
  fe_p256_add(out, a, a);
}

static inline void fe_p256_sub(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  uint64_t d[4], borrow = 0, carry = 0;
  for (int i = 0; i < 4; i++) {
    d[i] = sub_borrow_u64(a->v[i], b->v[i], &borrow);
  }
  uint64_t mask = ct_mask_u64(borrow);
  out->v[0] = add_carry_u64(d[0], mask, &carry);
  out->v[1] = add_carry_u64(d[1], mask & FE_P256_P1, &carry);
  out->v[2] = add_carry_u64(d[2], 0, &carry);
  out->v[3] = add_carry_u64(d[3], mask & FE_P256_P3, &carry);
}

static inline void fe_p256_neg(fe_p256 *out, const fe_p256 *a) {
  const fe_p256 zero = {{0}};
  fe_p256_sub(out, &zero, a);
}

/* out = t/R mod p.  in: t < p*R. */
static inline void fe_p256_reduce(fe_p256 *out, const uint64_t t[8]) {
  uint64_t r[4] = {t[0], t[1], t[2], t[3]};
  for (int i = 0; i < 4; i++) {
    uint64_t q = r[0], carry = 0, hi;
    uint64_t lo = mul_wide_u64(q, FE_P256_P3, &hi);
    r[0] = add_carry_u64(r[1], q << 32, &carry);
    r[1] = add_carry_u64(r[2], q >> 32, &carry);
    r[2] = add_carry_u64(r[3], lo, &carry);
    r[3] = hi + carry;
  }
  uint64_t carry = 0;
  for (int i = 0; i < 4; i++) {
    r[i] = add_carry_u64(r[i], t[4 + i], &carry);
  }
  fe_p256_subtract_p(out, r, carry);
}

static inline void fe_p256_mul(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  uint64_t t[8] = {0};
  for (int i = 0; i < 4; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < 4; j++) {
      u128 s = (u128)a->v[i] * b->v[j] + t[i + j] + carry;
      t[i + j] = (uint64_t)s;
      carry = (uint64_t)(s >> 64);
    }
    t[i + 4] = carry;
  }
  fe_p256_reduce(out, t);
}

static inline void fe_p256_sqr(fe_p256 *out, const fe_p256 *a) {
  fe_p256_mul(out, a, a);
}

/* a or a + p, whichever is even, shifted. */
static inline void fe_p256_half(fe_p256 *out, const fe_p256 *a) {
  uint64_t odd = ct_mask_u64(a->v[0] & 1), carry = 0, s[4];
  s[0] = add_carry_u64(a->v[0], odd, &carry);
  s[1] = add_carry_u64(a->v[1], odd & FE_P256_P1, &carry);
  s[2] = add_carry_u64(a->v[2], 0, &carry);
  s[3] = add_carry_u64(a->v[3], odd & FE_P256_P3, &carry);
  out->v[0] = s[0] >> 1 | s[1] << 63;
  out->v[1] = s[1] >> 1 | s[2] << 63;
  out->v[2] = s[2] >> 1 | s[3] << 63;
  out->v[3] = s[3] >> 1 | carry << 63;
}

#endif
