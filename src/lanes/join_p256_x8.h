/* The sum of the eight lanes' points: each lane adds its partner's sum to its own, three
 * times over.  Sums are XYZZ points (lanes/ge_p256_x8.h). */
#ifndef SIGMILL_LANES_JOIN_P256_X8_H
#define SIGMILL_LANES_JOIN_P256_X8_H

#include "lanes/ge_p256_x8.h"

/* out = a as the partner of each lane has it. */
LANES_INLINE void join_partner(fe_x8 *out, const fe_x8 *a, vec partner) {
  FE_X8_EACH(i, 5) {
    out->l[i] = v_look8(a->l[i], partner);
  }
}

/* Each lane's sum + its partner's; partners are l and l ^ distance, and get the same.
 * "add-2008-s"; three times a pair shares out two products, first lane | second lane. */
LANES_CALLED void join_lanes_x8(ge_xyzz_x8 *sum, int distance) {
  static const _Alignas(64) uint64_t lanes[LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
  const vec bit = v_set1((uint64_t)distance), lane = v_load(lanes);
  const vec partner = v_xor(lane, bit);
  const vmask first = v_iszero(v_and(lane, bit));
  fe_x8 u1, u2, s1, s2, z, h, r, hh, hhh, v, own, other;

  join_partner(&other, &sum->zz, partner);
  fe_p256_x8_select(&z, first, &sum->zz, &sum->zzz);
  fe_p256_x8_mul(&own, &sum->x, &other); /* X1 ZZ2 | X2 ZZ1 */
  join_partner(&h, &own, partner);
  fe_p256_x8_select(&u1, first, &own, &h);
  fe_p256_x8_select(&u2, first, &h, &own);
  join_partner(&r, &sum->zzz, partner);
  fe_p256_x8_select(&h, first, &other, &r);
  fe_p256_x8_mul(&own, &sum->y, &r); /* Y1 ZZZ2 | Y2 ZZZ1 */
  join_partner(&other, &own, partner);
  fe_p256_x8_select(&s1, first, &own, &other);
  fe_p256_x8_select(&s2, first, &other, &own);
  fe_p256_x8_mul(&z, &z, &h); /* ZZ1 ZZ2 | ZZZ1 ZZZ2, <= 5/4 */

  fe_p256_x8_sub_loose(&h, &u2, &u1, 2); /* U <= 5/4, H <= 13/4 */
  fe_p256_x8_sub_loose(&r, &s2, &s1, 2); /* <= 13/4 */
  fe_p256_x8_sqr_loose(&hh, &h);         /* <= 7/4 */
  fe_p256_x8_select(&other, first, &h, &u1);
  fe_p256_x8_mul(&own, &other, &hh); /* H^3 | U1 H^2 = Q, <= 3/2 */
  join_partner(&other, &own, partner);
  fe_p256_x8_select(&hhh, first, &own, &other);
  fe_p256_x8_select(&v, first, &other, &own);
  fe_p256_x8_sqr_sub_sum_rest(&sum->x, &other, &r, &hhh, &v); /* Q - X3 <= 9 */
  fe_p256_x8_mul_sub_mul(&sum->y, &other, &r, &s1, &hhh);
  fe_p256_x8_select(&other, first, &hh, &hhh);
  fe_p256_x8_mul(&own, &z, &other); /* ZZ3 | ZZZ3, <= 5/4 */
  join_partner(&other, &own, partner);
  fe_p256_x8_select(&sum->zz, first, &own, &other);
  fe_p256_x8_select(&sum->zzz, first, &other, &own);
}

#endif
