/* Points as bytes: the elliptic-curve-point-to-octet-string forms of SEC 1,
 * sections 2.3.3 and 2.3.4, and the hybrid form of X9.62. */
#ifndef SIGMILL_SCHEME_SEC1_H
#define SIGMILL_SCHEME_SEC1_H

#include "group/engine_p256.h"
#include "sigmill.h"

/* Reads 02/03 || x or 04 || x || y; with hybrid also 06/07 || x || y, y of that parity.
 * *error_at: the prefix for KEY_LENGTH, KEY_PREFIX and a wrong parity (KEY_POINT), the
 * coordinate for KEY_RANGE, x for other KEY_POINT. */
sigmill_status sm_sec1_read_vt(p256_point *out, const uint8_t *in, size_t len,
                               bool hybrid, size_t *error_at);
/* 02/03 || x */
void sm_sec1_write33(uint8_t out[33], const p256_point *point);
/* 04 || x || y */
void sm_sec1_write65(uint8_t out[65], const p256_point *point);

#endif
