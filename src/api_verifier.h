/* What stands inside a sigmill_verifier. */
#ifndef SIGMILL_API_VERIFIER_H
#define SIGMILL_API_VERIFIER_H

#include "api_types.h"
#include "batch/keycache_p256.h"
#include "batch/settle_p256.h"
#include <stdatomic.h>

/* Memory for one equation, for whichever thread has taken it. */
typedef struct {
  atomic_flag taken;
  equation_p256 *equation;
  settle_state state;
} verifier_workspace;

struct sigmill_verifier {
  sigmill_parallel_for parallel_for;
  void *parallel_ctx;
  void *memory;               /* what the equations lie in */
  size_t capacity;            /* claims of one equation */
  sigmill_keycache *keycache; /* or NULL */
  size_t workspace_count;
  verifier_workspace workspaces[];
};

/* The processors that this process may run on. */
unsigned sm_processors(void);

/* A workspace that nobody else has until it is given back, or NULL: all are taken. */
verifier_workspace *sm_verifier_take(sigmill_verifier *v);
void sm_verifier_give_back(verifier_workspace *workspace);

#endif
