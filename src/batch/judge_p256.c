/* Claims by themselves: with lanes in full groups of eight, and what is left over by
 * whatever is cheaper (plan_p256.h); without lanes one inversion mod n is shared
 * (Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", 1987).
 */
#include "batch/judge_p256.h"

#include "base/check.h"
#include "batch/plan_p256.h"
#include "scalar/sc_p256.h"

static bool point_is_on_curve(const p256_claim *claim) {
  return !claim->has_point || sm_backend()->engine->on_curve_vt(&claim->point);
}

static bool judge_alone(const p256_claim *claim) {
  u256 w;
  if (!point_is_on_curve(claim)) {
    return false;
  }
  sm_sc_p256_inv_vt(&w, &claim->s);
  return sm_p256_claim_holds_vt(claim, &w);
}

static void judge_by_engine(uint8_t *verdicts, const p256_claim *claims, size_t count) {
  u256 s[LANES_P256_CHUNK] = {{{0}}}, w[LANES_P256_CHUNK];
  for (size_t i = 0; i < count; i++) {
    s[i] = claims[i].s;
  }
  sm_sc_p256_inv_batch_vt(w, s, count);
  for (size_t i = 0; i < count; i++) {
    verdicts[i] =
        point_is_on_curve(&claims[i]) && sm_p256_claim_holds_vt(&claims[i], &w[i]);
  }
}

/* A point goes into its lane as the format has it: that it lies on the curve follows from
 * its being equal to the R computed. */
static void judge_in_lanes(uint8_t *verdicts, const p256_lanes *lanes,
                           const p256_claim *claims, size_t count) {
  size_t in_lanes = plan_claims_in_lanes(lanes, claims, count);
  if (in_lanes > 0) {
    lanes->verify_vt(verdicts, claims, in_lanes);
  }
  for (size_t i = 0; i < count; i++) {
    if (i >= in_lanes || verdicts[i] == CLAIM_UNDECIDED) {
      verdicts[i] = judge_alone(&claims[i]);
    }
  }
}

void sm_judge_p256_vt(uint8_t *verdicts, const p256_claim *claims, size_t count) {
  const p256_lanes *lanes = sm_backend()->lanes;
  CHECK(count <= LANES_P256_CHUNK);
  if (lanes != NULL) {
    judge_in_lanes(verdicts, lanes, claims, count);
  } else if (count > 0) {
    judge_by_engine(verdicts, claims, count);
  }
}
