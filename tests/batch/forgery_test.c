/* Protects the coefficients of common equations from every side: invalid signatures whose
 * errors cancel under coefficients that are equal, small, few or foreseen pass where the
 * test makes coefficients so, and never otherwise. */
#include "batch/randomizer.h"
#include "harness.h"
#include "scheme/samples.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1000, HONEST = 300 };

/* What the library's calls for coefficients get. */
typedef enum {
  REAL,
  EQUAL,    /* one random coefficient for all */
  COUNTING, /* 1, 2, 3.. */
  FOUR_BITS /* random ones from -8 to 7 */
} making;
static making made = REAL;

/* The calls since begin_calls; coefficients of the first ones. */
enum { CALLS_KEPT = 8 };
static size_t calls, count_of[CALLS_KEPT];
static uint64_t part_of[CALLS_KEPT];
static bool bound[CALLS_KEPT];
static i128 first_of[CALLS_KEPT][MOST];

static void begin_calls(void) {
  calls = 0;
}

void __real_sm_randomizer_coefficients(i128 *a, size_t count, const randomizer *from,
                                       uint64_t part, const uint8_t *statement);
void __wrap_sm_randomizer_coefficients(i128 *a, size_t count, const randomizer *from,
                                       uint64_t part, const uint8_t *statement);

void __wrap_sm_randomizer_coefficients(i128 *a, size_t count, const randomizer *from,
                                       uint64_t part, const uint8_t *statement) {
  __real_sm_randomizer_coefficients(a, count, from, part, statement);
  for (size_t i = 0; i < count; i++) {
    switch (made) {
    case REAL:
      break;
    case EQUAL:
      a[i] = a[0];
      break;
    case COUNTING:
      a[i] = (i128){{i + 1, 0}};
      break;
    case FOUR_BITS:
      a[i].v[0] &= 15;
      a[i].v[1] = 0;
      if (a[i].v[0] >= 8) {
        a[i].v[0] |= ~UINT64_C(15);
        a[i].v[1] = UINT64_MAX;
      }
      break;
    }
  }
  if (calls < CALLS_KEPT) {
    part_of[calls] = part;
    count_of[calls] = count;
    bound[calls] = statement != NULL;
    memcpy(first_of[calls], a, (count < MOST ? count : MOST) * sizeof *a);
  }
  calls++;
}

/* ---------------------------------------------------------------- numbers */

static ref_num num_of(const i128 *a) {
  const bool minus = a->v[1] >> 63 != 0;
  ref_num low = ref_small(a->v[0]), high = ref_small(a->v[1]), out;
  memcpy(low.be + 16, high.be + 24, 8);
  out = low;
  if (minus) { /* 2^128 less */
    ref_num power = {{0}};
    power.be[15] = 1;
    out = ref_n_negate(ref_minus(power, low));
  }
  return out;
}

/* -a/b mod n */
static ref_num minus_ratio(ref_num a, ref_num b) {
  return ref_n_negate(ref_n_mul(a, ref_n_inverse(b)));
}

/* ---------------------------------------------------------------- batches */

static sample honest[HONEST]; /* 96 bytes, valid */

static void make_honest(void) {
  for (size_t i = 0; i < HONEST; i++) {
    const ref_case c =
        ref_sign_with(ref_random_scalar(), ref_random_scalar(), ref_random_any());
    honest[i] = sample_of(&c, SIGMILL_P256_FULL_R96);
  }
}

static bool constant_source(void *ctx, uint8_t *out, size_t len) {
  memset(out, *(const uint8_t *)ctx, len);
  return true;
}
static uint8_t constant = 0x5a;

/* What the first equation of a batch takes from the constant source without hedging. */
static void foresee(i128 *a, size_t count) {
  randomizer from;
  if (!sm_randomizer_draw(&from, constant_source, &constant)) {
    abort();
  }
  __real_sm_randomizer_coefficients(a, count, &from, 1, NULL);
}

static sigmill_verifier *verifier_with(sigmill_plan plan, sigmill_hedging hedging,
                                       bool weak) {
  const sigmill_verifier_options options = {.struct_size = sizeof options,
                                            .plan = plan,
                                            .hedging = hedging,
                                            .random = weak ? constant_source : NULL,
                                            .random_ctx = &constant};
  return new_verifier(&options);
}

/* The places of a forgery's parts in a batch. */
typedef struct {
  size_t n, count, at[3];
} places;

static const places PLACES[] = {
    {2, 2, {0, 1}},     {3, 2, {0, 2}},         {9, 2, {3, 8}},
    {9, 3, {0, 4, 8}},  {64, 2, {0, 63}},       {64, 3, {7, 8, 9}},
    {65, 2, {63, 64}},  {200, 2, {70, 171}},    {200, 3, {0, 100, 199}},
    {300, 2, {64, 65}}, {300, 3, {65, 66, 299}}};
enum { PLACES_COUNT = sizeof PLACES / sizeof PLACES[0] };

/* Errors e with the sum of a e = 0 over the places; the first ones are random. */
static void cancel(ref_num errors[3], const places *where, const ref_num a[3]) {
  ref_num sum = ref_small(0);
  for (size_t i = 0; i + 1 < where->count; i++) {
    errors[i] = ref_random_scalar();
    sum = ref_n_add(sum, ref_n_mul(a[i], errors[i]));
  }
  errors[where->count - 1] = minus_ratio(sum, a[where->count - 1]);
}

/* How the parts of a forgery hang together. */
typedef enum { APART, ONE_KEY, ONE_POINT, RELATIONS } relation;

static void forge(sample parts[3], const ref_num errors[3], size_t count,
                  relation related) {
  const ref_num secret = ref_random_scalar(), nonce = ref_random_scalar();
  for (size_t i = 0; i < count; i++) {
    parts[i] = sample_off_by(
        errors[i], related == ONE_POINT ? nonce : ref_random_scalar(),
        related == ONE_KEY ? secret : ref_random_scalar(), SIGMILL_P256_FULL_R96);
    if (parts[i].valid) {
      abort();
    }
  }
}

/* True if the whole batch passes; if not, the verdicts are right. */
static bool passes(sigmill_verifier *verifier, const sample parts[3],
                   const places *where) {
  static sigmill_p256_item items[MOST];
  static uint8_t verdicts[MOST];
  bool invalid[MOST] = {false};
  for (size_t i = 0; i < where->n; i++) {
    items[i] = item_of(&honest[i % HONEST]);
  }
  for (size_t i = 0; i < where->count; i++) {
    items[where->at[i]] = item_of(&parts[i]);
    invalid[where->at[i]] = true;
  }
  begin_calls();
  if (sigmill_p256_verify_batch(verifier, verdicts, items, where->n)) {
    return true;
  }
  for (size_t i = 0; i < where->n; i++) {
    EXPECT(verdicts[i] == !invalid[i], "n = %zu: verdict %zu is %d", where->n, i,
           verdicts[i]);
  }
  return false;
}

/* ---------------------------------------------------------------- tests */

/* Whoever knows the coefficients beforehand can forge; hedging alone, and the real source
 * alone, prevent it. */
static void foreseen_coefficients(void) {
  static i128 a[MOST];
  sigmill_verifier *open =
      verifier_with(SIGMILL_PLAN_EQUATION, SIGMILL_HEDGING_OFF, true);
  sigmill_verifier *hedged =
      verifier_with(SIGMILL_PLAN_EQUATION, SIGMILL_HEDGING_ON, true);
  sigmill_verifier *usual =
      verifier_with(SIGMILL_PLAN_EQUATION, SIGMILL_HEDGING_DEFAULT, true);
  sigmill_verifier *real =
      verifier_with(SIGMILL_PLAN_EQUATION, SIGMILL_HEDGING_OFF, false);
  sigmill_verifier *each = verifier_with(SIGMILL_PLAN_EACH, SIGMILL_HEDGING_OFF, true);
  made = REAL;
  foresee(a, MOST);
  for (size_t p = 0; p < PLACES_COUNT; p++) {
    const places *where = &PLACES[p];
    for (relation related = APART; related < RELATIONS; related++) {
      ref_num of_parts[3], errors[3];
      sample parts[3];
      for (size_t i = 0; i < where->count; i++) {
        of_parts[i] = num_of(&a[where->at[i]]);
      }
      cancel(errors, where, of_parts);
      forge(parts, errors, where->count, related);
      EXPECT(passes(open, parts, where), "n = %zu, relation %d: the forgery is none",
             where->n, related);
      EXPECT(calls == 1 && memcmp(first_of[0], a, where->n * sizeof *a) == 0,
             "n = %zu: other coefficients than foreseen", where->n);
      EXPECT(!passes(hedged, parts, where), "n = %zu, relation %d: hedged", where->n,
             related);
      EXPECT(!passes(usual, parts, where), "n = %zu, relation %d: default", where->n,
             related);
      EXPECT(!passes(real, parts, where), "n = %zu, relation %d: the system's source",
             where->n, related);
      EXPECT(!passes(each, parts, where), "n = %zu, relation %d: one by one", where->n,
             related);
    }
  }
  sigmill_verifier_destroy(open);
  sigmill_verifier_destroy(hedged);
  sigmill_verifier_destroy(usual);
  sigmill_verifier_destroy(real);
  sigmill_verifier_destroy(each);
}

/* The plan that is chosen by itself has the same rules. */
static void foreseen_coefficients_in_a_plan_of_its_own(void) {
  static i128 a[MOST];
  const places where = {300, 2, {0, 299}};
  sigmill_verifier *open = verifier_with(SIGMILL_PLAN_AUTO, SIGMILL_HEDGING_OFF, true);
  sigmill_verifier *usual =
      verifier_with(SIGMILL_PLAN_AUTO, SIGMILL_HEDGING_DEFAULT, true);
  ref_num errors[3];
  sample parts[3];
  made = REAL;
  foresee(a, MOST);
  const ref_num of_parts[3] = {num_of(&a[0]), num_of(&a[299])};
  cancel(errors, &where, of_parts);
  forge(parts, errors, where.count, APART);
  EXPECT(passes(open, parts, &where), "the forgery is none");
  EXPECT(!passes(usual, parts, &where), "default");
  sigmill_verifier_destroy(open);
  sigmill_verifier_destroy(usual);
}

/* A forgery that passes with coefficients made in one way, and not with real ones. */
static void expect_caught(making way, const places *where, const ref_num of_parts[3],
                          const char *what) {
  for (relation related = APART; related < RELATIONS; related++) {
    ref_num errors[3];
    sample parts[3];
    sigmill_verifier *verifier =
        verifier_with(SIGMILL_PLAN_EQUATION, SIGMILL_HEDGING_DEFAULT, false);
    cancel(errors, where, of_parts);
    forge(parts, errors, where->count, related);
    made = way;
    EXPECT(passes(verifier, parts, where), "n = %zu, %s: the forgery is none", where->n,
           what);
    made = REAL;
    EXPECT(!passes(verifier, parts, where), "n = %zu, %s, relation %d", where->n, what,
           related);
    sigmill_verifier_destroy(verifier);
  }
}

static void equal_coefficients(void) {
  const ref_num ones[3] = {ref_small(1), ref_small(1), ref_small(1)};
  for (size_t p = 0; p < PLACES_COUNT; p++) {
    expect_caught(EQUAL, &PLACES[p], ones, "equal");
  }
}

static void small_coefficients(void) {
  for (size_t p = 0; p < PLACES_COUNT; p++) {
    ref_num of_parts[3];
    for (size_t i = 0; i < PLACES[p].count; i++) {
      of_parts[i] = ref_small(PLACES[p].at[i] + 1);
    }
    expect_caught(COUNTING, &PLACES[p], of_parts, "counting");
  }
}

/* Few coefficients let a forgery pass now and then: two of four bits are equal with a
 * chance of 1/16. */
static void few_coefficients(void) {
  const places where = {2, 2, {0, 1}};
  const ref_num ones[3] = {ref_small(1), ref_small(1)};
  sigmill_verifier *verifier =
      verifier_with(SIGMILL_PLAN_EQUATION, SIGMILL_HEDGING_DEFAULT, false);
  ref_num errors[3];
  sample parts[3];
  size_t passed = 0;
  cancel(errors, &where, ones);
  forge(parts, errors, where.count, APART);
  made = FOUR_BITS;
  for (int run = 0; run < 600; run++) {
    passed += passes(verifier, parts, &where);
  }
  EXPECT(passed > 5 && passed < 120, "%zu of 600 pass with four bits", passed);
  made = REAL;
  for (int run = 0; run < 600; run++) {
    EXPECT(!passes(verifier, parts, &where), "run %d", run);
  }
  sigmill_verifier_destroy(verifier);
}

/* With a constant source and hedging, a bit anywhere in a batch changes all coefficients;
 * without hedging it changes none. */
static void hedging_binds_everything(void) {
  enum { N = 5 };
  sigmill_verifier *open =
      verifier_with(SIGMILL_PLAN_EQUATION, SIGMILL_HEDGING_OFF, true);
  sigmill_verifier *hedged =
      verifier_with(SIGMILL_PLAN_EQUATION, SIGMILL_HEDGING_ON, true);
  sigmill_p256_item items[N];
  uint8_t verdicts[N];
  i128 before[N];
  for (size_t i = 0; i < N; i++) {
    items[i] = item_of(&honest[i]);
  }
  begin_calls();
  EXPECT(sigmill_p256_verify_batch(hedged, verdicts, items, N), "valid");
  EXPECT(calls == 1 && bound[0] && count_of[0] == N, "one equation, hedged");
  memcpy(before, first_of[0], sizeof before);
  begin_calls();
  EXPECT(sigmill_p256_verify_batch(hedged, verdicts, items, N), "valid");
  EXPECT(memcmp(before, first_of[0], sizeof before) == 0, "the same batch");

  for (size_t i = 0; i < N; i++) {
    /* Everything that is bound: s, digest, key, the sign of R, and r with R. */
    for (int kind = 0; kind < 5; kind++) {
      sample changed = honest[i];
      ref_point other = ref_negate(&honest[i].point);
      switch (kind) {
      case 0:
        changed.sig[95] ^= 1;
        break;
      case 1:
        changed.digest.be[31] ^= 1;
        break;
      case 2:
        changed.key = ref_pubkey(&other);
        break;
      case 3:
        memcpy(changed.sig + 32, ref_minus(ref_p(), ref_bytes(changed.sig + 32)).be, 32);
        break;
      default:
        memcpy(changed.sig, honest[N + i].sig, 64);
        break;
      }
      items[i] = item_of(&changed);
      begin_calls();
      EXPECT(!sigmill_p256_verify_batch(hedged, verdicts, items, N), "item %zu, kind %d",
             i, kind);
      EXPECT(calls > 0, "no equation");
      for (size_t k = 0; k < N; k++) {
        EXPECT(memcmp(&before[k], &first_of[0][k], sizeof before[k]) != 0,
               "item %zu, kind %d: coefficient %zu", i, kind, k);
      }
      i128 foreseen[N];
      foresee(foreseen, N);
      begin_calls();
      EXPECT(!sigmill_p256_verify_batch(open, verdicts, items, N), "item %zu, kind %d", i,
             kind);
      EXPECT(memcmp(foreseen, first_of[0], sizeof foreseen) == 0 && !bound[0],
             "hedged though it is off");
      items[i] = item_of(&honest[i]);
    }
  }
  sigmill_verifier_destroy(open);
  sigmill_verifier_destroy(hedged);
}

/* No two of the equations asked since begin_calls share a coefficient. */
static void expect_apart(void) {
  const size_t kept = calls < CALLS_KEPT ? calls : CALLS_KEPT;
  for (size_t i = 0; i < kept; i++) {
    for (size_t j = 0; j < i; j++) {
      for (size_t k = 0; k < 2; k++) {
        EXPECT(memcmp(&first_of[i][k], &first_of[j][k], sizeof(i128)) != 0,
               "equations %zu and %zu, coefficient %zu", i, j, k);
      }
    }
  }
}

/* Not in the search after an equation has failed, even if the source is constant; not in
 * the equations that share a batch, nor in the same batch once more. */
static void coefficients_are_never_used_again(void) {
  const places where = {1000, 2, {700, 990}};
  const ref_num ones[3] = {ref_small(1), ref_small(1)};
  ref_num errors[3];
  sample parts[3];
  made = REAL;
  cancel(errors, &where, ones);
  forge(parts, errors, where.count, APART);
  sigmill_verifier *weak =
      verifier_with(SIGMILL_PLAN_EQUATION, SIGMILL_HEDGING_OFF, true);
  EXPECT(!passes(weak, parts, &where), "it passes");
  expect_apart();
  for (size_t i = 1; i < calls && i < CALLS_KEPT; i++) {
    EXPECT(part_of[i] > part_of[i - 1], "the parts %zu and %zu of a batch", i - 1, i);
  }
  sigmill_verifier_destroy(weak);

  const sigmill_verifier_options options = {.struct_size = sizeof options,
                                            .plan = SIGMILL_PLAN_EQUATION,
                                            .hedging = SIGMILL_HEDGING_OFF,
                                            .max_batch = 300};
  sigmill_verifier *verifier = new_verifier(&options);
  sigmill_p256_item items[HONEST];
  uint8_t verdicts[HONEST];
  for (size_t i = 0; i < HONEST; i++) {
    items[i] = item_of(&honest[i]);
  }
  begin_calls();
  for (size_t run = 0; run < CALLS_KEPT; run++) {
    EXPECT(sigmill_p256_verify_batch(verifier, verdicts, items, HONEST), "valid");
  }
  EXPECT(calls == CALLS_KEPT, "%zu equations", calls);
  expect_apart();
  sigmill_verifier_destroy(verifier);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  make_honest();
  RUN(foreseen_coefficients);
  RUN(foreseen_coefficients_in_a_plan_of_its_own);
  RUN(equal_coefficients);
  RUN(small_coefficients);
  RUN(few_coefficients);
  RUN(hedging_binds_everything);
  RUN(coefficients_are_never_used_again);
  ref_end();
  return test_end();
}
