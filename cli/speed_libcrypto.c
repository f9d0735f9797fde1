/* The peer libcrypto: OpenSSL, and the libraries that offer the same low-level functions
 * (AWS-LC, BoringSSL, LibreSSL).  The one that this program is linked with is called
 * directly; others come as shared libraries, through the same table of functions.
 *
 * Every operation is called as a caller who counts microseconds would: objects made once
 * and reused, the low-level functions, no fetching by name.  Where OpenSSL takes a length
 * as int, AWS-LC and BoringSSL take size_t; both prototypes stand in the table and the
 * library's own name decides. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "speed.h"

#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdh.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *(*version)(int type);
  BN_CTX *(*bn_ctx_new)(void);
  void (*bn_ctx_free)(BN_CTX *ctx);
  BIGNUM *(*bn_new)(void);
  void (*bn_free)(BIGNUM *number);
  BIGNUM *(*bn_from_int)(const unsigned char *in, int len, BIGNUM *out);
  BIGNUM *(*bn_from_size)(const unsigned char *in, size_t len, BIGNUM *out);
  int (*bn_to_padded)(const BIGNUM *in, unsigned char *out, int len);
  EC_KEY *(*key_new)(int curve);
  void (*key_free)(EC_KEY *key);
  const EC_GROUP *(*key_group)(const EC_KEY *key);
  const EC_POINT *(*key_public)(const EC_KEY *key);
  const BIGNUM *(*key_private)(const EC_KEY *key);
  int (*key_set_private)(EC_KEY *key, const BIGNUM *secret);
  int (*key_set_public)(EC_KEY *key, const EC_POINT *point);
  int (*key_generate)(EC_KEY *key);
  EC_POINT *(*point_new)(const EC_GROUP *group);
  void (*point_free)(EC_POINT *point);
  int (*point_mul)(const EC_GROUP *group, EC_POINT *out, const BIGNUM *base_times,
                   const EC_POINT *point, const BIGNUM *point_times, BN_CTX *ctx);
  int (*point_affine)(const EC_GROUP *group, const EC_POINT *point, BIGNUM *x, BIGNUM *y,
                      BN_CTX *ctx);
  int (*point_read)(const EC_GROUP *group, EC_POINT *out, const unsigned char *in,
                    size_t len, BN_CTX *ctx);
  size_t (*point_write)(const EC_GROUP *group, const EC_POINT *point,
                        point_conversion_form_t form, unsigned char *out, size_t len,
                        BN_CTX *ctx);
  ECDSA_SIG *(*sig_new)(void);
  void (*sig_free)(ECDSA_SIG *sig);
  int (*sig_set)(ECDSA_SIG *sig, BIGNUM *r, BIGNUM *s);
  void (*sig_get)(const ECDSA_SIG *sig, const BIGNUM **r, const BIGNUM **s);
  ECDSA_SIG *(*sign_int)(const unsigned char *digest, int len, EC_KEY *key);
  ECDSA_SIG *(*sign_size)(const unsigned char *digest, size_t len, const EC_KEY *key);
  int (*verify_int)(const unsigned char *digest, int len, const ECDSA_SIG *sig,
                    EC_KEY *key);
  int (*verify_size)(const unsigned char *digest, size_t len, const ECDSA_SIG *sig,
                     const EC_KEY *key);
  int (*verify_der_int)(int type, const unsigned char *digest, int len,
                        const unsigned char *sig, int sig_len, EC_KEY *key);
  int (*verify_der_size)(int type, const unsigned char *digest, size_t len,
                         const unsigned char *sig, size_t sig_len, const EC_KEY *key);
  int (*ecdh)(void *out, size_t len, const EC_POINT *peer, const EC_KEY *key,
              void *(*kdf)(const void *in, size_t in_len, void *out, size_t *out_len));
  int (*sha256_init)(SHA256_CTX *ctx);
  int (*sha256_update)(SHA256_CTX *ctx, const void *data, size_t len);
  int (*sha256_final)(unsigned char *out, SHA256_CTX *ctx);
  int (*sha512_init)(SHA512_CTX *ctx);
  int (*sha512_update)(SHA512_CTX *ctx, const void *data, size_t len);
  int (*sha512_final)(unsigned char *out, SHA512_CTX *ctx);
} functions;

static const functions linked_functions = {
    .version = OpenSSL_version,
    .bn_ctx_new = BN_CTX_new,
    .bn_ctx_free = BN_CTX_free,
    .bn_new = BN_new,
    .bn_free = BN_free,
    .bn_from_int = BN_bin2bn,
    .bn_to_padded = BN_bn2binpad,
    .key_new = EC_KEY_new_by_curve_name,
    .key_free = EC_KEY_free,
    .key_group = EC_KEY_get0_group,
    .key_public = EC_KEY_get0_public_key,
    .key_private = EC_KEY_get0_private_key,
    .key_set_private = EC_KEY_set_private_key,
    .key_set_public = EC_KEY_set_public_key,
    .key_generate = EC_KEY_generate_key,
    .point_new = EC_POINT_new,
    .point_free = EC_POINT_free,
    .point_mul = EC_POINT_mul,
    .point_affine = EC_POINT_get_affine_coordinates,
    .point_read = EC_POINT_oct2point,
    .point_write = EC_POINT_point2oct,
    .sig_new = ECDSA_SIG_new,
    .sig_free = ECDSA_SIG_free,
    .sig_set = ECDSA_SIG_set0,
    .sig_get = ECDSA_SIG_get0,
    .sign_int = ECDSA_do_sign,
    .verify_int = ECDSA_do_verify,
    .verify_der_int = ECDSA_verify,
    .ecdh = ECDH_compute_key,
    .sha256_init = SHA256_Init,
    .sha256_update = SHA256_Update,
    .sha256_final = SHA256_Final,
    .sha512_init = SHA512_Init,
    .sha512_update = SHA512_Update,
    .sha512_final = SHA512_Final,
};

static const struct {
  const char *symbol;
  size_t at;
} symbols[] = {
    {"OpenSSL_version", offsetof(functions, version)},
    {"BN_CTX_new", offsetof(functions, bn_ctx_new)},
    {"BN_CTX_free", offsetof(functions, bn_ctx_free)},
    {"BN_new", offsetof(functions, bn_new)},
    {"BN_free", offsetof(functions, bn_free)},
    {"BN_bin2bn", offsetof(functions, bn_from_int)},
    {"BN_bin2bn", offsetof(functions, bn_from_size)},
    {"BN_bn2binpad", offsetof(functions, bn_to_padded)},
    {"EC_KEY_new_by_curve_name", offsetof(functions, key_new)},
    {"EC_KEY_free", offsetof(functions, key_free)},
    {"EC_KEY_get0_group", offsetof(functions, key_group)},
    {"EC_KEY_get0_public_key", offsetof(functions, key_public)},
    {"EC_KEY_get0_private_key", offsetof(functions, key_private)},
    {"EC_KEY_set_private_key", offsetof(functions, key_set_private)},
    {"EC_KEY_set_public_key", offsetof(functions, key_set_public)},
    {"EC_KEY_generate_key", offsetof(functions, key_generate)},
    {"EC_POINT_new", offsetof(functions, point_new)},
    {"EC_POINT_free", offsetof(functions, point_free)},
    {"EC_POINT_mul", offsetof(functions, point_mul)},
    {"EC_POINT_get_affine_coordinates", offsetof(functions, point_affine)},
    {"EC_POINT_oct2point", offsetof(functions, point_read)},
    {"EC_POINT_point2oct", offsetof(functions, point_write)},
    {"ECDSA_SIG_new", offsetof(functions, sig_new)},
    {"ECDSA_SIG_free", offsetof(functions, sig_free)},
    {"ECDSA_SIG_set0", offsetof(functions, sig_set)},
    {"ECDSA_SIG_get0", offsetof(functions, sig_get)},
    {"ECDSA_do_sign", offsetof(functions, sign_int)},
    {"ECDSA_do_sign", offsetof(functions, sign_size)},
    {"ECDSA_do_verify", offsetof(functions, verify_int)},
    {"ECDSA_do_verify", offsetof(functions, verify_size)},
    {"ECDSA_verify", offsetof(functions, verify_der_int)},
    {"ECDSA_verify", offsetof(functions, verify_der_size)},
    {"ECDH_compute_key", offsetof(functions, ecdh)},
    {"SHA256_Init", offsetof(functions, sha256_init)},
    {"SHA256_Update", offsetof(functions, sha256_update)},
    {"SHA256_Final", offsetof(functions, sha256_final)},
    {"SHA512_Init", offsetof(functions, sha512_init)},
    {"SHA512_Update", offsetof(functions, sha512_update)},
    {"SHA512_Final", offsetof(functions, sha512_final)},
};

/* Inputs in the library's own form: one entry an item of the first SPEED_CYCLE. */
typedef struct {
  functions f;
  bool size_lengths; /* lengths are size_t, not int */
  const EC_GROUP *group;
  BN_CTX *ctx;
  EC_KEY *keys[SPEED_CYCLE]; /* both halves */
  ECDSA_SIG *sigs[SPEED_CYCLE];
  const BIGNUM *secrets[SPEED_CYCLE];
  EC_KEY *scratch_key;
  EC_POINT *scratch_point;
  BIGNUM *x, *y;
} state;

static BIGNUM *number(const state *s, const uint8_t bytes[32]) {
  return s->size_lengths ? s->f.bn_from_size(bytes, 32, NULL)
                         : s->f.bn_from_int(bytes, 32, NULL);
}

static bool load_key(state *s, EC_KEY *key, const speed_item *item) {
  BIGNUM *secret = number(s, item->secret);
  bool ok = secret != NULL && s->f.key_set_private(key, secret) == 1 &&
            s->f.point_read(s->group, s->scratch_point, item->pub65, 65, s->ctx) == 1 &&
            s->f.key_set_public(key, s->scratch_point) == 1;
  s->f.bn_free(secret);
  return ok;
}

static bool load_sig(state *s, ECDSA_SIG *sig, const speed_item *item) {
  BIGNUM *r = number(s, item->sig64), *t = number(s, item->sig64 + 32);
  if (r != NULL && t != NULL && s->f.sig_set(sig, r, t) == 1) {
    return true;
  }
  s->f.bn_free(t);
  s->f.bn_free(r);
  return false;
}

static bool load_item(state *s, size_t i, const speed_item *item) {
  s->keys[i] = s->f.key_new(NID_X9_62_prime256v1);
  s->sigs[i] = s->f.sig_new();
  if (s->keys[i] == NULL || s->sigs[i] == NULL || !load_key(s, s->keys[i], item) ||
      !load_sig(s, s->sigs[i], item)) {
    return false;
  }
  s->secrets[i] = s->f.key_private(s->keys[i]);
  return true;
}

/* ---------------------------------------------------------------- operations */

/* Spoilt item good + i stands for item i with another message. */
static size_t slot(const speed_call *call, size_t i) {
  return i < call->in->good ? i : i - call->in->good;
}

static bool run_verify(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const state *s = call->peer;
  const uint8_t *digest = call->in->items[i].digest;
  size_t k = slot(call, i);
  return (s->size_lengths ? s->f.verify_size(digest, 32, s->sigs[k], s->keys[k])
                          : s->f.verify_int(digest, 32, s->sigs[k], s->keys[k])) == 1;
}

/* A hash's state, with room to spare for a library whose state is larger. */
typedef union {
  SHA256_CTX sha256;
  SHA512_CTX sha512;
  uint8_t room[512];
} hash_room;

static bool hash_message(const state *s, uint8_t digest[32], const uint8_t *message,
                         size_t len) {
  hash_room h;
  return s->f.sha256_init(&h.sha256) == 1 &&
         s->f.sha256_update(&h.sha256, message, len) == 1 &&
         s->f.sha256_final(digest, &h.sha256) == 1;
}

static bool run_verify_bytes(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  state *s = call->peer;
  const speed_item *item = &call->in->items[i];
  uint8_t digest[32];
  if (s->f.point_read(s->group, s->scratch_point, item->pub33, 33, s->ctx) != 1 ||
      s->f.key_set_public(s->scratch_key, s->scratch_point) != 1 ||
      !hash_message(s, digest, item->message, SPEED_MESSAGE_SIZE)) {
    return false;
  }
  int valid = s->size_lengths ? s->f.verify_der_size(0, digest, 32, item->der,
                                                     item->der_len, s->scratch_key)
                              : s->f.verify_der_int(0, digest, 32, item->der,
                                                    (int)item->der_len, s->scratch_key);
  return valid == 1;
}

static bool run_sign(const speed_call *call, size_t i, uint8_t *answer) {
  const state *s = call->peer;
  const uint8_t *digest = call->in->items[i].digest;
  ECDSA_SIG *sig = s->size_lengths ? s->f.sign_size(digest, 32, s->keys[i])
                                   : s->f.sign_int(digest, 32, s->keys[i]);
  bool ok = sig != NULL;
  if (ok && answer != NULL) {
    const BIGNUM *r, *t;
    s->f.sig_get(sig, &r, &t);
    ok = s->f.bn_to_padded(r, answer, 32) == 32 &&
         s->f.bn_to_padded(t, answer + 32, 32) == 32;
  }
  s->f.sig_free(sig);
  return ok;
}

static bool write_point(const state *s, uint8_t out[65], const EC_POINT *point) {
  return s->f.point_write(s->group, point, POINT_CONVERSION_UNCOMPRESSED, out, 65,
                          s->ctx) == 65;
}

/* secret || public key. */
static bool write_pair(const state *s, uint8_t out[97], const EC_KEY *key) {
  return s->f.bn_to_padded(s->f.key_private(key), out, 32) == 32 &&
         write_point(s, out + 32, s->f.key_public(key));
}

static bool run_keygen(const speed_call *call, size_t i, uint8_t *answer) {
  (void)i;
  const state *s = call->peer;
  EC_KEY *key = s->f.key_new(NID_X9_62_prime256v1);
  bool ok = key != NULL && s->f.key_generate(key) == 1 &&
            (answer == NULL || write_pair(s, answer, key));
  s->f.key_free(key);
  return ok;
}

static bool run_keygen_object(const speed_call *call, size_t i, uint8_t *answer) {
  state *s = call->peer;
  EC_KEY *key = s->f.key_new(NID_X9_62_prime256v1);
  bool ok = key != NULL && s->f.key_set_private(key, s->secrets[i]) == 1 &&
            s->f.point_mul(s->group, s->scratch_point, s->secrets[i], NULL, NULL,
                           s->ctx) == 1 &&
            s->f.key_set_public(key, s->scratch_point) == 1 &&
            (answer == NULL || write_point(s, answer, s->f.key_public(key)));
  s->f.key_free(key);
  return ok;
}

static bool run_keygen_secret(const speed_call *call, size_t i, uint8_t *answer) {
  state *s = call->peer;
  bool ok = s->f.point_mul(s->group, s->scratch_point, s->secrets[i], NULL, NULL,
                           s->ctx) == 1 &&
            s->f.point_affine(s->group, s->scratch_point, s->x, s->y, s->ctx) == 1;
  if (ok && answer != NULL) {
    answer[0] = 4;
    ok = s->f.bn_to_padded(s->x, answer + 1, 32) == 32 &&
         s->f.bn_to_padded(s->y, answer + 33, 32) == 32;
  }
  return ok;
}

static bool run_ecdh(const speed_call *call, size_t i, uint8_t *answer) {
  const state *s = call->peer;
  uint8_t shared[32];
  bool ok = s->f.ecdh(shared, 32, s->f.key_public(s->keys[speed_next(i, call->in->good)]),
                      s->keys[i], NULL) == 32;
  if (answer != NULL) {
    memcpy(answer, shared, 32);
  }
  return ok;
}

static bool parse(state *s, const uint8_t *sec1, size_t len, uint8_t *answer) {
  bool ok = s->f.point_read(s->group, s->scratch_point, sec1, len, s->ctx) == 1;
  return ok && (answer == NULL || write_point(s, answer, s->scratch_point));
}

static bool run_parse33(const speed_call *call, size_t i, uint8_t *answer) {
  return parse(call->peer, call->in->items[i].parse33, 33, answer);
}

static bool run_parse65(const speed_call *call, size_t i, uint8_t *answer) {
  return parse(call->peer, call->in->items[i].parse65, 65, answer);
}

static bool run_sha256(const speed_call *call, size_t i, uint8_t *answer) {
  uint8_t digest[32];
  bool ok = hash_message(call->peer, digest, call->in->blob + i, call->size);
  if (answer != NULL) {
    memcpy(answer, digest, 32);
  }
  return ok;
}

static bool run_sha512(const speed_call *call, size_t i, uint8_t *answer) {
  const state *s = call->peer;
  hash_room h;
  uint8_t digest[64];
  bool ok = s->f.sha512_init(&h.sha512) == 1 &&
            s->f.sha512_update(&h.sha512, call->in->blob + i, call->size) == 1 &&
            s->f.sha512_final(digest, &h.sha512) == 1;
  if (answer != NULL) {
    memcpy(answer, digest, 64);
  }
  return ok;
}

static const speed_peer_operation operations[] = {
    {.row = "p256-verify",
     .run = run_verify,
     .how = "ECDSA_do_verify, key and signature objects ready"},
    {.row = "p256-verify-bytes",
     .run = run_verify_bytes,
     .how = "EC_POINT_oct2point into a ready key, SHA256_*, ECDSA_verify"},
    {.row = "p256-sign",
     .run = run_sign,
     .how = "ECDSA_do_sign",
     .differs = "libcrypto draws its nonce at random; ours is derived (RFC 6979)"},
    {.row = "p256-keygen",
     .run = run_keygen,
     .how = "EC_KEY_new_by_curve_name, EC_KEY_generate_key, EC_KEY_free",
     .differs = "libcrypto makes a key object and draws from its own generator; ours "
                "fills a struct and asks the operating system"},
    {.row = "p256-keygen-secret",
     .run = run_keygen_secret,
     .how = "EC_POINT_mul of the generator, EC_POINT_get_affine_coordinates"},
    {.row = "p256-keygen-object",
     .run = run_keygen_object,
     .how = "EC_KEY_new_by_curve_name, EC_KEY_set_private_key, EC_POINT_mul, "
            "EC_KEY_set_public_key, EC_KEY_free",
     .differs = "libcrypto makes a key object for each key; ours fills a struct"},
    {.row = "p256-ecdh", .run = run_ecdh, .how = "ECDH_compute_key without a KDF"},
    {.row = "p256-parse33", .run = run_parse33, .how = "EC_POINT_oct2point"},
    {.row = "p256-parse65", .run = run_parse65, .how = "EC_POINT_oct2point"},
    {.row = "sha256",
     .run = run_sha256,
     .how = "SHA256_Init, SHA256_Update, SHA256_Final"},
    {.row = "sha512",
     .run = run_sha512,
     .how = "SHA512_Init, SHA512_Update, SHA512_Final"},
    {.row = NULL},
};

/* ---------------------------------------------------------------- opening */

static void close_libcrypto(void *peer_state) {
  state *s = peer_state;
  for (size_t i = 0; i < SPEED_CYCLE; i++) {
    s->f.sig_free(s->sigs[i]);
    s->f.key_free(s->keys[i]);
  }
  s->f.bn_free(s->y);
  s->f.bn_free(s->x);
  s->f.bn_ctx_free(s->ctx);
  s->f.point_free(s->scratch_point);
  s->f.key_free(s->scratch_key);
  free(s);
}

static void prepare(speed_peer *peer, const functions *f, const speed_inputs *in) {
  state *s = calloc(1, sizeof *s);
  if (s == NULL) {
    snprintf(peer->error, sizeof peer->error, "out of memory");
    return;
  }
  peer->state = s;
  peer->close = close_libcrypto;
  s->f = *f;
  const char *name = f->version(OPENSSL_VERSION);
  s->size_lengths = strncmp(name, "AWS-LC", 6) == 0 || strncmp(name, "BoringSSL", 9) == 0;
  /* "OpenSSL 3.0.19 27 Jan 2026": the date says nothing more. */
  int words = 0, len = 0;
  while (name[len] != 0 && (name[len] != ' ' || ++words < 2)) {
    len++;
  }
  snprintf(peer->name, sizeof peer->name, "%.*s", len, name);

  s->ctx = f->bn_ctx_new();
  s->x = f->bn_new();
  s->y = f->bn_new();
  s->scratch_key = f->key_new(NID_X9_62_prime256v1);
  bool ok = s->ctx != NULL && s->x != NULL && s->y != NULL && s->scratch_key != NULL;
  if (ok) {
    s->group = f->key_group(s->scratch_key);
    s->scratch_point = f->point_new(s->group);
    ok = s->scratch_point != NULL;
  }
  for (size_t i = 0; ok && i < SPEED_CYCLE; i++) {
    ok = load_item(s, i, &in->items[i]);
  }
  if (!ok) {
    snprintf(peer->error, sizeof peer->error, "it refused the inputs");
    return;
  }
  peer->operations = operations;
}

void speed_peer_linked(speed_peer *peer, const speed_inputs *in) {
  memset(peer, 0, sizeof *peer);
  prepare(peer, &linked_functions, in);
}

static void open_libcrypto(speed_peer *peer, void *handle, const speed_inputs *in) {
  functions f;
  memset(&f, 0, sizeof f);
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    void *found = dlsym(handle, symbols[i].symbol);
    if (found == NULL) {
      snprintf(peer->error, sizeof peer->error, "it lacks %s", symbols[i].symbol);
      return;
    }
    memcpy((char *)&f + symbols[i].at, &found, sizeof found);
  }
  prepare(peer, &f, in);
}

const speed_adapter speed_adapter_libcrypto = {"ECDSA_do_verify", open_libcrypto};
