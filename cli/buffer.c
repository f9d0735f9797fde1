/* Growing byte runs, and the JSON that the program writes. */
#include "buffer.h"

#include <openssl/crypto.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool buffer_reserve(buffer *b, size_t len) {
  if (b->failed || len > SIZE_MAX / 2 - b->len) {
    b->failed = true;
    return false;
  }
  if (b->cap - b->len >= len) {
    return true;
  }
  size_t cap = b->cap < 256 ? 256 : b->cap;
  while (cap - b->len < len) {
    cap *= 2;
  }
  /* Not realloc: a secret must not be left behind in the old place. */
  uint8_t *data = malloc(cap);
  if (data == NULL) {
    b->failed = true;
    return false;
  }
  if (b->len > 0) {
    memcpy(data, b->data, b->len);
    OPENSSL_cleanse(b->data, b->len);
  }
  free(b->data);
  b->data = data;
  b->cap = cap;
  return true;
}

void buffer_put(buffer *b, const void *data, size_t len) {
  if (len > 0 && buffer_reserve(b, len)) {
    memcpy(b->data + b->len, data, len);
    b->len += len;
  }
}

void buffer_text(buffer *b, const char *text) {
  buffer_put(b, text, strlen(text));
}

void buffer_format(buffer *b, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (len >= 0 && buffer_reserve(b, (size_t)len + 1)) {
    (void)vsnprintf((char *)b->data + b->len, (size_t)len + 1, format, again);
    b->len += (size_t)len;
  }
  va_end(again);
}

void buffer_u64(buffer *b, uint64_t value) {
  char digits[20];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value > 0);
  buffer_put(b, digits + at, sizeof digits - at);
}

void buffer_hex(buffer *b, const uint8_t *data, size_t len) {
  static const char digits[] = "0123456789abcdef";
  if (len <= SIZE_MAX / 4 && buffer_reserve(b, 2 * len)) {
    for (size_t i = 0; i < len; i++) {
      b->data[b->len++] = (uint8_t)digits[data[i] >> 4];
      b->data[b->len++] = (uint8_t)digits[data[i] & 15];
    }
  }
}

/* The length of the UTF-8 character (RFC 3629) at text, or 0 if there is none. */
static size_t utf8_length(const uint8_t *text, size_t len) {
  static const struct {
    uint8_t first, last, second_low, second_high, length;
  } rows[] = {
      {0x00, 0x7f, 0x80, 0xbf, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2},
      {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
      {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
      {0xf4, 0xf4, 0x80, 0x8f, 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (text[0] < rows[i].first || text[0] > rows[i].last) {
      continue;
    }
    size_t want = rows[i].length;
    bool ok = want <= len;
    for (size_t j = 1; ok && j < want; j++) {
      uint8_t low = j == 1 ? rows[i].second_low : 0x80;
      uint8_t high = j == 1 ? rows[i].second_high : 0xbf;
      ok = text[j] >= low && text[j] <= high;
    }
    return ok ? want : 0;
  }
  return 0;
}

void buffer_json_string(buffer *b, const char *text, size_t len) {
  const uint8_t *in = (const uint8_t *)text;
  buffer_put(b, "\"", 1);
  size_t plain = 0; /* characters up to here are already out */
  for (size_t i = 0; i < len;) {
    uint8_t c = in[i];
    size_t length = c < 0x80 ? 1 : utf8_length(in + i, len - i);
    if (length > 0 && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) {
      i += length;
      continue;
    }
    buffer_put(b, in + plain, i - plain);
    if (length == 0) {
      buffer_text(b, "\xef\xbf\xbd");
    } else if (c == '"' || c == '\\') {
      buffer_format(b, "\\%c", c);
    } else if (c == '\n') {
      buffer_text(b, "\\n");
    } else {
      buffer_format(b, "\\u%04x", c);
    }
    i++;
    plain = i;
  }
  buffer_put(b, in + plain, len - plain);
  buffer_put(b, "\"", 1);
}

void buffer_wipe(buffer *b) {
  if (b->data != NULL) {
    OPENSSL_cleanse(b->data, b->cap);
  }
  free(b->data);
  *b = (buffer){0};
}

void json_name(buffer *b, const char *name) {
  if (b->len > 0 && b->data[b->len - 1] != '{' && b->data[b->len - 1] != '[') {
    buffer_put(b, ",", 1);
  }
  buffer_put(b, "\"", 1);
  buffer_text(b, name);
  buffer_put(b, "\":", 2);
}

void json_open(buffer *b, const char *name) {
  if (name != NULL) {
    json_name(b, name);
  }
  buffer_put(b, "{", 1);
}

void json_close(buffer *b) {
  buffer_put(b, "}", 1);
}

void json_string(buffer *b, const char *name, const char *value) {
  json_name(b, name);
  if (value == NULL) {
    buffer_text(b, "null");
  } else {
    buffer_json_string(b, value, strlen(value));
  }
}

void json_bool(buffer *b, const char *name, bool value) {
  json_name(b, name);
  buffer_text(b, value ? "true" : "false");
}

void json_u64(buffer *b, const char *name, uint64_t value) {
  json_name(b, name);
  buffer_u64(b, value);
}

void json_hex(buffer *b, const char *name, const uint8_t *data, size_t len) {
  json_name(b, name);
  buffer_put(b, "\"", 1);
  buffer_hex(b, data, len);
  buffer_put(b, "\"", 1);
}
