/* The public functions over single items: argument checks and opaque types, no
 * mathematics.  On failure every output is zero. */
#include "api_types.h"
#include "base/random.h"
#include "hash/hmac.h"
#include "scheme/selftest.h"

_Static_assert((int)HASH_SHA256 == (int)SIGMILL_SHA256, "hash names agree");
_Static_assert((int)HASH_SHA384 == (int)SIGMILL_SHA384, "hash names agree");
_Static_assert((int)HASH_SHA512 == (int)SIGMILL_SHA512, "hash names agree");

/* ---------------------------------------------------------------- hashing */

typedef struct {
  hash_id hash;
  hash_ctx ctx;
} hash_inside;

_Static_assert(sizeof(hash_inside) <= sizeof(sigmill_hash), "hash size");

static bool is_hash(sigmill_hash_id hash) {
  return hash == SIGMILL_SHA256 || hash == SIGMILL_SHA384 || hash == SIGMILL_SHA512;
}

sigmill_status sigmill_hash_init(sigmill_hash *out, sigmill_hash_id hash) {
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  memset(out, 0, sizeof *out);
  if (!is_hash(hash)) {
    return SIGMILL_ERR_ARGUMENT;
  }
  hash_inside inside = {.hash = (hash_id)hash};
  sm_hash_init(&inside.ctx, inside.hash);
  memcpy(out, &inside, sizeof inside);
  return SIGMILL_OK;
}

void sigmill_hash_update(sigmill_hash *ctx, const void *data, size_t len) {
  hash_inside inside;
  memcpy(&inside, ctx, sizeof inside);
  if (is_hash((sigmill_hash_id)inside.hash)) {
    sm_hash_update(&inside.ctx, inside.hash, data, len);
    memcpy(ctx, &inside, sizeof inside);
  }
  wipe(&inside, sizeof inside);
}

size_t sigmill_hash_final(uint8_t out[64], sigmill_hash *ctx) {
  hash_inside inside;
  size_t size = 0;
  memcpy(&inside, ctx, sizeof inside);
  if (is_hash((sigmill_hash_id)inside.hash)) {
    sm_hash_final(out, &inside.ctx, inside.hash);
    size = sm_hash_size(inside.hash);
  }
  wipe(ctx, sizeof *ctx);
  return size;
}

void sigmill_sha256(uint8_t out[32], const void *data, size_t len) {
  sm_sha256(out, data, len);
}

/* ---------------------------------------------------------------- key pairs */

bool sigmill_p256_pubkey_equal(const sigmill_p256_pubkey *a,
                               const sigmill_p256_pubkey *b) {
  p256_point pa, pb;
  if (a == NULL || b == NULL || !pubkey_get(&pa, a) || !pubkey_get(&pb, b)) {
    return false;
  }
  return (u256_eq_mask(&pa.x, &pb.x) & u256_eq_mask(&pa.y, &pb.y)) != 0;
}

sigmill_status sigmill_p256_keypair_from_secret(sigmill_p256_keypair *out,
                                                const uint8_t secret[32]) {
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  u256 d;
  p256_keypair pair;
  memset(out, 0, sizeof *out);
  if (secret == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  u256_from_be(&d, secret);
  sigmill_status status = sm_p256_keypair_make(&pair, &d);
  if (status == SIGMILL_OK) {
    keypair_set(out, &pair);
  }
  wipe(&pair, sizeof pair);
  wipe(&d, sizeof d);
  wipe_stack_3k();
  return status;
}

sigmill_status sigmill_p256_keypair_generate(sigmill_p256_keypair *out) {
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  uint8_t secret[32];
  sigmill_status status;
  memset(out, 0, sizeof *out);
  do {
    if (!sm_random_bytes(secret, sizeof secret)) {
      return SIGMILL_ERR_RANDOM;
    }
    status = sigmill_p256_keypair_from_secret(out, secret);
  } while (status == SIGMILL_ERR_KEY_SECRET);
  wipe(secret, sizeof secret);
  return status;
}

void sigmill_p256_keypair_public(sigmill_p256_pubkey *out,
                                 const sigmill_p256_keypair *key) {
  p256_keypair pair;
  memset(out, 0, sizeof *out);
  if (keypair_get(&pair, key)) {
    pubkey_set(out, &pair.point);
  }
  wipe(&pair, sizeof pair);
}

void sigmill_p256_keypair_secret(uint8_t out[32], const sigmill_p256_keypair *key) {
  p256_keypair pair;
  memset(out, 0, 32);
  if (keypair_get(&pair, key)) {
    u256_to_be(out, &pair.secret);
  }
  wipe(&pair, sizeof pair);
}

void sigmill_p256_keypair_wipe(sigmill_p256_keypair *key) {
  wipe(key, sizeof *key);
}

/* ---------------------------------------------------------------- ECDSA */

size_t sigmill_p256_format_size(sigmill_p256_format format) {
  switch (format) {
  case SIGMILL_P256_SIG64:
  case SIGMILL_P256_SIG64_LOW_S:
    return 64;
  case SIGMILL_P256_RECOVERABLE65:
  case SIGMILL_P256_COMPRESSED_R65:
    return 65;
  case SIGMILL_P256_FULL_R96:
    return 96;
  }
  return 0;
}

void sigmill_p256_digest32(uint8_t out[32], const uint8_t *digest, size_t digest_len) {
  sm_p256_digest32(out, digest, digest_len);
}

sigmill_status sigmill_p256_explain(const uint8_t *sig, sigmill_p256_format format,
                                    const uint8_t digest[32],
                                    const sigmill_p256_pubkey *key) {
  p256_point point;
  if (sig == NULL || digest == NULL || key == NULL ||
      sigmill_p256_format_size(format) == 0) {
    return SIGMILL_ERR_ARGUMENT;
  }
  if (!pubkey_get(&point, key)) {
    return SIGMILL_ERR_KEY_UNSET;
  }
  return sm_p256_verify_vt(sig, format, digest, &point);
}

bool sigmill_p256_verify_as(const uint8_t *sig, sigmill_p256_format format,
                            const uint8_t digest[32], const sigmill_p256_pubkey *key) {
  return sigmill_p256_explain(sig, format, digest, key) == SIGMILL_OK;
}

bool sigmill_p256_verify(const uint8_t sig[64], const uint8_t digest[32],
                         const sigmill_p256_pubkey *key) {
  return sigmill_p256_verify_as(sig, SIGMILL_P256_SIG64, digest, key);
}

/* Signs into out: r || s, or recid || r || s. */
static sigmill_status sign_into(uint8_t *out, bool recoverable, const uint8_t *digest,
                                hash_id hash, const uint8_t *extra, size_t extra_len,
                                const sigmill_p256_keypair *key) {
  p256_keypair pair;
  u256 r, s;
  sigmill_status status = SIGMILL_ERR_KEY_UNSET;
  memset(out, 0, recoverable ? 65 : 64);
  if (digest == NULL || key == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  if (keypair_get(&pair, key)) {
    uint8_t *recid = recoverable ? out++ : NULL;
    sm_p256_sign(&r, &s, recid, digest, hash, extra, extra_len, &pair);
    u256_to_be(out, &r);
    u256_to_be(out + 32, &s);
    status = SIGMILL_OK;
  }
  wipe(&pair, sizeof pair);
  wipe_stack_3k();
  return status;
}

sigmill_status sigmill_p256_sign(uint8_t sig[64], const uint8_t digest[32],
                                 const sigmill_p256_keypair *key) {
  return sig == NULL ? SIGMILL_ERR_ARGUMENT
                     : sign_into(sig, false, digest, HASH_SHA256, NULL, 0, key);
}

sigmill_status sigmill_p256_sign_digest(uint8_t sig[64], const uint8_t *digest,
                                        sigmill_hash_id hash,
                                        const sigmill_p256_keypair *key) {
  if (sig == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  if (!is_hash(hash)) {
    memset(sig, 0, 64);
    return SIGMILL_ERR_ARGUMENT;
  }
  return sign_into(sig, false, digest, (hash_id)hash, NULL, 0, key);
}

sigmill_status sigmill_p256_sign_hedged(uint8_t sig[64], const uint8_t digest[32],
                                        const sigmill_p256_keypair *key,
                                        const uint8_t *extra) {
  if (sig == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  uint8_t fresh[32];
  if (extra == NULL) {
    if (!sm_random_bytes(fresh, sizeof fresh)) {
      memset(sig, 0, 64);
      return SIGMILL_ERR_RANDOM;
    }
    extra = fresh;
  }
  sigmill_status status =
      sign_into(sig, false, digest, HASH_SHA256, extra, sizeof fresh, key);
  wipe(fresh, sizeof fresh);
  return status;
}

sigmill_status sigmill_p256_sign_recoverable(uint8_t sig[65], const uint8_t digest[32],
                                             const sigmill_p256_keypair *key) {
  return sig == NULL ? SIGMILL_ERR_ARGUMENT
                     : sign_into(sig, true, digest, HASH_SHA256, NULL, 0, key);
}

sigmill_status sigmill_p256_recover(sigmill_p256_pubkey *out, const uint8_t sig[65],
                                    const uint8_t digest[32]) {
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  p256_point point;
  memset(out, 0, sizeof *out);
  if (sig == NULL || digest == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  sigmill_status status = sm_p256_recover_vt(&point, sig, digest);
  if (status == SIGMILL_OK) {
    pubkey_set(out, &point);
  }
  return status;
}

bool sigmill_p256_sig_normalize(uint8_t sig[64]) {
  u256 r, s;
  u256_from_be(&r, sig);
  u256_from_be(&s, sig + 32);
  if (!sm_p256_normalize_vt(&s, &r)) {
    return false;
  }
  u256_to_be(sig + 32, &s);
  return true;
}

sigmill_status sigmill_p256_hint(uint8_t *out, sigmill_p256_format format,
                                 const uint8_t sig[64], const uint8_t digest[32],
                                 const sigmill_p256_pubkey *key) {
  size_t size = sigmill_p256_format_size(format);
  p256_point point;
  if (out == NULL || size == 0) {
    return SIGMILL_ERR_ARGUMENT;
  }
  memset(out, 0, size);
  if (size == 64 || sig == NULL || digest == NULL || key == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  if (!pubkey_get(&point, key)) {
    return SIGMILL_ERR_KEY_UNSET;
  }
  return sm_p256_hint_vt(out, format, sig, digest, &point);
}

sigmill_status sigmill_p256_ecdh(uint8_t out[32], const sigmill_p256_keypair *key,
                                 const sigmill_p256_pubkey *peer) {
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  p256_keypair pair;
  p256_point point;
  sigmill_status status = SIGMILL_ERR_KEY_UNSET;
  memset(out, 0, 32);
  if (key == NULL || peer == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  if (keypair_get(&pair, key) && pubkey_get(&point, peer)) {
    sm_backend()->engine->mul(&point, &pair.secret, &point);
    u256_to_be(out, &point.x);
    status = SIGMILL_OK;
  }
  wipe(&pair, sizeof pair);
  wipe(&point, sizeof point);
  wipe_stack_8k();
  return status;
}

/* ---------------------------------------------------------------- the machine */

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch)                                                \
  TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *sigmill_version(void) {
  return VERSION_TEXT(SIGMILL_VERSION_MAJOR, SIGMILL_VERSION_MINOR,
                      SIGMILL_VERSION_PATCH);
}

const char *sigmill_backend_name(void) {
  return sm_backend()->name;
}

const char *sigmill_backend_note(void) {
  (void)sm_backend();
  return sm_backend_note();
}

sigmill_status sigmill_backend_select(const char *name) {
  return name != NULL && sm_backend_select(name) ? SIGMILL_OK : SIGMILL_ERR_BACKEND;
}

const char *sigmill_backend_list(size_t i, bool *usable) {
  bool unused;
  const backend *b = sm_backend_list(i, usable != NULL ? usable : &unused);
  return b != NULL ? b->name : NULL;
}

bool sigmill_selftest(const char **failed) {
  const char *unused;
  return sm_selftest(failed != NULL ? failed : &unused);
}
