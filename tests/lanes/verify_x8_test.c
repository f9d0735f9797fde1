/* The verification job of every body that runs here, claim by claim in every lane, with
 * verdicts of libcrypto's points: claims that hold, spoilt ones, x(R) from n up, digests
 * that are 0 mod n, and sums in which an addition is exceptional. */
#include "../group/model.h"
#include "base/cpu.h"
#include "lanes/lanes_p256.h"
#include "scalar/sc_p256.h"

#include <string.h>

static const u256 zero, one = {{1}};

static const p256_lanes *body(int i) {
  const p256_lanes *bodies[4] = {&sm_p256_lanes_plain};
#ifdef P256_LANES_X86
  if (sm_cpu_features()->avx512 && sm_cpu_features()->ifma) {
    bodies[1] = &sm_p256_lanes_avx512;
    bodies[2] = &sm_p256_lanes_ifma256;
  }
#endif
  return bodies[i];
}

#define EACH_BODY(lanes_)                                                                \
  for (int body_ = 0; body_ < 3; body_++)                                                \
    for (const p256_lanes *lanes_ = body(body_); lanes_ != NULL; lanes_ = NULL)

static u256 times(const u256 *a, const u256 *b) {
  u256 out;
  model_scalar_mul_add(&out, a, b, &zero);
  return out;
}

static u256 inverse(const u256 *a) {
  u256 out;
  model_scalar_inv(&out, a);
  return out;
}

/* -a mod n. */
static u256 minus(const u256 *a) {
  u256 minus_one;
  (void)u256_sub(&minus_one, &model_n, &one);
  return times(a, &minus_one);
}

static u256 random_scalar(void) {
  u256 out;
  model_random_scalar(&out);
  return out;
}

/* With these u1, u2 and key: r and point are those of R, and so the claim holds; false
 * where R is infinity, and r is any. */
static bool set_claim(p256_claim *out, const u256 *u1, const u256 *u2,
                      const p256_point *key) {
  const u256 inverted = inverse(u2);
  const bool finite = model_mul2(&out->point, u1, u2, key);
  out->key = *key;
  out->r = finite ? times(&out->point.x, &one) : random_scalar();
  out->s = times(&out->r, &inverted);
  out->digest = times(u1, &out->s);
  out->has_point = false;
  return finite;
}

static uint8_t verdict(const p256_claim *claim) {
  const u256 inverted = inverse(&claim->s);
  const u256 u1 = times(&claim->digest, &inverted), u2 = times(&claim->r, &inverted);
  p256_point sum;
  if (!model_mul2(&sum, &u1, &u2, &claim->key)) {
    return CLAIM_FALSE;
  }
  const u256 r = times(&sum.x, &one);
  return u256_equal(&r, &claim->r) &&
                 (!claim->has_point || (u256_equal(&sum.x, &claim->point.x) &&
                                        u256_equal(&sum.y, &claim->point.y)))
             ? CLAIM_TRUE
             : CLAIM_FALSE;
}

static void random_claim(p256_claim *out) {
  const u256 secret = random_scalar(), u1 = random_scalar(), u2 = random_scalar();
  p256_point key;
  (void)model_mul2(&key, &secret, NULL, NULL);
  (void)set_claim(out, &u1, &u2, &key);
}

/* The claim in each lane of each body, between neighbours that hold and that do not. */
static void expect_in_each_lane(const p256_claim *claim, uint8_t wanted,
                                const char *what) {
  p256_claim claims[16];
  for (int i = 0; i < 16; i++) {
    random_claim(&claims[i]);
    claims[i].has_point = i % 3 == 0;
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
      lanes->verify_vt(got, batch, count);
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

static void expect_as_libcrypto(const p256_claim *claim, const char *what) {
  expect_in_each_lane(claim, verdict(claim), what);
}

static void claims_hold_or_do_not(void) {
  p256_claim claim, spoilt;
  random_claim(&claim);
  EXPECT(verdict(&claim) == CLAIM_TRUE, "the model");
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
  spoilt.s = minus(&claim.s);
  expect_as_libcrypto(&spoilt, "n - s");
  model_negate(&spoilt.key, &claim.key);
  expect_as_libcrypto(&spoilt, "n - s and the key negated");
}

static void points_are_compared_whole(void) {
  p256_claim claim, spoilt;
  random_claim(&claim);
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
  random_claim(&claim);
  const u256 u2 = random_scalar();
  (void)set_claim(&claim, &zero, &u2, &claim.key);
  expect_in_each_lane(&claim, CLAIM_TRUE, "digest 0");
  claim.digest = model_n;
  expect_in_each_lane(&claim, CLAIM_TRUE, "digest n");
  claim.digest.v[0]++;
  expect_in_each_lane(&claim, CLAIM_FALSE, "digest n + 1");
  claim.digest = (u256){{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
  expect_as_libcrypto(&claim, "digest 2^256 - 1");
}

/* The key for which R has x: first + the least offset for which there is a point. */
static void claim_of_x(p256_claim *out, const u256 *first, bool y_odd) {
  u256 x = *first;
  p256_point sum;
  while (!model_lift_x(&sum, &x, y_odd)) {
    (void)u256_add(&x, &x, &one);
  }
  const u256 u1 = random_scalar(), u2 = random_scalar(), inverted = inverse(&u2);
  const u256 factor = times(&u1, &inverted), negated = minus(&factor);
  EXPECT(model_mul2(&out->key, &negated, &inverted, &sum), "the model");
  const p256_point key = out->key;
  EXPECT(set_claim(out, &u1, &u2, &key) && u256_equal(&out->point.x, &x), "x(R)");
}

static void x_may_be_n_or_more(void) {
  p256_claim claim, other;
  for (int y_odd = 0; y_odd < 2; y_odd++) {
    claim_of_x(&claim, &model_n, y_odd != 0);
    EXPECT(u256_below(&claim.r, &claim.point.x), "r = x - n");
    expect_in_each_lane(&claim, CLAIM_TRUE, "x(R) = r + n");
    claim.has_point = true;
    expect_in_each_lane(&claim, CLAIM_TRUE, "x(R) = r + n, with R");
    other = claim;
    other.point.x = claim.r;
    expect_in_each_lane(&other, CLAIM_FALSE, "x(R) = r + n, with a point of x = r");

    claim_of_x(&claim, &one, y_odd != 0);
    expect_in_each_lane(&claim, CLAIM_TRUE, "x(R) = r, small");
    other = claim;
    other.digest.v[0] ^= 2;
    expect_in_each_lane(&other, CLAIM_FALSE, "small r, neither r nor r + n");
  }
  /* From p - n up, r alone is meant: r + n - p, a smaller integer, is another x. */
  u256 gap;
  (void)u256_sub(&gap, &model_p, &model_n);
  claim_of_x(&claim, &one, false);
  (void)u256_add(&claim.r, &claim.point.x, &gap); /* x = r + n - p */
  const u256 u1 = random_scalar(), u2 = random_scalar(), inverted = inverse(&u2);
  const u256 factor = times(&u1, &inverted), negated = minus(&factor);
  const p256_point sum = claim.point;
  EXPECT(model_mul2(&claim.key, &negated, &inverted, &sum), "the model");
  claim.s = times(&claim.r, &inverted);
  claim.digest = times(&u1, &claim.s);
  expect_in_each_lane(&claim, CLAIM_FALSE, "x(R) = r + n - p");
}

/* u1 is odd, so that the last addition is that of its digit d = (u1 mod 2^13) - 2^12, to
 * (u1 - d)G + u2 Q: equal to d G where u2 Q = (2d - u1)G, opposite where R is infinity.
 */
static void exceptional_sums_are_left_undecided(void) {
  for (int round = 0; round < 4; round++) {
    const u256 secret = random_scalar(), inverted = inverse(&secret);
    p256_claim claim;
    p256_point key;
    u256 u1 = random_scalar(), twice_d = zero, u2;
    (void)model_mul2(&key, &secret, NULL, NULL);
    u1.v[0] |= 1;
    const int64_t d = (int64_t)(u1.v[0] & 8191) - 4096;
    twice_d.v[0] = (uint64_t)(d < 0 ? -2 * d : 2 * d);
    twice_d = d < 0 ? minus(&twice_d) : twice_d;
    const u256 minus_u1 = minus(&u1);
    model_scalar_mul_add(&u2, &twice_d, &one, &minus_u1);
    u2 = times(&u2, &inverted);
    EXPECT(set_claim(&claim, &u1, &u2, &key), "finite");
    EXPECT(verdict(&claim) == CLAIM_TRUE, "the model");
    expect_in_each_lane(&claim, CLAIM_UNDECIDED, "a doubling at the end");

    u2 = times(&minus_u1, &inverted);
    EXPECT(!set_claim(&claim, &u1, &u2, &key), "infinite");
    expect_in_each_lane(&claim, CLAIM_UNDECIDED, "infinity at the end");
    claim.has_point = true;
    claim.point = key;
    claim.r = times(&key.x, &one);
    const u256 u2_inverse = inverse(&u2);
    claim.s = times(&claim.r, &u2_inverse);
    claim.digest = times(&u1, &claim.s);
    expect_in_each_lane(&claim, CLAIM_UNDECIDED, "infinity with a point");
  }
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
    secret = (multiple & 1) != 0 ? secret : minus(&secret);
    (void)model_mul2(&key, &secret, NULL, NULL);
    for (int i = 0; i < 16; i++) {
      const u256 small1 = {{test_random_u64() % 40}},
                 small2 = {{1 + test_random_u64() % 40}};
      const u256 u1 = (i & 1) != 0 ? small1 : random_scalar();
      const u256 u2 = (i & 2) != 0 ? small2 : random_scalar();
      (void)set_claim(&claims[i], &u1, &u2, &key);
      claims[i].digest.v[0] ^= (i & 4) != 0 ? 1 : 0;
      claims[i].has_point = (i & 8) != 0;
      wanted[i] = verdict(&claims[i]);
    }
    EACH_BODY(lanes) {
      lanes->verify_vt(got, claims, 16);
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
    random_claim(&claims[i]);
    claims[i].digest.v[1] ^= i % 7 == 3 ? 8 : 0;
  }
  EACH_BODY(lanes) {
    for (size_t count = 0; count <= LANES_P256_CHUNK; count++) {
      uint8_t got[LANES_P256_CHUNK + 1];
      memset(got, 0xAA, sizeof got);
      lanes->verify_vt(got, claims, count);
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

static void x_coordinates_are_lifted(void) {
  u256 x[LANES_P256_CHUNK];
  uint8_t odd[LANES_P256_CHUNK], found[LANES_P256_CHUNK + 1];
  p256_point out[LANES_P256_CHUNK], wanted;
  EACH_BODY(lanes) {
    for (size_t count = 0; count <= LANES_P256_CHUNK; count++) {
      for (size_t i = 0; i < count; i++) {
        const u256 small = {{test_random_u64() % 8}};
        x[i] = u256_random();
        switch (test_random_u64() % 8) {
        case 0:
          x[i] = small;
          break;
        case 1:
          (void)u256_add(&x[i], &model_p, &small);
          break;
        case 2:
          (void)u256_sub(&x[i], &model_p, &small);
          break;
        case 3:
          (void)u256_sub(&x[i], &zero, &small);
          break;
        default:
          break;
        }
        odd[i] = (uint8_t)(test_random_u64() & 1);
      }
      memset(found, 0xAA, sizeof found);
      lanes->lift_x_vt(out, found, x, odd, count);
      for (size_t i = 0; i < count; i++) {
        const bool exists =
            u256_below(&x[i], &model_p) && model_lift_x(&wanted, &x[i], odd[i] != 0);
        EXPECT(found[i] == (exists ? 1 : 0), "%s: found", lanes->name);
        EXPECT(exists ? memcmp(&out[i], &wanted, sizeof wanted) == 0
                      : test_all_zero(&out[i], sizeof out[i]),
               "%s: point %zu of %zu", lanes->name, i, count);
      }
      EXPECT(found[count] == 0xAA, "%s: wrote past the end", lanes->name);
    }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  model_begin();
  if (body(1) == NULL) {
    printf("note: this machine runs the plain body alone\n");
  }
  RUN(claims_hold_or_do_not);
  RUN(points_are_compared_whole);
  RUN(digests_may_be_zero);
  RUN(x_may_be_n_or_more);
  RUN(exceptional_sums_are_left_undecided);
  RUN(keys_near_the_base_point);
  RUN(every_count_is_served);
  RUN(x_coordinates_are_lifted);
  return test_end();
}
