/* P-256 keys as JSON Web Keys (RFC 7517; RFC 7518, sections 6.2.1 and 6.2.2).
 *
 * kty "EC", crv "P-256", x and y (and d) of exactly 32 bytes in strict unpadded
 * base64url; alg, if there, "ES256".  Other members may hold anything.  No member stands
 * twice, known or not (RFC 7517, section 4).  Rules are applied in this order: JSON,
 * duplicates, then kty, crv, alg, x, y, the point, d. */
#ifndef SIGMILL_SCHEME_JWK_H
#define SIGMILL_SCHEME_JWK_H

#include "scheme/ecdsa_p256.h"
#include "sigmill.h"

/* d is not looked at. */
sigmill_status sm_jwk_read_public_vt(p256_point *out, const uint8_t *text, size_t len,
                                     size_t *error_at);
/* Constant time in d, but for characters of it that are written as escapes.  On failure
 * out may hold part of the secret: the caller wipes. */
sigmill_status sm_jwk_read_private(p256_keypair *out, const uint8_t *text, size_t len,
                                   size_t *error_at);

/* Without a final NUL. */
void sm_jwk_write_public(char out[SIGMILL_P256_JWK_SIZE], const p256_point *point);
/* Constant time. */
void sm_jwk_write_private(char out[SIGMILL_P256_JWK_PRIVATE_SIZE],
                          const p256_keypair *pair);

#endif
