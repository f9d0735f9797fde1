/* Sums of points of P-256 in affine coordinates, eight lanes, given the inverses of their
 * denominators: the chord and tangent law. */
#ifndef SIGMILL_LANES_GE_AFFINE_P256_X8_H
#define SIGMILL_LANES_GE_AFFINE_P256_X8_H

#include "lanes/ge_p256_x8.h"

/* out[g] = x[g]^3 - 3 x[g] + b for g < groups: one group alone waits for itself.  in: x
 * <= 17/16.  out: <= 4.  out is not x. */
LANES_INLINE void ge_p256_x8_curve(fe_x8 *out, const fe_x8 *x, int groups) {
  /* 3 and -b in the domain, below p. */
  static const uint64_t three[5] = {0x0000000000030, 0xd000000000000, 0xfffffffffffff,
                                    0xffcffffffffff, 0x00000002fffff};
  static const uint64_t minus_b[5] = {0x209dd63b42202, 0x3677bcf6f2763, 0xded129530ffa3,
                                      0x7cbfa5ddf5408, 0x03cff9e21b78b};
  fe_x8 constant;
  fe_p256_x8_set1(&constant, three);
  for (int g = 0; g < groups; g++) {
    fe_p256_x8_sqr(&out[g], &x[g]);
    fe_p256_x8_sub(&out[g], &out[g], &constant, 2);
  }
  fe_p256_x8_set1(&constant, minus_b);
  for (int g = 0; g < groups; g++) {
    fe_p256_x8_mul_sub(&out[g], &x[g], &out[g], &constant, 2);
  }
}

/* The slope of a + (minus ? -b : b) as out->y / out->x: of the tangent, where the points
 * are the same, else of the chord.  Where they are opposite, out->x is 1.  in: <= 1. out:
 * x <= 3, y <= 7. */
LANES_CALLED void ge_p256_x8_line(ge_aff_x8 *out, const ge_aff_x8 *a, const ge_aff_x8 *b,
                                  vmask minus, vmask same, vmask opposite) {
  fe_x8 dx, dy, twice, tangent, one;
  fe_p256_x8_sub(&dx, &b->x, &a->x, 2);
  fe_p256_x8_neg_if(&dy, minus, &b->y, 2);
  fe_p256_x8_sub(&dy, &dy, &a->y, 2);
  fe_p256_x8_one(&one);
  fe_p256_x8_add(&twice, &a->y, &a->y);
  fe_p256_x8_sqr(&tangent, &a->x);
  fe_p256_x8_sub(&tangent, &tangent, &one, 1);
  fe_p256_x8_add(&out->y, &tangent, &tangent);
  fe_p256_x8_add(&tangent, &tangent, &out->y);
  fe_p256_x8_select(&out->y, same, &tangent, &dy);
  fe_p256_x8_select(&out->x, same, &twice, &dx);
  fe_p256_x8_select(&out->x, opposite, &one, &out->x);
}

/* out = the third point of a line, negated: the sum of a and a point with this x2.  in:
 * a, x2 <= 1; slope <= 2.  out: <= 1, canonical. */
LANES_CALLED void ge_p256_x8_third(ge_aff_x8 *out, const ge_aff_x8 *a, const fe_x8 *x2,
                                   const fe_x8 *slope) {
  fe_x8 x, rest;
  fe_p256_x8_mul_sub(&x, slope, slope, x2, 2);
  fe_p256_x8_sub(&x, &x, &a->x, 2);
  fe_p256_x8_sub_loose(&rest, &a->x, &x, 6);
  fe_p256_x8_mul_sub(&rest, slope, &rest, &a->y, 2);
  fe_p256_x8_canonical(&out->x, &x);
  fe_p256_x8_canonical(&out->y, &rest);
}

#endif
