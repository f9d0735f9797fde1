/* sigmill against libcrypto on many random signatures, half made by each, and on as many
 * mutated ones.  Every disagreement is printed with its bytes.  Two threads share the
 * work; a backend that is named in the environment gets a tenth of it. */
#include "agreement.h"
#include "harness.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
  SIGNATURES = 100000, /* and as many mutated */
  KEYS = 1000,
  THREADS = 2,
  SMALL_R = 16, /* keys of each thread forged for an r below 2^256 - n */
  MAX_CHUNK = 70
};

typedef struct {
  ref_num secret; /* 0: unknown */
  ref_point point;
  sigmill_p256_keypair pair;
  sigmill_p256_pubkey key;
  EVP_PKEY_CTX *sign, *verify;
} key_entry;

typedef struct {
  ref_num r, s, digest;
  const key_entry *key;
  const char *origin;
} candidate;

typedef struct {
  uint64_t random_state;
  size_t count; /* signatures to try */
  size_t tried; /* so far, each with its mutation */
  size_t valid, mutated_valid;
  size_t disagreements;
  key_entry keys[KEYS / THREADS], forged_keys[SMALL_R];
  candidate forged[SMALL_R];
  sigmill_verifier *verifier;
} worker;

static pthread_mutex_t print_lock = PTHREAD_MUTEX_INITIALIZER;

static void must(bool ok, const char *what) {
  if (!ok) {
    fprintf(stderr, "differential_test: %s failed\n", what);
    abort();
  }
}

/* ---------------------------------------------------------------- a thread's randomness
 */

static uint64_t draw(worker *w) {
  return test_random_next(&w->random_state);
}

static ref_num draw_num(worker *w) {
  ref_num a;
  for (int i = 0; i < 32; i++) {
    a.be[i] = (uint8_t)(draw(w) >> 32);
  }
  return a;
}

static ref_num draw_scalar(worker *w) {
  ref_num a = draw_num(w);
  while (!ref_is_scalar(a)) {
    a = draw_num(w);
  }
  return a;
}

/* A value at an end of one of the ranges that matter. */
static ref_num draw_edge(worker *w) {
  ref_num base[] = {ref_small(0), ref_n(), ref_p(), ref_half_n()};
  ref_num offset = ref_small(draw(w) % 3);
  ref_num from = base[draw(w) % 4];
  return draw(w) & 1 ? ref_plus(from, offset, NULL) : ref_minus(from, offset);
}

/* ---------------------------------------------------------------- libcrypto's answers */

static bool libcrypto_verifies(const candidate *c) {
  ECDSA_SIG *parts = ECDSA_SIG_new();
  uint8_t der[80], *at = der;
  must(parts != NULL && ECDSA_SIG_set0(parts, BN_bin2bn(c->r.be, 32, NULL),
                                       BN_bin2bn(c->s.be, 32, NULL)) == 1,
       "ECDSA_SIG_set0");
  int len = i2d_ECDSA_SIG(parts, &at);
  ECDSA_SIG_free(parts);
  must(len > 0, "i2d_ECDSA_SIG");
  return EVP_PKEY_verify(c->key->verify, der, (size_t)len, c->digest.be, 32) == 1;
}

static void libcrypto_signs(candidate *c) {
  uint8_t der[80];
  const uint8_t *at = der;
  size_t len = sizeof der;
  must(EVP_PKEY_sign(c->key->sign, der, &len, c->digest.be, 32) == 1, "EVP_PKEY_sign");
  ECDSA_SIG *parts = d2i_ECDSA_SIG(NULL, &at, (long)len);
  must(parts != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(parts), c->r.be, 32) == 32 &&
           BN_bn2binpad(ECDSA_SIG_get0_s(parts), c->s.be, 32) == 32,
       "d2i_ECDSA_SIG");
  ECDSA_SIG_free(parts);
}

/* ---------------------------------------------------------------- making signatures */

static void make_key(key_entry *entry, const ref_num *secret, const ref_point *point) {
  entry->secret = secret != NULL ? *secret : ref_small(0);
  entry->point = *point;
  entry->key = ref_pubkey(point);
  EVP_PKEY *key = ref_evp_key(secret, point);
  entry->verify = EVP_PKEY_CTX_new(key, NULL);
  must(entry->verify != NULL && EVP_PKEY_verify_init(entry->verify) == 1, "verify_init");
  if (secret != NULL) {
    entry->pair = ref_keypair(*secret);
    entry->sign = EVP_PKEY_CTX_new(key, NULL);
    must(entry->sign != NULL && EVP_PKEY_sign_init(entry->sign) == 1, "sign_init");
  }
  EVP_PKEY_free(key); /* the contexts hold it */
}

static void make_keys(worker *w) {
  for (size_t i = 0; i < KEYS / THREADS; i++) {
    ref_num secret = draw_scalar(w);
    ref_point point = ref_base(secret);
    make_key(&w->keys[i], &secret, &point);
  }
  for (size_t i = 0; i < SMALL_R; i++) {
    ref_num x = draw_num(w);
    memset(x.be, 0, 4); /* below 2^256 - n, about 2^224 */
    ref_point point;
    while (!ref_lift(&point, x, draw(w) & 1)) {
      x = ref_plus(x, ref_small(1), NULL);
    }
    ref_case c = ref_forge(&point, draw_scalar(w), draw_num(w));
    make_key(&w->forged_keys[i], NULL, &c.key);
    w->forged[i] = (candidate){c.r, c.s, c.digest, &w->forged_keys[i], "forged, small r"};
  }
}

static void free_keys(key_entry *keys, size_t count) {
  for (size_t i = 0; i < count; i++) {
    EVP_PKEY_CTX_free(keys[i].sign);
    EVP_PKEY_CTX_free(keys[i].verify);
  }
}

/* A signature of a digest chosen so that s is below 2^224. */
static candidate sign_with_small_s(worker *w, const key_entry *key) {
  ref_num k = draw_scalar(w), s = draw_scalar(w);
  memset(s.be, 0, 4);
  ref_num r = ref_n_reduce(ref_base(k).x);
  ref_num digest = ref_n_sub(ref_n_mul(s, k), ref_n_mul(r, key->secret));
  return (candidate){r, s, digest, key, "small s"};
}

static candidate make_candidate(worker *w, size_t i) {
  const key_entry *key = &w->keys[draw(w) % (KEYS / THREADS)];
  uint64_t lot = draw(w) % 64;
  if (lot == 0) {
    return w->forged[draw(w) % SMALL_R];
  }
  if (lot <= 3) {
    return sign_with_small_s(w, key);
  }
  candidate c = {.digest = lot <= 8 ? draw_edge(w) : draw_num(w), .key = key};
  if (i % 2 == 0) {
    c.origin = "signed by sigmill";
    uint8_t sig[64];
    must(sigmill_p256_sign(sig, c.digest.be, &key->pair) == SIGMILL_OK, "sigmill's sign");
    c.r = ref_bytes(sig);
    c.s = ref_bytes(sig + 32);
  } else {
    c.origin = "signed by libcrypto";
    libcrypto_signs(&c);
  }
  return c;
}

/* ---------------------------------------------------------------- mutations */

static void flip(worker *w, ref_num *a, int bits) {
  for (int i = 0; i < bits; i++) {
    uint64_t bit = draw(w) % 256;
    a->be[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
}

/* a + n where it fits, else a + 1. */
static ref_num add_order(ref_num a) {
  bool fits;
  ref_num sum = ref_plus(a, ref_n(), &fits);
  return fits ? sum : ref_plus(a, ref_small(1), NULL);
}

static void shift_bytes(ref_num *a, bool left) {
  memmove(a->be + !left, a->be + left, 31);
  a->be[left ? 31 : 0] = 0;
}

static candidate mutate(worker *w, const candidate *from) {
  candidate c = *from;
  ref_num *part = draw(w) & 1 ? &c.r : &c.s;
  switch (draw(w) % 16) {
  case 0:
    c.origin = "bits of r flipped";
    flip(w, &c.r, 1 + (int)(draw(w) % 3));
    break;
  case 1:
    c.origin = "bits of s flipped";
    flip(w, &c.s, 1 + (int)(draw(w) % 3));
    break;
  case 2:
    c.origin = "bits of the digest flipped";
    flip(w, &c.digest, 1 + (int)(draw(w) % 3));
    break;
  case 3:
    c.origin = "another key";
    c.key = &w->keys[draw(w) % (KEYS / THREADS)];
    break;
  case 4:
    c.origin = "r + n or s + n";
    *part = add_order(*part);
    break;
  case 5:
    c.origin = "n - s";
    c.s = ref_minus(ref_n(), c.s);
    break;
  case 6:
    c.origin = "n - r";
    c.r = ref_minus(ref_n(), c.r);
    break;
  case 7:
    c.origin = "r and s swapped";
    c.r = from->s;
    c.s = from->r;
    break;
  case 8:
    c.origin = "r or s zero";
    *part = ref_small(0);
    break;
  case 9:
    c.origin = "r or s at an edge";
    *part = draw_edge(w);
    break;
  case 10:
    c.origin = "both at an edge";
    c.r = draw_edge(w);
    c.s = draw_edge(w);
    break;
  case 11:
    c.origin = "off by one";
    *part = draw(w) & 1 ? ref_plus(*part, ref_small(1), NULL)
                        : ref_minus(*part, ref_small(1));
    break;
  case 12:
    c.origin = "the digest mod n, or one more";
    c.digest = draw(w) & 1 ? ref_n_reduce(c.digest) : ref_n_add(c.digest, ref_small(1));
    break;
  case 13:
    c.origin = "shifted by a byte";
    shift_bytes(part, draw(w) & 1);
    break;
  case 14:
    c.origin = "the digest at an edge";
    c.digest = draw_edge(w);
    break;
  default:
    c.origin = "random r and s";
    c.r = draw_num(w);
    c.s = draw_num(w);
    break;
  }
  return c;
}

/* ---------------------------------------------------------------- comparing */

static void disagree(worker *w, const candidate *c, const char *what) {
  if (w->disagreements++ >= 5) {
    return;
  }
  uint8_t sec1[65];
  ref_sec1_65(sec1, &c->key->point);
  pthread_mutex_lock(&print_lock);
  printf("disagreement (%s), %s\n  r ", what, c->origin);
  test_print_hex(stdout, c->r.be, 32);
  printf("\n  s ");
  test_print_hex(stdout, c->s.be, 32);
  printf("\n  digest ");
  test_print_hex(stdout, c->digest.be, 32);
  printf("\n  key ");
  test_print_hex(stdout, sec1, 65);
  printf("\n");
  pthread_mutex_unlock(&print_lock);
}

/* The hinted forms of a signature that libcrypto accepts, and the key out of one; none
 * survives a changed bit. */
static void compare_hints(worker *w, const candidate *c, const uint8_t sig[64]) {
  sigmill_p256_pubkey recovered;
  for (int i = 0; i < 3; i++) {
    uint8_t hinted[96];
    sigmill_p256_format format = hinted_formats[i];
    if (sigmill_p256_hint(hinted, format, sig, c->digest.be, &c->key->key) !=
            SIGMILL_OK ||
        !sigmill_p256_verify_as(hinted, format, c->digest.be, &c->key->key)) {
      disagree(w, c, "hint");
    }
    if (format == SIGMILL_P256_RECOVERABLE65 &&
        (sigmill_p256_recover(&recovered, hinted, c->digest.be) != SIGMILL_OK ||
         !sigmill_p256_pubkey_equal(&recovered, &c->key->key))) {
      disagree(w, c, "recover");
    }
    uint64_t bit = draw(w) % (8 * sigmill_p256_format_size(format));
    hinted[bit / 8] ^= (uint8_t)(1 << bit % 8);
    if (sigmill_p256_verify_as(hinted, format, c->digest.be, &c->key->key)) {
      disagree(w, c, "a hint with a changed bit");
    }
  }
}

/* One chunk of candidates through libcrypto, the single calls and one batch; returns how
 * many libcrypto accepts. */
static size_t compare(worker *w, const candidate *candidates, size_t n,
                      bool expect_valid) {
  uint8_t sigs[MAX_CHUNK][64], verdicts[MAX_CHUNK];
  sigmill_p256_item items[MAX_CHUNK];
  bool expected[MAX_CHUNK], expected_all = n > 0;
  size_t valid = 0;
  for (size_t i = 0; i < n; i++) {
    const candidate *c = &candidates[i];
    memcpy(sigs[i], c->r.be, 32);
    memcpy(sigs[i] + 32, c->s.be, 32);
    bool accepted = libcrypto_verifies(c);
    bool low = ref_compare(c->s, ref_half_n()) <= 0;
    if (expect_valid && !accepted) {
      disagree(w, c, "libcrypto refuses a good signature");
    }
    if (sigmill_p256_verify(sigs[i], c->digest.be, &c->key->key) != accepted) {
      disagree(w, c, accepted ? "verify refuses" : "verify accepts");
    }
    items[i] = (sigmill_p256_item){sigs[i], c->digest.be, &c->key->key,
                                   draw(w) % 4 == 0 ? SIGMILL_P256_SIG64_LOW_S
                                                    : SIGMILL_P256_SIG64};
    expected[i] = accepted && (low || items[i].format == SIGMILL_P256_SIG64);
    expected_all &= expected[i];
    valid += accepted;
    if (accepted && draw(w) % 8 == 0) {
      compare_hints(w, c, sigs[i]);
    }
  }
  memset(verdicts, 0xa5, sizeof verdicts);
  if (n > 0 &&
      sigmill_p256_verify_batch(w->verifier, verdicts, items, n) != expected_all) {
    disagree(w, &candidates[0], "the batch's answer");
  }
  for (size_t i = 0; i < n; i++) {
    if (verdicts[i] != expected[i]) {
      disagree(w, &candidates[i], "a verdict of the batch");
    }
  }
  return valid;
}

static void *work(void *arg) {
  worker *w = arg;
  make_keys(w);
  must(sigmill_verifier_create(&w->verifier, NULL) == SIGMILL_OK, "verifier_create");
  while (w->tried < w->count) {
    candidate signatures[MAX_CHUNK], mutated[MAX_CHUNK];
    size_t n = 1 + draw(w) % MAX_CHUNK;
    n = n < w->count - w->tried ? n : w->count - w->tried;
    for (size_t i = 0; i < n; i++) {
      signatures[i] = make_candidate(w, i);
      mutated[i] = mutate(w, &signatures[i]);
    }
    w->valid += compare(w, signatures, n, true);
    w->mutated_valid += compare(w, mutated, n, false);
    w->tried += n;
  }
  sigmill_verifier_destroy(w->verifier);
  free_keys(w->keys, KEYS / THREADS);
  free_keys(w->forged_keys, SMALL_R);
  return NULL;
}

static void agrees_with_libcrypto(void) {
  size_t total = getenv("SIGMILL_BACKEND") != NULL ? SIGNATURES / 10 : SIGNATURES;
  pthread_t threads[THREADS];
  worker *workers = calloc(THREADS, sizeof *workers);
  must(workers != NULL, "calloc");
  for (size_t i = 0; i < THREADS; i++) {
    workers[i].random_state = test_random_u64();
    workers[i].count = total / THREADS;
    must(pthread_create(&threads[i], NULL, work, &workers[i]) == 0, "pthread_create");
  }
  worker sum = {0};
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    sum.tried += workers[i].tried;
    sum.valid += workers[i].valid;
    sum.mutated_valid += workers[i].mutated_valid;
    sum.disagreements += workers[i].disagreements;
  }
  free(workers);
  printf("%zu signatures, as many mutated; libcrypto accepts %zu and %zu\n", sum.tried,
         sum.valid, sum.mutated_valid);
  EXPECT(sum.disagreements == 0, "%zu disagreements", sum.disagreements);
  EXPECT(sum.tried == total && sum.valid == total, "all were tried");
  EXPECT(sum.mutated_valid > total / 50 && sum.mutated_valid < total / 4,
         "the mutations spoil most, not all");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  RUN(agrees_with_libcrypto);
  ref_end();
  return test_end();
}
