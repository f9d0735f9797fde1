/* Sums of many points by each engine, and the join of parts.  Expected values are
 * libcrypto's; a row is read by fold_vt, which gives each point as it is. */
#include "group/engine_p256.h"
#include "harness.h"
#include "model.h"
#include <string.h>

enum {
  POINTS = 60,                       /* their rows are 1 to POINTS, */
  TEMPORARY = POINTS + 1,            /* these are those of sums, */
  ROWS = TEMPORARY + SUMS_P256_PASS, /* and so many in all */
  GUARD = 0xAA
};

static const u256 zero = {{0}}, one = {{1}};
static const p256_engine *engine; /* the one under test */
static p256_point points[POINTS + 1];
static u256 logs[POINTS + 1]; /* points[i] = logs[i]*G */
static p256_row rows[ROWS], before[ROWS];
static _Alignas(64) uint64_t words[SUMS_P256_WORDS(SUMS_P256_PASS)];
static p256_pair pairs[SUMS_P256_PASS];

static bool same_point(const p256_point *a, const p256_point *b) {
  return u256_equal(&a->x, &b->x) && u256_equal(&a->y, &b->y);
}

static u256 negated(const u256 *a) {
  u256 out;
  u256_sub(&out, &model_n, a);
  return u256_zero_mask(a) ? zero : out;
}

/* Points 2 and 3 are opposite, 4 and 5 equal. */
static void make_points(void) {
  for (int i = 1; i <= POINTS; i++) {
    model_random_scalar(&logs[i]);
    if (i == 3) {
      logs[i] = negated(&logs[2]);
    } else if (i == 5) {
      logs[i] = logs[4];
    }
    (void)model_mul2(&points[i], &logs[i], NULL, NULL);
  }
}

static void load(void) {
  uint8_t on_curve[POINTS];
  memset(rows, GUARD, sizeof rows);
  engine->sums.load_vt(rows + 1, on_curve, points + 1, POINTS);
  for (int i = 0; i < POINTS; i++) {
    EXPECT(on_curve[i] == 1, "point %d", i + 1);
  }
  memcpy(before, rows, sizeof rows);
}

/* rows[a] + (minus ? -rows[b] : rows[b]) as libcrypto has it; false for infinity. */
static bool expected_sum(p256_point *out, const p256_pair *pair) {
  const u256 b = pair->minus ? negated(&logs[pair->b]) : logs[pair->b];
  u256 log;
  model_scalar_mul_add(&log, &logs[pair->a], &one, &b);
  return !u256_zero_mask(&log) && model_mul2(out, &log, NULL, NULL);
}

static void expect_row(uint32_t row, bool minus, const p256_point *expected,
                       const char *what) {
  static p256_jacobian parts[SUMS_P256_BITS];
  p256_ref bits[SUMS_P256_BITS] = {0};
  const int bit = (int)(test_random_u64() % SUMS_P256_BITS);
  bits[bit] = row << 1 | minus;
  EXPECT(engine->sums.fold_vt(parts, rows, bits) == SUMS_P256_BITS, "parts");
  for (int i = 0; i < SUMS_P256_BITS; i++) {
    const p256_point point = {parts[i].x, parts[i].y};
    p256_point wanted = *expected;
    if (minus) {
      model_negate(&wanted, &wanted);
    }
    if (i != bit) {
      EXPECT(u256_zero_mask(&parts[i].z), "%s: bit %d", what, i);
    } else {
      EXPECT(u256_equal(&parts[i].z, &one) && same_point(&point, &wanted), "%s", what);
    }
  }
}

static uint32_t any_row(uint32_t least) {
  return least + (uint32_t)(test_random_u64() % (POINTS + 1 - least));
}

/* Pairs with sums in rows of their own, or in the place of a or b where no other pair
 * reads it. */
static void make_pairs(size_t count, bool any) {
  bool read[POINTS + 1] = {false};
  for (size_t i = 0; i < count; i++) {
    p256_pair *pair = &pairs[i];
    /* What was written stays away from other pairs. */
    const bool in_place = count <= 4 && test_random_u64() % 2 == 0;
    do {
      pair->a = any_row(any ? 1 : 6);
      pair->b = any_row(any ? 1 : 6);
    } while ((!any && pair->a == pair->b) || read[pair->a] || read[pair->b]);
    pair->minus = (uint32_t)(test_random_u64() % 2);
    pair->to = TEMPORARY + (uint32_t)i;
    if (in_place) {
      pair->to = test_random_u64() % 2 == 0 ? pair->a : pair->b;
      read[pair->a] = read[pair->b] = true;
    } else if (count <= 4) {
      read[pair->a] = read[pair->b] = true;
    }
  }
}

/* Rows that no pair writes are as before. */
static void expect_others_unchanged(size_t count) {
  for (size_t i = 0; i < count; i++) {
    before[pairs[i].to] = rows[pairs[i].to];
  }
  EXPECT(memcmp(before, rows, sizeof rows) == 0, "another row was written");
}

static void points_are_loaded_and_judged(void) {
  enum { COUNT = 8 };
  p256_point in[COUNT];
  uint8_t on_curve[COUNT + 1];
  memcpy(in, points + 1, sizeof in);
  in[1].x.v[0] ^= 1;
  in[2].y.v[3] ^= 1;
  in[4] = (p256_point){zero, zero};
  in[5].x = model_p;
  u256_add(&in[6].y, &in[6].y, &model_p); /* its y plus p, or past 2^256 */
  memset(rows, GUARD, sizeof rows);
  memcpy(before, rows, sizeof rows);
  on_curve[COUNT] = GUARD;
  engine->sums.load_vt(rows + 1, on_curve, in, COUNT);
  for (size_t i = 0; i < COUNT; i++) {
    EXPECT(on_curve[i] == (i == 0 || i == 3 || i == 7), "point %zu", i);
    if (on_curve[i]) {
      expect_row((uint32_t)i + 1, i % 2 == 0, &in[i], "a loaded point");
    }
  }
  EXPECT(on_curve[COUNT] == GUARD, "a verdict too many");
  EXPECT(memcmp(before + 1 + COUNT, rows + 1 + COUNT,
                (ROWS - 1 - COUNT) * sizeof rows[0]) == 0,
         "another row was written");
}

static void pairs_are_added(void) {
  static const size_t counts[] = {1, 1, 1, 1, 2, 2, 3, 4, 4, 4, 17, 100, SUMS_P256_PASS};
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
    load();
    make_pairs(counts[c], false);
    EXPECT(engine->sums.add_vt(rows, pairs, counts[c], words), "%zu pairs", counts[c]);
    for (size_t i = 0; i<counts[c]; i += counts[c]> 100 ? 37 : 1) {
      p256_point expected;
      EXPECT(expected_sum(&expected, &pairs[i]), "libcrypto");
      expect_row(pairs[i].to, i % 2 == 0, &expected, "a sum");
    }
    expect_others_unchanged(counts[c]);
  }
}

/* Sums of sums: ((1 + 2) + 3) + ..., beginning at 6. */
static void sums_are_added(void) {
  u256 log = logs[6];
  p256_point expected;
  load();
  for (uint32_t i = 7; i <= POINTS; i++) {
    pairs[0] = (p256_pair){.a = i == 7 ? 6 : TEMPORARY, .b = i, .to = TEMPORARY};
    EXPECT(engine->sums.add_vt(rows, pairs, 1, words), "point %u", i);
    model_scalar_mul_add(&log, &logs[i], &one, &log);
  }
  EXPECT(model_mul2(&expected, &log, NULL, NULL), "libcrypto");
  expect_row(TEMPORARY, false, &expected, "the last sum");
}

static void equal_and_opposite_points_are_refused(void) {
  static const p256_pair wrong[] = {{2, 3, TEMPORARY, 0}, {2, 3, TEMPORARY, 1},
                                    {4, 5, TEMPORARY, 0}, {4, 5, TEMPORARY, 1},
                                    {7, 7, TEMPORARY, 0}, {7, 7, TEMPORARY, 1}};
  enum { COUNT = 19 };
  load();
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    for (size_t at = 0; at < COUNT; at++) {
      make_pairs(COUNT, false);
      const uint32_t to = pairs[at].to;
      pairs[at] = wrong[k];
      pairs[at].to = to;
      EXPECT(!engine->sums.add_vt(rows, pairs, COUNT, words), "kind %zu at %zu", k, at);
      EXPECT(memcmp(before, rows, sizeof rows) == 0, "a row has changed");
    }
  }
}

static void any_points_are_added(void) {
  static uint8_t infinite[SUMS_P256_PASS + 1];
  static const size_t counts[] = {1, 2, 3, 4, 64, SUMS_P256_PASS};
  size_t doubled = 0, cancelled = 0;
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
    const size_t count = counts[c];
    load();
    make_pairs(count, true);
    memset(infinite, GUARD, sizeof infinite);
    engine->sums.add_any_vt(rows, infinite, pairs, count, words);
    for (size_t i = 0; i < count; i++) {
      p256_point expected;
      const bool finite = expected_sum(&expected, &pairs[i]);
      EXPECT(infinite[i] == (finite ? 0 : 1), "%u and %u, %u", pairs[i].a, pairs[i].b,
             pairs[i].minus);
      const bool same = same_point(&points[pairs[i].a], &points[pairs[i].b]);
      doubled += same && finite;
      cancelled += !finite;
      if (finite && (same || i % 37 == 0)) {
        expect_row(pairs[i].to, false, &expected, "a sum of any points");
      }
    }
    EXPECT(infinite[count] == GUARD, "a verdict too many");
    expect_others_unchanged(count);
  }
  EXPECT(doubled > 0 && cancelled > 0, "the cases are there");
}

/* What the parts say, and how libcrypto has it. */
static void expect_join(const p256_jacobian *parts, const u256 *part_logs, size_t count,
                        int shift) {
  u256 log = zero, step = zero;
  step.v[shift / 64] = UINT64_C(1) << shift % 64;
  for (size_t i = count; i-- > 0;) {
    model_scalar_mul_add(&log, &log, &step, &part_logs[i]);
  }
  p256_point got, expected = {zero, zero};
  const bool finite = !u256_zero_mask(&log) && model_mul2(&expected, &log, NULL, NULL);
  memset(&got, GUARD, sizeof got);
  EXPECT(engine->join_vt(&got, parts, count, shift) == finite, "%zu parts by %d", count,
         shift);
  EXPECT(same_point(&got, &expected), "%zu parts by %d", count, shift);
}

/* The point as X, Y, Z with a random Z, or Z = 1. */
static void set_part(p256_jacobian *out, const p256_point *a, bool scaled) {
  *out = (p256_jacobian){a->x, a->y, one};
  if (scaled) {
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *x = BN_new(), *y = BN_new(), *z = BN_new(), *p = BN_new();
    u256 random;
    model_random_scalar(&random);
    bn_from_u256(x, &a->x);
    bn_from_u256(y, &a->y);
    bn_from_u256(z, &random);
    bn_from_u256(p, &model_p);
    BN_nnmod(z, z, p, ctx);
    out->z = u256_from_bn(z);
    for (int i = 0; i < 3; i++) {
      BN_mod_mul(y, y, z, p, ctx);
      if (i < 2) {
        BN_mod_mul(x, x, z, p, ctx);
      }
    }
    out->x = u256_from_bn(x);
    out->y = u256_from_bn(y);
    BN_free(x);
    BN_free(y);
    BN_free(z);
    BN_free(p);
    BN_CTX_free(ctx);
  }
}

static void parts_are_joined(void) {
  static p256_jacobian parts[SUMS_P256_BITS];
  static u256 part_logs[SUMS_P256_BITS];
  static const int shifts[] = {32, 1, 0, 7};
  for (int round = 0; round < 40; round++) {
    const size_t count = round < 12    ? (size_t)round
                         : round == 12 ? SUMS_P256_BITS
                                       : (size_t)(test_random_u64() % 9);
    for (size_t i = 0; i < count; i++) {
      /* Few points, so that sums meet their like, and infinities. */
      const uint32_t at = (uint32_t)(test_random_u64() % (round % 2 == 0 ? 7 : POINTS));
      if (at == 0) {
        memset(&parts[i], 0, sizeof parts[i]);
        part_logs[i] = zero;
      } else {
        set_part(&parts[i], &points[at], test_random_u64() % 2 == 0);
        part_logs[i] = logs[at];
      }
    }
    expect_join(parts, part_logs, count, shifts[round % 4]);
  }
  /* P + P, P - P, 2P - 2P, 2P + 2P: the last two where doublings go before. */
  for (int scaled = 0; scaled < 2; scaled++) {
    const uint32_t second[] = {2, 3};
    for (int k = 0; k < 2; k++) {
      set_part(&parts[1], &points[2], scaled != 0);
      set_part(&parts[0], &points[second[k]], scaled != 0);
      part_logs[1] = logs[2];
      part_logs[0] = logs[second[k]];
      expect_join(parts, part_logs, 2, 0);
      model_scalar_mul_add(&part_logs[0], &part_logs[0], &one, &part_logs[0]);
      p256_point twice;
      EXPECT(model_mul2(&twice, &part_logs[0], NULL, NULL), "libcrypto");
      set_part(&parts[0], &twice, scaled != 0);
      expect_join(parts, part_logs, 2, 1);
    }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  model_begin();
  make_points();
  bool usable;
  for (size_t i = 0; (engine = sm_p256_engine_list(i, &usable)) != NULL; i++) {
    printf("engine %s%s\n", engine->name, usable ? "" : ": not usable here");
    if (usable) {
      RUN(points_are_loaded_and_judged);
      RUN(pairs_are_added);
      RUN(sums_are_added);
      RUN(equal_and_opposite_points_are_refused);
      RUN(any_points_are_added);
      RUN(parts_are_joined);
    }
  }
  return test_end();
}
