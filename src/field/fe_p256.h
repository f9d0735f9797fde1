/* The field of P-256: integers mod p = 2^256 - 2^224 + 2^192 + 2^96 - 1
 * (FIPS 186-5 / SP 800-186, section 3.2.1.3).
 *
 * One contract, three bodies; the including unit chooses one before this header:
 *   FE_P256_BODY_ADX   4x64 limbs, MULX/ADCX/ADOX inline assembly (x86-64 with BMI2, ADX)
 *   FE_P256_BODY_U64   4x64 limbs, unsigned __int128
 *   FE_P256_BODY_U32   9x29 limbs in 32-bit words
 * Every function is static, so that units with different bodies live in one
 * library and the choice is made once per whole operation (group/engine_p256.h).
 *
 * Elements are in a Montgomery domain a*R mod p private to the body, and in its one
 * range, which every operation takes and gives: below p in the 4x64 bodies, below 2p in
 * the other.
 *
 * Functions, all constant time unless named _vt; out may alias any input:
 *   fe_p256_zero(out), fe_p256_one(out)
 *   fe_p256_from_u256(out, a)     a < p, a plain integer                        1M
 *   fe_p256_to_u256(out, a)       the canonical integer, < p                    1M
 *   fe_p256_from_table(out, w)    w[4]: a*2^256 mod p, least significant limb first;
 *                                 the form of all committed tables              free
 *   fe_p256_to_mont(out, a), fe_p256_from_mont(out, m)
 *                                 the canonical integer a*R mod p, a u256       free
 *   fe_p256_add/sub(out, a, b), fe_p256_neg/dbl/half(out, a)
 *   fe_p256_mul(out, a, b) 1M, fe_p256_sqr(out, a) 1S, fe_p256_sqr_n(out, a, n) nS
 *   fe_p256_mul_sub_mul(out, a, b, c, d)    a*b - c*d       2M, less one reduction
 *   fe_p256_mul_sub_sqr(out, a, b, c)       a*b - c^2       1M + 1S, less one reduction
 *   fe_p256_is_zero(a), fe_p256_eq(a, b)    a mask: all ones or 0
 *   fe_p256_select(out, mask, a, b)         mask ? a : b
 *   fe_p256_inv(out, a), fe_p256_inv_vt(out, a)   1/a by division steps; 0 for 0
 *   fe_p256_sqrt(out, a)          the candidate root a^((p+1)/4); returns a mask that
 *                                 is all ones if its square is a               254S+7M */
#ifndef SIGMILL_FIELD_FE_P256_H
#define SIGMILL_FIELD_FE_P256_H

#include "base/secret.h"
#include "base/u256.h"
#include "field/safegcd.h"

#if defined(FE_P256_BODY_ADX)
#include "field/fe_p256_adx.h"
#elif defined(FE_P256_BODY_U64)
#include "field/fe_p256_u64.h"
#elif defined(FE_P256_BODY_U32)
#include "field/fe_p256_u32.h"
#else
#error "choose a body: FE_P256_BODY_ADX, FE_P256_BODY_U64 or FE_P256_BODY_U32"
#endif

#include "field/fe_p256_chain.h"

#endif
