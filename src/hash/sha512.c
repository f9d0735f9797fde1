/* SHA-512 and SHA-384 (FIPS 180-4): words of 64 bits. */
#include "hash/sha512.h"

#include "base/bytes.h"
#include "base/secret.h"
#include "hash/sha_constants.h"

#define WORD            uint64_t
#define LOAD            load_be64
#define STORE           store_be64
#define ROUNDS          80
#define ROUND_CONSTANTS sha512_k
#define SHA2_CTX        sha512_ctx

static inline uint64_t rotate_right(uint64_t x, unsigned n) {
  return x >> n | x << (64 - n);
}

static inline uint64_t big_sigma_0(uint64_t x) {
  return rotate_right(x, 28) ^ rotate_right(x, 34) ^ rotate_right(x, 39);
}

static inline uint64_t big_sigma_1(uint64_t x) {
  return rotate_right(x, 14) ^ rotate_right(x, 18) ^ rotate_right(x, 41);
}

static inline uint64_t small_sigma_0(uint64_t x) {
  return rotate_right(x, 1) ^ rotate_right(x, 8) ^ x >> 7;
}

static inline uint64_t small_sigma_1(uint64_t x) {
  return rotate_right(x, 19) ^ rotate_right(x, 61) ^ x >> 6;
}

#include "hash/sha2.inc"

void sm_sha512_init(sha512_ctx *ctx) {
  memcpy(ctx->state, sha512_start, sizeof ctx->state);
  ctx->length = 0;
}

void sm_sha384_init(sha512_ctx *ctx) {
  memcpy(ctx->state, sha384_start, sizeof ctx->state);
  ctx->length = 0;
}

void sm_sha512_update(sha512_ctx *ctx, const void *data, size_t len) {
  absorb(ctx, data, len, compress_portable);
}

void sm_sha512_final(uint8_t out[64], sha512_ctx *ctx) {
  finish(out, 64, ctx, compress_portable);
}

void sm_sha384_final(uint8_t out[48], sha512_ctx *ctx) {
  finish(out, 48, ctx, compress_portable);
}
