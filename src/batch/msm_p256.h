/* Multiscalar multiplication on P-256: the sum of k_i P_i over many public points.
 *
 * Buckets with affine points, added in pairs (Bernstein, Doumen, Lange, Oosterwijk,
 * "Faster batch forgery identification", 2012, for the use; Pippenger, "On the evaluation
 * of powers and related problems", 1976, for the buckets).  A point waits in its bucket
 * until another comes; the pair goes into the next pass, and their sum comes back to the
 * same bucket.  When every bucket is down to one point, index b goes to the sum of bit j
 * of the window where b is odd, and on with b >> 1, through the same passes; 256 sums of
 * bits remain, which one chain of doublings joins.  Any points may come in: equal,
 * opposite, related ones.  All run in variable time. */
#ifndef SIGMILL_BATCH_MSM_P256_H
#define SIGMILL_BATCH_MSM_P256_H

#include "lanes/backend.h"

/* Where a sum is built, for up to max_points points; no pointer to free. */
typedef struct msm_p256 msm_p256;

/* Bytes of a msm_p256 (a multiple of 64), which begins at a multiple of 64. */
size_t sm_msm_p256_size(size_t max_points);
msm_p256 *sm_msm_p256_init(void *memory, size_t max_points);
/* max_points */
size_t sm_msm_p256_room(const msm_p256 *msm);

/* Begins a sum: no point is loaded. */
void sm_msm_p256_begin(msm_p256 *msm);
/* Loads points and numbers them on from the last one, from 1; returns the first one's
 * number.  on_curve as of p256_sums.load_vt. */
uint32_t sm_msm_p256_load_vt(msm_p256 *msm, uint8_t *on_curve, const p256_point *points,
                             size_t count);

/* What is summed: the points of these numbers, each named once at most, times scalars of
 * 128 bits, and plus or minus others times scalars of 256. */
typedef struct {
  size_t short_count, long_count;
  const uint32_t *short_point, *long_point;
  const i128 *short_scalar;
  const u256 *long_scalar; /* below n, 0 too */
  bool subtract_long;
} msm_p256_terms;

/* out = the sum; false (out zero) if it is infinity.  Loaded points stay as they are. */
bool sm_msm_p256_sum_vt(p256_point *out, msm_p256 *msm, const msm_p256_terms *terms);

#endif
