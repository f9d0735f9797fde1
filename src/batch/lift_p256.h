/* Many points from their x at once. */
#ifndef SIGMILL_BATCH_LIFT_P256_H
#define SIGMILL_BATCH_LIFT_P256_H

#include "lanes/backend.h"

/* p256_engine's lift_x_vt for i < count <= LANES_P256_CHUNK; y_odd[i] is 0 or 1; found[i]
 * is 1 or 0 (out[i] zero). */
void sm_lift_p256_vt(p256_point *out, uint8_t *found, const u256 *x, const uint8_t *y_odd,
                     size_t count);
/* Reads count <= LANES_P256_CHUNK compressed points 02/03 || x that stand without gaps,
 * by the rules of sm_sec1_read_vt; read[i] is 1 or 0 (out[i] zero). */
void sm_read33_p256_vt(p256_point *out, uint8_t *read, const uint8_t *sec1, size_t count);

#endif
