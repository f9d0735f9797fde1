/* Products of fe_p256_x8.h that share their time: multiply-adds fill two of the
 * processor's pipes and leave the others idle, and it looks ahead by about one product,
 * so that whatever else there is to do stands between the rows of a product here.  For
 * the pass of affine additions (lanes/sums_p256_x8.inc).
 *
 * beside(work, slot) is called with slot = 0, 1, ... between the rows.  It neither
 * changes an operand nor reads a result. */
#ifndef SIGMILL_LANES_FE_BESIDE_P256_X8_H
#define SIGMILL_LANES_FE_BESIDE_P256_X8_H

#include "lanes/fe_p256_x8.h"

typedef void fe_x8_beside(void *work, int slot);

/* The slots of each function here. */
enum { FE_X8_SLOTS = 10 };

/* out = the sum of r[i] 2^(52i) mod p, <= 1.  in: r[i] < 2^62; 2^48 <= r[4]; the sum
 * below 16*2^256.  h p goes away.  With v, the integer's bits from 208 up but for a
 * carry, and k = floor(v / 2^48), h is k + 1 where v is at least (k + 1)2^48 - k 2^16,
 * which is above (k + 1)p, and else k, and less than 2^256 remains. */
LANES_INLINE void fe_x8_carry_fit(fe_x8 *out, const vec r[5]) {
  const vec mask = v_set1(MASK52), low = v_set1((UINT64_C(1) << 48) - 1);
  const vec v = v_split(v_add(r[4], v_shr(r[3], 52)), 48), k = v_shr(v, 48);
  const vec w = v_split(v_add(v, v_shl(k, 16)), 48), h = v_shr(w, 48);
  vec x = v_add(r[0], h), y[5];
  y[1] = v_sub(r[1], v_shl(h, 44));
  y[2] = r[2];
  y[3] = v_sub(v_and(r[3], mask), v_shl(h, 36));
  y[4] = v_add(v_and(w, low), v_shl(v_sub(h, k), 16));
  FE_X8_EACH(i, 4) {
    out->l[i] = v_and(x, mask);
    x = v_add(y[i + 1], v_sar(x, 52));
  }
  out->l[4] = x;
}

/* out = (minus ? -a : a) - b.  in: a, b <= 1.  out: <= 4, loose. */
LANES_INLINE void fe_p256_x8_signed_sub_loose(fe_x8 *out, vmask minus, const fe_x8 *a,
                                              const fe_x8 *b) {
  vec r[5];
  FE_X8_EACH(i, 5) {
    const vec rest = v_sub(fe_x8_multiple(i, 3, 54), b->l[i]);
    r[i] = v_select(minus, v_sub(rest, a->l[i]), v_add(rest, a->l[i]));
  }
  fe_x8_carry_loose(out, r);
}

/* t = (t + a b) / R mod p in its upper five columns; the work stands between the rows. */
LANES_INLINE void columns_product_beside(fe_x8_columns *t, const fe_x8 *a, const fe_x8 *b,
                                         fe_x8_beside *beside, void *work) {
  FE_X8_EACH(i, 5) {
    columns_mul_row(t, a, b, i);
    beside(work, i);
  }
  FE_X8_EACH(i, 5) {
    columns_reduce_step(t, i);
    beside(work, 5 + i);
  }
}

/* out = a b.  in: A B <= 240, or loose.  out: <= A B/16 + 1, loose. */
LANES_INLINE void fe_p256_x8_mul_beside(fe_x8 *out, const fe_x8 *a, const fe_x8 *b,
                                        fe_x8_beside *beside, void *work) {
  fe_x8_columns t;
  columns_zero(&t);
  columns_product_beside(&t, a, b, beside, work);
  fe_x8_carry_loose(out, t.c + 5);
}

/* out = a^2 - b - c, rest = b - out; product = d e.  in: A^2 <= 4 and D E <= 240,
 * perhaps loose; b, c <= 1.  out: <= 1; rest: <= 8, product: <= D E/16 + 1, both loose.
 */
LANES_INLINE void fe_p256_x8_sqr_fit_mul(fe_x8 *out, fe_x8 *rest, fe_x8 *product,
                                         const fe_x8 *a, const fe_x8 *b, const fe_x8 *c,
                                         const fe_x8 *d, const fe_x8 *e,
                                         fe_x8_beside *beside, void *work) {
  fe_x8_columns t;
  vec r[5], other[5];
  columns_sqr_mixed(&t, a);
  FE_X8_EACH(i, FE_X8_SLOTS) {
    beside(work, i);
  }
  columns_sqr_equal(&t, a);
  FE_X8_EACH(i, 5) {
    const vec sum = v_add(b->l[i], c->l[i]);
    t.c[5 + i] = v_add(t.c[5 + i], v_sub(fe_x8_multiple(i, 4, 56), sum));
  }
  columns_reduce(r, &t);
  columns_zero(&t);
  columns_mul_row(&t, d, e, 0);
  FE_X8_EACH(i, 5) {
    other[i] = v_sub(v_add(b->l[i], fe_x8_multiple(i, 7, 58)), r[i]);
  }
  columns_mul_row(&t, d, e, 1);
  columns_mul_row(&t, d, e, 2);
  fe_x8_carry_loose(rest, other);
  columns_mul_row(&t, d, e, 3);
  fe_x8_carry_fit(out, r);
  columns_mul_row(&t, d, e, 4);
  columns_reduce(r, &t);
  fe_x8_carry_loose(product, r);
}

/* out = a b - c; product = d e.  in: A B <= 32 and D E <= 240, perhaps loose; c <= 1.
 * out: <= 1; product: <= D E/16 + 1, loose. */
LANES_INLINE void fe_p256_x8_mul_fit_mul(fe_x8 *out, fe_x8 *product, const fe_x8 *a,
                                         const fe_x8 *b, const fe_x8 *c, const fe_x8 *d,
                                         const fe_x8 *e, fe_x8_beside *beside,
                                         void *work) {
  fe_x8_columns t;
  vec r[5];
  FE_X8_EACH(i, 5) {
    t.c[i] = v_zero();
    t.c[5 + i] = v_sub(fe_x8_multiple(i, 3, 56), c->l[i]);
  }
  columns_product_beside(&t, a, b, beside, work);
  FE_X8_EACH(i, 5) {
    r[i] = t.c[5 + i];
  }
  columns_zero(&t);
  columns_mul_row(&t, d, e, 0);
  columns_mul_row(&t, d, e, 1);
  fe_x8_carry_fit(out, r);
  columns_mul_row(&t, d, e, 2);
  columns_mul_row(&t, d, e, 3);
  columns_mul_row(&t, d, e, 4);
  columns_reduce(r, &t);
  fe_x8_carry_loose(product, r);
}

#endif
