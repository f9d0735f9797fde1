/* Hints in packed chunks: R of each claim in full groups of eight lanes, and what is left
 * over by whatever is cheaper (plan_p256.h).  Without lanes a chunk shares one inversion
 * mod n (Montgomery, 1987). */
#include "batch/hint_p256.h"

#include "batch/plan_p256.h"
#include "scalar/sc_p256.h"
#include <string.h>

void sm_hint_p256_begin(hint_p256_run *run, uint8_t *out, uint8_t *verdicts,
                        sigmill_p256_format format, size_t size) {
  run->out = out;
  run->verdicts = verdicts;
  run->format = format;
  run->size = size;
  run->waiting = 0;
}

/* Those with CLAIM_UNDECIDED, by the scalar engine. */
static void find_alone(p256_point *points, uint8_t *found, const p256_claim *claims,
                       size_t count) {
  u256 s[LANES_P256_CHUNK] = {{{0}}}, w[LANES_P256_CHUNK];
  for (size_t i = 0; i < count; i++) {
    if (found[i] == CLAIM_UNDECIDED) {
      s[i] = claims[i].s;
    }
  }
  sm_sc_p256_inv_batch_vt(w, s, count);
  for (size_t i = 0; i < count; i++) {
    if (found[i] == CLAIM_UNDECIDED) {
      found[i] = sm_p256_claim_point_vt(&points[i], &claims[i], &w[i]) ? CLAIM_TRUE
                                                                       : CLAIM_FALSE;
    }
  }
}

static void find(hint_p256_run *run) {
  const p256_lanes *lanes = sm_backend()->lanes;
  const size_t count = run->waiting;
  const size_t in_lanes = plan_in_lanes(lanes, count, PLAN_HINTS_ALONE);
  p256_point points[LANES_P256_CHUNK];
  uint8_t found[LANES_P256_CHUNK];
  bool any_alone = in_lanes < count;
  memset(found, CLAIM_UNDECIDED, sizeof found);
  if (in_lanes > 0) {
    lanes->find_r_vt(points, found, run->claims, in_lanes);
  }
  for (size_t i = 0; i < in_lanes; i++) {
    any_alone |= found[i] == CLAIM_UNDECIDED;
  }
  if (any_alone) {
    find_alone(points, found, run->claims, count);
  }
  for (size_t i = 0; i < count; i++) {
    const size_t at = run->at[i];
    run->verdicts[at] = found[i] == CLAIM_TRUE;
    if (found[i] == CLAIM_TRUE) {
      sm_p256_hint_write_vt(run->out + run->size * at, run->format, &run->claims[i],
                            &points[i]);
    }
  }
  run->waiting = 0;
}

void sm_hint_p256_add_vt(hint_p256_run *run, const uint8_t sig[64],
                         const uint8_t digest[32], const p256_point *key, size_t at) {
  p256_claim *claim = &run->claims[run->waiting];
  p256_hint none;
  run->verdicts[at] = 0;
  memset(run->out + run->size * at, 0, run->size);
  if (sm_p256_sig_parse_vt(claim, &none, sig, SIGMILL_P256_SIG64) != SIGMILL_OK) {
    return;
  }
  u256_from_be(&claim->digest, digest);
  claim->key = *key;
  run->at[run->waiting++] = at;
  if (run->waiting == LANES_P256_CHUNK) {
    find(run);
  }
}

void sm_hint_p256_end_vt(hint_p256_run *run) {
  if (run->waiting > 0) {
    find(run);
  }
}
