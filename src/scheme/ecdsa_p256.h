/* ECDSA over P-256 (FIPS 186-5, section 6; SEC 1, section 4.1) on plain integers, and the
 * layouts of signatures.  Verification runs in variable time; signing, key generation and
 * ECDH in constant time. */
#ifndef SIGMILL_SCHEME_ECDSA_P256_H
#define SIGMILL_SCHEME_ECDSA_P256_H

#include "lanes/backend.h"
#include "scheme/rfc6979.h"
#include "sigmill.h"

typedef struct {
  u256 secret;      /* 1..n-1 */
  p256_point point; /* secret * G */
} p256_keypair;

/* What a format tells of R beside r. */
typedef enum {
  P256_HINT_NONE,
  P256_HINT_X_Y_EVEN, /* x, and that y is even */
  P256_HINT_X_Y_ODD,
  P256_HINT_POINT /* x and y */
} p256_hint;

/* Any 256-bit integer may come in.  Errors: KEY_SECRET (out zero) if it is 0 or not below
 * n.  Constant time but for that answer. */
sigmill_status sm_p256_keypair_make(p256_keypair *out, const u256 *secret);

/* Reads r, s and what hint says of point, and applies every rule but those of point and
 * the equation; has_point is false then, digest and key are left alone.  Errors: ARGUMENT
 * for an unknown format, SIG_RECID, SIG_R, SIG_S, SIG_HIGH_S, and SIG_POINT where x does
 * not fit into 256 bits; out is undefined then. */
sigmill_status sm_p256_sig_parse_vt(p256_claim *out, p256_hint *hint, const uint8_t *sig,
                                    sigmill_p256_format format);
/* Applies the rules of point: makes it whole and sets has_point.  False if it is not on
 * the curve or not canonical. */
bool sm_p256_sig_find_point_vt(p256_claim *sig, p256_hint hint);
/* The equation by the scalar engine, given w = 1/s mod n.  in: point on the curve where
 * has_point. */
bool sm_p256_claim_holds_vt(const p256_claim *claim, const u256 *w);
/* All of it for one signature.  Errors: those of reading, SIG_POINT, SIG_EQUATION. */
sigmill_status sm_p256_verify_vt(const uint8_t *sig, sigmill_p256_format format,
                                 const uint8_t digest[32], const p256_point *key);

/* Signs with the nonce of RFC 6979.  digest: as many bytes as hash gives; extra may be
 * NULL with length 0.  recid may be NULL; if not, s is made low and *recid set.  Constant
 * time in secret, digest and extra. */
void sm_p256_sign(u256 *r, u256 *s, uint8_t *recid, const uint8_t *digest, hash_id hash,
                  const uint8_t *extra, size_t extra_len, const p256_keypair *key);

/* Makes s low; true if it changed.  Scalars out of range are left alone. */
bool sm_p256_normalize_vt(u256 *s, const u256 *r);

/* The key that made a RECOVERABLE65 signature.  Errors: those of verifying, SIG_EQUATION
 * if the key would be infinity. */
sigmill_status sm_p256_recover_vt(p256_point *out, const uint8_t sig[65],
                                  const uint8_t digest[32]);
/* *out = R for a claim without a point, by the scalar engine, given w = 1/s mod n; false
 * if x(R) mod n is not r, or R infinity (out undefined). */
bool sm_p256_claim_point_vt(p256_point *out, const p256_claim *claim, const u256 *w);
/* Writes the claim's r and s, s made low, in a format with R, which is point before s is
 * made low. */
void sm_p256_hint_write_vt(uint8_t *out, sigmill_p256_format format,
                           const p256_claim *claim, const p256_point *point);
/* Writes a SIG64 signature, s made low, in a format with R.  Errors, nothing written
 * then: SIG_R, SIG_S, SIG_EQUATION. */
sigmill_status sm_p256_hint_vt(uint8_t *out, sigmill_p256_format format,
                               const uint8_t sig[64], const uint8_t digest[32],
                               const p256_point *key);
/* The leftmost 256 bits of a longer digest; a shorter one as the integer it spells. */
void sm_p256_digest32(uint8_t out[32], const uint8_t *digest, size_t len);

#endif
