/* Signatures, key pairs and shared secrets by the eight lanes: the steps of FIPS 186-5,
 * section 6.4.1, each for all items before the next. */
#include "scheme/sign_many.h"

#include "base/check.h"
#include "base/secret.h"
#include "scalar/sc_p256.h"
#include "scheme/rfc6979_many.h"

typedef struct {
  u256 z[LANES_P256_CHUNK], k[LANES_P256_CHUNK]; /* digests mod n, nonces */
  p256_point point[LANES_P256_CHUNK];            /* k*G */
  u256 r[LANES_P256_CHUNK], s[LANES_P256_CHUNK];
} signatures;

/* By the scalar path, which draws another nonce where r or s is 0. */
static void sign_alone(u256 *r, u256 *s, const uint8_t digest[32], const u256 *secret) {
  p256_keypair pair = {.secret = *secret};
  sm_p256_sign(r, s, NULL, digest, HASH_SHA256, NULL, 0, &pair);
  wipe(&pair, sizeof pair);
}

void sm_p256_sign_many(uint8_t (*sigs)[64], const uint8_t (*digests)[32],
                       const u256 *secrets, size_t count, const p256_lanes *lanes) {
  signatures all;
  CHECK(count <= LANES_P256_CHUNK);
  if (count == 0) {
    return;
  }
  for (size_t i = 0; i < count; i++) {
    u256_from_be(&all.z[i], digests[i]);
    sm_sc_p256_reduce(&all.z[i], &all.z[i]);
  }
  sm_rfc6979_many(all.k, secrets, all.z, count);
  lanes->mul_base(all.point, all.k, count);
  for (size_t i = 0; i < count; i++) {
    sm_sc_p256_reduce(&all.r[i], &all.point[i].x);
  }
  lanes->sign_equation(all.s, all.k, all.z, all.r, secrets, count);
  for (size_t i = 0; i < count; i++) {
    u256 *r = &all.r[i], *s = &all.s[i];
    uint64_t usable = ~(u256_zero_mask(r) | u256_zero_mask(s));
    PUBLIC(&usable, sizeof usable);
    if (!usable) {
      sign_alone(r, s, digests[i], &secrets[i]);
    }
    u256_to_be(sigs[i], r);
    u256_to_be(sigs[i] + 32, s);
    PUBLIC(sigs[i], sizeof sigs[i]);
  }
  wipe(&all, sizeof all);
}

void sm_p256_keypair_many(p256_keypair *out, uint8_t *made, const u256 *secrets,
                          size_t count, const p256_lanes *lanes) {
  static const u256 one = {{1}};
  u256 d[LANES_P256_CHUNK];
  p256_point point[LANES_P256_CHUNK];
  CHECK(count <= LANES_P256_CHUNK);
  if (count == 0) {
    return;
  }
  for (size_t i = 0; i < count; i++) {
    uint64_t in_range = sm_sc_p256_in_range(&secrets[i]);
    PUBLIC(&in_range, sizeof in_range);
    made[i] = in_range != 0;
    d[i] = made[i] ? secrets[i] : one;
  }
  lanes->mul_base(point, d, count);
  PUBLIC(point, count * sizeof point[0]);
  for (size_t i = 0; i < count; i++) {
    memset(&out[i], 0, sizeof out[i]);
    if (made[i]) {
      out[i].secret = d[i];
      out[i].point = point[i];
    }
  }
  wipe(d, sizeof d);
}

void sm_p256_ecdh_many(uint8_t (*shared)[32], const u256 *secrets,
                       const p256_point *peers, size_t count, const p256_lanes *lanes) {
  p256_point point[LANES_P256_CHUNK];
  CHECK(count <= LANES_P256_CHUNK);
  lanes->mul(point, secrets, peers, count);
  for (size_t i = 0; i < count; i++) {
    u256_to_be(shared[i], &point[i].x);
  }
  wipe(point, sizeof point);
}
