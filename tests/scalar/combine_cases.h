/* What a random equation takes of each signature, against libcrypto's integers: cases
 * that serve the scalar job and the one in lanes. */
#ifndef SIGMILL_TESTS_COMBINE_CASES_H
#define SIGMILL_TESTS_COMBINE_CASES_H

#include "bn_u256.h"
#include "scalar/sc_p256.h"

#include <string.h>

/* sm_sc_p256_combine_vt, or the same job of a body. */
typedef struct {
  const char *name;
  void (*combine)(const void *ctx, u256 *v, u256 *u, const i128 *a, const u256 *r,
                  const u256 *s, const u256 *z, size_t count);
  const void *ctx;
} combine_job;

enum { COMBINE_MOST = 1024 };

typedef struct {
  i128 a[COMBINE_MOST];
  u256 r[COMBINE_MOST], s[COMBINE_MOST], z[COMBINE_MOST];
  u256 v[COMBINE_MOST + 1];
} combine_items;

static const i128 combine_edges[] = {
    {{0, 0}},
    {{1, 0}},
    {{UINT64_MAX, UINT64_MAX}},      /* -1 */
    {{0, UINT64_C(1) << 63}},        /* -2^127 */
    {{1, UINT64_C(1) << 63}},        /* -2^127 + 1 */
    {{UINT64_MAX, UINT64_MAX >> 1}}, /* 2^127 - 1 */
    {{UINT64_MAX, 0}},               /* 2^64 - 1 */
    {{0, 1}},                        /* 2^64 */
    {{0, UINT64_MAX}},               /* -2^64 */
    {{0, UINT64_C(1) << 40}},        /* 2^104, where a limb begins */
    {{UINT64_C(1) << 52, 0}},        /* 2^52 */
    {{0, UINT64_MAX << 40}},         /* -2^104 */
    {{(UINT64_C(1) << 52) - 1, 0}},  /* 2^52 - 1 */
};

static inline void combine_bn_from_i128(BIGNUM *out, const i128 *a) {
  const u256 low = {{a->v[0], a->v[1]}};
  bn_from_u256(out, &low);
  if (a->v[1] >> 63 != 0) {
    BIGNUM *whole = BN_new();
    BN_lshift(whole, BN_value_one(), 128);
    BN_sub(out, out, whole);
    BN_free(whole);
  }
}

/* A scalar from 1 to n-1: an end of this range one time in four. */
static inline u256 combine_scalar(void) {
  static const u256 one = {{1}};
  const uint64_t kind = test_random_u64() % 8;
  u256 out = one;
  if (kind == 0) {
    (void)u256_sub(&out, &sm_sc_p256_order, &one);
  } else if (kind == 1) {
    out.v[0] = 1 + test_random_u64() % 2;
  } else {
    do {
      out = kind == 2 ? u256_random_runs() : u256_random();
    } while (u256_zero_mask(&out) != 0 || !u256_below(&out, &sm_sc_p256_order));
  }
  return out;
}

/* Any 256-bit integer: from n up one time in three. */
static inline u256 combine_digest(void) {
  static const u256 zero = {{0}};
  const uint64_t kind = test_random_u64() % 6;
  u256 out = kind == 0 ? zero : kind == 1 ? u256_random_runs() : u256_random();
  if (kind == 2) {
    out = sm_sc_p256_order;
    out.v[0] += test_random_u64() % 3;
  } else if (kind == 3) {
    memset(&out, 0xFF, sizeof out);
    out.v[0] -= test_random_u64() % 3;
  }
  return out;
}

static inline void combine_fill(combine_items *items, size_t count) {
  enum { EDGES = sizeof combine_edges / sizeof combine_edges[0] };
  for (size_t i = 0; i < count; i++) {
    items->r[i] = combine_scalar();
    items->s[i] = combine_scalar();
    items->z[i] = combine_digest();
    test_random_bytes(&items->a[i], sizeof items->a[i]);
    if (test_random_u64() % 3 == 0) {
      items->a[i] = combine_edges[test_random_u64() % EDGES];
    }
  }
}

/* v[i] < n, v[i] s[i] = a[i] r[i]; u < n, u = sum a[i] z[i] / s[i]; nothing past v. */
static inline void combine_check(const combine_job *job, combine_items *items,
                                 size_t count) {
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *n = BN_new(), *a = BN_new(), *b = BN_new(), *sum = BN_new(), *w = BN_new();
  u256 u, guard;
  memset(items->v, 0x55, sizeof items->v);
  memset(&u, 0x55, sizeof u);
  guard = items->v[count];
  bn_from_u256(n, &sm_sc_p256_order);
  BN_zero(sum);
  job->combine(job->ctx, items->v, &u, items->a, items->r, items->s, items->z, count);
  for (size_t i = 0; i < count; i++) {
    bn_from_u256(w, &items->s[i]);
    BN_mod_inverse(w, w, n, ctx);
    combine_bn_from_i128(a, &items->a[i]);
    BN_nnmod(a, a, n, ctx);
    BN_mod_mul(w, w, a, n, ctx);
    bn_from_u256(b, &items->r[i]);
    BN_mod_mul(a, w, b, n, ctx);
    bn_from_u256(b, &items->z[i]);
    BN_nnmod(b, b, n, ctx);
    BN_mod_mul(b, w, b, n, ctx);
    BN_mod_add(sum, sum, b, n, ctx);
    const u256 wanted = u256_from_bn(a);
    EXPECT(u256_equal(&items->v[i], &wanted), "%s: v of item %zu of %zu", job->name, i,
           count);
  }
  const u256 wanted = u256_from_bn(sum);
  EXPECT(u256_equal(&u, &wanted), "%s: u of %zu", job->name, count);
  EXPECT(u256_equal(&items->v[count], &guard), "%s: past the last of %zu", job->name,
         count);
  BIGNUM *numbers[] = {n, a, b, sum, w};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    BN_free(numbers[i]);
  }
  BN_CTX_free(ctx);
}

/* Every edge of a against ends of the other operands, one item in each place of eight. */
static inline void combine_check_edges(const combine_job *job) {
  static combine_items items;
  static const u256 one = {{1}};
  u256 minus_one, most;
  (void)u256_sub(&minus_one, &sm_sc_p256_order, &one);
  memset(&most, 0xFF, sizeof most);
  const u256 scalars[2] = {one, minus_one}, digests[3] = {most, sm_sc_p256_order, one};
  size_t count = 0;
  for (size_t e = 0; e < sizeof combine_edges / sizeof combine_edges[0]; e++) {
    for (size_t i = 0; i < 12; i++) {
      items.a[count] = combine_edges[e];
      items.r[count] = scalars[i % 2];
      items.s[count] = scalars[i / 2 % 2];
      items.z[count++] = digests[i / 4];
    }
  }
  combine_check(job, &items, count);
  for (size_t at = 0; at < 8; at++) {
    combine_fill(&items, 8);
    items.r[at] = items.s[at] = minus_one;
    items.z[at] = most;
    items.a[at] = combine_edges[3];
    combine_check(job, &items, at + 1);
  }
}

/* All operands as large as they come, so that sums are. */
static inline void combine_check_largest(const combine_job *job) {
  static combine_items items;
  static const u256 one = {{1}};
  for (size_t i = 0; i < COMBINE_MOST; i++) {
    (void)u256_sub(&items.r[i], &sm_sc_p256_order, &one);
    items.s[i] = i % 2 == 0 ? items.r[i] : combine_scalar();
    memset(&items.z[i], 0xFF, sizeof items.z[i]);
    items.a[i] = combine_edges[i % 3 == 0 ? 3 : i % 3 == 1 ? 5 : 2];
  }
  combine_check(job, &items, COMBINE_MOST);
}

static inline void combine_check_counts(const combine_job *job) {
  static combine_items items;
  static const size_t more[] = {63,  64,  65,  255,  256,  257,
                                511, 512, 513, 1000, 1023, 1024};
  for (int round = 0; round < (test_long() ? 20 : 1); round++) {
    for (size_t count = 0; count <= 20; count++) {
      combine_fill(&items, count);
      combine_check(job, &items, count);
    }
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
      combine_fill(&items, more[i]);
      combine_check(job, &items, more[i]);
    }
  }
}

#endif
