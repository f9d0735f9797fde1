/* Chooses the rows of a run, checks every answer, times ours and the peers' in turns. */
#include "speed_run.h"

#include "reason.h"
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By default the whole table is to take about this long, inputs and checks apart. */
#define DEFAULT_TOTAL_SECONDS  36.0
#define DEFAULT_SAMPLE_SECONDS 0.04
#define LARGE_BATCH            250

/* Says that an answer was wrong; returns false. */
__attribute__((format(printf, 1, 2))) static bool wrong(const char *format, ...) {
  va_list args;
  fputs("sigmill speed: WRONG: ", stderr);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputs("\n", stderr);
  return false;
}

static bool out_of_memory(void) {
  report_memory();
  return false;
}

/* ---------------------------------------------------------------- rows */

static bool selected(speed_choice *choice, const char *name, const char *label) {
  bool match = choice->globs_count == 0;
  for (size_t i = 0; i < choice->globs_count; i++) {
    if (fnmatch(choice->globs[i], name, 0) == 0 ||
        fnmatch(choice->globs[i], label, 0) == 0) {
      match = choice->glob_used[i] = true;
    }
  }
  return match;
}

/* The sizes of a row, at least one; a row without sizes has the size 0. */
static size_t sizes_of(const speed_choice *choice, const speed_row *row,
                       const size_t **sizes) {
  if (row->sizing == SPEED_BATCH && choice->sizes_count > 0) {
    *sizes = choice->sizes;
    return choice->sizes_count;
  }
  *sizes = row->sizes;
  size_t n = 0;
  while (n < sizeof row->sizes / sizeof *row->sizes && row->sizes[n] != 0) {
    n++;
  }
  return n == 0 ? 1 : n;
}

/* Calls of side 0 count one operation for each signature of a batch; a peer's row of the
 * same name works on the same batch, one that stands beside does one operation. */
static void set_sides(const speed_run *run, speed_result *result) {
  const speed_row *row = result->row;
  size_t in_batch = row->sizing == SPEED_BATCH ? result->size : 1;
  result->sides[0].run = row->ours;
  result->sides[0].per_call = in_batch;
  for (size_t i = 0; i < run->peers_count; i++) {
    speed_side *side = &result->sides[1 + i];
    const speed_peer_operation *given =
        run->beside == NULL ? NULL : speed_peer_find(&run->peers[i], run->beside);
    side->operation = given != NULL ? given : speed_peer_find(&run->peers[i], row->name);
    side->per_call = given != NULL ? 1 : in_batch;
    if (side->operation == NULL && row->beside != NULL) {
      side->operation = speed_peer_find(&run->peers[i], row->beside);
      side->per_call = 1;
    }
    side->run = side->operation != NULL ? side->operation->run : NULL;
  }
}

static bool add_result(speed_run *run, const speed_row *row, size_t size,
                       const char *label) {
  speed_result *grown =
      realloc(run->results, (run->results_count + 1) * sizeof *run->results);
  if (grown == NULL) {
    return out_of_memory();
  }
  run->results = grown;
  speed_result *result = &run->results[run->results_count++];
  memset(result, 0, sizeof *result);
  result->row = row;
  result->size = size;
  snprintf(result->label, sizeof result->label, "%s", label);
  return true;
}

/* The row of batches that a glob "NAME/SIZE" means; NULL if it means none. */
static const speed_row *batch_row_meant(const char *glob) {
  char name[64];
  size_t len = strcspn(glob, "/");
  size_t digits = glob[len] == '/' ? strspn(glob + len + 1, "0123456789") : 0;
  if (digits == 0 || glob[len + 1 + digits] != '\0' || len >= sizeof name) {
    return NULL;
  }
  memcpy(name, glob, len);
  name[len] = '\0';
  for (const speed_row *row = speed_rows; row->name != NULL; row++) {
    if (row->sizing == SPEED_BATCH && fnmatch(name, row->name, 0) == 0) {
      return row;
    }
  }
  return NULL;
}

/* False, for speed_choose_rows. */
static bool no_row_matches(const char *glob) {
  const speed_row *batch = batch_row_meant(glob);
  if (batch != NULL) {
    report(REASON_USAGE, NULL,
           "no row matches \"%s\"; --sizes gives batches other sizes: --rows %s "
           "--sizes %s",
           glob, batch->name, strchr(glob, '/') + 1);
  } else {
    report(REASON_USAGE, NULL, "no row matches \"%s\"; --list names them", glob);
  }
  return false;
}

bool speed_choose_rows(speed_run *run, speed_choice *choice) {
  for (const speed_row *row = speed_rows; row->name != NULL; row++) {
    const size_t *sizes;
    size_t n = sizes_of(choice, row, &sizes);
    for (size_t i = 0; i < n; i++) {
      char label[64];
      snprintf(label, sizeof label, sizes[i] == 0 ? "%s" : "%s/%zu", row->name, sizes[i]);
      if (selected(choice, row->name, label) && !add_result(run, row, sizes[i], label)) {
        return false;
      }
    }
  }
  for (size_t i = 0; i < choice->globs_count; i++) {
    if (!choice->glob_used[i]) {
      return no_row_matches(choice->globs[i]);
    }
  }
  return true;
}

static const speed_row *row_named(const char *name) {
  for (const speed_row *row = speed_rows; row->name != NULL; row++) {
    if (strcmp(row->name, name) == 0) {
      return row;
    }
  }
  return NULL;
}

void speed_list(const speed_run *run) {
  for (size_t i = 0; i < run->results_count; i++) {
    const speed_result *result = &run->results[i];
    printf("%-38s %s\n", result->label, result->row->what);
    for (size_t k = 0; k < run->peers_count; k++) {
      const speed_peer_operation *op = result->sides[1 + k].operation;
      if (op != NULL) {
        printf("%-38s   %s: %s%s%s\n", "", run->peers[k].name, op->how,
               strcmp(op->row, result->row->name) != 0 ? ", for want of the operation"
                                                       : "",
               op->differs != NULL ? " (other work, see the table's notes)" : "");
      }
    }
  }
}

/* ---------------------------------------------------------------- measuring */

/* Tries every input; false, after a message, at the first wrong answer. */
static bool check_side(const speed_call *call, const speed_result *result,
                       const speed_side *side, const char *library) {
  const speed_row *row =
      side->operation == NULL ? result->row : row_named(side->operation->row);
  size_t good = call->in->good;
  /* Of large batches a part of the calls sees as many items. */
  bool large = side->per_call > LARGE_BATCH;
  size_t inputs = large ? SPEED_CYCLE * LARGE_BATCH / side->per_call + 1 : SPEED_CYCLE;
  for (size_t i = 0; i < (row->spoilt ? 2 : 1) * inputs; i++) {
    bool spoilt = i >= inputs;
    size_t input = spoilt ? good + i - inputs : i;
    uint8_t answer[SPEED_ANSWER_MAX] = {0};
    bool said_yes = side->run(call, input, answer);
    if (!row->right(call, input, said_yes, answer)) {
      return wrong("%s: %s gives a wrong answer for %s input %zu; not timed",
                   result->label, library, spoilt ? "spoilt" : "good", i % inputs);
    }
  }
  return true;
}

/* Repeats until a run is long enough to tell how many calls make a sample.  0 if one did
 * not succeed. */
static size_t calibrate(const speed_call *call, const speed_side *side, double seconds,
                        bool wall) {
  double wanted = seconds * 1e9, enough = wanted / 10 < 2e6 ? wanted / 10 : 2e6;
  for (size_t calls = 1;; calls *= 2) {
    size_t ok;
    double took = (double)speed_time_calls(&ok, call, side->run, 0, calls, wall);
    if (ok != calls) {
      return 0;
    }
    if (took >= enough) {
      double n = (double)calls * wanted / took;
      return n < 1 ? 1 : (size_t)n;
    }
  }
}

static bool time_side(const speed_call *call, speed_result *result, speed_side *side,
                      size_t sample, const char *library) {
  size_t ok = 0;
  if (side->calls > 0) {
    uint64_t took = speed_time_calls(&ok, call, side->run, sample * side->calls,
                                     side->calls, result->row->wall);
    side->ns[sample] = (double)took / (double)(side->calls * side->per_call);
  }
  return (side->calls > 0 && ok == side->calls) ||
         wrong("%s: %s gave a wrong answer while it was timed", result->label, library);
}

/* Checks and times one row.  False if an answer was wrong, which is then not timed. */
static bool measure(speed_run *run, speed_result *result, const speed_inputs *in) {
  bool all_right = true;
  speed_call calls[1 + SPEED_PEERS_MAX];
  for (size_t k = 0; k <= run->peers_count; k++) {
    speed_side *side = &result->sides[k];
    calls[k] = (speed_call){in, k == 0 ? NULL : run->peers[k - 1].state, result->size,
                            result->row};
    if (side->run == NULL) {
      continue;
    }
    const char *library = k == 0 ? "sigmill" : run->peers[k - 1].name;
    bool right = check_side(&calls[k], result, side, library);
    side->outcome = right ? SPEED_TIMED : SPEED_WRONG;
    all_right &= right;
    if (!right && k == 0) {
      return false;
    }
    if (right) {
      side->calls = calibrate(&calls[k], side, run->seconds, result->row->wall);
    }
  }
  double before = speed_clock_ghz();
  for (size_t sample = 0; sample < run->samples; sample++) {
    for (size_t k = 0; k <= run->peers_count; k++) {
      speed_side *side = &result->sides[k];
      const char *library = k == 0 ? "sigmill" : run->peers[k - 1].name;
      if (side->outcome == SPEED_TIMED &&
          !time_side(&calls[k], result, side, sample, library)) {
        side->outcome = SPEED_WRONG;
        all_right = false;
      }
    }
    double after = speed_clock_ghz();
    result->ghz[sample] = (before + after) / 2;
    before = after;
  }
  return all_right;
}

static double default_seconds(const speed_run *run) {
  size_t sides = 0;
  for (size_t i = 0; i < run->results_count; i++) {
    for (size_t k = 0; k <= run->peers_count; k++) {
      sides += run->results[i].sides[k].run != NULL;
    }
  }
  if (sides == 0) {
    return DEFAULT_SAMPLE_SECONDS;
  }
  double fair = DEFAULT_TOTAL_SECONDS / (double)(sides * run->samples);
  return fair < DEFAULT_SAMPLE_SECONDS ? fair : DEFAULT_SAMPLE_SECONDS;
}

bool speed_prepare(speed_run *run) {
  for (size_t i = 0; i < run->results_count; i++) {
    speed_result *result = &run->results[i];
    set_sides(run, result);
    result->ghz = calloc(run->samples, sizeof *result->ghz);
    bool ok = result->ghz != NULL;
    for (size_t k = 0; ok && k <= run->peers_count; k++) {
      result->sides[k].ns = calloc(run->samples, sizeof *result->sides[k].ns);
      ok = result->sides[k].ns != NULL;
    }
    if (!ok) {
      return out_of_memory();
    }
  }
  if (!(run->seconds > 0)) {
    run->seconds = default_seconds(run);
  }
  return true;
}

void speed_run_free(speed_run *run) {
  for (size_t i = 0; i < run->peers_count; i++) {
    speed_peer_close(&run->peers[i]);
  }
  for (size_t i = 0; i < run->results_count; i++) {
    free(run->results[i].ghz);
    for (size_t k = 0; k <= run->peers_count; k++) {
      free(run->results[i].sides[k].ns);
    }
  }
  free(run->results);
}

bool speed_has_row_of(const speed_run *run, const speed_peer *peer) {
  for (size_t i = 0; i < run->results_count; i++) {
    if (speed_peer_find(peer, run->results[i].row->name) != NULL) {
      return true;
    }
  }
  return false;
}

speed_needs speed_run_needs(const speed_run *run) {
  speed_needs needs = {0};
  for (size_t i = 0; i < run->results_count; i++) {
    const speed_result *result = &run->results[i];
    size_t *largest = &needs.largest[result->row->mix];
    const size_t size = result->row->sizing == SPEED_BATCH        ? result->size
                        : result->row->mix != SPEED_DISTINCT_KEYS ? SPEED_CYCLE
                                                                  : 0;
    *largest = size > *largest ? size : *largest;
  }
  return needs;
}

bool speed_measure_all(speed_run *run, const speed_inputs *in, bool json) {
  bool all_right = true, progress = json && isatty(STDERR_FILENO);
  if (!json) {
    speed_print_head(run);
  }
  uint64_t wall = speed_wall_ns(), own = speed_now_ns();
  for (size_t i = 0; i < run->results_count; i++) {
    if (progress) {
      fprintf(stderr, "\r\033[K%zu/%zu %s", i + 1, run->results_count,
              run->results[i].label);
    }
    all_right &= measure(run, &run->results[i], in);
    if (!json) {
      speed_print_result(run, &run->results[i]);
    }
  }
  double wall_took = (double)(speed_wall_ns() - wall),
         ran = (double)(speed_now_ns() - own);
  run->shared = wall_took > ran ? 1 - ran / wall_took : 0;
  if (progress) {
    fputs("\r\033[K", stderr);
  }
  return all_right;
}
