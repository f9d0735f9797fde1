/* The group tests' model of P-256: libcrypto's arithmetic on plain integers. */
#include "model.h"
#include "harness.h"
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
  uint8_t bytes[32];
  u256_to_be(bytes, a);
  return BN_bin2bn(bytes, sizeof bytes, NULL);
}

static void to_u256(u256 *out, const BIGNUM *a) {
  uint8_t bytes[32];
  must(BN_bn2binpad(a, bytes, sizeof bytes) == sizeof bytes);
  u256_from_be(out, bytes);
}

void model_begin(void) {
  group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  ctx = BN_CTX_new();
  p = BN_new();
  n = BN_dup(EC_GROUP_get0_order(group));
  must(EC_GROUP_get_curve(group, p, NULL, NULL, ctx));
  to_u256(&model_p, p);
  to_u256(&model_n, n);
}

static bool to_point(p256_point *out, const EC_POINT *a) {
  memset(out, 0, sizeof *out);
  if (EC_POINT_is_at_infinity(group, a)) {
    return false;
  }
  BIGNUM *x = BN_new(), *y = BN_new();
  must(EC_POINT_get_affine_coordinates(group, a, x, y, ctx));
  to_u256(&out->x, x);
  to_u256(&out->y, y);
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
  to_u256(out, x);
  BN_free(x);
  BN_free(y);
  BN_free(z);
}

void model_scalar_inv(u256 *out, const u256 *a) {
  BIGNUM *x = from_u256(a);
  must(BN_mod_inverse(x, x, n, ctx) != NULL);
  to_u256(out, x);
  BN_free(x);
}

void model_to_words(u256 *out, const u256 *a) {
  BIGNUM *x = from_u256(a);
  must(BN_lshift(x, x, 256));
  must(BN_mod(x, x, p, ctx));
  to_u256(out, x);
  BN_free(x);
}

void model_curve_b(u256 *out) {
  BIGNUM *b = BN_new();
  must(EC_GROUP_get_curve(group, NULL, NULL, b, ctx));
  to_u256(out, b);
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
    test_random_bytes(out->v, sizeof out->v);
  } while (!u256_lt_mask(out, &model_n) || u256_zero_mask(out));
}
