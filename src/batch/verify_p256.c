/* A chunk of verifications that share one inversion mod n (Montgomery's trick). */
#include "batch/verify_p256.h"

#include "base/check.h"
#include "scalar/sc_p256.h"

void sm_verify_p256_chunk_vt(uint8_t *verdicts, const verify_p256_job *jobs,
                             size_t count) {
  p256_sig sigs[VERIFY_CHUNK];
  u256 s[VERIFY_CHUNK] = {{{0}}}, w[VERIFY_CHUNK];
  CHECK(count <= VERIFY_CHUNK);

  for (size_t i = 0; i < count; i++) {
    verdicts[i] =
        jobs[i].sig != NULL && jobs[i].digest != NULL &&
        sm_p256_sig_read_vt(&sigs[i], jobs[i].sig, jobs[i].format) == SIGMILL_OK;
    if (verdicts[i]) {
      s[i] = sigs[i].s;
    }
  }
  sm_sc_p256_inv_batch_vt(w, s, count);
  for (size_t i = 0; i < count; i++) {
    if (verdicts[i]) {
      u256 digest;
      u256_from_be(&digest, jobs[i].digest);
      verdicts[i] = sm_p256_sig_holds_vt(&sigs[i], &w[i], &digest, &jobs[i].key);
    }
  }
}
