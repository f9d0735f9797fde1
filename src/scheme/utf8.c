/* UTF-8 (RFC 3629). */
#include "scheme/utf8.h"

#include "base/secret.h"

/* The length of a sequence by its first byte; 0 for none.  What the first byte leaves
 * possible of overlong forms, surrogates and too great ones shows in the second. */
static size_t sequence_length(const uint8_t *s, size_t left) {
  uint8_t low = 0x80, high = 0xbf;
  size_t len;
  if (s[0] >= 0xc2 && s[0] <= 0xdf) {
    len = 2;
  } else if (s[0] >= 0xe0 && s[0] <= 0xef) {
    len = 3;
    low = s[0] == 0xe0 ? 0xa0 : low;
    high = s[0] == 0xed ? 0x9f : high;
  } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
    len = 4;
    low = s[0] == 0xf0 ? 0x90 : low;
    high = s[0] == 0xf4 ? 0x8f : high;
  } else {
    return 0;
  }
  if (left < len || s[1] < low || s[1] > high) {
    return 0;
  }
  for (size_t i = 2; i < len; i++) {
    if ((s[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  return len;
}

bool sm_utf8_check(const uint8_t *text, size_t len, size_t *error_at) {
  size_t at = 0;
  while (at < len) {
    uint8_t beyond_ascii = text[at] >> 7;
    PUBLIC(&beyond_ascii, sizeof beyond_ascii);
    size_t step = beyond_ascii != 0 ? sequence_length(text + at, len - at) : 1;
    if (step == 0) {
      *error_at = at;
      return false;
    }
    at += step;
  }
  return true;
}

uint32_t sm_utf8_next(const uint8_t *text, size_t *at) {
  const uint8_t *s = text + *at;
  uint8_t beyond_ascii = s[0] >> 7;
  PUBLIC(&beyond_ascii, sizeof beyond_ascii);
  if (beyond_ascii == 0) {
    *at += 1;
    return s[0];
  }
  if (s[0] < 0xe0) {
    *at += 2;
    return (uint32_t)(s[0] & 0x1f) << 6 | (s[1] & 0x3f);
  }
  if (s[0] < 0xf0) {
    *at += 3;
    return (uint32_t)(s[0] & 0x0f) << 12 | (uint32_t)(s[1] & 0x3f) << 6 | (s[2] & 0x3f);
  }
  *at += 4;
  return (uint32_t)(s[0] & 0x07) << 18 | (uint32_t)(s[1] & 0x3f) << 12 |
         (uint32_t)(s[2] & 0x3f) << 6 | (s[3] & 0x3f);
}
