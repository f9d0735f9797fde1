/* Sums of points of P-256 in XYZZ coordinates, eight lanes: how they begin and end.  The
 * addition is in ge_p256_x8.h. */
#ifndef SIGMILL_LANES_GE_XYZZ_P256_X8_H
#define SIGMILL_LANES_GE_XYZZ_P256_X8_H

#include "lanes/fe_p256_chain_x8.h"
#include "lanes/ge_p256_x8.h"

/* out = minus ? -b : b.  in: b <= 16.  2M; the sign goes into ZZZ. */
LANES_INLINE void ge_p256_x8_xyzz_begin(ge_xyzz_x8 *out, const ge_aff_x8 *b,
                                        vmask minus) {
  fe_x8 one; /* < 2^-27: times 16, the products are weak */
  fe_p256_x8_one(&one);
  fe_p256_x8_mul(&out->x, &b->x, &one);
  fe_p256_x8_mul(&out->y, &b->y, &one);
  out->zz = one;
  fe_p256_x8_neg_if(&out->zzz, minus, &one, 1);
}

/* The integers x, y of a, given 1/ZZZ.  in: a's x, y weak; zzz_inverse <= 2.  5M + 1S.
 * What is no longer in the Montgomery domain meets a factor that still is. */
LANES_CALLED void ge_p256_x8_xyzz_end(ge_aff_x8 *out, const ge_xyzz_x8 *a,
                                      const fe_x8 *zzz_inverse) {
  fe_x8 x, y, t;
  fe_p256_x8_mul_loose(&t, &a->zz, zzz_inverse); /* 1/Z */
  fe_p256_x8_sqr_loose(&t, &t);
  fe_p256_x8_zero(&y);
  y.l[0] = v_set1(1);
  fe_p256_x8_mul_loose(&x, &a->x, &y);
  fe_p256_x8_mul_loose(&y, &a->y, &y);
  fe_p256_x8_mul(&y, &y, zzz_inverse);
  fe_p256_x8_mul(&x, &x, &t);
  fe_p256_x8_canonical(&out->y, &y);
  fe_p256_x8_canonical(&out->x, &x);
}

#endif
