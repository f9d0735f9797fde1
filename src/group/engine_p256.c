/* The engines compiled in, and which of them this machine can run. */
#include "group/engine_p256.h"
#include "base/cpu.h"

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

const p256_engine *sm_p256_engine_list(size_t i, bool *usable) {
  if (i >= sizeof ENGINES / sizeof ENGINES[0]) {
    return NULL;
  }
  *usable = ENGINES[i].usable();
  return ENGINES[i].engine;
}
