/* Which points of a batch are the same: a table from x coordinates to numbers, so that
 * equal and opposite points share one term of a sum.
 *
 * Open addressing with linear probes.  The hash is NH (Black, Halevi, Krawczyk, Krovetz,
 * Rogaway, "UMAC: fast and secure message authentication", 1999) under a key drawn anew
 * for each batch, so that nobody can choose points that collide.  Variable time. */
#ifndef SIGMILL_BATCH_MERGE_P256_H
#define SIGMILL_BATCH_MERGE_P256_H

#include "group/sums_p256.h"

/* A point's number, and where its coordinates stand. */
typedef struct {
  uint32_t number; /* 0: the place is free */
  uint32_t tag;    /* of the hash */
  const p256_point *point;
} merge_place;

typedef struct {
  merge_place *places;
  size_t mask; /* a power of two, less 1 */
  uint32_t key[8];
} merge_p256;

/* How many places serve max_points points. */
size_t sm_merge_p256_places(size_t max_points);
/* Begins with no points, for max_points at most; merge->places has as many as serve
 * them.  The points handed in must stay where they are.  key: random, unknown to whoever
 * chose the points. */
void sm_merge_p256_begin(merge_p256 *merge, size_t max_points, const uint8_t key[32]);
/* The number of point, with its lowest bit set if it stands there with the opposite y;
 * if its x is not there yet, it comes in with the number `fresh`, and the answer is
 * fresh << 1. */
p256_ref sm_merge_p256_find_vt(merge_p256 *merge, const p256_point *point,
                               uint32_t fresh);

#endif
