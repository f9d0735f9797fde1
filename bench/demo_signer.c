/* Keys and signatures for the demo, all by libcrypto.  Nonces are SHA-256 of the seed and
 * a counter and handed to ECDSA_do_sign_ex, so that one seed always gives the same log.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "demo_record.h"

#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

struct maker {
  uint64_t seed;
  size_t count;
  signer *signers;
  EC_KEY *scratch;
  const EC_GROUP *group;
  const BIGNUM *n;
  BIGNUM *half, *x, *y, *k, *inverse;
  EC_POINT *point;
  BN_CTX *ctx;
};

static void derive(uint8_t out[32], const maker *m, const char *label, uint64_t index) {
  char text[96];
  int len = snprintf(text, sizeof text, "sigmill demo %llu %s %llu",
                     (unsigned long long)m->seed, label, (unsigned long long)index);
  SHA256((const uint8_t *)text, (size_t)len, out);
}

uint64_t maker_number(const maker *m, const char *label, uint64_t index, uint64_t limit) {
  uint8_t bytes[32];
  uint64_t value;
  derive(bytes, m, label, index);
  memcpy(&value, bytes, sizeof value);
  return value % limit;
}

/* A number in 1..n-1. */
static bool derive_scalar(BIGNUM *out, const maker *m, const char *label,
                          uint64_t index) {
  uint8_t bytes[32];
  derive(bytes, m, label, index);
  return BN_bin2bn(bytes, 32, out) != NULL && BN_nnmod(out, out, m->n, m->ctx) == 1 &&
         !BN_is_zero(out);
}

static bool make_signer(maker *m, size_t i) {
  signer *who = &m->signers[i];
  who->number = i;
  who->form = (key_form)(i % KEY_FORMS);
  who->raw = i % 3 == 0;
  who->key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
  uint8_t *end = who->spki;
  return who->key != NULL && derive_scalar(m->k, m, "secret", i) &&
         EC_KEY_set_private_key(who->key, m->k) == 1 &&
         EC_POINT_mul(m->group, m->point, m->k, NULL, NULL, m->ctx) == 1 &&
         EC_KEY_set_public_key(who->key, m->point) == 1 &&
         EC_POINT_point2oct(m->group, m->point, POINT_CONVERSION_UNCOMPRESSED, who->pub65,
                            65, m->ctx) == 65 &&
         i2d_EC_PUBKEY(who->key, NULL) == (int)sizeof who->spki &&
         i2d_EC_PUBKEY(who->key, &end) == (int)sizeof who->spki;
}

maker *maker_create(uint64_t seed, size_t signers) {
  maker *m = calloc(1, sizeof *m);
  if (m == NULL) {
    return NULL;
  }
  m->seed = seed;
  m->signers = calloc(signers, sizeof *m->signers);
  m->scratch = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
  m->half = BN_new();
  m->x = BN_new();
  m->y = BN_new();
  m->k = BN_new();
  m->inverse = BN_new();
  m->ctx = BN_CTX_new();
  bool ok = m->signers != NULL && m->scratch != NULL && m->half != NULL && m->x != NULL &&
            m->y != NULL && m->k != NULL && m->inverse != NULL && m->ctx != NULL;
  if (ok) {
    m->count = signers;
    m->group = EC_KEY_get0_group(m->scratch);
    m->n = EC_GROUP_get0_order(m->group);
    m->point = EC_POINT_new(m->group);
    ok = m->point != NULL && BN_rshift1(m->half, m->n) == 1;
  }
  for (size_t i = 0; ok && i < signers; i++) {
    ok = make_signer(m, i);
  }
  if (!ok) {
    maker_destroy(m);
    return NULL;
  }
  return m;
}

void maker_destroy(maker *m) {
  for (size_t i = 0; i < m->count; i++) {
    EC_KEY_free(m->signers[i].key);
  }
  free(m->signers);
  EC_POINT_free(m->point);
  BN_CTX_free(m->ctx);
  BN_free(m->inverse);
  BN_free(m->k);
  BN_free(m->y);
  BN_free(m->x);
  BN_free(m->half);
  EC_KEY_free(m->scratch);
  free(m);
}

const signer *maker_signer(const maker *m, size_t i) {
  return &m->signers[i % m->count];
}

/* Takes r, s and R = (m->x, m->y) over, with s made low if low_s. */
static bool take_signature(maker *m, record *rec, const ECDSA_SIG *sig, bool low_s) {
  bool odd = BN_is_odd(m->y) == 1;
  bool wrapped = BN_cmp(m->x, m->n) >= 0;
  BIGNUM *s = BN_dup(ECDSA_SIG_get0_s(sig));
  bool ok = s != NULL;
  if (ok && low_s && BN_cmp(s, m->half) > 0) {
    ok = BN_sub(s, m->n, s) == 1;
    odd = !odd;
  }
  ok = ok && BN_bn2binpad(ECDSA_SIG_get0_r(sig), rec->r, 32) == 32 &&
       BN_bn2binpad(s, rec->s, 32) == 32;
  rec->recovery_id = (uint8_t)((odd ? 1 : 0) + (wrapped ? 2 : 0));
  BN_free(s);
  return ok;
}

bool maker_sign(maker *m, record *rec) {
  uint8_t digest[32];
  SHA256((const uint8_t *)rec->message, strlen(rec->message), digest);
  BIGNUM *r = BN_new();
  bool ok =
      r != NULL && derive_scalar(m->k, m, "nonce", rec->number) &&
      BN_mod_inverse(m->inverse, m->k, m->n, m->ctx) != NULL &&
      EC_POINT_mul(m->group, m->point, m->k, NULL, NULL, m->ctx) == 1 &&
      EC_POINT_get_affine_coordinates(m->group, m->point, m->x, m->y, m->ctx) == 1 &&
      BN_nnmod(r, m->x, m->n, m->ctx) == 1;
  ECDSA_SIG *sig = ok ? ECDSA_do_sign_ex(digest, 32, m->inverse, r, rec->who->key) : NULL;
  ok = sig != NULL && take_signature(m, rec, sig, rec->form == SIG_RECOVERABLE);
  ECDSA_SIG_free(sig);
  BN_free(r);
  return ok;
}

bool maker_negate_s(maker *m, uint8_t s[32]) {
  return BN_bin2bn(s, 32, m->k) != NULL && BN_sub(m->k, m->n, m->k) == 1 &&
         BN_bn2binpad(m->k, s, 32) == 32;
}

void maker_order(const maker *m, uint8_t out[32]) {
  BN_bn2binpad(m->n, out, 32);
}

static bool encode_der(record *rec) {
  ECDSA_SIG *sig = ECDSA_SIG_new();
  BIGNUM *r = BN_bin2bn(rec->r, 32, NULL), *s = BN_bin2bn(rec->s, 32, NULL);
  bool ok = sig != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(sig, r, s) == 1;
  if (!ok) {
    BN_free(s);
    BN_free(r);
  }
  int len = ok ? i2d_ECDSA_SIG(sig, NULL) : 0;
  uint8_t *end = rec->sig;
  ok = len > 0 && len <= SIG_BYTES_MAX && i2d_ECDSA_SIG(sig, &end) == len;
  rec->sig_len = (size_t)len;
  ECDSA_SIG_free(sig);
  return ok;
}

bool maker_encode(record *rec) {
  size_t at = 0;
  if (rec->form == SIG_DER) {
    return encode_der(rec);
  }
  if (rec->form == SIG_RECOVERABLE) {
    rec->sig[at++] = rec->recovery_id;
  }
  memcpy(rec->sig + at, rec->r, 32);
  memcpy(rec->sig + at + 32, rec->s, 32);
  rec->sig_len = at + 64;
  return true;
}
