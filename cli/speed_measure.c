/* The clock, the core and the samples of `sigmill speed`.  The clock loop is a chain of
 * register additions, each of which waits for the one before: one cycle each on every
 * x86-64 and AArch64 core.  (Additions of a constant would not do: some cores fold
 * those.) */
#define _GNU_SOURCE
#include "speed_measure.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t clock_ns(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t speed_now_ns(void) {
  return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t speed_wall_ns(void) {
  return clock_ns(CLOCK_MONOTONIC);
}

#if defined(__x86_64__)
#define HAVE_ADD_LOOP 1
static void dependent_adds(size_t sixteens) {
  uint64_t sum = 0, step = 1;
  for (size_t i = 0; i < sixteens; i++) {
    __asm__ volatile("addq %1, %0\n\taddq %1, %0\n\taddq %1, %0\n\taddq %1, %0\n\t"
                     "addq %1, %0\n\taddq %1, %0\n\taddq %1, %0\n\taddq %1, %0\n\t"
                     "addq %1, %0\n\taddq %1, %0\n\taddq %1, %0\n\taddq %1, %0\n\t"
                     "addq %1, %0\n\taddq %1, %0\n\taddq %1, %0\n\taddq %1, %0"
                     : "+r"(sum)
                     : "r"(step)
                     : "cc");
  }
}
#elif defined(__aarch64__)
#define HAVE_ADD_LOOP 1
static void dependent_adds(size_t sixteens) {
  uint64_t sum = 0, step = 1;
  for (size_t i = 0; i < sixteens; i++) {
    __asm__ volatile("add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\t"
                     "add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\t"
                     "add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\t"
                     "add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\t"
                     "add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\t"
                     "add %0, %0, %1"
                     : "+r"(sum)
                     : "r"(step));
  }
}
#else
#define HAVE_ADD_LOOP 0
static void dependent_adds(size_t sixteens) {
  (void)sixteens;
}
#endif

double speed_clock_ghz(void) {
  if (!HAVE_ADD_LOOP) {
    return 0;
  }
  enum { SIXTEENS = 40000, TRIES = 3 };
  /* Interruptions only ever slow the loop down, so the fastest try is the clock. */
  double best = 0;
  for (int i = 0; i < TRIES; i++) {
    uint64_t start = speed_now_ns();
    dependent_adds(SIXTEENS);
    uint64_t took = speed_now_ns() - start;
    double ghz = took == 0 ? 0 : SIXTEENS * 16.0 / (double)took;
    best = ghz > best ? ghz : best;
  }
  return best;
}

int speed_pin(int cpu) {
  if (cpu < 0) {
    cpu = sched_getcpu();
  }
  if (cpu < 0 || cpu >= CPU_SETSIZE) {
    return -1;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)cpu, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0 ? cpu : -1;
}

uint64_t speed_time_calls(size_t *ok, const speed_call *call, speed_operation run,
                          size_t first, size_t calls, bool wall) {
  size_t yes = 0;
  clockid_t id = wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
  uint64_t start = clock_ns(id);
  for (size_t i = 0; i < calls; i++) {
    yes += run(call, (first + i) & (SPEED_CYCLE - 1), NULL);
  }
  uint64_t took = clock_ns(id) - start;
  *ok = yes;
  return took;
}

static int compare_doubles(const void *a, const void *b) {
  double x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return (x > y) - (x < y);
}

/* The value at a part `at` (0..1) of the way through a sorted array. */
static double quantile(const double *sorted, size_t n, double at) {
  double position = at * (double)(n - 1);
  size_t below = (size_t)position;
  size_t above = below + 1 < n ? below + 1 : below;
  double part = position - (double)below;
  return sorted[below] * (1 - part) + sorted[above] * part;
}

speed_stats speed_statistics(const double *values, size_t n) {
  double sorted[SPEED_SAMPLES_MAX];
  memcpy(sorted, values, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, compare_doubles);
  speed_stats stats = {quantile(sorted, n, 0.5), 0, sorted[0], sorted[n - 1]};
  double quartiles = quantile(sorted, n, 0.75) - quantile(sorted, n, 0.25);
  stats.spread = stats.median > 0 ? quartiles / 2 / stats.median : 0;
  return stats;
}
