/* ES256 signatures in JWS compact serialization (RFC 7515, section 7.1; RFC 7518, 3.4).
 */
#ifndef SIGMILL_SCHEME_JWS_H
#define SIGMILL_SCHEME_JWS_H

#include "scheme/ecdsa_p256.h"
#include "sigmill.h"

/* Verifies header.payload.signature.  format is SIG64 or SIG64_LOW_S.  Rules are applied
 * in this order: three parts, the header (base64url, JSON, no member twice, no crit, no
 * b64 but true, alg), the payload's base64url, the signature (base64url, 64 bytes, then
 * as sm_p256_verify_vt).  On success *payload_at and *payload_len tell where the
 * payload's text stands.  *error_at is an offset in the token: of the character that
 * holds the header's byte at fault, or of the signature. */
sigmill_status sm_jws_verify_vt(size_t *payload_at, size_t *payload_len,
                                const uint8_t *text, size_t len,
                                sigmill_p256_format format, const p256_point *key,
                                size_t *error_at);

#endif
