/* Verification of claims whose keys have tables, in every body that runs here: the tables
 * entry by entry, the cases of all claims in every lane, and sums in which an addition is
 * exceptional. */
#include "claims_x8.h"
#include "lanes/tables_p256_x8.h"

#include <string.h>

static const u256 zero;

/* Tables of the keys met last, so that a key that comes again keeps its own. */
enum { KEPT = 128 };
static struct {
  const p256_lanes *lanes;
  p256_point key;
  p256_key_table table;
} kept[KEPT];
static int next_kept;

static const p256_key_table *table_of(const p256_lanes *lanes, const p256_point *key) {
  for (int i = 0; i < KEPT; i++) {
    if (kept[i].lanes == lanes && memcmp(&kept[i].key, key, sizeof *key) == 0) {
      return &kept[i].table;
    }
  }
  const int i = next_kept;
  next_kept = (next_kept + 1) % KEPT;
  p256_key_table *const out[1] = {&kept[i].table};
  kept[i].lanes = lanes;
  kept[i].key = *key;
  lanes->key_tables_vt(out, key, 1);
  return &kept[i].table;
}

static void judge(const p256_lanes *lanes, uint8_t *verdicts, const p256_claim *claims,
                  size_t count) {
  const p256_key_table *tables[LANES_P256_CHUNK];
  for (size_t i = 0; i < count; i++) {
    tables[i] = table_of(lanes, &claims[i].key);
  }
  lanes->verify_known_vt(verdicts, claims, tables, count);
}

static const claims_job known = {judge, true};

/* Is it a*2^260 mod p, or p more? */
static bool is_image(const uint64_t words[4], const u256 *a) {
  u256 image, expected, got;
  memcpy(image.v, words, sizeof image.v);
  if (!u256_below(&image, &model_p)) {
    (void)u256_sub(&image, &image, &model_p);
  }
  model_to_words(&got, &image);
  model_to_words(&expected, a);
  model_to_words(&expected, &expected);
  for (int i = 0; i < 4; i++) { /* 16 times a 2^512 */
    const u256 once = expected;
    const bool carry = u256_add(&expected, &once, &once) != 0;
    if (carry || !u256_below(&expected, &model_p)) {
      (void)u256_sub(&expected, &expected, &model_p);
    }
  }
  return u256_equal(&got, &expected);
}

static void tables_hold_their_multiples(void) {
  enum { KEYS = 11, ENTRIES = 1 << (KEY_TABLE_WIDTH - 1) };
  static p256_key_table tables[KEYS + 1];
  p256_key_table *out[KEYS];
  p256_point keys[KEYS];
  u256 secrets[KEYS];
  for (int i = 0; i < KEYS; i++) {
    secrets[i] = claims_random_scalar();
    if (i < 2) {
      secrets[i] = (u256){{1 + (uint64_t)i}};
    }
    (void)model_mul2(&keys[i], &secrets[i], NULL, NULL);
    out[i] = &tables[i];
  }
  EACH_BODY(lanes) {
    memset(tables, 0xAA, sizeof tables);
    lanes->key_tables_vt(out, keys, KEYS);
    for (int i = 0; i < KEYS; i++) {
      for (int part = 0; part < KEY_TABLE_PARTS; part++) {
        /* A fifth of the entries, others for each key and part. */
        for (int j = (i + part) % 5; j < ENTRIES; j += 5) {
          claims_point multiple = {zero, zero};
          p256_point expected;
          claims_add_key(&multiple, 2 * j + 1, KEY_TABLE_SPACING * part);
          const u256 k = claims_times(&multiple.q, &secrets[i]);
          (void)model_mul2(&expected, &k, NULL, NULL);
          EXPECT(is_image(tables[i].entry[part][j], &expected.x) &&
                     is_image(tables[i].entry[part][j] + 4, &expected.y),
                 "%s: key %d, part %d, entry %d", lanes->name, i, part, j);
        }
      }
    }
    for (size_t i = 0; i < sizeof tables[KEYS]; i++) {
      EXPECT(((const uint8_t *)&tables[KEYS])[i] == 0xAA, "%s: past the end",
             lanes->name);
    }
  }
}

static void parts_of_the_base_point_hold_their_multiples(void) {
  for (int t = 0; t < P256_PARTS; t++) {
    for (int j = 0; j < P256_PARTS_ENTRIES; j++) {
      claims_point multiple = {zero, zero};
      p256_point expected;
      u256 x, y;
      claims_add_base(&multiple, 2 * j + 1, P256_PARTS_SPACING * t);
      (void)model_mul2(&expected, &multiple.g, NULL, NULL);
      model_to_words(&x, &expected.x);
      model_to_words(&y, &expected.y);
      EXPECT(memcmp(sm_p256_parts[t][j], &x, sizeof x) == 0 &&
                 memcmp(sm_p256_parts[t][j] + 4, &y, sizeof y) == 0,
             "part %d, entry %d", t, j);
    }
  }
}

/* What is added in step `step` of the sum, and what to. */
static void step_of_sum(claims_point *acc, claims_point *added, const u256 *u1,
                        const u256 *u2, int step) {
  int key[52], base[32], at = 0;
  claims_digits(key, u2, 5, 52);
  claims_digits(base, u1, 8, 32);
  *acc = (claims_point){zero, zero};
  for (int bit = 30; bit >= 0; bit--) {
    claims_double(acc);
    for (int j = 0; j < 52 + 32; j++) {
      const int of_key = j < 52 && bit % 5 == 0 && j % 7 == bit / 5;
      const int of_base = j >= 52 && bit % 8 == 0 && (j - 52) % 4 == bit / 8;
      if (!of_key && !of_base) {
        continue;
      }
      *added = (claims_point){zero, zero};
      if (of_key) {
        claims_add_key(added, key[j], 35 * (j / 7));
      } else {
        claims_add_base(added, base[j - 52], 32 * ((j - 52) / 4));
      }
      if (at++ == step) {
        return;
      }
      claims_add(acc, added);
    }
  }
}

static void exceptional_sums_are_left_undecided(void) {
  enum { STEPS = 52 + 32 };
  int met = 0;
  for (int step = STEPS - 1; step > 0; step -= test_long() ? 1 : 3) {
    const u256 u1 = claims_random_scalar(), u2 = claims_random_scalar();
    claims_point acc, added;
    p256_claim claim;
    step_of_sum(&acc, &added, &u1, &u2, step);
    if (claims_of_meeting(&claim, &u1, &u2, &acc, &added, (step & 1) != 0)) {
      claims_expect_in_each_lane(&known, &claim, CLAIM_UNDECIDED, "points that meet");
      met++;
    }
  }
  EXPECT(met > 20, "%d sums", met);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  model_begin();
  RUN(tables_hold_their_multiples);
  RUN(parts_of_the_base_point_hold_their_multiples);
  claims_run_cases(&known);
  RUN(exceptional_sums_are_left_undecided);
  return test_end();
}
