/* The keystream of ChaCha20 (RFC 8439, sections 2.3 and 2.4).  Constant time; the length
 * is public. */
#ifndef SIGMILL_HASH_CHACHA20_H
#define SIGMILL_HASH_CHACHA20_H

#include <stddef.h>
#include <stdint.h>

enum { CHACHA20_BLOCK = 64 };

/* So many blocks side by side, the first one being that of the state. */
typedef struct {
  const char *name;
  size_t width;
  void (*blocks)(uint8_t *out, const uint32_t state[16]);
} chacha20_body;

/* The i-th body that runs here, fastest first, or NULL. */
const chacha20_body *sm_chacha20_body(size_t i);

/* out = the first len bytes of the blocks counter, counter + 1, ..., none of which is
 * beyond 2^32 - 1. */
void sm_chacha20(uint8_t *out, size_t len, const uint8_t key[32], const uint8_t nonce[12],
                 uint32_t counter);
/* The same by a body of choice. */
void sm_chacha20_by(const chacha20_body *body, uint8_t *out, size_t len,
                    const uint8_t key[32], const uint8_t nonce[12], uint32_t counter);

#endif
