/* Batches of hinted signatures by every plan: at every size with spoilt ones at every
 * place, with wrong hints of every kind, with points that coincide and items that come
 * again.  Every verdict is libcrypto's. */
#include "harness.h"
#include "scheme/samples.h"

#include <stdlib.h>
#include <string.h>

enum { HONEST = 330, BAD = 120, MOST = 1000 };

static sample honest[HONEST], spoilt[BAD]; /* the formats stand in turn */

static void must(bool ok) {
  if (!ok) {
    abort();
  }
}

/* A hint that is wrong for one of many reasons; other: another item. */
enum { SPOILINGS = 20 };
static sample spoil(const sample *from, const sample *other, size_t kind) {
  sample out = *from;
  const size_t size = sigmill_p256_format_size(from->format);
  const size_t x_at = size == 65, s_at = size - 32;
  const ref_num x = ref_bytes(out.sig + x_at), s = ref_bytes(out.sig + s_at);
  const ref_point minus_key = ref_negate(&from->point);
  switch (kind) {
  case 0: /* -R */
    if (size == 65) {
      out.sig[0] ^= 1;
    } else {
      memcpy(out.sig + 32, ref_minus(ref_p(), ref_bytes(out.sig + 32)).be, 32);
    }
    break;
  case 1: /* R of another item, s and all else kept */
    memcpy(out.sig, other->sig, s_at);
    break;
  case 2: /* s of another item */
    memcpy(out.sig + s_at, other->sig + s_at, 32);
    break;
  case 3:
    out.digest = other->digest;
    break;
  case 4:
    out.key = other->key;
    out.point = other->point;
    break;
  case 5:
    out.point = minus_key;
    out.key = ref_pubkey(&minus_key);
    break;
  case 6: /* -s with R kept: high, and low with another R would do */
    memcpy(out.sig + s_at, ref_n_negate(s).be, 32);
    break;
  case 7: /* x off by one: not on the curve in half of the cases */
    memcpy(out.sig + x_at, ref_plus(x, ref_small(1), NULL).be, 32);
    break;
  case 8: /* y off by one, or the other recovery id's bit */
    out.sig[size == 96 ? 63 : 0] ^= size == 96 ? 1 : 2;
    break;
  case 9: /* not canonical where it fits */
    memcpy(out.sig + x_at, ref_plus(x, ref_p(), NULL).be, 32);
    break;
  case 10:
    memset(out.sig + x_at, 0xff, 32);
    break;
  case 11:
    memset(out.sig + x_at, 0, 32);
    break;
  case 12:
    memset(out.sig + s_at, 0, 32);
    break;
  case 13:
    memcpy(out.sig + s_at, ref_n().be, 32);
    break;
  case 14:
    memset(out.sig, 0, size);
    break;
  case 15:
    out.sig[test_random_u64() % size] ^= (uint8_t)(1 << test_random_u64() % 8);
    break;
  case 16:
    out.digest.be[test_random_u64() % 32] ^= (uint8_t)(1 << test_random_u64() % 8);
    break;
  case 17: /* R = Q */
    ref_encode_hinted(out.sig, out.format, &from->point, s);
    break;
  case 18: { /* R = G */
    const ref_point base = ref_base(ref_small(1));
    ref_encode_hinted(out.sig, out.format, &base, s);
    break;
  }
  default: /* the equation off by a small multiple of G */
    out = sample_off_by(ref_small(1 + test_random_u64() % 3), ref_random_scalar(),
                        from->secret, from->format);
    break;
  }
  out.valid = ref_explain(out.sig, out.format, out.digest, &out.point) == SIGMILL_OK;
  return out;
}

static void make_pools(void) {
  for (size_t i = 0; i < HONEST; i++) {
    honest[i] = sample_off_by(ref_small(0), ref_random_scalar(), ref_random_scalar(),
                              hinted_formats[i % 3]);
    must(honest[i].valid);
  }
  size_t valid = 0;
  for (size_t i = 0; i < BAD; i++) { /* each kind in each format, twice */
    const size_t from = i % 3 + 3 * (test_random_u64() % (HONEST / 3));
    const size_t other = (from + 3) % HONEST;
    spoilt[i] = spoil(&honest[from], &honest[other], i / 3 % SPOILINGS);
    valid += spoilt[i].valid;
  }
  EXPECT(valid == 0, "%zu of the spoilt ones are valid", valid);
}

/* ---------------------------------------------------------------- batches */

static bool is_fast(void) {
  return strstr(sigmill_backend_name(), "ifma") != NULL || test_long();
}

static const char *const PLAN_NAMES[] = {"auto", "each", "equation"};
static sigmill_verifier *verifiers[3];

static void expect_right(const sample *const *row, size_t n, const char *what) {
  for (int plan = 0; plan < 3; plan++) {
    const size_t wrong = wrong_verdicts(verifiers[plan], row, n);
    EXPECT(wrong == 0, "%s, n = %zu, plan %s: %zu wrong", what, n, PLAN_NAMES[plan],
           wrong);
  }
}

/* n valid ones, of one format if that is wanted. */
static void lay(const sample **row, size_t n, int format) {
  for (size_t i = 0; i < n; i++) {
    const size_t k = (i + 3 * n) % HONEST;
    row[i] = &honest[format < 0 ? k : (3 * k + (size_t)format) % HONEST];
  }
}

static void one_spoilt_at_every_place(void) {
  const sample *row[MOST] = {NULL};
  for (size_t n = 1; n <= 70; n += is_fast() || n < 18 ? 1 : n % 16 == 0 ? 1 : 5) {
    for (size_t at = 0; at <= n; at += is_fast() || n < 10 ? 1 : 1 + n / 6) {
      lay(row, n, (int)(n % 4) - 1);
      if (at < n) { /* at = n: none spoilt */
        row[at] = &spoilt[(at + 7 * n) % BAD];
      }
      expect_right(row, n, "one spoilt");
    }
  }
}

static void two_spoilt(void) {
  const sample *row[MOST] = {NULL};
  for (size_t n = 2; n <= 70; n += is_fast() ? 1 : 9) {
    for (size_t k = 0; k < 6; k++) {
      const size_t first = k == 0 ? 0 : test_random_u64() % n;
      const size_t second = k == 0 ? n - 1 : k == 1 ? (first + 1) % n : n / 2;
      lay(row, n, -1);
      row[first] = &spoilt[(n + k) % BAD];
      row[second] = &spoilt[(n + 3 * k + 1) % BAD];
      expect_right(row, n, "two spoilt");
    }
  }
}

static void all_spoilt(void) {
  const sample *row[MOST] = {NULL};
  for (size_t n = 1; n <= 70; n += is_fast() ? 1 : 7) {
    for (size_t i = 0; i < n; i++) {
      row[i] = &spoilt[(i + 11 * n) % BAD];
    }
    expect_right(row, n, "all spoilt");
    for (size_t i = 0; i < n; i++) {
      row[i] = &spoilt[(3 * n) % BAD];
    }
    expect_right(row, n, "the same spoilt one");
  }
}

/* Every kind of spoiling, in every format, at a few places. */
static void every_kind_of_spoiling(void) {
  static const size_t sizes[] = {1, 9, 64, 130};
  const sample *row[MOST] = {NULL};
  for (size_t k = 0; k < BAD / 2; k++) {
    for (size_t i = 0; i < (is_fast() ? 4 : 2); i++) {
      const size_t n = sizes[i];
      lay(row, n, (int)(k % 3));
      row[(k * 5) % n] = &spoilt[k];
      expect_right(row, n, "a kind of spoiling");
    }
  }
}

static void large_batches(void) {
  const sample *row[MOST] = {NULL};
  static const size_t places[] = {0, 1, 63, 64, 499, 500, 700, 998, 999};
  const size_t step = is_fast() ? 1 : 4;
  lay(row, MOST, -1);
  expect_right(row, MOST, "none spoilt");
  for (size_t k = 0; k < sizeof places / sizeof places[0]; k += step) {
    lay(row, MOST, -1);
    row[places[k]] = &spoilt[k];
    expect_right(row, MOST, "one spoilt in many");
  }
  for (size_t one_in = 2; one_in <= 10; one_in += 8) {
    lay(row, MOST, -1);
    for (size_t i = 0; i < MOST; i++) {
      if (test_random_u64() % one_in == 0) {
        row[i] = &spoilt[i % BAD];
      }
    }
    expect_right(row, MOST, "some spoilt");
  }
  for (size_t i = 0; i < MOST; i++) {
    row[i] = &spoilt[i % BAD];
  }
  expect_right(row, MOST, "all of many spoilt");
  lay(row, MOST, -1);
  expect_right(row, MOST, "none spoilt after all");
}

/* ---------------------------------------------------------------- x(R) at or above n */

/* Points whose x is at or above n, and whose x is below p - n: R chosen first, the key
 * made for it.  Then r stands for two points, of which one is right. */
static void points_that_wrap(void) {
  enum { WRAPS = 8 };
  static sample right[2 * WRAPS][3], wrong[2 * WRAPS][6];
  const sample *row[MOST] = {NULL};
  for (size_t i = 0; i < 2 * WRAPS; i++) {
    const bool above = i % 2 == 0;
    ref_num x = ref_small(1 + test_random_u64() % UINT32_MAX);
    ref_point point;
    x = above ? ref_plus(x, ref_n(), NULL) : x;
    while (!ref_lift(&point, x, i / 2 % 2 != 0)) {
      x = ref_plus(x, ref_small(1), NULL);
    }
    ref_num s = ref_random_scalar();
    if (ref_compare(s, ref_half_n()) > 0) {
      s = ref_n_negate(s);
    }
    const ref_case c = ref_forge(&point, s, ref_random_any());
    for (size_t f = 0; f < 3; f++) {
      right[i][f] = sample_of(&c, hinted_formats[f]);
      EXPECT(right[i][f].valid, "the forged key %zu", i);
    }
    EXPECT(right[i][0].sig[0] >> 1 == above, "the recovery id of %zu", i);
    /* The other recovery ids, and the point with the other x where there is one. */
    for (uint8_t k = 0; k < 3; k++) {
      wrong[i][k] = right[i][0];
      wrong[i][k].sig[0] ^= (uint8_t)(k + 1);
    }
    const ref_num other = above ? ref_minus(x, ref_n()) : ref_plus(x, ref_n(), NULL);
    ref_point other_point;
    wrong[i][3] = right[i][1];
    memcpy(wrong[i][3].sig + 1, other.be, 32);
    wrong[i][4] = right[i][2];
    memcpy(wrong[i][4].sig, other.be, 32);
    wrong[i][5] = right[i][2];
    if (ref_lift(&other_point, other, 0)) {
      ref_encode_hinted(wrong[i][5].sig, SIGMILL_P256_FULL_R96, &other_point, s);
    } else {
      wrong[i][5].sig[63] ^= 1;
    }
    for (size_t k = 0; k < 6; k++) {
      sample *w = &wrong[i][k];
      w->valid = ref_explain(w->sig, w->format, w->digest, &w->point) == SIGMILL_OK;
      EXPECT(!w->valid, "wrong hint %zu of %zu", k, i);
    }
  }
  for (size_t i = 0; i < 2 * WRAPS; i++) {
    for (size_t f = 0; f < 3; f++) {
      row[3 * i + f] = &right[i][f];
    }
  }
  expect_right(row, 6 * WRAPS, "x(R) and r apart");
  for (size_t i = 0; i < 2 * WRAPS; i++) {
    for (size_t k = 0; k < 6; k++) {
      lay(row, 20, -1);
      row[3] = &right[i][k % 3];
      row[(i + k) % 20] = &wrong[i][k];
      expect_right(row, 20, "the other x");
      expect_right(row + (i + k) % 20, 1, "the other x alone");
    }
  }
}

/* ---------------------------------------------------------------- related points */

/* R and Q among small multiples of G and each other's opposites, right and off. */
static void related_points(void) {
  enum { MULTIPLES = 7, PAIRS = MULTIPLES * MULTIPLES };
  static sample right[PAIRS], off[PAIRS];
  const ref_num one = ref_small(1), any = ref_random_scalar();
  const ref_num multiples[MULTIPLES] = {
      one, ref_n_negate(one), ref_small(2),       ref_n_negate(ref_small(3)),
      any, ref_n_negate(any), ref_n_add(any, any)};
  const sample *row[MOST] = {NULL};
  for (size_t i = 0; i < PAIRS; i++) {
    const ref_num nonce = multiples[i / MULTIPLES], secret = multiples[i % MULTIPLES];
    right[i] = sample_off_by(ref_small(0), nonce, secret, hinted_formats[i % 3]);
    off[i] = sample_off_by(ref_n_add(nonce, nonce), nonce, secret, hinted_formats[i % 3]);
    EXPECT(right[i].valid && !off[i].valid, "pair %zu", i);
    row[i] = &right[i];
    row[PAIRS + i] = &right[(5 * i) % PAIRS];
  }
  expect_right(row, PAIRS, "related");
  expect_right(row, 2 * PAIRS, "related and again");
  for (size_t i = 0; i < PAIRS; i++) {
    row[i] = &off[i];
    expect_right(row, PAIRS, "related, one off");
    expect_right(row + i, 1, "off alone");
    row[i] = &right[i];
    expect_right(row + i, 1, "alone");
  }
  for (size_t i = 0; i < PAIRS; i++) {
    row[i] = &off[i];
  }
  expect_right(row, PAIRS, "related, all off");
}

/* Two that are off by opposite amounts, over the same key or the same R, or over opposite
 * ones, next to each other and far apart. */
static void opposite_errors(void) {
  const sample *row[MOST] = {NULL};
  for (int kind = 0; kind < 4; kind++) {
    for (int format = 0; format < 3; format++) {
      const ref_num nonce = ref_random_scalar(), secret = ref_random_scalar();
      const ref_num error = ref_random_scalar();
      const ref_num other_nonce = kind == 1   ? nonce
                                  : kind == 2 ? ref_n_negate(nonce)
                                              : ref_random_scalar();
      const ref_num other_secret = kind == 0   ? secret
                                   : kind == 3 ? ref_n_negate(secret)
                                               : ref_random_scalar();
      const sample first = sample_off_by(error, nonce, secret, hinted_formats[format]);
      const sample second = sample_off_by(ref_n_negate(error), other_nonce, other_secret,
                                          hinted_formats[format]);
      static const size_t sizes[] = {2, 9, 64, 200};
      for (size_t k = 0; k < (is_fast() ? 4 : 2); k++) {
        lay(row, sizes[k], -1);
        row[0] = &first;
        row[sizes[k] - 1] = &second;
        expect_right(row, sizes[k], "opposite errors");
        lay(row, sizes[k], -1);
        row[sizes[k] / 2] = &second;
        row[sizes[k] / 2 - 1] = &first;
        expect_right(row, sizes[k], "opposite errors side by side");
      }
    }
  }
}

/* Digests that are 0 mod n, so that G has no part in an item. */
static void digests_without_g(void) {
  enum { ITEMS = 24 };
  static sample items[ITEMS];
  const sample *row[MOST] = {NULL};
  for (size_t i = 0; i < ITEMS; i++) {
    const ref_case c = ref_sign_with(ref_random_scalar(), ref_random_scalar(),
                                     i % 2 == 0 ? ref_small(0) : ref_n());
    items[i] = sample_of(&c, hinted_formats[i % 3]);
    EXPECT(items[i].valid, "item %zu", i);
    row[i] = &items[i];
  }
  expect_right(row, 1, "no G alone");
  expect_right(row, ITEMS, "no G");
  row[7] = &spoilt[7];
  expect_right(row, ITEMS, "no G, one spoilt");
}

static void items_and_keys_that_come_again(void) {
  enum { OF_ONE_KEY = 40 };
  static sample same_key[OF_ONE_KEY];
  const sample *row[MOST] = {NULL};
  const ref_num secret = ref_random_scalar();
  for (size_t i = 0; i < OF_ONE_KEY; i++) {
    same_key[i] =
        sample_off_by(ref_small(0), ref_random_scalar(), secret, hinted_formats[i % 3]);
  }
  const sample off =
      sample_off_by(ref_small(1), ref_random_scalar(), secret, hinted_formats[0]);
  for (size_t n = 2; n <= (is_fast() ? 400 : 100); n *= 3) {
    for (size_t distinct = 1; distinct <= OF_ONE_KEY; distinct *= 3) {
      for (size_t i = 0; i < n; i++) {
        row[i] = i % 2 == 0 ? &same_key[i % distinct] : &honest[i % distinct];
      }
      expect_right(row, n, "again and again");
      row[n / 2] = &off;
      expect_right(row, n, "one off");
      row[n / 2 - 1] = &off;
      expect_right(row, n, "the same one off, twice");
    }
  }
}

static void mixed_with_plain_ones(void) {
  const sample *row[MOST] = {NULL};
  for (int run = 0; run < (is_fast() ? 60 : 12); run++) {
    const size_t n = 1 + test_random_u64() % 300;
    const uint64_t one_in = 1 + test_random_u64() % 20;
    for (size_t i = 0; i < n; i++) {
      const size_t k = test_random_u64();
      row[i] = k % one_in == 0 ? (k % 3 == 0 ? &bad[k % POOL] : &spoilt[k % BAD])
                               : (k % 4 == 0 ? &good[k % POOL] : &honest[k % HONEST]);
    }
    expect_right(row, n, "a mixture");
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  make_samples();
  for (int plan = 0; plan < 3; plan++) {
    const sigmill_verifier_options options = {.struct_size = sizeof options,
                                              .plan = (sigmill_plan)plan};
    verifiers[plan] = new_verifier(&options);
  }
  RUN(make_pools);
  RUN(one_spoilt_at_every_place);
  RUN(two_spoilt);
  RUN(all_spoilt);
  RUN(every_kind_of_spoiling);
  RUN(large_batches);
  RUN(points_that_wrap);
  RUN(related_points);
  RUN(opposite_errors);
  RUN(digests_without_g);
  RUN(items_and_keys_that_come_again);
  RUN(mixed_with_plain_ones);
  for (int plan = 0; plan < 3; plan++) {
    sigmill_verifier_destroy(verifiers[plan]);
  }
  ref_end();
  return test_end();
}
