/* Nothing of a secret stays behind on the stack.
 *
 * Every public call that takes a secret runs on a stack of its own, filled with a known
 * byte beforehand and searched when the call has returned.  Searched for are
 *   - the secret d and n - d, also a refused one, and the text of d in base64;
 *   - of a signature the nonce k, n - k and 1/k, where k = (z + r d)/s by libcrypto's big
 *     integers from the signature that came out;
 *   - of ECDH both coordinates of the shared point;
 *   - all that goes into a constant-time inversion and comes out of it (sm_safegcd_inv,
 *     which the linker leads through here): the nonce again, and the projective
 * denominator of a product, which tells of its scalar (Naccache, Smart, Stern,
 * "Projective coordinates leak", 2004).
 *
 * The criterion: not one window of eight bytes of such a value at any offset of the
 * stack, in any of the forms in which the library holds numbers: bytes, from either end,
 * at any place in the value, which takes in words of 64 bits; the words of SHA-256; limbs
 * of 52 and of 62 bits, and pairs of limbs of 29 and 30.  A window has 48 random bits
 * (base64) or more, and a run compares some 2^30 pairs of a window and an offset: an
 * alarm is none by chance.
 *
 * What a compiler spills is its own choice, so this speaks for the optimised code of the
 * compiler at hand.  Pieces of less than eight bytes, intermediate values other than
 * these, and registers are not looked at. */
#include "ct/residue_search.h"
#include "harness.h"
#include "hash/sha256.h"
#include "scheme/agreement.h"
#include "scheme/reference_p256.h"

#include <openssl/evp.h>
#include <string.h>

/* ---------------------------------------------------------------- the data of a round */

enum { BATCH = 8 };

static struct {
  ref_num d, refused;
  ref_point peer_point;
  uint8_t digest[64], extra[32];
  uint8_t secret[32], refused_secret[32];
  uint8_t secrets[BATCH][32], digests[BATCH][32];
  sigmill_p256_keypair pair, pairs[BATCH];
  sigmill_p256_pubkey peer;
  const sigmill_p256_keypair *keys[BATCH];
  const sigmill_p256_pubkey *peers[BATCH];
  uint8_t pkcs8[SIGMILL_P256_PKCS8_SIZE], sec1[SIGMILL_P256_SEC1_SIZE];
  char pem[SIGMILL_P256_PEM_PRIVATE_SIZE + 1], jwk[SIGMILL_P256_JWK_PRIVATE_SIZE + 1];
} given;

/* What a call gives back. */
static struct {
  sigmill_status status;
  bool all;
  size_t error_at;
  sigmill_p256_keypair pair, pairs[BATCH];
  sigmill_p256_pubkey key;
  uint8_t sig[65], sigs[BATCH][64], shared[32], shareds[BATCH][32], secret[32];
  uint8_t verdicts[BATCH];
  uint8_t pkcs8[SIGMILL_P256_PKCS8_SIZE], sec1[SIGMILL_P256_SEC1_SIZE];
  char pem[SIGMILL_P256_PEM_PRIVATE_SIZE + 1], jwk[SIGMILL_P256_JWK_PRIVATE_SIZE + 1];
} got;

/* Not below n: 32 ones, then random bits that are not all zero. */
static ref_num random_refused(void) {
  ref_num out = ref_random_any();
  memset(out.be, 0xff, 4);
  out.be[4] |= 1;
  return out;
}

static void watch_secret(ref_num d) {
  watch(d.be, "the secret");
  watch(ref_n_negate(d).be, "n - the secret");
  watch_base64(d.be, "the secret");
}

static void draw(void) {
  given.d = ref_random_scalar();
  given.refused = random_refused();
  given.peer_point = ref_base(ref_random_scalar());
  test_random_bytes(given.digest, sizeof given.digest);
  test_random_bytes(given.extra, sizeof given.extra);
  memcpy(given.secret, given.d.be, 32);
  memcpy(given.refused_secret, given.refused.be, 32);
  given.pair = ref_keypair(given.d);
  given.peer = ref_pubkey(&given.peer_point);
  for (size_t i = 0; i < BATCH; i++) {
    ref_num d = i == 0 ? given.d : ref_random_scalar();
    memcpy(given.secrets[i], d.be, 32);
    given.pairs[i] = ref_keypair(d);
    given.keys[i] = &given.pairs[i];
    given.peers[i] = &given.peer;
    test_random_bytes(given.digests[i], 32);
  }
  sigmill_p256_keypair_to_pkcs8(given.pkcs8, &given.pair);
  sigmill_p256_keypair_to_sec1(given.sec1, &given.pair);
  sigmill_p256_keypair_to_pem(given.pem, &given.pair);
  sigmill_p256_keypair_to_jwk(given.jwk, &given.pair);
  watch_secret(given.d);
}

/* Lanes share one inversion among the items of a batch. */
static bool has_lanes(void) {
  return strstr(sigmill_backend_name(), "ifma") != NULL ||
         strcmp(sigmill_backend_name(), "plain-lanes") == 0;
}

/* ---------------------------------------------------------------- keys */

static void call_from_secret(void) {
  got.status = sigmill_p256_keypair_from_secret(&got.pair, given.secret);
}

static void call_refused(void) {
  got.status = sigmill_p256_keypair_from_secret(&got.pair, given.refused_secret);
}

static void call_batch(void) {
  got.all = sigmill_p256_keypair_batch(got.pairs, got.verdicts,
                                       (const uint8_t(*)[32])given.secrets, BATCH);
}

static void call_generate(void) {
  got.status = sigmill_p256_keypair_generate(&got.pair);
}

static void call_public(void) {
  sigmill_p256_keypair_public(&got.key, &given.pair);
}

static void call_secret(void) {
  sigmill_p256_keypair_secret(got.secret, &given.pair);
}

static void key_pairs(void) {
  draw();
  run_on_stack(call_from_secret);
  EXPECT(got.status == SIGMILL_OK && inversion_count == 1, "from_secret");
  expect_nothing("keypair_from_secret");

  draw();
  run_on_stack(call_refused);
  EXPECT(got.status == SIGMILL_ERR_KEY_SECRET, "a refused secret");
  watch(given.refused.be, "a refused secret");
  expect_nothing("keypair_from_secret, refused");

  draw();
  run_on_stack(call_batch);
  EXPECT(got.all && inversion_count == (has_lanes() ? 1 : BATCH), "a batch of pairs");
  for (size_t i = 1; i < BATCH; i++) {
    watch_secret(ref_bytes(given.secrets[i]));
  }
  expect_nothing("keypair_batch");

  run_on_stack(call_generate);
  sigmill_p256_keypair_secret(got.secret, &got.pair);
  EXPECT(got.status == SIGMILL_OK && ref_is_scalar(ref_bytes(got.secret)), "generate");
  watch_secret(ref_bytes(got.secret));
  expect_nothing("keypair_generate");

  draw();
  run_on_stack(call_public);
  expect_nothing("keypair_public");

  draw();
  run_on_stack(call_secret);
  EXPECT(memcmp(got.secret, given.secret, 32) == 0, "the secret read out");
  expect_nothing("keypair_secret");
}

/* ---------------------------------------------------------------- signatures */

static void call_sign(void) {
  got.status = sigmill_p256_sign(got.sig, given.digest, &given.pair);
}

static void call_sign_recoverable(void) {
  got.status = sigmill_p256_sign_recoverable(got.sig, given.digest, &given.pair);
}

static void call_sign_sha384(void) {
  got.status =
      sigmill_p256_sign_digest(got.sig, given.digest, SIGMILL_SHA384, &given.pair);
}

static void call_sign_sha512(void) {
  got.status =
      sigmill_p256_sign_digest(got.sig, given.digest, SIGMILL_SHA512, &given.pair);
}

static void call_sign_hedged(void) {
  got.status = sigmill_p256_sign_hedged(got.sig, given.digest, &given.pair, given.extra);
}

static void call_sign_hedged_fresh(void) {
  got.status = sigmill_p256_sign_hedged(got.sig, given.digest, &given.pair, NULL);
}

static void call_sign_batch(void) {
  got.all = sigmill_p256_sign_batch(
      got.sigs, got.verdicts, (const uint8_t(*)[32])given.digests, given.keys, BATCH);
}

/* k = (z + r d)/s, up to its sign, which a low s loses. */
static ref_num watch_nonce(const uint8_t sig[64], const uint8_t digest[32], ref_num d) {
  ref_num r = ref_bytes(sig), s = ref_bytes(sig + 32);
  ref_num sum = ref_n_add(ref_n_reduce(ref_bytes(digest)), ref_n_mul(r, d));
  ref_num k = ref_n_mul(sum, ref_n_inverse(s));
  watch(k.be, "the nonce");
  watch(ref_n_negate(k).be, "n - the nonce");
  watch(ref_n_inverse(k).be, "1/the nonce");
  watch(ref_n_negate(ref_n_inverse(k)).be, "n - 1/the nonce");
  return k;
}

/* Was this scalar, or n less it, inverted during the call? */
static bool was_inverted(ref_num k) {
  ref_num minus = ref_n_negate(k);
  for (size_t i = 0; i < inversion_count; i++) {
    uint8_t be[32];
    u256_to_be(be, &inversions[i].in);
    if (memcmp(be, k.be, 32) == 0 || memcmp(be, minus.be, 32) == 0) {
      return true;
    }
  }
  return false;
}

static void signatures(void) {
  static const struct {
    const char *name;
    void (*call)(void);
    size_t prefix;
  } calls[] = {{"sign", call_sign, 0},
               {"sign_recoverable", call_sign_recoverable, 1},
               {"sign_digest, SHA-384", call_sign_sha384, 0},
               {"sign_digest, SHA-512", call_sign_sha512, 0},
               {"sign_hedged", call_sign_hedged, 0},
               {"sign_hedged, fresh randomness", call_sign_hedged_fresh, 0}};
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    draw();
    run_on_stack(calls[i].call);
    ref_num k = watch_nonce(got.sig + calls[i].prefix, given.digest, given.d);
    EXPECT(got.status == SIGMILL_OK && was_inverted(k), "%s", calls[i].name);
    watch(given.extra, "extra randomness");
    expect_nothing(calls[i].name);
  }
  draw();
  run_on_stack(call_sign_batch);
  EXPECT(got.all, "a batch of signatures");
  for (size_t i = 0; i < BATCH; i++) {
    ref_num d = ref_bytes(given.secrets[i]);
    watch_secret(d);
    ref_num k = watch_nonce(got.sigs[i], given.digests[i], d);
    EXPECT(has_lanes() || was_inverted(k), "nonce %zu", i);
  }
  expect_nothing("sign_batch");
}

/* ---------------------------------------------------------------- ECDH */

static void call_ecdh(void) {
  got.status = sigmill_p256_ecdh(got.shared, &given.pair, &given.peer);
}

static void call_ecdh_batch(void) {
  got.all =
      sigmill_p256_ecdh_batch(got.shareds, got.verdicts, given.keys, given.peers, BATCH);
}

static void watch_shared(ref_num d) {
  ref_point shared = ref_mul2(ref_small(0), d, &given.peer_point);
  watch(shared.x.be, "the shared x");
  watch(shared.y.be, "the shared y");
}

static void ecdh(void) {
  draw();
  run_on_stack(call_ecdh);
  EXPECT(got.status == SIGMILL_OK && inversion_count == 1, "ECDH");
  watch_shared(given.d);
  expect_nothing("ecdh");

  draw();
  run_on_stack(call_ecdh_batch);
  EXPECT(got.all && inversion_count == (has_lanes() ? 1 : BATCH), "a batch of ECDH");
  for (size_t i = 0; i < BATCH; i++) {
    ref_num d = ref_bytes(given.secrets[i]);
    watch_secret(d);
    watch_shared(d);
  }
  expect_nothing("ecdh_batch");
}

/* ---------------------------------------------------------------- files */

static void call_from_pkcs8(void) {
  got.status = sigmill_p256_keypair_from_pkcs8(&got.pair, given.pkcs8, sizeof given.pkcs8,
                                               &got.error_at);
}

static void call_from_sec1(void) {
  got.status = sigmill_p256_keypair_from_sec1(&got.pair, given.sec1, sizeof given.sec1,
                                              &got.error_at);
}

static void call_from_pem(void) {
  got.status = sigmill_p256_keypair_from_pem(&got.pair, given.pem, sizeof given.pem - 1,
                                             &got.error_at);
}

static void call_from_jwk(void) {
  got.status = sigmill_p256_keypair_from_jwk(&got.pair, given.jwk, sizeof given.jwk - 1,
                                             &got.error_at);
}

static void call_to_pkcs8(void) {
  sigmill_p256_keypair_to_pkcs8(got.pkcs8, &given.pair);
}

static void call_to_sec1(void) {
  sigmill_p256_keypair_to_sec1(got.sec1, &given.pair);
}

static void call_to_pem(void) {
  sigmill_p256_keypair_to_pem(got.pem, &given.pair);
}

static void call_to_jwk(void) {
  sigmill_p256_keypair_to_jwk(got.jwk, &given.pair);
}

typedef struct {
  const char *name;
  void (*call)(void);
} named_call;

static const named_call readers[] = {{"keypair_from_pkcs8", call_from_pkcs8},
                                     {"keypair_from_sec1", call_from_sec1},
                                     {"keypair_from_pem", call_from_pem},
                                     {"keypair_from_jwk", call_from_jwk}};
static const named_call writers[] = {{"keypair_to_pkcs8", call_to_pkcs8},
                                     {"keypair_to_sec1", call_to_sec1},
                                     {"keypair_to_pem", call_to_pem},
                                     {"keypair_to_jwk", call_to_jwk}};
enum { FILES = sizeof readers / sizeof readers[0] };

static void files_read(void) {
  for (size_t i = 0; i < FILES; i++) {
    draw();
    run_on_stack(readers[i].call);
    EXPECT(got.status == SIGMILL_OK, "%s", readers[i].name);
    expect_nothing(readers[i].name);
  }
}

/* Puts another secret into each file. */
static void exchange_secret(const uint8_t secret[32]) {
  static const size_t pkcs8_at = 36, sec1_at = 7; /* RFC 5958, RFC 5915 */
  uint8_t text[193];
  memcpy(given.pkcs8 + pkcs8_at, secret, 32);
  memcpy(given.sec1 + sec1_at, secret, 32);
  EVP_EncodeBlock(text, given.pkcs8, sizeof given.pkcs8);
  char *line = strchr(given.pem, '\n') + 1;
  for (size_t i = 0; i < 3; i++) {
    size_t len = i < 2 ? 64 : 184 - 128;
    memcpy(line + 65 * i, text + 64 * i, len);
  }
  EVP_EncodeBlock(text, secret, 32);
  char *d = strstr(given.jwk, "\"d\":\"") + 5;
  for (size_t i = 0; i < 43; i++) {
    d[i] = (char)(text[i] == '+' ? '-' : text[i] == '/' ? '_' : text[i]);
  }
}

static void files_refused(void) {
  for (size_t i = 0; i < 2 * FILES; i++) {
    draw();
    bool mismatch = i % 2 == 0;
    ref_num secret = mismatch ? ref_random_scalar() : given.refused;
    exchange_secret(secret.be);
    run_on_stack(readers[i / 2].call);
    EXPECT(got.status == (mismatch ? SIGMILL_ERR_KEY_MISMATCH : SIGMILL_ERR_KEY_SECRET),
           "%s refuses: %s", readers[i / 2].name, sigmill_strerror(got.status));
    watch(secret.be, "a refused secret");
    watch_base64(secret.be, "a refused secret");
    expect_nothing(readers[i / 2].name);
  }
}

static void files_written(void) {
  for (size_t i = 0; i < FILES; i++) {
    draw();
    run_on_stack(writers[i].call);
    expect_nothing(writers[i].name);
  }
  EXPECT(strcmp(got.jwk, given.jwk) == 0, "a JWK");
}

/* ---------------------------------------------------------------- controls */

static uint64_t left_behind;

/* Leaves eight bytes in its frame, at an odd place. */
static void call_leak(void) {
  uint8_t frame[64];
  memcpy(frame + 3, &left_behind, sizeof left_behind);
  __asm__ volatile("" : : "r"(frame) : "memory");
}

static void call_nothing(void) {
}

/* Each window by itself is found, and nothing where nothing is. */
static void leaks_are_found(void) {
  draw();
  watch_shared(given.d);
  run_on_stack(call_nothing);
  EXPECT(search().count == 0, "nothing was left");
  for (size_t i = 0; i < window_count; i++) {
    left_behind = windows[i].word;
    run_on_stack(call_leak);
    EXPECT(search().count > 0, "a leak of %s (%s)", windows[i].value, windows[i].form);
  }
  forget_windows();
}

/* ---------------------------------------------------------------- all of it */

/* The functions of shared libraries are bound before the search begins: binding saves
 * every register. */
static void bind_all(void) {
  draw();
  forget_windows();
  call_from_secret();
  call_batch();
  call_generate();
  call_sign();
  call_sign_hedged_fresh();
  call_ecdh();
  for (size_t i = 0; i < FILES; i++) {
    readers[i].call();
    writers[i].call();
  }
}

static void needs_optimised_code(void) {
  test_skip("compilers keep every value on the stack unless they optimise");
}

int main(int argc, char **argv) {
#ifdef __OPTIMIZE__
  const bool optimised = true;
#else
  const bool optimised = false;
#endif
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  if (!optimised) {
    RUN(needs_optimised_code);
    return test_end();
  }
  ref_begin();
  search_begin();
  bind_all();
  RUN(leaks_are_found);
  for (int round = 0; round < (test_long() ? 200 : 6); round++) {
    sm_sha256_use(round % 2 == 0 ? NULL : &sm_sha256_portable);
    RUN(key_pairs);
    RUN(signatures);
    RUN(ecdh);
    RUN(files_read);
    RUN(files_refused);
    RUN(files_written);
  }
  search_end();
  ref_end();
  return test_end();
}
