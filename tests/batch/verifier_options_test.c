/* Protects the options of a verifier: those out of range are refused, and whatever the
 * others are, verdicts are right: at the limits of a batch, with too little randomness,
 * too little memory, or more bodies at once than there is memory for. */
#include "harness.h"
#include "scheme/samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1100, HONEST = 128, BAD = 30 };

static sample honest[HONEST], spoilt[BAD]; /* in hinted formats, which stand in turn */

static void make_pools(void) {
  for (size_t i = 0; i < HONEST; i++) {
    honest[i] = sample_off_by(ref_small(0), ref_random_scalar(), ref_random_scalar(),
                              hinted_formats[i % 3]);
  }
  for (size_t i = 0; i < BAD; i++) {
    spoilt[i] = sample_off_by(ref_random_scalar(), ref_random_scalar(),
                              ref_random_scalar(), hinted_formats[i % 3]);
  }
}

/* n valid samples, of which those at the places given are spoilt, and every seventh is a
 * plain one if mixed. */
static void lay(const sample **row, size_t n, bool mixed, const size_t *at,
                size_t count) {
  for (size_t i = 0; i < n; i++) {
    row[i] = mixed && i % 7 == 3 ? &good[i / 7 * FORMAT_COUNT % POOL]
                                 : &honest[(i + n) % HONEST];
  }
  for (size_t i = 0; i < count; i++) {
    if (at[i] < n) {
      row[at[i]] = &spoilt[(at[i] + i) % BAD];
    }
  }
}

/* Batches of n: all valid, and spoilt at each of a few places. */
static void expect_right(sigmill_verifier *verifier, size_t n, const char *what) {
  const sample *row[MOST] = {NULL};
  const size_t places[] = {0, n / 2, n - 1, 31, 32, 63, 64};
  for (size_t k = 0; k < 4; k++) {
    lay(row, n, k % 2 == 1, places, k == 0 ? 0 : 2 * k + 1);
    const size_t wrong = wrong_verdicts(verifier, row, n);
    EXPECT(wrong == 0, "%s, n = %zu, spoilt %zu: %zu wrong", what, n, k, wrong);
  }
}

static sigmill_status status_of(const sigmill_verifier_options *options) {
  static int nothing;
  sigmill_verifier *verifier = (sigmill_verifier *)(void *)&nothing;
  const sigmill_status status = sigmill_verifier_create(&verifier, options);
  EXPECT((verifier == NULL) == (status != SIGMILL_OK), "status %d, and a verifier",
         status);
  if (status == SIGMILL_OK) {
    sigmill_verifier_destroy(verifier);
  }
  return status;
}

/* ---------------------------------------------------------------- ranges */

static void options_out_of_range(void) {
  static const int numbers[] = {-1, 3, 4, 100};
  sigmill_verifier_options o = {.struct_size = sizeof o};
  EXPECT(sigmill_verifier_create(NULL, NULL) == SIGMILL_ERR_ARGUMENT, "nowhere");
  EXPECT(status_of(NULL) == SIGMILL_OK && status_of(&o) == SIGMILL_OK, "defaults");
  static const size_t sizes[] = {0, 1, sizeof o - 1, sizeof o + 1, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    o.struct_size = sizes[i];
    EXPECT(status_of(&o) == SIGMILL_ERR_ARGUMENT, "size %zu", sizes[i]);
  }
  o.struct_size = sizeof o;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    memcpy(&o.plan, &numbers[i], sizeof o.plan);
    EXPECT(status_of(&o) == SIGMILL_ERR_ARGUMENT, "plan %d", numbers[i]);
    o.plan = SIGMILL_PLAN_AUTO;
    memcpy(&o.hedging, &numbers[i], sizeof o.hedging);
    EXPECT(status_of(&o) == SIGMILL_ERR_ARGUMENT, "hedging %d", numbers[i]);
    o.hedging = SIGMILL_HEDGING_DEFAULT;
  }
  static const size_t batches[] = {SIGMILL_BATCH_MAX + 1, (size_t)1 << 32, SIZE_MAX};
  for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
    o.max_batch = batches[i];
    EXPECT(status_of(&o) == SIGMILL_ERR_ARGUMENT, "max_batch %zu", batches[i]);
  }
  o.max_batch = 0;
  o.concurrency = 1025;
  EXPECT(status_of(&o) == SIGMILL_ERR_ARGUMENT, "concurrency 1025");
  o.concurrency = UINT32_MAX;
  EXPECT(status_of(&o) == SIGMILL_ERR_ARGUMENT, "concurrency 2^32 - 1");
  o.concurrency = 1024; /* without a parallel_for there is nothing to do at once */
  EXPECT(status_of(&o) == SIGMILL_OK, "concurrency 1024");
}

static void status_of_nothing(void) {
  EXPECT(sigmill_verifier_status(NULL) == SIGMILL_ERR_ARGUMENT, "NULL");
  sigmill_verifier *verifier = new_verifier(NULL);
  EXPECT(sigmill_verifier_status(verifier) == SIGMILL_OK, "before the first batch");
  sigmill_verifier_destroy(verifier);
}

/* ---------------------------------------------------------------- sizes of a batch */

static const sigmill_plan PLANS[] = {SIGMILL_PLAN_AUTO, SIGMILL_PLAN_EACH,
                                     SIGMILL_PLAN_EQUATION};

static bool is_slow(void) {
  return strstr(sigmill_backend_name(), "ifma") == NULL && !test_long();
}

static void around_the_largest_batch(void) {
  static const size_t limits[] = {1, 2, 31, 32, 33, 63, 64, 65, 100, 128, 300};
  for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
    for (int plan = 0; plan < 3; plan++) {
      const size_t limit = limits[k];
      const sigmill_verifier_options o = {
          .struct_size = sizeof o, .max_batch = limit, .plan = PLANS[plan]};
      sigmill_verifier *verifier = new_verifier(&o);
      const size_t sizes[] = {limit - 1,     limit,         limit + 1,
                              2 * limit - 1, 2 * limit + 1, 3 * limit};
      for (size_t i = is_slow() ? 1 : 0; i < 6; i += is_slow() ? 3 : 1) {
        if (sizes[i] > 0) {
          expect_right(verifier, sizes[i], "around the limit");
        }
      }
      expect_right(verifier, 1, "one");
      sigmill_verifier_destroy(verifier);
    }
  }
}

static void largest_batches(void) {
  const sigmill_verifier_options most = {.struct_size = sizeof most,
                                         .max_batch = SIGMILL_BATCH_MAX,
                                         .plan = SIGMILL_PLAN_EQUATION};
  sigmill_verifier *verifier = new_verifier(&most);
  expect_right(verifier, 70, "the largest limit");
  sigmill_verifier_destroy(verifier);
  verifier = new_verifier(NULL);
  static const size_t sizes[] = {1023, 1024, 1025};
  for (size_t i = is_slow() ? 2 : 0; i < 3; i++) {
    expect_right(verifier, sizes[i], "around the usual limit");
  }
  sigmill_verifier_destroy(verifier);
}

static void every_latency(void) {
  static const unsigned latencies[] = {
      1, 10, 100, 191, 192, 193, 1000, 429496730, UINT32_MAX / 10, UINT32_MAX};
  for (size_t k = 0; k < sizeof latencies / sizeof latencies[0]; k++) {
    const sigmill_verifier_options o = {.struct_size = sizeof o,
                                        .max_latency_us = latencies[k],
                                        .plan = SIGMILL_PLAN_EQUATION};
    sigmill_verifier *verifier = new_verifier(&o);
    expect_right(verifier, 70, "a bound on latency");
    sigmill_verifier_destroy(verifier);
  }
}

/* ---------------------------------------------------------------- sources */

/* A source that fails at the calls whose bits are set, and remembers what it gave. */
typedef struct {
  uint64_t failing;
  size_t calls;
  size_t wrong_lengths;
} source;

static bool draw_from(void *ctx, uint8_t *out, size_t len) {
  source *s = ctx;
  const size_t call = s->calls++;
  s->wrong_lengths += len != 32;
  test_random_bytes(out, len);
  return (s->failing >> call % 64 & 1) == 0;
}

static void sources_that_fail(void) {
  enum { LIMIT = 64 };
  static const uint64_t failing[] = {0, 1, 2, 4, 5, UINT64_MAX, UINT64_MAX - 1};
  for (size_t k = 0; k < sizeof failing / sizeof failing[0]; k++) {
    source s = {.failing = failing[k]};
    const sigmill_verifier_options o = {.struct_size = sizeof o,
                                        .max_batch = LIMIT,
                                        .plan = SIGMILL_PLAN_EQUATION,
                                        .random = draw_from,
                                        .random_ctx = &s};
    sigmill_verifier *verifier = new_verifier(&o);
    for (size_t n = 1; n <= 4 * LIMIT; n += 51) {
      const size_t equations = (n + LIMIT - 1) / LIMIT;
      const sample *row[MOST] = {NULL};
      const size_t at[] = {n / 3, n - 1};
      bool failed = false;
      for (size_t spoilt_count = 0; spoilt_count < 3; spoilt_count++) {
        s.calls = 0;
        lay(row, n, false, at, spoilt_count);
        EXPECT(wrong_verdicts(verifier, row, n) == 0, "source %zu, n = %zu", k, n);
        EXPECT(s.calls >= equations && s.calls <= 2 * equations && s.wrong_lengths == 0,
               "n = %zu: %zu draws for %zu equations", n, s.calls, equations);
        failed = (failing[k] & ((UINT64_C(1) << s.calls) - 1)) != 0;
        EXPECT(sigmill_verifier_status(verifier) ==
                   (failed ? SIGMILL_ERR_RANDOM : SIGMILL_OK),
               "source %zu, n = %zu: status %d", k, n, sigmill_verifier_status(verifier));
      }
      /* A batch that needs no randomness is none that lacks it. */
      const sample *plain[] = {&good[0]};
      EXPECT(wrong_verdicts(verifier, plain, 1) == 0, "a plain one");
      EXPECT(sigmill_verifier_status(verifier) == SIGMILL_OK, "the status stays");
    }
    sigmill_verifier_destroy(verifier);
  }
}

/* Randomness is drawn where there is an equation, and nowhere else. */
static void who_draws(void) {
  source s = {.failing = UINT64_MAX};
  sigmill_verifier_options o = {.struct_size = sizeof o,
                                .plan = SIGMILL_PLAN_EACH,
                                .random = draw_from,
                                .random_ctx = &s};
  sigmill_verifier *verifier = new_verifier(&o);
  expect_right(verifier, 300, "each by itself");
  EXPECT(s.calls == 0 && sigmill_verifier_status(verifier) == SIGMILL_OK, "each: %zu",
         s.calls);
  sigmill_verifier_destroy(verifier);

  o.plan = SIGMILL_PLAN_AUTO;
  verifier = new_verifier(&o);
  expect_right(verifier, 1, "one");
  EXPECT(s.calls == 0 && sigmill_verifier_status(verifier) == SIGMILL_OK, "one: %zu",
         s.calls);
  const sample *row[MOST] = {NULL};
  lay(row, 300, false, NULL, 0);
  EXPECT(wrong_verdicts(verifier, row, 300) == 0, "whatever is cheapest");
  EXPECT(s.calls == 1 && sigmill_verifier_status(verifier) == SIGMILL_ERR_RANDOM,
         "whatever is cheapest: %zu", s.calls);
  sigmill_verifier_destroy(verifier);
}

/* The operating system's source. */
static atomic_bool system_fails;
bool __real_sm_random_bytes(void *out, size_t len);
bool __wrap_sm_random_bytes(void *out, size_t len);
bool __wrap_sm_random_bytes(void *out, size_t len) {
  if (atomic_load(&system_fails)) {
    memset(out, 0, len);
    return false;
  }
  return __real_sm_random_bytes(out, len);
}

static void the_system_s_source_fails(void) {
  const sigmill_verifier_options o = {.struct_size = sizeof o,
                                      .plan = SIGMILL_PLAN_EQUATION};
  sigmill_verifier *verifier = new_verifier(&o);
  for (int run = 0; run < 4; run++) {
    const bool fails = run % 2 == 0;
    atomic_store(&system_fails, fails);
    expect_right(verifier, 100, "the system's source");
    EXPECT(sigmill_verifier_status(verifier) == (fails ? SIGMILL_ERR_RANDOM : SIGMILL_OK),
           "run %d", run);
  }
  sigmill_verifier_destroy(verifier);
}

/* Who brings a source of his own needs none of the system's. */
static void without_the_system_s_source(void) {
  source s = {.failing = 0};
  const sigmill_verifier_options o = {.struct_size = sizeof o,
                                      .plan = SIGMILL_PLAN_EQUATION,
                                      .random = draw_from,
                                      .random_ctx = &s};
  sigmill_verifier *verifier = new_verifier(&o);
  atomic_store(&system_fails, true);
  expect_right(verifier, 100, "a source of one's own");
  EXPECT(sigmill_verifier_status(verifier) == SIGMILL_OK, "the system was asked");
  atomic_store(&system_fails, false);
  sigmill_verifier_destroy(verifier);
}

/* ---------------------------------------------------------------- several bodies */

/* A parallel_for over as many threads as ctx says, or on this one from the last index to
 * the first. */
typedef struct {
  atomic_size_t next;
  size_t n;
  void (*body)(void *arg, size_t i);
  void *arg;
} loop;

static void *run_loop(void *ctx) {
  loop *l = ctx;
  for (size_t i = atomic_fetch_add(&l->next, 1); i < l->n;
       i = atomic_fetch_add(&l->next, 1)) {
    l->body(l->arg, i);
  }
  return NULL;
}

static void threads_for(void *ctx, size_t n, void (*body)(void *arg, size_t i),
                        void *arg) {
  enum { THREADS_MOST = 16 };
  const size_t count = *(const size_t *)ctx;
  loop l = {.n = n, .body = body, .arg = arg};
  pthread_t ids[THREADS_MOST];
  atomic_init(&l.next, 0);
  for (size_t i = 0; i < count; i++) {
    if (pthread_create(&ids[i], NULL, run_loop, &l) != 0) {
      abort();
    }
  }
  for (size_t i = 0; i < count; i++) {
    pthread_join(ids[i], NULL);
  }
}

static void backwards_for(void *ctx, size_t n, void (*body)(void *arg, size_t i),
                          void *arg) {
  (void)ctx;
  for (size_t i = n; i > 0; i--) {
    body(arg, i - 1);
  }
}

static void expect_right_in_parallel(const sigmill_verifier_options *o,
                                     const char *what) {
  static const size_t sizes[] = {1, 64, 65, 130, 257, 600};
  sigmill_verifier *verifier = new_verifier(o);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    if (!is_slow() || sizes[i] < 200) {
      expect_right(verifier, sizes[i], what);
    }
  }
  EXPECT(sigmill_verifier_status(verifier) == SIGMILL_OK, "%s: status", what);
  sigmill_verifier_destroy(verifier);
}

/* Fewer workspaces than bodies, as many, and more. */
static void bodies_and_workspaces(void) {
  static const unsigned concurrency[] = {0, 1, 2, 4, 9};
  static size_t threads[] = {1, 2, 4, 8};
  for (size_t c = 0; c < sizeof concurrency / sizeof concurrency[0]; c++) {
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
      const sigmill_verifier_options o = {.struct_size = sizeof o,
                                          .parallel_for = threads_for,
                                          .parallel_ctx = &threads[t],
                                          .concurrency = concurrency[c],
                                          .max_batch = 64 + 64 * c,
                                          .plan = PLANS[(c + t) % 2 * 2]};
      expect_right_in_parallel(&o, "threads of one's own");
    }
  }
}

static void bodies_in_another_order(void) {
  for (int plan = 0; plan < 3; plan++) {
    const sigmill_verifier_options o = {.struct_size = sizeof o,
                                        .parallel_for = backwards_for,
                                        .plan = PLANS[plan],
                                        .max_batch = 100};
    expect_right_in_parallel(&o, "backwards");
  }
}

static void pools_of_threads(void) {
  for (unsigned count = 1; count <= 4; count += 3) {
    sigmill_threads *threads = NULL;
    if (sigmill_threads_create(&threads, count) != SIGMILL_OK) {
      abort();
    }
    for (unsigned concurrency = 0; concurrency <= 8; concurrency += 4) {
      const sigmill_verifier_options o = {.struct_size = sizeof o,
                                          .parallel_for = sigmill_parallel_for_threads,
                                          .parallel_ctx = threads,
                                          .concurrency = concurrency,
                                          .plan = SIGMILL_PLAN_EQUATION};
      expect_right_in_parallel(&o, "a pool");
    }
    sigmill_threads_destroy(threads);
  }
}

/* A source whose first draws wait for each other, so that as many bodies have a workspace
 * each. */
enum { BODIES = 4 };
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t all_there;
  source from;
} meeting_source;

static bool draw_together(void *ctx, uint8_t *out, size_t len) {
  meeting_source *m = ctx;
  pthread_mutex_lock(&m->lock);
  const bool drawn = draw_from(&m->from, out, len);
  if (m->from.calls == BODIES) {
    pthread_cond_broadcast(&m->all_there);
  }
  while (m->from.calls < BODIES) {
    pthread_cond_wait(&m->all_there, &m->lock);
  }
  pthread_mutex_unlock(&m->lock);
  return drawn;
}

/* Whichever of several bodies lacks randomness, the status says so. */
static void bodies_without_randomness(void) {
  static size_t threads = BODIES;
  for (int run = 0; run < 3 * BODIES; run++) {
    meeting_source m = {.lock = PTHREAD_MUTEX_INITIALIZER,
                        .all_there = PTHREAD_COND_INITIALIZER,
                        .from = {.failing = UINT64_C(1) << run % BODIES}};
    const sigmill_verifier_options o = {.struct_size = sizeof o,
                                        .parallel_for = threads_for,
                                        .parallel_ctx = &threads,
                                        .concurrency = BODIES,
                                        .max_batch = 64,
                                        .plan = SIGMILL_PLAN_EQUATION,
                                        .random = draw_together,
                                        .random_ctx = &m};
    sigmill_verifier *verifier = new_verifier(&o);
    const sample *row[MOST] = {NULL};
    const size_t at[] = {100};
    lay(row, 64 * BODIES, false, at, 1);
    EXPECT(wrong_verdicts(verifier, row, 64 * BODIES) == 0, "verdicts");
    EXPECT(sigmill_verifier_status(verifier) == SIGMILL_ERR_RANDOM, "draw %d of %zu",
           run % BODIES, m.from.calls);
    EXPECT(wrong_verdicts(verifier, row, 64 * BODIES) == 0, "verdicts");
    EXPECT(m.from.calls >= 2 * BODIES && sigmill_verifier_status(verifier) == SIGMILL_OK,
           "none failed of %zu", m.from.calls);
    sigmill_verifier_destroy(verifier);
  }
}

/* ---------------------------------------------------------------- memory */

/* Allocations, of which the one with this number fails. */
static size_t allocations, failing_allocation = SIZE_MAX;
static long held;

void *__real_calloc(size_t n, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);

void *__wrap_calloc(size_t n, size_t size) {
  void *p = allocations++ == failing_allocation ? NULL : __real_calloc(n, size);
  held += p != NULL;
  return p;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  EXPECT(size % alignment == 0, "%zu bytes at multiples of %zu", size, alignment);
  void *p =
      allocations++ == failing_allocation ? NULL : __real_aligned_alloc(alignment, size);
  held += p != NULL;
  return p;
}

void __wrap_free(void *p) {
  held -= p != NULL;
  __real_free(p);
}

static void no_memory(void) {
  const long before = held;
  size_t failures = 0;
  for (failing_allocation = 0; failing_allocation < 6; failing_allocation++) {
    allocations = 0;
    const sigmill_status status = status_of(NULL);
    const bool fails = allocations > failing_allocation;
    EXPECT(status == (fails ? SIGMILL_ERR_MEMORY : SIGMILL_OK), "allocation %zu of %zu",
           failing_allocation, allocations);
    EXPECT(held == before, "allocation %zu: %ld are left", failing_allocation,
           held - before);
    failures += fails;
  }
  failing_allocation = SIZE_MAX;
  EXPECT(failures > 0, "memory comes from elsewhere");
}

/* Nothing is allocated after creation. */
static void no_allocation_afterwards(void) {
  const sigmill_verifier_options o = {.struct_size = sizeof o,
                                      .plan = SIGMILL_PLAN_EQUATION};
  sigmill_verifier *verifier = new_verifier(&o);
  sigmill_p256_item items[200];
  uint8_t verdicts[200];
  for (size_t i = 0; i < 200; i++) {
    items[i] = item_of(i == 77 ? &spoilt[0] : &honest[i % HONEST]);
  }
  allocations = 0;
  EXPECT(!sigmill_p256_verify_batch(verifier, verdicts, items, 200), "one is spoilt");
  EXPECT(allocations == 0, "%zu allocations", allocations);
  sigmill_verifier_destroy(verifier);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  make_samples();
  make_pools();
  RUN(options_out_of_range);
  RUN(status_of_nothing);
  RUN(around_the_largest_batch);
  RUN(largest_batches);
  RUN(every_latency);
  RUN(sources_that_fail);
  RUN(who_draws);
  RUN(the_system_s_source_fails);
  RUN(without_the_system_s_source);
  RUN(bodies_and_workspaces);
  RUN(bodies_in_another_order);
  RUN(pools_of_threads);
  RUN(bodies_without_randomness);
  RUN(no_memory);
  RUN(no_allocation_afterwards);
  ref_end();
  return test_end();
}
