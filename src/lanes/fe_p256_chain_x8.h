/* Powers and inverses in the field of P-256, eight lanes: fixed chains over the products
 * of fe_p256_x8.h. */
#ifndef SIGMILL_LANES_FE_P256_CHAIN_X8_H
#define SIGMILL_LANES_FE_P256_CHAIN_X8_H

#include "base/secret.h"
#include "field/safegcd.h"
#include "lanes/fe_p256_x8.h"

/* fe_p256_x8_mul where speed does not ask for a copy of its own. */
LANES_CALLED void fe_p256_x8_mul_called(fe_x8 *out, const fe_x8 *a, const fe_x8 *b) {
  fe_p256_x8_mul(out, a, b);
}

/* The most groups of eight whose roots are found at once.  One alone waits for its own
 * products: a square then takes twice as long as one of three or four. */
enum { FE_X8_SQRT_GROUPS = 4 };

/* a[g] = a[g]^(2^n) for g < groups.  in: <= 15, n >= 1.  out: <= 2. */
LANES_CALLED void fe_p256_x8_sqr_n(fe_x8 *a, int groups, int n) {
  for (int i = 1; i < n; i++) {
    for (int g = 0; g < groups; g++) {
      fe_p256_x8_sqr_loose(&a[g], &a[g]);
    }
  }
  for (int g = 0; g < groups; g++) {
    fe_p256_x8_sqr(&a[g], &a[g]);
  }
}

/* out[g] = a[g] b[g]. */
LANES_INLINE void fe_p256_x8_mul_each(fe_x8 *out, const fe_x8 *a, const fe_x8 *b,
                                      int groups) {
  for (int g = 0; g < groups; g++) {
    fe_p256_x8_mul_called(&out[g], &a[g], &b[g]);
  }
}

/* out[g] = a[g]^((p+1)/4) for g < groups <= FE_X8_SQRT_GROUPS: a root of a[g], if it has
 * one; the caller squares.  (p+1)/4 = 2^254 - 2^222 + 2^190 + 2^94 = ((2^32 - 1) 2^32 +
 * 1) 2^190 + 2^94.  in: a <= 4.  out: <= 2.  out is not a.  253S + 7M each. */
LANES_CALLED void fe_p256_x8_sqrt(fe_x8 *out, const fe_x8 *a, int groups) {
  fe_x8 power[FE_X8_SQRT_GROUPS]; /* a^(2^k - 1) */
  for (int g = 0; g < groups; g++) {
    power[g] = a[g];
  }
  for (int k = 1; k < 32; k *= 2) {
    for (int g = 0; g < groups; g++) {
      out[g] = power[g];
    }
    fe_p256_x8_sqr_n(out, groups, k);
    fe_p256_x8_mul_each(power, power, out, groups);
  }
  for (int g = 0; g < groups; g++) {
    out[g] = power[g];
  }
  fe_p256_x8_sqr_n(out, groups, 32);
  fe_p256_x8_mul_each(out, out, a, groups);
  fe_p256_x8_sqr_n(out, groups, 96);
  fe_p256_x8_mul_each(out, out, a, groups);
  fe_p256_x8_sqr_n(out, groups, 94);
}

/* R^3 mod p. */
static const uint64_t fe_x8_r3[5] = {0xfd0000000a000, 0xffffff7ffffff, 0xfffcffffffedf,
                                     0x100000005ffff, 0x0000180000000};

/* out = 1/a, for an a that is the same in every lane; `inverse` is safegcd's.  in: a <=
 * 16.  out: <= 2; 0 for 0. */
LANES_INLINE void fe_p256_x8_inv_one(fe_x8 *out, const fe_x8 *a,
                                     void (*inverse)(u256 *, const u256 *,
                                                     const safegcd_modulus *)) {
  _Alignas(64) uint64_t lanes[4][LANES];
  fe_x8 canonical, r3;
  vec words[4];
  u256 one;
  fe_p256_x8_canonical(&canonical, a);
  fe_p256_x8_to_words(words, &canonical);
  for (int i = 0; i < 4; i++) {
    v_store(lanes[i], words[i]);
    one.v[i] = lanes[i][0];
  }
  inverse(&one, &one, &sm_safegcd_p256_p); /* 1/(a R) */
  if (inverse == sm_safegcd_inv) {
    wipe_stack_3k();
  }
  for (int i = 0; i < 4; i++) {
    words[i] = v_set1(one.v[i]);
  }
  fe_p256_x8_from_words(out, words);
  fe_p256_x8_set1(&r3, fe_x8_r3);
  fe_p256_x8_mul_called(out, out, &r3);
  wipe(lanes, sizeof lanes);
  wipe(&canonical, sizeof canonical);
  wipe(words, sizeof words);
  wipe(&one, sizeof one);
}

/* tree[groups + i] becomes 1/tree[groups + i] for i < groups: all lanes of all groups
 * share one inversion, and so none may be 0 (all results are 0 then).  tree has 2 groups
 * places, of which the first half is written over.  in: <= 4.  out: <= 3/2.
 *
 * A product tree: tree[i] = tree[2i] tree[2i+1]; then three steps x = x swap(x) fold the
 * eight lanes of x = tree[1] into one, and all of it is undone from the inverse. */
LANES_INLINE void fe_p256_x8_inv_tree(fe_x8 *tree, int groups,
                                      void (*inverse)(u256 *, const u256 *,
                                                      const safegcd_modulus *)) {
  fe_x8 swapped[3], x;
  for (int i = groups - 1; i >= 1; i--) {
    fe_p256_x8_mul_called(&tree[i], &tree[2 * i], &tree[2 * i + 1]);
  }
  x = tree[1];
  LANES_UNROLL
  for (int step = 0; step < 3; step++) {
    LANES_UNROLL
    for (int i = 0; i < 5; i++) {
      swapped[step].l[i] = v_swap(x.l[i], 1 << step);
    }
    fe_p256_x8_mul_called(&x, &x, &swapped[step]);
  }
  fe_p256_x8_inv_one(&x, &x, inverse);
  for (int step = 2; step >= 0; step--) {
    fe_p256_x8_mul_called(&x, &x, &swapped[step]);
  }
  tree[1] = x;
  for (int i = 1; i < groups; i++) {
    x = tree[2 * i];
    fe_p256_x8_mul_called(&tree[2 * i], &tree[i], &tree[2 * i + 1]);
    fe_p256_x8_mul_called(&tree[2 * i + 1], &tree[i], &x);
  }
  wipe(swapped, sizeof swapped);
  wipe(&x, sizeof x);
}

/* The same, in variable time and in constant time. */
LANES_CALLED void fe_p256_x8_inv_vt(fe_x8 *tree, int groups) {
  fe_p256_x8_inv_tree(tree, groups, sm_safegcd_inv_vt);
}
LANES_CALLED void fe_p256_x8_inv(fe_x8 *tree, int groups) {
  fe_p256_x8_inv_tree(tree, groups, sm_safegcd_inv);
}

#endif
