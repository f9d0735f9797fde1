/* The engine over the MULX/ADCX/ADOX field of x86-64. */
#include "group/engine_p256.h"

#ifdef P256_ENGINE_ADX
#define FE_P256_BODY_ADX
#include "group/engine_p256.inc"

const p256_engine sm_p256_engine_adx = {.name = "x86-64", ENGINE_P256_OPERATIONS};
#endif
