/* Strict DER (X.690, sections 8 and 10) for the few types that keys and signatures use: a
 * reader over a byte range and a writer for what we write ourselves.
 *
 * The first failure sticks: every later call does nothing and gives empty ranges and
 * zeros, so that a reader is a straight list of what must be there.  Offsets count from
 * the start of the whole input.  Lengths above 65535 do not occur in inputs of our sizes
 * and are refused.  Which bytes are tags and lengths is public; content is only pointed
 * to. */
#ifndef SIGMILL_SCHEME_DER_H
#define SIGMILL_SCHEME_DER_H

#include "sigmill.h"

#define DER_INTEGER        0x02
#define DER_BIT_STRING     0x03
#define DER_OCTET_STRING   0x04
#define DER_NULL           0x05
#define DER_OID            0x06
#define DER_SEQUENCE       0x30
#define DER_CONSTRUCTED(n) (0xa0 + (n)) /* [n], constructed */
#define DER_PRIMITIVE(n)   (0x80 + (n)) /* [n], primitive */

typedef struct {
  const uint8_t *bytes;
  size_t len;
  sigmill_status status; /* of the first failure, or OK */
  size_t error_at;       /* its offset */
} der_input;

/* The unread part of an element: offsets at..end. */
typedef struct {
  size_t at, end;
} der_range;

/* Fails with TOO_LONG if len is above max. */
der_input sm_der_input(const uint8_t *bytes, size_t len, size_t max);
/* Notes a failure unless there was one. */
void sm_der_fail(der_input *in, size_t at, sigmill_status status);
bool sm_der_ok(const der_input *in);

/* Opens the one element that the input consists of.  Fails: TRUNCATED, TRAILING, DER_TAG,
 * DER_LENGTH. */
der_range sm_der_open_whole(der_input *in, uint8_t tag);
/* Opens the next element of r and steps over it.  Fails: TRUNCATED if there is none,
 * DER_TAG, DER_LENGTH (also if it reaches past its parent). */
der_range sm_der_open(der_input *in, der_range *r, uint8_t tag);
/* Is another element there, and has it this tag? */
bool sm_der_next_is(const der_input *in, const der_range *r, uint8_t tag);
/* Fails with TRAILING unless all of r is read. */
void sm_der_end(der_input *in, const der_range *r);

/* A non-negative INTEGER of at most 32 significant bytes, padded in front; returns the
 * offset of its first byte.  Fails also: DER_INTEGER. */
size_t sm_der_integer(uint8_t out[32], der_input *in, der_range *r);
/* An INTEGER from min to max, which is below 128.  Fails also: DER_INTEGER, DER_VALUE. */
unsigned sm_der_version(der_input *in, der_range *r, unsigned min, unsigned max);
/* An OBJECT IDENTIFIER; true if it is the wanted one.  Fails also: DER_VALUE for content
 * that is no identifier. */
bool sm_der_oid_is(der_input *in, der_range *r, const uint8_t *wanted, size_t wanted_len);
/* A BIT STRING of whole bytes; tag is DER_BIT_STRING or an implicit one.  Fails also:
 * DER_VALUE. */
der_range sm_der_bit_string(der_input *in, der_range *r, uint8_t tag);

/* Writes 32 big-endian bytes as an INTEGER at out; returns its size, 3..35.  Variable
 * time. */
size_t sm_der_write_integer(uint8_t *out, const uint8_t in[32]);

#endif
