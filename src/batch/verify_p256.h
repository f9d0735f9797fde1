/* Many ECDSA verifications at once: verdicts equal to the single calls', work shared. */
#ifndef SIGMILL_BATCH_VERIFY_P256_H
#define SIGMILL_BATCH_VERIFY_P256_H

#include "scheme/ecdsa_p256.h"

/* Items whose 1/s are found by one inversion; the unit of work of parallel_for. */
enum { VERIFY_CHUNK = 32 };

/* What one item needs, gathered from wherever the caller keeps it. */
typedef struct {
  const uint8_t *sig, *digest; /* NULL: the item is invalid */
  sigmill_p256_format format;
  p256_point key;
} verify_p256_job;

/* verdicts[i] = 1 if jobs[i] is valid, else 0, for i < count <= VERIFY_CHUNK. */
void sm_verify_p256_chunk_vt(uint8_t *verdicts, const verify_p256_job *jobs,
                             size_t count);

#endif
