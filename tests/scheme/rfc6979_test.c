/* The nonces of RFC 6979 against the k of its appendix A.2.5, and, with extra input and
 * for later candidates, against the generator of section 3.2 written over libcrypto's
 * HMAC. */
#include "harness.h"
#include "scalar/sc_p256.h"
#include "scheme/rfc6979.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

static const char secret_hex[] =
    "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";

static const struct {
  const char *message;
  hash_id hash;
  const char *k;
} appendix[] = {
    {"sample", HASH_SHA256,
     "a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60"},
    {"sample", HASH_SHA384,
     "09f634b188cefd98e7ec88b1aa9852d734d0bc272f7d2a47decc6ebeb375aad4"},
    {"sample", HASH_SHA512,
     "5fa81c63109badb88c1f367b47da606da28cad69aa22c4fe6ad7df73a7173aa5"},
    {"test", HASH_SHA256,
     "d16b6ae827f17175e040871a1c7ec3500192c4c92677336ec2537acaee0008e0"},
    {"test", HASH_SHA384,
     "16aeffa357260b04b1dd199693960740066c1a8f3e8edd79070aa914d361b3b8"},
    {"test", HASH_SHA512,
     "6915d11632aca3c40d5d51c08daf9c555933819548784480e93499000d9f0b7f"},
};

static const struct {
  hash_id id;
  const char *name; /* libcrypto's */
} hashes[] = {{HASH_SHA256, "SHA256"}, {HASH_SHA384, "SHA384"}, {HASH_SHA512, "SHA512"}};

/* The order, from SEC 2, section 2.4.2. */
static const char order_hex[] =
    "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

static void appendix_nonces(void) {
  uint8_t secret_be[32];
  u256 secret;
  test_from_hex(secret_be, 32, secret_hex);
  u256_from_be(&secret, secret_be);
  for (size_t i = 0; i < sizeof appendix / sizeof appendix[0]; i++) {
    rfc6979_ctx ctx;
    u256 digest, k;
    uint8_t hashed[64], k_be[32], expected[32];
    const char *message = appendix[i].message;
    const char *name = hashes[appendix[i].hash - 1].name;
    bool model = EVP_Q_digest(NULL, name, NULL, message, strlen(message), hashed, NULL);
    /* None of these digests, cut to 256 bits, reaches n. */
    u256_from_be(&digest, hashed);
    sm_rfc6979_init(&ctx, appendix[i].hash, &secret, &digest, NULL, 0);
    sm_rfc6979_next(&k, &ctx);
    u256_to_be(k_be, &k);
    test_from_hex(expected, 32, appendix[i].k);
    EXPECT(model && memcmp(k_be, expected, 32) == 0, "\"%s\" with %s", message, name);
  }
}

/* The generator of section 3.2, step by step, with everything concatenated. */
typedef struct {
  const EVP_MD *md;
  size_t size;
  uint8_t k[64], v[64];
  bool started;
} model_drbg;

enum { EXTRA_MAX = 200 };

static void model_hmac(uint8_t *out, const model_drbg *g, int mark, const uint8_t *seed,
                       size_t seed_len) {
  uint8_t text[64 + 1 + 64 + EXTRA_MAX], mac[64];
  size_t len = g->size;
  memcpy(text, g->v, len);
  if (mark >= 0) {
    text[len++] = (uint8_t)mark;
    memcpy(text + len, seed, seed_len);
    len += seed_len;
  }
  EXPECT(HMAC(g->md, g->k, (int)g->size, text, len, mac, NULL) != NULL, "libcrypto");
  memcpy(out, mac, g->size);
}

static void model_start(model_drbg *g, const char *hash, const uint8_t *seed,
                        size_t seed_len) {
  g->md = EVP_get_digestbyname(hash);
  g->size = (size_t)EVP_MD_get_size(g->md);
  g->started = false;
  memset(g->k, 0, sizeof g->k);
  memset(g->v, 1, sizeof g->v);
  for (int mark = 0; mark < 2; mark++) {
    model_hmac(g->k, g, mark, seed, seed_len);
    model_hmac(g->v, g, -1, NULL, 0);
  }
}

static void model_next(uint8_t out[32], model_drbg *g) {
  static const uint8_t zero[32] = {0};
  uint8_t order[32], nothing = 0;
  test_from_hex(order, 32, order_hex);
  do {
    if (g->started) {
      model_hmac(g->k, g, 0, &nothing, 0);
      model_hmac(g->v, g, -1, NULL, 0);
    }
    g->started = true;
    model_hmac(g->v, g, -1, NULL, 0);
    memcpy(out, g->v, 32);
  } while (memcmp(out, zero, 32) == 0 || memcmp(out, order, 32) >= 0);
}

/* Both generators, for several candidates in a row. */
static void expect_same(size_t hash, const u256 *secret, const u256 *digest,
                        size_t extra_len) {
  uint8_t seed[64 + EXTRA_MAX];
  rfc6979_ctx ctx;
  model_drbg model;
  u256_to_be(seed, secret);
  u256_to_be(seed + 32, digest);
  test_random_bytes(seed + 64, extra_len);
  sm_rfc6979_init(&ctx, hashes[hash].id, secret, digest, extra_len > 0 ? seed + 64 : NULL,
                  extra_len);
  model_start(&model, hashes[hash].name, seed, 64 + extra_len);
  for (int candidate = 0; candidate < 3; candidate++) {
    u256 k;
    uint8_t k_be[32], expected[32];
    sm_rfc6979_next(&k, &ctx);
    u256_to_be(k_be, &k);
    model_next(expected, &model);
    EXPECT(memcmp(k_be, expected, 32) == 0, "%s, %zu extra bytes, candidate %d",
           hashes[hash].name, extra_len, candidate);
  }
}

static void random_scalar(u256 *out) {
  test_random_bytes(out, sizeof *out);
  sm_sc_p256_reduce(out, out);
}

static void extra_input_and_later_candidates(void) {
  static const size_t extra_lens[] = {0, 1, 16, 31, 32, 33, 48, 64, EXTRA_MAX};
  size_t rounds = test_long() ? 2000 : 40;
  for (size_t round = 0; round < rounds; round++) {
    for (size_t i = 0; i < sizeof extra_lens / sizeof extra_lens[0]; i++) {
      u256 secret, digest;
      random_scalar(&secret);
      random_scalar(&digest);
      expect_same(round % 3, &secret, &digest, extra_lens[i]);
    }
  }
}

static void edge_secrets_and_digests(void) {
  u256 edges[4] = {{{0}}, {{1}}, sm_sc_p256_half_order, {{0}}};
  u256_sub(&edges[3], &sm_sc_p256_order, &edges[1]);
  for (size_t hash = 0; hash < 3; hash++) {
    for (size_t s = 1; s < 4; s++) {
      for (size_t d = 0; d < 4; d++) {
        expect_same(hash, &edges[s], &edges[d], 32 * (d % 2));
      }
    }
  }
}

static void wipe_leaves_nothing(void) {
  rfc6979_ctx ctx;
  u256 secret, k;
  uint8_t seen = 0;
  random_scalar(&secret);
  sm_rfc6979_init(&ctx, HASH_SHA512, &secret, &secret, NULL, 0);
  sm_rfc6979_next(&k, &ctx);
  sm_rfc6979_wipe(&ctx);
  for (size_t i = 0; i < sizeof ctx; i++) {
    seen |= ((const uint8_t *)&ctx)[i];
  }
  EXPECT(seen == 0, "the context is all zero");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(appendix_nonces);
  RUN(extra_input_and_later_candidates);
  RUN(edge_secrets_and_digests);
  RUN(wipe_leaves_nothing);
  return test_end();
}
