/* Protects the search for invalid claims: every verdict is exact, no claim is in more
 * equations than its contract says, and the cost stays inside its bound, wherever the
 * invalid ones are.  Claims are mere numbers here: what an equation says, and what claims
 * are by themselves, comes from a list of who is guilty. */
#include "batch/settle_p256.h"

#include "batch/judge_p256.h"
#include "batch/plan_p256.h"
#include "harness.h"
#include "scheme/agreement.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 16384 };

/* By the claim's own number, which stands in its digest. */
static bool guilty[MOST], off_curve[MOST];
static unsigned equations_of[MOST], judged[MOST];

static bool randomness_fails, has_seed;
static size_t prepares, cost;

static p256_claim claims[MOST];
static size_t at[MOST];
static uint8_t verdicts[MOST + 1];
static equation_p256 equation;

static const p256_lanes *lanes(void) {
  return sm_backend()->lanes;
}

static size_t number_of(const p256_claim *claim) {
  return claim->digest.v[0];
}

bool __wrap_sm_equation_p256_prepare_vt(equation_p256 *eq);
bool __wrap_sm_equation_p256_prepare_vt(equation_p256 *eq) {
  prepares++;
  if (randomness_fails) {
    return false;
  }
  has_seed = true;
  for (size_t i = 0; i < eq->count;) {
    if (off_curve[number_of(&eq->claims[i])]) {
      const size_t last = --eq->count;
      const p256_claim claim = eq->claims[i];
      const size_t place = eq->at[i];
      eq->claims[i] = eq->claims[last];
      eq->at[i] = eq->at[last];
      eq->claims[last] = claim;
      eq->at[last] = place;
    } else {
      i++;
    }
  }
  return true;
}

bool __wrap_sm_equation_p256_holds_vt(equation_p256 *eq, size_t first, size_t count);
bool __wrap_sm_equation_p256_holds_vt(equation_p256 *eq, size_t first, size_t count) {
  bool holds = true;
  EXPECT(has_seed && count > 0 && first + count <= eq->count, "claims %zu to %zu of %zu",
         first, first + count, eq->count);
  for (size_t i = first; i < first + count; i++) {
    const size_t number = number_of(&eq->claims[i]);
    equations_of[number]++;
    holds &= !guilty[number];
  }
  cost += plan_cost_sum(lanes(), count);
  return holds;
}

/* Draws the claims that are there already. */
void __wrap_sm_equation_p256_sample_vt(equation_p256 *eq, size_t first, size_t count);
void __wrap_sm_equation_p256_sample_vt(equation_p256 *eq, size_t first, size_t count) {
  EXPECT(has_seed && first + count <= eq->count, "a sample of %zu from %zu", count,
         first);
}

void __wrap_sm_judge_p256_vt(uint8_t *out, const p256_claim *some, size_t count);
void __wrap_sm_judge_p256_vt(uint8_t *out, const p256_claim *some, size_t count) {
  EXPECT(count <= LANES_P256_CHUNK, "%zu claims at once", count);
  for (size_t i = 0; i < count; i++) {
    const size_t number = number_of(&some[i]);
    judged[number]++;
    out[i] = !guilty[number] && !off_curve[number];
  }
  cost += plan_cost_each(lanes(), count);
}

/* ---------------------------------------------------------------- one call */

static void begin(void) {
  memset(guilty, 0, sizeof guilty);
  memset(off_curve, 0, sizeof off_curve);
}

static size_t log2_of(size_t n) {
  size_t log = 0;
  while (n > 1) {
    n /= 2;
    log++;
  }
  return log;
}

/* Settles n claims whose verdicts go to places in another order, and checks all of it. */
static void expect_settled(settle_state *state, size_t n, const char *what) {
  equation = (equation_p256){.capacity = MOST, .count = n, .claims = claims, .at = at};
  const size_t stride = n % 7919 == 0 ? 7 : 7919; /* no common factor */
  for (size_t i = 0; i < n; i++) {
    claims[i].digest.v[0] = i;
    at[i] = i * stride % n;
    equations_of[i] = judged[i] = 0;
  }
  memset(verdicts, 0xa5, sizeof verdicts);
  has_seed = false;
  prepares = cost = 0;
  sm_settle_p256_vt(verdicts, &equation, state);
  EXPECT(equation.count == 0, "%s, n = %zu: %zu claims are left", what, n,
         equation.count);
  EXPECT(verdicts[n] == 0xa5, "%s, n = %zu: a verdict too many", what, n);
  size_t wrong = 0, too_often = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t place = i * stride % n;
    wrong += verdicts[place] != (!guilty[i] && !off_curve[i]);
    too_often += equations_of[i] > 2 + log2_of(n) || judged[i] > 1;
  }
  EXPECT(wrong == 0, "%s, n = %zu: %zu wrong", what, n, wrong);
  EXPECT(too_often == 0, "%s, n = %zu: %zu claims in too many equations", what, n,
         too_often);
  if (state->way == SETTLE_AUTO) {
    const size_t each = plan_cost_each(lanes(), n), sum = plan_cost_sum(lanes(), n);
    const size_t search = each * PLAN_SEARCH / 100;
    EXPECT(cost <= each + (sum < search ? search : sum), "%s, n = %zu: cost %zu of %zu",
           what, n, cost, each);
    EXPECT(sum < each || cost <= each, "%s, n = %zu: not worth an equation", what, n);
  }
}

/* With every way, and with suspicion and without. */
static void expect_settled_anyhow(size_t n, const char *what) {
  for (settle_way way = SETTLE_AUTO; way <= SETTLE_EQUATION; way++) {
    for (int wary = 0; wary < 2; wary++) {
      settle_state state = {.way = way, .wary = wary != 0};
      expect_settled(&state, n, what);
      EXPECT(!state.lacked_randomness, "%s, n = %zu: randomness", what, n);
      EXPECT(way != SETTLE_ONE_BY_ONE || prepares == 0, "randomness was drawn");
      EXPECT(way != SETTLE_EQUATION || n == 0 || prepares == 1, "no equation");
    }
  }
}

static const size_t SIZES[] = {0,   1,   2,   3,   4,   7,   8,   9,    15,   16,   17,
                               31,  32,  33,  63,  64,  65,  66,  100,  127,  128,  129,
                               130, 200, 255, 256, 500, 512, 999, 1000, 1024, 4096, MOST};
enum { SIZES_COUNT = sizeof SIZES / sizeof SIZES[0] };

/* ---------------------------------------------------------------- tests */

static void all_valid_or_all_invalid(void) {
  for (size_t k = 0; k < SIZES_COUNT; k++) {
    begin();
    expect_settled_anyhow(SIZES[k], "all valid");
    memset(guilty, 1, sizeof guilty);
    expect_settled_anyhow(SIZES[k], "all invalid");
    memset(guilty, 0, sizeof guilty);
    memset(off_curve, 1, sizeof off_curve);
    expect_settled_anyhow(SIZES[k], "all off the curve");
  }
}

static void one_and_two_invalid(void) {
  for (size_t n = 1; n <= 140; n++) {
    for (size_t i = 0; i < n; i++) {
      begin();
      guilty[i] = true;
      expect_settled_anyhow(n, "one invalid");
      for (size_t j = 0; j < i; j += 1 + n / 8) {
        guilty[j] = true;
        expect_settled_anyhow(n, "two invalid");
        guilty[j] = false;
      }
    }
  }
  for (size_t k = 0; k < SIZES_COUNT; k++) {
    const size_t n = SIZES[k];
    for (size_t i = 0; n > 140 && i < n; i += 1 + n / 40) {
      begin();
      guilty[i] = true;
      expect_settled_anyhow(n, "one invalid in many");
      guilty[n - 1 - i] = true;
      expect_settled_anyhow(n, "two invalid in many");
    }
  }
}

/* Every pattern of a few claims, where the search is not cut short by its cost. */
static void every_pattern_of_few(void) {
  for (size_t n = 1; n <= 9; n++) {
    for (size_t pattern = 0; pattern < (size_t)1 << n; pattern++) {
      begin();
      for (size_t i = 0; i < n; i++) {
        guilty[i] = (pattern >> i & 1) != 0;
      }
      expect_settled_anyhow(n, "a pattern");
    }
  }
}

static void random_patterns(void) {
  const int runs = test_long() ? 20000 : 600;
  for (int run = 0; run < runs; run++) {
    const size_t n = 1 + test_random_u64() % (run % 8 == 0 ? 3000 : 400);
    const uint64_t one_in = 1 + test_random_u64() % (2 * n);
    begin();
    for (size_t i = 0; i < n; i++) {
      guilty[i] = test_random_u64() % one_in == 0;
      off_curve[i] = test_random_u64() % (8 * one_in) == 0;
    }
    expect_settled_anyhow(n, "random");
  }
}

/* Invalid ones side by side, and one in each so many. */
static void clusters_and_combs(void) {
  for (size_t k = 0; k < SIZES_COUNT; k++) {
    const size_t n = SIZES[k];
    for (size_t width = 2; width < n; width *= 2) {
      begin();
      for (size_t i = n / 3; i < n && i < n / 3 + width; i++) {
        guilty[i] = true;
      }
      expect_settled_anyhow(n, "a cluster");
      begin();
      for (size_t i = width - 1; i < n; i += width) {
        guilty[i] = true;
      }
      expect_settled_anyhow(n, "a comb");
    }
  }
}

/* After an equation has failed, a call whose claims are all bad costs no more than
 * judging them; when things are well again, equations come back. */
static void suspicion_comes_and_goes(void) {
  settle_state state = {.way = SETTLE_AUTO};
  const size_t n = 1000, each = plan_cost_each(lanes(), n);
  begin();
  memset(guilty, 1, sizeof guilty);
  expect_settled(&state, n, "bad for the first time");
  EXPECT(state.wary && prepares == 1 && cost > each, "it was unexpected");
  expect_settled(&state, n, "bad again");
  EXPECT(state.wary && cost == each, "the cost is %zu, not %zu", cost, each);
  begin();
  expect_settled(&state, n, "good again");
  EXPECT(!state.wary && cost < each, "a sample and an equation");
  const size_t once_more = cost;
  expect_settled(&state, n, "good");
  EXPECT(!state.wary && cost < once_more, "an equation alone");
}

/* Where all but the rest holds, the rest is guilty without being asked; where the guilty
 * are found, an equation may settle what is behind them. */
static void no_question_too_many(void) {
  settle_state state = {.way = SETTLE_AUTO};
  const size_t n = 4096;
  begin();
  guilty[n - 1] = true;
  expect_settled(&state, n, "the last one");
  EXPECT(equations_of[n - 1] == 1 && judged[n - 1] == 1, "the last one: %u equations",
         equations_of[n - 1]);
  EXPECT(judged[n / 2] == 0, "claims are judged that an equation has settled");
  state.wary = false;
  begin();
  guilty[n - 100] = true;
  expect_settled(&state, n, "one near the end");
  EXPECT(judged[n - 100] == 1 && judged[n - 1] == 0,
         "claims are judged that an equation could settle");
}

static void without_randomness(void) {
  settle_state state = {.way = SETTLE_AUTO};
  const size_t n = 500;
  begin();
  guilty[7] = guilty[499] = off_curve[100] = true;
  randomness_fails = true;
  expect_settled(&state, n, "no randomness");
  EXPECT(state.lacked_randomness && prepares == 1 && cost == plan_cost_each(lanes(), n),
         "one by one");
  randomness_fails = false;
  state.lacked_randomness = false;
  expect_settled(&state, n, "randomness again");
  EXPECT(!state.lacked_randomness, "it is there");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  RUN(all_valid_or_all_invalid);
  RUN(one_and_two_invalid);
  RUN(every_pattern_of_few);
  RUN(random_patterns);
  RUN(clusters_and_combs);
  RUN(suspicion_comes_and_goes);
  RUN(no_question_too_many);
  RUN(without_randomness);
  return test_end();
}
