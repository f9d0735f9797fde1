/* Batches through a key cache: the reference's verdicts, whatever the cache has room for,
 * on one thread and on sixteen that share it, while keys and tables come and go. */
#include "harness.h"
#include "keycache_frame.h"
#include "scheme/samples.h"

#include <stdlib.h>

enum { ROWS = 200, THREADS = 16 };
static const size_t sizes[] = {SIGMILL_KEYCACHE_MIN, 60000, 1 << 20};

/* A thread's own reproducible numbers. */
static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* One of the samples, of which a few come often; format < FORMAT_COUNT: only of that one.
 */
static const sample *choose(uint64_t *state, size_t format, uint64_t era) {
  const sample *from = next_random(state) % 4 == 0 ? bad : good;
  size_t k = next_random(state) % 8 == 0
                 ? next_random(state) % POOL
                 : (era % 4 * 20 + next_random(state) % 20) % POOL;
  return &from[format < FORMAT_COUNT ? k - k % FORMAT_COUNT + format : k];
}

static sigmill_verifier *verifier_with(sigmill_keycache *cache,
                                       sigmill_threads *threads) {
  sigmill_verifier_options options = {.struct_size = sizeof options, .keycache = cache};
  if (threads != NULL) {
    options.parallel_for = sigmill_parallel_for_threads;
    options.parallel_ctx = threads;
  }
  return new_verifier(&options);
}

/* The same as columns; some keys are made unreadable. */
static size_t wrong_rows(sigmill_verifier *verifier, uint64_t *state, size_t format,
                         uint64_t era) {
  uint8_t sigs[ROWS * 96], digests[ROWS][32], keys[ROWS][33], verdicts[ROWS];
  bool valid[ROWS], all = true;
  size_t size = sigmill_p256_format_size(all_formats[format]), wrong = 0;
  for (size_t i = 0; i < ROWS; i++) {
    const sample *s = choose(state, format, era);
    memcpy(sigs + size * i, s->sig, size);
    memcpy(digests[i], s->digest.be, 32);
    sigmill_p256_pubkey_serialize33(keys[i], &s->key);
    valid[i] = s->valid;
    if (next_random(state) % 32 == 0) {
      keys[i][0] ^= 4;
      valid[i] = false;
    }
    all &= valid[i];
  }
  wrong += sigmill_p256_verify_columns(verifier, verdicts, sigs, all_formats[format],
                                       digests[0], keys[0], ROWS) != all;
  for (size_t i = 0; i < ROWS; i++) {
    wrong += verdicts[i] != valid[i];
  }
  return wrong;
}

static size_t wrong_items(sigmill_verifier *verifier, uint64_t *state, uint64_t era) {
  const sample *samples[ROWS];
  size_t count = next_random(state) % (ROWS + 1);
  for (size_t i = 0; i < count; i++) {
    samples[i] = choose(state, FORMAT_COUNT, era);
  }
  return wrong_verdicts(verifier, samples, count);
}

/* Batches of all kinds; how many verdicts were wrong. */
static size_t run_batches(sigmill_verifier *verifier, uint64_t state, uint64_t batches) {
  size_t wrong = 0;
  for (uint64_t batch = 0; batch < batches; batch++) {
    uint64_t era = batch * 4 / batches;
    wrong += batch % 2 ? wrong_items(verifier, &state, era)
                       : wrong_rows(verifier, &state, batch / 2 % FORMAT_COUNT, era);
  }
  return wrong;
}

static void expect_used(sigmill_keycache *cache, size_t size) {
  sigmill_keycache_count counts = counts_of(cache);
  expect_sound(cache, 0, "after batches");
  EXPECT(counts.hits > counts.misses, "%llu hits, %llu misses",
         (unsigned long long)counts.hits, (unsigned long long)counts.misses);
  EXPECT((counts.table_hits > 0) == (sm_backend()->lanes != NULL), "%llu uses of a table",
         (unsigned long long)counts.table_hits);
  EXPECT(size > SIGMILL_KEYCACHE_MIN || sm_backend()->lanes == NULL ||
             counts.evicted_keys > 0,
         "nothing was thrown out");
}

static void batches_on_one_thread(void) {
  for (size_t s = 0; s < 3; s++) {
    sigmill_keycache *cache = NULL;
    if (!EXPECT(sigmill_keycache_create(&cache, sizes[s]) == SIGMILL_OK, "a cache")) {
      return;
    }
    sigmill_verifier *verifier = verifier_with(cache, NULL);
    size_t wrong =
        run_batches(verifier, 2 * test_random_u64() + 1, test_long() ? 200 : 16);
    EXPECT(wrong == 0, "%zu bytes: %zu wrong", sizes[s], wrong);
    expect_used(cache, sizes[s]);
    sigmill_verifier_destroy(verifier);
    sigmill_keycache_destroy(cache);
  }
}

typedef struct {
  sigmill_keycache *cache;
  sigmill_threads *threads;
  uint64_t state;
  size_t wrong;
} worker;

static void *work(void *arg) {
  worker *w = arg;
  sigmill_verifier *verifier = verifier_with(w->cache, w->threads);
  w->wrong = run_batches(verifier, w->state, test_long() ? 40 : 2);
  sigmill_verifier_destroy(verifier);
  return NULL;
}

/* A quarter of them over a pool. */
static void batches_on_sixteen_threads(void) {
  for (size_t s = 0; s < 3; s++) {
    worker workers[THREADS];
    pthread_t ids[THREADS];
    sigmill_keycache *cache = NULL;
    sigmill_threads *threads = NULL;
    if (!EXPECT(sigmill_keycache_create(&cache, sizes[s]) == SIGMILL_OK &&
                    sigmill_threads_create(&threads, 3) == SIGMILL_OK,
                "a cache and threads")) {
      return;
    }
    for (size_t i = 0; i < THREADS; i++) {
      workers[i] = (worker){.cache = cache,
                            .threads = i % 4 == 0 ? threads : NULL,
                            .state = 2 * test_random_u64() + 1};
      if (pthread_create(&ids[i], NULL, work, &workers[i]) != 0) {
        abort();
      }
    }
    for (size_t i = 0; i < THREADS; i++) {
      pthread_join(ids[i], NULL);
      EXPECT(workers[i].wrong == 0, "%zu bytes, thread %zu: %zu wrong", sizes[s], i,
             workers[i].wrong);
    }
    expect_used(cache, sizes[s]);
    sigmill_threads_destroy(threads);
    sigmill_keycache_destroy(cache);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  make_samples();
  RUN(batches_on_one_thread);
  RUN(batches_on_sixteen_threads);
  ref_end();
  return test_end();
}
