/* One key cache and many threads: every answer right, nothing lost, nothing torn; and
 * what a process made by fork has of it. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"
#include "keycache_frame.h"

#include "api_types.h"
#include "batch/plan_p256.h"
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 16, KEYS = 400 };

static uint8_t encodings[KEYS][33];
static p256_point points[KEYS];
static bool good[KEYS];

/* About half of them good; the first one in any case. */
static void make_keys(void) {
  for (size_t i = 0; i < KEYS; i++) {
    do {
      sigmill_p256_pubkey key;
      test_random_bytes(encodings[i], 33);
      encodings[i][0] = 2 | (encodings[i][0] & 1);
      good[i] = sigmill_p256_pubkey_parse(&key, encodings[i], 33) == SIGMILL_OK;
      pubkey_get(&points[i], &key);
    } while (i == 0 && !good[i]);
  }
}

/* A thread's own reproducible numbers. */
static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

typedef struct {
  sigmill_keycache *cache;
  pthread_barrier_t *together;
  uint64_t state;
  int rounds;
  bool same_keys; /* the first ones, in every call, and all threads at once */
  size_t wrong, items, tables;
} worker;

static size_t wrong_answers(const keycache_p256_keys *keys, const size_t *which,
                            size_t count) {
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++) {
    size_t k = which[i];
    wrong += keys->read[i] != good[k];
    wrong += memcmp(&keys->point[i], &points[k], sizeof points[k]) != 0;
    wrong += keys->table[i] != NULL && !is_table_of(keys->table[i], &points[k]);
  }
  return wrong;
}

/* Keys of which the first ones come often. */
static size_t choose(uint64_t *state) {
  size_t most = KEYS >> next_random(state) % 8;
  return next_random(state) % most;
}

static void *work(void *arg) {
  worker *w = arg;
  for (int round = 0; round < w->rounds; round++) {
    keycache_p256_keys keys;
    uint8_t sec1[LANES_P256_CHUNK][33], wanted[LANES_P256_CHUNK] = {0};
    const p256_point *given[LANES_P256_CHUNK] = {NULL};
    size_t which[LANES_P256_CHUNK] = {0};
    bool as_points = !w->same_keys && next_random(&w->state) % 2;
    size_t count =
        w->same_keys ? LANES_P256_CHUNK : next_random(&w->state) % (LANES_P256_CHUNK + 1);
    for (size_t i = 0; i < count; i++) {
      which[i] = w->same_keys ? i : choose(&w->state);
      memcpy(sec1[i], encodings[which[i]], 33);
      given[i] = good[which[i]] ? &points[which[i]] : NULL;
      wanted[i] = w->same_keys || next_random(&w->state) % 4 != 0;
    }
    if (w->same_keys) {
      pthread_barrier_wait(w->together);
    }
    if (as_points) {
      sm_keycache_points_vt(&keys, w->cache, given, wanted, count);
    } else {
      sm_keycache_read33_vt(&keys, w->cache, sec1[0], wanted, count);
    }
    w->wrong += wrong_answers(&keys, which, count);
    sched_yield();
    w->wrong += wrong_answers(&keys, which, count);
    for (size_t i = 0; i < count; i++) {
      w->tables += keys.table[i] != NULL;
    }
    w->items += count;
    sm_keycache_release(w->cache, &keys);
  }
  return NULL;
}

/* Runs the threads; how many items they looked up. */
static size_t run_workers(sigmill_keycache *cache, int rounds, bool same_keys,
                          size_t *tables) {
  static worker workers[THREADS];
  pthread_t ids[THREADS];
  pthread_barrier_t together;
  size_t items = 0;
  pthread_barrier_init(&together, NULL, THREADS);
  for (size_t i = 0; i < THREADS; i++) {
    workers[i] = (worker){.cache = cache,
                          .together = &together,
                          .state = 2 * test_random_u64() + 1,
                          .rounds = rounds,
                          .same_keys = same_keys};
    if (pthread_create(&ids[i], NULL, work, &workers[i]) != 0) {
      abort();
    }
  }
  *tables = 0;
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join(ids[i], NULL);
    EXPECT(workers[i].wrong == 0, "thread %zu: %zu wrong", i, workers[i].wrong);
    items += workers[i].items;
    *tables += workers[i].tables;
  }
  pthread_barrier_destroy(&together);
  return items;
}

static void expect_counted(const sigmill_keycache *cache, size_t items, size_t tables) {
  sigmill_keycache_count counts = counts_of(cache);
  EXPECT(counts.hits + counts.misses == items, "%llu hits, %llu misses, %zu items",
         (unsigned long long)counts.hits, (unsigned long long)counts.misses, items);
  EXPECT(counts.table_hits <= tables, "%llu uses of tables, %zu seen",
         (unsigned long long)counts.table_hits, tables);
}

/* At every limit: keys and tables go while others are in use. */
static void sixteen_threads(void) {
  static const size_t sizes[] = {SIGMILL_KEYCACHE_MIN, 64 << 10, 256 << 10, 4 << 20};
  for (size_t s = 0; s < 4; s++) {
    sigmill_keycache *cache = new_cache(sizes[s], write_tables);
    size_t tables, items = run_workers(cache, test_long() ? 1500 : 60, false, &tables);
    expect_sound(cache, 0, "sixteen threads");
    expect_counted(cache, items, tables);
    sigmill_keycache_count counts = counts_of(cache);
    EXPECT(counts.tables_made > 0 && (s > 0 || counts.evicted_keys > 0),
           "something happened");
    sm_keycache_destroy(cache);
  }
}

/* All miss the same keys at the same time, and make the same tables. */
static void the_same_keys_at_once(void) {
  size_t different = 0;
  for (size_t i = 0; i < LANES_P256_CHUNK; i++) {
    different += good[i];
  }
  for (int run = 0; run < (test_long() ? 100 : 10); run++) {
    sigmill_keycache *cache = new_cache(4 << 20, write_tables);
    size_t tables, items = run_workers(cache, 6, true, &tables);
    sigmill_keycache_count counts = counts_of(cache);
    expect_sound(cache, 0, "the same keys");
    expect_counted(cache, items, tables);
    EXPECT(counts.keys == different && counts.tables <= different &&
               counts.tables + 8 > different,
           "%zu keys and %zu tables of %zu", counts.keys, counts.tables, different);
    sm_keycache_destroy(cache);
  }
}

/* The lock is held for ever in the child, and nobody waits for it. */
static void a_process_made_by_fork(void) {
  sigmill_keycache *cache = new_cache(1 << 20, write_tables);
  const uint8_t ordinary[LANES_P256_CHUNK] = {1, 1, 1, 1};
  size_t which[4] = {0, 1, 2, 3}, wrong = 0;
  keycache_p256_keys keys;
  for (int use = 0; use < PLAN_TABLE_GROUP_USES; use++) {
    sm_keycache_read33_vt(&keys, cache, encodings[0], ordinary, 4);
    sm_keycache_release(cache, &keys);
  }
  EXPECT(counts_of(cache).tables > 0, "tables");
  pthread_mutex_lock(&cache->lock);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    cache->process.id = getpid(); /* as where ids come again */
    sm_keycache_read33_vt(&keys, cache, encodings[0], ordinary, 4);
    wrong += wrong_answers(&keys, which, 4);
    for (size_t i = 0; i < 4; i++) {
      wrong += keys.table[i] != NULL;
    }
    sm_keycache_release(cache, &keys);
    wrong += counts_of(cache).keys == 0;
    sm_keycache_destroy(cache);
    _exit(wrong == 0 ? 0 : 1);
  }
  pthread_mutex_unlock(&cache->lock);
  int status = 1;
  EXPECT(child > 0 && waitpid(child, &status, 0) == child && status == 0, "the child");
  sm_keycache_read33_vt(&keys, cache, encodings[0], ordinary, 4);
  EXPECT(wrong_answers(&keys, which, 4) == 0 && keys.pinned_count > 0, "the parent");
  sm_keycache_release(cache, &keys);
  sm_keycache_destroy(cache);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  make_keys();
  RUN(sixteen_threads);
  RUN(the_same_keys_at_once);
  RUN(a_process_made_by_fork);
  return test_end();
}
