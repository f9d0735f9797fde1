/* Masks and selections without branches, for values that must not steer control flow. */
#ifndef SIGMILL_BASE_CT_H
#define SIGMILL_BASE_CT_H

#include <stdint.h>

/* x, hidden from the optimiser so that it cannot turn masks back into branches. */
static inline uint64_t ct_hide_u64(uint64_t x) {
  /* MemorySanitizer takes what assembly gives for public, and would unmark all masks. */
#if defined(__GNUC__) && !defined(SIGMILL_CT_MSAN)
  __asm__("" : "+r"(x));
#endif
  return x;
}

/* All ones if bit (0 or 1) is 1, else 0. */
static inline uint64_t ct_mask_u64(uint64_t bit) {
  return 0 - ct_hide_u64(bit);
}

/* All ones if x = 0, else 0. */
static inline uint64_t ct_zero_mask_u64(uint64_t x) {
  return ct_mask_u64(1 ^ ((x | (0 - x)) >> 63));
}

/* mask ? a : b, for a mask of all ones or all zeros. */
static inline uint64_t ct_select_u64(uint64_t mask, uint64_t a, uint64_t b) {
  return b ^ (mask & (a ^ b));
}

#endif
