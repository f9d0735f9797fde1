/* P-256 keys as JSON Web Keys (RFC 7517; RFC 7518, section 6.2). */
#include "scheme/jwk.h"

#include "scheme/base64.h"
#include "scheme/fail.h"
#include "scheme/json_object.h"
#include "scheme/sec1.h"

/* ---------------------------------------------------------------- members */

enum { MEMBER_KTY, MEMBER_CRV, MEMBER_ALG, MEMBER_X, MEMBER_Y, MEMBER_D, MEMBER_COUNT };
static const char *const member_names[MEMBER_COUNT] = {"kty", "crv", "alg",
                                                       "x",   "y",   "d"};

typedef struct {
  const uint8_t *text;
  size_t object_at;
  json_value members[MEMBER_COUNT];
} jwk_text;

static sigmill_status collect(jwk_text *jwk, const uint8_t *text, size_t len,
                              size_t *error_at) {
  jwk->text = text;
  return sm_json_object_read(jwk->members, &jwk->object_at, member_names, MEMBER_COUNT,
                             text, len, error_at);
}

/* A member that must be a string.  Errors: MEMBER_MISSING (at the object), MEMBER_TYPE.
 */
static sigmill_status want_string(const jwk_text *jwk, int member, size_t *error_at) {
  const json_value *value = &jwk->members[member];
  if (value->kind == JSON_ABSENT) {
    return fail(error_at, jwk->object_at, SIGMILL_ERR_MEMBER_MISSING);
  }
  return value->kind == JSON_STRING ? SIGMILL_OK
                                    : fail(error_at, value->at, SIGMILL_ERR_MEMBER_TYPE);
}

/* A member that must be this string; otherwise other_value. */
static sigmill_status want_text(const jwk_text *jwk, int member, const char *wanted,
                                sigmill_status other_value, size_t *error_at) {
  size_t at = jwk->members[member].at;
  sigmill_status status = want_string(jwk, member, error_at);
  if (status == SIGMILL_OK && !sm_json_string_is(jwk->text, at, wanted)) {
    return fail(error_at, at, other_value);
  }
  return status;
}

/* A member that must hold 32 bytes.  Constant time in unescaped characters of the
 * alphabet.  Errors also: BASE64 at the character, COORDINATE_LENGTH at the value. */
static sigmill_status want_bytes32(uint8_t out[32], const jwk_text *jwk, int member,
                                   size_t *error_at) {
  enum { CHARS = 43 }; /* ceil(32 * 8 / 6) */
  size_t value_at = jwk->members[member].at;
  base64_sink sink = {.out = out, .room = 32};
  sigmill_status status = want_string(jwk, member, error_at);
  if (status != SIGMILL_OK) {
    return status;
  }
  size_t at = value_at + 1, last_at = at;
  for (;;) {
    size_t char_at = at;
    uint32_t c = sm_json_char(jwk->text, &at);
    uint32_t beyond_ascii = c >> 7;
    PUBLIC(&beyond_ascii, sizeof beyond_ascii);
    if (beyond_ascii != 0 && c == JSON_QUOTE) {
      break;
    }
    uint32_t value =
        beyond_ascii != 0 ? BASE64_NONE : base64_value((uint8_t)c, BASE64_URL);
    uint32_t outside = value & BASE64_NONE;
    PUBLIC(&outside, sizeof outside);
    if (outside != 0) {
      return fail(error_at, char_at, SIGMILL_ERR_BASE64);
    }
    if (sink.chars == CHARS) {
      return fail(error_at, value_at, SIGMILL_ERR_COORDINATE_LENGTH);
    }
    last_at = char_at;
    base64_put(&sink, value);
  }
  if (sink.chars != CHARS) {
    return fail(error_at, value_at, SIGMILL_ERR_COORDINATE_LENGTH);
  }
  return base64_complete(&sink) ? SIGMILL_OK
                                : fail(error_at, last_at, SIGMILL_ERR_BASE64);
}

/* ---------------------------------------------------------------- reading */

static sigmill_status read_point_vt(p256_point *out, const jwk_text *jwk,
                                    size_t *error_at) {
  uint8_t sec1[65] = {4};
  size_t offset = 0;
  sigmill_status status =
      want_text(jwk, MEMBER_KTY, "EC", SIGMILL_ERR_ALGORITHM, error_at);
  if (status == SIGMILL_OK) {
    status = want_text(jwk, MEMBER_CRV, "P-256", SIGMILL_ERR_CURVE, error_at);
  }
  if (status == SIGMILL_OK && jwk->members[MEMBER_ALG].kind != JSON_ABSENT) {
    status = want_text(jwk, MEMBER_ALG, "ES256", SIGMILL_ERR_ALGORITHM, error_at);
  }
  if (status == SIGMILL_OK) {
    status = want_bytes32(sec1 + 1, jwk, MEMBER_X, error_at);
  }
  if (status == SIGMILL_OK) {
    status = want_bytes32(sec1 + 33, jwk, MEMBER_Y, error_at);
  }
  if (status != SIGMILL_OK) {
    return status;
  }
  status = sm_sec1_read_vt(out, sec1, sizeof sec1, false, &offset);
  *error_at = jwk->members[offset < 33 ? MEMBER_X : MEMBER_Y].at;
  return status;
}

sigmill_status sm_jwk_read_public_vt(p256_point *out, const uint8_t *text, size_t len,
                                     size_t *error_at) {
  jwk_text jwk;
  sigmill_status status = collect(&jwk, text, len, error_at);
  return status == SIGMILL_OK ? read_point_vt(out, &jwk, error_at) : status;
}

sigmill_status sm_jwk_read_private(p256_keypair *out, const uint8_t *text, size_t len,
                                   size_t *error_at) {
  jwk_text jwk;
  p256_point point;
  uint8_t secret[32];
  u256 d;
  sigmill_status status = collect(&jwk, text, len, error_at);
  if (status == SIGMILL_OK) {
    status = read_point_vt(&point, &jwk, error_at);
  }
  if (status == SIGMILL_OK) {
    status = want_bytes32(secret, &jwk, MEMBER_D, error_at);
  }
  if (status == SIGMILL_OK) {
    u256_from_be(&d, secret);
    SECRET(&d, sizeof d);
    status = sm_p256_keypair_make(out, &d);
    *error_at = jwk.members[MEMBER_D].at;
  }
  if (status == SIGMILL_OK && (u256_eq_mask(&out->point.x, &point.x) == 0 ||
                               u256_eq_mask(&out->point.y, &point.y) == 0)) {
    status = fail(error_at, jwk.members[MEMBER_X].at, SIGMILL_ERR_KEY_MISMATCH);
  }
  wipe(secret, sizeof secret);
  wipe(&d, sizeof d);
  return status;
}

/* ---------------------------------------------------------------- writing */

static const char before_x[] = "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"",
                  before_y[] = "\",\"y\":\"", before_d[] = "\",\"d\":\"",
                  after_all[] = "\"}";

_Static_assert(sizeof before_x + sizeof before_y + sizeof after_all - 3 + 2 * 43 ==
                   SIGMILL_P256_JWK_SIZE,
               "JWK size");
_Static_assert(SIGMILL_P256_JWK_SIZE + sizeof before_d - 1 + 43 ==
                   SIGMILL_P256_JWK_PRIVATE_SIZE,
               "private JWK size");

static char *put_text(char *out, const char *text) {
  size_t len = strlen(text);
  memcpy(out, text, len);
  return out + len;
}

static char *put_integer(char *out, const u256 *value) {
  uint8_t bytes[32];
  u256_to_be(bytes, value);
  out += sm_base64url_write(out, bytes, sizeof bytes);
  wipe(bytes, sizeof bytes);
  return out;
}

static char *put_point(char *out, const p256_point *point) {
  out = put_integer(put_text(out, before_x), &point->x);
  return put_integer(put_text(out, before_y), &point->y);
}

void sm_jwk_write_public(char out[SIGMILL_P256_JWK_SIZE], const p256_point *point) {
  put_text(put_point(out, point), after_all);
}

void sm_jwk_write_private(char out[SIGMILL_P256_JWK_PRIVATE_SIZE],
                          const p256_keypair *pair) {
  out = put_integer(put_text(put_point(out, &pair->point), before_d), &pair->secret);
  put_text(out, after_all);
}
