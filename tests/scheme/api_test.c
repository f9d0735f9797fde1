/* The public calls beside verification: keys and their encodings, ECDH, DER, digests,
 * errors and their zero outputs, the machine. */
#include "agreement.h"
#include "harness.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---------------------------------------------------------------- keys */

static void bad_secrets_are_refused(void) {
  const ref_num secrets[] = {ref_small(0), ref_n(), ref_plus(ref_n(), ref_small(1), NULL),
                             ref_p(), ref_minus(ref_small(0), ref_small(1))};
  for (size_t i = 0; i < COUNT_OF(secrets); i++) {
    sigmill_p256_keypair pair;
    memset(&pair, 0xa5, sizeof pair);
    EXPECT(sigmill_p256_keypair_from_secret(&pair, secrets[i].be) ==
                   SIGMILL_ERR_KEY_SECRET &&
               test_all_zero(&pair, sizeof pair),
           "secret %zu", i);
  }
}

static void expect_key_pair(const sigmill_p256_keypair *pair, ref_num secret,
                            const char *what) {
  ref_point expected = ref_base(secret);
  sigmill_p256_pubkey key;
  uint8_t got[65], sec1[65], secret_again[32];
  sigmill_p256_keypair_public(&key, pair);
  sigmill_p256_pubkey_serialize65(got, &key);
  ref_sec1_65(sec1, &expected);
  EXPECT(memcmp(got, sec1, sizeof sec1) == 0, "%s: public half", what);
  sigmill_p256_pubkey_serialize33(got, &key);
  ref_sec1_33(sec1, &expected);
  EXPECT(memcmp(got, sec1, 33) == 0, "%s: compressed public half", what);
  sigmill_p256_keypair_secret(secret_again, pair);
  EXPECT(memcmp(secret_again, secret.be, 32) == 0, "%s: secret", what);
}

static void key_pairs_from_secrets(void) {
  for (uint64_t i = 1; i <= 20; i++) {
    sigmill_p256_keypair pair = ref_keypair(ref_small(i));
    expect_key_pair(&pair, ref_small(i), "small");
    ref_num secret = ref_minus(ref_n(), ref_small(i));
    pair = ref_keypair(secret);
    expect_key_pair(&pair, secret, "near n");
    secret = ref_random_scalar();
    pair = ref_keypair(secret);
    expect_key_pair(&pair, secret, "random");
  }
  for (int bit = 0; bit < 256; bit++) {
    ref_num secret = {{0}};
    secret.be[31 - bit / 8] = (uint8_t)(1 << bit % 8);
    sigmill_p256_keypair pair = ref_keypair(secret);
    expect_key_pair(&pair, secret, "one bit");
  }
}

static void generated_keys_work(void) {
  sigmill_p256_keypair first, second;
  EXPECT(sigmill_p256_keypair_generate(&first) == SIGMILL_OK, "first");
  EXPECT(sigmill_p256_keypair_generate(&second) == SIGMILL_OK, "second");
  uint8_t secrets[2][32];
  sigmill_p256_keypair_secret(secrets[0], &first);
  sigmill_p256_keypair_secret(secrets[1], &second);
  EXPECT(ref_is_scalar(ref_bytes(secrets[0])) && ref_is_scalar(ref_bytes(secrets[1])),
         "in range");
  EXPECT(memcmp(secrets[0], secrets[1], 32) != 0, "they differ");
  expect_key_pair(&first, ref_bytes(secrets[0]), "first");
  expect_key_pair(&second, ref_bytes(secrets[1]), "second");
  sigmill_p256_keypair_wipe(&first);
  EXPECT(test_all_zero(&first, sizeof first), "wiped");
}

/* Both parsers on one input: the statuses expected, and zero output on failure. */
static void expect_parse(const uint8_t *sec1, size_t len, sigmill_status strict,
                         sigmill_status hybrid, const char *what) {
  sigmill_p256_pubkey key;
  memset(&key, 0xa5, sizeof key);
  sigmill_status got = sigmill_p256_pubkey_parse(&key, sec1, len);
  EXPECT(got == strict, "%s: %d, not %d", what, got, strict);
  EXPECT((got == SIGMILL_OK) != test_all_zero(&key, sizeof key), "%s: output", what);
  memset(&key, 0xa5, sizeof key);
  got = sigmill_p256_pubkey_parse_hybrid(&key, sec1, len);
  EXPECT(got == hybrid, "%s, hybrid: %d, not %d", what, got, hybrid);
  EXPECT((got == SIGMILL_OK) != test_all_zero(&key, sizeof key), "%s, hybrid: output",
         what);
}

static void public_keys_are_parsed_and_written(void) {
  for (int i = 0; i < 40; i++) {
    ref_point point = ref_base(ref_random_scalar());
    uint8_t sec1[65], compressed[33], got[65];
    sigmill_p256_pubkey from65, from33;
    ref_sec1_65(sec1, &point);
    ref_sec1_33(compressed, &point);
    EXPECT(sigmill_p256_pubkey_parse(&from65, sec1, 65) == SIGMILL_OK, "65 bytes");
    EXPECT(sigmill_p256_pubkey_parse(&from33, compressed, 33) == SIGMILL_OK, "33 bytes");
    EXPECT(sigmill_p256_pubkey_equal(&from65, &from33), "they are equal");
    sigmill_p256_pubkey_serialize65(got, &from33);
    EXPECT(memcmp(got, sec1, 65) == 0, "decompressed");
    sigmill_p256_pubkey_serialize33(got, &from65);
    EXPECT(memcmp(got, compressed, 33) == 0, "compressed");
    sec1[0] = 6 | (point.y.be[31] & 1);
    expect_parse(sec1, 65, SIGMILL_ERR_KEY_PREFIX, SIGMILL_OK, "right hybrid");
    sec1[0] ^= 1;
    expect_parse(sec1, 65, SIGMILL_ERR_KEY_PREFIX, SIGMILL_ERR_KEY_POINT, "wrong hybrid");
  }
}

static void bad_public_keys_are_refused(void) {
  ref_point point = ref_base(ref_random_scalar());
  uint8_t good65[65], good33[33], sec1[66] = {0};
  ref_sec1_65(good65, &point);
  ref_sec1_33(good33, &point);
  memcpy(sec1, good65, 65);
  for (size_t len = 0; len <= 66; len++) {
    if (len != 33 && len != 65) {
      expect_parse(sec1, len, SIGMILL_ERR_KEY_LENGTH, SIGMILL_ERR_KEY_LENGTH, "length");
    }
  }
  for (int prefix = 0; prefix < 256; prefix++) {
    memcpy(sec1, good65, 65);
    sec1[0] = (uint8_t)prefix;
    if (prefix != 4 && prefix != 6 && prefix != 7) {
      expect_parse(sec1, 65, SIGMILL_ERR_KEY_PREFIX, SIGMILL_ERR_KEY_PREFIX, "prefix");
    }
    memcpy(sec1, good33, 33);
    sec1[0] = (uint8_t)prefix;
    if (prefix != 2 && prefix != 3) {
      expect_parse(sec1, 33, SIGMILL_ERR_KEY_PREFIX, SIGMILL_ERR_KEY_PREFIX, "prefix");
    }
  }
  const ref_num beyond[] = {ref_p(), ref_plus(ref_p(), ref_small(5), NULL),
                            ref_minus(ref_small(0), ref_small(1))};
  for (size_t i = 0; i < COUNT_OF(beyond); i++) {
    memcpy(sec1, good65, 65);
    memcpy(sec1 + 1, beyond[i].be, 32);
    expect_parse(sec1, 65, SIGMILL_ERR_KEY_RANGE, SIGMILL_ERR_KEY_RANGE, "x of 65");
    sec1[0] = 2;
    expect_parse(sec1, 33, SIGMILL_ERR_KEY_RANGE, SIGMILL_ERR_KEY_RANGE, "x of 33");
    memcpy(sec1, good65, 65);
    memcpy(sec1 + 33, beyond[i].be, 32);
    expect_parse(sec1, 65, SIGMILL_ERR_KEY_RANGE, SIGMILL_ERR_KEY_RANGE, "y of 65");
  }
  for (size_t bit = 0; bit < 512; bit++) {
    memcpy(sec1, good65, 65);
    sec1[1 + bit / 8] ^= (uint8_t)(1 << bit % 8);
    bool in_range = ref_compare(ref_bytes(sec1 + 1), ref_p()) < 0 &&
                    ref_compare(ref_bytes(sec1 + 33), ref_p()) < 0;
    sigmill_status expected = in_range ? SIGMILL_ERR_KEY_POINT : SIGMILL_ERR_KEY_RANGE;
    expect_parse(sec1, 65, expected, expected, "one bit off the curve");
  }
  memset(sec1, 0, sizeof sec1);
  sec1[0] = 4;
  expect_parse(sec1, 65, SIGMILL_ERR_KEY_POINT, SIGMILL_ERR_KEY_POINT, "(0, 0)");
  uint64_t without_point = 0;
  for (uint64_t x = 0; x < 64; x++) {
    ref_point lifted;
    bool exists = ref_lift(&lifted, ref_small(x), false);
    without_point += !exists;
    sec1[0] = 2 | (x & 1);
    memcpy(sec1 + 1, ref_small(x).be, 32);
    sigmill_status expected = exists ? SIGMILL_OK : SIGMILL_ERR_KEY_POINT;
    expect_parse(sec1, 33, expected, expected, "small x");
  }
  EXPECT(without_point > 20 && without_point < 44, "half of all x have no point");
}

static void equality_of_keys(void) {
  ref_num secret = ref_random_scalar();
  ref_point point = ref_base(secret), other = ref_negate(&point);
  sigmill_p256_pubkey a = ref_pubkey(&point), b = ref_pubkey(&point);
  sigmill_p256_pubkey c = ref_pubkey(&other), unset;
  memset(&unset, 0, sizeof unset);
  EXPECT(sigmill_p256_pubkey_equal(&a, &b), "the same point");
  EXPECT(!sigmill_p256_pubkey_equal(&a, &c), "its negative");
  EXPECT(!sigmill_p256_pubkey_equal(&a, &unset), "one unset");
  EXPECT(!sigmill_p256_pubkey_equal(&unset, &unset), "both unset");
}

static void unset_keys_do_nothing(void) {
  sigmill_p256_pubkey key, peer, out_key;
  sigmill_p256_keypair pair, good = ref_keypair(ref_small(3));
  uint8_t sig[96] = {0}, digest[64] = {0}, out[96];
  memset(&key, 0, sizeof key);
  memset(&pair, 0, sizeof pair);
  sigmill_p256_keypair_public(&peer, &good);

  for (int f = 0; f < FORMAT_COUNT; f++) {
    EXPECT(!sigmill_p256_verify_as(sig, all_formats[f], digest, &key), "verify_as");
    EXPECT(sigmill_p256_explain(sig, all_formats[f], digest, &key) ==
               SIGMILL_ERR_KEY_UNSET,
           "the key comes before the signature's rules");
  }
  EXPECT(!sigmill_p256_verify(sig, digest, &key), "verify");
  memset(out, 0xa5, sizeof out);
  EXPECT(sigmill_p256_sign(out, digest, &pair) == SIGMILL_ERR_KEY_UNSET &&
             test_all_zero(out, 64),
         "sign");
  for (int hash = SIGMILL_SHA256; hash <= SIGMILL_SHA512; hash++) {
    memset(out, 0xa5, sizeof out);
    EXPECT(sigmill_p256_sign_digest(out, digest, (sigmill_hash_id)hash, &pair) ==
                   SIGMILL_ERR_KEY_UNSET &&
               test_all_zero(out, 64),
           "sign_digest");
  }
  memset(out, 0xa5, sizeof out);
  EXPECT(sigmill_p256_sign_hedged(out, digest, &pair, NULL) == SIGMILL_ERR_KEY_UNSET &&
             test_all_zero(out, 64),
         "sign_hedged");
  memset(out, 0xa5, sizeof out);
  EXPECT(sigmill_p256_sign_recoverable(out, digest, &pair) == SIGMILL_ERR_KEY_UNSET &&
             test_all_zero(out, 65),
         "sign_recoverable");
  for (int i = 0; i < 3; i++) {
    memset(out, 0xa5, sizeof out);
    EXPECT(sigmill_p256_hint(out, hinted_formats[i], sig, digest, &key) ==
                   SIGMILL_ERR_KEY_UNSET &&
               test_all_zero(out, sigmill_p256_format_size(hinted_formats[i])),
           "hint");
  }
  memset(out, 0xa5, sizeof out);
  EXPECT(sigmill_p256_ecdh(out, &pair, &peer) == SIGMILL_ERR_KEY_UNSET &&
             test_all_zero(out, 32),
         "ecdh without a secret");
  memset(out, 0xa5, sizeof out);
  EXPECT(sigmill_p256_ecdh(out, &good, &key) == SIGMILL_ERR_KEY_UNSET &&
             test_all_zero(out, 32),
         "ecdh without a peer");
  memset(out, 0xa5, sizeof out);
  sigmill_p256_pubkey_serialize33(out, &key);
  EXPECT(test_all_zero(out, 33), "serialize33");
  memset(out, 0xa5, sizeof out);
  sigmill_p256_pubkey_serialize65(out, &key);
  EXPECT(test_all_zero(out, 65), "serialize65");
  memset(out, 0xa5, sizeof out);
  sigmill_p256_keypair_secret(out, &pair);
  EXPECT(test_all_zero(out, 32), "keypair_secret");
  memset(&out_key, 0xa5, sizeof out_key);
  sigmill_p256_keypair_public(&out_key, &pair);
  EXPECT(test_all_zero(&out_key, sizeof out_key), "keypair_public");
}

/* ---------------------------------------------------------------- formats and arguments
 */

static void unknown_formats_verify_nothing(void) {
  ref_case c = ref_sign_with(ref_random_scalar(), ref_random_scalar(), ref_random_any());
  sigmill_p256_pubkey key = ref_pubkey(&c.key);
  sigmill_verifier *verifier;
  uint8_t sig[96] = {0}, out[96], key33[33];
  ref_sig64(sig, &c);
  ref_sec1_33(key33, &c.key);
  if (!EXPECT(sigmill_verifier_create(&verifier, NULL) == SIGMILL_OK, "no verifier")) {
    return;
  }
  static const int numbers[] = {0, 6, 7, 99, 255};
  for (size_t i = 0; i < COUNT_OF(numbers); i++) {
    sigmill_p256_format format = (sigmill_p256_format)numbers[i];
    EXPECT(sigmill_p256_format_size(format) == 0, "size of %d", numbers[i]);
    EXPECT(!sigmill_p256_verify_as(sig, format, c.digest.be, &key), "%d", numbers[i]);
    EXPECT(sigmill_p256_explain(sig, format, c.digest.be, &key) == SIGMILL_ERR_ARGUMENT,
           "explanation of %d", numbers[i]);
    EXPECT(sigmill_p256_hint(out, format, sig, c.digest.be, &key) == SIGMILL_ERR_ARGUMENT,
           "hint to %d", numbers[i]);
    sigmill_p256_item items[2] = {{sig, c.digest.be, &key, SIGMILL_P256_SIG64},
                                  {sig, c.digest.be, &key, format}};
    uint8_t verdicts[2] = {0xa5, 0xa5};
    EXPECT(!sigmill_p256_verify_batch(verifier, verdicts, items, 2) && verdicts[0] == 1 &&
               verdicts[1] == 0,
           "batch with %d", numbers[i]);
    verdicts[0] = 0xa5;
    EXPECT(!sigmill_p256_verify_columns(verifier, verdicts, sig, format, c.digest.be,
                                        key33, 1) &&
               verdicts[0] == 0,
           "columns of %d", numbers[i]);
  }
  sigmill_verifier_destroy(verifier);
  EXPECT(sigmill_p256_format_size(SIGMILL_P256_SIG64) == 64 &&
             sigmill_p256_format_size(SIGMILL_P256_SIG64_LOW_S) == 64 &&
             sigmill_p256_format_size(SIGMILL_P256_RECOVERABLE65) == 65 &&
             sigmill_p256_format_size(SIGMILL_P256_COMPRESSED_R65) == 65 &&
             sigmill_p256_format_size(SIGMILL_P256_FULL_R96) == 96,
         "sizes of the formats");
  EXPECT(sigmill_p256_hint(out, SIGMILL_P256_SIG64, sig, c.digest.be, &key) ==
             SIGMILL_ERR_ARGUMENT,
         "no hint stands in 64 bytes");
  EXPECT(sigmill_p256_hint(out, SIGMILL_P256_SIG64_LOW_S, sig, c.digest.be, &key) ==
             SIGMILL_ERR_ARGUMENT,
         "nor in 64 bytes with low s");
}

static void unknown_hashes_are_refused(void) {
  sigmill_p256_keypair pair = ref_keypair(ref_small(5));
  uint8_t digest[64] = {1}, sig[64];
  static const int numbers[] = {0, 4, 99};
  for (size_t i = 0; i < COUNT_OF(numbers); i++) {
    sigmill_hash hash;
    memset(sig, 0xa5, sizeof sig);
    memset(&hash, 0xa5, sizeof hash);
    EXPECT(sigmill_p256_sign_digest(sig, digest, (sigmill_hash_id)numbers[i], &pair) ==
                   SIGMILL_ERR_ARGUMENT &&
               test_all_zero(sig, sizeof sig),
           "sign_digest with %d", numbers[i]);
    EXPECT(sigmill_hash_init(&hash, (sigmill_hash_id)numbers[i]) ==
                   SIGMILL_ERR_ARGUMENT &&
               test_all_zero(&hash, sizeof hash),
           "hash_init of %d", numbers[i]);
  }
}

static void a_hash_not_started_gives_nothing(void) {
  for (int fill = 0; fill < 256; fill += 85) {
    sigmill_hash hash;
    uint8_t out[64], before[64];
    memset(&hash, fill, sizeof hash);
    memset(out, 0x5a, sizeof out);
    memcpy(before, out, sizeof out);
    sigmill_hash_update(&hash, "abc", 3);
    EXPECT(sigmill_hash_final(out, &hash) == 0, "filled with %d", fill);
    EXPECT(memcmp(out, before, sizeof out) == 0, "out is left alone");
  }
}

static void a_hash_can_be_copied(void) {
  sigmill_hash prefix, rest;
  uint8_t whole[32], parts[64];
  EXPECT(sigmill_hash_init(&prefix, SIGMILL_SHA256) == SIGMILL_OK, "init");
  sigmill_hash_update(&prefix, "a common prefix, ", 17);
  for (int i = 0; i < 2; i++) {
    rest = prefix;
    sigmill_hash_update(&rest, NULL, 0);
    sigmill_hash_update(&rest, i == 0 ? "one" : "two", 3);
    EXPECT(sigmill_hash_final(parts, &rest) == 32 && test_all_zero(&rest, sizeof rest),
           "final");
    sigmill_sha256(whole, i == 0 ? "a common prefix, one" : "a common prefix, two", 20);
    EXPECT(memcmp(whole, parts, 32) == 0, "tail %d", i);
  }
}

static void digests_of_every_length(void) {
  uint8_t digest[64], got[32], expected[32];
  test_random_bytes(digest, sizeof digest);
  digest[0] |= 0x80;
  for (size_t len = 0; len <= sizeof digest; len++) {
    BIGNUM *value = BN_bin2bn(digest, (int)len, NULL);
    if (len > 32) {
      BN_rshift(value, value, (int)(8 * (len - 32)));
    }
    EXPECT(BN_bn2binpad(value, expected, 32) == 32, "it fits 256 bits");
    BN_free(value);
    memset(got, 0xa5, sizeof got);
    sigmill_p256_digest32(got, digest, len);
    EXPECT(memcmp(got, expected, sizeof got) == 0, "digest of %zu bytes", len);
  }
}

/* ---------------------------------------------------------------- encodings of
 * signatures */

/* libcrypto's DER of r and s. */
static size_t libcrypto_der(uint8_t out[SIGMILL_P256_DER_MAX], const uint8_t sig[64]) {
  ECDSA_SIG *parts = ECDSA_SIG_new();
  uint8_t *at = out;
  int len = -1;
  if (ECDSA_SIG_set0(parts, BN_bin2bn(sig, 32, NULL), BN_bin2bn(sig + 32, 32, NULL)) ==
      1) {
    len = i2d_ECDSA_SIG(parts, &at);
  }
  ECDSA_SIG_free(parts);
  return len > 0 ? (size_t)len : 0;
}

static void der_is_libcryptos(void) {
  for (size_t r_len = 0; r_len <= 32; r_len++) {
    for (size_t s_len = 0; s_len <= 32; s_len++) {
      uint8_t sig[64], back[64], expected[SIGMILL_P256_DER_MAX] = {0},
                                 der[SIGMILL_P256_DER_MAX];
      test_random_bytes(sig, sizeof sig);
      memset(sig, 0, 32 - r_len);
      memset(sig + 32, 0, 32 - s_len);
      size_t expected_len = libcrypto_der(expected, sig);
      memset(der, 0xa5, sizeof der);
      size_t len = sigmill_p256_sig_to_der(der, sig);
      EXPECT(len == expected_len && memcmp(der, expected, sizeof der) == 0,
             "to DER, %zu and %zu bytes", r_len, s_len);
      ref_num r = ref_bytes(sig), s = ref_bytes(sig + 32);
      sigmill_status reason = !ref_is_scalar(r)   ? SIGMILL_ERR_SIG_R
                              : !ref_is_scalar(s) ? SIGMILL_ERR_SIG_S
                                                  : SIGMILL_OK;
      memset(back, 0xa5, sizeof back);
      EXPECT(sigmill_p256_sig_from_der(back, expected, expected_len) == reason,
             "from DER, %zu and %zu bytes", r_len, s_len);
      EXPECT(reason == SIGMILL_OK ? memcmp(back, sig, sizeof sig) == 0
                                  : test_all_zero(back, sizeof back),
             "what DER gives, %zu and %zu bytes", r_len, s_len);
    }
  }
}

/* r and s are written as they are, whatever their range. */
static void der_of_numbers_out_of_range(void) {
  const ref_num values[] = {ref_small(0), ref_n(), ref_p(),
                            ref_minus(ref_small(0), ref_small(1))};
  for (size_t i = 0; i < COUNT_OF(values); i++) {
    uint8_t sig[64], back[64], expected[SIGMILL_P256_DER_MAX] = {0},
                               der[SIGMILL_P256_DER_MAX];
    memcpy(sig, ref_small(77).be, 32);
    memcpy(sig + 32, values[i].be, 32);
    size_t len = libcrypto_der(expected, sig);
    EXPECT(sigmill_p256_sig_to_der(der, sig) == len && memcmp(der, expected, len) == 0,
           "value %zu", i);
    memset(back, 0xa5, sizeof back);
    EXPECT(sigmill_p256_sig_from_der(back, der, len) == SIGMILL_ERR_SIG_S &&
               test_all_zero(back, sizeof back),
           "value %zu from DER", i);
  }
}

static void normalizing(void) {
  const ref_num values[] = {ref_small(1),
                            ref_half_n(),
                            ref_plus(ref_half_n(), ref_small(1), NULL),
                            ref_minus(ref_n(), ref_small(1)),
                            ref_random_scalar(),
                            ref_random_scalar(),
                            ref_random_scalar()};
  for (size_t i = 0; i < COUNT_OF(values); i++) {
    bool high = ref_compare(values[i], ref_half_n()) > 0;
    ref_num low = high ? ref_n_negate(values[i]) : values[i], r = ref_random_scalar();
    uint8_t sig[64];
    memcpy(sig, r.be, 32);
    memcpy(sig + 32, values[i].be, 32);
    EXPECT(sigmill_p256_sig_normalize(sig) == high, "value %zu", i);
    EXPECT(memcmp(sig, r.be, 32) == 0 && memcmp(sig + 32, low.be, 32) == 0,
           "value %zu made low", i);
    EXPECT(!sigmill_p256_sig_normalize(sig), "value %zu again", i);
  }
  const ref_num outside[] = {ref_small(0), ref_n(), ref_p(),
                             ref_minus(ref_small(0), ref_small(1))};
  for (size_t i = 0; i < COUNT_OF(outside); i++) {
    uint8_t sig[64], before[64];
    memcpy(sig, ref_small(1).be, 32);
    memcpy(sig + 32, outside[i].be, 32);
    memcpy(before, sig, sizeof sig);
    EXPECT(!sigmill_p256_sig_normalize(sig) && memcmp(sig, before, sizeof sig) == 0,
           "s out of range, %zu", i);
    memcpy(sig, outside[i].be, 32);
    memcpy(sig + 32, ref_minus(ref_n(), ref_small(1)).be, 32);
    memcpy(before, sig, sizeof sig);
    EXPECT(!sigmill_p256_sig_normalize(sig) && memcmp(sig, before, sizeof sig) == 0,
           "r out of range, %zu", i);
  }
}

/* ---------------------------------------------------------------- ECDH */

static void evp_derive(uint8_t out[32], ref_num secret, const ref_point *own,
                       const ref_point *peer) {
  EVP_PKEY *key = ref_evp_key(&secret, own), *other = ref_evp_key(NULL, peer);
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
  size_t len = 32;
  EXPECT(EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, other) == 1 &&
             EVP_PKEY_derive(ctx, out, &len) == 1 && len == 32,
         "libcrypto's derivation");
  EVP_PKEY_CTX_free(ctx);
  EVP_PKEY_free(key);
  EVP_PKEY_free(other);
}

static void shared_secrets(void) {
  for (int i = 0; i < 60; i++) {
    ref_num a = i < 8    ? ref_small((uint64_t)i + 1)
                : i < 16 ? ref_minus(ref_n(), ref_small((uint64_t)i - 7))
                         : ref_random_scalar();
    ref_num b = ref_random_scalar();
    ref_point point_a = ref_base(a), point_b = ref_base(b);
    if (i % 5 == 4) { /* a key with x = 0, whose secret nobody knows */
      EXPECT(ref_lift(&point_b, ref_small(0), i & 1), "x = 0");
    }
    sigmill_p256_keypair pair_a = ref_keypair(a), pair_b = ref_keypair(b);
    sigmill_p256_pubkey key_a = ref_pubkey(&point_a), key_b = ref_pubkey(&point_b);
    ref_point expected = ref_mul2(ref_small(0), a, &point_b);
    uint8_t ours[32], theirs[32], evp[32];
    EXPECT(sigmill_p256_ecdh(ours, &pair_a, &key_b) == SIGMILL_OK, "ours");
    EXPECT(memcmp(ours, expected.x.be, 32) == 0, "pair %d: a*B", i);
    if (i % 5 != 4) {
      EXPECT(sigmill_p256_ecdh(theirs, &pair_b, &key_a) == SIGMILL_OK, "theirs");
      EXPECT(memcmp(ours, theirs, 32) == 0, "pair %d: both sides", i);
      evp_derive(evp, a, &point_a, &point_b);
      EXPECT(memcmp(ours, evp, 32) == 0, "pair %d: libcrypto", i);
    }
  }
}

/* ---------------------------------------------------------------- the machine */

static void the_machine(void) {
  EXPECT(strcmp(sigmill_version(), "0.1.0") == 0, "version %s", sigmill_version());
  const char *used = sigmill_backend_name(), *name;
  bool found = false, portable = false;
  for (size_t i = 0; (name = sigmill_backend_list(i, NULL)) != NULL && i < 99; i++) {
    bool usable = false, is_used = strcmp(name, used) == 0;
    EXPECT(sigmill_backend_list(i, &usable) == name, "the list is constant");
    found |= is_used && usable;
    portable |= strcmp(name, "portable32") == 0 && usable;
    EXPECT(sigmill_backend_select(name) == (is_used ? SIGMILL_OK : SIGMILL_ERR_BACKEND),
           "selecting %s after %s was settled", name, used);
  }
  EXPECT(found, "the backend in use is listed and usable");
  EXPECT(sigmill_backend_note() == NULL, "a note: %s", sigmill_backend_note());
  EXPECT(portable, "the 32-bit body runs everywhere");
  EXPECT(sigmill_backend_select("no such backend") == SIGMILL_ERR_BACKEND,
         "unknown name");
  EXPECT(strcmp(sigmill_backend_name(), used) == 0, "the choice stays");
  const char *failed = NULL;
  EXPECT(sigmill_selftest(&failed), "selftest: %s", failed != NULL ? failed : "(none)");
  EXPECT(sigmill_selftest(NULL), "selftest without a place for the name");
}

static void every_status_has_a_sentence(void) {
  static const int last = SIGMILL_ERR_ENCRYPTED;
  const char *unknown = sigmill_strerror((sigmill_status)250);
  EXPECT(unknown != NULL && strlen(unknown) > 0, "an unknown status has one too");
  for (int i = 0; i <= last; i++) {
    const char *text = sigmill_strerror((sigmill_status)i);
    if (!EXPECT(text != NULL && strlen(text) > 0, "status %d", i)) {
      continue;
    }
    bool known = i <= 4 || (i >= 10 && i <= 16) || (i >= 20 && i <= 26) || i >= 30;
    EXPECT(known == (strcmp(text, unknown) != 0), "status %d: %s", i, text);
    EXPECT(text[strlen(text) - 1] != '.', "status %d ends with a full stop", i);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  RUN(bad_secrets_are_refused);
  RUN(key_pairs_from_secrets);
  RUN(generated_keys_work);
  RUN(public_keys_are_parsed_and_written);
  RUN(bad_public_keys_are_refused);
  RUN(equality_of_keys);
  RUN(unset_keys_do_nothing);
  RUN(unknown_formats_verify_nothing);
  RUN(unknown_hashes_are_refused);
  RUN(a_hash_not_started_gives_nothing);
  RUN(a_hash_can_be_copied);
  RUN(digests_of_every_length);
  RUN(der_is_libcryptos);
  RUN(der_of_numbers_out_of_range);
  RUN(normalizing);
  RUN(shared_secrets);
  RUN(the_machine);
  RUN(every_status_has_a_sentence);
  ref_end();
  return test_end();
}
