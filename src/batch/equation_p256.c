/* Contract in batch/equation_p256.h. */
#include "batch/equation_p256.h"

#include "base/carve.h"
#include "base/check.h"
#include "base/secret.h"
#include "batch/statement.h"
#include "scalar/sc_p256.h"
#include <string.h>

/* G, as in SP 800-186, section 3.2.1.3. */
static const p256_point BASE = {
    {{UINT64_C(0xf4a13945d898c296), UINT64_C(0x77037d812deb33a0),
      UINT64_C(0xf8bce6e563a440f2), UINT64_C(0x6b17d1f2e12c4247)}},
    {{UINT64_C(0xcbb6406837bf51f5), UINT64_C(0x2bce33576b315ece),
      UINT64_C(0x8ee7eb4a7c0f9e16), UINT64_C(0x4fe342e2fe1a7f9b)}}};

/* ---------------------------------------------------------------- memory */

/* R and key of each claim, and G. */
static size_t most_points(size_t capacity) {
  return 2 * capacity + 1;
}

static size_t lay_out(equation_p256 *eq, void *memory, size_t capacity) {
  const size_t points = most_points(capacity);
  size_t used = 0;
#define ARRAY(name, count) eq->name = carve(memory, &used, (count) * sizeof *eq->name)
  (void)carve(memory, &used, sizeof *eq);
  ARRAY(claims, capacity);
  ARRAY(at, capacity);
  ARRAY(merge.places, sm_merge_p256_places(points));
  ARRAY(r_ref, capacity);
  ARRAY(q_ref, capacity);
  ARRAY(is_long, points + 1);
  ARRAY(scalar, points + 1);
  ARRAY(used_by, points + 1);
  ARRAY(a, capacity);
  ARRAY(short_scalar, capacity);
  ARRAY(r, capacity);
  ARRAY(s, capacity);
  ARRAY(z, capacity);
  ARRAY(v, capacity);
  ARRAY(long_scalar, points);
  ARRAY(short_point, capacity);
  ARRAY(long_point, points);
  ARRAY(words, LANES_P256_COMBINE_WORDS(LANES_P256_COMBINE));
#undef ARRAY
  void *msm = carve(memory, &used, sm_msm_p256_size(points));
  eq->msm = memory == NULL ? NULL : sm_msm_p256_init(msm, points);
  return used;
}

size_t sm_equation_p256_size(size_t capacity) {
  equation_p256 unused;
  return lay_out(&unused, NULL, capacity);
}

equation_p256 *sm_equation_p256_init(void *memory, size_t capacity) {
  equation_p256 *eq = memory;
  memset(eq, 0, sizeof *eq);
  eq->capacity = capacity;
  lay_out(eq, memory, capacity);
  return eq;
}

/* ---------------------------------------------------------------- points */

static void change_places(equation_p256 *eq, size_t i, size_t j) {
  const p256_claim claim = eq->claims[i];
  const size_t at = eq->at[i];
  eq->claims[i] = eq->claims[j];
  eq->at[i] = eq->at[j];
  eq->claims[j] = claim;
  eq->at[j] = at;
}

/* Loads R of every claim, as point i + 1 for the claim now at i; those off the curve
 * change places with the last ones.  r_ref has the numbers meanwhile. */
static void load_nonce_points(equation_p256 *eq) {
  p256_point points[LANES_P256_CHUNK];
  uint8_t on_curve[LANES_P256_CHUNK];
  size_t kept = 0;
  for (size_t first = 0; first < eq->count; first += LANES_P256_CHUNK) {
    const size_t left = eq->count - first;
    const size_t count = left < LANES_P256_CHUNK ? left : LANES_P256_CHUNK;
    for (size_t i = 0; i < count; i++) {
      points[i] = eq->claims[first + i].point;
    }
    const uint32_t number = sm_msm_p256_load_vt(eq->msm, on_curve, points, count);
    for (size_t i = 0; i < count; i++) {
      if (on_curve[i]) {
        if (kept != first + i) {
          change_places(eq, kept, first + i);
        }
        eq->r_ref[kept++] = (number + (uint32_t)i) << 1;
      }
    }
  }
  eq->count = kept;
}

/* The keys that are not yet there, and G, are loaded behind. */
typedef struct {
  p256_point points[LANES_P256_CHUNK];
  size_t count;
  uint32_t next; /* the number of the next one */
} late_points;

static void load_late(equation_p256 *eq, late_points *late) {
  uint8_t on_curve[LANES_P256_CHUNK];
  if (late->count > 0) {
    (void)sm_msm_p256_load_vt(eq->msm, on_curve, late->points, late->count);
    late->count = 0;
  }
}

static p256_ref find_late(equation_p256 *eq, late_points *late, const p256_point *point) {
  const p256_ref ref = sm_merge_p256_find_vt(&eq->merge, point, late->next);
  eq->is_long[ref >> 1] = true;
  if (ref >> 1 == late->next) {
    late->next++;
    late->points[late->count++] = *point;
    if (late->count == LANES_P256_CHUNK) {
      load_late(eq, late);
    }
  }
  return ref;
}

bool sm_equation_p256_prepare_vt(equation_p256 *eq) {
  late_points late = {.count = 0};
  randomizer merge_key;
  if (!sm_randomizer_draw(&eq->seed, eq->source, eq->source_ctx) ||
      !sm_randomizer_draw(&merge_key, eq->source, eq->source_ctx)) {
    return false;
  }
  eq->sums = 0;
  memset(eq->used_by, 0, (most_points(eq->count) + 1) * sizeof *eq->used_by);
  memset(eq->is_long, 0, (most_points(eq->count) + 1) * sizeof *eq->is_long);
  sm_msm_p256_begin(eq->msm);
  late.next = (uint32_t)eq->count + 1;
  load_nonce_points(eq);
  PUBLIC(&merge_key, sizeof merge_key); /* its table is read in variable time */
  sm_merge_p256_begin(&eq->merge, most_points(eq->count), merge_key.seed);
  for (size_t i = 0; i < eq->count; i++) {
    const uint32_t own = eq->r_ref[i] >> 1;
    eq->r_ref[i] = sm_merge_p256_find_vt(&eq->merge, &eq->claims[i].point, own);
    if (eq->r_ref[i] >> 1 != own) {
      eq->is_long[eq->r_ref[i] >> 1] = true;
    }
  }
  eq->g_ref = find_late(eq, &late, &BASE);
  for (size_t i = 0; i < eq->count; i++) {
    eq->q_ref[i] = find_late(eq, &late, &eq->claims[i].key);
  }
  load_late(eq, &late);
  return true;
}

void sm_equation_p256_sample_vt(equation_p256 *eq, size_t first, size_t count) {
  CHECK(first + count <= eq->count);
  eq->sums++; /* these coefficients are for no sum */
  sm_randomizer_coefficients(eq->a, count, &eq->seed, eq->sums, NULL);
  for (size_t i = first; i < first + count; i++) {
    const size_t other = i + eq->a[i - first].v[0] % (eq->count - i);
    const p256_ref r = eq->r_ref[i], q = eq->q_ref[i];
    change_places(eq, i, other);
    eq->r_ref[i] = eq->r_ref[other];
    eq->q_ref[i] = eq->q_ref[other];
    eq->r_ref[other] = r;
    eq->q_ref[other] = q;
  }
}

/* ---------------------------------------------------------------- the sum */

/* a mod n. */
static void scalar_of(u256 *out, const i128 *a) {
  const uint64_t minus = ct_mask_u64(a->v[1] >> 63);
  u256 magnitude = {{a->v[0] ^ minus, a->v[1] ^ minus, 0, 0}}, negated;
  const u256 one = {{minus & 1}};
  u256_add(&magnitude, &magnitude, &one);
  sm_sc_p256_neg(&negated, &magnitude);
  u256_select(out, minus, &negated, &magnitude);
}

/* Adds scalar times the point to the long terms. */
static void add_long(equation_p256 *eq, msm_p256_terms *terms, p256_ref ref,
                     const u256 *scalar) {
  const uint32_t number = ref >> 1;
  u256 signed_scalar = *scalar;
  if ((ref & 1) != 0) {
    sm_sc_p256_neg(&signed_scalar, scalar);
  }
  if (eq->used_by[number] != eq->sums) {
    eq->used_by[number] = (uint32_t)eq->sums;
    eq->scalar[number] = signed_scalar;
    eq->long_point[terms->long_count++] = number;
  } else {
    sm_sc_p256_add(&eq->scalar[number], &eq->scalar[number], &signed_scalar);
  }
}

static void combine(equation_p256 *eq, u256 *u, size_t first, size_t count) {
  const p256_lanes *lanes = sm_backend()->lanes;
  for (size_t i = 0; i < count; i++) {
    eq->r[i] = eq->claims[first + i].r;
    eq->s[i] = eq->claims[first + i].s;
    eq->z[i] = eq->claims[first + i].digest;
  }
  memset(u, 0, sizeof *u);
  for (size_t i = 0; i < count; i += LANES_P256_COMBINE) {
    const size_t part = count - i < LANES_P256_COMBINE ? count - i : LANES_P256_COMBINE;
    u256 sum;
    if (lanes != NULL) {
      lanes->combine_vt(eq->v + i, &sum, eq->a + i, eq->r + i, eq->s + i, eq->z + i, part,
                        eq->words);
    } else {
      sm_sc_p256_combine_vt(eq->v + i, &sum, eq->a + i, eq->r + i, eq->s + i, eq->z + i,
                            part);
    }
    sm_sc_p256_add(u, u, &sum);
  }
}

bool sm_equation_p256_holds_vt(equation_p256 *eq, size_t first, size_t count) {
  uint8_t statement[32];
  u256 u, scalar;
  p256_point sum;
  msm_p256_terms terms = {.short_point = eq->short_point,
                          .short_scalar = eq->short_scalar,
                          .long_point = eq->long_point,
                          .long_scalar = eq->long_scalar,
                          .subtract_long = true};
  CHECK(first + count <= eq->count);
  eq->sums++;
  if (eq->hedged) {
    sm_statement_p256(statement, eq->claims + first, count);
  }
  sm_randomizer_coefficients(eq->a, count, &eq->seed, eq->sums,
                             eq->hedged ? statement : NULL);
  combine(eq, &u, first, count);
  add_long(eq, &terms, eq->g_ref, &u);
  for (size_t i = 0; i < count; i++) {
    const p256_ref r = eq->r_ref[first + i];
    add_long(eq, &terms, eq->q_ref[first + i], &eq->v[i]);
    if (eq->is_long[r >> 1]) {
      scalar_of(&scalar, &eq->a[i]);
      sm_sc_p256_neg(&scalar, &scalar);
      add_long(eq, &terms, r, &scalar);
    } else {
      eq->short_scalar[terms.short_count] = eq->a[i];
      eq->short_point[terms.short_count++] = r >> 1;
    }
  }
  for (size_t i = 0; i < terms.long_count; i++) {
    eq->long_scalar[i] = eq->scalar[eq->long_point[i]];
  }
  return !sm_msm_p256_sum_vt(&sum, eq->msm, &terms);
}
