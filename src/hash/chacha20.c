/* Contract in hash/chacha20.h. */
#include "hash/chacha20.h"

#include "base/bytes.h"
#include "base/check.h"
#include "base/cpu.h"
#include "base/secret.h"

static inline uint32_t load_le32(const uint8_t *p) {
  return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline void store_le32(uint8_t *p, uint32_t x) {
  p[0] = (uint8_t)x;
  p[1] = (uint8_t)(x >> 8);
  p[2] = (uint8_t)(x >> 16);
  p[3] = (uint8_t)(x >> 24);
}

#define CHACHA20_TARGET
#define CHACHA20_WIDTH  4
#define CHACHA20_BLOCKS blocks_4
#include "hash/chacha20.inc"

#if defined(__x86_64__) && defined(__GNUC__)
#define CHACHA20_TARGET __attribute__((target("avx2")))
#define CHACHA20_WIDTH  8
#define CHACHA20_BLOCKS blocks_8
#include "hash/chacha20.inc"

#define CHACHA20_TARGET __attribute__((target("avx512f")))
#define CHACHA20_WIDTH  16
#define CHACHA20_BLOCKS blocks_16
#include "hash/chacha20.inc"
#endif

const chacha20_body *sm_chacha20_body(size_t i) {
  static const chacha20_body portable = {"portable", 4, blocks_4};
  const chacha20_body *usable[4] = {NULL};
  size_t count = 0;
#if defined(__x86_64__) && defined(__GNUC__)
  static const chacha20_body avx2 = {"avx2", 8, blocks_8};
  static const chacha20_body avx512 = {"avx512", 16, blocks_16};
  if (sm_cpu_features()->avx512) {
    usable[count++] = &avx512;
  }
  if (sm_cpu_features()->avx2) {
    usable[count++] = &avx2;
  }
#endif
  usable[count++] = &portable;
  return i < count ? usable[i] : NULL;
}

void sm_chacha20_by(const chacha20_body *body, uint8_t *out, size_t len,
                    const uint8_t key[32], const uint8_t nonce[12], uint32_t counter) {
  enum { WIDEST = 16 };
  /* "expand 32-byte k" */
  uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  const size_t step = body->width * CHACHA20_BLOCK;
  CHECK(body->width <= WIDEST);
  CHECK(len <= ((uint64_t)UINT32_MAX + 1 - counter) * CHACHA20_BLOCK);
  for (int i = 0; i < 8; i++) {
    state[4 + i] = load_le32(key + 4 * i);
  }
  state[12] = counter;
  for (int i = 0; i < 3; i++) {
    state[13 + i] = load_le32(nonce + 4 * i);
  }
  for (; len >= step; out += step, len -= step) {
    body->blocks(out, state);
    state[12] += (uint32_t)body->width;
  }
  if (len > 0) {
    uint8_t last[WIDEST * CHACHA20_BLOCK];
    body->blocks(last, state);
    memcpy(out, last, len);
    wipe(last, sizeof last);
  }
  wipe(state, sizeof state);
}

void sm_chacha20(uint8_t *out, size_t len, const uint8_t key[32], const uint8_t nonce[12],
                 uint32_t counter) {
  sm_chacha20_by(sm_chacha20_body(0), out, len, key, nonce, counter);
}
