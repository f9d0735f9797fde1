/* Multiples of the base point G of P-256, and its b, written by tools/gen_p256_tables.py.
 *
 * An element is four 64-bit words a*2^256 mod p, least significant first
 * (fe_p256_from_table); an entry is an affine point, x then y. */
#ifndef SIGMILL_GROUP_TABLES_P256_H
#define SIGMILL_GROUP_TABLES_P256_H

#include <stdint.h>

/* The b of y^2 = x^3 - 3x + b. */
extern const uint64_t sm_p256_b[4];

/* sm_p256_comb[i][j] = (2j+1) * 2^(7i) * G: all the odd digits of a regular recoding of
 * width 7, for each of its 37 windows.  148 KB. */
#define P256_COMB_WIDTH       7
#define P256_COMB_WINDOWS     37
#define P256_COMB_ENTRIES     64
#define P256_COMB_TOP_ENTRIES 8 /* of the last window, for scalars below 2^256 */
extern const uint64_t sm_p256_comb[P256_COMB_WINDOWS][P256_COMB_ENTRIES][8];

/* sm_p256_wide[j] = (2j+1) * G: the digits of a regular recoding of width 12, of which
 * the first 512 are those of a non-adjacent form of width 11.  128 KB. */
#define P256_WIDE_WIDTH   11
#define P256_WIDE_ENTRIES 2048
extern const uint64_t sm_p256_wide[P256_WIDE_ENTRIES][8];
/* sm_p256_wide_high[j] = (2j+1) * 2^128 * G, for the upper half of a scalar.  32 KB. */
extern const uint64_t sm_p256_wide_high[1 << (P256_WIDE_WIDTH - 2)][8];

#endif
