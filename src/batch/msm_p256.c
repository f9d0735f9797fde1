/* Contract and method in batch/msm_p256.h.
 *
 * A scalar is cut into windows.  With w the width and b the lowest bit of each, and K the
 * sum of 2^(b+w-1) over all windows but the top one of 256 bits, the digit of k in a
 * window is the window's part of k + K, less 2^(w-1): between -2^(w-1) and 2^(w-1), each
 * by itself, without carries.  No window crosses a word of 64 bits.  A short scalar ends
 * at bit 128: there k + K is below 2^128 + 2^127, and the last digit takes the bit above.
 * A long one is at most n/2 (else its negative is taken), so that its top digit, of which
 * nothing is taken off, is at most 2^(w-1).
 *
 * Loaded points pair with each other and give sums, which stand in rows of their own;
 * sums pair with each other, and the result takes the place of one of them. */
#include "batch/msm_p256.h"

#include "base/carve.h"
#include "base/check.h"
#include "scalar/sc_p256.h"
#include <string.h>

enum {
  HALF_BITS = 128,
  HALF_WINDOWS_MIN = 10,
  HALF_WINDOWS_MAX = 64,
  WIDTH_MAX = 13, /* 64 bits in half of HALF_WINDOWS_MIN */
  WINDOWS_MAX = 2 * HALF_WINDOWS_MAX,
  NO_WINDOW = 255 /* of the sums of bits; above all windows */
};

typedef struct {
  uint8_t bit, width;
  uint8_t level;  /* so many low bits of the indices have gone to the sums of bits */
  uint32_t top;   /* the highest index of that level; 0: all have gone */
  uint32_t first; /* the bucket of index 0, which stays empty */
} msm_window;

struct msm_p256 {
  size_t max_points, loaded;

  p256_row *rows;      /* 0, the points from 1 on, sums */
  p256_ref *free_rows; /* those from free_begin on are free */
  size_t free_begin;

  /* Of one sum: k + K of each term, short ones first, and its point, negative where k
   * was. */
  u256 *shifted;
  p256_ref *term;
  u256 offset;             /* K */
  int window_count, lower; /* lower: those below bit 128 */
  msm_window windows[WINDOWS_MAX];
  uint32_t buckets;

  p256_ref *waiting; /* the sum that waits in each bucket, the first ones being those of
                        bits; 0: none */
  p256_ref point[1 + (1 << (WIDTH_MAX - 1))]; /* the point, in one window's buckets */

  /* The pass to come: point(to) = point(a) + point(b), to with the sign of a. */
  size_t count;
  p256_ref a[SUMS_P256_PASS], b[SUMS_P256_PASS], to[SUMS_P256_PASS];
  uint32_t tag[SUMS_P256_PASS]; /* where the sum goes: bucket << 8 | window */
  size_t freed_b;               /* the b of so many, the first ones, become free by it, */
  size_t spare_count;           /* and these */
  p256_ref spare[2 * SUMS_P256_PASS];

  p256_pair pairs[SUMS_P256_PASS]; /* a, b and to, as p256_sums has them */
  uint8_t infinite[SUMS_P256_PASS];
  _Alignas(64) uint64_t words[SUMS_P256_WORDS(SUMS_P256_PASS)];
};

/* ---------------------------------------------------------------- windows */

/* 64 bits in `windows` parts: so many have a width, the others one more. */
static int narrow(int windows, int *width) {
  *width = 64 / windows;
  return windows - 64 % windows;
}

static size_t buckets_of(int width) {
  return ((size_t)1 << (width - 1)) + 1;
}

static size_t buckets_of_word(int windows) {
  int width;
  const size_t count = (size_t)narrow(windows, &width);
  return count * buckets_of(width) + ((size_t)windows - count) * buckets_of(width + 1);
}

/* The windows of 128 bits are those of two words, one more in the upper word if they are
 * odd. */
static size_t buckets_of_half(int windows) {
  return buckets_of_word(windows / 2) + buckets_of_word(windows - windows / 2);
}

/* How many windows of 128 bits are cheapest for so many terms.  In each, a term costs an
 * addition, and so does a bucket: two bring it to the sums of bits, and one was saved
 * when its first term came.  The cost is convex in the number of windows; more terms
 * never ask for more windows. */
static int best_windows(size_t terms) {
  size_t least = SIZE_MAX;
  for (int windows = HALF_WINDOWS_MIN; windows <= HALF_WINDOWS_MAX; windows++) {
    const size_t cost = (size_t)windows * terms + buckets_of_half(windows);
    if (cost > least) {
      return windows - 1;
    }
    least = cost;
  }
  return HALF_WINDOWS_MAX;
}

/* Cuts the word that begins at a bit. */
static void cut_word(msm_p256 *msm, int bit, int windows) {
  int width;
  const int wide_from = narrow(windows, &width);
  for (int i = 0; i < windows; i++) {
    msm_window *w = &msm->windows[msm->window_count++];
    w->bit = (uint8_t)bit;
    w->width = (uint8_t)(width + (i >= wide_from));
    w->level = 0;
    w->first = msm->buckets;
    w->top = (uint32_t)buckets_of(w->width) - 1;
    msm->buckets += w->top + 1;
    bit += w->width;
    if (bit < 2 * HALF_BITS) {
      msm->offset.v[(bit - 1) / 64] |= UINT64_C(1) << (bit - 1) % 64;
    }
  }
}

static void cut_half(msm_p256 *msm, int bit, int windows) {
  cut_word(msm, bit, windows / 2);
  cut_word(msm, bit + 64, windows - windows / 2);
}

static void choose_windows(msm_p256 *msm, size_t short_count, size_t long_count) {
  memset(&msm->offset, 0, sizeof msm->offset);
  msm->window_count = 0;
  msm->buckets = SUMS_P256_BITS;
  cut_half(msm, 0, best_windows(short_count + long_count));
  msm->lower = msm->window_count;
  if (long_count > 0) {
    cut_half(msm, HALF_BITS, best_windows(long_count));
  }
}

/* ---------------------------------------------------------------- memory */

static size_t most_buckets(size_t max_points) {
  return SUMS_P256_BITS + 2 * buckets_of_half(best_windows(max_points));
}

/* Rows for sums: one waits in each bucket, and a pair has three at most. */
static size_t most_sums(size_t max_points) {
  return most_buckets(max_points) + 3 * SUMS_P256_PASS;
}

/* The arrays behind msm; only counts where msm is NULL. */
static size_t lay_out(msm_p256 *msm, size_t max_points) {
  size_t used = 0;
  (void)carve(msm, &used, sizeof *msm);
  void *const rows =
      carve(msm, &used, (1 + max_points + most_sums(max_points)) * sizeof *msm->rows);
  void *const free_rows =
      carve(msm, &used, most_sums(max_points) * sizeof *msm->free_rows);
  void *const waiting =
      carve(msm, &used, most_buckets(max_points) * sizeof *msm->waiting);
  void *const shifted = carve(msm, &used, max_points * sizeof *msm->shifted);
  void *const term = carve(msm, &used, max_points * sizeof *msm->term);
  if (msm != NULL) {
    msm->rows = rows;
    msm->free_rows = free_rows;
    msm->waiting = waiting;
    msm->shifted = shifted;
    msm->term = term;
  }
  return used;
}

size_t sm_msm_p256_size(size_t max_points) {
  return lay_out(NULL, max_points);
}

msm_p256 *sm_msm_p256_init(void *memory, size_t max_points) {
  msm_p256 *msm = memory;
  lay_out(msm, max_points);
  msm->max_points = max_points;
  msm->free_begin = 0;
  for (size_t i = 0; i < most_sums(max_points); i++) {
    msm->free_rows[i] = (p256_ref)(1 + max_points + i) << 1;
  }
  memset(msm->point, 0, sizeof msm->point);
  sm_msm_p256_begin(msm);
  return msm;
}

size_t sm_msm_p256_room(const msm_p256 *msm) {
  return msm->max_points;
}

static inline p256_ref take_row(msm_p256 *msm) {
  return msm->free_rows[msm->free_begin++];
}

static void free_rows(msm_p256 *msm, const p256_ref *refs, size_t count) {
  msm->free_begin -= count;
  p256_ref *const to = msm->free_rows + msm->free_begin;
  for (size_t i = 0; i < count; i++) {
    to[i] = refs[i] & ~(p256_ref)1;
  }
}

/* ---------------------------------------------------------------- points */

static const p256_sums *sums(void) {
  const backend *b = sm_backend();
  return b->lanes != NULL ? &b->lanes->sums : &b->engine->sums;
}

void sm_msm_p256_begin(msm_p256 *msm) {
  msm->loaded = 0;
}

uint32_t sm_msm_p256_load_vt(msm_p256 *msm, uint8_t *on_curve, const p256_point *points,
                             size_t count) {
  const uint32_t first = (uint32_t)msm->loaded + 1;
  CHECK(msm->loaded + count <= msm->max_points);
  sums()->load_vt(msm->rows + first, on_curve, points, count);
  msm->loaded += count;
  return first;
}

/* ---------------------------------------------------------------- passes */

/* All ones for 0, else 0. */
static inline uint32_t mask_if_zero(uint32_t x) {
  return (uint32_t)0 - (x == 0);
}

static inline void write_pair(msm_p256 *msm, size_t at, p256_ref a, p256_ref b,
                              p256_ref to, uint32_t tag) {
  msm->a[at] = a;
  msm->b[at] = b;
  msm->to[at] = to;
  msm->tag[at] = tag;
}

static void change_places(msm_p256 *msm, size_t i, size_t j) {
  const p256_ref a = msm->a[i], b = msm->b[i], to = msm->to[i];
  const uint32_t tag = msm->tag[i];
  const p256_pair pair = msm->pairs[i];
  write_pair(msm, i, msm->a[j], msm->b[j], msm->to[j], msm->tag[j]);
  write_pair(msm, j, a, b, to, tag);
  msm->pairs[i] = msm->pairs[j];
  msm->pairs[j] = pair;
}

/* Has the pair one image for both x? */
static bool same_image(const msm_p256 *msm, size_t i) {
  const p256_row *a = &msm->rows[msm->a[i] >> 1], *b = &msm->rows[msm->b[i] >> 1];
  return memcmp(a->w, b->w, sizeof(u256)) == 0;
}

/* Does the pass where points are equal or opposite.  Whoever makes the points can have
 * one such pair in every pass; so those with one image go by themselves, and only if
 * there are others, all go the slow way.  Sums that are infinity are dropped. */
static void add_any_points(msm_p256 *msm) {
  const size_t count = msm->count;
  size_t ordinary = 0, kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (!same_image(msm, i)) {
      change_places(msm, i, ordinary++);
    }
  }
  if (ordinary > 0 && !sums()->add_vt(msm->rows, msm->pairs, ordinary, msm->words)) {
    ordinary = 0;
  }
  memset(msm->infinite, 0, ordinary);
  if (ordinary < count) {
    sums()->add_any_vt(msm->rows, msm->infinite + ordinary, msm->pairs + ordinary,
                       count - ordinary, msm->words);
  }
  for (size_t i = 0; i < count; i++) {
    if (msm->infinite[i]) {
      free_rows(msm, &msm->to[i], 1);
    } else {
      write_pair(msm, kept++, msm->a[i], msm->b[i], msm->to[i], msm->tag[i]);
    }
  }
  msm->count = kept;
}

/* Does the pass and brings its sums to their buckets: each waits there, or goes with the
 * one that does into the next pass, of which the number of pairs is left. */
static void run_pass(msm_p256 *msm) {
  for (size_t i = 0; i < msm->count; i++) {
    const p256_ref a = msm->a[i], b = msm->b[i];
    msm->pairs[i] = (p256_pair){a >> 1, b >> 1, msm->to[i] >> 1, (a ^ b) & 1};
  }
  const bool done = sums()->add_vt(msm->rows, msm->pairs, msm->count, msm->words);
  free_rows(msm, msm->b, msm->freed_b);
  free_rows(msm, msm->spare, msm->spare_count);
  if (!done) {
    add_any_points(msm);
  }
  const size_t count = msm->count;
  p256_ref *const waiting = msm->waiting;
  size_t pairs = 0;
  for (size_t i = 0; i < count; i++) { /* pairs <= i */
    const uint32_t tag = msm->tag[i];
    const p256_ref sum = msm->to[i], other = waiting[tag >> 8];
    const uint32_t waits = mask_if_zero(other);
    waiting[tag >> 8] = sum & waits;
    write_pair(msm, pairs, sum, other, sum, tag);
    pairs += 1 + waits;
  }
  msm->count = msm->freed_b = pairs;
  msm->spare_count = 0;
}

static inline void run_full_passes(msm_p256 *msm) {
  while (msm->count == SUMS_P256_PASS) {
    run_pass(msm);
  }
}

static inline void add_pair(msm_p256 *msm, p256_ref a, p256_ref b, p256_ref to,
                            uint32_t tag) {
  write_pair(msm, msm->count++, a, b, to, tag);
  run_full_passes(msm);
}

/* ---------------------------------------------------------------- from terms to buckets
 */

/* Turns the terms into k + K. */
static void shift_scalars(msm_p256 *msm, const msm_p256_terms *terms) {
  const u256 *offset = &msm->offset;
  const u256 low_offset = {{offset->v[0], offset->v[1], 0, 0}};
  size_t at = 0;
  for (size_t i = 0; i < terms->short_count; i++, at++) {
    const i128 *a = &terms->short_scalar[i];
    const uint64_t minus = ct_mask_u64(a->v[1] >> 63);
    const u256 k = {{a->v[0], a->v[1], minus, minus}};
    u256_add(&msm->shifted[at], &k, &low_offset);
    msm->term[at] = terms->short_point[i] << 1;
  }
  for (size_t i = 0; i < terms->long_count; i++, at++) {
    const u256 *k = &terms->long_scalar[i];
    const uint64_t high = u256_lt_mask(&sm_sc_p256_half_order, k);
    u256 small;
    u256_sub(&small, &sm_sc_p256_order, k);
    u256_select(&small, high, &small, k);
    u256_add(&msm->shifted[at], &small, offset);
    msm->term[at] =
        terms->long_point[i] << 1 | (p256_ref)((high & 1) ^ terms->subtract_long);
  }
}

/* Brings the terms from..to-1 to the buckets of a window: each waits there, or goes with
 * the one that does into the pass.  above: the digit takes the bit above, too. */
static inline void fill_window(msm_p256 *msm, int window, size_t from, size_t to,
                               bool above) {
  const msm_window *w = &msm->windows[window];
  const int word = w->bit / 64, shift = w->bit % 64;
  const uint32_t mask = (UINT32_C(1) << w->width) - 1;
  const uint32_t half =
      w->bit + w->width == 2 * HALF_BITS ? 0 : UINT32_C(1) << (w->width - 1);
  const uint32_t tag = w->first << 8 | (uint32_t)window;
  const u256 *shifted = msm->shifted;
  const p256_ref *term = msm->term;
  size_t count = msm->count;
  /* As pairs become more, free rows become less. */
  size_t skew = msm->free_begin - count;
  for (size_t t = from; t < to; t++) {
    uint32_t part = (uint32_t)(shifted[t].v[word] >> shift) & mask;
    if (above) {
      part |= (uint32_t)shifted[t].v[word + 1] << w->width;
    }
    const uint32_t digit = part - half, minus = (uint32_t)0 - (digit >> 31);
    const uint32_t index = (digit ^ minus) - minus;
    if (index == 0) {
      continue;
    }
    const p256_ref ref = term[t] ^ (minus & 1), other = msm->point[index];
    const uint32_t waits = mask_if_zero(other);
    msm->point[index] = ref & waits;
    write_pair(msm, count, ref, other, msm->free_rows[skew + count] | (ref & 1),
               tag + (index << 8));
    count += 1 + waits;
    if (count == SUMS_P256_PASS) {
      msm->free_begin = skew + count;
      msm->count = count;
      run_full_passes(msm);
      count = msm->count;
      skew = msm->free_begin - count;
    }
  }
  msm->free_begin = skew + count;
  msm->count = count;
}

static p256_ref copy_of(msm_p256 *msm, p256_ref ref) {
  const p256_ref copy = take_row(msm);
  msm->rows[copy >> 1] = msm->rows[ref >> 1];
  return copy | (ref & 1);
}

/* The points that still wait in a window's buckets join the sums. */
static void empty_points(msm_p256 *msm, int window) {
  const msm_window *w = &msm->windows[window];
  for (uint32_t index = 1; index <= w->top; index++) {
    p256_ref *const waiting = &msm->waiting[w->first + index];
    const p256_ref point = msm->point[index], sum = *waiting;
    if (point == 0) {
      continue;
    }
    msm->point[index] = 0;
    if (sum == 0) {
      *waiting = copy_of(msm, point);
    } else {
      *waiting = 0;
      add_pair(msm, sum, point, sum, (w->first + index) << 8 | (uint32_t)window);
    }
  }
}

static void fill_buckets(msm_p256 *msm, const msm_p256_terms *terms) {
  const size_t shorts = terms->short_count, all = shorts + terms->long_count;
  for (int i = 0; i < msm->window_count; i++) {
    if (i < msm->lower - 1) {
      fill_window(msm, i, 0, all, false);
    } else {
      if (i == msm->lower - 1) {
        fill_window(msm, i, 0, shorts, true);
      }
      fill_window(msm, i, shorts, all, false);
    }
    empty_points(msm, i);
  }
}

/* ---------------------------------------------------------------- from buckets to bits
 */

/* Adds a sum, whose row is read by another pair of this pass, to the sum of a bit. */
static inline void add_to_bit(msm_p256 *msm, uint32_t bit, p256_ref sum) {
  const p256_ref other = msm->waiting[bit];
  if (other == 0) {
    msm->waiting[bit] = sum;
    return;
  }
  msm->waiting[bit] = 0;
  msm->spare[msm->spare_count++] = sum;
  msm->spare[msm->spare_count++] = other;
  add_pair(msm, sum, other, take_row(msm) | (sum & 1), bit << 8 | NO_WINDOW);
}

/* Rids a window of the lowest bit of its indices: what stands in an odd one goes to the
 * sum of that bit, and then all go on to half of their index. */
static void lower_window(msm_p256 *msm, int window) {
  msm_window *w = &msm->windows[window];
  p256_ref *const bucket = msm->waiting + w->first;
  const uint32_t half = w->top / 2, bit = (uint32_t)w->bit + w->level;
  if (bucket[1] != 0) {
    add_to_bit(msm, bit, bucket[1]);
    bucket[1] = 0;
  }
  for (uint32_t index = 1; index < half; index++) {
    const p256_ref even = bucket[2 * index], odd = bucket[2 * index + 1];
    if (odd == 0) {
      bucket[index] = even;
      continue;
    }
    if (even == 0) {
      bucket[index] = copy_of(msm, odd);
    } else {
      bucket[index] = 0;
      add_pair(msm, even, odd, even, (w->first + index) << 8 | (uint32_t)window);
    }
    add_to_bit(msm, bit, odd);
  }
  if (half > 0) {
    bucket[half] = bucket[w->top];
  }
  w->top = half;
  w->level++;
}

/* Lowers each window of which no pair is in the pass to come; was there one? */
static bool lower_idle_windows(msm_p256 *msm) {
  bool busy[NO_WINDOW + 1] = {false}, any = false;
  for (size_t i = 0; i < msm->count; i++) {
    busy[msm->tag[i] & 255] = true;
  }
  for (int i = msm->window_count - 1; i >= 0; i--) {
    if (!busy[i] && msm->windows[i].top != 0) {
      lower_window(msm, i);
      any = true;
    }
  }
  return any;
}

static void sum_bits(msm_p256 *msm) {
  while (lower_idle_windows(msm) || msm->count > 0) {
    if (msm->count > 0) {
      run_pass(msm);
    }
  }
}

/* ---------------------------------------------------------------- the sum */

bool sm_msm_p256_sum_vt(p256_point *out, msm_p256 *msm, const msm_p256_terms *terms) {
  p256_jacobian parts[SUMS_P256_BITS];
  CHECK(terms->short_count + terms->long_count <= msm->max_points);
  choose_windows(msm, terms->short_count, terms->long_count);
  memset(msm->waiting, 0, msm->buckets * sizeof *msm->waiting);
  msm->count = msm->freed_b = msm->spare_count = 0;
  shift_scalars(msm, terms);
  fill_buckets(msm, terms);
  sum_bits(msm);
  const size_t count = sums()->fold_vt(parts, msm->rows, msm->waiting);
  for (int i = 0; i < SUMS_P256_BITS; i++) {
    free_rows(msm, &msm->waiting[i], msm->waiting[i] != 0);
  }
  CHECK(msm->free_begin == 0);
  return sm_backend()->engine->join_vt(out, parts, count, (int)(SUMS_P256_BITS / count));
}
