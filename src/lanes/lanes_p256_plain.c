/* The jobs of the eight-lane floor in plain C. */
#define VEC_PLAIN
#define LANES_P256_TABLE sm_p256_lanes_plain
#define LANES_P256_NAME  "plain"
#define LANES_P256_COST  100 /* for tests: they are to find lanes in use */
#include "lanes/lanes_p256.inc"
