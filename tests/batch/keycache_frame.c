#include "keycache_frame.h"

#include "harness.h"
#include <stdlib.h>

static uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

p256_point made_up(uint64_t number) {
  p256_point point;
  for (int i = 0; i < 4; i++) {
    point.x.v[i] = mixed(number * 8 + (uint64_t)i + 1);
    point.y.v[i] = mixed(number * 8 + (uint64_t)i + 5);
  }
  return point;
}

static uint64_t word_of(const p256_point *key, size_t at) {
  const u256 *coordinate = at % 8 < 4 ? &key->x : &key->y;
  return coordinate->v[at % 4] ^ at * UINT64_C(0x9e3779b97f4a7c15);
}

enum { TABLE_WORDS = sizeof(p256_key_table) / sizeof(uint64_t) };

void write_tables(p256_key_table *const *out, const p256_point *keys, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t *words = &out[i]->entry[0][0][0];
    for (size_t at = 0; at < TABLE_WORDS; at++) {
      words[at] = word_of(&keys[i], at);
    }
  }
}

bool is_table_of(const p256_key_table *table, const p256_point *key) {
  const uint64_t *words = &table->entry[0][0][0];
  bool same = (uintptr_t)table % 64 == 0;
  for (size_t at = 0; at < TABLE_WORDS; at++) {
    same &= words[at] == word_of(key, at);
  }
  return same;
}

sigmill_keycache *new_cache(size_t max_bytes, keycache_make_tables make_tables) {
  sigmill_keycache *cache = NULL;
  if (sm_keycache_create(&cache, max_bytes, make_tables) != SIGMILL_OK) {
    fprintf(stderr, "no cache of %zu bytes\n", max_bytes);
    abort();
  }
  return cache;
}

sigmill_keycache_count counts_of(const sigmill_keycache *cache) {
  sigmill_keycache_count counts;
  sigmill_keycache_counts(&counts, cache);
  return counts;
}

size_t look_up_and_hold(keycache_p256_keys *held, sigmill_keycache *cache,
                        const uint64_t *numbers, size_t count, bool ordinary) {
  p256_point points[LANES_P256_CHUNK];
  const p256_point *pointers[LANES_P256_CHUNK] = {NULL};
  uint8_t wanted[LANES_P256_CHUNK] = {0};
  size_t tables = 0;
  for (size_t i = 0; i < count; i++) {
    points[i] = made_up(numbers[i]);
    pointers[i] = &points[i];
    wanted[i] = ordinary;
  }
  sm_keycache_points_vt(held, cache, pointers, wanted, count);
  for (size_t i = 0; i < count; i++) {
    EXPECT(held->read[i] == 1 &&
               memcmp(&held->point[i], &points[i], sizeof points[i]) == 0,
           "key %llu", (unsigned long long)numbers[i]);
    if (held->table[i] != NULL) {
      EXPECT(is_table_of(held->table[i], &points[i]), "the table of key %llu",
             (unsigned long long)numbers[i]);
      tables++;
    }
  }
  return tables;
}

size_t look_up(sigmill_keycache *cache, const uint64_t *numbers, size_t count,
               bool ordinary) {
  keycache_p256_keys keys;
  size_t tables = look_up_and_hold(&keys, cache, numbers, count, ordinary);
  sm_keycache_release(cache, &keys);
  return tables;
}

/* ---------------------------------------------------------------- inside */

/* Entries by their buckets: each once, in a place that was taken. */
static size_t count_entries(const sigmill_keycache *cache, uint8_t *seen) {
  size_t count = 0;
  for (uint32_t b = 0; b < cache->bucket_count; b++) {
    for (uint32_t e = cache->buckets[b]; e != 0; e = keycache_entry(cache, e)->next) {
      bool taken = e <= cache->ring_used ||
                   (e > cache->ring && e <= cache->ring + cache->main_used);
      if (!EXPECT(taken && !seen[e], "entry %u stands where it should, once", e)) {
        return count;
      }
      const key_entry *entry = keycache_entry(cache, e);
      EXPECT(entry->again <= 3, "entry %u: found %d times", e, entry->again);
      EXPECT(entry->table == 0 || cache->pages[entry->table - 1].owner == e,
             "entry %u owns table %u", e, entry->table);
      seen[e] = 1;
      count++;
    }
  }
  return count;
}

void expect_sound(const sigmill_keycache *cache, size_t held, const char *what) {
  sigmill_keycache_count counts = counts_of(cache);
  uint8_t *seen = calloc(1 + (size_t)cache->ring + cache->main, 1);
  uint8_t *free_pages = calloc(1 + (size_t)cache->page_count, 1);
  size_t owned = 0, loose = 0;
  if (seen == NULL || free_pages == NULL) {
    abort();
  }
  size_t entries = count_entries(cache, seen);
  EXPECT(entries == counts.keys && entries == (size_t)cache->ring_used + cache->main_used,
         "%s: %zu entries, %zu keys counted", what, entries, counts.keys);
  for (uint32_t t = cache->free_page; t != 0; t = cache->pages[t - 1].next) {
    if (!EXPECT(!free_pages[t] && t <= cache->pages_used, "%s: free table %u", what, t)) {
      break;
    }
    free_pages[t] = 1;
  }
  for (uint32_t t = 1; t <= cache->pages_used; t++) {
    const key_page *page = &cache->pages[t - 1];
    EXPECT(page->owner == 0 ||
               (seen[page->owner] && keycache_entry(cache, page->owner)->table == t),
           "%s: the owner of table %u", what, t);
    EXPECT(free_pages[t] == (page->owner == 0 && page->pins == 0),
           "%s: table %u is free or not", what, t);
    owned += page->owner != 0;
    loose += page->pins;
  }
  EXPECT(owned == counts.tables, "%s: %zu tables, %zu counted", what, owned,
         counts.tables);
  EXPECT(loose == held + cache->lent_count, "%s: %zu pins, %u pages lent", what, loose,
         cache->lent_count);
  for (uint32_t i = 0; i < cache->lent_count; i++) {
    const key_page *page = &cache->pages[cache->lent[i] - 1];
    EXPECT(page->pins == 1 && page->owner == 0, "%s: page %u is lent", what,
           cache->lent[i]);
  }
  EXPECT(cache->ring + cache->main == cache->own + cache->lent_count * PAGE_ENTRIES,
         "%s: the main part", what);
  EXPECT(counts.bytes <= counts.max_bytes, "%s: %zu bytes of %zu", what, counts.bytes,
         counts.max_bytes);
  free(seen);
  free(free_pages);
}
