/* From the sums of eight claims to their verdicts: R = (X/ZZ, Y/ZZZ) is compared without
 * a division, as X = r ZZ or X = (r + n) ZZ. */
#ifndef SIGMILL_LANES_VERDICTS_P256_X8_H
#define SIGMILL_LANES_VERDICTS_P256_X8_H

#include "lanes/arrays_p256_x8.h"
#include "lanes/lanes_p256.h"
#include "scalar/sc_p256.h"

/* a = v f for the elements v of the integers at rows? */
LANES_CALLED vmask verdicts_is_multiple(const fe_x8 *a, const uint64_t *const rows[LANES],
                                        const fe_x8 *f) {
  fe_x8 v;
  arrays_load_elements(&v, rows);
  fe_p256_x8_mul(&v, &v, f);
  return fe_p256_x8_eq(&v, a);
}

/* out = r + n if that is below p; false if it is not. */
static inline bool verdicts_second_x_vt(u256 *out, const u256 *r) {
  return r->v[3] == 0 && u256_add(out, r, &sm_sc_p256_order) == 0 &&
         u256_lt_mask(out, &sm_p256_prime) != 0;
}

/* A bit for each lane: is its sum what its claim says? */
LANES_CALLED unsigned verdicts_right_vt(const ge_xyzz_x8 *sum,
                                        const p256_claim *const claims[LANES]) {
  const uint64_t *rows[LANES];
  u256 second[LANES];
  unsigned points = 0, seconds = 0, right;
  for (int l = 0; l < LANES; l++) {
    rows[l] = claims[l]->has_point ? claims[l]->point.x.v : claims[l]->r.v;
    points |= (unsigned)claims[l]->has_point << l;
    second[l] = claims[l]->r;
    if (!claims[l]->has_point && verdicts_second_x_vt(&second[l], &claims[l]->r)) {
      seconds |= 1u << l;
    }
  }
  right = vm_bits(verdicts_is_multiple(&sum->x, rows, &sum->zz));
  if (seconds != 0) {
    for (int l = 0; l < LANES; l++) {
      rows[l] = second[l].v;
    }
    right |= seconds & vm_bits(verdicts_is_multiple(&sum->x, rows, &sum->zz));
  }
  if (points != 0) {
    for (int l = 0; l < LANES; l++) {
      rows[l] = claims[l]->point.y.v;
    }
    right &= ~points | vm_bits(verdicts_is_multiple(&sum->y, rows, &sum->zzz));
  }
  return right;
}

/* verdicts[i] for lane i < count; undecided where ZZ = 0. */
LANES_CALLED void verdicts_give_vt(uint8_t *verdicts, const ge_xyzz_x8 *sum,
                                   const p256_claim *const claims[LANES], size_t count) {
  const unsigned right = verdicts_right_vt(sum, claims);
  const unsigned undecided = vm_bits(fe_p256_x8_is_zero(&sum->zz));
  for (size_t l = 0; l < LANES && l < count; l++) {
    verdicts[l] = (undecided >> l & 1) != 0 ? CLAIM_UNDECIDED
                  : (right >> l & 1) != 0   ? CLAIM_TRUE
                                            : CLAIM_FALSE;
  }
}

/* The same for sums in Jacobian coordinates. */
LANES_CALLED void verdicts_of_jacobian_vt(uint8_t *verdicts, const ge_x8 *sum,
                                          const p256_claim *const claims[LANES],
                                          size_t count) {
  ge_xyzz_x8 same = {.x = sum->x, .y = sum->y};
  fe_p256_x8_sqr(&same.zz, &sum->z);
  fe_p256_x8_mul(&same.zzz, &same.zz, &sum->z);
  verdicts_give_vt(verdicts, &same, claims, count);
}

#endif
