/* The measuring tool: its statistics, that a wrong answer is told and never timed, that
 * peers which cannot be used are named, and that every row and peer operation finds its
 * like. */
#include "harness.h"
#include "speed_batch.h"
#include "speed_run.h"

#include <stdlib.h>
#include <string.h>

static bool near(double a, double b) {
  double difference = a > b ? a - b : b - a;
  return difference < 1e-12;
}

static void takes_median_and_quartiles(void) {
  /* By hand: sorted 1 2 3 4 10; quartiles 2 and 4. */
  const double odd[] = {10, 1, 3, 2, 4};
  speed_stats s = speed_statistics(odd, 5);
  EXPECT(near(s.median, 3) && near(s.low, 1) && near(s.high, 10), "median %g", s.median);
  EXPECT(near(s.spread, 1.0 / 3), "spread %g", s.spread);
  /* Sorted 1 2 3 4: the median between 2 and 3, quartiles 1.75 and 3.25. */
  const double even[] = {4, 3, 2, 1};
  s = speed_statistics(even, 4);
  EXPECT(near(s.median, 2.5) && near(s.spread, 0.75 / 2.5), "median %g, spread %g",
         s.median, s.spread);
  s = speed_statistics(even, 1);
  EXPECT(near(s.median, 4) && near(s.spread, 0), "one value: %g", s.median);
}

/* ---------------------------------------------------------------- wrong answers */

static size_t calls_made, lie_at;

static bool run_honest(const speed_call *call, size_t i, uint8_t *answer) {
  (void)call;
  (void)i;
  if (answer != NULL) {
    answer[0] = 42;
  }
  return ++calls_made != lie_at;
}

static bool right_if_42(const speed_call *call, size_t i, bool said_yes,
                        const uint8_t *answer) {
  (void)call;
  (void)i;
  return said_yes && answer[0] == 42;
}

static bool never_right(const speed_call *call, size_t i, bool said_yes,
                        const uint8_t *answer) {
  (void)call;
  (void)i;
  (void)said_yes;
  (void)answer;
  return false;
}

static const speed_row honest_row = {
    .name = "honest", .ours = run_honest, .right = right_if_42};
static const speed_row lying_row = {
    .name = "lying", .ours = run_honest, .right = never_right};

/* A run of one row; the caller frees it. */
static bool run_one(speed_run *run, const speed_inputs *in, const speed_row *row) {
  *run = (speed_run){.samples = 11, .seconds = 1e-3};
  run->results = calloc(1, sizeof *run->results);
  if (run->results == NULL) {
    return false;
  }
  run->results_count = 1;
  run->results[0].row = row;
  calls_made = 0;
  return speed_prepare(run) && speed_measure_all(run, in, true);
}

static void times_right_answers_only(void) {
  speed_inputs in = {.good = SPEED_CYCLE};
  speed_run run;
  lie_at = 0;
  EXPECT(run_one(&run, &in, &honest_row), "an honest row is measured");
  EXPECT(run.results[0].sides[0].outcome == SPEED_TIMED, "and timed");
  EXPECT(speed_side_ns(&run, &run.results[0], 0).median > 0, "and takes time");
  speed_run_free(&run);

  EXPECT(!run_one(&run, &in, &lying_row), "a wrong answer fails the run");
  EXPECT(run.results[0].sides[0].outcome == SPEED_WRONG, "the row is wrong");
  EXPECT(calls_made == 1, "and is not timed: %zu calls", calls_made);
  speed_run_free(&run);

  const size_t later[] = {SPEED_CYCLE + 2, SPEED_CYCLE + 1000, 100000};
  for (size_t i = 0; i < 3; i++) {
    lie_at = later[i];
    EXPECT(!run_one(&run, &in, &honest_row), "call %zu, which fails, fails the run",
           lie_at);
    EXPECT(run.results[0].sides[0].outcome == SPEED_WRONG, "the row is wrong");
    speed_run_free(&run);
  }
  lie_at = 0;
}

/* ---------------------------------------------------------------- rows and peers */

static bool row_exists(const char *name) {
  for (const speed_row *row = speed_rows; row->name != NULL; row++) {
    if (strcmp(row->name, name) == 0) {
      return true;
    }
  }
  return false;
}

static void names_agree(void) {
  speed_inputs in;
  const speed_needs none = {0};
  if (!EXPECT(speed_inputs_make(&in, &none), "inputs")) {
    return;
  }
  speed_peer linked;
  speed_peer_linked(&linked, &in);
  EXPECT(linked.error[0] == 0, "linked libcrypto: %s", linked.error);
  EXPECT(strncmp(linked.name, "OpenSSL 3", 9) == 0, "its name: %s", linked.name);
  for (const speed_peer_operation *op = linked.operations; op != NULL && op->row != NULL;
       op++) {
    EXPECT(row_exists(op->row), "operation of no row: %s", op->row);
  }
  for (const speed_row *row = speed_rows; row->name != NULL; row++) {
    EXPECT(speed_peer_find(&linked, row->name) != NULL ||
               (row->beside != NULL && speed_peer_find(&linked, row->beside) != NULL),
           "nothing stands beside %s", row->name);
    EXPECT(row->beside == NULL || row_exists(row->beside), "no row %s", row->beside);
  }
  speed_peer_close(&linked);
  speed_inputs_free(&in);
}

static void names_unusable_peers(void) {
  speed_inputs in = {.good = 0};
  speed_peer peer;
  speed_peer_load(&peer, "/nonexistent/libcrypto.so", &in);
  EXPECT(peer.error[0] != 0 && peer.operations == NULL, "a file that is not there");
  EXPECT(speed_peer_find(&peer, "p256-verify") == NULL, "has no operations");
  speed_peer_close(&peer);
  speed_peer_load(&peer, "/etc/passwd", &in);
  EXPECT(peer.error[0] != 0, "a file that is no library");
  speed_peer_close(&peer);
}

static bool make_inputs(speed_inputs *in, const speed_run *run) {
  speed_needs needs = speed_run_needs(run);
  return speed_inputs_make(in, &needs);
}

/* Every row gives right answers, spoilt inputs included, in ours and in libcrypto. */
static void every_row_is_right(void) {
  speed_choice choice = {.sizes = {1, 3, 20, 200}, .sizes_count = 4};
  speed_run run = {.samples = 11, .seconds = 1e-4};
  speed_inputs in = {0};
  if (EXPECT(speed_choose_rows(&run, &choice), "rows") &&
      EXPECT(make_inputs(&in, &run), "inputs")) {
    speed_peer_linked(&run.peers[run.peers_count++], &in);
    EXPECT(speed_prepare(&run) && speed_measure_all(&run, &in, true), "a wrong answer");
    for (size_t i = 0; i < run.results_count; i++) {
      for (size_t k = 0; k < 2; k++) {
        EXPECT(run.results[i].sides[k].outcome == SPEED_TIMED, "%s, side %zu",
               run.results[i].label, k);
      }
    }
  }
  speed_run_free(&run);
  speed_inputs_free(&in);
}

/* The row that was asked for stands beside every row, once for each item of a batch. */
static void puts_one_row_beside_all(void) {
  char sign[] = "p256-sign*", batch[] = "p256-verify-threads";
  speed_choice choice = {
      .globs = {sign, batch}, .globs_count = 2, .sizes = {130}, .sizes_count = 1};
  speed_run run = {.samples = 11, .seconds = 1e-4, .beside = "p256-verify"};
  speed_inputs in = {0};
  if (EXPECT(speed_choose_rows(&run, &choice), "rows") &&
      EXPECT(make_inputs(&in, &run), "inputs")) {
    EXPECT(run.results_count == 3, "%zu rows", run.results_count);
    speed_peer_linked(&run.peers[run.peers_count++], &in);
    speed_peer_other_way(&run.peers[run.peers_count++]);
    EXPECT(speed_has_row_of(&run, &run.peers[1]), "one of them has threads");
    EXPECT(speed_prepare(&run) && speed_measure_all(&run, &in, true), "a wrong answer");
    for (size_t i = 0; i < run.results_count; i++) {
      const speed_result *result = &run.results[i];
      EXPECT(strcmp(result->sides[1].operation->row, "p256-verify") == 0 &&
                 result->sides[1].per_call == 1,
             "libcrypto beside %s", result->label);
      EXPECT((result->sides[2].operation != NULL) == result->row->wall,
             "one thread beside %s", result->label);
      EXPECT(!result->row->wall || result->sides[2].per_call == 130,
             "one thread does the same batch");
    }
  }
  speed_run_free(&run);
  speed_inputs_free(&in);
}

/* The largest batch may be that of a row with keys of its own. */
static void makes_room_for_every_mix(void) {
  char rows[] = "p256-verify-one-key-batch", few[] = "p256-verify-one-bad-batch";
  speed_choice choice = {
      .globs = {rows}, .globs_count = 1, .sizes = {300}, .sizes_count = 1};
  speed_choice small = {.globs = {few}, .globs_count = 1, .sizes = {8}, .sizes_count = 1};
  speed_run run = {.samples = 11, .seconds = 1e-4};
  speed_inputs in = {0};
  if (EXPECT(speed_choose_rows(&run, &choice) && speed_choose_rows(&run, &small),
             "rows") &&
      EXPECT(make_inputs(&in, &run), "inputs")) {
    EXPECT(in.room == 300 && in.good < 300, "room for %zu of %zu", in.room, in.good);
    EXPECT(speed_prepare(&run) && speed_measure_all(&run, &in, true), "a wrong answer");
  }
  speed_run_free(&run);
  speed_inputs_free(&in);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(takes_median_and_quartiles);
  RUN(times_right_answers_only);
  RUN(names_agree);
  RUN(names_unusable_peers);
  RUN(every_row_is_right);
  RUN(puts_one_row_beside_all);
  RUN(makes_room_for_every_mix);
  return test_end();
}
