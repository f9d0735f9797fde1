/* Deterministic ECDSA nonces (RFC 6979, section 3.2, steps b to h): an HMAC_DRBG seeded
 * with the secret and the digest.  K stands in the HMAC context as its two key
 * states, so that each of its uses costs only the message's blocks. */
#include "scheme/rfc6979.h"

#include "base/secret.h"
#include "scalar/sc_p256.h"

/* V = HMAC_K(V). */
static void update_v(rfc6979_ctx *ctx) {
  sm_hmac_update(&ctx->hmac, ctx->v, sm_hash_size(ctx->hmac.hash));
  sm_hmac_final(ctx->v, &ctx->hmac);
}

/* K = HMAC_K(V || mark || seed), then V = HMAC_K(V). */
static void update_k(rfc6979_ctx *ctx, uint8_t mark, const uint8_t *seed, size_t seed_len,
                     const uint8_t *extra, size_t extra_len) {
  hash_id hash = ctx->hmac.hash;
  uint8_t k[HASH_MAX_SIZE];
  sm_hmac_update(&ctx->hmac, ctx->v, sm_hash_size(hash));
  sm_hmac_update(&ctx->hmac, &mark, 1);
  sm_hmac_update(&ctx->hmac, seed, seed_len);
  sm_hmac_update(&ctx->hmac, extra, extra_len);
  sm_hmac_final(k, &ctx->hmac);
  sm_hmac_key(&ctx->hmac, hash, k, sm_hash_size(hash));
  wipe(k, sizeof k);
  update_v(ctx);
}

void sm_rfc6979_init(rfc6979_ctx *ctx, hash_id hash, const u256 *secret,
                     const u256 *digest, const uint8_t *extra, size_t extra_len) {
  static const uint8_t zero[HASH_MAX_SIZE] = {0};
  uint8_t seed[64];
  u256_to_be(seed, secret);
  u256_to_be(seed + 32, digest);
  memset(ctx->v, 1, sizeof ctx->v);
  ctx->drawn = 0;
  sm_hmac_key(&ctx->hmac, hash, zero, sm_hash_size(hash));
  update_k(ctx, 0, seed, sizeof seed, extra, extra_len);
  update_k(ctx, 1, seed, sizeof seed, extra, extra_len);
  wipe(seed, sizeof seed);
}

void sm_rfc6979_next(u256 *k, rfc6979_ctx *ctx) {
  uint64_t in_range;
  do {
    if (ctx->drawn++ > 0) {
      update_k(ctx, 0, NULL, 0, NULL, 0);
    }
    /* V has at least 256 bits, and the leftmost 256 are the candidate: bits2int for a
     * group order of 256 bits. */
    update_v(ctx);
    u256_from_be(k, ctx->v);
    in_range = sm_sc_p256_in_range(k);
    PUBLIC(&in_range, sizeof in_range);
  } while (!in_range);
}

void sm_rfc6979_wipe(rfc6979_ctx *ctx) {
  wipe(ctx, sizeof *ctx);
}
