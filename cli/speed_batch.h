/* Rows of `sigmill speed` over many items.  A call of a batch works on as many items as
 * its size; verdicts and results stay in the inputs. */
#ifndef SIGMILL_CLI_SPEED_BATCH_H
#define SIGMILL_CLI_SPEED_BATCH_H

#include "speed.h"

/* Verification, by the row's format, mix and bad items. */
bool speed_run_verify_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_verify_threads(const speed_call *call, size_t i, uint8_t *answer);
/* From messages and the bytes of keys, RECOVERABLE65. */
bool speed_run_bytes_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_hint_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_msm(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_parse_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_sign_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_pair_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_ecdh_batch(const speed_call *call, size_t i, uint8_t *answer);

/* Is each verdict right? */
bool speed_right_batch(const speed_call *call, size_t i, bool said_yes,
                       const uint8_t *answer);
/* The same of a batch with bad items. */
bool speed_right_bad_batch(const speed_call *call, size_t i, bool said_yes,
                           const uint8_t *answer);
/* And each result? */
bool speed_right_hint_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer);
bool speed_right_msm(const speed_call *call, size_t i, bool said_yes,
                     const uint8_t *answer);
bool speed_right_key_batch(const speed_call *call, size_t i, bool said_yes,
                           const uint8_t *answer);
bool speed_right_sign_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer);
bool speed_right_pair_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer);
bool speed_right_ecdh_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer);

/* This library, called in another way, as a peer: on one thread, of the row on several;
 * each signature by an equation of its own, of hinted ones. */
void speed_peer_other_way(speed_peer *peer);

#endif
