/* Sums of many points, in each body that runs here: rows of random points and of points
 * whose images in the domain are at the edges of a word or of p.  Expected values are
 * libcrypto's; a row is read by fold_vt, which is compared by itself as well. */
#include "../group/model.h"
#include "base/cpu.h"
#include "lanes/lanes_p256.h"

#include <openssl/obj_mac.h>
#include <stdlib.h>
#include <string.h>

enum {
  POINTS = 512,                           /* known points; their rows are 1 to POINTS */
  ROWS = POINTS + 1 + 2 * SUMS_P256_PASS, /* and those of sums */
  GUARD = 0xAA,
};

static const u256 zero;
static EC_GROUP *group;
static BN_CTX *ctx;
static p256_point points[POINTS + 1];
static p256_row rows[ROWS], before[ROWS];
static _Alignas(64) uint64_t words[SUMS_P256_WORDS(SUMS_P256_PASS)];

static const p256_lanes *body(int i) {
  const p256_lanes *bodies[4] = {&sm_p256_lanes_plain};
#ifdef P256_LANES_X86
  if (sm_cpu_features()->avx512 && sm_cpu_features()->ifma) {
    bodies[1] = &sm_p256_lanes_avx512;
    bodies[2] = &sm_p256_lanes_ifma256;
  }
#endif
  return bodies[i];
}

#define EACH_BODY(lanes_)                                                                \
  for (int body_ = 0; body_ < 3; body_++)                                                \
    for (const p256_lanes *lanes_ = body(body_); lanes_ != NULL; lanes_ = NULL)

/* --- the model --- */

static void must(int ok) {
  if (ok != 1) {
    fprintf(stderr, "libcrypto failed\n");
    abort();
  }
}

static EC_POINT *infinity(void) {
  return EC_POINT_new(group);
}

/* sum += minus ? -a : a */
static void model_add(EC_POINT *sum, const p256_point *a, bool minus) {
  EC_POINT *point = EC_POINT_new(group);
  BIGNUM *x = BN_new(), *y = BN_new();
  bn_from_u256(x, &a->x);
  bn_from_u256(y, &a->y);
  must(EC_POINT_set_affine_coordinates(group, point, x, y, ctx));
  if (minus) {
    must(EC_POINT_invert(group, point, ctx));
  }
  must(EC_POINT_add(group, sum, sum, point, ctx));
  BN_free(x);
  BN_free(y);
  EC_POINT_free(point);
}

/* Frees the sum; false if it is infinity. */
static bool model_end(p256_point *out, EC_POINT *sum) {
  const bool finite = !EC_POINT_is_at_infinity(group, sum);
  memset(out, 0, sizeof *out);
  if (finite) {
    BIGNUM *x = BN_new(), *y = BN_new();
    must(EC_POINT_get_affine_coordinates(group, sum, x, y, ctx));
    out->x = u256_from_bn(x);
    out->y = u256_from_bn(y);
    BN_free(x);
    BN_free(y);
  }
  EC_POINT_free(sum);
  return finite;
}

static bool model_sum(p256_point *out, const p256_point *a, const p256_point *b,
                      bool minus) {
  EC_POINT *sum = infinity();
  model_add(sum, a, false);
  model_add(sum, b, minus);
  return model_end(out, sum);
}

/* x = X/Z^2 and y = Y/Z^3, and all of them are below p? */
static bool is_image(const p256_jacobian *a, const p256_point *point) {
  BIGNUM *x = BN_new(), *y = BN_new(), *z = BN_new(), *p = BN_new();
  bn_from_u256(x, &point->x);
  bn_from_u256(y, &point->y);
  bn_from_u256(z, &a->z);
  bn_from_u256(p, &model_p);
  must(BN_mod_mul(x, x, z, p, ctx));
  must(BN_mod_mul(x, x, z, p, ctx));
  for (int i = 0; i < 3; i++) {
    must(BN_mod_mul(y, y, z, p, ctx));
  }
  const u256 wanted_x = u256_from_bn(x), wanted_y = u256_from_bn(y);
  BN_free(x);
  BN_free(y);
  BN_free(z);
  BN_free(p);
  return u256_below(&a->z, &model_p) && u256_equal(&a->x, &wanted_x) &&
         u256_equal(&a->y, &wanted_y);
}

/* --- known points --- */

/* The point whose x or y is 2^-260 times the image, or near it. */
static void point_of_image(p256_point *out, const u256 *image) {
  BIGNUM *x = BN_new(), *r = BN_new(), *p = BN_new();
  bn_from_u256(p, &model_p);
  bn_from_u256(x, image);
  must(BN_set_bit(r, 260));
  must(BN_nnmod(r, r, p, ctx));
  must(BN_mod_inverse(r, r, p, ctx) != NULL);
  must(BN_mod_mul(x, x, r, p, ctx));
  for (;;) {
    const u256 value = u256_from_bn(x);
    if (model_lift_x(out, &value, (test_random_u64() & 1) != 0)) {
      break;
    }
    must(BN_mod_add(x, x, r, p, ctx));
  }
  BN_free(x);
  BN_free(r);
  BN_free(p);
}

static void make_points(void) {
  u256 edges[EDGES_MAX];
  const int edge_count = edge_values(edges, &model_p, &model_p);
  for (int i = 1; i <= POINTS; i++) {
    if (i % 2 == 0) {
      point_of_image(&points[i], &edges[test_random_u64() % (uint64_t)edge_count]);
    } else {
      u256 k;
      model_random_scalar(&k);
      (void)model_mul2(&points[i], &k, NULL, NULL);
    }
    for (int j = 1; j < i; j++) {
      if (u256_equal(&points[i].x, &points[j].x)) {
        i--; /* another one */
        break;
      }
    }
  }
}

static uint32_t any_point(void) {
  return 1 + (uint32_t)(test_random_u64() % POINTS);
}

static void load(const p256_sums *sums) {
  static uint8_t on_curve[POINTS];
  memset(rows, GUARD, sizeof rows);
  sums->load_vt(rows + 1, on_curve, points + 1, POINTS);
  for (int i = 0; i < POINTS; i++) {
    EXPECT(on_curve[i] == 1, "point %d", i);
  }
}

/* --- reading rows --- */

/* The points of rows, eight at a time: the lowest bit of each eighth is not doubled. */
static void expect_rows(const p256_lanes *lanes, const uint32_t *at,
                        const p256_point *wanted, size_t count, const char *what) {
  p256_jacobian parts[SUMS_P256_BITS];
  for (size_t first = 0; first < count; first += 8) {
    p256_ref bits[SUMS_P256_BITS] = {0};
    for (size_t l = 0; l < 8 && first + l < count; l++) {
      bits[32 * l] = at[first + l] << 1;
    }
    EXPECT(lanes->sums.fold_vt(parts, rows, bits) == 8, "%s: parts", lanes->name);
    for (size_t l = 0; l < 8 && first + l < count; l++) {
      EXPECT(!u256_equal(&parts[l].z, &zero) && is_image(&parts[l], &wanted[first + l]),
             "%s: %s: %zu of %zu", lanes->name, what, first + l, count);
    }
  }
}

/* --- tests --- */

static void points_are_loaded_and_judged(void) {
  enum { MOST = 20 };
  p256_point in[MOST];
  uint8_t wanted[MOST];
  /* A point whose y is 1, and one of small x: plus p they are 256-bit integers as well.
   */
  const p256_point small_y = {
      {{UINT64_C(0x57f879ce5a8a73cc), UINT64_C(0x5fcc40a3067d6010),
        UINT64_C(0x9e2e2ecd611b282e), UINT64_C(0x6916fac45e568b6b)}},
      {{1}}};
  p256_point small_x;
  u256 x = {{5}};
  while (!model_lift_x(&small_x, &x, false)) {
    x.v[0]++;
  }
  for (int i = 0; i < MOST; i++) {
    in[i] = points[any_point()];
    wanted[i] = 0;
    switch (i) {
    case 1:
      in[i].x.v[0] ^= 1;
      break;
    case 2:
      in[i].y.v[3] ^= UINT64_C(1) << 63;
      break;
    case 3:
      in[i] = small_x;
      (void)u256_add(&in[i].x, &in[i].x, &model_p);
      break;
    case 4:
      in[i] = small_y;
      (void)u256_add(&in[i].y, &in[i].y, &model_p);
      break;
    case 5:
      in[i] = (p256_point){{{0}}, {{0}}};
      break;
    case 6:
      memset(&in[i], 0xFF, sizeof in[i]);
      break;
    case 7:
      in[i].y = model_p;
      break;
    case 8:
      in[i].x = model_p;
      break;
    case 9:
      in[i] = small_x;
      wanted[i] = 1;
      break;
    case 10:
      in[i] = small_y;
      wanted[i] = 1;
      break;
    default:
      wanted[i] = 1;
      break;
    }
  }
  EACH_BODY(lanes) {
    for (size_t count = 0; count <= MOST; count++) {
      uint8_t got[MOST + 1];
      memset(got, GUARD, sizeof got);
      memset(rows, GUARD, sizeof rows);
      memcpy(before, rows, sizeof rows);
      lanes->sums.load_vt(rows + 1, got, in, count);
      for (size_t i = 0; i < count; i++) {
        const uint32_t row = (uint32_t)i + 1;
        EXPECT(got[i] == wanted[i], "%s: point %zu of %zu", lanes->name, i, count);
        if (wanted[i] != 0) {
          expect_rows(lanes, &row, &in[i], 1, "loaded");
        }
      }
      EXPECT(got[count] == GUARD &&
                 memcmp(rows + 1 + count, before + 1 + count, sizeof rows[0]) == 0,
             "%s: writes past %zu", lanes->name, count);
    }
  }
}

/* Pairs of different points, each read once if it is written; what they become. */
static void make_pairs(p256_pair *pairs, p256_point *wanted, size_t count) {
  bool used[POINTS + 1] = {false}, written[POINTS + 1] = {false};
  for (size_t i = 0; i < count; i++) {
    p256_pair *pair = &pairs[i];
    do {
      pair->a = any_point();
      pair->b = any_point();
    } while (pair->a == pair->b || written[pair->a] || written[pair->b]);
    pair->minus = (uint32_t)(test_random_u64() & 1);
    pair->to = (uint32_t)(POINTS + 1 + i);
    if (test_random_u64() % 4 == 0 && !used[pair->a]) {
      pair->to = pair->a;
    } else if (test_random_u64() % 4 == 0 && !used[pair->b]) {
      pair->to = pair->b;
    }
    used[pair->a] = used[pair->b] = true;
    if (pair->to <= POINTS) {
      written[pair->to] = true;
    }
    EXPECT(model_sum(&wanted[i], &points[pair->a], &points[pair->b], pair->minus != 0),
           "the model");
  }
}

/* All rows but those that pairs write are as they were. */
static void expect_others_unchanged(const p256_lanes *lanes, const p256_pair *pairs,
                                    size_t count) {
  for (size_t i = 0; i < count; i++) {
    before[pairs[i].to] = rows[pairs[i].to];
  }
  EXPECT(memcmp(rows, before, sizeof rows) == 0, "%s: another row is written",
         lanes->name);
}

static void pairs_are_added(void) {
  static p256_pair pairs[SUMS_P256_PASS];
  static p256_point wanted[SUMS_P256_PASS];
  static uint32_t at[SUMS_P256_PASS];
  static uint8_t infinite[SUMS_P256_PASS + 1];
  for (size_t count = 1; count <= SUMS_P256_PASS; count = count < 20   ? count + 1
                                                          : count < 32 ? count + 12
                                                                       : 4 * count) {
    make_pairs(pairs, wanted, count);
    for (size_t i = 0; i < count; i++) {
      at[i] = pairs[i].to;
    }
    EACH_BODY(lanes) {
      load(&lanes->sums);
      memcpy(before, rows, sizeof rows);
      EXPECT(lanes->sums.add_vt(rows, pairs, count, words), "%s: refused", lanes->name);
      expect_rows(lanes, at, wanted, count, "a sum");
      expect_others_unchanged(lanes, pairs, count);
      load(&lanes->sums);
      memcpy(before, rows, sizeof rows);
      memset(infinite, GUARD, sizeof infinite);
      lanes->sums.add_any_vt(rows, infinite, pairs, count, words);
      expect_rows(lanes, at, wanted, count, "a sum of any points");
      expect_others_unchanged(lanes, pairs, count);
      EXPECT(test_all_zero(infinite, count) && infinite[count] == GUARD, "%s: infinite",
             lanes->name);
    }
  }
}

/* Sums of sums: rows that were written are read by the next pass. */
static void sums_are_added(void) {
  static p256_point wanted[POINTS + 1];
  EACH_BODY(lanes) {
    size_t count = POINTS / 2;
    load(&lanes->sums);
    memcpy(wanted, points, sizeof points);
    for (; count >= 1; count /= 2) {
      p256_pair pairs[POINTS / 2];
      uint32_t at[POINTS / 2];
      for (size_t i = 0; i < count; i++) {
        const uint32_t a = (uint32_t)i + 1, b = (uint32_t)(i + count) + 1;
        pairs[i] = (p256_pair){b, a, a, (uint32_t)(test_random_u64() & 1)};
        at[i] = a;
        EXPECT(model_sum(&wanted[a], &wanted[b], &wanted[a], pairs[i].minus != 0),
               "the model");
      }
      EXPECT(lanes->sums.add_vt(rows, pairs, count, words), "%s: refused", lanes->name);
      expect_rows(lanes, at, wanted + 1, count, "a sum of sums");
    }
  }
}

/* One pair of equal or opposite points spoils a pass, wherever it stands. */
static void equal_and_opposite_points_are_refused(void) {
  enum { MOST = 40 };
  p256_pair pairs[MOST];
  p256_point wanted[MOST];
  make_pairs(pairs, wanted, MOST);
  EACH_BODY(lanes) {
    load(&lanes->sums);
    const uint32_t negated = ROWS - 1;
    p256_point minus = points[1];
    uint8_t on_curve;
    model_negate(&minus, &minus);
    lanes->sums.load_vt(rows + negated, &on_curve, &minus, 1);
    memcpy(before, rows, sizeof rows);
    for (size_t count = 1; count <= MOST; count = count < 10 ? count + 1 : 2 * count) {
      for (size_t i = 0; i < count; i++) {
        const p256_pair kept = pairs[i];
        const uint32_t other = i % 2 == 0 ? 1 : negated;
        pairs[i] = (p256_pair){1, other, kept.to, (uint32_t)(i / 2 % 2)};
        EXPECT(!lanes->sums.add_vt(rows, pairs, count, words), "%s: %zu of %zu",
               lanes->name, i, count);
        EXPECT(memcmp(rows, before, sizeof rows) == 0, "%s: a row is written",
               lanes->name);
        pairs[i] = kept;
      }
    }
  }
}

/* Equal, opposite and other points mixed, all of them written to rows of their own. */
static void any_points_are_added(void) {
  static p256_pair pairs[SUMS_P256_PASS];
  static p256_point wanted[SUMS_P256_PASS];
  static bool finite[SUMS_P256_PASS];
  static uint8_t infinite[SUMS_P256_PASS + 1];
  for (size_t count = 1; count <= SUMS_P256_PASS;
       count = count < 20 ? count + 1 : 4 * count) {
    const uint64_t equal_in = 1 + test_random_u64() % 4;
    for (size_t i = 0; i < count; i++) {
      const uint32_t a = any_point(),
                     b = test_random_u64() % equal_in == 0 ? a : any_point();
      pairs[i] = (p256_pair){a, b, (uint32_t)(POINTS + 1 + i),
                             (uint32_t)(test_random_u64() & 1)};
      finite[i] = model_sum(&wanted[i], &points[a], &points[b], pairs[i].minus != 0);
    }
    EACH_BODY(lanes) {
      load(&lanes->sums);
      memcpy(before, rows, sizeof rows);
      memset(infinite, GUARD, sizeof infinite);
      lanes->sums.add_any_vt(rows, infinite, pairs, count, words);
      for (size_t i = 0; i < count; i++) {
        EXPECT(infinite[i] == (finite[i] ? 0 : 1), "%s: %zu of %zu", lanes->name, i,
               count);
        if (finite[i]) {
          expect_rows(lanes, &pairs[i].to, &wanted[i], 1, "a sum of any points");
        }
      }
      EXPECT(infinite[count] == GUARD, "%s: writes past %zu", lanes->name, count);
      expect_others_unchanged(lanes, pairs, count);
    }
  }
}

/* --- folding --- */

/* The parts are the sums of their stretches of bits. */
static void expect_fold(const p256_lanes *lanes, const p256_ref *bits, size_t count,
                        const char *what) {
  static p256_jacobian parts[SUMS_P256_BITS];
  memset(parts, GUARD, sizeof parts);
  const size_t got = lanes->sums.fold_vt(parts, rows, bits);
  if (!EXPECT(got == count, "%s: %s: %zu parts, not %zu", lanes->name, what, got,
              count)) {
    return;
  }
  const size_t length = SUMS_P256_BITS / count;
  for (size_t i = 0; i < count; i++) {
    EC_POINT *sum = infinity();
    p256_point wanted;
    for (size_t j = length; j-- > 0;) {
      const p256_ref ref = bits[length * i + j];
      must(EC_POINT_dbl(group, sum, sum, ctx));
      if (ref != 0) {
        model_add(sum, &points[ref >> 1], (ref & 1) != 0);
      }
    }
    if (model_end(&wanted, sum)) {
      EXPECT(!u256_equal(&parts[i].z, &zero) && is_image(&parts[i], &wanted),
             "%s: %s: part %zu of %zu", lanes->name, what, i, count);
    } else {
      EXPECT(u256_equal(&parts[i].z, &zero), "%s: %s: part %zu is infinity", lanes->name,
             what, i);
    }
  }
}

static void bits_are_folded(void) {
  EACH_BODY(lanes) {
    p256_ref bits[SUMS_P256_BITS] = {0};
    load(&lanes->sums);
    expect_fold(lanes, bits, 8, "nothing");
    for (int i = 0; i < SUMS_P256_BITS; i += test_long() ? 1 : 5) {
      memset(bits, 0, sizeof bits);
      bits[i] = any_point() << 1 | (p256_ref)(i & 1);
      expect_fold(lanes, bits, 8, "one point");
    }
    for (int round = 0; round < 20; round++) {
      const uint64_t present = 1 + (uint64_t)round % 5;
      for (int i = 0; i < SUMS_P256_BITS; i++) {
        bits[i] = test_random_u64() % 5 < present
                      ? any_point() << 1 | (p256_ref)(test_random_u64() & 1)
                      : 0;
      }
      expect_fold(lanes, bits, 8, "random points");
    }
  }
}

/* A point doubled and added to itself, and one that meets its opposite, in each lane. */
static void exceptional_folds_are_given_whole(void) {
  EACH_BODY(lanes) {
    load(&lanes->sums);
    p256_point twice;
    const p256_point kept = points[2];
    uint8_t on_curve;
    EXPECT(model_sum(&twice, &points[1], &points[1], false), "the model");
    points[2] = twice;
    lanes->sums.load_vt(rows + 2, &on_curve, &twice, 1);
    for (int lane = 0; lane < 8; lane++) {
      for (int minus = 0; minus < 2; minus++) {
        for (int place = 0; place < 31; place += 10) {
          p256_ref bits[SUMS_P256_BITS] = {0};
          for (int i = 0; i < SUMS_P256_BITS; i += 3) {
            bits[i] = (3 + (p256_ref)i) << 1;
          }
          for (int i = 32 * lane; i < 32 * lane + 32; i++) {
            bits[i] = 0;
          }
          bits[32 * lane + place + 1] = 1 << 1;
          bits[32 * lane + place] = 2 << 1 | (p256_ref)minus;
          expect_fold(lanes, bits, SUMS_P256_BITS, "an exceptional sum");
        }
      }
    }
    points[2] = kept;
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  model_begin();
  group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  ctx = BN_CTX_new();
  make_points();
  if (body(1) == NULL) {
    printf("note: this machine runs the plain body alone\n");
  }
  RUN(points_are_loaded_and_judged);
  RUN(pairs_are_added);
  RUN(sums_are_added);
  RUN(equal_and_opposite_points_are_refused);
  RUN(any_points_are_added);
  RUN(bits_are_folded);
  RUN(exceptional_folds_are_given_whole);
  EC_GROUP_free(group);
  BN_CTX_free(ctx);
  return test_end();
}
