/* Multiples of the base point G of P-256 for the jobs of eight lanes, written by
 * tools/gen_p256_tables_x8.py.
 *
 * For one product spread over the lanes, a scalar has eight sections of 32 bits, and a
 * section eight windows of four.  Lane l works on section spread_section(l), window by
 * window; an entry stands as its eight words a*2^256 mod p, x then y
 * (group/tables_p256.h), and of each word the lanes side by side. */
#ifndef SIGMILL_LANES_TABLES_P256_X8_H
#define SIGMILL_LANES_TABLES_P256_X8_H

#include <stdint.h>

#define P256_SPREAD_WIDTH   4
#define P256_SPREAD_WINDOWS 8
#define P256_SPREAD_ENTRIES 8

/* Sections 0, 1, 6, 7 | 2, 3, 4, 5: the half of the lanes without the top section ends
 * where n has zeros, below bit 192; lanes/spread_p256_x8.inc has the reason. */
static inline int spread_section(int lane) {
  static const uint8_t sections[8] = {0, 1, 6, 7, 2, 3, 4, 5};
  return sections[lane];
}

/* sm_p256_spread[i][j][w][l] = word w of (2j+1) * 2^(32 spread_section(l) + 4i) * G.
 * 32 KB. */
extern const uint64_t sm_p256_spread[P256_SPREAD_WINDOWS][P256_SPREAD_ENTRIES][8][8];

/* sm_p256_parts[t][j] = (2j+1) * 2^(32t) * G, in rows as those of group/tables_p256.h: of
 * a scalar's regular digits of width 8, the four from bit 32t up are doubled up to their
 * places.  Those from bit 0 and from bit 128 are the first entries of sm_p256_wide and
 * sm_p256_wide_high; the others take 48 KB. */
#define P256_PARTS         8
#define P256_PARTS_WIDTH   8
#define P256_PARTS_SPACING 32
#define P256_PARTS_ENTRIES 128
extern const uint64_t (*const sm_p256_parts[P256_PARTS])[8];

#endif
