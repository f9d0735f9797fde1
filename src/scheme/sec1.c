/* Points as bytes (SEC 1, sections 2.3.3 and 2.3.4). */
#include "scheme/sec1.h"

#include "lanes/backend.h"
#include "scheme/fail.h"

static sigmill_status read33_vt(p256_point *out, const uint8_t in[33], size_t *error_at) {
  u256 x;
  if (in[0] != 2 && in[0] != 3) {
    return fail(error_at, 0, SIGMILL_ERR_KEY_PREFIX);
  }
  u256_from_be(&x, in + 1);
  if (u256_lt_mask(&x, &sm_p256_prime) == 0) {
    return fail(error_at, 1, SIGMILL_ERR_KEY_RANGE);
  }
  if (!sm_backend()->engine->lift_x_vt(out, &x, in[0] == 3)) {
    return fail(error_at, 1, SIGMILL_ERR_KEY_POINT);
  }
  return SIGMILL_OK;
}

static sigmill_status read65_vt(p256_point *out, const uint8_t in[65], bool hybrid,
                                size_t *error_at) {
  bool is_hybrid = in[0] == 6 || in[0] == 7;
  if (in[0] != 4 && !(hybrid && is_hybrid)) {
    return fail(error_at, 0, SIGMILL_ERR_KEY_PREFIX);
  }
  u256_from_be(&out->x, in + 1);
  u256_from_be(&out->y, in + 33);
  if (u256_lt_mask(&out->x, &sm_p256_prime) == 0) {
    return fail(error_at, 1, SIGMILL_ERR_KEY_RANGE);
  }
  if (u256_lt_mask(&out->y, &sm_p256_prime) == 0) {
    return fail(error_at, 33, SIGMILL_ERR_KEY_RANGE);
  }
  if (!sm_backend()->engine->on_curve_vt(out)) {
    return fail(error_at, 1, SIGMILL_ERR_KEY_POINT);
  }
  if (is_hybrid && (in[64] & 1) != (in[0] & 1)) {
    return fail(error_at, 0, SIGMILL_ERR_KEY_POINT);
  }
  return SIGMILL_OK;
}

sigmill_status sm_sec1_read_vt(p256_point *out, const uint8_t *in, size_t len,
                               bool hybrid, size_t *error_at) {
  switch (len) {
  case 33:
    return read33_vt(out, in, error_at);
  case 65:
    return read65_vt(out, in, hybrid, error_at);
  default:
    return fail(error_at, 0, SIGMILL_ERR_KEY_LENGTH);
  }
}

void sm_sec1_write33(uint8_t out[33], const p256_point *point) {
  out[0] = (uint8_t)(2 | (point->y.v[0] & 1));
  u256_to_be(out + 1, &point->x);
}

void sm_sec1_write65(uint8_t out[65], const p256_point *point) {
  out[0] = 4;
  u256_to_be(out + 1, &point->x);
  u256_to_be(out + 33, &point->y);
}
