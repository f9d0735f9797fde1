/* Lifting in lanes where there are any, the few beside full groups by the scalar engine.
 */
#include "batch/lift_p256.h"

#include "base/check.h"
#include "batch/plan_p256.h"
#include <string.h>

void sm_lift_p256_vt(p256_point *out, uint8_t *found, const u256 *x, const uint8_t *y_odd,
                     size_t count) {
  const backend *b = sm_backend();
  size_t in_lanes = plan_in_lanes(b->lanes, count, PLAN_LIFTS_ALONE);
  CHECK(count <= LANES_P256_CHUNK);
  if (in_lanes > 0) {
    b->lanes->lift_x_vt(out, found, x, y_odd, in_lanes);
  }
  for (size_t i = in_lanes; i < count; i++) {
    found[i] = b->engine->lift_x_vt(&out[i], &x[i], y_odd[i]);
  }
}

void sm_read33_p256_vt(p256_point *out, uint8_t *read, const uint8_t *sec1,
                       size_t count) {
  u256 x[LANES_P256_CHUNK] = {{{0}}};
  uint8_t y_odd[LANES_P256_CHUNK] = {0};
  CHECK(count <= LANES_P256_CHUNK);
  for (size_t i = 0; i < count; i++) {
    y_odd[i] = sec1[33 * i] & 1;
    u256_from_be(&x[i], sec1 + 33 * i + 1);
  }
  sm_lift_p256_vt(out, read, x, y_odd, count);
  for (size_t i = 0; i < count; i++) {
    if (sec1[33 * i] != 2 && sec1[33 * i] != 3) {
      read[i] = 0;
      memset(&out[i], 0, sizeof out[i]);
    }
  }
}
