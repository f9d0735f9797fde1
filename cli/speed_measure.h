/* Time, the core's clock, and statistics for `sigmill speed`.
 *
 * Times are the thread's processor time (CLOCK_THREAD_CPUTIME_ID): what another program
 * took from the core is not counted, though it may have emptied the caches.  Operations
 * that have threads are timed by the clock on the wall. */
#ifndef SIGMILL_CLI_SPEED_MEASURE_H
#define SIGMILL_CLI_SPEED_MEASURE_H

#include "speed.h"

/* Nanoseconds of this thread's processor time. */
uint64_t speed_now_ns(void);
/* Nanoseconds of wall time. */
uint64_t speed_wall_ns(void);

/* The core's clock in GHz from a loop of dependent additions, each one cycle; about half
 * a millisecond.  0 where there is no such loop for this processor. */
double speed_clock_ghz(void);

/* Binds this thread to one core; cpu < 0: the one that it is running on.  Returns the
 * core, or -1 if that failed. */
int speed_pin(int cpu);

/* Repeats an operation `calls` times over inputs first, first + 1, ... (modulo
 * SPEED_CYCLE). Returns the nanoseconds that it took, of processor time or wall time; *ok
 * counts the calls that said yes. */
uint64_t speed_time_calls(size_t *ok, const speed_call *call, speed_operation run,
                          size_t first, size_t calls, bool wall);

typedef struct {
  double median;
  double spread; /* half the distance between the quartiles, as a part of the median */
  double low, high;
} speed_stats;

#define SPEED_SAMPLES_MAX 1001

/* Median and quartiles, by linear interpolation.  1 <= n <= SPEED_SAMPLES_MAX. */
speed_stats speed_statistics(const double *values, size_t n);

#endif
