/* Byte order, and the double-word arithmetic that every floor uses. */
#ifndef SIGMILL_BASE_BYTES_H
#define SIGMILL_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 u128;
#endif

static inline uint32_t load_be32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void store_be32(uint8_t *p, uint32_t x) {
  p[0] = (uint8_t)(x >> 24);
  p[1] = (uint8_t)(x >> 16);
  p[2] = (uint8_t)(x >> 8);
  p[3] = (uint8_t)x;
}

static inline uint64_t load_be64(const uint8_t *p) {
  return (uint64_t)load_be32(p) << 32 | load_be32(p + 4);
}

static inline void store_be64(uint8_t *p, uint64_t x) {
  store_be32(p, (uint32_t)(x >> 32));
  store_be32(p + 4, (uint32_t)x);
}

/* Compilers turn the overflow builtins into instructions with a carry; MemorySanitizer
 * takes them for branches, so its build does without. */
#if defined(__GNUC__) && !defined(SIGMILL_CT_MSAN)
#define OVERFLOW_BUILTINS 1
#else
#define OVERFLOW_BUILTINS 0
#endif

/* a + b + *carry; *carry (0 or 1) becomes the carry out. */
static inline uint64_t add_carry_u64(uint64_t a, uint64_t b, uint64_t *carry) {
  uint64_t s;
#if OVERFLOW_BUILTINS
  uint64_t c = __builtin_add_overflow(a, b, &s);
  *carry = c | __builtin_add_overflow(s, *carry, &s);
#else
  s = a + b;
  uint64_t c = s < a;
  s += *carry;
  *carry = c | (s < *carry);
#endif
  return s;
}

/* a - b - *borrow; *borrow (0 or 1) becomes the borrow out. */
static inline uint64_t sub_borrow_u64(uint64_t a, uint64_t b, uint64_t *borrow) {
  uint64_t d;
#if OVERFLOW_BUILTINS
  uint64_t c = __builtin_sub_overflow(a, b, &d);
  *borrow = c | __builtin_sub_overflow(d, *borrow, &d);
#else
  d = a - b;
  uint64_t c = a < b, e = d - *borrow;
  *borrow = c | (d < *borrow);
  d = e;
#endif
  return d;
}

/* The 128-bit product a*b: low half returned, high half in *hi. */
static inline uint64_t mul_wide_u64(uint64_t a, uint64_t b, uint64_t *hi) {
#ifdef __SIZEOF_INT128__
  u128 p = (u128)a * b;
  *hi = (uint64_t)(p >> 64);
  return (uint64_t)p;
#else
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t low = a0 * b0;
  uint64_t mid = a1 * b0 + (low >> 32);
  uint64_t mid2 = a0 * b1 + (uint32_t)mid;
  *hi = a1 * b1 + (mid >> 32) + (mid2 >> 32);
  return mid2 << 32 | (uint32_t)low;
#endif
}

/* acc + a*b + *carry, which fits 128 bits: low half returned, high half in *carry. */
static inline uint64_t mul_add_u64(uint64_t acc, uint64_t a, uint64_t b,
                                   uint64_t *carry) {
#ifdef __SIZEOF_INT128__
  u128 t = (u128)a * b + acc + *carry;
  *carry = (uint64_t)(t >> 64);
  return (uint64_t)t;
#else
  uint64_t high, low = mul_wide_u64(a, b, &high);
  low += acc;
  high += low < acc;
  low += *carry;
  *carry = high + (low < *carry);
  return low;
#endif
}

#endif
