/* Scalars mod n: four 64-bit limbs, Montgomery products with R = 2^256 (Montgomery,
 * "Modular multiplication without trial division", 1985), row by row. */
#include "scalar/sc_p256.h"

#include "base/secret.h"
#include "field/safegcd.h"
#include "scalar/sc_p256_constants.h"

#define UNROLL _Pragma("GCC unroll 4")

/* out = a - n if carry 2^256 + a >= n, else a.  in: carry 2^256 + a < 2n. */
static inline void subtract_order(u256 *out, const u256 *a, uint64_t carry) {
  u256 less;
  uint64_t borrow = u256_sub(&less, a, &sm_sc_p256_order);
  uint64_t keep = ct_mask_u64(borrow & (carry ^ 1));
  for (int i = 0; i < 4; i++) {
    /* Hidden one by one, limbs stay out of vector registers, which cost gcc 25 cycles. */
    out->v[i] = less.v[i] ^ ct_hide_u64(keep & (less.v[i] ^ a->v[i]));
  }
}

/* out = a b / R mod n, < n.  in: a < n; any b.  The running sum stays below 2n after each
 * row, and below 2n + (2^64 - 1) n < 2^320 within one. */
static inline void mont_mul(u256 *out, const u256 *a, const u256 *b) {
  const uint64_t *n = sm_sc_p256_order.v;
  uint64_t t[4] = {0}, t4 = 0;
  UNROLL
  for (int i = 0; i < 4; i++) {
    uint64_t carry = 0, carry_q = 0;
    UNROLL
    for (int j = 0; j < 4; j++) {
      t[j] = mul_add_u64(t[j], a->v[j], b->v[i], &carry);
    }
    t4 += carry;
    uint64_t q = t[0] * mont_neg_inverse;
    (void)mul_add_u64(t[0], q, n[0], &carry_q);
    UNROLL
    for (int j = 1; j < 4; j++) {
      t[j - 1] = mul_add_u64(t[j], q, n[j], &carry_q);
    }
    carry = 0;
    t[3] = add_carry_u64(t4, carry_q, &carry);
    t4 = carry;
  }
  u256 sum = {{t[0], t[1], t[2], t[3]}};
  subtract_order(out, &sum, t4);
}

uint64_t sm_sc_p256_in_range(const u256 *a) {
  return u256_lt_mask(a, &sm_sc_p256_order) & ~u256_zero_mask(a);
}

uint64_t sm_sc_p256_is_high(const u256 *a) {
  return u256_lt_mask(&sm_sc_p256_half_order, a);
}

void sm_sc_p256_reduce(u256 *out, const u256 *a) {
  subtract_order(out, a, 0);
}

void sm_sc_p256_reduce_wide(u256 *out, const u256 *high, const u256 *low) {
  u256 a, b;
  mont_mul(&a, &mont_square, high); /* high R */
  subtract_order(&b, low, 0);
  sm_sc_p256_add(out, &a, &b);
  wipe(&a, sizeof a);
  wipe(&b, sizeof b);
}

void sm_sc_p256_add(u256 *out, const u256 *a, const u256 *b) {
  u256 sum;
  uint64_t carry = u256_add(&sum, a, b);
  subtract_order(out, &sum, carry);
}

void sm_sc_p256_neg(u256 *out, const u256 *a) {
  u256 minus, zero = {{0}};
  uint64_t is_zero = u256_zero_mask(a);
  (void)u256_sub(&minus, &sm_sc_p256_order, a);
  u256_select(out, is_zero, &zero, &minus);
}

void sm_sc_p256_mul(u256 *out, const u256 *a, const u256 *b) {
  u256 product;
  mont_mul(&product, a, b);
  mont_mul(out, &product, &mont_square);
  wipe(&product, sizeof product);
}

void sm_sc_p256_inv(u256 *out, const u256 *a) {
  sm_safegcd_inv(out, a, &sm_safegcd_p256_n);
}

void sm_sc_p256_inv_vt(u256 *out, const u256 *a) {
  sm_safegcd_inv_vt(out, a, &sm_safegcd_p256_n);
}

/* With c[i] = c[i-1] a[i] / R: 1/a[i] = c[i-1] (1/c[i]) / R and 1/c[i-1] = a[i] (1/c[i])
 * / R, so that no factor R is ever put in or taken out. */
void sm_sc_p256_inv_batch_vt(u256 *out, const u256 *a, size_t count) {
  u256 c = {{1}};
  for (size_t i = 0; i < count; i++) {
    out[i] = c;
    if (!u256_zero_mask(&a[i])) {
      mont_mul(&c, &c, &a[i]);
    }
  }
  sm_safegcd_inv_vt(&c, &c, &sm_safegcd_p256_n);
  for (size_t i = count; i-- > 0;) {
    if (u256_zero_mask(&a[i])) {
      out[i] = a[i];
    } else {
      mont_mul(&out[i], &out[i], &c);
      mont_mul(&c, &c, &a[i]);
    }
  }
}

/* out = a x / R mod n.  in: x < n. */
static inline void mul_short_vt(u256 *out, const i128 *a, const u256 *x) {
  const uint64_t minus = ct_mask_u64(a->v[1] >> 63);
  u256 magnitude = {{a->v[0] ^ minus, a->v[1] ^ minus}};
  const u256 one = {{minus & 1}};
  (void)u256_add(&magnitude, &magnitude, &one);
  mont_mul(out, x, &magnitude);
  if (minus != 0) {
    sm_sc_p256_neg(out, out);
  }
}

/* The inverses as in sm_sc_p256_inv_batch_vt, times R^2, which two products take away. */
void sm_sc_p256_combine_vt(u256 *v, u256 *u, const i128 *a, const u256 *r, const u256 *s,
                           const u256 *z, size_t count) {
  u256 c = {{1}}, sum = {{0}}, share, part;
  for (size_t i = 0; i < count; i++) {
    v[i] = c;
    mont_mul(&c, &c, &s[i]);
  }
  sm_safegcd_inv_vt(&c, &c, &sm_safegcd_p256_n);
  mont_mul(&c, &c, &mont_square);
  mont_mul(&c, &c, &mont_square);
  for (size_t i = count; i-- > 0;) {
    mont_mul(&share, &v[i], &c); /* R^2 / s */
    mont_mul(&c, &c, &s[i]);
    mul_short_vt(&share, &a[i], &share);
    mont_mul(&v[i], &share, &r[i]);
    mont_mul(&part, &share, &z[i]);
    sm_sc_p256_add(&sum, &sum, &part);
  }
  *u = sum;
}
