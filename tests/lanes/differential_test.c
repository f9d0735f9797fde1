/* The lanes' verification against the scalar engine, on every claim and under each body,
 * and both against libcrypto on a share of them: signatures of random keys, claims built
 * backwards from a point or from scalars at the edges, and what they become when one part
 * is spoilt.  A long run tries a million claims and asks libcrypto about each. */
#include "../group/model.h"
#include "base/cpu.h"
#include "lanes/backend.h"
#include "scalar/sc_p256.h"

enum {
  KEYS = 256,
  EDGE_KEYS = 16,       /* of them, whose secrets are edges: small multiples of G, some */
  LIBCRYPTO_SHARE = 16, /* one claim in so many, unless the run is long */
  PLAIN_SHARE = 16,     /* one chunk in so many for the body in plain C */
};

/* A claim and how it came about. */
typedef struct {
  p256_claim claim;
  const char *origin, *mutation;
  bool may_be_exceptional; /* only then may the lanes leave it undecided */
} trial;

static struct {
  u256 secret;
  p256_point point;
} keys[KEYS];
static const p256_engine *engine;
static size_t undecided, valid;

static uint64_t draw(uint64_t limit) {
  return test_random_u64() % limit;
}

static u256 random_scalar(void) {
  u256 out;
  model_random_scalar(&out);
  return out;
}

/* Within 20 of 0, of n, of (n-1)/2 or of a power of two; 1..n-1. */
static u256 edge_scalar(void) {
  for (;;) {
    u256 out = {{0}}, offset = {{draw(21)}};
    switch (draw(4)) {
    case 0:
      break;
    case 1:
      out = model_n;
      break;
    case 2:
      out = sm_sc_p256_half_order;
      break;
    default: {
      uint64_t bit = draw(256);
      out.v[bit / 64] = (uint64_t)1 << bit % 64;
    }
    }
    (void)(draw(2) == 0 ? u256_add : u256_sub)(&out, &out, &offset);
    if (sm_sc_p256_in_range(&out) != 0) {
      return out;
    }
  }
}

static u256 any_scalar(void) {
  return draw(4) == 0 ? edge_scalar() : random_scalar();
}

static void make_keys(void) {
  for (int i = 0; i < KEYS; i++) {
    keys[i].secret = i < EDGE_KEYS ? edge_scalar() : random_scalar();
    (void)model_mul2(&keys[i].point, &keys[i].secret, NULL, NULL);
  }
}

/* r and the point of a claim are those of R. */
static void set_r(p256_claim *claim, const p256_point *point) {
  sm_sc_p256_reduce(&claim->r, &point->x);
  claim->point = *point;
}

/* digest and s such that u1 and u2 are these; u1 < n, 1 <= u2 < n. */
static void set_scalars(p256_claim *claim, const u256 *u1, const u256 *u2) {
  u256 inverse;
  sm_sc_p256_inv_vt(&inverse, u2);
  sm_sc_p256_mul(&claim->s, &claim->r, &inverse);
  sm_sc_p256_mul(&claim->digest, u1, &claim->s);
}

/* ------------------------------------------------------------------- claims that hold */

static void make_signature(trial *t) {
  const size_t key = draw(KEYS);
  p256_claim *claim = &t->claim;
  u256 k = random_scalar(), z, inverse;
  p256_point point;
  t->origin = "a signature";
  claim->key = keys[key].point;
  claim->digest = draw(8) == 0 ? u256_random_runs() : u256_random();
  engine->mul_base(&point, &k);
  set_r(claim, &point);
  sm_sc_p256_reduce(&z, &claim->digest);
  sm_sc_p256_mul(&claim->s, &claim->r, &keys[key].secret);
  sm_sc_p256_add(&claim->s, &claim->s, &z);
  sm_sc_p256_inv_vt(&inverse, &k);
  sm_sc_p256_mul(&claim->s, &claim->s, &inverse);
}

/* A point with any x, or one at either end of what r can stand for: x below p - n, about
 * 2^126, so that x + n is below p as well; x in n..p-1; x below 2^256 - n. */
static p256_point draw_point(void) {
  for (;;) {
    u256 x = u256_random(), offset = {{draw(1000)}};
    p256_point out;
    switch (draw(5)) {
    case 0:
      x = offset;
      break;
    case 1:
      x.v[2] = x.v[3] = 0;
      break;
    case 2:
      x = model_n;
      (void)u256_add(&x, &x, &offset);
      break;
    case 3:
      x.v[3] &= UINT32_MAX;
      break;
    default:
      break;
    }
    if (model_lift_x(&out, &x, draw(2) != 0)) {
      return out;
    }
  }
}

/* The key for which u1*G + u2*Q is a chosen point. */
static void make_backwards(trial *t) {
  p256_claim *claim = &t->claim;
  t->origin = "built from a point";
  for (;;) {
    const u256 u1 = draw(16) == 0 ? (u256){{0}} : any_scalar(), u2 = any_scalar();
    const p256_point point = draw_point();
    u256 inverse, factor;
    set_r(claim, &point);
    if (u256_zero_mask(&claim->r) != 0) {
      continue;
    }
    set_scalars(claim, &u1, &u2);
    sm_sc_p256_inv_vt(&inverse, &u2);
    sm_sc_p256_mul(&factor, &u1, &inverse);
    sm_sc_p256_neg(&factor, &factor);
    if (engine->mul2_vt(&claim->key, &factor, &inverse, &point)) {
      return;
    }
  }
}

/* A key that is a small multiple of G, and scalars at the edges: sums on the way
 * coincide, cancel, or end at infinity. */
static void make_exceptional(trial *t) {
  p256_claim *claim = &t->claim;
  t->origin = "built from scalars";
  t->may_be_exceptional = true;
  u256 multiple = draw(2) == 0 ? edge_scalar() : (u256){{1 + draw(40)}};
  if (draw(2) == 0) {
    sm_sc_p256_neg(&multiple, &multiple);
  }
  engine->mul_base(&claim->key, &multiple);
  u256 u1 = edge_scalar(), u2 = edge_scalar();
  if (draw(4) == 0) {
    sm_sc_p256_mul(&u1, &u2, &multiple);
    sm_sc_p256_neg(&u1, &u1); /* infinity */
  }
  p256_point sum;
  if (!engine->mul2_vt(&sum, &u1, &u2, &claim->key)) {
    sum = keys[draw(KEYS)].point;
  }
  set_r(claim, &sum);
  set_scalars(claim, &u1, &u2);
}

/* ------------------------------------------------------------------------- mutations */

static void flip_bit(u256 *a) {
  uint64_t bit = draw(256);
  a->v[bit / 64] ^= (uint64_t)1 << bit % 64;
}

/* Of a claim with a point: the point spoilt, r with it where x changes. */
static const char *spoil_point(p256_claim *claim) {
  const u256 one = {{1}};
  u256 x = claim->point.x;
  switch (draw(5)) {
  case 0:
    model_negate(&claim->point, &claim->point);
    return "the point negated";
  case 1:
    (void)u256_sub(&claim->point.y, &claim->point.y, &one);
    return "y of the point less one";
  case 2:
    set_r(claim, &keys[draw(KEYS)].point);
    return "another point";
  case 3:
    /* The same r from the other x that gives it. */
    if (u256_add(&x, &x, &model_n) != 0 || !u256_below(&x, &model_p)) {
      (void)u256_sub(&x, &claim->point.x, &model_n);
    }
    if (u256_below(&x, &model_p)) {
      claim->point.x = x;
    } else {
      claim->point.y = (u256){{0}};
    }
    return "n added to x of the point";
  default:
    flip_bit(&claim->point.y);
    if (!u256_below(&claim->point.y, &model_p)) {
      claim->point.y = one;
    }
    return "a bit of y of the point flipped";
  }
}

static const char *spoil(p256_claim *claim) {
  p256_claim other = *claim;
  switch (draw(claim->has_point ? 10 : 12)) {
  case 0:
    flip_bit(&claim->digest);
    return "a bit of the digest flipped";
  case 1:
    flip_bit(&claim->s);
    return "a bit of s flipped";
  case 2:
    claim->key = keys[draw(KEYS)].point;
    return "another key";
  case 3:
    model_negate(&claim->key, &claim->key);
    return "the key negated";
  case 4:
    sm_sc_p256_neg(&claim->s, &claim->s);
    return "n - s";
  case 5:
    claim->s = edge_scalar();
    return "s at an edge";
  case 6:
    if (u256_add(&claim->digest, &claim->digest, &model_n) != 0) {
      claim->digest = other.digest;
    }
    return "n added to the digest";
  case 7:
    claim->digest = u256_random();
    return "another digest";
  case 8:
    claim->s = random_scalar();
    return "another s";
  case 9:
    if (claim->has_point) {
      return spoil_point(claim);
    }
    claim->r = other.s;
    claim->s = other.r;
    return "r and s swapped";
  case 10:
    flip_bit(&claim->r);
    return "a bit of r flipped";
  default:
    claim->r = draw(2) == 0 ? edge_scalar() : random_scalar();
    return "another r";
  }
}

static void make_trial(trial *t) {
  memset(t, 0, sizeof *t);
  t->mutation = "as made";
  const uint64_t lot = draw(16);
  if (lot == 0) {
    make_exceptional(t);
  } else if (lot < 4) {
    make_backwards(t);
  } else {
    make_signature(t);
  }
  t->claim.has_point = draw(3) == 0;
  if (draw(2) == 0) {
    t->mutation = spoil(&t->claim);
    if (sm_sc_p256_in_range(&t->claim.s) == 0) {
      t->claim.s = random_scalar();
    }
    if (sm_sc_p256_in_range(&t->claim.r) == 0) {
      t->claim.r = random_scalar();
    }
  }
  for (int i = 0; i < EDGE_KEYS; i++) {
    t->may_be_exceptional |= u256_equal(&t->claim.key.x, &keys[i].point.x);
  }
}

/* -------------------------------------------------------------------------- verdicts */

static bool scalar_verdict(const p256_claim *claim) {
  u256 u1, u2, inverse;
  sm_sc_p256_inv_vt(&inverse, &claim->s);
  sm_sc_p256_reduce(&u1, &claim->digest);
  sm_sc_p256_mul(&u1, &u1, &inverse);
  sm_sc_p256_mul(&u2, &claim->r, &inverse);
  if (!claim->has_point) {
    return engine->verify_vt(&u1, &u2, &claim->key, &claim->r);
  }
  return engine->on_curve_vt(&claim->point) &&
         engine->verify_point_vt(&u1, &u2, &claim->key, &claim->point);
}

static bool libcrypto_verdict(const p256_claim *claim) {
  const u256 zero = {{0}};
  u256 u1, u2, inverse, x;
  p256_point sum;
  model_scalar_inv(&inverse, &claim->s);
  model_scalar_mul_add(&u1, &claim->digest, &inverse, &zero);
  model_scalar_mul_add(&u2, &claim->r, &inverse, &zero);
  if (!model_mul2(&sum, &u1, &u2, &claim->key)) {
    return false;
  }
  model_scalar_mul_add(&x, &sum.x, &(u256){{1}}, &zero);
  return u256_equal(&x, &claim->r) &&
         (!claim->has_point ||
          (u256_equal(&sum.x, &claim->point.x) && u256_equal(&sum.y, &claim->point.y)));
}

static bool agree(const trial *t, const char *who, int got, bool expected) {
  const p256_claim *c = &t->claim;
  return EXPECT(got == expected,
                "%s says %d; %s, %s\n  r " HEX256 "\n  s " HEX256 "\n  digest " HEX256
                "\n  key " HEX256 " " HEX256 "\n  point (%d) " HEX256 " " HEX256,
                who, got, t->origin, t->mutation, HEX256_ARGS(c->r), HEX256_ARGS(c->s),
                HEX256_ARGS(c->digest), HEX256_ARGS(c->key.x), HEX256_ARGS(c->key.y),
                c->has_point, HEX256_ARGS(c->point.x), HEX256_ARGS(c->point.y));
}

static void try_chunk(const p256_lanes *const *bodies, int body_count, size_t count) {
  static trial trials[LANES_P256_CHUNK];
  static p256_claim claims[LANES_P256_CHUNK];
  bool expected[LANES_P256_CHUNK];
  for (size_t i = 0; i < count; i++) {
    make_trial(&trials[i]);
    claims[i] = trials[i].claim;
    expected[i] = scalar_verdict(&claims[i]);
    valid += expected[i];
    if (test_long() || draw(LIBCRYPTO_SHARE) == 0) {
      agree(&trials[i], "the scalar engine", expected[i], libcrypto_verdict(&claims[i]));
    }
  }
  for (int b = 0; b < body_count; b++) {
    uint8_t verdicts[LANES_P256_CHUNK + 1];
    memset(verdicts, 0x55, sizeof verdicts);
    bodies[b]->verify_vt(verdicts, claims, count);
    for (size_t i = 0; i < count; i++) {
      if (verdicts[i] == CLAIM_UNDECIDED && trials[i].may_be_exceptional) {
        undecided++;
      } else {
        agree(&trials[i], bodies[b]->name, verdicts[i], expected[i]);
      }
    }
    EXPECT(verdicts[count] == 0x55, "%s writes past %zu", bodies[b]->name, count);
  }
}

static void agrees_everywhere(void) {
  const p256_lanes *bodies[3] = {&sm_p256_lanes_plain};
  int body_count = 1;
#ifdef P256_LANES_X86
  if (sm_cpu_features()->ifma) {
    bodies[body_count++] = &sm_p256_lanes_avx512;
    bodies[body_count++] = &sm_p256_lanes_ifma256;
  }
#endif
  const size_t total = test_long() ? 1000000 : 60000;
  size_t tried = 0;
  make_keys();
  for (size_t chunk = 0; tried < total; chunk++) {
    const size_t count = draw(2) == 0 ? LANES_P256_CHUNK : 1 + draw(LANES_P256_CHUNK);
    const bool plain = chunk % PLAIN_SHARE == 0;
    try_chunk(bodies + !plain, body_count - !plain, count);
    tried += count;
  }
  printf("%zu claims, %zu hold, %zu left undecided by a body, %d bodies\n", tried, valid,
         undecided, body_count);
  EXPECT(valid > tried / 4 && valid < tried - tried / 8, "%zu of %zu hold", valid, tried);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  model_begin();
  engine = sm_backend()->engine;
  RUN(agrees_everywhere);
  return test_end();
}
