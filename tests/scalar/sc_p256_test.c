/* Protects arithmetic mod n (range checks, sums, products, reductions, inverses alone and
 * in batches) against libcrypto's big integers, at the edges of limbs and of n first. */
#include "scalar/sc_p256.h"

#include "bn_u256.h"

static struct {
  BN_CTX *ctx;
  BIGNUM *n, *a, *b, *c;
} bn;

static u256 edges[EDGES_MAX], below_order[EDGES_MAX];
static int edge_count, below_order_count;

static bool is_mask(uint64_t mask, bool condition) {
  return mask == (condition ? UINT64_MAX : 0);
}

static void check_one(const u256 *a) {
  u256 out;
  bn_from_u256(bn.a, a);
  bool in_range = !BN_is_zero(bn.a) && BN_cmp(bn.a, bn.n) < 0;
  EXPECT(is_mask(sm_sc_p256_in_range(a), in_range), "in_range " HEX256, HEX256_ARGS(*a));
  sm_sc_p256_reduce(&out, a);
  BN_nnmod(bn.b, bn.a, bn.n, bn.ctx);
  u256 expected = u256_from_bn(bn.b);
  EXPECT(u256_equal(&out, &expected), "reduce " HEX256, HEX256_ARGS(*a));

  u256 reduced = out;
  BN_lshift1(bn.c, bn.b);
  EXPECT(is_mask(sm_sc_p256_is_high(&reduced), BN_cmp(bn.c, bn.n) > 0), "is_high " HEX256,
         HEX256_ARGS(reduced));
  sm_sc_p256_neg(&out, &reduced);
  BN_sub(bn.c, bn.n, bn.b);
  BN_nnmod(bn.c, bn.c, bn.n, bn.ctx);
  expected = u256_from_bn(bn.c);
  EXPECT(u256_equal(&out, &expected), "neg " HEX256, HEX256_ARGS(reduced));

  u256 inverse, inverse_vt;
  sm_sc_p256_inv(&inverse, &reduced);
  sm_sc_p256_inv_vt(&inverse_vt, &reduced);
  bool right = u256_zero_mask(&inverse) != 0;
  if (!BN_is_zero(bn.b)) {
    bn_from_u256(bn.c, &inverse);
    BN_mod_mul(bn.c, bn.c, bn.b, bn.n, bn.ctx);
    right = BN_is_one(bn.c);
  }
  EXPECT(right && u256_equal(&inverse, &inverse_vt), "inv " HEX256, HEX256_ARGS(reduced));
}

/* in: a, b < n. */
static void check_pair(const u256 *a, const u256 *b) {
  u256 out;
  bn_from_u256(bn.a, a);
  bn_from_u256(bn.b, b);
  BN_mod_add(bn.c, bn.a, bn.b, bn.n, bn.ctx);
  u256 expected = u256_from_bn(bn.c);
  sm_sc_p256_add(&out, a, b);
  EXPECT(u256_equal(&out, &expected), HEX256 " + " HEX256, HEX256_ARGS(*a),
         HEX256_ARGS(*b));
  BN_mod_mul(bn.c, bn.a, bn.b, bn.n, bn.ctx);
  expected = u256_from_bn(bn.c);
  sm_sc_p256_mul(&out, a, b);
  EXPECT(u256_equal(&out, &expected), HEX256 " * " HEX256, HEX256_ARGS(*a),
         HEX256_ARGS(*b));
}

static void check_wide(const u256 *high, const u256 *low) {
  u256 out;
  bn_from_u256(bn.a, high);
  BN_lshift(bn.a, bn.a, 256);
  bn_from_u256(bn.b, low);
  BN_add(bn.a, bn.a, bn.b);
  BN_nnmod(bn.c, bn.a, bn.n, bn.ctx);
  u256 expected = u256_from_bn(bn.c);
  sm_sc_p256_reduce_wide(&out, high, low);
  EXPECT(u256_equal(&out, &expected), HEX256 HEX256 " mod n", HEX256_ARGS(*high),
         HEX256_ARGS(*low));
}

static void has_the_order_of_the_curve(void) {
  BN_hex2bn(&bn.a, "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551");
  EXPECT(BN_cmp(bn.a, bn.n) == 0, "n");
  bn_from_u256(bn.b, &sm_sc_p256_half_order);
  BN_lshift1(bn.b, bn.b);
  BN_add_word(bn.b, 1);
  EXPECT(BN_cmp(bn.b, bn.n) == 0, "(n-1)/2");
}

static void single_edges(void) {
  for (int i = 0; i < edge_count; i++) {
    check_one(&edges[i]);
  }
}

static void edges_in_pairs(void) {
  int step = test_long() ? 1 : 2;
  for (int i = 0; i < below_order_count; i++) {
    for (int j = i % step; j < below_order_count; j += step) {
      check_pair(&below_order[i], &below_order[j]);
    }
  }
}

static void wide_edges_in_pairs(void) {
  int step = test_long() ? 1 : 4;
  for (int i = 0; i < edge_count; i++) {
    for (int j = i % step; j < edge_count; j += step) {
      check_wide(&edges[i], &edges[j]);
    }
  }
}

static void random_values(void) {
  for (int i = 0; i < (test_long() ? 500000 : 20000); i++) {
    u256 a = i % 4 == 0 ? u256_random_runs() : u256_random(), b = u256_random();
    check_one(&a);
    check_wide(&a, &b);
    a = u256_random_below(&sm_sc_p256_order);
    b = u256_random_below(&sm_sc_p256_order);
    check_pair(&a, &b);
  }
}

static void outputs_may_be_inputs(void) {
  for (int i = 0; i < 200; i++) {
    u256 a = u256_random_below(&sm_sc_p256_order),
         b = u256_random_below(&sm_sc_p256_order);
    u256 expected, out;
    sm_sc_p256_mul(&expected, &a, &b);
    out = a;
    sm_sc_p256_mul(&out, &out, &b);
    EXPECT(u256_equal(&out, &expected), "mul(a, a, b)");
    out = b;
    sm_sc_p256_mul(&out, &a, &out);
    EXPECT(u256_equal(&out, &expected), "mul(b, a, b)");
    sm_sc_p256_mul(&expected, &a, &a);
    out = a;
    sm_sc_p256_mul(&out, &out, &out);
    EXPECT(u256_equal(&out, &expected), "mul(a, a, a)");
    sm_sc_p256_add(&expected, &a, &b);
    out = b;
    sm_sc_p256_add(&out, &a, &out);
    EXPECT(u256_equal(&out, &expected), "add(b, a, b)");
    sm_sc_p256_reduce_wide(&expected, &a, &b);
    out = a;
    sm_sc_p256_reduce_wide(&out, &out, &b);
    EXPECT(u256_equal(&out, &expected), "reduce_wide(a, a, b)");
    out = b;
    sm_sc_p256_reduce_wide(&out, &a, &out);
    EXPECT(u256_equal(&out, &expected), "reduce_wide(b, a, b)");
    sm_sc_p256_neg(&expected, &a);
    out = a;
    sm_sc_p256_neg(&out, &out);
    EXPECT(u256_equal(&out, &expected), "neg(a, a)");
  }
}

enum { BATCH_MAX = 20 };

/* Each inverse is checked alone, by its product with the input. */
static void check_batch(const u256 *a, size_t count) {
  u256 out[BATCH_MAX + 1], untouched = u256_random();
  out[count] = untouched;
  sm_sc_p256_inv_batch_vt(out, a, count);
  EXPECT(u256_equal(&out[count], &untouched), "wrote past %zu", count);
  for (size_t i = 0; i < count; i++) {
    bn_from_u256(bn.a, &a[i]);
    bn_from_u256(bn.b, &out[i]);
    bool canonical = BN_cmp(bn.b, bn.n) < 0;
    BN_mod_mul(bn.c, bn.a, bn.b, bn.n, bn.ctx);
    bool right = BN_is_zero(bn.a) ? BN_is_zero(bn.b) : BN_is_one(bn.c);
    EXPECT(canonical && right, "number %zu of %zu", i, count);
  }
}

static void batches_with_zeros_anywhere(void) {
  u256 a[BATCH_MAX], zero = {{0}};
  for (size_t count = 0; count <= BATCH_MAX; count++) {
    for (int round = 0; round < 200; round++) {
      for (size_t i = 0; i < count; i++) {
        a[i] = u256_random_below(&sm_sc_p256_order);
        if (test_random_u64() % 8 == 0) {
          a[i] = below_order[test_random_u64() % (uint64_t)below_order_count];
        }
        if (round % 4 != 0 && test_random_u64() % 4 < (uint64_t)round % 4) {
          a[i] = zero;
        }
      }
      check_batch(a, count);
    }
    for (size_t i = 0; i < count; i++) {
      for (size_t j = 0; j < count; j++) {
        a[j] = i == j ? zero : u256_random_below(&sm_sc_p256_order);
      }
      check_batch(a, count);
    }
    for (size_t i = 0; i < count; i++) {
      a[i] = zero;
    }
    check_batch(a, count);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  bn.ctx = BN_CTX_new();
  bn.n = BN_new();
  bn.a = BN_new();
  bn.b = BN_new();
  bn.c = BN_new();
  bn_from_u256(bn.n, &sm_sc_p256_order);
  edge_count = edge_values(edges, &sm_sc_p256_order, NULL);
  below_order_count = edge_values(below_order, &sm_sc_p256_order, &sm_sc_p256_order);
  RUN(has_the_order_of_the_curve);
  RUN(single_edges);
  RUN(edges_in_pairs);
  RUN(wide_edges_in_pairs);
  RUN(random_values);
  RUN(outputs_may_be_inputs);
  RUN(batches_with_zeros_anywhere);
  BN_free(bn.n);
  BN_free(bn.a);
  BN_free(bn.b);
  BN_free(bn.c);
  BN_CTX_free(bn.ctx);
  return test_end();
}
