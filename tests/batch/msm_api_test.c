/* sigmill_p256_msm under each backend.  Points are multiples of G by scalars that are
 * kept, so that the sum is one multiple of G, which libcrypto computes. */
#include "../group/model.h"
#include "scheme/agreement.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, GUARD = 0xA5 };

static const u256 zero = {{0}}, one = {{1}};
static sigmill_verifier *small; /* has room for 65 points */
static sigmill_p256_pubkey keys[MOST];
static const sigmill_p256_pubkey *points[MOST];
static u256 logs[MOST];
static uint8_t scalars[MOST][32];

static void set_point(size_t i, const u256 *log) {
  p256_point point;
  uint8_t bytes[65] = {4};
  logs[i] = *log;
  EXPECT(model_mul2(&point, log, NULL, NULL), "libcrypto");
  u256_to_be(bytes + 1, &point.x);
  u256_to_be(bytes + 33, &point.y);
  EXPECT(sigmill_p256_pubkey_parse(&keys[i], bytes, sizeof bytes) == SIGMILL_OK,
         "point %zu", i);
  points[i] = &keys[i];
}

static void random_terms(size_t count) {
  for (size_t i = 0; i < count; i++) {
    u256 log;
    model_random_scalar(&log);
    set_point(i, &log);
    test_random_bytes(scalars[i], sizeof scalars[i]);
  }
}

static void expect_sum(sigmill_verifier *v, size_t n, const char *what) {
  u256 log = zero;
  uint8_t expected[65] = {0}, got[65];
  p256_point sum;
  for (size_t i = 0; i < n; i++) {
    u256 k;
    u256_from_be(&k, scalars[i]);
    model_scalar_mul_add(&log, &k, &logs[i], &log);
  }
  if (!u256_zero_mask(&log) && model_mul2(&sum, &log, NULL, NULL)) {
    expected[0] = 4;
    u256_to_be(expected + 1, &sum.x);
    u256_to_be(expected + 33, &sum.y);
  }
  memset(got, GUARD, sizeof got);
  EXPECT(sigmill_p256_msm(v, got, (const uint8_t(*)[32])scalars, points, n) == SIGMILL_OK,
         "%s: %zu", what, n);
  EXPECT(memcmp(got, expected, sizeof got) == 0, "%s: %zu", what, n);
}

static void any_number_of_terms(void) {
  static const size_t counts[] = {0,  1,  2,  3,   7,   8,   9,   33,  63,  64,
                                  65, 66, 67, 129, 130, 131, 195, 196, MOST};
  random_terms(MOST);
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    expect_sum(small, counts[i], "small");
    expect_sum(verifier_of_plan(SIGMILL_PLAN_AUTO), counts[i], "default");
  }
}

static void scalars_count_mod_n(void) {
  u256 k[6] = {zero, one, model_n, model_n, model_n};
  enum { COUNT = sizeof k / sizeof k[0] };
  u256_add(&k[3], &k[3], &one);
  u256_sub(&k[4], &k[4], &one);
  memset(&k[5], 0xFF, sizeof k[5]);
  random_terms(COUNT);
  for (size_t i = 0; i < COUNT; i++) {
    u256_to_be(scalars[0], &k[i]);
    expect_sum(small, 1, "one scalar");
  }
  for (size_t i = 0; i < COUNT; i++) {
    u256_to_be(scalars[i], &k[i]);
  }
  expect_sum(small, COUNT, "edges");
}

/* One key many times, and sums of parts that are equal, opposite or infinity: 65 terms
 * go into each. */
static void equal_points_and_parts(void) {
  enum { ROOM = 65, COUNT = 3 * ROOM };
  u256 log;
  model_random_scalar(&log);
  for (int kind = 0; kind < 4; kind++) {
    set_point(0, &log);
    for (size_t i = 0; i < COUNT; i++) {
      u256 k = {{1 + i % ROOM}};
      points[i] = points[0];
      logs[i] = logs[0];
      if ((kind == 1 && i / ROOM == 1) || (kind == 2 && i % 2 == 1)) {
        u256_sub(&k, &model_n, &k); /* the second part is opposite to the first */
      } else if (kind == 3 && i / ROOM != 1) {
        k = zero;
      }
      u256_to_be(scalars[i], &k);
    }
    expect_sum(small, COUNT, "one key");
    expect_sum(small, 2 * ROOM, "one key");
  }
}

static void wrong_arguments_are_told(void) {
  enum { COUNT = 70 };
  const uint8_t(*const k)[32] = (const uint8_t(*)[32])scalars;
  sigmill_p256_pubkey unset;
  uint8_t out[65];
  memset(&unset, 0, sizeof unset);
  random_terms(COUNT);
#define EXPECT_STATUS(call, status)                                                      \
  do {                                                                                   \
    memset(out, GUARD, sizeof out);                                                      \
    EXPECT((call) == (status) && test_all_zero(out, sizeof out), #call);                 \
  } while (0)
  EXPECT(sigmill_p256_msm(small, NULL, k, points, COUNT) == SIGMILL_ERR_ARGUMENT, "out");
  EXPECT_STATUS(sigmill_p256_msm(NULL, out, k, points, COUNT), SIGMILL_ERR_ARGUMENT);
  EXPECT_STATUS(sigmill_p256_msm(small, out, NULL, points, COUNT), SIGMILL_ERR_ARGUMENT);
  EXPECT_STATUS(sigmill_p256_msm(small, out, k, NULL, COUNT), SIGMILL_ERR_ARGUMENT);
  EXPECT_STATUS(sigmill_p256_msm(small, out, NULL, NULL, 0), SIGMILL_OK);
  for (size_t at = 0; at < COUNT; at += 23) {
    points[at] = NULL;
    EXPECT_STATUS(sigmill_p256_msm(small, out, k, points, COUNT), SIGMILL_ERR_ARGUMENT);
    points[at] = &unset;
    EXPECT_STATUS(sigmill_p256_msm(small, out, k, points, COUNT), SIGMILL_ERR_KEY_UNSET);
    points[at] = &keys[at];
    expect_sum(small, COUNT, "after an error");
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  model_begin();
  const sigmill_verifier_options options = {.struct_size = sizeof options,
                                            .max_batch = 32};
  if (sigmill_verifier_create(&small, &options) != SIGMILL_OK) {
    return 1;
  }
  RUN(any_number_of_terms);
  RUN(scalars_count_mod_n);
  RUN(equal_points_and_parts);
  RUN(wrong_arguments_are_told);
  sigmill_verifier_destroy(small);
  return test_end();
}
