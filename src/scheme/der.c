/* Strict DER (X.690, sections 8 and 10). */
#include "scheme/der.h"

#include <string.h>

static const der_range nothing = {0, 0};

der_input sm_der_input(const uint8_t *bytes, size_t len, size_t max) {
  der_input in = {.bytes = bytes, .len = len, .status = SIGMILL_OK};
  if (len > max) {
    sm_der_fail(&in, max, SIGMILL_ERR_TOO_LONG);
  }
  return in;
}

void sm_der_fail(der_input *in, size_t at, sigmill_status status) {
  if (in->status == SIGMILL_OK) {
    in->status = status;
    in->error_at = at;
  }
}

bool sm_der_ok(const der_input *in) {
  return in->status == SIGMILL_OK;
}

/* Reads a tag and a length at r->at; the content may end beyond r->end. */
static der_range read_header(der_input *in, const der_range *r, uint8_t tag) {
  const uint8_t *header = in->bytes + r->at;
  size_t left = r->end - r->at;
  if (left == 0) {
    sm_der_fail(in, r->end, SIGMILL_ERR_TRUNCATED);
    return nothing;
  }
  if (header[0] != tag) {
    sm_der_fail(in, r->at, SIGMILL_ERR_DER_TAG);
    return nothing;
  }
  if (left == 1) {
    sm_der_fail(in, r->end, SIGMILL_ERR_TRUNCATED);
    return nothing;
  }
  size_t length = header[1], octets = 0;
  if (length >= 0x80) {
    octets = length - 0x80;
    if (octets == 0 || octets > 2) {
      sm_der_fail(in, r->at + 1, SIGMILL_ERR_DER_LENGTH);
      return nothing;
    }
    if (left < 2 + octets) {
      sm_der_fail(in, r->end, SIGMILL_ERR_TRUNCATED);
      return nothing;
    }
    length = octets == 1 ? header[2] : (size_t)header[2] << 8 | header[3];
    if (length < (octets == 1 ? 0x80u : 0x100u)) {
      sm_der_fail(in, r->at + 1, SIGMILL_ERR_DER_LENGTH);
      return nothing;
    }
  }
  size_t content_at = r->at + 2 + octets;
  return (der_range){content_at, content_at + length};
}

der_range sm_der_open_whole(der_input *in, uint8_t tag) {
  if (!sm_der_ok(in)) {
    return nothing;
  }
  der_range whole = {0, in->len};
  der_range content = read_header(in, &whole, tag);
  if (content.end > in->len) {
    sm_der_fail(in, in->len, SIGMILL_ERR_TRUNCATED);
  } else if (content.end < in->len) {
    sm_der_fail(in, content.end, SIGMILL_ERR_TRAILING);
  }
  return sm_der_ok(in) ? content : nothing;
}

der_range sm_der_open(der_input *in, der_range *r, uint8_t tag) {
  if (!sm_der_ok(in)) {
    return nothing;
  }
  der_range content = read_header(in, r, tag);
  if (content.end > r->end) {
    sm_der_fail(in, r->at + 1, SIGMILL_ERR_DER_LENGTH);
  }
  if (!sm_der_ok(in)) {
    return nothing;
  }
  r->at = content.end;
  return content;
}

bool sm_der_next_is(const der_input *in, const der_range *r, uint8_t tag) {
  return sm_der_ok(in) && r->at < r->end && in->bytes[r->at] == tag;
}

void sm_der_end(der_input *in, const der_range *r) {
  if (r->at != r->end) {
    sm_der_fail(in, r->at, SIGMILL_ERR_TRAILING);
  }
}

/* Opens an INTEGER that is not negative and has no needless leading zero. */
static der_range open_integer(der_input *in, der_range *r) {
  der_range content = sm_der_open(in, r, DER_INTEGER);
  if (!sm_der_ok(in)) {
    return nothing;
  }
  const uint8_t *first = in->bytes + content.at;
  size_t len = content.end - content.at;
  bool empty = len == 0;
  bool negative = !empty && first[0] >= 0x80;
  bool padded = len >= 2 && first[0] == 0 && first[1] < 0x80;
  if (empty || negative || padded) {
    sm_der_fail(in, content.at, SIGMILL_ERR_DER_INTEGER);
    return nothing;
  }
  return content;
}

size_t sm_der_integer(uint8_t out[32], der_input *in, der_range *r) {
  der_range content = open_integer(in, r);
  memset(out, 0, 32);
  if (!sm_der_ok(in)) {
    return 0;
  }
  size_t at = content.at + (in->bytes[content.at] == 0);
  size_t len = content.end - at;
  if (len > 32) {
    sm_der_fail(in, content.at, SIGMILL_ERR_DER_INTEGER);
    return 0;
  }
  memcpy(out + 32 - len, in->bytes + at, len);
  return content.at;
}

unsigned sm_der_version(der_input *in, der_range *r, unsigned min, unsigned max) {
  der_range content = open_integer(in, r);
  if (!sm_der_ok(in)) {
    return 0;
  }
  unsigned value = in->bytes[content.at];
  if (content.end - content.at != 1 || value < min || value > max) {
    sm_der_fail(in, content.at, SIGMILL_ERR_DER_VALUE);
    return 0;
  }
  return value;
}

/* X.690, 8.19: groups of seven bits, the last one marked, none beginning with zeros. */
static bool oid_is_well_formed(const uint8_t *oid, size_t len) {
  bool ok = len > 0 && oid[len - 1] < 0x80;
  for (size_t i = 0; i < len; i++) {
    bool begins = i == 0 || oid[i - 1] < 0x80;
    ok &= !(begins && oid[i] == 0x80);
  }
  return ok;
}

bool sm_der_oid_is(der_input *in, der_range *r, const uint8_t *wanted,
                   size_t wanted_len) {
  der_range content = sm_der_open(in, r, DER_OID);
  if (!sm_der_ok(in)) {
    return false;
  }
  const uint8_t *oid = in->bytes + content.at;
  size_t len = content.end - content.at;
  if (!oid_is_well_formed(oid, len)) {
    sm_der_fail(in, content.at, SIGMILL_ERR_DER_VALUE);
    return false;
  }
  return len == wanted_len && memcmp(oid, wanted, len) == 0;
}

der_range sm_der_bit_string(der_input *in, der_range *r, uint8_t tag) {
  der_range content = sm_der_open(in, r, tag);
  if (sm_der_ok(in) && (content.at == content.end || in->bytes[content.at] != 0)) {
    sm_der_fail(in, content.at, SIGMILL_ERR_DER_VALUE);
  }
  if (!sm_der_ok(in)) {
    return nothing;
  }
  content.at++;
  return content;
}

size_t sm_der_write_integer(uint8_t *out, const uint8_t in[32]) {
  size_t skip = 0;
  while (skip < 31 && in[skip] == 0) {
    skip++;
  }
  size_t pad = in[skip] >= 0x80, len = 32 - skip;
  out[0] = DER_INTEGER;
  out[1] = (uint8_t)(len + pad);
  out[2] = 0;
  memcpy(out + 2 + pad, in + skip, len);
  return 2 + pad + len;
}
