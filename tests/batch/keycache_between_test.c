/* The key cache lets go of its lock to read keys and to make tables.  Here other calls
 * come in just then: on the same thread, from within sm_lift_p256_vt, where the linker
 * leads it, and from within the making of tables. */
#include "harness.h"
#include "keycache_frame.h"

#include "api_types.h"
#include "batch/lift_p256.h"
#include "batch/plan_p256.h"

/* What comes in once, and how often it has. */
static sigmill_keycache *cache;
static void (*between)(void);
static size_t came_in, lifted, made;

static void let_in(void) {
  void (*call)(void) = between;
  between = NULL;
  if (call != NULL) {
    came_in++;
    call();
  }
}

void __real_sm_lift_p256_vt(p256_point *out, uint8_t *found, const u256 *x,
                            const uint8_t *y_odd, size_t count);
void __wrap_sm_lift_p256_vt(p256_point *out, uint8_t *found, const u256 *x,
                            const uint8_t *y_odd, size_t count);

void __wrap_sm_lift_p256_vt(p256_point *out, uint8_t *found, const u256 *x,
                            const uint8_t *y_odd, size_t count) {
  lifted += count;
  __real_sm_lift_p256_vt(out, found, x, y_odd, count);
  let_in();
}

static void write_tables_in_between(p256_key_table *const *out, const p256_point *keys,
                                    size_t count) {
  made += count;
  let_in();
  write_tables(out, keys, count);
}

static void begin(size_t max_bytes, void (*call)(void)) {
  cache = new_cache(max_bytes, write_tables_in_between);
  between = call;
  came_in = lifted = made = 0;
}

static void end(const char *what) {
  EXPECT(came_in == 1, "%s: %zu came in", what, came_in);
  expect_sound(cache, 0, what);
  sm_keycache_destroy(cache);
}

/* ---------------------------------------------------------------- keys */

static uint8_t encodings[LANES_P256_CHUNK][33];
static p256_point points[LANES_P256_CHUNK];

static void make_keys(void) {
  for (size_t i = 0; i < LANES_P256_CHUNK; i++) {
    sigmill_p256_pubkey key;
    do {
      test_random_bytes(encodings[i], 33);
      encodings[i][0] = 2 | (encodings[i][0] & 1);
    } while (sigmill_p256_pubkey_parse(&key, encodings[i], 33) != SIGMILL_OK);
    pubkey_get(&points[i], &key);
  }
}

static void read_all(void) {
  keycache_p256_keys keys;
  sm_keycache_read33_vt(&keys, cache, encodings[0], NULL, LANES_P256_CHUNK);
  for (size_t i = 0; i < LANES_P256_CHUNK; i++) {
    EXPECT(keys.read[i] == 1 && memcmp(&keys.point[i], &points[i], sizeof points[i]) == 0,
           "key %zu", i);
  }
  sm_keycache_release(cache, &keys);
}

/* Two calls miss the same keys, and both put them in. */
static void missed_by_two(void) {
  begin(1 << 20, read_all);
  read_all();
  sigmill_keycache_count counts = counts_of(cache);
  EXPECT(counts.keys == LANES_P256_CHUNK && counts.misses == 2 * LANES_P256_CHUNK &&
             counts.hits == 0 && lifted == 2 * LANES_P256_CHUNK,
         "%zu keys, %zu lifted", counts.keys, lifted);
  read_all();
  EXPECT(lifted == 2 * LANES_P256_CHUNK, "they are there");
  end("missed by two");
}

/* ---------------------------------------------------------------- tables */

static uint64_t numbers[LANES_P256_CHUNK];

/* All items have the same key, more than enough for a table. */
static void use_often(void) {
  (void)look_up(cache, numbers, LANES_P256_CHUNK, true);
}

/* While a table is being made nobody else makes it. */
static void made_once(void) {
  begin(1 << 20, use_often);
  use_often();
  EXPECT(made == 1 && counts_of(cache).tables == 1, "%zu made", made);
  end("made once");
}

/* The key goes; the table serves the call that made it. */
static void drive_out(void) {
  for (uint64_t number = 1000; number < 4000; number++) {
    uint64_t twice[2] = {number, number - 3};
    (void)look_up(cache, twice, 2, false);
  }
}

static void owner_goes(void) {
  keycache_p256_keys held;
  begin(SIGMILL_KEYCACHE_MIN, drive_out);
  EXPECT(look_up_and_hold(&held, cache, numbers, LANES_P256_CHUNK, true) ==
             LANES_P256_CHUNK,
         "a table");
  EXPECT(counts_of(cache).tables == 0, "without an owner");
  expect_sound(cache, 1, "held without an owner");
  sm_keycache_release(cache, &held);
  end("owner goes");
}

/* The key goes, comes back and gets another table. */
static void drive_out_and_back(void) {
  drive_out();
  use_often();
}

static void owner_comes_back(void) {
  begin(64 << 10, drive_out_and_back);
  use_often();
  EXPECT(made == 2 && counts_of(cache).tables == 1, "%zu made", made);
  end("owner comes back");
}

/* A key whose table was made once can get one again. */
static void made_again(void) {
  begin(SIGMILL_KEYCACHE_MIN, drive_out);
  for (size_t run = 1; run < 4; run++) {
    use_often();
    EXPECT(made == run, "%zu made", made);
    drive_out();
  }
  end("made again");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  (void)sm_backend(); /* settled, self-test and all, before anything comes in */
  make_keys();
  RUN(missed_by_two);
  RUN(made_once);
  RUN(owner_goes);
  RUN(owner_comes_back);
  RUN(made_again);
  return test_end();
}
