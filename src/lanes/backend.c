/* The choice between the backends: once, at first use, nothing to lock or to wait for.
 * Threads that come to it at the same time each run the self-test, and the first to end
 * wins. */
#include "lanes/backend.h"

#include "base/cpu.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef P256_LANES_X86
static bool has_avx512_ifma(void) {
  return sm_cpu_features()->avx512 && sm_cpu_features()->ifma;
}
#endif

#ifdef P256_LANES_AVXIFMA
static bool has_avx_ifma(void) {
  return sm_cpu_features()->avx2 && sm_cpu_features()->avx_ifma;
}
#endif

#ifdef P256_ENGINE_U64
#define PLAIN_ENGINE sm_p256_engine_u64
#else
#define PLAIN_ENGINE sm_p256_engine_u32
#endif
/* Beside lanes in x86 vectors; a build without assembly has vectors all the same. */
#ifdef P256_ENGINE_ADX
#define X86_ENGINE sm_p256_engine_adx
#else
#define X86_ENGINE PLAIN_ENGINE
#endif

#define WRONG(name, what) "backend " name " computes " what " wrongly and is not used"
#define WRONG_JOBS(name)                                                                 \
  {                                                                                      \
    [LANES_JOB_VERIFY] = WRONG(name, "verifications"),                                   \
    [LANES_JOB_FIND_R] = WRONG(name, "hints"),                                           \
    [LANES_JOB_VERIFY_KNOWN] = WRONG(name, "verifications with a key's table"),          \
    [LANES_JOB_VERIFY_ONE] = WRONG(name, "one verification with a key's comb"),          \
    [LANES_JOB_LIFT_X] = WRONG(name, "points from their x"),                             \
    [LANES_JOB_MUL_BASE] = WRONG(name, "multiples of the base point"),                   \
    [LANES_JOB_MUL] = WRONG(name, "multiples of points"),                                \
    [LANES_JOB_SIGN_EQUATION] = WRONG(name, "signatures"),                               \
    [LANES_JOB_MUL_BASE_ONE] = WRONG(name, "one multiple of the base point"),            \
    [LANES_JOB_COMBINE] = WRONG(name, "combinations of scalars"),                        \
    [LANES_JOB_SUMS] = WRONG(name, "sums of points")                                     \
  }

/* Fastest first. */
static const backend_row ROWS[] = {
#ifdef P256_LANES_X86
    {.backend = {"avx512ifma", &X86_ENGINE, &sm_p256_lanes_avx512},
     .has_lanes = has_avx512_ifma,
     .wrong = WRONG_JOBS("avx512ifma")},
    {.backend = {"avx512ifma-256", &X86_ENGINE, &sm_p256_lanes_ifma256},
     .has_lanes = has_avx512_ifma,
     .wrong = WRONG_JOBS("avx512ifma-256")},
#endif
#ifdef P256_LANES_AVXIFMA
    {.backend = {"avxifma", &X86_ENGINE, &sm_p256_lanes_avxifma},
     .has_lanes = has_avx_ifma,
     .wrong = WRONG_JOBS("avxifma")},
#endif
#ifdef P256_ENGINE_ADX
    {.backend = {"x86-64", &sm_p256_engine_adx, NULL}},
#endif
#ifdef P256_ENGINE_U64
    {.backend = {"portable", &sm_p256_engine_u64, NULL}},
#endif
    {.backend = {"portable32", &sm_p256_engine_u32, NULL}},
    {.backend = {"plain-lanes", &PLAIN_ENGINE, &sm_p256_lanes_plain},
     .only_by_name = true,
     .wrong = WRONG_JOBS("plain-lanes")},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static bool engine_is_usable(const p256_engine *wanted) {
  const p256_engine *engine;
  bool usable = false;
  for (size_t i = 0; (engine = sm_p256_engine_list(i, &usable)) != NULL; i++) {
    if (engine == wanted) {
      return usable;
    }
  }
  return false;
}

static bool is_usable(const backend_row *row) {
  return engine_is_usable(row->backend.engine) &&
         (row->has_lanes == NULL || row->has_lanes());
}

const backend *sm_backend_list(size_t i, bool *usable) {
  if (i >= ROW_COUNT) {
    return NULL;
  }
  *usable = is_usable(&ROWS[i]);
  return &ROWS[i].backend;
}

/* Usable here and right; else *note says what was wrong, where something was. */
static bool fit(const backend_row *row, const char **note) {
  if (!is_usable(row)) {
    return false;
  }
  if (row->backend.lanes == NULL) {
    return true;
  }
  lanes_job failed = sm_lanes_selftest(row->backend.lanes, row->backend.engine);
  if (failed != LANES_JOBS) {
    *note = row->wrong[failed];
  }
  return failed == LANES_JOBS;
}

/* The row of that name if it is fit, else NULL. */
static const backend *choose_named(const backend_row *rows, size_t count,
                                   const char *name, const char **note) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(rows[i].backend.name, name) == 0) {
      return fit(&rows[i], note) ? &rows[i].backend : NULL;
    }
  }
  return NULL;
}

const backend *sm_backend_choose(const backend_row *rows, size_t count, const char *name,
                                 const char **note) {
  *note = NULL;
  if (name != NULL) {
    const backend *named = choose_named(rows, count, name, note);
    if (named != NULL) {
      return named;
    }
    if (*note == NULL) {
      *note = "SIGMILL_BACKEND names no backend that this machine can run";
    }
  }
  for (size_t i = 0; i < count; i++) {
    const char *why = NULL;
    if (!rows[i].only_by_name && fit(&rows[i], &why)) {
      return &rows[i].backend;
    }
    if (why != NULL && *note == NULL) {
      *note = why;
    }
  }
  return NULL;
}

static _Atomic(const backend *) chosen;
static _Atomic(const char *) told;

/* Of several threads that settle the choice at once, the first wins. */
static const backend *settle(const backend *candidate) {
  const backend *settled = NULL;
  return atomic_compare_exchange_strong(&chosen, &settled, candidate) ? candidate
                                                                      : settled;
}

static void tell(const char *note) {
  if (note != NULL) {
    atomic_store(&told, note);
  }
}

const backend *sm_backend(void) {
  const backend *settled = atomic_load_explicit(&chosen, memory_order_acquire);
  if (settled == NULL) {
    const char *note, *name = getenv("SIGMILL_BACKEND");
    bool asked = name != NULL && name[0] != '\0';
    const backend *b = sm_backend_choose(ROWS, ROW_COUNT, asked ? name : NULL, &note);
    tell(note);
    settled = settle(b);
  }
  return settled;
}

bool sm_backend_select(const char *name) {
  const char *note = NULL;
  const backend *settled = atomic_load_explicit(&chosen, memory_order_acquire);
  if (settled != NULL) {
    return strcmp(settled->name, name) == 0;
  }
  const backend *b = choose_named(ROWS, ROW_COUNT, name, &note);
  tell(note);
  return b != NULL && settle(b) == b;
}

const char *sm_backend_note(void) {
  return atomic_load(&told);
}

void sm_backend_mul_base(p256_point *out, const u256 *k) {
  const backend *b = sm_backend();
  if (b->lanes != NULL) {
    b->lanes->mul_base_one(out, k);
  } else {
    b->engine->mul_base(out, k);
  }
}
