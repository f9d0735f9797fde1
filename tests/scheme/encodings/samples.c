#include "samples.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>
#include <stdlib.h>

static void stop_unless(bool ok, const char *what) {
  if (!ok) {
    fprintf(stderr, "samples: %s failed\n", what);
    abort();
  }
}

static EVP_PKEY *import_pair(const BIGNUM *secret, const uint8_t sec1[65]) {
  EVP_PKEY *pkey = NULL;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0);
  OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, secret);
  OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, sec1, 65);
  OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(builder);
  stop_unless(EVP_PKEY_fromdata_init(ctx) == 1 &&
                  EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_KEYPAIR, params) == 1,
              "EVP_PKEY_fromdata");
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(ctx);
  return pkey;
}

sample sample_new(void) {
  sample s;
  memset(&s, 0, sizeof s);
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  EC_POINT *point = EC_POINT_new(group);
  BIGNUM *secret = BN_new();
  do {
    test_random_bytes(s.secret, sizeof s.secret);
    BN_bin2bn(s.secret, sizeof s.secret, secret);
  } while (BN_is_zero(secret) || BN_cmp(secret, EC_GROUP_get0_order(group)) >= 0);
  stop_unless(EC_POINT_mul(group, point, secret, NULL, NULL, NULL) == 1, "EC_POINT_mul");
  EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, s.sec1, sizeof s.sec1,
                     NULL);
  EC_POINT_point2oct(group, point, POINT_CONVERSION_COMPRESSED, s.sec1_short,
                     sizeof s.sec1_short, NULL);
  s.pkey = import_pair(secret, s.sec1);
  stop_unless(sigmill_p256_pubkey_parse(&s.key, s.sec1, sizeof s.sec1) == SIGMILL_OK &&
                  sigmill_p256_keypair_from_secret(&s.pair, s.secret) == SIGMILL_OK,
              "our import");
  BN_free(secret);
  EC_POINT_free(point);
  EC_GROUP_free(group);
  return s;
}

void sample_free(sample *s) {
  EVP_PKEY_free(s->pkey);
}

void text_clear(text *t) {
  t->len = 0;
}

void text_add(text *t, const void *bytes, size_t len) {
  stop_unless(len <= sizeof t->bytes - t->len, "text_add");
  if (len > 0) {
    memcpy(t->bytes + t->len, bytes, len);
  }
  t->len += len;
}

void text_str(text *t, const char *s) {
  text_add(t, s, strlen(s));
}

void text_hex(text *t, const char *hex) {
  uint8_t bytes[1024];
  size_t len = strlen(hex) / 2;
  stop_unless(len <= sizeof bytes, "text_hex");
  test_from_hex(bytes, len, hex);
  text_add(t, bytes, len);
}

void text_base64url(text *t, const uint8_t *bytes, size_t len) {
  static char chars[2 << 16];
  stop_unless(len <= sizeof chars / 2, "text_base64url");
  size_t count = (size_t)EVP_EncodeBlock((uint8_t *)chars, bytes, (int)len);
  for (size_t i = 0; i < count && chars[i] != '='; i++) {
    char c = chars[i] == '+' ? '-' : chars[i] == '/' ? '_' : chars[i];
    text_add(t, &c, 1);
  }
}

bool same_key(const sigmill_p256_pubkey *key, const uint8_t sec1[65]) {
  uint8_t got[65];
  sigmill_p256_pubkey_serialize65(got, key);
  return memcmp(got, sec1, 65) == 0;
}

bool same_pair(const sigmill_p256_keypair *pair, const sample *s) {
  uint8_t secret[32];
  sigmill_p256_pubkey key;
  sigmill_p256_keypair_secret(secret, pair);
  sigmill_p256_keypair_public(&key, pair);
  return memcmp(secret, s->secret, 32) == 0 && same_key(&key, s->sec1);
}

sigmill_status read_public_by(public_reader *read, const text *t, size_t *at,
                              const sample *s) {
  sigmill_p256_pubkey key;
  memset(&key, 0xa5, sizeof key);
  *at = 9999;
  sigmill_status status = read(&key, (const char *)t->bytes, t->len, at);
  EXPECT(status == SIGMILL_OK ? same_key(&key, s->sec1) : test_all_zero(&key, sizeof key),
         "the key");
  EXPECT(status != SIGMILL_OK ? *at <= t->len : *at == 0, "offset %zu", *at);
  return status;
}

sigmill_status read_private_by(private_reader *read, const text *t, size_t *at,
                               const sample *s) {
  sigmill_p256_keypair pair;
  memset(&pair, 0xa5, sizeof pair);
  *at = 9999;
  sigmill_status status = read(&pair, (const char *)t->bytes, t->len, at);
  EXPECT(status == SIGMILL_OK ? same_pair(&pair, s) : test_all_zero(&pair, sizeof pair),
         "the pair");
  EXPECT(status != SIGMILL_OK ? *at <= t->len : *at == 0, "offset %zu", *at);
  return status;
}
