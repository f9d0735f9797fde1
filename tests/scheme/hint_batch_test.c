/* Hints for many plain signatures: every output is that of libcrypto's R and of the call
 * for one, whatever stands beside it. */
#include "../lanes/claims_x8.h"
#include "samples.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = SAMPLE_GUARD, MOST = 200 };

/* A plain signature and its hint in each format; a bad one has zeros. */
typedef struct {
  uint8_t sig[64], digest[32], hint[3][96];
  sigmill_p256_pubkey key;
  bool valid;
} sample_case;

static const u256 zero;

static void key_of(sigmill_p256_pubkey *out, const p256_point *point) {
  uint8_t bytes[65] = {4};
  u256_to_be(bytes + 1, &point->x);
  u256_to_be(bytes + 33, &point->y);
  EXPECT(sigmill_p256_pubkey_parse(out, bytes, sizeof bytes) == SIGMILL_OK, "key");
}

/* The case of a claim whose point is R; s is made high at random. */
static void case_of(sample_case *out, const p256_claim *claim) {
  p256_point r = claim->point;
  u256 s = claim->s;
  const u256 minus = claims_minus(&s);
  const bool high = u256_below(&minus, &s);
  memset(out, 0, sizeof *out);
  u256_to_be(out->sig, &claim->r);
  u256_to_be(out->sig + 32, &s);
  u256_to_be(out->digest, &claim->digest);
  key_of(&out->key, &claim->key);
  out->valid = claims_verdict(claim) == CLAIM_TRUE;
  if (!out->valid) {
    return;
  }
  if (high) {
    s = minus;
    model_negate(&r, &r);
  }
  const uint8_t odd = r.y.v[0] & 1, wrapped = u256_below(&claim->r, &r.x) ? 2 : 0;
  for (int f = 0; f < 3; f++) {
    uint8_t *hint = out->hint[f];
    switch (hinted_formats[f]) {
    case SIGMILL_P256_RECOVERABLE65:
      hint[0] = odd | wrapped;
      u256_to_be(hint + 1, &claim->r);
      u256_to_be(hint + 33, &s);
      break;
    case SIGMILL_P256_COMPRESSED_R65:
      hint[0] = 2 | odd;
      u256_to_be(hint + 1, &r.x);
      u256_to_be(hint + 33, &s);
      break;
    default:
      u256_to_be(hint, &r.x);
      u256_to_be(hint + 32, &r.y);
      u256_to_be(hint + 64, &s);
      break;
    }
  }
}

static void good_case(sample_case *out) {
  p256_claim claim;
  claims_random(&claim);
  case_of(out, &claim);
}

/* Everything that is not as it has to be, and what only the scalar engine can decide. */
enum { KINDS = 12 };
static void special_case(sample_case *out, int kind) {
  p256_claim claim;
  claims_point acc = {zero, zero}, last = {zero, zero};
  const u256 u1 = claims_random_scalar(), u2 = claims_random_scalar(), one = {{1}};
  int digits[22];
  claims_random(&claim);
  switch (kind) {
  case 0:
    claim.digest.v[0] ^= 1;
    break;
  case 1:
    claim.r.v[1] ^= 1;
    break;
  case 2:
    claim.s.v[2] ^= 1;
    break;
  case 3:
    claims_of_x(&claim, &model_n, true); /* x(R) = r + n */
    break;
  case 4:
    claims_of_x(&claim, &one, false); /* x(R) = r, and r + n is another x */
    break;
  case 5:
    (void)claims_set(&claim, &zero, &u2, &claim.key);
    break;
  case 6: /* the last digits of u1 and u2 meet what they are added to */
  case 7:
    claims_digits(digits, &u1, 12, 22);
    claims_add_base(&last, digits[0], 0);
    acc.g = u1;
    acc.q = u2;
    claims_add_base(&acc, -digits[0], 0);
    EXPECT(claims_of_meeting(&claim, &u1, &u2, &acc, &last, kind == 7), "a key");
    break;
  default:
    break;
  }
  case_of(out, &claim);
  switch (kind) { /* out of range */
  case 8:
    memset(out->sig, 0, 32);
    break;
  case 9:
    memset(out->sig + 32, 0, 32);
    break;
  case 10:
    u256_to_be(out->sig, &model_n);
    break;
  case 11:
    memset(out->sig + 32, 0xFF, 32);
    break;
  default:
    return;
  }
  out->valid = false;
  memset(out->hint, 0, sizeof out->hint);
}

static sample_case goods[40], specials[KINDS];

static void make_cases(void) {
  for (int i = 0; i < 40; i++) {
    good_case(&goods[i]);
    EXPECT(goods[i].valid, "good %d", i);
  }
  for (int kind = 0; kind < KINDS; kind++) {
    special_case(&specials[kind], kind);
    EXPECT(specials[kind].valid == (kind >= 3 && kind <= 6), "special %d", kind);
  }
}

static void run(const sample_case *const *row, size_t n, int f) {
  static sigmill_p256_item items[MOST];
  static uint8_t out[MOST * 96 + 1], verdicts[MOST + 1];
  const sigmill_p256_format format = hinted_formats[f];
  const size_t size = sigmill_p256_format_size(format);
  bool expected_all = n > 0;
  for (size_t i = 0; i < n; i++) {
    items[i] = (sigmill_p256_item){.sig = row[i]->sig,
                                   .digest = row[i]->digest,
                                   .key = &row[i]->key,
                                   .format = SIGMILL_P256_SIG64};
    expected_all &= row[i]->valid;
  }
  memset(verdicts, GUARD, sizeof verdicts);
  memset(out, GUARD, sizeof out);
  const bool all = sigmill_p256_hint_batch(out, format, verdicts, items, n);
  EXPECT(all == expected_all && verdicts[n] == GUARD && out[n * size] == GUARD,
         "format %d, n = %zu", format, n);
  for (size_t i = 0; i < n; i++) {
    EXPECT(verdicts[i] == row[i]->valid &&
               memcmp(out + size * i, row[i]->hint[f], size) == 0,
           "format %d, n = %zu, row %zu", format, n, i);
  }
}

static void singles_agree(void) {
  for (int i = 0; i < 40 + KINDS; i++) {
    const sample_case *c = i < 40 ? &goods[i] : &specials[i - 40];
    for (int f = 0; f < 3; f++) {
      uint8_t single[96];
      const size_t size = sigmill_p256_format_size(hinted_formats[f]);
      const bool made = sigmill_p256_hint(single, hinted_formats[f], c->sig, c->digest,
                                          &c->key) == SIGMILL_OK;
      EXPECT(made == c->valid && memcmp(single, c->hint[f], size) == 0, "case %d", i);
      EXPECT(!made ||
                 sigmill_p256_verify_as(single, hinted_formats[f], c->digest, &c->key),
             "case %d, its hint", i);
    }
  }
}

static void specials_in_every_place(void) {
  const sample_case *row[MOST];
  for (int kind = 0; kind < KINDS; kind++) {
    for (size_t at = 0; at < 9; at++) {
      for (size_t i = 0; i < 9; i++) {
        row[i] = i == at ? &specials[kind] : &goods[(i + at) % 40];
      }
      run(row, 9, (int)at % 3);
      run(row, at + 1, (int)(at + 1) % 3);
    }
  }
}

static void every_size(void) {
  const sample_case *row[MOST] = {NULL};
  for (size_t n = 0; n <= MOST; n += n < 70 ? 1 : 13) {
    for (size_t i = 0; i < n; i++) {
      const uint64_t random = test_random_u64();
      row[i] =
          random % 8 == 0 ? &specials[(random >> 8) % KINDS] : &goods[(random >> 8) % 40];
    }
    run(row, n, (int)n % 3);
  }
}

static void all_of_one_kind(void) {
  const sample_case *row[MOST];
  for (int kind = 0; kind < KINDS; kind++) {
    for (size_t i = 0; i < 70; i++) {
      row[i] = &specials[kind];
    }
    run(row, 70, kind % 3);
  }
}

/* Without a signature, digest, key or with another format: zeros, and the others do. */
static void items_that_lack_something(void) {
  static const sigmill_p256_pubkey unset;
  for (int kind = 0; kind < 6; kind++) {
    for (size_t at = 0; at < 9; at++) {
      sigmill_p256_item items[9];
      uint8_t out[9 * 65], verdicts[9];
      for (size_t i = 0; i < 9; i++) {
        items[i] = (sigmill_p256_item){.sig = goods[i].sig,
                                       .digest = goods[i].digest,
                                       .key = &goods[i].key,
                                       .format = SIGMILL_P256_SIG64};
      }
      items[at].sig = kind == 0 ? NULL : items[at].sig;
      items[at].digest = kind == 1 ? NULL : items[at].digest;
      items[at].key = kind == 2 ? NULL : kind == 3 ? &unset : items[at].key;
      items[at].format = kind == 4   ? SIGMILL_P256_SIG64_LOW_S
                         : kind == 5 ? (sigmill_p256_format)99
                                     : SIGMILL_P256_SIG64;
      memset(out, GUARD, sizeof out);
      EXPECT(
          !sigmill_p256_hint_batch(out, SIGMILL_P256_RECOVERABLE65, verdicts, items, 9),
          "kind %d", kind);
      for (size_t i = 0; i < 9; i++) {
        EXPECT(verdicts[i] == (i != at) &&
                   (i == at
                        ? test_all_zero(out + 65 * i, 65)
                        : sigmill_p256_verify_as(out + 65 * i, SIGMILL_P256_RECOVERABLE65,
                                                 goods[i].digest, &goods[i].key)),
               "kind %d at %zu, row %zu", kind, at, i);
      }
    }
  }
}

static void formats_without_a_hint(void) {
  const sigmill_p256_format formats[3] = {SIGMILL_P256_SIG64, SIGMILL_P256_SIG64_LOW_S,
                                          (sigmill_p256_format)99};
  const sigmill_p256_item item = {.sig = goods[0].sig,
                                  .digest = goods[0].digest,
                                  .key = &goods[0].key,
                                  .format = SIGMILL_P256_SIG64};
  for (int i = 0; i < 3; i++) {
    uint8_t out[65], verdict = GUARD;
    memset(out, GUARD, sizeof out);
    EXPECT(!sigmill_p256_hint_batch(out, formats[i], &verdict, &item, 1) && verdict == 0,
           "format %d", formats[i]);
    const size_t size = sigmill_p256_format_size(formats[i]);
    EXPECT(test_all_zero(out, size) && out[size] == GUARD, "format %d", formats[i]);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  model_begin();
  RUN(make_cases);
  RUN(singles_agree);
  RUN(specials_in_every_place);
  RUN(every_size);
  RUN(all_of_one_kind);
  RUN(items_that_lack_something);
  RUN(formats_without_a_hint);
  return test_end();
}
