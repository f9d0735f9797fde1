/* Protects what a random equation takes of each signature, one after another. */
#include "combine_cases.h"

static void combine(const void *ctx, u256 *v, u256 *u, const i128 *a, const u256 *r,
                    const u256 *s, const u256 *z, size_t count) {
  (void)ctx;
  sm_sc_p256_combine_vt(v, u, a, r, s, z, count);
}

static const combine_job job = {"scalar", combine, NULL};

static void ends_of_every_operand(void) {
  combine_check_edges(&job);
}

static void largest_operands(void) {
  combine_check_largest(&job);
}

static void every_count(void) {
  combine_check_counts(&job);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(ends_of_every_operand);
  RUN(largest_operands);
  RUN(every_count);
  return test_end();
}
