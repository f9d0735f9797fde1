/* SHA-256 (FIPS 180-4).  Constant time in the message; its length is public. */
#ifndef SIGMILL_HASH_SHA256_H
#define SIGMILL_HASH_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t state[8];
  uint64_t length; /* bytes taken so far; 2^61 - 1 is the most */
  uint8_t block[64];
} sha256_ctx;

void sm_sha256_init(sha256_ctx *ctx);
/* data may be NULL if len is 0.  Whole blocks are hashed where they stand. */
void sm_sha256_update(sha256_ctx *ctx, const void *data, size_t len);
/* Writes the digest and wipes the context. */
void sm_sha256_final(uint8_t out[32], sha256_ctx *ctx);
void sm_sha256(uint8_t out[32], const void *data, size_t len);

/* A body of the compression function: state takes count blocks of 64 bytes. */
typedef struct {
  const char *name;
  void (*compress)(uint32_t state[8], const uint8_t *blocks, size_t count);
} sha256_body;

extern const sha256_body sm_sha256_portable;
extern const sha256_body sm_sha256_shani; /* x86 only; needs the SHA extensions */

/* The body in use: the one chosen by sm_sha256_use, else the fastest that runs here. Safe
 * from several threads. */
const sha256_body *sm_sha256_body(void);
/* Uses this body from now on; NULL goes back to the fastest. */
void sm_sha256_use(const sha256_body *body);

#endif
