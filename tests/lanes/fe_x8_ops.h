/* The field arithmetic of one lanes body as a table over plain words, so that one test
 * source serves all bodies; fe_x8_ops.c is compiled once for each. */
#ifndef SIGMILL_TESTS_FE_X8_OPS_H
#define SIGMILL_TESTS_FE_X8_OPS_H

#include "lanes/lanes_p256.h"

/* Eight elements, one a lane: l[i] has limb i of each. */
typedef struct {
  uint64_t l[5][8];
} fe_x8_slot;

/* Eight integers of 256 bits, one a lane: w[i] has word i of each. */
typedef struct {
  uint64_t w[4][8];
} fe_x8_words;

/* A kernel: its name in lanes/fe_p256_x8.h less the prefix; up to four elements and a
 * mask in, an element out. */
typedef struct {
  const char *name;
  void (*run)(fe_x8_slot *out, const fe_x8_slot in[4], unsigned mask);
} fe_x8_kernel;

typedef struct {
  const char *name;
  const fe_x8_kernel *kernels;
  int kernel_count;
  unsigned (*is_zero)(const fe_x8_slot *a);
  unsigned (*eq)(const fe_x8_slot *a, const fe_x8_slot *b);
  void (*from_words)(fe_x8_slot *out, const fe_x8_words *a);
  void (*from_table)(fe_x8_slot *out, const fe_x8_words *a);
  void (*to_words)(fe_x8_words *out, const fe_x8_slot *a);
  /* Both groups. */
  void (*sqrt)(fe_x8_slot *out, const fe_x8_slot *a, int groups);
  /* a[i] becomes 1/a[i], i < groups. */
  void (*inv_vt)(fe_x8_slot *a, int groups);
  void (*inv)(fe_x8_slot *a, int groups);
} fe_x8_ops;

/* The i-th body that runs here, or NULL. */
const fe_x8_ops *fe_x8_body(int i);

extern const fe_x8_ops fe_x8_ops_plain;
#ifdef P256_LANES_X86
extern const fe_x8_ops fe_x8_ops_avx512, fe_x8_ops_ifma256, fe_x8_ops_avxifma;
#endif

#endif
