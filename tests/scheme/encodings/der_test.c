/* DER signatures: every rule of the form with the byte at fault, and agreement with what
 * libcrypto's more lenient reader makes of the same bytes. */
#include "disagreement.h"
#include "samples.h"

typedef struct {
  const char *hex;
  sigmill_status status;
  size_t at;
} der_rule;

/* 3006 0201xx 0201yy and what can be wrong with it. */
static const der_rule rules[] = {
    {"3006020101020102", SIGMILL_OK, 0},
    {"300702020080020102", SIGMILL_OK, 0},
    {"", SIGMILL_ERR_TRUNCATED, 0},
    {"30", SIGMILL_ERR_TRUNCATED, 1},
    {"3080", SIGMILL_ERR_DER_LENGTH, 1},
    {"3081", SIGMILL_ERR_TRUNCATED, 2},
    {"308201", SIGMILL_ERR_TRUNCATED, 3},
    {"3000", SIGMILL_ERR_TRUNCATED, 2},
    {"3007020101020102", SIGMILL_ERR_TRUNCATED, 8},
    {"300602010102010200", SIGMILL_ERR_TRAILING, 8},
    {"3005020101020102", SIGMILL_ERR_TRAILING, 7},
    {"3009020101020102020103", SIGMILL_ERR_TRAILING, 8},
    {"30080201010201020500", SIGMILL_ERR_TRAILING, 8},
    {"3003020101", SIGMILL_ERR_TRUNCATED, 5},
    {"3106020101020102", SIGMILL_ERR_DER_TAG, 0},
    {"1f06020101020102", SIGMILL_ERR_DER_TAG, 0},
    {"3006030101020102", SIGMILL_ERR_DER_TAG, 2},
    {"3006020101030102", SIGMILL_ERR_DER_TAG, 5},
    {"3006220101020102", SIGMILL_ERR_DER_TAG, 2},
    {"308106020101020102", SIGMILL_ERR_DER_LENGTH, 1},
    {"30820006020101020102", SIGMILL_ERR_DER_LENGTH, 1},
    {"308200ff020101020102", SIGMILL_ERR_DER_LENGTH, 1},
    {"3083000006020101020102", SIGMILL_ERR_DER_LENGTH, 1},
    {"3084ffffffff020101020102", SIGMILL_ERR_DER_LENGTH, 1},
    {"30ff020101020102", SIGMILL_ERR_DER_LENGTH, 1},
    {"30800201010201020000", SIGMILL_ERR_DER_LENGTH, 1},
    {"308180020101020102", SIGMILL_ERR_TRUNCATED, 9},
    {"300702810101020102", SIGMILL_ERR_DER_LENGTH, 3},
    {"300702010102810102", SIGMILL_ERR_DER_LENGTH, 6},
    {"3006020101020202", SIGMILL_ERR_DER_LENGTH, 6},
    {"3006020501020102", SIGMILL_ERR_DER_LENGTH, 3},
    {"3006020401020102", SIGMILL_ERR_TRUNCATED, 8},
    {"300402010102", SIGMILL_ERR_TRUNCATED, 6},
    {"30050200020102", SIGMILL_ERR_DER_INTEGER, 4},
    {"30050201010200", SIGMILL_ERR_DER_INTEGER, 7},
    {"3006020181020102", SIGMILL_ERR_DER_INTEGER, 4},
    {"3006020101020180", SIGMILL_ERR_DER_INTEGER, 7},
    {"300702020001020102", SIGMILL_ERR_DER_INTEGER, 4},
    {"30070202007f020102", SIGMILL_ERR_DER_INTEGER, 4},
    {"300702010102020002", SIGMILL_ERR_DER_INTEGER, 7},
    {"30080203000001020102", SIGMILL_ERR_DER_INTEGER, 4},
    {"30070202ff80020102", SIGMILL_ERR_DER_INTEGER, 4},
    {"3006020100020102", SIGMILL_ERR_SIG_R, 4},
    {"3006020101020100", SIGMILL_ERR_SIG_S, 7},
    {"3006020100020100", SIGMILL_ERR_SIG_R, 4},
    {"300702010002020001", SIGMILL_ERR_DER_INTEGER, 7}, /* form before range */
    {"3026022101"                                       /* 2^256 */
     "0000000000000000000000000000000000000000000000000000000000000000020102",
     SIGMILL_ERR_DER_INTEGER, 4},
    {"3026022100" /* n */
     "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551020102",
     SIGMILL_ERR_SIG_R, 4},
    {"3026022100" /* n - 1 */
     "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550020102",
     SIGMILL_OK, 0},
    {"3026020101022100" /* n */
     "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
     SIGMILL_ERR_SIG_S, 7},
};

static void each_rule_names_its_byte(void) {
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    text der;
    uint8_t sig[64];
    size_t at = 99;
    text_clear(&der);
    text_hex(&der, rules[i].hex);
    memset(sig, 0xa5, sizeof sig);
    sigmill_status status = sigmill_p256_sig_from_der_at(sig, der.bytes, der.len, &at);
    EXPECT_STATUS(status, at, rules[i].status, rules[i].at, rules[i].hex);
    EXPECT(test_all_zero(sig, sizeof sig) == (status != SIGMILL_OK), "%s: output",
           rules[i].hex);
    EXPECT(sigmill_p256_sig_from_der(sig, der.bytes, der.len) == status, "%s",
           rules[i].hex);
  }
}

static void long_input_is_refused_at_once(void) {
  static uint8_t der[1 << 20] = {0x30};
  uint8_t sig[64];
  size_t at = 0;
  sigmill_status status = sigmill_p256_sig_from_der_at(sig, der, sizeof der, &at);
  EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, 72, "a megabyte");
  status = sigmill_p256_sig_from_der_at(sig, der, 73, &at);
  EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, 72, "73 bytes");
}

static void null_pointers_are_an_error(void) {
  uint8_t sig[64], der[72] = {0};
  memset(sig, 0xa5, sizeof sig);
  EXPECT(sigmill_p256_sig_from_der(NULL, der, 8) == SIGMILL_ERR_ARGUMENT, "output");
  EXPECT(sigmill_p256_sig_from_der(sig, NULL, 8) == SIGMILL_ERR_ARGUMENT, "input");
  EXPECT(test_all_zero(sig, sizeof sig), "the output is zero");
}

/* Integers of every bit length, alone and beside each other. */
static void random_integer(uint8_t out[32]) {
  size_t bits = test_random_u64() % 257;
  test_random_bytes(out, 32);
  for (size_t i = 0; i < 32; i++) {
    size_t bits_below = 8 * (31 - i);
    if (bits <= bits_below) {
      out[i] = 0;
    } else if (bits < bits_below + 8) {
      out[i] &= (uint8_t)((1 << (bits - bits_below)) - 1);
      out[i] |= (uint8_t)(1 << (bits - bits_below - 1));
    }
  }
}

static void what_is_written_is_libcryptos_and_reads_back(void) {
  for (int i = 0; i < 5000; i++) {
    uint8_t sig[64], der[SIGMILL_P256_DER_MAX];
    random_integer(sig);
    random_integer(sig + 32);
    size_t len = sigmill_p256_sig_to_der(der, sig);
    const char *wrong = sig_writer_disagreement(sig, der, len);
    EXPECT(wrong == NULL, "%s", wrong);
    EXPECT(test_all_zero(der + len, sizeof der - len), "the rest is zero");
    wrong = sig_der_disagreement(der, len);
    EXPECT(wrong == NULL, "%s", wrong);
  }
}

static void truncated_and_mutated_signatures_agree_with_libcrypto(void) {
  int rounds = test_long() ? 200000 : 4000;
  for (int i = 0; i < rounds; i++) {
    uint8_t sig[64], der[SIGMILL_P256_DER_MAX + 4];
    random_integer(sig);
    random_integer(sig + 32);
    size_t len = sigmill_p256_sig_to_der(der, sig);
    if (i % 100 == 0) {
      for (size_t cut = 0; cut < len; cut++) {
        uint8_t unused[64];
        size_t at = 99;
        sigmill_status status = sigmill_p256_sig_from_der_at(unused, der, cut, &at);
        EXPECT_STATUS(status, at, SIGMILL_ERR_TRUNCATED, cut, "cut");
      }
    }
    for (uint64_t edits = 1 + test_random_u64() % 2; edits > 0; edits--) {
      size_t at = test_random_u64() % (len < 8 || test_random_u64() % 2 == 0 ? len : 8);
      uint8_t any = (uint8_t)test_random_u64();
      const uint8_t edits_of[] = {any, (uint8_t)(der[at] ^ 0x80), (uint8_t)(der[at] + 1)};
      der[at] = edits_of[test_random_u64() % 3];
    }
    const char *wrong = sig_der_disagreement(der, len);
    EXPECT(wrong == NULL, "%s", wrong);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(each_rule_names_its_byte);
  RUN(long_input_is_refused_at_once);
  RUN(null_pointers_are_an_error);
  RUN(what_is_written_is_libcryptos_and_reads_back);
  RUN(truncated_and_mutated_signatures_agree_with_libcrypto);
  return test_end();
}
