/* SHA-512 and SHA-384 (FIPS 180-4).  Constant time in the message; its length is public.
 */
#ifndef SIGMILL_HASH_SHA512_H
#define SIGMILL_HASH_SHA512_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t state[8];
  uint64_t length; /* bytes taken so far; 2^61 - 1 is the most */
  uint8_t block[128];
} sha512_ctx;

void sm_sha512_init(sha512_ctx *ctx);
void sm_sha384_init(sha512_ctx *ctx);
/* data may be NULL if len is 0.  Whole blocks are hashed where they stand. */
void sm_sha512_update(sha512_ctx *ctx, const void *data, size_t len);
/* Write the digest and wipe the context. */
void sm_sha512_final(uint8_t out[64], sha512_ctx *ctx);
void sm_sha384_final(uint8_t out[48], sha512_ctx *ctx);

#endif
