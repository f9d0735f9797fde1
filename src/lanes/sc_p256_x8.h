/* Scalars of P-256 in eight lanes: integers mod the group's order n (scalar/sc_p256.h) in
 * five limbs of 52 bits, Montgomery products with R = 2^260 (Montgomery, "Modular
 * multiplication without trial division", 1985).
 *
 * Scalars are plain integers: each function says which powers of R its result carries.
 * "Reduced limbs" are below 2^52 each; a value is below 2^260 then.  A bound such as
 * a < 2n is on the value.  Constant time unless named _vt.  out may be an input. */
#ifndef SIGMILL_LANES_SC_P256_X8_H
#define SIGMILL_LANES_SC_P256_X8_H

#include "base/secret.h"
#include "field/safegcd.h"
#include "lanes/limbs_x8.h"
#include "lanes/sc_p256_x8_constants.h"
#include "lanes/vec.h"

typedef struct {
  vec l[5];
} sc_x8;

/* out = the integer of four 64-bit words.  out: reduced limbs, below 2^256 < 2n. */
LANES_INLINE void sc_p256_x8_from_words(sc_x8 *out, const vec w[4]) {
  limbs_from_words(out->l, w);
}

/* The inverse.  in: reduced limbs, below 2^256. */
LANES_INLINE void sc_p256_x8_to_words(vec w[4], const sc_x8 *a) {
  limbs_to_words(w, a->l);
}

/* Lane i = the integer at rows[i], four words. */
LANES_INLINE void sc_p256_x8_load(sc_x8 *out, const uint64_t *const rows[LANES]) {
  vec w[4];
  v_load_rows4(w, rows);
  sc_p256_x8_from_words(out, w);
}

/* Every lane = a. */
LANES_INLINE void sc_p256_x8_set1(sc_x8 *out, const uint64_t a[5]) {
  limbs_set1(out->l, a);
}

/* One step of a reduction: adds the multiple of n that clears the lowest 52 bits of c[0],
 * and carries what is left of it into c[1]. */
LANES_INLINE void sc_x8_clear_column(vec c[6], const sc_x8 *n) {
  const vec q = v_madlo52(v_zero(), c[0], v_set1(sc_p256_x8_neg_inverse));
  LANES_UNROLL
  for (int j = 0; j < 5; j++) {
    c[j] = v_madlo52(c[j], q, n->l[j]);
    c[j + 1] = v_madhi52(c[j + 1], q, n->l[j]);
  }
  c[1] = v_add(c[1], v_shr(c[0], 52));
}

/* out = V / R mod n for V = sum c[i] 2^(52i).  in: columns below 2^63, V < 225 n^2.  out:
 * reduced limbs, below V / R + n.  A column takes at most ten halves of products with the
 * quotient and one carry.  c is written over. */
LANES_INLINE void sc_p256_x8_reduce_columns(sc_x8 *out, vec c[10]) {
  const vec mask = v_set1(MASK52);
  sc_x8 n;
  sc_p256_x8_set1(&n, sc_p256_x8_order);
  LANES_UNROLL
  for (int i = 0; i < 5; i++) {
    sc_x8_clear_column(c + i, &n);
  }
  LANES_UNROLL
  for (int i = 0; i < 4; i++) {
    c[i + 6] = v_add(c[i + 6], v_shr(c[i + 5], 52));
    out->l[i] = v_and(c[i + 5], mask);
  }
  out->l[4] = c[9];
}

/* c += a b, by columns. */
LANES_INLINE void sc_p256_x8_add_product(vec c[10], const sc_x8 *a, const sc_x8 *b) {
  limbs_add_product(c, a->l, b->l);
}

/* out = a b / R mod n.  in: reduced limbs, a < alpha n, b < beta n, alpha beta <= 225.
 * out: reduced limbs, below (alpha beta / 16 + 1) n.  105 IFMA. */
LANES_CALLED void sc_p256_x8_mul(sc_x8 *out, const sc_x8 *a, const sc_x8 *b) {
  vec c[10];
  LANES_UNROLL
  for (int i = 0; i < 10; i++) {
    c[i] = v_zero();
  }
  sc_p256_x8_add_product(c, a, b);
  sc_p256_x8_reduce_columns(out, c);
}

/* out = (a b + d) / R mod n.  in: as for mul; d: reduced limbs.  out: reduced limbs,
 * below (alpha beta / 16 + 1) n + 2. */
LANES_CALLED void sc_p256_x8_mul_add(sc_x8 *out, const sc_x8 *a, const sc_x8 *b,
                                     const sc_x8 *d) {
  vec c[10];
  LANES_UNROLL
  for (int i = 0; i < 10; i++) {
    c[i] = i < 5 ? d->l[i] : v_zero();
  }
  sc_p256_x8_add_product(c, a, b);
  sc_p256_x8_reduce_columns(out, c);
}

/* sum = c + a b, by columns; sum may be c.  in: a < 5n, b < 2^256.  Up to 32 such
 * products on zeros are within what sum_reduce takes. */
LANES_INLINE void sc_p256_x8_sum_add(vec sum[10], const vec c[10], const sc_x8 *a,
                                     const sc_x8 *b) {
  LANES_UNROLL
  for (int i = 0; i < 10; i++) {
    sum[i] = c[i];
  }
  sc_p256_x8_add_product(sum, a, b);
}

/* out = c / R mod n, for a sum of up to 32 products.  out: reduced limbs, below 12n. */
LANES_INLINE void sc_p256_x8_sum_reduce(sc_x8 *out, const vec c[10]) {
  vec columns[10];
  LANES_UNROLL
  for (int i = 0; i < 10; i++) {
    columns[i] = c[i];
  }
  sc_p256_x8_reduce_columns(out, columns);
}

/* A signed integer of 128 bits from two words of two's complement: out + (the mask is set
 * ? -2^156 : 0), limbs below 2^52. */
LANES_INLINE vmask sc_p256_x8_from_short(vec out[3], const vec w[2]) {
  const vec mask = v_set1(MASK52), w0 = w[0], w1 = w[1];
  const vmask negative = v_isneg(w1);
  const vec sign = v_select(negative, v_set1(MASK52 ^ MASK52 >> 28), v_zero());
  out[0] = v_and(w0, mask);
  out[1] = v_and(v_or(v_shr(w0, 52), v_shl(w1, 12)), mask);
  out[2] = v_add(v_shr(w1, 40), sign);
  return negative;
}

/* out = a b / 2^156 mod n, for from_short's a and mask.  in: a, b: reduced limbs, b < 2n.
 * out: reduced limbs, below 5n.  Three digits of the quotient are enough; -2^156 b comes
 * in behind them, with 2n, so that nothing is negative.  63 IFMA. */
LANES_CALLED void sc_p256_x8_mul_short(sc_x8 *out, const vec a[3], vmask negative,
                                       const sc_x8 *b) {
  const vec mask = v_set1(MASK52);
  vec c[8], carry = v_zero();
  sc_x8 n;
  sc_p256_x8_set1(&n, sc_p256_x8_order);
  LANES_UNROLL
  for (int i = 0; i < 8; i++) {
    c[i] = v_zero();
  }
  LANES_UNROLL
  for (int i = 0; i < 3; i++) {
    LANES_UNROLL
    for (int j = 0; j < 5; j++) {
      c[i + j] = v_madlo52(c[i + j], a[i], b->l[j]);
      c[i + j + 1] = v_madhi52(c[i + j + 1], a[i], b->l[j]);
    }
  }
  LANES_UNROLL
  for (int i = 0; i < 3; i++) {
    sc_x8_clear_column(c + i, &n);
  }
  LANES_UNROLL
  for (int i = 0; i < 5; i++) {
    const vec less = v_select(negative, b->l[i], v_zero());
    const vec more = v_add(c[i + 3], v_add(n.l[i], n.l[i]));
    carry = v_add(carry, v_sub(more, less));
    out->l[i] = i < 4 ? v_and(carry, mask) : carry;
    carry = v_sar(carry, 52);
  }
}

/* out = mask ? a : b. */
LANES_INLINE void sc_p256_x8_select(sc_x8 *out, vmask mask, const sc_x8 *a,
                                    const sc_x8 *b) {
  limbs_select(out->l, mask, a->l, b->l);
}

/* out = a - b for a >= b; where a < b, out is a - b mod 2^260 and the mask tells.  in:
 * reduced limbs.  out: reduced limbs. */
LANES_INLINE vmask sc_p256_x8_sub_borrow(sc_x8 *out, const sc_x8 *a, const sc_x8 *b) {
  const vec mask = v_set1(MASK52);
  vec carry = v_zero();
  LANES_UNROLL
  for (int i = 0; i < 5; i++) {
    carry = v_add(carry, v_sub(a->l[i], b->l[i]));
    out->l[i] = v_and(carry, mask);
    carry = v_sar(carry, 52);
  }
  return v_isneg(v_split(carry, 0));
}

/* out = a mod n, below n.  in: reduced limbs, a < 2n: any integer below 2^256, and any
 * product with alpha beta <= 15. */
LANES_INLINE void sc_p256_x8_canonical(sc_x8 *out, const sc_x8 *a) {
  sc_x8 n, less;
  sc_p256_x8_set1(&n, sc_p256_x8_order);
  const vmask below = sc_p256_x8_sub_borrow(&less, a, &n);
  sc_p256_x8_select(out, below, a, &less);
}

/* out = a for odd a, n - a for even a; the mask tells which lanes were even.  Always odd:
 * a = 0 gives n.  in: a <= n, reduced limbs.  out: reduced limbs, at most n. */
LANES_INLINE vmask sc_p256_x8_make_odd(sc_x8 *out, const sc_x8 *a) {
  sc_x8 n, minus;
  sc_p256_x8_set1(&n, sc_p256_x8_order);
  (void)sc_p256_x8_sub_borrow(&minus, &n, a);
  const vmask even = v_iszero(v_split(v_and(a->l[0], v_set1(1)), 0));
  sc_p256_x8_select(out, even, &minus, a);
  return even;
}

/* The other half of an inversion shared by all: out = factor / a in every lane, for an a
 * that is the same in every lane; `inverse` is safegcd's.  in: a < 2n. */
LANES_INLINE void sc_p256_x8_inv_one(sc_x8 *out, const sc_x8 *a, const uint64_t factor[5],
                                     void (*inverse)(u256 *, const u256 *,
                                                     const safegcd_modulus *)) {
  _Alignas(64) uint64_t lanes[4][LANES];
  sc_x8 canonical, constant;
  vec words[4];
  u256 one;
  sc_p256_x8_canonical(&canonical, a);
  sc_p256_x8_to_words(words, &canonical);
  for (int i = 0; i < 4; i++) {
    v_store(lanes[i], words[i]);
    one.v[i] = lanes[i][0];
  }
  inverse(&one, &one, &sm_safegcd_p256_n);
  if (inverse == sm_safegcd_inv) {
    wipe_stack_3k();
  }
  for (int i = 0; i < 4; i++) {
    words[i] = v_set1(one.v[i]);
  }
  sc_p256_x8_from_words(out, words);
  sc_p256_x8_set1(&constant, factor);
  sc_p256_x8_mul(out, out, &constant);
  wipe(lanes, sizeof lanes);
  wipe(&canonical, sizeof canonical);
  wipe(words, sizeof words);
  wipe(&one, sizeof one);
}

/* tree[groups + i] becomes F / tree[groups + i] for i < groups, with factor = R F; all
 * lanes of all groups share one inversion.  tree has 2 groups places, of which the first
 * half is written over.  in: tree[groups + i] < 2n, not 0 mod n.  out: below 2n.
 *
 * A product tree: tree[i] = tree[2i] tree[2i+1] / R; then, with x = tree[1], three steps
 * x = x swap(x) / R fold the eight lanes into one.  Going back, F / (a b / R) b / R is F
 * / a, so that no factor R is put in or taken out. */
LANES_INLINE void sc_p256_x8_inv_tree(sc_x8 *tree, int groups, const uint64_t factor[5],
                                      void (*inverse)(u256 *, const u256 *,
                                                      const safegcd_modulus *)) {
  sc_x8 swapped[3], x;
  for (int i = groups - 1; i >= 1; i--) {
    sc_p256_x8_mul(&tree[i], &tree[2 * i], &tree[2 * i + 1]);
  }
  x = tree[1];
  LANES_UNROLL
  for (int step = 0; step < 3; step++) {
    LANES_UNROLL
    for (int i = 0; i < 5; i++) {
      swapped[step].l[i] = v_swap(x.l[i], 1 << step);
    }
    sc_p256_x8_mul(&x, &x, &swapped[step]);
  }
  sc_p256_x8_inv_one(&x, &x, factor, inverse);
  for (int step = 2; step >= 0; step--) {
    sc_p256_x8_mul(&x, &x, &swapped[step]);
  }
  tree[1] = x;
  for (int i = 1; i < groups; i++) {
    x = tree[2 * i];
    sc_p256_x8_mul(&tree[2 * i], &tree[i], &tree[2 * i + 1]);
    sc_p256_x8_mul(&tree[2 * i + 1], &tree[i], &x);
  }
  wipe(swapped, sizeof swapped);
  wipe(&x, sizeof x);
}

/* tree[groups + i] becomes R / tree[groups + i]: times any x, x / tree[groups + i]. */
LANES_CALLED void sc_p256_x8_inv_vt(sc_x8 *tree, int groups) {
  sc_p256_x8_inv_tree(tree, groups, sc_p256_x8_r2, sm_safegcd_inv_vt);
}

/* tree[groups + i] becomes 2^156 R / tree[groups + i]: times a short a (mul_short) and
 * any x (mul), a x / tree[groups + i]. */
LANES_CALLED void sc_p256_x8_inv_short_vt(sc_x8 *tree, int groups) {
  sc_p256_x8_inv_tree(tree, groups, sc_p256_x8_short_r2, sm_safegcd_inv_vt);
}

/* tree[groups + i] becomes R^2 / tree[groups + i], in constant time. */
LANES_CALLED void sc_p256_x8_inv_r2(sc_x8 *tree, int groups) {
  sc_p256_x8_inv_tree(tree, groups, sc_p256_x8_r3, sm_safegcd_inv);
}

#endif
