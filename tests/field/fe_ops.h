/* The operations of one field body as a table, so that one test source serves all bodies
 * and sets them side by side.  fe_ops.inc makes the table; each body has a unit of its
 * own. */
#ifndef SIGMILL_TESTS_FE_OPS_H
#define SIGMILL_TESTS_FE_OPS_H

#include "base/u256.h"
#include <stdbool.h>

/* Room for an element of any body. */
typedef struct {
  unsigned char bytes[40];
} fe_slot;

/* The integer high*2^256 + low. */
typedef struct {
  u256 low;
  uint64_t high;
} fe_integer;

typedef void fe_unary(fe_slot *out, const fe_slot *a);
typedef void fe_binary(fe_slot *out, const fe_slot *a, const fe_slot *b);

typedef struct {
  const char *name;
  int r_bits; /* the Montgomery factor is 2^r_bits */

  /* The element whose Montgomery integer is x itself, reduced or not; false if the body's
   * range does not have it. */
  bool (*set)(fe_slot *out, const fe_integer *x);
  /* An element's Montgomery integer; false if it leaves the body's range. */
  bool (*get)(fe_integer *out, const fe_slot *a);

  void (*zero)(fe_slot *out);
  void (*one)(fe_slot *out);
  void (*from_u256)(fe_slot *out, const u256 *a);
  void (*to_u256)(u256 *out, const fe_slot *a);
  void (*from_table)(fe_slot *out, const uint64_t w[4]);
  fe_unary *neg, *dbl, *half, *sqr, *inv, *inv_vt;
  fe_binary *add, *sub, *mul;
  void (*mul_sub_sqr)(fe_slot *out, const fe_slot *a, const fe_slot *b, const fe_slot *c);
  void (*mul_sub_mul)(fe_slot *out, const fe_slot *a, const fe_slot *b, const fe_slot *c,
                      const fe_slot *d);
  void (*sqr_n)(fe_slot *out, const fe_slot *a, int n);
  void (*select)(fe_slot *out, uint64_t mask, const fe_slot *a, const fe_slot *b);
  uint64_t (*sqrt)(fe_slot *out, const fe_slot *a);
  uint64_t (*is_zero)(const fe_slot *a);
  uint64_t (*eq)(const fe_slot *a, const fe_slot *b);
} fe_ops;

extern const fe_ops fe_ops_u32;
#ifdef __SIZEOF_INT128__
#define FE_OPS_U64
extern const fe_ops fe_ops_u64;
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(SIGMILL_NO_ASM)
#define FE_OPS_ADX
extern const fe_ops fe_ops_adx; /* needs BMI2 and ADX */
#endif

#endif
