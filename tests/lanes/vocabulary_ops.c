/* One body's table; the build chooses it.  VEC_AVX2 is the body of AVX-IFMA with the two
 * multiply-adds written in C, all else as it ships: what it says of a machine without
 * AVX-IFMA holds of one with it, but for those two instructions. */
#include "vocabulary_ops.h"

#ifdef VEC_AVX2
#include <immintrin.h>

static inline __m256i multiply_add(__m256i c, __m256i a, __m256i b, int high) {
  uint64_t sum[4], x[4], y[4];
  _mm256_storeu_si256((__m256i *)(void *)sum, c);
  _mm256_storeu_si256((__m256i *)(void *)x, a);
  _mm256_storeu_si256((__m256i *)(void *)y, b);
  for (int i = 0; i < 4; i++) {
    __extension__ typedef unsigned __int128 wide;
    const uint64_t low52 = UINT64_MAX >> 12;
    const wide product = (wide)(x[i] & low52) * (y[i] & low52);
    sum[i] += high ? (uint64_t)(product >> 52) : (uint64_t)product & low52;
  }
  return _mm256_loadu_si256((const __m256i *)(const void *)sum);
}
#define _mm256_madd52lo_avx_epu64(c, a, b) multiply_add((c), (a), (b), 0)
#define _mm256_madd52hi_avx_epu64(c, a, b) multiply_add((c), (a), (b), 1)
#define VEC_AVXIFMA
#endif

#include "lanes/vec.h"

/* The operands are read here, so that an expression names what it needs. */
#define OP(name, type, result, store)                                                    \
  static void name(lanes8 out, const lanes8 a_, const lanes8 b_, const lanes8 c_) {      \
    const vec a = v_load(a_), b = v_load(b_), c = v_load(c_);                            \
    const type r = (result);                                                             \
    (void)a, (void)b, (void)c;                                                           \
    store;                                                                               \
  }
#define WORDS(name, result) OP(name, vec, result, v_store(out, r))
#define MASK(name, result)  OP(name, vmask, result, out[0] = vm_bits(r))
#define BITS(p)             vm_from_bits((unsigned)(p)[0])

WORDS(zero, v_zero())
WORDS(set1, v_set1(a_[0]))
WORDS(add, v_add(a, b))
WORDS(sub, v_sub(a, b))
WORDS(and_, v_and(a, b))
WORDS(or_, v_or(a, b))
WORDS(xor_, v_xor(a, b))
WORDS(madlo52, v_madlo52(c, a, b))
WORDS(madhi52, v_madhi52(c, a, b))

MASK(isneg, v_isneg(a))
MASK(iszero, v_iszero(a))
MASK(eq, v_eq(a, b))
WORDS(select, v_select(BITS(c_), a, b))
MASK(bits, BITS(a_))
MASK(mask_and, vm_and(BITS(a_), BITS(b_)))
MASK(mask_or, vm_or(BITS(a_), BITS(b_)))
MASK(mask_xor, vm_xor(BITS(a_), BITS(b_)))
MASK(mask_not, vm_not(BITS(a_)))
WORDS(compared, v_select(vm_or(vm_and(v_eq(a, b), vm_not(v_isneg(a))),
                               vm_xor(v_iszero(c), v_isneg(c))),
                         a, c))

WORDS(load_store, a)
WORDS(swap1, v_swap(a, 1))
WORDS(swap2, v_swap(a, 2))
WORDS(swap4, v_swap(a, 4))
WORDS(look8, v_look8(a, b))
WORDS(look16, v_look16(a, b, c))

/* Shift counts are constants. */
#define EVERY_COUNT(m)                                                                   \
  m(0) m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) m(9) m(10) m(11) m(12) m(13) m(14) m(15)  \
      m(16) m(17) m(18) m(19) m(20) m(21) m(22) m(23) m(24) m(25) m(26) m(27) m(28)      \
          m(29) m(30) m(31) m(32) m(33) m(34) m(35) m(36) m(37) m(38) m(39) m(40) m(41)  \
              m(42) m(43) m(44) m(45) m(46) m(47) m(48) m(49) m(50) m(51) m(52) m(53)    \
                  m(54) m(55) m(56) m(57) m(58) m(59) m(60) m(61) m(62) m(63)
#define SHIFTS(k)                                                                        \
  WORDS(shl_##k, v_shl(a, k))                                                            \
  WORDS(shr_##k, v_shr(a, k))                                                            \
  WORDS(sar_##k, v_sar(a, k))                                                            \
  WORDS(split_##k, v_split(a, k))
EVERY_COUNT(SHIFTS)

static void load(vec *to, lanes8 *from, int count) {
  for (int w = 0; w < count; w++) {
    to[w] = v_load(from[w]);
  }
}

static void store(lanes8 *to, const vec *from, int count) {
  for (int w = 0; w < count; w++) {
    v_store(to[w], from[w]);
  }
}

static void load_rows(lanes8 out[8], const uint64_t *const rows[8]) {
  vec words[8];
  v_load_rows(words, rows);
  store(out, words, 8);
}

static void load_rows4(lanes8 out[4], const uint64_t *const rows[8]) {
  vec words[4];
  v_load_rows4(words, rows);
  store(out, words, 4);
}

static void store_rows(uint64_t *const rows[8], lanes8 in[8]) {
  vec words[8];
  load(words, in, 8);
  v_store_rows(rows, words);
}

static void store_rows4(uint64_t *const rows[8], lanes8 in[4]) {
  vec words[4];
  load(words, in, 4);
  v_store_rows4(rows, words);
}

static void store_bytes(uint8_t *p, const lanes8 a) {
  v_store_bytes(p, v_load(a));
}

static void store_words16(uint16_t *p, const lanes8 a) {
  v_store_words16(p, v_load(a));
}

#if defined(VEC_AVX2)
#define TABLE vocabulary_avx2
#elif defined(VEC_AVX512)
#define TABLE vocabulary_avx512
#elif defined(VEC_IFMA256)
#define TABLE vocabulary_ifma256
#elif defined(VEC_AVXIFMA)
#define TABLE vocabulary_avxifma
#else
#define TABLE vocabulary_plain
#endif

#define SHL(k)   shl_##k,
#define SHR(k)   shr_##k,
#define SAR(k)   sar_##k,
#define SPLIT(k) split_##k,

const vocabulary_ops TABLE = {
    .zero = zero,
    .set1 = set1,
    .add = add,
    .sub = sub,
    .and_ = and_,
    .or_ = or_,
    .xor_ = xor_,
    .madlo52 = madlo52,
    .madhi52 = madhi52,
    .shl = {EVERY_COUNT(SHL)},
    .shr = {EVERY_COUNT(SHR)},
    .sar = {EVERY_COUNT(SAR)},
    .split = {EVERY_COUNT(SPLIT)},
    .isneg = isneg,
    .iszero = iszero,
    .eq = eq,
    .select = select,
    .bits = bits,
    .mask_and = mask_and,
    .mask_or = mask_or,
    .mask_xor = mask_xor,
    .mask_not = mask_not,
    .compared = compared,
    .load_store = load_store,
    .swap1 = swap1,
    .swap2 = swap2,
    .swap4 = swap4,
    .look8 = look8,
    .look16 = look16,
    .load_rows = load_rows,
    .load_rows4 = load_rows4,
    .store_rows = store_rows,
    .store_rows4 = store_rows4,
    .store_bytes = store_bytes,
    .store_words16 = store_words16,
};
