/* Protects ChaCha20's keystream, in every body that runs here: RFC 8439's vectors, and
 * libcrypto at every length around whole runs of blocks. */
#include "hash/chacha20.h"

#include "harness.h"
#include <openssl/evp.h>
#include <string.h>

#define EACH_BODY(body)                                                                  \
  for (size_t i_ = 0; i_ < 4; i_++)                                                      \
    for (const chacha20_body *body = sm_chacha20_body(i_); body != NULL; body = NULL)

/* RFC 8439, section 2.3.2 and appendix A.1. */
static const struct {
  const char *key, *nonce;
  uint32_t counter;
  const char *block;
} vectors[] = {
    {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "000000090000004a00000000", 1,
     "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
     "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"},
    {"0000000000000000000000000000000000000000000000000000000000000000",
     "000000000000000000000000", 0,
     "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
     "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"},
    {"0000000000000000000000000000000000000000000000000000000000000000",
     "000000000000000000000000", 1,
     "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
     "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"},
    {"0000000000000000000000000000000000000000000000000000000000000001",
     "000000000000000000000000", 1,
     "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
     "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"},
    {"00ff000000000000000000000000000000000000000000000000000000000000",
     "000000000000000000000000", 2,
     "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
     "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096"},
    {"0000000000000000000000000000000000000000000000000000000000000000",
     "000000000000000000000002", 0,
     "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
     "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d"},
};

static void gives_the_blocks_of_the_rfc(void) {
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    uint8_t key[32], nonce[12], want[64], got[64];
    test_from_hex(key, sizeof key, vectors[i].key);
    test_from_hex(nonce, sizeof nonce, vectors[i].nonce);
    test_from_hex(want, sizeof want, vectors[i].block);
    EACH_BODY(body) {
      memset(got, 0, sizeof got);
      sm_chacha20_by(body, got, sizeof got, key, nonce, vectors[i].counter);
      EXPECT(memcmp(got, want, sizeof want) == 0, "%s, vector %zu", body->name, i);
    }
  }
}

/* libcrypto's keystream: what it makes of zeros. */
static void model(uint8_t *out, size_t len, const uint8_t key[32],
                  const uint8_t nonce[12], uint32_t counter) {
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  uint8_t iv[16];
  int written = 0;
  for (int i = 0; i < 4; i++) {
    iv[i] = (uint8_t)(counter >> 8 * i);
  }
  memcpy(iv + 4, nonce, 12);
  memset(out, 0, len);
  EXPECT(EVP_EncryptInit_ex(ctx, EVP_chacha20(), NULL, key, iv) == 1 &&
             EVP_EncryptUpdate(ctx, out, &written, out, (int)len) == 1 &&
             (size_t)written == len,
         "libcrypto");
  EVP_CIPHER_CTX_free(ctx);
}

static void agrees_with_libcrypto(void) {
  static uint8_t want[5000], got[5000 + 1];
  for (size_t len = 0; len <= 5000; len += len < 2200 ? 1 : 97) {
    uint8_t key[32], nonce[12];
    uint32_t counter = (uint32_t)test_random_u64() >> 8;
    test_random_bytes(key, sizeof key);
    test_random_bytes(nonce, sizeof nonce);
    if (len % 7 == 0) { /* up to the last block there is */
      counter = UINT32_MAX - (uint32_t)((len + 63) / 64) + 1;
      counter -= len == 0;
    }
    model(want, len, key, nonce, counter);
    EACH_BODY(body) {
      memset(got, 0x55, sizeof got);
      sm_chacha20_by(body, got, len, key, nonce, counter);
      EXPECT(memcmp(got, want, len) == 0 && got[len] == 0x55, "%s, %zu bytes", body->name,
             len);
    }
    memset(got, 0x55, sizeof got);
    sm_chacha20(got, len, key, nonce, counter);
    EXPECT(memcmp(got, want, len) == 0 && got[len] == 0x55, "%zu bytes", len);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(gives_the_blocks_of_the_rfc);
  RUN(agrees_with_libcrypto);
  return test_end();
}
