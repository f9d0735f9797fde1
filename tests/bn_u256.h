/* libcrypto's big integers as the model of 256-bit arithmetic, and edge values. */
#ifndef SIGMILL_TESTS_BN_U256_H
#define SIGMILL_TESTS_BN_U256_H

#include "base/u256.h"
#include "harness.h"
#include <openssl/bn.h>

static inline void bn_from_u256(BIGNUM *out, const u256 *a) {
  uint8_t bytes[32];
  u256_to_be(bytes, a);
  BN_bin2bn(bytes, sizeof bytes, out);
}

/* in: 0 <= a < 2^256. */
static inline u256 u256_from_bn(const BIGNUM *a) {
  uint8_t bytes[32];
  u256 out;
  BN_bn2binpad(a, bytes, sizeof bytes);
  u256_from_be(&out, bytes);
  return out;
}

static inline bool u256_equal(const u256 *a, const u256 *b) {
  return memcmp(a->v, b->v, sizeof a->v) == 0;
}

static inline bool u256_below(const u256 *a, const u256 *b) {
  for (int i = 3; i >= 0; i--) {
    if (a->v[i] != b->v[i]) {
      return a->v[i] < b->v[i];
    }
  }
  return false;
}

static inline u256 u256_random(void) {
  u256 out;
  test_random_bytes(&out, sizeof out);
  return out;
}

static inline u256 u256_random_below(const u256 *m) {
  u256 out = u256_random();
  while (!u256_below(&out, m)) {
    out = u256_random();
  }
  return out;
}

/* Runs of ones and zeros, as random values hardly ever have. */
static inline u256 u256_random_runs(void) {
  u256 out = {{0}};
  int bit = 0;
  while (bit < 256) {
    uint64_t random = test_random_u64();
    for (int run = 1 + (int)(random >> 1) % 64; run > 0 && bit < 256; run--, bit++) {
      out.v[bit / 64] |= (random & 1) << bit % 64;
    }
  }
  return out;
}

enum { EDGES_MAX = 1200 };

/* Values at the edges of 256-bit arithmetic mod m: small ones, those next to m, m/2,
 * 2^256, 2^k, and every mixture of m's own limbs with limbs of zeros and ones.  Returns
 * their number; those not below `limit` (NULL: no limit) are left out. */
static inline int edge_values(u256 out[EDGES_MAX], const u256 *m, const u256 *limit) {
  int count = 0;
  u256 starts[260], zero = {{0}}, half;
  int start_count = 0;
  for (int i = 0; i < 4; i++) {
    half.v[i] = m->v[i] >> 1 | (i < 3 ? m->v[i + 1] << 63 : 0);
  }
  starts[start_count++] = zero;
  starts[start_count++] = *m;
  starts[start_count++] = half;
  for (int k = 0; k < 256; k++) {
    u256 power = {{0}};
    power.v[k / 64] = (uint64_t)1 << k % 64;
    starts[start_count++] = power;
  }
  for (int i = 0; i < start_count; i++) {
    u256 small = {{1}}, a = starts[i];
    (void)u256_sub(&a, &a, &small);
    (void)u256_sub(&a, &a, &small);
    for (int offset = -2; offset <= 2; offset++) {
      if (limit == NULL || u256_below(&a, limit)) {
        if (offset * offset < 2 || i < 3) {
          out[count++] = a;
        }
      }
      (void)u256_add(&a, &a, &small);
    }
  }
  for (int mixture = 0; mixture < 81; mixture++) {
    u256 a;
    for (int i = 0, rest = mixture; i < 4; i++, rest /= 3) {
      a.v[i] = rest % 3 == 0 ? 0 : rest % 3 == 1 ? UINT64_MAX : m->v[i];
    }
    if (limit == NULL || u256_below(&a, limit)) {
      out[count++] = a;
    }
  }
  return count;
}

#define HEX256 "%016llx%016llx%016llx%016llx"
#define HEX256_ARGS(a)                                                                   \
  (unsigned long long)(a).v[3], (unsigned long long)(a).v[2],                            \
      (unsigned long long)(a).v[1], (unsigned long long)(a).v[0]

#endif
