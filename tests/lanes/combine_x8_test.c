/* Protects what a random equation takes of each signature, in every body that runs here.
 */
#include "../scalar/combine_cases.h"
#include "claims_x8.h"

static void combine(const void *ctx, u256 *v, u256 *u, const i128 *a, const u256 *r,
                    const u256 *s, const u256 *z, size_t count) {
  static _Alignas(64) uint64_t work[LANES_P256_COMBINE_WORDS(LANES_P256_COMBINE)];
  const p256_lanes *lanes = ctx;
  lanes->combine_vt(v, u, a, r, s, z, count, work);
}

static void each_body(void (*check)(const combine_job *)) {
  EACH_BODY(lanes) {
    const combine_job job = {lanes->name, combine, lanes};
    check(&job);
  }
}

static void ends_of_every_operand(void) {
  each_body(combine_check_edges);
}

static void largest_operands(void) {
  each_body(combine_check_largest);
}

static void every_count(void) {
  each_body(combine_check_counts);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(ends_of_every_operand);
  RUN(largest_operands);
  RUN(every_count);
  return test_end();
}
