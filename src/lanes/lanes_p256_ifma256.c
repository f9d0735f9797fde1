/* The jobs of the eight-lane floor in 256-bit registers, AVX-512 VL and IFMA. */
#define VEC_IFMA256
#define LANES_P256_TABLE sm_p256_lanes_ifma256
#define LANES_P256_NAME  "ifma256"
#define LANES_P256_COST  215
#include "lanes/lanes_p256.inc"
