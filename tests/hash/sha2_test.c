/* SHA-256 (every body), SHA-384 and SHA-512 against the examples that NIST publishes with
 * FIPS 180-4, and against libcrypto for every length and many ways to cut the message. */
#include "base/cpu.h"
#include "harness.h"
#include "hash/sha2.h"

#include <openssl/evp.h>
#include <string.h>

static const struct {
  const char *text;
  size_t repeats;
  const char *digest[3]; /* SHA-256, SHA-384, SHA-512 */
} examples[] = {
    {"",
     1,
     {"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da"
      "274edebfe76f65fbd51ad2f14898b95b",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
      "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"}},
    {"abc",
     1,
     {"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
      "8086072ba1e7cc2358baeca134c825a7",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"}},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     1,
     {"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      "3391fdddfc8dc7393707a65b1b4709397cf8b1d162af05abfe8f450de5f36bc6"
      "b0455a8520bc4e6f5fe95b1fe3c8452b",
      "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
      "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"}},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
     "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     1,
     {"cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
      "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712"
      "fcc7c71a557e2db966c3e9fa91746039",
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
      "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"}},
    {"a",
     1000000,
     {"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
      "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b"
      "07b8b3dc38ecc4ebae97ddd87f3d8985",
      "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
      "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"}},
};

static const struct {
  hash_id id;
  const char *name; /* libcrypto's */
} hashes[] = {{HASH_SHA256, "SHA256"}, {HASH_SHA384, "SHA384"}, {HASH_SHA512, "SHA512"}};

static void expected_digest(uint8_t *out, const char *name, const uint8_t *data,
                            size_t len) {
  if (EVP_Q_digest(NULL, name, NULL, data, len, out, NULL) != 1) {
    EXPECT(false, "libcrypto has no %s", name);
  }
}

static void nist_examples(void) {
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    for (size_t j = 0; j < 3; j++) {
      hash_ctx ctx;
      uint8_t digest[HASH_MAX_SIZE], expected[HASH_MAX_SIZE];
      size_t size = sm_hash_size(hashes[j].id);
      sm_hash_init(&ctx, hashes[j].id);
      for (size_t k = 0; k < examples[i].repeats; k++) {
        sm_hash_update(&ctx, hashes[j].id, examples[i].text, strlen(examples[i].text));
      }
      sm_hash_final(digest, &ctx, hashes[j].id);
      test_from_hex(expected, size, examples[i].digest[j]);
      EXPECT(memcmp(digest, expected, size) == 0, "example %zu of %s", i, hashes[j].name);
    }
  }
}

enum { LONGEST = 300 };

/* Hashes the message in two parts, cut at the given place. */
static void hash_cut(uint8_t *out, hash_id id, const uint8_t *data, size_t len,
                     size_t cut) {
  hash_ctx ctx;
  sm_hash_init(&ctx, id);
  sm_hash_update(&ctx, id, data, cut);
  sm_hash_update(&ctx, id, data + cut, len - cut);
  sm_hash_final(out, &ctx, id);
}

/* Bytes before and after the message are others at each length, and the message stands at
 * every alignment. */
static void every_length_and_cut(void) {
  static uint8_t buffer[LONGEST + 8];
  for (size_t j = 0; j < 3; j++) {
    size_t size = sm_hash_size(hashes[j].id);
    for (size_t len = 0; len <= LONGEST; len++) {
      uint8_t digest[HASH_MAX_SIZE], expected[HASH_MAX_SIZE];
      const uint8_t *message = buffer + len % 8;
      size_t step = test_long() ? 1 : 1 + len / 40;
      test_random_bytes(buffer, sizeof buffer);
      expected_digest(expected, hashes[j].name, message, len);
      for (size_t cut = test_random_u64() % step; cut <= len; cut += step) {
        hash_cut(digest, hashes[j].id, message, len, cut);
        EXPECT(memcmp(digest, expected, size) == 0, "%s of %zu bytes cut at %zu",
               hashes[j].name, len, cut);
      }
      if (hashes[j].id == HASH_SHA256) {
        sm_sha256(digest, message, len);
        EXPECT(memcmp(digest, expected, size) == 0, "one call, %zu bytes", len);
      }
    }
  }
}

/* Parts of any length, empty ones too, so that blocks fill up in every way. */
static void random_parts(void) {
  static uint8_t message[5000];
  for (size_t round = 0; round < (test_long() ? 20000 : 1000); round++) {
    size_t len = test_random_u64() % sizeof message, at = 0;
    size_t longest = 1 + test_random_u64() % 400;
    size_t j = round % 3, size = sm_hash_size(hashes[j].id);
    uint8_t digest[HASH_MAX_SIZE], expected[HASH_MAX_SIZE];
    hash_ctx ctx;
    test_random_bytes(message, len);
    expected_digest(expected, hashes[j].name, message, len);
    sm_hash_init(&ctx, hashes[j].id);
    while (at < len) {
      size_t part = test_random_u64() % (longest + 1);
      part = part < len - at ? part : len - at;
      sm_hash_update(&ctx, hashes[j].id, part > 0 ? message + at : NULL, part);
      at += part;
    }
    sm_hash_final(digest, &ctx, hashes[j].id);
    EXPECT(memcmp(digest, expected, size) == 0, "%s of %zu bytes in parts of at most %zu",
           hashes[j].name, len, longest);
  }
}

/* The length in bits needs more than 32 bits from 2^29 bytes on. */
static void longer_than_32_bits_of_bits(void) {
  static uint8_t chunk[1 << 20];
  for (size_t j = 0; j < (test_long() ? 3 : 1); j++) {
    hash_ctx ctx;
    uint8_t digest[HASH_MAX_SIZE], expected[HASH_MAX_SIZE];
    EVP_MD_CTX *model = EVP_MD_CTX_new();
    int ok = EVP_DigestInit_ex(model, EVP_get_digestbyname(hashes[j].name), NULL);
    sm_hash_init(&ctx, hashes[j].id);
    for (int i = 0; i < 513; i++) {
      test_random_bytes(chunk, 64);
      ok &= EVP_DigestUpdate(model, chunk, sizeof chunk);
      sm_hash_update(&ctx, hashes[j].id, chunk, sizeof chunk);
    }
    ok &= EVP_DigestFinal_ex(model, expected, NULL);
    sm_hash_final(digest, &ctx, hashes[j].id);
    EXPECT(ok == 1 && memcmp(digest, expected, sm_hash_size(hashes[j].id)) == 0, "%s",
           hashes[j].name);
    EVP_MD_CTX_free(model);
  }
}

/* Nothing of the message stays behind. */
static void final_wipes(void) {
  for (size_t j = 0; j < 3; j++) {
    hash_ctx ctx;
    uint8_t digest[HASH_MAX_SIZE], seen = 0;
    memset(&ctx, 0, sizeof ctx);
    sm_hash_init(&ctx, hashes[j].id);
    sm_hash_update(&ctx, hashes[j].id, "left behind", 11);
    sm_hash_final(digest, &ctx, hashes[j].id);
    for (size_t i = 0; i < sizeof ctx; i++) {
      seen |= ((const uint8_t *)&ctx)[i];
    }
    EXPECT(seen == 0, "%s", hashes[j].name);
  }
}

static void sha256_with_shani(void) {
#if defined(__x86_64__) || defined(__i386__)
  if (sm_cpu_features()->sha_ni) {
    sm_sha256_use(&sm_sha256_shani);
    EXPECT(sm_sha256_body() == &sm_sha256_shani, "the body asked for is in use");
    nist_examples();
    every_length_and_cut();
    random_parts();
    return;
  }
#endif
  test_skip("this processor has no SHA extensions");
}

static void sha256_portable(void) {
  sm_sha256_use(&sm_sha256_portable);
  EXPECT(sm_sha256_body() == &sm_sha256_portable, "the body asked for is in use");
  nist_examples();
  every_length_and_cut();
  random_parts();
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(sha256_with_shani);
  RUN(sha256_portable);
  sm_sha256_use(NULL);
  RUN(nist_examples);
  RUN(longer_than_32_bits_of_bits);
  RUN(final_wipes);
  return test_end();
}
