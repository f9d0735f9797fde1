/* Protects the hash that binds a random equation to its claims: it is what libcrypto's
 * SHA-256 makes of the words that the header lists, in every body, and nothing that the
 * equation depends on can change without it. */
#include "batch/statement.h"

#include "base/bytes.h"
#include "base/cpu.h"
#include "harness.h"
#include "hash/sha256_many.h"
#include <openssl/sha.h>
#include <string.h>

enum { MOST = 9000, PART = 4096, LANES_OF_HASH = 32 };

static p256_claim claims[MOST];

static void fill(size_t count) {
  test_random_bytes(claims, count * sizeof claims[0]);
  for (size_t i = 0; i < count; i++) {
    claims[i].has_point = true;
  }
}

static void put_be32(uint8_t *out, uint32_t x) {
  for (int i = 0; i < 4; i++) {
    out[i] = (uint8_t)(x >> 8 * (3 - i));
  }
}

/* All words of a part, as a list: word i goes to lane i % 32. */
static size_t list_words(uint32_t *words, const p256_claim *from, size_t count) {
  size_t n = 0;
  for (size_t i = 0; i < (count + 15) / 16 * 16; i++) {
    const u256 zero = {{0}};
    const u256 *parts[4] = {&zero, &zero, &zero, &zero};
    if (i < count) {
      parts[0] = &from[i].s;
      parts[1] = &from[i].digest;
      parts[2] = &from[i].point.x;
      parts[3] = &from[i].key.x;
    }
    for (int part = 0; part < 4; part++) {
      memcpy(words + n, parts[part], 32);
      n += 8;
    }
  }
  memset(words + n, 0, 13 * LANES_OF_HASH * sizeof words[0]);
  for (size_t i = 0; i < count; i++) {
    const uint64_t bits = from[i].point.y.v[0] % 2 + 2 * (from[i].key.y.v[0] % 2);
    words[n + i / 16] += (uint32_t)(bits << 2 * (i % 16));
  }
  return n + 13 * LANES_OF_HASH;
}

static void model(uint8_t out[32], const p256_claim *from, size_t count) {
  static uint32_t words[PART * 32 + 13 * LANES_OF_HASH];
  static uint8_t lane_bytes[sizeof words / LANES_OF_HASH];
  static uint8_t whole[256 + (MOST / PART + 1) * LANES_OF_HASH * 32];
  const char *tag = "sigmill claims of an equation";
  uint8_t digest[32];
  size_t len = strlen(tag);
  memcpy(whole, tag, len);
  put_be32(whole + len, (uint32_t)((uint64_t)count >> 32));
  put_be32(whole + len + 4, (uint32_t)count);
  len += 8;
  for (size_t at = 0; at < count; at += PART) {
    const size_t n = list_words(words, from + at, count - at < PART ? count - at : PART);
    for (size_t lane = 0; lane < LANES_OF_HASH; lane++) {
      for (size_t i = 0; i < n / LANES_OF_HASH; i++) {
        put_be32(lane_bytes + 4 * i, words[i * LANES_OF_HASH + lane]);
      }
      SHA256(lane_bytes, n / LANES_OF_HASH * 4, digest);
      for (size_t w = 0; w < 8; w++) {
        const uint32_t word = load_be32(digest + 4 * w);
        memcpy(whole + len + 4 * (w * LANES_OF_HASH + lane), &word, 4);
      }
    }
    len += (size_t)LANES_OF_HASH * 32;
  }
  SHA256(whole, len, out);
}

static void agrees_with_libcrypto(void) {
  static const size_t more[] = {63,   64,   65,   511,  512,  513,  1000, 1024,
                                4095, 4096, 4097, 8191, 8192, 8193, 9000};
  const sha256_many_body *bodies[3] = {&sm_sha256_many_portable};
  int usable = 1;
#ifdef SHA256_MANY_X86
  if (sm_cpu_features()->avx2) {
    bodies[usable++] = &sm_sha256_many_avx2;
  }
  if (sm_cpu_features()->avx512) {
    bodies[usable++] = &sm_sha256_many_avx512;
  }
#endif
  for (size_t i = 0; i < 50 + sizeof more / sizeof more[0]; i++) {
    const size_t count = i < 50 ? i : more[i - 50];
    uint8_t want[32], got[32];
    fill(count);
    model(want, claims, count);
    for (int body = 0; body < usable; body++) {
      sm_sha256_many_use(bodies[body]);
      sm_statement_p256(got, claims, count);
      EXPECT(memcmp(got, want, sizeof want) == 0, "%s, %zu claims", bodies[body]->name,
             count);
    }
    sm_sha256_many_use(NULL);
  }
}

static void expect_change(const uint8_t before[32], size_t count, const char *what,
                          size_t at) {
  uint8_t after[32];
  sm_statement_p256(after, claims, count);
  EXPECT(memcmp(before, after, sizeof after) != 0, "%s of claim %zu of %zu", what, at,
         count);
}

/* One bit of a number that the equation depends on. */
static void flip(const uint8_t before[32], size_t count, const char *what, size_t at,
                 u256 *number, int bit) {
  number->v[bit / 64] ^= UINT64_C(1) << bit % 64;
  expect_change(before, count, what, at);
  number->v[bit / 64] ^= UINT64_C(1) << bit % 64;
}

static void binds_every_bit(void) {
  enum { COUNT = 37 };
  uint8_t before[32];
  fill(COUNT);
  sm_statement_p256(before, claims, COUNT);
  for (size_t at = 0; at < COUNT; at++) {
    for (int bit = 0; bit < 256; bit++) {
      flip(before, COUNT, "s", at, &claims[at].s, bit);
      flip(before, COUNT, "digest", at, &claims[at].digest, bit);
      flip(before, COUNT, "x(point)", at, &claims[at].point.x, bit);
      flip(before, COUNT, "x(key)", at, &claims[at].key.x, bit);
    }
    flip(before, COUNT, "parity of y(point)", at, &claims[at].point.y, 0);
    flip(before, COUNT, "parity of y(key)", at, &claims[at].key.y, 0);
  }
}

/* What the next 16, the next row and the next part of claims say is bound as well, and
 * how many there are: zeros behind the last one are not a claim. */
static void binds_places_and_number(void) {
  static const size_t counts[] = {2, 15, 16, 17, 33, 500, 530, 4096, 4097, 9000};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    const size_t count = counts[i];
    uint8_t before[32], after[32];
    fill(count);
    memset(&claims[count - 1], 0, sizeof claims[0]);
    sm_statement_p256(before, claims, count);
    sm_statement_p256(after, claims, count - 1);
    EXPECT(memcmp(before, after, sizeof after) != 0, "%zu claims, the last one zero",
           count);
    const size_t places[4] = {0, count / 2, count - 2, test_random_u64() % (count - 1)};
    for (int p = 0; p < 4; p++) {
      const p256_claim kept = claims[places[p]];
      claims[places[p]] = claims[places[p] + 1];
      claims[places[p] + 1] = kept;
      expect_change(before, count, "exchange", places[p]);
      claims[places[p] + 1] = claims[places[p]];
      claims[places[p]] = kept;
      flip(before, count, "parity of y(point)", places[p], &claims[places[p]].point.y, 0);
      flip(before, count, "parity of y(key)", places[p], &claims[places[p]].key.y, 0);
    }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(agrees_with_libcrypto);
  RUN(binds_every_bit);
  RUN(binds_places_and_number);
  return test_end();
}
