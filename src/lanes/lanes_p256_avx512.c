/* The jobs of the eight-lane floor in AVX-512 IFMA. */
#define VEC_AVX512
#define LANES_P256_TABLE sm_p256_lanes_avx512
#define LANES_P256_NAME  "avx512ifma"
#define LANES_P256_COST  100
#include "lanes/lanes_p256.inc"
