/* Many ECDSA verifications at once: verdicts equal to the single calls', work shared. */
#ifndef SIGMILL_BATCH_VERIFY_P256_H
#define SIGMILL_BATCH_VERIFY_P256_H

#include "batch/settle_p256.h"
#include "scheme/ecdsa_p256.h"

/* What one item needs, gathered from wherever the caller keeps it. */
typedef struct {
  const uint8_t *sig, *digest; /* NULL: the item is invalid */
  sigmill_p256_format format;
  const p256_point *key;
  const p256_key_table *table; /* of key, or NULL; of use to formats without R */
} verify_p256_job;

/* Verifications under way: claims that passed every rule but the equation, packed without
 * gaps, whatever happened to the items between them.  Those whose R is known wait for one
 * equation, if there is memory for it. */
typedef struct {
  uint8_t *verdicts;
  equation_p256 *equation; /* or NULL */
  settle_state *state;
  size_t judging, lifting;
  p256_claim to_judge[LANES_P256_CHUNK];
  size_t judge_at[LANES_P256_CHUNK];    /* where the verdict goes */
  p256_claim to_lift[LANES_P256_CHUNK]; /* lack the y of point */
  size_t lift_at[LANES_P256_CHUNK];
  uint8_t y_odd[LANES_P256_CHUNK];
  size_t knowing;
  p256_claim known[LANES_P256_CHUNK]; /* whose key has a table */
  size_t known_at[LANES_P256_CHUNK];
  const p256_key_table *table[LANES_P256_CHUNK];
} verify_p256_run;

/* Starts a run that writes into verdicts.  equation is empty, or NULL: all are judged one
 * by one; state is its. */
void sm_verify_p256_begin(verify_p256_run *run, uint8_t *verdicts,
                          equation_p256 *equation, settle_state *state);
/* Takes one more item; verdicts[at] is written now or later, 1 for valid, else 0.  What
 * job points to may change afterwards, but for the table: that has to stay until
 * sm_verify_p256_release_vt. */
void sm_verify_p256_add_vt(verify_p256_run *run, const verify_p256_job *job, size_t at);
/* Has no more use for the tables of the items so far. */
void sm_verify_p256_release_vt(verify_p256_run *run);
/* Writes the verdicts that are missing. */
void sm_verify_p256_end_vt(verify_p256_run *run);

#endif
