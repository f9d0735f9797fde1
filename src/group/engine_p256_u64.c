/* The engine over the portable 64-bit field, where the compiler has 128-bit integers. */
#include "group/engine_p256.h"

#ifdef P256_ENGINE_U64
#define FE_P256_BODY_U64
#include "group/engine_p256.inc"

const p256_engine sm_p256_engine_u64 = {.name = "portable", ENGINE_P256_OPERATIONS};
#endif
