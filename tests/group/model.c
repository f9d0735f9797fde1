/* The group tests' model of P-256: libcrypto's arithmetic on plain integers. */
#include "model.h"
#include <openssl/obj_mac.h>
#include <stdlib.h>

u256 model_p, model_n;

static EC_GROUP *group;
static BN_CTX *ctx;
static BIGNUM *p, *n;

static void must(int ok) {
  if (ok != 1) {
    fprintf(stderr, "libcrypto failed\n");
    abort();
  }
}

static BIGNUM *from_u256(const u256 *a) {
  BIGNUM *out = BN_new();
  bn_from_u256(out, a);
  return out;
}

void model_begin(void) {
  group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  ctx = BN_CTX_new();
  p = BN_new();
  n = BN_dup(EC_GROUP_get0_order(group));
  must(EC_GROUP_get_curve(group, p, NULL, NULL, ctx));
  model_p = u256_from_bn(p);
  model_n = u256_from_bn(n);
}

static bool to_point(p256_point *out, const EC_POINT *a) {
  memset(out, 0, sizeof *out);
  if (EC_POINT_is_at_infinity(group, a)) {
    return false;
  }
  BIGNUM *x = BN_new(), *y = BN_new();
  must(EC_POINT_get_affine_coordinates(group, a, x, y, ctx));
  out->x = u256_from_bn(x);
  out->y = u256_from_bn(y);
  BN_free(x);
  BN_free(y);
  return true;
}

static EC_POINT *from_point(const p256_point *a) {
  EC_POINT *point = EC_POINT_new(group);
  BIGNUM *x = from_u256(&a->x), *y = from_u256(&a->y);
  must(EC_POINT_set_affine_coordinates(group, point, x, y, ctx));
  BN_free(x);
  BN_free(y);
  return point;
}

bool model_mul2(p256_point *out, const u256 *u1, const u256 *u2, const p256_point *q) {
  EC_POINT *sum = EC_POINT_new(group);
  BIGNUM *k1 = u1 != NULL ? from_u256(u1) : NULL;
  if (q != NULL) {
    EC_POINT *point = from_point(q);
    BIGNUM *k2 = from_u256(u2);
    must(EC_POINT_mul(group, sum, k1, point, k2, ctx));
    BN_free(k2);
    EC_POINT_free(point);
  } else {
    must(EC_POINT_mul(group, sum, k1, NULL, NULL, ctx));
  }
  bool finite = to_point(out, sum);
  BN_free(k1);
  EC_POINT_free(sum);
  return finite;
}

void model_scalar_mul_add(u256 *out, const u256 *a, const u256 *b, const u256 *c) {
  BIGNUM *x = from_u256(a), *y = from_u256(b), *z = from_u256(c);
  must(BN_mod_mul(x, x, y, n, ctx));
  must(BN_mod_add(x, x, z, n, ctx));
  *out = u256_from_bn(x);
  BN_free(x);
  BN_free(y);
  BN_free(z);
}

void model_scalar_inv(u256 *out, const u256 *a) {
  BIGNUM *x = from_u256(a);
  must(BN_mod_inverse(x, x, n, ctx) != NULL);
  *out = u256_from_bn(x);
  BN_free(x);
}

void model_to_words(u256 *out, const u256 *a) {
  BIGNUM *x = from_u256(a);
  must(BN_lshift(x, x, 256));
  must(BN_mod(x, x, p, ctx));
  *out = u256_from_bn(x);
  BN_free(x);
}

void model_curve_b(u256 *out) {
  BIGNUM *b = BN_new();
  must(EC_GROUP_get_curve(group, NULL, NULL, b, ctx));
  *out = u256_from_bn(b);
  BN_free(b);
}

bool model_lift_x(p256_point *out, const u256 *x, bool y_odd) {
  EC_POINT *point = EC_POINT_new(group);
  BIGNUM *bx = from_u256(x);
  bool found =
      EC_POINT_set_compressed_coordinates(group, point, bx, y_odd ? 1 : 0, ctx) == 1;
  found = found && to_point(out, point);
  BN_free(bx);
  EC_POINT_free(point);
  return found;
}

void model_negate(p256_point *out, const p256_point *a) {
  EC_POINT *point = from_point(a);
  must(EC_POINT_invert(group, point, ctx));
  to_point(out, point);
  EC_POINT_free(point);
}

void model_random_scalar(u256 *out) {
  do {
    *out = u256_random_below(&model_n);
  } while (u256_zero_mask(out));
}
