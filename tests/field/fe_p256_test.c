/* Protects the field of P-256 in each of its bodies: a lost carry, a wrong multiple of p,
 * a result out of range or an output that overwrites an input shows against libcrypto's
 * big integers.  Inputs are set as Montgomery integers, so that edge limbs meet the carry
 * chains as they are. */
#include "base/cpu.h"
#include "bn_u256.h"
#include "fe_ops.h"

enum { CORE_MAX = 256, ALL_MAX = EDGES_MAX + CORE_MAX };

static const u256 P = {{UINT64_MAX, 0xffffffff, 0, 0xffffffff00000001}};

static const fe_ops *body; /* the one under test */
static struct {
  BN_CTX *ctx;
  BIGNUM *p, *r_inverse; /* of the body under test */
  BIGNUM *want, *got, *t;
} bn;

typedef struct {
  fe_integer mont;
  fe_slot fe;
  BIGNUM *value; /* the plain integer mod p */
} sample;

static void bn_from_integer(BIGNUM *out, const fe_integer *x) {
  uint8_t bytes[33];
  bytes[0] = (uint8_t)x->high;
  u256_to_be(bytes + 1, &x->low);
  BN_bin2bn(bytes, sizeof bytes, out);
}

/* bn.got = the plain integer of an element; false if the element is out of range. */
static bool value_of(const fe_slot *a) {
  fe_integer mont;
  bool ok = body->get(&mont, a);
  bn_from_integer(bn.got, &mont);
  BN_mod_mul(bn.got, bn.got, bn.r_inverse, bn.p, bn.ctx);
  return ok;
}

/* The sample of a Montgomery integer; false if the body's range does not have it. */
static bool sample_set(sample *out, const fe_integer *mont) {
  out->mont = *mont;
  if (!body->set(&out->fe, mont)) {
    return false;
  }
  if (out->value == NULL) {
    out->value = BN_new();
  }
  (void)value_of(&out->fe);
  BN_copy(out->value, bn.got);
  return true;
}

#define MONT_ARGS(s) (unsigned long long)(s).mont.high, HEX256_ARGS((s).mont.low)

/* An element is what the model wants (bn.want) and in range. */
static bool expect_value(const fe_slot *a, const char *what, const sample *x,
                         const sample *y) {
  bool in_range = value_of(a);
  return EXPECT(in_range && BN_cmp(bn.got, bn.want) == 0,
                "%s of %llx|" HEX256 " and %llx|" HEX256 " is %s", what, MONT_ARGS(*x),
                MONT_ARGS(*y), in_range ? "wrong" : "out of range");
}

static void check_unary(const sample *x) {
  fe_slot out;
  BN_mod_lshift1(bn.want, x->value, bn.p, bn.ctx);
  body->dbl(&out, &x->fe);
  expect_value(&out, "dbl", x, x);
  BN_zero(bn.t);
  BN_mod_sub(bn.want, bn.t, x->value, bn.p, bn.ctx);
  body->neg(&out, &x->fe);
  expect_value(&out, "neg", x, x);
  BN_mod_sqr(bn.want, x->value, bn.p, bn.ctx);
  body->sqr(&out, &x->fe);
  expect_value(&out, "sqr", x, x);
  BN_copy(bn.want, x->value);
  if (BN_is_odd(bn.want)) {
    BN_add(bn.want, bn.want, bn.p);
  }
  BN_rshift1(bn.want, bn.want);
  body->half(&out, &x->fe);
  expect_value(&out, "half", x, x);
  EXPECT(body->is_zero(&x->fe) == (BN_is_zero(x->value) ? UINT64_MAX : 0),
         "is_zero of %llx|" HEX256, MONT_ARGS(*x));
  u256 plain, want = u256_from_bn(x->value);
  body->to_u256(&plain, &x->fe);
  EXPECT(u256_equal(&plain, &want), "to_u256 of %llx|" HEX256, MONT_ARGS(*x));
}

static void check_pair(const sample *x, const sample *y) {
  fe_slot out;
  BN_mod_add(bn.want, x->value, y->value, bn.p, bn.ctx);
  body->add(&out, &x->fe, &y->fe);
  expect_value(&out, "add", x, y);
  BN_mod_sub(bn.want, x->value, y->value, bn.p, bn.ctx);
  body->sub(&out, &x->fe, &y->fe);
  expect_value(&out, "sub", x, y);
  BN_mod_mul(bn.want, x->value, y->value, bn.p, bn.ctx);
  body->mul(&out, &x->fe, &y->fe);
  expect_value(&out, "mul", x, y);
  bool equal = BN_cmp(x->value, y->value) == 0;
  EXPECT(body->eq(&x->fe, &y->fe) == (equal ? UINT64_MAX : 0),
         "eq of %llx|" HEX256 " and %llx|" HEX256, MONT_ARGS(*x), MONT_ARGS(*y));
}

static void check_differences(const sample *x, const sample *y, const sample *z) {
  fe_slot out;
  BN_mod_mul(bn.want, x->value, y->value, bn.p, bn.ctx);
  BN_mod_sqr(bn.t, z->value, bn.p, bn.ctx);
  BN_mod_sub(bn.want, bn.want, bn.t, bn.p, bn.ctx);
  body->mul_sub_sqr(&out, &x->fe, &y->fe, &z->fe);
  expect_value(&out, "mul_sub_sqr", x, y);
  BN_mod_mul(bn.want, z->value, x->value, bn.p, bn.ctx);
  BN_mod_mul(bn.t, y->value, x->value, bn.p, bn.ctx);
  BN_mod_sub(bn.want, bn.want, bn.t, bn.p, bn.ctx);
  body->mul_sub_mul(&out, &z->fe, &x->fe, &y->fe, &x->fe);
  expect_value(&out, "mul_sub_mul", z, y);
}

static int add_edge(fe_integer *out, int count, u256 low, uint64_t high) {
  out[count] = (fe_integer){low, high};
  return count + 1;
}

/* The edges worth pairing with each other: whole limbs of zeros, ones and p, of 64 and of
 * 29 bits, and the ends of every range. */
static int core_edges(fe_integer out[CORE_MAX]) {
  int count = 0;
  const u256 one = {{1}};
  u256 starts[6] = {{{0}},
                    P,
                    {{UINT64_MAX, 0x7fffffff, UINT64_C(1) << 63, 0x7fffffff80000000}},
                    {{1, 0xffffffff00000000, UINT64_MAX, 0xfffffffe}}, /* 2^256 - p */
                    {{0, 0, 0, UINT64_C(1) << 60}},
                    {{UINT64_MAX - 1, 0x1ffffffff, 0, 0xfffffffe00000002}}}; /* 2p */
  for (int i = 0; i < 6; i++) {
    u256 a = starts[i];
    uint64_t high = i == 5;
    high -= u256_sub(&a, &a, &one);
    high -= u256_sub(&a, &a, &one);
    for (int offset = -2; offset <= 2; offset++) {
      count = add_edge(out, count, a, high & 1);
      count = add_edge(out, count, a, 1);
      high += u256_add(&a, &a, &one);
    }
  }
  for (int mixture = 0; mixture < 81; mixture++) {
    u256 a;
    for (int i = 0, rest = mixture; i < 4; i++, rest /= 3) {
      a.v[i] = rest % 3 == 0 ? 0 : rest % 3 == 1 ? UINT64_MAX : P.v[i];
    }
    count = add_edge(out, count, a, 0);
  }
  for (int mixture = 1; mixture < 512; mixture += 7) {
    fe_integer a = {{{0}}, 0};
    for (int bit = 0; bit < 257; bit++) {
      uint64_t set = (uint64_t)(mixture >> bit / 29 & 1) << bit % 64;
      *(bit < 256 ? &a.low.v[bit / 64] : &a.high) |= set;
    }
    if (a.high == 1) { /* into the 25 bits of the highest limb */
      a.low.v[3] &= UINT64_MAX >> 4;
    }
    out[count++] = a;
  }
  return count;
}

static void agrees_on_edges(void) {
  static fe_integer edges[ALL_MAX];
  static u256 more[EDGES_MAX];
  static sample samples[ALL_MAX];
  int core = 0, count = 0, more_count = edge_values(more, &P, NULL);
  int edge_count = core_edges(edges);
  for (int i = 0; i < edge_count; i++) {
    core += sample_set(&samples[core], &edges[i]);
  }
  count = core;
  for (int i = 0; i < more_count; i++) {
    count += sample_set(&samples[count], &(fe_integer){more[i], 0});
  }
  for (int i = 0; i < count; i++) {
    check_unary(&samples[i]);
    check_pair(&samples[i], &samples[i]);
    check_pair(&samples[i], &samples[(i * 7 + 3) % count]);
  }
  for (int i = 0; i < core; i++) {
    for (int j = 0; j < core; j++) {
      check_pair(&samples[i], &samples[j]);
      check_differences(&samples[i], &samples[j], &samples[(3 * i + 5 * j) % core]);
    }
  }
}

static void sample_random(sample *out) {
  fe_integer mont;
  do {
    mont.low = test_random_u64() & 1 ? u256_random() : u256_random_runs();
    mont.high = (test_random_u64() & 15) == 0;
    mont.low.v[3] >>= mont.high == 1 ? 4 : 0;
  } while (!sample_set(out, &mont));
}

static void agrees_on_random_values(void) {
  static sample x, y, z;
  for (int i = test_long() ? 1000000 : 20000; i > 0; i--) {
    sample_random(&x);
    sample_random(&y);
    sample_random(&z);
    check_unary(&x);
    check_pair(&x, &y);
    check_differences(&x, &y, &z);
  }
}

static void expect_same(const fe_slot *a, const fe_slot *b, const char *what) {
  fe_integer x, y;
  (void)body->get(&x, a);
  (void)body->get(&y, b);
  EXPECT(memcmp(&x, &y, sizeof x) == 0, "%s with its output among the inputs", what);
}

/* Every operation gives in place what it gives apart. */
static void works_in_place(void) {
  fe_unary *const unary[6] = {body->neg, body->dbl, body->half,
                              body->sqr, body->inv, body->inv_vt};
  static const char *const unary_names[6] = {"neg", "dbl", "half",
                                             "sqr", "inv", "inv_vt"};
  fe_binary *const binary[3] = {body->add, body->sub, body->mul};
  static const char *const binary_names[3] = {"add", "sub", "mul"};
  static sample x, y;
  for (int repeat = 0; repeat < 200; repeat++) {
    fe_slot apart, in_place;
    sample_random(&x);
    sample_random(&y);
    for (int i = 0; i < 6; i++) {
      unary[i](&apart, &x.fe);
      in_place = x.fe;
      unary[i](&in_place, &in_place);
      expect_same(&in_place, &apart, unary_names[i]);
    }
    for (int i = 0; i < 3; i++) {
      binary[i](&apart, &x.fe, &y.fe);
      in_place = x.fe;
      binary[i](&in_place, &in_place, &y.fe);
      expect_same(&in_place, &apart, binary_names[i]);
      in_place = y.fe;
      binary[i](&in_place, &x.fe, &in_place);
      expect_same(&in_place, &apart, binary_names[i]);
      binary[i](&apart, &x.fe, &x.fe);
      in_place = x.fe;
      binary[i](&in_place, &in_place, &in_place);
      expect_same(&in_place, &apart, binary_names[i]);
    }
    body->mul_sub_mul(&apart, &x.fe, &y.fe, &y.fe, &y.fe);
    for (int place = 0; place < 4; place++) {
      fe_slot in[4] = {x.fe, y.fe, y.fe, y.fe};
      body->mul_sub_mul(&in[place], &in[0], &in[1], &in[2], &in[3]);
      expect_same(&in[place], &apart, "mul_sub_mul");
    }
    body->mul_sub_sqr(&apart, &x.fe, &y.fe, &x.fe);
    for (int place = 0; place < 3; place++) {
      fe_slot in[3] = {x.fe, y.fe, x.fe};
      body->mul_sub_sqr(&in[place], &in[0], &in[1], &in[2]);
      expect_same(&in[place], &apart, "mul_sub_sqr");
    }
    body->sqr_n(&apart, &x.fe, 3);
    in_place = x.fe;
    body->sqr_n(&in_place, &in_place, 3);
    expect_same(&in_place, &apart, "sqr_n");
    uint64_t is_square = body->sqrt(&apart, &x.fe);
    in_place = x.fe;
    EXPECT(body->sqrt(&in_place, &in_place) == is_square, "sqrt's mask in place");
    expect_same(&in_place, &apart, "sqrt");
  }
}

static void selects(void) {
  static sample x, y;
  for (int repeat = 0; repeat < 1000; repeat++) {
    fe_slot out;
    sample_random(&x);
    sample_random(&y);
    body->select(&out, UINT64_MAX, &x.fe, &y.fe);
    expect_same(&out, &x.fe, "select of the first");
    body->select(&out, 0, &x.fe, &y.fe);
    expect_same(&out, &y.fe, "select of the second");
    out = y.fe;
    body->select(&out, UINT64_MAX, &x.fe, &out);
    expect_same(&out, &x.fe, "select");
  }
}

static void converts(void) {
  static u256 edges[EDGES_MAX];
  static sample none;
  int count = edge_values(edges, &P, &P);
  BIGNUM *table_inverse = BN_new(); /* 2^-256 mod p */
  BN_zero(table_inverse);
  BN_set_bit(table_inverse, 256);
  BN_mod_inverse(table_inverse, table_inverse, bn.p, bn.ctx);
  for (int i = 0; i < count + 2000; i++) {
    u256 a = i < count ? edges[i] : u256_random_below(&P), back;
    fe_slot fe;
    none.mont.low = a;
    bn_from_u256(bn.want, &a);
    body->from_u256(&fe, &a);
    expect_value(&fe, "from_u256", &none, &none);
    body->to_u256(&back, &fe);
    EXPECT(u256_equal(&a, &back), HEX256 " comes back as " HEX256, HEX256_ARGS(a),
           HEX256_ARGS(back));
    BN_mod_mul(bn.want, bn.want, table_inverse, bn.p, bn.ctx);
    body->from_table(&fe, a.v);
    expect_value(&fe, "from_table", &none, &none);
  }
  fe_slot constant;
  BN_zero(bn.want);
  body->zero(&constant);
  expect_value(&constant, "zero", &none, &none);
  BN_one(bn.want);
  body->one(&constant);
  expect_value(&constant, "one", &none, &none);
  BN_free(table_inverse);
}

static void check_inverse(const sample *x) {
  fe_slot out;
  if (BN_is_zero(x->value)) {
    BN_zero(bn.want);
  } else {
    BN_mod_inverse(bn.want, x->value, bn.p, bn.ctx);
  }
  body->inv(&out, &x->fe);
  expect_value(&out, "inv", x, x);
  body->inv_vt(&out, &x->fe);
  expect_value(&out, "inv_vt", x, x);
}

static void check_root(const sample *x) {
  fe_slot out;
  bool square = BN_kronecker(x->value, bn.p, bn.ctx) != -1;
  EXPECT(body->sqrt(&out, &x->fe) == (square ? UINT64_MAX : 0),
         "sqrt: is %llx|" HEX256 " a square?", MONT_ARGS(*x));
  BN_copy(bn.t, bn.p);
  BN_add_word(bn.t, 1);
  BN_rshift(bn.t, bn.t, 2);
  BN_mod_exp(bn.want, x->value, bn.t, bn.p, bn.ctx);
  expect_value(&out, "sqrt", x, x);
  if (square && value_of(&out)) {
    BN_mod_sqr(bn.got, bn.got, bn.p, bn.ctx);
    EXPECT(BN_cmp(bn.got, x->value) == 0, "the root of %llx|" HEX256 " squared",
           MONT_ARGS(*x));
  }
}

static void inverts_and_takes_roots(void) {
  static fe_integer edges[CORE_MAX];
  static sample x;
  int count = core_edges(edges);
  for (int i = 0; i < count; i++) {
    if (sample_set(&x, &edges[i])) {
      check_inverse(&x);
      check_root(&x);
    }
  }
  const u256 one = {{1}}, plain[3] = {{{0}}, one, {{UINT64_MAX - 1, P.v[1], 0, P.v[3]}}};
  for (int i = 0; i < 3; i++) { /* 0, 1, -1 */
    body->from_u256(&x.fe, &plain[i]);
    (void)body->get(&x.mont, &x.fe);
    bn_from_u256(x.value, &plain[i]);
    check_inverse(&x);
    check_root(&x);
  }
  for (int i = test_long() ? 20000 : 400; i > 0; i--) {
    sample_random(&x);
    check_inverse(&x);
    check_root(&x);
    body->sqr(&x.fe, &x.fe); /* a square for certain */
    (void)body->get(&x.mont, &x.fe);
    sample_set(&x, &x.mont);
    check_root(&x);
  }
}

static void squares_many_times(void) {
  static sample x;
  for (int n = 1; n <= 300; n += n < 8 ? 1 : 37) {
    fe_slot out;
    sample_random(&x);
    BN_copy(bn.want, x.value);
    for (int i = 0; i < n; i++) {
      BN_mod_sqr(bn.want, bn.want, bn.p, bn.ctx);
    }
    body->sqr_n(&out, &x.fe, n);
    expect_value(&out, "sqr_n", &x, &x);
  }
}

/* A random walk over eight registers: what one operation gives, the next ones take. */
static void stays_right_over_long_chains(void) {
  enum { REGISTERS = 8 };
  static sample regs[REGISTERS];
  for (int i = 0; i < REGISTERS; i++) {
    sample_random(&regs[i]);
  }
  bool ok = true;
  for (int step = 0; ok && step < (test_long() ? 2000000 : 40000); step++) {
    uint64_t random = test_random_u64();
    sample *out = &regs[random & 7], *a = &regs[random >> 3 & 7];
    sample *b = &regs[random >> 6 & 7], *c = &regs[random >> 9 & 7];
    switch (random >> 12 & 7) {
    case 0:
      BN_mod_add(bn.want, a->value, b->value, bn.p, bn.ctx);
      body->add(&out->fe, &a->fe, &b->fe);
      break;
    case 1:
      BN_mod_sub(bn.want, a->value, b->value, bn.p, bn.ctx);
      body->sub(&out->fe, &a->fe, &b->fe);
      break;
    case 2:
      BN_mod_sqr(bn.want, a->value, bn.p, bn.ctx);
      body->sqr(&out->fe, &a->fe);
      break;
    case 3:
      BN_mod_mul(bn.want, a->value, b->value, bn.p, bn.ctx);
      BN_mod_sqr(bn.t, c->value, bn.p, bn.ctx);
      BN_mod_sub(bn.want, bn.want, bn.t, bn.p, bn.ctx);
      body->mul_sub_sqr(&out->fe, &a->fe, &b->fe, &c->fe);
      break;
    case 4:
      BN_copy(bn.want, a->value);
      if (BN_is_odd(bn.want)) {
        BN_add(bn.want, bn.want, bn.p);
      }
      BN_rshift1(bn.want, bn.want);
      body->half(&out->fe, &a->fe);
      break;
    case 5:
      BN_zero(bn.t);
      BN_mod_sub(bn.want, bn.t, a->value, bn.p, bn.ctx);
      body->neg(&out->fe, &a->fe);
      break;
    case 6:
      BN_mod_lshift1(bn.want, a->value, bn.p, bn.ctx);
      body->dbl(&out->fe, &a->fe);
      break;
    default:
      BN_mod_mul(bn.want, a->value, b->value, bn.p, bn.ctx);
      body->mul(&out->fe, &a->fe, &b->fe);
    }
    ok = EXPECT(value_of(&out->fe) && BN_cmp(bn.got, bn.want) == 0,
                "step %d, operation %d", step, (int)(random >> 12 & 7));
    BN_copy(out->value, bn.want);
  }
}

/* The same inputs through every body that runs here give the same integers. */
static void bodies_agree(void) {
  const fe_ops *bodies[3];
  int count = 0;
  bodies[count++] = &fe_ops_u32;
#ifdef FE_OPS_U64
  bodies[count++] = &fe_ops_u64;
#endif
#ifdef FE_OPS_ADX
  if (sm_cpu_features()->bmi2 && sm_cpu_features()->adx) {
    bodies[count++] = &fe_ops_adx;
  }
#endif
  if (count < 2) {
    test_skip("only one body runs here");
    return;
  }
  for (int repeat = 0; repeat < 2000; repeat++) {
    u256 a = u256_random_below(&P), b = u256_random_below(&P), first = {{0}};
    for (int i = 0; i < count; i++) {
      fe_slot x, y;
      bodies[i]->from_u256(&x, &a);
      bodies[i]->from_u256(&y, &b);
      bodies[i]->mul_sub_sqr(&x, &x, &y, &x);
      bodies[i]->sub(&y, &x, &y);
      bodies[i]->mul_sub_mul(&x, &x, &x, &y, &x);
      bodies[i]->sqr_n(&y, &y, 5);
      bodies[i]->half(&y, &y);
      bodies[i]->mul(&x, &x, &y);
      bodies[i]->inv(&x, &x);
      u256 out;
      bodies[i]->to_u256(&out, &x);
      first = i == 0 ? out : first;
      EXPECT(u256_equal(&out, &first), "%s and %s differ on " HEX256 " and " HEX256,
             bodies[i]->name, bodies[0]->name, HEX256_ARGS(a), HEX256_ARGS(b));
    }
  }
}

static void skips(void) {
  test_skip("this processor lacks BMI2 or ADX");
}

static void run_body(const fe_ops *ops, bool usable) {
  static const struct {
    const char *name;
    void (*run)(void);
  } tests[] = {{"agrees_on_edges", agrees_on_edges},
               {"agrees_on_random_values", agrees_on_random_values},
               {"works_in_place", works_in_place},
               {"selects", selects},
               {"converts", converts},
               {"inverts_and_takes_roots", inverts_and_takes_roots},
               {"squares_many_times", squares_many_times},
               {"stays_right_over_long_chains", stays_right_over_long_chains}};
  body = ops;
  BN_zero(bn.r_inverse);
  BN_set_bit(bn.r_inverse, ops->r_bits);
  BN_mod_inverse(bn.r_inverse, bn.r_inverse, bn.p, bn.ctx);
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s", ops->name, tests[i].name);
    test_run(name, usable ? tests[i].run : skips);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  bn.ctx = BN_CTX_new();
  bn.p = BN_new();
  bn.r_inverse = BN_new();
  bn.want = BN_new();
  bn.got = BN_new();
  bn.t = BN_new();
  bn_from_u256(bn.p, &P);
  run_body(&fe_ops_u32, true);
#ifdef FE_OPS_U64
  run_body(&fe_ops_u64, true);
#endif
#ifdef FE_OPS_ADX
  run_body(&fe_ops_adx, sm_cpu_features()->bmi2 && sm_cpu_features()->adx);
#endif
  RUN(bodies_agree);
  return test_end();
}
