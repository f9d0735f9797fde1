/* P-256 keys in DER (RFC 5480, RFC 5958, RFC 5915). */
#include "scheme/key_der.h"

#include "base/secret.h"
#include "scheme/der.h"
#include "scheme/sec1.h"

/* id-ecPublicKey 1.2.840.10045.2.1 and prime256v1 1.2.840.10045.3.1.7 */
static const uint8_t oid_ec_public_key[] = {0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01};
static const uint8_t oid_prime256v1[] = {0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};

/* ---------------------------------------------------------------- parts */

/* ECParameters: the named curve.  The other choices, a SEQUENCE (explicit) and NULL
 * (implicit), and none at all, fail with CURVE. */
static void read_curve(der_input *in, der_range *r) {
  size_t at = r->at;
  if (r->at == r->end || sm_der_next_is(in, r, DER_SEQUENCE) ||
      sm_der_next_is(in, r, DER_NULL) ||
      !sm_der_oid_is(in, r, oid_prime256v1, sizeof oid_prime256v1)) {
    sm_der_fail(in, at, SIGMILL_ERR_CURVE);
  }
}

/* AlgorithmIdentifier { id-ecPublicKey, prime256v1 } */
static void read_algorithm(der_input *in, der_range *r) {
  der_range algorithm = sm_der_open(in, r, DER_SEQUENCE);
  size_t at = algorithm.at;
  if (!sm_der_oid_is(in, &algorithm, oid_ec_public_key, sizeof oid_ec_public_key)) {
    sm_der_fail(in, at, SIGMILL_ERR_ALGORITHM);
  }
  read_curve(in, &algorithm);
  sm_der_end(in, &algorithm);
}

/* The point in the BIT STRING that comes next; returns its offset. */
static size_t read_point_vt(p256_point *out, der_input *in, der_range *r, uint8_t tag,
                            bool hybrid) {
  der_range bits = sm_der_bit_string(in, r, tag);
  size_t offset = 0;
  if (!sm_der_ok(in)) {
    return 0;
  }
  sigmill_status status =
      sm_sec1_read_vt(out, in->bytes + bits.at, bits.end - bits.at, hybrid, &offset);
  if (status != SIGMILL_OK) {
    sm_der_fail(in, bits.at + offset, status);
  }
  return bits.at;
}

/* ---------------------------------------------------------------- reading */

sigmill_status sm_spki_read_vt(p256_point *out, const uint8_t *der, size_t len,
                               bool hybrid, size_t *error_at) {
  der_input in = sm_der_input(der, len, SIGMILL_KEY_DER_MAX);
  der_range r = sm_der_open_whole(&in, DER_SEQUENCE);
  read_algorithm(&in, &r);
  read_point_vt(out, &in, &r, DER_BIT_STRING, hybrid);
  sm_der_end(&in, &r);
  *error_at = in.error_at;
  return in.status;
}

/* A public half that stands beside the secret. */
typedef struct {
  p256_point point;
  size_t at;
  bool there;
} public_half;

/* The fields of ECPrivateKey { version 1, privateKey, [0] parameters, [1] publicKey };
 * returns the offset of the secret's 32 bytes. */
static size_t read_ec_fields_vt(public_half *half, der_input *in, der_range *r,
                                bool parameters_wanted) {
  sm_der_version(in, r, 1, 1);
  der_range secret = sm_der_open(in, r, DER_OCTET_STRING);
  if (sm_der_next_is(in, r, DER_CONSTRUCTED(0))) {
    der_range parameters = sm_der_open(in, r, DER_CONSTRUCTED(0));
    read_curve(in, &parameters);
    sm_der_end(in, &parameters);
  } else if (parameters_wanted) {
    sm_der_fail(in, r->at, SIGMILL_ERR_CURVE);
  }
  /* Another curve explains another length. */
  if (secret.end - secret.at != 32) {
    sm_der_fail(in, secret.at, SIGMILL_ERR_COORDINATE_LENGTH);
  }
  half->there = sm_der_next_is(in, r, DER_CONSTRUCTED(1));
  if (half->there) {
    der_range public_key = sm_der_open(in, r, DER_CONSTRUCTED(1));
    half->at = read_point_vt(&half->point, in, &public_key, DER_BIT_STRING, false);
    sm_der_end(in, &public_key);
  }
  sm_der_end(in, r);
  return secret.at;
}

/* The pair of the secret at this offset. */
static void make_pair(p256_keypair *out, der_input *in, size_t secret_at) {
  u256 d;
  if (!sm_der_ok(in)) {
    return;
  }
  u256_from_be(&d, in->bytes + secret_at);
  SECRET(&d, sizeof d);
  sigmill_status status = sm_p256_keypair_make(out, &d);
  wipe(&d, sizeof d);
  if (status != SIGMILL_OK) {
    sm_der_fail(in, secret_at, status);
  }
}

static void check_half_vt(der_input *in, const p256_keypair *pair,
                          const public_half *half) {
  if (sm_der_ok(in) && half->there &&
      (u256_eq_mask(&half->point.x, &pair->point.x) == 0 ||
       u256_eq_mask(&half->point.y, &pair->point.y) == 0)) {
    sm_der_fail(in, half->at, SIGMILL_ERR_KEY_MISMATCH);
  }
}

sigmill_status sm_ec_private_key_read(p256_keypair *out, const uint8_t *der, size_t len,
                                      size_t *error_at) {
  public_half half;
  der_input in = sm_der_input(der, len, SIGMILL_KEY_DER_MAX);
  der_range r = sm_der_open_whole(&in, DER_SEQUENCE);
  size_t secret_at = read_ec_fields_vt(&half, &in, &r, true);
  make_pair(out, &in, secret_at);
  check_half_vt(&in, out, &half);
  *error_at = in.error_at;
  return in.status;
}

/* EncryptedPrivateKeyInfo { AlgorithmIdentifier, OCTET STRING } (RFC 5958, section 3)? */
static bool is_encrypted(const der_input *in, der_range r) {
  der_input probe = *in;
  sm_der_open(&probe, &r, DER_SEQUENCE);
  return sm_der_next_is(&probe, &r, DER_OCTET_STRING);
}

/* Version 0 (v1) has no public key beside the attributes, version 1 (v2) has one; the
 * content of attributes is not judged. */
sigmill_status sm_pkcs8_read(p256_keypair *out, const uint8_t *der, size_t len,
                             size_t *error_at) {
  public_half inner_half, outer_half;
  der_input in = sm_der_input(der, len, SIGMILL_KEY_DER_MAX);
  der_range r = sm_der_open_whole(&in, DER_SEQUENCE);
  if (is_encrypted(&in, r)) {
    sm_der_fail(&in, r.at, SIGMILL_ERR_ENCRYPTED);
  }
  unsigned version = sm_der_version(&in, &r, 0, 1);
  read_algorithm(&in, &r);
  der_range wrapped = sm_der_open(&in, &r, DER_OCTET_STRING);
  der_range ec = sm_der_open(&in, &wrapped, DER_SEQUENCE);
  size_t secret_at = read_ec_fields_vt(&inner_half, &in, &ec, false);
  sm_der_end(&in, &wrapped);
  if (sm_der_next_is(&in, &r, DER_CONSTRUCTED(0))) {
    sm_der_open(&in, &r, DER_CONSTRUCTED(0));
  }
  outer_half.there = version == 1;
  if (outer_half.there) {
    outer_half.at = read_point_vt(&outer_half.point, &in, &r, DER_PRIMITIVE(1), false);
  }
  sm_der_end(&in, &r);
  make_pair(out, &in, secret_at);
  check_half_vt(&in, out, &inner_half);
  check_half_vt(&in, out, &outer_half);
  *error_at = in.error_at;
  return in.status;
}

/* ---------------------------------------------------------------- writing */

/* SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING of 65 bytes } */
static const uint8_t spki_prefix[] = {
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
    0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00};
/* SEQUENCE { 0, SEQUENCE { id-ecPublicKey, prime256v1 }, OCTET STRING { SEQUENCE { 1,
 * OCTET STRING of 32 bytes, */
static const uint8_t pkcs8_prefix[] = {
    0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d,
    0x03, 0x01, 0x07, 0x04, 0x6d, 0x30, 0x6b, 0x02, 0x01, 0x01, 0x04, 0x20};
/* SEQUENCE { 1, OCTET STRING of 32 bytes, */
static const uint8_t sec1_prefix[] = {0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20};
/* [0] { prime256v1 }, */
static const uint8_t sec1_parameters[] = {0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86,
                                          0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};
/* [1] { BIT STRING of 65 bytes } */
static const uint8_t public_prefix[] = {0xa1, 0x44, 0x03, 0x42, 0x00};

_Static_assert(sizeof spki_prefix + 65 == SIGMILL_P256_SPKI_SIZE, "SPKI size");
_Static_assert(sizeof pkcs8_prefix + 32 + sizeof public_prefix + 65 ==
                   SIGMILL_P256_PKCS8_SIZE,
               "PKCS#8 size");
_Static_assert(sizeof sec1_prefix + 32 + sizeof sec1_parameters + sizeof public_prefix +
                       65 ==
                   SIGMILL_P256_SEC1_SIZE,
               "ECPrivateKey size");

static uint8_t *put(uint8_t *out, const uint8_t *bytes, size_t len) {
  memcpy(out, bytes, len);
  return out + len;
}

void sm_spki_write(uint8_t out[SIGMILL_P256_SPKI_SIZE], const p256_point *point) {
  out = put(out, spki_prefix, sizeof spki_prefix);
  sm_sec1_write65(out, point);
}

void sm_pkcs8_write(uint8_t out[SIGMILL_P256_PKCS8_SIZE], const p256_keypair *pair) {
  out = put(out, pkcs8_prefix, sizeof pkcs8_prefix);
  u256_to_be(out, &pair->secret);
  out = put(out + 32, public_prefix, sizeof public_prefix);
  sm_sec1_write65(out, &pair->point);
}

void sm_ec_private_key_write(uint8_t out[SIGMILL_P256_SEC1_SIZE],
                             const p256_keypair *pair) {
  out = put(out, sec1_prefix, sizeof sec1_prefix);
  u256_to_be(out, &pair->secret);
  out = put(out + 32, sec1_parameters, sizeof sec1_parameters);
  out = put(out, public_prefix, sizeof public_prefix);
  sm_sec1_write65(out, &pair->point);
}
