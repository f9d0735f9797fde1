/* The jobs of the eight-lane floor in 256-bit registers, AVX2 and AVX-IFMA. */
#define VEC_AVXIFMA
#define LANES_P256_TABLE sm_p256_lanes_avxifma
#define LANES_P256_NAME  "avxifma"
#define LANES_P256_COST  215 /* as the same registers in AVX-512 */
#include "lanes/lanes_p256.inc"
