/* ES256 signatures in JWS compact serialization (RFC 7515, RFC 7518). */
#include "scheme/jws.h"

#include "hash/sha256.h"
#include "scheme/base64.h"
#include "scheme/fail.h"
#include "scheme/json_object.h"
#include "scheme/sig_der.h"

typedef struct {
  size_t at, len;
} jws_part;

/* Finds the three parts.  Errors: JWS_PARTS at the end or at the third dot. */
static sigmill_status split(jws_part parts[3], const uint8_t *text, size_t len,
                            size_t *error_at) {
  size_t at = 0;
  for (int i = 0; i < 3; i++) {
    const uint8_t *dot = memchr(text + at, '.', len - at);
    size_t end = dot != NULL ? (size_t)(dot - text) : len;
    if ((i < 2) != (dot != NULL)) {
      return fail(error_at, end, SIGMILL_ERR_JWS_PARTS);
    }
    parts[i] = (jws_part){at, end - at};
    at = end + 1;
  }
  return SIGMILL_OK;
}

/* Reads a part; error_at counts from the token's start. */
static sigmill_status read_part(uint8_t *out, size_t *out_len, size_t room,
                                const uint8_t *text, jws_part part, size_t *error_at) {
  size_t offset = 0;
  sigmill_status status =
      sm_base64url_read(out, out_len, room, text + part.at, part.len, &offset);
  *error_at = part.at + offset;
  return status;
}

/* ---------------------------------------------------------------- the header */

enum { MEMBER_CRIT, MEMBER_B64, MEMBER_ALG, MEMBER_COUNT };
static const char *const member_names[MEMBER_COUNT] = {"crit", "b64", "alg"};

/* Judges the protected header; error_at counts within it. */
static sigmill_status check_header(const uint8_t *header, size_t len, size_t *error_at) {
  json_value members[MEMBER_COUNT];
  size_t object_at;
  sigmill_status status = sm_json_object_read(members, &object_at, member_names,
                                              MEMBER_COUNT, header, len, error_at);
  if (status != SIGMILL_OK) {
    return status;
  }
  const json_value *crit = &members[MEMBER_CRIT], *b64 = &members[MEMBER_B64],
                   *alg = &members[MEMBER_ALG];
  if (crit->kind != JSON_ABSENT) {
    return fail(error_at, crit->at, SIGMILL_ERR_CRITICAL);
  }
  if (b64->kind != JSON_ABSENT && b64->kind != JSON_TRUE) {
    return fail(error_at, b64->at, SIGMILL_ERR_CRITICAL);
  }
  if (alg->kind == JSON_ABSENT) {
    return fail(error_at, object_at, SIGMILL_ERR_MEMBER_MISSING);
  }
  if (alg->kind != JSON_STRING) {
    return fail(error_at, alg->at, SIGMILL_ERR_MEMBER_TYPE);
  }
  return sm_json_string_is(header, alg->at, "ES256")
             ? SIGMILL_OK
             : fail(error_at, alg->at, SIGMILL_ERR_ALGORITHM);
}

/* The character that holds the first bits of a header's byte. */
static size_t header_char(jws_part part, size_t byte_at) {
  return part.at + byte_at / 3 * 4 + byte_at % 3;
}

static sigmill_status read_header(const uint8_t *text, jws_part part, size_t *error_at) {
  uint8_t header[SIGMILL_JWS_HEADER_MAX];
  size_t len;
  sigmill_status status = read_part(header, &len, sizeof header, text, part, error_at);
  if (status == SIGMILL_OK) {
    size_t byte_at = 0;
    status = check_header(header, len, &byte_at);
    *error_at = header_char(part, byte_at);
  }
  return status;
}

/* ---------------------------------------------------------------- the signature */

/* Errors: BASE64, JWS_DER for DER of another length than 64 bytes, SIG_LENGTH. */
static sigmill_status read_signature(uint8_t sig[64], const uint8_t *text, jws_part part,
                                     size_t *error_at) {
  uint8_t bytes[SIGMILL_P256_DER_MAX], unused_sig[64];
  size_t len, unused_at;
  sigmill_status status = read_part(NULL, &len, 0, text, part, error_at);
  if (status != SIGMILL_OK) {
    return status;
  }
  if (len > sizeof bytes) {
    return fail(error_at, part.at, SIGMILL_ERR_SIG_LENGTH);
  }
  status = read_part(bytes, &len, sizeof bytes, text, part, error_at);
  if (len == 64) {
    memcpy(sig, bytes, 64);
    return status;
  }
  status = sm_sig_der_read_vt(unused_sig, bytes, len, &unused_at);
  bool is_der =
      status == SIGMILL_OK || status == SIGMILL_ERR_SIG_R || status == SIGMILL_ERR_SIG_S;
  return fail(error_at, part.at, is_der ? SIGMILL_ERR_JWS_DER : SIGMILL_ERR_SIG_LENGTH);
}

sigmill_status sm_jws_verify_vt(size_t *payload_at, size_t *payload_len,
                                const uint8_t *text, size_t len,
                                sigmill_p256_format format, const p256_point *key,
                                size_t *error_at) {
  jws_part parts[3];
  uint8_t sig[64], digest[32];
  size_t decoded_len;
  if (len > SIGMILL_JWS_MAX) {
    return fail(error_at, SIGMILL_JWS_MAX, SIGMILL_ERR_TOO_LONG);
  }
  sigmill_status status = split(parts, text, len, error_at);
  if (status == SIGMILL_OK) {
    status = read_header(text, parts[0], error_at);
  }
  if (status == SIGMILL_OK) {
    status = read_part(NULL, &decoded_len, 0, text, parts[1], error_at);
  }
  if (status == SIGMILL_OK) {
    status = read_signature(sig, text, parts[2], error_at);
  }
  if (status != SIGMILL_OK) {
    return status;
  }
  sm_sha256(digest, text, parts[2].at - 1);
  *error_at = parts[2].at;
  *payload_at = parts[1].at;
  *payload_len = parts[1].len;
  return sm_p256_verify_vt(sig, format, digest, key);
}
