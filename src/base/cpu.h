/* What the processor and the operating system offer, read once. */
#ifndef SIGMILL_BASE_CPU_H
#define SIGMILL_BASE_CPU_H

#include <stdbool.h>

typedef struct {
  bool bmi2;     /* MULX */
  bool adx;      /* ADCX, ADOX */
  bool avx2;     /* with the YMM state saved by the operating system */
  bool avx512;   /* F, BW, DQ, VL on top of avx2, with the ZMM and mask state saved */
  bool ifma;     /* AVX-512 IFMA, on top of avx512 */
  bool sha_ni;   /* SHA extensions, with SSSE3 and SSE4.1 */
  bool avx_ifma; /* VEX encoded IFMA, on top of avx2 */
} cpu_features;

/* Constant after the first call; safe from several threads. */
const cpu_features *sm_cpu_features(void);

#endif
