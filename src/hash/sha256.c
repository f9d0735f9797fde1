/* SHA-256 (FIPS 180-4): words of 32 bits, and the choice between the bodies. */
#include "hash/sha256.h"

#include "base/bytes.h"
#include "base/cpu.h"
#include "base/secret.h"
#include "hash/sha256_sigma.h"
#include "hash/sha_constants.h"

#include <stdatomic.h>

#define WORD            uint32_t
#define LOAD            load_be32
#define STORE           store_be32
#define ROUNDS          64
#define ROUND_CONSTANTS sha256_k
#define SHA2_CTX        sha256_ctx

#include "hash/sha2.inc"

const sha256_body sm_sha256_portable = {"portable", compress_portable};

static _Atomic(const sha256_body *) body_in_use;

static const sha256_body *fastest_body(void) {
#if defined(__x86_64__) || defined(__i386__)
  if (sm_cpu_features()->sha_ni) {
    return &sm_sha256_shani;
  }
#endif
  return &sm_sha256_portable;
}

const sha256_body *sm_sha256_body(void) {
  const sha256_body *body = atomic_load_explicit(&body_in_use, memory_order_relaxed);
  if (body == NULL) {
    body = fastest_body();
    atomic_store_explicit(&body_in_use, body, memory_order_relaxed);
  }
  return body;
}

void sm_sha256_use(const sha256_body *body) {
  atomic_store_explicit(&body_in_use, body, memory_order_relaxed);
}

void sm_sha256_init(sha256_ctx *ctx) {
  memcpy(ctx->state, sha256_start, sizeof ctx->state);
  ctx->length = 0;
}

void sm_sha256_update(sha256_ctx *ctx, const void *data, size_t len) {
  absorb(ctx, data, len, sm_sha256_body()->compress);
}

void sm_sha256_final(uint8_t out[32], sha256_ctx *ctx) {
  finish(out, 32, ctx, sm_sha256_body()->compress);
}

void sm_sha256(uint8_t out[32], const void *data, size_t len) {
  compress_function *compress = sm_sha256_body()->compress;
  sha256_ctx ctx;
  sm_sha256_init(&ctx);
  absorb(&ctx, data, len, compress);
  finish(out, 32, &ctx, compress);
}
