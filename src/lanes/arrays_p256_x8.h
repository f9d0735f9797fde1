/* Between arrays of a job and a group of eight lanes: lane i of the group that begins at
 * `first` is item first + i, if there are so many. */
#ifndef SIGMILL_LANES_ARRAYS_P256_X8_H
#define SIGMILL_LANES_ARRAYS_P256_X8_H

#include "base/secret.h"
#include "group/engine_p256.h"
#include "lanes/ge_p256_x8.h"
#include "lanes/sc_p256_x8.h"

/* Scalars; 1 in the lanes that are left over. */
LANES_CALLED void arrays_load_scalars(sc_x8 *out, const u256 *k, size_t first,
                                      size_t count) {
  static const u256 one = {{1}};
  const uint64_t *rows[LANES];
  for (size_t i = 0; i < LANES; i++) {
    rows[i] = first + i < count ? k[first + i].v : one.v;
  }
  sc_p256_x8_load(out, rows);
}

/* The elements of the integers at rows, below 2^256.  out: <= 17/16. */
LANES_INLINE void arrays_load_elements(fe_x8 *out, const uint64_t *const rows[LANES]) {
  vec words[4];
  v_load_rows4(words, rows);
  fe_p256_x8_from_words(out, words);
  fe_p256_x8_to_mont(out, out);
}

/* Points, as elements; the first one in the lanes that are left over.  out: <= 17/16. */
LANES_CALLED void arrays_load_points(ge_aff_x8 *out, const p256_point *a, size_t first,
                                     size_t count) {
  const uint64_t *x_rows[LANES], *y_rows[LANES];
  for (size_t i = 0; i < LANES; i++) {
    const p256_point *from = &a[first + i < count ? first + i : 0];
    x_rows[i] = from->x.v;
    y_rows[i] = from->y.v;
  }
  arrays_load_elements(&out->x, x_rows);
  arrays_load_elements(&out->y, y_rows);
}

/* Points.  in: canonical integers, not elements. */
LANES_CALLED void arrays_store_points(p256_point *out, const ge_aff_x8 *a, size_t first,
                                      size_t count) {
  uint64_t *x_rows[LANES], *y_rows[LANES];
  vec words[4];
  p256_point unused;
  for (size_t i = 0; i < LANES; i++) {
    p256_point *to = first + i < count ? &out[first + i] : &unused;
    x_rows[i] = to->x.v;
    y_rows[i] = to->y.v;
  }
  fe_p256_x8_to_words(words, &a->x);
  v_store_rows4(x_rows, words);
  fe_p256_x8_to_words(words, &a->y);
  v_store_rows4(y_rows, words);
  wipe(&unused, sizeof unused);
}

/* Points as rows of a table, one for each lane: x and then y as integers below 2^256 that
 * are the element a*2^260 mod p, or p more.  out: <= 1. */
LANES_INLINE void arrays_load_rows(ge_aff_x8 *out, const uint64_t *const rows[LANES]) {
  vec words[8];
  v_load_rows(words, rows);
  fe_p256_x8_from_words(&out->x, words);
  fe_p256_x8_from_words(&out->y, words + 4);
}

/* The inverse.  in: <= 2 - 1/64. */
LANES_CALLED void arrays_store_rows(uint64_t *const rows[LANES], const ge_aff_x8 *a) {
  vec words[8];
  fe_x8 x, y;
  fe_p256_x8_fit(&x, &a->x);
  fe_p256_x8_fit(&y, &a->y);
  fe_p256_x8_to_words(words, &x);
  fe_p256_x8_to_words(words + 4, &y);
  v_store_rows(rows, words);
}

/* Rows of a committed table (group/tables_p256.h), a*2^256 mod p.  out: <= 16. */
LANES_INLINE void arrays_load_base_rows(ge_aff_x8 *out,
                                        const uint64_t *const rows[LANES]) {
  vec words[8];
  v_load_rows(words, rows);
  fe_p256_x8_from_table(&out->x, words);
  fe_p256_x8_from_table(&out->y, words + 4);
}

#endif
