/* SHA-2's rounds (FIPS 180-4, sections 6.2.2 and 6.4.2) over words of 32 or 64 bits, or
 * over vectors of such words, whose lanes are messages side by side.
 *
 * They work on the variables a to h and w[16].  The unit that uses them has the functions
 * big_sigma_0, big_sigma_1, small_sigma_0 and small_sigma_1 of section 4.1. */
#ifndef SIGMILL_HASH_SHA2_ROUNDS_H
#define SIGMILL_HASH_SHA2_ROUNDS_H

/* One round; h becomes the next round's a, and d the next round's e.  Maj is written so
 * that a ^ b serves the next round as its b ^ c. */
#define ROUND(a, b, c, d, e, f, g, h, k, w)                                              \
  do {                                                                                   \
    (h) += (k) + (w);                                                                    \
    (h) += ((g) ^ ((e) & ((f) ^ (g)))) + big_sigma_1(e);                                 \
    (d) += (h);                                                                          \
    (h) += ((b) ^ (((a) ^ (b)) & ((b) ^ (c)))) + big_sigma_0(a);                         \
  } while (0)

/* Rounds on the schedule's words NEXT(i) to NEXT(i + 7). */
#define EIGHT_ROUNDS(k, NEXT, i)                                                         \
  do {                                                                                   \
    ROUND(a, b, c, d, e, f, g, h, (k)[i], NEXT(i));                                      \
    ROUND(h, a, b, c, d, e, f, g, (k)[(i) + 1], NEXT((i) + 1));                          \
    ROUND(g, h, a, b, c, d, e, f, (k)[(i) + 2], NEXT((i) + 2));                          \
    ROUND(f, g, h, a, b, c, d, e, (k)[(i) + 3], NEXT((i) + 3));                          \
    ROUND(e, f, g, h, a, b, c, d, (k)[(i) + 4], NEXT((i) + 4));                          \
    ROUND(d, e, f, g, h, a, b, c, (k)[(i) + 5], NEXT((i) + 5));                          \
    ROUND(c, d, e, f, g, h, a, b, (k)[(i) + 6], NEXT((i) + 6));                          \
    ROUND(b, c, d, e, f, g, h, a, (k)[(i) + 7], NEXT((i) + 7));                          \
  } while (0)

/* w[i] turns from the schedule's word t into word t + 16. */
#define EXTEND(i)                                                                        \
  (w[i] += small_sigma_1(w[((i) + 14) % 16]) + w[((i) + 9) % 16] +                       \
           small_sigma_0(w[((i) + 1) % 16]))

/* All rounds, with constants K[rounds] of the type K_TYPE; TAKE(i) sets w[i] to word i of
 * the block and is it. */
#define ALL_ROUNDS(K_TYPE, K, rounds, TAKE)                                              \
  do {                                                                                   \
    EIGHT_ROUNDS(K, TAKE, 0);                                                            \
    EIGHT_ROUNDS(K, TAKE, 8);                                                            \
    for (const K_TYPE *k = (K) + 16; k < (K) + (rounds); k += 16) {                      \
      EIGHT_ROUNDS(k, EXTEND, 0);                                                        \
      EIGHT_ROUNDS(k, EXTEND, 8);                                                        \
    }                                                                                    \
  } while (0)

#endif
