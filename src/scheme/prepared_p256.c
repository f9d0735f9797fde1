/* One verification with a key's comb (group/engine_p256.h): its windows and those of G
 * over the lanes, where there are any, or one after another by the scalar engine.  What
 * the lanes leave undecided the engine judges from the key alone. */
#include "scheme/prepared_p256.h"

#include "scalar/sc_p256.h"

void sm_prepared_p256_make_vt(p256_prepared *out, const p256_point *key) {
  const backend *b = sm_backend();
  out->key = *key;
  out->lanes = b->lanes;
  if (out->lanes != NULL) {
    out->lanes->key_comb_vt(&out->comb, key);
  } else {
    b->engine->key_comb_vt(&out->comb, key);
  }
}

static bool holds_alone_vt(const p256_claim *claim, const p256_prepared *prepared) {
  u256 u1, u2, w;
  sm_sc_p256_inv_vt(&w, &claim->s);
  if (prepared->lanes != NULL) {
    return sm_p256_claim_holds_vt(claim, &w);
  }
  sm_sc_p256_reduce(&u1, &claim->digest);
  sm_sc_p256_mul(&u1, &u1, &w);
  sm_sc_p256_mul(&u2, &claim->r, &w);
  return sm_backend()->engine->verify_comb_vt(&u1, &u2, &prepared->comb, &claim->r);
}

static bool holds_vt(const p256_claim *claim, const p256_prepared *prepared) {
  const uint8_t verdict = prepared->lanes != NULL
                              ? prepared->lanes->verify_one_vt(claim, &prepared->comb)
                              : CLAIM_UNDECIDED;
  return verdict == CLAIM_UNDECIDED ? holds_alone_vt(claim, prepared)
                                    : verdict == CLAIM_TRUE;
}

sigmill_status sm_prepared_p256_verify_vt(const uint8_t *sig, sigmill_p256_format format,
                                          const uint8_t digest[32],
                                          const p256_prepared *prepared) {
  p256_claim claim;
  p256_hint hint;
  const sigmill_status status = sm_p256_sig_parse_vt(&claim, &hint, sig, format);
  if (status != SIGMILL_OK) {
    return status;
  }
  if (hint != P256_HINT_NONE) {
    return sm_p256_verify_vt(sig, format, digest, &prepared->key);
  }
  u256_from_be(&claim.digest, digest);
  claim.key = prepared->key;
  return holds_vt(&claim, prepared) ? SIGMILL_OK : SIGMILL_ERR_SIG_EQUATION;
}
