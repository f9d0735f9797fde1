/* HMAC (RFC 2104, FIPS 198-1): H((K ^ 5c..) || H((K ^ 36..) || message)). */
#include "hash/hmac.h"

#include "base/secret.h"

enum { INNER_PAD = 0x36, OUTER_PAD = 0x5c };

/* out = the state after one whole block, from the start; ctx is the workspace. */
static void midstate_of(hmac_midstate *out, hash_ctx *ctx, hash_id hash,
                        const uint8_t *block) {
  sm_hash_init(ctx, hash);
  sm_hash_update(ctx, hash, block, sm_hash_block_size(hash));
  if (hash == HASH_SHA256) {
    memcpy(out->sha256, ctx->sha256.state, sizeof out->sha256);
  } else {
    memcpy(out->sha512, ctx->sha512.state, sizeof out->sha512);
  }
}

/* Goes on where midstate_of stopped. */
static void resume(hash_ctx *ctx, hash_id hash, const hmac_midstate *from) {
  if (hash == HASH_SHA256) {
    memcpy(ctx->sha256.state, from->sha256, sizeof from->sha256);
    ctx->sha256.length = sm_hash_block_size(hash);
  } else {
    memcpy(ctx->sha512.state, from->sha512, sizeof from->sha512);
    ctx->sha512.length = sm_hash_block_size(hash);
  }
}

void sm_hmac_key(hmac_ctx *ctx, hash_id hash, const uint8_t *key, size_t key_len) {
  uint8_t block[HASH_MAX_BLOCK] = {0};
  if (key_len > sm_hash_block_size(hash)) {
    sm_hash_init(&ctx->message, hash);
    sm_hash_update(&ctx->message, hash, key, key_len);
    sm_hash_final(block, &ctx->message, hash);
  } else if (key_len > 0) {
    memcpy(block, key, key_len);
  }
  ctx->hash = hash;
  for (size_t i = 0; i < sizeof block; i++) {
    block[i] ^= INNER_PAD;
  }
  midstate_of(&ctx->inner_key, &ctx->message, hash, block);
  for (size_t i = 0; i < sizeof block; i++) {
    block[i] ^= INNER_PAD ^ OUTER_PAD;
  }
  midstate_of(&ctx->outer_key, &ctx->message, hash, block);
  wipe(block, sizeof block);
  resume(&ctx->message, hash, &ctx->inner_key);
}

void sm_hmac_update(hmac_ctx *ctx, const void *data, size_t len) {
  sm_hash_update(&ctx->message, ctx->hash, data, len);
}

void sm_hmac_final(uint8_t *out, hmac_ctx *ctx) {
  uint8_t inner[HASH_MAX_SIZE];
  sm_hash_final(inner, &ctx->message, ctx->hash);
  resume(&ctx->message, ctx->hash, &ctx->outer_key);
  sm_hash_update(&ctx->message, ctx->hash, inner, sm_hash_size(ctx->hash));
  sm_hash_final(out, &ctx->message, ctx->hash);
  resume(&ctx->message, ctx->hash, &ctx->inner_key);
  wipe(inner, sizeof inner);
}

void sm_hmac_wipe(hmac_ctx *ctx) {
  wipe(ctx, sizeof *ctx);
}
