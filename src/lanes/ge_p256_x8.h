/* Points of P-256, y^2 = x^3 - 3x + b, in eight lanes.  The formulas do not use b.
 *
 * Sources: the Explicit-Formulas Database (Bernstein, Lange), sections "Jacobian
 * coordinates with a4=-3" and "XYZZ coordinates"; co-Z arithmetic of Meloni, "New point
 * addition formulae for ECC applications" (2007), and Goundar, Joye, Miyaji, "Co-Z
 * addition formulae and binary ladders on elliptic curves" (2010).  Where a product only
 * meets a sum, both share one reduction and one carry.
 *
 * All run in constant time.  No case is told apart: a sum of equal or opposite points has
 * Z = 0, wrong but for the latter, and every later sum or double has so too, so that one
 * test at the end finds it.  out may be any input. */
#ifndef SIGMILL_LANES_GE_P256_X8_H
#define SIGMILL_LANES_GE_P256_X8_H

#include "lanes/fe_p256_x8.h"

/* Jacobian: (X/Z^2, Y/Z^3), infinity Z = 0.  X, Y <= 17/16 (weak ones are), Z <= 5/2. */
typedef struct {
  fe_x8 x, y, z;
} ge_x8;

/* Affine.  Each formula has its bounds. */
typedef struct {
  fe_x8 x, y;
} ge_aff_x8;

/* (X/ZZ, Y/ZZZ) with ZZ^3 = ZZZ^2; infinity ZZ = 0.  X, Y <= 17/16, ZZ, ZZZ <= 3/2. */
typedef struct {
  fe_x8 x, y, zz, zzz;
} ge_xyzz_x8;

/* out = 2 a.  3M + 3S and the fused M + S, "dbl-2001-b".  Z <= 7/3. */
LANES_CALLED void ge_p256_x8_dbl(ge_x8 *out, const ge_x8 *a) {
  fe_x8 delta, gamma, beta, alpha, minus, plus, rest;
  fe_p256_x8_sqr(&delta, &a->z);                      /* <= 1 + 25/64 */
  fe_p256_x8_sub_loose(&minus, &a->x, &delta, 2);     /* <= 3 + 1/64 */
  fe_p256_x8_add_loose(&plus, &a->x, &delta);         /* <= 2 + 26/64 */
  fe_p256_x8_sqr_loose(&gamma, &a->y);                /* <= 1 + 5/64 */
  fe_p256_x8_mul_triple_loose(&alpha, &minus, &plus); /* <= 4 + 1/2 */
  fe_p256_x8_mul_dbl(&out->z, &a->y, &a->z);
  fe_p256_x8_mul(&beta, &a->x, &gamma); /* <= 1 + 5/64 */
  fe_p256_x8_sqr_sub_8_rest(&out->x, &rest, &alpha, &beta);
  fe_p256_x8_mul_sub_8_sqr(&out->y, &alpha, &rest, &gamma);
}

/* out = a + (minus ? -b : b).  in: b <= 16.  6M + 3S and the fused 2M, "madd".  Z <= 7/4.
 */
LANES_CALLED void ge_p256_x8_madd(ge_x8 *out, const ge_x8 *a, const ge_aff_x8 *b,
                                  vmask minus) {
  fe_x8 zz, yz, h, r, hh, hhh, v, rest;
  fe_p256_x8_sqr_loose(&zz, &a->z);                                  /* <= 1 + 25/64 */
  fe_p256_x8_mul_loose(&yz, &b->y, &a->z);                           /* <= 7/2 */
  fe_p256_x8_mul_sub_loose(&h, &b->x, &zz, &a->x, 2);                /* <= 4 + 1/2 */
  fe_p256_x8_mul_signed_sub_loose(&r, minus, &yz, &zz, 2, &a->y, 2); /* <= 4 */
  fe_p256_x8_sqr_loose(&hh, &h);                                     /* <= 2 + 1/2 */
  fe_p256_x8_mul(&out->z, &a->z, &h);
  fe_p256_x8_mul(&hhh, &hh, &h);                             /* <= 7/4 */
  fe_p256_x8_mul(&v, &a->x, &hh);                            /* <= 5/4 */
  fe_p256_x8_sqr_sub_sum_rest(&out->x, &rest, &r, &hhh, &v); /* rest <= 8 + 1/2 */
  fe_p256_x8_mul_sub_mul(&out->y, &rest, &r, &a->y, &hhh);
}

/* a = a + (minus ? -b : b).  in: b <= 16.  6M + 2S and the fused 2M, "madd-2008-s". */
LANES_CALLED void ge_p256_x8_xyzz_add(ge_xyzz_x8 *a, const ge_aff_x8 *b, vmask minus) {
  fe_x8 h, r, hh, hhh, v, rest;
  fe_p256_x8_mul_sub_loose(&h, &b->x, &a->zz, &a->x, 2);                   /* <= 9/2 */
  fe_p256_x8_mul_signed_sub_loose(&r, minus, &b->y, &a->zzz, 3, &a->y, 2); /* <= 5 */
  fe_p256_x8_sqr_loose(&hh, &h);       /* <= 2 + 9/16 */
  fe_p256_x8_mul(&hhh, &hh, &h);       /* <= 2 */
  fe_p256_x8_mul(&v, &a->x, &hh);      /* <= 5/4 */
  fe_p256_x8_mul(&a->zz, &a->zz, &hh); /* <= 3/2 */
  fe_p256_x8_sqr_sub_sum_rest(&a->x, &rest, &r, &hhh, &v);
  fe_p256_x8_mul(&a->zzz, &a->zzz, &hhh); /* <= 5/4 */
  fe_p256_x8_mul_sub_mul(&a->y, &rest, &r, &a->y, &hhh);
}

/* table[i] = (2i+1)a for i < count, over a Z that is ratio[i] times the one before;
 * table[0] is a itself with Z = 1, and *z the last Z, never 0.  in: a <= 17/16; its order
 * exceeds 2 count.  out: x <= 17/16, y <= 9/2, z <= 7/3, ratio loose.  Co-Z: 2a is
 * carried along and shares the Z of the entry it is added to next.  (count - 1)(5M + 2S)
 * + 6M + 5S. */
LANES_CALLED void ge_p256_x8_odd_multiples(ge_aff_x8 *table, fe_x8 *ratio, fe_x8 *z,
                                           const ge_aff_x8 *a, int count) {
  ge_x8 twice;
  ge_aff_x8 last;
  fe_x8 h, r, hh, v, cube;
  twice.x = a->x;
  twice.y = a->y;
  fe_p256_x8_one(&twice.z);
  ge_p256_x8_dbl(&twice, &twice);
  *z = twice.z;
  fe_p256_x8_sqr_loose(&hh, z);        /* <= 3/2 */
  fe_p256_x8_mul_loose(&v, &a->y, z);  /* <= 5/4 */
  fe_p256_x8_mul(&last.x, &a->x, &hh); /* <= 9/8 */
  fe_p256_x8_mul(&last.y, &v, &hh);    /* <= 9/8 */
  table[0] = *a;
  for (int i = 1; i < count; i++) {
    fe_p256_x8_sub_loose(&h, &last.x, &twice.x, 2); /* <= 25/8 */
    fe_p256_x8_sub_loose(&r, &last.y, &twice.y, 2); /* <= 13/2 */
    fe_p256_x8_sqr_loose(&hh, &h);                  /* <= 7/4 */
    fe_p256_x8_mul(z, z, &h);                       /* <= 7/4 */
    fe_p256_x8_mul(&v, &last.x, &hh);               /* <= 9/8 */
    fe_p256_x8_mul(&twice.x, &twice.x, &hh);        /* <= 9/8 */
    fe_p256_x8_sub(&cube, &v, &twice.x, 2);         /* h^3, <= 25/8 */
    fe_p256_x8_sqr_sub_sum(&last.x, &r, &cube, &twice.x);
    fe_p256_x8_mul(&twice.y, &twice.y, &cube);        /* <= 11/8 */
    fe_p256_x8_sub_loose(&v, &twice.x, &last.x, 2);   /* <= 25/8 */
    fe_p256_x8_mul_sub(&last.y, &v, &r, &twice.y, 2); /* <= 9/2 */
    ratio[i] = h;
    table[i] = last;
  }
}

/* Brings the entries of ge_p256_x8_odd_multiples to Z = 1, given the inverse of the last
 * Z. in: z_inverse <= 3/2.  out: <= 5/4.  (count - 1)(4M + 1S). */
LANES_CALLED void ge_p256_x8_normalize(ge_aff_x8 *table, const fe_x8 *ratio,
                                       const fe_x8 *z_inverse, int count) {
  fe_x8 inverse = *z_inverse, square, t;
  for (int i = count - 1; i > 0; i--) {
    fe_p256_x8_sqr_loose(&square, &inverse);             /* <= 5/4 */
    fe_p256_x8_mul_loose(&t, &table[i].y, &inverse);     /* <= 3/2 */
    fe_p256_x8_mul(&table[i].x, &table[i].x, &square);   /* <= 9/8 */
    fe_p256_x8_mul_loose(&inverse, &inverse, &ratio[i]); /* <= 3/2 */
    fe_p256_x8_mul(&table[i].y, &t, &square);            /* <= 9/8 */
  }
}

/* out = a over Z = 1, given 1/Z.  in: z_inverse <= 3/2.  out: <= 1. */
LANES_CALLED void ge_p256_x8_to_affine(ge_aff_x8 *out, const ge_x8 *a,
                                       const fe_x8 *z_inverse) {
  fe_x8 x, y, t;
  fe_p256_x8_sqr_loose(&t, z_inverse);
  fe_p256_x8_mul_loose(&y, &a->y, z_inverse);
  fe_p256_x8_mul(&x, &a->x, &t);
  fe_p256_x8_mul(&y, &y, &t);
  fe_p256_x8_fit(&out->x, &x);
  fe_p256_x8_fit(&out->y, &y);
}

/* The integers x, y of a, given 1/Z.  in: z_inverse <= 3/2.  What is no longer in the
 * Montgomery domain meets a factor that still is. */
LANES_CALLED void ge_p256_x8_end(ge_aff_x8 *out, const ge_x8 *a, const fe_x8 *z_inverse) {
  fe_x8 x, y, t;
  fe_p256_x8_zero(&y);
  y.l[0] = v_set1(1);
  fe_p256_x8_mul_loose(&x, &a->x, &y);
  fe_p256_x8_mul_loose(&y, &a->y, &y);
  fe_p256_x8_sqr_loose(&t, z_inverse);
  fe_p256_x8_mul_loose(&y, &y, z_inverse);
  fe_p256_x8_mul(&x, &x, &t);
  fe_p256_x8_mul(&y, &y, &t);
  fe_p256_x8_canonical(&out->x, &x);
  fe_p256_x8_canonical(&out->y, &y);
}

#endif
