/* What lies inside a key cache, and what is thrown out when it is full.  Whoever calls
 * holds the lock, unless nobody else can know the cache.
 *
 * Points: S3-FIFO (Yang, Zhang, Qiu, Yue, Rashmi, "FIFO queues are all you need for cache
 * eviction", SOSP 2023).  A new key enters a ring, where the oldest one leaves; if it was
 * found again meanwhile it moves on to the main part, else only a tag of 32 bits is kept,
 * a ghost, and a key that comes back to its ghost enters the main part at once.  There a
 * hand goes round, as in CLOCK, and passes by what was found since.  So keys that come
 * once, however many, drive nothing out of the main part.
 *
 * Tables: how often each key would have used one is counted, halved from time to time for
 * all alike.  A key whose table would pay takes a free one, or the least used of those
 * that the hand passes next, if it is itself used more than twice as much (TinyLFU:
 * Einziger, Friedman, Manes, "TinyLFU: a highly efficient cache admission policy", ACM
 * Transactions on Storage 13, 2017; with exact counts, since every such key has an
 * entry).  A table in use stays; without an owner it becomes free when it is let go of.
 *
 * An eighth of the memory is for points: where the k-th key comes in proportion to 1/k,
 * the last point and the last table then save about as much for each of their bytes.  The
 * rest is pages, each for one table.  Those that hold none are lent to the main part,
 * which gives them back, the last one first, when a table needs one. */
#ifndef SIGMILL_BATCH_KEYCACHE_STORE_P256_H
#define SIGMILL_BATCH_KEYCACHE_STORE_P256_H

#include "base/fork.h"
#include "batch/keycache_p256.h"
#include <pthread.h>

/* Entries and pages, whose number a table has too, are numbered from 1; 0 is none. */
typedef struct {
  p256_point point;
  uint64_t hash;
  uint32_t next;  /* in its bucket */
  uint32_t table; /* that it owns */
  uint16_t uses;  /* of a table, had or missed */
  uint16_t epoch; /* when uses was halved last */
  uint8_t again;  /* in how many calls it was found, 0..3, less the hand's visits */
  uint8_t making; /* somebody makes its table */
} key_entry;

/* A page has an owner or pins, or is among the free ones, or was never taken. */
typedef struct {
  uint32_t owner; /* the entry whose table it holds */
  uint32_t pins;  /* calls that use the table; 1 while lent */
  uint32_t next;  /* among free ones */
} key_page;

enum { PAGE_ENTRIES = sizeof(p256_key_table) / sizeof(key_entry) };

/* The places of entries: 1..ring are the ring, ring+1..ring+main the main part, of which
 * those above own lie in pages. */
struct sigmill_keycache {
  pthread_mutex_t lock;
  process_mark process;
  keycache_make_tables make_tables;
  uint64_t hash_key[2];
  size_t fixed_bytes; /* beside entries and tables */

  p256_key_table *tables;
  key_entry *entries;
  uint32_t *buckets; /* first entries */
  uint32_t *ghosts;  /* tags, 0 none */
  uint32_t *lent;    /* pages, in the order of their entries */
  key_page *pages;
  uint32_t own, page_count, bucket_count;

  uint32_t ring, main;
  uint32_t ring_used, main_used, pages_used; /* were ever taken */
  uint32_t lent_count, free_page;
  uint32_t ring_hand, main_hand, table_hand;
  uint64_t lookups;
  sigmill_keycache_count counts;
};

/* Lays out an empty cache over max_bytes >= SIGMILL_KEYCACHE_MIN of memory, in which it
 * is the first thing; process, lock, make_tables and hash_key are the caller's. */
void sm_keycache_lay_out(sigmill_keycache *cache, size_t max_bytes);

static inline key_entry *keycache_entry(const sigmill_keycache *cache, uint32_t number) {
  if (number <= cache->own) {
    return &cache->entries[number - 1];
  }
  uint32_t at = number - 1 - cache->own;
  uint32_t page = cache->lent[at / PAGE_ENTRIES];
  return (key_entry *)&cache->tables[page - 1] + at % PAGE_ENTRIES;
}

/* Calls for what a look-up reads: the bucket, without the lock; then what stands in it.
 */
void sm_keycache_prefetch_bucket(const sigmill_keycache *cache, uint64_t hash);
void sm_keycache_prefetch_entry(const sigmill_keycache *cache, uint64_t hash);
/* The number of the key with this x and parity, or 0. */
uint32_t sm_keycache_find(const sigmill_keycache *cache, uint64_t hash, const u256 *x,
                          uint8_t y_odd);
/* Puts in a key that is not there.  Numbers of entries change. */
void sm_keycache_insert(sigmill_keycache *cache, uint64_t hash, const p256_point *point);
/* Counts more uses of an entry's table; returns how many there are now. */
uint32_t sm_keycache_use(sigmill_keycache *cache, key_entry *entry, uint32_t more);

/* A table for a key with so many uses, pinned once and still its owner's if it has one;
 * 0: there is none to be had.  Numbers of entries change. */
uint32_t sm_keycache_reserve(sigmill_keycache *cache, uint32_t uses);
/* Takes a table from its owner, if it has one. */
void sm_keycache_disown(sigmill_keycache *cache, uint32_t table);
/* Gives an entry without a table one that has no owner. */
void sm_keycache_own(sigmill_keycache *cache, uint32_t entry, uint32_t table);
/* One pin less. */
void sm_keycache_unpin(sigmill_keycache *cache, uint32_t table);

#endif
