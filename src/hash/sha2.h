/* SHA-256, SHA-384 and SHA-512 behind one name, for callers that are told which. */
#ifndef SIGMILL_HASH_SHA2_H
#define SIGMILL_HASH_SHA2_H

#include "hash/sha256.h"
#include "hash/sha512.h"

typedef enum { HASH_SHA256 = 1, HASH_SHA384 = 2, HASH_SHA512 = 3 } hash_id;

enum { HASH_MAX_SIZE = 64, HASH_MAX_BLOCK = 128 };

typedef union {
  sha256_ctx sha256;
  sha512_ctx sha512;
} hash_ctx;

/* Of the digest: 32, 48 or 64 bytes. */
size_t sm_hash_size(hash_id hash);
/* Of what the compression function takes: 64 or 128 bytes. */
size_t sm_hash_block_size(hash_id hash);

void sm_hash_init(hash_ctx *ctx, hash_id hash);
void sm_hash_update(hash_ctx *ctx, hash_id hash, const void *data, size_t len);
/* Writes sm_hash_size bytes and wipes the context. */
void sm_hash_final(uint8_t *out, hash_ctx *ctx, hash_id hash);

#endif
