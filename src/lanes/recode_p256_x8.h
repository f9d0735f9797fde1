/* Regular odd digits of eight scalars at once, one a lane (Joye and Tunstall, "Exponent
 * recoding and regular exponentiation algorithms", 2009; scalar/sc_p256.h), most
 * significant digit first.
 *
 * For width w and count = ceil(256 / w) digits: with K = (k - 1)/2 + 2^(w count - 1) and
 * v_j = bits wj..wj+w-1 of K, an odd k < 2^256 is the sum of (2 v_j + 1 - 2^w) 2^(wj).  A
 * digit is negative where the top bit of v_j is 0, and its magnitude is 2 index + 1, the
 * index being the lower w-1 bits of v_j, or their complement where it is negative. */
#ifndef SIGMILL_LANES_RECODE_P256_X8_H
#define SIGMILL_LANES_RECODE_P256_X8_H

#include "lanes/sc_p256_x8.h"

/* ceil(256 / w): 64, 52, 43, 37 and 22 for w = 4, 5, 6, 7 and 12. */
#define RECODE_P256_COUNT(w) ((256 + (w)-1) / (w))

/* Digits still to be given.  `chunk[i]` has the windows of one word, as many as fit
 * wholly into 64 bits, from its top bit down. */
typedef struct {
  vec chunk[5], current;
  vmask flipped; /* where the digits' signs are to be turned */
  int chunks, windows;
} recode_x8;

/* Starts with k, or with n - k and turned signs where k is even, so that the digits given
 * sum up to k mod n.  in: k <= n, reduced limbs; 2 <= w <= 12, a constant. */
LANES_INLINE void recode_p256_x8_start(recode_x8 *out, const sc_x8 *k, int w) {
  const int fit = 64 / w, count = RECODE_P256_COUNT(w);
  const int last = (count - 1) / fit;
  sc_x8 odd;
  vec words[5];
  out->flipped = sc_p256_x8_make_odd(&odd, k);
  sc_p256_x8_to_words(words, &odd);
  words[4] = v_zero();
  LANES_UNROLL
  for (int i = 0; i <= last; i++) {
    const int bit = i * fit * w + 1, shift = bit % 64;
    vec x = words[bit / 64];
    if (shift != 0) {
      x = v_or(v_shr(x, shift), v_shl(words[bit / 64 + 1], 64 - shift));
    }
    out->chunk[i] = v_shl(x, 64 - (i < last ? fit : count - last * fit) * w);
  }
  out->current = v_or(out->chunk[last], v_set1(UINT64_C(1) << 63));
  out->chunks = last;
  out->windows = count - last * fit;
}

/* The next digit, (negative ? -1 : 1) * (2 index + 1).  out: index < 2^(w-1). */
LANES_INLINE void recode_p256_x8_next(vec *index, vmask *negative, recode_x8 *from,
                                      int w) {
  if (from->windows == 0) {
    from->chunks--;
    from->windows = 64 / w;
    from->current = from->chunk[from->chunks];
  }
  const vmask positive = v_isneg(from->current);
  const vec v = v_shr(from->current, 64 - w), ones = v_set1((UINT64_C(1) << (w - 1)) - 1);
  *index = v_and(v_select(positive, v, v_xor(v, ones)), ones);
  *negative = vm_not(vm_xor(positive, from->flipped));
  from->current = v_shl(from->current, w);
  from->windows--;
}

#endif
