/* ECDSA over P-256 through the public calls: known answers of RFC 6979, and cases built
 * to reach the corners of the verification equation, against libcrypto as the model. */
#include "agreement.h"
#include "harness.h"

#include <string.h>

/* RFC 6979, A.2.5. */
static const char *const rfc_secret =
    "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721";
static const char *const rfc_public_x =
    "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6";
static const char *const rfc_public_y =
    "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299";
static const struct {
  sigmill_hash_id hash;
  const char *message, *r, *s;
} rfc_signatures[] = {
    {SIGMILL_SHA256, "sample",
     "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
     "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"},
    {SIGMILL_SHA384, "sample",
     "0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719",
     "4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954"},
    {SIGMILL_SHA512, "sample",
     "8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00",
     "2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE"},
    {SIGMILL_SHA256, "test",
     "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
     "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"},
    {SIGMILL_SHA384, "test",
     "83910E8B48BB0C74244EBDF7F07A1C5413D61472BD941EF3920E623FBCCEBEB6",
     "8DDBEC54CF8CD5874883841D712142A56A8D0F218F5003CB0296B6B509619F2C"},
    {SIGMILL_SHA512, "test",
     "461D93F31B6540894788FD206C07CFA0CC35F46FA3C91816FFF1040AD1581A04",
     "39AF9F15DE0DB8D97E72719C74820D304CE5226E32DEDAE67519E840D1194E55"},
};

static const struct {
  sigmill_hash_id id;
  const char *name; /* libcrypto's */
  size_t size;
} hashes[] = {{SIGMILL_SHA256, "SHA256", 32},
              {SIGMILL_SHA384, "SHA384", 48},
              {SIGMILL_SHA512, "SHA512", 64}};

static void rfc6979_known_answers(void) {
  sigmill_p256_keypair pair = ref_keypair(ref_hex(rfc_secret));
  sigmill_p256_pubkey key;
  uint8_t public65[65], expected65[65] = {4};
  sigmill_p256_keypair_public(&key, &pair);
  sigmill_p256_pubkey_serialize65(public65, &key);
  test_from_hex(expected65 + 1, 32, rfc_public_x);
  test_from_hex(expected65 + 33, 32, rfc_public_y);
  EXPECT(memcmp(public65, expected65, sizeof public65) == 0, "the key's public half");

  for (size_t i = 0; i < sizeof rfc_signatures / sizeof rfc_signatures[0]; i++) {
    uint8_t digest[64], digest32[32], sig[64], expected[64];
    sigmill_hash hash;
    const char *message = rfc_signatures[i].message;
    bool ok = sigmill_hash_init(&hash, rfc_signatures[i].hash) == SIGMILL_OK;
    sigmill_hash_update(&hash, message, strlen(message));
    size_t size = sigmill_hash_final(digest, &hash);
    ok &= sigmill_p256_sign_digest(sig, digest, rfc_signatures[i].hash, &pair) ==
          SIGMILL_OK;
    test_from_hex(expected, 32, rfc_signatures[i].r);
    test_from_hex(expected + 32, 32, rfc_signatures[i].s);
    EXPECT(ok && memcmp(sig, expected, sizeof sig) == 0, "signature %zu", i);
    sigmill_p256_digest32(digest32, digest, size);
    EXPECT(sigmill_p256_verify(sig, digest32, &key), "signature %zu verifies", i);
    if (size == 32) {
      memset(sig, 0, sizeof sig);
      EXPECT(sigmill_p256_sign(sig, digest, &pair) == SIGMILL_OK &&
                 memcmp(sig, expected, sizeof sig) == 0,
             "signature %zu by sigmill_p256_sign", i);
    }
  }
}

/* sign, sign_digest, sign_hedged and sign_recoverable for one secret and digest. */
static void expect_signatures(ref_num secret, const uint8_t digest[64],
                              const char *what) {
  sigmill_p256_keypair pair = ref_keypair(secret);
  uint8_t sig[65], expected[65], extra[32];
  for (size_t i = 0; i < 3; i++) {
    ref_case c = ref_sign(secret, digest, hashes[i].name, NULL);
    ref_sig64(expected, &c);
    EXPECT(sigmill_p256_sign_digest(sig, digest, hashes[i].id, &pair) == SIGMILL_OK &&
               memcmp(sig, expected, 64) == 0,
           "%s: %s", what, hashes[i].name);
  }
  ref_case c = ref_sign(secret, digest, "SHA256", NULL);
  ref_sig64(expected, &c);
  EXPECT(sigmill_p256_sign(sig, digest, &pair) == SIGMILL_OK &&
             memcmp(sig, expected, 64) == 0,
         "%s: sign", what);
  if (ref_compare(c.s, ref_half_n()) > 0) {
    c.s = ref_n_negate(c.s);
  }
  ref_encode(expected, SIGMILL_P256_RECOVERABLE65, &c);
  EXPECT(sigmill_p256_sign_recoverable(sig, digest, &pair) == SIGMILL_OK &&
             memcmp(sig, expected, 65) == 0,
         "%s: sign_recoverable", what);
  test_random_bytes(extra, sizeof extra);
  c = ref_sign(secret, digest, "SHA256", extra);
  ref_sig64(expected, &c);
  EXPECT(sigmill_p256_sign_hedged(sig, digest, &pair, extra) == SIGMILL_OK &&
             memcmp(sig, expected, 64) == 0,
         "%s: sign_hedged", what);
}

static void signs_as_the_reference(void) {
  uint8_t digest[64];
  for (int i = 0; i < 40; i++) {
    test_random_bytes(digest, sizeof digest);
    expect_signatures(ref_random_scalar(), digest, "random");
  }
  const ref_num secrets[] = {ref_small(1),
                             ref_small(2),
                             ref_minus(ref_n(), ref_small(1)),
                             ref_half_n(),
                             ref_plus(ref_half_n(), ref_small(1), NULL),
                             ref_small(255)};
  const ref_num digests[] = {ref_small(0), ref_n(), ref_minus(ref_n(), ref_small(1)),
                             ref_p(), ref_minus(ref_small(0), ref_small(1))};
  for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
    for (size_t j = 0; j < sizeof digests / sizeof digests[0]; j++) {
      test_random_bytes(digest, sizeof digest);
      memcpy(digest, digests[j].be, 32);
      expect_signatures(secrets[i], digest, "edge");
    }
  }
}

static void hedged_signatures_differ_and_verify(void) {
  ref_num secret = ref_random_scalar(), digest = ref_random_any();
  ref_point key = ref_base(secret);
  sigmill_p256_keypair pair = ref_keypair(secret);
  uint8_t first[64], second[64], plain[64];
  EXPECT(sigmill_p256_sign_hedged(first, digest.be, &pair, NULL) == SIGMILL_OK, "first");
  EXPECT(sigmill_p256_sign_hedged(second, digest.be, &pair, NULL) == SIGMILL_OK,
         "second");
  EXPECT(sigmill_p256_sign(plain, digest.be, &pair) == SIGMILL_OK, "plain");
  EXPECT(memcmp(first, second, 32) != 0 && memcmp(first, plain, 32) != 0 &&
             memcmp(second, plain, 32) != 0,
         "nonces differ");
  EXPECT(expect_agreement(first, SIGMILL_P256_SIG64, digest, &key, "first") == SIGMILL_OK,
         "the first verifies");
  EXPECT(expect_agreement(second, SIGMILL_P256_SIG64, digest, &key, "second") ==
             SIGMILL_OK,
         "the second verifies");
}

static void random_signatures_in_every_format(void) {
  for (int i = 0; i < 40; i++) {
    ref_case c =
        ref_sign_with(ref_random_scalar(), ref_random_scalar(), ref_random_any());
    expect_agreement_everywhere(&c, "as it came out");
    c.s = ref_n_negate(c.s);
    expect_agreement_everywhere(&c, "s negated");
    c.digest = ref_plus(c.digest, ref_small(1), NULL);
    uint8_t sig[64];
    ref_sig64(sig, &c);
    EXPECT(expect_agreement(sig, SIGMILL_P256_SIG64, c.digest, &c.key, "digest + 1") ==
               SIGMILL_ERR_SIG_EQUATION,
           "another digest");
  }
}

/* The next x at or above start that lies on the curve. */
static ref_point lift_from(ref_num start, bool y_odd) {
  ref_point point;
  while (!ref_lift(&point, start, y_odd)) {
    start = ref_plus(start, ref_small(1), NULL);
  }
  return point;
}

/* n <= x(R) < p happens with chance 2^-128; r is x - n. */
static void x_of_point_at_least_n(void) {
  const ref_num starts[] = {ref_n(), ref_plus(ref_n(), ref_small(1000), NULL),
                            ref_minus(ref_p(), ref_small(100))};
  for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
    ref_point point = lift_from(starts[i], i & 1);
    ref_case c = ref_forge(&point, ref_random_scalar(), ref_random_any());
    EXPECT(ref_compare(point.x, ref_n()) > 0 && ref_holds(&c), "the case is as built");
    expect_agreement_everywhere(&c, "x(R) >= n");
    c.s = ref_n_negate(c.s);
    expect_agreement_everywhere(&c, "x(R) >= n, s negated");
    uint8_t sig[64];
    ref_sig64(sig, &c);
    memcpy(sig, point.x.be, 32);
    EXPECT(expect_agreement(sig, SIGMILL_P256_SIG64, c.digest, &c.key, "unreduced") ==
               SIGMILL_ERR_SIG_R,
           "r = x(R) unreduced is out of range");
  }
}

/* u1*G = u2*Q: the last addition of the joint sum is a doubling. */
static void both_halves_equal(void) {
  for (int i = 0; i < 20; i++) {
    ref_num secret = i < 4 ? ref_small((uint64_t)i + 1) : ref_random_scalar();
    ref_num k = ref_random_scalar();
    ref_num r = ref_n_reduce(ref_base(k).x);
    ref_case c = ref_sign_with(k, secret, ref_n_mul(r, secret));
    EXPECT(ref_holds(&c), "the case is as built");
    expect_agreement_everywhere(&c, "u1*G = u2*Q");
    c.s = ref_n_negate(c.s);
    expect_agreement_everywhere(&c, "u1*G = u2*Q, s negated");
  }
}

/* u1*G = -u2*Q: R is infinity, which no r matches and no hint can name. */
static void both_halves_cancel(void) {
  for (int i = 0; i < 20; i++) {
    ref_num secret = i < 4 ? ref_small((uint64_t)i + 1) : ref_random_scalar();
    ref_point hint = ref_base(ref_random_scalar());
    ref_case c = {
        .r = ref_n_reduce(hint.x), .s = ref_random_scalar(), .key = ref_base(secret)};
    c.digest = ref_n_negate(ref_n_mul(c.r, secret));
    uint8_t sig[96];
    ref_sig64(sig, &c);
    EXPECT(expect_agreement(sig, SIGMILL_P256_SIG64, c.digest, &c.key, "cancel") ==
               SIGMILL_ERR_SIG_EQUATION,
           "R at infinity");
    if (ref_compare(c.s, ref_half_n()) > 0) {
      c.s = ref_n_negate(c.s);
    }
    memcpy(sig, hint.x.be, 32);
    memcpy(sig + 32, hint.y.be, 32);
    memcpy(sig + 64, c.s.be, 32);
    EXPECT(expect_agreement(sig, SIGMILL_P256_FULL_R96, c.digest, &c.key, "cancel") ==
               SIGMILL_ERR_SIG_EQUATION,
           "R at infinity, hinted");
  }
}

/* digest = s*k when r's multiple of the key vanishes from the sum: recovery has no key.
 */
static void recovery_to_infinity_is_refused(void) {
  ref_num k = ref_random_scalar(), s = ref_small(7);
  ref_point point = ref_base(k);
  ref_num digest = ref_n_mul(s, k), r = ref_n_reduce(point.x);
  uint8_t sig[65] = {point.y.be[31] & 1};
  sigmill_p256_pubkey key;
  memcpy(sig + 1, r.be, 32);
  memcpy(sig + 33, s.be, 32);
  memset(&key, 0xa5, sizeof key);
  EXPECT(sigmill_p256_recover(&key, sig, digest.be) == SIGMILL_ERR_SIG_EQUATION,
         "status");
  EXPECT(test_all_zero(&key, sizeof key), "the output is zero");
}

static void edge_digests(void) {
  const ref_num digests[] = {ref_small(0),
                             ref_small(1),
                             ref_minus(ref_n(), ref_small(1)),
                             ref_n(),
                             ref_plus(ref_n(), ref_small(1), NULL),
                             ref_p(),
                             ref_minus(ref_small(0), ref_small(1))};
  for (size_t i = 0; i < sizeof digests / sizeof digests[0]; i++) {
    ref_num secret = ref_random_scalar();
    ref_case c = ref_sign_with(ref_random_scalar(), secret, digests[i]);
    expect_agreement_everywhere(&c, "edge digest");
    c.s = ref_n_negate(c.s);
    expect_agreement_everywhere(&c, "edge digest, s negated");
    bool fits;
    ref_num same = ref_plus(ref_n_reduce(c.digest), ref_n(), &fits);
    if (fits) {
      c.digest = same;
      expect_agreement_everywhere(&c, "edge digest + n");
      EXPECT(ref_holds(&c), "the digest counts mod n");
    }
  }
}

/* A signature under a key whose secret nobody knows: choose u1 and u2, then
 * R = u1*G + u2*Q, s = r/u2, digest = u1*s. */
static ref_case sign_by_choice(const ref_point *key, ref_num u1, ref_num u2) {
  ref_point point = ref_mul2(u1, u2, key);
  ref_case c = {.key = *key, .r = ref_n_reduce(point.x)};
  c.s = ref_n_mul(c.r, ref_n_inverse(u2));
  c.digest = ref_n_mul(u1, c.s);
  return c;
}

/* x = 0 is on the curve, with y a root of b; so are keys near the ends of the field. */
static void keys_with_extreme_x(void) {
  const ref_num starts[] = {ref_small(0), ref_small(1), ref_n(),
                            ref_minus(ref_p(), ref_small(40))};
  for (size_t i = 0; i < 2 * sizeof starts / sizeof starts[0]; i++) {
    ref_point key = lift_from(starts[i / 2], i & 1);
    EXPECT(i >= 2 || test_all_zero(key.x.be, 32), "x = 0 is on the curve");
    for (int j = 0; j < 6; j++) {
      ref_num u1 = j < 2 ? ref_small((uint64_t)j) : ref_random_scalar();
      ref_num u2 = j < 4 ? ref_small((uint64_t)j + 1) : ref_random_scalar();
      ref_case c = sign_by_choice(&key, u1, u2);
      if (test_all_zero(c.r.be, 32)) { /* R is the key with x = 0, or x = n */
        continue;
      }
      EXPECT(ref_holds(&c), "the case is as built");
      expect_agreement_everywhere(&c, "extreme key");
      c.key = ref_negate(&key);
      uint8_t sig[64];
      ref_sig64(sig, &c);
      expect_agreement(sig, SIGMILL_P256_SIG64, c.digest, &c.key, "extreme key negated");
    }
  }
}

/* R = (0, sqrt(b)) is a point that a hint can name, but r = 0 is refused all the same. */
static void x_of_point_zero(void) {
  for (int odd = 0; odd < 2; odd++) {
    ref_point point, key = ref_base(ref_random_scalar());
    ref_num s = ref_small(9), digest = ref_random_any();
    uint8_t sig[96] = {0};
    EXPECT(ref_lift(&point, ref_small(0), odd), "x = 0 is on the curve");
    memcpy(sig + 32, point.y.be, 32);
    memcpy(sig + 64, s.be, 32);
    EXPECT(expect_agreement(sig, SIGMILL_P256_FULL_R96, digest, &key, "x = 0") ==
               SIGMILL_ERR_SIG_R,
           "full R");
    memset(sig, 0, sizeof sig);
    sig[0] = (uint8_t)(2 + odd);
    memcpy(sig + 33, s.be, 32);
    EXPECT(expect_agreement(sig, SIGMILL_P256_COMPRESSED_R65, digest, &key, "x = 0") ==
               SIGMILL_ERR_SIG_R,
           "compressed R");
    sig[0] = (uint8_t)odd;
    EXPECT(expect_agreement(sig, SIGMILL_P256_RECOVERABLE65, digest, &key, "x = 0") ==
               SIGMILL_ERR_SIG_R,
           "recoverable");
  }
}

/* u1 and u2 of few bits, near n, and near powers of two, under G, 2G, -G and others. */
static void extreme_multipliers(void) {
  ref_num edges[12];
  size_t count = 0;
  for (uint64_t i = 1; i <= 3; i++) {
    edges[count++] = ref_small(i);
    edges[count++] = ref_minus(ref_n(), ref_small(i));
  }
  ref_num middle = {{0}};
  middle.be[15] = 1; /* 2^128 */
  edges[count++] = middle;
  edges[count++] = ref_minus(middle, ref_small(1));
  ref_num top = {{0x80}}; /* 2^255 */
  edges[count++] = top;
  edges[count++] = ref_minus(top, ref_small(1));
  edges[count++] = ref_half_n();
  edges[count++] = ref_plus(ref_half_n(), ref_small(1), NULL);
  const ref_num secrets[] = {ref_small(1), ref_minus(ref_n(), ref_small(1)), ref_small(2),
                             ref_small(16), ref_random_scalar()};
  for (size_t d = 0; d < sizeof secrets / sizeof secrets[0]; d++) {
    ref_point key = ref_base(secrets[d]);
    for (size_t i = 0; i < count * count; i++) {
      ref_num u1 = edges[i / count], u2 = edges[i % count];
      if (ref_mul2(u1, u2, &key).infinity) {
        continue;
      }
      ref_case c = sign_by_choice(&key, u1, u2);
      uint8_t sig[96];
      sigmill_p256_format format = all_formats[i % FORMAT_COUNT];
      if (format != SIGMILL_P256_SIG64 && ref_compare(c.s, ref_half_n()) > 0) {
        c.s = ref_n_negate(c.s);
      }
      ref_encode(sig, format, &c);
      EXPECT(expect_agreement(sig, format, c.digest, &c.key, "multipliers") == SIGMILL_OK,
             "secret %zu, edges %zu", d, i);
    }
  }
}

static void short_r_and_s(void) {
  for (size_t r_len = 30; r_len <= 32; r_len++) {
    for (size_t s_len = 30; s_len <= 32; s_len++) {
      ref_num x = ref_random_scalar(), s = ref_random_scalar();
      memset(x.be, 0, 32 - r_len);
      memset(s.be, 0, 32 - s_len);
      x.be[32 - r_len] = r_len == 32 ? 0x41 : 0xc1;
      s.be[32 - s_len] = s_len == 32 ? 0x41 : 0xc1;
      ref_point point = lift_from(x, s_len & 1);
      ref_case c = ref_forge(&point, s, ref_random_any());
      expect_agreement_everywhere(&c, "short r and s");
      uint8_t sig[64], der[72], back[64];
      ref_sig64(sig, &c);
      size_t len = sigmill_p256_sig_to_der(der, sig);
      /* A first byte of 0xc1 takes a zero in front. */
      size_t expected = 6 + r_len + (r_len < 32) + s_len + (s_len < 32);
      EXPECT(len == expected, "DER of %zu bytes, not %zu", len, expected);
      EXPECT(sigmill_p256_sig_from_der(back, der, len) == SIGMILL_OK &&
                 memcmp(back, sig, sizeof sig) == 0,
             "DER and back");
    }
  }
}

static void s_at_its_limits(void) {
  const ref_num values[] = {ref_small(1),
                            ref_small(2),
                            ref_half_n(),
                            ref_plus(ref_half_n(), ref_small(1), NULL),
                            ref_minus(ref_n(), ref_small(2)),
                            ref_minus(ref_n(), ref_small(1))};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    ref_point point = ref_base(ref_random_scalar());
    ref_case c = ref_forge(&point, values[i], ref_random_any());
    for (int f = 0; f < FORMAT_COUNT; f++) {
      uint8_t sig[96];
      ref_encode(sig, all_formats[f], &c);
      bool refused = all_formats[f] != SIGMILL_P256_SIG64 && i > 2;
      EXPECT(expect_agreement(sig, all_formats[f], c.digest, &c.key, "limits of s") ==
                 (refused ? SIGMILL_ERR_SIG_HIGH_S : SIGMILL_OK),
             "value %zu, format %d", i, all_formats[f]);
    }
  }
}

/* r and s out of range, alone and together, in every format. */
static void out_of_range(void) {
  const ref_num values[] = {ref_small(0), ref_n(), ref_plus(ref_n(), ref_small(1), NULL),
                            ref_p(), ref_minus(ref_small(0), ref_small(1))};
  enum { COUNT = sizeof values / sizeof values[0] };
  ref_case good =
      ref_sign_with(ref_random_scalar(), ref_random_scalar(), ref_random_any());
  if (ref_compare(good.s, ref_half_n()) > 0) {
    good.s = ref_n_negate(good.s);
  }
  for (int f = 0; f < FORMAT_COUNT; f++) {
    sigmill_p256_format format = all_formats[f];
    size_t size = sigmill_p256_format_size(format), r_at = size == 65;
    for (int i = 0; i <= COUNT; i++) {
      for (int j = 0; j <= COUNT; j++) {
        uint8_t sig[96];
        ref_encode(sig, format, &good);
        if (i < COUNT) {
          memcpy(sig + r_at, values[i].be, 32);
        }
        if (j < COUNT) {
          memcpy(sig + size - 32, values[j].be, 32);
        }
        sigmill_status reason =
            expect_agreement(sig, format, good.digest, &good.key, "out of range");
        EXPECT((reason == SIGMILL_OK) == (i == COUNT && j == COUNT),
               "format %d, r %d, s %d", format, i, j);
      }
    }
  }
}

/* 6 and 6 + n are both x coordinates, so one r has four points, each with a key of its
 * own for the same s and digest. */
static void four_recovery_ids(void) {
  ref_num r = ref_small(6), s = ref_small(0x1234567), digest = ref_random_any();
  ref_case cases[4];
  for (int id = 0; id < 4; id++) {
    ref_point point;
    ref_num x = id >= 2 ? ref_plus(r, ref_n(), NULL) : r;
    if (!EXPECT(ref_lift(&point, x, id & 1), "no point for recovery id %d", id)) {
      return;
    }
    cases[id] = ref_forge(&point, s, digest);
  }
  for (int id = 0; id < 4; id++) {
    expect_agreement_everywhere(&cases[id], "four recovery ids");
    for (int named = 0; named < 4; named++) {
      uint8_t sig[65] = {(uint8_t)named};
      memcpy(sig + 1, r.be, 32);
      memcpy(sig + 33, s.be, 32);
      sigmill_status reason = expect_agreement(sig, SIGMILL_P256_RECOVERABLE65, digest,
                                               &cases[id].key, "named recovery id");
      EXPECT((reason == SIGMILL_OK) == (id == named), "key of %d, named %d", id, named);
    }
  }
}

/* Each of the 256 first bytes in the two forms that have one. */
static void first_bytes(void) {
  for (int odd = 0; odd < 2; odd++) {
    ref_point point = lift_from(ref_random_scalar(), odd);
    ref_case c = ref_forge(&point, ref_small(0x7654321), ref_random_any());
    for (int first = 0; first < 256; first++) {
      uint8_t sig[96];
      ref_encode(sig, SIGMILL_P256_RECOVERABLE65, &c);
      sig[0] = (uint8_t)first;
      sigmill_status reason = expect_agreement(sig, SIGMILL_P256_RECOVERABLE65, c.digest,
                                               &c.key, "first byte");
      EXPECT((reason == SIGMILL_OK) == (first == odd), "recovery id %d", first);
      ref_encode(sig, SIGMILL_P256_COMPRESSED_R65, &c);
      sig[0] = (uint8_t)first;
      reason = expect_agreement(sig, SIGMILL_P256_COMPRESSED_R65, c.digest, &c.key,
                                "first byte");
      EXPECT((reason == SIGMILL_OK) == (first == 2 + odd), "prefix %d", first);
    }
  }
}

/* r + n beyond p, or beyond 2^256, names no x: not the one that wraps around either. */
static void x_beyond_the_field(void) {
  ref_num wraps[2] = {ref_p(), ref_small(0)};
  for (int i = 0; i < 8; i++) {
    ref_num start = ref_random_any();
    memset(start.be, 0, 4); /* r = x - n + p or x - n + 2^256 is then below n */
    ref_point point = lift_from(start, i & 1);
    ref_num r = ref_plus(ref_minus(point.x, ref_n()), wraps[i / 4], NULL);
    ref_num s = ref_small(0x13579), digest = ref_random_any();
    ref_num inverse = ref_n_inverse(r);
    ref_num u1 = ref_n_negate(ref_n_mul(ref_n_reduce(digest), inverse));
    ref_point key = ref_mul2(u1, ref_n_mul(s, inverse), &point);
    uint8_t sig[65] = {(uint8_t)(2 + (i & 1))};
    memcpy(sig + 1, r.be, 32);
    memcpy(sig + 33, s.be, 32);
    EXPECT(ref_is_scalar(r), "the case is as built");
    EXPECT(expect_agreement(sig, SIGMILL_P256_RECOVERABLE65, digest, &key, "beyond") ==
               SIGMILL_ERR_SIG_POINT,
           "wrapped by %s", i / 4 == 0 ? "p" : "2^256");
    EXPECT(expect_agreement(sig + 1, SIGMILL_P256_SIG64, digest, &key, "beyond") ==
               SIGMILL_ERR_SIG_EQUATION,
           "without the hint");
    if (i < 4) { /* the same point by a name that is not canonical */
      uint8_t full[96];
      memcpy(full, ref_plus(point.x, ref_p(), NULL).be, 32);
      memcpy(full + 32, point.y.be, 32);
      memcpy(full + 64, s.be, 32);
      EXPECT(expect_agreement(full, SIGMILL_P256_FULL_R96, digest, &key, "beyond") ==
                 SIGMILL_ERR_SIG_POINT,
             "x + p of a full R");
      memcpy(sig + 1, full, 32);
      EXPECT(expect_agreement(sig, SIGMILL_P256_COMPRESSED_R65, digest, &key, "beyond") ==
                 SIGMILL_ERR_SIG_POINT,
             "x + p of a compressed R");
    }
  }
}

/* One bit and all bits of each byte, and one bit of each byte of the digest. */
static void tampering(void) {
  ref_case c = ref_sign_with(ref_random_scalar(), ref_random_scalar(), ref_random_any());
  if (ref_compare(c.s, ref_half_n()) > 0) {
    c.s = ref_n_negate(c.s);
  }
  for (int f = 0; f < FORMAT_COUNT; f++) {
    uint8_t sig[96];
    size_t size = sigmill_p256_format_size(all_formats[f]);
    ref_encode(sig, all_formats[f], &c);
    for (size_t at = 0; at < size; at++) {
      for (int i = 0; i < 2; i++) {
        uint8_t change = i == 0 ? (uint8_t)(1u << test_random_u64() % 8) : 0xff;
        sig[at] ^= change;
        EXPECT(expect_agreement(sig, all_formats[f], c.digest, &c.key, "tampered") !=
                   SIGMILL_OK,
               "format %d, byte %zu, change %02x", all_formats[f], at, change);
        sig[at] ^= change;
      }
    }
    for (size_t at = 0; at < 32; at++) {
      ref_num digest = c.digest;
      digest.be[at] ^= (uint8_t)(1u << test_random_u64() % 8);
      EXPECT(expect_agreement(sig, all_formats[f], digest, &c.key, "tampered digest") ==
                 SIGMILL_ERR_SIG_EQUATION,
             "format %d, digest byte %zu", all_formats[f], at);
    }
    EXPECT(expect_agreement(sig, all_formats[f], c.digest, &c.key, "restored") ==
               SIGMILL_OK,
           "format %d restored", all_formats[f]);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  RUN(rfc6979_known_answers);
  RUN(signs_as_the_reference);
  RUN(hedged_signatures_differ_and_verify);
  RUN(random_signatures_in_every_format);
  RUN(x_of_point_at_least_n);
  RUN(both_halves_equal);
  RUN(both_halves_cancel);
  RUN(recovery_to_infinity_is_refused);
  RUN(edge_digests);
  RUN(keys_with_extreme_x);
  RUN(x_of_point_zero);
  RUN(extreme_multipliers);
  RUN(short_r_and_s);
  RUN(s_at_its_limits);
  RUN(out_of_range);
  RUN(four_recovery_ids);
  RUN(first_bytes);
  RUN(x_beyond_the_field);
  RUN(tampering);
  ref_end();
  return test_end();
}
