/* The table of `sigmill speed`: each row is an operation of this library, and the test
 * that its answers must pass before it is timed.  To add a row, write its operation and
 * its test (or use one that is here) and add a line to the table at the end; to time a
 * peer beside it, add a line with the row's name to that peer's adapter. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "speed_batch.h"

#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
#include <string.h>

static const speed_item *item_of(const speed_call *call, size_t i) {
  return &call->in->items[i];
}

/* ---------------------------------------------------------------- right answers */

/* A yes/no question: yes for good items, no for spoilt ones. */
static bool right_verdict(const speed_call *call, size_t i, bool said_yes,
                          const uint8_t *answer) {
  (void)answer;
  return said_yes == (i < call->in->good);
}

/* The answer is the item's public key. */
static bool right_key(const speed_call *call, size_t i, bool said_yes,
                      const uint8_t *answer) {
  return said_yes == (i < call->in->good) &&
         (!said_yes || memcmp(answer, item_of(call, i)->pub65, 65) == 0);
}

/* A key recovered for another message is some key, but not this one. */
static bool right_recovered(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer) {
  bool same = said_yes && memcmp(answer, item_of(call, i)->pub65, 65) == 0;
  return same == (i < call->in->good);
}

static bool right_shared(const speed_call *call, size_t i, bool said_yes,
                         const uint8_t *answer) {
  return said_yes && memcmp(answer, item_of(call, i)->shared, 32) == 0;
}

/* The answer is r || s: libcrypto must accept it. */
static bool right_signature(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer) {
  return said_yes && speed_libcrypto_accepts(item_of(call, i), answer);
}

/* The answer is a secret and a public key: libcrypto must find them to belong together.
 */
static bool right_pair(const speed_call *call, size_t i, bool said_yes,
                       const uint8_t *answer) {
  (void)call;
  (void)i;
  const uint8_t *point = answer + 32;
  EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
  BIGNUM *secret = BN_bin2bn(answer, 32, NULL);
  bool ok = said_yes && key != NULL && secret != NULL &&
            o2i_ECPublicKey(&key, &point, 65) != NULL &&
            EC_KEY_set_private_key(key, secret) == 1 && EC_KEY_check_key(key) == 1;
  BN_free(secret);
  EC_KEY_free(key);
  return ok;
}

static bool right_recoverable(const speed_call *call, size_t i, bool said_yes,
                              const uint8_t *answer) {
  return said_yes == (i < call->in->good) &&
         (!said_yes || memcmp(answer, item_of(call, i)->recoverable65, 65) == 0);
}

static bool right_compressed_r(const speed_call *call, size_t i, bool said_yes,
                               const uint8_t *answer) {
  return said_yes == (i < call->in->good) &&
         (!said_yes || memcmp(answer, item_of(call, i)->compressed_r65, 65) == 0);
}

static bool right_full_r(const speed_call *call, size_t i, bool said_yes,
                         const uint8_t *answer) {
  return said_yes == (i < call->in->good) &&
         (!said_yes || memcmp(answer, item_of(call, i)->full_r96, 96) == 0);
}

static bool right_sha256(const speed_call *call, size_t i, bool said_yes,
                         const uint8_t *answer) {
  uint8_t wanted[32];
  SHA256(call->in->blob + i, call->size, wanted);
  return said_yes && memcmp(answer, wanted, 32) == 0;
}

static bool right_sha512(const speed_call *call, size_t i, bool said_yes,
                         const uint8_t *answer) {
  uint8_t wanted[64];
  SHA512(call->in->blob + i, call->size, wanted);
  return said_yes && memcmp(answer, wanted, 64) == 0;
}

/* ---------------------------------------------------------------- our operations */

static bool run_verify(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_item *item = item_of(call, i);
  return sigmill_p256_verify(item->sig64, item->digest, &item->key);
}

/* Signatures by one key, those of spoilt items beside another message. */
static bool run_verify_prepared(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_set *set = &call->in->sets[SPEED_ONE_KEY];
  const speed_item *item = &set->items[i % SPEED_CYCLE];
  return sigmill_p256_prepared_verify(
      item->sig64, i < call->in->good ? item->digest : item_of(call, i)->digest,
      set->prepared);
}

static bool run_verify_bytes(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_item *item = item_of(call, i);
  sigmill_p256_pubkey key;
  uint8_t sig[64], digest[32];
  if (sigmill_p256_pubkey_parse(&key, item->pub33, 33) != SIGMILL_OK ||
      sigmill_p256_sig_from_der(sig, item->der, item->der_len) != SIGMILL_OK) {
    return false;
  }
  sigmill_sha256(digest, item->message, SPEED_MESSAGE_SIZE);
  return sigmill_p256_verify(sig, digest, &key);
}

static bool run_verify_full_r(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_item *item = item_of(call, i);
  return sigmill_p256_verify_as(item->full_r96, SIGMILL_P256_FULL_R96, item->digest,
                                &item->key);
}

static bool run_verify_recoverable(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_item *item = item_of(call, i);
  return sigmill_p256_verify_as(item->recoverable65, SIGMILL_P256_RECOVERABLE65,
                                item->digest, &item->key);
}

static bool run_verify_compressed_r(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_item *item = item_of(call, i);
  return sigmill_p256_verify_as(item->compressed_r65, SIGMILL_P256_COMPRESSED_R65,
                                item->digest, &item->key);
}

static bool run_recover(const speed_call *call, size_t i, uint8_t *answer) {
  const speed_item *item = item_of(call, i);
  sigmill_p256_pubkey key;
  bool ok = sigmill_p256_recover(&key, item->recoverable65, item->digest) == SIGMILL_OK;
  if (answer != NULL) {
    sigmill_p256_pubkey_serialize65(answer, &key);
  }
  return ok;
}

static bool hint_as(sigmill_p256_format format, const speed_call *call, size_t i,
                    uint8_t *answer) {
  const speed_item *item = item_of(call, i);
  uint8_t out[96];
  bool ok =
      sigmill_p256_hint(out, format, item->sig64, item->digest, &item->key) == SIGMILL_OK;
  if (answer != NULL) {
    memcpy(answer, out, sigmill_p256_format_size(format));
  }
  return ok;
}

static bool run_hint_recoverable(const speed_call *call, size_t i, uint8_t *answer) {
  return hint_as(SIGMILL_P256_RECOVERABLE65, call, i, answer);
}

static bool run_hint_compressed_r(const speed_call *call, size_t i, uint8_t *answer) {
  return hint_as(SIGMILL_P256_COMPRESSED_R65, call, i, answer);
}

static bool run_hint_full_r(const speed_call *call, size_t i, uint8_t *answer) {
  return hint_as(SIGMILL_P256_FULL_R96, call, i, answer);
}

static bool run_sign(const speed_call *call, size_t i, uint8_t *answer) {
  const speed_item *item = item_of(call, i);
  uint8_t sig[64];
  bool ok = sigmill_p256_sign(sig, item->digest, &item->pair) == SIGMILL_OK;
  if (answer != NULL) {
    memcpy(answer, sig, 64);
  }
  return ok;
}

static bool run_keygen(const speed_call *call, size_t i, uint8_t *answer) {
  (void)call;
  (void)i;
  sigmill_p256_keypair pair;
  bool ok = sigmill_p256_keypair_generate(&pair) == SIGMILL_OK;
  if (answer != NULL) {
    sigmill_p256_pubkey key;
    sigmill_p256_keypair_public(&key, &pair);
    sigmill_p256_keypair_secret(answer, &pair);
    sigmill_p256_pubkey_serialize65(answer + 32, &key);
  }
  return ok;
}

static bool run_keygen_secret(const speed_call *call, size_t i, uint8_t *answer) {
  sigmill_p256_keypair pair;
  bool ok =
      sigmill_p256_keypair_from_secret(&pair, item_of(call, i)->secret) == SIGMILL_OK;
  if (answer != NULL) {
    sigmill_p256_pubkey key;
    sigmill_p256_keypair_public(&key, &pair);
    sigmill_p256_pubkey_serialize65(answer, &key);
  }
  return ok;
}

static bool run_ecdh(const speed_call *call, size_t i, uint8_t *answer) {
  uint8_t shared[32];
  const speed_item *next = item_of(call, speed_next(i, call->in->good));
  bool ok = sigmill_p256_ecdh(shared, &item_of(call, i)->pair, &next->key) == SIGMILL_OK;
  if (answer != NULL) {
    memcpy(answer, shared, 32);
  }
  return ok;
}

static bool parse(const uint8_t *sec1, size_t len, uint8_t *answer) {
  sigmill_p256_pubkey key;
  bool ok = sigmill_p256_pubkey_parse(&key, sec1, len) == SIGMILL_OK;
  if (answer != NULL) {
    sigmill_p256_pubkey_serialize65(answer, &key);
  }
  return ok;
}

static bool run_parse33(const speed_call *call, size_t i, uint8_t *answer) {
  return parse(item_of(call, i)->parse33, 33, answer);
}

static bool run_parse65(const speed_call *call, size_t i, uint8_t *answer) {
  return parse(item_of(call, i)->parse65, 65, answer);
}

static bool run_sha256(const speed_call *call, size_t i, uint8_t *answer) {
  uint8_t digest[32];
  sigmill_sha256(digest, call->in->blob + i, call->size);
  if (answer != NULL) {
    memcpy(answer, digest, 32);
  }
  return true;
}

static bool run_sha512(const speed_call *call, size_t i, uint8_t *answer) {
  sigmill_hash hash;
  uint8_t digest[64];
  if (sigmill_hash_init(&hash, SIGMILL_SHA512) != SIGMILL_OK) {
    return false;
  }
  sigmill_hash_update(&hash, call->in->blob + i, call->size);
  sigmill_hash_final(digest, &hash);
  if (answer != NULL) {
    memcpy(answer, digest, 64);
  }
  return true;
}

/* ---------------------------------------------------------------- the table */

const speed_row speed_rows[] = {
    {.name = "p256-verify",
     .what = "64-byte signature, digest ready, key parsed",
     .ours = run_verify,
     .right = right_verdict,
     .spoilt = true},
    {.name = "p256-verify-prepared",
     .what = "the same, all by one key, which is prepared",
     .ours = run_verify_prepared,
     .right = right_verdict,
     .spoilt = true,
     .beside = "p256-verify",
     .mix = SPEED_ONE_KEY},
    {.name = "p256-verify-bytes",
     .what = "33-byte key, DER signature and 200-byte message, all from bytes",
     .ours = run_verify_bytes,
     .right = right_verdict,
     .spoilt = true},
    {.name = "p256-verify-full-r96",
     .what = "96-byte signature that carries R",
     .ours = run_verify_full_r,
     .right = right_verdict,
     .spoilt = true,
     .beside = "p256-verify"},
    {.name = "p256-verify-recoverable65",
     .what = "65-byte signature with a recovery id",
     .ours = run_verify_recoverable,
     .right = right_verdict,
     .spoilt = true,
     .beside = "p256-verify"},
    {.name = "p256-verify-compressed-r65",
     .what = "65-byte signature that carries R compressed",
     .ours = run_verify_compressed_r,
     .right = right_verdict,
     .spoilt = true,
     .beside = "p256-verify"},
    {.name = "p256-recover",
     .what = "the key, from a 65-byte signature with a recovery id",
     .ours = run_recover,
     .right = right_recovered,
     .spoilt = true,
     .beside = "p256-verify"},
    {.name = "p256-hint-recoverable65",
     .what = "64-byte signature to 65 bytes with a recovery id",
     .ours = run_hint_recoverable,
     .right = right_recoverable,
     .spoilt = true,
     .beside = "p256-verify"},
    {.name = "p256-hint-compressed-r65",
     .what = "64-byte signature to 65 bytes with R compressed",
     .ours = run_hint_compressed_r,
     .right = right_compressed_r,
     .spoilt = true,
     .beside = "p256-verify"},
    {.name = "p256-hint-full-r96",
     .what = "64-byte signature to 96 bytes with R",
     .ours = run_hint_full_r,
     .right = right_full_r,
     .spoilt = true,
     .beside = "p256-verify"},
    {.name = "p256-sign",
     .what = "64-byte signature of a digest, nonce by RFC 6979",
     .ours = run_sign,
     .right = right_signature},
    {.name = "p256-keygen",
     .what = "key pair from the operating system's randomness",
     .ours = run_keygen,
     .right = right_pair},
    {.name = "p256-keygen-secret",
     .what = "key pair from a given secret",
     .ours = run_keygen_secret,
     .right = right_key},
    {.name = "p256-keygen-object",
     .what = "the same; the peer makes a key object for each key",
     .ours = run_keygen_secret,
     .right = right_key},
    {.name = "p256-ecdh",
     .what = "shared secret, both keys parsed",
     .ours = run_ecdh,
     .right = right_shared},
    {.name = "p256-parse33",
     .what = "compressed key, 33 bytes, to a checked point",
     .ours = run_parse33,
     .right = right_key,
     .spoilt = true},
    {.name = "p256-parse65",
     .what = "uncompressed key, 65 bytes, to a checked point",
     .ours = run_parse65,
     .right = right_key,
     .spoilt = true},
    {.name = "p256-verify-batch",
     .what = "64-byte signatures in one call, every key another; time per signature",
     .ours = speed_run_verify_batch,
     .right = speed_right_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {1, 2, 8, 9, 15, 17, 1000, 1003},
     .beside = "p256-verify",
     .format = SIGMILL_P256_SIG64},
    {.name = "p256-verify-known-batch",
     .what = "64-byte signatures by a hundred keys with tables; time per signature",
     .ours = speed_run_verify_batch,
     .right = speed_right_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {1, 8, 1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_SIG64,
     .mix = SPEED_HUNDRED_KEYS},
    {.name = "p256-verify-zipf-batch",
     .what = "64-byte signatures, keys through a cache, reuse as 1/k; time per signature",
     .ours = speed_run_verify_batch,
     .right = speed_right_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_SIG64,
     .mix = SPEED_ZIPF_KEYS},
    {.name = "p256-verify-full-r96-batch",
     .what = "96-byte signatures that carry R; time per signature",
     .ours = speed_run_verify_batch,
     .right = speed_right_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {8, 32, 128, 1000, 4096},
     .beside = "p256-verify",
     .format = SIGMILL_P256_FULL_R96},
    {.name = "p256-verify-compressed-r65-batch",
     .what = "65-byte signatures that carry R compressed; time per signature",
     .ours = speed_run_verify_batch,
     .right = speed_right_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_COMPRESSED_R65},
    {.name = "p256-verify-recoverable65-batch",
     .what = "65-byte signatures with a recovery id; time per signature",
     .ours = speed_run_verify_batch,
     .right = speed_right_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_RECOVERABLE65},
    {.name = "p256-verify-ten-keys-batch",
     .what = "the same, by ten keys",
     .ours = speed_run_verify_batch,
     .right = speed_right_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_RECOVERABLE65,
     .mix = SPEED_TEN_KEYS},
    {.name = "p256-verify-one-key-batch",
     .what = "the same, by one key",
     .ours = speed_run_verify_batch,
     .right = speed_right_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_RECOVERABLE65,
     .mix = SPEED_ONE_KEY},
    {.name = "p256-verify-one-bad-batch",
     .what = "the same, every key another, one signature invalid",
     .ours = speed_run_verify_batch,
     .right = speed_right_bad_batch,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_RECOVERABLE65,
     .bad = SPEED_ONE_BAD},
    {.name = "p256-verify-tenth-bad-batch",
     .what = "the same, one in ten invalid",
     .ours = speed_run_verify_batch,
     .right = speed_right_bad_batch,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_RECOVERABLE65,
     .bad = SPEED_TENTH_BAD},
    {.name = "p256-verify-all-bad-batch",
     .what = "the same, all invalid",
     .ours = speed_run_verify_batch,
     .right = speed_right_bad_batch,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_RECOVERABLE65,
     .bad = SPEED_ALL_BAD},
    {.name = "p256-verify-recoverable65-bytes-batch",
     .what = "the same, 33-byte keys and 200-byte messages, all from bytes",
     .ours = speed_run_bytes_batch,
     .right = speed_right_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_RECOVERABLE65},
    {.name = "p256-hint-recoverable65-batch",
     .what = "64-byte signatures to 65 bytes with a recovery id; time per signature",
     .ours = speed_run_hint_batch,
     .right = speed_right_hint_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_RECOVERABLE65},
    {.name = "p256-msm-batch",
     .what = "sum of multiples of public points; time per point",
     .ours = speed_run_msm,
     .right = speed_right_msm,
     .sizing = SPEED_BATCH,
     .sizes = {8, 128, 1000, 4096},
     .beside = "p256-verify"},
    {.name = "p256-verify-threads",
     .what = "64-byte signatures on two threads of sigmill_threads; wall time",
     .ours = speed_run_verify_threads,
     .right = speed_right_batch,
     .spoilt = true,
     .wall = true,
     .sizing = SPEED_BATCH,
     .sizes = {10000},
     .beside = "p256-verify",
     .format = SIGMILL_P256_SIG64},
    {.name = "p256-parse33-batch",
     .what = "compressed keys in one call; time per key",
     .ours = speed_run_parse_batch,
     .right = speed_right_key_batch,
     .spoilt = true,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-parse33"},
    {.name = "p256-sign-batch",
     .what = "64-byte signatures, nonces by RFC 6979; time per signature",
     .ours = speed_run_sign_batch,
     .right = speed_right_sign_batch,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-sign"},
    {.name = "p256-keygen-secret-batch",
     .what = "key pairs from given secrets; time per pair",
     .ours = speed_run_pair_batch,
     .right = speed_right_pair_batch,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-keygen-secret"},
    {.name = "p256-ecdh-batch",
     .what = "shared secrets, all keys parsed; time per secret",
     .ours = speed_run_ecdh_batch,
     .right = speed_right_ecdh_batch,
     .sizing = SPEED_BATCH,
     .sizes = {1000},
     .beside = "p256-ecdh"},
    {.name = "sha256",
     .what = "SHA-256 in one call",
     .ours = run_sha256,
     .right = right_sha256,
     .sizing = SPEED_BYTES,
     .sizes = {64, 200, SPEED_BLOB_SIZE}},
    {.name = "sha512",
     .what = "SHA-512",
     .ours = run_sha512,
     .right = right_sha512,
     .sizing = SPEED_BYTES,
     .sizes = {SPEED_BLOB_SIZE}},
    {.name = NULL},
};
