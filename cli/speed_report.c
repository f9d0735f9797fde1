/* The table of `sigmill speed`. */
#include "speed_run.h"

#include <stdio.h>
#include <string.h>

speed_stats speed_side_ns(const speed_run *run, const speed_result *result, size_t k) {
  return speed_statistics(result->sides[k].ns, run->samples);
}

speed_stats speed_side_cycles(const speed_run *run, const speed_result *result,
                              size_t k) {
  double cycles[SPEED_SAMPLES_MAX];
  for (size_t i = 0; i < run->samples; i++) {
    cycles[i] = result->sides[k].ns[i] * result->ghz[i];
  }
  return speed_statistics(cycles, run->samples);
}

speed_stats speed_side_ratio(const speed_run *run, const speed_result *result, size_t k) {
  double ratios[SPEED_SAMPLES_MAX];
  for (size_t i = 0; i < run->samples; i++) {
    ratios[i] = result->sides[0].ns[i] / result->sides[k].ns[i];
  }
  return speed_statistics(ratios, run->samples);
}

speed_stats speed_run_ghz(const speed_run *run) {
  double medians[SPEED_SAMPLES_MAX];
  speed_stats all = {0, 0, 0, 0};
  size_t n = 0;
  for (size_t i = 0; i < run->results_count && n < SPEED_SAMPLES_MAX; i++) {
    if (run->results[i].sides[0].outcome == SPEED_TIMED) {
      speed_stats one = speed_statistics(run->results[i].ghz, run->samples);
      all.low = n == 0 || one.low < all.low ? one.low : all.low;
      all.high = n == 0 || one.high > all.high ? one.high : all.high;
      medians[n++] = one.median;
    }
  }
  if (n > 0) {
    speed_stats over_rows = speed_statistics(medians, n);
    all.median = over_rows.median;
    all.spread = over_rows.spread;
  }
  return all;
}

/* ---------------------------------------------------------------- notes */

enum { NOTES_MAX = 32 };

/* The notes of all rows, each once, in the order of the table. */
typedef struct {
  char text[NOTES_MAX][160];
  size_t count;
} notes;

/* The note's number, from 1; 0 for no note. */
static size_t note_number(notes *all, const char *text) {
  if (text[0] == 0) {
    return 0;
  }
  for (size_t i = 0; i < all->count; i++) {
    if (strcmp(all->text[i], text) == 0) {
      return i + 1;
    }
  }
  if (all->count == NOTES_MAX) {
    return 0;
  }
  snprintf(all->text[all->count], sizeof all->text[0], "%s", text);
  return ++all->count;
}

/* What must be said about side k's ratio; empty if nothing. */
static void note_of(char out[160], const speed_result *result, size_t k) {
  const speed_peer_operation *operation = result->sides[k].operation;
  out[0] = 0;
  if (result->sides[k].outcome != SPEED_TIMED) {
    return;
  }
  if (strcmp(operation->row, result->row->name) != 0) {
    snprintf(out, 160, "ratio to the peer's %s%s", operation->row,
             result->row->sizing == SPEED_BATCH ? ", one after the other" : "");
  } else if (operation->differs != NULL) {
    snprintf(out, 160, "%s", operation->differs);
  }
}

static void collect_notes(notes *all, const speed_run *run) {
  all->count = 0;
  for (size_t i = 0; i < run->results_count; i++) {
    for (size_t k = 1; k <= run->peers_count; k++) {
      char text[160];
      note_of(text, &run->results[i], k);
      note_number(all, text);
    }
  }
}

/* ---------------------------------------------------------------- the table */

enum { LABEL_WIDTH = 47, RATIO_WIDTH = 18 };

void speed_print_head(const speed_run *run) {
  const speed_machine *m = &run->machine;
  printf("sigmill %s, backend %s; %s; flags %s\n", sigmill_version(),
         sigmill_backend_name(), m->compiler, m->flags);
  printf("%s, ", m->processor);
  if (m->cpu >= 0) {
    printf("bound to core %d of %ld; ", m->cpu, m->cores);
  } else {
    printf("not bound to one of the %ld cores; ", m->cores);
  }
  printf("%s, %s; %s\n", m->os, m->kernel, m->time);
  for (size_t k = 0; k < run->peers_count; k++) {
    const speed_peer *peer = &run->peers[k];
    if (peer->error[0] != 0) {
      printf("peer not usable: %s: %s\n", peer->name, peer->error);
    } else if (peer->path[0] != 0) {
      printf("peer %s from %s\n", peer->name, peer->path);
    }
  }
  printf("%zu samples of %.3g s a library, interleaved; median and spread (half the "
         "distance\nbetween the quartiles); a ratio is our time over the peer's, below 1 "
         "is faster.\nFigures of a batch are per item.\n\n",
         run->samples, run->seconds);
  printf("%-*s %9s    ±%% %9s %9s", LABEL_WIDTH, "operation", "ns", "cycles", "per s");
  for (size_t k = 0; k < run->peers_count; k++) {
    if (run->peers[k].error[0] == 0) {
      char title[RATIO_WIDTH];
      snprintf(title, sizeof title, "/ %.15s", run->peers[k].name);
      printf(" %*s", RATIO_WIDTH, title);
    }
  }
  printf("\n");
  fflush(stdout);
}

/* A figure with the digits that it deserves. */
static void print_number(double value, int width) {
  printf(" %*.*f", width, value < 99.95 ? 1 : 0, value);
}

static void print_ratio(const speed_run *run, const speed_result *result, size_t k) {
  const speed_side *side = &result->sides[k];
  if (side->outcome != SPEED_TIMED) {
    printf(" %*s", RATIO_WIDTH, side->outcome == SPEED_WRONG ? "WRONG ANSWER" : "-");
    return;
  }
  speed_stats ratio = speed_side_ratio(run, result, k);
  char text[64];
  snprintf(text, sizeof text, "%.3f ±%.1f%%%s", ratio.median, 100 * ratio.spread,
           ratio.spread > SPEED_NOISY_RATIO ? "~" : "");
  /* One byte more than its columns, for the sign of two bytes. */
  printf(" %*s", RATIO_WIDTH + 1, text);
}

/* The name of the row and the numbers of its notes. */
static void print_label(const speed_run *run, const speed_result *result) {
  notes all;
  collect_notes(&all, run);
  char text[128];
  int len = snprintf(text, sizeof text, "%s", result->label);
  size_t last = 0;
  for (size_t k = 1; k <= run->peers_count; k++) {
    char note[160];
    note_of(note, result, k);
    size_t number = note_number(&all, note);
    if (number != last && number != 0) {
      len += snprintf(text + len, sizeof text - (size_t)len, " [%zu]", number);
      last = number;
    }
  }
  printf("%-*s", LABEL_WIDTH, text);
}

void speed_print_result(const speed_run *run, const speed_result *result) {
  print_label(run, result);
  if (result->sides[0].outcome != SPEED_TIMED) {
    printf(" WRONG ANSWER\n");
    fflush(stdout);
    return;
  }
  speed_stats ns = speed_side_ns(run, result, 0);
  speed_stats cycles = speed_side_cycles(run, result, 0);
  print_number(ns.median, 9);
  printf(" %4.1f%s", 100 * ns.spread, ns.spread > SPEED_NOISY_TIME ? "~" : " ");
  if (cycles.median > 0) {
    print_number(cycles.median, 9);
  } else {
    printf(" %9s", "-");
  }
  printf(" %9.0f", 1e9 / ns.median);
  for (size_t k = 1; k <= run->peers_count; k++) {
    if (run->peers[k - 1].error[0] == 0) {
      print_ratio(run, result, k);
    }
  }
  printf("\n");
  fflush(stdout);
}

static size_t count_noisy(const speed_run *run) {
  size_t noisy = 0;
  for (size_t i = 0; i < run->results_count; i++) {
    const speed_result *result = &run->results[i];
    if (result->sides[0].outcome != SPEED_TIMED) {
      continue;
    }
    bool is_noisy = speed_side_ns(run, result, 0).spread > SPEED_NOISY_TIME;
    for (size_t k = 1; k <= run->peers_count; k++) {
      is_noisy |= result->sides[k].outcome == SPEED_TIMED &&
                  speed_side_ratio(run, result, k).spread > SPEED_NOISY_RATIO;
    }
    noisy += is_noisy;
  }
  return noisy;
}

void speed_print_foot(const speed_run *run) {
  notes all;
  collect_notes(&all, run);
  printf("\n");
  for (size_t i = 0; i < all.count; i++) {
    printf("[%zu] %s.\n", i + 1, all.text[i]);
  }
  speed_stats ghz = speed_run_ghz(run);
  if (ghz.median > 0) {
    printf(
        "Core clock, from dependent additions: %.3f GHz (%.3f to %.3f during the run).\n",
        ghz.median, ghz.low, ghz.high);
  } else {
    printf("Core clock: not known for this kind of processor, so no cycles are shown.\n");
  }
  size_t noisy = count_noisy(run);
  if (noisy > 0) {
    printf("NOISY: %zu of %zu rows have a spread above %.0f%% in time or %.0f%% in ratio "
           "(marked ~): repeat them on a quieter machine.\n",
           noisy, run->results_count, 100 * SPEED_NOISY_TIME, 100 * SPEED_NOISY_RATIO);
  }
  if (run->shared > 0.05) {
    printf(
        "The core was shared: for %.0f%% of the wall time other programs had it.  Times "
        "are processor time, so this is left out, but not its effect on caches.\n",
        100 * run->shared);
  }
  fflush(stdout);
}
