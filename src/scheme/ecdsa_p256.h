/* ECDSA over P-256 (FIPS 186-5, section 6; SEC 1, section 4.1) on plain integers, and the
 * layouts of signatures.  Verification runs in variable time; signing, key generation and
 * ECDH in constant time. */
#ifndef SIGMILL_SCHEME_ECDSA_P256_H
#define SIGMILL_SCHEME_ECDSA_P256_H

#include "group/engine_p256.h"
#include "scheme/rfc6979.h"
#include "sigmill.h"

typedef struct {
  u256 secret;      /* 1..n-1 */
  p256_point point; /* secret * G */
} p256_keypair;

/* A signature as read from its bytes, before any check of the equation. */
typedef struct {
  u256 r, s;
  p256_point point; /* R, where the format gives it whole */
  bool has_point;   /* R is known, on the curve, and x(R) mod n = r */
} p256_sig;

/* KEY_SECRET if the secret is 0 or not below n. */
sigmill_status sm_p256_keypair_make(p256_keypair *out, const u256 *secret);

/* Reads a signature and applies every rule but the equation. */
sigmill_status sm_p256_sig_read_vt(p256_sig *out, const uint8_t *sig,
                                   sigmill_p256_format format);
/* The equation, given w = 1/s mod n and the digest as an integer of 256 bits. */
bool sm_p256_sig_holds_vt(const p256_sig *sig, const u256 *w, const u256 *digest,
                          const p256_point *key);
sigmill_status sm_p256_verify_vt(const uint8_t *sig, sigmill_p256_format format,
                                 const uint8_t digest[32], const p256_point *key);

/* digest: as many bytes as hash gives; extra may be NULL with length 0.  recid may be
 * NULL; if not, s is made low and *recid set. */
void sm_p256_sign(u256 *r, u256 *s, uint8_t *recid, const uint8_t *digest, hash_id hash,
                  const uint8_t *extra, size_t extra_len, const p256_keypair *key);

/* Makes s low; true if it changed.  Scalars out of range are left alone. */
bool sm_p256_normalize_vt(u256 *s, const u256 *r);

sigmill_status sm_p256_recover_vt(p256_point *out, const uint8_t sig[65],
                                  const uint8_t digest[32]);
sigmill_status sm_p256_hint_vt(uint8_t *out, sigmill_p256_format format,
                               const uint8_t sig[64], const uint8_t digest[32],
                               const p256_point *key);
/* The leftmost 256 bits of a longer digest; a shorter one as the integer it spells. */
void sm_p256_digest32(uint8_t out[32], const uint8_t *digest, size_t len);

#endif
