/* The vocabulary in AVX-512 (F, BW, DQ, VL, IFMA): lanes/vec.h has its meaning. */
#ifndef SIGMILL_LANES_VEC_AVX512_H
#define SIGMILL_LANES_VEC_AVX512_H

#include <immintrin.h>

typedef __m512i vec;
typedef struct {
  __mmask8 m;
} vmask;

LANES_INLINE vec v_zero(void) {
  return _mm512_setzero_si512();
}
LANES_INLINE vec v_set1(uint64_t x) {
  return _mm512_set1_epi64((long long)x);
}
LANES_INLINE vec v_add(vec a, vec b) {
  return _mm512_add_epi64(a, b);
}
LANES_INLINE vec v_sub(vec a, vec b) {
  return _mm512_sub_epi64(a, b);
}
LANES_INLINE vec v_and(vec a, vec b) {
  return _mm512_and_si512(a, b);
}
LANES_INLINE vec v_or(vec a, vec b) {
  return _mm512_or_si512(a, b);
}
LANES_INLINE vec v_xor(vec a, vec b) {
  return _mm512_xor_si512(a, b);
}
/* The compilers' own operators: the intrinsics want a count that is a constant before
 * anything is inlined. */
LANES_INLINE vec v_shl(vec a, int k) {
  return (vec)((__v8du)a << (unsigned)k);
}
LANES_INLINE vec v_shr(vec a, int k) {
  return (vec)((__v8du)a >> (unsigned)k);
}
LANES_INLINE vec v_sar(vec a, int k) {
  return (vec)((__v8di)a >> k);
}
LANES_INLINE vec v_madlo52(vec c, vec a, vec b) {
  return _mm512_madd52lo_epu64(c, a, b);
}
LANES_INLINE vec v_madhi52(vec c, vec a, vec b) {
  return _mm512_madd52hi_epu64(c, a, b);
}
LANES_INLINE vec v_split(vec a, int k) {
  (void)k;
  return a;
}

LANES_INLINE vmask v_isneg(vec a) {
  return (vmask){_mm512_movepi64_mask(a)};
}
LANES_INLINE vmask v_iszero(vec a) {
  return (vmask){_mm512_testn_epi64_mask(a, a)};
}
LANES_INLINE vmask v_eq(vec a, vec b) {
  return (vmask){_mm512_cmpeq_epi64_mask(a, b)};
}
LANES_INLINE vec v_select(vmask m, vec a, vec b) {
  return _mm512_mask_mov_epi64(b, m.m, a);
}
LANES_INLINE vmask vm_and(vmask m, vmask n) {
  return (vmask){_kand_mask8(m.m, n.m)};
}
LANES_INLINE vmask vm_or(vmask m, vmask n) {
  return (vmask){_kor_mask8(m.m, n.m)};
}
LANES_INLINE vmask vm_xor(vmask m, vmask n) {
  return (vmask){_kxor_mask8(m.m, n.m)};
}
LANES_INLINE vmask vm_not(vmask m) {
  return (vmask){_knot_mask8(m.m)};
}
LANES_INLINE unsigned vm_bits(vmask m) {
  return m.m;
}
LANES_INLINE vmask vm_from_bits(unsigned bits) {
  return (vmask){(__mmask8)bits};
}

LANES_INLINE vec v_load(const uint64_t *p) {
  return _mm512_load_si512(p);
}
LANES_INLINE void v_store(uint64_t *p, vec a) {
  _mm512_store_si512(p, a);
}

/* Four words from each of two addresses. */
LANES_INLINE vec load_halves(const uint64_t *low, const uint64_t *high) {
  const __m256i half = _mm256_loadu_si256((const __m256i *)(const void *)low);
  return _mm512_inserti64x4(_mm512_castsi256_si512(half),
                            _mm256_loadu_si256((const __m256i *)(const void *)high), 1);
}
/* out[w] has rows[i][offset + w] in lane i, for w < 4: 4x4 transposes of rows 0..3 in the
 * lower halves and of rows 4..7 in the upper ones. */
LANES_INLINE void load_columns4(vec out[4], const uint64_t *const rows[8], int offset) {
  const vec first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  const vec second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  const vec r0 = load_halves(rows[0] + offset, rows[4] + offset);
  const vec r1 = load_halves(rows[1] + offset, rows[5] + offset);
  const vec r2 = load_halves(rows[2] + offset, rows[6] + offset);
  const vec r3 = load_halves(rows[3] + offset, rows[7] + offset);
  const vec even01 = _mm512_unpacklo_epi64(r0, r1), odd01 = _mm512_unpackhi_epi64(r0, r1);
  const vec even23 = _mm512_unpacklo_epi64(r2, r3), odd23 = _mm512_unpackhi_epi64(r2, r3);
  out[0] = _mm512_permutex2var_epi64(even01, first, even23);
  out[1] = _mm512_permutex2var_epi64(odd01, first, odd23);
  out[2] = _mm512_permutex2var_epi64(even01, second, even23);
  out[3] = _mm512_permutex2var_epi64(odd01, second, odd23);
}
LANES_INLINE void v_load_rows(vec out[8], const uint64_t *const rows[8]) {
  load_columns4(out, rows, 0);
  load_columns4(out + 4, rows, 4);
}
LANES_INLINE void v_load_rows4(vec out[4], const uint64_t *const rows[8]) {
  load_columns4(out, rows, 0);
}

/* rows[0], [2], [4] and [6] get the four pairs of words in each of p01, p23, p45, p67. */
LANES_INLINE void store_every_other(uint64_t *const rows[7], vec p01, vec p23, vec p45,
                                    vec p67) {
  const vec low03 = _mm512_shuffle_i64x2(p01, p23, 0x44);
  const vec low47 = _mm512_shuffle_i64x2(p45, p67, 0x44);
  const vec high03 = _mm512_shuffle_i64x2(p01, p23, 0xee);
  const vec high47 = _mm512_shuffle_i64x2(p45, p67, 0xee);
  _mm512_storeu_si512(rows[0], _mm512_shuffle_i64x2(low03, low47, 0x88));
  _mm512_storeu_si512(rows[2], _mm512_shuffle_i64x2(low03, low47, 0xdd));
  _mm512_storeu_si512(rows[4], _mm512_shuffle_i64x2(high03, high47, 0x88));
  _mm512_storeu_si512(rows[6], _mm512_shuffle_i64x2(high03, high47, 0xdd));
}
LANES_INLINE void v_store_rows(uint64_t *const rows[8], const vec in[8]) {
  store_every_other(
      rows, _mm512_unpacklo_epi64(in[0], in[1]), _mm512_unpacklo_epi64(in[2], in[3]),
      _mm512_unpacklo_epi64(in[4], in[5]), _mm512_unpacklo_epi64(in[6], in[7]));
  store_every_other(
      rows + 1, _mm512_unpackhi_epi64(in[0], in[1]), _mm512_unpackhi_epi64(in[2], in[3]),
      _mm512_unpackhi_epi64(in[4], in[5]), _mm512_unpackhi_epi64(in[6], in[7]));
}

LANES_INLINE void store_halves(uint64_t *low, uint64_t *high, vec a) {
  _mm256_storeu_si256((__m256i *)(void *)low, _mm512_castsi512_si256(a));
  _mm256_storeu_si256((__m256i *)(void *)high, _mm512_extracti64x4_epi64(a, 1));
}
LANES_INLINE void v_store_rows4(uint64_t *const rows[8], const vec in[4]) {
  const vec low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const vec high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  const vec even01 = _mm512_unpacklo_epi64(in[0], in[1]);
  const vec even23 = _mm512_unpacklo_epi64(in[2], in[3]);
  const vec odd01 = _mm512_unpackhi_epi64(in[0], in[1]);
  const vec odd23 = _mm512_unpackhi_epi64(in[2], in[3]);
  store_halves(rows[0], rows[2], _mm512_permutex2var_epi64(even01, low, even23));
  store_halves(rows[1], rows[3], _mm512_permutex2var_epi64(odd01, low, odd23));
  store_halves(rows[4], rows[6], _mm512_permutex2var_epi64(even01, high, even23));
  store_halves(rows[5], rows[7], _mm512_permutex2var_epi64(odd01, high, odd23));
}
LANES_INLINE void v_store_bytes(uint8_t *p, vec a) {
  _mm_storel_epi64((__m128i *)(void *)p, _mm512_cvtepi64_epi8(a));
}
LANES_INLINE void v_store_words16(uint16_t *p, vec a) {
  _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi64_epi16(a));
}

LANES_INLINE vec v_swap(vec a, int k) {
  return k == 1   ? _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0x4e)
         : k == 2 ? _mm512_permutex_epi64(a, 0x4e)
                  : _mm512_shuffle_i64x2(a, a, 0x4e);
}
LANES_INLINE vec v_look8(vec t, vec index) {
  return _mm512_permutexvar_epi64(index, t);
}
LANES_INLINE vec v_look16(vec t, vec u, vec index) {
  return _mm512_permutex2var_epi64(t, index, u);
}

#endif
