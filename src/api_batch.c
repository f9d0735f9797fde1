/* The public functions over many items without a secret.  Verdict bytes are always
 * written; a bad item leaves its neighbours alone; the answer is true only if n > 0 and
 * all are good. */
#include "api_verifier.h"
#include "batch/lift_p256.h"
#include "batch/verify_p256.h"

/* One batch, as items or as columns. */
typedef struct {
  sigmill_verifier *verifier;
  uint8_t *verdicts;
  size_t n, unit;
  const sigmill_p256_item *items; /* NULL: columns */
  const uint8_t *sigs, *digests, *keys33;
  sigmill_p256_format format;
} verify_batch;

/* Items from first on, no more than a chunk. */
static void add_items(verify_p256_run *run, const verify_batch *batch, size_t first,
                      size_t count) {
  const sigmill_p256_item *items = batch->items + first;
  sigmill_keycache *cache = NULL;
  p256_point points[LANES_P256_CHUNK];
  const p256_point *keys[LANES_P256_CHUNK];
  uint8_t ordinary[LANES_P256_CHUNK];
  keycache_p256_keys cached;
  for (size_t i = 0; i < count; i++) {
    keys[i] =
        items[i].key != NULL && pubkey_get(&points[i], items[i].key) ? &points[i] : NULL;
    ordinary[i] = sigmill_p256_format_size(items[i].format) == 64;
    if (ordinary[i]) { /* others have no use for what it knows */
      cache = batch->verifier->keycache;
    }
  }
  if (cache != NULL) {
    sm_keycache_points_vt(&cached, cache, keys, ordinary, count);
  }
  for (size_t i = 0; i < count; i++) {
    verify_p256_job job = {.sig = items[i].sig,
                           .digest = items[i].digest,
                           .format = items[i].format,
                           .key = keys[i],
                           .table = cache != NULL ? cached.table[i] : NULL};
    sm_verify_p256_add_vt(run, &job, first + i);
  }
  if (cache != NULL) {
    sm_verify_p256_release_vt(run);
    sm_keycache_release(cache, &cached);
  }
}

/* The same of columns, whose keys are read together. */
static void add_rows(verify_p256_run *run, const verify_batch *batch, size_t first,
                     size_t count) {
  const size_t size = sigmill_p256_format_size(batch->format);
  const uint8_t *keys33 = batch->keys33 + 33 * first;
  sigmill_keycache *cache = batch->verifier->keycache;
  uint8_t ordinary[LANES_P256_CHUNK];
  keycache_p256_keys keys;
  memset(ordinary, size == 64, sizeof ordinary);
  if (cache != NULL) {
    sm_keycache_read33_vt(&keys, cache, keys33, ordinary, count);
  } else {
    sm_read33_p256_vt(keys.point, keys.read, keys33, count);
  }
  for (size_t i = 0; i < count; i++) {
    verify_p256_job job = {.sig = batch->sigs + size * (first + i),
                           .digest = batch->digests + 32 * (first + i),
                           .format = batch->format,
                           .key = keys.read[i] ? &keys.point[i] : NULL,
                           .table = cache != NULL ? keys.table[i] : NULL};
    sm_verify_p256_add_vt(run, &job, first + i);
  }
  if (cache != NULL) {
    sm_verify_p256_release_vt(run);
    sm_keycache_release(cache, &keys);
  }
}

static void verify_range(const verify_batch *batch, size_t first, size_t count) {
  verifier_workspace *workspace = sm_verifier_take(batch->verifier);
  verify_p256_run run;
  sm_verify_p256_begin(&run, batch->verdicts,
                       workspace != NULL ? workspace->equation : NULL,
                       workspace != NULL ? &workspace->state : NULL);
  for (size_t i = 0; i < count; i += LANES_P256_CHUNK) {
    const size_t part = at_most(count - i, LANES_P256_CHUNK);
    if (batch->items != NULL) {
      add_items(&run, batch, first + i, part);
    } else {
      add_rows(&run, batch, first + i, part);
    }
  }
  sm_verify_p256_end_vt(&run);
  sm_verifier_give_back(workspace);
}

static bool has_hints(const verify_batch *batch) {
  if (batch->items == NULL) {
    return sigmill_p256_format_size(batch->format) > 64;
  }
  for (size_t i = 0; i < batch->n; i++) {
    if (sigmill_p256_format_size(batch->items[i].format) > 64) {
      return true;
    }
  }
  return false;
}

/* How many items are a unit of work of parallel_for: a full chunk, so that cutting a
 * batch leaves groups of lanes full; or, with equations, which gain from their size, as
 * many as leave a share for every thread. */
static size_t unit_for(const verify_batch *batch) {
  if (!has_hints(batch)) {
    return LANES_P256_CHUNK;
  }
  const size_t share = (batch->n - 1) / batch->verifier->workspace_count + 1;
  const size_t chunks = (share - 1) / LANES_P256_CHUNK + 1;
  return at_most(chunks * LANES_P256_CHUNK, batch->verifier->capacity);
}

static void verify_unit(void *arg, size_t unit) {
  const verify_batch *batch = arg;
  size_t first = unit * batch->unit;
  verify_range(batch, first, at_most(batch->n - first, batch->unit));
}

static bool run_batch(sigmill_verifier *v, verify_batch *batch) {
  batch->verifier = v;
  for (size_t i = 0; i < v->workspace_count; i++) {
    v->workspaces[i].state.lacked_randomness = false;
  }
  batch->unit = v->parallel_for != NULL ? unit_for(batch) : batch->n;
  const size_t units = (batch->n - 1) / batch->unit + 1;
  if (units > 1) {
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
    return batch_refuse(out, sizeof *out, n);
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
