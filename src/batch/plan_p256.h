/* What goes into lanes and what is cheaper alone: the thresholds, measured on Zen 5 with
 * the backend avx512ifma, and nothing else of the kind anywhere.
 *
 * A group costs the same with one item as with eight; beside a full group, with which it
 * shares inversions, less than by itself. */
#ifndef SIGMILL_BATCH_PLAN_P256_H
#define SIGMILL_BATCH_PLAN_P256_H

#include "lanes/lanes_p256.h"

enum {
  /* Verification, in percent of one group by itself. */
  PLAN_GROUP = 100,
  PLAN_GROUP_MORE = 85,  /* one group beside others */
  PLAN_ALONE = 62,       /* one claim by the scalar engine */
  PLAN_ALONE_POINT = 47, /* one whose R is known */

  /* So many items by themselves, and beside full groups, go alone. */
  PLAN_LIFTS_ALONE = 2,
  PLAN_KEYPAIRS_ALONE = 2,
  PLAN_SIGNATURES_ALONE = 2,
  PLAN_ECDH_ALONE = 1,
  PLAN_ALONE_MORE = 1
};

/* How many of count claims, the first ones, go into lanes. */
static inline size_t plan_claims_in_lanes(const p256_claim *claims, size_t count) {
  size_t full = count - count % LANES_P256_GROUP;
  int alone = 0;
  for (size_t i = full; i < count; i++) {
    alone += claims[i].has_point ? PLAN_ALONE_POINT : PLAN_ALONE;
  }
  return alone <= (full > 0 ? PLAN_GROUP_MORE : PLAN_GROUP) ? full : count;
}

/* How many of count other items, the first ones, go into lanes. */
static inline size_t plan_in_lanes(size_t count, size_t most_alone) {
  size_t rest = count % LANES_P256_GROUP;
  return rest <= (rest < count ? PLAN_ALONE_MORE : most_alone) ? count - rest : count;
}

#endif
