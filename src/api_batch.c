/* The public functions over many items without a secret.  Verdict bytes are always
 * written; a bad item leaves its neighbours alone; the answer is true only if n > 0 and
 * all are good. */
#include "api_types.h"
#include "batch/lift_p256.h"
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

/* One batch, as items or as columns. */
typedef struct {
  uint8_t *verdicts;
  size_t n;
  const sigmill_p256_item *items; /* NULL: columns */
  const uint8_t *sigs, *digests, *keys33;
  sigmill_p256_format format;
} verify_batch;

static void add_item(verify_p256_run *run, const verify_batch *batch, size_t i) {
  const sigmill_p256_item *item = &batch->items[i];
  p256_point key;
  verify_p256_job job = {
      .sig = item->sig, .digest = item->digest, .format = item->format};
  if (item->key != NULL && pubkey_get(&key, item->key)) {
    job.key = &key;
  }
  sm_verify_p256_add_vt(run, &job, i);
}

/* The rows from first on, no more than a chunk, whose keys are read together. */
static void add_rows(verify_p256_run *run, const verify_batch *batch, size_t first,
                     size_t count) {
  size_t size = sigmill_p256_format_size(batch->format);
  p256_point keys[LANES_P256_CHUNK];
  uint8_t read[LANES_P256_CHUNK];
  sm_read33_p256_vt(keys, read, batch->keys33 + 33 * first, count);
  for (size_t i = 0; i < count; i++) {
    verify_p256_job job = {.sig = batch->sigs + size * (first + i),
                           .digest = batch->digests + 32 * (first + i),
                           .format = batch->format,
                           .key = read[i] ? &keys[i] : NULL};
    sm_verify_p256_add_vt(run, &job, first + i);
  }
}

static void verify_range(const verify_batch *batch, size_t first, size_t count) {
  verify_p256_run run;
  sm_verify_p256_begin(&run, batch->verdicts);
  if (batch->items != NULL) {
    for (size_t i = 0; i < count; i++) {
      add_item(&run, batch, first + i);
    }
  } else {
    for (size_t i = 0; i < count; i += LANES_P256_CHUNK) {
      add_rows(&run, batch, first + i, at_most(count - i, LANES_P256_CHUNK));
    }
  }
  sm_verify_p256_end_vt(&run);
}

/* The unit of work of parallel_for: full chunks, so that cutting a batch leaves groups of
 * lanes full. */
enum { VERIFY_UNIT = LANES_P256_CHUNK };

static void verify_unit(void *arg, size_t unit) {
  const verify_batch *batch = arg;
  size_t first = unit * VERIFY_UNIT;
  verify_range(batch, first, at_most(batch->n - first, VERIFY_UNIT));
}

static bool run_batch(sigmill_verifier *v, verify_batch *batch) {
  size_t units = batch->n / VERIFY_UNIT + (batch->n % VERIFY_UNIT != 0);
  if (v->parallel_for != NULL && units > 1) {
    v->parallel_for(v->parallel_ctx, units, verify_unit, batch);
  } else {
    verify_range(batch, 0, batch->n);
  }
  return batch_end(batch->verdicts, batch->n);
}

bool sigmill_p256_verify_batch(sigmill_verifier *v, uint8_t *verdicts,
                               const sigmill_p256_item *items, size_t n) {
  if (!batch_begin(verdicts, n, v != NULL && items != NULL)) {
    return false;
  }
  verify_batch batch = {.verdicts = verdicts, .n = n, .items = items};
  return run_batch(v, &batch);
}

bool sigmill_p256_verify_columns(sigmill_verifier *v, uint8_t *verdicts,
                                 const uint8_t *sigs, sigmill_p256_format format,
                                 const uint8_t *digests, const uint8_t *keys33,
                                 size_t n) {
  if (!batch_begin(verdicts, n,
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

/* ---------------------------------------------------------------- keys and hints */

bool sigmill_p256_pubkey_parse_batch(sigmill_p256_pubkey *out, uint8_t *verdicts,
                                     const uint8_t (*compressed)[33], size_t n) {
  if (!batch_begin(verdicts, n, out != NULL && compressed != NULL)) {
    return false;
  }
  p256_point points[LANES_P256_CHUNK];
  for (size_t first = 0; first < n; first += LANES_P256_CHUNK) {
    size_t count = at_most(n - first, LANES_P256_CHUNK);
    sm_read33_p256_vt(points, verdicts + first, compressed[first], count);
    for (size_t i = 0; i < count; i++) {
      memset(&out[first + i], 0, sizeof *out);
      if (verdicts[first + i]) {
        pubkey_set(&out[first + i], &points[i]);
      }
    }
  }
  return batch_end(verdicts, n);
}

bool sigmill_p256_hint_batch(uint8_t *out, sigmill_p256_format format, uint8_t *verdicts,
                             const sigmill_p256_item *items, size_t n) {
  size_t size = sigmill_p256_format_size(format);
  if (!batch_begin(verdicts, n, out != NULL && items != NULL)) {
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
  return batch_end(verdicts, n);
}
