/* From signatures to the digits of a ladder, eight in lanes: u1 = digest/s and u2 = r/s
 * mod n, in regular odd digits; for keys without a table, u1 in ones of width 12 for a
 * table of G and u2 in ones of width 4 for a table of the key, on the same doublings. */
#ifndef SIGMILL_LANES_LADDER_P256_X8_H
#define SIGMILL_LANES_LADDER_P256_X8_H

#include "base/check.h"
#include "lanes/lanes_p256.h"
#include "lanes/recode_p256_x8.h"

#define LADDER_WIDTH_G 12
#define LADDER_WIDTH_Q 4
#define LADDER_COUNT_G RECODE_P256_COUNT(LADDER_WIDTH_G) /* 22 */
#define LADDER_COUNT_Q RECODE_P256_COUNT(LADDER_WIDTH_Q) /* 64 */

/* Lane l's u1 = sum over j < LADDER_COUNT_G of d_j 2^(12j), d_j = (2 index_g[j][l] + 1),
 * negative where bit l of negative_g[j] is set; index_g < 2048.  u2 in the same way, with
 * weights 2^(4j) and index_q < 8.  Position 4j of u1's digit j is that of u2's digit 3j.
 * The sums are meant mod n; a scalar 0 stands as n or -n, and no digit is 0. */
typedef struct {
  uint16_t index_g[LADDER_COUNT_G][LANES];
  uint8_t index_q[LADDER_COUNT_Q][LANES];
  uint8_t negative_g[LADDER_COUNT_G], negative_q[LADDER_COUNT_Q];
} ladder_digits_x8;

/* lanes[i] = &claims[i], up to whole groups: the first claim where there are no more.
 * Returns the number of groups.  in: 1 <= count <= LANES_P256_CHUNK. */
static inline int ladder_groups(const p256_claim *lanes[LANES_P256_CHUNK],
                                const p256_claim *claims, size_t count) {
  const size_t groups = (count + LANES - 1) / LANES;
  CHECK(1 <= count && count <= LANES_P256_CHUNK);
  for (size_t i = 0; i < groups * LANES; i++) {
    lanes[i] = &claims[i < count ? i : 0];
  }
  return (int)groups;
}

/* u1[g] = digest/s and u2[g] = r/s mod n, below n, of the claims that claims[8g] ..
 * claims[8g+7] point to, of which only r, s and digest are read.  in: 1 <= r, s < n; any
 * digest; 1 <= groups <= 8.  All groups share one inversion. */
LANES_CALLED void ladder_scalars_x8_vt(sc_x8 *u1, sc_x8 *u2,
                                       const p256_claim *const *claims, int groups) {
  sc_x8 tree[2 * LANES_P256_CHUNK / LANES];
  const uint64_t *rows[LANES];
  CHECK(1 <= groups && groups <= LANES_P256_CHUNK / LANES);
  for (int g = 0; g < groups; g++) {
    for (int i = 0; i < LANES; i++) {
      rows[i] = claims[LANES * g + i]->s.v;
    }
    sc_p256_x8_load(&tree[groups + g], rows);
  }
  sc_p256_x8_inv_vt(tree, groups);
  for (int g = 0; g < groups; g++) {
    for (int i = 0; i < LANES; i++) {
      rows[i] = claims[LANES * g + i]->r.v;
    }
    sc_p256_x8_load(&u2[g], rows);
    for (int i = 0; i < LANES; i++) {
      rows[i] = claims[LANES * g + i]->digest.v;
    }
    sc_p256_x8_load(&u1[g], rows);
    sc_p256_x8_mul(&u2[g], &u2[g], &tree[groups + g]);
    sc_p256_x8_mul(&u1[g], &u1[g], &tree[groups + g]);
    sc_p256_x8_canonical(&u2[g], &u2[g]);
    sc_p256_x8_canonical(&u1[g], &u1[g]);
  }
}

/* The digits of k of width w: lane l's is (2 index[j][l] + 1) 2^(w j), negative where bit
 * l of negative[j] is set.  in: k < n, w <= 9, a constant. */
LANES_INLINE void ladder_recode_x8(uint8_t (*index)[LANES], uint8_t *negative,
                                   const sc_x8 *k, int w) {
  recode_x8 digits;
  vec place;
  vmask minus;
  recode_p256_x8_start(&digits, k, w);
  for (int j = RECODE_P256_COUNT(w) - 1; j >= 0; j--) {
    recode_p256_x8_next(&place, &minus, &digits, w);
    v_store_bytes(index[j], place);
    negative[j] = (uint8_t)vm_bits(minus);
  }
}

/* out[g] is for the claims of ladder_scalars_x8_vt. */
LANES_CALLED void ladder_digits_x8_vt(ladder_digits_x8 *out,
                                      const p256_claim *const *claims, int groups) {
  sc_x8 u1[LANES_P256_CHUNK / LANES], u2[LANES_P256_CHUNK / LANES];
  ladder_scalars_x8_vt(u1, u2, claims, groups);
  for (int g = 0; g < groups; g++) {
    recode_x8 digits;
    vec index;
    vmask negative;
    recode_p256_x8_start(&digits, &u1[g], LADDER_WIDTH_G);
    for (int j = LADDER_COUNT_G - 1; j >= 0; j--) {
      recode_p256_x8_next(&index, &negative, &digits, LADDER_WIDTH_G);
      v_store_words16(out[g].index_g[j], index);
      out[g].negative_g[j] = (uint8_t)vm_bits(negative);
    }
    ladder_recode_x8(out[g].index_q, out[g].negative_q, &u2[g], LADDER_WIDTH_Q);
  }
}

#endif
