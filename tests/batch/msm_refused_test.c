/* Multiscalar multiplication where passes are refused without a reason that could be seen
 * in the rows: then all pairs go the slow way.  Expected values from libcrypto. */
#include "batch/msm_p256.h"

#include "../group/model.h"
#include <stdlib.h>
#include <string.h>

enum { COUNT = 150 };

static p256_engine engine;
static p256_lanes lanes;
static backend replaced;
static p256_sums sums;
static unsigned refuse_of_4; /* so many passes of four are refused */
static size_t passes, refused, slow;

static bool add(p256_row *rows, const p256_pair *pairs, size_t count, uint64_t *pass) {
  passes++;
  if (test_random_u64() % 4 < refuse_of_4) {
    refused++;
    return false;
  }
  return sums.add_vt(rows, pairs, count, pass);
}

static void add_any(p256_row *rows, uint8_t *infinite, const p256_pair *pairs,
                    size_t count, uint64_t *pass) {
  slow++;
  sums.add_any_vt(rows, infinite, pairs, count, pass);
}

const backend *__real_sm_backend(void);
const backend *__wrap_sm_backend(void);

const backend *__wrap_sm_backend(void) {
  if (replaced.name == NULL) {
    replaced = *__real_sm_backend();
    if (replaced.lanes != NULL) {
      lanes = *replaced.lanes;
      sums = lanes.sums;
      lanes.sums.add_vt = add;
      lanes.sums.add_any_vt = add_any;
      replaced.lanes = &lanes;
    } else {
      engine = *replaced.engine;
      sums = engine.sums;
      engine.sums.add_vt = add;
      engine.sums.add_any_vt = add_any;
      replaced.engine = &engine;
    }
  }
  return &replaced;
}

static void refused_passes_go_the_slow_way(void) {
  static p256_point points[COUNT];
  static u256 scalars[COUNT];
  uint32_t numbers[COUNT];
  uint8_t on_curve[COUNT];
  void *memory = aligned_alloc(64, sm_msm_p256_size(COUNT));
  if (memory == NULL) {
    abort();
  }
  msm_p256 *msm = sm_msm_p256_init(memory, COUNT);
  for (refuse_of_4 = 0; refuse_of_4 <= 4; refuse_of_4++) {
    u256 sum = {{0}};
    for (uint32_t i = 0; i < COUNT; i++) {
      u256 log;
      model_random_scalar(&log);
      if (i % 10 == 9) {
        log = (u256){{1 + i % 3}}; /* equal ones among them */
      }
      model_random_scalar(&scalars[i]);
      EXPECT(model_mul2(&points[i], &log, NULL, NULL), "libcrypto");
      model_scalar_mul_add(&sum, &log, &scalars[i], &sum);
      numbers[i] = i + 1;
    }
    const msm_p256_terms terms = {
        .long_count = COUNT, .long_point = numbers, .long_scalar = scalars};
    p256_point expected, got;
    passes = refused = slow = 0;
    sm_msm_p256_begin(msm);
    sm_msm_p256_load_vt(msm, on_curve, points, COUNT);
    EXPECT(model_mul2(&expected, &sum, NULL, NULL), "libcrypto");
    EXPECT(sm_msm_p256_sum_vt(&got, msm, &terms), "infinity");
    EXPECT(memcmp(&got, &expected, sizeof got) == 0, "%u of 4 refused", refuse_of_4);
    EXPECT(refuse_of_4 < 4 || (refused == passes && slow > 0), "passes %zu, slow %zu",
           passes, slow);
  }
  free(memory);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  model_begin();
  RUN(refused_passes_go_the_slow_way);
  return test_end();
}
