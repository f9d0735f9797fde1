/* The arithmetic mod n of one lanes body as a table over plain words, so that one test
 * source serves all bodies; sc_x8_ops.c is compiled once for each. */
#ifndef SIGMILL_TESTS_SC_X8_OPS_H
#define SIGMILL_TESTS_SC_X8_OPS_H

#include "lanes/lanes_p256.h"

/* Eight scalars, one a lane: l[i] has limb i of each. */
typedef struct {
  uint64_t l[5][8];
} sc_x8_slot;

/* Digits of eight scalars, least significant first. */
typedef struct {
  int32_t digit[128][8];
  int count;
} sc_x8_digits;

typedef struct {
  const char *name;

  void (*mul)(sc_x8_slot *out, const sc_x8_slot *a, const sc_x8_slot *b);
  void (*mul_add)(sc_x8_slot *out, const sc_x8_slot *a, const sc_x8_slot *b,
                  const sc_x8_slot *d);
  void (*canonical)(sc_x8_slot *out, const sc_x8_slot *a);
  unsigned (*sub_borrow)(sc_x8_slot *out, const sc_x8_slot *a, const sc_x8_slot *b);
  unsigned (*make_odd)(sc_x8_slot *out, const sc_x8_slot *a);
  void (*from_words)(sc_x8_slot *out, const u256 a[8]);
  void (*to_words)(u256 out[8], const sc_x8_slot *a);
  /* a[i] becomes R / a[i], or R^2 / a[i]. */
  void (*inv_vt)(sc_x8_slot *a, int groups);
  void (*inv_r2)(sc_x8_slot *a, int groups);

  /* w one of 2..7, 12. */
  void (*recode)(sc_x8_digits *out, const sc_x8_slot *k, int w);
  /* The digits of u1 and u2 in each group. */
  void (*ladder_vt)(sc_x8_digits *u1, sc_x8_digits *u2, const p256_claim *const *claims,
                    int groups);
  void (*sign_equation)(u256 *s, const u256 *k, const u256 *z, const u256 *r,
                        const u256 *d, size_t count);
} sc_x8_ops;

/* The i-th body that runs here, or NULL. */
const sc_x8_ops *sc_x8_body(int i);

extern const sc_x8_ops sc_x8_ops_plain;
#ifdef P256_LANES_X86
extern const sc_x8_ops sc_x8_ops_avx512, sc_x8_ops_ifma256, sc_x8_ops_avxifma;
#endif

#endif
