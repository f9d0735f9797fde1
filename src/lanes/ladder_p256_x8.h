/* From signatures to the digits of a ladder, eight in lanes: u1 = digest/s and u2 = r/s
 * mod n, u1 in regular odd digits of width 12 for a table of G and u2 in ones of width 4
 * for a table of the key, on the same doublings. */
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

/* out[g] is for the claims that claims[8g] .. claims[8g+7] point to, of which only r, s
 * and digest are read.  in: 1 <= r, s < n; any digest; 1 <= groups <= 8.  All groups
 * share one inversion. */
LANES_CALLED void ladder_digits_x8_vt(ladder_digits_x8 *out,
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
    sc_x8 r, z;
    for (int i = 0; i < LANES; i++) {
      rows[i] = claims[LANES * g + i]->r.v;
    }
    sc_p256_x8_load(&r, rows);
    for (int i = 0; i < LANES; i++) {
      rows[i] = claims[LANES * g + i]->digest.v;
    }
    sc_p256_x8_load(&z, rows);
    sc_p256_x8_mul(&r, &r, &tree[groups + g]);
    sc_p256_x8_mul(&z, &z, &tree[groups + g]);
    sc_p256_x8_canonical(&r, &r);
    sc_p256_x8_canonical(&z, &z);

    recode_x8 digits;
    vec index;
    vmask negative;
    recode_p256_x8_start(&digits, &z, LADDER_WIDTH_G);
    for (int j = LADDER_COUNT_G - 1; j >= 0; j--) {
      recode_p256_x8_next(&index, &negative, &digits, LADDER_WIDTH_G);
      v_store_words16(out[g].index_g[j], index);
      out[g].negative_g[j] = (uint8_t)vm_bits(negative);
    }
    recode_p256_x8_start(&digits, &r, LADDER_WIDTH_Q);
    for (int j = LADDER_COUNT_Q - 1; j >= 0; j--) {
      recode_p256_x8_next(&index, &negative, &digits, LADDER_WIDTH_Q);
      v_store_bytes(out[g].index_q[j], index);
      out[g].negative_q[j] = (uint8_t)vm_bits(negative);
    }
  }
}

#endif
