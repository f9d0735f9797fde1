/* The published answers in the first lane, and in the others a chain of signatures that
 * the scalar engine makes: d, k and z of each are products of those before.  Enough items
 * for one group of lanes and a part of a second. */
#include "lanes/lanes_selftest.h"

#include "lanes/answers_p256.h"
#include "scalar/sc_p256.h"
#include <string.h>

enum {
  SIGNATURES = LANES_P256_GROUP + 1,
  CLAIMS = 2 * LANES_P256_GROUP - 1,
  ABSCISSAE = 2 * LANES_P256_GROUP
};

/* Not inlined: tables of one job and of the next would lie on the stack together. */
#define APART static __attribute__((noinline))

typedef struct {
  u256 d[SIGNATURES], k[SIGNATURES], z[SIGNATURES], r[SIGNATURES], s[SIGNATURES];
  p256_point key[SIGNATURES], point[SIGNATURES]; /* d*G, k*G */
} signatures;

static bool same(const u256 *a, const u256 *b) {
  return u256_eq_mask(a, b) != 0;
}

static bool same_point(const p256_point *a, const p256_point *b) {
  return same(&a->x, &b->x) && same(&a->y, &b->y);
}

APART void sign(signatures *all, const p256_engine *engine) {
  all->d[0] = answer_secret;
  all->k[0] = answer_nonce;
  all->z[0] = answer_digest;
  for (int i = 0; i < SIGNATURES; i++) {
    u256 inverse;
    if (i > 0) {
      sm_sc_p256_mul(&all->d[i], &all->d[i - 1], &all->k[i - 1]);
      sm_sc_p256_mul(&all->k[i], &all->k[i - 1], &all->z[i - 1]);
      sm_sc_p256_mul(&all->z[i], &all->z[i - 1], &all->d[i - 1]);
    }
    engine->mul_base(&all->key[i], &all->d[i]);
    engine->mul_base(&all->point[i], &all->k[i]);
    sm_sc_p256_reduce(&all->r[i], &all->point[i].x);
    sm_sc_p256_inv_vt(&inverse, &all->k[i]);
    sm_sc_p256_mul(&all->s[i], &all->r[i], &all->d[i]);
    sm_sc_p256_add(&all->s[i], &all->s[i], &all->z[i]);
    sm_sc_p256_mul(&all->s[i], &all->s[i], &inverse);
  }
}

/* A good signature, with its point if i is odd. */
static p256_claim claim_of(const signatures *all, int i) {
  return (p256_claim){.r = all->r[i],
                      .s = all->s[i],
                      .digest = all->z[i],
                      .key = all->key[i],
                      .point = all->point[i],
                      .has_point = (i & 1) != 0};
}

/* One bit of it, or one sign, wrong.  The sign of s alone is no fault without a point. */
static void spoil(p256_claim *claim, int kind) {
  switch (kind % 5) {
  case 0:
    claim->digest.v[0] ^= 1;
    break;
  case 1:
    u256_sub(&claim->point.y, &sm_p256_prime, &claim->point.y);
    claim->has_point = true;
    break;
  case 2:
    claim->r.v[1] ^= UINT64_C(1) << 40;
    claim->has_point = false;
    break;
  case 3:
    u256_sub(&claim->key.y, &sm_p256_prime, &claim->key.y);
    break;
  default:
    claim->s.v[2] ^= 1;
    break;
  }
}

/* Good and spoilt claims by turns, the published one first. */
static void make_claims(p256_claim claims[CLAIMS], const signatures *all) {
  for (int i = 0; i < CLAIMS; i++) {
    claims[i] = claim_of(all, i / 2);
    if (i % 2 == 1) {
      spoil(&claims[i], i / 2);
    }
  }
  claims[0].r = answer_r;
  claims[0].s = answer_s;
  claims[0].key = answer_public;
}

static uint8_t wanted(int i) {
  return i % 2 == 0 ? CLAIM_TRUE : CLAIM_FALSE;
}

APART bool verifies(const p256_lanes *lanes, const signatures *all) {
  p256_claim claims[CLAIMS];
  uint8_t verdicts[CLAIMS];
  make_claims(claims, all);
  lanes->verify_vt(verdicts, claims, CLAIMS);
  for (int i = 0; i < CLAIMS; i++) {
    if (verdicts[i] != wanted(i)) {
      return false;
    }
  }
  return true;
}

/* Without points, the first digest is what stands in the place of a spoilt point. */
APART bool finds_r(const p256_lanes *lanes, const signatures *all) {
  p256_claim claims[CLAIMS];
  p256_point r[CLAIMS], none = {{{0}}, {{0}}};
  uint8_t verdicts[CLAIMS];
  make_claims(claims, all);
  for (int i = 0; i < CLAIMS; i++) {
    if (i % 2 == 1 && claims[i].has_point) {
      claims[i].digest = answer_digest;
      claims[i].digest.v[3] ^= 1;
    }
    claims[i].has_point = false;
  }
  lanes->find_r_vt(r, verdicts, claims, CLAIMS);
  for (int i = 0; i < CLAIMS; i++) {
    if (verdicts[i] != wanted(i) ||
        !same_point(&r[i], i % 2 == 0 ? &all->point[i / 2] : &none)) {
      return false;
    }
  }
  return true;
}

/* One table a lane, and for the claims that are left over the first ones again. */
APART bool verifies_with_tables(const p256_lanes *lanes, const signatures *all) {
  p256_key_table tables[LANES_P256_GROUP], *out[LANES_P256_GROUP];
  const p256_key_table *of[CLAIMS];
  p256_claim claims[CLAIMS];
  p256_point keys[LANES_P256_GROUP];
  uint8_t verdicts[CLAIMS];
  make_claims(claims, all);
  for (int i = 0; i < LANES_P256_GROUP; i++) {
    out[i] = &tables[i];
    keys[i] = claims[i].key;
  }
  lanes->key_tables_vt(out, keys, LANES_P256_GROUP);
  for (int i = 0; i < CLAIMS; i++) {
    if (i >= LANES_P256_GROUP) {
      claims[i] = claims[i - LANES_P256_GROUP];
    }
    of[i] = &tables[i % LANES_P256_GROUP];
  }
  lanes->verify_known_vt(verdicts, claims, of, CLAIMS);
  for (int i = 0; i < CLAIMS; i++) {
    if (verdicts[i] != wanted(i)) {
      return false;
    }
  }
  return true;
}

APART bool verifies_with_a_comb(const p256_lanes *lanes, const signatures *all) {
  p256_key_comb comb;
  p256_claim claims[CLAIMS];
  make_claims(claims, all);
  lanes->key_comb_vt(&comb, &answer_public);
  return lanes->verify_one_vt(&claims[0], &comb) == CLAIM_TRUE &&
         lanes->verify_one_vt(&claims[1], &comb) == CLAIM_FALSE;
}

/* Keys that there are, and x = 0, 1, ..., of which the engine says whether they are. */
APART bool lifts(const p256_lanes *lanes, const signatures *all,
                 const p256_engine *engine) {
  p256_point out[ABSCISSAE], expected;
  u256 x[ABSCISSAE] = {{{0}}};
  uint8_t found[ABSCISSAE], y_odd[ABSCISSAE];
  for (int i = 0; i < ABSCISSAE; i++) {
    bool of_key = i < SIGNATURES;
    x[i] = of_key ? all->key[i].x : (u256){{(uint64_t)(i - SIGNATURES), 0, 0, 0}};
    y_odd[i] = of_key ? all->key[i].y.v[0] & 1 : i & 1;
  }
  x[ABSCISSAE - 1] = sm_p256_prime;
  lanes->lift_x_vt(out, found, x, y_odd, ABSCISSAE);
  for (int i = 0; i < ABSCISSAE; i++) {
    bool exists = engine->lift_x_vt(&expected, &x[i], y_odd[i]);
    if (found[i] != exists || !same_point(&out[i], &expected)) {
      return false;
    }
  }
  return same_point(&out[0], &answer_public);
}

APART bool multiplies_base(const p256_lanes *lanes, const signatures *all) {
  p256_point out[SIGNATURES];
  u256 y;
  lanes->mul_base(out, all->k, SIGNATURES);
  for (int i = 0; i < SIGNATURES; i++) {
    if (!same_point(&out[i], &all->point[i])) {
      return false;
    }
  }
  u256_sub(&y, &sm_p256_prime, &answer_r_y);
  return same(&out[0].x, &answer_r) && same(&out[0].y, &y);
}

/* k*(d*G) is (k*d)*G. */
APART bool multiplies(const p256_lanes *lanes, const signatures *all,
                      const p256_engine *engine) {
  p256_point points[SIGNATURES], out[SIGNATURES], expected;
  u256 k[SIGNATURES], product;
  memcpy(points, all->key, sizeof points);
  memcpy(k, all->k, sizeof k);
  k[0] = answer_ecdh_secret;
  points[0] = answer_ecdh_peer;
  lanes->mul(out, k, points, SIGNATURES);
  for (int i = 1; i < SIGNATURES; i++) {
    sm_sc_p256_mul(&product, &k[i], &all->d[i]);
    engine->mul_base(&expected, &product);
    if (!same_point(&out[i], &expected)) {
      return false;
    }
  }
  return same(&out[0].x, &answer_ecdh_shared);
}

APART bool signs(const p256_lanes *lanes, const signatures *all) {
  u256 s[SIGNATURES];
  lanes->sign_equation(s, all->k, all->z, all->r, all->d, SIGNATURES);
  for (int i = 0; i < SIGNATURES; i++) {
    if (!same(&s[i], &all->s[i])) {
      return false;
    }
  }
  return same(&s[0], &answer_s);
}

APART bool multiplies_base_once(const p256_lanes *lanes, const signatures *all) {
  p256_point out;
  for (int i = 0; i < 2; i++) {
    lanes->mul_base_one(&out, &all->d[i]);
    if (!same_point(&out, i == 0 ? &answer_public : &all->key[i])) {
      return false;
    }
  }
  return true;
}

/* The scalars of the chain as if they were signatures. */
APART bool combines(const p256_lanes *lanes, const signatures *all) {
  _Alignas(64) uint64_t words[LANES_P256_COMBINE_WORDS(SIGNATURES)];
  i128 a[SIGNATURES];
  u256 v[SIGNATURES], u, expected_v[SIGNATURES], expected_u;
  for (int i = 0; i < SIGNATURES; i++) {
    a[i] = (i128){{all->d[i].v[0], all->d[i].v[1]}};
  }
  lanes->combine_vt(v, &u, a, all->r, all->s, all->z, SIGNATURES, words);
  sm_sc_p256_combine_vt(expected_v, &expected_u, a, all->r, all->s, all->z, SIGNATURES);
  for (int i = 0; i < SIGNATURES; i++) {
    if (!same(&v[i], &expected_v[i])) {
      return false;
    }
  }
  return same(&u, &expected_u);
}

/* sum = sum + (minus ? -a : a) mod n. */
static void add_scalar(u256 *sum, const u256 *a, bool minus) {
  u256 negated;
  sm_sc_p256_neg(&negated, a);
  sm_sc_p256_add(sum, sum, minus ? &negated : a);
}

enum { SUM_ROWS = 1 + 3 * SIGNATURES };

/* Is the sum of 2^i times bits[i] that of 2^i logs[i] times G, i < SIGNATURES? */
APART bool folds(const p256_lanes *lanes, const p256_engine *engine, const p256_row *rows,
                 const p256_ref *refs, const u256 *logs) {
  p256_jacobian parts[SUMS_P256_BITS];
  p256_ref bits[SUMS_P256_BITS] = {0};
  p256_point sum, expected;
  u256 log = {{0}};
  for (int i = SIGNATURES - 1; i >= 0; i--) {
    bits[i] = refs[i];
    sm_sc_p256_add(&log, &log, &log);
    sm_sc_p256_add(&log, &log, &logs[i]);
  }
  const size_t count = lanes->sums.fold_vt(parts, rows, bits);
  engine->mul_base(&expected, &log);
  return engine->join_vt(&sum, parts, count, (int)(SUMS_P256_BITS / count)) &&
         same_point(&sum, &expected);
}

/* d*G and k*G of each in one row each, plus or minus one another by turns; then with a
 * pair of equal points and one of opposite ones among them. */
APART bool adds(const p256_lanes *lanes, const signatures *all,
                const p256_engine *engine) {
  _Alignas(64) uint64_t words[SUMS_P256_WORDS(SIGNATURES)];
  p256_row rows[SUM_ROWS];
  p256_pair pairs[SIGNATURES];
  p256_ref refs[SIGNATURES];
  p256_point points[SIGNATURES];
  u256 logs[SIGNATURES];
  uint8_t flags[SIGNATURES];
  bool right = true;
  memcpy(points, all->key, sizeof points);
  points[1].y.v[0] ^= 1;
  lanes->sums.load_vt(rows + 1, flags, points, SIGNATURES);
  for (int i = 0; i < SIGNATURES; i++) {
    right &= flags[i] == (i != 1);
  }
  lanes->sums.load_vt(rows + 1, flags, all->key, SIGNATURES);
  lanes->sums.load_vt(rows + 1 + SIGNATURES, flags, all->point, SIGNATURES);
  for (uint32_t i = 0; i < SIGNATURES; i++) {
    const uint32_t to = 1 + 2 * SIGNATURES + i;
    pairs[i] = (p256_pair){.a = 1 + i, .b = 1 + SIGNATURES + i, .to = to, .minus = i & 1};
    refs[i] = to << 1;
    logs[i] = all->d[i];
    add_scalar(&logs[i], &all->k[i], (i & 1) != 0);
  }
  right &= lanes->sums.add_vt(rows, pairs, SIGNATURES, words) &&
           folds(lanes, engine, rows, refs, logs);
  pairs[0].b = pairs[0].a; /* with + */
  pairs[1].b = pairs[1].a; /* with - */
  logs[0] = all->d[0];
  add_scalar(&logs[0], &all->d[0], false);
  logs[1] = (u256){{0}};
  refs[1] = 0;
  right &= !lanes->sums.add_vt(rows, pairs, SIGNATURES, words);
  lanes->sums.add_any_vt(rows, flags, pairs, SIGNATURES, words);
  for (int i = 0; i < SIGNATURES; i++) {
    right &= flags[i] == (i == 1);
  }
  return right && folds(lanes, engine, rows, refs, logs);
}

lanes_job sm_lanes_selftest(const p256_lanes *lanes, const p256_engine *engine) {
  signatures all;
  sign(&all, engine);
  if (!verifies(lanes, &all)) {
    return LANES_JOB_VERIFY;
  }
  if (!finds_r(lanes, &all)) {
    return LANES_JOB_FIND_R;
  }
  if (!verifies_with_tables(lanes, &all)) {
    return LANES_JOB_VERIFY_KNOWN;
  }
  if (!verifies_with_a_comb(lanes, &all)) {
    return LANES_JOB_VERIFY_ONE;
  }
  if (!lifts(lanes, &all, engine)) {
    return LANES_JOB_LIFT_X;
  }
  if (!multiplies_base(lanes, &all)) {
    return LANES_JOB_MUL_BASE;
  }
  if (!multiplies(lanes, &all, engine)) {
    return LANES_JOB_MUL;
  }
  if (!signs(lanes, &all)) {
    return LANES_JOB_SIGN_EQUATION;
  }
  if (!multiplies_base_once(lanes, &all)) {
    return LANES_JOB_MUL_BASE_ONE;
  }
  if (!combines(lanes, &all)) {
    return LANES_JOB_COMBINE;
  }
  if (!adds(lanes, &all, engine)) {
    return LANES_JOB_SUMS;
  }
  return LANES_JOBS;
}
