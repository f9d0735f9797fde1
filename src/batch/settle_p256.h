/* The claims of an equation to verdicts of their own, whatever the equation says. */
#ifndef SIGMILL_BATCH_SETTLE_P256_H
#define SIGMILL_BATCH_SETTLE_P256_H

#include "batch/equation_p256.h"

/* How claims with a known R are judged. */
typedef enum {
  SETTLE_AUTO,       /* whatever is cheapest */
  SETTLE_ONE_BY_ONE, /* never by an equation */
  SETTLE_EQUATION    /* always first by an equation */
} settle_way;

/* What is remembered from one call to the next. */
typedef struct {
  settle_way way;
  bool wary;              /* the last equation failed */
  bool lacked_randomness; /* claims were judged one by one for want of coefficients */
} settle_state;

/* verdicts[eq->at[i]] = 1 if claims[i] holds, else 0, for i < eq->count, which becomes 0.
 * A claim that does not hold gets 1 with a chance of at most 2^-128 for each equation it
 * is part of, of which there are at most 2 + log2(eq->count).
 *
 * Invalid claims among them cost at most PLAN_SEARCH percent beside judging all of them
 * one by one, or an equation for all where that is more.  After an equation has failed,
 * the next call first looks at a sample. */
void sm_settle_p256_vt(uint8_t *verdicts, equation_p256 *eq, settle_state *state);

#endif
