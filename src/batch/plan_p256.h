/* What goes into lanes, what into a random equation and what is cheaper alone: the
 * thresholds, measured on Zen 5 with the backends avx512ifma and x86-64, and nothing else
 * of the kind anywhere.
 *
 * A group costs the same with one item as with eight; beside a full group, with which it
 * shares inversions, less than by itself. */
#ifndef SIGMILL_BATCH_PLAN_P256_H
#define SIGMILL_BATCH_PLAN_P256_H

#include "lanes/lanes_p256.h"

enum {
  /* Verification, in percent of one group by itself in avx512ifma. */
  PLAN_GROUP = 100,
  PLAN_GROUP_MORE = 85,  /* one group beside others */
  PLAN_ALONE = 62,       /* one claim by the scalar engine */
  PLAN_ALONE_POINT = 47, /* one whose R is known */

  /* So many items by themselves, and beside full groups, go alone. */
  PLAN_LIFTS_ALONE = 2,
  PLAN_HINTS_ALONE = 1,
  PLAN_KEYPAIRS_ALONE = 2,
  PLAN_SIGNATURES_ALONE = 2,
  PLAN_ECDH_ALONE = 1,
  PLAN_ALONE_MORE = 1,
  PLAN_KNOWN_ALONE = 3, /* of claims whose key has a table: as those that have none */

  /* So many verifications with a key's table pay for making it, and so many for a group
   * of tables, whether full or not. */
  PLAN_TABLE_USES = 3,
  PLAN_TABLE_GROUP_USES = 17,

  /* Claims with a known R, in 1/100 of what one costs in full groups, or by the scalar
   * engine: a group, one alone in avx512ifma; an equation by itself, and each claim of
   * the first 32, of the next 96 and of the others. */
  PLAN_COST_GROUP = 800,
  PLAN_COST_ALONE = 374,
  PLAN_COST_ENGINE = 100,
  PLAN_SUM_LANES = 780,
  PLAN_SUM_LANES_FIRST = 40,
  PLAN_SUM_LANES_NEXT = 28,
  PLAN_SUM_LANES_MORE = 20,
  PLAN_SUM_ENGINE = 320,
  PLAN_SUM_ENGINE_FIRST = 45,
  PLAN_SUM_ENGINE_NEXT = 33,
  PLAN_SUM_ENGINE_MORE = 28,
  PLAN_FIRST = 32,
  PLAN_NEXT = 96,

  /* An equation is tried if it costs no more than this, in percent of judging each: one
   * that fails unexpectedly, and a call after it that does without, together cost at most
   * 1.35 times as much as judging each. */
  PLAN_WORTH = 70,
  /* What an equation that fails may cost beside judging all claims one by one, in
   * percent of the latter. */
  PLAN_SEARCH = 30,
  PLAN_STAKE = 3, /* the part of what is left of it that one equation may take: a third */
  /* So many claims tell whether the invalid ones are many. */
  PLAN_SAMPLE = LANES_P256_CHUNK
};

/* How many of count claims, the first ones, go into lanes. */
static inline size_t plan_claims_in_lanes(const p256_lanes *lanes,
                                          const p256_claim *claims, size_t count) {
  size_t full = count - count % LANES_P256_GROUP;
  int alone = 0;
  for (size_t i = full; i < count; i++) {
    alone += claims[i].has_point ? PLAN_ALONE_POINT : PLAN_ALONE;
  }
  const int group = (full > 0 ? PLAN_GROUP_MORE : PLAN_GROUP) * lanes->cost / 100;
  return alone <= group ? full : count;
}

/* How many of count other items, the first ones, go into lanes: of which there may be
 * none, NULL. */
static inline size_t plan_in_lanes(const p256_lanes *lanes, size_t count,
                                   size_t most_alone) {
  if (lanes == NULL) {
    return 0;
  }
  const size_t rest = count % LANES_P256_GROUP;
  const size_t alone = rest < count ? PLAN_ALONE_MORE : most_alone;
  return 100 * rest <= alone * (size_t)lanes->cost ? count - rest : count;
}

/* The cost of count claims with a known R, one by one. */
static inline size_t plan_cost_each(const p256_lanes *lanes, size_t count) {
  if (lanes == NULL) {
    return PLAN_COST_ENGINE * count;
  }
  const size_t alone =
      count % LANES_P256_GROUP * (PLAN_COST_ALONE * 100 / (size_t)lanes->cost);
  return PLAN_COST_GROUP * (count / LANES_P256_GROUP) +
         (alone < PLAN_COST_GROUP ? alone : PLAN_COST_GROUP);
}

/* The same in one equation. */
static inline size_t plan_cost_sum(const p256_lanes *lanes, size_t count) {
  const size_t first = count < PLAN_FIRST ? count : PLAN_FIRST;
  const size_t after = count - first, next = after < PLAN_NEXT ? after : PLAN_NEXT;
  const size_t more = after - next;
  return lanes != NULL ? PLAN_SUM_LANES + PLAN_SUM_LANES_FIRST * first +
                             PLAN_SUM_LANES_NEXT * next + PLAN_SUM_LANES_MORE * more
                       : PLAN_SUM_ENGINE + PLAN_SUM_ENGINE_FIRST * first +
                             PLAN_SUM_ENGINE_NEXT * next + PLAN_SUM_ENGINE_MORE * more;
}

/* Is an equation for count claims worth trying? */
static inline bool plan_equation(const p256_lanes *lanes, size_t count) {
  return 100 * plan_cost_sum(lanes, count) <= PLAN_WORTH * plan_cost_each(lanes, count);
}

#endif
