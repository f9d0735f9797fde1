/* The constant-time program: every call that takes a secret runs with that secret marked
 * as undefined, under valgrind's memcheck or as a MemorySanitizer build, which report
 * each branch and each address that depends on it (A. Langley, "Checking that functions
 * are constant time with Valgrind", 2010).  Results must equal those of a run without
 * marks.
 *
 *   ct_run backends          the names of those that run here
 *   ct_run BACKEND [TEST...] all tests, or those named, on that backend
 *   ct_run leak KIND         a deliberate leak: branch, address or comparison */
#include "ct_run.h"

#include "base/cpu.h"
#include "hash/hmac.h"

#include <string.h>

static const uint8_t secrets[3][32] = {
    {[31] = 1},
    /* RFC 6979, A.2.5 */
    {0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16, 0x6b, 0x5c, 0x21,
     0x57, 0x67, 0xb1, 0xd6, 0x93, 0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8,
     0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21},
    /* n - 1 */
    {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff,
     0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17,
     0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x50}};
enum { SECRETS = sizeof secrets / sizeof secrets[0] };

bool ct_same(void *got, const void *expected, size_t len) {
  PUBLIC(got, len);
  return memcmp(got, expected, len) == 0;
}

bool ct_marked(const void *bytes, size_t len) {
#if defined(SIGMILL_CT_VALGRIND)
  bool all = true;
  for (size_t i = 0; i < len; i++) {
    uint8_t undefined_bits = 0;
    const uint8_t *byte = (const uint8_t *)bytes + i;
    all &= VALGRIND_GET_VBITS(byte, &undefined_bits, 1) == 1 && undefined_bits != 0;
  }
  return all;
#elif defined(SIGMILL_CT_MSAN)
  return __msan_test_shadow(bytes, len) >= 0;
#else
  (void)bytes;
  (void)len;
  return false;
#endif
}

sigmill_p256_keypair ct_pair(const uint8_t secret[32], bool marked) {
  uint8_t copy[32];
  sigmill_p256_keypair pair;
  memcpy(copy, secret, sizeof copy);
  if (marked) {
    SECRET(copy, sizeof copy);
  }
  sigmill_status status = sigmill_p256_keypair_from_secret(&pair, copy);
  EXPECT(status == SIGMILL_OK, "a key pair: %s", sigmill_strerror(status));
  return pair;
}

/* ---------------------------------------------------------------- keys */

static void keypair_from_secret(void) {
  for (size_t i = 0; i < SECRETS; i++) {
    sigmill_p256_keypair pair = ct_pair(secrets[i], true);
    sigmill_p256_keypair plain = ct_pair(secrets[i], false);
    sigmill_p256_pubkey key, expected;
    uint8_t secret[32], sec1[65], expected_sec1[65];
    sigmill_p256_keypair_public(&key, &pair);
    sigmill_p256_keypair_public(&expected, &plain);
    sigmill_p256_pubkey_serialize65(sec1, &key);
    sigmill_p256_pubkey_serialize65(expected_sec1, &expected);
    EXPECT(memcmp(sec1, expected_sec1, sizeof sec1) == 0, "public half %zu", i);
    sigmill_p256_keypair_secret(secret, &pair);
    EXPECT(ct_marked(secret, sizeof secret), "the mark of secret %zu", i);
    EXPECT(ct_same(secret, secrets[i], sizeof secret), "secret %zu", i);
    sigmill_p256_keypair_wipe(&pair);
  }
}

/* That a secret is refused becomes known; which one it was does not. */
static void refused_secrets(void) {
  uint8_t refused[3][32] = {{0}};
  memcpy(refused[1], secrets[2], 32);
  refused[1][31]++; /* n */
  memset(refused[2], 0xff, 32);
  for (size_t i = 0; i < 3; i++) {
    sigmill_p256_keypair pair;
    SECRET(refused[i], sizeof refused[i]);
    EXPECT(sigmill_p256_keypair_from_secret(&pair, refused[i]) == SIGMILL_ERR_KEY_SECRET,
           "secret %zu is out of range", i);
  }
}

static void keypair_batch(void) {
  uint8_t marked[SECRETS + 1][32] = {{0}}, verdicts[SECRETS + 1];
  sigmill_p256_keypair pairs[SECRETS + 1];
  memcpy(marked, secrets, sizeof secrets);
  SECRET(marked, sizeof marked);
  EXPECT(!sigmill_p256_keypair_batch(pairs, verdicts, (const uint8_t(*)[32])marked,
                                     SECRETS + 1),
         "the last secret is 0");
  for (size_t i = 0; i < SECRETS; i++) {
    sigmill_p256_keypair plain = ct_pair(secrets[i], false);
    EXPECT(verdicts[i] == 1 && ct_same(&pairs[i], &plain, sizeof plain), "pair %zu", i);
  }
  EXPECT(verdicts[SECRETS] == 0, "the last pair");
}

static void keypair_generate(void) {
  sigmill_p256_keypair pair;
  uint8_t secret[32];
  EXPECT(sigmill_p256_keypair_generate(&pair) == SIGMILL_OK, "a fresh pair");
  sigmill_p256_keypair_secret(secret, &pair);
  PUBLIC(secret, sizeof secret);
  sigmill_p256_keypair plain = ct_pair(secret, false);
  EXPECT(ct_same(&pair, &plain, sizeof plain), "the public half is the secret's");
}

/* ---------------------------------------------------------------- signatures */

static const uint8_t digest[64] =
    "Neither digest nor message is secret, but they may be.";

static void sign(void) {
  for (size_t i = 0; i < SECRETS; i++) {
    sigmill_p256_keypair pair = ct_pair(secrets[i], true);
    sigmill_p256_keypair plain = ct_pair(secrets[i], false);
    uint8_t sig[65], expected[65];
    EXPECT(sigmill_p256_sign(sig, digest, &pair) == SIGMILL_OK &&
               sigmill_p256_sign(expected, digest, &plain) == SIGMILL_OK &&
               memcmp(sig, expected, 64) == 0,
           "key %zu", i);
    EXPECT(sigmill_p256_sign_recoverable(sig, digest, &pair) == SIGMILL_OK &&
               sigmill_p256_sign_recoverable(expected, digest, &plain) == SIGMILL_OK &&
               memcmp(sig, expected, 65) == 0,
           "recoverable, key %zu", i);
  }
}

static void sign_digest(void) {
  sigmill_p256_keypair pair = ct_pair(secrets[1], true);
  sigmill_p256_keypair plain = ct_pair(secrets[1], false);
  for (sigmill_hash_id hash = SIGMILL_SHA256; hash <= SIGMILL_SHA512; hash++) {
    uint8_t sig[64], expected[64];
    EXPECT(sigmill_p256_sign_digest(sig, digest, hash, &pair) == SIGMILL_OK &&
               sigmill_p256_sign_digest(expected, digest, hash, &plain) == SIGMILL_OK &&
               memcmp(sig, expected, sizeof sig) == 0,
           "hash %d", (int)hash);
  }
}

/* The digest of a message that nobody may learn. */
static void sign_secret_digest(void) {
  sigmill_p256_keypair pair = ct_pair(secrets[1], true);
  sigmill_p256_keypair plain = ct_pair(secrets[1], false);
  uint8_t marked[32], sig[65], expected[65];
  memcpy(marked, digest, sizeof marked);
  SECRET(marked, sizeof marked);
  EXPECT(sigmill_p256_sign_recoverable(sig, marked, &pair) == SIGMILL_OK &&
             sigmill_p256_sign_recoverable(expected, digest, &plain) == SIGMILL_OK &&
             memcmp(sig, expected, sizeof sig) == 0,
         "recoverable");
}

static void sign_hedged(void) {
  sigmill_p256_keypair pair = ct_pair(secrets[1], true);
  sigmill_p256_keypair plain = ct_pair(secrets[1], false);
  sigmill_p256_pubkey key;
  uint8_t sig[64], expected[64], extra[32], marked[32];
  test_random_bytes(extra, sizeof extra);
  memcpy(marked, extra, sizeof marked);
  SECRET(marked, sizeof marked);
  EXPECT(sigmill_p256_sign_hedged(sig, digest, &pair, marked) == SIGMILL_OK &&
             sigmill_p256_sign_hedged(expected, digest, &plain, extra) == SIGMILL_OK &&
             memcmp(sig, expected, sizeof sig) == 0,
         "extra bytes of the caller's");
  sigmill_p256_keypair_public(&key, &pair);
  EXPECT(sigmill_p256_sign_hedged(sig, digest, &pair, NULL) == SIGMILL_OK &&
             sigmill_p256_verify(sig, digest, &key),
         "extra bytes of the operating system's");
}

static void sign_batch(void) {
  sigmill_p256_keypair pairs[SECRETS];
  const sigmill_p256_keypair *keys[SECRETS];
  uint8_t digests[SECRETS][32], sigs[SECRETS][64], verdicts[SECRETS];
  for (size_t i = 0; i < SECRETS; i++) {
    pairs[i] = ct_pair(secrets[i], true);
    keys[i] = &pairs[i];
    memcpy(digests[i], digest, 32);
  }
  EXPECT(sigmill_p256_sign_batch(sigs, verdicts, (const uint8_t(*)[32])digests, keys,
                                 SECRETS),
         "all are signed");
  for (size_t i = 0; i < SECRETS; i++) {
    sigmill_p256_keypair plain = ct_pair(secrets[i], false);
    uint8_t expected[64];
    EXPECT(verdicts[i] == 1 &&
               sigmill_p256_sign(expected, digest, &plain) == SIGMILL_OK &&
               memcmp(sigs[i], expected, sizeof expected) == 0,
           "key %zu", i);
  }
}

/* ---------------------------------------------------------------- ECDH */

static void ecdh(void) {
  sigmill_p256_keypair pairs[SECRETS];
  sigmill_p256_pubkey peers[SECRETS];
  const sigmill_p256_keypair *keys[SECRETS];
  const sigmill_p256_pubkey *peer_list[SECRETS];
  uint8_t shared[32], expected[SECRETS][32], batch[SECRETS][32], verdicts[SECRETS];
  for (size_t i = 0; i < SECRETS; i++) {
    sigmill_p256_keypair plain = ct_pair(secrets[i], false);
    sigmill_p256_keypair other = ct_pair(secrets[SECRETS - 1 - i], false);
    pairs[i] = ct_pair(secrets[i], true);
    keys[i] = &pairs[i];
    peer_list[i] = &peers[i];
    sigmill_p256_keypair_public(&peers[i], &other);
    EXPECT(sigmill_p256_ecdh(expected[i], &plain, &peers[i]) == SIGMILL_OK &&
               sigmill_p256_ecdh(shared, &pairs[i], &peers[i]) == SIGMILL_OK,
           "key %zu", i);
    EXPECT(ct_marked(shared, sizeof shared), "the mark of key %zu", i);
    EXPECT(ct_same(shared, expected[i], sizeof shared), "key %zu", i);
  }
  EXPECT(sigmill_p256_ecdh_batch(batch, verdicts, keys, peer_list, SECRETS), "a batch");
  EXPECT(ct_same(batch, expected, sizeof expected), "a batch as one by one");
}

/* ---------------------------------------------------------------- hashes */

enum { LONGEST = 300 };

static void hash_secret_message(void) {
  static const size_t sizes[] = {32, 48, 64};
  for (sigmill_hash_id id = SIGMILL_SHA256; id <= SIGMILL_SHA512; id++) {
    for (size_t len = 0; len <= LONGEST; len += 37) {
      uint8_t message[LONGEST], marked[LONGEST], out[64], expected[64];
      sigmill_hash hash, plain;
      test_random_bytes(message, sizeof message);
      memcpy(marked, message, sizeof marked);
      SECRET(marked, sizeof marked);
      bool ok = sigmill_hash_init(&hash, id) == SIGMILL_OK &&
                sigmill_hash_init(&plain, id) == SIGMILL_OK;
      sigmill_hash_update(&hash, marked, len / 3);
      sigmill_hash_update(&hash, marked + len / 3, len - len / 3);
      sigmill_hash_update(&plain, message, len);
      size_t size = sigmill_hash_final(out, &hash);
      ok &= sigmill_hash_final(expected, &plain) == size && size == sizes[id - 1];
      EXPECT(len == 0 || ct_marked(out, size), "the mark of hash %d", (int)id);
      EXPECT(ok && ct_same(out, expected, size), "hash %d, %zu bytes", (int)id, len);
    }
  }
}

static void hmac_secret_key(void) {
  for (hash_id id = HASH_SHA256; id <= HASH_SHA512; id++) {
    for (size_t len = 0; len <= LONGEST; len += 50) {
      uint8_t key[LONGEST], marked[LONGEST], out[HASH_MAX_SIZE], expected[HASH_MAX_SIZE];
      hmac_ctx hmac, plain;
      test_random_bytes(key, sizeof key);
      memcpy(marked, key, sizeof marked);
      SECRET(marked, sizeof marked);
      sm_hmac_key(&hmac, id, marked, len);
      sm_hmac_key(&plain, id, key, len);
      sm_hmac_update(&hmac, marked, LONGEST - len);
      sm_hmac_update(&plain, key, LONGEST - len);
      sm_hmac_final(out, &hmac);
      sm_hmac_final(expected, &plain);
      EXPECT(ct_marked(out, sm_hash_size(id)), "the mark of hash %d", (int)id);
      EXPECT(ct_same(out, expected, sm_hash_size(id)), "hash %d, key of %zu bytes",
             (int)id, len);
    }
  }
}

/* ---------------------------------------------------------------- the program */

static bool tool_is_there(void) {
#if defined(SIGMILL_CT_VALGRIND)
  return RUNNING_ON_VALGRIND != 0;
#elif defined(SIGMILL_CT_MSAN)
  return true;
#else
  return false;
#endif
}

static int list_backends(void) {
  const char *name;
  bool usable;
  for (size_t i = 0; (name = sigmill_backend_list(i, &usable)) != NULL; i++) {
    if (usable) {
      printf("%s\n", name);
    }
  }
  return 0;
}

static int run_tests(const char *backend, int argc, char **argv) {
  if (sigmill_backend_select(backend) != SIGMILL_OK) {
    fprintf(stderr, "ct_run: no backend \"%s\" here\n", backend);
    return 2;
  }
  test_begin(argc, argv);
  printf("backend %s, SHA-256 %s\n", sigmill_backend_name(), sm_sha256_body()->name);
  RUN(keypair_from_secret);
  RUN(refused_secrets);
  RUN(keypair_batch);
  RUN(keypair_generate);
  RUN(sign);
  RUN(sign_digest);
  RUN(sign_secret_digest);
  RUN(sign_hedged);
  RUN(sign_batch);
  RUN(ecdh);
  ct_files();
  RUN(hash_secret_message);
  RUN(hmac_secret_key);
  if (sm_sha256_body() != &sm_sha256_portable) {
    sm_sha256_use(&sm_sha256_portable);
    RUN(hash_secret_message);
    RUN(hmac_secret_key);
  }
  return test_end();
}

int main(int argc, char **argv) {
  if (!tool_is_there()) {
    fprintf(stderr, "ct_run: nothing follows the marks; run it through run.sh\n");
    return 2;
  }
  if (argc == 2 && strcmp(argv[1], "backends") == 0) {
    return list_backends();
  }
  if (argc == 3 && strcmp(argv[1], "leak") == 0) {
    return ct_leak(argv[2]) ? 0 : 2;
  }
  if (argc < 2) {
    fprintf(stderr, "usage: ct_run backends | BACKEND [TEST...] | leak KIND\n");
    return 2;
  }
  return run_tests(argv[1], argc - 1, argv + 1);
}
