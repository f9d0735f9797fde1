/* Protects the table of equal points: it finds the same number as a search through all
 * points from the front, whatever the key and however badly the hash spreads them. */
#include "batch/merge_p256.h"

#include "bn_u256.h"
#include <stdlib.h>

enum { MOST = 2100 };

static p256_point points[MOST];
static uint32_t numbers[MOST]; /* those that were put in */

/* Puts in points[0..n - 1] under numbers that need not be dense. */
static void expect_found(size_t n, size_t room, const uint8_t key[32], const char *what) {
  merge_p256 merge = {.places = calloc(sm_merge_p256_places(room), sizeof *merge.places)};
  if (merge.places == NULL) {
    abort();
  }
  memset(merge.places, 0xa5, sm_merge_p256_places(room) * sizeof *merge.places);
  sm_merge_p256_begin(&merge, room, key);
  size_t wrong = 0;
  for (size_t i = 0; i < n; i++) {
    const uint32_t fresh = (uint32_t)(3 * i + 1);
    p256_ref expected = fresh << 1;
    numbers[i] = fresh;
    for (size_t j = 0; j < i; j++) {
      if (numbers[j] != 0 && u256_equal(&points[j].x, &points[i].x)) {
        expected = numbers[j] << 1 | !u256_equal(&points[j].y, &points[i].y);
        numbers[i] = 0;
        break;
      }
    }
    wrong += sm_merge_p256_find_vt(&merge, &points[i], fresh) != expected;
  }
  EXPECT(wrong == 0, "%s, n = %zu: %zu wrong", what, n, wrong);
  free(merge.places);
}

static u256 negative(const u256 *y) {
  const u256 zero = {{0}};
  u256 out;
  (void)u256_sub(&out, &zero, y); /* stands for p - y: only whether it differs matters */
  return out;
}

static void random_points(void) {
  static const size_t sizes[] = {1, 2, 3, 8, 64, 65, 200, MOST};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    for (uint64_t distinct = 1; distinct <= 2 * sizes[k]; distinct *= 4) {
      uint8_t key[32];
      test_random_bytes(key, sizeof key);
      for (size_t i = 0; i < sizes[k]; i++) {
        const size_t from = test_random_u64() % distinct;
        if (from < i) {
          points[i] = points[from];
          if (test_random_u64() % 2 == 0) {
            points[i].y = negative(&points[i].y);
          }
        } else {
          points[i] = (p256_point){u256_random(), u256_random()};
        }
      }
      expect_found(sizes[k], sizes[k], key, "random");
    }
  }
}

/* Under a key of zeros all x whose low halves are zero have the hash 0. */
static void points_that_collide(void) {
  const uint8_t key[32] = {0};
  for (size_t i = 0; i < 500; i++) {
    points[i] = (p256_point){.y = u256_random()};
    points[i].x.v[i % 4] = (uint64_t)(1 + i / 8) << 32;
    if (i % 5 == 4) {
      points[i] = points[i / 2];
    }
  }
  expect_found(500, 500, key, "all at one place");
}

/* Points that differ in one bit of x, or only in y. */
static void points_that_hardly_differ(void) {
  uint8_t key[32];
  test_random_bytes(key, sizeof key);
  points[0] = (p256_point){u256_random(), u256_random()};
  for (size_t i = 1; i < 257; i++) {
    points[i] = points[0];
    points[i].x.v[(i - 1) / 64] ^= UINT64_C(1) << (i - 1) % 64;
    points[256 + i] = points[i];
    points[256 + i].y.v[(i - 1) / 64] ^= UINT64_C(1) << (i - 1) % 64;
  }
  expect_found(513, 513, key, "one bit");
}

/* Small and full tables: the last place is used, and those in front of the first. */
static void tables_of_every_size(void) {
  for (size_t n = 1; n <= 130; n++) {
    const size_t places = sm_merge_p256_places(n);
    uint8_t key[32];
    EXPECT(places >= 2 * n && (places & (places - 1)) == 0, "%zu places for %zu", places,
           n);
    test_random_bytes(key, sizeof key);
    for (size_t i = 0; i < n; i++) {
      points[i] = (p256_point){u256_random(), u256_random()};
    }
    expect_found(n, n, key, "distinct");
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(random_points);
  RUN(points_that_collide);
  RUN(points_that_hardly_differ);
  RUN(tables_of_every_size);
  return test_end();
}
