/* What the calls that draw randomness make of a source that fails and of one that gives
 * what must not be used: the linker leads sm_random_bytes to a script. */
#include "base/random.h"
#include "harness.h"
#include "scheme/reference_p256.h"

#include <string.h>

/* What the source gives next, 32 bytes a draw; after the last one it fails. */
static ref_num script[8];
static size_t script_len, draws;

bool __wrap_sm_random_bytes(void *out, size_t len);

bool __wrap_sm_random_bytes(void *out, size_t len) {
  size_t i = draws++;
  memset(out, 0, len);
  if (!EXPECT(len == 32, "a draw of %zu bytes", len) || i >= script_len) {
    return false;
  }
  memcpy(out, script[i].be, len);
  return true;
}

static void script_begin(void) {
  script_len = 0;
  draws = 0;
}

static void script_add(ref_num value) {
  script[script_len++] = value;
}

/* All that is no secret: 0, n, and the largest of 256 bits. */
static void script_add_refused(void) {
  ref_num zero = ref_small(0);
  script_add(zero);
  script_add(ref_n());
  script_add(ref_minus(zero, ref_small(1)));
}

static void expect_no_pair(size_t expected_draws, const char *source) {
  sigmill_p256_keypair pair;
  memset(&pair, 0x5a, sizeof pair);
  EXPECT(sigmill_p256_keypair_generate(&pair) == SIGMILL_ERR_RANDOM, "%s", source);
  EXPECT(test_all_zero(&pair, sizeof pair), "%s: the pair is zero", source);
  EXPECT(draws == expected_draws, "%s: %zu draws", source, draws);
}

static void generate_reports_a_failure(void) {
  script_begin();
  expect_no_pair(1, "a source that fails");
  script_begin();
  script_add_refused();
  expect_no_pair(4, "a source that fails later");
}

static void expect_pair(ref_num secret, size_t expected_draws, const char *source) {
  sigmill_p256_keypair pair, expected = ref_keypair(secret);
  EXPECT(sigmill_p256_keypair_generate(&pair) == SIGMILL_OK, "%s", source);
  EXPECT(memcmp(&pair, &expected, sizeof pair) == 0, "%s: the pair", source);
  EXPECT(draws == expected_draws, "%s: %zu draws", source, draws);
}

static void generate_draws_again(void) {
  ref_num secret = ref_random_scalar();
  script_begin();
  script_add_refused();
  script_add(secret);
  expect_pair(secret, 4, "three refused values first");
  script_begin();
  script_add(ref_small(1));
  expect_pair(ref_small(1), 1, "the smallest secret");
  script_begin();
  script_add(ref_minus(ref_n(), ref_small(1)));
  expect_pair(ref_minus(ref_n(), ref_small(1)), 1, "the largest secret");
}

static void hedged_signing(void) {
  ref_num secret = ref_random_scalar(), digest = ref_random_any();
  ref_num fresh = ref_random_any();
  sigmill_p256_keypair pair = ref_keypair(secret);
  uint8_t sig[64], expected[64];
  ref_case model = ref_sign(secret, digest.be, "SHA256", fresh.be);
  ref_sig64(expected, &model);

  script_begin();
  memset(sig, 0x5a, sizeof sig);
  EXPECT(sigmill_p256_sign_hedged(sig, digest.be, &pair, NULL) == SIGMILL_ERR_RANDOM,
         "a source that fails");
  EXPECT(test_all_zero(sig, sizeof sig) && draws == 1, "the signature is zero");

  script_begin();
  EXPECT(sigmill_p256_sign_hedged(sig, digest.be, &pair, fresh.be) == SIGMILL_OK &&
             draws == 0 && memcmp(sig, expected, sizeof sig) == 0,
         "the caller's bytes instead of the source's");

  script_begin();
  script_add(fresh);
  EXPECT(sigmill_p256_sign_hedged(sig, digest.be, &pair, NULL) == SIGMILL_OK &&
             draws == 1 && memcmp(sig, expected, sizeof sig) == 0,
         "the source's bytes");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  ref_begin();
  RUN(generate_reports_a_failure);
  RUN(generate_draws_again);
  RUN(hedged_signing);
  ref_end();
  return test_end();
}
