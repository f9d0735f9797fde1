/* Private key files: what the writers make of a marked key goes through the readers as it
 * is, so that exactly the bytes that depend on the secret are followed. */
#include "ct_run.h"

#include <string.h>

/* A key whose secret has long runs of both bit values and every base64url digit's kind.
 */
static const uint8_t secret[32] = {0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16,
                                   0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00,
                                   0xfb, 0xef, 0xbe, 0xfb, 0xef, 0xbf, 0x69, 0xb7,
                                   0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67};

/* The pair that came back must be the one that was written, and the file the same as
 * without marks. */
static void expect_round_trip(sigmill_status status, sigmill_p256_keypair *read,
                              void *file, const void *expected_file, size_t len) {
  sigmill_p256_keypair plain = ct_pair(secret, false);
  EXPECT(status == SIGMILL_OK, "read back: %s", sigmill_strerror(status));
  EXPECT(ct_same(read, &plain, sizeof plain), "the pair read back");
  EXPECT(ct_same(file, expected_file, len), "the file");
}

static void pkcs8_file(void) {
  sigmill_p256_keypair pair = ct_pair(secret, true), plain = ct_pair(secret, false), read;
  uint8_t file[SIGMILL_P256_PKCS8_SIZE], expected[SIGMILL_P256_PKCS8_SIZE];
  size_t error_at;
  sigmill_p256_keypair_to_pkcs8(file, &pair);
  sigmill_p256_keypair_to_pkcs8(expected, &plain);
  sigmill_status status =
      sigmill_p256_keypair_from_pkcs8(&read, file, sizeof file, &error_at);
  expect_round_trip(status, &read, file, expected, sizeof file);
}

static void sec1_file(void) {
  sigmill_p256_keypair pair = ct_pair(secret, true), plain = ct_pair(secret, false), read;
  uint8_t file[SIGMILL_P256_SEC1_SIZE], expected[SIGMILL_P256_SEC1_SIZE];
  size_t error_at;
  sigmill_p256_keypair_to_sec1(file, &pair);
  sigmill_p256_keypair_to_sec1(expected, &plain);
  sigmill_status status =
      sigmill_p256_keypair_from_sec1(&read, file, sizeof file, &error_at);
  expect_round_trip(status, &read, file, expected, sizeof file);
}

static void pem_file(void) {
  sigmill_p256_keypair pair = ct_pair(secret, true), plain = ct_pair(secret, false), read;
  char file[SIGMILL_P256_PEM_PRIVATE_SIZE + 1];
  char expected[SIGMILL_P256_PEM_PRIVATE_SIZE + 1];
  size_t error_at;
  sigmill_p256_keypair_to_pem(file, &pair);
  sigmill_p256_keypair_to_pem(expected, &plain);
  sigmill_status status =
      sigmill_p256_keypair_from_pem(&read, file, sizeof file - 1, &error_at);
  expect_round_trip(status, &read, file, expected, sizeof file);
}

static void jwk_file(void) {
  sigmill_p256_keypair pair = ct_pair(secret, true), plain = ct_pair(secret, false), read;
  char file[SIGMILL_P256_JWK_PRIVATE_SIZE + 1];
  char expected[SIGMILL_P256_JWK_PRIVATE_SIZE + 1];
  size_t error_at;
  sigmill_p256_keypair_to_jwk(file, &pair);
  sigmill_p256_keypair_to_jwk(expected, &plain);
  sigmill_status status =
      sigmill_p256_keypair_from_jwk(&read, file, sizeof file - 1, &error_at);
  expect_round_trip(status, &read, file, expected, sizeof file);
}

/* A file with another secret than its public half's. */
static void mismatched_file(void) {
  sigmill_p256_keypair plain = ct_pair(secret, false), read;
  uint8_t file[SIGMILL_P256_PKCS8_SIZE];
  size_t error_at;
  sigmill_p256_keypair_to_pkcs8(file, &plain);
  uint8_t *d = NULL;
  for (size_t i = 0; i + sizeof secret <= sizeof file; i++) {
    if (memcmp(file + i, secret, sizeof secret) == 0) {
      d = file + i;
    }
  }
  if (!EXPECT(d != NULL, "the secret stands in the file")) {
    return;
  }
  d[31] ^= 1;
  SECRET(d, sizeof secret);
  EXPECT(sigmill_p256_keypair_from_pkcs8(&read, file, sizeof file, &error_at) ==
             SIGMILL_ERR_KEY_MISMATCH,
         "another secret");
  memset(d, 0xff, sizeof secret);
  SECRET(d, sizeof secret);
  EXPECT(sigmill_p256_keypair_from_pkcs8(&read, file, sizeof file, &error_at) ==
             SIGMILL_ERR_KEY_SECRET,
         "a secret that is out of range");
}

void ct_files(void) {
  RUN(pkcs8_file);
  RUN(sec1_file);
  RUN(pem_file);
  RUN(jwk_file);
  RUN(mismatched_file);
}
