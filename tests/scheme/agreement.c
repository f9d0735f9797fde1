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

/* A neighbour in a batch: a signature that is valid, or is not this digest's. */
typedef struct {
  uint8_t sig[64], digest[32];
  sigmill_p256_pubkey key;
} neighbour;

static sigmill_p256_item item_of_neighbour(bool valid) {
  static neighbour both[2];
  static bool made;
  for (int i = 0; i < 2 && !made; i++) {
    ref_case c = ref_sign_with(ref_small(1000003), ref_small(1000033), ref_small(77));
    ref_sig64(both[i].sig, &c);
    memcpy(both[i].digest, c.digest.be, 32);
    both[i].digest[31] ^= i == 0;
    both[i].key = ref_pubkey(&c.key);
  }
  made = true;
  const neighbour *n = &both[valid];
  return (sigmill_p256_item){n->sig, n->digest, &n->key, SIGMILL_P256_SIG64};
}

/* The item in each lane of a group of eight, once among valid neighbours and once among
 * invalid ones.  Plain C is slow, and gets one lane and one kind of neighbours a call. */
static void expect_in_lanes(sigmill_verifier *verifier, const sigmill_p256_item *item,
                            bool valid, const char *what) {
  static size_t calls;
  bool plain = strcmp(sigmill_backend_name(), "plain-lanes") == 0;
  if (!plain && strstr(sigmill_backend_name(), "ifma") == NULL) {
    return;
  }
  size_t groups = plain ? 1 : 8, call = calls++, lane = call % 8;
  for (int neighbours = 0; neighbours < 2; neighbours++) {
    if (plain && (call / 8) % 2 != (size_t)neighbours) {
      continue;
    }
    sigmill_p256_item items[64];
    uint8_t verdicts[64];
    for (size_t i = 0; i < 8 * groups; i++) {
      bool is_here = (i / 8 + lane) % 8 == i % 8;
      items[i] = is_here ? *item : item_of_neighbour(neighbours);
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
  sigmill_verifier *verifier = NULL;
  if (!EXPECT(sigmill_verifier_create(&verifier, NULL) == SIGMILL_OK, "no verifier")) {
    return;
  }
  sigmill_p256_item item = {
      .sig = sig, .digest = digest.be, .key = key, .format = format};
  uint8_t verdict = 0xa5;
  bool all = sigmill_p256_verify_batch(verifier, &verdict, &item, 1);
  EXPECT(all == valid && verdict == valid, "%s, format %d: batch of one", what, format);
  expect_in_lanes(verifier, &item, valid, what);
  uint8_t key33[33];
  ref_sec1_33(key33, point);
  verdict = 0xa5;
  all = sigmill_p256_verify_columns(verifier, &verdict, sig, format, digest.be, key33, 1);
  EXPECT(all == valid && verdict == valid, "%s, format %d: column of one", what, format);
  sigmill_verifier_destroy(verifier);
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
  expect_batches(sig, format, digest, point, &key, valid, what);
  if (format == SIGMILL_P256_SIG64) {
    EXPECT(sigmill_p256_verify(sig, digest.be, &key) == valid, "%s: verify", what);
    expect_hints(sig, digest, point, &key, reason, what);
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
