/* The inputs of `sigmill speed`: keys, messages, signatures and hints, all computed by
 * libcrypto, so that right answers do not come from the code that is being timed. Secrets
 * and messages are SHA-256 of a counter, the same in every run. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "speed.h"

#include "reason.h"
#include <openssl/ec.h>
#include <openssl/ecdh.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one item's making needs of libcrypto. */
typedef struct {
  EC_KEY *key;
  const EC_GROUP *group;
  const BIGNUM *n;
  EC_POINT *point;
  BN_CTX *bn;
  BIGNUM *secret, *x, *y, *half;
} maker;

static void maker_free(maker *m) {
  BN_free(m->half);
  BN_free(m->y);
  BN_free(m->x);
  BN_free(m->secret);
  BN_CTX_free(m->bn);
  EC_POINT_free(m->point);
  EC_KEY_free(m->key);
}

static bool maker_start(maker *m) {
  memset(m, 0, sizeof *m);
  m->key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
  if (m->key == NULL) {
    return false;
  }
  m->group = EC_KEY_get0_group(m->key);
  m->n = EC_GROUP_get0_order(m->group);
  m->point = EC_POINT_new(m->group);
  m->bn = BN_CTX_new();
  m->secret = BN_new();
  m->x = BN_new();
  m->y = BN_new();
  m->half = BN_new();
  return m->point != NULL && m->bn != NULL && m->secret != NULL && m->x != NULL &&
         m->y != NULL && m->half != NULL && BN_rshift1(m->half, m->n) == 1;
}

static void hash_counter(uint8_t out[32], const char *label, size_t i) {
  char text[64];
  int len = snprintf(text, sizeof text, "sigmill speed %s %zu", label, i);
  SHA256((const uint8_t *)text, (size_t)len, out);
}

static bool make_key(maker *m, speed_item *item, size_t i) {
  hash_counter(item->secret, "secret", i);
  BN_bin2bn(item->secret, 32, m->secret);
  return !BN_is_zero(m->secret) && BN_cmp(m->secret, m->n) < 0 &&
         EC_POINT_mul(m->group, m->point, m->secret, NULL, NULL, m->bn) == 1 &&
         EC_KEY_set_private_key(m->key, m->secret) == 1 &&
         EC_KEY_set_public_key(m->key, m->point) == 1 &&
         EC_POINT_point2oct(m->group, m->point, POINT_CONVERSION_COMPRESSED, item->pub33,
                            33, m->bn) == 33 &&
         EC_POINT_point2oct(m->group, m->point, POINT_CONVERSION_UNCOMPRESSED,
                            item->pub65, 65, m->bn) == 65;
}

static void make_message(speed_item *item, size_t i) {
  for (size_t at = 0; at < SPEED_MESSAGE_SIZE; at += 32) {
    uint8_t block[32];
    size_t part = SPEED_MESSAGE_SIZE - at < 32 ? SPEED_MESSAGE_SIZE - at : 32;
    hash_counter(block, "message", i * SPEED_MESSAGE_SIZE + at);
    memcpy(item->message + at, block, part);
  }
  SHA256(item->message, SPEED_MESSAGE_SIZE, item->digest);
}

/* R = u1*G + u2*Q, which a signature in the hinted forms carries. */
static bool find_nonce_point(maker *m, const BIGNUM *r, const BIGNUM *s,
                             const speed_item *item) {
  BIGNUM *u1 = BN_new(), *u2 = BN_new(), *e = BN_new();
  bool ok =
      u1 != NULL && u2 != NULL && e != NULL && BN_bin2bn(item->digest, 32, e) != NULL &&
      BN_mod_inverse(u2, s, m->n, m->bn) != NULL &&
      BN_mod_mul(u1, e, u2, m->n, m->bn) == 1 &&
      BN_mod_mul(u2, r, u2, m->n, m->bn) == 1 &&
      EC_POINT_mul(m->group, m->point, u1, EC_KEY_get0_public_key(m->key), u2, m->bn) ==
          1 &&
      EC_POINT_get_affine_coordinates(m->group, m->point, m->x, m->y, m->bn) == 1;
  BN_free(e);
  BN_free(u2);
  BN_free(u1);
  return ok;
}

/* hinted: in all formats; else as r || s alone. */
static bool make_signature(maker *m, speed_item *item, bool hinted) {
  ECDSA_SIG *sig = ECDSA_do_sign(item->digest, 32, m->key);
  BIGNUM *r = BN_new(), *s = BN_new();
  bool ok = sig != NULL && r != NULL && s != NULL &&
            BN_copy(r, ECDSA_SIG_get0_r(sig)) != NULL &&
            BN_copy(s, ECDSA_SIG_get0_s(sig)) != NULL;
  if (ok && BN_cmp(s, m->half) > 0) {
    ok = BN_sub(s, m->n, s) == 1;
  }
  ok = ok && BN_bn2binpad(r, item->sig64, 32) == 32 &&
       BN_bn2binpad(s, item->sig64 + 32, 32) == 32;
  if (ok && hinted) {
    ok = find_nonce_point(m, r, s, item) &&
         BN_bn2binpad(m->x, item->full_r96, 32) == 32 &&
         BN_bn2binpad(m->y, item->full_r96 + 32, 32) == 32;
  }
  if (ok && hinted) {
    uint8_t odd = BN_is_odd(m->y) ? 1 : 0;
    item->recoverable65[0] = (uint8_t)(odd + (BN_cmp(m->x, m->n) >= 0 ? 2 : 0));
    memcpy(item->recoverable65 + 1, item->sig64, 64);
    item->compressed_r65[0] = (uint8_t)(2 + odd);
    memcpy(item->compressed_r65 + 1, item->full_r96, 32);
    memcpy(item->compressed_r65 + 33, item->sig64 + 32, 32);
    memcpy(item->full_r96 + 64, item->sig64 + 32, 32);
    /* The signature takes r and s over, whether or not the rest works out. */
    ok = ECDSA_SIG_set0(sig, r, s) == 1;
    r = ok ? NULL : r;
    s = ok ? NULL : s;
    uint8_t *end = item->der;
    int len = ok ? i2d_ECDSA_SIG(sig, NULL) : 0;
    ok = len > 0 && len <= SIGMILL_P256_DER_MAX && i2d_ECDSA_SIG(sig, &end) == len;
    item->der_len = (size_t)len;
  }
  BN_free(s);
  BN_free(r);
  ECDSA_SIG_free(sig);
  return ok;
}

static bool make_shared(maker *m, speed_item *item, const speed_item *next) {
  EC_POINT *peer = EC_POINT_new(m->group);
  BN_bin2bn(item->secret, 32, m->secret);
  bool ok = peer != NULL && EC_KEY_set_private_key(m->key, m->secret) == 1 &&
            EC_POINT_oct2point(m->group, peer, next->pub65, 65, m->bn) == 1 &&
            ECDH_compute_key(item->shared, 32, peer, m->key, NULL) == 32;
  EC_POINT_free(peer);
  return ok;
}

/* Changes the encoded keys until they are no point: the x of no point, the y of another.
 */
static bool spoil_keys(maker *m, speed_item *item) {
  item->parse65[64] ^= 1;
  bool ok = EC_POINT_oct2point(m->group, m->point, item->parse65, 65, m->bn) == 0;
  do {
    item->parse33[32]++;
  } while (EC_POINT_oct2point(m->group, m->point, item->parse33, 33, m->bn) == 1);
  return ok;
}

static bool fill(maker *m, speed_inputs *in) {
  size_t distinct = in->good < SPEED_DISTINCT ? in->good : SPEED_DISTINCT;
  bool ok = true;
  for (size_t i = 0; ok && i < distinct; i++) {
    speed_item *item = &in->items[i];
    make_message(item, i);
    ok = make_key(m, item, i) && make_signature(m, item, true);
    memcpy(item->parse33, item->pub33, 33);
    memcpy(item->parse65, item->pub65, 65);
  }
  for (size_t i = 0; ok && i < distinct; i++) {
    ok = make_shared(m, &in->items[i], &in->items[speed_next(i, distinct)]);
  }
  for (size_t i = distinct; ok && i < in->good; i++) {
    in->items[i] = in->items[i % distinct];
  }
  for (size_t i = 0; ok && i < SPEED_CYCLE; i++) {
    speed_item *item = &in->items[in->good + i];
    *item = in->items[i];
    item->message[i] ^= 1;
    SHA256(item->message, SPEED_MESSAGE_SIZE, item->digest);
    ok = spoil_keys(m, item);
  }
  for (size_t at = 0; at < SPEED_BLOB_SIZE + SPEED_CYCLE; at += 32) {
    hash_counter(in->blob + at, "blob", at);
  }
  return ok;
}

/* ---------------------------------------------------------------- mixes of keys */

enum { ZIPF_KEYS = 2000, ZIPF_ITEMS = 8192 };

/* The key of item i of a mix.  sums: of 1/1 + ... + 1/k, for k up to ZIPF_KEYS. */
static size_t key_of(speed_mix mix, size_t i, const double *sums) {
  uint8_t drawn[32];
  size_t k = 0;
  switch (mix) {
  case SPEED_TEN_KEYS:
    return i % 10;
  case SPEED_HUNDRED_KEYS:
    return i % 100;
  case SPEED_ZIPF_KEYS:
    hash_counter(drawn, "zipf", i);
    double at = (drawn[0] + (drawn[1] + drawn[2] / 256.0) / 256.0) / 256.0;
    while (k + 1 < ZIPF_KEYS && sums[k] <= at * sums[ZIPF_KEYS - 1]) {
      k++;
    }
    return k;
  default:
    return 0;
  }
}

/* Signatures of other messages than those of the first set, by the first of its keys. */
static bool fill_set(maker *m, speed_set *set, speed_mix mix, size_t distinct) {
  double sums[ZIPF_KEYS];
  for (size_t k = 0; k < ZIPF_KEYS; k++) {
    sums[k] = (k > 0 ? sums[k - 1] : 0) + 1 / (double)(k + 1);
  }
  bool ok = true;
  for (size_t i = 0; ok && i < distinct; i++) {
    speed_item *item = &set->items[i];
    make_message(item, (size_t)mix * ZIPF_ITEMS + i);
    ok = make_key(m, item, key_of(mix, i, sums)) &&
         make_signature(m, item, set->verifier == NULL);
  }
  return ok;
}

bool speed_libcrypto_accepts(const speed_item *item, const uint8_t sig64[64]) {
  const uint8_t *point = item->pub65;
  EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
  ECDSA_SIG *sig = ECDSA_SIG_new();
  BIGNUM *r = BN_bin2bn(sig64, 32, NULL), *s = BN_bin2bn(sig64 + 32, 32, NULL);
  bool ok = key != NULL && sig != NULL && r != NULL && s != NULL &&
            o2i_ECPublicKey(&key, &point, 65) != NULL;
  if (ok && ECDSA_SIG_set0(sig, r, s) == 1) {
    r = s = NULL;
    ok = ECDSA_do_verify(item->digest, 32, sig, key) == 1;
  }
  BN_free(s);
  BN_free(r);
  ECDSA_SIG_free(sig);
  EC_KEY_free(key);
  return ok;
}

/* ---------------------------------------------------------------- in our own form */

static void put_in_set(speed_set *set, size_t i, const speed_item *item) {
  const uint8_t *const sigs[SPEED_FORMATS] = {
      [SIGMILL_P256_SIG64] = item->sig64,
      [SIGMILL_P256_RECOVERABLE65] = item->recoverable65,
      [SIGMILL_P256_COMPRESSED_R65] = item->compressed_r65,
      [SIGMILL_P256_FULL_R96] = item->full_r96};
  for (int f = SIGMILL_P256_SIG64; f < SPEED_FORMATS; f++) {
    set->batch[f][i] =
        (sigmill_p256_item){sigs[f], item->digest, &item->key, (sigmill_p256_format)f};
  }
}

static void put_in_columns(speed_inputs *in, size_t i) {
  const speed_item *item = &in->items[i];
  memcpy(in->compressed[i], item->pub33, 33);
  memcpy(in->recoverable[i], item->recoverable65, 65);
  memcpy(in->digests[i], item->digest, 32);
  memcpy(in->secrets[i], item->secret, 32);
  in->pairs[i] = &item->pair;
  in->publics[i] = &item->key;
  size_t first = i - i % SPEED_DISTINCT;
  in->peers[i] =
      &in->items[speed_next(i - first,
                            in->good < SPEED_DISTINCT ? in->good : SPEED_DISTINCT)]
           .key;
}

static bool read_in(speed_inputs *in) {
  for (size_t i = 0; i < in->good + SPEED_CYCLE; i++) {
    speed_item *item = &in->items[i];
    if (sigmill_p256_pubkey_parse(&item->key, item->pub33, 33) != SIGMILL_OK ||
        sigmill_p256_keypair_from_secret(&item->pair, item->secret) != SIGMILL_OK) {
      return false;
    }
    if (i < in->good) {
      put_in_set(&in->sets[SPEED_DISTINCT_KEYS], i, item);
      put_in_columns(in, i);
    }
  }
  return true;
}

static bool make_set_room(speed_set *set, size_t count) {
  bool ok = true;
  set->count = count;
  for (int f = SIGMILL_P256_SIG64; f < SPEED_FORMATS; f++) {
    set->batch[f] = calloc(count, sizeof *set->batch[f]);
    ok = ok && set->batch[f] != NULL;
  }
  return ok;
}

/* Caches that hold a table of each of a hundred keys, and those of about 100 of the Zipf
 * mix. */
static bool make_cache(speed_set *set, speed_mix mix) {
  if (mix != SPEED_HUNDRED_KEYS && mix != SPEED_ZIPF_KEYS) {
    return true;
  }
  if (sigmill_keycache_create(&set->cache, mix == SPEED_ZIPF_KEYS ? 1 << 20 : 1 << 21) !=
      SIGMILL_OK) {
    return false;
  }
  const sigmill_verifier_options options = {.struct_size = sizeof options,
                                            .keycache = set->cache};
  return sigmill_verifier_create(&set->verifier, &options) == SIGMILL_OK;
}

/* A set with signatures of its own, at least `largest`.  False, after a message, if that
 * failed. */
static bool make_set(speed_set *set, maker *m, speed_mix mix, size_t largest) {
  size_t least = mix == SPEED_ZIPF_KEYS ? ZIPF_ITEMS : SPEED_CYCLE;
  size_t count = largest < least ? least : largest;
  size_t distinct = count < SPEED_DISTINCT ? count : SPEED_DISTINCT;
  set->items = calloc(distinct, sizeof *set->items);
  if (set->items == NULL || !make_set_room(set, count) || !make_cache(set, mix)) {
    return report_memory() == CLI_VALID;
  }
  bool ok = fill_set(m, set, mix, distinct);
  for (size_t i = 0; ok && i < distinct; i++) {
    ok = sigmill_p256_pubkey_parse(&set->items[i].key, set->items[i].pub33, 33) ==
         SIGMILL_OK;
  }
  if (ok && mix == SPEED_ONE_KEY) {
    ok = sigmill_p256_prepared_create(&set->prepared, &set->items[0].key) == SIGMILL_OK;
  }
  for (size_t i = 0; ok && i < set->count; i++) {
    put_in_set(set, i, &set->items[i % distinct]);
  }
  return ok || report(SIGMILL_ERR_MEMORY, NULL, "libcrypto could not make the inputs") ==
                   CLI_VALID;
}

static bool make_room(speed_inputs *in) {
  size_t n = in->good, room = in->room;
  bool ok;
  in->items = calloc(n + SPEED_CYCLE, sizeof *in->items);
  in->blob = malloc(SPEED_BLOB_SIZE + SPEED_CYCLE);
  ok = make_set_room(&in->sets[SPEED_DISTINCT_KEYS], n);
  in->compressed = calloc(n, sizeof *in->compressed);
  in->recoverable = calloc(n, sizeof *in->recoverable);
  in->digests = calloc(n, sizeof *in->digests);
  in->secrets = calloc(n, sizeof *in->secrets);
  in->pairs = calloc(n, sizeof *in->pairs);
  in->publics = calloc(n, sizeof *in->publics);
  in->peers = calloc(n, sizeof *in->peers);
  in->verdicts = malloc(room);
  in->keys_out = calloc(room, sizeof *in->keys_out);
  in->pairs_out = calloc(room, sizeof *in->pairs_out);
  in->sigs_out = calloc(room, 96);
  in->shared_out = calloc(room, sizeof *in->shared_out);
  in->digests_out = calloc(room, sizeof *in->digests_out);
  in->bad_batch = calloc(room, sizeof *in->bad_batch);
  in->bad_verdicts = malloc(room);
  return ok && in->recoverable != NULL && in->publics != NULL &&
         in->digests_out != NULL && in->bad_batch != NULL && in->bad_verdicts != NULL &&
         in->items != NULL && in->blob != NULL && in->compressed != NULL &&
         in->digests != NULL && in->secrets != NULL && in->pairs != NULL &&
         in->peers != NULL && in->verdicts != NULL && in->keys_out != NULL &&
         in->pairs_out != NULL && in->sigs_out != NULL && in->shared_out != NULL;
}

static bool make_verifiers(speed_inputs *in) {
  const sigmill_verifier_options wide = {.struct_size = sizeof wide,
                                         .max_batch = in->room < SIGMILL_BATCH_MAX
                                                          ? in->room
                                                          : SIGMILL_BATCH_MAX},
                                 each = {.struct_size = sizeof each,
                                         .plan = SIGMILL_PLAN_EACH};
  if (sigmill_verifier_create(&in->verifier, NULL) != SIGMILL_OK ||
      sigmill_verifier_create(&in->wide, &wide) != SIGMILL_OK ||
      sigmill_verifier_create(&in->each, &each) != SIGMILL_OK ||
      sigmill_threads_create(&in->threads, SPEED_THREADS) != SIGMILL_OK) {
    return false;
  }
  const sigmill_verifier_options options = {.struct_size = sizeof options,
                                            .parallel_for = sigmill_parallel_for_threads,
                                            .parallel_ctx = in->threads};
  return sigmill_verifier_create(&in->threaded, &options) == SIGMILL_OK;
}

static bool make_mixes(speed_inputs *in, const speed_needs *needs) {
  maker m;
  bool ok = maker_start(&m);
  for (int mix = SPEED_DISTINCT_KEYS + 1; ok && mix < SPEED_MIXES; mix++) {
    ok = needs->largest[mix] == 0 ||
         make_set(&in->sets[mix], &m, (speed_mix)mix, needs->largest[mix]);
  }
  maker_free(&m);
  return ok;
}

bool speed_inputs_make(speed_inputs *in, const speed_needs *needs) {
  memset(in, 0, sizeof *in);
  size_t largest = needs->largest[SPEED_DISTINCT_KEYS];
  in->good = largest < SPEED_CYCLE ? SPEED_CYCLE : largest;
  in->room = in->good;
  for (int mix = 0; mix < SPEED_MIXES; mix++) {
    in->room = needs->largest[mix] > in->room ? needs->largest[mix] : in->room;
  }
  if (!make_room(in) || !make_verifiers(in)) {
    report_memory();
    return false;
  }
  maker m;
  bool made = maker_start(&m) && fill(&m, in);
  maker_free(&m);
  if (!made) {
    report(SIGMILL_ERR_MEMORY, NULL, "libcrypto could not make the inputs");
    return false;
  }
  if (!read_in(in)) {
    report(SIGMILL_ERR_BACKEND, NULL, "WRONG: a good key was refused");
    return false;
  }
  return make_mixes(in, needs);
}

void speed_inputs_free(speed_inputs *in) {
  sigmill_verifier_destroy(in->threaded);
  sigmill_threads_destroy(in->threads);
  sigmill_verifier_destroy(in->each);
  sigmill_verifier_destroy(in->wide);
  sigmill_verifier_destroy(in->verifier);
  free(in->bad_verdicts);
  free(in->bad_batch);
  free(in->digests_out);
  free(in->shared_out);
  free(in->sigs_out);
  free(in->pairs_out);
  free(in->keys_out);
  free(in->verdicts);
  free(in->peers);
  free(in->publics);
  free(in->pairs);
  free(in->secrets);
  free(in->digests);
  free(in->recoverable);
  free(in->compressed);
  for (int mix = 0; mix < SPEED_MIXES; mix++) {
    speed_set *set = &in->sets[mix];
    sigmill_p256_prepared_destroy(set->prepared);
    sigmill_verifier_destroy(set->verifier);
    sigmill_keycache_destroy(set->cache);
    for (int f = 0; f < SPEED_FORMATS; f++) {
      free(set->batch[f]);
    }
    free(set->items);
  }
  free(in->blob);
  free(in->items);
}
