/* The public functions over encoded keys and signatures: argument checks and opaque
 * types, no mathematics.  On failure every output is zero. */
#include "api_types.h"
#include "scheme/cose.h"
#include "scheme/jwk.h"
#include "scheme/jws.h"
#include "scheme/key_der.h"
#include "scheme/pem.h"
#include "scheme/sec1.h"
#include "scheme/sig_der.h"

/* The readers of all formats look alike. */
typedef sigmill_status read_public(p256_point *out, const uint8_t *in, size_t len,
                                   size_t *error_at);
typedef sigmill_status read_private(p256_keypair *out, const uint8_t *in, size_t len,
                                    size_t *error_at);

/* Where a caller wants no offset, it goes to waste; on success it is 0. */
static sigmill_status report(size_t *error_at, size_t at, sigmill_status status) {
  if (error_at != NULL) {
    *error_at = status == SIGMILL_OK ? 0 : at;
  }
  return status;
}

static sigmill_status public_from(sigmill_p256_pubkey *out, read_public *read,
                                  const void *in, size_t len, size_t *error_at) {
  p256_point point;
  size_t at = 0;
  if (out == NULL) {
    return report(error_at, 0, SIGMILL_ERR_ARGUMENT);
  }
  memset(out, 0, sizeof *out);
  if (in == NULL) {
    return report(error_at, 0, SIGMILL_ERR_ARGUMENT);
  }
  sigmill_status status = read(&point, in, len, &at);
  if (status == SIGMILL_OK) {
    pubkey_set(out, &point);
  }
  return report(error_at, at, status);
}

static sigmill_status private_from(sigmill_p256_keypair *out, read_private *read,
                                   const void *in, size_t len, size_t *error_at) {
  p256_keypair pair;
  size_t at = 0;
  if (out == NULL) {
    return report(error_at, 0, SIGMILL_ERR_ARGUMENT);
  }
  memset(out, 0, sizeof *out);
  if (in == NULL) {
    return report(error_at, 0, SIGMILL_ERR_ARGUMENT);
  }
  sigmill_status status = read(&pair, in, len, &at);
  if (status == SIGMILL_OK) {
    keypair_set(out, &pair);
  }
  wipe(&pair, sizeof pair);
  wipe_stack_8k();
  return report(error_at, at, status);
}

/* ---------------------------------------------------------------- points */

static sigmill_status read_sec1(p256_point *out, const uint8_t *in, size_t len,
                                size_t *error_at) {
  return sm_sec1_read_vt(out, in, len, false, error_at);
}

static sigmill_status read_sec1_hybrid(p256_point *out, const uint8_t *in, size_t len,
                                       size_t *error_at) {
  return sm_sec1_read_vt(out, in, len, true, error_at);
}

sigmill_status sigmill_p256_pubkey_parse(sigmill_p256_pubkey *out, const uint8_t *sec1,
                                         size_t sec1_len) {
  return public_from(out, read_sec1, sec1, sec1_len, NULL);
}

sigmill_status sigmill_p256_pubkey_parse_hybrid(sigmill_p256_pubkey *out,
                                                const uint8_t *sec1, size_t sec1_len) {
  return public_from(out, read_sec1_hybrid, sec1, sec1_len, NULL);
}

void sigmill_p256_pubkey_serialize33(uint8_t out[33], const sigmill_p256_pubkey *key) {
  p256_point point;
  memset(out, 0, 33);
  if (pubkey_get(&point, key)) {
    sm_sec1_write33(out, &point);
  }
}

void sigmill_p256_pubkey_serialize65(uint8_t out[65], const sigmill_p256_pubkey *key) {
  p256_point point;
  memset(out, 0, 65);
  if (pubkey_get(&point, key)) {
    sm_sec1_write65(out, &point);
  }
}

/* ---------------------------------------------------------------- DER signatures */

sigmill_status sigmill_p256_sig_from_der(uint8_t sig[64], const uint8_t *der,
                                         size_t der_len) {
  return sigmill_p256_sig_from_der_at(sig, der, der_len, NULL);
}

sigmill_status sigmill_p256_sig_from_der_at(uint8_t sig[64], const uint8_t *der,
                                            size_t der_len, size_t *error_at) {
  size_t at = 0;
  if (sig == NULL) {
    return report(error_at, 0, SIGMILL_ERR_ARGUMENT);
  }
  memset(sig, 0, 64);
  if (der == NULL) {
    return report(error_at, 0, SIGMILL_ERR_ARGUMENT);
  }
  sigmill_status status = sm_sig_der_read_vt(sig, der, der_len, &at);
  if (status != SIGMILL_OK) {
    memset(sig, 0, 64);
  }
  return report(error_at, at, status);
}

size_t sigmill_p256_sig_to_der(uint8_t der[SIGMILL_P256_DER_MAX], const uint8_t sig[64]) {
  return sm_sig_der_write_vt(der, sig);
}

/* ---------------------------------------------------------------- public keys in files
 */

static sigmill_status read_spki(p256_point *out, const uint8_t *in, size_t len,
                                size_t *error_at) {
  return sm_spki_read_vt(out, in, len, false, error_at);
}

static sigmill_status read_spki_hybrid(p256_point *out, const uint8_t *in, size_t len,
                                       size_t *error_at) {
  return sm_spki_read_vt(out, in, len, true, error_at);
}

static sigmill_status read_cose(p256_point *out, const uint8_t *in, size_t len,
                                size_t *error_at) {
  return sm_cose_read_vt(out, NULL, in, len, error_at);
}

sigmill_status sigmill_p256_pubkey_from_spki(sigmill_p256_pubkey *out, const uint8_t *der,
                                             size_t der_len, size_t *error_at) {
  return public_from(out, read_spki, der, der_len, error_at);
}

sigmill_status sigmill_p256_pubkey_from_spki_hybrid(sigmill_p256_pubkey *out,
                                                    const uint8_t *der, size_t der_len,
                                                    size_t *error_at) {
  return public_from(out, read_spki_hybrid, der, der_len, error_at);
}

sigmill_status sigmill_p256_pubkey_from_pem(sigmill_p256_pubkey *out, const char *pem,
                                            size_t pem_len, size_t *error_at) {
  return public_from(out, sm_pem_read_public_vt, pem, pem_len, error_at);
}

sigmill_status sigmill_p256_pubkey_from_jwk(sigmill_p256_pubkey *out, const char *json,
                                            size_t json_len, size_t *error_at) {
  return public_from(out, sm_jwk_read_public_vt, json, json_len, error_at);
}

sigmill_status sigmill_p256_pubkey_from_cose(sigmill_p256_pubkey *out,
                                             const uint8_t *cose, size_t cose_len,
                                             size_t *error_at) {
  return public_from(out, read_cose, cose, cose_len, error_at);
}

sigmill_status sigmill_p256_pubkey_from_cose_prefix(sigmill_p256_pubkey *out,
                                                    size_t *used, const uint8_t *cose,
                                                    size_t cose_len, size_t *error_at) {
  p256_point point;
  size_t at = 0, length = 0;
  if (out != NULL) {
    memset(out, 0, sizeof *out);
  }
  if (used != NULL) {
    *used = 0;
  }
  if (out == NULL || used == NULL || cose == NULL) {
    return report(error_at, 0, SIGMILL_ERR_ARGUMENT);
  }
  sigmill_status status = sm_cose_read_vt(&point, &length, cose, cose_len, &at);
  if (status == SIGMILL_OK) {
    pubkey_set(out, &point);
    *used = length;
  }
  return report(error_at, at, status);
}

void sigmill_p256_pubkey_to_spki(uint8_t out[SIGMILL_P256_SPKI_SIZE],
                                 const sigmill_p256_pubkey *key) {
  p256_point point;
  memset(out, 0, SIGMILL_P256_SPKI_SIZE);
  if (pubkey_get(&point, key)) {
    sm_spki_write(out, &point);
  }
}

void sigmill_p256_pubkey_to_pem(char out[SIGMILL_P256_PEM_SIZE + 1],
                                const sigmill_p256_pubkey *key) {
  p256_point point;
  memset(out, 0, SIGMILL_P256_PEM_SIZE + 1);
  if (pubkey_get(&point, key)) {
    sm_pem_write_public(out, &point);
  }
}

void sigmill_p256_pubkey_to_jwk(char out[SIGMILL_P256_JWK_SIZE + 1],
                                const sigmill_p256_pubkey *key) {
  p256_point point;
  memset(out, 0, SIGMILL_P256_JWK_SIZE + 1);
  if (pubkey_get(&point, key)) {
    sm_jwk_write_public(out, &point);
  }
}

void sigmill_p256_pubkey_to_cose(uint8_t out[SIGMILL_P256_COSE_SIZE],
                                 const sigmill_p256_pubkey *key) {
  p256_point point;
  memset(out, 0, SIGMILL_P256_COSE_SIZE);
  if (pubkey_get(&point, key)) {
    sm_cose_write(out, &point);
  }
}

/* ---------------------------------------------------------------- private keys in files
 */

sigmill_status sigmill_p256_keypair_from_pkcs8(sigmill_p256_keypair *out,
                                               const uint8_t *der, size_t der_len,
                                               size_t *error_at) {
  return private_from(out, sm_pkcs8_read, der, der_len, error_at);
}

sigmill_status sigmill_p256_keypair_from_sec1(sigmill_p256_keypair *out,
                                              const uint8_t *der, size_t der_len,
                                              size_t *error_at) {
  return private_from(out, sm_ec_private_key_read, der, der_len, error_at);
}

sigmill_status sigmill_p256_keypair_from_pem(sigmill_p256_keypair *out, const char *pem,
                                             size_t pem_len, size_t *error_at) {
  return private_from(out, sm_pem_read_private, pem, pem_len, error_at);
}

sigmill_status sigmill_p256_keypair_from_jwk(sigmill_p256_keypair *out, const char *json,
                                             size_t json_len, size_t *error_at) {
  return private_from(out, sm_jwk_read_private, json, json_len, error_at);
}

void sigmill_p256_keypair_to_pkcs8(uint8_t out[SIGMILL_P256_PKCS8_SIZE],
                                   const sigmill_p256_keypair *key) {
  p256_keypair pair;
  memset(out, 0, SIGMILL_P256_PKCS8_SIZE);
  if (keypair_get(&pair, key)) {
    sm_pkcs8_write(out, &pair);
  }
  wipe(&pair, sizeof pair);
}

void sigmill_p256_keypair_to_sec1(uint8_t out[SIGMILL_P256_SEC1_SIZE],
                                  const sigmill_p256_keypair *key) {
  p256_keypair pair;
  memset(out, 0, SIGMILL_P256_SEC1_SIZE);
  if (keypair_get(&pair, key)) {
    sm_ec_private_key_write(out, &pair);
  }
  wipe(&pair, sizeof pair);
}

void sigmill_p256_keypair_to_pem(char out[SIGMILL_P256_PEM_PRIVATE_SIZE + 1],
                                 const sigmill_p256_keypair *key) {
  p256_keypair pair;
  memset(out, 0, SIGMILL_P256_PEM_PRIVATE_SIZE + 1);
  if (keypair_get(&pair, key)) {
    sm_pem_write_private(out, &pair);
  }
  wipe(&pair, sizeof pair);
}

void sigmill_p256_keypair_to_jwk(char out[SIGMILL_P256_JWK_PRIVATE_SIZE + 1],
                                 const sigmill_p256_keypair *key) {
  p256_keypair pair;
  memset(out, 0, SIGMILL_P256_JWK_PRIVATE_SIZE + 1);
  if (keypair_get(&pair, key)) {
    sm_jwk_write_private(out, &pair);
  }
  wipe(&pair, sizeof pair);
}

/* ---------------------------------------------------------------- JWS */

static sigmill_status jws_verify(size_t *payload_at, size_t *payload_len, const char *jws,
                                 size_t jws_len, sigmill_p256_format format,
                                 const sigmill_p256_pubkey *key, size_t *error_at) {
  p256_point point;
  size_t at = 0, found_at = 0, found_len = 0;
  sigmill_status status = SIGMILL_ERR_ARGUMENT;
  if (jws != NULL && key != NULL) {
    status = pubkey_get(&point, key)
                 ? sm_jws_verify_vt(&found_at, &found_len, (const uint8_t *)jws, jws_len,
                                    format, &point, &at)
                 : SIGMILL_ERR_KEY_UNSET;
  }
  if (payload_at != NULL) {
    *payload_at = status == SIGMILL_OK ? found_at : 0;
  }
  if (payload_len != NULL) {
    *payload_len = status == SIGMILL_OK ? found_len : 0;
  }
  return report(error_at, at, status);
}

sigmill_status sigmill_p256_jws_verify(size_t *payload_at, size_t *payload_len,
                                       const char *jws, size_t jws_len,
                                       const sigmill_p256_pubkey *key, size_t *error_at) {
  return jws_verify(payload_at, payload_len, jws, jws_len, SIGMILL_P256_SIG64, key,
                    error_at);
}

sigmill_status sigmill_p256_jws_verify_low_s(size_t *payload_at, size_t *payload_len,
                                             const char *jws, size_t jws_len,
                                             const sigmill_p256_pubkey *key,
                                             size_t *error_at) {
  return jws_verify(payload_at, payload_len, jws, jws_len, SIGMILL_P256_SIG64_LOW_S, key,
                    error_at);
}
