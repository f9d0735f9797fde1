/* The vocabulary of the eight-lane floor: what a kernel may say.
 *
 * A vec holds eight unsigned 64-bit words, one a lane; a vmask one bit a lane.  Both are
 * opaque, so that no C branch can depend on what stands in them.  The including unit
 * chooses one body before this header:
 *   VEC_AVX512    AVX-512 F, DQ, VL, BW and IFMA, one register a vec
 *   VEC_IFMA256   256-bit IFMA, two registers a vec, EVEX encoded: the same extensions
 *   VEC_AVXIFMA   256-bit IFMA, VEX encoded: AVX2 and AVX-IFMA
 *   VEC_PLAIN     plain C on any processor: the meaning of every other body
 *   VEC_TRACE     prints one line for each operation, for proofs; never shipped
 *
 * Arithmetic, each lane by itself, mod 2^64; k, a constant:
 *   v_zero(), v_set1(uint64_t)    every lane the same
 *   v_add(a, b), v_sub(a, b), v_and(a, b), v_or(a, b), v_xor(a, b)
 *   v_shl(a, k), v_shr(a, k)      0 <= k <= 63, zeros come in
 *   v_sar(a, k)                   the sign bit comes in
 *   v_madlo52(c, a, b)            c + (the product of a mod 2^52 and b mod 2^52) mod 2^52
 *   v_madhi52(c, a, b)            c + the same product's bits from 52 up
 *   v_split(a, k)                 a; tells the proof to treat each value of a >> k apart
 *
 * Masks:
 *   v_isneg(a)                    bit 63 is set?
 *   v_iszero(a), v_eq(a, b)
 *   v_select(m, a, b)             m ? a : b
 *   vm_and(m, n), vm_or(m, n), vm_xor(m, n), vm_not(m)
 *   vm_bits(m), vm_from_bits(u)   an unsigned, bit i for lane i; vm_bits is for public
 * data
 *
 * Memory and lanes; addresses are public:
 *   v_load(p), v_store(p, a)      uint64_t[8], aligned to 64 bytes, lane i at p[i]
 *   v_load_rows(out, rows)        out[w] has rows[i][w] in lane i, for w < 8; a row is
 *                                 eight words with no alignment
 *   v_load_rows4(out, rows)       the same for rows of four words, w < 4
 *   v_store_rows(rows, in)        the inverse of v_load_rows
 *   v_store_rows4(rows, in)       the inverse of v_load_rows4
 *   v_store_bytes(p, a)           uint8_t[8]: the lowest byte of each lane
 *   v_store_words16(p, a)         uint16_t[8]: the lowest two bytes of each lane
 *   v_swap(a, k)                  lane i gets lane i ^ k; k = 1, 2 or 4
 *   v_look8(t, index)             lane i gets t's lane number index_i mod 8
 *   v_look16(t, u, index)         index_i mod 16 among the lanes of t, then of u
 *
 * Every operation runs in constant time. */
#ifndef SIGMILL_LANES_VEC_H
#define SIGMILL_LANES_VEC_H

#include <stdint.h>

/* Kernels are unrolled wholly: their arrays of limbs live in registers. */
#define LANES_UNROLL _Pragma("GCC unroll 16")
#define LANES_INLINE static inline __attribute__((always_inline, unused))
/* Asks for a public address that will be read soon. */
#define LANES_PREFETCH(address) __builtin_prefetch(address)
/* A formula that stands once in its unit. */
#define LANES_CALLED static __attribute__((noinline, unused))

enum { LANES = 8 };

#if defined(VEC_AVX512)
#include "lanes/vec_avx512.h"
#elif defined(VEC_IFMA256) || defined(VEC_AVXIFMA)
#include "lanes/vec_ifma256.h"
#elif defined(VEC_PLAIN)
#include "lanes/vec_plain.h"
/* Eight lanes of a whole formula unrolled are more than a compiler takes. */
#undef LANES_INLINE
#undef LANES_UNROLL
#define LANES_INLINE static __attribute__((noinline, unused))
#define LANES_UNROLL
#elif defined(VEC_TRACE)
#include "lanes/vec_trace.h"
#else
#error "choose a body: VEC_AVX512, VEC_IFMA256, VEC_AVXIFMA, VEC_PLAIN or VEC_TRACE"
#endif

#define MASK52 ((UINT64_C(1) << 52) - 1)

#endif
