/* P-256 by libcrypto's EC_POINT, as the independent model of the group tests. */
#ifndef SIGMILL_TESTS_GROUP_MODEL_H
#define SIGMILL_TESTS_GROUP_MODEL_H

#include "bn_u256.h"
#include "group/engine_p256.h"
#include <openssl/ec.h>

/* To be called before anything else here. */
void model_begin(void);

/* out = u1*G + u2*q; false (out zero) for infinity.  q may be NULL with u2 = NULL. */
bool model_mul2(p256_point *out, const u256 *u1, const u256 *u2, const p256_point *q);
/* out = a*b + c mod n. */
void model_scalar_mul_add(u256 *out, const u256 *a, const u256 *b, const u256 *c);
/* out = 1/a mod n. */
void model_scalar_inv(u256 *out, const u256 *a);
/* out = a*2^256 mod p. */
void model_to_words(u256 *out, const u256 *a);
/* The point with this x; false if there is none. */
bool model_lift_x(p256_point *out, const u256 *x, bool y_odd);
/* out = -a. */
void model_negate(p256_point *out, const p256_point *a);

/* The curve's b. */
void model_curve_b(u256 *out);

/* p and n. */
extern u256 model_p, model_n;

/* Uniform in 1..n-1. */
void model_random_scalar(u256 *out);

#endif
