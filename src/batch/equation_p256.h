/* Many ECDSA signatures whose nonce points R are known, as one random equation: with u =
 * z/s, v = r/s and fresh coefficients a of 128 bits,
 *   sum a_i R_i - (sum a_i u_i) G - sum (a_i v_i) Q_i = infinity.
 * It holds if every R_i is u_i G + v_i Q_i; if one is not, it holds with a chance of at
 * most 2^-128, for the group's order is prime (docs/soundness.md).  Naccache, M'Raihi,
 * Vaudenay, Raphaeli, "Can D.S.A. be improved?", 1994; Bellare, Garay, Rabin, "Fast batch
 * verification for modular exponentiation and digital signatures", 1998.
 *
 * Points with the same x share one term.  Variable time. */
#ifndef SIGMILL_BATCH_EQUATION_P256_H
#define SIGMILL_BATCH_EQUATION_P256_H

#include "batch/merge_p256.h"
#include "batch/msm_p256.h"
#include "batch/randomizer.h"

/* Claims in waiting.  Those below `count` have a point with coordinates below p;
 * at[i] is the caller's own number of claims[i]. */
typedef struct {
  size_t capacity, count;
  p256_claim *claims;
  size_t *at;

  /* Where coefficients come from; NULL: the operating system. */
  randomizer_source source;
  void *source_ctx;
  bool hedged;

  randomizer seed;
  uint64_t sums; /* under this seed */
  msm_p256 *msm;
  merge_p256 merge;
  p256_ref *r_ref, *q_ref; /* of each claim: its points in the sum */
  p256_ref g_ref;

  /* By number of point. */
  bool *is_long;     /* its scalar is a sum of 256 bits */
  u256 *scalar;      /* that sum, */
  uint32_t *used_by; /* if it is of the sum with this number */

  /* Of one sum. */
  i128 *a, *short_scalar;
  u256 *r, *s, *z, *v, *long_scalar;
  uint32_t *short_point, *long_point;
  uint64_t *words; /* of combine_vt */
} equation_p256;

/* Memory for up to capacity claims: bytes, and the equation made in it, which begins at a
 * multiple of 64. */
size_t sm_equation_p256_size(size_t capacity);
equation_p256 *sm_equation_p256_init(void *memory, size_t capacity);

/* Draws the seed and finds the points that are the same.  Claims whose point is not on
 * the curve go behind `count`, which shrinks: they do not hold.  False if there was no
 * randomness to be had; nothing has changed then. */
bool sm_equation_p256_prepare_vt(equation_p256 *eq);
/* Brings count claims, drawn at random from those from first on, to the places from first
 * on.  After prepare.  in: first + count <= eq->count; count <= capacity. */
void sm_equation_p256_sample_vt(equation_p256 *eq, size_t first, size_t count);
/* Do the claims first to first + count - 1 hold?  False if one of them does not; true if
 * they do, or by the chance above.  After prepare, any number of times, each with
 * coefficients of its own. */
bool sm_equation_p256_holds_vt(equation_p256 *eq, size_t first, size_t count);

#endif
