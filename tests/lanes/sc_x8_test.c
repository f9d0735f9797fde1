/* Protects arithmetic mod n in eight lanes, in each body: every lane of each kernel
 * against libcrypto's integers, on edge values, on values at the edge of the contract's
 * ranges and on random ones, no two lanes alike. */
#include "sc_x8_ops.h"

#include "bn_u256.h"
#include "scalar/sc_p256.h"

#include <stdlib.h>

static u256 edges[EDGES_MAX]; /* any 256-bit integers */
static u256 scalars[EDGES_MAX];
static int edge_count, scalar_count;
static BN_CTX *ctx;
static BIGNUM *n, *r; /* r = 2^260 */
static BIGNUM *a_, *b_, *d_, *got, *want, *limit;

static const uint64_t mask52 = (UINT64_C(1) << 52) - 1;

/* The integer in one lane; false if a limb has more than 52 bits. */
static bool lane_value(BIGNUM *out, const sc_x8_slot *a, int lane) {
  bool reduced = true;
  BN_zero(out);
  for (int i = 4; i >= 0; i--) {
    reduced &= a->l[i][lane] <= mask52;
    BN_lshift(out, out, 52);
    BN_add_word(out, a->l[i][lane]);
  }
  return reduced;
}

static void set_lane(sc_x8_slot *out, int lane, const u256 *a) {
  const uint64_t *v = a->v;
  out->l[0][lane] = v[0] & mask52;
  out->l[1][lane] = (v[0] >> 52 | v[1] << 12) & mask52;
  out->l[2][lane] = (v[1] >> 40 | v[2] << 24) & mask52;
  out->l[3][lane] = (v[2] >> 28 | v[3] << 36) & mask52;
  out->l[4][lane] = v[3] >> 16;
}

/* Limbs of any 52 bits, often all zeros or ones; below 2^(208 + top_bits). */
static void random_limbs(sc_x8_slot *out, int lane, int top_bits) {
  for (int i = 0; i < 5; i++) {
    uint64_t x = test_random_u64(), kind = test_random_u64() % 8;
    x = kind == 0 ? 0 : kind == 1 ? mask52 : kind == 2 ? mask52 << x % 52 : x;
    out->l[i][lane] = x & (i < 4 ? mask52 : (UINT64_C(1) << top_bits) - 1);
  }
}

/* out R = a b + d mod n, and out <= (a b + d) / R + n? */
static void check_product(const sc_x8_ops *ops, const sc_x8_slot *out,
                          const sc_x8_slot *a, const sc_x8_slot *b, const sc_x8_slot *d) {
  for (int lane = 0; lane < 8; lane++) {
    bool reduced = lane_value(got, out, lane);
    (void)lane_value(a_, a, lane);
    (void)lane_value(b_, b, lane);
    BN_mul(want, a_, b_, ctx);
    if (d != NULL) {
      (void)lane_value(d_, d, lane);
      BN_add(want, want, d_);
    }
    BN_rshift(limit, want, 260);
    BN_add(limit, limit, n);
    bool in_range = BN_cmp(got, limit) <= 0;
    BN_mul(got, got, r, ctx);
    BN_sub(got, got, want);
    BN_nnmod(got, got, n, ctx);
    EXPECT(reduced && in_range && BN_is_zero(got), "%s, lane %d", ops->name, lane);
  }
}

static void check_products(const sc_x8_ops *ops, const sc_x8_slot *a, const sc_x8_slot *b,
                           const sc_x8_slot *d) {
  sc_x8_slot out;
  ops->mul(&out, a, b);
  check_product(ops, &out, a, b, NULL);
  ops->mul_add(&out, a, b, d);
  check_product(ops, &out, a, b, d);
}

static void products(void) {
  const sc_x8_ops *ops;
  for (int body = 0; (ops = sc_x8_body(body)) != NULL; body++) {
    sc_x8_slot a, b, d;
    for (int i = 0; i < edge_count; i++) {
      for (int lane = 0; lane < 8; lane++) {
        set_lane(&a, lane, &edges[i]);
        set_lane(&b, lane, &edges[(i * 7 + lane * 131) % edge_count]);
        random_limbs(&d, lane, 52);
      }
      check_products(ops, &a, &b, &d);
    }
    /* Up to 2^260 = 16n by 2^256, and 2^259 by 2^257, both within 225 n^2. */
    for (int i = 0; i < (test_long() ? 200000 : 20000); i++) {
      for (int lane = 0; lane < 8; lane++) {
        int wide = (int)(test_random_u64() % 5);
        random_limbs(&a, lane, 48 + wide);
        random_limbs(&b, lane, wide == 4 ? 48 : 51 - wide);
        random_limbs(&d, lane, 52);
      }
      check_products(ops, &a, &b, &d);
    }
  }
}

static void canonical_form(void) {
  const sc_x8_ops *ops;
  for (int body = 0; (ops = sc_x8_body(body)) != NULL; body++) {
    for (int i = 0; i < edge_count + 2000; i++) {
      sc_x8_slot a, out;
      for (int lane = 0; lane < 8; lane++) {
        u256 x = i < edge_count ? edges[(i + lane * 149) % edge_count] : u256_random();
        set_lane(&a, lane, &x);
        /* Above 2^256 as well, below 2n. */
        if (i % 2 == 1 && (x.v[3] >> 32) != UINT32_MAX) {
          sc_x8_slot order;
          uint64_t carry = 0;
          set_lane(&order, lane, &sm_sc_p256_order);
          for (int k = 0; k < 5; k++) {
            carry += a.l[k][lane] + order.l[k][lane];
            a.l[k][lane] = carry & mask52;
            carry >>= 52;
          }
        }
      }
      ops->canonical(&out, &a);
      for (int lane = 0; lane < 8; lane++) {
        bool reduced = lane_value(got, &out, lane);
        (void)lane_value(want, &a, lane);
        BN_nnmod(want, want, n, ctx);
        EXPECT(reduced && BN_cmp(got, want) == 0, "%s, lane %d", ops->name, lane);
      }
    }
  }
}

static void differences(void) {
  const sc_x8_ops *ops;
  for (int body = 0; (ops = sc_x8_body(body)) != NULL; body++) {
    for (int i = 0; i < 5000; i++) {
      sc_x8_slot a, b, out;
      for (int lane = 0; lane < 8; lane++) {
        random_limbs(&a, lane, 52);
        random_limbs(&b, lane, 52);
        for (int k = 4; k > (int)(test_random_u64() % 6); k--) {
          b.l[k][lane] = a.l[k][lane];
        }
      }
      unsigned below = ops->sub_borrow(&out, &a, &b);
      for (int lane = 0; lane < 8; lane++) {
        bool reduced = lane_value(got, &out, lane);
        (void)lane_value(a_, &a, lane);
        (void)lane_value(b_, &b, lane);
        BN_sub(want, a_, b_);
        bool negative = BN_is_negative(want);
        BN_nnmod(want, want, r, ctx);
        EXPECT(reduced && BN_cmp(got, want) == 0 && negative == (below >> lane & 1),
               "%s, lane %d", ops->name, lane);
      }
    }
  }
}

static void odd_or_turned(void) {
  const sc_x8_ops *ops;
  for (int body = 0; (ops = sc_x8_body(body)) != NULL; body++) {
    for (int i = 0; i < scalar_count + 2000; i++) {
      sc_x8_slot a, out;
      for (int lane = 0; lane < 8; lane++) {
        u256 x = i < scalar_count ? scalars[(i + lane * 37) % scalar_count]
                                  : u256_random_below(&sm_sc_p256_order);
        set_lane(&a, lane, &x);
      }
      unsigned even = ops->make_odd(&out, &a);
      for (int lane = 0; lane < 8; lane++) {
        bool reduced = lane_value(got, &out, lane);
        (void)lane_value(want, &a, lane);
        bool turned = !BN_is_odd(want);
        if (turned) {
          BN_sub(want, n, want);
        }
        EXPECT(reduced && BN_cmp(got, want) == 0 && turned == (even >> lane & 1),
               "%s, lane %d", ops->name, lane);
      }
    }
  }
}

static void bodies_run_here(void) {
  if (sc_x8_body(1) == NULL) {
    test_skip("without AVX-512 IFMA only the body in plain C is tried");
  }
}

static void words_in_and_out(void) {
  const sc_x8_ops *ops;
  for (int body = 0; (ops = sc_x8_body(body)) != NULL; body++) {
    for (int i = 0; i < edge_count; i++) {
      u256 in[8], out[8];
      sc_x8_slot a;
      for (int lane = 0; lane < 8; lane++) {
        in[lane] = lane % 2 == 0 ? edges[(i + lane * 53) % edge_count] : u256_random();
      }
      ops->from_words(&a, in);
      ops->to_words(out, &a);
      for (int lane = 0; lane < 8; lane++) {
        bool reduced = lane_value(got, &a, lane);
        bn_from_u256(want, &in[lane]);
        EXPECT(reduced && BN_cmp(got, want) == 0 && u256_equal(&in[lane], &out[lane]),
               "%s, lane %d", ops->name, lane);
      }
    }
  }
}

/* in: 1 <= a < 2n in each lane. */
static void check_inverses(const sc_x8_ops *ops, const sc_x8_slot *a, int groups) {
  for (int squared = 0; squared < 2; squared++) {
    sc_x8_slot out[8];
    memcpy(out, a, (size_t)groups * sizeof a[0]);
    (squared ? ops->inv_r2 : ops->inv_vt)(out, groups);
    BN_lshift1(limit, n);
    for (int i = 0; i < 8 * groups; i++) {
      bool reduced = lane_value(got, &out[i / 8], i % 8) && BN_cmp(got, limit) < 0;
      (void)lane_value(want, &a[i / 8], i % 8);
      BN_mul(got, got, want, ctx);
      BN_lshift(want, BN_value_one(), squared ? 520 : 260);
      BN_sub(got, got, want);
      BN_nnmod(got, got, n, ctx);
      EXPECT(reduced && BN_is_zero(got), "%s, R^%d, %d groups, item %d", ops->name,
             1 + squared, groups, i);
    }
  }
}

static void inverses(void) {
  const sc_x8_ops *ops;
  for (int body = 0; (ops = sc_x8_body(body)) != NULL; body++) {
    for (int i = 0; i < (test_long() ? 20000 : 2000); i++) {
      sc_x8_slot a[8];
      int groups = 1 + i % 8;
      for (int j = 0; j < 8 * groups; j++) {
        u256 x = scalars[(i * 64 + j) % scalar_count];
        if (i % 3 == 0 || u256_zero_mask(&x) != 0) {
          x = u256_random();
        }
        set_lane(&a[j / 8], j % 8, &x);
      }
      check_inverses(ops, a, groups);
    }
  }
}

/* s k = z + r d mod n, s < n, and nothing written past the last item? */
static void sign_equation(void) {
  const sc_x8_ops *ops;
  for (int body = 0; (ops = sc_x8_body(body)) != NULL; body++) {
    for (int round = 0; round < (test_long() ? 5000 : 650); round++) {
      u256 k[64], z[64], r_in[64], d[64], s[66];
      size_t count = (size_t)round % 65;
      for (size_t i = 0; i < count; i++) {
        u256 *in[4] = {&k[i], &z[i], &r_in[i], &d[i]};
        for (int j = 0; j < 4; j++) {
          *in[j] = test_random_u64() % 3 == 0
                       ? scalars[test_random_u64() % (uint64_t)scalar_count]
                       : u256_random_below(&sm_sc_p256_order);
        }
        k[i].v[0] |= u256_zero_mask(&k[i]) & 1;
      }
      memset(s, 0x55, sizeof s);
      ops->sign_equation(s, k, z, r_in, d, count);
      for (size_t i = 0; i < count; i++) {
        bn_from_u256(got, &s[i]);
        bool below = BN_cmp(got, n) < 0;
        bn_from_u256(a_, &k[i]);
        BN_mul(got, got, a_, ctx);
        bn_from_u256(a_, &r_in[i]);
        bn_from_u256(b_, &d[i]);
        BN_mul(want, a_, b_, ctx);
        bn_from_u256(a_, &z[i]);
        BN_add(want, want, a_);
        BN_sub(got, got, want);
        BN_nnmod(got, got, n, ctx);
        EXPECT(below && BN_is_zero(got), "%s, item %zu of %zu", ops->name, i, count);
      }
      const uint8_t *past = (const uint8_t *)&s[count];
      EXPECT(past[0] == 0x55 && memcmp(past, past + 1, sizeof s[0] - 1) == 0,
             "%s, past the last of %zu", ops->name, count);
    }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  BIGNUM **numbers[] = {&n, &r, &a_, &b_, &d_, &got, &want, &limit};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    *numbers[i] = BN_new();
  }
  ctx = BN_CTX_new();
  bn_from_u256(n, &sm_sc_p256_order);
  BN_lshift(r, BN_value_one(), 260);
  edge_count = edge_values(edges, &sm_sc_p256_order, NULL);
  scalar_count = edge_values(scalars, &sm_sc_p256_order, &sm_sc_p256_order);
  RUN(bodies_run_here);
  RUN(words_in_and_out);
  RUN(products);
  RUN(canonical_form);
  RUN(differences);
  RUN(odd_or_turned);
  RUN(inverses);
  RUN(sign_equation);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    BN_free(*numbers[i]);
  }
  BN_CTX_free(ctx);
  return test_end();
}
