/* Traces the kernels whose operands prototypes do not tell. */
#define VEC_TRACE
#include "lanes/fe_p256_x8.h"
#include "lanes/sc_p256_x8.h"

#include "trace.h"

static void in(vec *limbs, const char *name, int count) {
  for (int i = 0; i < count; i++) {
    limbs[i] = trace_in(name, i);
  }
}

static void out(const vec *limbs, int count) {
  for (int i = 0; i < count; i++) {
    trace_out("r", i, limbs[i]);
  }
}

int main(void) {
  fe_x8 e;
  sc_x8 a, b, r;
  vec c[10];
  trace_kernel("fe_p256_x8_set1");
  fe_p256_x8_set1(&e, fe_x8_r2);
  out(e.l, 5);

  trace_kernel("sc_p256_x8_set1");
  sc_p256_x8_set1(&r, sc_p256_x8_r2);
  out(r.l, 5);

  trace_kernel("sc_p256_x8_add_product");
  in(a.l, "a", 5);
  in(b.l, "b", 5);
  in(c, "c", 10);
  sc_p256_x8_add_product(c, &a, &b);
  out(c, 10);

  trace_kernel("sc_p256_x8_reduce_columns");
  in(c, "c", 10);
  sc_p256_x8_reduce_columns(&r, c);
  out(r.l, 5);

  uint64_t memory[LANES][4];
  const uint64_t *rows[LANES];
  trace_kernel("sc_p256_x8_load");
  in(c, "w", 4);
  for (int lane = 0; lane < LANES; lane++) {
    rows[lane] = memory[lane];
    for (int i = 0; i < 4; i++) {
      memory[lane][i] = trace_tag(c[i].id, lane);
    }
  }
  sc_p256_x8_load(&r, rows);
  out(r.l, 5);
  return 0;
}
