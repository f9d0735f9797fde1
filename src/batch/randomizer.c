/* Contract in batch/randomizer.h. */
#include "batch/randomizer.h"

#include "base/check.h"
#include "base/random.h"
#include "base/secret.h"
#include "hash/chacha20.h"
#include "hash/sha256.h"

bool sm_randomizer_draw(randomizer *out, randomizer_source source, void *ctx) {
  if (source == NULL) {
    return sm_random_bytes(out->seed, sizeof out->seed);
  }
  if (!source(ctx, out->seed, sizeof out->seed)) {
    wipe(out->seed, sizeof out->seed);
    return false;
  }
  SECRET(out->seed, sizeof out->seed);
  return true;
}

/* SHA-256 of the tag, the seed and the statement, each of one length. */
static void bind_key(uint8_t key[32], const randomizer *from, const uint8_t *statement) {
  static const char tag[] = "sigmill coefficients of a batch, bound to what it says";
  sha256_ctx hash;
  sm_sha256_init(&hash);
  sm_sha256_update(&hash, tag, sizeof tag - 1);
  sm_sha256_update(&hash, from->seed, sizeof from->seed);
  sm_sha256_update(&hash, statement, 32);
  sm_sha256_final(key, &hash);
}

static inline uint64_t load_le64(const uint8_t *p) {
  return (uint64_t)p[7] << 56 | (uint64_t)p[6] << 48 | (uint64_t)p[5] << 40 |
         (uint64_t)p[4] << 32 | (uint64_t)p[3] << 24 | (uint64_t)p[2] << 16 |
         (uint64_t)p[1] << 8 | p[0];
}

void sm_randomizer_coefficients(i128 *a, size_t count, const randomizer *from,
                                uint64_t part, const uint8_t *statement) {
  enum { STEP = 64 }; /* coefficients, in whole blocks of four */
  uint8_t key[32], nonce[12] = {0}, stream[STEP * sizeof *a];
  CHECK(count <= (uint64_t)1 << 32);
  for (int i = 0; i < 8; i++) {
    nonce[i] = (uint8_t)(part >> 8 * i);
  }
  if (statement != NULL) {
    bind_key(key, from, statement);
  } else {
    memcpy(key, from->seed, sizeof key);
  }
  for (size_t at = 0; at < count; at += STEP) {
    const size_t now = count - at < STEP ? count - at : STEP;
    sm_chacha20(stream, now * sizeof *a, key, nonce,
                (uint32_t)(at * sizeof *a / CHACHA20_BLOCK));
    for (size_t i = 0; i < now; i++) {
      a[at + i].v[0] = load_le64(stream + 16 * i);
      a[at + i].v[1] = load_le64(stream + 16 * i + 8);
    }
  }
  PUBLIC(a, count * sizeof *a);
  wipe(key, sizeof key);
  wipe(stream, sizeof stream);
}
