/* Sums of many points, added in pairs: the contract between whoever knows which points
 * to add (batch/msm_p256.h) and the bodies that add them, eight in lanes or one at a
 * time.
 *
 * Points stand in rows of a store, addressed by number.  A row is affine: x and then y,
 * each some body's own image of the element, so that rows of one body mean nothing to
 * another.  Additions of a pass share one inversion (Montgomery, "Speeding the Pollard
 * and elliptic curve methods of factorization", 1987).  All run in variable time. */
#ifndef SIGMILL_GROUP_SUMS_P256_H
#define SIGMILL_GROUP_SUMS_P256_H

#include "base/u256.h"
#include <stdbool.h>
#include <stddef.h>

/* A point in affine coordinates: canonical integers below p, on the curve, never the
 * point at infinity, where nothing else is said. */
typedef struct {
  u256 x, y;
} p256_point;

typedef struct {
  _Alignas(64) uint64_t w[8];
} p256_row;

/* rows[to] = rows[a] + (minus ? -rows[b] : rows[b]) */
typedef struct {
  uint32_t a, b, to;
  uint32_t minus; /* 0 or 1 */
} p256_pair;

/* A point or its negative: (row number << 1) | minus.  0: no point; row 0 is not used. */
typedef uint32_t p256_ref;

/* Jacobian, (X/Z^2, Y/Z^3), as canonical integers; infinity has Z = 0. */
typedef struct {
  u256 x, y, z;
} p256_jacobian;

/* The most pairs of one pass. */
enum { SUMS_P256_PASS = 2048 };
/* How many words a pass of count pairs works in: ten for each, in groups of eight. */
#define SUMS_P256_WORDS(count) (80 * (((count) + 7) / 8))

/* The most parts that fold_vt gives, one for each bit of a scalar. */
enum { SUMS_P256_BITS = 256 };

typedef struct {
  /* rows[i] = points[i]; on_curve[i] = 1 if its coordinates are below p and it lies on
   * the curve, else 0 and the row is of no use.  Any integers may come in, any count. */
  void (*load_vt)(p256_row *rows, uint8_t *on_curve, const p256_point *points,
                  size_t count);
  /* The additions of a pass, 1 <= count <= SUMS_P256_PASS.  words: SUMS_P256_WORDS(count)
   * of them, aligned to 64 bytes.  A row that is written is
   * read by no other pair; `to` may be the pair's own a or b.  False, and no row has
   * changed, if two points of a pair are equal or opposite. */
  bool (*add_vt)(p256_row *rows, const p256_pair *pairs, size_t count, uint64_t *words);
  /* The same for any points.  infinite[i] = 1 where the sum is infinity (its row is of
   * no use), else 0. */
  void (*add_any_vt)(p256_row *rows, uint8_t *infinite, const p256_pair *pairs,
                     size_t count, uint64_t *words);
  /* The sum over i < 256 of 2^i times the point bits[i], in parts: it is the sum of
   * 2^(256/count * i) parts[i], i < count, count being what is returned: 8, or 256 at
   * worst. */
  size_t (*fold_vt)(p256_jacobian parts[SUMS_P256_BITS], const p256_row *rows,
                    const p256_ref bits[SUMS_P256_BITS]);
} p256_sums;

#endif
