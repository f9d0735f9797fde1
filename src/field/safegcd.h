/* Modular inversion by division steps (Bernstein, Yang: "Fast constant-time gcd
 * computation and modular inversion", 2019), for odd moduli of up to 256 bits. */
#ifndef SIGMILL_FIELD_SAFEGCD_H
#define SIGMILL_FIELD_SAFEGCD_H

#include "base/u256.h"

typedef struct {
  u256 modulus;         /* odd */
  uint64_t neg_inverse; /* -1/modulus mod 2^64 */
} safegcd_modulus;

extern const safegcd_modulus sm_safegcd_p256_p; /* the field's prime */
extern const safegcd_modulus sm_safegcd_p256_n; /* the group's order */

/* out = 1/a mod m, canonical; 0 for a = 0.  in: a < m; for composite m, a coprime to m.
 * Constant time: a fixed number of division steps.  out may be a. */
void sm_safegcd_inv(u256 *out, const u256 *a, const safegcd_modulus *m);

/* The same, in variable time. */
void sm_safegcd_inv_vt(u256 *out, const u256 *a, const safegcd_modulus *m);

#endif
