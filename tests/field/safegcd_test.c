/* Protects inversion by division steps, in both forms and for both moduli: a wrong
 * matrix, lost carry or early stop shows in the product with the input, which libcrypto
 * computes. */
#include "field/safegcd.h"

#include "bn_u256.h"

static const safegcd_modulus *const moduli[2] = {&sm_safegcd_p256_p, &sm_safegcd_p256_n};

typedef void inversion(u256 *out, const u256 *a, const safegcd_modulus *m);
static inversion *const forms[2] = {sm_safegcd_inv, sm_safegcd_inv_vt};

static struct {
  BN_CTX *ctx;
  BIGNUM *m[2], *a, *b;
} bn;

static void check_mod(const safegcd_modulus *m, const BIGNUM *m_bn, const u256 *a) {
  bn_from_u256(bn.a, a);
  bool zero = BN_is_zero(bn.a);
  for (int form = 0; form < 2; form++) {
    u256 out, in_place = *a;
    forms[form](&out, a, m);
    forms[form](&in_place, &in_place, m);
    bn_from_u256(bn.b, &out);
    bool canonical = BN_cmp(bn.b, m_bn) < 0;
    bool inverse = zero && BN_is_zero(bn.b);
    if (!zero) {
      BN_mod_mul(bn.b, bn.b, bn.a, m_bn, bn.ctx);
      inverse = BN_is_one(bn.b);
    }
    EXPECT(canonical && inverse && u256_equal(&out, &in_place),
           "form %d, 1/" HEX256 " mod " HEX256 " gave " HEX256, form, HEX256_ARGS(*a),
           HEX256_ARGS(m->modulus), HEX256_ARGS(out));
  }
}

static void check(int which, const u256 *a) {
  check_mod(moduli[which], bn.m[which], a);
}

static void inverts_edges(void) {
  static u256 edges[EDGES_MAX];
  for (int which = 0; which < 2; which++) {
    int count = edge_values(edges, &moduli[which]->modulus, &moduli[which]->modulus);
    for (int i = 0; i < count; i++) {
      check(which, &edges[i]);
      u256 negated;
      (void)u256_sub(&negated, &moduli[which]->modulus, &edges[i]);
      if (u256_below(&negated, &moduli[which]->modulus)) {
        check(which, &negated);
      }
    }
  }
}

/* The quotients of m and a are nearly all 1 for a = m/phi: the longest Euclidean run. */
static void inverts_golden_ratios(void) {
  /* floor(2^256 / phi), phi = (1 + sqrt 5)/2 */
  static const u256 golden = {
      {0xf86c6a11d0c18e95, 0x1082276bf3a27251, 0xf39cc0605cedc834, 0x9e3779b97f4a7c15}};
  BIGNUM *x = BN_new(), *ratio = BN_new();
  bn_from_u256(ratio, &golden);
  for (int which = 0; which < 2; which++) {
    BN_mul(x, bn.m[which], ratio, bn.ctx);
    BN_rshift(x, x, 256);
    BN_sub_word(x, 64);
    for (int i = 0; i < 128; i++) {
      u256 a = u256_from_bn(x);
      check(which, &a);
      BN_add_word(x, 1);
    }
    /* Fibonacci numbers */
    u256 previous = {{1}}, fibonacci = {{1}};
    while (u256_below(&fibonacci, &moduli[which]->modulus)) {
      check(which, &fibonacci);
      u256 next;
      if (u256_add(&next, &previous, &fibonacci) != 0) {
        break;
      }
      previous = fibonacci;
      fibonacci = next;
    }
  }
  BN_free(x);
  BN_free(ratio);
}

/* Whether g is odd before step number `steps` of the division steps from f = m, g = a
 * (mod 2^256, of which each step uses up one bit). */
static bool odd_after(const u256 *m, const u256 *a, int steps) {
  u256 f = *m, g = *a;
  int twice_delta = 1;
  for (int i = 0; i < steps; i++) {
    if (g.v[0] & 1) {
      u256 old = g;
      if (twice_delta > 0) {
        (void)u256_sub(&g, &g, &f);
        f = old;
        twice_delta = -twice_delta;
      } else {
        (void)u256_add(&g, &g, &f);
      }
    }
    twice_delta += 2;
    for (int j = 0; j < 4; j++) {
      g.v[j] = g.v[j] >> 1 | (j < 3 ? g.v[j + 1] << 63 : 0);
    }
  }
  return g.v[0] & 1;
}

/* Every course of the first 255 steps (g odd or even at each) belongs to one a mod 2^255.
 * This is the a with `zeros` even steps first, then `pattern` again and again. */
static u256 with_course(const u256 *m, int zeros, uint64_t pattern, int period) {
  u256 a = {{0}};
  for (int i = 0; i < 255; i++) {
    bool odd = i >= zeros && (pattern >> (i - zeros) % period & 1) != 0;
    if (odd_after(m, &a, i) != odd) {
      a.v[i / 64] |= (uint64_t)1 << i % 64;
    }
  }
  return a;
}

/* Periodic courses take the matrices and the step counter to their limits. */
static void inverts_prescribed_courses(void) {
  for (int which = 0; which < 2; which++) {
    const u256 *m = &moduli[which]->modulus;
    for (int period = 1; period <= 5; period++) {
      for (uint64_t pattern = 0; pattern < (uint64_t)1 << period; pattern++) {
        u256 a = with_course(m, 0, pattern, period);
        check(which, &a);
      }
    }
    for (int i = 0; i < (test_long() ? 5000 : 100); i++) {
      int zeros = (int)(test_random_u64() % 250),
          period = 1 + (int)(test_random_u64() % 60);
      u256 a = with_course(m, zeros, test_random_u64(), period);
      check(which, &a);
    }
  }
}

/* The number of division steps from f = m, g = a until g = 0. */
static int division_steps(const BIGNUM *m, const BIGNUM *a) {
  BIGNUM *f = BN_dup(m), *g = BN_dup(a);
  int steps = 0, twice_delta = 1;
  for (; !BN_is_zero(g) && steps < 1000; steps++) {
    if (BN_is_odd(g) && twice_delta > 0) {
      BN_sub(f, g, f);
      BN_swap(f, g);
      twice_delta = -twice_delta;
    } else if (BN_is_odd(g)) {
      BN_add(g, g, f);
    }
    BN_rshift1(g, g);
    twice_delta += 2;
  }
  BN_free(f);
  BN_free(g);
  return steps;
}

/* Moduli with inputs that take nearly all of the 590 steps; found by a beam search over
 * predecessors of division steps from f = 1, g = 0. */
static void inverts_after_the_longest_courses(void) {
  static const struct {
    const char *m, *a;
    int steps;
  } courses[] = {
      {"dd050eed4d14179a8ac5c2f327e0ad1304d869ab8d52e202acc4be16d74ab6e1",
       "db9139462c1d6ea0b8f9652e6f7eec029db4f69303af966d57db106d1cf4f03a", 584},
      {"d3553365506c267b193b6122e9628ac06c18b76a0e2d2d1d856208c04e4ce753",
       "d23ab422a4423817fd132bd9471fcf9fb8fe0dd61749f28cba62ee20c4aab44d", 569},
      {"d4da9c459759c9408d8c2d5f922d92fa58aee479197b051a7428a09af6fae081",
       "cde5b9d59e9034e27397de44b769ccb4db510a8c802b169390139d16a11a89ef", 569},
      {"d7c76fbf9bf6ef2938cb8ad1d16f7ea3c7388b4fa7ae094bd13d64a66c3f30cd",
       "288bd8c5107b228d99f21a4c5076b40269e642b549fac9a0e48fef0ea2961b25", 567}};
  BIGNUM *m = BN_new(), *a = BN_new();
  for (size_t i = 0; i < sizeof courses / sizeof courses[0]; i++) {
    BN_hex2bn(&m, courses[i].m);
    BN_hex2bn(&a, courses[i].a);
    EXPECT(division_steps(m, a) == courses[i].steps, "%s", courses[i].m);
    safegcd_modulus modulus = {u256_from_bn(m), 0};
    for (int bit = 0; bit < 64; bit++) { /* -1/m mod 2^64, bit by bit */
      if (((modulus.neg_inverse * modulus.modulus.v[0] + 1) >> bit & 1) != 0) {
        modulus.neg_inverse |= (uint64_t)1 << bit;
      }
    }
    u256 input = u256_from_bn(a);
    check_mod(&modulus, m, &input);
    BN_sub(a, m, a);
    input = u256_from_bn(a);
    check_mod(&modulus, m, &input);
  }
  BN_free(m);
  BN_free(a);
}

static void inverts_random(void) {
  int count = test_long() ? 1000000 : 20000;
  for (int which = 0; which < 2; which++) {
    for (int i = 0; i < count; i++) {
      u256 a = i % 4 == 0 ? u256_random_runs() : u256_random();
      if (!u256_below(&a, &moduli[which]->modulus)) {
        (void)u256_sub(&a, &a, &moduli[which]->modulus);
      }
      check(which, &a);
    }
  }
}

static void moduli_are_those_of_the_curve(void) {
  static const char *const hex[2] = {
      "FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF",
      "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"};
  for (int which = 0; which < 2; which++) {
    BN_hex2bn(&bn.a, hex[which]);
    EXPECT(BN_cmp(bn.a, bn.m[which]) == 0, "modulus %d", which);
    EXPECT(moduli[which]->neg_inverse * moduli[which]->modulus.v[0] == UINT64_MAX,
           "modulus %d", which);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  bn.ctx = BN_CTX_new();
  bn.a = BN_new();
  bn.b = BN_new();
  for (int which = 0; which < 2; which++) {
    bn.m[which] = BN_new();
    bn_from_u256(bn.m[which], &moduli[which]->modulus);
  }
  RUN(moduli_are_those_of_the_curve);
  RUN(inverts_edges);
  RUN(inverts_golden_ratios);
  RUN(inverts_prescribed_courses);
  RUN(inverts_after_the_longest_courses);
  RUN(inverts_random);
  BN_free(bn.a);
  BN_free(bn.b);
  BN_free(bn.m[0]);
  BN_free(bn.m[1]);
  BN_CTX_free(bn.ctx);
  return test_end();
}
