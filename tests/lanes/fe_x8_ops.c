/* One body's table; the build chooses it by VEC_AVX512, VEC_IFMA256 and so on. */
#include "fe_x8_ops.h"

#include "lanes/fe_p256_chain_x8.h"

static fe_x8 get(const fe_x8_slot *a) {
  _Alignas(64) fe_x8_slot aligned = *a;
  fe_x8 out;
  for (int i = 0; i < 5; i++) {
    out.l[i] = v_load(aligned.l[i]);
  }
  return out;
}

static void put(fe_x8_slot *out, const fe_x8 *a) {
  _Alignas(64) fe_x8_slot aligned;
  for (int i = 0; i < 5; i++) {
    v_store(aligned.l[i], a->l[i]);
  }
  *out = aligned;
}

/* out is the first operand too, as the contract allows. */
#define KERNEL(function_, ...)                                                           \
  static void run_##function_(fe_x8_slot *out, const fe_x8_slot in[4], unsigned bits) {  \
    fe_x8 a = get(&in[0]), b = get(&in[1]), c = get(&in[2]), d = get(&in[3]);            \
    const vmask mask = vm_from_bits(bits);                                               \
    (void)a, (void)b, (void)c, (void)d, (void)mask;                                      \
    fe_p256_x8_##function_(__VA_ARGS__);                                                 \
    put(out, &a);                                                                        \
  }

KERNEL(mul, &a, &a, &b)
KERNEL(mul_loose, &a, &a, &b)
KERNEL(sqr, &a, &a)
KERNEL(sqr_loose, &a, &a)
KERNEL(mul_dbl, &a, &a, &b)
KERNEL(mul_triple_loose, &a, &a, &b)
KERNEL(mul_sub, &a, &a, &b, &c, 4)
KERNEL(mul_sub_loose, &a, &a, &b, &c, 4)
KERNEL(mul_signed_sub_loose, &a, mask, &a, &b, 3, &c, 2)
KERNEL(sqr_sub_8_rest, &a, &b, &a, &b)
KERNEL(sqr_sub_sum, &a, &a, &b, &c)
KERNEL(sqr_sub_sum_rest, &a, &b, &a, &b, &c)
KERNEL(mul_sub_8_sqr, &a, &a, &b, &c)
KERNEL(mul_sub_mul, &a, &a, &b, &c, &d)
KERNEL(add, &a, &a, &b)
KERNEL(add_loose, &a, &a, &b)
KERNEL(sub, &a, &a, &b, 3)
KERNEL(sub_loose, &a, &a, &b, 3)
KERNEL(neg_if, &a, mask, &a, 4)
KERNEL(fit, &a, &a)
KERNEL(canonical, &a, &a)
KERNEL(to_mont, &a, &a)
KERNEL(from_mont, &a, &a)
KERNEL(select, &a, mask, &a, &b)

/* The other results of those that have two. */
#define KERNEL_OTHER(function_, ...)                                                     \
  static void run_##function_##_other(fe_x8_slot *out, const fe_x8_slot in[4],           \
                                      unsigned bits) {                                   \
    fe_x8 a = get(&in[0]), b = get(&in[1]), c = get(&in[2]);                             \
    (void)bits, (void)c;                                                                 \
    fe_p256_x8_##function_(__VA_ARGS__);                                                 \
    put(out, &b);                                                                        \
  }

KERNEL_OTHER(sqr_sub_8_rest, &a, &b, &a, &b)
KERNEL_OTHER(sqr_sub_sum_rest, &a, &b, &a, &b, &c)

#define ROW(function_)                                                                   \
  { #function_, run_##function_ }
static const fe_x8_kernel kernels[] = {
    ROW(mul),
    ROW(mul_loose),
    ROW(sqr),
    ROW(sqr_loose),
    ROW(mul_dbl),
    ROW(mul_triple_loose),
    ROW(mul_sub),
    ROW(mul_sub_loose),
    ROW(mul_signed_sub_loose),
    ROW(sqr_sub_8_rest),
    ROW(sqr_sub_8_rest_other),
    ROW(sqr_sub_sum),
    ROW(sqr_sub_sum_rest),
    ROW(sqr_sub_sum_rest_other),
    ROW(mul_sub_8_sqr),
    ROW(mul_sub_mul),
    ROW(add),
    ROW(add_loose),
    ROW(sub),
    ROW(sub_loose),
    ROW(neg_if),
    ROW(fit),
    ROW(canonical),
    ROW(to_mont),
    ROW(from_mont),
    ROW(select),
};

static unsigned is_zero(const fe_x8_slot *a) {
  const fe_x8 x = get(a);
  return vm_bits(fe_p256_x8_is_zero(&x));
}

static unsigned eq(const fe_x8_slot *a, const fe_x8_slot *b) {
  const fe_x8 x = get(a), y = get(b);
  return vm_bits(fe_p256_x8_eq(&x, &y));
}

static void words_load(vec w[4], const fe_x8_words *a) {
  _Alignas(64) fe_x8_words aligned = *a;
  for (int i = 0; i < 4; i++) {
    w[i] = v_load(aligned.w[i]);
  }
}

static void from_words(fe_x8_slot *out, const fe_x8_words *a) {
  vec w[4];
  fe_x8 x;
  words_load(w, a);
  fe_p256_x8_from_words(&x, w);
  put(out, &x);
}

static void from_table(fe_x8_slot *out, const fe_x8_words *a) {
  vec w[4];
  fe_x8 x;
  words_load(w, a);
  fe_p256_x8_from_table(&x, w);
  put(out, &x);
}

static void to_words(fe_x8_words *out, const fe_x8_slot *a) {
  _Alignas(64) fe_x8_words aligned;
  const fe_x8 x = get(a);
  vec w[4];
  fe_p256_x8_to_words(w, &x);
  for (int i = 0; i < 4; i++) {
    v_store(aligned.w[i], w[i]);
  }
  *out = aligned;
}

static void square_root(fe_x8_slot *out, const fe_x8_slot *a, int groups) {
  fe_x8 x[FE_X8_SQRT_GROUPS], root[FE_X8_SQRT_GROUPS];
  for (int g = 0; g < FE_X8_SQRT_GROUPS; g++) {
    x[g] = get(&a[g < groups ? g : 0]);
  }
  fe_p256_x8_sqrt(root, x, groups);
  for (int g = 0; g < groups; g++) {
    put(&out[g], &root[g]);
  }
}

static void invert(fe_x8_slot *a, int groups, void (*inverse)(fe_x8 *, int)) {
  fe_x8 tree[16];
  for (int i = 0; i < groups; i++) {
    tree[groups + i] = get(&a[i]);
  }
  inverse(tree, groups);
  for (int i = 0; i < groups; i++) {
    put(&a[i], &tree[groups + i]);
  }
}

static void inv_vt(fe_x8_slot *a, int groups) {
  invert(a, groups, fe_p256_x8_inv_vt);
}

static void inv(fe_x8_slot *a, int groups) {
  invert(a, groups, fe_p256_x8_inv);
}

#if defined(VEC_AVX512)
#define TABLE fe_x8_ops_avx512
#define NAME  "avx512ifma"
#elif defined(VEC_IFMA256)
#define TABLE fe_x8_ops_ifma256
#define NAME  "ifma256"
#elif defined(VEC_AVXIFMA)
#define TABLE fe_x8_ops_avxifma
#define NAME  "avxifma"
#else
#define TABLE fe_x8_ops_plain
#define NAME  "plain"
#endif

const fe_x8_ops TABLE = {
    .name = NAME,
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof kernels[0],
    .is_zero = is_zero,
    .eq = eq,
    .from_words = from_words,
    .from_table = from_table,
    .to_words = to_words,
    .sqrt = square_root,
    .inv_vt = inv_vt,
    .inv = inv,
};
