/* Verifications in packed chunks.  With lanes, a chunk is judged in full groups of eight
 * and what is left over by whatever is cheaper (plan_p256.h); R goes into a claim as the
 * format has it: that it lies on the curve follows from its being equal to the R
 * computed. Without lanes a chunk shares one inversion mod n (Montgomery, 1987). */
#include "batch/verify_p256.h"

#include "batch/lift_p256.h"
#include "batch/plan_p256.h"
#include "scalar/sc_p256.h"
#include <string.h>

void sm_verify_p256_begin(verify_p256_run *run, uint8_t *verdicts) {
  run->verdicts = verdicts;
  run->judging = 0;
  run->lifting = 0;
}

/* Any claim, by the scalar engine, whose points have to be on the curve. */
static bool judge_alone(const p256_claim *claim) {
  u256 w;
  if (claim->has_point && !sm_backend()->engine->on_curve_vt(&claim->point)) {
    return false;
  }
  sm_sc_p256_inv_vt(&w, &claim->s);
  return sm_p256_claim_holds_vt(claim, &w);
}

/* The scalar engine on claims whose points are on the curve. */
static void judge_by_engine(uint8_t *verdicts, const p256_claim *claims, size_t count) {
  u256 s[LANES_P256_CHUNK] = {{{0}}}, w[LANES_P256_CHUNK];
  for (size_t i = 0; i < count; i++) {
    s[i] = claims[i].s;
  }
  sm_sc_p256_inv_batch_vt(w, s, count);
  for (size_t i = 0; i < count; i++) {
    verdicts[i] = sm_p256_claim_holds_vt(&claims[i], &w[i]);
  }
}

static void judge_in_lanes(uint8_t *verdicts, const p256_lanes *lanes,
                           const p256_claim *claims, size_t count) {
  size_t in_lanes = plan_claims_in_lanes(claims, count);
  if (in_lanes > 0) {
    lanes->verify_vt(verdicts, claims, in_lanes);
  }
  for (size_t i = 0; i < count; i++) {
    if (i >= in_lanes || verdicts[i] == CLAIM_UNDECIDED) {
      verdicts[i] = judge_alone(&claims[i]);
    }
  }
}

static void judge(verify_p256_run *run) {
  const p256_lanes *lanes = sm_backend()->lanes;
  uint8_t verdicts[LANES_P256_CHUNK];
  if (lanes != NULL) {
    judge_in_lanes(verdicts, lanes, run->to_judge, run->judging);
  } else if (run->judging > 0) {
    judge_by_engine(verdicts, run->to_judge, run->judging);
  }
  for (size_t i = 0; i < run->judging; i++) {
    run->verdicts[run->judge_at[i]] = verdicts[i];
  }
  run->judging = 0;
}

/* The claim made in to_judge[judging] is complete. */
static void judge_later(verify_p256_run *run, size_t at) {
  run->judge_at[run->judging++] = at;
  if (run->judging == LANES_P256_CHUNK) {
    judge(run);
  }
}

static void lift(verify_p256_run *run) {
  p256_point points[LANES_P256_CHUNK];
  u256 x[LANES_P256_CHUNK];
  uint8_t found[LANES_P256_CHUNK];
  for (size_t i = 0; i < run->lifting; i++) {
    x[i] = run->to_lift[i].point.x;
  }
  sm_lift_p256_vt(points, found, x, run->y_odd, run->lifting);
  for (size_t i = 0; i < run->lifting; i++) {
    if (found[i]) {
      p256_claim *claim = &run->to_judge[run->judging];
      *claim = run->to_lift[i];
      claim->point = points[i];
      claim->has_point = true;
      judge_later(run, run->lift_at[i]);
    }
  }
  run->lifting = 0;
}

static bool is_canonical(const p256_point *point) {
  return (u256_lt_mask(&point->x, &sm_p256_prime) &
          u256_lt_mask(&point->y, &sm_p256_prime)) != 0;
}

/* Fills in what the signature does not tell. */
static void complete(p256_claim *claim, const verify_p256_job *job) {
  u256_from_be(&claim->digest, job->digest);
  claim->key = *job->key;
}

void sm_verify_p256_add_vt(verify_p256_run *run, const verify_p256_job *job, size_t at) {
  p256_claim *claim = &run->to_judge[run->judging];
  p256_hint hint;
  run->verdicts[at] = 0;
  if (job->sig == NULL || job->digest == NULL || job->key == NULL ||
      sm_p256_sig_parse_vt(claim, &hint, job->sig, job->format) != SIGMILL_OK) {
    return;
  }
  complete(claim, job);
  if (sm_backend()->lanes == NULL) {
    if (sm_p256_sig_find_point_vt(claim, hint)) {
      judge_later(run, at);
    }
  } else if (hint == P256_HINT_X_Y_EVEN || hint == P256_HINT_X_Y_ODD) {
    run->to_lift[run->lifting] = *claim;
    run->y_odd[run->lifting] = hint == P256_HINT_X_Y_ODD;
    run->lift_at[run->lifting++] = at;
    if (run->lifting == LANES_P256_CHUNK) {
      lift(run);
    }
  } else if (hint == P256_HINT_NONE || is_canonical(&claim->point)) {
    claim->has_point = hint == P256_HINT_POINT;
    if (!claim->has_point) {
      memset(&claim->point, 0, sizeof claim->point); /* lanes compute with it */
    }
    judge_later(run, at);
  }
}

void sm_verify_p256_end_vt(verify_p256_run *run) {
  lift(run);
  judge(run);
}
