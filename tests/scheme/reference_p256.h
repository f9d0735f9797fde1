/* P-256 and ECDSA as libcrypto's big integers and curve compute them: where the scheme
 * tests take their expected values from.  Slow and plain.  Numbers are 256-bit, passed by
 * value, big-endian as they stand in encodings. */
#ifndef SIGMILL_TESTS_REFERENCE_P256_H
#define SIGMILL_TESTS_REFERENCE_P256_H

#include "sigmill.h"

#include <openssl/evp.h>

typedef struct {
  uint8_t be[32];
} ref_num;

typedef struct {
  ref_num x, y;
  bool infinity;
} ref_point;

/* A signature with all that its verification needs. */
typedef struct {
  ref_num r, s, digest;
  ref_point key;
} ref_case;

void ref_begin(void); /* before the first use, from one thread */
void ref_end(void);

ref_num ref_hex(const char *digits); /* 64 of them */
ref_num ref_small(uint64_t value);
ref_num ref_bytes(const uint8_t be[32]);
ref_num ref_random_scalar(void); /* 1..n-1 */
ref_num ref_random_any(void);    /* 0..2^256-1 */
ref_num ref_p(void);
ref_num ref_n(void);
ref_num ref_half_n(void);              /* (n-1)/2 */
int ref_compare(ref_num a, ref_num b); /* as memcmp */
bool ref_is_scalar(ref_num a);         /* 1..n-1 */
/* a + b and a - b mod 2^256; the flag, where there is one, tells whether they fit. */
ref_num ref_plus(ref_num a, ref_num b, bool *fits);
ref_num ref_minus(ref_num a, ref_num b);

/* Mod n; any inputs but 0 for the inverse. */
ref_num ref_n_reduce(ref_num a);
ref_num ref_n_add(ref_num a, ref_num b);
ref_num ref_n_sub(ref_num a, ref_num b);
ref_num ref_n_mul(ref_num a, ref_num b);
ref_num ref_n_inverse(ref_num a);
ref_num ref_n_negate(ref_num a);

/* u1*G + u2*q; q may be NULL if u2 = 0. */
ref_point ref_mul2(ref_num u1, ref_num u2, const ref_point *q);
ref_point ref_base(ref_num k);
ref_point ref_negate(const ref_point *a);
bool ref_equal(const ref_point *a, const ref_point *b);
bool ref_on_curve(const ref_point *a); /* x, y < p too */
bool ref_lift(ref_point *out, ref_num x,
              bool y_odd); /* false: x >= p, or no such point */
void ref_sec1_65(uint8_t out[65], const ref_point *a);
void ref_sec1_33(uint8_t out[33], const ref_point *a);

/* The key for which (x(R) mod n, s) signs the digest with that R:
 * Q = r^-1 (s*R - digest*G). */
ref_case ref_forge(const ref_point *point, ref_num s, ref_num digest);
/* The signature that the nonce k gives under a secret; s as it comes out. */
ref_case ref_sign_with(ref_num k, ref_num secret, ref_num digest);
/* The same with the nonce of RFC 6979; hash is "SHA256", "SHA384" or "SHA512", digest as
 * long as the hash's, extra of 32 bytes or NULL. */
ref_case ref_sign(ref_num secret, const uint8_t *digest, const char *hash,
                  const uint8_t *extra);

/* The verification equation alone, from the definition. */
bool ref_holds(const ref_case *c);
/* What sigmill_p256_explain has to answer. */
sigmill_status ref_explain(const uint8_t *sig, sigmill_p256_format format, ref_num digest,
                           const ref_point *key);

/* The case's signature in a format, with the R that the equation gives; s is left as it
 * is, so that a high one stays high. */
void ref_encode(uint8_t *out, sigmill_p256_format format, const ref_case *c);
/* s in a hinted format with this R, whatever the equation says. */
void ref_encode_hinted(uint8_t *out, sigmill_p256_format format, const ref_point *point,
                       ref_num s);

/* A key for libcrypto's EVP calls; secret may be NULL. */
EVP_PKEY *ref_evp_key(const ref_num *secret, const ref_point *point);

/* A key for sigmill's calls; aborts if it is refused. */
sigmill_p256_pubkey ref_pubkey(const ref_point *a);
sigmill_p256_keypair ref_keypair(ref_num secret);

/* r and s as 64 bytes. */
void ref_sig64(uint8_t out[64], const ref_case *c);

#endif
