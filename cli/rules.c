/* The rules of the formats (sigmill.h, docs/formats.md) over big-endian bytes: ranges of
 * r and s, low s, recovery ids and prefixes, and whether R is a point. */
#include "rules.h"

#include <string.h>

enum { TOGETHER = 64, SIZE = 32 };

static const uint8_t order[SIZE] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00,
                                    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84,
                                    0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
/* (n - 1) / 2 */
static const uint8_t largest_low[SIZE] = {0x7f, 0xff, 0xff, 0xff, 0x80, 0x00, 0x00, 0x00,
                                          0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                          0xde, 0x73, 0x7d, 0x56, 0xd3, 0x8b, 0xcf, 0x42,
                                          0x79, 0xdc, 0xe5, 0x61, 0x7e, 0x31, 0x92, 0xa8};
static const uint8_t zero[SIZE];

static bool in_range(const uint8_t *x) {
  return memcmp(x, zero, SIZE) != 0 && memcmp(x, order, SIZE) < 0;
}

static sigmill_status check_s(const uint8_t *s, bool low) {
  return !in_range(s)                              ? SIGMILL_ERR_SIG_S
         : low && memcmp(s, largest_low, SIZE) > 0 ? SIGMILL_ERR_SIG_HIGH_S
                                                   : SIGMILL_OK;
}

static sigmill_status check_r_s(const uint8_t *r, const uint8_t *s, bool low) {
  return in_range(r) ? check_s(s, low) : SIGMILL_ERR_SIG_R;
}

/* x mod n is not 0: x is neither 0 nor n, as 2n is above 2^256. */
static sigmill_status check_x_s(const uint8_t *x, const uint8_t *s) {
  return memcmp(x, zero, SIZE) == 0 || memcmp(x, order, SIZE) == 0 ? SIGMILL_ERR_SIG_R
                                                                   : check_s(s, true);
}

/* x = r + n; false if that is above 2^256 - 1. */
static bool add_order(uint8_t x[SIZE], const uint8_t *r) {
  unsigned carry = 0;
  for (int i = SIZE - 1; i >= 0; i--) {
    carry += (unsigned)r[i] + order[i];
    x[i] = (uint8_t)carry;
    carry >>= 8;
  }
  return carry == 0;
}

/* All rules but that R, told by x and a parity, is a point: `point` is then to be read.
 * *has_point: there is one. */
static sigmill_status check_all_but_point(bool *has_point, uint8_t point[33],
                                          const sigmill_p256_item *item) {
  const uint8_t *sig = item->sig;
  uint8_t whole[65];
  sigmill_p256_pubkey r;
  sigmill_status status = SIGMILL_OK;
  *has_point = false;
  switch (item->format) {
  case SIGMILL_P256_SIG64:
    return check_r_s(sig, sig + 32, false);
  case SIGMILL_P256_SIG64_LOW_S:
    return check_r_s(sig, sig + 32, true);
  case SIGMILL_P256_RECOVERABLE65:
    status = sig[0] > 3 ? SIGMILL_ERR_SIG_RECID : check_r_s(sig + 1, sig + 33, true);
    if (status != SIGMILL_OK) {
      return status;
    }
    point[0] = (uint8_t)(2 + (sig[0] & 1));
    memcpy(point + 1, sig + 1, SIZE);
    *has_point = sig[0] < 2 || add_order(point + 1, sig + 1);
    return *has_point ? SIGMILL_OK : SIGMILL_ERR_SIG_POINT;
  case SIGMILL_P256_COMPRESSED_R65:
    status =
        sig[0] != 2 && sig[0] != 3 ? SIGMILL_ERR_SIG_RECID : check_x_s(sig + 1, sig + 33);
    memcpy(point, sig, 33);
    *has_point = status == SIGMILL_OK;
    return status;
  case SIGMILL_P256_FULL_R96:
    status = check_x_s(sig, sig + 64);
    whole[0] = 4;
    memcpy(whole + 1, sig, 64);
    return status != SIGMILL_OK ? status
           : sigmill_p256_pubkey_parse(&r, whole, sizeof whole) == SIGMILL_OK
               ? SIGMILL_OK
               : SIGMILL_ERR_SIG_POINT;
  }
  return SIGMILL_ERR_ARGUMENT;
}

static void rules_broken_together(sigmill_status *broken, const sigmill_p256_item *items,
                                  size_t count) {
  uint8_t points[TOGETHER][33], found[TOGETHER];
  sigmill_p256_pubkey read[TOGETHER];
  size_t at[TOGETHER], waiting = 0;
  for (size_t i = 0; i < count; i++) {
    bool has_point;
    broken[i] = check_all_but_point(&has_point, points[waiting], &items[i]);
    at[waiting] = i;
    waiting += has_point;
  }
  if (waiting > 0 && !sigmill_p256_pubkey_parse_batch(
                         read, found, (const uint8_t(*)[33])points, waiting)) {
    for (size_t k = 0; k < waiting; k++) {
      broken[at[k]] = found[k] == 1 ? SIGMILL_OK : SIGMILL_ERR_SIG_POINT;
    }
  }
}

void rules_broken(sigmill_status *broken, const sigmill_p256_item *items, size_t count) {
  for (size_t i = 0; i < count; i += TOGETHER) {
    size_t part = count - i < TOGETHER ? count - i : TOGETHER;
    rules_broken_together(broken + i, items + i, part);
  }
}
