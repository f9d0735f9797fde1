/* Strict base64url: what is read is written again unchanged, and what libcrypto's decoder
 * makes of the same characters. */
#include "fuzz.h"
#include "scheme/base64.h"

#include <openssl/evp.h>

enum { MOST = 4096 };

/* Does libcrypto read the same characters, padded, to these bytes? */
static bool libcrypto_agrees(const uint8_t *text, size_t len, const uint8_t *bytes,
                             size_t bytes_len) {
  static uint8_t chars[MOST + 4], out[MOST];
  for (size_t i = 0; i < len; i++) {
    chars[i] = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i];
  }
  size_t padded = len;
  while (padded % 4 != 0) {
    chars[padded++] = '=';
  }
  return EVP_DecodeBlock(out, chars, (int)padded) == (int)(padded / 4 * 3) &&
         memcmp(out, bytes, bytes_len) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t bytes[MOST];
  static char again[MOST];
  size_t len = 9, form_len = 9, error_at = 0;
  if (size > MOST) {
    return 0;
  }
  sigmill_status status =
      sm_base64url_read(bytes, &len, sizeof bytes, data, size, &error_at);
  sigmill_status form = sm_base64url_read(NULL, &form_len, 0, data, size, &error_at);
  fuzz_require(form == status && form_len == len, "the form alone");
  if (status != SIGMILL_OK) {
    fuzz_require(error_at <= size && len == 0, "offset");
    return 0;
  }
  fuzz_require(sm_base64url_write(again, bytes, len) == size &&
                   memcmp(again, data, size) == 0,
               "written otherwise");
  fuzz_require(libcrypto_agrees(data, size, bytes, len), "libcrypto reads otherwise");
  return 0;
}
