/* Prepared keys: what they are made from and who may share them, and sums in which an
 * addition is exceptional, as lanes and engines add up.  All else about them is compared
 * in every call of agreement.h. */
#include "../lanes/claims_x8.h"
#include "harness.h"
#include "samples.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- memory */

/* Memory that is held, and requests so far, which fail from one on. */
static long held;
static size_t requests, failing = SIZE_MAX;

void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  EXPECT(size % alignment == 0, "%zu bytes at multiples of %zu", size, alignment);
  void *p = requests++ >= failing ? NULL : __real_aligned_alloc(alignment, size);
  held += p != NULL;
  return p;
}

void __wrap_free(void *p) {
  held -= p != NULL;
  __real_free(p);
}

static sigmill_p256_prepared *prepare(const sigmill_p256_pubkey *key) {
  sigmill_p256_prepared *prepared = NULL;
  if (sigmill_p256_prepared_create(&prepared, key) != SIGMILL_OK || prepared == NULL) {
    fprintf(stderr, "no prepared key\n");
    abort();
  }
  return prepared;
}

static void memory_is_one_piece(void) {
  sigmill_p256_pubkey key = ref_pubkey(&good[0].point);
  const long before = held;
  requests = 0;
  sigmill_p256_prepared *prepared = prepare(&key);
  EXPECT(requests == 1 && held == before + 1, "%zu requests", requests);
  EXPECT((uintptr_t)prepared % 64 == 0, "alignment");
  for (size_t i = 0; i < POOL; i++) {
    const bool its_own = i == 0; /* every sample has another key */
    EXPECT(sigmill_p256_prepared_verify_as(good[i].sig, good[i].format, good[i].digest.be,
                                           prepared) == its_own,
           "sample %zu", i);
  }
  EXPECT(requests == 1, "%zu requests after verifying", requests);
  sigmill_p256_prepared_destroy(prepared);
  sigmill_p256_prepared_destroy(NULL);
  EXPECT(held == before, "%ld left", held - before);
}

static void no_memory(void) {
  sigmill_p256_pubkey key = ref_pubkey(&good[0].point);
  sigmill_p256_prepared *prepared = (sigmill_p256_prepared *)(void *)&key;
  const long before = held;
  requests = failing = 0;
  const sigmill_status status = sigmill_p256_prepared_create(&prepared, &key);
  failing = SIZE_MAX;
  EXPECT(status == SIGMILL_ERR_MEMORY && prepared == NULL, "status %d", status);
  EXPECT(requests == 1 && held == before, "%zu requests", requests);
}

/* ---------------------------------------------------------------- arguments */

static void creation_is_refused(void) {
  static const sigmill_p256_pubkey unset;
  sigmill_p256_pubkey key = ref_pubkey(&good[0].point);
  sigmill_p256_prepared *out = (sigmill_p256_prepared *)(void *)&key;
  const long before = held;
  EXPECT(sigmill_p256_prepared_create(&out, NULL) == SIGMILL_ERR_ARGUMENT && out == NULL,
         "no key");
  out = (sigmill_p256_prepared *)(void *)&key;
  EXPECT(sigmill_p256_prepared_create(&out, &unset) == SIGMILL_ERR_KEY_UNSET &&
             out == NULL,
         "an unset key");
  EXPECT(sigmill_p256_prepared_create(NULL, &key) == SIGMILL_ERR_ARGUMENT, "no output");
  EXPECT(held == before, "%ld left", held - before);
}

static void what_is_missing_makes_it_invalid(void) {
  /* NULL, behind the compiler's back. */
  static const uint8_t *volatile missing = NULL;
  const sample *s = &good[0];
  const sigmill_p256_format unknown = (sigmill_p256_format)99;
  sigmill_p256_prepared *key = prepare(&s->key);
  EXPECT(s->format == SIGMILL_P256_SIG64 && s->valid &&
             sigmill_p256_prepared_verify(s->sig, s->digest.be, key),
         "with all of it");
  EXPECT(!sigmill_p256_prepared_verify(missing, s->digest.be, key), "no signature");
  EXPECT(!sigmill_p256_prepared_verify(s->sig, missing, key), "no digest");
  EXPECT(!sigmill_p256_prepared_verify(s->sig, s->digest.be, NULL), "no key");
  EXPECT(!sigmill_p256_prepared_verify_as(s->sig, unknown, s->digest.be, key),
         "an unknown format");
  EXPECT(!sigmill_p256_prepared_verify_as(missing, s->format, s->digest.be, key),
         "no signature of a format");
  EXPECT(!sigmill_p256_prepared_verify_as(s->sig, s->format, missing, key),
         "no digest of a format");
  EXPECT(!sigmill_p256_prepared_verify_as(s->sig, s->format, s->digest.be, NULL),
         "no key of a format");
  sigmill_p256_prepared_destroy(key);
}

/* Several at once, each from a key that is gone: every sample under every one. */
static void each_keeps_its_key(void) {
  enum { KEYS = 6 };
  sigmill_p256_prepared *prepared[KEYS];
  for (size_t k = 0; k < KEYS; k++) {
    sigmill_p256_pubkey key = good[k].key;
    prepared[k] = prepare(&key);
    memset(&key, 0, sizeof key);
  }
  for (size_t i = 0; i < POOL; i++) {
    for (size_t k = 0; k < KEYS; k++) {
      const sample *s = i % 2 == 0 ? &good[i % KEYS] : &bad[i];
      const bool expected =
          ref_explain(s->sig, s->format, s->digest, &good[k].point) == SIGMILL_OK;
      EXPECT(sigmill_p256_prepared_verify_as(s->sig, s->format, s->digest.be,
                                             prepared[k]) == expected,
             "sample %zu under key %zu", i, k);
    }
  }
  for (size_t k = 0; k < KEYS; k++) {
    sigmill_p256_prepared_destroy(prepared[k]);
  }
}

/* ---------------------------------------------------------------- threads */

enum { SHARED = 40, THREADS = 8 };
typedef struct {
  const sigmill_p256_prepared *key;
  uint8_t sig[SHARED][64], digest[SHARED][32];
  bool valid[SHARED];
} shared_work;

static void *verify_shared(void *arg) {
  const shared_work *w = arg;
  size_t wrong = 0;
  for (int i = 0; i < SHARED; i++) {
    wrong += sigmill_p256_prepared_verify(w->sig[i], w->digest[i], w->key) != w->valid[i];
  }
  return (void *)(uintptr_t)wrong;
}

static void threads_share_one(void) {
  static shared_work work;
  const ref_num secret = ref_random_scalar();
  pthread_t threads[THREADS];
  sigmill_p256_pubkey key;
  for (int i = 0; i < SHARED; i++) {
    ref_case c = ref_sign_with(ref_random_scalar(), secret, ref_random_any());
    key = ref_pubkey(&c.key);
    ref_sig64(work.sig[i], &c);
    memcpy(work.digest[i], c.digest.be, 32);
    work.valid[i] = i % 3 != 0;
    work.digest[i][i % 32] ^= (uint8_t)!work.valid[i];
  }
  sigmill_p256_prepared *prepared = prepare(&key);
  work.key = prepared;
  size_t started = 0, wrong = 0;
  while (started < THREADS &&
         pthread_create(&threads[started], NULL, verify_shared, &work) == 0) {
    started++;
  }
  for (size_t i = 0; i < started; i++) {
    void *answer = NULL;
    pthread_join(threads[i], &answer);
    wrong += (size_t)(uintptr_t)answer;
  }
  EXPECT(started == THREADS && wrong == 0, "%zu wrong on %zu threads", wrong, started);
  sigmill_p256_prepared_destroy(prepared);
}

/* ---------------------------------------------------------------- points that meet */

enum { KEY_WINDOWS = 51, BASE_WINDOWS = 37, PLACES = KEY_WINDOWS + BASE_WINDOWS };

static void place_points(claims_point points[PLACES], const u256 *u1, const u256 *u2) {
  static const u256 zero;
  int key[KEY_WINDOWS], base[BASE_WINDOWS];
  claims_digits(key, u2, 5, KEY_WINDOWS);
  claims_digits(base, u1, 7, BASE_WINDOWS);
  for (int i = 0; i < PLACES; i++) {
    points[i] = (claims_point){zero, zero};
    if (i < KEY_WINDOWS) {
      claims_add_key(&points[i], key[i], 5 * i);
    } else {
      claims_add_base(&points[i], base[i - KEY_WINDOWS], 7 * (i - KEY_WINDOWS));
    }
  }
}

/* The claim, and the same of another digest, by the prepared key. */
static void expect_claim(const p256_claim *claim, const char *what) {
  uint8_t sec1[65] = {4}, sig[64], digest[32];
  sigmill_p256_pubkey key;
  u256_to_be(sec1 + 1, &claim->key.x);
  u256_to_be(sec1 + 33, &claim->key.y);
  u256_to_be(sig, &claim->r);
  u256_to_be(sig + 32, &claim->s);
  u256_to_be(digest, &claim->digest);
  if (!EXPECT(sigmill_p256_pubkey_parse(&key, sec1, 65) == SIGMILL_OK, "%s: key", what)) {
    return;
  }
  sigmill_p256_prepared *prepared = prepare(&key);
  EXPECT(sigmill_p256_prepared_verify(sig, digest, prepared) ==
             (claims_verdict(claim) == CLAIM_TRUE),
         "%s", what);
  sig[31] ^= 1;
  EXPECT(!sigmill_p256_prepared_verify(sig, digest, prepared), "%s, another r", what);
  sigmill_p256_prepared_destroy(prepared);
}

static void expect_meeting(const u256 *u1, const u256 *u2, const claims_point *a,
                           const claims_point *b, bool opposite, const char *what,
                           int *met) {
  p256_claim claim;
  if (claims_of_meeting(&claim, u1, u2, a, b, opposite)) {
    claim.has_point = false;
    expect_claim(&claim, what);
    ++*met;
  }
}

/* One window after another: what is added meets the sum before it. */
static void sums_that_meet_in_a_row(void) {
  int met = 0;
  for (int at = KEY_WINDOWS; at < PLACES; at++) {
    const u256 u1 = claims_random_scalar(), u2 = claims_random_scalar();
    claims_point points[PLACES];
    place_points(points, &u1, &u2);
    claims_point acc = points[0];
    for (int i = 1; i < at; i++) {
      claims_add(&acc, &points[i]);
    }
    expect_meeting(&u1, &u2, &acc, &points[at], at % 2 != 0, "in a row", &met);
  }
  EXPECT(met >= BASE_WINDOWS - 1, "%d sums", met);
}

/* Windows dealt to eight lanes: within a lane, and where lanes are joined. */
static void sums_that_meet_in_lanes(void) {
  enum { LANES_ = 8 };
  int met = 0;
  for (int at = LANES_; at < PLACES; at++) {
    const u256 u1 = claims_random_scalar(), u2 = claims_random_scalar();
    claims_point points[PLACES];
    place_points(points, &u1, &u2);
    claims_point acc = points[at % LANES_];
    for (int i = at % LANES_ + LANES_; i < at; i += LANES_) {
      claims_add(&acc, &points[i]);
    }
    expect_meeting(&u1, &u2, &acc, &points[at], at % 2 != 0, "in a lane", &met);
  }
  EXPECT(met >= BASE_WINDOWS - 1, "%d sums", met);
  met = 0;
  for (int distance = 1; distance < LANES_; distance *= 2) {
    for (int opposite = 0; opposite < 2; opposite++) {
      const u256 u1 = claims_random_scalar(), u2 = claims_random_scalar();
      static const u256 zero;
      claims_point points[PLACES], sums[2] = {{zero, zero}, {zero, zero}};
      place_points(points, &u1, &u2);
      for (int i = 0; i < PLACES; i++) {
        if (i % LANES_ < 2 * distance) {
          claims_add(&sums[i % LANES_ / distance], &points[i]);
        }
      }
      expect_meeting(&u1, &u2, &sums[0], &sums[1], opposite != 0, "between lanes", &met);
    }
  }
  EXPECT(met == 6, "%d joins", met);
}

/* u1 = 0, whose sum of windows is n*G or nothing, and u1*G = u2*key, for keys that are
 * +-G and small multiples. */
static void small_keys(void) {
  static const u256 zero;
  for (uint64_t k = 1; k <= 40; k++) {
    for (int i = 0; i < 6; i++) {
      u256 secret = {{k}}, u1 = zero, u2 = claims_random_scalar();
      if (i % 2 != 0) {
        secret = claims_minus(&secret);
      }
      if (i >= 4) {
        u1 = claims_times(&u2, &secret);
      } else if (i >= 2) {
        u2 = (u256){{k}};
      }
      p256_point key;
      p256_claim claim;
      (void)model_mul2(&key, &secret, NULL, NULL);
      if (EXPECT(claims_set(&claim, &u1, &u2, &key), "R is a point")) {
        claim.has_point = false;
        expect_claim(&claim, "small key");
      }
    }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  model_begin();
  make_samples();
  RUN(memory_is_one_piece);
  RUN(no_memory);
  RUN(creation_is_refused);
  RUN(what_is_missing_makes_it_invalid);
  RUN(each_keeps_its_key);
  RUN(threads_share_one);
  RUN(sums_that_meet_in_a_row);
  RUN(sums_that_meet_in_lanes);
  RUN(small_keys);
  ref_end();
  return test_end();
}
