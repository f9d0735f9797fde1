/* Many ECDSA verifications at once: verdicts equal to the single calls', work shared. */
#ifndef SIGMILL_BATCH_VERIFY_P256_H
#define SIGMILL_BATCH_VERIFY_P256_H

#include "scheme/ecdsa_p256.h"

/* What one item needs, gathered from wherever the caller keeps it. */
typedef struct {
  const uint8_t *sig, *digest; /* NULL: the item is invalid */
  sigmill_p256_format format;
  const p256_point *key;
} verify_p256_job;

/* Verifications under way: claims that passed every rule but the equation, packed without
 * gaps, whatever happened to the items between them. */
typedef struct {
  uint8_t *verdicts;
  size_t judging, lifting;
  p256_claim to_judge[LANES_P256_CHUNK];
  size_t judge_at[LANES_P256_CHUNK];    /* where the verdict goes */
  p256_claim to_lift[LANES_P256_CHUNK]; /* lack the y of point */
  size_t lift_at[LANES_P256_CHUNK];
  uint8_t y_odd[LANES_P256_CHUNK];
} verify_p256_run;

/* Starts a run that writes into verdicts. */
void sm_verify_p256_begin(verify_p256_run *run, uint8_t *verdicts);
/* Takes one more item; verdicts[at] is written now or later, 1 for valid, else 0.  What
 * job points to may change afterwards. */
void sm_verify_p256_add_vt(verify_p256_run *run, const verify_p256_job *job, size_t at);
/* Writes the verdicts that are missing. */
void sm_verify_p256_end_vt(verify_p256_run *run);

#endif
