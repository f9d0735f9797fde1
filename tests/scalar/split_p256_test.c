/* Protects half-size splitting: for every u, b*u = a mod n with a and b of the promised
 * size, checked by libcrypto's big integers.  The hard inputs are those whose Euclidean
 * course is odd: large quotients, remainders next to 2^128, quotients of 1 only. */
#include "scalar/sc_p256.h"

#include "bn_u256.h"

static struct {
  BN_CTX *ctx;
  BIGNUM *n, *u, *a, *b;
} bn;

/* Skips u outside [1, n-1]. */
static void check(const u256 *u) {
  bn_from_u256(bn.u, u);
  if (BN_is_zero(bn.u) || BN_cmp(bn.u, bn.n) >= 0) {
    return;
  }
  u256 a, b;
  bool negative;
  sm_sc_p256_split_vt(&a, &b, &negative, u);
  bn_from_u256(bn.a, &a);
  bn_from_u256(bn.b, &b);
  bool sizes = !BN_is_zero(bn.a) && BN_num_bits(bn.a) <= 128 && !BN_is_zero(bn.b) &&
               BN_num_bits(bn.b) <= 128;
  BN_set_negative(bn.b, negative);
  BN_mod_mul(bn.b, bn.b, bn.u, bn.n, bn.ctx);
  BN_nnmod(bn.b, bn.b, bn.n, bn.ctx);
  EXPECT(sizes && BN_cmp(bn.a, bn.b) == 0,
         "u = " HEX256 ": a = " HEX256 ", b = %c" HEX256, HEX256_ARGS(*u), HEX256_ARGS(a),
         negative ? '-' : '+', HEX256_ARGS(b));
}

static void check_bn(const BIGNUM *u) {
  u256 value = u256_from_bn(u);
  check(&value);
}

static void check_around(BIGNUM *middle, int radius) {
  BN_sub_word(middle, (BN_ULONG)radius);
  for (int i = -radius; i <= radius; i++) {
    if (!BN_is_negative(middle) && BN_num_bits(middle) <= 256) {
      check_bn(middle);
    }
    BN_add_word(middle, 1);
  }
}

static void splits_edges(void) {
  static u256 edges[EDGES_MAX];
  int count = edge_values(edges, &sm_sc_p256_order, &sm_sc_p256_order);
  for (int i = 0; i < count; i++) {
    check(&edges[i]);
    u256 negated;
    (void)u256_sub(&negated, &sm_sc_p256_order, &edges[i]);
    check(&negated);
  }
}

/* Near n/k one quotient is k or k - 1 and the next one huge; near 2^128 and sqrt(n) the
 * first remainder is the last one. */
static void splits_near_fractions(void) {
  BIGNUM *x = BN_new(), *k = BN_new();
  for (int bits = 0; bits <= 250; bits++) {
    for (int offset = -1; offset <= 1; offset++) {
      BN_one(k);
      BN_lshift(k, k, bits);
      if (bits > 0) {
        offset < 0 ? BN_sub_word(k, 1) : BN_add_word(k, (BN_ULONG)offset);
      }
      BN_div(x, NULL, bn.n, k, bn.ctx);
      check_around(x, 3);
    }
  }
  for (BN_ULONG divisor = 1; divisor < 200; divisor++) {
    for (BN_ULONG times = 1; times < divisor && times < 20; times++) {
      BN_copy(x, bn.n);
      BN_mul_word(x, times);
      BN_div_word(x, divisor);
      check_around(x, 2);
    }
  }
  BN_one(x);
  BN_lshift(x, x, 128);
  check_around(x, 500);
  /* sqrt(n) by Newton's iteration from above */
  BN_one(x);
  BN_lshift(x, x, 128);
  for (int i = 0; i < 20; i++) {
    BN_div(k, NULL, bn.n, x, bn.ctx);
    BN_add(x, x, k);
    BN_rshift1(x, x);
  }
  check_around(x, 500);
  BN_free(x);
  BN_free(k);
}

/* u = a/b mod n with chosen a and b of all sizes: a short relation exists, and the course
 * passes through it or stops before. */
static void splits_ratios(void) {
  BIGNUM *a = BN_new(), *b = BN_new(), *u = BN_new();
  for (int i = 0; i < (test_long() ? 200000 : 8000); i++) {
    u256 a256 = u256_random(), b256 = u256_random();
    bn_from_u256(a, &a256);
    bn_from_u256(b, &b256);
    BN_rshift(a, a, (int)(test_random_u64() % 200));
    BN_rshift(b, b, (int)(test_random_u64() % 200));
    BN_set_bit(b, 0);
    if (BN_mod_inverse(u, b, bn.n, bn.ctx) != NULL) {
      BN_mod_mul(u, u, a, bn.n, bn.ctx);
      check_bn(u);
      BN_sub(u, bn.n, u);
      check_bn(u);
    }
  }
  BN_free(a);
  BN_free(b);
  BN_free(u);
}

/* n/u with quotients from a list: all ones (golden ratio), twos, or one that is huge. */
static void splits_prescribed_quotients(void) {
  BIGNUM *p0 = BN_new(), *p1 = BN_new(), *q0 = BN_new(), *q1 = BN_new(), *t = BN_new();
  for (int i = 0; i < (test_long() ? 50000 : 4000); i++) {
    /* convergents p/q of [q1; q2, ...], until q has 256 bits: u = n q / p */
    BN_one(p0);
    BN_zero(p1);
    BN_zero(q0);
    BN_one(q1);
    int plain = 1 + i % 3, huge = (int)(test_random_u64() % 130);
    int huge_bits = (int)(test_random_u64() % 130);
    for (int step = 0; BN_num_bits(p0) < 256; step++) {
      BN_set_word(t, (BN_ULONG)plain);
      if (step == huge && i >= 3) {
        BN_lshift(t, t, huge_bits);
        BN_add_word(t, test_random_u64() % 3);
      }
      BIGNUM *next_p = BN_new(), *next_q = BN_new();
      BN_mul(next_p, t, p0, bn.ctx);
      BN_add(next_p, next_p, p1);
      BN_mul(next_q, t, q0, bn.ctx);
      BN_add(next_q, next_q, q1);
      BN_copy(p1, p0);
      BN_copy(p0, next_p);
      BN_copy(q1, q0);
      BN_copy(q0, next_q);
      BN_free(next_p);
      BN_free(next_q);
    }
    BN_mul(t, bn.n, q0, bn.ctx);
    BN_div(t, NULL, t, p0, bn.ctx);
    check_around(t, 1);
  }
  BN_free(p0);
  BN_free(p1);
  BN_free(q0);
  BN_free(q1);
  BN_free(t);
}

static void splits_random(void) {
  for (int i = 0; i < (test_long() ? 2000000 : 40000); i++) {
    u256 u = i % 4 == 0 ? u256_random_runs() : u256_random();
    check(&u);
  }
}

static void outputs_may_be_the_input(void) {
  for (int i = 0; i < 100; i++) {
    u256 u = u256_random_below(&sm_sc_p256_order), a, b, a2 = u, b2 = u;
    bool negative, negative2;
    sm_sc_p256_split_vt(&a, &b, &negative, &u);
    sm_sc_p256_split_vt(&a2, &u, &negative2, &u);
    EXPECT(u256_equal(&a, &a2) && u256_equal(&b, &u) && negative == negative2, "b is u");
    u = b2;
    sm_sc_p256_split_vt(&u, &b2, &negative2, &u);
    EXPECT(u256_equal(&a, &u) && u256_equal(&b, &b2) && negative == negative2, "a is u");
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  bn.ctx = BN_CTX_new();
  bn.n = BN_new();
  bn.u = BN_new();
  bn.a = BN_new();
  bn.b = BN_new();
  bn_from_u256(bn.n, &sm_sc_p256_order);
  RUN(splits_edges);
  RUN(splits_near_fractions);
  RUN(splits_ratios);
  RUN(splits_prescribed_quotients);
  RUN(splits_random);
  RUN(outputs_may_be_the_input);
  BN_free(bn.n);
  BN_free(bn.u);
  BN_free(bn.a);
  BN_free(bn.b);
  BN_CTX_free(bn.ctx);
  return test_end();
}
