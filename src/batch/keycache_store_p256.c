/* Entries in buckets with chains; places, pages and hands as the header tells. */
#include "batch/keycache_store_p256.h"

#include "base/check.h"
#include "batch/plan_p256.h"

enum {
  POINTS_SHARE = 8,   /* of the memory */
  RING_SHARE = 4,     /* of the entries outside pages */
  BUCKET_ENTRIES = 2, /* entries, if all pages are lent, for each bucket and ghost */
  GHOSTS = 8,         /* side by side */
  AGAIN_MOST = 3,
  SWEEP = 64,           /* entries that the hand passes for one that wants a place */
  LOOKS = 8,            /* tables that it passes */
  EPOCH_ENTRIES = 8,    /* lookups between halvings, times the entries outside pages */
  LEAST_EPOCH = 1 << 13 /* in small caches */
};

/* ---------------------------------------------------------------- layout */

/* What an entry and a page take, with their share of buckets and ghosts. */
#define INDEX_BYTES (2 * sizeof(uint32_t) / BUCKET_ENTRIES)
#define ENTRY_BYTES (sizeof(key_entry) + INDEX_BYTES)
#define PAGE_BYTES                                                                       \
  (sizeof(p256_key_table) + sizeof(key_page) + sizeof(uint32_t) +                        \
   PAGE_ENTRIES * INDEX_BYTES)
enum { ALIGN = 64 };

static size_t at_most(size_t n, size_t most) {
  return n < most ? n : most;
}

void sm_keycache_lay_out(sigmill_keycache *cache, size_t max_bytes) {
  const size_t most = UINT32_MAX / 4; /* so that all entries have numbers */
  const size_t room = max_bytes - sizeof *cache - ALIGN;
  const size_t own = at_most(room / POINTS_SHARE / ENTRY_BYTES, most);
  const size_t pages =
      at_most((room - own * ENTRY_BYTES) / PAGE_BYTES, most / PAGE_ENTRIES);
  const size_t buckets = (own + pages * PAGE_ENTRIES) / BUCKET_ENTRIES;
  uintptr_t at = (uintptr_t)(cache + 1);
  at += (ALIGN - at % ALIGN) % ALIGN;
  memset(cache, 0, sizeof *cache);
  cache->tables = (p256_key_table *)at;
  cache->entries = (key_entry *)(cache->tables + pages);
  cache->buckets = (uint32_t *)(cache->entries + own);
  cache->ghosts = cache->buckets + buckets;
  cache->lent = cache->ghosts + buckets;
  cache->pages = (key_page *)(cache->lent + pages);
  CHECK((uintptr_t)(cache->pages + pages) <= (uintptr_t)cache + max_bytes);
  memset(cache->buckets, 0, 2 * buckets * sizeof(uint32_t));

  cache->own = (uint32_t)own;
  cache->ring = cache->own / RING_SHARE;
  cache->main = cache->own - cache->ring;
  cache->page_count = (uint32_t)pages;
  cache->bucket_count = (uint32_t)buckets;
  cache->fixed_bytes = sizeof *cache + ALIGN + 2 * buckets * sizeof(uint32_t) +
                       pages * (sizeof(uint32_t) + sizeof(key_page));
  cache->counts.max_bytes = max_bytes;
}

/* ---------------------------------------------------------------- look-up */

/* A number below the count of buckets, by the upper half of the hash. */
static size_t place_of(const sigmill_keycache *cache, uint64_t hash) {
  return (size_t)((hash >> 32) * cache->bucket_count >> 32);
}

void sm_keycache_prefetch_bucket(const sigmill_keycache *cache, uint64_t hash) {
  __builtin_prefetch(&cache->buckets[place_of(cache, hash)]);
}

void sm_keycache_prefetch_entry(const sigmill_keycache *cache, uint64_t hash) {
  uint32_t number = cache->buckets[place_of(cache, hash)];
  if (number != 0) {
    const key_entry *entry = keycache_entry(cache, number);
    __builtin_prefetch(entry);
    __builtin_prefetch(&entry->again);
  }
}

uint32_t sm_keycache_find(const sigmill_keycache *cache, uint64_t hash, const u256 *x,
                          uint8_t y_odd) {
  uint32_t number = cache->buckets[place_of(cache, hash)];
  while (number != 0) {
    const key_entry *entry = keycache_entry(cache, number);
    if (entry->hash == hash && u256_eq_mask(&entry->point.x, x) != 0 &&
        (entry->point.y.v[0] & 1) == y_odd) {
      break;
    }
    number = entry->next;
  }
  return number;
}

/* Where the number of an entry that is there stands. */
static uint32_t *link_to(const sigmill_keycache *cache, uint32_t number) {
  uint32_t *link = &cache->buckets[place_of(cache, keycache_entry(cache, number)->hash)];
  while (*link != number) {
    link = &keycache_entry(cache, *link)->next;
  }
  return link;
}

/* ---------------------------------------------------------------- uses */

static uint16_t epoch_now(const sigmill_keycache *cache) {
  uint64_t length = (uint64_t)EPOCH_ENTRIES * cache->own;
  return (uint16_t)(cache->lookups / (length < LEAST_EPOCH ? LEAST_EPOCH : length));
}

/* An entry's uses, halved once for each epoch that has passed. */
static uint32_t uses_now(const sigmill_keycache *cache, key_entry *entry) {
  uint16_t now = epoch_now(cache), passed = (uint16_t)(now - entry->epoch);
  entry->uses = (uint16_t)(passed < 16 ? entry->uses >> passed : 0);
  entry->epoch = now;
  return entry->uses;
}

uint32_t sm_keycache_use(sigmill_keycache *cache, key_entry *entry, uint32_t more) {
  uint32_t uses = uses_now(cache, entry) + more;
  entry->uses = (uint16_t)(uses < UINT16_MAX ? uses : UINT16_MAX);
  return entry->uses;
}

/* ---------------------------------------------------------------- pages */

static void set_free(sigmill_keycache *cache, uint32_t page) {
  cache->pages[page - 1].next = cache->free_page;
  cache->free_page = page;
}

/* A page that nobody has, or 0. */
static uint32_t unused_page(sigmill_keycache *cache) {
  uint32_t page = cache->free_page;
  if (page != 0) {
    cache->free_page = cache->pages[page - 1].next;
  } else if (cache->pages_used < cache->page_count) {
    page = ++cache->pages_used;
    cache->pages[page - 1] = (key_page){0};
  }
  return page;
}

void sm_keycache_disown(sigmill_keycache *cache, uint32_t table) {
  key_page *page = &cache->pages[table - 1];
  if (page->owner != 0) {
    keycache_entry(cache, page->owner)->table = 0;
    page->owner = 0;
    cache->counts.tables--;
    cache->counts.evicted_tables++;
  }
}

void sm_keycache_own(sigmill_keycache *cache, uint32_t entry, uint32_t table) {
  keycache_entry(cache, entry)->table = table;
  cache->pages[table - 1].owner = entry;
  cache->counts.tables++;
}

void sm_keycache_unpin(sigmill_keycache *cache, uint32_t table) {
  key_page *page = &cache->pages[table - 1];
  CHECK(page->pins > 0);
  page->pins--;
  if (page->pins == 0 && page->owner == 0) {
    set_free(cache, table);
  }
}

/* While no page is unused: the least used table of the next `looks` ones that nobody has
 * pinned, and how much it is used; or 0. */
static uint32_t least_used(sigmill_keycache *cache, uint32_t *uses, uint32_t looks) {
  uint32_t table = 0;
  *uses = UINT32_MAX;
  for (uint32_t i = 0; i < at_most(looks, cache->page_count); i++) {
    const key_page *page = &cache->pages[cache->table_hand];
    if (page->pins == 0) { /* and so it has an owner */
      uint32_t its = uses_now(cache, keycache_entry(cache, page->owner));
      if (its < *uses) {
        table = cache->table_hand + 1;
        *uses = its;
      }
    }
    cache->table_hand = (cache->table_hand + 1) % cache->page_count;
  }
  return table;
}

/* ---------------------------------------------------------------- places */

static void drop(sigmill_keycache *cache, uint32_t number) {
  key_entry *entry = keycache_entry(cache, number);
  uint32_t table = entry->table;
  *link_to(cache, number) = entry->next;
  if (table != 0) {
    sm_keycache_disown(cache, table);
    if (cache->pages[table - 1].pins == 0) {
      set_free(cache, table);
    }
  }
  cache->counts.keys--;
  cache->counts.evicted_keys++;
}

static void move(sigmill_keycache *cache, uint32_t to, uint32_t from) {
  key_entry *entry = keycache_entry(cache, to);
  *link_to(cache, from) = to;
  *entry = *keycache_entry(cache, from);
  if (entry->table != 0) {
    cache->pages[entry->table - 1].owner = to;
  }
}

/* The ghosts among which this key's is. */
static uint32_t *ghosts_of(const sigmill_keycache *cache, uint64_t hash) {
  uint64_t sets = cache->bucket_count / GHOSTS;
  return &cache->ghosts[((hash >> 32) * sets >> 32) * GHOSTS];
}

/* The half of the hash that has chosen no place; not 0. */
static uint32_t tag_of(uint64_t hash) {
  return (uint32_t)hash | 1;
}

/* Any of its set makes room: were it the oldest, keys that come in turn and are more than
 * there are ghosts would never find theirs. */
static void add_ghost(sigmill_keycache *cache, uint64_t hash) {
  ghosts_of(cache, hash)[cache->counts.evicted_keys % GHOSTS] = tag_of(hash);
}

static bool has_ghost(const sigmill_keycache *cache, uint64_t hash) {
  const uint32_t *ghosts = ghosts_of(cache, hash);
  bool found = false;
  for (int i = 0; i < GHOSTS; i++) {
    found |= ghosts[i] == tag_of(hash);
  }
  return found;
}

static void lend(sigmill_keycache *cache, uint32_t page) {
  cache->pages[page - 1].pins = 1;
  cache->lent[cache->lent_count++] = page;
  cache->main += PAGE_ENTRIES;
}

/* Is there an empty place in the main part, in a page that nobody has if need be? */
static bool main_has_room(sigmill_keycache *cache) {
  uint32_t page = 0;
  if (cache->main_used == cache->main && (page = unused_page(cache)) != 0) {
    lend(cache, page);
  }
  return cache->main_used < cache->main;
}

/* The same, in the page of a table that has long been of no use if need be. */
static bool main_finds_room(sigmill_keycache *cache) {
  uint32_t uses;
  if (!main_has_room(cache)) {
    uint32_t table = least_used(cache, &uses, 1);
    if (table != 0 && uses == 0) {
      sm_keycache_disown(cache, table);
      lend(cache, table);
    }
  }
  return cache->main_used < cache->main;
}

/* A place of the main part, all of which are taken, made empty.  The hand passes no more
 * than SWEEP entries, so that nobody holds the lock for long; the least found of them
 * goes. */
static uint32_t swept_place(sigmill_keycache *cache) {
  uint32_t victim = 0, fewest = AGAIN_MOST + 1;
  for (int i = 0; i < SWEEP && fewest > 0; i++) {
    uint32_t number = cache->ring + 1 + cache->main_hand;
    key_entry *entry = keycache_entry(cache, number);
    if (entry->again < fewest) {
      victim = number;
      fewest = entry->again;
    }
    entry->again = (uint8_t)(entry->again - (entry->again > 0));
    cache->main_hand = (cache->main_hand + 1) % cache->main;
  }
  drop(cache, victim);
  return victim;
}

static uint32_t main_place(sigmill_keycache *cache) {
  return main_finds_room(cache) ? cache->ring + ++cache->main_used : swept_place(cache);
}

static uint32_t ring_place(sigmill_keycache *cache) {
  if (cache->ring_used < cache->ring) {
    return ++cache->ring_used;
  }
  uint32_t number = 1 + cache->ring_hand;
  key_entry *oldest = keycache_entry(cache, number);
  cache->ring_hand = (cache->ring_hand + 1) % cache->ring;
  if (oldest->again > 0 || main_has_room(cache)) {
    uint32_t to = main_place(cache);
    move(cache, to, number);
    keycache_entry(cache, to)->again = 0;
  } else {
    add_ghost(cache, oldest->hash);
    drop(cache, number);
  }
  return number;
}

void sm_keycache_insert(sigmill_keycache *cache, uint64_t hash, const p256_point *point) {
  uint32_t number = has_ghost(cache, hash) ? main_place(cache) : ring_place(cache);
  uint32_t *bucket = &cache->buckets[place_of(cache, hash)];
  *keycache_entry(cache, number) = (key_entry){
      .point = *point, .hash = hash, .next = *bucket, .epoch = epoch_now(cache)};
  *bucket = number;
  cache->counts.keys++;
}

/* ---------------------------------------------------------------- tables */

/* The page lent last, or 0.  The main part is full, or that page would not be lent; those
 * of its entries that were found of late or have a table take the places of others. */
static uint32_t take_back(sigmill_keycache *cache) {
  if (cache->lent_count == 0) {
    return 0;
  }
  const uint32_t last = cache->ring + cache->main_used;
  cache->main -= PAGE_ENTRIES;
  cache->main_used = cache->main;
  cache->main_hand %= cache->main;
  for (uint32_t number = cache->ring + cache->main + 1; number <= last; number++) {
    const key_entry *entry = keycache_entry(cache, number);
    if (entry->again > 0 || entry->table != 0) {
      move(cache, swept_place(cache), number);
    } else {
      drop(cache, number);
    }
  }
  return cache->lent[--cache->lent_count];
}

uint32_t sm_keycache_reserve(sigmill_keycache *cache, uint32_t uses) {
  uint32_t table = unused_page(cache), fewest;
  if (table == 0) {
    table = take_back(cache);
  }
  if (table == 0) {
    table = least_used(cache, &fewest, LOOKS);
    if (table != 0 && uses < 2 * fewest + PLAN_TABLE_USES) {
      table = 0;
    }
  }
  if (table != 0) {
    cache->pages[table - 1].pins = 1;
  }
  return table;
}
