/* Claims judged one by one, each by its own equation. */
#ifndef SIGMILL_BATCH_JUDGE_P256_H
#define SIGMILL_BATCH_JUDGE_P256_H

#include "scheme/ecdsa_p256.h"

/* verdicts[i] = 1 if claims[i] holds, else 0; count <= LANES_P256_CHUNK.  Points may be
 * off the curve: such a claim does not hold. */
void sm_judge_p256_vt(uint8_t *verdicts, const p256_claim *claims, size_t count);

#endif
