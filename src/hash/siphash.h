/* SipHash-2-4 (Aumasson, Bernstein, "SipHash: a fast short-input PRF", 2012) of messages
 * of 33 bytes: hash tables that nobody can fill with collisions who lacks the key. */
#ifndef SIGMILL_HASH_SIPHASH_H
#define SIGMILL_HASH_SIPHASH_H

#include <stdint.h>

static inline uint64_t siphash_rotated(uint64_t x, int by) {
  return x << by | x >> (64 - by);
}

static inline void siphash_rounds(uint64_t v[4], int rounds) {
  for (int i = 0; i < rounds; i++) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = siphash_rotated(v[1], 13) ^ v[0];
    v[3] = siphash_rotated(v[3], 16) ^ v[2];
    v[0] = siphash_rotated(v[0], 32) + v[3];
    v[2] += v[1];
    v[1] = siphash_rotated(v[1], 17) ^ v[2];
    v[3] = siphash_rotated(v[3], 21) ^ v[0];
    v[2] = siphash_rotated(v[2], 32);
  }
}

/* Of four words, less significant bytes first, and one byte more. */
static inline uint64_t siphash_33(const uint64_t key[2], const uint64_t words[4],
                                  uint8_t last) {
  uint64_t v[4] = {
      key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
      key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
  for (int i = 0; i <= 4; i++) {
    uint64_t word = i < 4 ? words[i] : UINT64_C(33) << 56 | last;
    v[3] ^= word;
    siphash_rounds(v, 2);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  siphash_rounds(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

#endif
