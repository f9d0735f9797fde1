/* Signed digits of scalars: the width-w non-adjacent form (Solinas, "Efficient arithmetic
 * on Koblitz curves", 2000) in variable time, and regular odd digits (Joye and Tunstall,
 * "Exponent recoding and regular exponentiation algorithms", 2009) in constant time. */
#include "base/check.h"
#include "base/secret.h"
#include "scalar/sc_p256.h"

enum { WORDS = 6 }; /* with two words of zeros, to read past the end */

/* The 63 bits of k from `position` on. */
static inline uint64_t window(const uint64_t k[WORDS], unsigned position) {
  unsigned word = position / 64, shift = position % 64;
  return (k[word] >> shift | k[word + 1] << 1 << (63 - shift)) & (UINT64_MAX >> 1);
}

/* From `position` up, what is left of a is its bits plus carry; x holds the next `fresh`
 * bits of it.  The lowest w bits from the first 1 on, as a signed residue, are a digit,
 * and its sign is the next carry.  Over zeros of x alone, be they zeros of a or ones and
 * a carry, the carry moves up unchanged; out of bit 255 it is the last digit. */
int sm_recode_wnaf_vt(int16_t digits[257], const u256 *a, int w) {
  CHECK(2 <= w && w <= 15);
  const uint64_t k[WORDS] = {a->v[0], a->v[1], a->v[2], a->v[3], 0, 0};
  const unsigned width = (unsigned)w;
  memset(digits, 0, 257 * sizeof digits[0]);
  unsigned position = 0, length = 0;
  uint64_t carry = 0;
  while (position < 256 || carry != 0) {
    unsigned fresh = 63;
    uint64_t x = window(k, position) + carry;
    if ((x & UINT32_MAX) == 0) {
      position += 32;
      continue;
    }
    unsigned zeros = (unsigned)__builtin_ctzll(x);
    do {
      x >>= zeros;
      position += zeros;
      uint64_t digit = x & (((uint64_t)1 << width) - 1);
      carry = digit >> (width - 1);
      digits[position] = (int16_t)((int64_t)digit - (int64_t)(carry << width));
      length = position + 1;
      x = (x >> width) + carry;
      position += width;
      fresh -= zeros + width;
      zeros = (unsigned)__builtin_ctzll(x | (uint64_t)1 << 63);
    } while (zeros + width <= fresh);
  }
  return (int)length;
}

/* With k(0) = k and d(i) = (k(i) mod 2^(w+1)) - 2^w, odd and between +-(2^w - 1),
 * k(i+1) = (k(i) - d(i)) / 2^w = floor(k(i) / 2^w) | 1, and hence k(i) = floor(k / 2^(w
 * i)) | 1. The last digit is the last k(i), which is at least 1 and below 2^w. */
void sm_recode_odd(int8_t *digits, int count, const u256 *k, int w) {
  CHECK(2 <= w && w <= 7 && 0 < count && (count - 1) * w <= 256);
  CHECK((k->v[0] & 1) == 1);
  uint64_t words[WORDS] = {k->v[0], k->v[1], k->v[2], k->v[3], 0, 0};
  for (int i = 0; i < count; i++) {
    int64_t bits =
        (int64_t)(window(words, (unsigned)(w * i)) & (((uint64_t)2 << w) - 1)) | 1;
    digits[i] = (int8_t)(i < count - 1 ? bits - ((int64_t)1 << w) : bits);
  }
  wipe(words, sizeof words);
}
