/* CBOR (RFC 8949) by extent. */
#include "scheme/cbor.h"

#include "scheme/fail.h"
#include "scheme/utf8.h"

sigmill_status sm_cbor_head(cbor_item *out, const uint8_t *bytes, size_t len, size_t at,
                            size_t *error_at) {
  if (at == len) {
    return fail(error_at, len, SIGMILL_ERR_TRUNCATED);
  }
  unsigned info = bytes[at] & 31;
  if (info > 27) {
    return fail(error_at, at, SIGMILL_ERR_CBOR);
  }
  size_t octets = info < 24 ? 0 : (size_t)1 << (info - 24);
  out->major = bytes[at] >> 5;
  out->argument = octets == 0 ? info : 0;
  out->at = at;
  out->content_at = at + 1 + octets;
  if (octets > len - (at + 1)) {
    return fail(error_at, len, SIGMILL_ERR_TRUNCATED);
  }
  for (size_t i = 0; i < octets; i++) {
    out->argument = out->argument << 8 | bytes[at + 1 + i];
  }
  if (out->major == CBOR_SIMPLE && octets == 1 && out->argument < 32) {
    return fail(error_at, at, SIGMILL_ERR_CBOR);
  }
  return SIGMILL_OK;
}

sigmill_status sm_cbor_take(cbor_item *out, const uint8_t *bytes, size_t len, size_t *at,
                            size_t *error_at) {
  sigmill_status status = sm_cbor_head(out, bytes, len, *at, error_at);
  if (status != SIGMILL_OK) {
    return status;
  }
  size_t end = out->content_at, broken_at;
  if (out->major == CBOR_BYTES || out->major == CBOR_TEXT) {
    if (out->argument > len - end) {
      return fail(error_at, len, SIGMILL_ERR_TRUNCATED);
    }
    end += (size_t)out->argument;
  }
  if (out->major == CBOR_TEXT &&
      !sm_utf8_check(bytes + out->content_at, (size_t)out->argument, &broken_at)) {
    return fail(error_at, out->content_at + broken_at, SIGMILL_ERR_UTF8);
  }
  *at = end;
  return SIGMILL_OK;
}

/* The number of items still to come does for a stack: only the extent matters.  Each
 * takes at least one byte, so a count above the bytes left cannot be met. */
sigmill_status sm_cbor_skip(cbor_item *out, const uint8_t *bytes, size_t len, size_t *at,
                            size_t *error_at) {
  size_t items = 1;
  sigmill_status status = sm_cbor_head(out, bytes, len, *at, error_at);
  while (status == SIGMILL_OK && items > 0) {
    cbor_item item;
    status = sm_cbor_take(&item, bytes, len, at, error_at);
    if (status != SIGMILL_OK) {
      break;
    }
    uint64_t more = 0, each = item.major == CBOR_MAP ? 2 : 1;
    if (item.major == CBOR_ARRAY || item.major == CBOR_MAP) {
      more = item.argument;
    } else if (item.major == CBOR_TAG) {
      more = 1;
    }
    items--;
    if (more > (len - *at) / each || items + more * each > len - *at) {
      return fail(error_at, len, SIGMILL_ERR_TRUNCATED);
    }
    items += (size_t)(more * each);
  }
  return status;
}
