/* The field of P-256 in four 64-bit limbs, least significant first: what the bodies that
 * use this form share.  Elements are a*R mod p with R = 2^256, always canonical (< p).
 *
 * The limbs of p are 2^64 - 1, P1 = 2^32 - 1, 0 and P3 = 2^64 - 2^32 + 1 = -P1 mod 2^64.
 */
#ifndef SIGMILL_FIELD_FE_P256_4X64_H
#define SIGMILL_FIELD_FE_P256_4X64_H

#include "base/u256.h"

typedef struct {
  uint64_t v[4];
} fe_p256;

#define FE_P256_INLINE static inline __attribute__((always_inline))

#define FE_P256_P1 UINT64_C(0x00000000ffffffff)
#define FE_P256_P3 UINT64_C(0xffffffff00000001)

/* The integer 1; R, R^2 and R^3 mod p. */
static const fe_p256 FE_P256_R0 = {{1}};
static const fe_p256 FE_P256_R1 = {
    {1, UINT64_C(0xffffffff00000000), UINT64_MAX, UINT64_C(0x00000000fffffffe)}};
static const fe_p256 FE_P256_R2 = {{3, UINT64_C(0xfffffffbffffffff),
                                    UINT64_C(0xfffffffffffffffe),
                                    UINT64_C(0x00000004fffffffd)}};
static const fe_p256 FE_P256_R3 = {
    {UINT64_C(0xfffffffd0000000a), UINT64_C(0xffffffedfffffff7),
     UINT64_C(0x00000005fffffffc), UINT64_C(0x0000001800000001)}};

static inline void fe_p256_zero(fe_p256 *out) {
  *out = (fe_p256){{0}};
}

static inline void fe_p256_one(fe_p256 *out) {
  *out = FE_P256_R1;
}

static inline uint64_t fe_p256_is_zero(const fe_p256 *a) {
  return ct_zero_mask_u64(a->v[0] | a->v[1] | a->v[2] | a->v[3]);
}

static inline uint64_t fe_p256_eq(const fe_p256 *a, const fe_p256 *b) {
  return ct_zero_mask_u64((a->v[0] ^ b->v[0]) | (a->v[1] ^ b->v[1]) |
                          (a->v[2] ^ b->v[2]) | (a->v[3] ^ b->v[3]));
}

static inline void fe_p256_select(fe_p256 *out, uint64_t mask, const fe_p256 *a,
                                  const fe_p256 *b) {
  for (int i = 0; i < 4; i++) {
    out->v[i] = ct_select_u64(mask, a->v[i], b->v[i]);
  }
}

/* The integer a*R mod p itself, out and in (< p). */
static inline void fe_p256_to_mont(u256 *out, const fe_p256 *a) {
  memcpy(out->v, a->v, sizeof out->v);
}

static inline void fe_p256_from_mont(fe_p256 *out, const u256 *a) {
  memcpy(out->v, a->v, sizeof out->v);
}

static inline void fe_p256_from_table(fe_p256 *out, const uint64_t w[4]) {
  memcpy(out->v, w, sizeof out->v);
}

#endif
