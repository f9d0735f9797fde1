/* Known answers: those of lanes/answers_p256.h, and FIPS 180-4's "abc". */
#include "scheme/selftest.h"

#include "base/secret.h"
#include "lanes/answers_p256.h"
#include "scheme/ecdsa_p256.h"

#include <string.h>

enum { SAMPLE_RECID = 1 };

static const uint8_t abc_sha512[64] = {
    0xdd, 0xaf, 0x35, 0xa1, 0x93, 0x61, 0x7a, 0xba, 0xcc, 0x41, 0x73, 0x49, 0xae,
    0x20, 0x41, 0x31, 0x12, 0xe6, 0xfa, 0x4e, 0x89, 0xa9, 0x7e, 0xa2, 0x0a, 0x9e,
    0xee, 0xe6, 0x4b, 0x55, 0xd3, 0x9a, 0x21, 0x92, 0x99, 0x2a, 0x27, 0x4f, 0xc1,
    0xa8, 0x36, 0xba, 0x3c, 0x23, 0xa3, 0xfe, 0xeb, 0xbd, 0x45, 0x4d, 0x44, 0x23,
    0x64, 0x3c, 0xe8, 0x0e, 0x2a, 0x9a, 0xc9, 0x4f, 0xa5, 0x4c, 0xa4, 0x9f};

static bool same(const u256 *a, const u256 *b) {
  return u256_eq_mask(a, b) != 0;
}

static bool same_point(const p256_point *a, const p256_point *b) {
  return same(&a->x, &b->x) && same(&a->y, &b->y);
}

/* One signature in each format, checked as given and with one bit of its digest flipped.
 */
static bool verifies_only_itself(const uint8_t *sig, sigmill_p256_format format,
                                 const uint8_t digest[32]) {
  uint8_t other[32];
  memcpy(other, digest, sizeof other);
  other[31] ^= 1;
  return sm_p256_verify_vt(sig, format, digest, &answer_public) == SIGMILL_OK &&
         sm_p256_verify_vt(sig, format, other, &answer_public) ==
             SIGMILL_ERR_SIG_EQUATION;
}

/* The first job of the lanes in use with a wrong answer, or NULL. */
static const char *wrong_in_lanes(void) {
  static const char *const names[LANES_JOBS] = {
      [LANES_JOB_VERIFY] = "verification in lanes",
      [LANES_JOB_LIFT_X] = "reading keys in lanes",
      [LANES_JOB_MUL_BASE] = "key generation in lanes",
      [LANES_JOB_MUL] = "ECDH in lanes",
      [LANES_JOB_SIGN_EQUATION] = "signing in lanes",
      [LANES_JOB_MUL_BASE_ONE] = "one multiple of the base point in lanes"};
  const backend *b = sm_backend();
  lanes_job job = b->lanes != NULL ? sm_lanes_selftest(b->lanes, b->engine) : LANES_JOBS;
  return job != LANES_JOBS ? names[job] : NULL;
}

bool sm_selftest(const char **failed) {
  uint8_t digest[32], abc[64], plain[64], recoverable[65], full[96], hint[96];
  sha512_ctx sha512;
  p256_keypair pair;
  p256_point point;
  u256 r, s;
  uint8_t recid;

  u256_to_be(plain, &answer_r);
  u256_to_be(plain + 32, &answer_s);
  recoverable[0] = SAMPLE_RECID;
  u256_to_be(recoverable + 1, &answer_r);
  u256_to_be(recoverable + 33, &answer_low_s);
  u256_to_be(full, &answer_r);
  u256_to_be(full + 32, &answer_r_y);
  u256_to_be(full + 64, &answer_low_s);

  *failed = "SHA-512";
  sm_sha512_init(&sha512);
  sm_sha512_update(&sha512, "abc", 3);
  sm_sha512_final(abc, &sha512);
  if (memcmp(abc, abc_sha512, sizeof abc) != 0) {
    return false;
  }
  *failed = "key generation";
  if (sm_p256_keypair_make(&pair, &answer_secret) != SIGMILL_OK ||
      !same_point(&pair.point, &answer_public)) {
    return false;
  }
  *failed = "SHA-256, RFC 6979 or signing";
  sm_sha256(digest, "sample", 6);
  sm_p256_sign(&r, &s, NULL, digest, HASH_SHA256, NULL, 0, &pair);
  if (!same(&r, &answer_r) || !same(&s, &answer_s)) {
    return false;
  }
  *failed = "recoverable signing";
  sm_p256_sign(&r, &s, &recid, digest, HASH_SHA256, NULL, 0, &pair);
  if (!same(&r, &answer_r) || !same(&s, &answer_low_s) || recid != SAMPLE_RECID) {
    return false;
  }
  *failed = "verification";
  if (!verifies_only_itself(plain, SIGMILL_P256_SIG64, digest)) {
    return false;
  }
  *failed = "verification of a recoverable signature";
  if (!verifies_only_itself(recoverable, SIGMILL_P256_RECOVERABLE65, digest)) {
    return false;
  }
  *failed = "verification with full R";
  if (!verifies_only_itself(full, SIGMILL_P256_FULL_R96, digest)) {
    return false;
  }
  *failed = "key recovery";
  if (sm_p256_recover_vt(&point, recoverable, digest) != SIGMILL_OK ||
      !same_point(&point, &answer_public)) {
    return false;
  }
  *failed = "hint";
  if (sm_p256_hint_vt(hint, SIGMILL_P256_FULL_R96, plain, digest, &answer_public) !=
          SIGMILL_OK ||
      memcmp(hint, full, sizeof full) != 0) {
    return false;
  }
  *failed = "ECDH";
  sm_backend()->engine->mul(&point, &answer_ecdh_secret, &answer_ecdh_peer);
  if (!same(&point.x, &answer_ecdh_shared)) {
    return false;
  }
  wipe(&pair, sizeof pair);
  *failed = wrong_in_lanes();
  return *failed == NULL;
}
