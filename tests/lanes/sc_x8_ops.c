/* One body's table; the build chooses it by VEC_AVX512 and the like. */
#include "sc_x8_ops.h"

#include "lanes/ladder_p256_x8.h"
#include "lanes/sign_p256_x8.inc"

#include <string.h>

static sc_x8 get(const sc_x8_slot *a) {
  _Alignas(64) sc_x8_slot aligned = *a;
  sc_x8 out;
  for (int i = 0; i < 5; i++) {
    out.l[i] = v_load(aligned.l[i]);
  }
  return out;
}

static void put(sc_x8_slot *out, const sc_x8 *a) {
  _Alignas(64) sc_x8_slot aligned;
  for (int i = 0; i < 5; i++) {
    v_store(aligned.l[i], a->l[i]);
  }
  *out = aligned;
}

static void mul(sc_x8_slot *out, const sc_x8_slot *a, const sc_x8_slot *b) {
  sc_x8 x = get(a), y = get(b);
  sc_p256_x8_mul(&x, &x, &y);
  put(out, &x);
}

static void mul_add(sc_x8_slot *out, const sc_x8_slot *a, const sc_x8_slot *b,
                    const sc_x8_slot *d) {
  sc_x8 x = get(a), y = get(b), z = get(d);
  sc_p256_x8_mul_add(&z, &x, &y, &z);
  put(out, &z);
}

static void canonical(sc_x8_slot *out, const sc_x8_slot *a) {
  sc_x8 x = get(a);
  sc_p256_x8_canonical(&x, &x);
  put(out, &x);
}

static unsigned sub_borrow(sc_x8_slot *out, const sc_x8_slot *a, const sc_x8_slot *b) {
  sc_x8 x = get(a), y = get(b);
  unsigned below = vm_bits(sc_p256_x8_sub_borrow(&x, &x, &y));
  put(out, &x);
  return below;
}

static unsigned make_odd(sc_x8_slot *out, const sc_x8_slot *a) {
  sc_x8 x = get(a);
  unsigned even = vm_bits(sc_p256_x8_make_odd(&x, &x));
  put(out, &x);
  return even;
}

static void from_words(sc_x8_slot *out, const u256 a[8]) {
  const uint64_t *rows[8];
  sc_x8 x;
  for (int i = 0; i < 8; i++) {
    rows[i] = a[i].v;
  }
  sc_p256_x8_load(&x, rows);
  put(out, &x);
}

static void to_words(u256 out[8], const sc_x8_slot *a) {
  uint64_t *rows[8];
  sc_x8 x = get(a);
  vec words[4];
  for (int i = 0; i < 8; i++) {
    rows[i] = out[i].v;
  }
  sc_p256_x8_to_words(words, &x);
  v_store_rows4(rows, words);
}

static void invert(sc_x8_slot *a, int groups, void (*inverse)(sc_x8 *, int)) {
  sc_x8 tree[16];
  for (int i = 0; i < groups; i++) {
    tree[groups + i] = get(&a[i]);
  }
  inverse(tree, groups);
  for (int i = 0; i < groups; i++) {
    put(&a[i], &tree[groups + i]);
  }
}

static void inv_vt(sc_x8_slot *a, int groups) {
  invert(a, groups, sc_p256_x8_inv_vt);
}

static void inv_r2(sc_x8_slot *a, int groups) {
  invert(a, groups, sc_p256_x8_inv_r2);
}

static int32_t digit(unsigned index, unsigned negatives, int lane) {
  int32_t magnitude = (int32_t)(2 * index + 1);
  return (negatives >> lane & 1) != 0 ? -magnitude : magnitude;
}

/* w is a constant where this is called. */
LANES_INLINE void recode_width(sc_x8_digits *out, const sc_x8 *k, int w) {
  _Alignas(64) uint64_t lanes[8];
  recode_x8 state;
  vec index;
  vmask negative;
  recode_p256_x8_start(&state, k, w);
  out->count = RECODE_P256_COUNT(w);
  for (int j = out->count - 1; j >= 0; j--) {
    recode_p256_x8_next(&index, &negative, &state, w);
    v_store(lanes, index);
    for (int i = 0; i < 8; i++) {
      out->digit[j][i] = digit((unsigned)lanes[i], vm_bits(negative), i);
    }
  }
}

static void recode(sc_x8_digits *out, const sc_x8_slot *k, int w) {
  sc_x8 x = get(k);
#define WIDTH(constant)                                                                  \
  if (w == (constant)) {                                                                 \
    recode_width(out, &x, constant);                                                     \
  }
  WIDTH(2) WIDTH(3) WIDTH(4) WIDTH(5) WIDTH(6) WIDTH(7) WIDTH(12)
#undef WIDTH
}

static void ladder_vt(sc_x8_digits *u1, sc_x8_digits *u2, const p256_claim *const *claims,
                      int groups) {
  ladder_digits_x8 from[LANES_P256_CHUNK / LANES];
  ladder_digits_x8_vt(from, claims, groups);
  for (int g = 0; g < groups; g++) {
    u1[g].count = LADDER_COUNT_G;
    u2[g].count = LADDER_COUNT_Q;
    for (int i = 0; i < 8; i++) {
      for (int j = 0; j < LADDER_COUNT_G; j++) {
        u1[g].digit[j][i] = digit(from[g].index_g[j][i], from[g].negative_g[j], i);
      }
      for (int j = 0; j < LADDER_COUNT_Q; j++) {
        u2[g].digit[j][i] = digit(from[g].index_q[j][i], from[g].negative_q[j], i);
      }
    }
  }
}

#if defined(VEC_AVX512)
#define TABLE sc_x8_ops_avx512
#define NAME  "avx512ifma"
#elif defined(VEC_AVXIFMA)
#define TABLE sc_x8_ops_avxifma
#define NAME  "avxifma"
#elif defined(VEC_IFMA256)
#define TABLE sc_x8_ops_ifma256
#define NAME  "ifma256"
#else
#define TABLE sc_x8_ops_plain
#define NAME  "plain"
#endif

const sc_x8_ops TABLE = {
    .name = NAME,
    .mul = mul,
    .mul_add = mul_add,
    .canonical = canonical,
    .sub_borrow = sub_borrow,
    .make_odd = make_odd,
    .from_words = from_words,
    .to_words = to_words,
    .inv_vt = inv_vt,
    .inv_r2 = inv_r2,
    .recode = recode,
    .ladder_vt = ladder_vt,
    .sign_equation = sign_equation,
};
