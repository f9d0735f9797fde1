/* 256-bit unsigned integers: four 64-bit limbs, least significant first.
 *
 * The one form in which integers cross floors: coordinates, scalars and digests are
 * handed over as plain integers, never in a Montgomery domain.  All functions run in
 * constant time unless their name ends in _vt. */
#ifndef SIGMILL_BASE_U256_H
#define SIGMILL_BASE_U256_H

#include "base/bytes.h"
#include "base/ct.h"
#include <stdint.h>

typedef struct {
  uint64_t v[4];
} u256;

/* A signed 128-bit integer in two's complement, less significant word first. */
typedef struct {
  uint64_t v[2];
} i128;

/* out = the integer that 32 big-endian bytes spell. */
static inline void u256_from_be(u256 *out, const uint8_t in[32]) {
  for (int i = 0; i < 4; i++) {
    out->v[i] = load_be64(in + 24 - 8 * i);
  }
}

/* out = a in 32 big-endian bytes. */
static inline void u256_to_be(uint8_t out[32], const u256 *a) {
  for (int i = 0; i < 4; i++) {
    store_be64(out + 24 - 8 * i, a->v[i]);
  }
}

/* out = a + b mod 2^256; returns the carry, 0 or 1.  out may be a or b. */
static inline uint64_t u256_add(u256 *out, const u256 *a, const u256 *b) {
  uint64_t carry = 0;
  for (int i = 0; i < 4; i++) {
    out->v[i] = add_carry_u64(a->v[i], b->v[i], &carry);
  }
  return carry;
}

/* out = a - b mod 2^256; returns the borrow, 0 or 1.  out may be a or b. */
static inline uint64_t u256_sub(u256 *out, const u256 *a, const u256 *b) {
  uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) {
    out->v[i] = sub_borrow_u64(a->v[i], b->v[i], &borrow);
  }
  return borrow;
}

/* All ones if a < b, else 0. */
static inline uint64_t u256_lt_mask(const u256 *a, const u256 *b) {
  u256 unused;
  return ct_mask_u64(u256_sub(&unused, a, b));
}

/* All ones if a = 0, else 0. */
static inline uint64_t u256_zero_mask(const u256 *a) {
  return ct_zero_mask_u64(a->v[0] | a->v[1] | a->v[2] | a->v[3]);
}

/* All ones if a = b, else 0. */
static inline uint64_t u256_eq_mask(const u256 *a, const u256 *b) {
  return ct_zero_mask_u64((a->v[0] ^ b->v[0]) | (a->v[1] ^ b->v[1]) |
                          (a->v[2] ^ b->v[2]) | (a->v[3] ^ b->v[3]));
}

/* out = mask ? a : b, for a mask of all ones or all zeros.  out may be a or b. */
static inline void u256_select(u256 *out, uint64_t mask, const u256 *a, const u256 *b) {
  for (int i = 0; i < 4; i++) {
    out->v[i] = ct_select_u64(mask, a->v[i], b->v[i]);
  }
}

#endif
