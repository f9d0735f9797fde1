/* SHA-256 of many messages side by side.  Constant time in the messages; how many there
 * are and how long they are is public. */
#ifndef SIGMILL_HASH_SHA256_MANY_H
#define SIGMILL_HASH_SHA256_MANY_H

#include "hash/sha256.h"

enum { SHA256_MANY = 32 };

/* One word of each of so many messages: that of message i is of[i]. */
typedef struct {
  _Alignas(64) uint32_t of[SHA256_MANY];
} sha256_row;

/* A body of the compression function for many messages. */
typedef struct {
  const char *name;
  /* Fewer messages than this are faster one by one. */
  size_t least;
  /* out[8] is what state[8] becomes when it takes the block whose words stand in the rows
   * *block[0] to *block[15], for the messages i < count; the others' words come in too,
   * and what comes out for them means nothing.  1 <= count <= SHA256_MANY.  out may be
   * state, or rows of the block.  Leaves words of the messages on the stack, within the 8
   * KB that wipe_stack_8k wipes. */
  void (*compress)(sha256_row out[8], const sha256_row state[8],
                   const sha256_row *const block[16], size_t count);
} sha256_many_body;

extern const sha256_many_body sm_sha256_many_portable;
#if defined(__x86_64__) && defined(__GNUC__)
#define SHA256_MANY_X86
extern const sha256_many_body sm_sha256_many_avx2;
extern const sha256_many_body sm_sha256_many_avx512; /* AVX-512 F */
#endif

/* The body in use: the one chosen by sm_sha256_many_use, else the fastest that runs here.
 * Safe from several threads. */
const sha256_many_body *sm_sha256_many_body(void);
/* Uses this body from now on; NULL goes back to the fastest. */
void sm_sha256_many_use(const sha256_many_body *body);

/* out[i] = SHA-256 of the lens[i] bytes at messages[i], i < n, for any n; a message of
 * length 0 may be NULL. */
void sm_sha256_many(uint8_t (*out)[32], const uint8_t *const *messages,
                    const size_t *lens, size_t n);

#endif
