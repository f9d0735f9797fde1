/* The choice between the engines: once, at first use. */
#include "group/engine_p256.h"
#include "base/cpu.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const u256 sm_p256_prime = {
    {UINT64_MAX, UINT64_C(0x00000000ffffffff), 0, UINT64_C(0xffffffff00000001)}};

static bool runs_anywhere(void) {
  return true;
}

#ifdef P256_ENGINE_ADX
static bool has_bmi2_adx(void) {
  const cpu_features *cpu = sm_cpu_features();
  return cpu->bmi2 && cpu->adx;
}
#endif

static const struct {
  const p256_engine *engine;
  bool (*usable)(void);
} ENGINES[] = {
#ifdef P256_ENGINE_ADX
    {&sm_p256_engine_adx, has_bmi2_adx},
#endif
#ifdef P256_ENGINE_U64
    {&sm_p256_engine_u64, runs_anywhere},
#endif
    {&sm_p256_engine_u32, runs_anywhere},
};

static _Atomic(const p256_engine *) chosen;

const p256_engine *sm_p256_engine_list(size_t i, bool *usable) {
  if (i >= sizeof ENGINES / sizeof ENGINES[0]) {
    return NULL;
  }
  *usable = ENGINES[i].usable();
  return ENGINES[i].engine;
}

/* The first usable engine of that name, or of any name if it is NULL; NULL if none. */
static const p256_engine *find(const char *name) {
  const p256_engine *engine;
  bool usable;
  for (size_t i = 0; (engine = sm_p256_engine_list(i, &usable)) != NULL; i++) {
    if (usable && (name == NULL || strcmp(engine->name, name) == 0)) {
      return engine;
    }
  }
  return NULL;
}

/* Of several threads that settle the choice at once, the first wins. */
static const p256_engine *settle(const p256_engine *engine) {
  const p256_engine *settled = NULL;
  return atomic_compare_exchange_strong(&chosen, &settled, engine) ? engine : settled;
}

const p256_engine *sm_p256_engine(void) {
  const p256_engine *engine = atomic_load_explicit(&chosen, memory_order_acquire);
  if (engine == NULL) {
    const char *wanted = getenv("SIGMILL_BACKEND");
    engine = wanted != NULL ? find(wanted) : NULL;
    engine = settle(engine != NULL ? engine : find(NULL));
  }
  return engine;
}

bool sm_p256_engine_select(const char *name) {
  const p256_engine *engine = name != NULL ? find(name) : NULL;
  return engine != NULL && settle(engine) == engine;
}
