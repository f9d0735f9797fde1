/* An equation that holds settles all its claims.  One that fails is cut: its first part
 * gets an equation of its own, and if that holds, the rest is guilty and is cut without
 * asking.  All of it stays inside a budget: what was spent, the equation to come and all
 * claims still open, one by one, never exceed what is allowed. */
#include "batch/settle_p256.h"

#include "batch/judge_p256.h"
#include "batch/plan_p256.h"

typedef struct {
  uint8_t *verdicts;
  equation_p256 *eq;
  const p256_lanes *lanes;
  size_t spent, allowed, open;
} search;

/* Judges the claims one by one; returns how many do not hold. */
static size_t judge_each(search *s, size_t first, size_t count) {
  uint8_t verdicts[LANES_P256_CHUNK];
  size_t bad = 0;
  for (size_t i = 0; i < count; i += LANES_P256_CHUNK) {
    const size_t part = count - i < LANES_P256_CHUNK ? count - i : LANES_P256_CHUNK;
    sm_judge_p256_vt(verdicts, s->eq->claims + first + i, part);
    for (size_t k = 0; k < part; k++) {
      s->verdicts[s->eq->at[first + i + k]] = verdicts[k];
      bad += verdicts[k] == 0;
    }
  }
  s->spent += plan_cost_each(s->lanes, count);
  s->open -= count;
  return bad;
}

/* Is an equation for count claims worth trying?  It is if it stakes no more than a part
 * of what is left to spend: one that fails is not to end the search. */
static bool affordable(const search *s, size_t count) {
  const size_t cost = plan_cost_sum(s->lanes, count);
  const size_t at_worst = s->spent + plan_cost_each(s->lanes, s->open);
  return cost < plan_cost_each(s->lanes, count) && at_worst < s->allowed &&
         cost <= (s->allowed - at_worst) / PLAN_STAKE;
}

static bool equation_settles(search *s, size_t first, size_t count) {
  s->spent += plan_cost_sum(s->lanes, count);
  if (!sm_equation_p256_holds_vt(s->eq, first, count)) {
    return false;
  }
  for (size_t i = first; i < first + count; i++) {
    s->verdicts[s->eq->at[i]] = 1;
  }
  s->open -= count;
  return true;
}

/* Whole groups of lanes, but for few claims: what is judged later is not to cost more
 * for having been cut. */
static size_t cut(size_t count) {
  return count < LANES_P256_GROUP ? count : count - count % LANES_P256_GROUP;
}

/* guilty: one of the claims is known not to hold. */
static void find(search *s, size_t first, size_t count, bool guilty) {
  while (count > 0) {
    size_t part = guilty ? cut(count / 2) : count;
    while (part > 0 && !affordable(s, part)) {
      part = cut(part / 2);
    }
    if (part == 0) {
      judge_each(s, first, count);
      return;
    }
    if (!equation_settles(s, first, part)) {
      find(s, first, part, true);
      guilty = false;
    }
    first += part;
    count -= part;
  }
}

/* Judges a sample; true if there is something wrong with it.  It is drawn at random, so
 * that nobody who does not foresee the source can keep it clean by the order of claims.
 */
static bool sample_is_bad(search *s, size_t *first) {
  const size_t left = s->eq->count - *first;
  const size_t count = left < PLAN_SAMPLE ? left : PLAN_SAMPLE;
  sm_equation_p256_sample_vt(s->eq, *first, count);
  *first += count;
  return judge_each(s, *first - count, count) > 0;
}

static void settle(search *s, settle_state *state) {
  const size_t count = s->eq->count;
  size_t first = 0;
  if (state->wary && state->way == SETTLE_AUTO && sample_is_bad(s, &first)) {
    judge_each(s, first, count - first);
    return;
  }
  if (first == count || equation_settles(s, first, count - first)) {
    state->wary = false;
    return;
  }
  state->wary = true;
  if (sample_is_bad(s, &first)) {
    judge_each(s, first, count - first);
  } else {
    find(s, first, count - first, true);
  }
}

void sm_settle_p256_vt(uint8_t *verdicts, equation_p256 *eq, settle_state *state) {
  search s = {.verdicts = verdicts, .eq = eq, .lanes = sm_backend()->lanes};
  const size_t count = eq->count;
  bool equation = state->way == SETTLE_EQUATION ||
                  (state->way == SETTLE_AUTO && plan_equation(s.lanes, count));
  if (count == 0) {
    return;
  }
  if (equation && !sm_equation_p256_prepare_vt(eq)) {
    state->lacked_randomness = true;
    equation = false;
  }
  for (size_t i = eq->count; i < count; i++) {
    verdicts[eq->at[i]] = 0; /* off the curve */
  }
  s.open = eq->count;
  s.allowed = plan_cost_each(s.lanes, count) * (100 + PLAN_SEARCH) / 100;
  if (equation) {
    settle(&s, state);
  } else {
    judge_each(&s, 0, eq->count);
  }
  eq->count = 0;
}
