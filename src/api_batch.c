/* The public functions over many items.  Verdict bytes are always written; a bad item
 * leaves its neighbours alone; the answer is true only if n > 0 and all are good. */
#include "api_types.h"
#include "batch/verify_p256.h"

#include <stdlib.h>

struct sigmill_verifier {
  sigmill_parallel_for parallel_for;
  void *parallel_ctx;
};

sigmill_status sigmill_verifier_create(sigmill_verifier **out,
                                       const sigmill_verifier_options *options_or_null) {
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  *out = NULL;
  if (options_or_null != NULL &&
      options_or_null->struct_size != sizeof(sigmill_verifier_options)) {
    return SIGMILL_ERR_ARGUMENT;
  }
  sigmill_verifier *v = calloc(1, sizeof *v);
  if (v == NULL) {
    return SIGMILL_ERR_MEMORY;
  }
  if (options_or_null != NULL) {
    v->parallel_for = options_or_null->parallel_for;
    v->parallel_ctx = options_or_null->parallel_ctx;
  }
  *out = v;
  return SIGMILL_OK;
}

void sigmill_verifier_destroy(sigmill_verifier *v) {
  free(v);
}

/* One batch, as items or as columns, cut into chunks. */
typedef struct {
  uint8_t *verdicts;
  size_t n;
  const sigmill_p256_item *items; /* NULL: columns */
  const uint8_t *sigs, *digests, *keys33;
  sigmill_p256_format format;
} verify_batch;

static verify_p256_job job_of_item(const sigmill_p256_item *item) {
  verify_p256_job job = {.digest = item->digest, .format = item->format};
  if (item->key != NULL && pubkey_get(&job.key, item->key)) {
    job.sig = item->sig;
  }
  return job;
}

static verify_p256_job job_of_row(const verify_batch *batch, size_t i) {
  verify_p256_job job = {.digest = batch->digests + 32 * i, .format = batch->format};
  sigmill_p256_pubkey key;
  if (sigmill_p256_pubkey_parse(&key, batch->keys33 + 33 * i, 33) == SIGMILL_OK &&
      pubkey_get(&job.key, &key)) {
    job.sig = batch->sigs + sigmill_p256_format_size(batch->format) * i;
  }
  return job;
}

static void verify_chunk(void *arg, size_t chunk) {
  const verify_batch *batch = arg;
  verify_p256_job jobs[VERIFY_CHUNK];
  size_t first = chunk * VERIFY_CHUNK;
  size_t count = batch->n - first < VERIFY_CHUNK ? batch->n - first : VERIFY_CHUNK;
  for (size_t i = 0; i < count; i++) {
    jobs[i] = batch->items != NULL ? job_of_item(&batch->items[first + i])
                                   : job_of_row(batch, first + i);
  }
  sm_verify_p256_chunk_vt(batch->verdicts + first, jobs, count);
}

static bool all_ones(const uint8_t *verdicts, size_t n) {
  uint8_t all = 1;
  for (size_t i = 0; i < n; i++) {
    all &= verdicts[i];
  }
  return n > 0 && all == 1;
}

/* Sets all verdicts to 0; false if there is nothing to do or something is missing. */
static bool begin(uint8_t *verdicts, size_t n, bool all_given) {
  if (n == 0 || verdicts == NULL) {
    return false;
  }
  memset(verdicts, 0, n);
  return all_given;
}

static bool run_batch(sigmill_verifier *v, verify_batch *batch) {
  size_t chunks = batch->n / VERIFY_CHUNK + (batch->n % VERIFY_CHUNK != 0);
  if (v->parallel_for != NULL && chunks > 1) {
    v->parallel_for(v->parallel_ctx, chunks, verify_chunk, batch);
  } else {
    for (size_t i = 0; i < chunks; i++) {
      verify_chunk(batch, i);
    }
  }
  return all_ones(batch->verdicts, batch->n);
}

bool sigmill_p256_verify_batch(sigmill_verifier *v, uint8_t *verdicts,
                               const sigmill_p256_item *items, size_t n) {
  if (!begin(verdicts, n, v != NULL && items != NULL)) {
    return false;
  }
  verify_batch batch = {.verdicts = verdicts, .n = n, .items = items};
  return run_batch(v, &batch);
}

bool sigmill_p256_verify_columns(sigmill_verifier *v, uint8_t *verdicts,
                                 const uint8_t *sigs, sigmill_p256_format format,
                                 const uint8_t *digests, const uint8_t *keys33,
                                 size_t n) {
  if (!begin(verdicts, n,
             v != NULL && sigs != NULL && digests != NULL && keys33 != NULL)) {
    return false;
  }
  verify_batch batch = {.verdicts = verdicts,
                        .n = n,
                        .sigs = sigs,
                        .digests = digests,
                        .keys33 = keys33,
                        .format = format};
  return run_batch(v, &batch);
}

/* ------------------------------------------- the same call for each item */

bool sigmill_p256_pubkey_parse_batch(sigmill_p256_pubkey *out, uint8_t *verdicts,
                                     const uint8_t (*compressed)[33], size_t n) {
  if (!begin(verdicts, n, out != NULL && compressed != NULL)) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    verdicts[i] = sigmill_p256_pubkey_parse(&out[i], compressed[i], 33) == SIGMILL_OK;
  }
  return all_ones(verdicts, n);
}

bool sigmill_p256_keypair_batch(sigmill_p256_keypair *out, uint8_t *verdicts,
                                const uint8_t (*secrets)[32], size_t n) {
  if (!begin(verdicts, n, out != NULL && secrets != NULL)) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    verdicts[i] = sigmill_p256_keypair_from_secret(&out[i], secrets[i]) == SIGMILL_OK;
  }
  return all_ones(verdicts, n);
}

bool sigmill_p256_sign_batch(uint8_t (*sigs)[64], uint8_t *verdicts,
                             const uint8_t (*digests)[32],
                             const sigmill_p256_keypair *const *keys, size_t n) {
  if (!begin(verdicts, n, sigs != NULL && digests != NULL && keys != NULL)) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    verdicts[i] = sigmill_p256_sign(sigs[i], digests[i], keys[i]) == SIGMILL_OK;
  }
  return all_ones(verdicts, n);
}

bool sigmill_p256_ecdh_batch(uint8_t (*out)[32], uint8_t *verdicts,
                             const sigmill_p256_keypair *const *keys,
                             const sigmill_p256_pubkey *const *peers, size_t n) {
  if (!begin(verdicts, n, out != NULL && keys != NULL && peers != NULL)) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    verdicts[i] = sigmill_p256_ecdh(out[i], keys[i], peers[i]) == SIGMILL_OK;
  }
  return all_ones(verdicts, n);
}

bool sigmill_p256_hint_batch(uint8_t *out, sigmill_p256_format format, uint8_t *verdicts,
                             const sigmill_p256_item *items, size_t n) {
  size_t size = sigmill_p256_format_size(format);
  if (!begin(verdicts, n, out != NULL && items != NULL)) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    const sigmill_p256_item *item = &items[i];
    if (item->format == SIGMILL_P256_SIG64) {
      verdicts[i] = sigmill_p256_hint(out + size * i, format, item->sig, item->digest,
                                      item->key) == SIGMILL_OK;
    } else {
      memset(out + size * i, 0, size);
    }
  }
  return all_ones(verdicts, n);
}
