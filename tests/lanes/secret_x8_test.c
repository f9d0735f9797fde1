/* The lanes' products with secret scalars, under each body that this machine runs: many
 * products with the base point, one of them spread over the lanes, and many with points
 * of their own.  Each scalar visits each lane.  Expected values are libcrypto's, and a
 * long run asks the scalar engine about many more. */
#include "../group/model.h"
#include "harness.h"
#include "lanes/backend.h"

#include <string.h>

/* The scalars: small ones, powers of two, places of digits, sums where an addition would
 * be exceptional in some order, random ones. */
enum { SMALLS = 64, OF_WIDTH = 3, SUBSETS = 256, RANDOMS = 200, MOST = 4000 };

static const u256 zero = {{0}}, one = {{1}};
static const p256_lanes *lanes; /* the body under test */
static const p256_engine *engine;
static u256 scalars[MOST], logarithms[MOST];
static p256_point of_base[MOST], points[MOST], of_points[MOST];
static size_t scalar_count;

static bool same_point(const p256_point *a, const p256_point *b) {
  return u256_eq_mask(&a->x, &b->x) && u256_eq_mask(&a->y, &b->y);
}

static u256 mod_n(const u256 *a) {
  u256 out;
  model_scalar_mul_add(&out, a, &one, &zero);
  return out;
}

static u256 minus(const u256 *a) {
  u256 out;
  u256_sub(&out, &model_n, a);
  return out;
}

/* k and -k mod n, unless they are 0. */
static void add_scalar(const u256 *k) {
  u256 reduced = mod_n(k);
  if (u256_zero_mask(&reduced) == 0 && scalar_count + 2 <= MOST) {
    scalars[scalar_count++] = reduced;
    scalars[scalar_count++] = minus(&reduced);
  }
}

/* a * 2^exponent mod n. */
static u256 shifted(const u256 *a, int exponent) {
  u256 power = zero, out;
  power.v[exponent / 64] = UINT64_C(1) << exponent % 64;
  power = mod_n(&power);
  model_scalar_mul_add(&out, a, &power, &zero);
  return out;
}

static u256 sum(const u256 *a, const u256 *b) {
  u256 out;
  model_scalar_mul_add(&out, a, &one, b);
  return out;
}

/* The value mod n of n's regular digits at the bits from `low` to below `high`: with K =
 * (n - 1)/2 + 2^255 and c those bits of K, (2c + 1 - 2^(high - low)) 2^low. */
static u256 digits_of_n(int low, int high) {
  u256 c = zero, full = shifted(&one, high - low), out;
  for (int bit = low; bit < high; bit++) {
    const bool set =
        bit == 255 ||
        (bit < 255 && (model_n.v[(bit + 1) / 64] >> (bit + 1) % 64 & 1) != 0);
    const int at = bit - low;
    c.v[at / 64] |= (uint64_t)set << at % 64;
  }
  full = minus(&full);
  out = sum(&c, &c);
  out = sum(&out, &one);
  out = sum(&out, &full);
  return shifted(&out, low);
}

static void make_scalars(void) {
  for (uint64_t i = 1; i <= SMALLS; i++) {
    const u256 k = {{i}};
    add_scalar(&k);
  }
  for (int bit = 1; bit < 256; bit++) {
    u256 k = shifted(&one, bit), next = sum(&k, &one), before;
    const u256 minus_one = minus(&one);
    before = sum(&k, &minus_one);
    add_scalar(&k);
    add_scalar(&next);
    add_scalar(&before);
  }
  /* Digits as large as can be, low ones and high ones. */
  for (int bit = 4; bit < 256; bit += 7) {
    const u256 low = digits_of_n(0, bit), three = {{3}};
    u256 k = shifted(&three, bit);
    add_scalar(&k);
    add_scalar(&low);
  }
  /* n - 2v, v the digits of n below some place: were it the last addition's, n would be
   * the difference of what it adds. */
  for (int width = 4; width < 4 + 2 * OF_WIDTH; width++) {
    for (int bit = width; bit < 256; bit += width) {
      const u256 v = digits_of_n(0, bit), k = sum(&v, &v);
      add_scalar(&k);
    }
  }
  /* The same where v are the sections of 32 bits of any subset. */
  for (unsigned subset = 1; subset < SUBSETS; subset++) {
    u256 v = zero, k;
    for (int i = 0; i < 8; i++) {
      if ((subset >> i & 1) != 0) {
        const u256 section = digits_of_n(32 * i, 32 * i + 32);
        v = sum(&v, &section);
      }
    }
    k = sum(&v, &v);
    add_scalar(&k);
  }
  for (int i = 0; i < RANDOMS; i++) {
    u256 k;
    model_random_scalar(&k);
    add_scalar(&k);
  }
  EXPECT(scalar_count < MOST - 2, "more scalars than places");
}

/* Each scalar has a point: small multiples of G, opposites, points of other scalars. */
static void make_expectations(void) {
  for (size_t i = 0; i < scalar_count; i++) {
    model_mul2(&of_base[i], &scalars[i], NULL, NULL);
  }
  for (size_t i = 0; i < scalar_count; i++) {
    const size_t other = i % 2 == 0 ? i / 2 % SMALLS : test_random_u64() % scalar_count;
    logarithms[i] = scalars[other];
    points[i] = of_base[other];
    model_mul2(&of_points[i], NULL, &scalars[i], &points[i]);
  }
}

/* Arrays that stand at no multiple of 16 bytes, and a point behind the last that no job
 * may touch. */
static struct {
  _Alignas(64) uint8_t shift[8];
  u256 k[LANES_P256_CHUNK];
  p256_point a[LANES_P256_CHUNK], out[LANES_P256_CHUNK + 1];
} area;

static void fill_out(void) {
  memset(area.out, 0xa5, sizeof area.out);
}

static bool untouched_from(size_t count) {
  for (size_t i = count; i <= LANES_P256_CHUNK; i++) {
    p256_point filled;
    memset(&filled, 0xa5, sizeof filled);
    if (!same_point(&area.out[i], &filled)) {
      return false;
    }
  }
  return true;
}

/* All scalars in chunks of `count`; the first chunk begins with `first`. */
static void check_base(size_t first, size_t count) {
  for (size_t from = 0; from < scalar_count; from += count) {
    for (size_t i = 0; i < count; i++) {
      area.k[i] = scalars[(first + from + i) % scalar_count];
    }
    fill_out();
    lanes->mul_base(area.out, area.k, count);
    for (size_t i = 0; i < count; i++) {
      const size_t at = (first + from + i) % scalar_count;
      EXPECT(same_point(&area.out[i], &of_base[at]), "%s: scalar %zu, place %zu of %zu",
             lanes->name, at, i, count);
    }
    EXPECT(untouched_from(count), "%s: %zu items, more written", lanes->name, count);
  }
}

static void check_points(size_t first, size_t count) {
  for (size_t from = 0; from < scalar_count; from += count) {
    for (size_t i = 0; i < count; i++) {
      const size_t at = (first + from + i) % scalar_count;
      area.k[i] = scalars[at];
      area.a[i] = points[at];
    }
    fill_out();
    lanes->mul(area.out, area.k, area.a, count);
    for (size_t i = 0; i < count; i++) {
      const size_t at = (first + from + i) % scalar_count;
      EXPECT(same_point(&area.out[i], &of_points[at]), "%s: pair %zu, place %zu of %zu",
             lanes->name, at, i, count);
    }
    EXPECT(untouched_from(count), "%s: %zu items, more written", lanes->name, count);
  }
}

static bool slow(void) {
  return strcmp(lanes->name, "plain") == 0 && !test_long();
}

static void multiplies_the_base(void) {
  for (size_t first = 0; first < LANES_P256_GROUP; first++) {
    check_base(first, LANES_P256_CHUNK);
  }
}

static void multiplies_points(void) {
  for (size_t first = 0; first < LANES_P256_GROUP; first += slow() ? 4 : 1) {
    check_points(first, LANES_P256_CHUNK);
  }
}

static void any_number_of_items(void) {
  const size_t all = scalar_count;
  scalar_count = 130; /* small scalars, and a few chunks for each count */
  fill_out();
  lanes->mul_base(area.out, area.k, 0);
  lanes->mul(area.out, area.k, area.a, 0);
  EXPECT(untouched_from(0), "%s: something written for no items", lanes->name);
  for (size_t count = 1; count <= LANES_P256_CHUNK; count += slow() ? 7 : 1) {
    check_base(count, count);
    check_points(count, count);
  }
  scalar_count = all;
}

static void multiplies_the_base_once(void) {
  for (size_t i = 0; i < scalar_count; i++) {
    p256_point out;
    lanes->mul_base_one(&out, &scalars[i]);
    EXPECT(same_point(&out, &of_base[i]), "%s: scalar %zu", lanes->name, i);
  }
}

static void agrees_with_the_engine(void) {
  const int rounds = test_long() ? 500 : slow() ? 1 : 8;
  for (int round = 0; round < rounds; round++) {
    p256_point expected, once;
    for (size_t i = 0; i < LANES_P256_CHUNK; i++) {
      model_random_scalar(&area.k[i]);
      area.a[i] = of_base[test_random_u64() % scalar_count];
    }
    lanes->mul_base(area.out, area.k, LANES_P256_CHUNK);
    for (size_t i = 0; i < LANES_P256_CHUNK; i++) {
      engine->mul_base(&expected, &area.k[i]);
      EXPECT(same_point(&area.out[i], &expected), "%s: base, round %d", lanes->name,
             round);
      lanes->mul_base_one(&once, &area.k[i]);
      EXPECT(same_point(&once, &expected), "%s: once, round %d", lanes->name, round);
    }
    lanes->mul(area.out, area.k, area.a, LANES_P256_CHUNK);
    for (size_t i = 0; i < LANES_P256_CHUNK; i++) {
      engine->mul(&expected, &area.k[i], &area.a[i]);
      EXPECT(same_point(&area.out[i], &expected), "%s: point, round %d", lanes->name,
             round);
    }
  }
}

static void not_on_this_machine(void) {
  test_skip("this processor lacks the instructions of these lanes");
}

int main(int argc, char **argv) {
  bool usable;
  test_begin(argc, argv);
  model_begin();
  make_scalars();
  make_expectations();
  for (size_t i = 0; sm_backend_list(i, &usable) != NULL; i++) {
    const backend *row = sm_backend_list(i, &usable);
    lanes = row->lanes;
    engine = row->engine;
    if (lanes == NULL) {
      continue;
    }
    printf("%s\n", row->name);
    if (!usable) {
      RUN(not_on_this_machine);
      continue;
    }
    RUN(multiplies_the_base);
    RUN(multiplies_points);
    RUN(any_number_of_items);
    RUN(multiplies_the_base_once);
    RUN(agrees_with_the_engine);
  }
  return test_end();
}
