/* The pool of threads: every index once, on as many threads as asked for, whatever else
 * is under way; and batches over it. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"
#include "samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 3000 };

static sigmill_threads *new_threads(unsigned count) {
  sigmill_threads *threads = NULL;
  if (sigmill_threads_create(&threads, count) != SIGMILL_OK || threads == NULL) {
    fprintf(stderr, "no threads\n");
    abort();
  }
  return threads;
}

/* How often each index came. */
typedef struct {
  atomic_int times[MOST];
} tally;

static void count_index(void *arg, size_t i) {
  tally *t = arg;
  atomic_fetch_add(&t->times[i], 1);
}

/* The indices that did not come exactly once, or came though they are not below n. */
static size_t wrong_times(const tally *t, size_t n) {
  size_t wrong = 0;
  for (size_t i = 0; i < MOST; i++) {
    wrong += atomic_load(&t->times[i]) != (i < n);
  }
  return wrong;
}

static void every_index_once(void) {
  static const unsigned counts[] = {0, 1, 2, 5, 16};
  static const size_t sizes[] = {0, 1, 2, 3, 100, MOST};
  static tally t;
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
    sigmill_threads *threads = new_threads(counts[c]);
    EXPECT(counts[c] == 0 ? sigmill_threads_count(threads) >= 1
                          : sigmill_threads_count(threads) == counts[c],
           "%u threads of %u", sigmill_threads_count(threads), counts[c]);
    for (int run = 0; run < 40; run++) {
      size_t n = sizes[(size_t)run % (sizeof sizes / sizeof sizes[0])];
      memset(&t, 0, sizeof t);
      sigmill_parallel_for_threads(threads, n, count_index, &t);
      EXPECT(wrong_times(&t, n) == 0, "%u threads, n = %zu", counts[c], n);
    }
    sigmill_threads_destroy(threads);
  }
}

/* All of a loop's bodies wait for each other: only as many threads as bodies end it. */
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t all_there;
  size_t there, wanted;
} meeting;

static void meet(void *arg, size_t i) {
  meeting *m = arg;
  (void)i;
  pthread_mutex_lock(&m->lock);
  if (++m->there == m->wanted) {
    pthread_cond_broadcast(&m->all_there);
  }
  while (m->there < m->wanted) {
    pthread_cond_wait(&m->all_there, &m->lock);
  }
  pthread_mutex_unlock(&m->lock);
}

static void as_many_threads_as_asked_for(void) {
  for (unsigned count = 1; count <= 6; count++) {
    sigmill_threads *threads = new_threads(count);
    for (int run = 0; run < 5; run++) {
      meeting m = {.lock = PTHREAD_MUTEX_INITIALIZER,
                   .all_there = PTHREAD_COND_INITIALIZER,
                   .wanted = count};
      sigmill_parallel_for_threads(threads, count, meet, &m);
      EXPECT(m.there == count, "%u threads", count);
    }
    sigmill_threads_destroy(threads);
  }
}

/* A loop inside each body of a loop. */
typedef struct {
  sigmill_threads *threads;
  tally inner;
} nest;

static void count_all(void *arg, size_t i) {
  nest *n = arg;
  (void)i;
  sigmill_parallel_for_threads(n->threads, 50, count_index, &n->inner);
}

static void loops_inside_loops(void) {
  static nest n;
  memset(&n, 0, sizeof n);
  n.threads = new_threads(4);
  sigmill_parallel_for_threads(n.threads, 20, count_all, &n);
  for (int i = 0; i < 50; i++) {
    EXPECT(atomic_load(&n.inner.times[i]) == 20, "inner index %d", i);
  }
  sigmill_threads_destroy(n.threads);
}

/* Loops of several threads over one pool. */
typedef struct {
  sigmill_threads *threads;
  tally tally;
  size_t wrong;
} looper;

static void *loop_many_times(void *arg) {
  looper *l = arg;
  for (size_t run = 0; run < 60; run++) {
    size_t n = run * 7 % 200;
    memset(&l->tally, 0, sizeof l->tally);
    sigmill_parallel_for_threads(l->threads, n, count_index, &l->tally);
    l->wrong += wrong_times(&l->tally, n);
  }
  return NULL;
}

static void loops_of_several_threads(void) {
  enum { LOOPERS = 6 };
  pthread_t ids[LOOPERS];
  looper *loopers = calloc(LOOPERS, sizeof *loopers);
  sigmill_threads *threads = new_threads(3);
  if (loopers == NULL) {
    abort();
  }
  for (size_t i = 0; i < LOOPERS; i++) {
    loopers[i].threads = threads;
    if (pthread_create(&ids[i], NULL, loop_many_times, &loopers[i]) != 0) {
      abort();
    }
  }
  for (size_t i = 0; i < LOOPERS; i++) {
    pthread_join(ids[i], NULL);
    EXPECT(loopers[i].wrong == 0, "thread %zu: %zu wrong", i, loopers[i].wrong);
  }
  sigmill_threads_destroy(threads);
  free(loopers);
}

/* The child has no threads; its loops and the end of its pool do without. */
static void a_process_made_by_fork(void) {
  static tally t;
  sigmill_threads *threads = new_threads(3);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    memset(&t, 0, sizeof t);
    sigmill_parallel_for_threads(threads, 100, count_index, &t);
    size_t wrong = wrong_times(&t, 100);
    sigmill_threads_destroy(threads);
    _exit(wrong == 0 ? 0 : 1);
  }
  int status = 1;
  EXPECT(child > 0 && waitpid(child, &status, 0) == child && status == 0,
         "the child's loop");
  memset(&t, 0, sizeof t);
  sigmill_parallel_for_threads(threads, 100, count_index, &t);
  EXPECT(wrong_times(&t, 100) == 0, "the parent's loop");
  sigmill_threads_destroy(threads);
}

static void unusable_arguments(void) {
  EXPECT(sigmill_threads_create(NULL, 2) == SIGMILL_ERR_ARGUMENT, "no place for it");
  sigmill_threads_destroy(NULL);
}

/* ---------------------------------------------------------------- batches */

static const sample *row_of(size_t seed, size_t i) {
  size_t k = (seed + i * 11) % POOL;
  return (i * i + seed) % 9 == 0 ? &bad[k] : &good[k];
}

static void batches(void) {
  static const size_t sizes[] = {0, 1, 63, 64, 65, 127, 128, 200, MAX_ITEMS};
  for (unsigned count = 1; count <= 4; count++) {
    sigmill_threads *threads = new_threads(count);
    sigmill_verifier_options options = {.struct_size = sizeof options,
                                        .parallel_for = sigmill_parallel_for_threads,
                                        .parallel_ctx = threads};
    sigmill_verifier *verifier = new_verifier(&options);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
      const sample *row[MAX_ITEMS];
      for (size_t i = 0; i < sizes[k]; i++) {
        row[i] = row_of(count, i);
      }
      EXPECT(wrong_verdicts(verifier, row, sizes[k]) == 0, "%u threads, n = %zu", count,
             sizes[k]);
    }
    sigmill_verifier_destroy(verifier);
    sigmill_threads_destroy(threads);
  }
}

/* Sixteen threads judge the same items, by every plan, half of them over one pool. */
typedef struct {
  sigmill_threads *threads; /* NULL: none */
  sigmill_plan plan;
  const sample *const *row;
  size_t wrong;
} judge;

static void *judge_main(void *arg) {
  judge *j = arg;
  sigmill_verifier_options options = {.struct_size = sizeof options, .plan = j->plan};
  if (j->threads != NULL) {
    options.parallel_for = sigmill_parallel_for_threads;
    options.parallel_ctx = j->threads;
  }
  sigmill_verifier *verifier = new_verifier(&options);
  for (int run = 0; run < 2; run++) {
    j->wrong += wrong_verdicts(verifier, j->row, 150);
  }
  sigmill_verifier_destroy(verifier);
  return NULL;
}

static void the_same_batch_from_sixteen_threads(void) {
  pthread_t ids[16];
  judge judges[16];
  const sample *row[150];
  sigmill_threads *threads = new_threads(3);
  for (size_t i = 0; i < 150; i++) {
    row[i] = row_of(5, i);
  }
  for (size_t i = 0; i < 16; i++) {
    judges[i] = (judge){.threads = i % 2 == 0 ? threads : NULL,
                        .plan = (sigmill_plan)(i % 3),
                        .row = row};
    if (pthread_create(&ids[i], NULL, judge_main, &judges[i]) != 0) {
      abort();
    }
  }
  for (size_t i = 0; i < 16; i++) {
    pthread_join(ids[i], NULL);
    EXPECT(judges[i].wrong == 0, "thread %zu: %zu wrong", i, judges[i].wrong);
  }
  sigmill_threads_destroy(threads);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  make_samples();
  RUN(every_index_once);
  RUN(as_many_threads_as_asked_for);
  RUN(loops_inside_loops);
  RUN(loops_of_several_threads);
  RUN(a_process_made_by_fork);
  RUN(unusable_arguments);
  RUN(batches);
  RUN(the_same_batch_from_sixteen_threads);
  ref_end();
  return test_end();
}
