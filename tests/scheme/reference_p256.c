#include "reference_p256.h"

#include "harness.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/hmac.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <stdlib.h>
#include <string.h>

static EC_GROUP *group;
static BIGNUM *order, *prime;

static void must(bool ok) {
  if (!ok) {
    fprintf(stderr, "reference_p256: libcrypto failed\n");
    abort();
  }
}

static BIGNUM *to_bn(const ref_num *a) {
  BIGNUM *bn = BN_bin2bn(a->be, 32, NULL);
  must(bn != NULL);
  return bn;
}

/* Frees bn. */
static ref_num from_bn(BIGNUM *bn) {
  ref_num a;
  must(BN_bn2binpad(bn, a.be, 32) == 32);
  BN_free(bn);
  return a;
}

void ref_begin(void) {
  group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  must(group != NULL);
  order = BN_dup(EC_GROUP_get0_order(group));
  prime = BN_dup(EC_GROUP_get0_field(group));
  must(order != NULL && prime != NULL);
}

void ref_end(void) {
  EC_GROUP_free(group);
  BN_free(order);
  BN_free(prime);
}

/* ---------------------------------------------------------------- numbers */

ref_num ref_hex(const char *digits) {
  ref_num a;
  test_from_hex(a.be, 32, digits);
  return a;
}

ref_num ref_small(uint64_t value) {
  ref_num a = {{0}};
  for (int i = 31; value != 0; i--, value >>= 8) {
    a.be[i] = (uint8_t)value;
  }
  return a;
}

ref_num ref_bytes(const uint8_t be[32]) {
  ref_num a;
  memcpy(a.be, be, 32);
  return a;
}

ref_num ref_random_any(void) {
  ref_num a;
  test_random_bytes(a.be, 32);
  return a;
}

ref_num ref_random_scalar(void) {
  ref_num a = ref_random_any();
  while (!ref_is_scalar(a)) {
    a = ref_random_any();
  }
  return a;
}

ref_num ref_p(void) {
  return from_bn(BN_dup(prime));
}

ref_num ref_n(void) {
  return from_bn(BN_dup(order));
}

ref_num ref_half_n(void) {
  BIGNUM *half = BN_new();
  must(half != NULL && BN_rshift1(half, order) == 1); /* n is odd */
  return from_bn(half);
}

int ref_compare(ref_num a, ref_num b) {
  return memcmp(a.be, b.be, 32);
}

bool ref_is_scalar(ref_num a) {
  return ref_compare(a, ref_small(0)) != 0 && ref_compare(a, ref_n()) < 0;
}

ref_num ref_plus(ref_num a, ref_num b, bool *fits) {
  ref_num sum;
  unsigned carry = 0;
  for (int i = 31; i >= 0; i--) {
    carry += (unsigned)a.be[i] + b.be[i];
    sum.be[i] = (uint8_t)carry;
    carry >>= 8;
  }
  if (fits != NULL) {
    *fits = carry == 0;
  }
  return sum;
}

ref_num ref_minus(ref_num a, ref_num b) {
  ref_num difference;
  int borrow = 0;
  for (int i = 31; i >= 0; i--) {
    int digit = a.be[i] - b.be[i] - borrow;
    borrow = digit < 0;
    difference.be[i] = (uint8_t)digit;
  }
  return difference;
}

typedef int mod_op(BIGNUM *, const BIGNUM *, const BIGNUM *, const BIGNUM *, BN_CTX *);

static ref_num mod_n(mod_op *op, ref_num a, ref_num b) {
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *x = to_bn(&a), *y = to_bn(&b), *out = BN_new();
  must(ctx != NULL && out != NULL && op(out, x, y, order, ctx) == 1);
  BN_free(x);
  BN_free(y);
  BN_CTX_free(ctx);
  return from_bn(out);
}

ref_num ref_n_reduce(ref_num a) {
  return mod_n(BN_mod_add, a, ref_small(0));
}

ref_num ref_n_add(ref_num a, ref_num b) {
  return mod_n(BN_mod_add, a, b);
}

ref_num ref_n_sub(ref_num a, ref_num b) {
  return mod_n(BN_mod_sub, a, b);
}

ref_num ref_n_mul(ref_num a, ref_num b) {
  return mod_n(BN_mod_mul, a, b);
}

ref_num ref_n_negate(ref_num a) {
  return mod_n(BN_mod_sub, ref_small(0), a);
}

ref_num ref_n_inverse(ref_num a) {
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *x = to_bn(&a), *out = BN_new();
  must(ctx != NULL && out != NULL && BN_mod_inverse(out, x, order, ctx) != NULL);
  BN_free(x);
  BN_CTX_free(ctx);
  return from_bn(out);
}

/* ---------------------------------------------------------------- points */

static EC_POINT *to_ec(const ref_point *a, BN_CTX *ctx) {
  EC_POINT *point = EC_POINT_new(group);
  must(point != NULL);
  if (a->infinity) {
    must(EC_POINT_set_to_infinity(group, point) == 1);
    return point;
  }
  BIGNUM *x = to_bn(&a->x), *y = to_bn(&a->y);
  must(EC_POINT_set_affine_coordinates(group, point, x, y, ctx) == 1);
  BN_free(x);
  BN_free(y);
  return point;
}

/* Frees point. */
static ref_point from_ec(EC_POINT *point, BN_CTX *ctx) {
  ref_point out = {.infinity = EC_POINT_is_at_infinity(group, point) == 1};
  if (!out.infinity) {
    BIGNUM *x = BN_new(), *y = BN_new();
    must(x != NULL && y != NULL &&
         EC_POINT_get_affine_coordinates(group, point, x, y, ctx) == 1);
    out.x = from_bn(x);
    out.y = from_bn(y);
  }
  EC_POINT_free(point);
  return out;
}

ref_point ref_mul2(ref_num u1, ref_num u2, const ref_point *q) {
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *k1 = to_bn(&u1), *k2 = to_bn(&u2);
  EC_POINT *out = EC_POINT_new(group);
  EC_POINT *point = q != NULL ? to_ec(q, ctx) : NULL;
  must(ctx != NULL && out != NULL &&
       EC_POINT_mul(group, out, k1, point, point != NULL ? k2 : NULL, ctx) == 1);
  ref_point result = from_ec(out, ctx);
  EC_POINT_free(point);
  BN_free(k1);
  BN_free(k2);
  BN_CTX_free(ctx);
  return result;
}

ref_point ref_base(ref_num k) {
  return ref_mul2(k, ref_small(0), NULL);
}

ref_point ref_negate(const ref_point *a) {
  ref_point out = *a;
  if (!a->infinity && ref_compare(a->y, ref_small(0)) != 0) {
    out.y = ref_minus(ref_p(), a->y);
  }
  return out;
}

bool ref_equal(const ref_point *a, const ref_point *b) {
  return a->infinity == b->infinity &&
         (a->infinity || (ref_compare(a->x, b->x) == 0 && ref_compare(a->y, b->y) == 0));
}

bool ref_on_curve(const ref_point *a) {
  if (a->infinity || ref_compare(a->x, ref_p()) >= 0 || ref_compare(a->y, ref_p()) >= 0) {
    return false;
  }
  ref_point lifted;
  return ref_lift(&lifted, a->x, a->y.be[31] & 1) && ref_equal(&lifted, a);
}

bool ref_lift(ref_point *out, ref_num x, bool y_odd) {
  memset(out, 0, sizeof *out);
  if (ref_compare(x, ref_p()) >= 0) {
    return false;
  }
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *bn = to_bn(&x);
  EC_POINT *point = EC_POINT_new(group);
  must(ctx != NULL && point != NULL);
  bool ok = EC_POINT_set_compressed_coordinates(group, point, bn, y_odd, ctx) == 1;
  if (ok) {
    *out = from_ec(point, ctx);
  } else {
    EC_POINT_free(point);
  }
  BN_free(bn);
  BN_CTX_free(ctx);
  return ok;
}

void ref_sec1_65(uint8_t out[65], const ref_point *a) {
  must(!a->infinity);
  out[0] = 4;
  memcpy(out + 1, a->x.be, 32);
  memcpy(out + 33, a->y.be, 32);
}

void ref_sec1_33(uint8_t out[33], const ref_point *a) {
  must(!a->infinity);
  out[0] = 2 | (a->y.be[31] & 1);
  memcpy(out + 1, a->x.be, 32);
}

/* ---------------------------------------------------------------- ECDSA */

ref_case ref_forge(const ref_point *point, ref_num s, ref_num digest) {
  ref_case c = {.r = ref_n_reduce(point->x), .s = s, .digest = digest};
  ref_num inverse = ref_n_inverse(c.r);
  c.key = ref_mul2(ref_n_negate(ref_n_mul(ref_n_reduce(digest), inverse)),
                   ref_n_mul(s, inverse), point);
  must(!c.key.infinity);
  return c;
}

ref_case ref_sign_with(ref_num k, ref_num secret, ref_num digest) {
  ref_point point = ref_base(k);
  ref_case c = {.r = ref_n_reduce(point.x), .digest = digest, .key = ref_base(secret)};
  ref_num sum = ref_n_add(ref_n_reduce(digest), ref_n_mul(c.r, secret));
  c.s = ref_n_mul(ref_n_inverse(k), sum);
  return c;
}

/* HMAC(key, v || tag || seed), the step that RFC 6979 repeats; tag < 0: v alone. */
static void hmac_step(uint8_t *out, const EVP_MD *md, const uint8_t *key,
                      const uint8_t *v, int tag, const uint8_t *seed, size_t seed_len) {
  uint8_t text[64 + 1 + 96];
  size_t size = (size_t)EVP_MD_get_size(md), len = size;
  memcpy(text, v, size);
  if (tag >= 0) {
    text[len++] = (uint8_t)tag;
    memcpy(text + len, seed, seed_len);
    len += seed_len;
  }
  must(HMAC(md, key, (int)size, text, len, out, NULL) != NULL);
}

ref_case ref_sign(ref_num secret, const uint8_t *digest, const char *hash,
                  const uint8_t *extra) {
  const EVP_MD *md = EVP_get_digestbyname(hash);
  must(md != NULL);
  uint8_t k[64] = {0}, v[64], next[64], seed[96];
  size_t seed_len = extra != NULL ? 96 : 64;
  ref_num z = ref_bytes(digest), octets = ref_n_reduce(z);
  memset(v, 1, sizeof v);
  memcpy(seed, secret.be, 32);
  memcpy(seed + 32, octets.be, 32);
  if (extra != NULL) {
    memcpy(seed + 64, extra, 32);
  }
  for (int tag = 0; tag < 2; tag++) {
    hmac_step(next, md, k, v, tag, seed, seed_len);
    memcpy(k, next, sizeof k);
    hmac_step(next, md, k, v, -1, NULL, 0);
    memcpy(v, next, sizeof v);
  }
  for (;;) {
    hmac_step(next, md, k, v, -1, NULL, 0);
    memcpy(v, next, sizeof v);
    if (ref_is_scalar(ref_bytes(v))) {
      return ref_sign_with(ref_bytes(v), secret, z);
    }
    hmac_step(next, md, k, v, 0, seed, 0);
    memcpy(k, next, sizeof k);
    hmac_step(next, md, k, v, -1, NULL, 0);
    memcpy(v, next, sizeof v);
  }
}

/* u1*G + u2*Q of the equation. */
static ref_point equation_point(const ref_case *c) {
  ref_num w = ref_n_inverse(c->s);
  return ref_mul2(ref_n_mul(ref_n_reduce(c->digest), w), ref_n_mul(c->r, w), &c->key);
}

bool ref_holds(const ref_case *c) {
  if (!ref_is_scalar(c->r) || !ref_is_scalar(c->s)) {
    return false;
  }
  ref_point point = equation_point(c);
  return !point.infinity && ref_compare(ref_n_reduce(point.x), c->r) == 0;
}

/* The R of a hinted format from its bytes; false if there is no such point. */
static bool hinted_point(ref_point *out, const uint8_t *sig, sigmill_p256_format format,
                         ref_num r) {
  memset(out, 0, sizeof *out);
  if (format == SIGMILL_P256_FULL_R96) {
    out->x = ref_bytes(sig);
    out->y = ref_bytes(sig + 32);
    return ref_on_curve(out);
  }
  if (format == SIGMILL_P256_COMPRESSED_R65) {
    return ref_lift(out, ref_bytes(sig + 1), sig[0] == 3);
  }
  bool fits = true;
  ref_num x = sig[0] >= 2 ? ref_plus(r, ref_n(), &fits) : r;
  return fits && ref_lift(out, x, sig[0] & 1);
}

sigmill_status ref_explain(const uint8_t *sig, sigmill_p256_format format, ref_num digest,
                           const ref_point *key) {
  size_t size = format == SIGMILL_P256_FULL_R96         ? 96
                : format == SIGMILL_P256_RECOVERABLE65  ? 65
                : format == SIGMILL_P256_COMPRESSED_R65 ? 65
                : format == SIGMILL_P256_SIG64          ? 64
                : format == SIGMILL_P256_SIG64_LOW_S    ? 64
                                                        : 0;
  if (size == 0) {
    return SIGMILL_ERR_ARGUMENT;
  }
  if ((format == SIGMILL_P256_RECOVERABLE65 && sig[0] > 3) ||
      (format == SIGMILL_P256_COMPRESSED_R65 && sig[0] != 2 && sig[0] != 3)) {
    return SIGMILL_ERR_SIG_RECID;
  }
  ref_case c = {.digest = digest, .key = *key, .s = ref_bytes(sig + size - 32)};
  c.r = ref_bytes(sig + (size == 65));
  if (format == SIGMILL_P256_FULL_R96 || format == SIGMILL_P256_COMPRESSED_R65) {
    c.r = ref_n_reduce(c.r);
  }
  if (!ref_is_scalar(c.r)) {
    return SIGMILL_ERR_SIG_R;
  }
  if (!ref_is_scalar(c.s)) {
    return SIGMILL_ERR_SIG_S;
  }
  if (format != SIGMILL_P256_SIG64 && ref_compare(c.s, ref_half_n()) > 0) {
    return SIGMILL_ERR_SIG_HIGH_S;
  }
  if (size == 64) {
    return ref_holds(&c) ? SIGMILL_OK : SIGMILL_ERR_SIG_EQUATION;
  }
  ref_point hinted, point;
  if (!hinted_point(&hinted, sig, format, c.r)) {
    return SIGMILL_ERR_SIG_POINT;
  }
  point = equation_point(&c);
  return ref_equal(&hinted, &point) ? SIGMILL_OK : SIGMILL_ERR_SIG_EQUATION;
}

void ref_sig64(uint8_t out[64], const ref_case *c) {
  memcpy(out, c->r.be, 32);
  memcpy(out + 32, c->s.be, 32);
}

void ref_encode_hinted(uint8_t *out, sigmill_p256_format format, const ref_point *point,
                       ref_num s) {
  uint8_t odd = point->y.be[31] & 1;
  if (format == SIGMILL_P256_FULL_R96) {
    memcpy(out, point->x.be, 32);
    memcpy(out + 32, point->y.be, 32);
    memcpy(out + 64, s.be, 32);
  } else {
    bool recoverable = format == SIGMILL_P256_RECOVERABLE65;
    ref_num r = ref_n_reduce(point->x);
    bool wrapped = ref_compare(point->x, r) != 0;
    out[0] = recoverable ? (uint8_t)(odd | (wrapped ? 2 : 0)) : (uint8_t)(2 | odd);
    memcpy(out + 1, recoverable ? r.be : point->x.be, 32);
    memcpy(out + 33, s.be, 32);
  }
}

void ref_encode(uint8_t *out, sigmill_p256_format format, const ref_case *c) {
  if (format == SIGMILL_P256_SIG64 || format == SIGMILL_P256_SIG64_LOW_S) {
    ref_sig64(out, c);
    return;
  }
  ref_point point = equation_point(c);
  must(!point.infinity && ref_compare(ref_n_reduce(point.x), c->r) == 0);
  ref_encode_hinted(out, format, &point, c->s);
}

EVP_PKEY *ref_evp_key(const ref_num *secret, const ref_point *point) {
  uint8_t sec1[65];
  ref_sec1_65(sec1, point);
  OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  BIGNUM *d = secret != NULL ? to_bn(secret) : NULL;
  EVP_PKEY *key = NULL;
  must(build != NULL && ctx != NULL &&
       OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1",
                                       0) == 1 &&
       OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, sec1,
                                        sizeof sec1) == 1 &&
       (d == NULL || OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, d) == 1));
  OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
  int selection = secret != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
  must(params != NULL && EVP_PKEY_fromdata_init(ctx) == 1 &&
       EVP_PKEY_fromdata(ctx, &key, selection, params) == 1);
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(build);
  EVP_PKEY_CTX_free(ctx);
  BN_free(d);
  return key;
}

sigmill_p256_pubkey ref_pubkey(const ref_point *a) {
  uint8_t sec1[65];
  sigmill_p256_pubkey key;
  ref_sec1_65(sec1, a);
  if (sigmill_p256_pubkey_parse(&key, sec1, sizeof sec1) != SIGMILL_OK) {
    fprintf(stderr, "reference_p256: a good key was refused\n");
    abort();
  }
  return key;
}

sigmill_p256_keypair ref_keypair(ref_num secret) {
  sigmill_p256_keypair pair;
  if (sigmill_p256_keypair_from_secret(&pair, secret.be) != SIGMILL_OK) {
    fprintf(stderr, "reference_p256: a good secret was refused\n");
    abort();
  }
  return pair;
}
