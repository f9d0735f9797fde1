/* Protects the steps themselves: inversion would come out right with other steps too (any
 * invertible matrix keeps the invariants), but only those of the definition are known to
 * reach g = 0 in 590.  Sees inside the unit, and compares it with the definition. */
#include "field/safegcd.c"

#include "harness.h"

typedef struct {
  int twice_delta;
  int64_t f, g;
  int64_t f_row[2], g_row[2]; /* f = (f_row . (f, g) at the start) / 2^steps */
} definition;

static void define_step(definition *s) {
  int64_t old_f = s->f, old_g = s->g, old_row[2] = {s->f_row[0], s->f_row[1]};
  int sign = 0;
  if ((s->g & 1) != 0 && s->twice_delta > 0) {
    sign = -1;
    s->f = old_g;
    s->f_row[0] = s->g_row[0];
    s->f_row[1] = s->g_row[1];
    s->twice_delta = -s->twice_delta;
  } else if ((s->g & 1) != 0) {
    sign = 1;
  }
  s->g = (old_g + sign * old_f) / 2; /* even: exact */
  s->twice_delta += 2;
  for (int i = 0; i < 2; i++) {
    s->g_row[i] += sign * old_row[i];
    s->f_row[i] *= 2;
  }
}

static void check(int twice_delta, int64_t f, int64_t g, int steps) {
  definition s = {twice_delta, f, g, {1, 0}, {0, 1}};
  for (int i = 0; i < steps; i++) {
    define_step(&s);
  }
  /* s = -f while delta > 0, f otherwise; z = -(delta + 1/2) */
  int64_t before = twice_delta > 0 ? -1 : 1, after = s.twice_delta > 0 ? -1 : 1;
  matrix m;
  int64_t z =
      pass(&m, -(twice_delta + 1) / 2, (uint64_t)(before * f), (uint64_t)g, steps);
  uint64_t low_s = (uint64_t)(before * f), low_g = (uint64_t)g;
  advance(&low_s, &low_g, &m, steps);
  EXPECT(z == -(s.twice_delta + 1) / 2 && m.u == before * after * s.f_row[0] &&
             m.v == after * s.f_row[1] && m.q == before * s.g_row[0] &&
             m.r == s.g_row[1] && low_s == (uint64_t)(after * s.f) &&
             low_g == (uint64_t)s.g,
         "delta = %d/2, f = %lld, g = %lld, %d steps", twice_delta, (long long)f,
         (long long)g, steps);
}

static void small_values_in_all_steps(void) {
  for (int twice_delta = -9; twice_delta <= 9; twice_delta += 2) {
    for (int64_t f = -31; f <= 31; f += 2) {
      for (int64_t g = -33; g <= 33; g++) {
        for (int steps = 1; steps <= 20; steps++) {
          check(twice_delta, f, g, steps);
        }
      }
    }
  }
}

static void random_values(void) {
  for (int i = 0; i < (test_long() ? 2000000 : 200000); i++) {
    uint64_t random = test_random_u64();
    int bits = 2 + (int)(random >> 40) % 38;
    int64_t f = sign_extend(test_random_u64(), bits) | 1;
    int64_t g = sign_extend(test_random_u64(), bits) & -(1 << random % 20);
    int twice_delta = 2 * (int)((random >> 20) % 51) - 51;
    check(twice_delta, f, g, 1 + (int)((random >> 50) % 20));
  }
}

/* Rows of the matrices and residues at their limits. */
static void extreme_values(void) {
  static const int64_t edges[] = {0,
                                  1,
                                  2,
                                  (1 << 18) - 1,
                                  1 << 18,
                                  (1 << 19) - 1,
                                  1 << 19,
                                  (1 << 19) + 1,
                                  (1 << 20) - 1,
                                  1 << 20};
  enum { EDGES = sizeof edges / sizeof edges[0] };
  for (int i = 0; i < 4 * EDGES * EDGES; i++) {
    int64_t f = edges[i / 4 % EDGES] | 1, g = edges[i / 4 / EDGES];
    for (int twice_delta = -61; twice_delta <= 61; twice_delta += 2) {
      for (int steps = 18; steps <= 20; steps++) {
        check(twice_delta, (i & 1) != 0 ? -f : f, (i & 2) != 0 ? -g : g, steps);
      }
    }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(small_values_in_all_steps);
  RUN(random_values);
  RUN(extreme_values);
  return test_end();
}
