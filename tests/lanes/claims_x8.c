#include "claims_x8.h"

#include "base/cpu.h"
#include "scalar/sc_p256.h"

#include <string.h>

static const u256 zero, one = {{1}};

const p256_lanes *claims_body(int i) {
  const p256_lanes *bodies[CLAIMS_BODIES] = {&sm_p256_lanes_plain};
#ifdef P256_LANES_X86
  if (sm_cpu_features()->avx512 && sm_cpu_features()->ifma) {
    bodies[1] = &sm_p256_lanes_avx512;
    bodies[2] = &sm_p256_lanes_ifma256;
  }
#endif
#ifdef P256_LANES_AVXIFMA
  if (sm_cpu_features()->avx2 && sm_cpu_features()->avx_ifma) {
    bodies[3] = &sm_p256_lanes_avxifma;
  }
#endif
  return bodies[i];
}

u256 claims_times(const u256 *a, const u256 *b) {
  u256 out;
  model_scalar_mul_add(&out, a, b, &zero);
  return out;
}

u256 claims_inverse(const u256 *a) {
  u256 out;
  model_scalar_inv(&out, a);
  return out;
}

/* -a mod n. */
u256 claims_minus(const u256 *a) {
  u256 minus_one;
  (void)u256_sub(&minus_one, &model_n, &one);
  return claims_times(a, &minus_one);
}

u256 claims_random_scalar(void) {
  u256 out;
  model_random_scalar(&out);
  return out;
}

/* With these u1, u2 and key: r and point are those of R, and so the claim holds; false
 * where R is infinity, and r is any. */
bool claims_set(p256_claim *out, const u256 *u1, const u256 *u2, const p256_point *key) {
  const u256 inverted = claims_inverse(u2);
  const bool finite = model_mul2(&out->point, u1, u2, key);
  out->key = *key;
  out->r = finite ? claims_times(&out->point.x, &one) : claims_random_scalar();
  out->s = claims_times(&out->r, &inverted);
  out->digest = claims_times(u1, &out->s);
  out->has_point = false;
  return finite;
}

uint8_t claims_verdict(const p256_claim *claim) {
  const u256 inverted = claims_inverse(&claim->s);
  const u256 u1 = claims_times(&claim->digest, &inverted),
             u2 = claims_times(&claim->r, &inverted);
  p256_point sum;
  if (!model_mul2(&sum, &u1, &u2, &claim->key)) {
    return CLAIM_FALSE;
  }
  const u256 r = claims_times(&sum.x, &one);
  return u256_equal(&r, &claim->r) &&
                 (!claim->has_point || (u256_equal(&sum.x, &claim->point.x) &&
                                        u256_equal(&sum.y, &claim->point.y)))
             ? CLAIM_TRUE
             : CLAIM_FALSE;
}

void claims_random(p256_claim *out) {
  const u256 secret = claims_random_scalar(), u1 = claims_random_scalar(),
             u2 = claims_random_scalar();
  p256_point key;
  (void)model_mul2(&key, &secret, NULL, NULL);
  (void)claims_set(out, &u1, &u2, &key);
}

void claims_expect_in_each_lane(const claims_job *job, const p256_claim *claim,
                                uint8_t wanted, const char *what) {
  p256_claim claims[16];
  for (int i = 0; i < 16; i++) {
    claims_random(&claims[i]);
    claims[i].has_point = job->takes_points && i % 3 == 0;
    claims[i].digest.v[0] ^= i % 5 == 4 ? 1 : 0;
  }
  EACH_BODY(lanes) {
    for (int lane = 0; lane < 8; lane++) {
      p256_claim batch[16];
      uint8_t got[17];
      memcpy(batch, claims, sizeof batch);
      batch[lane] = *claim;
      const size_t count = (size_t)(lane + 1) + test_random_u64() % 9;
      got[count] = 0xAA;
      job->judge(lanes, got, batch, count);
      EXPECT(got[lane] == wanted, "%s: %s: %d in lane %d, not %d", lanes->name, what,
             got[lane], lane, wanted);
      for (size_t i = 0; i < count; i++) {
        EXPECT(i == (size_t)lane || got[i] == (i % 5 == 4 ? CLAIM_FALSE : CLAIM_TRUE),
               "%s: beside %s", lanes->name, what);
      }
      EXPECT(got[count] == 0xAA, "%s: wrote past the end", lanes->name);
    }
  }
}

void claims_of_x(p256_claim *out, const u256 *first, bool y_odd) {
  u256 x = *first;
  p256_point sum;
  while (!model_lift_x(&sum, &x, y_odd)) {
    (void)u256_add(&x, &x, &one);
  }
  const u256 u1 = claims_random_scalar(), u2 = claims_random_scalar(),
             inverted = claims_inverse(&u2);
  const u256 factor = claims_times(&u1, &inverted), negated = claims_minus(&factor);
  EXPECT(model_mul2(&out->key, &negated, &inverted, &sum), "the model");
  const p256_point key = out->key;
  EXPECT(claims_set(out, &u1, &u2, &key) && u256_equal(&out->point.x, &x), "x(R)");
}

void claims_digits(int *digits, const u256 *k, int w, int count) {
  u256 odd = *k;
  const int sign = (k->v[0] & 1) != 0 ? 1 : -1;
  if (sign < 0) {
    (void)u256_sub(&odd, &model_n, k);
  }
  for (int j = 0; j < count; j++) {
    const int width = j < count - 1 ? w : 256 - w * (count - 1);
    int v = 0;
    for (int i = 0; i < width; i++) { /* bits of (odd - 1)/2 + 2^255 */
      const int bit = w * j + i + 1;
      v |= (bit == 256 ? 1 : (int)(odd.v[bit / 64] >> bit % 64 & 1)) << i;
    }
    digits[j] = sign * (2 * v + 1 - (1 << width));
  }
}

/* d 2^shift mod n. */
static u256 shifted(int d, int shift) {
  u256 power = {{0}}, small = {{(uint64_t)(d < 0 ? -d : d)}};
  power.v[shift / 64] = UINT64_C(1) << shift % 64;
  const u256 out = claims_times(&power, &small);
  return d < 0 ? claims_minus(&out) : out;
}

static u256 sum(const u256 *a, const u256 *b) {
  u256 out;
  model_scalar_mul_add(&out, a, &one, b);
  return out;
}

void claims_add_base(claims_point *a, int d, int shift) {
  const u256 more = shifted(d, shift);
  a->g = sum(&a->g, &more);
}

void claims_add_key(claims_point *a, int d, int shift) {
  const u256 more = shifted(d, shift);
  a->q = sum(&a->q, &more);
}

void claims_add(claims_point *a, const claims_point *b) {
  a->g = sum(&a->g, &b->g);
  a->q = sum(&a->q, &b->q);
}

void claims_double(claims_point *a) {
  claims_add(a, a);
}

bool claims_of_meeting(p256_claim *out, const u256 *u1, const u256 *u2,
                       const claims_point *a, const claims_point *b, bool opposite) {
  const claims_point minus_b = {claims_minus(&b->g), claims_minus(&b->q)};
  claims_point zero_point = *a; /* that is to be infinity */
  claims_add(&zero_point, opposite ? b : &minus_b);
  if (u256_equal(&zero_point.g, &zero) || u256_equal(&zero_point.q, &zero)) {
    return false;
  }
  const u256 inverted = claims_inverse(&zero_point.q), g = claims_minus(&zero_point.g);
  const u256 secret = claims_times(&g, &inverted);
  p256_point key;
  (void)model_mul2(&key, &secret, NULL, NULL);
  (void)claims_set(out, u1, u2, &key);
  return true;
}

/* The job of the cases that run. */
static const claims_job *of;

static void expect_in_each_lane(const p256_claim *claim, uint8_t wanted,
                                const char *what) {
  claims_expect_in_each_lane(of, claim, wanted, what);
}

static void expect_as_libcrypto(const p256_claim *claim, const char *what) {
  expect_in_each_lane(claim, claims_verdict(claim), what);
}

static void claims_hold_or_do_not(void) {
  p256_claim claim, spoilt;
  claims_random(&claim);
  EXPECT(claims_verdict(&claim) == CLAIM_TRUE, "the model");
  expect_as_libcrypto(&claim, "a claim that holds");
  spoilt = claim;
  spoilt.digest.v[3] ^= UINT64_C(1) << 63;
  expect_as_libcrypto(&spoilt, "another digest");
  spoilt = claim;
  spoilt.s.v[0] ^= 1;
  expect_as_libcrypto(&spoilt, "another s");
  spoilt = claim;
  spoilt.r.v[0] ^= 1;
  expect_as_libcrypto(&spoilt, "another r");
  spoilt = claim;
  spoilt.s = claims_minus(&claim.s);
  expect_as_libcrypto(&spoilt, "n - s");
  model_negate(&spoilt.key, &claim.key);
  expect_as_libcrypto(&spoilt, "n - s and the key negated");
}

static void points_are_compared_whole(void) {
  p256_claim claim, spoilt;
  claims_random(&claim);
  claim.has_point = true;
  expect_in_each_lane(&claim, CLAIM_TRUE, "R");
  spoilt = claim;
  model_negate(&spoilt.point, &claim.point);
  expect_in_each_lane(&spoilt, CLAIM_FALSE, "-R");
  spoilt = claim;
  spoilt.point.y.v[2] ^= 1;
  expect_in_each_lane(&spoilt, CLAIM_FALSE, "a y off the curve");
  spoilt.point.y = zero;
  expect_in_each_lane(&spoilt, CLAIM_FALSE, "y = 0");
}

static void digests_may_be_zero(void) {
  p256_claim claim;
  claims_random(&claim);
  const u256 u2 = claims_random_scalar();
  (void)claims_set(&claim, &zero, &u2, &claim.key);
  expect_in_each_lane(&claim, CLAIM_TRUE, "digest 0");
  claim.digest = model_n;
  expect_in_each_lane(&claim, CLAIM_TRUE, "digest n");
  claim.digest.v[0]++;
  expect_in_each_lane(&claim, CLAIM_FALSE, "digest n + 1");
  claim.digest = (u256){{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
  expect_as_libcrypto(&claim, "digest 2^256 - 1");
}

static void x_may_be_n_or_more(void) {
  p256_claim claim, other;
  for (int y_odd = 0; y_odd < 2; y_odd++) {
    claims_of_x(&claim, &model_n, y_odd != 0);
    EXPECT(u256_below(&claim.r, &claim.point.x), "r = x - n");
    expect_in_each_lane(&claim, CLAIM_TRUE, "x(R) = r + n");
    if (of->takes_points) {
      claim.has_point = true;
      expect_in_each_lane(&claim, CLAIM_TRUE, "x(R) = r + n, with R");
      other = claim;
      other.point.x = claim.r;
      expect_in_each_lane(&other, CLAIM_FALSE, "x(R) = r + n, with a point of x = r");
    }

    claims_of_x(&claim, &one, y_odd != 0);
    expect_in_each_lane(&claim, CLAIM_TRUE, "x(R) = r, small");
    other = claim;
    other.digest.v[0] ^= 2;
    expect_in_each_lane(&other, CLAIM_FALSE, "small r, neither r nor r + n");
  }
  /* From p - n up, r alone is meant: r + n - p, a smaller integer, is another x. */
  u256 gap;
  (void)u256_sub(&gap, &model_p, &model_n);
  claims_of_x(&claim, &one, false);
  (void)u256_add(&claim.r, &claim.point.x, &gap); /* x = r + n - p */
  const u256 u1 = claims_random_scalar(), u2 = claims_random_scalar(),
             inverted = claims_inverse(&u2);
  const u256 factor = claims_times(&u1, &inverted), negated = claims_minus(&factor);
  const p256_point sum = claim.point;
  EXPECT(model_mul2(&claim.key, &negated, &inverted, &sum), "the model");
  claim.s = claims_times(&claim.r, &inverted);
  claim.digest = claims_times(&u1, &claim.s);
  expect_in_each_lane(&claim, CLAIM_FALSE, "x(R) = r + n - p");
}

/* Keys that are small multiples of G, whose table meets that of G, and small scalars:
 * what is decided is right. */
static void keys_near_the_base_point(void) {
  size_t undecided = 0, total = 0;
  for (uint64_t multiple = 1; multiple <= 17; multiple++) {
    p256_claim claims[16];
    uint8_t wanted[16], got[16];
    u256 secret = {{multiple}};
    p256_point key;
    secret = (multiple & 1) != 0 ? secret : claims_minus(&secret);
    (void)model_mul2(&key, &secret, NULL, NULL);
    for (int i = 0; i < 16; i++) {
      const u256 small1 = {{test_random_u64() % 40}},
                 small2 = {{1 + test_random_u64() % 40}};
      const u256 u1 = (i & 1) != 0 ? small1 : claims_random_scalar();
      const u256 u2 = (i & 2) != 0 ? small2 : claims_random_scalar();
      (void)claims_set(&claims[i], &u1, &u2, &key);
      claims[i].digest.v[0] ^= (i & 4) != 0 ? 1 : 0;
      claims[i].has_point = of->takes_points && (i & 8) != 0;
      wanted[i] = claims_verdict(&claims[i]);
    }
    EACH_BODY(lanes) {
      of->judge(lanes, got, claims, 16);
      for (int i = 0; i < 16; i++) {
        EXPECT(got[i] == wanted[i] || got[i] == CLAIM_UNDECIDED, "%s: %llu G, claim %d",
               lanes->name, (unsigned long long)multiple, i);
        undecided += got[i] == CLAIM_UNDECIDED;
        total++;
      }
    }
  }
  EXPECT(undecided < total / 2, "%zu of %zu undecided", undecided, total);
}

static void every_count_is_served(void) {
  p256_claim claims[LANES_P256_CHUNK];
  for (int i = 0; i < LANES_P256_CHUNK; i++) {
    claims_random(&claims[i]);
    claims[i].digest.v[1] ^= i % 7 == 3 ? 8 : 0;
  }
  EACH_BODY(lanes) {
    for (size_t count = 0; count <= LANES_P256_CHUNK; count++) {
      uint8_t got[LANES_P256_CHUNK + 1];
      memset(got, 0xAA, sizeof got);
      of->judge(lanes, got, claims, count);
      for (size_t i = 0; i <= LANES_P256_CHUNK; i++) {
        const uint8_t wanted = i >= count ? 0xAA : i % 7 == 3 ? CLAIM_FALSE : CLAIM_TRUE;
        EXPECT(got[i] == wanted, "%s: %zu of %zu", lanes->name, i, count);
      }
      if (!test_long() && count >= 17) {
        count += 8;
      }
    }
  }
}

void claims_run_cases(const claims_job *job) {
  of = job;
  RUN(claims_hold_or_do_not);
  if (job->takes_points) {
    RUN(points_are_compared_whole);
  }
  RUN(digests_may_be_zero);
  RUN(x_may_be_n_or_more);
  RUN(keys_near_the_base_point);
  RUN(every_count_is_served);
}
