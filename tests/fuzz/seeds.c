/* Writes good inputs for each fuzz target to FOLDER/TARGET/NUMBER: keys and signatures
 * that libcrypto and we make on the spot. */
#include "samples.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *folder;

static void seed(const char *target, int number, const void *bytes, size_t len) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, target);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/%s/seed-%02d", folder, target, number);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, len, file) != len || fclose(file) != 0) {
    perror(path);
    exit(2);
  }
}

static void seed_text(const char *target, int number, const char *s) {
  seed(target, number, s, strlen(s));
}

static void seed_bio(const char *target, int number, BIO *bio) {
  char *data = NULL;
  long len = BIO_get_mem_data(bio, &data);
  seed(target, number, data, (size_t)len);
  BIO_free(bio);
}

static void public_keys(int i, const sample *s) {
  uint8_t der[SIGMILL_P256_SPKI_SIZE], cose[SIGMILL_P256_COSE_SIZE + 6];
  char pem[SIGMILL_P256_PEM_SIZE + 1], jwk[SIGMILL_P256_JWK_SIZE + 1];
  seed("sec1", 2 * i, s->sec1, sizeof s->sec1);
  seed("sec1", 2 * i + 1, s->sec1_short, sizeof s->sec1_short);
  sigmill_p256_pubkey_to_spki(der, &s->key);
  seed("spki", i, der, sizeof der);
  der[26] = (uint8_t)(6 | (s->sec1[64] & 1));
  seed("spki", 20 + i, der, sizeof der);
  sigmill_p256_pubkey_to_pem(pem, &s->key);
  seed_text("pem", i, pem);
  sigmill_p256_pubkey_to_jwk(jwk, &s->key);
  seed_text("jwk", i, jwk);
  seed_text("json", i, jwk);
  sigmill_p256_pubkey_to_cose(cose, &s->key);
  seed("cose", i, cose, SIGMILL_P256_COSE_SIZE);
  cose[0]++;
  memcpy(cose + SIGMILL_P256_COSE_SIZE, "\x18\x64\xa1\x01\x61\x62", 6);
  seed("cose", 20 + i, cose, sizeof cose);
}

static void private_keys(int i, const sample *s) {
  uint8_t der[SIGMILL_P256_PKCS8_SIZE];
  char pem[SIGMILL_P256_PEM_PRIVATE_SIZE + 1], jwk[SIGMILL_P256_JWK_PRIVATE_SIZE + 1];
  sigmill_p256_keypair_to_pkcs8(der, &s->pair);
  seed("pkcs8", i, der, SIGMILL_P256_PKCS8_SIZE);
  sigmill_p256_keypair_to_sec1(der, &s->pair);
  seed("ec_private_key", i, der, SIGMILL_P256_SEC1_SIZE);
  sigmill_p256_keypair_to_pem(pem, &s->pair);
  seed_text("pem", 20 + i, pem);
  sigmill_p256_keypair_to_jwk(jwk, &s->pair);
  seed_text("jwk", 20 + i, jwk);

  BIO *bio = BIO_new(BIO_s_mem());
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  PEM_write_bio_ECPKParameters(bio, group);
  EC_GROUP_free(group);
  PEM_write_bio_PrivateKey_traditional(bio, s->pkey, NULL, NULL, 0, NULL, NULL);
  seed_bio("pem", 40 + i, bio);
}

static void signatures(int i) {
  static const char *const headers[] = {
      "{\"alg\":\"ES256\"}", "{\"typ\":\"JWT\",\"alg\":\"\\u0045S256\",\"kid\":[1,{}]}"};
  static const uint8_t one[32] = {[31] = 1};
  uint8_t digest[32], sig[64], der[SIGMILL_P256_DER_MAX];
  static text token;
  sigmill_p256_keypair pair;
  const char *header = headers[i % 2];
  text_clear(&token);
  text_base64url(&token, (const uint8_t *)header, strlen(header));
  text_str(&token, ".");
  text_base64url(&token, (const uint8_t *)"payload", 7);
  sigmill_sha256(digest, token.bytes, token.len);
  if (sigmill_p256_keypair_from_secret(&pair, one) != SIGMILL_OK ||
      sigmill_p256_sign(sig, digest, &pair) != SIGMILL_OK) {
    exit(2);
  }
  seed("sig_der", i, der, sigmill_p256_sig_to_der(der, sig));
  text_str(&token, ".");
  size_t sig_at = token.len;
  text_base64url(&token, sig, sizeof sig);
  seed("jws", i, token.bytes, token.len);
  seed("base64url", i, token.bytes + sig_at, token.len - sig_at);
}

static size_t put_hex(char *out, const uint8_t *bytes, size_t len) {
  for (size_t i = 0; i < len; i++) {
    snprintf(out + 2 * i, 3, "%02x", bytes[i]);
  }
  return 2 * len;
}

/* Rows of sigmill batch behind the byte that chooses their kind: lines of NDJSON in the
 * first half, a binary file in the second. */
static void rows(int i, const sample *s) {
  uint8_t digest[32], sig[64], binary[1 + 64 + 2 * (1 + 33 + 32 + 64)] = {0x40};
  char jwk[SIGMILL_P256_JWK_SIZE + 1], key[67], sig_text[129], lines[1024];
  sigmill_sha256(digest, "message", 7);
  if (sigmill_p256_sign(sig, digest, &s->pair) != SIGMILL_OK) {
    exit(2);
  }
  put_hex(key, s->sec1_short, sizeof s->sec1_short);
  put_hex(sig_text, sig, sizeof sig);
  sigmill_p256_pubkey_to_jwk(jwk, &s->key);
  int len = snprintf(lines, sizeof lines,
                     "0{\"id\":%d,\"key\":\"%s\",\"format\":\"raw\",\"sig\":\"%s\","
                     "\"msg\":\"message\"}\n{\"key\":%s,\"format\":\"low-s\","
                     "\"sig\":\"%s\",\"msg_b64\":\"bWVzc2FnZQ==\",\"hash\":\"sha256\"}\n",
                     i, key, sig_text, jwk, sig_text);
  lines[0] = 0;
  seed("rows", i, lines, (size_t)len);

  static const uint8_t header[28] = {'S', 'G', 'M', 'L', 'R', 'O', 'W', 'S', 1,
                                     0,   64,  0,   1,   33,  32,  1,   130};
  memcpy(binary + 1, header, sizeof header);
  for (int row = 0; row < 2; row++) {
    uint8_t *at = binary + 65 + row * 130;
    at[0] = (uint8_t)row;
    memcpy(at + 1, s->sec1_short, 33);
    memcpy(at + 34, digest, 32);
    memcpy(at + 66, sig, 64);
  }
  seed("rows", 20 + i, binary, sizeof binary);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: seeds FOLDER\n");
    return 2;
  }
  folder = argv[1];
  mkdir(folder, 0777);
  for (int i = 0; i < 8; i++) {
    sample s = sample_new();
    public_keys(i, &s);
    private_keys(i, &s);
    signatures(i);
    rows(i, &s);
    sample_free(&s);
  }
  seed_text("json", 20,
            "\xef\xbb\xbf { \"\\ud83d\\ude00\" : [ -0.5e+3 , true, null, [], {} ] }");
  seed_text("json", 21, "[[[{\"a\":{\"b\":[1,\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]}}]],false]");
  return 0;
}
