/* Calls leave no bit in the upper parts of vector registers: code in SSE, the callers'
 * own and SHA-256, can take twice as long while there is one, and what stands there may
 * be of a secret. */
#include "agreement.h"
#include "harness.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)

enum { N = 100 };

/* vzeroupper spares registers 16 to 31, and SSE has none of them. */
static __attribute__((noinline, target("avx512f"))) void registers(uint8_t out[16][64]) {
#define STORE(i) "vmovdqu64 %%zmm" #i ", " #i "*64(%0)\n"
  __asm__ volatile(STORE(0) STORE(1) STORE(2) STORE(3) STORE(4) STORE(5) STORE(6) STORE(7)
                       STORE(8) STORE(9) STORE(10) STORE(11) STORE(12) STORE(13) STORE(14)
                           STORE(15)
                   :
                   : "r"(out)
                   : "memory");
#undef STORE
}

static void clear_upper(void) {
  __asm__ volatile("vzeroupper" : : : "memory");
}

static bool upper_is_clear(void) {
  uint8_t now[16][64] = {{0}};
  registers(now);
  for (int i = 0; i < 16; i++) {
    if (!test_all_zero(now[i] + 16, 48)) {
      return false;
    }
  }
  return true;
}

/* The call has to succeed, so that it goes all its way. */
#define EXPECT_CLEAR(call)                                                               \
  do {                                                                                   \
    clear_upper();                                                                       \
    bool good = (call);                                                                  \
    EXPECT(upper_is_clear() && good, "%s", #call);                                       \
  } while (0)

static uint8_t secrets[N][32], digests[N][32], points[N][33], sigs[N][64], full[N][96],
    shared[N][32], verdicts[N];
static sigmill_p256_keypair pairs[N];
static sigmill_p256_pubkey keys[N];

static void notices_what_is_left(void) {
  clear_upper();
  EXPECT(upper_is_clear(), "cleared");
  __asm__ volatile("vpcmpeqd %%ymm7, %%ymm7, %%ymm7" : : : "xmm7");
  EXPECT(!upper_is_clear(), "a register of ones");
  clear_upper();
}

static void after_batches(void) {
  const sigmill_p256_keypair *pair_of[N];
  const sigmill_p256_pubkey *key_of[N];
  static sigmill_p256_item items[2][N];
  sigmill_verifier *v;
  for (size_t i = 0; i < N; i++) {
    test_random_bytes(digests[i], 32);
    test_random_bytes(secrets[i] + 1, 31);
    pair_of[i] = &pairs[i];
    key_of[i] = &keys[i];
    items[0][i] = (sigmill_p256_item){sigs[i], digests[i], &keys[i], SIGMILL_P256_SIG64};
    items[1][i] =
        (sigmill_p256_item){full[i], digests[i], &keys[i], SIGMILL_P256_FULL_R96};
  }
  if (!EXPECT(sigmill_verifier_create(&v, NULL) == SIGMILL_OK, "no verifier")) {
    return;
  }
  EXPECT_CLEAR(
      sigmill_p256_keypair_batch(pairs, verdicts, (const uint8_t(*)[32])secrets, N));
  for (size_t i = 0; i < N; i++) {
    sigmill_p256_keypair_public(&keys[i], &pairs[i]);
    sigmill_p256_pubkey_serialize33(points[i], &keys[i]);
  }
  EXPECT_CLEAR(
      sigmill_p256_pubkey_parse_batch(keys, verdicts, (const uint8_t(*)[33])points, N));
  EXPECT_CLEAR(
      sigmill_p256_sign_batch(sigs, verdicts, (const uint8_t(*)[32])digests, pair_of, N));
  EXPECT_CLEAR(sigmill_p256_ecdh_batch(shared, verdicts, pair_of, key_of, N));
  EXPECT_CLEAR(
      sigmill_p256_hint_batch(full[0], SIGMILL_P256_FULL_R96, verdicts, items[0], N));
  for (size_t n = 1; n <= N; n += n < 20 ? 1 : 20) {
    EXPECT_CLEAR(sigmill_p256_verify_batch(v, verdicts, items[0], n));
    EXPECT_CLEAR(sigmill_p256_verify_batch(v, verdicts, items[1], n));
    EXPECT_CLEAR(sigmill_p256_verify_columns(v, verdicts, sigs[0], SIGMILL_P256_SIG64,
                                             digests[0], points[0], n));
  }
  sigmill_verifier_destroy(v);
}

static void after_single_calls(void) {
  sigmill_p256_keypair pair;
  sigmill_p256_pubkey key;
  sigmill_p256_prepared *prepared;
  uint8_t sig[65], hinted[96], out[32];
  memset(digests[0], 0x5a, 32);
  memset(secrets[0] + 1, 0xa5, 31);
  EXPECT_CLEAR(sigmill_p256_keypair_from_secret(&pair, secrets[0]) == SIGMILL_OK);
  EXPECT_CLEAR(sigmill_p256_keypair_generate(&pair) == SIGMILL_OK);
  sigmill_p256_keypair_public(&key, &pair);
  sigmill_p256_pubkey_serialize33(points[0], &key);
  EXPECT_CLEAR(sigmill_p256_pubkey_parse(&key, points[0], 33) == SIGMILL_OK);
  EXPECT_CLEAR(sigmill_p256_sign_recoverable(sig, digests[0], &pair) == SIGMILL_OK);
  EXPECT_CLEAR(sigmill_p256_recover(&key, sig, digests[0]) == SIGMILL_OK);
  EXPECT_CLEAR(sigmill_p256_sign_hedged(sig, digests[0], &pair, NULL) == SIGMILL_OK);
  EXPECT_CLEAR(sigmill_p256_sign(sig, digests[0], &pair) == SIGMILL_OK);
  EXPECT_CLEAR(sigmill_p256_verify(sig, digests[0], &key));
  EXPECT_CLEAR(sigmill_p256_prepared_create(&prepared, &key) == SIGMILL_OK);
  EXPECT_CLEAR(sigmill_p256_prepared_verify(sig, digests[0], prepared));
  sigmill_p256_prepared_destroy(prepared);
  EXPECT_CLEAR(sigmill_p256_hint(hinted, SIGMILL_P256_FULL_R96, sig, digests[0], &key) ==
               SIGMILL_OK);
  EXPECT_CLEAR(sigmill_p256_verify_as(hinted, SIGMILL_P256_FULL_R96, digests[0], &key));
  EXPECT_CLEAR(sigmill_p256_ecdh(out, &pair, &key) == SIGMILL_OK);
  EXPECT_CLEAR(sigmill_selftest(NULL));
}

static bool registers_can_be_seen(void) {
  return __builtin_cpu_supports("avx512f") != 0;
}

static void run_all(void) {
  RUN(notices_what_is_left);
  RUN(after_batches);
  RUN(after_single_calls);
}

#else

static bool registers_can_be_seen(void) {
  return false;
}

static void run_all(void) {
}

#endif

static void there_are_no_such_registers(void) {
  test_skip("no AVX-512");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  if (registers_can_be_seen()) {
    run_all();
  } else {
    RUN(there_are_no_such_registers);
  }
  return test_end();
}
