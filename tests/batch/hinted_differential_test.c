/* Many random batches of hinted signatures against the verdicts of single calls, with one
 * in a hundred spoilt; what is spoilt, and some of the rest, against libcrypto, too.  Two
 * threads share the work; a backend that is named in the environment gets a fiftieth. */
#include "harness.h"
#include "scheme/agreement.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
  SIGNATURES = 1000000,
  NAMED_BACKEND = 50,
  KEYS = 300,
  THREADS = 2,
  BLOCK = 1500,
  VERIFIERS = 6
};

typedef struct {
  ref_point point;
  sigmill_p256_keypair pair;
  sigmill_p256_pubkey key;
} key_entry;

static key_entry keys[KEYS];

typedef struct {
  uint8_t sig[96], digest[32];
  const key_entry *key;
  sigmill_p256_format format;
  bool spoilt;
} entry;

typedef struct {
  uint64_t random_state;
  size_t count, tried, spoilt, invalid, disagreements;
  sigmill_verifier *verifiers[VERIFIERS];
  entry entries[BLOCK];
  sigmill_p256_item items[BLOCK];
  uint8_t plain[BLOCK][64], digests[BLOCK][32], made[BLOCK], verdicts[BLOCK];
  const sigmill_p256_keypair *pairs[BLOCK];
  uint8_t hints[BLOCK * 96];
} worker;

static pthread_mutex_t print_lock = PTHREAD_MUTEX_INITIALIZER;

static void must(bool ok, const char *what) {
  if (!ok) {
    fprintf(stderr, "hinted_differential_test: %s failed\n", what);
    abort();
  }
}

static uint64_t draw(worker *w) {
  return test_random_next(&w->random_state);
}

static void make_keys(void) {
  for (size_t i = 0; i < KEYS; i++) {
    const ref_num secret = i < 8 ? ref_small(1 + i) : ref_random_scalar();
    keys[i].point = ref_base(secret);
    keys[i].pair = ref_keypair(secret);
    keys[i].key = ref_pubkey(&keys[i].point);
  }
}

/* n signatures over few keys or many, all with hints of one format. */
static void sign(worker *w, size_t n, sigmill_p256_format format) {
  const size_t size = sigmill_p256_format_size(format);
  const size_t key_count = draw(w) % 2 == 0 ? KEYS : 1 + draw(w) % 10;
  for (size_t i = 0; i < n; i++) {
    entry *e = &w->entries[i];
    for (size_t k = 0; k < 32; k++) {
      e->digest[k] = (uint8_t)(draw(w) >> 32);
    }
    e->key = &keys[draw(w) % key_count];
    e->format = format;
    e->spoilt = false;
    memcpy(w->digests[i], e->digest, 32);
    w->pairs[i] = &e->key->pair;
    w->items[i] =
        (sigmill_p256_item){w->plain[i], e->digest, &e->key->key, SIGMILL_P256_SIG64};
  }
  must(sigmill_p256_sign_batch(w->plain, w->made, (const uint8_t(*)[32])w->digests,
                               w->pairs, n),
       "sign_batch");
  must(sigmill_p256_hint_batch(w->hints, format, w->made, w->items, n), "hint_batch");
  for (size_t i = 0; i < n; i++) {
    memcpy(w->entries[i].sig, w->hints + size * i, size);
  }
}

static void spoil(worker *w, entry *e, const entry *other) {
  const size_t size = sigmill_p256_format_size(e->format);
  e->spoilt = true;
  switch (draw(w) % 6) {
  case 0:
    e->digest[draw(w) % 32] ^= (uint8_t)(1 << draw(w) % 8);
    break;
  case 1:
    e->key = &keys[draw(w) % KEYS];
    break;
  case 2:
    memcpy(e->sig, other->sig, size);
    break;
  case 3: /* -R, or for whole points another digest */
    e->sig[0] ^= size == 65;
    e->digest[31] ^= size != 65;
    break;
  default:
    e->sig[draw(w) % size] ^= (uint8_t)(1 << draw(w) % 8);
    break;
  }
}

static void disagree(worker *w, const entry *e, const char *what) {
  if (w->disagreements++ >= 5) {
    return;
  }
  uint8_t sec1[65];
  ref_sec1_65(sec1, &e->key->point);
  pthread_mutex_lock(&print_lock);
  printf("disagreement (%s), format %d\n  sig ", what, e->format);
  test_print_hex(stdout, e->sig, sigmill_p256_format_size(e->format));
  printf("\n  digest ");
  test_print_hex(stdout, e->digest, 32);
  printf("\n  key ");
  test_print_hex(stdout, sec1, 65);
  printf("\n");
  pthread_mutex_unlock(&print_lock);
}

static void compare(worker *w, size_t n) {
  bool expected[BLOCK], expected_all = true;
  for (size_t i = 0; i < n; i++) {
    const entry *e = &w->entries[i];
    expected[i] = sigmill_p256_verify_as(e->sig, e->format, e->digest, &e->key->key);
    if (e->spoilt || draw(w) % 256 == 0) {
      const sigmill_status reason =
          ref_explain(e->sig, e->format, ref_bytes(e->digest), &e->key->point);
      if ((reason == SIGMILL_OK) != expected[i]) {
        disagree(w, e, "verify_as and libcrypto");
      }
    }
    if (!e->spoilt && !expected[i]) {
      disagree(w, e, "a good signature");
    }
    expected_all &= expected[i];
    w->invalid += !expected[i];
    w->items[i] = (sigmill_p256_item){e->sig, e->digest, &e->key->key, e->format};
  }
  memset(w->verdicts, 0xa5, n);
  if (sigmill_p256_verify_batch(w->verifiers[draw(w) % VERIFIERS], w->verdicts, w->items,
                                n) != expected_all) {
    disagree(w, &w->entries[0], "the batch's answer");
  }
  for (size_t i = 0; i < n; i++) {
    if (w->verdicts[i] != expected[i]) {
      disagree(w, &w->entries[i], "a verdict of the batch");
    }
  }
}

static void *work(void *arg) {
  worker *w = arg;
  for (size_t i = 0; i < VERIFIERS; i++) {
    const sigmill_verifier_options o = {
        .struct_size = sizeof o,
        .plan = i % 2 == 0 ? SIGMILL_PLAN_AUTO : SIGMILL_PLAN_EQUATION,
        .max_batch = (size_t[]){0, 2048, 128}[i / 2],
        .hedging = i == 0 ? SIGMILL_HEDGING_OFF : SIGMILL_HEDGING_DEFAULT};
    must(sigmill_verifier_create(&w->verifiers[i], &o) == SIGMILL_OK, "verifier_create");
  }
  while (w->tried < w->count) {
    size_t n = 1 + draw(w) % (draw(w) % 4 == 0 ? BLOCK : 200);
    n = n < w->count - w->tried ? n : w->count - w->tried;
    sign(w, n, hinted_formats[draw(w) % 3]);
    const bool none = draw(w) % 2 == 0;
    for (size_t i = 0; i < n; i++) {
      if (!none && draw(w) % 50 == 0) { /* one in a hundred of all */
        spoil(w, &w->entries[i], &w->entries[(i + 1) % n]);
        w->spoilt++;
      }
    }
    compare(w, n);
    w->tried += n;
  }
  for (size_t i = 0; i < VERIFIERS; i++) {
    sigmill_verifier_destroy(w->verifiers[i]);
  }
  return NULL;
}

static void agrees_with_single_calls(void) {
  const size_t total =
      getenv("SIGMILL_BACKEND") != NULL ? SIGNATURES / NAMED_BACKEND : SIGNATURES;
  pthread_t threads[THREADS];
  worker *workers = calloc(THREADS, sizeof *workers);
  must(workers != NULL, "calloc");
  make_keys();
  for (size_t i = 0; i < THREADS; i++) {
    workers[i].random_state = test_random_u64();
    workers[i].count = total / THREADS;
    must(pthread_create(&threads[i], NULL, work, &workers[i]) == 0, "pthread_create");
  }
  size_t tried = 0, spoilt = 0, invalid = 0, disagreements = 0;
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    tried += workers[i].tried;
    spoilt += workers[i].spoilt;
    invalid += workers[i].invalid;
    disagreements += workers[i].disagreements;
  }
  free(workers);
  printf("%zu signatures, %zu spoilt, %zu invalid\n", tried, spoilt, invalid);
  EXPECT(disagreements == 0, "%zu disagreements", disagreements);
  EXPECT(tried == total, "all were tried");
  EXPECT(spoilt > total / 200 && spoilt < total / 50 && invalid > spoilt * 9 / 10 &&
             invalid <= spoilt,
         "%zu spoilt, %zu invalid", spoilt, invalid);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  RUN(agrees_with_single_calls);
  ref_end();
  return test_end();
}
