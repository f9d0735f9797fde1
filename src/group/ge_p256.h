/* Points of P-256, y^2 = x^3 - 3x + b (SP 800-186, section 3.2.1.3), and the formulas of
 * their group.  Included by a unit after field/fe_p256.h: everything here is compiled
 * over the body chosen there.  The formulas do not use b, so they hold on every curve of
 * this shape over the field.
 *
 * Sources: the Explicit-Formulas Database (Bernstein, Lange), sections "Jacobian
 * coordinates with a4=-3" and "XYZZ coordinates"; co-Z arithmetic of Meloni, "New point
 * addition formulae for ECC applications" (2007), and Goundar, Joye, Miyaji, "Co-Z
 * addition formulae and binary ladders on elliptic curves" (2010); the double-and-add of
 * Longa and Miri, "New composite operations and precomputation scheme for elliptic curve
 * cryptosystems over prime fields" (2008).
 *
 * Coordinates x and y are tight, those that are only multiplied may be loose.  out may
 * alias inputs.  Functions named _vt treat every exceptional case and branch on it; the
 * others run in constant time and name the inputs they do not serve. */
#ifndef SIGMILL_GROUP_GE_P256_H
#define SIGMILL_GROUP_GE_P256_H

#include "field/fe_p256.h"
#include "group/scan.h"
#include <stdbool.h>

#if defined(__GNUC__)
#define GE_P256_CALLED static __attribute__((noinline, unused))
#else
#define GE_P256_CALLED static
#endif

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
  fe_p256_weak(&minus_y, &minus_y);
  fe_p256_select(&a->y, mask, &minus_y, &a->y);
}

/* alpha = 3/2 * m, loose. */
static inline void ge_p256_three_halves(fe_p256 *alpha, const fe_p256 *m) {
  fe_p256 half;
  fe_p256_half(&half, m);
  fe_p256_add(alpha, m, &half);
}

/* out = 2a; infinity stays infinity.  in: not a point of order two.  4M + 4S,
 * "dbl-2001-b" with Z halved. */
GE_P256_CALLED void ge_p256_dbl(ge_p256 *out, const ge_p256 *a) {
  fe_p256 zz, yy, xyy, y4, alpha, t;
  fe_p256_sqr(&zz, &a->z);
  fe_p256_sqr(&yy, &a->y);
  fe_p256_sub(&t, &a->x, &zz);
  fe_p256_add(&alpha, &a->x, &zz);
  fe_p256_mul(&alpha, &alpha, &t);
  fe_p256_mul(&xyy, &a->x, &yy);
  ge_p256_three_halves(&alpha, &alpha);
  fe_p256_mul(&out->z, &a->y, &a->z);
  fe_p256_sqr(&y4, &yy);
  fe_p256_sqr(&out->x, &alpha);
  fe_p256_dbl(&t, &xyy);
  fe_p256_weak(&t, &t);
  fe_p256_sub(&out->x, &out->x, &t);
  fe_p256_weak(&out->x, &out->x);
  fe_p256_sub(&t, &xyy, &out->x);
  fe_p256_mul(&t, &t, &alpha);
  fe_p256_sub(&out->y, &t, &y4);
  fe_p256_weak(&out->y, &out->y);
}

/* h, r = U2 - X1, S2 - Y1, loose: how b, brought to the Z of a, differs from a.  h = 0 if
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

/* x3 = rr - hhh - 2v.  in: all tight. */
static inline void ge_p256_sum_x(fe_p256 *x3, const fe_p256 *rr, const fe_p256 *hhh,
                                 const fe_p256 *v) {
  fe_p256 t;
  fe_p256_dbl(&t, v);
  fe_p256_weak(&t, &t);
  fe_p256_add(&t, &t, hhh);
  fe_p256_weak(&t, &t);
  fe_p256_sub(x3, rr, &t);
  fe_p256_weak(x3, x3);
}

/* y3 = r(v - x3) - w.  in: v, x3, w tight.  1M. */
static inline void ge_p256_sum_y(fe_p256 *y3, const fe_p256 *r, const fe_p256 *v,
                                 const fe_p256 *x3, const fe_p256 *w) {
  fe_p256 t;
  fe_p256_sub(&t, v, x3);
  fe_p256_mul(&t, &t, r);
  fe_p256_sub(y3, &t, w);
  fe_p256_weak(y3, y3);
}

/* out = a + b.  Exceptional cases right.  8M + 3S, "madd". */
GE_P256_CALLED void ge_p256_madd_vt(ge_p256 *out, const ge_p256 *a,
                                    const ge_p256_aff *b) {
  fe_p256 h, r, hh, hhh, v, w, rr;
  if (fe_p256_is_zero(&a->z)) {
    ge_p256_from_affine(out, b);
    return;
  }
  ge_p256_difference(&h, &r, a, b);
  if (fe_p256_is_zero(&h)) {
    if (fe_p256_is_zero(&r)) {
      ge_p256_dbl(out, a);
    } else {
      ge_p256_infinity(out);
    }
    return;
  }
  fe_p256_sqr(&hh, &h);
  fe_p256_sqr(&rr, &r);
  fe_p256_mul(&v, &a->x, &hh);
  fe_p256_mul(&hhh, &hh, &h);
  fe_p256_mul(&out->z, &a->z, &h);
  fe_p256_mul(&w, &a->y, &hhh);
  ge_p256_sum_x(&out->x, &rr, &hhh, &v);
  ge_p256_sum_y(&out->y, &r, &v, &out->x, &w);
}

/* out = 2a + b as (a + b) + a, the second addition co-Z.  Returns a mask of all ones, or
 * 0 (and out meaningless) if a is infinity, b = a, b = -a or b = -2a.  13M + 5S. */
GE_P256_CALLED uint64_t ge_p256_dbl_add(ge_p256 *out, const ge_p256 *a,
                                        const ge_p256_aff *b) {
  fe_p256 h, r, hh, hhh, v, w, x3, d, dd, e, t, u;
  ge_p256_difference(&h, &r, a, b);
  fe_p256_sqr(&hh, &h);
  fe_p256_sqr(&t, &r);
  fe_p256_mul(&v, &a->x, &hh); /* (v, w) is a with the Z of a + b */
  fe_p256_mul(&hhh, &hh, &h);
  fe_p256_mul(&u, &a->z, &h);
  fe_p256_mul(&w, &a->y, &hhh);
  ge_p256_sum_x(&x3, &t, &hhh, &v);
  fe_p256_sub(&d, &v, &x3);
  fe_p256_sqr(&dd, &d);
  fe_p256_mul(&e, &d, &r); /* y3 = e - w */
  fe_p256_dbl(&t, &w);
  fe_p256_weak(&t, &t);
  fe_p256_mul(&out->z, &u, &d);
  fe_p256_mul(&v, &v, &dd);
  fe_p256_sub(&e, &t, &e); /* w - y3 */
  fe_p256_mul(&u, &x3, &dd);
  fe_p256_sqr(&t, &e);
  fe_p256_sub(&d, &v, &u); /* the old d cubed */
  fe_p256_mul(&w, &w, &d);
  fe_p256_sub(&t, &t, &v);
  fe_p256_weak(&t, &t);
  fe_p256_sub(&t, &t, &u);
  fe_p256_weak(&out->x, &t);
  ge_p256_sum_y(&out->y, &e, &v, &out->x, &w);
  return ~fe_p256_is_zero(&out->z);
}

/* out = 2a + b.  Exceptional cases right. */
static inline void ge_p256_dbl_add_vt(ge_p256 *out, const ge_p256 *a,
                                      const ge_p256_aff *b) {
  ge_p256 t;
  if (ge_p256_dbl_add(&t, a, b)) {
    *out = t;
  } else {
    ge_p256_dbl(out, a);
    ge_p256_madd_vt(out, out, b);
  }
}

/* table[i] = (2i+1)a for i < count, their x and y over the Z whose ratio to the one
 * before is ratio[i]; table[0] is a itself with Z = 1.  *z is the last Z.  The order of a
 * exceeds 2*count.  Co-Z: twice a is carried along and shares the Z of the entry it is
 * added to next.  (count - 1)(5M + 2S) + 5M + 6S. */
static inline void ge_p256_odd_multiples(ge_p256_aff *table, fe_p256 *ratio, fe_p256 *z,
                                         const ge_p256_aff *a, int count) {
  fe_p256 h, r, hh, d, w, t;
  ge_p256_aff twice, last;
  ge_p256 jacobian;
  ge_p256_from_affine(&jacobian, a);
  ge_p256_dbl(&jacobian, &jacobian);
  twice.x = jacobian.x;
  twice.y = jacobian.y;
  *z = jacobian.z;        /* y */
  fe_p256_sqr(&t, &a->y); /* a with that Z: */
  fe_p256_mul(&last.x, &a->x, &t);
  fe_p256_sqr(&last.y, &t);
  table[0] = *a;
  for (int i = 1; i < count; i++) {
    fe_p256_sub(&h, &last.x, &twice.x);
    fe_p256_sub(&r, &last.y, &twice.y);
    fe_p256_sqr(&hh, &h);
    fe_p256_mul(&t, &last.x, &hh);
    fe_p256_mul(&twice.x, &twice.x, &hh);
    fe_p256_sub(&d, &t, &twice.x); /* h^3 */
    fe_p256_mul(&twice.y, &twice.y, &d);
    fe_p256_add(&w, &t, &twice.x);
    fe_p256_weak(&w, &w);
    fe_p256_sqr(&last.x, &r);
    fe_p256_sub(&last.x, &last.x, &w);
    fe_p256_weak(&last.x, &last.x);
    ge_p256_sum_y(&last.y, &r, &twice.x, &last.x, &twice.y);
    fe_p256_weak(&ratio[i], &h);
    fe_p256_mul(z, z, &h);
    table[i] = last;
  }
}

/* Brings the entries of ge_p256_odd_multiples to Z = 1, given the inverse of the last Z.
 * (count - 1)(4M + 1S). */
static inline void ge_p256_normalize(ge_p256_aff *table, const fe_p256 *ratio,
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

/* a = a + b, and meanwhile a scan of a table of 64 entries of 64 bytes.  in: a not
 * infinity, b not a, b not -a.  8M + 2S, "madd-2008-s". */
GE_P256_CALLED void ge_p256_xyzz_add(ge_p256_xyzz *a, const ge_p256_aff *b, scan *s) {
  fe_p256 h, r, hh, hhh, v, w, rr;
  scan local = *s; /* in registers */
  fe_p256_mul(&h, &b->x, &a->zz);
  scan_step(&local, 6, 64 / SCAN_BYTES);
  fe_p256_mul(&r, &b->y, &a->zzz);
  scan_step(&local, 6, 64 / SCAN_BYTES);
  fe_p256_sub(&h, &h, &a->x);
  fe_p256_sub(&r, &r, &a->y);
  fe_p256_sqr(&hh, &h);
  scan_step(&local, 6, 64 / SCAN_BYTES);
  fe_p256_sqr(&rr, &r);
  scan_step(&local, 6, 64 / SCAN_BYTES);
  fe_p256_mul(&v, &a->x, &hh);
  scan_step(&local, 8, 64 / SCAN_BYTES);
  fe_p256_mul(&hhh, &hh, &h);
  scan_step(&local, 8, 64 / SCAN_BYTES);
  fe_p256_mul(&a->zz, &a->zz, &hh);
  scan_step(&local, 6, 64 / SCAN_BYTES);
  fe_p256_mul(&w, &a->y, &hhh);
  ge_p256_sum_x(&a->x, &rr, &hhh, &v);
  scan_step(&local, 6, 64 / SCAN_BYTES);
  fe_p256_mul(&a->zzz, &a->zzz, &hhh);
  scan_step(&local, 6, 64 / SCAN_BYTES);
  fe_p256_sub(&v, &v, &a->x);
  fe_p256_mul(&v, &v, &r);
  scan_step(&local, 6, 64 / SCAN_BYTES);
  fe_p256_sub(&a->y, &v, &w);
  fe_p256_weak(&a->y, &a->y);
  *s = local;
}

#endif
