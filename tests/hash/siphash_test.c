/* SipHash of 33 bytes: libcrypto's. */
#include "harness.h"

#include "hash/siphash.h"
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <string.h>

static uint64_t load_le64(const uint8_t bytes[8]) {
  uint64_t word = 0;
  for (int i = 7; i >= 0; i--) {
    word = word << 8 | bytes[i];
  }
  return word;
}

/* Of 8 bytes, less significant ones first; false if libcrypto has none. */
static bool reference(uint64_t *out, const uint8_t key[16], const uint8_t message[33]) {
  size_t size = 8, len = 0;
  uint8_t bytes[8];
  OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                         OSSL_PARAM_construct_end()};
  EVP_MAC *mac = EVP_MAC_fetch(NULL, "SIPHASH", NULL);
  EVP_MAC_CTX *ctx = mac != NULL ? EVP_MAC_CTX_new(mac) : NULL;
  bool ok = ctx != NULL && EVP_MAC_init(ctx, key, 16, params) == 1 &&
            EVP_MAC_update(ctx, message, 33) == 1 &&
            EVP_MAC_final(ctx, bytes, &len, sizeof bytes) == 1 && len == 8;
  *out = ok ? load_le64(bytes) : 0;
  EVP_MAC_CTX_free(ctx);
  EVP_MAC_free(mac);
  return ok;
}

static void as_libcrypto(void) {
  for (int run = 0; run < 500; run++) {
    uint8_t key[16], message[33];
    uint64_t words[4], key_words[2], expected;
    test_random_bytes(key, sizeof key);
    test_random_bytes(message, sizeof message);
    if (run < 4) {
      memset(key, run & 1 ? 0xff : 0, sizeof key);
      memset(message, run & 2 ? 0xff : 0, sizeof message);
    }
    if (!reference(&expected, key, message)) {
      test_skip("libcrypto has no SipHash");
      return;
    }
    for (int i = 0; i < 4; i++) {
      words[i] = load_le64(message + 8 * i);
      key_words[i % 2] = load_le64(key + 8 * (i % 2));
    }
    EXPECT(siphash_33(key_words, words, message[32]) == expected, "run %d", run);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(as_libcrypto);
  return test_end();
}
