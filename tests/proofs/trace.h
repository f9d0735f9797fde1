/* What the programs say that trace kernels for the proofs: where a kernel begins, what
 * its inputs are called, and which values are its outputs.  checker.py reads it. */
#ifndef SIGMILL_TESTS_PROOFS_TRACE_H
#define SIGMILL_TESTS_PROOFS_TRACE_H

#include "lanes/vec.h"

/* Lines up to the next kernel belong to this one. */
LANES_INLINE void trace_kernel(const char *name) {
  trace_lines = 0;
  printf("kernel %s\n", name);
}

/* Beside a kernel. */
LANES_INLINE void trace_nothing(void *work, int slot) {
  (void)work;
  (void)slot;
}

LANES_INLINE vec trace_in(const char *name, int limb) {
  const int id = trace_line("in");
  printf(" %s.%d\n", name, limb);
  return (vec){id};
}

LANES_INLINE void trace_id(int id) {
  printf(" %d", id);
}

/* A line that only names what a call gave. */
LANES_INLINE void trace_result(int *id) {
  *id = trace_line("result");
  printf("\n");
}

LANES_INLINE void trace_out(const char *name, int limb, vec value) {
  printf("out %s.%d %d\n", name, limb, value.id);
}

LANES_INLINE vec trace_in_word(const char *name) {
  const int id = trace_line("in");
  printf(" %s\n", name);
  return (vec){id};
}

LANES_INLINE void trace_out_word(const char *name, vec value) {
  printf("out %s %d\n", name, value.id);
}

/* A mask is a value that is 1 or 0. */
LANES_INLINE vmask trace_in_mask(const char *name) {
  const int id = trace_line("in");
  printf(" %s\n", name);
  return (vmask){id};
}

LANES_INLINE void trace_out_mask(const char *name, vmask value) {
  printf("out %s %d\n", name, value.id);
}

#endif
