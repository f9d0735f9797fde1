/* CBOR (RFC 8949) by extent: where items end, without recursion or memory for nesting.
 *
 * Definite lengths only; heads need not be the shortest.  Refused: indefinite lengths,
 * breaks, reserved heads, two-byte simple values below 32, text that is not UTF-8. */
#ifndef SIGMILL_SCHEME_CBOR_H
#define SIGMILL_SCHEME_CBOR_H

#include "sigmill.h"

enum {
  CBOR_UNSIGNED = 0,
  CBOR_NEGATIVE = 1, /* the integer -1 - argument */
  CBOR_BYTES = 2,
  CBOR_TEXT = 3,
  CBOR_ARRAY = 4,
  CBOR_MAP = 5,
  CBOR_TAG = 6,
  CBOR_SIMPLE = 7 /* floats too */
};

/* A head; bytes and text are argument bytes long and stand at content_at. */
typedef struct {
  unsigned major;
  uint64_t argument; /* value, length, count, tag or bits */
  size_t at;         /* of the head */
  size_t content_at; /* after the head */
} cbor_item;

/* Reads the head at this offset.  Errors: TRUNCATED (at len), CBOR (at the head). */
sigmill_status sm_cbor_head(cbor_item *out, const uint8_t *bytes, size_t len, size_t at,
                            size_t *error_at);
/* The same, and the content of a string; steps over both.  Errors also: UTF8. */
sigmill_status sm_cbor_take(cbor_item *out, const uint8_t *bytes, size_t len, size_t *at,
                            size_t *error_at);
/* Steps over a whole item with all that it holds; *out is its head. */
sigmill_status sm_cbor_skip(cbor_item *out, const uint8_t *bytes, size_t len, size_t *at,
                            size_t *error_at);

#endif
