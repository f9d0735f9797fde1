/* Known answers on P-256: the key and the first message of RFC 6979 A.2.5 ("sample",
 * SHA-256), and the first P-256 case of NIST's CAVS ECDH vectors (SP 800-56A). */
#ifndef SIGMILL_LANES_ANSWERS_P256_H
#define SIGMILL_LANES_ANSWERS_P256_H

#include "group/engine_p256.h"

#define U256(a, b, c, d)                                                                 \
  {                                                                                      \
    { UINT64_C(0x##d), UINT64_C(0x##c), UINT64_C(0x##b), UINT64_C(0x##a) }               \
  }

static const u256 answer_secret =
    U256(c9afa9d845ba7516, 6b5c215767b1d693, 4e50c3db36e89b12, 7b8a622b120f6721);
static const p256_point answer_public = {
    U256(60fed4ba255a9d31, c961eb74c6356d68, c049b8923b61fa6c, e669622e60f29fb6),
    U256(7903fe1008b8bc99, a41ae9e95628bc64, f2f1b20c2d7e9f51, 77a3c294d4462299)};
static const u256 answer_digest =
    U256(af2bdbe1aa9b6ec1, e2ade1d694f41fc7, 1a831d0268e98915, 62113d8a62add1bf);
static const u256 answer_nonce =
    U256(a6e3c57dd01abe90, 086538398355dd4c, 3b17aa873382b0f2, 4d6129493d8aad60);
static const u256 answer_r =
    U256(efd48b2aacb6a8fd, 1140dd9cd45e81d6, 9d2c877b56aaf991, c34d0ea84eaf3716);
static const u256 answer_s =
    U256(f7cb1c942d657c41, d436c7a1b6e29f65, f3e900dbb9aff406, 4dc4ab2f843acda8);
/* y of the hint of that signature, after s is made low: nonce*G has p - y. */
static const u256 answer_r_y =
    U256(cb5818d2bdcdecbc, cead37d206b01f09, 7ae4076c026e39b4, e6aaacb9f6c00b6d);
static const u256 answer_low_s =
    U256(0834e36ad29a83bf, 2bc9385e491d6099, c8fdf9d1ed67aa7e, a5f51f93782857a9);

static const u256 answer_ecdh_secret =
    U256(7d7dc5f71eb29dda, f80d6214632eeae0, 3d9058af1fb6d22e, d80badb62bc1a534);
static const p256_point answer_ecdh_peer = {
    U256(700c48f77f56584c, 5cc632ca65640db9, 1b6bacce3a4df6b4, 2ce7cc838833d287),
    U256(db71e509e3fd9b06, 0ddb20ba5c51dcc5, 948d46fbf640dfe0, 441782cab85fa4ac)};
static const u256 answer_ecdh_shared =
    U256(46fc62106420ff01, 2e54a434fbdd2d25, ccc5852060561e68, 040dd7778997bd7b);

#undef U256

#endif
