/* Making and ending verifiers. */
#include "api_verifier.h"

#include <stdlib.h>

enum {
  DEFAULT_BATCH = 1024, /* claims, points and buckets stay in a second-level cache */
  SMALLEST_BATCH = 32,
  MOST_WORKSPACES = 1024,
  /* One claim one by one and what an equation that fails adds, in 1/10 us. */
  LATENCY_EACH = 60
};

static const sigmill_verifier_options DEFAULTS = {.struct_size = sizeof DEFAULTS};

static bool options_are_usable(const sigmill_verifier_options *o) {
  return o->struct_size == sizeof *o && o->max_batch <= SIGMILL_BATCH_MAX &&
         o->concurrency <= MOST_WORKSPACES &&
         (unsigned)o->plan <= SIGMILL_PLAN_EQUATION &&
         (unsigned)o->hedging <= SIGMILL_HEDGING_OFF;
}

/* How many claims go into one equation. */
static size_t capacity_for(const sigmill_verifier_options *o) {
  size_t capacity = o->max_batch != 0 ? o->max_batch : DEFAULT_BATCH;
  if (o->max_latency_us != 0) {
    capacity = at_most(capacity, (size_t)o->max_latency_us * 10 / LATENCY_EACH);
  }
  return capacity < SMALLEST_BATCH ? SMALLEST_BATCH : capacity;
}

/* How many bodies parallel_for runs at once. */
static size_t workspaces_for(const sigmill_verifier_options *o) {
  if (o->parallel_for == NULL) {
    return 1;
  }
  if (o->concurrency != 0) {
    return o->concurrency;
  }
  const bool pool =
      o->parallel_for == sigmill_parallel_for_threads && o->parallel_ctx != NULL;
  return at_most(pool ? sigmill_threads_count(o->parallel_ctx) : sm_processors(),
                 MOST_WORKSPACES);
}

static settle_way way_for(sigmill_plan plan) {
  return plan == SIGMILL_PLAN_EACH       ? SETTLE_ONE_BY_ONE
         : plan == SIGMILL_PLAN_EQUATION ? SETTLE_EQUATION
                                         : SETTLE_AUTO;
}

sigmill_status sigmill_verifier_create(sigmill_verifier **out,
                                       const sigmill_verifier_options *options_or_null) {
  const sigmill_verifier_options *o =
      options_or_null != NULL ? options_or_null : &DEFAULTS;
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  *out = NULL;
  if (!options_are_usable(o)) {
    return SIGMILL_ERR_ARGUMENT;
  }
  const size_t count = workspaces_for(o), capacity = capacity_for(o);
  const size_t size = (sm_equation_p256_size(capacity) + 63) / 64 * 64;
  sigmill_verifier *v = calloc(1, sizeof *v + count * sizeof v->workspaces[0]);
  if (v == NULL || size > SIZE_MAX / count) {
    free(v);
    return SIGMILL_ERR_MEMORY;
  }
  v->memory = aligned_alloc(64, size * count);
  if (v->memory == NULL) {
    free(v);
    return SIGMILL_ERR_MEMORY;
  }
  v->parallel_for = o->parallel_for;
  v->parallel_ctx = o->parallel_ctx;
  v->capacity = capacity;
  v->keycache = o->keycache;
  v->workspace_count = count;
  for (size_t i = 0; i < count; i++) {
    verifier_workspace *w = &v->workspaces[i];
    atomic_flag_clear(&w->taken);
    w->equation = sm_equation_p256_init((uint8_t *)v->memory + i * size, capacity);
    w->equation->source = o->random;
    w->equation->source_ctx = o->random_ctx;
    w->equation->hedged = o->hedging != SIGMILL_HEDGING_OFF;
    w->state.way = way_for(o->plan);
  }
  *out = v;
  return SIGMILL_OK;
}

void sigmill_verifier_destroy(sigmill_verifier *v) {
  if (v != NULL) {
    free(v->memory);
    free(v);
  }
}

sigmill_status sigmill_verifier_status(const sigmill_verifier *v) {
  if (v == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  for (size_t i = 0; i < v->workspace_count; i++) {
    if (v->workspaces[i].state.lacked_randomness) {
      return SIGMILL_ERR_RANDOM;
    }
  }
  return SIGMILL_OK;
}

verifier_workspace *sm_verifier_take(sigmill_verifier *v) {
  for (size_t i = 0; i < v->workspace_count; i++) {
    if (!atomic_flag_test_and_set_explicit(&v->workspaces[i].taken,
                                           memory_order_acquire)) {
      return &v->workspaces[i];
    }
  }
  return NULL;
}

void sm_verifier_give_back(verifier_workspace *workspace) {
  if (workspace != NULL) {
    atomic_flag_clear_explicit(&workspace->taken, memory_order_release);
  }
}
