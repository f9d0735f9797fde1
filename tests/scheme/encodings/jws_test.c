/* JWS with ES256: RFC 7515's own example, tokens that libcrypto signed, every rule with
 * the character at fault, every truncation. */
#include "samples.h"

#include <openssl/bn.h>
#include <openssl/ecdsa.h>

/* libcrypto's signature of the bytes, in DER and as r || s; s low or high as asked. */
static size_t sign(uint8_t *der, uint8_t sig[64], const text *message, EVP_PKEY *pkey,
                   bool high_s) {
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  size_t len = 80;
  EXPECT(EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, pkey) == 1 &&
             EVP_DigestSign(ctx, der, &len, message->bytes, message->len) == 1,
         "libcrypto signs");
  EVP_MD_CTX_free(ctx);
  const uint8_t *end = der;
  ECDSA_SIG *parsed = d2i_ECDSA_SIG(NULL, &end, (long)len);
  BN_bn2binpad(ECDSA_SIG_get0_r(parsed), sig, 32);
  BN_bn2binpad(ECDSA_SIG_get0_s(parsed), sig + 32, 32);
  ECDSA_SIG_free(parsed);
  sigmill_p256_sig_normalize(sig);
  if (high_s) {
    static const char order[] =
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    BIGNUM *n = NULL, *s = BN_bin2bn(sig + 32, 32, NULL);
    BN_hex2bn(&n, order);
    BN_sub(s, n, s);
    BN_bn2binpad(s, sig + 32, 32);
    BN_free(n);
    BN_free(s);
  }
  return len;
}

/* A signed token with any header and payload. */
static void make_token(text *t, const char *header, const void *payload, size_t len,
                       const sample *s, bool high_s) {
  uint8_t der[80], sig[64];
  text_clear(t);
  text_base64url(t, (const uint8_t *)header, strlen(header));
  text_str(t, ".");
  text_base64url(t, payload, len);
  sign(der, sig, t, s->pkey, high_s);
  text_str(t, ".");
  text_base64url(t, sig, sizeof sig);
}

static sigmill_status verify(const text *t, size_t *at, const sigmill_p256_pubkey *key) {
  size_t payload_at = 9999, payload_len = 9999;
  *at = 9999;
  sigmill_status status = sigmill_p256_jws_verify(
      &payload_at, &payload_len, (const char *)t->bytes, t->len, key, at);
  EXPECT(status == SIGMILL_OK || (payload_at == 0 && payload_len == 0), "payload");
  EXPECT(status != SIGMILL_OK ? *at <= t->len : *at == 0, "offset %zu", *at);
  if (status == SIGMILL_OK) {
    EXPECT(payload_at > 0 && t->bytes[payload_at - 1] == '.' &&
               t->bytes[payload_at + payload_len] == '.',
           "the payload stands between the dots");
  }
  EXPECT(sigmill_p256_jws_verify(NULL, NULL, (const char *)t->bytes, t->len, key, NULL) ==
             status,
         "without places");
  return status;
}

/* RFC 7515, appendix A.3 */
static void the_example_of_the_rfc_verifies(void) {
  static const char jwk[] = "{\"kty\":\"EC\",\"crv\":\"P-256\","
                            "\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
                            "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}";
  static text t;
  sigmill_p256_pubkey key;
  size_t at;
  EXPECT(sigmill_p256_pubkey_from_jwk(&key, jwk, strlen(jwk), NULL) == SIGMILL_OK, "key");
  text_clear(&t);
  text_str(&t, "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0"
               "dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-"
               "Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q");
  EXPECT(verify(&t, &at, &key) == SIGMILL_OK, "verifies");
  for (size_t i = 0; i < t.len; i++) {
    uint8_t was = t.bytes[i];
    t.bytes[i] = was == 'B' ? 'C' : 'B';
    EXPECT(verify(&t, &at, &key) != SIGMILL_OK, "character %zu changed", i);
    t.bytes[i] = was;
  }
}

static void tokens_of_libcrypto_verify(void) {
  static text t;
  for (size_t len = 0; len < 40; len++) {
    sample s = sample_new();
    uint8_t payload[40];
    size_t at;
    bool high_s = len % 2 == 1;
    test_random_bytes(payload, len);
    make_token(&t, "{\"alg\":\"ES256\"}", payload, len, &s, high_s);
    EXPECT(verify(&t, &at, &s.key) == SIGMILL_OK, "payload of %zu", len);
    sigmill_status status = sigmill_p256_jws_verify_low_s(
        NULL, NULL, (const char *)t.bytes, t.len, &s.key, &at);
    EXPECT_STATUS(status, at, high_s ? SIGMILL_ERR_SIG_HIGH_S : SIGMILL_OK, t.len - 86,
                  "low s");
    sample_free(&s);
  }
}

/* Offsets within the header count its decoded bytes here. */
static void header_rules_name_their_character(void) {
  static const struct {
    const char *header;
    sigmill_status status;
    size_t byte;
  } cases[] = {
      {"{\"alg\":\"ES256\",\"typ\":\"JWT\",\"kid\":\"\xc3\xbc\"}", SIGMILL_OK, 0},
      {" { \"alg\" : \"ES256\" } ", SIGMILL_OK, 0},
      {"{\"a\\u006cg\":\"\\u0045S256\"}", SIGMILL_OK, 0},
      {"{\"alg\":\"ES256\",\"b64\":true}", SIGMILL_OK, 0},
      {"{\"alg\":\"ES256\",\"x\":{\"crit\":1,\"alg\":2,\"alg\":3}}", SIGMILL_OK, 0},
      {"", SIGMILL_ERR_JSON, 0},
      {"{}", SIGMILL_ERR_MEMBER_MISSING, 0},
      {" {\"x\":{\"alg\":\"ES256\"}}", SIGMILL_ERR_MEMBER_MISSING, 1},
      {"{\"Alg\":\"ES256\"}", SIGMILL_ERR_MEMBER_MISSING, 0},
      {"{\"alg\":\"ES256K\"}", SIGMILL_ERR_ALGORITHM, 7},
      {"{\"alg\":\"es256\"}", SIGMILL_ERR_ALGORITHM, 7},
      {"{\"alg\":\"none\"}", SIGMILL_ERR_ALGORITHM, 7},
      {"{\"alg\":\"ES256\\u0000\"}", SIGMILL_ERR_ALGORITHM, 7},
      {"{\"alg\":[\"ES256\"]}", SIGMILL_ERR_MEMBER_TYPE, 7},
      {"{\"alg\":null}", SIGMILL_ERR_MEMBER_TYPE, 7},
      {"{\"alg\":\"ES256\",\"alg\":\"ES256\"}", SIGMILL_ERR_MEMBER_DUPLICATE, 15},
      {"{\"alg\":\"ES256\",\"\\u0061lg\":\"none\"}", SIGMILL_ERR_MEMBER_DUPLICATE, 15},
      {"{\"alg\":\"ES256\",\"kid\":1,\"kid\":2}", SIGMILL_ERR_MEMBER_DUPLICATE, 23},
      {"{\"alg\":\"ES256\",\"crit\":[\"exp\"],\"exp\":1}", SIGMILL_ERR_CRITICAL, 22},
      {"{\"alg\":\"ES256\",\"crit\":null}", SIGMILL_ERR_CRITICAL, 22},
      {"{\"alg\":\"ES256\",\"\\u0063rit\":[]}", SIGMILL_ERR_CRITICAL, 27},
      {"{\"alg\":\"ES256\",\"b64\":false}", SIGMILL_ERR_CRITICAL, 21},
      {"{\"alg\":\"ES256\",\"b64\":\"true\"}", SIGMILL_ERR_CRITICAL, 21},
      {"{\"alg\":\"ES256\",}", SIGMILL_ERR_JSON, 15},
      {"[\"ES256\"]", SIGMILL_ERR_JSON, 0},
      {"\"ES256\"", SIGMILL_ERR_JSON, 0},
      {"{\"alg\":\"ES256\"", SIGMILL_ERR_JSON, 14},
      {"{\"alg\":\"ES256\",\"k\":\"\xff\"}", SIGMILL_ERR_UTF8, 20},
  };
  static text t;
  sample s = sample_new();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t at, byte = cases[i].byte;
    make_token(&t, cases[i].header, "payload", 7, &s, false);
    sigmill_status status = verify(&t, &at, &s.key);
    EXPECT_STATUS(status, at, cases[i].status, byte / 3 * 4 + byte % 3, cases[i].header);
  }
  sample_free(&s);
}

#define HEADER "eyJhbGciOiJFUzI1NiJ9" /* {"alg":"ES256"} */
#define SIG_60                                                                           \
  "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7"

static void part_rules_name_their_character(void) {
  static const struct {
    const char *token;
    sigmill_status status;
    size_t at;
  } cases[] = {
      {"", SIGMILL_ERR_JWS_PARTS, 0},
      {HEADER, SIGMILL_ERR_JWS_PARTS, 20},
      {HEADER ".", SIGMILL_ERR_JWS_PARTS, 21},
      {HEADER ".AAAA", SIGMILL_ERR_JWS_PARTS, 25},
      {HEADER ".AAAA." SIG_60 "AAAA==.", SIGMILL_ERR_JWS_PARTS, 112},
      {HEADER ".AAAA..", SIGMILL_ERR_JWS_PARTS, 26},
      {"..", SIGMILL_ERR_JSON, 0},
      {"eyJh!GciOiJFUzI1NiJ9.AAAA.", SIGMILL_ERR_BASE64, 4},
      {"eyJhbGciOiJFUzI1NiJ9=.AAAA.", SIGMILL_ERR_BASE64, 20},
      {"eyJhbGciOiJFUzI1NiJ9A.AAAA.", SIGMILL_ERR_BASE64, 21},
      {" " HEADER ".AAAA.", SIGMILL_ERR_BASE64, 0},
      {HEADER ".AAA=." SIG_60, SIGMILL_ERR_BASE64, 24},
      {HEADER ".AAB." SIG_60, SIGMILL_ERR_BASE64, 23},
      {HEADER ".A." SIG_60, SIGMILL_ERR_BASE64, 22},
      {HEADER ".A+AA." SIG_60, SIGMILL_ERR_BASE64, 22},
      {HEADER ".AAAA.", SIGMILL_ERR_SIG_LENGTH, 26},
      {HEADER ".AAAA." SIG_60, SIGMILL_ERR_SIG_LENGTH, 26},
      {HEADER ".AAAA." SIG_60 "AAAAAA", SIGMILL_ERR_SIG_EQUATION, 26},
      {HEADER ".AAAA." SIG_60 "AAAAA/", SIGMILL_ERR_BASE64, 111},
      {HEADER ".AAAA." SIG_60 "AAAAAB", SIGMILL_ERR_BASE64, 111},
      {HEADER ".AAAA." SIG_60 "AAAAAA\n", SIGMILL_ERR_BASE64, 112},
      {HEADER ".AAAA." SIG_60 SIG_60, SIGMILL_ERR_SIG_LENGTH, 26},
      {HEADER ".AAAA." SIG_60 SIG_60 "*", SIGMILL_ERR_BASE64, 186},
      {HEADER ".AAAA.MAYCAQECAQI", SIGMILL_ERR_JWS_DER, 26},    /* 1, 2 */
      {HEADER ".AAAA.MAYCAQACAQI", SIGMILL_ERR_JWS_DER, 26},    /* 0, 2 */
      {HEADER ".AAAA.MAYCAYECAQI", SIGMILL_ERR_SIG_LENGTH, 26}, /* negative: no DER */
  };
  static text t;
  sample s = sample_new();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t at;
    text_clear(&t);
    text_str(&t, cases[i].token);
    sigmill_status status = verify(&t, &at, &s.key);
    EXPECT_STATUS(status, at, cases[i].status, cases[i].at, cases[i].token);
  }
  sample_free(&s);
}

static void signatures_are_judged(void) {
  static const char order[] =
      "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
  static text t;
  sample s = sample_new(), other = sample_new();
  size_t at;
  uint8_t der[80], sig[64], broken[64];
  make_token(&t, "{\"alg\":\"ES256\"}", "payload", 7, &s, false);
  size_t sig_at = t.len - 86;
  sigmill_status status = verify(&t, &at, &other.key);
  EXPECT_STATUS(status, at, SIGMILL_ERR_SIG_EQUATION, sig_at, "another key");

  t.len = sig_at - 1;
  size_t der_len = sign(der, sig, &t, s.pkey, false);
  text_str(&t, ".");
  for (int part = 0; part < 2; part++) {
    for (int big = 0; big < 2; big++) {
      memcpy(broken, sig, 64);
      memset(broken + 32 * part, 0, 32);
      if (big == 1) {
        test_from_hex(broken + 32 * part, 32, order);
      }
      t.len = sig_at;
      text_base64url(&t, broken, sizeof broken);
      status = verify(&t, &at, &s.key);
      EXPECT_STATUS(status, at, part == 0 ? SIGMILL_ERR_SIG_R : SIGMILL_ERR_SIG_S, sig_at,
                    "range");
    }
  }
  t.len = sig_at;
  text_base64url(&t, der, der_len);
  status = verify(&t, &at, &s.key);
  EXPECT_STATUS(status, at, SIGMILL_ERR_JWS_DER, sig_at, "DER");
  t.len = sig_at;
  text_base64url(&t, sig, sizeof sig);
  EXPECT(verify(&t, &at, &s.key) == SIGMILL_OK, "right");

  sigmill_p256_pubkey unset = {{0}};
  status = verify(&t, &at, &unset);
  EXPECT_STATUS(status, at, SIGMILL_ERR_KEY_UNSET, 0, "unset key");
  EXPECT(
      sigmill_p256_jws_verify(NULL, NULL, NULL, 1, &s.key, &at) == SIGMILL_ERR_ARGUMENT &&
          sigmill_p256_jws_verify(NULL, NULL, "x", 1, NULL, &at) == SIGMILL_ERR_ARGUMENT,
      "NULL");
  sample_free(&s);
  sample_free(&other);
}

static void every_truncation_is_refused(void) {
  static text t;
  size_t at;
  sample s = sample_new();
  make_token(&t, "{\"alg\":\"ES256\"}", "payload", 7, &s, false);
  size_t sig_at = t.len - 86;
  while (t.len > 0) {
    t.len--;
    sigmill_status status = verify(&t, &at, &s.key);
    if (t.len < sig_at) {
      EXPECT_STATUS(status, at, SIGMILL_ERR_JWS_PARTS, t.len, "cut");
    } else {
      EXPECT(status == SIGMILL_ERR_SIG_LENGTH || status == SIGMILL_ERR_BASE64, "cut");
    }
  }
  sample_free(&s);
}

static void size_is_bounded(void) {
  static char header[SIGMILL_JWS_HEADER_MAX + 8];
  static uint8_t big[SIGMILL_JWS_MAX + 1];
  static text t;
  size_t at;
  sample s = sample_new();
  for (size_t more = 0; more < 2; more++) {
    memset(header, ' ', sizeof header);
    memcpy(header, "{\"alg\":\"ES256\"}", 15);
    header[SIGMILL_JWS_HEADER_MAX + more] = '\0';
    make_token(&t, header, "payload", 7, &s, false);
    sigmill_status status = verify(&t, &at, &s.key);
    EXPECT_STATUS(status, at, more == 0 ? SIGMILL_OK : SIGMILL_ERR_TOO_LONG,
                  SIGMILL_JWS_HEADER_MAX / 3 * 4 + SIGMILL_JWS_HEADER_MAX % 3 + 1,
                  "header");
  }
  memset(big, 'A', sizeof big);
  sigmill_status status =
      sigmill_p256_jws_verify(NULL, NULL, (const char *)big, sizeof big, &s.key, &at);
  EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, SIGMILL_JWS_MAX, "token");
  sample_free(&s);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(the_example_of_the_rfc_verifies);
  RUN(tokens_of_libcrypto_verify);
  RUN(header_rules_name_their_character);
  RUN(part_rules_name_their_character);
  RUN(signatures_are_judged);
  RUN(every_truncation_is_refused);
  RUN(size_is_bounded);
  return test_end();
}
