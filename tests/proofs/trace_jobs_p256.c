/* Traces whole jobs once, for the sizes of what they hand to kernels: what they load is
 * taken as unknown words, so that it matters little what stands there. */
#define VEC_TRACE
#define LANES_P256_TABLE traced_jobs
#define LANES_P256_NAME  "trace"
#define LANES_P256_COST  100
#include "lanes/lanes_p256.inc"

#include "safegcd_call.h"
#include "trace.h"

const safegcd_modulus sm_safegcd_p256_p = {.neg_inverse = 1};
const safegcd_modulus sm_safegcd_p256_n = {.neg_inverse = 2};
const u256 sm_sc_p256_order, sm_p256_prime;
const uint64_t sm_p256_comb[P256_COMB_WINDOWS][P256_COMB_ENTRIES][8];
const uint64_t sm_p256_wide[P256_WIDE_ENTRIES][8];
static const uint64_t part[P256_PARTS_ENTRIES][8];
const uint64_t (*const sm_p256_parts[P256_PARTS])[8] = {part, part, part, part,
                                                        part, part, part, part};
const uint64_t sm_p256_spread[P256_SPREAD_WINDOWS][P256_SPREAD_ENTRIES][8][8];

void sm_sc_p256_add(u256 *out, const u256 *a, const u256 *b) {
  (void)a;
  *out = *b;
}

/* Integers only choose rows here. */
void sm_sc_p256_reduce(u256 *out, const u256 *a) {
  *out = *a;
}
void sm_sc_p256_inv_vt(u256 *out, const u256 *a) {
  *out = *a;
}
void sm_sc_p256_mul(u256 *out, const u256 *a, const u256 *b) {
  (void)b;
  *out = *a;
}

/* Secret scalars are below n. */
static void scalars(u256 *k, size_t count) {
  for (int i = 0; i < 4; i++) {
    const vec word = trace_in("k", i);
    for (size_t j = 0; j < count; j++) {
      k[j].v[i] = trace_tag(word.id, 255);
    }
  }
}

static void trace_keys(const p256_claim *claims, const p256_point *keys,
                       uint8_t *verdicts, size_t count) {
  static p256_key_table tables[LANES];
  static p256_key_comb comb;
  p256_key_table *out[LANES];
  const p256_key_table *in[LANES];
  for (int i = 0; i < LANES; i++) {
    in[i] = out[i] = &tables[i];
  }
  trace_kernel("verify_known_vt");
  traced_jobs.verify_known_vt(verdicts, claims, in, count);
  trace_kernel("verify_one_vt");
  (void)traced_jobs.verify_one_vt(claims, &comb);
  trace_kernel("key_tables_vt");
  traced_jobs.key_tables_vt(out, keys, count);
  trace_kernel("key_comb_vt");
  traced_jobs.key_comb_vt(&comb, keys);
}

/* So many groups that sums of columns are full. */
static void combine(void) {
  enum { COUNT = 33 * LANES };
  static i128 a[COUNT];
  static u256 items[COUNT], v[COUNT], u;
  static _Alignas(64) uint64_t work[LANES_P256_COMBINE_WORDS(COUNT)];
  traced_jobs.combine_vt(v, &u, a, items, items, items, COUNT, work);
}

/* Groups enough for both chains of a pass to be long, and pairs for the last one to be
 * filled up. */
static void sums(void) {
  enum { COUNT = 5 * LANES - 3 };
  static p256_row rows[COUNT + 1];
  static p256_point points[COUNT];
  static p256_pair pairs[COUNT];
  static _Alignas(64) uint64_t words[SUMS_P256_WORDS(COUNT)];
  static p256_jacobian parts[SUMS_P256_BITS];
  static uint8_t bytes[COUNT];
  p256_ref bits[SUMS_P256_BITS];
  for (int i = 0; i < SUMS_P256_BITS; i++) {
    bits[i] = 2;
  }
  trace_kernel("sums.load_vt");
  traced_jobs.sums.load_vt(rows, bytes, points, COUNT);
  trace_kernel("sums.add_vt");
  memset(rows, 0, sizeof rows);
  (void)traced_jobs.sums.add_vt(rows, pairs, COUNT, words);
  trace_kernel("sums.add_any_vt");
  memset(rows, 0, sizeof rows);
  traced_jobs.sums.add_any_vt(rows, bytes, pairs, COUNT, words);
  trace_kernel("sums.fold_vt");
  memset(rows, 0, sizeof rows);
  (void)traced_jobs.sums.fold_vt(parts, rows, bits);
}

int main(void) {
  enum { COUNT = LANES };
  static p256_claim claims[COUNT];
  static p256_point points[COUNT], others[COUNT];
  static uint8_t bytes[COUNT];
  static u256 k[COUNT], s[COUNT], plain;
  claims[0].has_point = true;
  trace_kernel("verify_vt");
  traced_jobs.verify_vt(bytes, claims, COUNT);
  trace_kernel("find_r_vt");
  traced_jobs.find_r_vt(points, bytes, claims, COUNT);
  trace_keys(claims, points, bytes, COUNT);
  trace_kernel("lift_x_vt");
  traced_jobs.lift_x_vt(points, bytes, s, bytes, COUNT);
  trace_kernel("mul_base");
  scalars(k, COUNT);
  traced_jobs.mul_base(points, k, COUNT);
  trace_kernel("mul");
  scalars(k, COUNT);
  traced_jobs.mul(points, k, others, COUNT);
  trace_kernel("sign_equation");
  scalars(k, COUNT);
  traced_jobs.sign_equation(s, k, k, k, k, COUNT);
  trace_kernel("combine_vt");
  combine();
  sums();
  trace_kernel("mul_base_one");
  traced_jobs.mul_base_one(points, &plain);
  return 0;
}
