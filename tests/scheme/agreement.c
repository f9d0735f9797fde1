#include "agreement.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

const sigmill_p256_format all_formats[FORMAT_COUNT] = {
    SIGMILL_P256_SIG64, SIGMILL_P256_RECOVERABLE65, SIGMILL_P256_COMPRESSED_R65,
    SIGMILL_P256_FULL_R96, SIGMILL_P256_SIG64_LOW_S};
const sigmill_p256_format hinted_formats[3] = {
    SIGMILL_P256_RECOVERABLE65, SIGMILL_P256_COMPRESSED_R65, SIGMILL_P256_FULL_R96};

static char backend_problem[160];

static void backend_cannot_run_here(void) {
  test_skip(backend_problem);
}

static void backend_is_the_one_asked_for(void) {
  EXPECT(false, "%s", backend_problem);
}

bool backend_is_ready(void) {
  const char *wanted = getenv("SIGMILL_BACKEND");
  if (wanted == NULL) {
    return true;
  }
  bool usable = false;
  const char *name = NULL;
  for (size_t i = 0; (name = sigmill_backend_list(i, &usable)) != NULL; i++) {
    if (strcmp(name, wanted) == 0) {
      break;
    }
  }
  if (name == NULL || !usable) {
    snprintf(backend_problem, sizeof backend_problem, "backend %s %s", wanted,
             name == NULL ? "is not compiled in" : "cannot run on this machine");
    RUN(backend_cannot_run_here);
    return false;
  }
  const char *used = sigmill_backend_name();
  if (strcmp(used, wanted) != 0) {
    snprintf(backend_problem, sizeof backend_problem, "%s was asked for, %s is used",
             wanted, used);
    RUN(backend_is_the_one_asked_for);
    return false;
  }
  printf("backend %s\n", used);
  return true;
}

sigmill_verifier *verifier_of_plan(sigmill_plan plan) {
  static sigmill_verifier *verifiers[3];
  sigmill_verifier **verifier = &verifiers[plan];
  if (*verifier == NULL) {
    const sigmill_verifier_options options = {
        .struct_size = sizeof options, .max_batch = 64, .plan = plan};
    if (sigmill_verifier_create(verifier, &options) != SIGMILL_OK) {
      fprintf(stderr, "agreement: no verifier\n");
      abort();
    }
  }
  return *verifier;
}

static bool is_hinted(sigmill_p256_format format) {
  return sigmill_p256_format_size(format) > 64;
}

/* A neighbour in a batch: a signature that is valid, or is not this digest's. */
typedef struct {
  uint8_t sig[96], digest[32];
  sigmill_p256_pubkey key;
} neighbour;

static sigmill_p256_item item_of_neighbour(bool valid, sigmill_p256_format format) {
  static neighbour all[2][FORMAT_COUNT + 1];
  static bool made;
  for (int i = 0; i < 2 * FORMAT_COUNT && !made; i++) {
    neighbour *n = &all[i % 2][all_formats[i / 2]];
    ref_case c = ref_sign_with(ref_small(1000003), ref_small(1000033), ref_small(77));
    if (ref_compare(c.s, ref_half_n()) > 0) {
      c.s = ref_n_negate(c.s);
    }
    ref_encode(n->sig, all_formats[i / 2], &c);
    memcpy(n->digest, c.digest.be, 32);
    n->digest[31] ^= i % 2 == 0;
    n->key = ref_pubkey(&c.key);
  }
  made = true;
  const neighbour *n = &all[valid][format];
  return (sigmill_p256_item){n->sig, n->digest, &n->key, format};
}

/* The item in each lane of a group of eight, once among valid neighbours and once among
 * invalid ones, of its own format if it is hinted.  Plain C is slow, and gets one lane
 * and one kind of neighbours a call; so does what has no lanes. */
static void expect_in_lanes(sigmill_verifier *verifier, const sigmill_p256_item *item,
                            bool valid, const char *what) {
  static size_t calls;
  bool fast = strstr(sigmill_backend_name(), "ifma") != NULL;
  bool plain = strcmp(sigmill_backend_name(), "plain-lanes") == 0;
  if (!plain && !fast && !is_hinted(item->format)) {
    return;
  }
  sigmill_p256_format beside =
      is_hinted(item->format) ? item->format : SIGMILL_P256_SIG64;
  size_t groups = fast ? 8 : 1, call = calls++, lane = call % 8;
  for (int neighbours = 0; neighbours < 2; neighbours++) {
    if (!fast && (call / 8) % 2 != (size_t)neighbours) {
      continue;
    }
    sigmill_p256_item items[64];
    uint8_t verdicts[64];
    for (size_t i = 0; i < 8 * groups; i++) {
      bool is_here = (i / 8 + lane) % 8 == i % 8;
      items[i] = is_here ? *item : item_of_neighbour(neighbours, beside);
    }
    bool all = sigmill_p256_verify_batch(verifier, verdicts, items, 8 * groups);
    EXPECT(all == (valid && neighbours), "%s, format %d: all in lanes", what,
           item->format);
    for (size_t i = 0; i < 8 * groups; i++) {
      bool is_here = (i / 8 + lane) % 8 == i % 8;
      EXPECT(verdicts[i] == (is_here ? valid : neighbours),
             "%s, format %d: verdict %d in lane %zu", what, item->format, verdicts[i],
             i % 8);
    }
  }
}

static void expect_batches(const uint8_t *sig, sigmill_p256_format format, ref_num digest,
                           const ref_point *point, const sigmill_p256_pubkey *key,
                           bool valid, const char *what) {
  sigmill_p256_item item = {
      .sig = sig, .digest = digest.be, .key = key, .format = format};
  uint8_t key33[33];
  ref_sec1_33(key33, point);
  int plans = is_hinted(format) ? 3 : 1;
  for (int plan = 0; plan < plans; plan++) {
    sigmill_verifier *verifier = verifier_of_plan((sigmill_plan)plan);
    uint8_t verdict = 0xa5;
    bool all = sigmill_p256_verify_batch(verifier, &verdict, &item, 1);
    EXPECT(all == valid && verdict == valid, "%s, format %d, plan %d: batch of one", what,
           format, plan);
    expect_in_lanes(verifier, &item, valid, what);
    verdict = 0xa5;
    all =
        sigmill_p256_verify_columns(verifier, &verdict, sig, format, digest.be, key33, 1);
    EXPECT(all == valid && verdict == valid, "%s, format %d, plan %d: column of one",
           what, format, plan);
  }
}

/* ---------------------------------------------------------------- hinted forms */

static void add_form(hinted_form *out, size_t *count, sigmill_p256_format format,
                     uint8_t first, ref_num x, ref_num s) {
  hinted_form *form = &out[(*count)++];
  form->format = format;
  form->sig[0] = first;
  memcpy(form->sig + 1, x.be, 32);
  memcpy(form->sig + 33, s.be, 32);
}

static void add_full_form(hinted_form *out, size_t *count, const ref_point *point,
                          ref_num s) {
  hinted_form *form = &out[(*count)++];
  form->format = SIGMILL_P256_FULL_R96;
  ref_encode_hinted(form->sig, SIGMILL_P256_FULL_R96, point, s);
}

size_t hinted_forms(hinted_form out[HINTED_FORMS_MAX], const uint8_t sig[64]) {
  ref_num r = ref_bytes(sig), s = ref_bytes(sig + 32), xs[2];
  ref_num other_s = ref_minus(ref_n(), s);
  bool fits = false, high = ref_compare(s, ref_half_n()) > 0;
  ref_num low = high ? other_s : s;
  size_t count = 0;
  for (uint8_t recid = 0; recid < 4; recid++) {
    add_form(out, &count, SIGMILL_P256_RECOVERABLE65, recid, r, low);
  }
  add_form(out, &count, SIGMILL_P256_RECOVERABLE65, 1, r, high ? s : other_s);
  xs[0] = r;
  xs[1] = ref_plus(r, ref_n(), &fits);
  for (int i = 0; i < (fits ? 2 : 1); i++) {
    for (uint8_t odd = 0; odd < 2; odd++) {
      ref_point point;
      add_form(out, &count, SIGMILL_P256_COMPRESSED_R65, 2 | odd, xs[i], low);
      if (ref_lift(&point, xs[i], odd)) {
        add_full_form(out, &count, &point, low);
      }
    }
  }
  return count;
}

/* All forms in one batch with valid neighbours, and those that are valid once more
 * without the others. */
static void expect_forms(const uint8_t sig[64], ref_num digest, const ref_point *point,
                         const sigmill_p256_pubkey *key, const char *what) {
  hinted_form forms[HINTED_FORMS_MAX];
  size_t count = hinted_forms(forms, sig), good_count = 0;
  enum { NEIGHBOURS = 3, MOST = HINTED_FORMS_MAX + NEIGHBOURS };
  sigmill_p256_item items[MOST], good[MOST];
  bool expected[MOST];
  for (size_t i = 0; i < count; i++) {
    const hinted_form *f = &forms[i];
    sigmill_status reason = ref_explain(f->sig, f->format, digest, point);
    sigmill_status got = sigmill_p256_explain(f->sig, f->format, digest.be, key);
    expected[i] = reason == SIGMILL_OK;
    EXPECT(got == reason, "%s, form %zu: explained as %d, not %d", what, i, got, reason);
    EXPECT(sigmill_p256_verify_as(f->sig, f->format, digest.be, key) == expected[i],
           "%s, form %zu: verify_as", what, i);
    items[i] = (sigmill_p256_item){f->sig, digest.be, key, f->format};
    if (expected[i]) {
      good[good_count++] = items[i];
    }
  }
  for (int i = 0; i < NEIGHBOURS; i++) {
    items[count] = good[good_count++] = item_of_neighbour(true, hinted_formats[i]);
    expected[count++] = true;
  }
  for (int plan = 0; plan < 3; plan++) {
    sigmill_verifier *verifier = verifier_of_plan((sigmill_plan)plan);
    uint8_t verdicts[MOST];
    memset(verdicts, 0xa5, sizeof verdicts);
    bool all = sigmill_p256_verify_batch(verifier, verdicts, items, count);
    EXPECT(all == (good_count == count), "%s, plan %d: all forms", what, plan);
    for (size_t i = 0; i < count; i++) {
      EXPECT(verdicts[i] == expected[i], "%s, plan %d: verdict %d on form %zu", what,
             plan, verdicts[i], i);
    }
    EXPECT(sigmill_p256_verify_batch(verifier, verdicts, good, good_count),
           "%s, plan %d: the valid forms", what, plan);
  }
}

/* Every hint of a valid plain signature is the reference's encoding of the low one. */
static void expect_hints(const uint8_t *sig, ref_num digest, const ref_point *point,
                         const sigmill_p256_pubkey *key, sigmill_status reason,
                         const char *what) {
  ref_case low = {
      .r = ref_bytes(sig), .s = ref_bytes(sig + 32), .digest = digest, .key = *point};
  if (reason == SIGMILL_OK && ref_compare(low.s, ref_half_n()) > 0) {
    low.s = ref_n_negate(low.s);
  }
  for (int i = 0; i < 3; i++) {
    sigmill_p256_format format = hinted_formats[i];
    uint8_t got[96], expected[96] = {0};
    size_t size = sigmill_p256_format_size(format);
    memset(got, 0xa5, sizeof got);
    sigmill_status status = sigmill_p256_hint(got, format, sig, digest.be, key);
    EXPECT(status == reason, "%s: hint to format %d says %d, not %d", what, format,
           status, reason);
    if (reason == SIGMILL_OK) {
      ref_encode(expected, format, &low);
    }
    EXPECT(memcmp(got, expected, size) == 0, "%s: hint to format %d", what, format);
  }
}

static void expect_recovery(const uint8_t *sig, ref_num digest, const ref_point *point,
                            const sigmill_p256_pubkey *key, sigmill_status reason,
                            const char *what) {
  sigmill_p256_pubkey recovered;
  memset(&recovered, 0xa5, sizeof recovered);
  sigmill_status status = sigmill_p256_recover(&recovered, sig, digest.be);
  if (reason != SIGMILL_OK && reason != SIGMILL_ERR_SIG_EQUATION) {
    EXPECT(status == reason && test_all_zero(&recovered, sizeof recovered),
           "%s: recover says %d, not %d", what, status, reason);
    return;
  }
  uint8_t got[33], expected[33];
  sigmill_p256_pubkey_serialize33(got, &recovered);
  ref_sec1_33(expected, point);
  bool same = memcmp(got, expected, sizeof got) == 0;
  EXPECT(same == (reason == SIGMILL_OK), "%s: recovered %s key", what,
         same ? "this" : "another");
  EXPECT(sigmill_p256_pubkey_equal(&recovered, key) == same, "%s: equality of keys",
         what);
}

/* The key prepared; kept as long as the same one comes. */
static const sigmill_p256_prepared *prepared_of(const sigmill_p256_pubkey *key) {
  static sigmill_p256_pubkey kept;
  static sigmill_p256_prepared *prepared;
  if (prepared == NULL || !sigmill_p256_pubkey_equal(&kept, key)) {
    sigmill_p256_prepared_destroy(prepared);
    if (sigmill_p256_prepared_create(&prepared, key) != SIGMILL_OK) {
      fprintf(stderr, "agreement: no prepared key\n");
      abort();
    }
    kept = *key;
  }
  return prepared;
}

sigmill_status expect_agreement(const uint8_t *sig, sigmill_p256_format format,
                                ref_num digest, const ref_point *point,
                                const char *what) {
  sigmill_p256_pubkey key = ref_pubkey(point);
  sigmill_status reason = ref_explain(sig, format, digest, point);
  bool valid = reason == SIGMILL_OK;
  sigmill_status got = sigmill_p256_explain(sig, format, digest.be, &key);
  EXPECT(got == reason, "%s, format %d: explained as %d, not %d", what, format, got,
         reason);
  EXPECT(sigmill_p256_verify_as(sig, format, digest.be, &key) == valid,
         "%s, format %d: verify_as", what, format);
  const sigmill_p256_prepared *prepared = prepared_of(&key);
  EXPECT(sigmill_p256_prepared_verify_as(sig, format, digest.be, prepared) == valid,
         "%s, format %d: prepared", what, format);
  expect_batches(sig, format, digest, point, &key, valid, what);
  if (format == SIGMILL_P256_SIG64) {
    EXPECT(sigmill_p256_verify(sig, digest.be, &key) == valid, "%s: verify", what);
    EXPECT(sigmill_p256_prepared_verify(sig, digest.be, prepared) == valid,
           "%s: prepared", what);
    expect_hints(sig, digest, point, &key, reason, what);
    expect_forms(sig, digest, point, &key, what);
  }
  if (format == SIGMILL_P256_RECOVERABLE65) {
    expect_recovery(sig, digest, point, &key, reason, what);
  }
  return reason;
}

void expect_agreement_everywhere(const ref_case *c, const char *what) {
  for (int i = 0; i < FORMAT_COUNT; i++) {
    uint8_t sig[96];
    ref_encode(sig, all_formats[i], c);
    expect_agreement(sig, all_formats[i], c->digest, &c->key, what);
  }
}
