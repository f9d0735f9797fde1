/* Public keys that come again: their points, and for those that come often the tables
 * that make ordinary signatures cheap.  Shared by any number of threads.
 *
 * A key is looked up by what its 33 bytes spell, x and the parity of y, so that a point
 * and an encoding find each other.  A key that cannot be read is not kept: only whoever
 * sends rubbish would profit, and rubbish can be new every time.
 *
 * All calls run in variable time.  In a process made by fork after the cache was created
 * the cache keeps nothing and gives nothing: keys are read each time, and no table comes.
 */
#ifndef SIGMILL_BATCH_KEYCACHE_P256_H
#define SIGMILL_BATCH_KEYCACHE_P256_H

#include "lanes/backend.h"
#include "sigmill.h"

/* p256_lanes' key_tables_vt. */
typedef void (*keycache_make_tables)(p256_key_table *const *out, const p256_point *keys,
                                     size_t count);

/* As sigmill_keycache_create; make_tables NULL: no tables. */
sigmill_status sm_keycache_create(sigmill_keycache **out, size_t max_bytes,
                                  keycache_make_tables make_tables);
void sm_keycache_destroy(sigmill_keycache *cache);
void sm_keycache_counts(sigmill_keycache_count *out, sigmill_keycache *cache);

/* What the cache tells of up to a chunk of keys. */
typedef struct {
  p256_point point[LANES_P256_CHUNK];
  uint8_t read[LANES_P256_CHUNK];                /* 1, or 0: point is zero */
  const p256_key_table *table[LANES_P256_CHUNK]; /* or NULL */
  uint32_t pinned[LANES_P256_CHUNK];             /* tables that must stay as they are */
  size_t pinned_count;
} keycache_p256_keys;

/* sm_read33_p256_vt through the cache: count <= LANES_P256_CHUNK compressed points that
 * stand without gaps.  What is missing is lifted together.
 *
 * ordinary[i] is 1 where a table of key i would be of use, else 0; NULL: nowhere.  Tables
 * of keys that have been of use often enough are made here, several together.  They stay
 * until sm_keycache_release, which every call needs before its out is used again.  No
 * more than one call's tables should be held by a thread: the cache cannot reuse them. */
void sm_keycache_read33_vt(keycache_p256_keys *out, sigmill_keycache *cache,
                           const uint8_t *sec1, const uint8_t *ordinary, size_t count);
/* The same for points on the curve; read[i] is 0 where points[i] is NULL. */
void sm_keycache_points_vt(keycache_p256_keys *out, sigmill_keycache *cache,
                           const p256_point *const *points, const uint8_t *ordinary,
                           size_t count);
/* Lets go of the tables; the points stay good. */
void sm_keycache_release(sigmill_keycache *cache, keycache_p256_keys *keys);

#endif
