/* A parallel loop over POSIX threads that wait for it.
 *
 * One loop runs at a time.  Its indices are handed out by an atomic counter, so that
 * whoever is fast does more; the caller takes part, and a thread that wakes up late finds
 * the loop closed and sleeps on.  Whoever cannot have the threads does its loop alone:
 * nobody waits for another loop, and a body may start one. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "api_verifier.h"

#include "base/fork.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct sigmill_threads {
  pthread_mutex_t lock;
  pthread_cond_t wake, idle;
  process_mark process; /* that has the threads; one made by fork has not */
  unsigned started;
  pthread_t *workers;

  /* Under the lock. */
  bool ending, running; /* running: somebody has the threads */
  uint64_t loops;       /* how many there were */
  bool open;            /* the loop takes more helpers */
  unsigned helping;

  /* Of the loop; written while nobody helps. */
  void (*body)(void *arg, size_t i);
  void *arg;
  size_t n;
  atomic_size_t next;
};

static void take_indices(sigmill_threads *t) {
  size_t i;
  while ((i = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed)) < t->n) {
    t->body(t->arg, i);
  }
}

static void *work(void *arg) {
  sigmill_threads *t = arg;
  uint64_t seen = 0;
  pthread_mutex_lock(&t->lock);
  while (!t->ending) {
    if (t->open && t->loops != seen) {
      seen = t->loops;
      t->helping++;
      pthread_mutex_unlock(&t->lock);
      take_indices(t);
      pthread_mutex_lock(&t->lock);
      if (--t->helping == 0) {
        pthread_cond_signal(&t->idle);
      }
    } else {
      pthread_cond_wait(&t->wake, &t->lock);
    }
  }
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

unsigned sm_processors(void) {
#ifdef CPU_COUNT
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    return (unsigned)CPU_COUNT(&set);
  }
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (unsigned)online : 1;
}

/* The least stack of a worker: what a batch takes, and as much again for other bodies or
 * where nothing is optimised.  Some systems give 128 KB by default. */
enum { LEAST_STACK = 512 * 1024 };

/* Starts the workers, deaf to signals; false if the system does not give them all. */
static bool start(sigmill_threads *t, unsigned wanted) {
  sigset_t all, before;
  pthread_attr_t attributes;
  size_t stack;
  sigfillset(&all);
  if (pthread_attr_init(&attributes) != 0) {
    return false;
  }
  if (pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < LEAST_STACK) {
    pthread_attr_setstacksize(&attributes, LEAST_STACK);
  }
  if (pthread_sigmask(SIG_SETMASK, &all, &before) == 0) {
    while (t->started < wanted &&
           pthread_create(&t->workers[t->started], &attributes, work, t) == 0) {
      t->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  pthread_attr_destroy(&attributes);
  return t->started == wanted;
}

sigmill_status sigmill_threads_create(sigmill_threads **out, unsigned count) {
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  *out = NULL;
  unsigned workers = (count != 0 ? count : sm_processors()) - 1;
  sigmill_threads *t = calloc(1, sizeof *t);
  if (t == NULL || !sm_process_mark(&t->process)) {
    free(t);
    return SIGMILL_ERR_MEMORY;
  }
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->wake, NULL);
  pthread_cond_init(&t->idle, NULL);
  t->workers = calloc((size_t)workers + 1, sizeof *t->workers);
  if (t->workers == NULL || !start(t, workers)) {
    sigmill_threads_destroy(t);
    return SIGMILL_ERR_MEMORY;
  }
  *out = t;
  return SIGMILL_OK;
}

unsigned sigmill_threads_count(const sigmill_threads *threads) {
  return threads->started + 1;
}

void sigmill_threads_destroy(sigmill_threads *t) {
  if (t == NULL) {
    return;
  }
  if (sm_process_is(&t->process)) {
    pthread_mutex_lock(&t->lock);
    t->ending = true;
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
    for (unsigned i = 0; i < t->started; i++) {
      pthread_join(t->workers[i], NULL);
    }
    pthread_cond_destroy(&t->idle);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
  }
  free(t->workers);
  free(t);
}

/* Opens a loop for the workers; false if they are not to be had. */
static bool open_loop(sigmill_threads *t, size_t n, void (*body)(void *arg, size_t i),
                      void *arg) {
  if (n < 2 || t->started == 0 || !sm_process_is(&t->process)) {
    return false;
  }
  pthread_mutex_lock(&t->lock);
  bool free_now = !t->running;
  if (free_now) {
    t->running = t->open = true;
    t->loops++;
    t->body = body;
    t->arg = arg;
    t->n = n;
    atomic_store_explicit(&t->next, 0, memory_order_relaxed);
    pthread_cond_broadcast(&t->wake);
  }
  pthread_mutex_unlock(&t->lock);
  return free_now;
}

/* Waits for those who still have an index in hand. */
static void close_loop(sigmill_threads *t) {
  pthread_mutex_lock(&t->lock);
  t->open = false;
  while (t->helping > 0) {
    pthread_cond_wait(&t->idle, &t->lock);
  }
  t->running = false;
  pthread_mutex_unlock(&t->lock);
}

void sigmill_parallel_for_threads(void *ctx, size_t n, void (*body)(void *arg, size_t i),
                                  void *arg) {
  sigmill_threads *t = ctx;
  if (open_loop(t, n, body, arg)) {
    take_indices(t);
    close_loop(t);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    body(arg, i);
  }
}
