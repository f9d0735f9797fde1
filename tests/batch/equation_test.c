/* Protects the common equation: it holds for any valid claims, however their points are
 * related, and fails if any claim does not hold; claims off the curve are set aside; all
 * of it in the memory it was given.  What holds comes from libcrypto. */
#include "batch/equation_p256.h"

#include "harness.h"
#include "scheme/samples.h"
#include <stdlib.h>
#include <string.h>

enum { HONEST = 260, GUARD_SIZE = 256 };
static const uint8_t GUARD = 0xc3;

static sample honest[HONEST], spoilt[HONEST]; /* 96 bytes */

static void make_pools(void) {
  for (size_t i = 0; i < HONEST; i++) {
    honest[i] = sample_off_by(ref_small(0), ref_random_scalar(), ref_random_scalar(),
                              SIGMILL_P256_FULL_R96);
    spoilt[i] =
        sample_off_by(i % 2 == 0 ? ref_random_scalar() : ref_small(1 + i),
                      ref_random_scalar(), ref_random_scalar(), SIGMILL_P256_FULL_R96);
    if (!honest[i].valid || spoilt[i].valid) {
      abort();
    }
  }
}

/* The operating system's randomness, which fails at the draw with this number. */
static size_t draws, failing_draw = SIZE_MAX;
bool __real_sm_random_bytes(void *out, size_t len);
bool __wrap_sm_random_bytes(void *out, size_t len);
bool __wrap_sm_random_bytes(void *out, size_t len) {
  if (draws++ == failing_draw) {
    memset(out, 0, len);
    return false;
  }
  return __real_sm_random_bytes(out, len);
}

/* ---------------------------------------------------------------- equations */

typedef struct {
  uint8_t *memory;
  size_t size;
  equation_p256 *eq;
} place;

static place new_place(size_t capacity) {
  place p = {.size = sm_equation_p256_size(capacity)};
  p.memory = aligned_alloc(64, (p.size + GUARD_SIZE + 63) / 64 * 64);
  if (p.memory == NULL) {
    abort();
  }
  memset(p.memory, GUARD, p.size + GUARD_SIZE);
  p.eq = sm_equation_p256_init(p.memory, capacity);
  p.eq->hedged = true;
  return p;
}

static void free_place(place *p) {
  bool whole = true;
  for (size_t i = 0; i < GUARD_SIZE; i++) {
    whole &= p->memory[p->size + i] == GUARD;
  }
  EXPECT(whole, "something was written behind the equation's memory");
  free(p->memory);
}

static p256_claim claim_of(const sample *s) {
  p256_claim claim = {.has_point = true};
  uint8_t key[65];
  const ref_num r = ref_n_reduce(ref_bytes(s->sig));
  ref_sec1_65(key, &s->point);
  u256_from_be(&claim.r, r.be);
  u256_from_be(&claim.s, s->sig + 64);
  u256_from_be(&claim.digest, s->digest.be);
  u256_from_be(&claim.key.x, key + 1);
  u256_from_be(&claim.key.y, key + 33);
  u256_from_be(&claim.point.x, s->sig);
  u256_from_be(&claim.point.y, s->sig + 32);
  return claim;
}

static void fill(equation_p256 *eq, const sample *const *rows, size_t n) {
  eq->count = n;
  for (size_t i = 0; i < n; i++) {
    eq->claims[i] = claim_of(rows[i]);
    eq->at[i] = i;
  }
}

static bool all_valid(const sample *const *rows, size_t n) {
  bool valid = true;
  for (size_t i = 0; i < n; i++) {
    valid &= rows[i]->valid;
  }
  return valid;
}

/* Prepares an equation for the rows, all on the curve, and asks it about all of them, and
 * about parts. */
static void expect_right(place *p, const sample *const *rows, size_t n,
                         const char *what) {
  fill(p->eq, rows, n);
  if (!EXPECT(sm_equation_p256_prepare_vt(p->eq) && p->eq->count == n,
              "%s, n = %zu: not prepared", what, n)) {
    return;
  }
  EXPECT(sm_equation_p256_holds_vt(p->eq, 0, n) == all_valid(rows, n), "%s, n = %zu",
         what, n);
  const size_t cuts[] = {0, n / 3, n / 2, n};
  for (size_t i = 0; i < 3; i++) {
    const size_t first = cuts[i], count = cuts[i + 1] - first;
    EXPECT(sm_equation_p256_holds_vt(p->eq, first, count) ==
               all_valid(rows + first, count),
           "%s, %zu from %zu of %zu", what, count, first, n);
  }
  EXPECT(sm_equation_p256_holds_vt(p->eq, 0, n) == all_valid(rows, n),
         "%s, n = %zu: once more", what, n);
}

/* ---------------------------------------------------------------- tests */

static void valid_claims_hold(void) {
  for (size_t n = 0; n <= HONEST; n += n < 70 ? 1 : 19) {
    const sample *rows[HONEST];
    place p = new_place(n > 0 ? n : 1);
    for (size_t i = 0; i < n; i++) {
      rows[i] = &honest[(i + n) % HONEST];
    }
    expect_right(&p, rows, n, "valid");
    free_place(&p);
  }
}

static void one_claim_spoils_it(void) {
  place p = new_place(HONEST);
  for (size_t n = 1; n <= HONEST; n += n < 20 ? 1 : 29) {
    for (size_t at = 0; at < n; at += n < 20 ? 1 : 1 + n / 7) {
      const sample *rows[HONEST];
      for (size_t i = 0; i < n; i++) {
        rows[i] = &honest[(i + n) % HONEST];
      }
      rows[at] = &spoilt[(at + n) % HONEST];
      expect_right(&p, rows, n, "one spoilt");
    }
  }
  free_place(&p);
}

/* Beside and beyond the most that is combined at once. */
static void more_claims_than_are_combined_at_once(void) {
  static const sample *rows[2 * LANES_P256_COMBINE + 1];
  static const size_t sizes[] = {LANES_P256_COMBINE - 1, LANES_P256_COMBINE,
                                 LANES_P256_COMBINE + 1, 2 * LANES_P256_COMBINE + 1};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    const size_t n = sizes[k];
    place p = new_place(n);
    for (size_t i = 0; i < n; i++) {
      rows[i] = &honest[i % HONEST];
    }
    expect_right(&p, rows, n, "many");
    rows[n - 1] = &spoilt[k];
    expect_right(&p, rows, n, "many, the last one spoilt");
    free_place(&p);
  }
}

/* Multiples of G as keys and as nonce points: equal, opposite and small ones, in one
 * batch and in every pair. */
enum { MULTIPLES = 9, RELATED = MULTIPLES * MULTIPLES };
static sample related[RELATED], related_off[RELATED];

static void make_related(void) {
  const ref_num one = ref_small(1), big = ref_random_scalar();
  const ref_num multiples[MULTIPLES] = {one,
                                        ref_n_negate(one),
                                        ref_small(2),
                                        ref_n_negate(ref_small(2)),
                                        ref_small(3),
                                        ref_small(UINT64_C(1) << 40),
                                        big,
                                        ref_n_negate(big),
                                        ref_n_add(big, big)};
  for (size_t i = 0; i < RELATED; i++) {
    const ref_num nonce = multiples[i / MULTIPLES], secret = multiples[i % MULTIPLES];
    const ref_num off = i % 2 == 0 ? ref_n_add(nonce, nonce) : ref_random_scalar();
    related[i] = sample_off_by(ref_small(0), nonce, secret, SIGMILL_P256_FULL_R96);
    /* off by 2R: -R is right */
    related_off[i] = sample_off_by(off, nonce, secret, SIGMILL_P256_FULL_R96);
  }
}

static void related_points(void) {
  const sample *rows[2 * RELATED];
  place p = new_place(2 * RELATED);
  for (size_t i = 0; i < RELATED; i++) {
    rows[i] = &related[i];
    rows[RELATED + i] = &related[(7 * i) % RELATED];
  }
  expect_right(&p, rows, RELATED, "related");
  expect_right(&p, rows, 2 * RELATED, "related, twice");
  for (size_t i = 0; i < RELATED; i++) {
    const sample *one[] = {&related[i], &related_off[i]};
    expect_right(&p, one, 1, "alone");
    expect_right(&p, one + 1, 1, "alone and off");
    rows[i] = &related_off[i];
    expect_right(&p, rows, RELATED, "related, one off");
    rows[i] = &related[i];
  }
  const size_t step = test_long() ? 1 : 5;
  for (size_t i = 0; i < RELATED; i++) {
    for (size_t j = i % step; j <= i; j += step) {
      const sample *pair[] = {&related[i], &related[j]};
      const sample *half[] = {&related[i], &related_off[j]};
      const sample *neither[] = {&related_off[i], &related_off[j]};
      expect_right(&p, pair, 2, "a pair");
      expect_right(&p, half, 2, "a pair, one off");
      expect_right(&p, neither, 2, "a pair, both off");
    }
  }
  free_place(&p);
}

static void claims_that_come_twice(void) {
  const sample *rows[HONEST];
  place p = new_place(HONEST);
  for (size_t n = 2; n <= HONEST; n += n < 20 ? 1 : 60) {
    for (size_t distinct = 1; distinct <= n; distinct *= 3) {
      for (size_t i = 0; i < n; i++) {
        rows[i] = &honest[i % distinct];
      }
      expect_right(&p, rows, n, "again and again");
      for (size_t i = 0; i < n; i += distinct) {
        rows[i] = &spoilt[0];
      }
      expect_right(&p, rows, n, "spoilt again and again");
    }
  }
  free_place(&p);
}

/* Digests 0 and n, so that G has no part; those that make u*G = v*Q, and s = 1. */
static void digests_at_edges(void) {
  enum { EDGES = 32 };
  static sample edges[EDGES];
  const sample *rows[EDGES];
  place p = new_place(EDGES);
  for (size_t i = 0; i < EDGES; i++) {
    const ref_num nonce = ref_random_scalar(), secret = ref_random_scalar();
    const ref_num product = ref_n_mul(ref_n_reduce(ref_base(nonce).x), secret);
    const ref_num digests[4] = {ref_small(0), ref_n(), product,
                                ref_n_sub(nonce, product)};
    const ref_case c = ref_sign_with(nonce, secret, digests[i % 4]);
    edges[i] = sample_of(&c, SIGMILL_P256_FULL_R96);
    rows[i] = &edges[i];
  }
  EXPECT(all_valid(rows, EDGES), "the samples are valid");
  expect_right(&p, rows, EDGES, "edges");
  for (size_t i = 0; i < EDGES; i++) {
    expect_right(&p, rows + i, 1, "an edge");
  }
  for (size_t kind = 0; kind < 4; kind++) {
    for (size_t i = 0; i < EDGES; i++) {
      rows[i] = &edges[(4 * i + kind) % EDGES];
    }
    expect_right(&p, rows, EDGES, "edges of a kind");
    rows[EDGES / 2] = &spoilt[kind];
    expect_right(&p, rows, EDGES, "edges of a kind, one spoilt");
  }
  free_place(&p);
}

/* Points off the curve, at every place: the others stay, with their places. */
static void points_off_the_curve(void) {
  place p = new_place(HONEST);
  for (int run = 0; run < 60; run++) {
    const size_t n = 1 + test_random_u64() % (run % 4 == 0 ? HONEST : 70);
    const uint64_t one_in = 1 + test_random_u64() % 6;
    const sample *rows[HONEST];
    bool off[HONEST], seen[HONEST] = {false};
    size_t count_on = 0;
    for (size_t i = 0; i < n; i++) {
      rows[i] = &honest[(i + (size_t)run) % HONEST];
    }
    fill(p.eq, rows, n);
    for (size_t i = 0; i < n; i++) {
      off[i] = run < 4 ? run % 2 == 0 : test_random_u64() % one_in == 0;
      count_on += !off[i];
      if (off[i]) {
        p256_point *point = &p.eq->claims[i].point;
        switch (test_random_u64() % 3) {
        case 0:
          point->y.v[test_random_u64() % 3] ^= UINT64_C(1) << test_random_u64() % 64;
          break;
        case 1:
          memset(point, 0, sizeof *point);
          break;
        default:
          point->x = p.eq->claims[i].s;
          break;
        }
      }
    }
    EXPECT(sm_equation_p256_prepare_vt(p.eq), "not prepared");
    EXPECT(p.eq->count == count_on, "run %d: %zu of %zu are on the curve", run,
           p.eq->count, count_on);
    for (size_t i = 0; i < n; i++) {
      const size_t at = p.eq->at[i];
      if (!EXPECT(at < n && !seen[at] && off[at] == (i >= count_on), "run %d: place %zu",
                  run, i)) {
        break;
      }
      seen[at] = true;
      const p256_claim claim = claim_of(rows[at]);
      EXPECT(memcmp(&claim.s, &p.eq->claims[i].s, sizeof claim.s) == 0,
             "run %d: claim and place %zu are apart", run, i);
    }
    EXPECT(sm_equation_p256_holds_vt(p.eq, 0, count_on), "run %d: the others", run);
    if (count_on > 0) {
      p.eq->claims[count_on / 2].digest.v[0] ^= 1;
      EXPECT(!sm_equation_p256_holds_vt(p.eq, 0, count_on), "run %d: one spoilt", run);
    }
  }
  free_place(&p);
}

/* A sample changes places: what belongs to a claim goes with it, those in front stay. */
static void samples_keep_claims_together(void) {
  enum { N = RELATED + 40 };
  const sample *rows[N];
  place p = new_place(N);
  for (int run = 0; run < 25; run++) {
    bool seen[N] = {false};
    for (size_t i = 0; i < N; i++) {
      rows[i] = i >= RELATED ? &honest[i] : i % 29 == 7 ? &related_off[i] : &related[i];
    }
    fill(p.eq, rows, N);
    if (!EXPECT(sm_equation_p256_prepare_vt(p.eq), "not prepared")) {
      return;
    }
    const size_t first = test_random_u64() % N;
    const size_t count = run < 5 ? N - first : test_random_u64() % (N - first + 1);
    sm_equation_p256_sample_vt(p.eq, first, count);
    for (size_t i = 0; i < N; i++) {
      const size_t at = p.eq->at[i];
      if (!EXPECT(at < N && !seen[at] && (i >= first || at == i), "place %zu has %zu", i,
                  at)) {
        return;
      }
      seen[at] = true;
      const p256_claim claim = claim_of(rows[at]);
      EXPECT(memcmp(&claim.s, &p.eq->claims[i].s, sizeof claim.s) == 0,
             "claim and place %zu are apart", i);
    }
    for (size_t i = 0; i + 3 <= N; i += 3) {
      bool valid = true;
      for (size_t k = 0; k < 3; k++) {
        valid &= rows[p.eq->at[i + k]]->valid;
      }
      EXPECT(sm_equation_p256_holds_vt(p.eq, i, 3) == valid, "claims from %zu on", i);
    }
  }
  free_place(&p);
}

/* Each claim is in a sample about as often as any other. */
static void samples_leave_nobody_out(void) {
  enum { N = 12, OF_THEM = 3, RUNS = 800 };
  const sample *rows[N];
  size_t times[N] = {0};
  place p = new_place(N);
  for (size_t i = 0; i < N; i++) {
    rows[i] = &honest[i];
  }
  for (int run = 0; run < RUNS; run++) {
    fill(p.eq, rows, N);
    EXPECT(sm_equation_p256_prepare_vt(p.eq), "not prepared");
    sm_equation_p256_sample_vt(p.eq, 0, OF_THEM);
    for (size_t i = 0; i < OF_THEM; i++) {
      times[p.eq->at[i]]++;
    }
  }
  for (size_t i = 0; i < N; i++) { /* within eight deviations of 200 */
    EXPECT(times[i] > 100 && times[i] < 300, "claim %zu is in %zu samples", i, times[i]);
  }
  free_place(&p);
}

static bool failing_source(void *ctx, uint8_t *out, size_t len) {
  (void)ctx;
  memset(out, 0x11, len);
  return false;
}

static void expect_unchanged(place *p, const sample *const *rows, size_t n,
                             const char *what) {
  bool same = p->eq->count == n;
  for (size_t i = 0; same && i < n; i++) {
    const p256_claim claim = claim_of(rows[i]);
    same = p->eq->at[i] == i && memcmp(&claim, &p->eq->claims[i], sizeof claim) == 0;
  }
  EXPECT(same, "%s: something has changed", what);
}

/* Whichever draw fails, nothing is prepared and nothing changed; the next time it works.
 */
static void without_randomness(void) {
  enum { N = 20 };
  const sample *rows[N];
  place p = new_place(N);
  for (size_t i = 0; i < N; i++) {
    rows[i] = &honest[i];
  }
  fill(p.eq, rows, N);
  p.eq->claims[3].point.y.v[0] ^= 1; /* would change places */
  const p256_claim off = p.eq->claims[3];
  size_t failures = 0;
  for (failing_draw = 0; failing_draw < 4; failing_draw++) {
    draws = 0;
    fill(p.eq, rows, N);
    p.eq->claims[3] = off;
    const bool prepared = sm_equation_p256_prepare_vt(p.eq);
    EXPECT(prepared == (draws <= failing_draw), "draw %zu of %zu fails", failing_draw,
           draws);
    failures += !prepared;
    if (!prepared) {
      p.eq->claims[3] = claim_of(rows[3]);
      expect_unchanged(&p, rows, N, "the system's source");
    }
  }
  failing_draw = SIZE_MAX;
  EXPECT(failures > 0, "randomness comes from elsewhere");
  p.eq->source = failing_source;
  fill(p.eq, rows, N);
  EXPECT(!sm_equation_p256_prepare_vt(p.eq), "a source that fails");
  expect_unchanged(&p, rows, N, "a source of one's own");
  p.eq->source = NULL;
  expect_right(&p, rows, N, "randomness again");
  free_place(&p);
}

/* One place for many batches, one after another. */
static void nothing_is_left_from_before(void) {
  place p = new_place(64);
  for (int run = 0; run < 40; run++) {
    const sample *rows[64];
    const size_t n = 1 + test_random_u64() % 64, start = test_random_u64() % HONEST;
    for (size_t i = 0; i < n; i++) {
      rows[i] =
          test_random_u64() % (8 * n) == 0 ? &spoilt[i] : &honest[(start + i) % HONEST];
    }
    expect_right(&p, rows, n, "one of many");
  }
  free_place(&p);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  make_pools();
  make_related();
  RUN(valid_claims_hold);
  RUN(one_claim_spoils_it);
  RUN(more_claims_than_are_combined_at_once);
  RUN(related_points);
  RUN(claims_that_come_twice);
  RUN(digests_at_edges);
  RUN(points_off_the_curve);
  RUN(samples_keep_claims_together);
  RUN(samples_leave_nobody_out);
  RUN(without_randomness);
  RUN(nothing_is_left_from_before);
  ref_end();
  return test_end();
}
