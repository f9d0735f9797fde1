/* Base64 and base64url against libcrypto's block coder, and every rule of the strict
 * reader with the character at fault. */
#include "samples.h"

#include "scheme/base64.h"

/* libcrypto's padded base64 of bytes, in the alphabet asked for, without padding for
 * base64url. */
static size_t reference(char *out, const uint8_t *in, size_t len,
                        base64_alphabet alphabet) {
  size_t chars = (size_t)EVP_EncodeBlock((uint8_t *)out, in, (int)len);
  if (alphabet == BASE64_STANDARD) {
    return chars;
  }
  while (chars > 0 && out[chars - 1] == '=') {
    chars--;
  }
  for (size_t i = 0; i < chars; i++) {
    out[i] = out[i] == '+' ? '-' : out[i] == '/' ? '_' : out[i];
  }
  return chars;
}

static void what_is_written_is_libcryptos_and_reads_back(void) {
  for (size_t len = 0; len < 200; len++) {
    uint8_t in[200], back[200];
    char expected[280], got[280];
    size_t back_len, at;
    test_random_bytes(in, len);
    size_t chars = reference(expected, in, len, BASE64_STANDARD);
    EXPECT(sm_base64_write(got, in, len) == chars && memcmp(got, expected, chars) == 0,
           "base64 of %zu bytes", len);
    chars = reference(expected, in, len, BASE64_URL);
    EXPECT(sm_base64url_write(got, in, len) == chars && memcmp(got, expected, chars) == 0,
           "base64url of %zu bytes", len);
    const uint8_t *in_base64 = (const uint8_t *)expected;
    EXPECT(sm_base64url_read(back, &back_len, len, in_base64, chars, &at) == SIGMILL_OK &&
               back_len == len && memcmp(back, in, len) == 0,
           "%zu bytes back", len);
    EXPECT(sm_base64url_read(NULL, &back_len, 0, in_base64, chars, &at) == SIGMILL_OK &&
               back_len == len,
           "%zu bytes, the form alone", len);
    if (len > 0) {
      sigmill_status status =
          sm_base64url_read(back, &back_len, len - 1, in_base64, chars, &at);
      EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, chars - 1, "no room");
      EXPECT(back_len == 0, "length 0");
    }
  }
}

static void each_character_has_its_value(void) {
  static const char standard[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  static const char url[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (int c = 0; c < 256; c++) {
    const char *at = c != 0 ? strchr(standard, c) : NULL;
    uint32_t expected = at != NULL ? (uint32_t)(at - standard) : BASE64_NONE;
    EXPECT(base64_value((uint8_t)c, BASE64_STANDARD) == expected, "base64 %02x", c);
    at = c != 0 ? strchr(url, c) : NULL;
    expected = at != NULL ? (uint32_t)(at - url) : BASE64_NONE;
    EXPECT(base64_value((uint8_t)c, BASE64_URL) == expected, "base64url %02x", c);
  }
  for (uint32_t value = 0; value < 64; value++) {
    EXPECT(base64_char(value, BASE64_STANDARD) == standard[value], "value %u", value);
    EXPECT(base64_char(value, BASE64_URL) == url[value], "value %u", value);
  }
}

static void loose_text_is_refused(void) {
  static const struct {
    const char *text;
    sigmill_status status;
    size_t at;
  } cases[] = {
      {"", SIGMILL_OK, 0},
      {"AA", SIGMILL_OK, 0},
      {"AAA", SIGMILL_OK, 0},
      {"AAAA", SIGMILL_OK, 0},
      {"A", SIGMILL_ERR_BASE64, 1},
      {"AAAAA", SIGMILL_ERR_BASE64, 5},
      {"AB", SIGMILL_ERR_BASE64, 1},
      {"AAB", SIGMILL_ERR_BASE64, 2},
      {"Ag", SIGMILL_OK, 0},
      {"AAE", SIGMILL_OK, 0},
      {"AA==", SIGMILL_ERR_BASE64, 2},
      {"AAA=", SIGMILL_ERR_BASE64, 3},
      {"AA AA", SIGMILL_ERR_BASE64, 2},
      {"AAAA\n", SIGMILL_ERR_BASE64, 4},
      {"A+AA", SIGMILL_ERR_BASE64, 1},
      {"A/AA", SIGMILL_ERR_BASE64, 1},
      {"A-_A", SIGMILL_OK, 0},
      {"AAA\xc3\xbc", SIGMILL_ERR_BASE64, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t out[16];
    size_t len = 99, at = 0;
    const uint8_t *in = (const uint8_t *)cases[i].text;
    sigmill_status status =
        sm_base64url_read(out, &len, sizeof out, in, strlen(cases[i].text), &at);
    EXPECT_STATUS(status, at, cases[i].status, cases[i].at, cases[i].text);
    EXPECT(status == SIGMILL_OK || len == 0, "%s: length %zu", cases[i].text, len);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(what_is_written_is_libcryptos_and_reads_back);
  RUN(each_character_has_its_value);
  RUN(loose_text_is_refused);
  return test_end();
}
