/* Scalars of P-256: integers mod the group's order
 * n = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551.
 *
 * A scalar is a u256 below n, a plain integer; the Montgomery domain stays inside.
 * Constant time unless named _vt.  out may alias inputs. */
#ifndef SIGMILL_SCALAR_SC_P256_H
#define SIGMILL_SCALAR_SC_P256_H

#include "base/u256.h"
#include <stdbool.h>
#include <stddef.h>

extern const u256 sm_sc_p256_order;      /* n */
extern const u256 sm_sc_p256_half_order; /* (n-1)/2 */

/* All ones if 1 <= a < n, else 0. */
uint64_t sm_sc_p256_in_range(const u256 *a);
/* All ones if a > (n-1)/2, else 0: "high" in the low-s rule.  in: a < n. */
uint64_t sm_sc_p256_is_high(const u256 *a);
/* out = a mod n for any 256-bit a (one conditional subtraction: 2^256 < 2n). */
void sm_sc_p256_reduce(u256 *out, const u256 *a);
/* out = a mod n for a 512-bit a, most significant half first. */
void sm_sc_p256_reduce_wide(u256 *out, const u256 *high, const u256 *low);
void sm_sc_p256_add(u256 *out, const u256 *a, const u256 *b);
void sm_sc_p256_neg(u256 *out, const u256 *a);
void sm_sc_p256_mul(u256 *out, const u256 *a, const u256 *b);
/* out = 1/a mod n, 0 for 0. */
void sm_sc_p256_inv(u256 *out, const u256 *a);
void sm_sc_p256_inv_vt(u256 *out, const u256 *a);
/* out[i] = 1/a[i] mod n for all i by one inversion and 3 count products; a zero gives
 * zero and does not disturb its neighbours.  out and a do not overlap. */
void sm_sc_p256_inv_batch_vt(u256 *out, const u256 *a, size_t count);

/* What a random equation over many signatures takes of each: v[i] = a[i] r[i] / s[i] mod
 * n, and *u = the sum of a[i] z[i] / s[i] mod n, by one inversion and 6 count products.
 * in: 1 <= r, s < n; any z.  v overlaps nothing else. */
void sm_sc_p256_combine_vt(u256 *v, u256 *u, const i128 *a, const u256 *r, const u256 *s,
                           const u256 *z, size_t count);

/* Half-size splitting: for u in [1, n-1], small a, b with b*u = a mod n by the extended
 * Euclidean algorithm stopped half way (Antipa et al., "Accelerated verification of ECDSA
 * signatures", 2005).  0 < a < 2^128 and 0 < |b| < 2^128; a and b are magnitudes, and
 * *b_negative tells the sign of b.  u < 2^128 gives a = u, b = 1. */
void sm_sc_p256_split_vt(u256 *a, u256 *b, bool *b_negative, const u256 *u);

/* Width-w non-adjacent form of a (any 256-bit integer), least significant digit first:
 * digits[i] is 0 or odd with |digits[i]| < 2^(w-1); of any w neighbouring digits at most
 * one is not 0.  2 <= w <= 15; digits has 257 places, all written.  Returns one more
 * than the index of the last digit that is not 0 (0 for a = 0). */
int sm_recode_wnaf_vt(int16_t digits[257], const u256 *a, int w);

/* Regular odd digits: for odd k < 2^(w*count), k = sum digits[i] * 2^(w*i), i < count,
 * each digit odd with |digit| < 2^w, the last one positive.  count = ceil(256/w) serves
 * every odd k: 52 digits for w = 5 (the last is 1), 37 for w = 7 (the last is at most
 * 15). Constant time.  2 <= w <= 7, w*(count-1) <= 256. */
void sm_recode_odd(int8_t *digits, int count, const u256 *k, int w);

#endif
