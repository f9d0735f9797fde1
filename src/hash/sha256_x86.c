/* SHA-256's compression function with the SHA extensions of x86 (Intel SDM, volume 2:
 * SHA256RNDS2, SHA256MSG1, SHA256MSG2).
 *
 * The eight working variables stand in two vectors, named from the highest lane down:
 * abef and cdgh.  SHA256RNDS2 takes two rounds: it gives the next abef, and the old abef
 * is the next cdgh.  The schedule stands in four vectors of four words, lowest word in
 * the lowest lane. */
#include "hash/sha256.h"

#if defined(__x86_64__) || defined(__i386__)
#include "hash/sha_constants.h"

#include <immintrin.h>

#define TARGET_SHA __attribute__((target("sha,sse4.1,ssse3")))

/* Two lanes of lo, then two of hi, lowest lane of the result first. */
#define PICK(lo, l0, l1, hi, h0, h1)                                                     \
  _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(lo), _mm_castsi128_ps(hi),            \
                                  _MM_SHUFFLE(h1, h0, l1, l0)))

/* Rounds 4*i to 4*i + 3 on the schedule's words w. */
#define FOUR_ROUNDS(i, w)                                                                \
  do {                                                                                   \
    const __m128i *k = (const __m128i *)(const void *)(sha256_k + 4 * (i));              \
    __m128i wk = _mm_add_epi32(w, _mm_loadu_si128(k));                                   \
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);                                        \
    abef = _mm_sha256rnds2_epu32(abef, cdgh,                                             \
                                 _mm_shuffle_epi32(wk, _MM_SHUFFLE(3, 2, 3, 2)));        \
  } while (0)

/* w0 becomes the four words that follow w0, w1, w2, w3. */
#define EXTEND(w0, w1, w2, w3)                                                           \
  w0 = _mm_sha256msg2_epu32(                                                             \
      _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3)

#define EXTEND_16(i)                                                                     \
  do {                                                                                   \
    EXTEND(w0, w1, w2, w3);                                                              \
    FOUR_ROUNDS((i), w0);                                                                \
    EXTEND(w1, w2, w3, w0);                                                              \
    FOUR_ROUNDS((i) + 1, w1);                                                            \
    EXTEND(w2, w3, w0, w1);                                                              \
    FOUR_ROUNDS((i) + 2, w2);                                                            \
    EXTEND(w3, w0, w1, w2);                                                              \
    FOUR_ROUNDS((i) + 3, w3);                                                            \
  } while (0)

TARGET_SHA static inline __m128i load_words(const uint8_t *p) {
  const __m128i big_endian =
      _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
  return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), big_endian);
}

TARGET_SHA static void compress_shani(uint32_t state[8], const uint8_t *blocks,
                                      size_t count) {
  __m128i *halves = (__m128i *)(void *)state;
  __m128i abcd = _mm_loadu_si128(halves), efgh = _mm_loadu_si128(halves + 1);
  __m128i abef = PICK(efgh, 1, 0, abcd, 1, 0);
  __m128i cdgh = PICK(efgh, 3, 2, abcd, 3, 2);

  for (; count > 0; count--, blocks += 64) {
    __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w0 = load_words(blocks), w1 = load_words(blocks + 16);
    __m128i w2 = load_words(blocks + 32), w3 = load_words(blocks + 48);
    FOUR_ROUNDS(0, w0);
    FOUR_ROUNDS(1, w1);
    FOUR_ROUNDS(2, w2);
    FOUR_ROUNDS(3, w3);
    EXTEND_16(4);
    EXTEND_16(8);
    EXTEND_16(12);
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }

  _mm_storeu_si128(halves, PICK(abef, 3, 2, cdgh, 3, 2));
  _mm_storeu_si128(halves + 1, PICK(abef, 1, 0, cdgh, 1, 0));
}

const sha256_body sm_sha256_shani = {"sha-ni", compress_shani};
#endif
