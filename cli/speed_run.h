/* A run of `sigmill speed`: which rows, what was measured, and how it is told: a table
 * for people, JSON for programs.  docs/benchmarks.md describes both. */
#ifndef SIGMILL_CLI_SPEED_RUN_H
#define SIGMILL_CLI_SPEED_RUN_H

#include "speed_measure.h"

#define SPEED_PEERS_MAX 8

/* A spread above these marks a figure as noisy. */
#define SPEED_NOISY_TIME  0.05
#define SPEED_NOISY_RATIO 0.03

enum { SPEED_GLOBS_MAX = 32, SPEED_SIZES_MAX = 16 };

/* What the user asked for. */
typedef struct {
  char *globs[SPEED_GLOBS_MAX]; /* none: all rows */
  bool glob_used[SPEED_GLOBS_MAX];
  size_t globs_count;
  size_t sizes[SPEED_SIZES_MAX]; /* none: the table's */
  size_t sizes_count;
} speed_choice;

typedef struct {
  char processor[160];
  char os[128], kernel[128];
  char compiler[96], flags[256];
  char time[32]; /* UTC, ISO 8601 */
  long cores;
  int cpu; /* the core this thread is bound to, or -1 */
} speed_machine;

/* All but cpu. */
void speed_machine_read(speed_machine *machine);

typedef enum { SPEED_ABSENT, SPEED_TIMED, SPEED_WRONG } speed_outcome;

/* One library's part in a row. */
typedef struct {
  speed_outcome outcome;
  speed_operation run;
  const speed_peer_operation *operation; /* NULL for ours */
  size_t calls;                          /* in one sample */
  size_t per_call;                       /* operations in one call */
  double *ns;                            /* per operation, one a sample */
} speed_side;

/* A row of one size.  Side 0 is this library's, side 1 + i that of peer i. */
typedef struct {
  const speed_row *row;
  size_t size;    /* 0 for a row without sizes */
  char label[64]; /* name, or name/size */
  speed_side sides[1 + SPEED_PEERS_MAX];
  double *ghz; /* the core's clock around each sample; 0 if not known */
} speed_result;

typedef struct {
  speed_machine machine;
  speed_peer peers[SPEED_PEERS_MAX];
  size_t peers_count;
  speed_result *results;
  size_t results_count;
  const char
      *beside; /* a row whose operation stands beside all rows; NULL: each its own */
  size_t samples;
  double seconds; /* per sample */
  double shared;  /* part of the wall time in which this thread did not run */
} speed_run;

/* Lists the rows that were chosen.  False after a message. */
bool speed_choose_rows(speed_run *run, speed_choice *choice);
/* The inputs that they need. */
speed_needs speed_run_needs(const speed_run *run);
/* Is one of them a row for which the peer has an operation of its own? */
bool speed_has_row_of(const speed_run *run, const speed_peer *peer);
/* Finds the peers' operations, makes room for the samples, and settles run->seconds if it
 * is 0.  False after a message. */
bool speed_prepare(speed_run *run);
/* Prints the chosen rows and what each library does for them. */
void speed_list(const speed_run *run);
/* Measures all rows, printing each as it is done unless JSON is wanted.  False if an
 * answer was wrong, which is told and not timed. */
bool speed_measure_all(speed_run *run, const speed_inputs *in, bool json);
void speed_run_free(speed_run *run);

/* Time, cycles and ratio of side k, over the samples; side k must have been timed.  The
 * ratio is side 0's time over side k's, pair by pair. */
speed_stats speed_side_ns(const speed_run *run, const speed_result *result, size_t k);
speed_stats speed_side_cycles(const speed_run *run, const speed_result *result, size_t k);
speed_stats speed_side_ratio(const speed_run *run, const speed_result *result, size_t k);
/* The clock over all samples of all results. */
speed_stats speed_run_ghz(const speed_run *run);

/* The table: its head before the measuring, a line after each row, its foot last. */
void speed_print_head(const speed_run *run);
void speed_print_result(const speed_run *run, const speed_result *result);
void speed_print_foot(const speed_run *run);

/* The whole run as JSON on standard output; false if memory or the output fails. */
bool speed_print_json(const speed_run *run);

#endif
