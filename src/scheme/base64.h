/* Base64 and base64url (RFC 4648, sections 4 and 5), strict: no character outside the
 * alphabet, no loose bits.  Values are computed by arithmetic, never looked up, so that
 * neither branch nor address depends on what a private key's text says; only which
 * characters belong to the alphabet is public. */
#ifndef SIGMILL_SCHEME_BASE64_H
#define SIGMILL_SCHEME_BASE64_H

#include "base/secret.h"
#include "sigmill.h"

typedef enum { BASE64_STANDARD, BASE64_URL } base64_alphabet;

/* What base64_value gives for a character outside the alphabet. */
#define BASE64_NONE UINT32_C(64)

/* 1 if low <= c <= high, else 0.  in: 1 <= low <= high < 2^31, c < 2^31. */
static inline uint32_t base64_between(uint32_t c, uint32_t low, uint32_t high) {
  return ((low - 1 - c) & (c - high - 1)) >> 31;
}

/* The value 0..63 of a character, or BASE64_NONE. */
static inline uint32_t base64_value(uint8_t c, base64_alphabet alphabet) {
  uint8_t char62 = alphabet == BASE64_URL ? '-' : '+';
  uint8_t char63 = alphabet == BASE64_URL ? '_' : '/';
  uint32_t upper = 0 - base64_between(c, 'A', 'Z');
  uint32_t lower = 0 - base64_between(c, 'a', 'z');
  uint32_t digit = 0 - base64_between(c, '0', '9');
  uint32_t is_62 = 0 - base64_between(c, char62, char62);
  uint32_t is_63 = 0 - base64_between(c, char63, char63);
  uint32_t any = upper | lower | digit | is_62 | is_63;
  return (upper & (uint32_t)(c - 'A')) | (lower & (uint32_t)(c - 'a' + 26)) |
         (digit & (uint32_t)(c - '0' + 52)) | (is_62 & 62) | (is_63 & 63) |
         (~any & BASE64_NONE);
}

/* The character of a value below 64. */
static inline char base64_char(uint32_t value, base64_alphabet alphabet) {
  uint32_t char62 = alphabet == BASE64_URL ? '-' : '+';
  uint32_t char63 = alphabet == BASE64_URL ? '_' : '/';
  uint32_t from_26 = (25 - value) >> 31, from_52 = (51 - value) >> 31;
  uint32_t from_62 = (61 - value) >> 31, from_63 = (62 - value) >> 31;
  uint32_t c = value + 'A' + from_26 * ('a' - 26 - 'A');
  c += from_52 * ((uint32_t)'0' - 52 - ('a' - 26));
  c += from_62 * (char62 - 62 - ((uint32_t)'0' - 52));
  c += from_63 * (char63 - char62 - 1);
  return (char)c;
}

/* Values go in one by one, bytes come out. */
typedef struct {
  uint8_t *out; /* NULL: only the form is checked */
  size_t room;  /* bytes that fit */
  size_t chars; /* values taken so far */
  uint32_t bits;
} base64_sink;

/* Takes one value below 64; false if its bytes no longer fit. */
static inline bool base64_put(base64_sink *sink, uint32_t value) {
  size_t done = sink->chars * 6 / 8;
  sink->bits = sink->bits << 6 | value;
  sink->chars++;
  if (sink->out == NULL || sink->chars % 4 == 1) {
    return true;
  }
  if (done == sink->room) {
    return false;
  }
  sink->out[done] = (uint8_t)(sink->bits >> (8 - sink->chars % 4 * 2) % 8);
  return true;
}

/* Whole bytes taken so far. */
static inline size_t base64_bytes(const base64_sink *sink) {
  return sink->chars * 6 / 8;
}

/* Are there whole bytes only, without loose bits? */
static inline bool base64_complete(const base64_sink *sink) {
  uint32_t loose = sink->bits & ((UINT32_C(1) << sink->chars * 6 % 8) - 1);
  PUBLIC(&loose, sizeof loose);
  return sink->chars % 4 != 1 && loose == 0;
}

/* Reads strict unpadded base64url.  in: out has room bytes, or is NULL to check the form
 * alone.  Errors: BASE64 with the offset of the first character at fault (the last one
 * for loose bits, len for a lone last character), TOO_LONG.  *out_len is 0 then. */
sigmill_status sm_base64url_read(uint8_t *out, size_t *out_len, size_t room,
                                 const uint8_t *text, size_t len, size_t *error_at);

/* Writes base64url without padding; returns its length, ceil(4*len/3). */
size_t sm_base64url_write(char *out, const uint8_t *in, size_t len);
/* Writes base64 with padding; returns its length, 4*ceil(len/3). */
size_t sm_base64_write(char *out, const uint8_t *in, size_t len);

#endif
