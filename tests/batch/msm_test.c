/* Multiscalar multiplication under each backend.  Points are multiples of G by scalars
 * that are kept, so that the sum is one multiple of G, which libcrypto computes. */
#include "batch/msm_p256.h"

#include "../group/model.h"
#include "scheme/agreement.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 4097, GUARD = 0xA5, GUARD_BYTES = 64 };

static const u256 zero = {{0}}, one = {{1}};

/* Terms: points[i] = log[i]*G; the first short_count times short_scalar[i], the others
 * times long_scalar[i]. */
static p256_point points[MOST];
static u256 logs[MOST], long_scalar[MOST];
static i128 short_scalar[MOST];

static u256 negated(const u256 *a) {
  u256 out;
  u256_sub(&out, &model_n, a);
  return u256_zero_mask(a) ? zero : out;
}

static void set_point(size_t i, const u256 *log) {
  logs[i] = *log;
  EXPECT(model_mul2(&points[i], log, NULL, NULL), "libcrypto");
}

static void random_points(size_t count) {
  for (size_t i = 0; i < count; i++) {
    u256 log;
    model_random_scalar(&log);
    set_point(i, &log);
  }
}

static u256 mod_n(const i128 *a) {
  const bool minus = (a->v[1] >> 63) != 0;
  u256 out = {{a->v[0], a->v[1]}};
  if (minus) {
    const u256 all = {{0, 0, 1}};
    u256_sub(&out, &all, &out);
  }
  return minus ? negated(&out) : out;
}

static i128 small(int64_t a) {
  return (i128){{(uint64_t)a, a < 0 ? UINT64_MAX : 0}};
}

static i128 random_i128(void) {
  return (i128){{test_random_u64(), test_random_u64()}};
}

static u256 power(int exponent, int64_t plus) {
  u256 out = zero;
  const u256 add = {{(uint64_t)(plus < 0 ? -plus : plus)}};
  out.v[exponent / 64] = UINT64_C(1) << exponent % 64;
  if (plus < 0) {
    u256_sub(&out, &out, &add);
  } else {
    u256_add(&out, &out, &add);
  }
  return out;
}

static void random_scalars(size_t count) {
  for (size_t i = 0; i < count; i++) {
    short_scalar[i] = random_i128();
    model_random_scalar(&long_scalar[i]);
  }
}

/* The sum of the first count terms as libcrypto has it. */
static bool expected_sum(p256_point *out, size_t short_count, size_t count) {
  u256 sum = zero;
  for (size_t i = 0; i < count; i++) {
    const u256 k = i < short_count ? mod_n(&short_scalar[i]) : long_scalar[i];
    model_scalar_mul_add(&sum, &k, &logs[i], &sum);
  }
  memset(out, 0, sizeof *out);
  return !u256_zero_mask(&sum) && model_mul2(out, &sum, NULL, NULL);
}

/* A workspace, and bytes behind it that nobody may write. */
typedef struct {
  uint8_t *memory;
  size_t size;
  msm_p256 *msm;
} workspace;

static workspace open_workspace(size_t max_points) {
  workspace w = {.size = sm_msm_p256_size(max_points)};
  EXPECT(w.size % 64 == 0, "size %zu", w.size);
  w.memory = aligned_alloc(64, w.size + GUARD_BYTES);
  if (w.memory == NULL) {
    abort();
  }
  memset(w.memory, GUARD, w.size + GUARD_BYTES);
  w.msm = sm_msm_p256_init(w.memory, max_points);
  return w;
}

static void close_workspace(workspace *w) {
  for (size_t i = 0; i < GUARD_BYTES; i++) {
    EXPECT(w->memory[w->size + i] == GUARD, "byte %zu behind the workspace", i);
  }
  free(w->memory);
}

/* Loads the points in pieces. */
static void load(msm_p256 *msm, size_t count, size_t piece) {
  static uint8_t on_curve[MOST];
  sm_msm_p256_begin(msm);
  for (size_t first = 0; first < count; first += piece) {
    const size_t part = count - first < piece ? count - first : piece;
    EXPECT(sm_msm_p256_load_vt(msm, on_curve, points + first, part) == first + 1,
           "number of point %zu", first);
    for (size_t i = 0; i < part; i++) {
      EXPECT(on_curve[i] == 1, "point %zu", first + i);
    }
  }
}

/* The sum of the terms from `first` to count - 1, of which those below short_count are
 * short. */
static bool sum(p256_point *out, msm_p256 *msm, size_t short_count, size_t count) {
  static uint32_t number[MOST];
  for (size_t i = 0; i < count; i++) {
    number[i] = (uint32_t)i + 1;
  }
  const msm_p256_terms terms = {.short_count = short_count,
                                .long_count = count - short_count,
                                .short_point = number,
                                .long_point = number + short_count,
                                .short_scalar = short_scalar,
                                .long_scalar = long_scalar + short_count};
  memset(out, GUARD, sizeof *out);
  return sm_msm_p256_sum_vt(out, msm, &terms);
}

static void expect_sum(msm_p256 *msm, size_t short_count, size_t count,
                       const char *what) {
  p256_point expected, got;
  const bool finite = expected_sum(&expected, short_count, count);
  EXPECT(sum(&got, msm, short_count, count) == finite, "%s: %zu short of %zu: infinity?",
         what, short_count, count);
  EXPECT(memcmp(&got, &expected, sizeof got) == 0, "%s: %zu short of %zu", what,
         short_count, count);
}

/* In a workspace of just that size. */
static void expect_sum_alone(size_t short_count, size_t count, const char *what) {
  workspace w = open_workspace(count);
  load(w.msm, count, 1 + test_random_u64() % (count + 1));
  expect_sum(w.msm, short_count, count, what);
  close_workspace(&w);
}

/* ---------------------------------------------------------------- tests */

static void any_count(void) {
  static const size_t more[] = {127, 128, 129, 130, 255, 1000, MOST};
  random_points(MOST);
  random_scalars(MOST);
  for (size_t count = 0; count <= 70; count++) {
    expect_sum_alone(0, count, "all long");
    expect_sum_alone(count, count, "all short");
    expect_sum_alone(count / 2, count, "half");
    expect_sum_alone(test_random_u64() % (count + 1), count, "some");
  }
  for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
    expect_sum_alone(more[i] / 2, more[i], "half");
    if (more[i] <= 255 || test_long()) {
      expect_sum_alone(0, more[i], "all long");
      expect_sum_alone(more[i], more[i], "all short");
    }
  }
}

static void one_workspace_serves_many_sums(void) {
  enum { COUNT = 600 };
  workspace w = open_workspace(COUNT);
  for (int round = 0; round < 3; round++) {
    random_points(COUNT);
    load(w.msm, COUNT, 64);
    for (size_t count = 0; count <= COUNT; count = 2 * count + 1) {
      random_scalars(count);
      expect_sum(w.msm, test_random_u64() % (count + 1), count, "one of many");
    }
  }
  close_workspace(&w);
}

/* Terms name points in any order, and not all of them. */
static void terms_choose_points(void) {
  enum { COUNT = 100 };
  workspace w = open_workspace(COUNT);
  random_points(COUNT);
  random_scalars(COUNT);
  load(w.msm, COUNT, COUNT);
  for (size_t step = 1; step < COUNT; step += 6) { /* prime to COUNT or not */
    uint32_t number[COUNT];
    bool taken[COUNT] = {false};
    size_t count = 0;
    u256 log = zero;
    for (size_t at = step; !taken[at % COUNT]; at += step) {
      taken[at % COUNT] = true;
      number[count] = (uint32_t)(at % COUNT) + 1;
      const u256 k = count < 5 ? mod_n(&short_scalar[count]) : long_scalar[count];
      model_scalar_mul_add(&log, &k, &logs[at % COUNT], &log);
      count++;
    }
    const size_t shorts = count < 5 ? count : 5;
    const msm_p256_terms terms = {.short_count = shorts,
                                  .long_count = count - shorts,
                                  .short_point = number,
                                  .long_point = number + shorts,
                                  .short_scalar = short_scalar,
                                  .long_scalar = long_scalar + shorts};
    p256_point got, expected;
    EXPECT(model_mul2(&expected, &log, NULL, NULL), "libcrypto");
    EXPECT(sm_msm_p256_sum_vt(&got, w.msm, &terms), "step %zu: infinity", step);
    EXPECT(memcmp(&got, &expected, sizeof got) == 0, "step %zu", step);
  }
  close_workspace(&w);
}

static void points_off_the_curve_are_told(void) {
  enum { COUNT = 21 };
  p256_point wrong[COUNT];
  uint8_t on_curve[COUNT];
  workspace w = open_workspace(COUNT);
  random_points(COUNT);
  memcpy(wrong, points, sizeof wrong);
  for (size_t i = 0; i < COUNT; i += 3) {
    wrong[i].y.v[0] ^= 1;
  }
  EXPECT(sm_msm_p256_load_vt(w.msm, on_curve, wrong, COUNT) == 1, "first number");
  for (size_t i = 0; i < COUNT; i++) {
    EXPECT(on_curve[i] == (i % 3 != 0), "point %zu", i);
  }
  close_workspace(&w);
}

/* 0, +-1, +-2, ..., the largest and smallest, powers of two and their neighbours, digits
 * that are all 0, half or ones in windows of any width. */
static size_t edge_scalars(void) {
  size_t longs = 0, shorts = 0;
  for (int i = 0; i < 4; i++) {
    u256 k = {{(uint64_t)i}};
    long_scalar[longs++] = k;
    long_scalar[longs++] = negated(&k);
    short_scalar[shorts++] = small(i);
    short_scalar[shorts++] = small(-i);
  }
  for (int64_t i = -2; i <= 2; i++) { /* about n/2, and about 2^128 */
    u256 half = model_n;
    for (int j = 0; j < 4; j++) {
      half.v[j] = half.v[j] >> 1 | (j < 3 ? half.v[j + 1] << 63 : 0);
    }
    half.v[0] += (uint64_t)i;
    long_scalar[longs++] = half;
    long_scalar[longs++] = power(128, i);
    long_scalar[longs] = negated(&long_scalar[longs - 1]);
    longs++;
    long_scalar[longs++] = power(255, i);
  }
  short_scalar[shorts++] = (i128){{0, UINT64_C(1) << 63}};
  short_scalar[shorts++] = (i128){{1, UINT64_C(1) << 63}};
  short_scalar[shorts++] = (i128){{UINT64_MAX, UINT64_MAX >> 1}};
  short_scalar[shorts++] = (i128){{UINT64_MAX - 1, UINT64_MAX >> 1}};
  for (int bit = 1; bit < 255; bit += 3) {
    for (int64_t i = -1; i <= 1; i++) {
      long_scalar[longs++] = power(bit, i);
      if (bit < 127) {
        const u256 k = power(bit, i);
        short_scalar[shorts++] = (i128){{k.v[0], k.v[1]}};
      }
    }
  }
  for (int width = 1; width <= 16; width++) {
    for (int phase = 0; phase < 3; phase++) { /* the top bit, all but it, the lowest */
      u256 k = zero;
      for (int bit = 0; bit < 256; bit++) {
        const bool top = bit % width == width - 1, lowest = bit % width == 0;
        if (phase == 0 ? top : phase == 1 ? !top : lowest) {
          k.v[bit / 64] |= UINT64_C(1) << bit % 64;
        }
      }
      short_scalar[shorts++] = (i128){{k.v[0], k.v[1]}};
      model_scalar_mul_add(&long_scalar[longs++], &k, &one, &zero);
    }
  }
  while (shorts < longs) {
    short_scalar[shorts++] = random_i128();
  }
  return longs;
}

static void edge_scalars_alone_and_together(void) {
  const size_t count = edge_scalars();
  random_points(count);
  workspace w = open_workspace(count);
  load(w.msm, count, count);
  expect_sum(w.msm, 0, count, "long edges");
  expect_sum(w.msm, count, count, "short edges");
  expect_sum(w.msm, count / 3, count, "edges");
  sm_msm_p256_begin(w.msm);
  load(w.msm, 1, 1);
  for (size_t i = 0; i < count; i++) {
    const i128 short_kept = short_scalar[0];
    const u256 long_kept = long_scalar[0];
    short_scalar[0] = short_scalar[i];
    long_scalar[0] = long_scalar[i];
    expect_sum(w.msm, 0, 1, "a long edge");
    expect_sum(w.msm, 1, 1, "a short edge");
    short_scalar[0] = short_kept;
    long_scalar[0] = long_kept;
  }
  close_workspace(&w);
}

/* Points that meet their like in every bucket. */
static void equal_and_opposite_points(void) {
  enum { COUNT = 300 };
  u256 base[3] = {one}, minus;
  model_random_scalar(&base[1]);
  model_random_scalar(&base[2]);
  for (int kinds = 1; kinds <= 3; kinds++) {
    for (size_t i = 0; i < COUNT; i++) {
      const u256 *log = &base[i % (size_t)kinds];
      minus = negated(log);
      set_point(i, test_random_u64() % 2 == 0 ? log : &minus);
    }
    random_scalars(COUNT);
    for (size_t count = 1; count <= COUNT; count = count < 10 ? count + 1 : 2 * count) {
      expect_sum_alone(count / 2, count, "equal points");
    }
    for (size_t i = 0; i < COUNT; i++) { /* the same digits, too */
      short_scalar[i] = i % 2 == 0 ? short_scalar[0] : small(3);
      long_scalar[i] = i % 2 == 0 ? long_scalar[0] : negated(&long_scalar[0]);
    }
    expect_sum_alone(0, COUNT, "equal terms");
    expect_sum_alone(COUNT, COUNT, "equal terms");
    expect_sum_alone(COUNT / 2, COUNT, "equal terms");
  }
}

static void related_points(void) {
  enum { COUNT = 200 };
  for (size_t i = 0; i < COUNT; i++) {
    const u256 log = {{1 + i}};
    set_point(i, &log);
  }
  for (int round = 0; round < 4; round++) {
    for (size_t i = 0; i < COUNT; i++) {
      const int64_t k = (int64_t)(test_random_u64() % 17) - 8;
      const u256 magnitude = {{(uint64_t)(k < 0 ? -k : k)}};
      short_scalar[i] = small(round == 0 ? 1 : k);
      long_scalar[i] = round == 1 ? one : k < 0 ? negated(&magnitude) : magnitude;
    }
    expect_sum_alone(0, COUNT, "multiples of G");
    expect_sum_alone(COUNT, COUNT, "multiples of G");
    expect_sum_alone(COUNT / 2, COUNT, "multiples of G");
  }
  random_scalars(COUNT);
  expect_sum_alone(COUNT / 2, COUNT, "multiples of G");
}

/* Sums that are one point, whose x is 2^-260 times a small integer: in lanes that may
 * stand as it is or with p added. */
static void equal_sums_of_two_images(void) {
  enum { PAIRS = 24, COUNT = 2 * PAIRS + 1 };
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *r = BN_new(), *p = BN_new(), *x = BN_new();
  bn_from_u256(p, &model_p);
  BN_set_bit(r, 260);
  BN_nnmod(r, r, p, ctx);
  EXPECT(BN_mod_inverse(r, r, p, ctx) != NULL, "libcrypto");
  for (BN_ULONG image = 1; image < 20; image++) {
    p256_point point, expected, got;
    const u256 times = {{PAIRS + 1}};
    BN_copy(x, r);
    BN_mul_word(x, image);
    BN_nnmod(x, x, p, ctx);
    const u256 small_image = u256_from_bn(x);
    if (!model_lift_x(&point, &small_image, true)) {
      continue;
    }
    for (size_t i = 0; i < PAIRS; i++) { /* a and point - a */
      u256 a;
      model_random_scalar(&a);
      set_point(2 * i, &a);
      a = negated(&a);
      EXPECT(model_mul2(&points[2 * i + 1], &a, &one, &point), "libcrypto");
      short_scalar[2 * i] = short_scalar[2 * i + 1] = small(1);
      long_scalar[2 * i] = long_scalar[2 * i + 1] = one;
    }
    points[2 * PAIRS] = point; /* loaded, not summed */
    short_scalar[2 * PAIRS] = small(1);
    long_scalar[2 * PAIRS] = one;
    workspace w = open_workspace(COUNT);
    load(w.msm, COUNT, COUNT);
    EXPECT(model_mul2(&expected, NULL, &times, &point), "libcrypto");
    for (size_t short_count = 0; short_count <= COUNT; short_count += COUNT / 2) {
      EXPECT(sum(&got, w.msm, short_count, COUNT), "infinity");
      EXPECT(memcmp(&got, &expected, sizeof got) == 0, "image %d", (int)image);
    }
    close_workspace(&w);
  }
  BN_free(r);
  BN_free(p);
  BN_free(x);
  BN_CTX_free(ctx);
}

static void sums_that_are_infinity(void) {
  enum { COUNT = 260 };
  for (size_t count = 2; count <= COUNT; count = count < 12 ? count + 1 : 2 * count - 7) {
    p256_point got;
    workspace w = open_workspace(count);
    /* The last term cancels the others. */
    random_points(count);
    random_scalars(count);
    u256 rest = zero, inverse;
    const size_t shorts = test_random_u64() % count;
    for (size_t i = 0; i < count - 1; i++) {
      const u256 k = i < shorts ? mod_n(&short_scalar[i]) : long_scalar[i];
      model_scalar_mul_add(&rest, &k, &logs[i], &rest);
    }
    rest = negated(&rest);
    model_scalar_inv(&inverse, &logs[count - 1]);
    model_scalar_mul_add(&long_scalar[count - 1], &rest, &inverse, &zero);
    load(w.msm, count, count);
    EXPECT(!sum(&got, w.msm, shorts, count) && test_all_zero(&got, sizeof got),
           "%zu terms that cancel", count);
    expect_sum(w.msm, shorts, count - 1, "all but one");
    /* All scalars are 0. */
    memset(short_scalar, 0, count * sizeof short_scalar[0]);
    memset(long_scalar, 0, count * sizeof long_scalar[0]);
    EXPECT(!sum(&got, w.msm, count / 2, count) && test_all_zero(&got, sizeof got),
           "%zu zeros", count);
    /* Each term has its opposite. */
    random_scalars(count);
    for (size_t i = 0; i + 1 < count; i += 2) {
      const u256 minus = negated(&logs[i]);
      set_point(i + 1, &minus);
      short_scalar[i + 1] = short_scalar[i];
      long_scalar[i + 1] = long_scalar[i];
    }
    load(w.msm, count, count);
    EXPECT(!sum(&got, w.msm, 0, count / 2 * 2) && test_all_zero(&got, sizeof got),
           "%zu long opposites", count);
    EXPECT(!sum(&got, w.msm, count / 2 * 2, count / 2 * 2) &&
               test_all_zero(&got, sizeof got),
           "%zu short opposites", count);
    close_workspace(&w);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  model_begin();
  RUN(any_count);
  RUN(one_workspace_serves_many_sums);
  RUN(terms_choose_points);
  RUN(points_off_the_curve_are_told);
  RUN(edge_scalars_alone_and_together);
  RUN(equal_and_opposite_points);
  RUN(related_points);
  RUN(equal_sums_of_two_images);
  RUN(sums_that_are_infinity);
  return test_end();
}
