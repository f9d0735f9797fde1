/* P-256 keys in DER: SubjectPublicKeyInfo (RFC 5280, 4.1.2.7; RFC 5480),
 * OneAsymmetricKey, better known as PKCS#8 (RFC 5958), and ECPrivateKey (RFC 5915; SEC 1,
 * C.4).
 *
 * The curve is named, prime256v1; any other, explicit parameters included, is refused
 * before its content is looked at.  Offsets count from the start of the input. */
#ifndef SIGMILL_SCHEME_KEY_DER_H
#define SIGMILL_SCHEME_KEY_DER_H

#include "scheme/ecdsa_p256.h"
#include "sigmill.h"

sigmill_status sm_spki_read_vt(p256_point *out, const uint8_t *der, size_t len,
                               bool hybrid, size_t *error_at);
void sm_spki_write(uint8_t out[SIGMILL_P256_SPKI_SIZE], const p256_point *point);

/* Constant time in the secret.  On failure out may hold part of it: the caller wipes. */
sigmill_status sm_pkcs8_read(p256_keypair *out, const uint8_t *der, size_t len,
                             size_t *error_at);
void sm_pkcs8_write(uint8_t out[SIGMILL_P256_PKCS8_SIZE], const p256_keypair *pair);
/* The same for an ECPrivateKey alone, whose parameters must be there. */
sigmill_status sm_ec_private_key_read(p256_keypair *out, const uint8_t *der, size_t len,
                                      size_t *error_at);
void sm_ec_private_key_write(uint8_t out[SIGMILL_P256_SEC1_SIZE],
                             const p256_keypair *pair);

#endif
