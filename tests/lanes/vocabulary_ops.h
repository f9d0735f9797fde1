/* The operations of one body of the lanes' vocabulary (lanes/vec.h) as a table over
 * arrays of words, so that one test source serves all bodies; vocabulary_ops.c is
 * compiled once for each. */
#ifndef SIGMILL_TESTS_VOCABULARY_OPS_H
#define SIGMILL_TESTS_VOCABULARY_OPS_H

#include <stdint.h>

typedef uint64_t lanes8[8]; /* aligned to 64 bytes wherever one is used here */

/* An operation on words; all operands are readable, needed or not.  Where it takes or
 * gives a mask, that stands as bits in word 0 of a, b (vm_*) or c (v_select). */
typedef void vocabulary_op(lanes8 out, const lanes8 a, const lanes8 b, const lanes8 c);

typedef struct {
  vocabulary_op *zero, *set1 /* of a[0] */, *add, *sub, *and_, *or_, *xor_;
  vocabulary_op *madlo52, *madhi52; /* c + a*b */
  vocabulary_op *shl[64], *shr[64], *sar[64], *split[64];

  vocabulary_op *isneg, *iszero, *eq; /* give a mask */
  vocabulary_op *select;              /* takes one */
  vocabulary_op *bits, *mask_and, *mask_or, *mask_xor, *mask_not;
  /* Masks that comparisons made, all through one selection: (a = b and not a < 0) or (c =
   * 0 exclusive-or c < 0) ? a : c. */
  vocabulary_op *compared;

  vocabulary_op *load_store, *swap1, *swap2, *swap4;
  vocabulary_op *look8 /* a, index b */, *look16 /* a, b, index c */;

  void (*load_rows)(lanes8 out[8], const uint64_t *const rows[8]);
  void (*load_rows4)(lanes8 out[4], const uint64_t *const rows[8]);
  void (*store_rows)(uint64_t *const rows[8], lanes8 in[8]);
  void (*store_rows4)(uint64_t *const rows[8], lanes8 in[4]);
  void (*store_bytes)(uint8_t *p, const lanes8 a);
  void (*store_words16)(uint16_t *p, const lanes8 a);
} vocabulary_ops;

extern const vocabulary_ops vocabulary_plain, vocabulary_avx512, vocabulary_ifma256,
    vocabulary_avxifma, vocabulary_avx2;

#endif
