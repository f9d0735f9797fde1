/* A call looks up, under the lock, each different key once; reads outside it what is
 * missing; puts that in; and makes tables, outside the lock again.  Two calls that miss
 * the same key both read it, and the later one finds it there. */
#include "batch/keycache_store_p256.h"

#include "base/check.h"
#include "base/random.h"
#include "base/secret.h"
#include "batch/lift_p256.h"
#include "batch/plan_p256.h"
#include "hash/siphash.h"
#include <stdlib.h>

/* ---------------------------------------------------------------- creation */

sigmill_status sm_keycache_create(sigmill_keycache **out, size_t max_bytes,
                                  keycache_make_tables make_tables) {
  *out = NULL;
  if (max_bytes < SIGMILL_KEYCACHE_MIN) {
    return SIGMILL_ERR_ARGUMENT;
  }
  sigmill_keycache *cache = malloc(max_bytes);
  if (cache == NULL) {
    return SIGMILL_ERR_MEMORY;
  }
  sm_keycache_lay_out(cache, max_bytes);
  cache->make_tables = make_tables;
  if (!sm_process_mark(&cache->process)) {
    free(cache);
    return SIGMILL_ERR_MEMORY;
  }
  if (!sm_random_bytes(cache->hash_key, sizeof cache->hash_key)) {
    free(cache);
    return SIGMILL_ERR_RANDOM;
  }
  PUBLIC(cache->hash_key, sizeof cache->hash_key); /* it steers addresses */
  if (pthread_mutex_init(&cache->lock, NULL) != 0) {
    free(cache);
    return SIGMILL_ERR_MEMORY;
  }
  *out = cache;
  return SIGMILL_OK;
}

/* A process made by fork has a lock that may be held by nobody, for ever. */
static bool is_forked(const sigmill_keycache *cache) {
  return !sm_process_is(&cache->process);
}

void sm_keycache_destroy(sigmill_keycache *cache) {
  if (cache != NULL) {
    if (!is_forked(cache)) {
      pthread_mutex_destroy(&cache->lock);
    }
    free(cache);
  }
}

void sm_keycache_counts(sigmill_keycache_count *out, sigmill_keycache *cache) {
  const bool locked = !is_forked(cache);
  if (locked) {
    pthread_mutex_lock(&cache->lock);
  }
  *out = cache->counts;
  if (locked) {
    pthread_mutex_unlock(&cache->lock);
  }
  out->bytes = cache->fixed_bytes + out->keys * sizeof(key_entry) +
               out->tables * sizeof(p256_key_table);
}

/* ---------------------------------------------------------------- different keys */

enum { NO_KEY = UINT8_MAX, PLACES = 2 * LANES_P256_CHUNK };

/* One of the different keys of a call. */
typedef struct {
  p256_point point; /* y alone unknown: to be read */
  uint64_t hash;
  uint32_t entry, table; /* while the lock is held; pinned by this call */
  uint8_t y_odd;
  uint8_t known;           /* point is complete */
  uint8_t times, ordinary; /* items with this key, and those that would use a table */
} call_key;

typedef struct {
  sigmill_keycache *cache;
  call_key keys[LANES_P256_CHUNK];
  size_t key_count;
  uint8_t key_of[LANES_P256_CHUNK]; /* item: its key, or NO_KEY: unreadable */
  uint8_t places[PLACES];           /* key numbers by hash, from 1 */
  size_t unreadable;                /* items */
} key_call;

static bool same_key(const call_key *a, const call_key *b) {
  return a->hash == b->hash && a->y_odd == b->y_odd &&
         u256_eq_mask(&a->point.x, &b->point.x) != 0;
}

/* Item i has this key, of which x, y_odd and, where known, y are set. */
static void add_key(key_call *call, size_t i, call_key *key, bool ordinary) {
  key->hash = siphash_33(call->cache->hash_key, key->point.x.v, key->y_odd);
  size_t place = key->hash % PLACES;
  while (call->places[place] != 0 &&
         !same_key(&call->keys[call->places[place] - 1], key)) {
    place = (place + 1) % PLACES;
  }
  if (call->places[place] == 0) {
    call->keys[call->key_count++] = *key;
    call->places[place] = (uint8_t)call->key_count;
    sm_keycache_prefetch_bucket(call->cache, key->hash);
  }
  call_key *kept = &call->keys[call->places[place] - 1];
  kept->times++;
  kept->ordinary = (uint8_t)(kept->ordinary + ordinary);
  call->key_of[i] = (uint8_t)(call->places[place] - 1);
}

/* ---------------------------------------------------------------- look-up */

/* The key's table is this call's, too. */
static void pin(sigmill_keycache *cache, call_key *key, uint32_t table) {
  cache->pages[table - 1].pins++;
  key->table = table;
}

/* The keys that are there. */
static void find_keys(key_call *call) {
  sigmill_keycache *cache = call->cache;
  for (size_t k = 0; k < call->key_count; k++) {
    sm_keycache_prefetch_entry(cache, call->keys[k].hash);
  }
  for (size_t k = 0; k < call->key_count; k++) {
    call_key *key = &call->keys[k];
    key->entry = sm_keycache_find(cache, key->hash, &key->point.x, key->y_odd);
    if (key->entry != 0) {
      key_entry *entry = keycache_entry(cache, key->entry);
      key->point = entry->point;
      key->known = 1;
      entry->again = (uint8_t)(entry->again + (entry->again < 3));
      cache->counts.hits += key->times;
    }
    cache->lookups += key->times;
  }
}

/* Reads the keys that are not known. */
static void lift_keys(key_call *call) {
  p256_point points[LANES_P256_CHUNK];
  u256 x[LANES_P256_CHUNK] = {{{0}}};
  uint8_t y_odd[LANES_P256_CHUNK] = {0}, found[LANES_P256_CHUNK];
  size_t which[LANES_P256_CHUNK], count = 0;
  for (size_t k = 0; k < call->key_count; k++) {
    if (!call->keys[k].known) {
      x[count] = call->keys[k].point.x;
      y_odd[count] = call->keys[k].y_odd;
      which[count++] = k;
    }
  }
  sm_lift_p256_vt(points, found, x, y_odd, count);
  for (size_t i = 0; i < count; i++) {
    if (found[i]) {
      call->keys[which[i]].point = points[i];
      call->keys[which[i]].known = 1;
    }
  }
}

/* Puts in what was missing; of a key that several items have, all but the first find it.
 */
static void insert_keys(key_call *call) {
  sigmill_keycache *cache = call->cache;
  for (size_t k = 0; k < call->key_count; k++) {
    call_key *key = &call->keys[k];
    if (key->entry != 0) {
      continue;
    }
    cache->counts.misses += key->known ? 1 : key->times;
    if (key->known) {
      cache->counts.hits += key->times - 1u;
      if (sm_keycache_find(cache, key->hash, &key->point.x, key->y_odd) == 0) {
        sm_keycache_insert(cache, key->hash, &key->point);
      }
    }
  }
}

/* ---------------------------------------------------------------- tables */

/* A key of the call that has been of use without a table, and the one it shall have. */
typedef struct {
  call_key *key;
  uint32_t uses, table;
} table_wish;

/* Pins the tables that are there; the keys that lack one, the most used first. */
static size_t find_tables(table_wish *wishes, key_call *call) {
  sigmill_keycache *cache = call->cache;
  size_t count = 0;
  for (size_t k = 0; k < call->key_count; k++) {
    call_key *key = &call->keys[k];
    uint32_t number = key->ordinary == 0
                          ? 0
                          : sm_keycache_find(cache, key->hash, &key->point.x, key->y_odd);
    if (number == 0) {
      continue;
    }
    key_entry *entry = keycache_entry(cache, number);
    uint32_t uses = sm_keycache_use(cache, entry, key->ordinary);
    if (entry->table != 0) {
      pin(cache, key, entry->table);
      cache->counts.table_hits += key->ordinary;
    } else if (!entry->making) {
      size_t at = count++;
      for (; at > 0 && wishes[at - 1].uses < uses; at--) {
        wishes[at] = wishes[at - 1];
      }
      wishes[at] = (table_wish){.key = key, .uses = uses};
    }
  }
  return count;
}

/* How many of them, the first ones, are worth a table: a group of lanes costs the same
 * with one key as with eight. */
static size_t tables_that_pay(const table_wish *wishes, size_t count) {
  uint32_t uses = 0;
  for (size_t i = 0; i < count; i++) {
    uses += wishes[i].uses;
    if ((i + 1) % LANES_P256_GROUP == 0 || i + 1 == count) {
      if (uses < PLAN_TABLE_GROUP_USES) {
        return i - i % LANES_P256_GROUP;
      }
      uses = 0;
    }
  }
  return count;
}

/* Finds places for the tables of the first ones; how many. */
static size_t reserve_tables(sigmill_keycache *cache, table_wish *wishes, size_t count) {
  size_t wanted = tables_that_pay(wishes, count), had = 0;
  while (had < wanted &&
         (wishes[had].table = sm_keycache_reserve(cache, wishes[had].uses)) != 0) {
    had++;
  }
  size_t paying = tables_that_pay(wishes, had);
  for (size_t i = paying; i < had; i++) {
    sm_keycache_unpin(cache, wishes[i].table);
  }
  for (size_t i = 0; i < paying; i++) {
    call_key *key = wishes[i].key;
    uint32_t number = sm_keycache_find(cache, key->hash, &key->point.x, key->y_odd);
    sm_keycache_disown(cache, wishes[i].table);
    key->table = wishes[i].table;
    if (number != 0) { /* not thrown out for one of these tables */
      keycache_entry(cache, number)->making = 1;
    }
  }
  return paying;
}

/* Gives the tables to their keys; one whose key has gone, or has got another meanwhile,
 * serves this call alone. */
static void own_tables(sigmill_keycache *cache, const table_wish *wishes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const call_key *key = wishes[i].key;
    uint32_t number = sm_keycache_find(cache, key->hash, &key->point.x, key->y_odd);
    if (number != 0 && keycache_entry(cache, number)->table == 0) {
      keycache_entry(cache, number)->making = 0;
      sm_keycache_own(cache, number, wishes[i].table);
    }
    cache->counts.table_hits += key->ordinary;
  }
  cache->counts.tables_made += count;
}

static void make_tables(sigmill_keycache *cache, const table_wish *wishes, size_t count) {
  p256_key_table *tables[LANES_P256_CHUNK];
  p256_point points[LANES_P256_CHUNK];
  for (size_t i = 0; i < count; i++) {
    tables[i] = &cache->tables[wishes[i].table - 1];
    points[i] = wishes[i].key->point;
  }
  cache->make_tables(tables, points, count);
  pthread_mutex_lock(&cache->lock);
  own_tables(cache, wishes, count);
  pthread_mutex_unlock(&cache->lock);
}

/* ---------------------------------------------------------------- a call */

static bool all_known(const key_call *call) {
  uint8_t all = 1;
  for (size_t k = 0; k < call->key_count; k++) {
    all &= call->keys[k].known;
  }
  return all == 1;
}

static void run(key_call *call) {
  sigmill_keycache *cache = call->cache;
  table_wish wishes[LANES_P256_CHUNK];
  if (is_forked(cache)) {
    lift_keys(call);
    return;
  }
  pthread_mutex_lock(&cache->lock);
  cache->counts.misses += call->unreadable;
  find_keys(call);
  if (!all_known(call)) {
    pthread_mutex_unlock(&cache->lock);
    lift_keys(call);
    pthread_mutex_lock(&cache->lock);
  }
  insert_keys(call);
  size_t count = 0;
  if (cache->make_tables != NULL) {
    count = reserve_tables(cache, wishes, find_tables(wishes, call));
  }
  pthread_mutex_unlock(&cache->lock);
  if (count > 0) {
    make_tables(cache, wishes, count);
  }
}

/* What the call found, item by item. */
static void tell(keycache_p256_keys *out, const key_call *call, size_t count) {
  out->pinned_count = 0;
  for (size_t k = 0; k < call->key_count; k++) {
    if (call->keys[k].table != 0) {
      out->pinned[out->pinned_count++] = call->keys[k].table;
    }
  }
  for (size_t i = 0; i < count; i++) {
    const call_key *key = call->key_of[i] == NO_KEY ? NULL : &call->keys[call->key_of[i]];
    out->table[i] = NULL;
    out->read[i] = key != NULL && key->known;
    if (out->read[i]) {
      out->point[i] = key->point;
      out->table[i] = key->table != 0 ? &call->cache->tables[key->table - 1] : NULL;
    } else {
      memset(&out->point[i], 0, sizeof out->point[i]);
    }
  }
}

static void begin(key_call *call, sigmill_keycache *cache) {
  call->cache = cache;
  call->key_count = 0;
  call->unreadable = 0;
  memset(call->places, 0, sizeof call->places);
}

void sm_keycache_read33_vt(keycache_p256_keys *out, sigmill_keycache *cache,
                           const uint8_t *sec1, const uint8_t *ordinary, size_t count) {
  key_call call;
  CHECK(count <= LANES_P256_CHUNK);
  begin(&call, cache);
  for (size_t i = 0; i < count; i++, sec1 += 33) {
    call_key key = {.y_odd = sec1[0] & 1};
    if (sec1[0] == 2 || sec1[0] == 3) {
      u256_from_be(&key.point.x, sec1 + 1);
      add_key(&call, i, &key, ordinary != NULL && ordinary[i] != 0);
    } else {
      call.key_of[i] = NO_KEY;
      call.unreadable++;
    }
  }
  run(&call);
  tell(out, &call, count);
}

void sm_keycache_points_vt(keycache_p256_keys *out, sigmill_keycache *cache,
                           const p256_point *const *points, const uint8_t *ordinary,
                           size_t count) {
  key_call call;
  CHECK(count <= LANES_P256_CHUNK);
  begin(&call, cache);
  for (size_t i = 0; i < count; i++) {
    if (points[i] != NULL) {
      call_key key = {.point = *points[i], .y_odd = points[i]->y.v[0] & 1, .known = 1};
      add_key(&call, i, &key, ordinary != NULL && ordinary[i] != 0);
    } else {
      call.key_of[i] = NO_KEY;
      call.unreadable++;
    }
  }
  run(&call);
  tell(out, &call, count);
}

void sm_keycache_release(sigmill_keycache *cache, keycache_p256_keys *keys) {
  if (keys->pinned_count > 0 && !is_forked(cache)) {
    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; i < keys->pinned_count; i++) {
      sm_keycache_unpin(cache, keys->pinned[i]);
    }
    pthread_mutex_unlock(&cache->lock);
  }
  keys->pinned_count = 0;
}
