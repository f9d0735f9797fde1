/* Base64 and base64url over whole byte strings (RFC 4648). */
#include "scheme/base64.h"

sigmill_status sm_base64url_read(uint8_t *out, size_t *out_len, size_t room,
                                 const uint8_t *text, size_t len, size_t *error_at) {
  base64_sink sink = {.out = out, .room = room};
  *out_len = 0;
  for (size_t i = 0; i < len; i++) {
    uint32_t value = base64_value(text[i], BASE64_URL);
    uint32_t outside = value & BASE64_NONE;
    PUBLIC(&outside, sizeof outside);
    if (outside != 0) {
      *error_at = i;
      return SIGMILL_ERR_BASE64;
    }
    if (!base64_put(&sink, value)) {
      *error_at = i;
      return SIGMILL_ERR_TOO_LONG;
    }
  }
  if (!base64_complete(&sink)) {
    *error_at = len % 4 == 1 ? len : len - 1;
    return SIGMILL_ERR_BASE64;
  }
  *out_len = base64_bytes(&sink);
  return SIGMILL_OK;
}

static size_t write_unpadded(char *out, const uint8_t *in, size_t len,
                             base64_alphabet alphabet) {
  size_t chars = (4 * len + 2) / 3;
  for (size_t i = 0; i < chars; i++) {
    size_t at = i / 4 * 3 + i % 4;
    uint32_t left = i % 4 == 0 ? 0 : in[at - 1], right = at < len ? in[at] : 0;
    if (i % 4 == 3) {
      right = 0;
    }
    uint32_t shift = (uint32_t)(2 + i % 4 * 2);
    out[i] = base64_char((left << 8 | right) >> shift & 63, alphabet);
  }
  return chars;
}

size_t sm_base64url_write(char *out, const uint8_t *in, size_t len) {
  return write_unpadded(out, in, len, BASE64_URL);
}

size_t sm_base64_write(char *out, const uint8_t *in, size_t len) {
  size_t chars = write_unpadded(out, in, len, BASE64_STANDARD);
  while (chars % 4 != 0) {
    out[chars++] = '=';
  }
  return chars;
}
