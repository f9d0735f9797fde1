/* The committed tables against libcrypto: each entry is the multiple of G it claims. */
#include "group/tables_p256.h"
#include "harness.h"
#include "model.h"

static const u256 zero = {{0}};

/* Are the words the element's? */
static bool words_are(const uint64_t words[4], const u256 *element) {
  u256 expected;
  model_to_words(&expected, element);
  return memcmp(words, expected.v, sizeof expected.v) == 0;
}

/* Is entry j the multiple 2j+1 of base*G, for all j? */
static void check_row(const char *name, int row, const uint64_t (*entries)[8], int count,
                      const u256 *base) {
  for (int j = 0; j < count; j++) {
    const u256 odd = {{2 * (uint64_t)j + 1, 0, 0, 0}};
    u256 k;
    p256_point expected;
    model_scalar_mul_add(&k, base, &odd, &zero);
    model_mul2(&expected, &k, NULL, NULL);
    EXPECT(words_are(entries[j], &expected.x) && words_are(entries[j] + 4, &expected.y),
           "%s[%d][%d]", name, row, j);
  }
}

static void comb_holds_its_multiples(void) {
  const u256 step = {{1 << P256_COMB_WIDTH, 0, 0, 0}};
  u256 base = {{1, 0, 0, 0}};
  for (int i = 0; i < P256_COMB_WINDOWS; i++) {
    check_row("comb", i, sm_p256_comb[i], P256_COMB_ENTRIES, &base);
    model_scalar_mul_add(&base, &base, &step, &zero);
  }
}

static void wide_tables_hold_their_multiples(void) {
  const u256 bases[2] = {{{1, 0, 0, 0}}, {{0, 0, 1, 0}}};
  check_row("wide", 0, sm_p256_wide, P256_WIDE_ENTRIES, &bases[0]);
  check_row("wide", 1, sm_p256_wide_high, 1 << (P256_WIDE_WIDTH - 2), &bases[1]);
}

static void b_is_the_curve_constant(void) {
  u256 b;
  model_curve_b(&b);
  EXPECT(words_are(sm_p256_b, &b), "b");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  model_begin();
  RUN(comb_holds_its_multiples);
  RUN(wide_tables_hold_their_multiples);
  RUN(b_is_the_curve_constant);
  return test_end();
}
