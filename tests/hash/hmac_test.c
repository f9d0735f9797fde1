/* HMAC against the cases of RFC 4231, and against libcrypto for every key length around
 * the block sizes. */
#include "harness.h"
#include "hash/hmac.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

/* RFC 4231, 4.2 to 4.8.  A key or data of one repeated byte is given by that byte.  The
 * fifth case gives only the first 128 bits of each code. */
static const struct {
  const char *key;
  const char *data;
  size_t key_len, data_len, mac_len; /* mac_len 0: all of it */
  uint8_t key_byte, data_byte;
  const char *mac[3]; /* SHA-256, SHA-384, SHA-512 */
} cases[] = {
    {.key_byte = 0x0b,
     .key_len = 20,
     .data = "Hi There",
     .data_len = 8,
     .mac = {"b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
             "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c"
             "faea9ea9076ede7f4af152e8b2fa9cb6",
             "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
             "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"}},
    {.key = "Jefe",
     .key_len = 4,
     .data = "what do ya want for nothing?",
     .data_len = 28,
     .mac = {"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
             "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
             "8e2240ca5e69e2c78b3239ecfab21649",
             "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
             "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"}},
    {.key_byte = 0xaa,
     .key_len = 20,
     .data_byte = 0xdd,
     .data_len = 50,
     .mac = {"773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
             "88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b"
             "2a5ab39dc13814b94e3ab6e101a34f27",
             "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39"
             "bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb"}},
    {.key = "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13"
            "\x14\x15\x16\x17\x18\x19",
     .key_len = 25,
     .data_byte = 0xcd,
     .data_len = 50,
     .mac = {"82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
             "3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e"
             "6801dd23c4a7d679ccf8a386c674cffb",
             "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3db"
             "a91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd"}},
    {.key_byte = 0x0c,
     .key_len = 20,
     .data = "Test With Truncation",
     .data_len = 20,
     .mac_len = 16,
     .mac = {"a3b6167473100ee06e0c796c2955552b", "3abf34c3503b2a23a46efc619baef897",
             "415fad6271580a531d4179bc891d87a6"}},
    {.key_byte = 0xaa,
     .key_len = 131,
     .data = "Test Using Larger Than Block-Size Key - Hash Key First",
     .data_len = 54,
     .mac = {"60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
             "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6"
             "0c2ef6ab4030fe8296248df163f44952",
             "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
             "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"}},
    {.key_byte = 0xaa,
     .key_len = 131,
     .data = "This is a test using a larger than block-size key and a larger than bloc"
             "k-size data. The key needs to be hashed before being used by the HMAC al"
             "gorithm.",
     .data_len = 152,
     .mac = {"9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
             "6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5"
             "a678cc31e799176d3860e6110c46523e",
             "e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944"
             "b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58"}},
};

static const struct {
  hash_id id;
  const char *name; /* libcrypto's */
} hashes[] = {{HASH_SHA256, "SHA256"}, {HASH_SHA384, "SHA384"}, {HASH_SHA512, "SHA512"}};

static void rfc4231_cases(void) {
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t key[256], data[256];
    memset(key, cases[i].key_byte, sizeof key);
    memset(data, cases[i].data_byte, sizeof data);
    if (cases[i].key != NULL) {
      memcpy(key, cases[i].key, cases[i].key_len);
    }
    if (cases[i].data != NULL) {
      memcpy(data, cases[i].data, cases[i].data_len);
    }
    for (size_t j = 0; j < 3; j++) {
      hmac_ctx ctx;
      uint8_t mac[HASH_MAX_SIZE], expected[HASH_MAX_SIZE];
      size_t len = cases[i].mac_len != 0 ? cases[i].mac_len : sm_hash_size(hashes[j].id);
      test_from_hex(expected, len, cases[i].mac[j]);
      sm_hmac_key(&ctx, hashes[j].id, key, cases[i].key_len);
      sm_hmac_update(&ctx, data, cases[i].data_len);
      sm_hmac_final(mac, &ctx);
      EXPECT(memcmp(mac, expected, len) == 0, "case %zu with %s", i + 1, hashes[j].name);
    }
  }
}

/* Each key serves three messages, so that what a key leaves for the next one is seen. */
static void every_key_length(void) {
  uint8_t key[300], data[600];
  for (size_t j = 0; j < 3; j++) {
    const EVP_MD *md = EVP_get_digestbyname(hashes[j].name);
    size_t size = sm_hash_size(hashes[j].id);
    for (size_t key_len = 0; key_len <= sizeof key; key_len++) {
      hmac_ctx ctx;
      test_random_bytes(key, sizeof key);
      sm_hmac_key(&ctx, hashes[j].id, key_len > 0 ? key : NULL, key_len);
      for (size_t message = 0; message < 3; message++) {
        uint8_t mac[HASH_MAX_SIZE], expected[HASH_MAX_SIZE];
        size_t len = test_random_u64() % (sizeof data + 1);
        size_t cut = test_random_u64() % (len + 1);
        test_random_bytes(data, sizeof data);
        bool model = HMAC(md, key, (int)key_len, data, len, expected, NULL) != NULL;
        sm_hmac_update(&ctx, data, cut);
        sm_hmac_update(&ctx, data + cut, len - cut);
        sm_hmac_final(mac, &ctx);
        EXPECT(model && memcmp(mac, expected, size) == 0,
               "%s, key of %zu bytes, message %zu of %zu bytes", hashes[j].name, key_len,
               message, len);
      }
    }
  }
}

static void output_over_input(void) {
  for (size_t j = 0; j < 3; j++) {
    hmac_ctx ctx;
    uint8_t value[HASH_MAX_SIZE], expected[HASH_MAX_SIZE];
    size_t size = sm_hash_size(hashes[j].id);
    test_random_bytes(value, sizeof value);
    bool model = HMAC(EVP_get_digestbyname(hashes[j].name), "key", 3, value, size,
                      expected, NULL) != NULL;
    sm_hmac_key(&ctx, hashes[j].id, (const uint8_t *)"key", 3);
    sm_hmac_update(&ctx, value, size);
    sm_hmac_final(value, &ctx);
    EXPECT(model && memcmp(value, expected, size) == 0, "%s", hashes[j].name);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(rfc4231_cases);
  RUN(every_key_length);
  RUN(output_over_input);
  return test_end();
}
