/* JWS under the key with secret 1: what verifies must do so under libcrypto. */
#include "fuzz.h"

#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

static EVP_PKEY *their_key(const sigmill_p256_pubkey *key) {
  uint8_t spki[SIGMILL_P256_SPKI_SIZE];
  const uint8_t *end = spki;
  sigmill_p256_pubkey_to_spki(spki, key);
  return d2i_PUBKEY(NULL, &end, sizeof spki);
}

/* The last part, which must be 86 characters of base64url. */
static bool read_signature(uint8_t sig[64], const uint8_t *text) {
  uint8_t chars[89], bytes[66];
  for (size_t i = 0; i < 86; i++) {
    chars[i] = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i];
  }
  memcpy(chars + 86, "==", 3);
  bool ok = EVP_DecodeBlock(bytes, chars, 88) == 66;
  memcpy(sig, bytes, 64);
  return ok;
}

static bool verifies(const uint8_t *message, size_t len, const uint8_t sig[64],
                     EVP_PKEY *pkey) {
  uint8_t *der = NULL;
  ECDSA_SIG *parsed = ECDSA_SIG_new();
  ECDSA_SIG_set0(parsed, BN_bin2bn(sig, 32, NULL), BN_bin2bn(sig + 32, 32, NULL));
  int der_len = i2d_ECDSA_SIG(parsed, &der);
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  bool ok = EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, pkey) == 1 &&
            EVP_DigestVerify(ctx, der, (size_t)der_len, message, len) == 1;
  EVP_MD_CTX_free(ctx);
  ECDSA_SIG_free(parsed);
  OPENSSL_free(der);
  return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t secret[32] = {[31] = 1};
  static sigmill_p256_pubkey key;
  static EVP_PKEY *theirs;
  sigmill_p256_keypair pair;
  if (theirs == NULL) {
    fuzz_require(sigmill_p256_keypair_from_secret(&pair, secret) == SIGMILL_OK, "key");
    sigmill_p256_keypair_public(&key, &pair);
    theirs = their_key(&key);
  }
  size_t payload_at = 9, payload_len = 9, error_at = 0;
  const char *jws = (const char *)data;
  sigmill_status status =
      sigmill_p256_jws_verify(&payload_at, &payload_len, jws, size, &key, &error_at);
  sigmill_status low_s =
      sigmill_p256_jws_verify_low_s(NULL, NULL, jws, size, &key, &error_at);
  fuzz_require(low_s == status || low_s == SIGMILL_ERR_SIG_HIGH_S, "low s");
  fuzz_require(error_at <= size, "offset");
  if (status != SIGMILL_OK) {
    fuzz_require(payload_at == 0 && payload_len == 0, "payload of a bad token");
    return 0;
  }
  uint8_t sig[64];
  size_t sig_at = payload_at + payload_len + 1;
  fuzz_require(sig_at + 86 == size && data[sig_at - 1] == '.', "places");
  fuzz_require(read_signature(sig, data + sig_at) &&
                   verifies(data, sig_at - 1, sig, theirs),
               "libcrypto does not verify it");
  return 0;
}
