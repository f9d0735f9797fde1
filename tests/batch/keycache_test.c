/* The key cache on one thread: points as the parser gives them, which keys stay and which
 * get a table, what is counted. */
#include "harness.h"
#include "keycache_frame.h"

#include "api_types.h"
#include "batch/plan_p256.h"
#include <stdlib.h>

/* A cache of n tables or a few more. */
static size_t bytes_for_tables(size_t n) {
  return (sizeof(p256_key_table) + 512) * n * 8 / 7 + 4096;
}

/* ---------------------------------------------------------------- reading */

enum { ENCODINGS = 400 };
static uint8_t encodings[ENCODINGS][33];

static void set_encoding(uint8_t out[33], uint8_t prefix, const u256 *x) {
  out[0] = prefix;
  u256_to_be(out + 1, x);
}

static bool is_good(const uint8_t encoding[33]) {
  sigmill_p256_pubkey key;
  return sigmill_p256_pubkey_parse(&key, encoding, 33) == SIGMILL_OK;
}

static void make_encodings(void) {
  size_t n = 0;
  /* Around 0 and p, where x and x + p are easily taken for the same. */
  for (uint64_t more = 0; more < 20; more++) {
    const u256 small = {{more}};
    u256 x;
    u256_add(&x, &sm_p256_prime, &small);
    set_encoding(encodings[n++], 2, &small);
    set_encoding(encodings[n++], 3, &small);
    set_encoding(encodings[n++], 2, &x);
    set_encoding(encodings[n++], 3, &x);
    u256_sub(&x, &sm_p256_prime, &small);
    set_encoding(encodings[n++], 3, &x);
  }
  for (int prefix = 0; prefix < 256; prefix += prefix < 8 ? 1 : 31) {
    test_random_bytes(encodings[n], 33);
    do {
      encodings[n][32]++;
      encodings[n][0] = 2;
    } while (!is_good(encodings[n]));
    encodings[n++][0] = (uint8_t)prefix;
  }
  while (n < ENCODINGS) {
    test_random_bytes(encodings[n], 33);
    if (test_random_u64() % 8 != 0) {
      encodings[n][0] = 2 | (encodings[n][0] & 1);
    }
    n++;
    if (n < ENCODINGS && test_random_u64() % 4 == 0) { /* the opposite point, or a copy */
      memcpy(encodings[n], encodings[n - 1], 33);
      encodings[n][0] ^= test_random_u64() & 1;
      n++;
    }
  }
  memset(encodings[n - 1], 0xff, 33);
}

static void expect_as_parsed(const keycache_p256_keys *keys, size_t i,
                             const uint8_t encoding[33]) {
  sigmill_p256_pubkey key;
  p256_point point;
  bool good = sigmill_p256_pubkey_parse(&key, encoding, 33) == SIGMILL_OK;
  pubkey_get(&point, &key);
  EXPECT(keys->read[i] == good, "read: %d", keys->read[i]);
  EXPECT(memcmp(&keys->point[i], &point, sizeof point) == 0, "the point, good: %d", good);
  EXPECT(keys->table[i] == NULL || (good && is_table_of(keys->table[i], &point)),
         "the table");
}

static void reads_as_the_parser(void) {
  static const size_t sizes[] = {SIGMILL_KEYCACHE_MIN, 40000, 1 << 20};
  for (size_t s = 0; s < 6; s++) {
    sigmill_keycache *cache = new_cache(sizes[s % 3], s < 3 ? write_tables : NULL);
    for (int round = 0; round < 300; round++) {
      uint8_t sec1[LANES_P256_CHUNK][33], wanted[LANES_P256_CHUNK];
      keycache_p256_keys keys;
      size_t count = (size_t)round % (LANES_P256_CHUNK + 1);
      for (size_t i = 0; i < count; i++) {
        size_t most = round % 3 == 0 ? 130 : ENCODINGS;
        memcpy(sec1[i], encodings[test_random_u64() % most], 33);
        wanted[i] = test_random_u64() & 1;
      }
      memset(&keys, 0x5a, sizeof keys);
      sm_keycache_read33_vt(&keys, cache, sec1[0], round % 2 ? wanted : NULL, count);
      for (size_t i = 0; i < count; i++) {
        expect_as_parsed(&keys, i, sec1[i]);
        EXPECT(keys.table[i] == NULL || round % 2, "a table nobody wanted");
      }
      sm_keycache_release(cache, &keys);
    }
    expect_sound(cache, 0, "after reading");
    sm_keycache_destroy(cache);
  }
}

/* Points and encodings are the same keys; opposite points are not. */
static void points_and_encodings_meet(void) {
  sigmill_keycache *cache = new_cache(1 << 20, NULL);
  keycache_p256_keys keys;
  p256_point point;
  const p256_point *pointer = &point;
  uint8_t sec1[33], opposite[33];
  sigmill_p256_pubkey key;
  size_t good = 0;
  for (size_t i = 0; i < ENCODINGS && good < 20; i++) {
    if (encodings[i][1] == 0 ||
        sigmill_p256_pubkey_parse(&key, encodings[i], 33) != SIGMILL_OK) {
      continue;
    }
    pubkey_get(&point, &key);
    memcpy(sec1, encodings[i], 33);
    memcpy(opposite, sec1, 33);
    opposite[0] ^= 1;
    sigmill_keycache_count before = counts_of(cache);
    sm_keycache_points_vt(&keys, cache, &pointer, NULL, 1);
    sm_keycache_read33_vt(&keys, cache, sec1, NULL, 1);
    expect_as_parsed(&keys, 0, sec1);
    sigmill_keycache_count after = counts_of(cache);
    EXPECT(after.hits >= before.hits + 1, "the encoding finds the point");
    before = after;
    sm_keycache_read33_vt(&keys, cache, opposite, NULL, 1);
    expect_as_parsed(&keys, 0, opposite);
    good++;
  }
  EXPECT(good == 20, "%zu points", good);
  pointer = NULL;
  memset(&keys, 0x5a, sizeof keys);
  sm_keycache_points_vt(&keys, cache, &pointer, NULL, 1);
  EXPECT(keys.read[0] == 0 && test_all_zero(&keys.point[0], sizeof keys.point[0]) &&
             keys.table[0] == NULL,
         "no point");
  sm_keycache_destroy(cache);
}

/* Keys whose hashes are the same are told apart. */
static void equal_hashes(void) {
  sigmill_keycache *cache = new_cache(SIGMILL_KEYCACHE_MIN, NULL);
  const uint64_t hash = test_random_u64();
  p256_point points[3] = {made_up(1), made_up(1), made_up(2)};
  points[1].y.v[0] ^= 1;
  for (size_t i = 0; i < 3; i++) {
    EXPECT(sm_keycache_find(cache, hash, &points[i].x, points[i].y.v[0] & 1) == 0,
           "key %zu is not there", i);
    sm_keycache_insert(cache, hash, &points[i]);
  }
  for (size_t i = 0; i < 3; i++) {
    uint32_t found = sm_keycache_find(cache, hash, &points[i].x, points[i].y.v[0] & 1);
    EXPECT(found != 0 && memcmp(&keycache_entry(cache, found)->point, &points[i],
                                sizeof points[i]) == 0,
           "key %zu", i);
  }
  expect_sound(cache, 0, "equal hashes");
  sm_keycache_destroy(cache);
}

/* ---------------------------------------------------------------- counts */

/* With room for all: a key misses once, then hits; an unreadable one always misses. */
static void counts_are_right(void) {
  sigmill_keycache *cache = new_cache(4 << 20, NULL);
  bool there[ENCODINGS] = {false};
  uint64_t hits = 0, misses = 0;
  size_t known = 0;
  keycache_p256_keys keys;
  for (int round = 0; round < 200; round++) {
    uint8_t sec1[LANES_P256_CHUNK][33];
    size_t which[LANES_P256_CHUNK], count = test_random_u64() % (LANES_P256_CHUNK + 1);
    for (size_t i = 0; i < count; i++) {
      which[i] = test_random_u64() % ENCODINGS;
      memcpy(sec1[i], encodings[which[i]], 33);
    }
    sm_keycache_read33_vt(&keys, cache, sec1[0], NULL, count);
    for (size_t i = 0; i < count; i++) {
      bool old = false;
      for (size_t k = 0; k < ENCODINGS; k++) {
        old |= there[k] && memcmp(encodings[k], encodings[which[i]], 33) == 0;
      }
      hits += old;
      misses += !old;
      if (!old && keys.read[i]) {
        there[which[i]] = true;
        known++;
      }
    }
    sigmill_keycache_count counts = counts_of(cache);
    EXPECT(counts.hits == hits && counts.misses == misses && counts.keys == known,
           "%llu hits of %llu, %llu misses of %llu, %zu keys of %zu",
           (unsigned long long)counts.hits, (unsigned long long)hits,
           (unsigned long long)counts.misses, (unsigned long long)misses, counts.keys,
           known);
    EXPECT(counts.evicted_keys == 0 && counts.tables == 0 && counts.tables_made == 0 &&
               counts.table_hits == 0 && counts.max_bytes == 4 << 20,
           "the other counts");
  }
  expect_sound(cache, 0, "after counting");
  sm_keycache_destroy(cache);
}

/* ---------------------------------------------------------------- tables */

/* Alone, a key gets its table with the use that pays for a whole group. */
static void one_key_gets_its_table(void) {
  sigmill_keycache *cache = new_cache(1 << 20, write_tables);
  uint64_t number = 1, other = 2;
  for (int use = 1; use <= PLAN_TABLE_GROUP_USES + 5; use++) {
    for (int k = 0; k < 10; k++) { /* of no use for a table: not counted */
      EXPECT(look_up(cache, &other, 1, false) == 0, "not asked for");
    }
    EXPECT(look_up(cache, &number, 1, true) == (use >= PLAN_TABLE_GROUP_USES), "use %d",
           use);
    sigmill_keycache_count counts = counts_of(cache);
    EXPECT(counts.tables == (use >= PLAN_TABLE_GROUP_USES) &&
               counts.tables_made == counts.tables &&
               counts.table_hits == (use < PLAN_TABLE_GROUP_USES
                                         ? 0u
                                         : (unsigned)use - PLAN_TABLE_GROUP_USES + 1),
           "counts after use %d", use);
  }
  EXPECT(look_up(cache, &number, 1, false) == 0, "it has one, but nobody asks");
  sm_keycache_destroy(cache);
}

/* Together, eight keys share the cost; all items with the key use its table. */
static void eight_keys_get_their_tables(void) {
  sigmill_keycache *cache = new_cache(1 << 20, write_tables);
  uint64_t numbers[24];
  for (uint64_t i = 0; i < 24; i++) {
    numbers[i] = i % 8;
  }
  EXPECT(look_up(cache, numbers, 8, true) == 0, "first use");
  EXPECT(look_up(cache, numbers, 8, true) == 0, "second use");
  EXPECT(look_up(cache, numbers, 8, true) == 8, "third use");
  sigmill_keycache *second = new_cache(1 << 20, write_tables);
  EXPECT(look_up(second, numbers, 24, true) == 24, "three uses in one call");
  EXPECT(counts_of(second).tables == 8 && counts_of(second).table_hits == 24 &&
             counts_of(second).misses == 8 && counts_of(second).hits == 16,
         "counts");
  expect_sound(second, 0, "eight tables");
  sm_keycache_destroy(second);
  sm_keycache_destroy(cache);
}

/* As many equally used keys as twice the tables: tables do not change hands for ever. */
static void equal_keys_do_not_chase_each_other(void) {
  sigmill_keycache *cache = new_cache(bytes_for_tables(50), write_tables);
  uint64_t numbers[LANES_P256_CHUNK], rounds = 400;
  for (uint64_t round = 0; round < rounds; round++) {
    for (uint64_t first = 0; first < 100; first += 50) {
      for (uint64_t i = 0; i < 50; i++) {
        numbers[i] = first + i;
      }
      (void)look_up(cache, numbers, 50, true);
    }
  }
  sigmill_keycache_count counts = counts_of(cache);
  EXPECT(counts.tables_made < 2 * counts.tables && counts.tables >= 50,
         "%llu tables made for %zu", (unsigned long long)counts.tables_made,
         counts.tables);
  EXPECT(counts.table_hits > 45 * rounds, "%llu uses of a table",
         (unsigned long long)counts.table_hits);
  expect_sound(cache, 0, "equal keys");
  sm_keycache_destroy(cache);
}

/* Tables follow the keys that are used now. */
static void tables_change_hands(void) {
  sigmill_keycache *cache = new_cache(bytes_for_tables(50), write_tables);
  uint64_t numbers[40];
  for (uint64_t era = 0; era < 4; era++) {
    size_t had = 0;
    for (uint64_t i = 0; i < 40; i++) {
      numbers[i] = era % 3 * 40 + i; /* the first ones a second time, too */
    }
    for (int round = 0; round < 2000; round++) {
      had = look_up(cache, numbers, 40, true);
    }
    EXPECT(had == 40, "era %d: %zu tables", (int)era, had);
  }
  expect_sound(cache, 0, "eras");
  sm_keycache_destroy(cache);
}

/* ---------------------------------------------------------------- which keys stay */

enum { HOT = 50, SCANNED = 100000 };

static void hot_round(sigmill_keycache *cache, size_t expected_tables, const char *what) {
  uint64_t numbers[HOT];
  for (uint64_t i = 0; i < HOT; i++) {
    numbers[i] = i;
  }
  uint64_t hits = counts_of(cache).hits;
  size_t tables = look_up(cache, numbers, HOT, true);
  EXPECT(tables >= expected_tables, "%s: %zu tables", what, tables);
  EXPECT(expected_tables == 0 || counts_of(cache).hits == hits + HOT, "%s: %llu hits",
         what, (unsigned long long)(counts_of(cache).hits - hits));
}

/* Keys that come once drive out none that came often, which meanwhile do not come. */
static void a_scan_leaves_hot_keys(void) {
  sigmill_keycache *cache = new_cache(bytes_for_tables(60), write_tables);
  uint64_t numbers[LANES_P256_CHUNK], next = 1000;
  /* The two beside six full groups get theirs when they alone pay for a group. */
  for (int use = 1; use <= PLAN_TABLE_GROUP_USES; use++) {
    hot_round(cache, 2 * use < PLAN_TABLE_GROUP_USES ? 0 : HOT, "before");
    for (size_t i = 0; i < LANES_P256_CHUNK; i++) {
      numbers[i] = next++;
    }
    (void)look_up(cache, numbers, LANES_P256_CHUNK, true);
  }
  sigmill_keycache_count before = counts_of(cache);
  while (next < 1000 + SCANNED) {
    for (size_t i = 0; i < LANES_P256_CHUNK; i++) {
      numbers[i] = next++;
    }
    EXPECT(look_up(cache, numbers, LANES_P256_CHUNK, true) == 0, "a table for a scan");
  }
  sigmill_keycache_count after = counts_of(cache);
  EXPECT(after.evicted_keys > SCANNED * 9 / 10 && after.tables_made == before.tables_made,
         "the scan went through: %llu evicted, %llu tables made",
         (unsigned long long)after.evicted_keys, (unsigned long long)after.tables_made);
  hot_round(cache, HOT, "after");
  expect_sound(cache, 0, "a scan");
  sm_keycache_destroy(cache);
}

/* A cache of the least recently used keys, as a model: how many of these it finds. */
static size_t lru_hits(const uint64_t *numbers, size_t count, size_t room) {
  uint64_t *kept = calloc(room, sizeof *kept);
  size_t used = 0, hits = 0;
  if (kept == NULL) {
    abort();
  }
  for (size_t i = 0; i < count; i++) {
    size_t at = 0;
    while (at < used && kept[at] != numbers[i]) {
      at++;
    }
    hits += at < used;
    used += at == used && used < room;
    at = at < used ? at : used - 1;
    memmove(kept + 1, kept, at * sizeof *kept);
    kept[0] = numbers[i];
  }
  free(kept);
  return hits;
}

/* Keys that come in proportion to 1/k: at least as many are found as by the least
 * recently used rule in the same number of places. */
static void better_than_least_recently_used(void) {
  enum { COUNT = 60000, DIFFERENT = 5000 };
  uint64_t *numbers = calloc(COUNT, sizeof *numbers);
  double sum = 0, *upto = calloc(DIFFERENT, sizeof *upto);
  sigmill_keycache *cache = new_cache(64 << 10, NULL);
  if (numbers == NULL || upto == NULL) {
    abort();
  }
  for (size_t k = 0; k < DIFFERENT; k++) {
    upto[k] = sum += 1.0 / (double)(k + 1);
  }
  for (size_t i = 0; i < COUNT; i++) {
    double at = (double)(test_random_u64() >> 11) * 0x1p-53 * sum;
    while (numbers[i] + 1 < DIFFERENT && upto[numbers[i]] < at) {
      numbers[i]++;
    }
    (void)look_up(cache, &numbers[i], 1, false);
  }
  sigmill_keycache_count counts = counts_of(cache);
  size_t model = lru_hits(numbers, COUNT, cache->ring + cache->main);
  EXPECT(counts.keys == cache->ring + cache->main, "%zu keys", counts.keys);
  EXPECT(counts.hits >= model, "%llu hits, by the model %zu",
         (unsigned long long)counts.hits, model);
  expect_sound(cache, 0, "many keys");
  sm_keycache_destroy(cache);
  free(upto);
  free(numbers);
}

/* A key thrown out of the ring that comes back enters the main part. */
static void ghosts_come_back(void) {
  sigmill_keycache *cache = new_cache(SIGMILL_KEYCACHE_MIN, NULL);
  uint64_t number = 0, places = cache->own + cache->page_count * PAGE_ENTRIES;
  for (; number < 2 * places; number++) { /* fill up, and throw out */
    (void)look_up(cache, &number, 1, false);
  }
  uint64_t back = 2 * places - 1 - cache->ring; /* thrown out last */
  uint64_t misses = counts_of(cache).misses;
  (void)look_up(cache, &back, 1, false);
  EXPECT(counts_of(cache).misses == misses + 1, "it was thrown out");
  for (uint64_t i = 0; i < 20 * places; i++) {
    number++;
    (void)look_up(cache, &number, 1, false);
  }
  uint64_t hits = counts_of(cache).hits;
  (void)look_up(cache, &back, 1, false);
  EXPECT(counts_of(cache).hits == hits + 1, "it stays");
  sm_keycache_destroy(cache);
}

/* ---------------------------------------------------------------- pages */

/* Looks up the numbers from first to last, in chunks. */
static void look_up_all(sigmill_keycache *cache, uint64_t first, uint64_t last,
                        bool ordinary) {
  uint64_t numbers[LANES_P256_CHUNK] = {0};
  while (first <= last) {
    size_t count = 0;
    while (count < LANES_P256_CHUNK && first <= last) {
      numbers[count++] = first++;
    }
    (void)look_up(cache, numbers, count, ordinary);
  }
}

/* Points fill the memory while nobody wants tables; tables take it from them, hardly
 * from keys found of late; and what tables do not use any more goes back to points. */
static void memory_goes_where_it_is_needed(void) {
  sigmill_keycache *cache = new_cache(bytes_for_tables(20), write_tables);
  const size_t most = cache->own + (size_t)cache->page_count * PAGE_ENTRIES;
  const uint64_t few = cache->own / 2;
  look_up_all(cache, 1, most, false);
  look_up_all(cache, 1, most, false);
  expect_sound(cache, 0, "points alone");
  EXPECT(counts_of(cache).keys == most && counts_of(cache).evicted_keys == 0,
         "%zu keys of %zu", counts_of(cache).keys, most);

  look_up_all(cache, most + 1, 2 * most, false); /* more than there is room for, twice */
  look_up_all(cache, most + 1, 2 * most, false);
  expect_sound(cache, 0, "too many points");
  cache->main_hand = cache->main - 1;
  for (int round = 0; round < 4; round++) { /* few keys often, and tables for others */
    look_up_all(cache, most - few, most, false);
  }
  for (int round = 0; round < 30; round++) {
    look_up_all(cache, 3 * most, 3 * most + cache->page_count - 1, true);
    expect_sound(cache, 0, "tables come");
  }
  EXPECT(counts_of(cache).tables == cache->page_count &&
             counts_of(cache).keys == cache->own,
         "%zu tables, %zu keys", counts_of(cache).tables, counts_of(cache).keys);
  uint64_t misses = counts_of(cache).misses;
  look_up_all(cache, most - few, most, false);
  EXPECT(counts_of(cache).misses - misses <= few / 4, "%llu of %llu found of late lost",
         (unsigned long long)(counts_of(cache).misses - misses), (unsigned long long)few);

  for (int round = 0; round < 80; round++) { /* the same keys, but no tables */
    for (uint64_t first = 1; first <= most; first += LANES_P256_CHUNK) {
      look_up_all(cache, first, first + LANES_P256_CHUNK - 1, false);
      look_up_all(cache, 3 * most, 3 * most + cache->page_count - 1, false);
    }
  }
  expect_sound(cache, 0, "points again");
  EXPECT(counts_of(cache).tables == 0 && counts_of(cache).keys == most,
         "%zu tables, %zu keys", counts_of(cache).tables, counts_of(cache).keys);
  sm_keycache_destroy(cache);
}

/* ---------------------------------------------------------------- pins */

/* All tables are held; others do without, and the keys may go, but not the tables. */
static void held_tables_stay(void) {
  sigmill_keycache *cache = new_cache(bytes_for_tables(8), write_tables);
  uint64_t numbers[LANES_P256_CHUNK], number;
  p256_point point;
  keycache_p256_keys held;
  size_t tables = cache->page_count;
  for (int run = 0; run < 20; run++) {
    for (uint64_t i = 0; i < tables; i++) {
      numbers[i] = (uint64_t)run * 1000 + i;
    }
    /* As often as it takes to be used twice as much as the last run's keys. */
    while (look_up_and_hold(&held, cache, numbers, tables, true) < tables) {
      sm_keycache_release(cache, &held);
    }
    expect_sound(cache, tables, "held");
    for (int often = 0; often < 2000;
         often++) { /* keys that come again, and more often */
      number = (uint64_t)run * 1000 + 500 + (uint64_t)often % 100;
      EXPECT(look_up(cache, &number, 1, true) == 0, "a table where all are held");
    }
    expect_sound(cache, tables, "held, and keys gone");
    for (uint64_t i = 0; i < tables; i++) {
      point = made_up(numbers[i]);
      EXPECT(is_table_of(held.table[i], &point), "table %d as it was", (int)i);
    }
    sm_keycache_release(cache, &held);
    expect_sound(cache, 0, "let go");
    EXPECT(held.pinned_count == 0, "nothing is held");
  }
  EXPECT(counts_of(cache).evicted_tables > 0, "keys with tables were thrown out");
  sm_keycache_destroy(cache);
}

/* Several hold the same table. */
static void a_table_is_held_twice(void) {
  sigmill_keycache *cache = new_cache(SIGMILL_KEYCACHE_MIN, write_tables);
  uint64_t number = 1;
  keycache_p256_keys first, second;
  while (look_up(cache, &number, 1, true) == 0) {
  }
  EXPECT(look_up_and_hold(&first, cache, &number, 1, true) == 1, "first");
  EXPECT(look_up_and_hold(&second, cache, &number, 1, true) == 1, "second");
  EXPECT(first.table[0] == second.table[0], "the same table");
  expect_sound(cache, 2, "held twice");
  sm_keycache_release(cache, &first);
  expect_sound(cache, 1, "held once");
  sm_keycache_release(cache, &first); /* holds nothing any more */
  expect_sound(cache, 1, "held once, still");
  sm_keycache_release(cache, &second);
  expect_sound(cache, 0, "not held");
  sm_keycache_destroy(cache);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  make_encodings();
  RUN(reads_as_the_parser);
  RUN(points_and_encodings_meet);
  RUN(equal_hashes);
  RUN(counts_are_right);
  RUN(one_key_gets_its_table);
  RUN(eight_keys_get_their_tables);
  RUN(equal_keys_do_not_chase_each_other);
  RUN(tables_change_hands);
  RUN(a_scan_leaves_hot_keys);
  RUN(better_than_least_recently_used);
  RUN(ghosts_come_back);
  RUN(memory_goes_where_it_is_needed);
  RUN(held_tables_stay);
  RUN(a_table_is_held_twice);
  return test_end();
}
