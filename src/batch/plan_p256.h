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

  /* Claims with a known R: judged one by one in lanes and alone, and in one equation
   * (its beginning and end, and each claim), in 1/100 of a claim one by one in lanes. */
  PLAN_SUM_LANES = 1500,
  PLAN_SUM_LANES_EACH = 22,
  PLAN_EACH_LANES = 100,
  PLAN_SUM_ENGINE = 1500,
  PLAN_SUM_ENGINE_EACH = 90,
  PLAN_EACH_ENGINE = 440,

  /* What an equation that fails may cost beside judging all claims one by one, in
   * percent of the latter. */
  PLAN_SEARCH = 30,
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

/* The cost of count claims with a known R, one by one and in one equation. */
static inline size_t plan_cost_each(bool lanes, size_t count) {
  return (lanes ? PLAN_EACH_LANES : PLAN_EACH_ENGINE) * count;
}
static inline size_t plan_cost_sum(bool lanes, size_t count) {
  return lanes ? PLAN_SUM_LANES + PLAN_SUM_LANES_EACH * count
               : PLAN_SUM_ENGINE + PLAN_SUM_ENGINE_EACH * count;
}

#endif
