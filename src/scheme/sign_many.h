/* Many signatures, key pairs and shared secrets at once, by the lanes: what
 * sm_p256_sign, sm_p256_keypair_make and p256_engine's mul give for each item.
 *
 * count <= LANES_P256_CHUNK.  An item that is not wanted may stand there with the secret
 * 1 and any point of the curve; its results mean nothing.  Constant time in everything
 * but count and what is said.  Nothing of a secret is left in the workspaces. */
#ifndef SIGMILL_SCHEME_SIGN_MANY_H
#define SIGMILL_SCHEME_SIGN_MANY_H

#include "scheme/ecdsa_p256.h"

/* sigs[i] = r || s, the signature of SHA-256 digest i by RFC 6979; s as it comes, high or
 * low.  in: 1 <= secrets[i] < n. */
void sm_p256_sign_many(uint8_t (*sigs)[64], const uint8_t (*digests)[32],
                       const u256 *secrets, size_t count, const p256_lanes *lanes);

/* The pair of each secret.  Any 256-bit integer may come in: made[i] is 0 and out[i] zero
 * where it is 0 or not below n, and which are so becomes known; else made[i] is 1. */
void sm_p256_keypair_many(p256_keypair *out, uint8_t *made, const u256 *secrets,
                          size_t count, const p256_lanes *lanes);

/* shared[i] = x(secrets[i] * peers[i]), 32 bytes big-endian.  in: 1 <= secrets[i] < n;
 * peers on the curve, public. */
void sm_p256_ecdh_many(uint8_t (*shared)[32], const u256 *secrets,
                       const p256_point *peers, size_t count, const p256_lanes *lanes);

#endif
