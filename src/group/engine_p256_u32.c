/* The engine over the 32-bit field. */
#define FE_P256_BODY_U32
#include "group/engine_p256.inc"

const p256_engine sm_p256_engine_u32 = {.name = "portable32", ENGINE_P256_OPERATIONS};
