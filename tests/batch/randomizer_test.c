/* Protects the coefficients of random equations: they are what libcrypto's ChaCha20 and
 * SHA-256 make of seed, part and statement, no two sums share any, and a source that
 * fails gives none. */
#include "batch/randomizer.h"

#include "harness.h"
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <string.h>

enum { MOST = 1200 };

static bool fixed_source(void *ctx, uint8_t *out, size_t len) {
  memcpy(out, ctx, len);
  return true;
}

static bool failing_source(void *ctx, uint8_t *out, size_t len) {
  (void)ctx;
  memset(out, 0x77, len / 2);
  return false;
}

static void model(i128 *a, size_t count, const uint8_t seed[32], uint64_t part,
                  const uint8_t *statement) {
  static const char tag[] = "sigmill coefficients of a batch, bound to what it says";
  static uint8_t stream[MOST * 16];
  uint8_t key[32], bound[sizeof tag - 1 + 64], iv[16] = {0};
  int written = 0;
  memcpy(key, seed, 32);
  if (statement != NULL) {
    memcpy(bound, tag, sizeof tag - 1);
    memcpy(bound + sizeof tag - 1, seed, 32);
    memcpy(bound + sizeof tag - 1 + 32, statement, 32);
    SHA256(bound, sizeof bound, key);
  }
  for (int i = 0; i < 8; i++) {
    iv[4 + i] = (uint8_t)(part >> 8 * i);
  }
  memset(stream, 0, sizeof stream);
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  EXPECT(EVP_EncryptInit_ex(ctx, EVP_chacha20(), NULL, key, iv) == 1 &&
             EVP_EncryptUpdate(ctx, stream, &written, stream, (int)(16 * count)) == 1,
         "libcrypto");
  EVP_CIPHER_CTX_free(ctx);
  for (size_t i = 0; i < count; i++) {
    a[i].v[0] = a[i].v[1] = 0;
    for (int j = 0; j < 16; j++) {
      a[i].v[j / 8] |= (uint64_t)stream[16 * i + (size_t)j] << 8 * (j % 8);
    }
  }
}

static void agrees_with_libcrypto(void) {
  static i128 got[MOST + 1], want[MOST];
  const size_t counts[] = {0, 1, 2, 3, 4, 5, 63, 64, 65, 127, 128, 129, 1000, 1024, MOST};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    randomizer from;
    uint8_t seed[32], statement[32];
    const uint64_t part = i % 2 == 0 ? i : test_random_u64();
    test_random_bytes(seed, sizeof seed);
    test_random_bytes(statement, sizeof statement);
    EXPECT(sm_randomizer_draw(&from, fixed_source, seed), "a source that works");
    for (int hedged = 0; hedged < 2; hedged++) {
      const uint8_t *bound = hedged != 0 ? statement : NULL;
      memset(got, 0x55, sizeof got);
      sm_randomizer_coefficients(got, counts[i], &from, part, bound);
      model(want, counts[i], seed, part, bound);
      EXPECT(memcmp(got, want, counts[i] * sizeof got[0]) == 0, "%zu, hedged: %d",
             counts[i], hedged);
      EXPECT(got[counts[i]].v[0] == UINT64_C(0x5555555555555555), "past the last of %zu",
             counts[i]);
    }
  }
}

/* None of first's coefficients stands anywhere among second's. */
static bool apart(const i128 *first, const i128 *second, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < count; j++) {
      if (memcmp(&first[i], &second[j], sizeof first[i]) == 0) {
        return false;
      }
    }
  }
  return true;
}

static void sums_share_nothing(void) {
  enum { COUNT = 300 };
  i128 a[COUNT], b[COUNT];
  randomizer from, other;
  uint8_t seed[32], statement[32];
  test_random_bytes(seed, sizeof seed);
  test_random_bytes(statement, sizeof statement);
  EXPECT(sm_randomizer_draw(&from, fixed_source, seed), "a source that works");
  sm_randomizer_coefficients(a, COUNT, &from, 5, statement);
  for (int bit = 0; bit < 64; bit++) {
    sm_randomizer_coefficients(b, COUNT, &from, UINT64_C(5) ^ UINT64_C(1) << bit,
                               statement);
    EXPECT(apart(a, b, COUNT), "part, bit %d", bit);
  }
  for (int bit = 0; bit < 256; bit++) {
    uint8_t changed[32];
    memcpy(changed, statement, sizeof changed);
    changed[bit / 8] ^= (uint8_t)(1 << bit % 8);
    sm_randomizer_coefficients(b, COUNT, &from, 5, changed);
    EXPECT(apart(a, b, COUNT), "statement, bit %d", bit);
    memcpy(changed, seed, sizeof changed);
    changed[bit / 8] ^= (uint8_t)(1 << bit % 8);
    EXPECT(sm_randomizer_draw(&other, fixed_source, changed), "a source that works");
    sm_randomizer_coefficients(b, COUNT, &other, 5, statement);
    EXPECT(apart(a, b, COUNT), "seed, bit %d", bit);
  }
  sm_randomizer_coefficients(b, COUNT, &from, 5, NULL);
  EXPECT(apart(a, b, COUNT), "with and without a statement");
}

/* The operating system's: each bit is set in half of the draws, within six deviations. */
static void every_bit_varies(void) {
  enum { DRAWS = 64, EACH = 64 };
  int set[128] = {0};
  uint8_t before[32] = {0};
  for (int draw = 0; draw < DRAWS; draw++) {
    randomizer from;
    i128 a[EACH];
    EXPECT(sm_randomizer_draw(&from, NULL, NULL), "the operating system");
    EXPECT(memcmp(before, from.seed, sizeof before) != 0, "a seed comes twice");
    memcpy(before, from.seed, sizeof before);
    sm_randomizer_coefficients(a, EACH, &from, 0, NULL);
    for (int i = 0; i < EACH; i++) {
      for (int bit = 0; bit < 128; bit++) {
        set[bit] += (int)(a[i].v[bit / 64] >> bit % 64 & 1);
      }
    }
  }
  for (int bit = 0; bit < 128; bit++) {
    const int off = set[bit] - DRAWS * EACH / 2;
    EXPECT(-192 <= off && off <= 192, "bit %d is set %d times in %d", bit, set[bit],
           DRAWS * EACH);
  }
}

static void no_seed_without_randomness(void) {
  randomizer from;
  memset(&from, 0x55, sizeof from);
  EXPECT(!sm_randomizer_draw(&from, failing_source, NULL), "a source that fails");
  EXPECT(test_all_zero(&from, sizeof from), "what a source left behind");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(agrees_with_libcrypto);
  RUN(sums_share_nothing);
  RUN(every_bit_varies);
  RUN(no_seed_without_randomness);
  return test_end();
}
