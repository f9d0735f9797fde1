/* Integers of five limbs of 52 bits in eight lanes, below 2^260, whatever they stand for:
 * what elements (fe_p256_x8.h) and scalars (sc_p256_x8.h) have in common. */
#ifndef SIGMILL_LANES_LIMBS_X8_H
#define SIGMILL_LANES_LIMBS_X8_H

#include "lanes/vec.h"

/* Every lane = the same integer. */
LANES_INLINE void limbs_set1(vec out[5], const uint64_t a[5]) {
  LANES_UNROLL
  for (int i = 0; i < 5; i++) {
    out[i] = v_set1(a[i]);
  }
}

/* out = mask ? a : b, limb by limb. */
LANES_INLINE void limbs_select(vec out[5], vmask mask, const vec a[5], const vec b[5]) {
  LANES_UNROLL
  for (int i = 0; i < 5; i++) {
    out[i] = v_select(mask, a[i], b[i]);
  }
}

/* out = the integer of four words. */
LANES_INLINE void limbs_from_words(vec out[5], const vec w[4]) {
  const vec mask = v_set1(MASK52), w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  out[0] = v_and(w0, mask);
  out[1] = v_and(v_or(v_shr(w0, 52), v_shl(w1, 12)), mask);
  out[2] = v_and(v_or(v_shr(w1, 40), v_shl(w2, 24)), mask);
  out[3] = v_and(v_or(v_shr(w2, 28), v_shl(w3, 36)), mask);
  out[4] = v_shr(w3, 16);
}

/* The inverse.  in: limbs below 2^52, the integer below 2^256. */
LANES_INLINE void limbs_to_words(vec w[4], const vec a[5]) {
  w[0] = v_or(a[0], v_shl(a[1], 52));
  w[1] = v_or(v_shr(a[1], 12), v_shl(a[2], 40));
  w[2] = v_or(v_shr(a[2], 24), v_shl(a[3], 28));
  w[3] = v_or(v_shr(a[3], 36), v_shl(a[4], 16));
}

/* c += a b, by columns: c[i] has the weight 2^(52i).  Of limbs, only 52 bits count.  Row
 * by row, so that neighbours do not wait for one another. */
LANES_INLINE void limbs_add_product(vec c[10], const vec a[5], const vec b[5]) {
  LANES_UNROLL
  for (int i = 0; i < 5; i++) {
    LANES_UNROLL
    for (int j = 0; j < 5; j++) {
      c[i + j] = v_madlo52(c[i + j], a[i], b[j]);
    }
    LANES_UNROLL
    for (int j = 0; j < 5; j++) {
      c[i + j + 1] = v_madhi52(c[i + j + 1], a[i], b[j]);
    }
  }
}

#endif
