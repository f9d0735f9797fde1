/* The jobs of every body that runs here on keys without a table, claim by claim in every
 * lane: verification, finding R, and sums in which an addition is exceptional; and points
 * from their x. */
#include "claims_x8.h"

#include <string.h>

static const u256 zero, one = {{1}};

static void judge(const p256_lanes *lanes, uint8_t *verdicts, const p256_claim *claims,
                  size_t count) {
  lanes->verify_vt(verdicts, claims, count);
}

/* R is that of the claim, or else what libcrypto says; zero where the claim is not true.
 */
static void judge_by_r(const p256_lanes *lanes, uint8_t *verdicts,
                       const p256_claim *claims, size_t count) {
  p256_point r[LANES_P256_CHUNK + 1], guard;
  memset(r, 0xAA, sizeof r);
  guard = r[count];
  lanes->find_r_vt(r, verdicts, claims, count);
  for (size_t i = 0; i < count; i++) {
    if (verdicts[i] != CLAIM_TRUE) {
      EXPECT(test_all_zero(&r[i], sizeof r[i]), "%s: R of what is not true", lanes->name);
    } else if (memcmp(&r[i], &claims[i].point, sizeof r[i]) != 0) {
      const u256 w = claims_inverse(&claims[i].s);
      const u256 u1 = claims_times(&claims[i].digest, &w);
      const u256 u2 = claims_times(&claims[i].r, &w);
      p256_point sum;
      EXPECT(model_mul2(&sum, &u1, &u2, &claims[i].key) &&
                 memcmp(&r[i], &sum, sizeof sum) == 0,
             "%s: R", lanes->name);
    }
  }
  EXPECT(memcmp(&r[count], &guard, sizeof guard) == 0, "%s: R past the end", lanes->name);
}

static const claims_job verify = {judge, true}, find = {judge_by_r, false};

static void expect_undecided(const p256_claim *claim, const char *what) {
  claims_expect_in_each_lane(&verify, claim, CLAIM_UNDECIDED, what);
  claims_expect_in_each_lane(&find, claim, CLAIM_UNDECIDED, what);
}

/* u1 is odd, so that the last addition is that of its digit d = (u1 mod 2^13) - 2^12, to
 * (u1 - d)G + u2 Q: equal to d G where u2 Q = (2d - u1)G, opposite where R is infinity.
 */
static void exceptional_sums_are_left_undecided(void) {
  for (int round = 0; round < 4; round++) {
    const u256 secret = claims_random_scalar(), inverted = claims_inverse(&secret);
    p256_claim claim;
    p256_point key;
    u256 u1 = claims_random_scalar(), twice_d = zero, u2;
    (void)model_mul2(&key, &secret, NULL, NULL);
    u1.v[0] |= 1;
    const int64_t d = (int64_t)(u1.v[0] & 8191) - 4096;
    twice_d.v[0] = (uint64_t)(d < 0 ? -2 * d : 2 * d);
    twice_d = d < 0 ? claims_minus(&twice_d) : twice_d;
    const u256 minus_u1 = claims_minus(&u1);
    model_scalar_mul_add(&u2, &twice_d, &one, &minus_u1);
    u2 = claims_times(&u2, &inverted);
    EXPECT(claims_set(&claim, &u1, &u2, &key), "finite");
    EXPECT(claims_verdict(&claim) == CLAIM_TRUE, "the model");
    expect_undecided(&claim, "a doubling at the end");

    u2 = claims_times(&minus_u1, &inverted);
    EXPECT(!claims_set(&claim, &u1, &u2, &key), "infinite");
    expect_undecided(&claim, "infinity at the end");
    claim.has_point = true;
    claim.point = key;
    claim.r = claims_times(&key.x, &one);
    const u256 u2_inverse = claims_inverse(&u2);
    claim.s = claims_times(&claim.r, &u2_inverse);
    claim.digest = claims_times(&u1, &claim.s);
    claims_expect_in_each_lane(&verify, &claim, CLAIM_UNDECIDED, "infinity with a point");
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
  if (claims_body(1) == NULL) {
    printf("note: this machine runs the plain body alone\n");
  }
  claims_run_cases(&verify);
  claims_run_cases(&find);
  RUN(exceptional_sums_are_left_undecided);
  RUN(x_coordinates_are_lifted);
  return test_end();
}
