/* Known answers through the jobs of one body of the lanes. */
#ifndef SIGMILL_LANES_LANES_SELFTEST_H
#define SIGMILL_LANES_LANES_SELFTEST_H

#include "lanes/lanes_p256.h"

typedef enum {
  LANES_JOB_VERIFY,
  LANES_JOB_FIND_R,
  LANES_JOB_VERIFY_KNOWN,
  LANES_JOB_VERIFY_ONE,
  LANES_JOB_LIFT_X,
  LANES_JOB_MUL_BASE,
  LANES_JOB_MUL,
  LANES_JOB_SIGN_EQUATION,
  LANES_JOB_MUL_BASE_ONE,
  LANES_JOB_COMBINE,
  LANES_JOB_SUMS,
  LANES_JOBS
} lanes_job;

/* The first job with a wrong answer, or LANES_JOBS.  Right is what the published answers
 * say and, for other inputs in the other lanes, what the engine says. */
lanes_job sm_lanes_selftest(const p256_lanes *lanes, const p256_engine *engine);

#endif
