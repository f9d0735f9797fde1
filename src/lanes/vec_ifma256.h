/* The vocabulary in registers of 256 bits, lanes 0..3 in one and 4..7 in the other:
 * lanes/vec.h has its meaning.  EVEX encoded (AVX-512 DQ, VL, IFMA) for VEC_IFMA256, VEX
 * encoded (AVX2, AVX-IFMA) for VEC_AVXIFMA: the operations that only AVX-512 has are
 * composed there, and a mask is a word of ones or zeros in each lane. */
#ifndef SIGMILL_LANES_VEC_IFMA256_H
#define SIGMILL_LANES_VEC_IFMA256_H

#include <immintrin.h>
#include <string.h>

typedef struct {
  __m256i low, high;
} vec;

#define BOTH(type, function, a) ((type){function((a).low), function((a).high)})
#define BOTH_2(type, function, a, b)                                                     \
  ((type){function((a).low, (b).low), function((a).high, (b).high)})

LANES_INLINE vec v_set1(uint64_t x) {
  const __m256i half = _mm256_set1_epi64x((long long)x);
  return (vec){half, half};
}
LANES_INLINE vec v_zero(void) {
  return (vec){_mm256_setzero_si256(), _mm256_setzero_si256()};
}
LANES_INLINE vec v_add(vec a, vec b) {
  return BOTH_2(vec, _mm256_add_epi64, a, b);
}
LANES_INLINE vec v_sub(vec a, vec b) {
  return BOTH_2(vec, _mm256_sub_epi64, a, b);
}
LANES_INLINE vec v_and(vec a, vec b) {
  return BOTH_2(vec, _mm256_and_si256, a, b);
}
LANES_INLINE vec v_or(vec a, vec b) {
  return BOTH_2(vec, _mm256_or_si256, a, b);
}
LANES_INLINE vec v_xor(vec a, vec b) {
  return BOTH_2(vec, _mm256_xor_si256, a, b);
}
/* The compilers' own operators: the intrinsics want a count that is a constant before
 * anything is inlined. */
LANES_INLINE vec v_shl(vec a, int k) {
  return (vec){(__m256i)((__v4du)a.low << (unsigned)k),
               (__m256i)((__v4du)a.high << (unsigned)k)};
}
LANES_INLINE vec v_shr(vec a, int k) {
  return (vec){(__m256i)((__v4du)a.low >> (unsigned)k),
               (__m256i)((__v4du)a.high >> (unsigned)k)};
}
LANES_INLINE vec v_split(vec a, int k) {
  (void)k;
  return a;
}

#ifdef VEC_IFMA256
#define HALF_MADLO _mm256_madd52lo_epu64
#define HALF_MADHI _mm256_madd52hi_epu64
#else
#define HALF_MADLO _mm256_madd52lo_avx_epu64
#define HALF_MADHI _mm256_madd52hi_avx_epu64
#endif
LANES_INLINE vec v_madlo52(vec c, vec a, vec b) {
  return (vec){HALF_MADLO(c.low, a.low, b.low), HALF_MADLO(c.high, a.high, b.high)};
}
LANES_INLINE vec v_madhi52(vec c, vec a, vec b) {
  return (vec){HALF_MADHI(c.low, a.low, b.low), HALF_MADHI(c.high, a.high, b.high)};
}

#ifdef VEC_IFMA256
typedef struct {
  __mmask8 low, high; /* four bits each */
} vmask;

LANES_INLINE vec v_sar(vec a, int k) {
  return (vec){(__m256i)((__v4di)a.low >> k), (__m256i)((__v4di)a.high >> k)};
}
LANES_INLINE vmask v_isneg(vec a) {
  return BOTH(vmask, _mm256_movepi64_mask, a);
}
LANES_INLINE vmask v_iszero(vec a) {
  return BOTH_2(vmask, _mm256_testn_epi64_mask, a, a);
}
LANES_INLINE vmask v_eq(vec a, vec b) {
  return BOTH_2(vmask, _mm256_cmpeq_epi64_mask, a, b);
}
LANES_INLINE vec v_select(vmask m, vec a, vec b) {
  return (vec){_mm256_mask_mov_epi64(b.low, m.low, a.low),
               _mm256_mask_mov_epi64(b.high, m.high, a.high)};
}
LANES_INLINE vmask vm_and(vmask m, vmask n) {
  return BOTH_2(vmask, _kand_mask8, m, n);
}
LANES_INLINE vmask vm_or(vmask m, vmask n) {
  return BOTH_2(vmask, _kor_mask8, m, n);
}
LANES_INLINE vmask vm_xor(vmask m, vmask n) {
  return BOTH_2(vmask, _kxor_mask8, m, n);
}
LANES_INLINE vmask vm_not(vmask m) {
  return BOTH(vmask, _knot_mask8, m);
}
LANES_INLINE unsigned vm_bits(vmask m) {
  return (m.low & 15U) | (m.high & 15U) << 4;
}
LANES_INLINE vmask vm_from_bits(unsigned bits) {
  return (vmask){(__mmask8)(bits & 15), (__mmask8)(bits >> 4 & 15)};
}
#else
typedef vec vmask;

LANES_INLINE __m256i half_sign(__m256i a) {
  return _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);
}
LANES_INLINE vmask v_isneg(vec a) {
  return BOTH(vmask, half_sign, a);
}
LANES_INLINE vec v_sar(vec a, int k) {
  const vmask sign = v_isneg(a);
  return v_xor(v_shr(v_xor(a, sign), k), sign);
}
LANES_INLINE vmask v_eq(vec a, vec b) {
  return BOTH_2(vmask, _mm256_cmpeq_epi64, a, b);
}
LANES_INLINE vmask v_iszero(vec a) {
  return v_eq(a, v_zero());
}
LANES_INLINE vec v_select(vmask m, vec a, vec b) {
  return (vec){_mm256_blendv_epi8(b.low, a.low, m.low),
               _mm256_blendv_epi8(b.high, a.high, m.high)};
}
LANES_INLINE vmask vm_and(vmask m, vmask n) {
  return v_and(m, n);
}
LANES_INLINE vmask vm_or(vmask m, vmask n) {
  return v_or(m, n);
}
LANES_INLINE vmask vm_xor(vmask m, vmask n) {
  return v_xor(m, n);
}
LANES_INLINE vmask vm_not(vmask m) {
  return v_xor(m, v_set1(UINT64_MAX));
}
LANES_INLINE unsigned vm_bits(vmask m) {
  return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(m.low)) |
         (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(m.high)) << 4;
}
LANES_INLINE vmask vm_from_bits(unsigned bits) {
  const vec of_lane = {_mm256_setr_epi64x(1, 2, 4, 8),
                       _mm256_setr_epi64x(16, 32, 64, 128)};
  return v_eq(v_and(v_set1(bits), of_lane), of_lane);
}
#endif

LANES_INLINE __m256i half_load(const uint64_t *p) {
  return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
LANES_INLINE void half_store(uint64_t *p, __m256i a) {
  _mm256_storeu_si256((__m256i *)(void *)p, a);
}
LANES_INLINE vec v_load(const uint64_t *p) {
  return (vec){half_load(p), half_load(p + 4)};
}
LANES_INLINE void v_store(uint64_t *p, vec a) {
  half_store(p, a.low);
  half_store(p + 4, a.high);
}

/* out[i] has word i of each of in[0..3]. */
LANES_INLINE void transpose4(__m256i out[4], const __m256i in[4]) {
  const __m256i even01 = _mm256_unpacklo_epi64(in[0], in[1]);
  const __m256i odd01 = _mm256_unpackhi_epi64(in[0], in[1]);
  const __m256i even23 = _mm256_unpacklo_epi64(in[2], in[3]);
  const __m256i odd23 = _mm256_unpackhi_epi64(in[2], in[3]);
  out[0] = _mm256_permute2x128_si256(even01, even23, 0x20);
  out[1] = _mm256_permute2x128_si256(odd01, odd23, 0x20);
  out[2] = _mm256_permute2x128_si256(even01, even23, 0x31);
  out[3] = _mm256_permute2x128_si256(odd01, odd23, 0x31);
}
/* out[w] has rows[i][offset + w] in lane i, for w < 4. */
LANES_INLINE void load_columns4(vec out[4], const uint64_t *const rows[8], int offset) {
  __m256i in[8], low[4], high[4];
  LANES_UNROLL
  for (int i = 0; i < 8; i++) {
    in[i] = half_load(rows[i] + offset);
  }
  transpose4(low, in);
  transpose4(high, in + 4);
  LANES_UNROLL
  for (int w = 0; w < 4; w++) {
    out[w] = (vec){low[w], high[w]};
  }
}
LANES_INLINE void store_columns4(uint64_t *const rows[8], const vec in[4], int offset) {
  const __m256i low[4] = {in[0].low, in[1].low, in[2].low, in[3].low};
  const __m256i high[4] = {in[0].high, in[1].high, in[2].high, in[3].high};
  __m256i out[8];
  transpose4(out, low);
  transpose4(out + 4, high);
  LANES_UNROLL
  for (int i = 0; i < 8; i++) {
    half_store(rows[i] + offset, out[i]);
  }
}
LANES_INLINE void v_load_rows4(vec out[4], const uint64_t *const rows[8]) {
  load_columns4(out, rows, 0);
}
LANES_INLINE void v_load_rows(vec out[8], const uint64_t *const rows[8]) {
  load_columns4(out, rows, 0);
  load_columns4(out + 4, rows, 4);
}
LANES_INLINE void v_store_rows4(uint64_t *const rows[8], const vec in[4]) {
  store_columns4(rows, in, 0);
}
LANES_INLINE void v_store_rows(uint64_t *const rows[8], const vec in[8]) {
  store_columns4(rows, in, 0);
  store_columns4(rows, in + 4, 4);
}

/* The bytes of each 128-bit half that the control names, put together: the lower word of
 * the lower half, then that of the upper one. */
LANES_INLINE uint64_t gather_bytes(__m256i a, __m256i control) {
  const __m256i gathered = _mm256_shuffle_epi8(a, control);
  const __m128i both = _mm_or_si128(_mm256_castsi256_si128(gathered),
                                    _mm256_extracti128_si256(gathered, 1));
  return (uint64_t)_mm_cvtsi128_si64(both);
}
LANES_INLINE void v_store_bytes(uint8_t *p, vec a) {
  /* Bytes 0 and 8 of each half; 0x80 gives zero. */
  const __m256i control = _mm256_setr_epi64x((long long)UINT64_C(0x8080808080800800), -1,
                                             (long long)UINT64_C(0x8080808008008080), -1);
  const uint64_t bytes = gather_bytes(a.low, control) | gather_bytes(a.high, control)
                                                            << 32;
  memcpy(p, &bytes, sizeof bytes);
}
LANES_INLINE void v_store_words16(uint16_t *p, vec a) {
  const __m256i control = _mm256_setr_epi64x((long long)UINT64_C(0x8080808009080100), -1,
                                             (long long)UINT64_C(0x0908010080808080), -1);
  const uint64_t words[2] = {gather_bytes(a.low, control), gather_bytes(a.high, control)};
  memcpy(p, words, sizeof words);
}

LANES_INLINE vec v_swap(vec a, int k) {
  return k == 1   ? (vec){_mm256_shuffle_epi32(a.low, 0x4e),
                          _mm256_shuffle_epi32(a.high, 0x4e)}
         : k == 2 ? (vec){_mm256_permute4x64_epi64(a.low, 0x4e),
                          _mm256_permute4x64_epi64(a.high, 0x4e)}
                  : (vec){a.high, a.low};
}

#ifdef VEC_IFMA256
/* Lane i gets word index_i mod 8 of t. */
LANES_INLINE __m256i half_look8(vec t, __m256i index) {
  return _mm256_permutex2var_epi64(t.low, index, t.high);
}
LANES_INLINE __m256i half_look16(vec t, vec u, __m256i index) {
  const __mmask8 second = _mm256_test_epi64_mask(index, _mm256_set1_epi64x(8));
  return _mm256_mask_mov_epi64(half_look8(t, index), second, half_look8(u, index));
}
#else
/* A word is moved as two of 32 bits, which have numbers 2k and 2k + 1; bits above those
 * that a number needs are ignored, and blends see the sign alone. */
LANES_INLINE __m256i half_look8(vec t, __m256i index) {
  const __m256i twice = _mm256_slli_epi64(index, 1);
  const __m256i numbers =
      _mm256_add_epi64(_mm256_or_si256(_mm256_slli_epi64(twice, 32),
                                       _mm256_and_si256(twice, _mm256_set1_epi64x(14))),
                       _mm256_set1_epi64x((long long)UINT64_C(1) << 32));
  const __m256i low = _mm256_permutevar8x32_epi32(t.low, numbers);
  const __m256i high = _mm256_permutevar8x32_epi32(t.high, numbers);
  return _mm256_castpd_si256(
      _mm256_blendv_pd(_mm256_castsi256_pd(low), _mm256_castsi256_pd(high),
                       _mm256_castsi256_pd(_mm256_slli_epi64(index, 61))));
}
LANES_INLINE __m256i half_look16(vec t, vec u, __m256i index) {
  return _mm256_castpd_si256(
      _mm256_blendv_pd(_mm256_castsi256_pd(half_look8(t, index)),
                       _mm256_castsi256_pd(half_look8(u, index)),
                       _mm256_castsi256_pd(_mm256_slli_epi64(index, 60))));
}
#endif
LANES_INLINE vec v_look8(vec t, vec index) {
  return (vec){half_look8(t, index.low), half_look8(t, index.high)};
}
LANES_INLINE vec v_look16(vec t, vec u, vec index) {
  return (vec){half_look16(t, u, index.low), half_look16(t, u, index.high)};
}

#undef BOTH
#undef BOTH_2
#undef HALF_MADLO
#undef HALF_MADHI

#endif
