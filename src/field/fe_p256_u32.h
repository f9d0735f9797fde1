/* The field of P-256 for 32-bit machines and WebAssembly: nine limbs of 29 bits, least
 * significant first, and products of 32 by 32 bits only.  Montgomery domain a*R mod p
 * with R = 2^261.
 *
 * A product is summed up by columns, and the reduction is part of the carry chain
 * (Montgomery, "Modular multiplication without trial division", 1985): p = -1 mod 2^96,
 * so that the digit of column k is what the column holds, its low 29 bits q.  Adding q*p
 * clears them and adds, with 96 = 3*29 + 9, 192 = 6*29 + 18, 224 = 7*29 + 21 and
 * 256 = 8*29 + 24,
 *   q*2^9 to column k+3, q*2^18 to k+6, -q*2^21 to k+7, q*2^24 to k+8.
 *
 * Ranges.  Every element has limbs below 2^29, the highest below 2^25, and a value below
 * B = 2^256 + 2^252 < 2p; its limbs are unique for the value.
 * mul, sqr: a column holds at most nine products below 2^58, digits below 2^54 and a
 * carry below 2^34: less than 2^62 in size.  (a*b + Q*p)/R < B^2/2^261 + p < B.
 * Others: they give a sum V of limbs below 2^31, none negative; h = floor(V_8/2^24), and
 * V - h*p = (V - h*2^256) + h*(2^224 - 2^192 - 2^96 + 1) lies in [0, 2^256 + 2^235). */
#ifndef SIGMILL_FIELD_FE_P256_U32_H
#define SIGMILL_FIELD_FE_P256_U32_H

#include "base/u256.h"

typedef struct {
  uint32_t v[9];
} fe_p256;

#define FE_P256_LIMB_MASK UINT32_C(0x1fffffff)

static const fe_p256 FE_P256_P = {{0x1fffffff, 0x1fffffff, 0x1fffffff, 0x000001ff,
                                   0x00000000, 0x00000000, 0x00040000, 0x1fe00000,
                                   0x00ffffff}};

/* 2p with 2^29 lent to each limb but the highest by the next: no limb of an element
 * exceeds its own here. */
static const fe_p256 FE_P256_2P_LENT = {{0x3ffffffe, 0x3ffffffe, 0x3ffffffe, 0x200003fe,
                                         0x1fffffff, 0x1fffffff, 0x2007ffff, 0x3fbfffff,
                                         0x01fffffe}};

/* The integer 1; R, R^2 and R^3 mod p. */
static const fe_p256 FE_P256_R0 = {{1}};
static const fe_p256 FE_P256_R1 = {{0x00000020, 0x00000000, 0x00000000, 0x1fffc000,
                                    0x1fffffff, 0x1fffffff, 0x1f7fffff, 0x03ffffff,
                                    0x00000000}};
static const fe_p256 FE_P256_R2 = {{0x00000c00, 0x00000000, 0x1fff0000, 0x1fdfffff,
                                    0x1fbfffff, 0x1fffffff, 0x1fffffff, 0x1ffffffe,
                                    0x00000013}};
static const fe_p256 FE_P256_R3 = {{0x00050000, 0x1ff40000, 0x1effffff, 0x0dffffff,
                                    0x07ffffff, 0x1fffffff, 0x0000000b, 0x00000010,
                                    0x00000c00}};

/* Called, not inlined: a product is long, and code for the web is to be small. */
#define FE_P256_CALLED static __attribute__((noinline, unused))

static inline void fe_p256_zero(fe_p256 *out) {
  *out = (fe_p256){{0}};
}

static inline void fe_p256_one(fe_p256 *out) {
  *out = FE_P256_R1;
}

/* out = v less floor(v[8]/2^24)*p.  in: limbs in [0, 2^31). */
static inline void fe_p256_fold(fe_p256 *out, const int32_t v[9]) {
  const int32_t mask = FE_P256_LIMB_MASK;
  int32_t h = v[8] >> 24, c;
  c = v[0] + h;
  out->v[0] = (uint32_t)(c & mask);
  c = (c >> 29) + v[1];
  out->v[1] = (uint32_t)(c & mask);
  c = (c >> 29) + v[2];
  out->v[2] = (uint32_t)(c & mask);
  c = (c >> 29) + v[3] - (h << 9);
  out->v[3] = (uint32_t)(c & mask);
  c = (c >> 29) + v[4];
  out->v[4] = (uint32_t)(c & mask);
  c = (c >> 29) + v[5];
  out->v[5] = (uint32_t)(c & mask);
  c = (c >> 29) + v[6] - (h << 18);
  out->v[6] = (uint32_t)(c & mask);
  c = (c >> 29) + v[7] + (h << 21);
  out->v[7] = (uint32_t)(c & mask);
  out->v[8] = (uint32_t)((c >> 29) + (v[8] & 0xffffff));
}

static inline void fe_p256_add(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  int32_t v[9];
  for (int i = 0; i < 9; i++) {
    v[i] = (int32_t)(a->v[i] + b->v[i]);
  }
  fe_p256_fold(out, v);
}

static inline void fe_p256_dbl(fe_p256 *out, const fe_p256 *a) {
  fe_p256_add(out, a, a);
}

static inline void fe_p256_sub(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  int32_t v[9];
  for (int i = 0; i < 9; i++) {
    v[i] = (int32_t)(a->v[i] + FE_P256_2P_LENT.v[i] - b->v[i]);
  }
  fe_p256_fold(out, v);
}

static inline void fe_p256_neg(fe_p256 *out, const fe_p256 *a) {
  const fe_p256 zero = {{0}};
  fe_p256_sub(out, &zero, a);
}

/* out = a/2: a or a + p, whichever is even, shifted. */
static inline void fe_p256_half(fe_p256 *out, const fe_p256 *a) {
  uint32_t odd = (uint32_t)ct_mask_u64(a->v[0] & 1), carry = 0, v[10];
  for (int i = 0; i < 9; i++) {
    v[i] = a->v[i] + (FE_P256_P.v[i] & odd);
  }
  v[9] = 0;
  for (int i = 0; i < 8; i++) {
    carry += (v[i] >> 1) + ((v[i + 1] & 1) << 28);
    out->v[i] = carry & FE_P256_LIMB_MASK;
    carry >>= 29;
  }
  out->v[8] = carry + (v[8] >> 1);
}

static inline uint64_t fe_p256_wide(uint32_t a, uint32_t b) {
  return (uint64_t)a * b;
}

/* floor(c/2^29) of a column, which may be negative. */
static inline uint64_t fe_p256_column_carry(uint64_t c) {
  return (uint64_t)((int64_t)c >> 29);
}

FE_P256_CALLED void fe_p256_mul(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  const uint32_t *x = a->v, *y = b->v;
  uint32_t q[9], r[9];
  uint64_t c = 0;
  c += fe_p256_wide(x[0], y[0]);
  q[0] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[0], y[1]) + fe_p256_wide(x[1], y[0]);
  q[1] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[0], y[2]) + fe_p256_wide(x[1], y[1]) + fe_p256_wide(x[2], y[0]);
  q[2] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[0], y[3]) + fe_p256_wide(x[1], y[2]) + fe_p256_wide(x[2], y[1]) +
       fe_p256_wide(x[3], y[0]) + ((uint64_t)q[0] << 9);
  q[3] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[0], y[4]) + fe_p256_wide(x[1], y[3]) + fe_p256_wide(x[2], y[2]) +
       fe_p256_wide(x[3], y[1]) + fe_p256_wide(x[4], y[0]) + ((uint64_t)q[1] << 9);
  q[4] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[0], y[5]) + fe_p256_wide(x[1], y[4]) + fe_p256_wide(x[2], y[3]) +
       fe_p256_wide(x[3], y[2]) + fe_p256_wide(x[4], y[1]) + fe_p256_wide(x[5], y[0]) +
       ((uint64_t)q[2] << 9);
  q[5] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[0], y[6]) + fe_p256_wide(x[1], y[5]) + fe_p256_wide(x[2], y[4]) +
       fe_p256_wide(x[3], y[3]) + fe_p256_wide(x[4], y[2]) + fe_p256_wide(x[5], y[1]) +
       fe_p256_wide(x[6], y[0]) + ((uint64_t)q[3] << 9) + ((uint64_t)q[0] << 18);
  q[6] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[0], y[7]) + fe_p256_wide(x[1], y[6]) + fe_p256_wide(x[2], y[5]) +
       fe_p256_wide(x[3], y[4]) + fe_p256_wide(x[4], y[3]) + fe_p256_wide(x[5], y[2]) +
       fe_p256_wide(x[6], y[1]) + fe_p256_wide(x[7], y[0]) + ((uint64_t)q[4] << 9) +
       ((uint64_t)q[1] << 18) - ((uint64_t)q[0] << 21);
  q[7] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[0], y[8]) + fe_p256_wide(x[1], y[7]) + fe_p256_wide(x[2], y[6]) +
       fe_p256_wide(x[3], y[5]) + fe_p256_wide(x[4], y[4]) + fe_p256_wide(x[5], y[3]) +
       fe_p256_wide(x[6], y[2]) + fe_p256_wide(x[7], y[1]) + fe_p256_wide(x[8], y[0]) +
       ((uint64_t)q[5] << 9) + ((uint64_t)q[2] << 18) - ((uint64_t)q[1] << 21) +
       ((uint64_t)q[0] << 24);
  q[8] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[1], y[8]) + fe_p256_wide(x[2], y[7]) + fe_p256_wide(x[3], y[6]) +
       fe_p256_wide(x[4], y[5]) + fe_p256_wide(x[5], y[4]) + fe_p256_wide(x[6], y[3]) +
       fe_p256_wide(x[7], y[2]) + fe_p256_wide(x[8], y[1]) + ((uint64_t)q[6] << 9) +
       ((uint64_t)q[3] << 18) - ((uint64_t)q[2] << 21) + ((uint64_t)q[1] << 24);
  r[0] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[2], y[8]) + fe_p256_wide(x[3], y[7]) + fe_p256_wide(x[4], y[6]) +
       fe_p256_wide(x[5], y[5]) + fe_p256_wide(x[6], y[4]) + fe_p256_wide(x[7], y[3]) +
       fe_p256_wide(x[8], y[2]) + ((uint64_t)q[7] << 9) + ((uint64_t)q[4] << 18) -
       ((uint64_t)q[3] << 21) + ((uint64_t)q[2] << 24);
  r[1] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[3], y[8]) + fe_p256_wide(x[4], y[7]) + fe_p256_wide(x[5], y[6]) +
       fe_p256_wide(x[6], y[5]) + fe_p256_wide(x[7], y[4]) + fe_p256_wide(x[8], y[3]) +
       ((uint64_t)q[8] << 9) + ((uint64_t)q[5] << 18) - ((uint64_t)q[4] << 21) +
       ((uint64_t)q[3] << 24);
  r[2] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[4], y[8]) + fe_p256_wide(x[5], y[7]) + fe_p256_wide(x[6], y[6]) +
       fe_p256_wide(x[7], y[5]) + fe_p256_wide(x[8], y[4]) + ((uint64_t)q[6] << 18) -
       ((uint64_t)q[5] << 21) + ((uint64_t)q[4] << 24);
  r[3] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[5], y[8]) + fe_p256_wide(x[6], y[7]) + fe_p256_wide(x[7], y[6]) +
       fe_p256_wide(x[8], y[5]) + ((uint64_t)q[7] << 18) - ((uint64_t)q[6] << 21) +
       ((uint64_t)q[5] << 24);
  r[4] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[6], y[8]) + fe_p256_wide(x[7], y[7]) + fe_p256_wide(x[8], y[6]) +
       ((uint64_t)q[8] << 18) - ((uint64_t)q[7] << 21) + ((uint64_t)q[6] << 24);
  r[5] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[7], y[8]) + fe_p256_wide(x[8], y[7]) - ((uint64_t)q[8] << 21) +
       ((uint64_t)q[7] << 24);
  r[6] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[8], y[8]) + ((uint64_t)q[8] << 24);
  r[7] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  r[8] = (uint32_t)c;
  for (int i = 0; i < 9; i++) {
    out->v[i] = r[i];
  }
}

FE_P256_CALLED void fe_p256_sqr(fe_p256 *out, const fe_p256 *a) {
  const uint32_t *x = a->v;
  uint32_t d[8], q[9], r[9];
  uint64_t c = 0;
  for (int i = 0; i < 8; i++) {
    d[i] = 2 * x[i];
  }
  c += fe_p256_wide(x[0], x[0]);
  q[0] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[0], x[1]);
  q[1] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[0], x[2]) + fe_p256_wide(x[1], x[1]);
  q[2] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[0], x[3]) + fe_p256_wide(d[1], x[2]) + ((uint64_t)q[0] << 9);
  q[3] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[0], x[4]) + fe_p256_wide(d[1], x[3]) + fe_p256_wide(x[2], x[2]) +
       ((uint64_t)q[1] << 9);
  q[4] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[0], x[5]) + fe_p256_wide(d[1], x[4]) + fe_p256_wide(d[2], x[3]) +
       ((uint64_t)q[2] << 9);
  q[5] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[0], x[6]) + fe_p256_wide(d[1], x[5]) + fe_p256_wide(d[2], x[4]) +
       fe_p256_wide(x[3], x[3]) + ((uint64_t)q[3] << 9) + ((uint64_t)q[0] << 18);
  q[6] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[0], x[7]) + fe_p256_wide(d[1], x[6]) + fe_p256_wide(d[2], x[5]) +
       fe_p256_wide(d[3], x[4]) + ((uint64_t)q[4] << 9) + ((uint64_t)q[1] << 18) -
       ((uint64_t)q[0] << 21);
  q[7] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[0], x[8]) + fe_p256_wide(d[1], x[7]) + fe_p256_wide(d[2], x[6]) +
       fe_p256_wide(d[3], x[5]) + fe_p256_wide(x[4], x[4]) + ((uint64_t)q[5] << 9) +
       ((uint64_t)q[2] << 18) - ((uint64_t)q[1] << 21) + ((uint64_t)q[0] << 24);
  q[8] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[1], x[8]) + fe_p256_wide(d[2], x[7]) + fe_p256_wide(d[3], x[6]) +
       fe_p256_wide(d[4], x[5]) + ((uint64_t)q[6] << 9) + ((uint64_t)q[3] << 18) -
       ((uint64_t)q[2] << 21) + ((uint64_t)q[1] << 24);
  r[0] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[2], x[8]) + fe_p256_wide(d[3], x[7]) + fe_p256_wide(d[4], x[6]) +
       fe_p256_wide(x[5], x[5]) + ((uint64_t)q[7] << 9) + ((uint64_t)q[4] << 18) -
       ((uint64_t)q[3] << 21) + ((uint64_t)q[2] << 24);
  r[1] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[3], x[8]) + fe_p256_wide(d[4], x[7]) + fe_p256_wide(d[5], x[6]) +
       ((uint64_t)q[8] << 9) + ((uint64_t)q[5] << 18) - ((uint64_t)q[4] << 21) +
       ((uint64_t)q[3] << 24);
  r[2] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[4], x[8]) + fe_p256_wide(d[5], x[7]) + fe_p256_wide(x[6], x[6]) +
       ((uint64_t)q[6] << 18) - ((uint64_t)q[5] << 21) + ((uint64_t)q[4] << 24);
  r[3] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[5], x[8]) + fe_p256_wide(d[6], x[7]) + ((uint64_t)q[7] << 18) -
       ((uint64_t)q[6] << 21) + ((uint64_t)q[5] << 24);
  r[4] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[6], x[8]) + fe_p256_wide(x[7], x[7]) + ((uint64_t)q[8] << 18) -
       ((uint64_t)q[7] << 21) + ((uint64_t)q[6] << 24);
  r[5] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(d[7], x[8]) - ((uint64_t)q[8] << 21) + ((uint64_t)q[7] << 24);
  r[6] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  c += fe_p256_wide(x[8], x[8]) + ((uint64_t)q[8] << 24);
  r[7] = (uint32_t)c & FE_P256_LIMB_MASK;
  c = fe_p256_column_carry(c);
  r[8] = (uint32_t)c;
  for (int i = 0; i < 9; i++) {
    out->v[i] = r[i];
  }
}

static inline void fe_p256_mul_sub_mul(fe_p256 *out, const fe_p256 *a, const fe_p256 *b,
                                       const fe_p256 *c, const fe_p256 *d) {
  fe_p256 t;
  fe_p256_mul(&t, c, d);
  fe_p256_mul(out, a, b);
  fe_p256_sub(out, out, &t);
}

static inline void fe_p256_mul_sub_sqr(fe_p256 *out, const fe_p256 *a, const fe_p256 *b,
                                       const fe_p256 *c) {
  fe_p256 t;
  fe_p256_sqr(&t, c);
  fe_p256_mul(out, a, b);
  fe_p256_sub(out, out, &t);
}

static inline uint64_t fe_p256_is_zero(const fe_p256 *a) {
  uint32_t zero = 0, p = 0;
  for (int i = 0; i < 9; i++) {
    zero |= a->v[i];
    p |= a->v[i] ^ FE_P256_P.v[i];
  }
  return ct_zero_mask_u64(zero) | ct_zero_mask_u64(p);
}

static inline uint64_t fe_p256_eq(const fe_p256 *a, const fe_p256 *b) {
  fe_p256 difference;
  fe_p256_sub(&difference, a, b);
  return fe_p256_is_zero(&difference);
}

static inline void fe_p256_select(fe_p256 *out, uint64_t mask, const fe_p256 *a,
                                  const fe_p256 *b) {
  uint32_t m = (uint32_t)mask;
  for (int i = 0; i < 9; i++) {
    out->v[i] = b->v[i] ^ (m & (a->v[i] ^ b->v[i]));
  }
}

/* The 29 bits of w from place 29*i - shift on. */
static inline int32_t fe_p256_limb_of(const uint64_t w[4], int i, int shift) {
  int at = 29 * i - shift, word = at / 64, bit = at % 64;
  uint64_t x;
  if (at < 0) {
    x = w[0] << -at;
  } else {
    x = w[word] >> bit;
    if (bit > 35 && word < 3) {
      x |= w[word + 1] << (64 - bit);
    }
  }
  return (int32_t)(x & FE_P256_LIMB_MASK);
}

/* The canonical integer a*R mod p itself, out and in (< p). */
static inline void fe_p256_to_mont(u256 *out, const fe_p256 *a) {
  fe_p256 reduced;
  int32_t c = 0, v[9];
  for (int i = 0; i < 9; i++) {
    c += (int32_t)(a->v[i] - FE_P256_P.v[i]);
    v[i] = i < 8 ? c & (int32_t)FE_P256_LIMB_MASK : c;
    c >>= 29;
  }
  for (int i = 0; i < 9; i++) {
    reduced.v[i] = (uint32_t)v[i];
  }
  fe_p256_select(&reduced, ct_mask_u64((uint64_t)(c & 1)), a, &reduced);
  const uint32_t *x = reduced.v;
  out->v[0] = x[0] | (uint64_t)x[1] << 29 | (uint64_t)x[2] << 58;
  out->v[1] = x[2] >> 6 | (uint64_t)x[3] << 23 | (uint64_t)x[4] << 52;
  out->v[2] = x[4] >> 12 | (uint64_t)x[5] << 17 | (uint64_t)x[6] << 46;
  out->v[3] = x[6] >> 18 | (uint64_t)x[7] << 11 | (uint64_t)x[8] << 40;
}

static inline void fe_p256_from_mont(fe_p256 *out, const u256 *a) {
  for (int i = 0; i < 9; i++) {
    out->v[i] = (uint32_t)fe_p256_limb_of(a->v, i, 0);
  }
}

/* a*2^256 becomes a*2^261. */
static inline void fe_p256_from_table(fe_p256 *out, const uint64_t w[4]) {
  int32_t v[9];
  for (int i = 0; i < 9; i++) {
    v[i] = fe_p256_limb_of(w, i, 5);
  }
  fe_p256_fold(out, v);
}

#endif
