/* Traces roots and inverses; kernels are calls, and so is the scalar inversion. */
#define VEC_TRACE
#include "lanes/fe_p256_chain_x8.h"
#include "lanes/sc_p256_x8.h"

#include "safegcd_call.h"
#include "trace.h"

const safegcd_modulus sm_safegcd_p256_p, sm_safegcd_p256_n;

static void in(vec l[5], const char *item, int number) {
  char name[32];
  snprintf(name, sizeof name, "%s%d", item, number);
  for (int i = 0; i < 5; i++) {
    l[i] = trace_in(name, i);
  }
}

static void out(const char *item, int number, const vec l[5]) {
  char name[32];
  snprintf(name, sizeof name, "%s%d", item, number);
  for (int i = 0; i < 5; i++) {
    trace_out(name, i, l[i]);
  }
}

static void named(const char *kernel, int groups) {
  char name[64];
  snprintf(name, sizeof name, "%s/%d", kernel, groups);
  trace_kernel(name);
}

static void mod_p(const char *kernel, void (*inverse)(fe_x8 *, int)) {
  fe_x8 tree[16];
  for (int groups = 1; groups <= 8; groups++) {
    named(kernel, groups);
    for (int i = 0; i < groups; i++) {
      in(tree[groups + i].l, "a", i);
    }
    inverse(tree, groups);
    for (int i = 0; i < groups; i++) {
      out("r", i, tree[groups + i].l);
    }
  }
}

static void mod_n(const char *kernel, void (*inverse)(sc_x8 *, int)) {
  sc_x8 tree[16];
  for (int groups = 1; groups <= 8; groups++) {
    named(kernel, groups);
    for (int i = 0; i < groups; i++) {
      in(tree[groups + i].l, "a", i);
    }
    inverse(tree, groups);
    for (int i = 0; i < groups; i++) {
      out("r", i, tree[groups + i].l);
    }
  }
}

int main(void) {
  for (int groups = 1; groups <= FE_X8_SQRT_GROUPS; groups++) {
    fe_x8 a[FE_X8_SQRT_GROUPS], r[FE_X8_SQRT_GROUPS];
    named("fe_p256_x8_sqrt", groups);
    for (int g = 0; g < groups; g++) {
      in(a[g].l, "a", g);
    }
    fe_p256_x8_sqrt(r, a, groups);
    for (int g = 0; g < groups; g++) {
      out("r", g, r[g].l);
    }
  }

  mod_p("fe_p256_x8_inv", fe_p256_x8_inv);
  mod_p("fe_p256_x8_inv_vt", fe_p256_x8_inv_vt);
  mod_n("sc_p256_x8_inv_r2", sc_p256_x8_inv_r2);
  mod_n("sc_p256_x8_inv_vt", sc_p256_x8_inv_vt);
  mod_n("sc_p256_x8_inv_short_vt", sc_p256_x8_inv_short_vt);
  return 0;
}
