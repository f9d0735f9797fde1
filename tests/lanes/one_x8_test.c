/* One verification of a claim whose key has a comb, in every body that runs here: the
 * comb entry by entry, the cases of all claims, and sums in which an addition is
 * exceptional. */
#include "claims_x8.h"

#include <string.h>

static const u256 zero;

/* Combs of the keys met last, so that a key that comes again keeps its own. */
enum { KEPT = 256 };
static struct {
  const p256_lanes *lanes;
  p256_point key;
  p256_key_comb comb;
} kept[KEPT];
static int next_kept;

static const p256_key_comb *comb_of(const p256_lanes *lanes, const p256_point *key) {
  for (int i = 0; i < KEPT; i++) {
    if (kept[i].lanes == lanes && memcmp(&kept[i].key, key, sizeof *key) == 0) {
      return &kept[i].comb;
    }
  }
  const int i = next_kept;
  next_kept = (next_kept + 1) % KEPT;
  kept[i].lanes = lanes;
  kept[i].key = *key;
  lanes->key_comb_vt(&kept[i].comb, key);
  return &kept[i].comb;
}

static void judge(const p256_lanes *lanes, uint8_t *verdicts, const p256_claim *claims,
                  size_t count) {
  for (size_t i = 0; i < count; i++) {
    verdicts[i] = lanes->verify_one_vt(&claims[i], comb_of(lanes, &claims[i].key));
  }
}

static const claims_job one_by_one = {judge, true};

/* Is it a*2^256 mod p, or p more? */
static bool is_image(const uint64_t words[4], const u256 *a) {
  u256 image, expected;
  memcpy(image.v, words, sizeof image.v);
  if (!u256_below(&image, &model_p)) {
    (void)u256_sub(&image, &image, &model_p);
  }
  model_to_words(&expected, a);
  return u256_equal(&image, &expected);
}

static void combs_hold_their_multiples(void) {
  static p256_key_comb comb;
  for (int round = 0; round < 2; round++) {
    const u256 secret = round == 0 ? (u256){{1}} : claims_random_scalar();
    p256_point key;
    (void)model_mul2(&key, &secret, NULL, NULL);
    EACH_BODY(lanes) {
      lanes->key_comb_vt(&comb, &key);
      for (int window = 0; window < KEY_COMB_WINDOWS; window++) {
        for (int i = 0; i < 1 << (KEY_COMB_WIDTH - 1); i++) {
          const bool rest = window == KEY_COMB_WINDOWS - 1; /* of the window before */
          claims_point multiple = {zero, zero};
          p256_point expected;
          claims_add_key(&multiple, 2 * i + 1 + (rest ? 32 : 0),
                         KEY_COMB_WIDTH * (rest ? window - 1 : window));
          const u256 k = claims_times(&multiple.q, &secret);
          (void)model_mul2(&expected, &k, NULL, NULL);
          EXPECT(is_image(comb.entry[window][i], &expected.x) &&
                     is_image(comb.entry[window][i] + 4, &expected.y),
                 "%s: window %d, entry %d", lanes->name, window, i);
        }
      }
    }
  }
}

enum { ROWS = 11, LANES_ = 8 };

/* The points that are added, as placed. */
static void place_points(claims_point points[ROWS * LANES_], const u256 *u1,
                         const u256 *u2) {
  int key[51], base[37];
  claims_digits(key, u2, 5, 51);
  claims_digits(base, u1, 7, 37);
  for (int i = 0; i < ROWS * LANES_; i++) {
    points[i] = (claims_point){zero, zero};
    if (i < 51) {
      claims_add_key(&points[i], key[i], 5 * i);
    } else {
      claims_add_base(&points[i], base[i - 51], 7 * (i - 51));
    }
  }
}

static void expect_undecided(const u256 *u1, const u256 *u2, const claims_point *a,
                             const claims_point *b, bool opposite, int *met) {
  p256_claim claim;
  if (claims_of_meeting(&claim, u1, u2, a, b, opposite)) {
    claims_expect_in_each_lane(&one_by_one, &claim, CLAIM_UNDECIDED, "points that meet");
    ++*met;
  }
}

/* In the rows and in the joins. */
static void exceptional_sums_are_left_undecided(void) {
  int met = 0;
  for (int row = 1; row < ROWS; row++) {
    const u256 u1 = claims_random_scalar(), u2 = claims_random_scalar();
    claims_point points[ROWS * LANES_];
    place_points(points, &u1, &u2);
    const int lane = row % LANES_;
    claims_point acc = points[lane];
    for (int i = 1; i < row; i++) {
      claims_add(&acc, &points[LANES_ * i + lane]);
    }
    expect_undecided(&u1, &u2, &acc, &points[LANES_ * row + lane], (row & 1) != 0, &met);
  }
  EXPECT(met >= 4, "%d sums", met);
  for (int distance = 1; distance < LANES_; distance *= 2) {
    for (int opposite = 0; opposite < 2; opposite++) {
      const u256 u1 = claims_random_scalar(), u2 = claims_random_scalar();
      claims_point points[ROWS * LANES_], sums[2] = {{zero, zero}, {zero, zero}};
      place_points(points, &u1, &u2);
      for (int i = 0; i < ROWS * LANES_; i++) {
        const int lane = i % LANES_;
        if (lane < 2 * distance) {
          claims_add(&sums[lane / distance], &points[i]);
        }
      }
      met = 0;
      expect_undecided(&u1, &u2, &sums[0], &sums[1], opposite != 0, &met);
      EXPECT(met == 1, "join at distance %d", distance);
    }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  model_begin();
  RUN(combs_hold_their_multiples);
  claims_run_cases(&one_by_one);
  RUN(exceptional_sums_are_left_undecided);
  return test_end();
}
