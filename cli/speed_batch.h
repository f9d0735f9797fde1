/* Rows of `sigmill speed` over many items.  A call of a batch works on as many items as
 * its size; verdicts and results stay in the inputs. */
#ifndef SIGMILL_CLI_SPEED_BATCH_H
#define SIGMILL_CLI_SPEED_BATCH_H

#include "speed.h"

bool speed_run_verify_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_recoverable_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_compressed_r_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_full_r_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_verify_threads(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_parse_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_sign_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_pair_batch(const speed_call *call, size_t i, uint8_t *answer);
bool speed_run_ecdh_batch(const speed_call *call, size_t i, uint8_t *answer);

/* Is each verdict right? */
bool speed_right_batch(const speed_call *call, size_t i, bool said_yes,
                       const uint8_t *answer);
/* And each result? */
bool speed_right_key_batch(const speed_call *call, size_t i, bool said_yes,
                           const uint8_t *answer);
bool speed_right_sign_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer);
bool speed_right_pair_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer);
bool speed_right_ecdh_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer);

/* This library on one thread, as a peer of the row on several. */
void speed_peer_one_thread(speed_peer *peer);

#endif
