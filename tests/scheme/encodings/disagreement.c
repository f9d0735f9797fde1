#include "disagreement.h"

#include "sigmill.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <string.h>

/* ---------------------------------------------------------------- libcrypto's view */

static EC_GROUP *p256(void) {
  static EC_GROUP *group;
  if (group == NULL) {
    group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  }
  return group;
}

static bool below_order(const BIGNUM *a) {
  return !BN_is_zero(a) && !BN_is_negative(a) &&
         BN_cmp(a, EC_GROUP_get0_order(p256())) < 0;
}

bool is_named_p256(EVP_PKEY *pkey, uint8_t sec1[65]) {
  char group[32] = "", encoding[32] = "";
  uint8_t x[32], y[32];
  BIGNUM *bn_x = NULL, *bn_y = NULL;
  bool ok = pkey != NULL && EVP_PKEY_is_a(pkey, "EC") == 1 &&
            EVP_PKEY_get_utf8_string_param(pkey, OSSL_PKEY_PARAM_GROUP_NAME, group,
                                           sizeof group, NULL) == 1 &&
            strcmp(group, "prime256v1") == 0 &&
            EVP_PKEY_get_utf8_string_param(pkey, OSSL_PKEY_PARAM_EC_ENCODING, encoding,
                                           sizeof encoding, NULL) == 1 &&
            strcmp(encoding, "named_curve") == 0 &&
            EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_EC_PUB_X, &bn_x) == 1 &&
            EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_EC_PUB_Y, &bn_y) == 1 &&
            BN_bn2binpad(bn_x, x, 32) == 32 && BN_bn2binpad(bn_y, y, 32) == 32;
  if (ok) {
    sec1[0] = 4;
    memcpy(sec1 + 1, x, 32);
    memcpy(sec1 + 33, y, 32);
  }
  BN_free(bn_x);
  BN_free(bn_y);
  return ok;
}

static bool is_key(const sigmill_p256_pubkey *key, const uint8_t sec1[65]) {
  uint8_t got[65];
  sigmill_p256_pubkey_serialize65(got, key);
  return memcmp(got, sec1, 65) == 0;
}

/* ---------------------------------------------------------------- signatures */

const char *sig_der_disagreement(const uint8_t *der, size_t len) {
  uint8_t sig[64], expected[64] = {0}, *again = NULL;
  const uint8_t *end = der;
  sigmill_status status = sigmill_p256_sig_from_der(sig, der, len);
  ECDSA_SIG *theirs = d2i_ECDSA_SIG(NULL, &end, (long)len);
  int again_len = theirs != NULL ? i2d_ECDSA_SIG(theirs, &again) : 0;
  bool is_der = again_len > 0 && (size_t)again_len == len && memcmp(again, der, len) == 0;
  const char *wrong = NULL;
  if (is_der) {
    const BIGNUM *r = ECDSA_SIG_get0_r(theirs), *s = ECDSA_SIG_get0_s(theirs);
    bool fit = BN_num_bits(r) <= 256 && BN_num_bits(s) <= 256;
    if (below_order(r) && below_order(s)) {
      BN_bn2binpad(r, expected, 32);
      BN_bn2binpad(s, expected + 32, 32);
      wrong = status != SIGMILL_OK             ? "a good DER signature was refused"
              : memcmp(sig, expected, 64) != 0 ? "another r or s"
                                               : NULL;
    } else if (fit) {
      sigmill_status expected_status =
          below_order(r) ? SIGMILL_ERR_SIG_S : SIGMILL_ERR_SIG_R;
      wrong = status != expected_status ? "another reason than the range" : NULL;
    } else if (status != SIGMILL_ERR_DER_INTEGER && status != SIGMILL_ERR_TOO_LONG) {
      wrong = "another reason than a wide integer";
    }
  } else if (status == SIGMILL_OK || status == SIGMILL_ERR_SIG_R ||
             status == SIGMILL_ERR_SIG_S) {
    wrong = "what is not DER was read";
  }
  OPENSSL_free(again);
  ECDSA_SIG_free(theirs);
  ERR_clear_error();
  return wrong;
}

const char *sig_writer_disagreement(const uint8_t sig[64], const uint8_t *der,
                                    size_t len) {
  uint8_t *expected = NULL;
  ECDSA_SIG *theirs = ECDSA_SIG_new();
  ECDSA_SIG_set0(theirs, BN_bin2bn(sig, 32, NULL), BN_bin2bn(sig + 32, 32, NULL));
  int expected_len = i2d_ECDSA_SIG(theirs, &expected);
  bool same = (size_t)expected_len == len && memcmp(expected, der, len) == 0;
  OPENSSL_free(expected);
  ECDSA_SIG_free(theirs);
  return same ? NULL : "other DER than libcrypto writes";
}

/* ---------------------------------------------------------------- public keys */

const char *sec1_disagreement(const uint8_t *in, size_t len) {
  uint8_t sec1[65];
  sigmill_p256_pubkey key, hybrid_key;
  EC_POINT *point = EC_POINT_new(p256());
  bool theirs = len > 1 && EC_POINT_oct2point(p256(), point, in, len, NULL) == 1;
  bool is_hybrid = theirs && in[0] >= 6;
  bool strict = sigmill_p256_pubkey_parse(&key, in, len) == SIGMILL_OK;
  bool loose = sigmill_p256_pubkey_parse_hybrid(&hybrid_key, in, len) == SIGMILL_OK;
  const char *wrong = NULL;
  if (strict != (theirs && !is_hybrid) || loose != theirs) {
    wrong = "a point was judged otherwise";
  } else if (theirs) {
    EC_POINT_point2oct(p256(), point, POINT_CONVERSION_UNCOMPRESSED, sec1, sizeof sec1,
                       NULL);
    if (!is_key(&hybrid_key, sec1) || (strict && !is_key(&key, sec1))) {
      wrong = "another point";
    }
  }
  EC_POINT_free(point);
  ERR_clear_error();
  return wrong;
}

const char *spki_disagreement(const uint8_t *der, size_t len) {
  uint8_t sec1[65], *again = NULL;
  const uint8_t *end = der;
  sigmill_p256_pubkey key, hybrid_key;
  bool strict = sigmill_p256_pubkey_from_spki(&key, der, len, NULL) == SIGMILL_OK;
  bool loose =
      sigmill_p256_pubkey_from_spki_hybrid(&hybrid_key, der, len, NULL) == SIGMILL_OK;
  EVP_PKEY *theirs = d2i_PUBKEY(NULL, &end, (long)len);
  bool is_p256 = is_named_p256(theirs, sec1);
  int again_len = is_p256 ? i2d_PUBKEY(theirs, &again) : 0;
  bool is_der = again_len > 0 && (size_t)again_len == len && memcmp(again, der, len) == 0;
  bool is_hybrid = is_der && der[26] >= 6;
  const char *wrong = NULL;
  if (strict != (is_der && !is_hybrid) || loose != is_der) {
    wrong = is_der ? "a good SPKI was refused" : "a bad SPKI was read";
  } else if (is_der && (!is_key(&hybrid_key, sec1) || (strict && !is_key(&key, sec1)))) {
    wrong = "another key";
  }
  OPENSSL_free(again);
  EVP_PKEY_free(theirs);
  ERR_clear_error();
  return wrong;
}

/* ---------------------------------------------------------------- private keys */

static const char *private_disagreement(sigmill_status status,
                                        const sigmill_p256_keypair *pair,
                                        EVP_PKEY *theirs) {
  uint8_t sec1[65], secret[32], expected[32];
  BIGNUM *bn = NULL;
  sigmill_p256_pubkey key;
  const char *wrong = NULL;
  if (status == SIGMILL_OK) {
    sigmill_p256_keypair_public(&key, pair);
    sigmill_p256_keypair_secret(secret, pair);
    if (!is_named_p256(theirs, sec1)) {
      wrong = "libcrypto refuses a private key that was read";
    } else if (!is_key(&key, sec1) ||
               EVP_PKEY_get_bn_param(theirs, OSSL_PKEY_PARAM_PRIV_KEY, &bn) != 1 ||
               BN_bn2binpad(bn, expected, 32) != 32 ||
               memcmp(secret, expected, 32) != 0) {
      wrong = "another private key";
    }
  }
  BN_clear_free(bn);
  return wrong;
}

const char *pkcs8_disagreement(const uint8_t *der, size_t len) {
  const uint8_t *end = der;
  sigmill_p256_keypair pair;
  sigmill_status status = sigmill_p256_keypair_from_pkcs8(&pair, der, len, NULL);
  PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &end, (long)len);
  EVP_PKEY *theirs = info != NULL ? EVP_PKCS82PKEY(info) : NULL;
  const char *wrong = private_disagreement(status, &pair, theirs);
  EVP_PKEY_free(theirs);
  PKCS8_PRIV_KEY_INFO_free(info);
  ERR_clear_error();
  return wrong;
}

const char *ec_private_key_disagreement(const uint8_t *der, size_t len) {
  const uint8_t *end = der;
  sigmill_p256_keypair pair;
  sigmill_status status = sigmill_p256_keypair_from_sec1(&pair, der, len, NULL);
  EVP_PKEY *theirs = d2i_PrivateKey(EVP_PKEY_EC, NULL, &end, (long)len);
  const char *wrong = private_disagreement(status, &pair, theirs);
  EVP_PKEY_free(theirs);
  ERR_clear_error();
  return wrong;
}
