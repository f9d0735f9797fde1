/* Deterministic ECDSA nonces for P-256 (RFC 6979, section 3.2; 3.6 for extra input). */
#ifndef SIGMILL_SCHEME_RFC6979_H
#define SIGMILL_SCHEME_RFC6979_H

#include "base/u256.h"
#include "hash/hmac.h"

typedef struct {
  hmac_ctx hmac; /* holds K */
  uint8_t v[64];
  int drawn; /* candidates given so far */
} rfc6979_ctx;

/* Seeds the generator.  secret < n, digest already mod n (bits2octets); extra (may be
 * NULL with length 0) is the additional input k' of section 3.6. */
void sm_rfc6979_init(rfc6979_ctx *ctx, hash_id hash, const u256 *secret,
                     const u256 *digest, const uint8_t *extra, size_t extra_len);
/* The next nonce in [1, n-1].  Constant time but for the number of candidates rejected,
 * which is independent of the secret. */
void sm_rfc6979_next(u256 *k, rfc6979_ctx *ctx);
void sm_rfc6979_wipe(rfc6979_ctx *ctx);

#endif
