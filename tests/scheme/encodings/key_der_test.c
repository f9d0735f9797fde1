/* SPKI, PKCS#8 and ECPrivateKey: both ways with libcrypto, every rule with the byte at
 * fault, every truncation, and mutated inputs against libcrypto. */
#include "disagreement.h"
#include "samples.h"

#include <openssl/core_names.h>
#include <openssl/x509.h>

/* Every reader of public or private keys in DER, by one shape. */
typedef struct {
  const char *name;
  bool is_private;
  sigmill_status (*read_public)(sigmill_p256_pubkey *, const uint8_t *, size_t, size_t *);
  sigmill_status (*read_private)(sigmill_p256_keypair *, const uint8_t *, size_t,
                                 size_t *);
  const char *(*disagreement)(const uint8_t *, size_t);
} reader;

static const reader spki = {"SPKI", false, sigmill_p256_pubkey_from_spki, NULL,
                            spki_disagreement};
static const reader pkcs8 = {"PKCS#8", true, NULL, sigmill_p256_keypair_from_pkcs8,
                             pkcs8_disagreement};
static const reader ec = {"ECPrivateKey", true, NULL, sigmill_p256_keypair_from_sec1,
                          ec_private_key_disagreement};

/* Reads, and sees that a failure leaves zeros and a good key the right one. */
static sigmill_status read_key(const reader *how, const uint8_t *der, size_t len,
                               size_t *at, const sample *expected) {
  sigmill_p256_pubkey key;
  sigmill_p256_keypair pair;
  sigmill_status status;
  memset(&key, 0xa5, sizeof key);
  memset(&pair, 0xa5, sizeof pair);
  *at = 9999;
  if (how->is_private) {
    status = how->read_private(&pair, der, len, at);
    EXPECT(status == SIGMILL_OK || test_all_zero(&pair, sizeof pair), "output zero");
    EXPECT(status != SIGMILL_OK || same_pair(&pair, expected), "%s: pair", how->name);
    EXPECT(how->read_private(&pair, der, len, NULL) == status, "without an offset");
  } else {
    status = how->read_public(&key, der, len, at);
    EXPECT(status == SIGMILL_OK || test_all_zero(&key, sizeof key), "output zero");
    EXPECT(status != SIGMILL_OK || same_key(&key, expected->sec1), "%s: key", how->name);
    EXPECT(how->read_public(&key, der, len, NULL) == status, "without an offset");
  }
  EXPECT(status != SIGMILL_OK || *at == 0, "offset 0 on success");
  EXPECT(*at <= len, "%s: offset %zu of %zu", how->name, *at, len);
  return status;
}

static void expect_read(const reader *how, const text *der, const sample *s,
                        sigmill_status status, size_t wanted_at, const char *what) {
  size_t at;
  sigmill_status got = read_key(how, der->bytes, der->len, &at, s);
  EXPECT_STATUS(got, at, status, wanted_at, what);
  const char *wrong = how->disagreement(der->bytes, der->len);
  EXPECT(wrong == NULL, "%s: %s: %s", how->name, what, wrong);
}

/* ---------------------------------------------------------------- both ways */

static void set_form(EVP_PKEY *pkey, const char *form) {
  EXPECT(EVP_PKEY_set_utf8_string_param(pkey, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT,
                                        form) == 1,
         "form %s", form);
}

/* libcrypto's bytes are ours in the uncompressed form, and are read in every form. */
static void libcrypto_writes_what_is_read_and_written(void) {
  static const char *const forms[] = {"uncompressed", "compressed"};
  for (int i = 0; i < 40; i++) {
    sample s = sample_new();
    for (int form = 0; form < 2; form++) {
      uint8_t *der = NULL, ours[SIGMILL_P256_PKCS8_SIZE];
      size_t at;
      set_form(s.pkey, forms[form]);
      int len = i2d_PUBKEY(s.pkey, &der);
      sigmill_p256_pubkey_to_spki(ours, &s.key);
      EXPECT(read_key(&spki, der, (size_t)len, &at, &s) == SIGMILL_OK, "SPKI");
      EXPECT(form != 0 || ((size_t)len == SIGMILL_P256_SPKI_SIZE &&
                           memcmp(der, ours, (size_t)len) == 0),
             "our SPKI");
      OPENSSL_free(der);

      der = NULL;
      PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(s.pkey);
      len = i2d_PKCS8_PRIV_KEY_INFO(info, &der);
      sigmill_p256_keypair_to_pkcs8(ours, &s.pair);
      EXPECT(read_key(&pkcs8, der, (size_t)len, &at, &s) == SIGMILL_OK, "PKCS#8");
      EXPECT(form != 0 || ((size_t)len == SIGMILL_P256_PKCS8_SIZE &&
                           memcmp(der, ours, (size_t)len) == 0),
             "our PKCS#8");
      OPENSSL_free(der);
      PKCS8_PRIV_KEY_INFO_free(info);

      der = NULL;
      len = i2d_PrivateKey(s.pkey, &der);
      sigmill_p256_keypair_to_sec1(ours, &s.pair);
      EXPECT(read_key(&ec, der, (size_t)len, &at, &s) == SIGMILL_OK, "ECPrivateKey");
      EXPECT(form != 0 || ((size_t)len == SIGMILL_P256_SEC1_SIZE &&
                           memcmp(der, ours, (size_t)len) == 0),
             "our ECPrivateKey");
      OPENSSL_free(der);
    }
    sample_free(&s);
  }
}

static void an_unset_key_is_written_as_zeros(void) {
  sigmill_p256_pubkey key = {{0}};
  sigmill_p256_keypair pair = {{0}};
  uint8_t out[SIGMILL_P256_PKCS8_SIZE];
  memset(out, 0xa5, sizeof out);
  sigmill_p256_pubkey_to_spki(out, &key);
  EXPECT(test_all_zero(out, SIGMILL_P256_SPKI_SIZE), "SPKI");
  memset(out, 0xa5, sizeof out);
  sigmill_p256_keypair_to_pkcs8(out, &pair);
  EXPECT(test_all_zero(out, SIGMILL_P256_PKCS8_SIZE), "PKCS#8");
  memset(out, 0xa5, sizeof out);
  sigmill_p256_keypair_to_sec1(out, &pair);
  EXPECT(test_all_zero(out, SIGMILL_P256_SEC1_SIZE), "ECPrivateKey");
  memset(out, 0xa5, sizeof out);
  sigmill_p256_pubkey_serialize33(out, &key);
  EXPECT(test_all_zero(out, 33), "33 bytes");
  memset(out, 0xa5, sizeof out);
  sigmill_p256_pubkey_serialize65(out, &key);
  EXPECT(test_all_zero(out, 65), "65 bytes");
}

static void null_pointers_and_long_inputs_are_refused(void) {
  static uint8_t big[1 << 20] = {0x30, 0x82, 0xff, 0xff};
  sample s = sample_new();
  const reader *readers[] = {&spki, &pkcs8, &ec};
  for (int i = 0; i < 3; i++) {
    size_t at;
    sigmill_status status = read_key(readers[i], big, sizeof big, &at, &s);
    EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, 4096, readers[i]->name);
    status = read_key(readers[i], big, 4096, &at, &s);
    EXPECT_STATUS(status, at, SIGMILL_ERR_TRUNCATED, 4096, readers[i]->name);
    EXPECT(read_key(readers[i], NULL, 0, &at, &s) == SIGMILL_ERR_ARGUMENT, "NULL");
  }
  EXPECT(sigmill_p256_pubkey_from_spki(NULL, big, 1, NULL) == SIGMILL_ERR_ARGUMENT,
         "NULL output");
  sample_free(&s);
}

/* ---------------------------------------------------------------- SPKI */

/* Puts a length in short or 81 form. */
static void add_length(text *t, size_t len) {
  uint8_t head[2] = {0x81, (uint8_t)len};
  text_add(t, head + (len < 128), len < 128 ? 1 : 2);
}

/* SEQUENCE { SEQUENCE { algorithm }, tail } */
static void make_spki(text *t, const char *algorithm_hex, const char *tail_hex,
                      const uint8_t *point, size_t point_len) {
  text algorithm, tail;
  text_clear(&algorithm);
  text_hex(&algorithm, algorithm_hex);
  text_clear(&tail);
  text_hex(&tail, tail_hex);
  text_add(&tail, point, point_len);
  text_clear(t);
  text_hex(t, "30");
  add_length(t, 2 + algorithm.len + tail.len);
  text_hex(t, "30");
  add_length(t, algorithm.len);
  text_add(t, algorithm.bytes, algorithm.len);
  text_add(t, tail.bytes, tail.len);
}

#define OID_EC   "06072a8648ce3d0201"
#define OID_P256 "06082a8648ce3d030107"

static void spki_rules_name_their_byte(void) {
  sample s = sample_new();
  static text der;
  static const struct {
    const char *what, *algorithm, *tail;
    sigmill_status status;
    size_t at;
  } cases[] = {
      {"good", OID_EC OID_P256, "034200", SIGMILL_OK, 0},
      {"ecdsa-with-SHA256", "06082a8648ce3d040302" OID_P256, "034200",
       SIGMILL_ERR_ALGORITHM, 4},
      {"secp256k1", OID_EC "06052b8104000a", "034200", SIGMILL_ERR_CURVE, 13},
      {"secp384r1", OID_EC "06052b81040022", "034200", SIGMILL_ERR_CURVE, 13},
      {"no curve", OID_EC, "034200", SIGMILL_ERR_CURVE, 13},
      {"NULL for a curve", OID_EC "0500", "034200", SIGMILL_ERR_CURVE, 13},
      {"explicit parameters", OID_EC "3003020101", "034200", SIGMILL_ERR_CURVE, 13},
      {"explicit parameters, broken", OID_EC "3003ffffff", "034200", SIGMILL_ERR_CURVE,
       13},
      {"an integer for a curve", OID_EC "020101", "034200", SIGMILL_ERR_DER_TAG, 13},
      {"curve twice", OID_EC OID_P256 OID_P256, "034200", SIGMILL_ERR_TRAILING, 23},
      {"empty identifier", "0600", "034200", SIGMILL_ERR_DER_VALUE, 6},
      {"identifier with a leading 80", "0608802a8648ce3d0201" OID_P256, "034200",
       SIGMILL_ERR_DER_VALUE, 6},
      {"identifier without an end", "06072a8648ce3d0281" OID_P256, "034200",
       SIGMILL_ERR_DER_VALUE, 6},
      {"no algorithm", "", "034200", SIGMILL_ERR_TRUNCATED, 4},
      {"length in long form", OID_EC "0681082a8648ce3d030107", "034200",
       SIGMILL_ERR_DER_LENGTH, 14},
      {"octet string", OID_EC OID_P256, "044200", SIGMILL_ERR_DER_TAG, 23},
      {"constructed bits", OID_EC OID_P256, "234200", SIGMILL_ERR_DER_TAG, 23},
      {"unused bits", OID_EC OID_P256, "034201", SIGMILL_ERR_DER_VALUE, 25},
      {"bits too long", OID_EC OID_P256, "034300", SIGMILL_ERR_DER_LENGTH, 24},
      {"bits too short", OID_EC OID_P256, "034100", SIGMILL_ERR_KEY_LENGTH, 26},
      {"a NULL before", OID_EC OID_P256, "0500034200", SIGMILL_ERR_DER_TAG, 23},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    make_spki(&der, cases[i].algorithm, cases[i].tail, s.sec1, sizeof s.sec1);
    expect_read(&spki, &der, &s, cases[i].status, cases[i].at, cases[i].what);
  }
  make_spki(&der, OID_EC OID_P256, "032200", s.sec1_short, sizeof s.sec1_short);
  expect_read(&spki, &der, &s, SIGMILL_OK, 0, "compressed");
  make_spki(&der, OID_EC OID_P256, "0300", NULL, 0);
  expect_read(&spki, &der, &s, SIGMILL_ERR_DER_VALUE, 25, "no bits at all");
  make_spki(&der, OID_EC OID_P256, "030100", NULL, 0);
  expect_read(&spki, &der, &s, SIGMILL_ERR_KEY_LENGTH, 26, "no point");
  make_spki(&der, OID_EC OID_P256, "03020000", NULL, 0);
  expect_read(&spki, &der, &s, SIGMILL_ERR_KEY_LENGTH, 26, "infinity");
  make_spki(&der, OID_EC OID_P256, "", NULL, 0);
  expect_read(&spki, &der, &s, SIGMILL_ERR_TRUNCATED, 23, "nothing after the algorithm");
  sample_free(&s);
}

static void points_in_spki_are_judged(void) {
  static const char above_p[] =
      "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
  sample s = sample_new();
  static text der;
  uint8_t point[65];
  memcpy(point, s.sec1, 65);
  point[0] = 5;
  make_spki(&der, OID_EC OID_P256, "034200", point, 65);
  expect_read(&spki, &der, &s, SIGMILL_ERR_KEY_PREFIX, 26, "prefix 05");
  for (uint8_t prefix = 6; prefix <= 7; prefix++) {
    point[0] = prefix;
    make_spki(&der, OID_EC OID_P256, "034200", point, 65);
    expect_read(&spki, &der, &s, SIGMILL_ERR_KEY_PREFIX, 26, "hybrid, not asked for");
    sigmill_p256_pubkey key;
    size_t at = 0;
    bool right = (prefix & 1) == (point[64] & 1);
    sigmill_status status =
        sigmill_p256_pubkey_from_spki_hybrid(&key, der.bytes, der.len, &at);
    EXPECT_STATUS(status, at, right ? SIGMILL_OK : SIGMILL_ERR_KEY_POINT, 26, "hybrid");
    EXPECT(right ? same_key(&key, s.sec1) : test_all_zero(&key, sizeof key),
           "hybrid key");
  }
  memcpy(point, s.sec1, 65);
  point[64] ^= 1;
  make_spki(&der, OID_EC OID_P256, "034200", point, 65);
  expect_read(&spki, &der, &s, SIGMILL_ERR_KEY_POINT, 27, "off the curve");
  test_from_hex(point + 33, 32, above_p);
  make_spki(&der, OID_EC OID_P256, "034200", point, 65);
  expect_read(&spki, &der, &s, SIGMILL_ERR_KEY_RANGE, 59, "y = p");
  test_from_hex(point + 1, 32, above_p);
  make_spki(&der, OID_EC OID_P256, "034200", point, 65);
  expect_read(&spki, &der, &s, SIGMILL_ERR_KEY_RANGE, 27, "x = p");
  point[0] = 2;
  make_spki(&der, OID_EC OID_P256, "032200", point, 33);
  expect_read(&spki, &der, &s, SIGMILL_ERR_KEY_RANGE, 27, "x = p, compressed");
  test_from_hex(point + 1, 32, /* no point of the curve has x = 7 */
                "0000000000000000000000000000000000000000000000000000000000000007");
  make_spki(&der, OID_EC OID_P256, "032200", point, 33);
  expect_read(&spki, &der, &s, SIGMILL_ERR_KEY_POINT, 27, "x = 7");
  sample_free(&s);
}

/* ---------------------------------------------------------------- private keys */

/* An ECPrivateKey with or without its two optional fields. */
static void make_ec(text *t, const char *version_hex, const uint8_t *secret, size_t len,
                    const char *parameters_hex, const char *public_hex,
                    const uint8_t *point, size_t point_len) {
  static text body;
  uint8_t head[2] = {0x04, (uint8_t)len};
  text_clear(&body);
  text_hex(&body, version_hex);
  text_add(&body, head, 2);
  text_add(&body, secret, len);
  text_hex(&body, parameters_hex);
  text_hex(&body, public_hex);
  text_add(&body, point, point_len);
  text_clear(t);
  text_hex(t, "30");
  add_length(t, body.len);
  text_add(t, body.bytes, body.len);
}

#define PARAMETERS "a00a" OID_P256
#define PUBLIC_65  "a144034200"
#define PUBLIC_33  "a124032200"

static void ec_private_key_rules_name_their_byte(void) {
  sample s = sample_new(), other = sample_new();
  static text der;
  static const uint8_t zero[32];
  uint8_t order[32], padded[33] = {0};
  memcpy(padded + 1, s.secret, 32);
  test_from_hex(order, 32,
                "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  static const struct {
    const char *what, *version, *parameters, *public_key;
    sigmill_status status;
    size_t at;
  } cases[] = {
      {"good", "020101", PARAMETERS, PUBLIC_65, SIGMILL_OK, 0},
      {"version 0", "020100", PARAMETERS, PUBLIC_65, SIGMILL_ERR_DER_VALUE, 4},
      {"version 2", "020102", PARAMETERS, PUBLIC_65, SIGMILL_ERR_DER_VALUE, 4},
      {"version padded", "02020001", PARAMETERS, PUBLIC_65, SIGMILL_ERR_DER_INTEGER, 4},
      {"version 257", "02020101", PARAMETERS, PUBLIC_65, SIGMILL_ERR_DER_VALUE, 4},
      {"no version", "", PARAMETERS, PUBLIC_65, SIGMILL_ERR_DER_TAG, 2},
      {"no parameters", "020101", "", PUBLIC_65, SIGMILL_ERR_CURVE, 39},
      {"secp256k1", "020101", "a00706052b8104000a", PUBLIC_65, SIGMILL_ERR_CURVE, 41},
      {"explicit parameters", "020101", "a0053003020101", PUBLIC_65, SIGMILL_ERR_CURVE,
       41},
      {"empty parameters", "020101", "a000", PUBLIC_65, SIGMILL_ERR_CURVE, 41},
      {"parameters and more", "020101", "a00c" OID_P256 "0500", PUBLIC_65,
       SIGMILL_ERR_TRAILING, 51},
      {"parameters twice", "020101", PARAMETERS PARAMETERS, PUBLIC_65,
       SIGMILL_ERR_TRAILING, 52},
      {"public key without its tag", "020101", PARAMETERS, "034200", SIGMILL_ERR_TRAILING,
       51},
      {"unused bits", "020101", PARAMETERS, "a144034201", SIGMILL_ERR_DER_VALUE, 55},
      {"public key too long", "020101", PARAMETERS, "a145034200", SIGMILL_ERR_DER_LENGTH,
       52},
      {"bits shorter than their tag", "020101", PARAMETERS, "a144034100",
       SIGMILL_ERR_KEY_LENGTH, 56},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    make_ec(&der, cases[i].version, s.secret, 32, cases[i].parameters,
            cases[i].public_key, s.sec1, 65);
    expect_read(&ec, &der, &s, cases[i].status, cases[i].at, cases[i].what);
  }
  make_ec(&der, "020101", s.secret, 32, PARAMETERS, PUBLIC_33, s.sec1_short, 33);
  expect_read(&ec, &der, &s, SIGMILL_OK, 0, "compressed public key");
  make_ec(&der, "020101", s.secret, 32, PARAMETERS, "", NULL, 0);
  expect_read(&ec, &der, &s, SIGMILL_OK, 0, "no public key");
  make_ec(&der, "020101", s.secret, 31, PARAMETERS, "", NULL, 0);
  expect_read(&ec, &der, &s, SIGMILL_ERR_COORDINATE_LENGTH, 7, "31 bytes");
  make_ec(&der, "020101", padded, 33, PARAMETERS, "", NULL, 0);
  expect_read(&ec, &der, &s, SIGMILL_ERR_COORDINATE_LENGTH, 7, "33 bytes");
  make_ec(&der, "020101", padded, 33, "a00706052b81040022", "", NULL, 0);
  expect_read(&ec, &der, &s, SIGMILL_ERR_CURVE, 42, "another curve comes first");
  make_ec(&der, "020101", zero, 32, PARAMETERS, "", NULL, 0);
  expect_read(&ec, &der, &s, SIGMILL_ERR_KEY_SECRET, 7, "secret 0");
  make_ec(&der, "020101", order, 32, PARAMETERS, "", NULL, 0);
  expect_read(&ec, &der, &s, SIGMILL_ERR_KEY_SECRET, 7, "secret n");
  make_ec(&der, "020101", s.secret, 32, PARAMETERS, PUBLIC_65, other.sec1, 65);
  expect_read(&ec, &der, &s, SIGMILL_ERR_KEY_MISMATCH, 56, "another public key");
  uint8_t point_and_null[67] = {[65] = 0x05};
  memcpy(point_and_null, s.sec1, 65);
  make_ec(&der, "020101", s.secret, 32, PARAMETERS, "a146034200", point_and_null, 67);
  expect_read(&ec, &der, &s, SIGMILL_ERR_TRAILING, der.len - 2, "public key and more");
  other.sec1[64] ^= 1;
  make_ec(&der, "020101", s.secret, 32, PARAMETERS, PUBLIC_65, other.sec1, 65);
  expect_read(&ec, &der, &s, SIGMILL_ERR_KEY_POINT, 57, "a public key off the curve");
  sample_free(&s);
  sample_free(&other);
}

/* OneAsymmetricKey around an ECPrivateKey. */
static void make_pkcs8(text *t, const char *version_hex, const char *algorithm_hex,
                       const text *inner, const char *after_hex, const uint8_t *point,
                       size_t point_len) {
  static text body, algorithm;
  text_clear(&algorithm);
  text_hex(&algorithm, algorithm_hex);
  text_clear(&body);
  text_hex(&body, version_hex);
  text_hex(&body, "30");
  add_length(&body, algorithm.len);
  text_add(&body, algorithm.bytes, algorithm.len);
  text_hex(&body, "04");
  add_length(&body, inner->len);
  text_add(&body, inner->bytes, inner->len);
  text_hex(&body, after_hex);
  text_add(&body, point, point_len);
  text_clear(t);
  text_hex(t, "30");
  add_length(t, body.len);
  text_add(t, body.bytes, body.len);
}

static void pkcs8_rules_name_their_byte(void) {
  sample s = sample_new(), other = sample_new();
  static text inner, der;
  /* Without public keys all lengths stay below 128: heads of two bytes, and the inner key
   * begins at 28, its secret at 35. */
  make_ec(&inner, "020101", s.secret, 32, "", "", NULL, 0);
  static const struct {
    const char *what, *version, *algorithm, *after;
    sigmill_status status;
    size_t at;
  } cases[] = {
      {"good", "020100", OID_EC OID_P256, "", SIGMILL_OK, 0},
      {"attributes", "020100", OID_EC OID_P256, "a003020101", SIGMILL_OK, 0},
      {"version 2", "020102", OID_EC OID_P256, "", SIGMILL_ERR_DER_VALUE, 4},
      {"version -1", "0201ff", OID_EC OID_P256, "", SIGMILL_ERR_DER_INTEGER, 4},
      {"RSA", "020100", "06092a864886f70d0101010500", "", SIGMILL_ERR_ALGORITHM, 7},
      {"secp256k1", "020100", OID_EC "06052b8104000a", "", SIGMILL_ERR_CURVE, 16},
      {"explicit", "020100", OID_EC "3003020101", "", SIGMILL_ERR_CURVE, 16},
      {"no curve", "020100", OID_EC, "", SIGMILL_ERR_CURVE, 16},
      {"version 0 with a public key", "020100", OID_EC OID_P256, "810200ff",
       SIGMILL_ERR_TRAILING, 67},
      {"version 1 without one", "020101", OID_EC OID_P256, "", SIGMILL_ERR_TRUNCATED, 67},
      {"version 1, no point", "020101", OID_EC OID_P256, "8100", SIGMILL_ERR_DER_VALUE,
       69},
      {"attributes twice", "020100", OID_EC OID_P256, "a000a000", SIGMILL_ERR_TRAILING,
       69},
      {"something else", "020100", OID_EC OID_P256, "0500", SIGMILL_ERR_TRAILING, 67},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    make_pkcs8(&der, cases[i].version, cases[i].algorithm, &inner, cases[i].after, NULL,
               0);
    size_t at;
    sigmill_status got = read_key(&pkcs8, der.bytes, der.len, &at, &s);
    EXPECT_STATUS(got, at, cases[i].status, cases[i].at, cases[i].what);
  }
  make_pkcs8(&der, "020101", OID_EC OID_P256, &inner, "814200", s.sec1, 65);
  size_t at;
  EXPECT(read_key(&pkcs8, der.bytes, der.len, &at, &s) == SIGMILL_OK, "version 1");
  make_pkcs8(&der, "020101", OID_EC OID_P256, &inner, "814200", other.sec1, 65);
  sigmill_status got = read_key(&pkcs8, der.bytes, der.len, &at, &s);
  EXPECT_STATUS(got, at, SIGMILL_ERR_KEY_MISMATCH, der.len - 65, "version 1, mismatch");
  make_ec(&inner, "020101", s.secret, 32, PARAMETERS, PUBLIC_65, s.sec1, 65);
  make_pkcs8(&der, "020100", OID_EC OID_P256, &inner, "", NULL, 0);
  expect_read(&pkcs8, &der, &s, SIGMILL_OK, 0, "parameters inside too");
  make_ec(&inner, "020101", s.secret, 32, "a00706052b8104000a", "", NULL, 0);
  make_pkcs8(&der, "020100", OID_EC OID_P256, &inner, "", NULL, 0);
  expect_read(&pkcs8, &der, &s, SIGMILL_ERR_CURVE, 69, "another curve inside");
  make_ec(&inner, "020101", s.secret, 32, "", PUBLIC_65, other.sec1, 65);
  make_pkcs8(&der, "020100", OID_EC OID_P256, &inner, "", NULL, 0);
  expect_read(&pkcs8, &der, &s, SIGMILL_ERR_KEY_MISMATCH, der.len - 65, "mismatch");
  make_ec(&inner, "020101", s.secret, 32, "", "", NULL, 0);
  text_hex(&inner, "00");
  make_pkcs8(&der, "020100", OID_EC OID_P256, &inner, "", NULL, 0);
  expect_read(&pkcs8, &der, &s, SIGMILL_ERR_TRAILING, 67, "a byte after the inner key");

  text_clear(&der);
  text_hex(&der, "301e301906092a864886f70d01050d300c000000000000000000000000040100");
  got = read_key(&pkcs8, der.bytes, der.len, &at, &s);
  EXPECT_STATUS(got, at, SIGMILL_ERR_ENCRYPTED, 2, "encrypted");
  uint8_t public_key[SIGMILL_P256_SPKI_SIZE];
  sigmill_p256_pubkey_to_spki(public_key, &s.key);
  got = read_key(&pkcs8, public_key, sizeof public_key, &at, &s);
  EXPECT_STATUS(got, at, SIGMILL_ERR_DER_TAG, 2, "a public key");
  sample_free(&s);
  sample_free(&other);
}

/* ---------------------------------------------------------------- cut and mutated */

static void every_truncation_is_told(void) {
  sample s = sample_new();
  uint8_t der[SIGMILL_P256_PKCS8_SIZE];
  const reader *readers[] = {&spki, &pkcs8, &ec};
  const size_t sizes[] = {SIGMILL_P256_SPKI_SIZE, SIGMILL_P256_PKCS8_SIZE,
                          SIGMILL_P256_SEC1_SIZE};
  for (int i = 0; i < 3; i++) {
    sigmill_p256_pubkey_to_spki(der, &s.key);
    if (i == 1) {
      sigmill_p256_keypair_to_pkcs8(der, &s.pair);
    } else if (i == 2) {
      sigmill_p256_keypair_to_sec1(der, &s.pair);
    }
    for (size_t cut = 0; cut < sizes[i]; cut++) {
      size_t at;
      sigmill_status status = read_key(readers[i], der, cut, &at, &s);
      EXPECT_STATUS(status, at, SIGMILL_ERR_TRUNCATED, cut, readers[i]->name);
    }
  }
  sample_free(&s);
}

static void mutated_keys_agree_with_libcrypto(void) {
  sample s = sample_new();
  const reader *readers[] = {&spki, &pkcs8, &ec};
  const size_t sizes[] = {SIGMILL_P256_SPKI_SIZE, SIGMILL_P256_PKCS8_SIZE,
                          SIGMILL_P256_SEC1_SIZE};
  int rounds = test_long() ? 50000 : 1500;
  for (int i = 0; i < rounds; i++) {
    uint8_t der[SIGMILL_P256_PKCS8_SIZE];
    const reader *how = readers[i % 3];
    size_t len = sizes[i % 3];
    sigmill_p256_pubkey_to_spki(der, &s.key);
    if (how == &pkcs8) {
      sigmill_p256_keypair_to_pkcs8(der, &s.pair);
    } else if (how == &ec) {
      sigmill_p256_keypair_to_sec1(der, &s.pair);
    }
    size_t at = test_random_u64() % (test_random_u64() % 4 == 0 ? len : 40);
    at = at < len ? at : 0;
    uint8_t any = (uint8_t)test_random_u64();
    der[at] = test_random_u64() % 2 == 0 ? (uint8_t)(der[at] + 1) : any;
    const char *wrong = how->disagreement(der, len);
    EXPECT(wrong == NULL, "%s, byte %zu: %s", how->name, at, wrong);
  }
  sample_free(&s);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(libcrypto_writes_what_is_read_and_written);
  RUN(an_unset_key_is_written_as_zeros);
  RUN(null_pointers_and_long_inputs_are_refused);
  RUN(spki_rules_name_their_byte);
  RUN(points_in_spki_are_judged);
  RUN(ec_private_key_rules_name_their_byte);
  RUN(pkcs8_rules_name_their_byte);
  RUN(every_truncation_is_told);
  RUN(mutated_keys_agree_with_libcrypto);
  return test_end();
}
