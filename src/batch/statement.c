/* Contract in batch/statement.h.  What stands side by side in memory is what the lanes
 * take side by side, so that nothing is transposed. */
#include "batch/statement.h"

#include "base/bytes.h"
#include "hash/sha256_many.h"
#include "hash/sha_constants.h"
#include <string.h>

enum {
  CLAIM_BYTES = 128,
  CLAIMS = 16,      /* of one block in every lane */
  PART = 4096,      /* claims */
  PARITY_ROWS = 13, /* with the padding behind them, one block */
  ROW_BYTES = sizeof(sha256_row)
};
_Static_assert(16 * ROW_BYTES == CLAIM_BYTES * CLAIMS, "claims fill a block");
_Static_assert(PART / CLAIMS <= PARITY_ROWS * SHA256_MANY, "parities fit the last block");

static void take(sha256_row state[8], const sha256_row block[16]) {
  const sha256_row *rows[16];
  for (int i = 0; i < 16; i++) {
    rows[i] = &block[i];
  }
  sm_sha256_many_body()->compress(state, state, rows, SHA256_MANY);
}

/* The words of one claim; returns its parities, two bits. */
static inline uint32_t put_claim(uint8_t out[CLAIM_BYTES], const p256_claim *claim) {
  memcpy(out, &claim->s, 32);
  memcpy(out + 32, &claim->digest, 32);
  memcpy(out + 64, &claim->point.x, 32);
  memcpy(out + 96, &claim->key.x, 32);
  return (uint32_t)((claim->point.y.v[0] & 1) | (claim->key.y.v[0] & 1) << 1);
}

/* The hashes of all lanes, by words, for 1 <= count <= PART. */
static void hash_part(sha256_row state[8], const p256_claim *claims, size_t count) {
  sha256_row block[16], last[16];
  const size_t blocks = (count + CLAIMS - 1) / CLAIMS;
  for (int lane = 0; lane < SHA256_MANY; lane++) {
    for (int w = 0; w < 8; w++) {
      state[w].of[lane] = sha256_start[w];
    }
  }
  memset(last, 0, sizeof last);
  for (size_t g = 0; g < blocks; g++) {
    const p256_claim *from = claims + g * CLAIMS;
    const size_t now = g < blocks - 1 ? CLAIMS : count - g * CLAIMS;
    uint8_t *to = (uint8_t *)block;
    uint32_t parities = 0;
    for (size_t i = 0; i < now; i++) {
      parities |= put_claim(to + i * CLAIM_BYTES, &from[i]) << 2 * i;
    }
    memset(to + now * CLAIM_BYTES, 0, (CLAIMS - now) * CLAIM_BYTES);
    last[g / SHA256_MANY].of[g % SHA256_MANY] = parities;
    take(state, block);
  }
  for (int lane = 0; lane < SHA256_MANY; lane++) {
    last[PARITY_ROWS].of[lane] = UINT32_C(1) << 31;
    last[15].of[lane] = (uint32_t)(32 * (16 * blocks + PARITY_ROWS));
  }
  take(state, last);
}

void sm_statement_p256(uint8_t out[32], const p256_claim *claims, size_t count) {
  static const char tag[] = "sigmill claims of an equation";
  uint8_t number[8];
  sha256_row lanes[8];
  sha256_ctx hash;
  sm_sha256_init(&hash);
  sm_sha256_update(&hash, tag, sizeof tag - 1);
  store_be64(number, count);
  sm_sha256_update(&hash, number, sizeof number);
  for (size_t at = 0; at < count; at += PART) {
    hash_part(lanes, claims + at, count - at < PART ? count - at : PART);
    sm_sha256_update(&hash, lanes, sizeof lanes);
  }
  sm_sha256_final(out, &hash);
}
