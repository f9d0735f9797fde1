/* Known answers: the key and the first message of RFC 6979 A.2.5 ("sample", SHA-256), the
 * first P-256 case of NIST's CAVS ECDH vectors (SP 800-56A), and FIPS 180-4's "abc". */
#include "scheme/selftest.h"

#include "base/secret.h"
#include "scheme/ecdsa_p256.h"

#include <string.h>

#define U256(a, b, c, d)                                                                 \
  {                                                                                      \
    { UINT64_C(0x##d), UINT64_C(0x##c), UINT64_C(0x##b), UINT64_C(0x##a) }               \
  }

static const u256 secret =
    U256(c9afa9d845ba7516, 6b5c215767b1d693, 4e50c3db36e89b12, 7b8a622b120f6721);
static const p256_point public_point = {
    U256(60fed4ba255a9d31, c961eb74c6356d68, c049b8923b61fa6c, e669622e60f29fb6),
    U256(7903fe1008b8bc99, a41ae9e95628bc64, f2f1b20c2d7e9f51, 77a3c294d4462299)};
static const u256 sample_r =
    U256(efd48b2aacb6a8fd, 1140dd9cd45e81d6, 9d2c877b56aaf991, c34d0ea84eaf3716);
static const u256 sample_s =
    U256(f7cb1c942d657c41, d436c7a1b6e29f65, f3e900dbb9aff406, 4dc4ab2f843acda8);
/* What the hint of that signature must be, after s is made low. */
static const u256 sample_r_y =
    U256(cb5818d2bdcdecbc, cead37d206b01f09, 7ae4076c026e39b4, e6aaacb9f6c00b6d);
static const u256 sample_low_s =
    U256(0834e36ad29a83bf, 2bc9385e491d6099, c8fdf9d1ed67aa7e, a5f51f93782857a9);
enum { SAMPLE_RECID = 1 };

static const u256 ecdh_secret =
    U256(7d7dc5f71eb29dda, f80d6214632eeae0, 3d9058af1fb6d22e, d80badb62bc1a534);
static const p256_point ecdh_peer = {
    U256(700c48f77f56584c, 5cc632ca65640db9, 1b6bacce3a4df6b4, 2ce7cc838833d287),
    U256(db71e509e3fd9b06, 0ddb20ba5c51dcc5, 948d46fbf640dfe0, 441782cab85fa4ac)};
static const u256 ecdh_shared =
    U256(46fc62106420ff01, 2e54a434fbdd2d25, ccc5852060561e68, 040dd7778997bd7b);

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
  return sm_p256_verify_vt(sig, format, digest, &public_point) == SIGMILL_OK &&
         sm_p256_verify_vt(sig, format, other, &public_point) == SIGMILL_ERR_SIG_EQUATION;
}

bool sm_selftest(const char **failed) {
  uint8_t digest[32], abc[64], plain[64], recoverable[65], full[96], hint[96];
  sha512_ctx sha512;
  p256_keypair pair;
  p256_point point;
  u256 r, s;
  uint8_t recid;

  u256_to_be(plain, &sample_r);
  u256_to_be(plain + 32, &sample_s);
  recoverable[0] = SAMPLE_RECID;
  u256_to_be(recoverable + 1, &sample_r);
  u256_to_be(recoverable + 33, &sample_low_s);
  u256_to_be(full, &sample_r);
  u256_to_be(full + 32, &sample_r_y);
  u256_to_be(full + 64, &sample_low_s);

  *failed = "SHA-512";
  sm_sha512_init(&sha512);
  sm_sha512_update(&sha512, "abc", 3);
  sm_sha512_final(abc, &sha512);
  if (memcmp(abc, abc_sha512, sizeof abc) != 0) {
    return false;
  }
  *failed = "key generation";
  if (sm_p256_keypair_make(&pair, &secret) != SIGMILL_OK ||
      !same_point(&pair.point, &public_point)) {
    return false;
  }
  *failed = "SHA-256, RFC 6979 or signing";
  sm_sha256(digest, "sample", 6);
  sm_p256_sign(&r, &s, NULL, digest, HASH_SHA256, NULL, 0, &pair);
  if (!same(&r, &sample_r) || !same(&s, &sample_s)) {
    return false;
  }
  *failed = "recoverable signing";
  sm_p256_sign(&r, &s, &recid, digest, HASH_SHA256, NULL, 0, &pair);
  if (!same(&r, &sample_r) || !same(&s, &sample_low_s) || recid != SAMPLE_RECID) {
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
      !same_point(&point, &public_point)) {
    return false;
  }
  *failed = "hint";
  if (sm_p256_hint_vt(hint, SIGMILL_P256_FULL_R96, plain, digest, &public_point) !=
          SIGMILL_OK ||
      memcmp(hint, full, sizeof full) != 0) {
    return false;
  }
  *failed = "ECDH";
  sm_p256_engine()->mul(&point, &ecdh_secret, &ecdh_peer);
  if (!same(&point.x, &ecdh_shared)) {
    return false;
  }
  *failed = NULL;
  wipe(&pair, sizeof pair);
  return true;
}
