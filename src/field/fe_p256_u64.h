/* The field of P-256, portable 64-bit body: the form of fe_p256_4x64.h, arithmetic on
 * double words.
 *
 * A product is summed up by rows in t[0..7], then reduced from below (Montgomery,
 * "Modular multiplication without trial division", 1985).  p = -1 mod 2^64, so that the
 * digit is the limb q itself: adding q*p clears it and adds q*2^32 to the two limbs above
 * it and q*P3 to the two above those.  All these terms are summed up column by column, in
 * one carry chain whose carry stays below 7.
 *
 * Limbs are named, not indexed in loops, and hidden before they are stored: compilers
 * that see an array of four turn to vectors, and then wait for every load after a store.
 */
#ifndef SIGMILL_FIELD_FE_P256_U64_H
#define SIGMILL_FIELD_FE_P256_U64_H

#include "field/fe_p256_4x64.h"

/* Called, not inlined: a product is some three hundred instructions. */
#define FE_P256_CALLED static __attribute__((noinline, unused))

FE_P256_INLINE void fe_p256_store(fe_p256 *out, uint64_t r0, uint64_t r1, uint64_t r2,
                                  uint64_t r3) {
  out->v[0] = ct_hide_u64(r0);
  out->v[1] = ct_hide_u64(r1);
  out->v[2] = ct_hide_u64(r2);
  out->v[3] = ct_hide_u64(r3);
}

/* out = s + carry*2^256, less p if it is not below p.  in: < 2p. */
FE_P256_INLINE void fe_p256_subtract_p(fe_p256 *out, uint64_t s0, uint64_t s1,
                                       uint64_t s2, uint64_t s3, uint64_t carry) {
  uint64_t borrow = 0;
  uint64_t d0 = sub_borrow_u64(s0, UINT64_MAX, &borrow);
  uint64_t d1 = sub_borrow_u64(s1, FE_P256_P1, &borrow);
  uint64_t d2 = sub_borrow_u64(s2, 0, &borrow);
  uint64_t d3 = sub_borrow_u64(s3, FE_P256_P3, &borrow);
  uint64_t keep = ct_mask_u64(borrow & (carry ^ 1));
  fe_p256_store(out, ct_select_u64(keep, s0, d0), ct_select_u64(keep, s1, d1),
                ct_select_u64(keep, s2, d2), ct_select_u64(keep, s3, d3));
}

static inline void fe_p256_add(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  uint64_t carry = 0;
  uint64_t s0 = add_carry_u64(a->v[0], b->v[0], &carry);
  uint64_t s1 = add_carry_u64(a->v[1], b->v[1], &carry);
  uint64_t s2 = add_carry_u64(a->v[2], b->v[2], &carry);
  uint64_t s3 = add_carry_u64(a->v[3], b->v[3], &carry);
  fe_p256_subtract_p(out, s0, s1, s2, s3, carry);
}

static inline void fe_p256_dbl(fe_p256 *out, const fe_p256 *a) {
  fe_p256_add(out, a, a);
}

static inline void fe_p256_sub(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  uint64_t borrow = 0, carry = 0;
  uint64_t d0 = sub_borrow_u64(a->v[0], b->v[0], &borrow);
  uint64_t d1 = sub_borrow_u64(a->v[1], b->v[1], &borrow);
  uint64_t d2 = sub_borrow_u64(a->v[2], b->v[2], &borrow);
  uint64_t d3 = sub_borrow_u64(a->v[3], b->v[3], &borrow);
  uint64_t mask = ct_mask_u64(borrow);
  d0 = add_carry_u64(d0, mask, &carry);
  d1 = add_carry_u64(d1, mask & FE_P256_P1, &carry);
  d2 = add_carry_u64(d2, 0, &carry);
  d3 = add_carry_u64(d3, mask & FE_P256_P3, &carry);
  fe_p256_store(out, d0, d1, d2, d3);
}

static inline void fe_p256_neg(fe_p256 *out, const fe_p256 *a) {
  const uint64_t word = ct_hide_u64(0); /* of a 0 it knows gcc makes branches */
  const fe_p256 zero = {{word, word, word, word}};
  fe_p256_sub(out, &zero, a);
}

/* a or a + p, whichever is even, shifted. */
static inline void fe_p256_half(fe_p256 *out, const fe_p256 *a) {
  uint64_t odd = ct_mask_u64(a->v[0] & 1), carry = 0;
  uint64_t s0 = add_carry_u64(a->v[0], odd, &carry);
  uint64_t s1 = add_carry_u64(a->v[1], odd & FE_P256_P1, &carry);
  uint64_t s2 = add_carry_u64(a->v[2], 0, &carry);
  uint64_t s3 = add_carry_u64(a->v[3], odd & FE_P256_P3, &carry);
  fe_p256_store(out, s0 >> 1 | s1 << 63, s1 >> 1 | s2 << 63, s2 >> 1 | s3 << 63,
                s3 >> 1 | carry << 63);
}

FE_P256_INLINE uint64_t fe_p256_low(u128 x) {
  return (uint64_t)x;
}

FE_P256_INLINE uint64_t fe_p256_high(u128 x) {
  return (uint64_t)(x >> 64);
}

/* t[0..7] = a*b. */
FE_P256_INLINE void fe_p256_product(uint64_t t[8], const uint64_t a[4],
                                    const uint64_t b[4]) {
  uint64_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], t1, t2, t3, t4, t5, t6;
  uint64_t x = b[0], high = 0;
  t[0] = mul_add_u64(0, a0, x, &high);
  t1 = mul_add_u64(0, a1, x, &high);
  t2 = mul_add_u64(0, a2, x, &high);
  t3 = mul_add_u64(0, a3, x, &high);
  t4 = high;
  x = b[1], high = 0;
  t[1] = mul_add_u64(t1, a0, x, &high);
  t2 = mul_add_u64(t2, a1, x, &high);
  t3 = mul_add_u64(t3, a2, x, &high);
  t4 = mul_add_u64(t4, a3, x, &high);
  t5 = high;
  x = b[2], high = 0;
  t[2] = mul_add_u64(t2, a0, x, &high);
  t3 = mul_add_u64(t3, a1, x, &high);
  t4 = mul_add_u64(t4, a2, x, &high);
  t5 = mul_add_u64(t5, a3, x, &high);
  t6 = high;
  x = b[3], high = 0;
  t[3] = mul_add_u64(t3, a0, x, &high);
  t[4] = mul_add_u64(t4, a1, x, &high);
  t[5] = mul_add_u64(t5, a2, x, &high);
  t[6] = mul_add_u64(t6, a3, x, &high);
  t[7] = high;
}

/* t[0..7] = a^2: the products of different limbs, doubled, and the squares. */
FE_P256_INLINE void fe_p256_square(uint64_t t[8], const uint64_t a[4]) {
  uint64_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], t1, t2, t3, t4, t5, t6;
  uint64_t high = 0, carry = 0;
  t1 = mul_add_u64(0, a0, a1, &high);
  t2 = mul_add_u64(0, a0, a2, &high);
  t3 = mul_add_u64(0, a0, a3, &high);
  t4 = high;
  high = 0;
  t3 = mul_add_u64(t3, a1, a2, &high);
  t4 = mul_add_u64(t4, a1, a3, &high);
  t5 = high;
  high = 0;
  t5 = mul_add_u64(t5, a2, a3, &high);
  t6 = high;
  u128 s = (u128)a0 * a0;
  t[0] = fe_p256_low(s);
  t[1] = add_carry_u64(t1 << 1, fe_p256_high(s), &carry);
  s = (u128)a1 * a1;
  t[2] = add_carry_u64(t2 << 1 | t1 >> 63, fe_p256_low(s), &carry);
  t[3] = add_carry_u64(t3 << 1 | t2 >> 63, fe_p256_high(s), &carry);
  s = (u128)a2 * a2;
  t[4] = add_carry_u64(t4 << 1 | t3 >> 63, fe_p256_low(s), &carry);
  t[5] = add_carry_u64(t5 << 1 | t4 >> 63, fe_p256_high(s), &carry);
  s = (u128)a3 * a3;
  t[6] = add_carry_u64(t6 << 1 | t5 >> 63, fe_p256_low(s), &carry);
  t[7] = add_carry_u64(t6 >> 63, fe_p256_high(s), &carry);
}

/* out = t/R mod p.  in: t < p*R. */
FE_P256_INLINE void fe_p256_reduce(fe_p256 *out, const uint64_t t[8]) {
  uint64_t q0 = t[0];
  u128 m0 = (u128)q0 * FE_P256_P3;
  u128 c = (u128)t[1] + (q0 << 32);
  uint64_t q1 = fe_p256_low(c);
  u128 m1 = (u128)q1 * FE_P256_P3;
  c = (c >> 64) + t[2] + (q0 >> 32) + (q1 << 32);
  uint64_t q2 = fe_p256_low(c);
  u128 m2 = (u128)q2 * FE_P256_P3;
  c = (c >> 64) + t[3] + (q1 >> 32) + (q2 << 32) + fe_p256_low(m0);
  uint64_t q3 = fe_p256_low(c);
  u128 m3 = (u128)q3 * FE_P256_P3;
  c = (c >> 64) + t[4] + (q2 >> 32) + (q3 << 32) + fe_p256_high(m0) + fe_p256_low(m1);
  uint64_t r0 = fe_p256_low(c);
  c = (c >> 64) + t[5] + (q3 >> 32) + fe_p256_high(m1) + fe_p256_low(m2);
  uint64_t r1 = fe_p256_low(c);
  c = (c >> 64) + t[6] + fe_p256_high(m2) + fe_p256_low(m3);
  uint64_t r2 = fe_p256_low(c);
  c = (c >> 64) + t[7] + fe_p256_high(m3);
  fe_p256_subtract_p(out, r0, r1, r2, fe_p256_low(c), fe_p256_high(c));
}

/* out = (t - s)/R mod p.  in: t, s < p*R. */
FE_P256_INLINE void fe_p256_reduce_difference(fe_p256 *out, const uint64_t t[8],
                                              const uint64_t s[8]) {
  uint64_t d[8], borrow = 0, carry = 0;
  d[0] = sub_borrow_u64(t[0], s[0], &borrow);
  d[1] = sub_borrow_u64(t[1], s[1], &borrow);
  d[2] = sub_borrow_u64(t[2], s[2], &borrow);
  d[3] = sub_borrow_u64(t[3], s[3], &borrow);
  d[4] = sub_borrow_u64(t[4], s[4], &borrow);
  d[5] = sub_borrow_u64(t[5], s[5], &borrow);
  d[6] = sub_borrow_u64(t[6], s[6], &borrow);
  d[7] = sub_borrow_u64(t[7], s[7], &borrow);
  uint64_t mask = ct_mask_u64(borrow);
  d[4] = add_carry_u64(d[4], mask, &carry);
  d[5] = add_carry_u64(d[5], mask & FE_P256_P1, &carry);
  d[6] = add_carry_u64(d[6], 0, &carry);
  d[7] = add_carry_u64(d[7], mask & FE_P256_P3, &carry);
  fe_p256_reduce(out, d);
}

FE_P256_CALLED void fe_p256_mul(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  uint64_t t[8];
  fe_p256_product(t, a->v, b->v);
  fe_p256_reduce(out, t);
}

FE_P256_CALLED void fe_p256_sqr(fe_p256 *out, const fe_p256 *a) {
  uint64_t t[8];
  fe_p256_square(t, a->v);
  fe_p256_reduce(out, t);
}

FE_P256_CALLED void fe_p256_mul_sub_mul(fe_p256 *out, const fe_p256 *a, const fe_p256 *b,
                                        const fe_p256 *c, const fe_p256 *d) {
  uint64_t t[8], s[8];
  fe_p256_product(s, c->v, d->v);
  fe_p256_product(t, a->v, b->v);
  fe_p256_reduce_difference(out, t, s);
}

FE_P256_CALLED void fe_p256_mul_sub_sqr(fe_p256 *out, const fe_p256 *a, const fe_p256 *b,
                                        const fe_p256 *c) {
  uint64_t t[8], s[8];
  fe_p256_square(s, c->v);
  fe_p256_product(t, a->v, b->v);
  fe_p256_reduce_difference(out, t, s);
}

#endif
