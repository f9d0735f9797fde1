/* The memory of a key cache: what it asks for, what it touches, and what happens where
 * there is none: the linker leads malloc, free and sm_random_bytes here. */
#include "harness.h"
#include "keycache_frame.h"

#include "base/random.h"
#include <stdlib.h>

enum { FENCE = 4096, FENCE_BYTE = 0xc3 };

/* Allocations under watch lie between two fences, at an address that is a multiple of 16
 * and no more. */
static bool watching, no_memory, no_randomness;
static size_t asked_for, allocations, frees, draws;
static uint8_t *block;

void *__real_malloc(size_t size);
void __real_free(void *ptr);
bool __real_sm_random_bytes(void *out, size_t len);
void *__wrap_malloc(size_t size);
void __wrap_free(void *ptr);
bool __wrap_sm_random_bytes(void *out, size_t len);

void *__wrap_malloc(size_t size) {
  if (!watching) {
    return __real_malloc(size);
  }
  allocations++;
  asked_for = size;
  block = no_memory ? NULL : __real_malloc(size + 2 * FENCE + 64);
  if (block == NULL) {
    return NULL;
  }
  memset(block, FENCE_BYTE, size + 2 * FENCE + 64);
  return block + FENCE + (16 - (uintptr_t)block % 64) % 64;
}

void __wrap_free(void *ptr) {
  if (watching && ptr != NULL) {
    frees++;
    ptr = block;
  }
  __real_free(ptr);
}

bool __wrap_sm_random_bytes(void *out, size_t len) {
  draws++;
  return no_randomness ? (memset(out, 0, len), false) : __real_sm_random_bytes(out, len);
}

static void watch(void) {
  watching = true;
  no_memory = no_randomness = false;
  asked_for = allocations = frees = draws = 0;
}

/* Bytes of the fences that have changed. */
static size_t broken_fences(const void *memory) {
  const uint8_t *begin = memory, *end = begin + asked_for;
  size_t broken = 0;
  for (size_t i = 0; i < FENCE; i++) {
    broken += begin[-1 - (ptrdiff_t)i] != FENCE_BYTE;
    broken += end[i] != FENCE_BYTE;
  }
  return broken;
}

/* If all pages are lent. */
static size_t most_keys(const sigmill_keycache *cache) {
  return cache->own + (size_t)cache->page_count * PAGE_ENTRIES;
}

/* Uses all of a cache: more keys and tables than there is room for. */
static void use_up(sigmill_keycache *cache) {
  uint64_t numbers[LANES_P256_CHUNK], rooms = 3 * most_keys(cache);
  for (uint64_t first = 0; first < rooms; first += LANES_P256_CHUNK / 2) {
    for (uint64_t i = 0; i < LANES_P256_CHUNK; i++) { /* half of them a second time */
      numbers[i] = first + i;
    }
    for (int use = 0; use < 3; use++) {
      (void)look_up(cache, numbers, LANES_P256_CHUNK, true);
    }
  }
  for (uint64_t number = 0; number < 2 * cache->page_count + 8; number++) {
    for (uint64_t i = 0; i < LANES_P256_CHUNK; i++) { /* its uses pay for a table alone */
      numbers[i] = number;
    }
    (void)look_up(cache, numbers, LANES_P256_CHUNK, true);
  }
}

static void stays_in_its_bytes(void) {
  static const size_t sizes[] = {0, 1, 15, 33, 63, 64, 5000, 50000, 300001};
  for (size_t s = 0; s < 2 * (sizeof sizes / sizeof sizes[0]); s++) {
    size_t max_bytes = SIGMILL_KEYCACHE_MIN + sizes[s / 2];
    sigmill_keycache *cache = NULL;
    watch();
    EXPECT(sm_keycache_create(&cache, max_bytes, s % 2 ? write_tables : NULL) ==
                   SIGMILL_OK &&
               cache != NULL,
           "%zu bytes", max_bytes);
    EXPECT(allocations == 1 && asked_for <= max_bytes && draws == 1,
           "%zu allocations, %zu bytes of %zu, %zu draws", allocations, asked_for,
           max_bytes, draws);
    if (cache == NULL) {
      return;
    }
    use_up(cache);
    sigmill_keycache_count counts = counts_of(cache);
    EXPECT(allocations == 1 && frees == 0, "%zu allocations later", allocations);
    EXPECT(broken_fences(cache) == 0, "%zu bytes beyond", broken_fences(cache));
    EXPECT(counts.evicted_keys > 0, "nothing was thrown out");
    if (s % 2) {
      EXPECT(counts.tables == cache->page_count && counts.keys == cache->own,
             "%zu tables of %u, %zu keys", counts.tables, cache->page_count, counts.keys);
    } else {
      EXPECT(counts.tables == 0 && counts.keys == most_keys(cache), "%zu keys of %zu",
             counts.keys, most_keys(cache));
    }
    /* Nothing worth mentioning is left over, but what is too little for a page, and what
     * each page has beside entries. */
    size_t rest = asked_for - counts.bytes;
    EXPECT(counts.bytes <= asked_for &&
               rest < sizeof(p256_key_table) + 1024 + 16 * cache->page_count,
           "%zu bytes in use of %zu", counts.bytes, asked_for);
    sm_keycache_destroy(cache);
    EXPECT(frees == 1, "%zu frees", frees);
    watching = false;
  }
}

/* Every way in which the rest may be left over. */
static void every_size_fits(void) {
  for (size_t more = 0; more < 2 * sizeof(p256_key_table); more += 5) {
    sigmill_keycache *cache = NULL;
    watch();
    EXPECT(sm_keycache_create(&cache, SIGMILL_KEYCACHE_MIN + more, NULL) == SIGMILL_OK,
           "%zu bytes", SIGMILL_KEYCACHE_MIN + more);
    if (cache != NULL) {
      const uint8_t *end = (const uint8_t *)(cache->pages + cache->page_count);
      EXPECT(end <= (const uint8_t *)cache + asked_for && cache->page_count > 0,
             "%td bytes of %zu", end - (const uint8_t *)cache, asked_for);
    }
    sm_keycache_destroy(cache);
    watching = false;
  }
}

static void what_is_refused(void) {
  sigmill_keycache *cache = (sigmill_keycache *)&watching;
  watch();
  EXPECT(sigmill_keycache_create(NULL, 1 << 20) == SIGMILL_ERR_ARGUMENT, "no place");
  EXPECT(sigmill_keycache_create(&cache, 0) == SIGMILL_ERR_ARGUMENT && cache == NULL,
         "0");
  cache = (sigmill_keycache *)&watching;
  EXPECT(sigmill_keycache_create(&cache, SIGMILL_KEYCACHE_MIN - 1) ==
                 SIGMILL_ERR_ARGUMENT &&
             cache == NULL,
         "too little");
  EXPECT(allocations == 0, "%zu allocations for nothing", allocations);

  no_memory = true;
  cache = (sigmill_keycache *)&watching;
  EXPECT(sigmill_keycache_create(&cache, 1 << 20) == SIGMILL_ERR_MEMORY && cache == NULL,
         "no memory");
  EXPECT(allocations == 1 && frees == 0, "%zu allocations", allocations);

  watch();
  no_randomness = true;
  cache = (sigmill_keycache *)&watching;
  EXPECT(sigmill_keycache_create(&cache, 1 << 20) == SIGMILL_ERR_RANDOM && cache == NULL,
         "no randomness");
  EXPECT(allocations == frees, "%zu allocations, %zu frees", allocations, frees);

  watch();
  EXPECT(sigmill_keycache_create(&cache, SIGMILL_KEYCACHE_MIN) == SIGMILL_OK,
         "the least that goes");
  sigmill_keycache_destroy(cache);
  EXPECT(allocations == 1 && frees == 1, "%zu allocations, %zu frees", allocations,
         frees);
  sigmill_keycache_destroy(NULL);
  watching = false;
}

/* Two caches hash with different secrets. */
static void hashes_differ(void) {
  sigmill_keycache *a = new_cache(SIGMILL_KEYCACHE_MIN, NULL);
  sigmill_keycache *b = new_cache(SIGMILL_KEYCACHE_MIN, NULL);
  EXPECT(memcmp(a->hash_key, b->hash_key, sizeof a->hash_key) != 0 &&
             !test_all_zero(a->hash_key, sizeof a->hash_key),
         "secrets");
  sm_keycache_destroy(a);
  sm_keycache_destroy(b);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  (void)sigmill_backend_name(); /* settled before anything is watched */
  RUN(stays_in_its_bytes);
  RUN(every_size_fits);
  RUN(what_is_refused);
  RUN(hashes_differ);
  return test_end();
}
