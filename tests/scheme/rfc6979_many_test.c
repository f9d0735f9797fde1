/* The nonces of RFC 6979 for many items at once, under every body of SHA-256 for many
 * messages: the k of appendix A.2.5 in each position, and the generator for one item
 * (which rfc6979_test compares with libcrypto's HMAC) for every count.
 *
 * A first candidate out of range has probability 2^-32.  The linker leads
 * sm_sc_p256_in_range through here, where any integer can be declared out of range: then
 * the second candidate has to come, from the generator over libcrypto's HMAC. */
#include "harness.h"
#include "hash/sha256_many.h"
#include "hash/sha256_many_bodies.h"
#include "scalar/sc_p256.h"
#include "scheme/rfc6979.h"
#include "scheme/rfc6979_many.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

enum { MOST = 70 };

static u256 refused[MOST]; /* declared out of range */
static size_t refused_count, refusals;

uint64_t __real_sm_sc_p256_in_range(const u256 *a);
uint64_t __wrap_sm_sc_p256_in_range(const u256 *a);

uint64_t __wrap_sm_sc_p256_in_range(const u256 *a) {
  for (size_t i = 0; i < refused_count; i++) {
    if (u256_eq_mask(a, &refused[i])) {
      refusals++;
      return 0;
    }
  }
  return __real_sm_sc_p256_in_range(a);
}

static struct { u256 secrets[MOST], digests[MOST], k[MOST + 1]; } batch;

static void random_scalar(u256 *out) {
  test_random_bytes(out, sizeof *out);
  sm_sc_p256_reduce(out, out);
}

static void fill_batch(size_t count) {
  memset(&batch, 0x5a, sizeof batch);
  for (size_t i = 0; i < count; i++) {
    random_scalar(&batch.secrets[i]);
    random_scalar(&batch.digests[i]);
  }
}

static u256 from_hex(const char *hex) {
  uint8_t be[32];
  u256 out;
  test_from_hex(be, sizeof be, hex);
  u256_from_be(&out, be);
  return out;
}

static u256 digest_of(const char *message) {
  uint8_t hashed[32];
  u256 out;
  EXPECT(EVP_Q_digest(NULL, "SHA256", NULL, message, strlen(message), hashed, NULL) == 1,
         "libcrypto");
  u256_from_be(&out, hashed);
  return out;
}

/* "sample" and "test" of the appendix stand by turns in every place, others around. */
static void appendix_in_each_position(void) {
  u256 secret = from_hex("c9afa9d845ba75166b5c215767b1d693"
                         "4e50c3db36e89b127b8a622b120f6721");
  u256 digests[2] = {digest_of("sample"), digest_of("test")};
  u256 k[2] = {from_hex("a6e3c57dd01abe90086538398355dd4c"
                        "3b17aa873382b0f24d6129493d8aad60"),
               from_hex("d16b6ae827f17175e040871a1c7ec350"
                        "0192c4c92677336ec2537acaee0008e0")};
  for (size_t at = 0; at < MOST; at++) {
    fill_batch(MOST);
    batch.secrets[at] = secret;
    batch.digests[at] = digests[at % 2];
    sm_rfc6979_many(batch.k, batch.secrets, batch.digests, MOST);
    EXPECT(u256_eq_mask(&batch.k[at], &k[at % 2]), "at %zu", at);
  }
}

static void expect_as_one_by_one(size_t count) {
  u256 beyond = batch.k[count];
  sm_rfc6979_many(batch.k, batch.secrets, batch.digests, count);
  for (size_t i = 0; i < count; i++) {
    rfc6979_ctx ctx;
    u256 k;
    sm_rfc6979_init(&ctx, HASH_SHA256, &batch.secrets[i], &batch.digests[i], NULL, 0);
    sm_rfc6979_next(&k, &ctx);
    EXPECT(u256_eq_mask(&k, &batch.k[i]), "%zu of %zu by %s", i, count,
           sm_sha256_many_body()->name);
  }
  EXPECT(u256_eq_mask(&beyond, &batch.k[count]), "nothing is written past the end");
}

static void every_count(void) {
  for (size_t count = 0; count <= MOST; count++) {
    fill_batch(count);
    expect_as_one_by_one(count);
  }
}

static void edge_secrets_and_digests(void) {
  u256 edges[4] = {{{0}}, {{1}}, sm_sc_p256_half_order, {{0}}};
  u256_sub(&edges[3], &sm_sc_p256_order, &edges[1]);
  fill_batch(MOST);
  for (size_t i = 0; i < 12; i++) {
    batch.secrets[3 * i] = edges[1 + i % 3];
    batch.digests[3 * i] = edges[i / 3];
  }
  expect_as_one_by_one(MOST);
}

/* HMAC over V, or over V, mark and the seed. */
static void model_hmac(uint8_t out[32], const uint8_t k[32], const uint8_t v[32],
                       int mark, const uint8_t *seed, size_t seed_len) {
  uint8_t text[32 + 1 + 64], mac[32];
  size_t len = 32;
  memcpy(text, v, 32);
  if (mark >= 0) {
    text[len++] = (uint8_t)mark;
    memcpy(text + len, seed, seed_len);
    len += seed_len;
  }
  EXPECT(HMAC(EVP_sha256(), k, 32, text, len, mac, NULL) != NULL, "libcrypto");
  memcpy(out, mac, 32);
}

/* The second candidate of section 3.2, in range or not. */
static u256 second_candidate(const u256 *secret, const u256 *digest) {
  uint8_t seed[64], k[32] = {0}, v[32];
  u256 out;
  u256_to_be(seed, secret);
  u256_to_be(seed + 32, digest);
  memset(v, 1, sizeof v);
  for (int mark = 0; mark < 2; mark++) {
    model_hmac(k, k, v, mark, seed, sizeof seed);
    model_hmac(v, k, v, -1, NULL, 0);
  }
  model_hmac(v, k, v, -1, NULL, 0);
  model_hmac(k, k, v, 0, seed, 0);
  model_hmac(v, k, v, -1, NULL, 0);
  model_hmac(v, k, v, -1, NULL, 0);
  u256_from_be(&out, v);
  return out;
}

/* The items with a bit in `which` have their first candidate refused. */
static void refuse(uint64_t which) {
  u256 first[MOST];
  size_t expected_refusals = 0;
  fill_batch(MOST);
  sm_rfc6979_many(first, batch.secrets, batch.digests, MOST);
  for (size_t i = 0; i < 64; i++) {
    if (which >> i & 1) {
      refused[refused_count++] = first[i];
      expected_refusals += 2; /* in lanes, and by itself */
    }
  }
  refusals = 0;
  sm_rfc6979_many(batch.k, batch.secrets, batch.digests, MOST);
  refused_count = 0;
  EXPECT(refusals == expected_refusals, "%zu refusals", refusals);
  for (size_t i = 0; i < MOST; i++) {
    bool second = i < 64 && (which >> i & 1);
    u256 k = second ? second_candidate(&batch.secrets[i], &batch.digests[i]) : first[i];
    EXPECT(u256_eq_mask(&batch.k[i], &k), "item %zu, %s candidate", i,
           second ? "second" : "first");
  }
}

static void rejected_candidates(void) {
  for (size_t i = 0; i < 64; i++) {
    refuse(UINT64_C(1) << i);
  }
  refuse(0);
  refuse(UINT64_MAX);
  for (size_t round = 0; round < 10; round++) {
    refuse(test_random_u64() & test_random_u64());
  }
}

static void all_with(const sha256_many_body *body) {
  sm_sha256_many_use(body);
  appendix_in_each_position();
  every_count();
  edge_secrets_and_digests();
  rejected_candidates();
  sm_sha256_many_use(NULL);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  run_with_each_body();
  return test_end();
}
