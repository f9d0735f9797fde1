/* Traces the point formulas; the kernels under them are calls. */
#define VEC_TRACE
#include "lanes/ge_affine_p256_x8.h"
#include "lanes/ge_p256_x8.h"
#include "lanes/ge_xyzz_p256_x8.h"

#include "trace.h"

static fe_x8 in(const char *name) {
  fe_x8 a;
  for (int i = 0; i < 5; i++) {
    a.l[i] = trace_in(name, i);
  }
  return a;
}

static void out(const char *name, const fe_x8 *a) {
  for (int i = 0; i < 5; i++) {
    trace_out(name, i, a->l[i]);
  }
}

static void number(char *name, const char *item, int i) {
  snprintf(name, 16, "%s%d", item, i);
}

static void sums(void) {
  trace_kernel("ge_p256_x8_dbl");
  ge_x8 a = {in("X"), in("Y"), in("Z")}, r;
  ge_p256_x8_dbl(&r, &a);
  out("X3", &r.x);
  out("Y3", &r.y);
  out("Z3", &r.z);

  trace_kernel("ge_p256_x8_madd");
  a = (ge_x8){in("X"), in("Y"), in("Z")};
  ge_aff_x8 b = {in("x2"), in("y2")};
  vmask minus = trace_in_mask("minus");
  ge_p256_x8_madd(&r, &a, &b, minus);
  out("X3", &r.x);
  out("Y3", &r.y);
  out("Z3", &r.z);

  trace_kernel("ge_p256_x8_to_affine");
  a = (ge_x8){in("X"), in("Y"), in("Z")};
  fe_x8 w = in("w");
  ge_p256_x8_to_affine(&b, &a, &w);
  out("X3", &b.x);
  out("Y3", &b.y);

  trace_kernel("ge_p256_x8_end");
  a = (ge_x8){in("X"), in("Y"), in("Z")};
  w = in("w");
  ge_p256_x8_end(&b, &a, &w);
  out("X3", &b.x);
  out("Y3", &b.y);

  trace_kernel("ge_p256_x8_xyzz_add");
  ge_xyzz_x8 c = {in("X"), in("Y"), in("ZZ"), in("ZZZ")};
  b = (ge_aff_x8){in("x2"), in("y2")};
  minus = trace_in_mask("minus");
  ge_p256_x8_xyzz_add(&c, &b, minus);
  out("X3", &c.x);
  out("Y3", &c.y);
  out("ZZ3", &c.zz);
  out("ZZZ3", &c.zzz);

  trace_kernel("ge_p256_x8_xyzz_begin");
  b = (ge_aff_x8){in("x2"), in("y2")};
  minus = trace_in_mask("minus");
  ge_p256_x8_xyzz_begin(&c, &b, minus);
  out("X3", &c.x);
  out("Y3", &c.y);
  out("ZZ3", &c.zz);
  out("ZZZ3", &c.zzz);

  trace_kernel("ge_p256_x8_xyzz_end");
  c = (ge_xyzz_x8){in("X"), in("Y"), in("ZZ"), in("ZZZ")};
  w = in("w");
  ge_p256_x8_xyzz_end(&b, &c, &w);
  out("X3", &b.x);
  out("Y3", &b.y);
}

static void affine(void) {
  trace_kernel("ge_p256_x8_curve");
  fe_x8 x = in("x"), r;
  ge_p256_x8_curve(&r, &x, 1);
  out("r", &r);

  trace_kernel("ge_p256_x8_line");
  const ge_aff_x8 a = {in("x"), in("y")}, b = {in("x2"), in("y2")};
  ge_aff_x8 line;
  vmask minus = trace_in_mask("minus"), same = trace_in_mask("same"),
        opposite = trace_in_mask("opposite");
  ge_p256_x8_line(&line, &a, &b, minus, same, opposite);
  out("dx", &line.x);
  out("dy", &line.y);

  trace_kernel("ge_p256_x8_third");
  const ge_aff_x8 c = {in("x"), in("y")};
  x = in("x2");
  r = in("slope");
  ge_p256_x8_third(&line, &c, &x, &r);
  out("X3", &line.x);
  out("Y3", &line.y);
}

static void table(int count) {
  ge_aff_x8 entries[32];
  fe_x8 ratio[32], z;
  char name[48];
  snprintf(name, sizeof name, "ge_p256_x8_normalize/%d", count);
  trace_kernel(name);
  z = in("w");
  for (int i = 0; i < count; i++) {
    number(name, "x", i);
    entries[i].x = in(name);
    number(name, "y", i);
    entries[i].y = in(name);
  }
  for (int i = 1; i < count; i++) {
    number(name, "h", i);
    ratio[i] = in(name);
  }
  ge_p256_x8_normalize(entries, ratio, &z, count);
  for (int i = 1; i < count; i++) {
    number(name, "X", i);
    out(name, &entries[i].x);
    number(name, "Y", i);
    out(name, &entries[i].y);
  }

  snprintf(name, sizeof name, "ge_p256_x8_odd_multiples/%d", count);
  trace_kernel(name);
  const ge_aff_x8 a = {in("x"), in("y")};
  ge_p256_x8_odd_multiples(entries, ratio, &z, &a, count);
  out("z", &z);
  for (int i = 0; i < count; i++) {
    number(name, "x", i);
    out(name, &entries[i].x);
    number(name, "y", i);
    out(name, &entries[i].y);
    if (i > 0) {
      number(name, "h", i);
      out(name, &ratio[i]);
    }
  }
}

int main(void) {
  sums();
  affine();
  table(8);
  table(16);
  table(32);
  return 0;
}
