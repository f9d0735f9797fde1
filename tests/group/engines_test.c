/* Every engine against libcrypto, and all engines against each other. */
#include "group/engine_p256.h"
#include "harness.h"
#include "model.h"

static const u256 zero = {{0}}, one = {{1, 0, 0, 0}};
static const p256_engine *engine; /* the one under test */
static p256_point base;           /* G */

static bool same_point(const p256_point *a, const p256_point *b) {
  return u256_eq_mask(&a->x, &b->x) && u256_eq_mask(&a->y, &b->y);
}

static bool is_zero_point(const p256_point *a) {
  return u256_zero_mask(&a->x) && u256_zero_mask(&a->y);
}

static u256 small_integer(uint64_t a) {
  return (u256){{a, 0, 0, 0}};
}

static u256 power_of_two(int exponent) {
  u256 a = zero;
  a.v[exponent / 64] = UINT64_C(1) << (exponent % 64);
  return a;
}

/* a*b + c mod n, and -a mod n for a from 1 to n-1. */
static u256 times_plus(const u256 *a, const u256 *b, const u256 *c) {
  u256 out;
  model_scalar_mul_add(&out, a, b, c);
  return out;
}

static u256 minus(const u256 *a) {
  u256 out;
  u256_sub(&out, &model_n, a);
  return out;
}

static u256 mod_n(const u256 *a) {
  return times_plus(a, &one, &zero);
}

/* The scalars worth trying: small ones and their negatives (the additions that would be
 * exceptional with other window widths lie there), powers of two and their neighbours,
 * digits that are all as large or all as small as can be, multiples of the last window's
 * place, and random ones. */
enum { SMALLS = 300, POWERS = 3 * 255, RUNS = 2 * 256, TOPS = 64, RANDOMS = 300 };
#define EDGE_SCALARS (2 * SMALLS + POWERS + RUNS + TOPS + RANDOMS)

static u256 edge_scalar(int i) {
  if (i < 2 * SMALLS) {
    u256 k = small_integer(1 + (uint64_t)i / 2);
    return i % 2 == 0 ? k : minus(&k);
  }
  i -= 2 * SMALLS;
  if (i < POWERS) {
    u256 k = power_of_two(1 + i / 3);
    const u256 offset = {{(uint64_t)(i % 3), 0, 0, 0}};
    u256_add(&k, &k, &offset);
    u256_sub(&k, &k, &one);
    return k;
  }
  i -= POWERS;
  if (i < RUNS) { /* ones from a bit up, or ones below it and every other bit above */
    u256 k = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    u256 below = power_of_two(i / 2);
    u256_sub(&k, &k, &below);
    if (i % 2 != 0) {
      for (int j = 0; j < 4; j++) {
        k.v[j] &= UINT64_C(0x5555555555555555) | (below.v[j] - 1);
      }
    }
    return mod_n(&k);
  }
  i -= RUNS;
  if (i < TOPS) { /* odd multiples of 2^252 and 2^250, mod n */
    u256 k = {{0, 0, 0, (2 * ((uint64_t)i / 2) + 1) << (i % 2 == 0 ? 60 : 58)}};
    return mod_n(&k);
  }
  u256 k;
  model_random_scalar(&k);
  return k;
}

static void multiplies_the_base(void) {
  for (int i = 0; i < EDGE_SCALARS; i++) {
    u256 k = edge_scalar(i);
    p256_point product, expected;
    engine->mul_base(&product, &k);
    model_mul2(&expected, &k, NULL, NULL);
    EXPECT(same_point(&product, &expected), "scalar %d", i);
  }
}

static void multiplies_any_point(void) {
  p256_point point = base;
  for (int i = 0; i < EDGE_SCALARS; i++) {
    u256 k = edge_scalar(i);
    p256_point product, expected;
    engine->mul(&product, &k, &point);
    model_mul2(&expected, NULL, &k, &point);
    EXPECT(same_point(&product, &expected), "scalar %d", i);
    if (i % 7 == 0) {
      point = expected;
    }
  }
}

/* verify_vt, and the same by the comb of q, which is kept as long as q stays. */
static bool verifies(const u256 *u1, const u256 *u2, const p256_point *q, const u256 *r) {
  static struct {
    const p256_engine *engine;
    p256_point q;
    p256_key_comb comb;
  } kept;
  if (kept.engine != engine || !same_point(&kept.q, q)) {
    kept.engine = engine;
    kept.q = *q;
    engine->key_comb_vt(&kept.comb, q);
  }
  const bool yes = engine->verify_vt(u1, u2, q, r);
  EXPECT(engine->verify_comb_vt(u1, u2, &kept.comb, r) == yes, "by the comb: not %d",
         yes);
  return yes;
}

/* mul2_vt, verify_vt, verify_comb_vt and verify_point_vt on one case, of which the right
 * sum is known. */
static void check_joint(const char *what, const u256 *u1, const u256 *u2,
                        const p256_point *q) {
  p256_point sum, expected, other;
  bool finite = model_mul2(&expected, u1, u2, q);
  EXPECT(engine->mul2_vt(&sum, u1, u2, q) == finite, "%s: infinity", what);
  EXPECT(same_point(&sum, &expected), "%s: sum", what);
  if (!finite) {
    EXPECT(!verifies(u1, u2, q, &one), "%s: infinity verified", what);
    EXPECT(u256_zero_mask(u2) || !engine->verify_point_vt(u1, u2, q, q),
           "%s: infinity verified as a point", what);
    return;
  }
  u256 r = mod_n(&expected.x), wrong;
  EXPECT(verifies(u1, u2, q, &r), "%s: refused", what);
  u256_add(&wrong, &r, &one);
  wrong = mod_n(&wrong);
  EXPECT(!verifies(u1, u2, q, &wrong), "%s: wrong r taken", what);
  if (!u256_zero_mask(u2)) {
    EXPECT(engine->verify_point_vt(u1, u2, q, &expected), "%s: point refused", what);
    model_negate(&other, &expected);
    EXPECT(!engine->verify_point_vt(u1, u2, q, &other), "%s: opposite taken", what);
    EXPECT(engine->verify_point_vt(u1, u2, q, &base) == same_point(&base, &expected),
           "%s: G", what);
    EXPECT(engine->verify_point_vt(u1, u2, q, q) == same_point(q, &expected), "%s: Q",
           what);
    model_negate(&other, q);
    EXPECT(engine->verify_point_vt(u1, u2, q, &other) == same_point(&other, &expected),
           "%s: -Q", what);
  }
}

/* Q = d*G for d where partial sums meet: small multiples, both signs, powers of two up to
 * and past the place where the scalars are cut in halves. */
static u256 meeting_logarithm(int i) {
  static const int exponents[] = {2, 5, 11, 64, 126, 127, 128, 129, 192, 255};
  if (i < 40) {
    u256 d = small_integer(1 + (uint64_t)i / 2);
    return i % 2 == 0 ? d : minus(&d);
  }
  u256 d = power_of_two(exponents[(i - 40) / 2]);
  return i % 2 == 0 ? d : minus(&d);
}

static void joins_scalars_whose_sums_meet(void) {
  for (int i = 0; i < 60; i++) {
    u256 d = meeting_logarithm(i);
    p256_point q;
    model_mul2(&q, &d, NULL, NULL);
    for (int j = 0; j < 12; j++) {
      u256 u2 = j < 6 ? small_integer(1 + (uint64_t)j) : edge_scalar(j * 153);
      u256 u1 = times_plus(&d, &u2, &zero), doubled = times_plus(&d, &u2, &u1);
      check_joint("u1*G = u2*Q", &u1, &u2, &q);
      check_joint("u1*G = 2*u2*Q", &doubled, &u2, &q);
      u1 = minus(&u1);
      check_joint("u1*G = -u2*Q", &u1, &u2, &q);
      u256 next = times_plus(&u1, &one, &d);
      check_joint("u1*G = -(u2-1)*Q", &next, &u2, &q);
      u1 = edge_scalar((i * 37 + j) % EDGE_SCALARS);
      check_joint("any u1", &u1, &u2, &q);
    }
    check_joint("u1 = 0", &zero, &d, &q);
    check_joint("u2 = 0", &d, &zero, &q);
    check_joint("u1 = u2 = 0", &zero, &zero, &q);
  }
}

static void joins_random_scalars(void) {
  for (int i = 0; i < (test_long() ? 20000 : 300); i++) {
    u256 u1, u2, d;
    p256_point q;
    model_random_scalar(&u1);
    model_random_scalar(&u2);
    model_random_scalar(&d);
    model_mul2(&q, &d, NULL, NULL);
    check_joint("random", &u1, &u2, &q);
  }
}

/* Q with u1*G + u2*Q = R. */
static void solve_for_key(p256_point *q, const u256 *u1, const u256 *u2,
                          const p256_point *r) {
  u256 inverse, factor;
  model_scalar_inv(&inverse, u2);
  factor = times_plus(u1, &inverse, &zero);
  factor = minus(&factor);
  model_mul2(q, &factor, &inverse, r);
}

/* The first x from start up that is on the curve, its point. */
static void next_point(p256_point *out, const u256 *start) {
  u256 x = *start;
  while (!model_lift_x(out, &x, false)) {
    u256_add(&x, &x, &one);
  }
}

static void compares_x_mod_n(void) {
  u256 u1, u2, r;
  p256_point large, little, q;
  model_random_scalar(&u1);
  model_random_scalar(&u2);
  next_point(&large, &model_n); /* n <= x < p: r = x - n */
  u256_sub(&r, &large.x, &model_n);
  solve_for_key(&q, &u1, &u2, &large);
  EXPECT(verifies(&u1, &u2, &q, &r), "x = r + n refused");
  u256_add(&r, &r, &one);
  EXPECT(!verifies(&u1, &u2, &q, &r), "x = r - 1 + n taken");
  next_point(&little, &one); /* small x: r = x, and r + n < p as well */
  solve_for_key(&q, &u1, &u2, &little);
  EXPECT(verifies(&u1, &u2, &q, &little.x), "small x = r refused");
  /* r + n = p + something, which must not be taken mod p */
  u256 excess;
  u256_sub(&excess, &model_p, &model_n);
  u256_add(&r, &little.x, &excess);
  EXPECT(!verifies(&u1, &u2, &q, &r), "x = r + n - p taken");
}

static void lifts_every_x_that_has_a_point(void) {
  int found = 0;
  for (int i = 0; i < 400; i++) {
    u256 x = small_integer((uint64_t)i / 2);
    if (i >= 100) {
      model_random_scalar(&x);
    } else if (i >= 50) {
      u256_sub(&x, &model_p, &x);
      u256_sub(&x, &x, &one);
    }
    p256_point point, expected;
    bool odd = i % 2 != 0, exists = model_lift_x(&expected, &x, odd);
    EXPECT(engine->lift_x_vt(&point, &x, odd) == exists, "x %d: found?", i);
    EXPECT(exists ? same_point(&point, &expected) : is_zero_point(&point), "x %d", i);
    found += exists;
  }
  EXPECT(found > 100 && found < 300, "%d of 400 found", found);
}

static void lifts_no_x_from_p_up(void) {
  static const u256 all = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
  p256_point point, little;
  next_point(&little, &one);
  u256 x;
  u256_add(&x, &model_p, &little.x);
  EXPECT(!engine->lift_x_vt(&point, &x, true) && is_zero_point(&point), "p + x");
  EXPECT(!engine->lift_x_vt(&point, &model_p, true) && is_zero_point(&point), "p");
  EXPECT(!engine->lift_x_vt(&point, &all, true) && is_zero_point(&point), "2^256 - 1");
}

static void knows_points_on_the_curve(void) {
  p256_point point, other;
  uint8_t bytes[32];
  EXPECT(engine->on_curve_vt(&base), "G");
  for (int i = 0; i < 100; i++) {
    u256 k;
    model_random_scalar(&k);
    model_mul2(&point, &k, NULL, NULL);
    EXPECT(engine->on_curve_vt(&point), "random point");
    other = point;
    other.x.v[i % 4] ^= UINT64_C(1) << (i % 64);
    EXPECT(!engine->on_curve_vt(&other), "another x");
    other = point;
    other.y.v[i % 4] ^= UINT64_C(1) << (i % 64);
    EXPECT(!engine->on_curve_vt(&other), "another y");
    model_negate(&other, &point);
    EXPECT(engine->on_curve_vt(&other), "negative");
    other.x = point.y;
    other.y = point.x;
    EXPECT(!engine->on_curve_vt(&other), "coordinates swapped");
  }
  next_point(&point, &zero);
  EXPECT(u256_zero_mask(&point.x) && engine->on_curve_vt(&point), "x = 0");
  u256_add(&point.x, &point.x, &model_p);
  EXPECT(!engine->on_curve_vt(&point), "x = p");
  next_point(&point, &one);
  u256_add(&point.x, &point.x, &model_p);
  EXPECT(!engine->on_curve_vt(&point), "x + p");
  test_from_hex(bytes, sizeof bytes,
                "09e78d4ef60d05f750f6636209092bc43cbdd6b47e11a9de20a9feb2a50bb96c");
  u256_from_be(&point.x, bytes); /* a point with y = 1 */
  point.y = one;
  EXPECT(engine->on_curve_vt(&point), "y = 1");
  u256_add(&point.y, &point.y, &model_p);
  EXPECT(!engine->on_curve_vt(&point), "y = 1 + p");
  point.y = model_p;
  EXPECT(!engine->on_curve_vt(&point), "y = p");
  memset(&point, 0, sizeof point);
  EXPECT(!engine->on_curve_vt(&point), "(0, 0)");
}

static void agrees_with_the_other_engines(void) {
  p256_point point = base;
  for (int i = 0; i < (test_long() ? 20000 : 3000); i++) {
    u256 k, u1;
    model_random_scalar(&k);
    model_random_scalar(&u1);
    p256_point multiple, product, sum, lifted;
    engine->mul_base(&multiple, &k);
    engine->mul(&product, &k, &point);
    bool finite = engine->mul2_vt(&sum, &u1, &k, &point);
    bool found = engine->lift_x_vt(&lifted, &u1, true);
    const p256_engine *other;
    bool usable;
    for (size_t j = 0; (other = sm_p256_engine_list(j, &usable)) != NULL; j++) {
      if (!usable || other == engine) {
        continue;
      }
      p256_point result;
      other->mul_base(&result, &k);
      EXPECT(same_point(&result, &multiple), "k*G, %s", other->name);
      other->mul(&result, &k, &point);
      EXPECT(same_point(&result, &product), "k*P, %s", other->name);
      EXPECT(other->mul2_vt(&result, &u1, &k, &point) == finite, "%s", other->name);
      EXPECT(same_point(&result, &sum), "u1*G + u2*P, %s", other->name);
      EXPECT(other->lift_x_vt(&result, &u1, true) == found, "%s", other->name);
      EXPECT(same_point(&result, &lifted), "lifting, %s", other->name);
    }
    point = product;
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  model_begin();
  model_mul2(&base, &one, NULL, NULL);
  bool usable;
  for (size_t i = 0; (engine = sm_p256_engine_list(i, &usable)) != NULL; i++) {
    printf("engine %s%s\n", engine->name, usable ? "" : ": not usable here");
    if (usable) {
      RUN(multiplies_the_base);
      RUN(multiplies_any_point);
      RUN(joins_scalars_whose_sums_meet);
      RUN(joins_random_scalars);
      RUN(compares_x_mod_n);
      RUN(lifts_every_x_that_has_a_point);
      RUN(lifts_no_x_from_p_up);
      RUN(knows_points_on_the_curve);
    }
  }
  engine = &sm_p256_engine_u32;
  RUN(agrees_with_the_other_engines);
  return test_end();
}
