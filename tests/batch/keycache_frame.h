/* What the tests of the key cache share: keys, tables whose content tells the key, and a
 * look at the whole inside of a cache. */
#ifndef SIGMILL_TESTS_KEYCACHE_FRAME_H
#define SIGMILL_TESTS_KEYCACHE_FRAME_H

#include "batch/keycache_store_p256.h"

/* A made-up point, the same for the same number, others for others; on no curve: the
 * cache does not look. */
p256_point made_up(uint64_t number);

/* A keycache_make_tables: writes all of a table from the key's coordinates. */
void write_tables(p256_key_table *const *out, const p256_point *keys, size_t count);
bool is_table_of(const p256_key_table *table, const p256_point *key);

/* Aborts if there is none. */
sigmill_keycache *new_cache(size_t max_bytes, keycache_make_tables make_tables);
sigmill_keycache_count counts_of(const sigmill_keycache *cache);

/* One call with these numbers' points, each answer compared with the point and each table
 * with write_tables; releases.  Returns how many items got a table. */
size_t look_up(sigmill_keycache *cache, const uint64_t *numbers, size_t count,
               bool ordinary);
/* The same, and holds the tables. */
size_t look_up_and_hold(keycache_p256_keys *held, sigmill_keycache *cache,
                        const uint64_t *numbers, size_t count, bool ordinary);

/* Expects that entries, buckets, tables, owners, pins and counts fit each other, while no
 * call is under way that holds a table, but for `held` tables. */
void expect_sound(const sigmill_keycache *cache, size_t held, const char *what);

#endif
