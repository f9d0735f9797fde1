/* JWK: what is written, by RFC 7517's own example and libcrypto's coordinates; every rule
 * with the member at fault; every truncation. */
#include "samples.h"

/* Copies text, with <X>, <Y>, <D> for the values of a key. */
static void compose(text *t, const char *format, const sample *s) {
  text_clear(t);
  for (; *format != '\0'; format++) {
    if (format[0] == '<') {
      text_base64url(t,
                     format[1] == 'X'   ? s->sec1 + 1
                     : format[1] == 'Y' ? s->sec1 + 33
                                        : s->secret,
                     32);
      format += 2;
    } else {
      text_add(t, format, 1);
    }
  }
}

static sigmill_status read_public(const text *t, size_t *at, const sample *s) {
  return read_public_by(sigmill_p256_pubkey_from_jwk, t, at, s);
}

static sigmill_status read_private(const text *t, size_t *at, const sample *s) {
  return read_private_by(sigmill_p256_keypair_from_jwk, t, at, s);
}

static void what_is_written_is_the_plain_form_and_reads_back(void) {
  static text expected;
  for (int i = 0; i < 40; i++) {
    sample s = sample_new();
    char got[SIGMILL_P256_JWK_PRIVATE_SIZE + 1];
    size_t at;
    compose(&expected, "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"<X>\",\"y\":\"<Y>\"}",
            &s);
    sigmill_p256_pubkey_to_jwk(got, &s.key);
    EXPECT(strlen(got) == SIGMILL_P256_JWK_SIZE && expected.len == strlen(got) &&
               memcmp(got, expected.bytes, expected.len) == 0,
           "public: %s", got);
    EXPECT(read_public(&expected, &at, &s) == SIGMILL_OK, "public");
    compose(
        &expected,
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"<X>\",\"y\":\"<Y>\",\"d\":\"<D>\"}",
        &s);
    sigmill_p256_keypair_to_jwk(got, &s.pair);
    EXPECT(strlen(got) == SIGMILL_P256_JWK_PRIVATE_SIZE && expected.len == strlen(got) &&
               memcmp(got, expected.bytes, expected.len) == 0,
           "private: %s", got);
    EXPECT(read_private(&expected, &at, &s) == SIGMILL_OK, "private");
    EXPECT(read_public(&expected, &at, &s) == SIGMILL_OK, "public half of a private key");
    sample_free(&s);
  }
  sigmill_p256_pubkey key = {{0}};
  sigmill_p256_keypair pair = {{0}};
  char out[SIGMILL_P256_JWK_PRIVATE_SIZE + 1];
  memset(out, 'x', sizeof out);
  sigmill_p256_pubkey_to_jwk(out, &key);
  EXPECT(test_all_zero(out, SIGMILL_P256_JWK_SIZE + 1), "unset, public");
  memset(out, 'x', sizeof out);
  sigmill_p256_keypair_to_jwk(out, &pair);
  EXPECT(test_all_zero(out, sizeof out), "unset, private");
}

/* RFC 7517, appendix A.1 and A.2 */
static void the_example_of_the_rfc_reads(void) {
  static const char json[] = "{\"kty\":\"EC\",\n \"crv\":\"P-256\",\n"
                             " \"x\":\"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4\",\n"
                             " \"y\":\"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM\",\n"
                             " \"d\":\"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE\",\n"
                             " \"use\":\"enc\",\n \"kid\":\"1\"}";
  uint8_t x[32], sec1[33];
  sigmill_p256_keypair pair;
  sigmill_p256_pubkey key;
  test_from_hex(x, 32,
                "30a0424cd21c2944838a2d75c92b37e76ea20d9f00893a3b4eee8a3c0aafec3e");
  EXPECT(sigmill_p256_keypair_from_jwk(&pair, json, strlen(json), NULL) == SIGMILL_OK,
         "private");
  sigmill_p256_keypair_public(&key, &pair);
  sigmill_p256_pubkey_serialize33(sec1, &key);
  EXPECT(memcmp(sec1 + 1, x, 32) == 0, "x");
}

#define HEAD "{\"kty\":\"EC\",\"crv\":\"P-256\","
#define XY   "\"x\":\"<X>\",\"y\":\"<Y>\"}"

static void every_rule_names_its_member(void) {
  static const struct {
    const char *json;
    sigmill_status status;
    size_t at;
  } cases[] = {
      {"\xef\xbb\xbf" HEAD XY, SIGMILL_OK, 0},
      {"{" XY, SIGMILL_ERR_MEMBER_MISSING, 0},
      {" {\"crv\":\"P-256\"," XY, SIGMILL_ERR_MEMBER_MISSING, 1},
      {"{\"kty\":\"EC\"," XY, SIGMILL_ERR_MEMBER_MISSING, 0},
      {HEAD "\"y\":\"<Y>\"}", SIGMILL_ERR_MEMBER_MISSING, 0},
      {HEAD "\"x\":\"<X>\"}", SIGMILL_ERR_MEMBER_MISSING, 0},
      {"{\"kty\":\"RSA\",\"crv\":\"P-256\"," XY, SIGMILL_ERR_ALGORITHM, 7},
      {"{\"kty\":\"ec\",\"crv\":\"P-256\"," XY, SIGMILL_ERR_ALGORITHM, 7},
      {"{\"kty\":\"EC\\u0000\",\"crv\":\"P-256\"," XY, SIGMILL_ERR_ALGORITHM, 7},
      {"{\"kty\":\"\\u0045\\u0043\",\"\\u0063rv\":\"P\\u002d256\"," XY, SIGMILL_OK, 0},
      {"{\"kty\":[\"EC\"],\"crv\":\"P-256\"," XY, SIGMILL_ERR_MEMBER_TYPE, 7},
      {"{\"kty\":\"EC\",\"crv\":\"P-384\"," XY, SIGMILL_ERR_CURVE, 18},
      {"{\"kty\":\"EC\",\"crv\":256," XY, SIGMILL_ERR_MEMBER_TYPE, 18},
      {HEAD "\"alg\":\"ES256\"," XY, SIGMILL_OK, 0},
      {HEAD "\"alg\":\"ES384\"," XY, SIGMILL_ERR_ALGORITHM, 32},
      {HEAD "\"alg\":null," XY, SIGMILL_ERR_MEMBER_TYPE, 32},
      {HEAD "\"use\":\"enc\",\"key_ops\":7,\"kid\":{\"kty\":\"RSA\"}," XY, SIGMILL_OK, 0},
      {HEAD "\"kid\":\"\\ud800\"," XY, SIGMILL_OK, 0},
      {HEAD "\"d\":7," XY, SIGMILL_OK, 0},
      {HEAD "\"kty\":\"EC\"," XY, SIGMILL_ERR_MEMBER_DUPLICATE, 26},
      {HEAD "\"\\u006bty\":\"EC\"," XY, SIGMILL_ERR_MEMBER_DUPLICATE, 26},
      {HEAD "\"kid\":1,\"kid\":2," XY, SIGMILL_ERR_MEMBER_DUPLICATE, 34},
      {HEAD "\"d\":1,\"d\":2," XY, SIGMILL_ERR_MEMBER_DUPLICATE, 32},
      {HEAD "\"x\":\"\",\"y\":\"<Y>\"}", SIGMILL_ERR_COORDINATE_LENGTH, 30},
      {HEAD "\"x\":\"AAAA\",\"y\":\"<Y>\"}", SIGMILL_ERR_COORDINATE_LENGTH, 30},
      {HEAD "\"x\":\"<X>A\",\"y\":\"<Y>\"}", SIGMILL_ERR_COORDINATE_LENGTH, 30},
      {HEAD "\"x\":\"<X>=\",\"y\":\"<Y>\"}", SIGMILL_ERR_BASE64, 74},
      {HEAD "\"x\":\"<X>\\n\",\"y\":\"<Y>\"}", SIGMILL_ERR_BASE64, 74},
      {HEAD "\"x\":\" <X>\",\"y\":\"<Y>\"}", SIGMILL_ERR_BASE64, 31},
      {HEAD "\"x\":\"+<X>\",\"y\":\"<Y>\"}", SIGMILL_ERR_BASE64, 31},
      {HEAD "\"x\":\"\xc3\x81\",\"y\":\"<Y>\"}", SIGMILL_ERR_BASE64, 31},
      {HEAD "\"x\":\"A\\u0141\",\"y\":\"<Y>\"}", SIGMILL_ERR_BASE64, 32},
      {HEAD "\"x\":\"\\ud841\",\"y\":\"<Y>\"}", SIGMILL_ERR_BASE64, 31},
      {HEAD "\"x\":\"<X>\",\"y\":\"<X>\"}", SIGMILL_ERR_KEY_POINT, 30},
      {HEAD "\"x\":\"__________________________________________8\",\"y\":\"<X>\"}",
       SIGMILL_ERR_KEY_RANGE, 30},
      {HEAD "\"x\":\"<X>\",\"y\":\"__________________________________________8\"}",
       SIGMILL_ERR_KEY_RANGE, 80},
      {HEAD "\"x\":\"__________________________________________9\",\"y\":\"<X>\"}",
       SIGMILL_ERR_BASE64, 73},
      {HEAD XY "x", SIGMILL_ERR_JSON, 126},
      {"[" HEAD XY "]", SIGMILL_ERR_JSON, 0},
      {"{\"keys\":[" HEAD XY "]}", SIGMILL_ERR_MEMBER_MISSING, 0},
      {HEAD "\"kid\":\"\xff\"," XY, SIGMILL_ERR_UTF8, 33},
  };
  static text t;
  sample s = sample_new();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t at;
    compose(&t, cases[i].json, &s);
    sigmill_status status = read_public(&t, &at, &s);
    EXPECT_STATUS(status, at, cases[i].status, cases[i].at, cases[i].json);
  }
  sample_free(&s);
}

static void private_rules_name_their_member(void) {
  static const struct {
    const char *json;
    sigmill_status status;
    size_t at;
  } cases[] = {
      {HEAD "\"d\":\"<D>\"," XY, SIGMILL_OK, 0},
      {HEAD XY, SIGMILL_ERR_MEMBER_MISSING, 0},
      {HEAD "\"d\":7," XY, SIGMILL_ERR_MEMBER_TYPE, 30},
      {HEAD "\"d\":\"<D>A\"," XY, SIGMILL_ERR_COORDINATE_LENGTH, 30},
      {HEAD "\"d\":\"<D>=\"," XY, SIGMILL_ERR_BASE64, 74},
      {HEAD "\"d\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"," XY,
       SIGMILL_ERR_KEY_SECRET, 30},
      {HEAD "\"d\":\"__________________________________________8\"," XY,
       SIGMILL_ERR_KEY_SECRET, 30},
      {HEAD "\"d\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE\"," XY,
       SIGMILL_ERR_KEY_MISMATCH, 80},
      {HEAD "\"d\":\"<D>\",\"x\":\"<X>\",\"y\":\"<X>\"}", SIGMILL_ERR_KEY_POINT, 80},
  };
  static text t;
  sample s = sample_new();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t at;
    compose(&t, cases[i].json, &s);
    sigmill_status status = read_private(&t, &at, &s);
    EXPECT_STATUS(status, at, cases[i].status, cases[i].at, cases[i].json);
  }
  /* Every character of d as an escape. */
  static text escaped;
  char pem[SIGMILL_P256_JWK_PRIVATE_SIZE + 1], escape[8];
  size_t at;
  sigmill_p256_keypair_to_jwk(pem, &s.pair);
  text_clear(&escaped);
  for (size_t i = 0; i < SIGMILL_P256_JWK_PRIVATE_SIZE; i++) {
    bool inside_d =
        i >= SIGMILL_P256_JWK_PRIVATE_SIZE - 45 && i < SIGMILL_P256_JWK_PRIVATE_SIZE - 2;
    snprintf(escape, sizeof escape, inside_d ? "\\u%04x" : "%c", (unsigned)pem[i]);
    text_str(&escaped, escape);
  }
  EXPECT(read_private(&escaped, &at, &s) == SIGMILL_OK, "d in escapes");
  sample_free(&s);
}

static void every_truncation_and_long_texts_are_refused(void) {
  static text t;
  size_t at;
  sample s = sample_new();
  compose(&t, HEAD "\"d\":\"<D>\"," XY, &s);
  while (t.len > 0) {
    t.len--;
    sigmill_status status = read_public(&t, &at, &s);
    EXPECT_STATUS(status, at, SIGMILL_ERR_JSON, t.len, "cut, public");
    status = read_private(&t, &at, &s);
    EXPECT_STATUS(status, at, SIGMILL_ERR_JSON, t.len, "cut, private");
  }
  compose(&t, HEAD XY, &s);
  while (t.len < SIGMILL_KEY_TEXT_MAX) {
    text_str(&t, " ");
  }
  EXPECT(read_public(&t, &at, &s) == SIGMILL_OK, "as long as may be");
  text_str(&t, " ");
  sigmill_status status = read_public(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, SIGMILL_KEY_TEXT_MAX, "long");
  EXPECT(sigmill_p256_pubkey_from_jwk(&s.key, NULL, 1, &at) == SIGMILL_ERR_ARGUMENT,
         "NULL");
  sample_free(&s);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(what_is_written_is_the_plain_form_and_reads_back);
  RUN(the_example_of_the_rfc_reads);
  RUN(every_rule_names_its_member);
  RUN(private_rules_name_their_member);
  RUN(every_truncation_and_long_texts_are_refused);
  return test_end();
}
