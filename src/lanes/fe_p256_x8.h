/* The field of P-256 in eight lanes: integers mod p = 2^256 - 2^224 + 2^192 + 2^96 - 1 in
 * five limbs of 52 bits, Montgomery domain a*R mod p with R = 2^260 (Montgomery, "Modular
 * multiplication without trial division", 1985).
 *
 * Ranges.  An element is written a <= k if every limb is below 2^52 and the top one below
 * k*2^48: the integer is below k*2^256.  k need not be whole; nothing exceeds 16.
 *   "loose"  limbs above the lowest hold more than their 52 bits, and only those count:
 *            fit for products alone, which look no further.  a <= k speaks of the integer
 *            that the 52 bits spell.
 *   "weak"   a <= 1 + 1/64, not loose: what a weak reduction gives.
 * With a <= A, b <= B a product is <= A*B/16 + 1; it has to be <= 16.
 *
 * p = -1 mod 2^96, so that the quotient digit of a reduction step is the limb itself.
 * Products are summed by columns, and differences of products too, so that one reduction
 * serves them all; what is only added is not carried.  Subtrahends are taken from a
 * multiple of p whose limbs are all large, and no limb ever is negative.
 *
 * All functions run in constant time; out may be any input. */
#ifndef SIGMILL_LANES_FE_P256_X8_H
#define SIGMILL_LANES_FE_P256_X8_H

#include "lanes/limbs_x8.h"
#include "lanes/vec.h"

typedef struct {
  vec l[5];
} fe_x8;

#define FE_X8_EACH(i, count) LANES_UNROLL for (int i = 0; i < (count); i++)

/* p = sum of fe_x8_p[i] 2^(52i). */
static const uint64_t fe_x8_p[5] = {
    (UINT64_C(1) << 52) - 1,
    (UINT64_C(1) << 44) - 1, /* 2^96 - 1 */
    0,
    UINT64_C(1) << 36,                         /* 2^192 */
    (UINT64_C(1) << 48) - (UINT64_C(1) << 16), /* 2^256 - 2^224 */
};

/* Limb i of k*p, written so that every limb but the top one is at least 2^t - 2^(t-52)
 * and the top one at least k(2^48 - 2^16) - 2^(t-52).  k <= 16, t <= 60. */
LANES_INLINE vec fe_x8_multiple(int i, uint64_t k, int t) {
  const uint64_t lent = i < 4 ? UINT64_C(1) << t : 0;
  const uint64_t borrowed = i > 0 ? UINT64_C(1) << (t - 52) : 0;
  return v_set1(k * fe_x8_p[i] + lent - borrowed);
}

/* --- columns: ten sums of products, column i of weight 2^(52i) --- */

typedef struct {
  vec c[10];
} fe_x8_columns;

LANES_INLINE void columns_zero(fe_x8_columns *out) {
  FE_X8_EACH(i, 10) {
    out->c[i] = v_zero();
  }
}

/* out = 2^260 p, every column but the top one at least 2^59, the top one at least 2^48 -
 * 2^17: no sum of up to eight products that is below 15*2^512 makes a column negative. */
LANES_INLINE void columns_bias(fe_x8_columns *out) {
  const uint64_t lent = UINT64_C(1) << 60, borrowed = UINT64_C(1) << 8;
  FE_X8_EACH(i, 10) {
    const uint64_t digit = i < 5 ? 0 : fe_x8_p[i - 5];
    out->c[i] = v_set1(digit + (i < 9 ? lent : 0) - (i > 0 ? borrowed : 0));
  }
}

/* t += a*b. */
LANES_INLINE void columns_mul(fe_x8_columns *t, const fe_x8 *a, const fe_x8 *b) {
  limbs_add_product(t->c, a->l, b->l);
}

/* Row i of it: t += a->l[i] b. */
LANES_INLINE void columns_mul_row(fe_x8_columns *t, const fe_x8 *a, const fe_x8 *b,
                                  int i) {
  FE_X8_EACH(j, 5) {
    t->c[i + j] = v_madlo52(t->c[i + j], a->l[i], b->l[j]);
  }
  FE_X8_EACH(j, 5) {
    t->c[i + j + 1] = v_madhi52(t->c[i + j + 1], a->l[i], b->l[j]);
  }
}

/* t = a*a.  The products of different limbs stand twice: their sums are doubled, for
 * doubled limbs would not fit.  Two steps. */
LANES_INLINE void columns_sqr_mixed(fe_x8_columns *t, const fe_x8 *a) {
  columns_zero(t);
  FE_X8_EACH(i, 5) {
    FE_X8_EACH(j, 5) {
      if (j > i) {
        t->c[i + j] = v_madlo52(t->c[i + j], a->l[i], a->l[j]);
      }
    }
    FE_X8_EACH(j, 5) {
      if (j > i) {
        t->c[i + j + 1] = v_madhi52(t->c[i + j + 1], a->l[i], a->l[j]);
      }
    }
  }
}
LANES_INLINE void columns_sqr_equal(fe_x8_columns *t, const fe_x8 *a) {
  FE_X8_EACH(k, 8) {
    t->c[k + 1] = v_add(t->c[k + 1], t->c[k + 1]);
  }
  FE_X8_EACH(i, 5) {
    t->c[2 * i] = v_madlo52(t->c[2 * i], a->l[i], a->l[i]);
    t->c[2 * i + 1] = v_madhi52(t->c[2 * i + 1], a->l[i], a->l[i]);
  }
}
LANES_INLINE void columns_sqr(fe_x8_columns *t, const fe_x8 *a) {
  columns_sqr_mixed(t, a);
  columns_sqr_equal(t, a);
}

/* Adds q p 2^(52i) with q = t->c[i] mod 2^52, which clears column i: q(p + 1) has no bits
 * below 2^96, and q 2^96 is q 2^44 in the next column. */
LANES_INLINE void columns_reduce_step(fe_x8_columns *t, int i) {
  const vec p1 = v_set1(UINT64_C(1) << 44), p3 = v_set1(fe_x8_p[3]),
            p4 = v_set1(fe_x8_p[4]);
  vec *c = t->c;
  const vec q = c[i];
  c[i + 1] = v_add(c[i + 1], v_shr(q, 52));
  c[i + 1] = v_madlo52(c[i + 1], q, p1);
  c[i + 2] = v_madhi52(c[i + 2], q, p1);
  c[i + 3] = v_madlo52(c[i + 3], q, p3);
  c[i + 4] = v_madhi52(c[i + 4], q, p3);
  c[i + 4] = v_madlo52(c[i + 4], q, p4);
  c[i + 5] = v_madhi52(c[i + 5], q, p4);
}

/* r = t / R mod p, five sums of weight 2^(52i) that still have to be carried; below t / R
 * + p. */
LANES_INLINE void columns_reduce(vec r[5], fe_x8_columns *t) {
  FE_X8_EACH(i, 5) {
    columns_reduce_step(t, i);
  }
  FE_X8_EACH(i, 5) {
    r[i] = t->c[i + 5];
  }
}

/* r = a b / R mod p and a^2 / R mod p, as columns_reduce gives them. */
LANES_INLINE void columns_product(vec r[5], const fe_x8 *a, const fe_x8 *b) {
  fe_x8_columns t;
  columns_zero(&t);
  columns_mul(&t, a, b);
  columns_reduce(r, &t);
}
LANES_INLINE void columns_square(vec r[5], const fe_x8 *a) {
  fe_x8_columns t;
  columns_sqr(&t, a);
  columns_reduce(r, &t);
}

/* --- carries --- */

/* out = the sum of r[i] 2^(52i).  in: r[i] < 2^62, the sum below 2^260. */
LANES_INLINE void fe_x8_carry(fe_x8 *out, const vec r[5]) {
  const vec mask = v_set1(MASK52);
  vec x = r[0];
  FE_X8_EACH(i, 4) {
    out->l[i] = v_and(x, mask);
    x = v_add(r[i + 1], v_shr(x, 52));
  }
  out->l[4] = x;
}

/* The same; out: loose. */
LANES_INLINE void fe_x8_carry_loose(fe_x8 *out, const vec r[5]) {
  out->l[0] = r[0];
  FE_X8_EACH(i, 4) {
    out->l[i + 1] = v_add(r[i + 1], v_shr(out->l[i], 52));
  }
}

/* out = the sum of r[i] 2^(52i) mod p, weak.  in: 2^54 <= r[i] < 2^62 for i = 1 and 3;
 * r[i] < 2^62; the sum below 2^262.  h p goes away for h = floor(r[4] / 2^48): 2^256 h
 * becomes (2^224 - 2^192 - 2^96 + 1)h. */
LANES_INLINE void fe_x8_carry_weak(fe_x8 *out, const vec r[5]) {
  vec x[5];
  const vec h = v_shr(r[4], 48), low = v_set1((UINT64_C(1) << 48) - 1);
  x[0] = v_add(r[0], h);
  x[1] = v_sub(r[1], v_shl(h, 44));
  x[2] = r[2];
  x[3] = v_sub(r[3], v_shl(h, 36));
  x[4] = v_add(v_and(r[4], low), v_shl(h, 16));
  fe_x8_carry(out, x);
}

/* --- constants, selection, forms in memory --- */

/* Every lane = the same integer. */
LANES_INLINE void fe_p256_x8_set1(fe_x8 *out, const uint64_t limbs[5]) {
  limbs_set1(out->l, limbs);
}

/* out = 0. */
LANES_INLINE void fe_p256_x8_zero(fe_x8 *out) {
  FE_X8_EACH(i, 5) {
    out->l[i] = v_zero();
  }
}

static const uint64_t fe_x8_one[5] = {0x0000000000010, 0xf000000000000, 0xfffffffffffff,
                                      0xffeffffffffff, 0x00000000fffff}; /* R mod p */
static const uint64_t fe_x8_r2[5] = {0x0000000000300, 0xffffffff00000, 0xffffefffffffb,
                                     0xfdfffffffffff, 0x0000004ffffff}; /* R^2 mod p */

/* out = 1, <= 1. */
LANES_INLINE void fe_p256_x8_one(fe_x8 *out) {
  fe_p256_x8_set1(out, fe_x8_one);
}

/* out = mask ? a : b, limb by limb. */
LANES_INLINE void fe_p256_x8_select(fe_x8 *out, vmask mask, const fe_x8 *a,
                                    const fe_x8 *b) {
  limbs_select(out->l, mask, a->l, b->l);
}

/* out = the integer of four words, <= 1. */
LANES_INLINE void fe_p256_x8_from_words(fe_x8 *out, const vec w[4]) {
  limbs_from_words(out->l, w);
}

/* out = 16 times the integer of four words, <= 16: of a committed table's a*2^256 mod p,
 * the element a. */
LANES_INLINE void fe_p256_x8_from_table(fe_x8 *out, const vec w[4]) {
  const vec mask = v_set1(MASK52), w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  out->l[0] = v_and(v_shl(w0, 4), mask);
  out->l[1] = v_and(v_or(v_shr(w0, 48), v_shl(w1, 16)), mask);
  out->l[2] = v_and(v_or(v_shr(w1, 36), v_shl(w2, 28)), mask);
  out->l[3] = v_and(v_or(v_shr(w2, 24), v_shl(w3, 40)), mask);
  out->l[4] = v_shr(w3, 12);
}

/* The four words of a.  in: a <= 1. */
LANES_INLINE void fe_p256_x8_to_words(vec w[4], const fe_x8 *a) {
  limbs_to_words(w, a->l);
}

/* --- products --- */

/* out = a b.  in: A B <= 240, or loose.  out: <= A B/16 + 1.  80 IFMA. */
LANES_INLINE void fe_p256_x8_mul(fe_x8 *out, const fe_x8 *a, const fe_x8 *b) {
  vec r[5];
  columns_product(r, a, b);
  fe_x8_carry(out, r);
}

/* The same; out: loose. */
LANES_INLINE void fe_p256_x8_mul_loose(fe_x8 *out, const fe_x8 *a, const fe_x8 *b) {
  vec r[5];
  columns_product(r, a, b);
  fe_x8_carry_loose(out, r);
}

/* out = a^2.  in: A^2 <= 240, or loose.  out: <= A^2/16 + 1.  60 IFMA. */
LANES_INLINE void fe_p256_x8_sqr(fe_x8 *out, const fe_x8 *a) {
  vec r[5];
  columns_square(r, a);
  fe_x8_carry(out, r);
}

/* The same; out: loose. */
LANES_INLINE void fe_p256_x8_sqr_loose(fe_x8 *out, const fe_x8 *a) {
  vec r[5];
  columns_square(r, a);
  fe_x8_carry_loose(out, r);
}

/* out = 2 a b.  in: A B <= 112, or loose.  out: <= A B/8 + 2. */
LANES_INLINE void fe_p256_x8_mul_dbl(fe_x8 *out, const fe_x8 *a, const fe_x8 *b) {
  vec r[5];
  columns_product(r, a, b);
  FE_X8_EACH(i, 5) {
    r[i] = v_add(r[i], r[i]);
  }
  fe_x8_carry(out, r);
}

/* out = 3 a b.  in: A B <= 69, or loose.  out: <= 3 A B/16 + 3, loose. */
LANES_INLINE void fe_p256_x8_mul_triple_loose(fe_x8 *out, const fe_x8 *a,
                                              const fe_x8 *b) {
  vec r[5];
  columns_product(r, a, b);
  FE_X8_EACH(i, 5) {
    r[i] = v_add(v_add(r[i], r[i]), r[i]);
  }
  fe_x8_carry_loose(out, r);
}

/* out = a b - c.  in: A B/16 + 1 + k <= 16, a, b perhaps loose; c <= k - 1/64, k whole.
 * out: <= A B/16 + 1 + k. */
LANES_INLINE void fe_p256_x8_mul_sub(fe_x8 *out, const fe_x8 *a, const fe_x8 *b,
                                     const fe_x8 *c, int k) {
  vec r[5];
  columns_product(r, a, b);
  FE_X8_EACH(i, 5) {
    r[i] = v_add(r[i], v_sub(fe_x8_multiple(i, (uint64_t)k, 53), c->l[i]));
  }
  fe_x8_carry(out, r);
}

/* The same; out: loose. */
LANES_INLINE void fe_p256_x8_mul_sub_loose(fe_x8 *out, const fe_x8 *a, const fe_x8 *b,
                                           const fe_x8 *c, int k) {
  vec r[5];
  columns_product(r, a, b);
  FE_X8_EACH(i, 5) {
    r[i] = v_add(r[i], v_sub(fe_x8_multiple(i, (uint64_t)k, 53), c->l[i]));
  }
  fe_x8_carry_loose(out, r);
}

/* out = (minus ? -a b : a b) - c.  in: A B/16 + 1 <= k - 1/64, a, b perhaps loose; c <= m
 * - 1/64; k and m whole, k + m <= 16.  out: <= k + m, loose. */
LANES_INLINE void fe_p256_x8_mul_signed_sub_loose(fe_x8 *out, vmask minus, const fe_x8 *a,
                                                  const fe_x8 *b, int k, const fe_x8 *c,
                                                  int m) {
  vec r[5];
  columns_product(r, a, b);
  FE_X8_EACH(i, 5) {
    const vec rest = v_sub(fe_x8_multiple(i, (uint64_t)m, 53), c->l[i]);
    r[i] = v_select(minus, v_sub(fe_x8_multiple(i, (uint64_t)k, 58), r[i]), r[i]);
    r[i] = v_add(r[i], rest);
  }
  fe_x8_carry_loose(out, r);
}

/* out = a^2 - 8 b, rest = 4 b - out = 12 b - a^2, which does not wait for out.  in: A^2
 * <= 31, perhaps loose; b <= 1 + 5/64.  out: weak; rest: <= 16, loose. */
LANES_INLINE void fe_p256_x8_sqr_sub_8_rest(fe_x8 *out, fe_x8 *rest, const fe_x8 *a,
                                            const fe_x8 *b) {
  fe_x8_columns t;
  vec r[5], other[5];
  columns_sqr(&t, a);
  columns_reduce(r, &t);
  FE_X8_EACH(i, 5) {
    const vec b4 = v_shl(b->l[i], 2), b8 = v_shl(b->l[i], 3);
    other[i] = v_sub(v_add(v_add(b4, b8), fe_x8_multiple(i, 3, 58)), r[i]);
    r[i] = v_add(r[i], v_sub(fe_x8_multiple(i, 11, 56), b8));
  }
  fe_x8_carry_loose(rest, other);
  fe_x8_carry_weak(out, r);
}

/* out = a^2 - b - 2 c.  in: A <= 15, perhaps loose; B + 2 C <= 9.  out: weak. */
LANES_INLINE void fe_p256_x8_sqr_sub_sum(fe_x8 *out, const fe_x8 *a, const fe_x8 *b,
                                         const fe_x8 *c) {
  vec r[5];
  columns_square(r, a);
  FE_X8_EACH(i, 5) {
    const vec sum = v_add(b->l[i], v_add(c->l[i], c->l[i]));
    r[i] = v_add(r[i], v_sub(fe_x8_multiple(i, 10, 56), sum));
  }
  fe_x8_carry_weak(out, r);
}

/* The same, and rest = c - out = b + 3 c - a^2, which does not wait for out.  in:
 * A^2 <= 31, perhaps loose; B + 2 C <= 9; B + 3 C <= 13.  out: weak; rest: <= B + 3 C +
 * 3, loose. */
LANES_INLINE void fe_p256_x8_sqr_sub_sum_rest(fe_x8 *out, fe_x8 *rest, const fe_x8 *a,
                                              const fe_x8 *b, const fe_x8 *c) {
  fe_x8_columns t;
  vec r[5], other[5];
  columns_sqr(&t, a);
  columns_reduce(r, &t);
  FE_X8_EACH(i, 5) {
    const vec sum = v_add(b->l[i], v_add(c->l[i], c->l[i]));
    other[i] = v_sub(v_add(v_add(sum, c->l[i]), fe_x8_multiple(i, 3, 58)), r[i]);
    r[i] = v_add(r[i], v_sub(fe_x8_multiple(i, 10, 56), sum));
  }
  fe_x8_carry_loose(rest, other);
  fe_x8_carry_weak(out, r);
}

/* out = a b - 8 c^2.  in: A B <= 240 and 8 C^2 <= 15, all perhaps loose.  out: weak. */
LANES_INLINE void fe_p256_x8_mul_sub_8_sqr(fe_x8 *out, const fe_x8 *a, const fe_x8 *b,
                                           const fe_x8 *c) {
  fe_x8_columns t, square;
  vec r[5];
  columns_sqr(&square, c);
  columns_bias(&t);
  FE_X8_EACH(i, 10) {
    t.c[i] = v_sub(t.c[i], v_shl(square.c[i], 3));
  }
  columns_mul(&t, a, b);
  columns_reduce(r, &t);
  fe_x8_carry_weak(out, r);
}

/* out = a b - c d.  in: A B <= 240 and C D <= 15, all perhaps loose.  out: weak. */
LANES_INLINE void fe_p256_x8_mul_sub_mul(fe_x8 *out, const fe_x8 *a, const fe_x8 *b,
                                         const fe_x8 *c, const fe_x8 *d) {
  fe_x8_columns t, product;
  vec r[5];
  columns_zero(&product);
  columns_mul(&product, c, d);
  columns_bias(&t);
  FE_X8_EACH(i, 10) {
    t.c[i] = v_sub(t.c[i], product.c[i]);
  }
  columns_mul(&t, a, b);
  columns_reduce(r, &t);
  fe_x8_carry_weak(out, r);
}

/* --- sums --- */

/* out = a + b.  out: <= A + B. */
LANES_INLINE void fe_p256_x8_add(fe_x8 *out, const fe_x8 *a, const fe_x8 *b) {
  vec r[5];
  FE_X8_EACH(i, 5) {
    r[i] = v_add(a->l[i], b->l[i]);
  }
  fe_x8_carry(out, r);
}

/* The same; out: loose. */
LANES_INLINE void fe_p256_x8_add_loose(fe_x8 *out, const fe_x8 *a, const fe_x8 *b) {
  vec r[5];
  FE_X8_EACH(i, 5) {
    r[i] = v_add(a->l[i], b->l[i]);
  }
  fe_x8_carry_loose(out, r);
}

/* out = a - b.  in: b <= k - 1/64, k whole.  out: <= A + k <= 16. */
LANES_INLINE void fe_p256_x8_sub(fe_x8 *out, const fe_x8 *a, const fe_x8 *b, int k) {
  vec r[5];
  FE_X8_EACH(i, 5) {
    r[i] = v_add(a->l[i], v_sub(fe_x8_multiple(i, (uint64_t)k, 53), b->l[i]));
  }
  fe_x8_carry(out, r);
}

/* The same; out: loose. */
LANES_INLINE void fe_p256_x8_sub_loose(fe_x8 *out, const fe_x8 *a, const fe_x8 *b,
                                       int k) {
  vec r[5];
  FE_X8_EACH(i, 5) {
    r[i] = v_add(a->l[i], v_sub(fe_x8_multiple(i, (uint64_t)k, 53), b->l[i]));
  }
  fe_x8_carry_loose(out, r);
}

/* out = minus ? -a : a.  in: a <= k - 1/64, k whole.  out: <= k. */
LANES_INLINE void fe_p256_x8_neg_if(fe_x8 *out, vmask minus, const fe_x8 *a, int k) {
  vec r[5];
  FE_X8_EACH(i, 5) {
    const vec negated = v_sub(fe_x8_multiple(i, (uint64_t)k, 53), a->l[i]);
    r[i] = v_select(minus, negated, a->l[i]);
  }
  fe_x8_carry(out, r);
}

/* --- the one form --- */

/* out = a - h p for h = floor(a / 2^256), without a weak reduction's need of large limbs:
 * carries may be negative here. */
LANES_INLINE void fe_x8_fold(fe_x8 *out, const fe_x8 *a, vec h) {
  const vec mask = v_set1(MASK52), low = v_set1((UINT64_C(1) << 48) - 1);
  vec x = v_add(a->l[0], h), y[5];
  y[1] = v_sub(a->l[1], v_shl(h, 44));
  y[2] = a->l[2];
  y[3] = v_sub(a->l[3], v_shl(h, 36));
  y[4] = v_add(v_and(a->l[4], low), v_shl(h, 16));
  FE_X8_EACH(i, 4) {
    out->l[i] = v_and(x, mask);
    x = v_add(y[i + 1], v_sar(x, 52));
  }
  out->l[4] = x;
}

/* out = a.  in: a <= 2 - 1/64.  out: <= 1. */
LANES_INLINE void fe_p256_x8_fit(fe_x8 *out, const fe_x8 *a) {
  fe_x8_fold(out, a, v_shr(v_split(a->l[4], 48), 48));
}

/* out = a mod p, below p. */
LANES_INLINE void fe_p256_x8_canonical(fe_x8 *out, const fe_x8 *a) {
  const vec mask = v_set1(MASK52);
  fe_x8 folded, less;
  vec x;
  fe_x8_fold(&folded, a, v_shr(v_split(a->l[4], 48), 48)); /* below 2p */
  x = v_sub(folded.l[0], v_set1(fe_x8_p[0]));
  FE_X8_EACH(i, 4) {
    less.l[i] = v_and(x, mask);
    x = v_add(v_sub(folded.l[i + 1], v_set1(fe_x8_p[i + 1])), v_sar(x, 52));
  }
  less.l[4] = x;
  fe_p256_x8_select(out, v_isneg(v_split(v_sar(x, 52), 0)), &folded, &less);
}

/* a = 0 mod p? */
LANES_INLINE vmask fe_p256_x8_is_zero(const fe_x8 *a) {
  fe_x8 c;
  fe_p256_x8_canonical(&c, a);
  return v_iszero(v_or(v_or(c.l[0], c.l[1]), v_or(v_or(c.l[2], c.l[3]), c.l[4])));
}

/* a = b mod p?  in: B <= 2 - 1/64, A <= 14. */
LANES_INLINE vmask fe_p256_x8_eq(const fe_x8 *a, const fe_x8 *b) {
  fe_x8 difference;
  fe_p256_x8_sub(&difference, a, b, 2);
  return fe_p256_x8_is_zero(&difference);
}

/* --- into the domain and out --- */

/* out = the element of the integer a.  in: a <= 16.  out: <= 17/16, for R^2 mod p is
 * below 2^240. */
LANES_INLINE void fe_p256_x8_to_mont(fe_x8 *out, const fe_x8 *a) {
  fe_x8 r2;
  fe_p256_x8_set1(&r2, fe_x8_r2);
  fe_p256_x8_mul(out, a, &r2);
}

/* out = the canonical integer of the element a. */
LANES_INLINE void fe_p256_x8_from_mont(fe_x8 *out, const fe_x8 *a) {
  fe_x8 one;
  fe_p256_x8_zero(&one);
  one.l[0] = v_set1(1);
  fe_p256_x8_mul(&one, a, &one);
  fe_p256_x8_canonical(out, &one);
}

#endif
