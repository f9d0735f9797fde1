/* ECDSA over P-256: FIPS 186-5 section 6.4, recovery from SEC 1 section 4.1.6.
 *
 * Scalars and coordinates are plain integers; the arithmetic stands on the floors below.
 * Where a format gives R whole, the check is u1*G + u2*Q = R, which half-size scalars
 * make cheaper than recomputing R (group/engine_p256.h). */
#include "scheme/ecdsa_p256.h"

#include "base/secret.h"
#include "scalar/sc_p256.h"

enum { RECID_Y_ODD = 1, RECID_X_WRAPPED = 2, RECID_MAX = 3 };

sigmill_status sm_p256_keypair_make(p256_keypair *out, const u256 *secret) {
  uint64_t ok = sm_sc_p256_in_range(secret);
  PUBLIC(&ok, sizeof ok);
  if (!ok) {
    memset(out, 0, sizeof *out);
    return SIGMILL_ERR_KEY_SECRET;
  }
  out->secret = *secret;
  sm_backend_mul_base(&out->point, secret);
  PUBLIC(&out->point, sizeof out->point);
  return SIGMILL_OK;
}

void sm_p256_digest32(uint8_t out[32], const uint8_t *digest, size_t len) {
  size_t taken = len < 32 ? len : 32;
  memset(out, 0, 32 - taken);
  if (taken > 0) {
    memcpy(out + 32 - taken, digest, taken);
  }
}

/* The range rules of r and s, and low s where the format wants it. */
static sigmill_status check_scalars_vt(const p256_claim *sig, bool low_s) {
  if (!sm_sc_p256_in_range(&sig->r)) {
    return SIGMILL_ERR_SIG_R;
  }
  if (!sm_sc_p256_in_range(&sig->s)) {
    return SIGMILL_ERR_SIG_S;
  }
  if (low_s && sm_sc_p256_is_high(&sig->s)) {
    return SIGMILL_ERR_SIG_HIGH_S;
  }
  return SIGMILL_OK;
}

static sigmill_status parse_plain_vt(p256_claim *out, const uint8_t *sig, bool low_s) {
  u256_from_be(&out->r, sig);
  u256_from_be(&out->s, sig + 32);
  return check_scalars_vt(out, low_s);
}

static sigmill_status parse_recoverable_vt(p256_claim *out, const uint8_t *sig) {
  if (sig[0] > RECID_MAX) {
    return SIGMILL_ERR_SIG_RECID;
  }
  u256_from_be(&out->r, sig + 1);
  u256_from_be(&out->s, sig + 33);
  sigmill_status status = check_scalars_vt(out, true);
  if (status != SIGMILL_OK) {
    return status;
  }
  out->point.x = out->r;
  if ((sig[0] & RECID_X_WRAPPED) &&
      u256_add(&out->point.x, &out->r, &sm_sc_p256_order) != 0) {
    return SIGMILL_ERR_SIG_POINT;
  }
  return SIGMILL_OK;
}

static sigmill_status parse_compressed_vt(p256_claim *out, const uint8_t *sig) {
  if (sig[0] != 2 && sig[0] != 3) {
    return SIGMILL_ERR_SIG_RECID;
  }
  u256_from_be(&out->point.x, sig + 1);
  sm_sc_p256_reduce(&out->r, &out->point.x);
  u256_from_be(&out->s, sig + 33);
  return check_scalars_vt(out, true);
}

static sigmill_status parse_full_vt(p256_claim *out, const uint8_t *sig) {
  u256_from_be(&out->point.x, sig);
  u256_from_be(&out->point.y, sig + 32);
  u256_from_be(&out->s, sig + 64);
  sm_sc_p256_reduce(&out->r, &out->point.x);
  return check_scalars_vt(out, true);
}

sigmill_status sm_p256_sig_parse_vt(p256_claim *out, p256_hint *hint, const uint8_t *sig,
                                    sigmill_p256_format format) {
  *hint = P256_HINT_NONE;
  out->has_point = false;
  switch (format) {
  case SIGMILL_P256_SIG64:
    return parse_plain_vt(out, sig, false);
  case SIGMILL_P256_SIG64_LOW_S:
    return parse_plain_vt(out, sig, true);
  case SIGMILL_P256_RECOVERABLE65:
    *hint = (sig[0] & RECID_Y_ODD) ? P256_HINT_X_Y_ODD : P256_HINT_X_Y_EVEN;
    return parse_recoverable_vt(out, sig);
  case SIGMILL_P256_COMPRESSED_R65:
    *hint = (sig[0] & 1) ? P256_HINT_X_Y_ODD : P256_HINT_X_Y_EVEN;
    return parse_compressed_vt(out, sig);
  case SIGMILL_P256_FULL_R96:
    *hint = P256_HINT_POINT;
    return parse_full_vt(out, sig);
  }
  return SIGMILL_ERR_ARGUMENT;
}

bool sm_p256_sig_find_point_vt(p256_claim *sig, p256_hint hint) {
  const p256_engine *engine = sm_backend()->engine;
  if (hint == P256_HINT_NONE) {
    return true;
  }
  if (hint == P256_HINT_POINT) {
    sig->has_point = engine->on_curve_vt(&sig->point);
  } else {
    u256 x = sig->point.x;
    sig->has_point = engine->lift_x_vt(&sig->point, &x, hint == P256_HINT_X_Y_ODD);
  }
  return sig->has_point;
}

/* Both together: every rule but the equation. */
static sigmill_status read_vt(p256_claim *out, const uint8_t *sig,
                              sigmill_p256_format format) {
  p256_hint hint;
  sigmill_status status = sm_p256_sig_parse_vt(out, &hint, sig, format);
  if (status == SIGMILL_OK && !sm_p256_sig_find_point_vt(out, hint)) {
    status = SIGMILL_ERR_SIG_POINT;
  }
  return status;
}

bool sm_p256_claim_holds_vt(const p256_claim *claim, const u256 *w) {
  u256 u1, u2;
  sm_sc_p256_reduce(&u1, &claim->digest);
  sm_sc_p256_mul(&u1, &u1, w);
  sm_sc_p256_mul(&u2, &claim->r, w);
  const p256_engine *engine = sm_backend()->engine;
  return claim->has_point ? engine->verify_point_vt(&u1, &u2, &claim->key, &claim->point)
                          : engine->verify_vt(&u1, &u2, &claim->key, &claim->r);
}

sigmill_status sm_p256_verify_vt(const uint8_t *sig, sigmill_p256_format format,
                                 const uint8_t digest[32], const p256_point *key) {
  p256_claim claim;
  sigmill_status status = read_vt(&claim, sig, format);
  if (status != SIGMILL_OK) {
    return status;
  }
  u256 w;
  sm_sc_p256_inv_vt(&w, &claim.s);
  u256_from_be(&claim.digest, digest);
  claim.key = *key;
  return sm_p256_claim_holds_vt(&claim, &w) ? SIGMILL_OK : SIGMILL_ERR_SIG_EQUATION;
}

/* s low in constant time; *recid follows: -s belongs to -R, whose y has the other parity.
 */
static void make_low(u256 *s, uint64_t *recid) {
  u256 negated;
  uint64_t high = sm_sc_p256_is_high(s);
  sm_sc_p256_neg(&negated, s);
  u256_select(s, high, &negated, s);
  *recid ^= high & RECID_Y_ODD;
}

void sm_p256_sign(u256 *r, u256 *s, uint8_t *recid, const uint8_t *digest, hash_id hash,
                  const uint8_t *extra, size_t extra_len, const p256_keypair *key) {
  uint8_t digest32[32];
  u256 z, k, k_inverse;
  p256_point point;
  uint64_t id = 0;
  rfc6979_ctx nonces;

  sm_p256_digest32(digest32, digest, sm_hash_size(hash));
  u256_from_be(&z, digest32);
  sm_sc_p256_reduce(&z, &z);
  sm_rfc6979_init(&nonces, hash, &key->secret, &z, extra, extra_len);

  uint64_t usable;
  do {
    sm_rfc6979_next(&k, &nonces);
    sm_backend_mul_base(&point, &k);
    sm_sc_p256_inv(&k_inverse, &k);
    sm_sc_p256_reduce(r, &point.x);
    sm_sc_p256_mul(s, r, &key->secret);
    sm_sc_p256_add(s, s, &z);
    sm_sc_p256_mul(s, s, &k_inverse);
    id = (point.y.v[0] & RECID_Y_ODD) |
         (RECID_X_WRAPPED & ~u256_lt_mask(&point.x, &sm_sc_p256_order));
    usable = ~(u256_zero_mask(r) | u256_zero_mask(s));
    PUBLIC(&usable, sizeof usable);
  } while (!usable);
  if (recid != NULL) {
    make_low(s, &id);
    *recid = (uint8_t)id;
    PUBLIC(recid, sizeof *recid);
  }
  PUBLIC(r, sizeof *r);
  PUBLIC(s, sizeof *s);

  sm_rfc6979_wipe(&nonces);
  wipe(&k, sizeof k);
  wipe(&k_inverse, sizeof k_inverse);
  wipe(&point, sizeof point);
  wipe(&z, sizeof z);
  wipe(digest32, sizeof digest32);
}

bool sm_p256_normalize_vt(u256 *s, const u256 *r) {
  if (!sm_sc_p256_in_range(r) || !sm_sc_p256_in_range(s) || !sm_sc_p256_is_high(s)) {
    return false;
  }
  sm_sc_p256_neg(s, s);
  return true;
}

sigmill_status sm_p256_recover_vt(p256_point *out, const uint8_t sig[65],
                                  const uint8_t digest[32]) {
  p256_claim parts;
  sigmill_status status = read_vt(&parts, sig, SIGMILL_P256_RECOVERABLE65);
  if (status != SIGMILL_OK) {
    return status;
  }
  /* Q = (s*R - z*G) / r */
  u256 r_inverse, u1, u2;
  sm_sc_p256_inv_vt(&r_inverse, &parts.r);
  u256_from_be(&u1, digest);
  sm_sc_p256_reduce(&u1, &u1);
  sm_sc_p256_neg(&u1, &u1);
  sm_sc_p256_mul(&u1, &u1, &r_inverse);
  sm_sc_p256_mul(&u2, &parts.s, &r_inverse);
  bool finite = sm_backend()->engine->mul2_vt(out, &u1, &u2, &parts.point);
  return finite ? SIGMILL_OK : SIGMILL_ERR_SIG_EQUATION;
}

bool sm_p256_claim_point_vt(p256_point *out, const p256_claim *claim, const u256 *w) {
  u256 u1, u2, r;
  sm_sc_p256_reduce(&u1, &claim->digest);
  sm_sc_p256_mul(&u1, &u1, w);
  sm_sc_p256_mul(&u2, &claim->r, w);
  if (!sm_backend()->engine->mul2_vt(out, &u1, &u2, &claim->key)) {
    return false;
  }
  sm_sc_p256_reduce(&r, &out->x);
  return u256_eq_mask(&r, &claim->r) != 0;
}

/* Writes R and s, already low, in a hinted format; r = x(R) mod n. */
static void write_hinted(uint8_t *out, sigmill_p256_format format,
                         const p256_point *point, const u256 *r, const u256 *s) {
  uint8_t y_odd = (uint8_t)(point->y.v[0] & 1);
  if (format == SIGMILL_P256_FULL_R96) {
    u256_to_be(out, &point->x);
    u256_to_be(out + 32, &point->y);
    u256_to_be(out + 64, s);
  } else if (format == SIGMILL_P256_COMPRESSED_R65) {
    out[0] = 2 | y_odd;
    u256_to_be(out + 1, &point->x);
    u256_to_be(out + 33, s);
  } else {
    bool wrapped = !u256_lt_mask(&point->x, &sm_sc_p256_order);
    out[0] = (uint8_t)(y_odd | (wrapped ? RECID_X_WRAPPED : 0));
    u256_to_be(out + 1, r);
    u256_to_be(out + 33, s);
  }
}

void sm_p256_hint_write_vt(uint8_t *out, sigmill_p256_format format,
                           const p256_claim *claim, const p256_point *point) {
  p256_point r = *point;
  u256 s = claim->s;
  if (sm_sc_p256_is_high(&s)) {
    sm_sc_p256_neg(&s, &s);
    u256_sub(&r.y, &sm_p256_prime, &r.y);
  }
  write_hinted(out, format, &r, &claim->r, &s);
}

sigmill_status sm_p256_hint_vt(uint8_t *out, sigmill_p256_format format,
                               const uint8_t sig[64], const uint8_t digest[32],
                               const p256_point *key) {
  p256_claim claim;
  p256_point point;
  u256 w;
  sigmill_status status = read_vt(&claim, sig, SIGMILL_P256_SIG64);
  if (status != SIGMILL_OK) {
    return status;
  }
  u256_from_be(&claim.digest, digest);
  claim.key = *key;
  sm_sc_p256_inv_vt(&w, &claim.s);
  if (!sm_p256_claim_point_vt(&point, &claim, &w)) {
    return SIGMILL_ERR_SIG_EQUATION;
  }
  sm_p256_hint_write_vt(out, format, &claim, &point);
  return SIGMILL_OK;
}
