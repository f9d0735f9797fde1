/* JSON (RFC 8259). */
#include "scheme/json.h"

#include "base/secret.h"
#include "scheme/utf8.h"
#include <string.h>

/* ---------------------------------------------------------------- characters */

/* Each of these returns false, with the offset of the first character that does not fit
 * in r->error_at, for text that is not JSON. */

static bool fail(json_reader *r, size_t at) {
  r->error_at = at;
  return false;
}

static void skip_space(json_reader *r) {
  while (r->at < r->len && (r->text[r->at] == ' ' || r->text[r->at] == '\t' ||
                            r->text[r->at] == '\n' || r->text[r->at] == '\r')) {
    r->at++;
  }
}

/* Is the next character this one?  If so, steps over it. */
static bool take(json_reader *r, char c) {
  bool there = r->at < r->len && r->text[r->at] == (uint8_t)c;
  r->at += there;
  return there;
}

static bool is_digit(uint8_t c) {
  return c >= '0' && c <= '9';
}

/* 0..15, or 16 for no hexadecimal digit. */
static uint32_t hex_value(uint8_t c) {
  if (is_digit(c)) {
    return (uint32_t)(c - '0');
  }
  uint8_t letter = c | 0x20;
  return letter >= 'a' && letter <= 'f' ? (uint32_t)(letter - 'a' + 10) : 16;
}

/* ---------------------------------------------------------------- scalars */

/* Steps over \u and its four digits, or a backslash and its letter. */
static bool skip_escape(json_reader *r) {
  size_t at = r->at;
  r->at++;
  if (r->at == r->len) {
    return fail(r, r->at);
  }
  uint8_t letter = r->text[r->at++];
  if (letter != 'u') {
    return letter != 0 && strchr("\"\\/bfnrt", letter) != NULL ? true : fail(r, at);
  }
  for (int i = 0; i < 4; i++, r->at++) {
    if (r->at == r->len) {
      return fail(r, r->at);
    }
    if (hex_value(r->text[r->at]) > 15) {
      return fail(r, at);
    }
  }
  return true;
}

/* 1 for the quote, the backslash and control characters, else 0; branch-free. */
static uint32_t is_special(uint8_t c) {
  uint32_t control = (uint32_t)c - 0x20, quote = (uint32_t)(c ^ '"') - 1,
           backslash = (uint32_t)(c ^ '\\') - 1;
  uint32_t special = (control | quote | backslash) >> 31;
  PUBLIC(&special, sizeof special);
  return special;
}

static bool skip_string(json_reader *r) {
  if (!take(r, '"')) {
    return fail(r, r->at);
  }
  while (r->at < r->len) {
    uint8_t c = r->text[r->at];
    if (is_special(c) == 0) {
      r->at++;
      continue;
    }
    PUBLIC(&c, sizeof c);
    if (c == '"') {
      r->at++;
      return true;
    }
    if (c != '\\') {
      return fail(r, r->at);
    }
    if (!skip_escape(r)) {
      return false;
    }
  }
  return fail(r, r->at);
}

static bool skip_digits(json_reader *r) {
  if (r->at == r->len || !is_digit(r->text[r->at])) {
    return fail(r, r->at);
  }
  while (r->at < r->len && is_digit(r->text[r->at])) {
    r->at++;
  }
  return true;
}

static bool skip_number(json_reader *r) {
  take(r, '-');
  if (!take(r, '0') && !skip_digits(r)) {
    return false;
  }
  if (take(r, '.') && !skip_digits(r)) {
    return false;
  }
  if (take(r, 'e') || take(r, 'E')) {
    if (!take(r, '+')) {
      take(r, '-');
    }
    return skip_digits(r);
  }
  return true;
}

static bool skip_word(json_reader *r, const char *word) {
  for (; *word != '\0'; word++) {
    if (!take(r, *word)) {
      return fail(r, r->at);
    }
  }
  return true;
}

/* ---------------------------------------------------------------- nesting */

/* What the next value must be by its first character, if it is one. */
static json_kind next_kind(const json_reader *r) {
  switch (r->at < r->len ? r->text[r->at] : 0) {
  case '"':
    return JSON_STRING;
  case '{':
    return JSON_OBJECT;
  case '[':
    return JSON_ARRAY;
  case 't':
    return JSON_TRUE;
  case 'f':
    return JSON_FALSE;
  case 'n':
    return JSON_NULL;
  default:
    return JSON_NUMBER;
  }
}

/* A name, its colon, and the space around that. */
static bool skip_name(json_reader *r) {
  if (!skip_string(r)) {
    return false;
  }
  skip_space(r);
  if (!take(r, ':')) {
    return fail(r, r->at);
  }
  skip_space(r);
  return true;
}

/* After a value inside *depth brackets: closes what closes, and stops before the next
 * value, or with *depth = 0. */
static bool close_brackets(json_reader *r, size_t *depth) {
  while (*depth > 0) {
    size_t bit = *depth - 1;
    bool is_object = (r->is_object[bit / 64] >> bit % 64 & 1) != 0;
    skip_space(r);
    if (take(r, ',')) {
      skip_space(r);
      return !is_object || skip_name(r);
    }
    if (!take(r, is_object ? '}' : ']')) {
      return fail(r, r->at);
    }
    --*depth;
  }
  return true;
}

/* Opens a bracket and stops before its first value; closes it again if there is none.  A
 * text too short to close what is open fails at its end, which keeps *depth below half of
 * JSON_MAX. */
static bool open_bracket(json_reader *r, size_t *depth, bool is_object) {
  size_t bit = *depth;
  r->at++;
  if (++*depth > r->len - r->at) {
    return fail(r, r->len);
  }
  r->is_object[bit / 64] &= ~(UINT64_C(1) << bit % 64);
  r->is_object[bit / 64] |= (uint64_t)is_object << bit % 64;
  skip_space(r);
  if (take(r, is_object ? '}' : ']')) {
    --*depth;
    return close_brackets(r, depth);
  }
  return !is_object || skip_name(r);
}

static bool skip_scalar(json_reader *r, json_kind kind) {
  switch (kind) {
  case JSON_STRING:
    return skip_string(r);
  case JSON_TRUE:
    return skip_word(r, "true");
  case JSON_FALSE:
    return skip_word(r, "false");
  case JSON_NULL:
    return skip_word(r, "null");
  default:
    return skip_number(r);
  }
}

/* Any value, with all that it holds. */
static bool read_value(json_value *out, json_reader *r) {
  size_t depth = 0;
  out->kind = next_kind(r);
  out->at = r->at;
  do {
    json_kind kind = next_kind(r);
    bool ok = kind == JSON_OBJECT || kind == JSON_ARRAY
                  ? open_bracket(r, &depth, kind == JSON_OBJECT)
                  : skip_scalar(r, kind) && close_brackets(r, &depth);
    if (!ok) {
      return false;
    }
  } while (depth > 0);
  out->end = r->at;
  return true;
}

/* ---------------------------------------------------------------- the whole text */

static bool read_end(json_reader *r) {
  skip_space(r);
  r->ended = true;
  return r->at == r->len || fail(r, r->at);
}

sigmill_status sm_json_open(json_reader *r, const uint8_t *text, size_t len) {
  json_value root;
  r->text = text;
  r->len = len;
  r->at = 0;
  r->members = 0;
  r->ended = false;
  r->root = JSON_ABSENT;
  r->root_at = 0;
  r->error_at = 0;
  if (len > JSON_MAX) {
    r->error_at = JSON_MAX;
    return SIGMILL_ERR_TOO_LONG;
  }
  if (!sm_utf8_check(text, len, &r->error_at)) {
    return SIGMILL_ERR_UTF8;
  }
  if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
    r->at = 3;
  }
  skip_space(r);
  r->root = next_kind(r);
  r->root_at = r->at;
  if (take(r, '{')) {
    return SIGMILL_OK;
  }
  return read_value(&root, r) && read_end(r) ? SIGMILL_OK : SIGMILL_ERR_JSON;
}

static bool read_member(json_member *out, json_reader *r) {
  memset(out, 0, sizeof *out);
  if (r->ended) {
    return true;
  }
  skip_space(r);
  if (take(r, '}')) {
    return read_end(r);
  }
  if (r->members > 0) {
    if (!take(r, ',')) {
      return fail(r, r->at);
    }
    skip_space(r);
  }
  r->members++;
  out->name.kind = JSON_STRING;
  out->name.at = r->at;
  return skip_name(r) && read_value(&out->value, r);
}

sigmill_status sm_json_next(json_member *out, json_reader *r) {
  return read_member(out, r) ? SIGMILL_OK : SIGMILL_ERR_JSON;
}

/* ---------------------------------------------------------------- strings */

/* The code unit of the \u escape at text + at. */
static uint32_t code_unit(const uint8_t *text, size_t at) {
  uint32_t unit = 0;
  for (size_t i = 2; i < 6; i++) {
    unit = unit << 4 | hex_value(text[at + i]);
  }
  return unit;
}

static bool is_high_surrogate(uint32_t unit) {
  return unit >= 0xd800 && unit <= 0xdbff;
}

static bool is_low_surrogate(uint32_t unit) {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

uint32_t sm_json_char(const uint8_t *text, size_t *at) {
  uint8_t c = text[*at];
  if (is_special(c) == 0) {
    return sm_utf8_next(text, at);
  }
  PUBLIC(&c, sizeof c);
  if (c == '"') {
    return JSON_QUOTE;
  }
  uint8_t letter = text[*at + 1];
  if (letter != 'u') {
    static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    const char *found = strchr(letters, letter);
    *at += 2;
    return found != NULL ? (uint8_t)meanings[found - letters] : letter;
  }
  uint32_t unit = code_unit(text, *at);
  *at += 6;
  if (is_high_surrogate(unit) && text[*at] == '\\' && text[*at + 1] == 'u') {
    uint32_t second = code_unit(text, *at);
    if (is_low_surrogate(second)) {
      *at += 6;
      return 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
    }
  }
  return unit;
}

bool sm_json_string_is(const uint8_t *text, size_t at, const char *wanted) {
  at++;
  for (; *wanted != '\0'; wanted++) {
    if (sm_json_char(text, &at) != (uint8_t)*wanted) {
      return false;
    }
  }
  return sm_json_char(text, &at) == JSON_QUOTE;
}

int sm_json_string_compare(const uint8_t *text, size_t a, size_t b) {
  uint32_t char_a, char_b;
  a++;
  b++;
  do {
    char_a = sm_json_char(text, &a);
    char_b = sm_json_char(text, &b);
  } while (char_a == char_b && char_a != JSON_QUOTE);
  return (char_a > char_b) - (char_a < char_b);
}
