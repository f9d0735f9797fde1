/* Many hints at once: outputs equal to the single call's, work shared. */
#ifndef SIGMILL_BATCH_HINT_P256_H
#define SIGMILL_BATCH_HINT_P256_H

#include "scheme/ecdsa_p256.h"

/* Hints under way: claims that passed every rule but the equation, packed without gaps.
 */
typedef struct {
  uint8_t *out, *verdicts;
  sigmill_p256_format format; /* a hinted one */
  size_t size;                /* of that format */
  size_t waiting;
  p256_claim claims[LANES_P256_CHUNK];
  size_t at[LANES_P256_CHUNK]; /* where the hint goes */
} hint_p256_run;

/* Starts a run that writes into out, size bytes an item, and verdicts. */
void sm_hint_p256_begin(hint_p256_run *run, uint8_t *out, uint8_t *verdicts,
                        sigmill_p256_format format, size_t size);
/* Takes one more plain signature.  Item `at` of out and verdicts is written now or later:
 * sm_p256_hint_vt's output and 1, or zeros and 0.  What comes in may change afterwards.
 */
void sm_hint_p256_add_vt(hint_p256_run *run, const uint8_t sig[64],
                         const uint8_t digest[32], const p256_point *key, size_t at);
/* Writes what is missing. */
void sm_hint_p256_end_vt(hint_p256_run *run);

#endif
