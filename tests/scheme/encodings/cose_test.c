/* COSE_Key: what is written, every rule with the byte at fault, labels in any order and
 * form, framing, every truncation. */
#include "samples.h"

/* Hex with XX and YY for a key's coordinates. */
static void compose(text *t, const char *format, const sample *s) {
  text_clear(t);
  while (*format != '\0') {
    char pair[3] = {format[0], format[1], '\0'};
    if (pair[0] == 'X' || pair[0] == 'Y') {
      text_add(t, s->sec1 + (pair[0] == 'X' ? 1 : 33), 32);
    } else {
      text_hex(t, pair);
    }
    format += 2;
  }
}

static sigmill_status read_exact(const text *t, size_t *at, const sample *s) {
  sigmill_p256_pubkey key;
  memset(&key, 0xa5, sizeof key);
  *at = 9999;
  sigmill_status status = sigmill_p256_pubkey_from_cose(&key, t->bytes, t->len, at);
  EXPECT(status == SIGMILL_OK ? same_key(&key, s->sec1) : test_all_zero(&key, sizeof key),
         "the key");
  EXPECT(status != SIGMILL_OK ? *at <= t->len : *at == 0, "offset %zu", *at);
  return status;
}

static sigmill_status read_prefix(const text *t, size_t *at, size_t *used,
                                  const sample *s) {
  sigmill_p256_pubkey key;
  memset(&key, 0xa5, sizeof key);
  *at = *used = 9999;
  sigmill_status status =
      sigmill_p256_pubkey_from_cose_prefix(&key, used, t->bytes, t->len, at);
  EXPECT(status == SIGMILL_OK ? same_key(&key, s->sec1) : test_all_zero(&key, sizeof key),
         "the key");
  EXPECT(status == SIGMILL_OK || *used == 0, "%zu used", *used);
  return status;
}

#define KTY "0102"
#define ALG "0326"
#define CRV "2001"
#define X   "215820XX"
#define Y   "225820YY"

static void what_is_written_is_the_canonical_form_and_reads_back(void) {
  static text expected;
  for (int i = 0; i < 20; i++) {
    sample s = sample_new();
    uint8_t got[SIGMILL_P256_COSE_SIZE];
    size_t at;
    compose(&expected, "a5" KTY ALG CRV X Y, &s);
    sigmill_p256_pubkey_to_cose(got, &s.key);
    EXPECT(expected.len == sizeof got && memcmp(got, expected.bytes, sizeof got) == 0,
           "bytes");
    EXPECT(read_exact(&expected, &at, &s) == SIGMILL_OK, "reads back");
    sample_free(&s);
  }
  sigmill_p256_pubkey key = {{0}};
  uint8_t out[SIGMILL_P256_COSE_SIZE];
  memset(out, 0xa5, sizeof out);
  sigmill_p256_pubkey_to_cose(out, &key);
  EXPECT(test_all_zero(out, sizeof out), "unset");
}

static void every_rule_names_its_byte(void) {
  static const struct {
    const char *hex;
    sigmill_status status;
    size_t at;
  } cases[] = {
      {"a4" KTY CRV X Y, SIGMILL_OK, 0},
      {"a5" Y X CRV ALG KTY, SIGMILL_OK, 0},
      {"b805" KTY ALG CRV X Y, SIGMILL_OK, 0},
      {"bb0000000000000005" KTY ALG CRV X Y, SIGMILL_OK, 0},
      {"a518011802190003390006380018013801590020XX3a000000025a00000020YY", SIGMILL_OK, 0},
      {"a6" KTY ALG CRV X Y "048102", SIGMILL_OK, 0},
      {"a6" KTY ALG CRV X Y "1864a10102", SIGMILL_OK, 0},
      {"a6" KTY ALG CRV X Y "63666f6f01", SIGMILL_OK, 0},
      {"a6" KTY ALG CRV X Y "23f6", SIGMILL_OK, 0},
      {"a6" KTY ALG CRV X Y "1863fb3ff8000000000000", SIGMILL_OK, 0},
      {"a6" KTY ALG CRV X Y "1863c1c2c38101", SIGMILL_OK, 0},
      {"a6" KTY ALG CRV X Y "1863f820", SIGMILL_OK, 0},
      {"a6" KTY ALG CRV X Y "1863f81f", SIGMILL_ERR_CBOR, 79},
      {"a6" KTY ALG CRV X Y "1863fc", SIGMILL_ERR_CBOR, 79},
      {"a6" KTY ALG CRV X Y "18635f40ff", SIGMILL_ERR_CBOR, 79},
      {"a6" KTY ALG CRV X Y "18639fff", SIGMILL_ERR_CBOR, 79},
      {"a6" KTY ALG CRV X Y "1863ff", SIGMILL_ERR_CBOR, 79},
      {"a6" KTY ALG CRV X Y "186361ff", SIGMILL_ERR_UTF8, 80},
      {"a6" KTY ALG CRV X Y "18639a00100000", SIGMILL_ERR_TRUNCATED, 84},
      {"a6" KTY ALG CRV X Y "18639bffffffffffffffff", SIGMILL_ERR_TRUNCATED, 88},
      {"a6" KTY ALG CRV X Y "1863bb8000000000000000", SIGMILL_ERR_TRUNCATED, 88},
      {"a6" KTY ALG CRV X Y "18635bffffffffffffffff", SIGMILL_ERR_TRUNCATED, 88},
      {"a6" KTY ALG CRV X Y "1863d8", SIGMILL_ERR_TRUNCATED, 80},
      {"a6" KTY ALG CRV X Y "1863c1", SIGMILL_ERR_TRUNCATED, 80},
      {"a6" KTY ALG CRV X Y "1863", SIGMILL_ERR_TRUNCATED, 79},
      {"a6" KTY ALG CRV X Y, SIGMILL_ERR_TRUNCATED, 77},
      {"a6" KTY ALG CRV X Y "636b747901", SIGMILL_ERR_MEMBER_TYPE, 77},
      {"a6" KTY ALG CRV X Y "617801", SIGMILL_ERR_MEMBER_TYPE, 77},
      {"a6" KTY ALG CRV X Y "410101", SIGMILL_ERR_MEMBER_TYPE, 77},
      {"a6" KTY ALG CRV X Y "800101", SIGMILL_ERR_MEMBER_TYPE, 77},
      {"a6" KTY ALG CRV X Y "f601", SIGMILL_ERR_MEMBER_TYPE, 77},
      {"a6" KTY ALG CRV X Y KTY, SIGMILL_ERR_MEMBER_DUPLICATE, 77},
      {"a6" KTY ALG CRV X Y "180102", SIGMILL_ERR_MEMBER_DUPLICATE, 77},
      {"a6" KTY ALG CRV X Y "3b000000000000000040", SIGMILL_ERR_MEMBER_DUPLICATE, 77},
      {"a7" KTY ALG CRV X Y "186300186300", SIGMILL_ERR_MEMBER_DUPLICATE, 80},
      {"a7" KTY ALG CRV X Y "61610078016100", SIGMILL_ERR_MEMBER_DUPLICATE, 80},
      {"a7" KTY ALG CRV X Y "616100616200", SIGMILL_OK, 0},
      {"a7" KTY ALG CRV X Y "0a002900", SIGMILL_OK, 0},
      {"bf" KTY ALG CRV X Y "ff", SIGMILL_ERR_CBOR, 0},
      {"8a" KTY ALG CRV X Y, SIGMILL_ERR_CBOR, 0},
      {"d9d9f7a5" KTY ALG CRV X Y, SIGMILL_ERR_CBOR, 0},
      {"584da5" KTY ALG CRV X Y, SIGMILL_ERR_CBOR, 0},
      {"bc", SIGMILL_ERR_CBOR, 0},
      {"bb8000000000000000" KTY ALG CRV X Y, SIGMILL_ERR_TRUNCATED, 85},
      {"a5" KTY ALG CRV X Y "00", SIGMILL_ERR_TRAILING, 77},
      {"a4" KTY ALG CRV X Y, SIGMILL_ERR_TRAILING, 42},
      {"a0", SIGMILL_ERR_MEMBER_MISSING, 0},
      {"", SIGMILL_ERR_TRUNCATED, 0},
      {"a4" ALG CRV X Y, SIGMILL_ERR_MEMBER_MISSING, 0},
      {"a4" KTY ALG X Y, SIGMILL_ERR_MEMBER_MISSING, 0},
      {"a4" KTY ALG CRV Y, SIGMILL_ERR_MEMBER_MISSING, 0},
      {"a4" KTY ALG CRV X, SIGMILL_ERR_MEMBER_MISSING, 0},
      {"a50103" ALG CRV X Y, SIGMILL_ERR_ALGORITHM, 2},
      {"a50121" ALG CRV X Y, SIGMILL_ERR_ALGORITHM, 2},
      {"a501624543" ALG CRV X Y, SIGMILL_ERR_MEMBER_TYPE, 2},
      {"a501c102" ALG CRV X Y, SIGMILL_ERR_MEMBER_TYPE, 2},
      {"a5011b0000000100000002" ALG CRV X Y, SIGMILL_ERR_ALGORITHM, 2},
      {"a5" KTY "0306" CRV X Y, SIGMILL_ERR_ALGORITHM, 4},
      {"a5" KTY "033822" CRV X Y, SIGMILL_ERR_ALGORITHM, 4},
      {"a5" KTY "03f6" CRV X Y, SIGMILL_ERR_MEMBER_TYPE, 4},
      {"a5" KTY ALG "2002" X Y, SIGMILL_ERR_CURVE, 6},
      {"a5" KTY ALG "2020" X Y, SIGMILL_ERR_CURVE, 6},
      {"a5" KTY ALG "2065502d323536" X Y, SIGMILL_ERR_MEMBER_TYPE, 6},
      {"a5" KTY ALG CRV "21f6" Y, SIGMILL_ERR_MEMBER_TYPE, 8},
      {"a5" KTY ALG CRV X "22f5", SIGMILL_ERR_MEMBER_TYPE, 43},
      {"a5" KTY ALG CRV "217820XX" Y, SIGMILL_ERR_UTF8, 10},
      {"a5" KTY ALG CRV "215821XX00" Y, SIGMILL_ERR_COORDINATE_LENGTH, 8},
      {"a5" KTY ALG CRV "2140" Y, SIGMILL_ERR_COORDINATE_LENGTH, 8},
      {"a5" KTY ALG CRV X "225820XX", SIGMILL_ERR_KEY_POINT, 10},
      {"a5" KTY ALG CRV
       "215820ffffffff00000001000000000000000000000000ffffffffffffffffffffffff" Y,
       SIGMILL_ERR_KEY_RANGE, 10},
      {"a5" KTY ALG CRV X
       "225820ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
       SIGMILL_ERR_KEY_RANGE, 45},
  };
  static text t;
  sample s = sample_new();
  while (s.sec1[1] < 0xf5) { /* x is to be no UTF-8 from its first byte on */
    sample_free(&s);
    s = sample_new();
  }
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t at, used;
    compose(&t, cases[i].hex, &s);
    sigmill_status status = read_exact(&t, &at, &s);
    EXPECT_STATUS(status, at, cases[i].status, cases[i].at, cases[i].hex);
    sigmill_status of_prefix = read_prefix(&t, &at, &used, &s);
    if (status == SIGMILL_OK) {
      EXPECT(of_prefix == SIGMILL_OK && used == t.len, "%s: prefix", cases[i].hex);
    } else if (status != SIGMILL_ERR_TRAILING) {
      EXPECT_STATUS(of_prefix, at, cases[i].status, cases[i].at, cases[i].hex);
    }
  }
  sample_free(&s);
}

static void a_prefix_leaves_the_rest(void) {
  static text t;
  sample s = sample_new();
  for (size_t more = 0; more < 40; more++) {
    size_t at, used;
    compose(&t, "a5" KTY ALG CRV X Y, &s);
    for (size_t i = 0; i < more; i++) {
      uint8_t byte = (uint8_t)test_random_u64();
      text_add(&t, &byte, 1);
    }
    EXPECT(read_prefix(&t, &at, &used, &s) == SIGMILL_OK && used == 77 && at == 0,
           "%zu more, %zu used", more, used);
  }
  sample_free(&s);
}

static void every_truncation_is_told(void) {
  static text t;
  sample s = sample_new();
  compose(&t, "a6" KTY ALG CRV X Y "1864a10102", &s);
  while (t.len > 0) {
    size_t at, used;
    t.len--;
    sigmill_status status = read_exact(&t, &at, &s);
    EXPECT_STATUS(status, at, SIGMILL_ERR_TRUNCATED, t.len, "exact");
    status = read_prefix(&t, &at, &used, &s);
    EXPECT_STATUS(status, at, SIGMILL_ERR_TRUNCATED, t.len, "prefix");
  }
  sample_free(&s);
}

static void size_is_bounded(void) {
  static text t;
  size_t at, used;
  sample s = sample_new();
  /* A byte string fills the key up to the limit. */
  compose(&t, "a6" KTY ALG CRV X Y "186359ffae", &s);
  while (t.len < SIGMILL_KEY_TEXT_MAX) {
    text_hex(&t, "00");
  }
  EXPECT(read_exact(&t, &at, &s) == SIGMILL_OK, "as long as may be");
  text_hex(&t, "00");
  sigmill_status status = read_exact(&t, &at, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, SIGMILL_KEY_TEXT_MAX, "longer");
  EXPECT(read_prefix(&t, &at, &used, &s) == SIGMILL_OK && used == SIGMILL_KEY_TEXT_MAX,
         "a prefix of that size");
  t.bytes[81]++;
  status = read_prefix(&t, &at, &used, &s);
  EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, SIGMILL_KEY_TEXT_MAX,
                "a prefix longer");

  /* Labels: 1024 are the most. */
  for (size_t labels = 1024; labels <= 1025; labels++) {
    uint8_t head[3] = {0xb9, (uint8_t)(labels >> 8), (uint8_t)labels};
    text_clear(&t);
    text_add(&t, head, 3);
    static text key;
    compose(&key, KTY ALG CRV X Y, &s);
    text_add(&t, key.bytes, key.len);
    size_t last_at = 0;
    for (size_t i = 5; i < labels; i++) {
      size_t label = i * 7919 % 65521; /* prime: no label twice */
      uint8_t member[4] = {0x19, (uint8_t)(label >> 8), (uint8_t)label, 0};
      last_at = t.len;
      text_add(&t, member, 4);
    }
    status = read_exact(&t, &at, &s);
    EXPECT_STATUS(status, at, labels == 1024 ? SIGMILL_OK : SIGMILL_ERR_TOO_LONG, last_at,
                  "labels");
  }
  EXPECT(sigmill_p256_pubkey_from_cose_prefix(&s.key, NULL, t.bytes, 1, &at) ==
                 SIGMILL_ERR_ARGUMENT &&
             test_all_zero(&s.key, sizeof s.key),
         "NULL");
  sample_free(&s);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(what_is_written_is_the_canonical_form_and_reads_back);
  RUN(every_rule_names_its_byte);
  RUN(a_prefix_leaves_the_rest);
  RUN(every_truncation_is_told);
  RUN(size_is_bounded);
  return test_end();
}
