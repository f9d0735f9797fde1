/* HMAC (RFC 2104, FIPS 198-1) over SHA-256, SHA-384 and SHA-512.  The key's two
 * compressions are done once and serve every message under it.  Constant time in key and
 * message; their lengths are public. */
#ifndef SIGMILL_HASH_HMAC_H
#define SIGMILL_HASH_HMAC_H

#include "hash/sha2.h"

/* What one block leaves behind. */
typedef union {
  uint32_t sha256[8];
  uint64_t sha512[8];
} hmac_midstate;

typedef struct {
  hash_id hash;
  hmac_midstate inner_key, outer_key; /* after the key padded with 36.. and 5c.. */
  hash_ctx message;
} hmac_ctx;

/* Sets a key of any length and starts the first message.  key may be NULL if key_len is
 * 0. */
void sm_hmac_key(hmac_ctx *ctx, hash_id hash, const uint8_t *key, size_t key_len);
void sm_hmac_update(hmac_ctx *ctx, const void *data, size_t len);
/* Writes sm_hash_size bytes and starts the next message under the same key.  out may be
 * what was hashed. */
void sm_hmac_final(uint8_t *out, hmac_ctx *ctx);
void sm_hmac_wipe(hmac_ctx *ctx);

#endif
