/* JSON (RFC 8259), exactly: a reader that yields the members of the outermost object one
 * by one and checks all the rest on the way.
 *
 * Nothing is allocated and nothing recurses: one bit for each open bracket is all the
 * memory that nesting takes, so that only the size bounds the depth.  A byte order mark
 * in front is skipped.  The whole text must be UTF-8; that comes before everything else.
 * Strings are compared as what their escapes spell; a lone surrogate is a code point like
 * another, so it equals no text that UTF-8 can hold.
 *
 * Public are structure, escapes, and which characters are ASCII; the other characters of
 * a string are not looked at while it is stepped over. */
#ifndef SIGMILL_SCHEME_JSON_H
#define SIGMILL_SCHEME_JSON_H

#include "sigmill.h"

#define JSON_MAX 65536 /* bytes */

typedef enum {
  JSON_ABSENT, /* what a zeroed json_value is */
  JSON_STRING,
  JSON_NUMBER,
  JSON_TRUE,
  JSON_FALSE,
  JSON_NULL,
  JSON_OBJECT,
  JSON_ARRAY
} json_kind;

/* text[at..end), quotes included. */
typedef struct {
  json_kind kind;
  size_t at, end;
} json_value;

typedef struct {
  json_value name, value;
} json_member;

typedef struct {
  const uint8_t *text;
  size_t len, at;
  json_kind root;                        /* of the whole text */
  size_t root_at;                        /* where it begins */
  size_t members;                        /* read so far */
  bool ended;                            /* nothing is left */
  size_t error_at;                       /* of the last failure */
  uint64_t is_object[JSON_MAX / 2 / 64]; /* a bit for each open bracket inside the root */
} json_reader;

/* Starts reading.  A root that is no object is read to the end here and has no members;
 * *r is to be asked which it was.  Errors: TOO_LONG, UTF8, JSON. */
sigmill_status sm_json_open(json_reader *r, const uint8_t *text, size_t len);
/* The next member, checked to its last byte; after the last one, and once the text is
 * seen to end where it has to, name.kind is JSON_ABSENT.  Errors: JSON. */
sigmill_status sm_json_next(json_member *out, json_reader *r);

/* The code point at *at inside a string (after its quote) of checked text, or of a lone
 * surrogate; steps over it.  JSON_QUOTE at the closing quote, and no step. */
uint32_t sm_json_char(const uint8_t *text, size_t *at);
#define JSON_QUOTE UINT32_C(0xffffffff)

/* Does the string at this offset spell this ASCII text? */
bool sm_json_string_is(const uint8_t *text, size_t at, const char *wanted);
/* Orders two strings by their code points: below, equal to or above 0. */
int sm_json_string_compare(const uint8_t *text, size_t a, size_t b);

#endif
