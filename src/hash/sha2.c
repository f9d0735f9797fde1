/* The choice between SHA-256, SHA-384 and SHA-512. */
#include "hash/sha2.h"

size_t sm_hash_size(hash_id hash) {
  return hash == HASH_SHA256 ? 32 : hash == HASH_SHA384 ? 48 : 64;
}

size_t sm_hash_block_size(hash_id hash) {
  return hash == HASH_SHA256 ? 64 : 128;
}

void sm_hash_init(hash_ctx *ctx, hash_id hash) {
  if (hash == HASH_SHA256) {
    sm_sha256_init(&ctx->sha256);
  } else if (hash == HASH_SHA384) {
    sm_sha384_init(&ctx->sha512);
  } else {
    sm_sha512_init(&ctx->sha512);
  }
}

void sm_hash_update(hash_ctx *ctx, hash_id hash, const void *data, size_t len) {
  if (hash == HASH_SHA256) {
    sm_sha256_update(&ctx->sha256, data, len);
  } else {
    sm_sha512_update(&ctx->sha512, data, len);
  }
}

void sm_hash_final(uint8_t *out, hash_ctx *ctx, hash_id hash) {
  if (hash == HASH_SHA256) {
    sm_sha256_final(out, &ctx->sha256);
  } else if (hash == HASH_SHA384) {
    sm_sha384_final(out, &ctx->sha512);
  } else {
    sm_sha512_final(out, &ctx->sha512);
  }
}
