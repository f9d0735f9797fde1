/* The vocabulary in plain C: the meaning of every other body (lanes/vec.h).  It runs on
 * any processor.  A mask is a word of ones or zeros in each lane. */
#ifndef SIGMILL_LANES_VEC_PLAIN_H
#define SIGMILL_LANES_VEC_PLAIN_H

#include "base/bytes.h"
#include "base/ct.h"

typedef struct {
  uint64_t lane[8];
} vec;
typedef struct {
  uint64_t lane[8];
} vmask;

/* Unrolled, so that lanes pass from one operation to the next without an array. */
#define PLAIN_EACH_LANE(i) _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++)
#define PLAIN_VEC(type, expression)                                                      \
  type r;                                                                                \
  PLAIN_EACH_LANE(i) {                                                                   \
    r.lane[i] = (expression);                                                            \
  }                                                                                      \
  return r

LANES_INLINE vec v_set1(uint64_t x) {
  PLAIN_VEC(vec, x);
}
LANES_INLINE vec v_zero(void) {
  return v_set1(0);
}
LANES_INLINE vec v_add(vec a, vec b) {
  PLAIN_VEC(vec, a.lane[i] + b.lane[i]);
}
LANES_INLINE vec v_sub(vec a, vec b) {
  PLAIN_VEC(vec, a.lane[i] - b.lane[i]);
}
LANES_INLINE vec v_and(vec a, vec b) {
  PLAIN_VEC(vec, a.lane[i] & b.lane[i]);
}
LANES_INLINE vec v_or(vec a, vec b) {
  PLAIN_VEC(vec, a.lane[i] | b.lane[i]);
}
LANES_INLINE vec v_xor(vec a, vec b) {
  PLAIN_VEC(vec, a.lane[i] ^ b.lane[i]);
}
LANES_INLINE vec v_shl(vec a, int k) {
  PLAIN_VEC(vec, a.lane[i] << k);
}
LANES_INLINE vec v_shr(vec a, int k) {
  PLAIN_VEC(vec, a.lane[i] >> k);
}
/* Ones where a is negative. */
LANES_INLINE uint64_t plain_sign(uint64_t a) {
  return 0 - (a >> 63);
}
LANES_INLINE vec v_sar(vec a, int k) {
  PLAIN_VEC(vec, ((a.lane[i] ^ plain_sign(a.lane[i])) >> k) ^ plain_sign(a.lane[i]));
}

/* The product mod 2^52 depends on the operands' low bits alone. */
LANES_INLINE vec v_madlo52(vec c, vec a, vec b) {
  PLAIN_VEC(vec, c.lane[i] + ((a.lane[i] * b.lane[i]) & (UINT64_MAX >> 12)));
}
/* Bits 52..103 of the product of a mod 2^52 and b mod 2^52. */
LANES_INLINE uint64_t plain_high(uint64_t a, uint64_t b) {
  uint64_t high;
  (void)mul_wide_u64(a << 12, b & (UINT64_MAX >> 12), &high);
  return high;
}
LANES_INLINE vec v_madhi52(vec c, vec a, vec b) {
  PLAIN_VEC(vec, c.lane[i] + plain_high(a.lane[i], b.lane[i]));
}
LANES_INLINE vec v_split(vec a, int k) {
  (void)k;
  return a;
}

/* Masks are hidden where they are made: a compiler that knows a word to be all ones or 0
 * may turn a selection between two loads into a load from a selected address. */
LANES_INLINE vmask v_isneg(vec a) {
  PLAIN_VEC(vmask, ct_hide_u64(plain_sign(a.lane[i])));
}
LANES_INLINE vmask v_iszero(vec a) {
  PLAIN_VEC(vmask, ct_hide_u64(~plain_sign(a.lane[i] | (0 - a.lane[i]))));
}
LANES_INLINE vmask v_eq(vec a, vec b) {
  return v_iszero(v_xor(a, b));
}
LANES_INLINE vec v_select(vmask m, vec a, vec b) {
  PLAIN_VEC(vec, b.lane[i] ^ ((a.lane[i] ^ b.lane[i]) & m.lane[i]));
}
LANES_INLINE vmask vm_and(vmask m, vmask n) {
  PLAIN_VEC(vmask, m.lane[i] & n.lane[i]);
}
LANES_INLINE vmask vm_or(vmask m, vmask n) {
  PLAIN_VEC(vmask, m.lane[i] | n.lane[i]);
}
LANES_INLINE vmask vm_xor(vmask m, vmask n) {
  PLAIN_VEC(vmask, m.lane[i] ^ n.lane[i]);
}
LANES_INLINE vmask vm_not(vmask m) {
  PLAIN_VEC(vmask, ~m.lane[i]);
}
LANES_INLINE unsigned vm_bits(vmask m) {
  unsigned bits = 0;
  PLAIN_EACH_LANE(i) {
    bits |= (unsigned)(m.lane[i] & 1) << i;
  }
  return bits;
}
LANES_INLINE vmask vm_from_bits(unsigned bits) {
  PLAIN_VEC(vmask, 0 - (uint64_t)(bits >> i & 1));
}

LANES_INLINE vec v_load(const uint64_t *p) {
  vec r;
  memcpy(r.lane, p, sizeof r.lane);
  return r;
}
LANES_INLINE void v_store(uint64_t *p, vec a) {
  memcpy(p, a.lane, sizeof a.lane);
}
LANES_INLINE void plain_load_rows(vec *out, const uint64_t *const rows[8], int words) {
  for (int i = 0; i < 8; i++) {
    for (int w = 0; w < words; w++) {
      out[w].lane[i] = rows[i][w];
    }
  }
}
LANES_INLINE void plain_store_rows(uint64_t *const rows[8], const vec *in, int words) {
  for (int i = 0; i < 8; i++) {
    for (int w = 0; w < words; w++) {
      rows[i][w] = in[w].lane[i];
    }
  }
}
LANES_INLINE void v_load_rows(vec out[8], const uint64_t *const rows[8]) {
  plain_load_rows(out, rows, 8);
}
LANES_INLINE void v_load_rows4(vec out[4], const uint64_t *const rows[8]) {
  plain_load_rows(out, rows, 4);
}
LANES_INLINE void v_store_rows(uint64_t *const rows[8], const vec in[8]) {
  plain_store_rows(rows, in, 8);
}
LANES_INLINE void v_store_rows4(uint64_t *const rows[8], const vec in[4]) {
  plain_store_rows(rows, in, 4);
}
LANES_INLINE void v_store_bytes(uint8_t *p, vec a) {
  PLAIN_EACH_LANE(i) {
    p[i] = (uint8_t)a.lane[i];
  }
}
LANES_INLINE void v_store_words16(uint16_t *p, vec a) {
  PLAIN_EACH_LANE(i) {
    p[i] = (uint16_t)a.lane[i];
  }
}

LANES_INLINE vec v_swap(vec a, int k) {
  PLAIN_VEC(vec, a.lane[i ^ k]);
}
/* Scanned, not looked up: an index may be secret. */
LANES_INLINE uint64_t plain_pick(const uint64_t *t, int count, uint64_t index) {
  uint64_t r = 0;
  for (int j = 0; j < count; j++) {
    const uint64_t other = (index ^ (uint64_t)j) & (uint64_t)(count - 1);
    r |= t[j] & ((other - 1) >> 63) * UINT64_MAX;
  }
  return r;
}
LANES_INLINE vec v_look8(vec t, vec index) {
  PLAIN_VEC(vec, plain_pick(t.lane, 8, index.lane[i]));
}
LANES_INLINE vec v_look16(vec t, vec u, vec index) {
  uint64_t both[16];
  memcpy(both, t.lane, sizeof t.lane);
  memcpy(both + 8, u.lane, sizeof u.lane);
  PLAIN_VEC(vec, plain_pick(both, 16, index.lane[i]));
}

#endif
