/* Verifications in packed chunks: claims of which only r is known, those of them whose
 * key has a table, claims whose R has to be lifted, and claims whose R is known. */
#include "batch/verify_p256.h"

#include "batch/judge_p256.h"
#include "batch/lift_p256.h"
#include "batch/plan_p256.h"
#include <string.h>

void sm_verify_p256_begin(verify_p256_run *run, uint8_t *verdicts,
                          equation_p256 *equation, settle_state *state) {
  run->verdicts = verdicts;
  run->equation = equation;
  run->state = state;
  run->judging = 0;
  run->lifting = 0;
  run->knowing = 0;
}

static void judge(verify_p256_run *run) {
  uint8_t verdicts[LANES_P256_CHUNK];
  sm_judge_p256_vt(verdicts, run->to_judge, run->judging);
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

/* Full groups by their tables; the few beside them, and where an addition was
 * exceptional, as any other claim. */
void sm_verify_p256_release_vt(verify_p256_run *run) {
  const p256_lanes *lanes = sm_backend()->lanes;
  const size_t count = run->knowing;
  const size_t in_lanes = plan_in_lanes(lanes, count, PLAN_KNOWN_ALONE);
  uint8_t verdicts[LANES_P256_CHUNK];
  if (in_lanes > 0) {
    lanes->verify_known_vt(verdicts, run->known, run->table, in_lanes);
  }
  for (size_t i = 0; i < count; i++) {
    if (i < in_lanes && verdicts[i] != CLAIM_UNDECIDED) {
      run->verdicts[run->known_at[i]] = verdicts[i];
    } else {
      run->to_judge[run->judging] = run->known[i];
      judge_later(run, run->known_at[i]);
    }
  }
  run->knowing = 0;
}

static void know_later(verify_p256_run *run, const p256_claim *claim,
                       const p256_key_table *table, size_t at) {
  run->known[run->knowing] = *claim;
  run->table[run->knowing] = table;
  run->known_at[run->knowing++] = at;
  if (run->knowing == LANES_P256_CHUNK) {
    sm_verify_p256_release_vt(run);
  }
}

/* Takes a claim whose R is known. */
static void add_hinted(verify_p256_run *run, const p256_claim *claim, size_t at) {
  equation_p256 *eq = run->equation;
  if (eq == NULL) {
    run->to_judge[run->judging] = *claim;
    judge_later(run, at);
    return;
  }
  eq->claims[eq->count] = *claim;
  eq->at[eq->count++] = at;
  if (eq->count == eq->capacity) {
    sm_settle_p256_vt(run->verdicts, eq, run->state);
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
      p256_claim *claim = &run->to_lift[i];
      claim->point = points[i];
      claim->has_point = true;
      add_hinted(run, claim, run->lift_at[i]);
    }
  }
  run->lifting = 0;
}

static void lift_later(verify_p256_run *run, const p256_claim *claim, bool y_odd,
                       size_t at) {
  run->to_lift[run->lifting] = *claim;
  run->y_odd[run->lifting] = y_odd;
  run->lift_at[run->lifting++] = at;
  if (run->lifting == LANES_P256_CHUNK) {
    lift(run);
  }
}

static bool is_canonical(const p256_point *point) {
  return (u256_lt_mask(&point->x, &sm_p256_prime) &
          u256_lt_mask(&point->y, &sm_p256_prime)) != 0;
}

void sm_verify_p256_add_vt(verify_p256_run *run, const verify_p256_job *job, size_t at) {
  p256_claim *claim = &run->to_judge[run->judging];
  p256_hint hint;
  run->verdicts[at] = 0;
  if (job->sig == NULL || job->digest == NULL || job->key == NULL ||
      sm_p256_sig_parse_vt(claim, &hint, job->sig, job->format) != SIGMILL_OK) {
    return;
  }
  u256_from_be(&claim->digest, job->digest);
  claim->key = *job->key;
  switch (hint) {
  case P256_HINT_NONE:
    memset(&claim->point, 0, sizeof claim->point); /* lanes compute with it */
    if (job->table != NULL) {
      know_later(run, claim, job->table, at);
    } else {
      judge_later(run, at);
    }
    break;
  case P256_HINT_X_Y_EVEN:
  case P256_HINT_X_Y_ODD:
    lift_later(run, claim, hint == P256_HINT_X_Y_ODD, at);
    break;
  case P256_HINT_POINT:
    if (is_canonical(&claim->point)) {
      claim->has_point = true;
      add_hinted(run, claim, at);
    }
    break;
  }
}

void sm_verify_p256_end_vt(verify_p256_run *run) {
  sm_verify_p256_release_vt(run);
  lift(run);
  judge(run);
  if (run->equation != NULL) {
    sm_settle_p256_vt(run->verdicts, run->equation, run->state);
  }
}
