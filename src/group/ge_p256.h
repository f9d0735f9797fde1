/* Points of P-256, y^2 = x^3 - 3x + b (SP 800-186, section 3.2.1.3), and the formulas of
 * their group.  Included by a unit after field/fe_p256.h: everything here is compiled
 * over the body chosen there.  The formulas do not use b, so they hold on every curve of
 * this shape over the field.
 *
 * Sources: the Explicit-Formulas Database (Bernstein, Lange), sections "Jacobian
 * coordinates with a4=-3" and "XYZZ coordinates"; co-Z arithmetic of Meloni, "New point
 * addition formulae for ECC applications" (2007), and Goundar, Joye, Miyaji, "Co-Z
 * addition formulae and binary ladders on elliptic curves" (2010).  Products stand in an
 * order in which few need the one just before.
 *
 * out may alias inputs.  Functions named _vt treat every exceptional case and branch on
 * it; the others run in constant time and name the inputs they do not serve. */
#ifndef SIGMILL_GROUP_GE_P256_H
#define SIGMILL_GROUP_GE_P256_H

#include "field/fe_p256.h"
#include "group/scan.h"
#include <stdbool.h>

/* A formula that stands once in the unit, for the instruction cache's sake. */
#define GE_P256_CALLED static __attribute__((noinline, unused))

/* Jacobian: (X/Z^2, Y/Z^3); infinity has Z = 0. */
typedef struct {
  fe_p256 x, y, z;
} ge_p256;

/* Affine, never infinity. */
typedef struct {
  fe_p256 x, y;
} ge_p256_aff;

/* (X/ZZ, Y/ZZZ) with ZZ^3 = ZZZ^2; infinity has ZZ = 0.  The cheapest where points are
 * only added. */
typedef struct {
  fe_p256 x, y, zz, zzz;
} ge_p256_xyzz;

static inline void ge_p256_infinity(ge_p256 *out) {
  fe_p256_one(&out->x);
  fe_p256_one(&out->y);
  fe_p256_zero(&out->z);
}

static inline void ge_p256_from_affine(ge_p256 *out, const ge_p256_aff *a) {
  out->x = a->x;
  out->y = a->y;
  fe_p256_one(&out->z);
}

/* out = a, given 1/Z.  3M + 1S. */
static inline void ge_p256_to_affine(ge_p256_aff *out, const ge_p256 *a,
                                     const fe_p256 *z_inverse) {
  fe_p256 square;
  fe_p256_sqr(&square, z_inverse);
  fe_p256_mul(&out->x, &a->x, &square);
  fe_p256_mul(&out->y, &a->y, &square);
  fe_p256_mul(&out->y, &out->y, z_inverse);
}

/* out = -a if the mask is all ones, a if it is 0. */
static inline void ge_p256_aff_negate_if(ge_p256_aff *a, uint64_t mask) {
  fe_p256 minus_y;
  fe_p256_neg(&minus_y, &a->y);
  fe_p256_select(&a->y, mask, &minus_y, &a->y);
}

/* alpha = 3/2 * m. */
static inline void ge_p256_three_halves(fe_p256 *alpha, const fe_p256 *m) {
  fe_p256 half;
  fe_p256_half(&half, m);
  fe_p256_add(alpha, m, &half);
}

/* out = 2a; infinity stays infinity.  in: not a point of order two.  4M + 4S,
 * "dbl-2001-b" with Z halved. */
GE_P256_CALLED void ge_p256_dbl(ge_p256 *out, const ge_p256 *a) {
  fe_p256 zz, yy, xyy, alpha, t;
  fe_p256_sqr(&zz, &a->z);
  fe_p256_sqr(&yy, &a->y);
  fe_p256_sub(&t, &a->x, &zz);
  fe_p256_add(&alpha, &a->x, &zz);
  fe_p256_mul(&alpha, &alpha, &t);
  fe_p256_mul(&xyy, &a->x, &yy);
  ge_p256_three_halves(&alpha, &alpha);
  fe_p256_mul(&out->z, &a->y, &a->z);
  fe_p256_sqr(&out->x, &alpha);
  fe_p256_dbl(&t, &xyy);
  fe_p256_sub(&out->x, &out->x, &t);
  fe_p256_sub(&t, &xyy, &out->x);
  fe_p256_mul_sub_sqr(&out->y, &t, &alpha, &yy);
}

/* h, r = U2 - X1, S2 - Y1: how b, brought to the Z of a, differs from a.  h = 0 if
 * b = a or b = -a; then r tells which.  3M + 1S. */
static inline void ge_p256_difference(fe_p256 *h, fe_p256 *r, const ge_p256 *a,
                                      const ge_p256_aff *b) {
  fe_p256 zz, yz, u2, s2;
  fe_p256_sqr(&zz, &a->z);
  fe_p256_mul(&yz, &b->y, &a->z);
  fe_p256_mul(&u2, &b->x, &zz);
  fe_p256_mul(&s2, &yz, &zz);
  fe_p256_sub(h, &u2, &a->x);
  fe_p256_sub(r, &s2, &a->y);
}

/* x3 = rr - hhh - 2v. */
static inline void ge_p256_sum_x(fe_p256 *x3, const fe_p256 *rr, const fe_p256 *hhh,
                                 const fe_p256 *v) {
  fe_p256 t;
  fe_p256_dbl(&t, v);
  fe_p256_add(&t, &t, hhh);
  fe_p256_sub(x3, rr, &t);
}

/* out = a + b, given their difference.  5M + 2S. */
static inline void ge_p256_madd_rest(ge_p256 *out, const ge_p256 *a, const fe_p256 *h,
                                     const fe_p256 *r) {
  fe_p256 hh, hhh, v, rr;
  fe_p256_sqr(&hh, h);
  fe_p256_sqr(&rr, r);
  fe_p256_mul(&v, &a->x, &hh);
  fe_p256_mul(&hhh, &hh, h);
  fe_p256_mul(&out->z, &a->z, h);
  ge_p256_sum_x(&out->x, &rr, &hhh, &v);
  fe_p256_sub(&v, &v, &out->x);
  fe_p256_mul_sub_mul(&out->y, &v, r, &a->y, &hhh);
}

/* out = a + b.  in: a not infinity, b not a, b not -a.  8M + 3S, "madd". */
GE_P256_CALLED void ge_p256_madd(ge_p256 *out, const ge_p256 *a, const ge_p256_aff *b) {
  fe_p256 h, r;
  ge_p256_difference(&h, &r, a, b);
  ge_p256_madd_rest(out, a, &h, &r);
}

/* The same for every a and b. */
GE_P256_CALLED void ge_p256_madd_vt(ge_p256 *out, const ge_p256 *a,
                                    const ge_p256_aff *b) {
  fe_p256 h, r;
  if (fe_p256_is_zero(&a->z)) {
    ge_p256_from_affine(out, b);
    return;
  }
  ge_p256_difference(&h, &r, a, b);
  if (!fe_p256_is_zero(&h)) {
    ge_p256_madd_rest(out, a, &h, &r);
  } else if (fe_p256_is_zero(&r)) {
    ge_p256_dbl(out, a);
  } else {
    ge_p256_infinity(out);
  }
}

/* out = a + b, both Jacobian; every case right.  a is brought to the Z of both, then as
 * "madd".  12M + 4S, "add". */
GE_P256_CALLED void ge_p256_add_vt(ge_p256 *out, const ge_p256 *a, const ge_p256 *b) {
  ge_p256 both;
  fe_p256 za, zb, h, r;
  if (fe_p256_is_zero(&a->z) || fe_p256_is_zero(&b->z)) {
    *out = fe_p256_is_zero(&a->z) ? *b : *a;
    return;
  }
  fe_p256_sqr(&za, &a->z);
  fe_p256_sqr(&zb, &b->z);
  fe_p256_mul(&both.x, &a->x, &zb);
  fe_p256_mul(&both.y, &a->y, &b->z);
  fe_p256_mul(&both.y, &both.y, &zb);
  fe_p256_mul(&both.z, &a->z, &b->z);
  fe_p256_mul(&h, &b->x, &za);
  fe_p256_mul(&r, &b->y, &a->z);
  fe_p256_mul(&r, &r, &za);
  fe_p256_sub(&h, &h, &both.x);
  fe_p256_sub(&r, &r, &both.y);
  if (!fe_p256_is_zero(&h)) {
    ge_p256_madd_rest(out, &both, &h, &r);
  } else if (fe_p256_is_zero(&r)) {
    ge_p256_dbl(out, a);
  } else {
    ge_p256_infinity(out);
  }
}

/* table[i] = (2i+1)a for i < count, the x and y over a Z that is ratio[i] times the one
 * before; table[0] is a itself with Z = 1, and *z the last Z.  The order of a exceeds
 * 2*count.  Co-Z: twice a is carried along and shares the Z of the entry it is added to
 * next.  (count - 1)(5M + 2S) + 5M + 6S. */
GE_P256_CALLED void ge_p256_odd_multiples(ge_p256_aff *table, fe_p256 *ratio, fe_p256 *z,
                                          const ge_p256_aff *a, int count) {
  fe_p256 h, r, hh, rr, v, d, t;
  ge_p256_aff last;
  ge_p256 twice;
  ge_p256_from_affine(&twice, a);
  ge_p256_dbl(&twice, &twice); /* its Z is y */
  *z = twice.z;
  fe_p256_sqr(&t, &a->y);
  fe_p256_mul(&last.x, &a->x, &t); /* a with that Z */
  fe_p256_sqr(&last.y, &t);
  table[0] = *a;
  for (int i = 1; i < count; i++) {
    fe_p256_sub(&h, &last.x, &twice.x);
    fe_p256_sub(&r, &last.y, &twice.y);
    fe_p256_sqr(&hh, &h);
    fe_p256_sqr(&rr, &r);
    fe_p256_mul(&v, &last.x, &hh);
    fe_p256_mul(&twice.x, &twice.x, &hh);
    fe_p256_mul(z, z, &h);
    fe_p256_sub(&d, &v, &twice.x); /* h^3 */
    fe_p256_add(&t, &v, &twice.x);
    fe_p256_mul(&twice.y, &twice.y, &d);
    fe_p256_sub(&last.x, &rr, &t);
    fe_p256_sub(&t, &twice.x, &last.x);
    fe_p256_mul(&t, &t, &r);
    fe_p256_sub(&last.y, &t, &twice.y);
    ratio[i] = h;
    table[i] = last;
  }
}

/* Brings the entries of ge_p256_odd_multiples to Z = 1, given the inverse of the last Z.
 * (count - 1)(4M + 1S). */
GE_P256_CALLED void ge_p256_normalize(ge_p256_aff *table, const fe_p256 *ratio,
                                      const fe_p256 *z_inverse, int count) {
  fe_p256 inverse = *z_inverse, square;
  for (int i = count - 1; i > 0; i--) {
    fe_p256_sqr(&square, &inverse);
    fe_p256_mul(&table[i].x, &table[i].x, &square);
    fe_p256_mul(&table[i].y, &table[i].y, &square);
    fe_p256_mul(&table[i].y, &table[i].y, &inverse);
    fe_p256_mul(&inverse, &inverse, &ratio[i]);
  }
}

/* a = a + b, and meanwhile a scan of 64 entries.  in: a not infinity, b not a, b not -a.
 * 8M + 2S, "madd-2008-s". */
GE_P256_CALLED void ge_p256_xyzz_add(ge_p256_xyzz *a, const ge_p256_aff *b, scan *s) {
  fe_p256 h, r, hh, hhh, v, rr;
  scan local = *s; /* in registers */
  scan_step(&local);
  fe_p256_mul(&h, &b->x, &a->zz);
  scan_step(&local);
  scan_step(&local);
  fe_p256_mul(&r, &b->y, &a->zzz);
  scan_step(&local);
  fe_p256_sub(&h, &h, &a->x);
  fe_p256_sub(&r, &r, &a->y);
  scan_step(&local);
  fe_p256_sqr(&hh, &h);
  scan_step(&local);
  scan_step(&local);
  fe_p256_sqr(&rr, &r);
  scan_step(&local);
  fe_p256_mul(&v, &a->x, &hh);
  scan_step(&local);
  scan_step(&local);
  fe_p256_mul(&hhh, &hh, &h);
  scan_step(&local);
  scan_step(&local);
  fe_p256_mul(&a->zz, &a->zz, &hh);
  scan_step(&local);
  ge_p256_sum_x(&a->x, &rr, &hhh, &v);
  scan_step(&local);
  fe_p256_mul(&a->zzz, &a->zzz, &hhh);
  scan_step(&local);
  fe_p256_sub(&v, &v, &a->x);
  scan_step(&local);
  fe_p256_mul_sub_mul(&a->y, &v, &r, &a->y, &hhh);
  *s = local;
}

#endif
