/* The bodies of the eight-lane floor that run on this machine. */
#include "base/cpu.h"
#include "sc_x8_ops.h"

const sc_x8_ops *sc_x8_body(int i) {
  const sc_x8_ops *bodies[5] = {&sc_x8_ops_plain};
#ifdef P256_LANES_X86
  int count = 1;
  if (sm_cpu_features()->ifma) {
    bodies[count++] = &sc_x8_ops_avx512;
    bodies[count++] = &sc_x8_ops_ifma256;
  }
#ifdef P256_LANES_AVXIFMA
  if (sm_cpu_features()->avx_ifma) {
    bodies[count++] = &sc_x8_ops_avxifma;
  }
#endif
#endif
  return bodies[i];
}
