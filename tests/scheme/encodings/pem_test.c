/* PEM: both ways with libcrypto, which white space is taken, every rule with the
 * character at fault, and mutated files against libcrypto, differences explained. */
#include "disagreement.h"
#include "samples.h"

#include <openssl/pem.h>

static const char begin[] = "-----BEGIN PUBLIC KEY-----";
static const char end[] = "-----END PUBLIC KEY-----";

/* Copies text, with {B} for BEGIN, {1} and {2} for the two lines of base64, {E} for END.
 */
static void compose(text *t, const char *format, const sample *s) {
  char pem[SIGMILL_P256_PEM_SIZE + 1];
  sigmill_p256_pubkey_to_pem(pem, &s->key);
  text_clear(t);
  for (; *format != '\0'; format++) {
    if (*format == '{') {
      switch (format[1]) {
      case 'B':
        text_str(t, begin);
        break;
      case '1':
        text_add(t, pem + 27, 64);
        break;
      case '2':
        text_add(t, pem + 92, 60);
        break;
      default:
        text_str(t, end);
        break;
      }
      format += 2;
    } else {
      text_add(t, format, 1);
    }
  }
}

static sigmill_status read_public(const text *t, size_t *at, const sample *s) {
  return read_public_by(sigmill_p256_pubkey_from_pem, t, at, s);
}

static sigmill_status read_private(const text *t, size_t *at, const sample *s) {
  return read_private_by(sigmill_p256_keypair_from_pem, t, at, s);
}

static void expect_public(const char *format, const sample *s, sigmill_status status,
                          size_t wanted_at) {
  static text t;
  size_t at;
  compose(&t, format, s);
  sigmill_status got = read_public(&t, &at, s);
  EXPECT_STATUS(got, at, status, wanted_at, format);
  const char *wrong = pem_disagreement(t.bytes, t.len);
  EXPECT(wrong == NULL, "%s: %s", format, wrong);
}

/* ---------------------------------------------------------------- both ways */

static void take_bio(text *t, BIO *bio) {
  char *data = NULL;
  long len = BIO_get_mem_data(bio, &data);
  text_clear(t);
  text_add(t, data, (size_t)len);
  BIO_free(bio);
}

static void libcrypto_writes_what_is_read_and_written(void) {
  static text t;
  for (int i = 0; i < 40; i++) {
    sample s = sample_new();
    char ours[SIGMILL_P256_PEM_PRIVATE_SIZE + 1];
    size_t at;
    BIO *bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PUBKEY(bio, s.pkey);
    take_bio(&t, bio);
    sigmill_p256_pubkey_to_pem(ours, &s.key);
    EXPECT(t.len == SIGMILL_P256_PEM_SIZE && memcmp(t.bytes, ours, t.len) == 0 &&
               ours[t.len] == '\0',
           "our PUBLIC KEY");
    EXPECT(read_public(&t, &at, &s) == SIGMILL_OK, "PUBLIC KEY");

    bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey(bio, s.pkey, NULL, NULL, 0, NULL, NULL);
    take_bio(&t, bio);
    sigmill_p256_keypair_to_pem(ours, &s.pair);
    EXPECT(t.len == SIGMILL_P256_PEM_PRIVATE_SIZE && memcmp(t.bytes, ours, t.len) == 0 &&
               ours[t.len] == '\0',
           "our PRIVATE KEY");
    EXPECT(read_private(&t, &at, &s) == SIGMILL_OK, "PRIVATE KEY");

    bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey_traditional(bio, s.pkey, NULL, NULL, 0, NULL, NULL);
    take_bio(&t, bio);
    EXPECT(read_private(&t, &at, &s) == SIGMILL_OK, "EC PRIVATE KEY");
    sample_free(&s);
  }
}

static void an_unset_key_is_written_as_zeros(void) {
  sigmill_p256_pubkey key = {{0}};
  sigmill_p256_keypair pair = {{0}};
  char out[SIGMILL_P256_PEM_PRIVATE_SIZE + 1];
  memset(out, 'x', sizeof out);
  sigmill_p256_pubkey_to_pem(out, &key);
  EXPECT(test_all_zero(out, SIGMILL_P256_PEM_SIZE + 1), "public");
  memset(out, 'x', sizeof out);
  sigmill_p256_keypair_to_pem(out, &pair);
  EXPECT(test_all_zero(out, sizeof out), "private");
}

/* ---------------------------------------------------------------- public keys */

static void what_libcrypto_takes_is_taken(void) {
  static const char *const good[] = {
      "{B}\n{1}\n{2}\n{E}\n",
      "{B}\r\n{1}\r\n{2}\r\n{E}\r\n",
      "{B}\n{1}\n{2}\n{E}",
      "text\n\n{B}\n{1}\n{2}\n{E}\nmore\n\n",
      "\n\n{B}\n{1}\n{2}\n{E}\n",
      "\xef\xbb\xbf{B}\n{1}\n{2}\n{E}\n",
      "{B} \t \n{1}\t\n{2}  \n{E} \t\n",
      "{B}\v\n{1}\f\n{2}\v\f\n{E}\v\n",
      "{B}\n\n{1}\n{2}\n{E}\n",
      "{B}\r\n \t\r\n{1}\n{2}\n{E}\n",
      "{B}\n  {1}\n\t{2}\n{E}\n",
      "{B}\r\r\n{1}\r\r\n{2}\r\r\n{E}\r\r\n",
      "{B}\n{1} {2}\n{E}\n",
      "{B}\n{1}{2}\n{E}\n",
      "{B}\n{1}\r{2}\n{E}\n",
      "see {B} below\n{B}\n{1}\n{2}\n{E}\n",
      "-----BEGIN\n{B}\n{1}\n{2}\n{E}\n",
      "{E}\n{B}\n{1}\n{2}\n{E}\n",
      "\xc3\xbc\n{B}\n{1}\n{2}\n{E}\n",
  };
  sample s = sample_new();
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    expect_public(good[i], &s, SIGMILL_OK, 0);
  }
  sample_free(&s);
}

static void lines_of_any_length_are_taken(void) {
  sample s = sample_new();
  char pem[SIGMILL_P256_PEM_SIZE + 1];
  sigmill_p256_pubkey_to_pem(pem, &s.key);
  for (size_t width = 1; width <= 124; width++) {
    static text t;
    size_t at, column = 0;
    text_clear(&t);
    text_add(&t, pem, 27);
    for (size_t i = 27; i < 153; i++) {
      if (pem[i] != '\n') {
        text_add(&t, pem + i, 1);
        column++;
      }
      if (column == width) {
        text_str(&t, width % 2 == 0 ? "\n" : "\r\n");
        column = 0;
      }
    }
    text_str(&t, column == 0 ? "" : "\n");
    text_str(&t, end);
    EXPECT(read_public(&t, &at, &s) == SIGMILL_OK, "lines of %zu", width);
    EXPECT(pem_disagreement(t.bytes, t.len) == NULL, "lines of %zu", width);
  }
  sample_free(&s);
}

static void public_rules_name_their_character(void) {
  static const struct {
    const char *format;
    sigmill_status status;
    size_t at;
  } cases[] = {
      {"", SIGMILL_ERR_PEM, 0},
      {"hello\n", SIGMILL_ERR_PEM, 6},
      {"{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 151},
      {" {B}\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 179},
      {"x\n\xef\xbb\xbf{B}\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 183},
      {"{B}x\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 179},
      {"{B}\xe9\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 11},
      {"{B}\x01 \n{1}\n{2}\n{E}\n{B}\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 11},
      {"{B}\n{1}\n{2}\n{E}\n{B}\xe9\n", SIGMILL_ERR_PEM_BLOCKS, 178},
      {"-----BEGIN RSA PUBLIC KEY-----\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 11},
      {"-----BEGIN PUBLIC KEY -----\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 11},
      {"-----BEGIN -----\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 11},
      {"x\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n{B}\n{1}\n{2}\n"
       "{E}\n",
       SIGMILL_ERR_PEM, 13},
      {"{B}\n{1}\n{2}\n", SIGMILL_ERR_PEM, 153},
      {"{B}\n{1}\n{2}", SIGMILL_ERR_PEM, 152},
      {"{B}\n{1}\n{2}\n {E}\n", SIGMILL_ERR_PEM, 154},
      {"{B}\n{1}\n{2}\n-----END PRIVATE KEY-----\n", SIGMILL_ERR_PEM, 153},
      {"{B}\n{1}\n{2}\n-----END PUBLIC KEY----\n", SIGMILL_ERR_PEM, 153},
      {"{B}\n{1}\n{2}\n{E}x\n", SIGMILL_ERR_PEM, 153},
      {"{B}\n{1}\n{2}\n----{E}\n", SIGMILL_ERR_PEM, 153},
      {"{B}\n{1}!\n{2}\n{E}\n", SIGMILL_ERR_PEM, 91},
      {"{B}\n{1}\n{2}\x01\n{E}\n", SIGMILL_ERR_PEM, 152},
      {"{B}\n{1}\xe9\n{2}\n{E}\n", SIGMILL_ERR_PEM, 91},
      {"{B}\n{1}\v{2}\n{E}\n", SIGMILL_ERR_PEM, 92},
      {"{B}\n{1}=\n{2}\n{E}\n", SIGMILL_ERR_PEM, 91},
      {"{B}\n{1}\n{2}=\n{E}\n", SIGMILL_ERR_PEM, 152},
      {"{B}\n{1}\n{2}A\n{E}\n", SIGMILL_ERR_PEM, 152},
      {"{B}\n\n\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 28},
      {"{B}\n{1}\n\n{2}\n{E}\n", SIGMILL_ERR_PEM, 92},
      {"{B}\n{1}\n{2}\n \n{E}\n", SIGMILL_ERR_PEM, 153},
      {"{B}\n\n{1}\n{2}\n\n{E}\n", SIGMILL_ERR_PEM, 154},
      {"{B}\nProc-Type: 4,CLEAR\n\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 31},
      {"{B}\n{1}\n{2}\n{E}\n{B}\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM_BLOCKS, 178},
      {"{B}\n{1}\n{2}\n{E}\n\n{B}\n", SIGMILL_ERR_PEM_BLOCKS, 179},
      {"{B}\n{1}\n{2}\n{E}\n-----BEGIN X-----\n", SIGMILL_ERR_PEM_BLOCKS, 178},
      {"{B}\n{B}\n{1}\n{2}\n{E}\n", SIGMILL_ERR_PEM, 27},
      {"{B}\n{E}\n", SIGMILL_ERR_TRUNCATED, 27},
      {"{B}\n{1}\n{E}\n", SIGMILL_ERR_TRUNCATED, 92},
      {"{B}\n{1}\n{2}\n{1}\n{E}\n", SIGMILL_ERR_PEM, 153},
  };
  sample s = sample_new();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    expect_public(cases[i].format, &s, cases[i].status, cases[i].at);
  }
  sample_free(&s);
}

/* A fault inside the DER is placed at the character that begins its byte. */
static void offsets_point_into_the_base64(void) {
  sample s = sample_new();
  uint8_t der[SIGMILL_P256_SPKI_SIZE];
  sigmill_p256_pubkey_to_spki(der, &s.key);
  for (size_t byte = 0; byte < sizeof der; byte++) {
    static text t;
    char line[5] = "";
    uint8_t changed[SIGMILL_P256_SPKI_SIZE];
    sigmill_p256_pubkey key;
    size_t der_at = 0, at = 0, column = 0;
    memcpy(changed, der, sizeof der);
    changed[byte] ^= 0x55;
    sigmill_status status =
        sigmill_p256_pubkey_from_spki(&key, changed, sizeof changed, &der_at);
    text_clear(&t);
    text_str(&t, begin);
    text_str(&t, "\n");
    for (size_t i = 0; i < sizeof der; i += 3) {
      int left = sizeof der - i < 3 ? (int)(sizeof der - i) : 3;
      EVP_EncodeBlock((uint8_t *)line, changed + i, left);
      text_str(&t, line);
      text_str(&t, column++ % 4 == 0 ? " \n" : "");
    }
    text_str(&t, "\n");
    text_str(&t, end);
    /* Each fifth gap of a line of 16 characters has two more. */
    size_t chars = der_at / 3 * 4 + der_at % 3;
    size_t expected_at = sizeof begin + chars + 2 * ((chars / 4 + 3) / 4);
    EXPECT(read_public(&t, &at, &s) == status, "byte %zu", byte);
    if (der_at < sizeof der) {
      EXPECT(status == SIGMILL_OK || at == expected_at, "byte %zu: %zu, not %zu", byte,
             at, expected_at);
    }
  }
  sample_free(&s);
}

static void loose_bits_are_refused(void) {
  static text t;
  sample s = sample_new();
  size_t at;
  BIO *bio = BIO_new(BIO_s_mem());
  EVP_PKEY_set_utf8_string_param(s.pkey, "point-format", "compressed");
  PEM_write_bio_PUBKEY(bio, s.pkey); /* 59 bytes: one padding character */
  take_bio(&t, bio);
  EXPECT(read_public(&t, &at, &s) == SIGMILL_OK, "compressed");
  size_t last = t.len - strlen("=\n-----END PUBLIC KEY-----\n") - 1;
  EXPECT(t.bytes[last + 1] == '=', "one padding character");
  t.bytes[last]++;
  sigmill_status status = read_public(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_PEM, last, "loose bits");
  EXPECT(pem_disagreement(t.bytes, t.len) == NULL, "explained");
  sample_free(&s);
}

static void long_files_are_refused_at_once(void) {
  static text t;
  size_t at;
  sample s = sample_new();
  compose(&t, "{B}\n{1}\n{2}\n{E}\n", &s);
  while (t.len < SIGMILL_KEY_TEXT_MAX) {
    text_str(&t, "\n");
  }
  EXPECT(read_public(&t, &at, &s) == SIGMILL_OK, "as long as may be");
  text_str(&t, "\n");
  sigmill_status status = read_public(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, SIGMILL_KEY_TEXT_MAX, "public");
  status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, SIGMILL_KEY_TEXT_MAX, "private");

  text_clear(&t);
  text_str(&t, begin);
  text_str(&t, "\n");
  for (size_t i = 0; i < 6000; i++) {
    text_str(&t, "A");
  }
  status = read_public(&t, &at, &s); /* 4096 bytes: 5462 characters, the last too much */
  EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, 27 + 5462, "a long block");
  EXPECT(sigmill_p256_pubkey_from_pem(NULL, "", 0, NULL) == SIGMILL_ERR_ARGUMENT, "NULL");
  sample_free(&s);
}

static void every_truncation_is_told(void) {
  static text t;
  sample s = sample_new();
  compose(&t, "{B}\n{1}\n{2}\n{E}\n", &s);
  for (size_t whole = t.len; t.len > 0;) {
    size_t at;
    t.len--;
    sigmill_status status = read_public(&t, &at, &s);
    if (t.len == whole - 1) {
      EXPECT(status == SIGMILL_OK, "without the final newline");
    } else {
      size_t end_at = 153;
      size_t wanted = t.len >= end_at + 9 ? end_at : t.len > end_at ? end_at : t.len;
      EXPECT_STATUS(status, at, SIGMILL_ERR_PEM, wanted, "cut");
    }
  }
  sample_free(&s);
}

/* ---------------------------------------------------------------- private keys */

static void add_block(text *t, const char *label, const uint8_t *der, size_t len) {
  static uint8_t base64[8192];
  text_str(t, "-----BEGIN ");
  text_str(t, label);
  text_str(t, "-----\n");
  text_add(t, base64, (size_t)EVP_EncodeBlock(base64, der, (int)len));
  text_str(t, "\n-----END ");
  text_str(t, label);
  text_str(t, "-----\n");
}

static void private_blocks_are_told_apart(void) {
  static const uint8_t parameters[] = {0x06, 0x08, 0x2a, 0x86, 0x48,
                                       0xce, 0x3d, 0x03, 0x01, 0x07};
  static text t;
  size_t at;
  sample s = sample_new();
  uint8_t pkcs8[SIGMILL_P256_PKCS8_SIZE], sec1[SIGMILL_P256_SEC1_SIZE];
  sigmill_p256_keypair_to_pkcs8(pkcs8, &s.pair);
  sigmill_p256_keypair_to_sec1(sec1, &s.pair);

  text_clear(&t);
  add_block(&t, "EC PARAMETERS", parameters, sizeof parameters);
  size_t second_at = t.len;
  add_block(&t, "EC PRIVATE KEY", sec1, sizeof sec1);
  size_t third_at = t.len;
  EXPECT(read_private(&t, &at, &s) == SIGMILL_OK, "parameters and key");
  add_block(&t, "EC PARAMETERS", parameters, sizeof parameters);
  sigmill_status status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_PEM_BLOCKS, third_at, "parameters behind it");
  status = read_public(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_PEM, 11, "a public key is wanted");

  t.len = second_at;
  status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_PEM, t.len, "parameters alone");
  add_block(&t, "PRIVATE KEY", pkcs8, sizeof pkcs8);
  status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_PEM_BLOCKS, second_at + 11,
                "parameters before PKCS#8");
  t.len = second_at;
  add_block(&t, "EC PARAMETERS", parameters, sizeof parameters);
  add_block(&t, "EC PRIVATE KEY", sec1, sizeof sec1);
  status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_PEM_BLOCKS, second_at + 11, "parameters twice");

  text_clear(&t);
  add_block(&t, "PRIVATE KEY", sec1, sizeof sec1);
  status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_DER_TAG, 28 + 6, "SEC1 under PKCS#8's label");
  text_clear(&t);
  add_block(&t, "EC PRIVATE KEY", pkcs8, sizeof pkcs8);
  status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_DER_VALUE, 31 + 6, "PKCS#8 under SEC1's label");
  text_clear(&t);
  add_block(&t, "PUBLIC KEY", sec1, sizeof sec1);
  status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_PEM, 11, "PUBLIC KEY");
  text_clear(&t);
  add_block(&t, "RSA PRIVATE KEY", sec1, sizeof sec1);
  status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_PEM, 11, "RSA PRIVATE KEY");
  text_clear(&t);
  add_block(&t, "PRIVATE KEY", pkcs8, sizeof pkcs8);
  second_at = t.len;
  add_block(&t, "PRIVATE KEY", pkcs8, sizeof pkcs8);
  status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_PEM_BLOCKS, second_at, "twice");
  sample_free(&s);
}

static void encrypted_keys_are_named(void) {
  static text t;
  size_t at;
  sample s = sample_new();
  BIO *bio = BIO_new(BIO_s_mem());
  EXPECT(PEM_write_bio_PKCS8PrivateKey(bio, s.pkey, EVP_aes_128_cbc(), "secret", 6, NULL,
                                       NULL) == 1,
         "libcrypto encrypts");
  take_bio(&t, bio);
  sigmill_status status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_ENCRYPTED, 11, "PKCS#8");
  bio = BIO_new(BIO_s_mem());
  EXPECT(PEM_write_bio_PrivateKey_traditional(bio, s.pkey, EVP_aes_128_cbc(),
                                              (const uint8_t *)"secret", 6, NULL,
                                              NULL) == 1,
         "libcrypto encrypts");
  take_bio(&t, bio);
  status = read_private(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_ENCRYPTED, 31, "traditional");
  sample_free(&s);
}

/* ---------------------------------------------------------------- mutated */

static void mutate(text *t) {
  static const char odd[] = " \t\r\n\v\f=-:A+/_.\x01\x7f\xe9";
  char c = odd[test_random_u64() % sizeof odd]; /* its NUL too */
  size_t at = test_random_u64() % (t->len + 1);
  switch (test_random_u64() % 4) {
  case 0: /* put in */
    memmove(t->bytes + at + 1, t->bytes + at, t->len - at);
    t->bytes[at] = (uint8_t)c;
    t->len++;
    break;
  case 1: /* take out */
    if (at < t->len) {
      memmove(t->bytes + at, t->bytes + at + 1, t->len - at - 1);
      t->len--;
    }
    break;
  case 2: /* put before a newline, where blanks matter most */
    while (at < t->len && t->bytes[at] != '\n') {
      at++;
    }
    memmove(t->bytes + at + 1, t->bytes + at, t->len - at);
    t->bytes[at] = (uint8_t)c;
    t->len++;
    break;
  default: /* replace */
    if (at < t->len) {
      t->bytes[at] = (uint8_t)c;
    }
    break;
  }
}

static void mutated_files_agree_with_libcrypto(void) {
  static const char *const bases[] = {
      "{B}\n{1}\n{2}\n{E}\n", "{B}\r\n{1}\r\n{2}\r\n{E}\r\n", "{B}\n\n{1}\n{2}\n{E}\n",
      "text\n{B}\n{1}{2}\n{E}\n", "{B}\n{1}\n{2}\n{E}\n\n{B}\n{1}\n{2}\n{E}\n"};
  static text t;
  sample s = sample_new();
  int rounds = test_long() ? 50000 : 4000, taken = 0;
  for (int i = 0; i < rounds; i++) {
    sigmill_p256_pubkey key;
    compose(&t, bases[test_random_u64() % 5], &s);
    for (uint64_t edits = 1 + test_random_u64() % 3; edits > 0; edits--) {
      mutate(&t);
    }
    const char *wrong = pem_disagreement(t.bytes, t.len);
    EXPECT(wrong == NULL, "%s: %.*s", wrong, (int)t.len, (const char *)t.bytes);
    taken += sigmill_p256_pubkey_from_pem(&key, (const char *)t.bytes, t.len, NULL) ==
             SIGMILL_OK;
  }
  EXPECT(taken > rounds / 20 && taken < rounds, "%d of %d taken", taken, rounds);
  sample_free(&s);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(libcrypto_writes_what_is_read_and_written);
  RUN(an_unset_key_is_written_as_zeros);
  RUN(what_libcrypto_takes_is_taken);
  RUN(lines_of_any_length_are_taken);
  RUN(public_rules_name_their_character);
  RUN(offsets_point_into_the_base64);
  RUN(loose_bits_are_refused);
  RUN(long_files_are_refused_at_once);
  RUN(every_truncation_is_told);
  RUN(private_blocks_are_told_apart);
  RUN(encrypted_keys_are_named);
  RUN(mutated_files_agree_with_libcrypto);
  return test_end();
}
