/* Batches: every verdict equals the single call's, at every size and place, on any
 * threads, and every output of the batch calls equals that of the call for one. */
#include "harness.h"
#include "samples.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = SAMPLE_GUARD };

static void samples_agree_with_single_calls(void) {
  size_t still_valid = 0;
  for (int i = 0; i < POOL; i++) {
    const sample *pair[2] = {&good[i], &bad[i]};
    for (int j = 0; j < 2; j++) {
      const sample *s = pair[j];
      EXPECT(sigmill_p256_verify_as(s->sig, s->format, s->digest.be, &s->key) == s->valid,
             "sample %d, %s", i, j == 0 ? "good" : "bad");
    }
    still_valid += bad[i].valid;
  }
  EXPECT(still_valid > 0 && still_valid < POOL / 3, "%zu spoilt ones are valid",
         still_valid);
}

static void one_spoilt_at_every_place(void) {
  sigmill_verifier *verifier = new_verifier(NULL);
  for (size_t n = 0; n <= 40; n++) {
    for (size_t at = 0; at <= n; at++) { /* at = n: none spoilt */
      const sample *row[MAX_ITEMS];
      for (size_t i = 0; i < n; i++) {
        row[i] = &good[(i + 7 * n + at) % POOL];
      }
      if (at < n) {
        row[at] = &bad[(at + 3 * n) % POOL];
      }
      size_t wrong = wrong_verdicts(verifier, row, n);
      EXPECT(wrong == 0, "n = %zu, spoilt at %zu: %zu wrong", n, at, wrong);
    }
  }
  sigmill_verifier_destroy(verifier);
}

static void random_mixtures(void) {
  sigmill_verifier *verifier = new_verifier(NULL);
  for (int run = 0; run < 60; run++) {
    const sample *row[MAX_ITEMS];
    size_t n = 1 + test_random_u64() % MAX_ITEMS;
    uint64_t spoilt_of_8 = test_random_u64() % 9; /* from none to all */
    for (size_t i = 0; i < n; i++) {
      const sample *pool = test_random_u64() % 8 < spoilt_of_8 ? bad : good;
      row[i] = &pool[test_random_u64() % POOL];
    }
    size_t wrong = wrong_verdicts(verifier, row, n);
    EXPECT(wrong == 0, "run %d, n = %zu: %zu wrong", run, n, wrong);
  }
  sigmill_verifier_destroy(verifier);
}

static void the_same_item_many_times(void) {
  sigmill_verifier *verifier = new_verifier(NULL);
  for (size_t k = 0; k < 2 * POOL; k += 7) {
    const sample *row[MAX_ITEMS];
    for (size_t i = 0; i < 33; i++) {
      row[i] = k < POOL ? &good[k] : &bad[k - POOL];
    }
    EXPECT(wrong_verdicts(verifier, row, 33) == 0, "sample %zu", k);
  }
  sigmill_verifier_destroy(verifier);
}

static void empty_batches_are_not_true(void) {
  sigmill_verifier *verifier = new_verifier(NULL);
  sigmill_p256_item item = item_of(&good[0]);
  uint8_t verdict = GUARD;
  EXPECT(!sigmill_p256_verify_batch(verifier, &verdict, &item, 0), "verify_batch");
  EXPECT(!sigmill_p256_verify_batch(verifier, NULL, NULL, 0), "verify_batch of nothing");
  EXPECT(!sigmill_p256_verify_columns(verifier, &verdict, item.sig, SIGMILL_P256_SIG64,
                                      item.digest, item.sig, 0),
         "verify_columns");
  sigmill_p256_pubkey key;
  sigmill_p256_keypair pair;
  uint8_t out[96];
  EXPECT(!sigmill_p256_pubkey_parse_batch(&key, &verdict, NULL, 0), "parse_batch");
  EXPECT(!sigmill_p256_keypair_batch(&pair, &verdict, NULL, 0), "keypair_batch");
  EXPECT(!sigmill_p256_sign_batch(NULL, &verdict, NULL, NULL, 0), "sign_batch");
  EXPECT(!sigmill_p256_ecdh_batch(NULL, &verdict, NULL, NULL, 0), "ecdh_batch");
  EXPECT(!sigmill_p256_hint_batch(out, SIGMILL_P256_FULL_R96, &verdict, NULL, 0),
         "hint_batch");
  EXPECT(verdict == GUARD, "nothing was written");
  sigmill_verifier_destroy(verifier);
}

static void items_that_lack_something(void) {
  sigmill_verifier *verifier = new_verifier(NULL);
  sigmill_p256_pubkey unset;
  memset(&unset, 0, sizeof unset);
  for (int kind = 0; kind < 5; kind++) {
    for (size_t at = 0; at < 9; at++) {
      sigmill_p256_item items[9];
      uint8_t verdicts[9];
      for (size_t i = 0; i < 9; i++) {
        items[i] = item_of(&good[(i + at) % POOL]);
      }
      switch (kind) {
      case 0:
        items[at].sig = NULL;
        break;
      case 1:
        items[at].digest = NULL;
        break;
      case 2:
        items[at].key = NULL;
        break;
      case 3:
        items[at].key = &unset;
        break;
      default:
        memset(&items[at], 0, sizeof items[at]);
        break;
      }
      memset(verdicts, GUARD, sizeof verdicts);
      EXPECT(!sigmill_p256_verify_batch(verifier, verdicts, items, 9), "kind %d", kind);
      for (size_t i = 0; i < 9; i++) {
        EXPECT(verdicts[i] == (i != at), "kind %d at %zu: verdict %zu is %d", kind, at, i,
               verdicts[i]);
      }
    }
  }
  sigmill_verifier_destroy(verifier);
}

enum { MAX_COLUMN = 70 };

/* Columns of one format; spoilt rows and one key that cannot be read among them. */
static void columns(void) {
  sigmill_verifier *verifier = new_verifier(NULL);
  for (int f = 0; f < FORMAT_COUNT; f++) {
    size_t size = sigmill_p256_format_size(all_formats[f]);
    for (size_t n = 1; n <= MAX_COLUMN; n += n < 10 ? 1 : 6) {
      uint8_t sigs[MAX_COLUMN * 96], digests[MAX_COLUMN * 32], keys[MAX_COLUMN * 33];
      uint8_t verdicts[MAX_COLUMN + 1];
      bool expected[MAX_COLUMN], expected_all = true;
      size_t broken_key = test_random_u64() % (2 * n); /* in half of the runs none */
      for (size_t i = 0; i < n; i++) {
        /* The pools hold the formats in turn. */
        size_t k = (size_t)f + FORMAT_COUNT * (test_random_u64() % (POOL / FORMAT_COUNT));
        const sample *s = test_random_u64() % n == 0 ? &bad[k] : &good[k];
        memcpy(sigs + size * i, s->sig, size);
        memcpy(digests + 32 * i, s->digest.be, 32);
        ref_sec1_33(keys + 33 * i, &s->point);
        expected[i] = s->valid && i != broken_key;
        expected_all &= expected[i];
        if (i == broken_key) {
          keys[33 * i] = 4;
        }
      }
      memset(verdicts, GUARD, sizeof verdicts);
      bool all = sigmill_p256_verify_columns(verifier, verdicts, sigs, all_formats[f],
                                             digests, keys, n);
      EXPECT(all == expected_all && verdicts[n] == GUARD, "format %d, n = %zu",
             all_formats[f], n);
      for (size_t i = 0; i < n; i++) {
        EXPECT(verdicts[i] == expected[i], "format %d, n = %zu, row %zu", all_formats[f],
               n, i);
      }
    }
  }
  sigmill_verifier_destroy(verifier);
}

/* ---------------------------------------------------------------- threads */

/* A parallel_for over four threads that take indices in turn. */
typedef struct {
  pthread_mutex_t lock;
  size_t next, n, bodies;
  void (*body)(void *arg, size_t i);
  void *arg;
} crew;

static void *crew_member(void *ctx) {
  crew *c = ctx;
  for (;;) {
    pthread_mutex_lock(&c->lock);
    size_t i = c->next < c->n ? c->next++ : c->n;
    c->bodies += i < c->n;
    pthread_mutex_unlock(&c->lock);
    if (i == c->n) {
      return NULL;
    }
    c->body(c->arg, i);
  }
}

static void crew_for(void *ctx, size_t n, void (*body)(void *arg, size_t i), void *arg) {
  crew *c = ctx;
  pthread_t threads[4];
  c->next = 0;
  c->n = n;
  c->body = body;
  c->arg = arg;
  for (int i = 0; i < 4; i++) {
    if (pthread_create(&threads[i], NULL, crew_member, c) != 0) {
      abort();
    }
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
}

static void parallel_batches(void) {
  crew c = {.lock = PTHREAD_MUTEX_INITIALIZER};
  sigmill_verifier_options options = {.struct_size = sizeof options,
                                      .parallel_for = crew_for,
                                      .parallel_ctx = &c,
                                      .concurrency = 4};
  sigmill_verifier *verifier = new_verifier(&options);
  static const size_t sizes[] = {0, 1, 31, 32, 33, 64, 65, 100, MAX_ITEMS};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    for (size_t at = 0; at < 5; at++) {
      const sample *row[MAX_ITEMS];
      for (size_t i = 0; i < sizes[k]; i++) {
        row[i] = (i * 5) / (sizes[k] + 1) == at && i % 3 == 0 ? &bad[i % POOL]
                                                              : &good[i % POOL];
      }
      EXPECT(wrong_verdicts(verifier, row, sizes[k]) == 0, "n = %zu, part %zu", sizes[k],
             at);
    }
  }
  EXPECT(c.bodies > 0, "the callback had work");
  sigmill_verifier_destroy(verifier);
}

static void unusable_options_are_refused(void) {
  sigmill_verifier_options options = {.struct_size = 0};
  int nothing = 0;
  sigmill_verifier *verifier = (sigmill_verifier *)(void *)&nothing;
  EXPECT(sigmill_verifier_create(&verifier, &options) == SIGMILL_ERR_ARGUMENT &&
             verifier == NULL,
         "a size of 0");
  sigmill_verifier_destroy(NULL);
}

/* Sixteen threads, each with a verifier of its own, on shared keys and items. */
typedef struct {
  uint64_t seed;
  size_t wrong;
} worker;

static void *worker_main(void *ctx) {
  worker *w = ctx;
  sigmill_verifier *verifier = new_verifier(NULL);
  for (int run = 0; run < 6; run++) {
    const sample *row[MAX_ITEMS];
    size_t n = 1 + (w->seed * 13 + (uint64_t)run * 5) % 40;
    for (size_t i = 0; i < n; i++) {
      size_t k = (w->seed + i * 11 + (uint64_t)run) % POOL;
      row[i] = (i + w->seed) % 6 == 0 ? &bad[k] : &good[k];
    }
    w->wrong += wrong_verdicts(verifier, row, n);
    const sample *one = row[n / 2];
    w->wrong += sigmill_p256_verify_as(one->sig, one->format, one->digest.be,
                                       &one->key) != one->valid;
  }
  sigmill_verifier_destroy(verifier);
  return NULL;
}

static void threads_with_verifiers_of_their_own(void) {
  pthread_t threads[16];
  worker workers[16];
  for (size_t i = 0; i < 16; i++) {
    workers[i] = (worker){.seed = i + 1};
    if (pthread_create(&threads[i], NULL, worker_main, &workers[i]) != 0) {
      abort();
    }
  }
  for (size_t i = 0; i < 16; i++) {
    pthread_join(threads[i], NULL);
    EXPECT(workers[i].wrong == 0, "thread %zu: %zu wrong", i, workers[i].wrong);
  }
}

/* ---------------------------------------------------------------- keys and secrets */

enum { MAX_ROWS = 70 };

static void parse_batches(void) {
  for (size_t n = 1; n <= MAX_ROWS; n++) {
    for (size_t at = 0; at <= n; at += n < 20 ? 1 : n / 4) {
      uint8_t rows[MAX_ROWS][33], verdicts[MAX_ROWS + 1];
      sigmill_p256_pubkey keys[MAX_ROWS];
      for (size_t i = 0; i < n; i++) {
        ref_sec1_33(rows[i], &good[(i + n) % POOL].point);
      }
      if (at < n) { /* a prefix, a range and a point at fault */
        memset(rows[at] + 1, at % 3 == 1 ? 0xff : 0, 32);
        rows[at][0] = at % 3 == 0 ? 4 : 3;
        rows[at][32] = at % 3 == 2 ? 1 : rows[at][32]; /* x = 1 has no point */
      }
      memset(verdicts, GUARD, sizeof verdicts);
      memset(keys, GUARD, sizeof keys);
      bool all =
          sigmill_p256_pubkey_parse_batch(keys, verdicts, (const uint8_t(*)[33])rows, n);
      EXPECT(all == (at == n) && verdicts[n] == GUARD, "n = %zu, spoilt at %zu", n, at);
      for (size_t i = 0; i < n; i++) {
        sigmill_p256_pubkey single;
        bool made = sigmill_p256_pubkey_parse(&single, rows[i], 33) == SIGMILL_OK;
        EXPECT(made == (i != at) && verdicts[i] == made &&
                   memcmp(&single, &keys[i], sizeof single) == 0,
               "n = %zu, spoilt at %zu, row %zu", n, at, i);
      }
    }
  }
}

static void secret_batches(void) {
  for (size_t n = 1; n <= MAX_ROWS; n += n < 20 ? 1 : 9) {
    size_t at = (n * 7) % (n + 2); /* now and then none */
    uint8_t secrets[MAX_ROWS][32], digests[MAX_ROWS][32], verdicts[MAX_ROWS + 1];
    sigmill_p256_keypair pairs[MAX_ROWS];
    const sigmill_p256_keypair *pair_at[MAX_ROWS];
    const sigmill_p256_pubkey *peer_at[MAX_ROWS];
    for (size_t i = 0; i < n; i++) {
      memcpy(secrets[i], ref_random_scalar().be, 32);
      test_random_bytes(digests[i], 32);
      pair_at[i] = &pairs[i];
      peer_at[i] = &good[i].key;
    }
    if (at < n) {
      memcpy(secrets[at], at % 2 == 0 ? ref_n().be : ref_small(0).be, 32);
    }
    bool expected_all = at >= n;
    memset(verdicts, GUARD, sizeof verdicts);
    memset(pairs, GUARD, sizeof pairs);
    bool all =
        sigmill_p256_keypair_batch(pairs, verdicts, (const uint8_t(*)[32])secrets, n);
    EXPECT(all == expected_all && verdicts[n] == GUARD, "keypair_batch of %zu", n);
    for (size_t i = 0; i < n; i++) {
      sigmill_p256_keypair single;
      bool made = sigmill_p256_keypair_from_secret(&single, secrets[i]) == SIGMILL_OK;
      EXPECT(verdicts[i] == made && memcmp(&single, &pairs[i], sizeof single) == 0,
             "keypair_batch of %zu, row %zu", n, i);
    }

    /* The pair that was not made is unset, and signs and derives nothing. */
    uint8_t sigs[MAX_ROWS][64], shared[MAX_ROWS][32];
    memset(verdicts, GUARD, sizeof verdicts);
    memset(sigs, GUARD, sizeof sigs);
    all = sigmill_p256_sign_batch(sigs, verdicts, (const uint8_t(*)[32])digests, pair_at,
                                  n);
    EXPECT(all == expected_all && verdicts[n] == GUARD, "sign_batch of %zu", n);
    for (size_t i = 0; i < n; i++) {
      uint8_t single[64];
      bool made = sigmill_p256_sign(single, digests[i], &pairs[i]) == SIGMILL_OK;
      EXPECT(made == (i != at) && verdicts[i] == made &&
                 memcmp(single, sigs[i], sizeof single) == 0,
             "sign_batch of %zu, row %zu", n, i);
    }

    sigmill_p256_pubkey unset;
    memset(&unset, 0, sizeof unset);
    size_t lonely = (at + 3) % (2 * n);
    if (lonely < n) {
      peer_at[lonely] = &unset;
    }
    memset(verdicts, GUARD, sizeof verdicts);
    memset(shared, GUARD, sizeof shared);
    all = sigmill_p256_ecdh_batch(shared, verdicts, pair_at, peer_at, n);
    EXPECT(all == (expected_all && lonely >= n) && verdicts[n] == GUARD,
           "ecdh_batch of %zu", n);
    for (size_t i = 0; i < n; i++) {
      uint8_t single[32];
      bool made = sigmill_p256_ecdh(single, &pairs[i], peer_at[i]) == SIGMILL_OK;
      EXPECT(made == (i != at && i != lonely) && verdicts[i] == made &&
                 memcmp(single, shared[i], sizeof single) == 0,
             "ecdh_batch of %zu, row %zu", n, i);
    }
  }
}

static void hint_batches(void) {
  for (int f = 0; f < 3; f++) {
    sigmill_p256_format format = hinted_formats[f];
    size_t size = sigmill_p256_format_size(format);
    for (size_t n = 1; n <= POOL / FORMAT_COUNT; n += 3) {
      sigmill_p256_item items[POOL];
      uint8_t out[POOL * 96], verdicts[POOL + 1];
      size_t at = n / 2;
      bool expected_all = true;
      for (size_t i = 0; i < n; i++) {
        /* Every fifth of the pool is a plain signature. */
        const sample *s = i == at ? &bad[FORMAT_COUNT * i] : &good[FORMAT_COUNT * i];
        items[i] = item_of(s);
        expected_all &= s->valid;
      }
      memset(verdicts, GUARD, sizeof verdicts);
      memset(out, GUARD, sizeof out);
      bool all = sigmill_p256_hint_batch(out, format, verdicts, items, n);
      EXPECT(all == expected_all && verdicts[n] == GUARD && out[n * size] == GUARD,
             "format %d, n = %zu", format, n);
      for (size_t i = 0; i < n; i++) {
        uint8_t single[96];
        bool made = sigmill_p256_hint(single, format, items[i].sig, items[i].digest,
                                      items[i].key) == SIGMILL_OK;
        EXPECT(verdicts[i] == made && memcmp(single, out + i * size, size) == 0,
               "format %d, n = %zu, row %zu", format, n, i);
      }
    }
  }
}

/* Only a plain signature can be given a hint. */
static void hints_of_other_formats_are_refused(void) {
  for (size_t k = 1; k < FORMAT_COUNT; k++) {
    sigmill_p256_item items[2] = {item_of(&good[0]), item_of(&good[k])};
    uint8_t out[2 * 96], verdicts[2] = {GUARD, GUARD};
    memset(out, GUARD, sizeof out);
    EXPECT(!sigmill_p256_hint_batch(out, SIGMILL_P256_FULL_R96, verdicts, items, 2) &&
               verdicts[0] == 1 && verdicts[1] == 0 && test_all_zero(out + 96, 96),
           "format %d", items[1].format);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  make_samples();
  RUN(samples_agree_with_single_calls);
  RUN(one_spoilt_at_every_place);
  RUN(random_mixtures);
  RUN(the_same_item_many_times);
  RUN(empty_batches_are_not_true);
  RUN(items_that_lack_something);
  RUN(columns);
  RUN(parallel_batches);
  RUN(unusable_options_are_refused);
  RUN(threads_with_verifiers_of_their_own);
  RUN(parse_batches);
  RUN(secret_batches);
  RUN(hint_batches);
  RUN(hints_of_other_formats_are_refused);
  ref_end();
  return test_end();
}
