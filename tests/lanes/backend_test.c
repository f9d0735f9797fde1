/* The choice of a backend: by name, by the environment, by default, once and for all; and
 * around lanes that answer wrong.  What settles the choice runs in a process of its own.
 */
#define _POSIX_C_SOURCE 200809L
#include "lanes/backend.h"

#include "harness.h"
#include "scalar/sc_p256.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Does the case hold in a fresh process with this SIGMILL_BACKEND (NULL: unset)? */
static bool holds_apart(bool (*test)(void), const char *name) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    if (name != NULL) {
      setenv("SIGMILL_BACKEND", name, 1);
    } else {
      unsetenv("SIGMILL_BACKEND");
    }
    _exit(test() ? 0 : 1);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool is(const backend *b, const char *name) {
  return strcmp(b->name, name) == 0;
}

static const backend *fastest(void) {
  const backend *b;
  bool usable;
  for (size_t i = 0; (b = sm_backend_list(i, &usable)) != NULL; i++) {
    if (usable) {
      return b;
    }
  }
  return NULL;
}

static bool takes_fastest(void) {
  return sm_backend() == fastest() && sm_backend() == fastest() &&
         sm_backend_note() == NULL;
}

static bool takes_fastest_and_says_why(void) {
  return sm_backend() == fastest() && sm_backend_note() != NULL;
}

static bool takes_portable32(void) {
  return is(sm_backend(), "portable32") && sm_backend_note() == NULL;
}

static bool selects_portable32(void) {
  return sm_backend_select("portable32") && takes_portable32() &&
         sm_backend_select("portable32");
}

static bool refuses_unknown(void) {
  return !sm_backend_select("nonsense") && !sm_backend_select("") && selects_portable32();
}

static bool refuses_a_second_choice(void) {
  return sm_backend() == fastest() && !sm_backend_select("portable32") &&
         sm_backend() == fastest();
}

static void lists_and_defaults(void) {
  bool usable = false;
  EXPECT(fastest() != NULL, "no backend is usable");
  EXPECT(sm_backend_list(99, &usable) == NULL, "the list does not end");
  EXPECT(holds_apart(takes_fastest, NULL), "default");
}

static void reads_the_environment(void) {
  EXPECT(holds_apart(takes_portable32, "portable32"), "a name");
  EXPECT(holds_apart(takes_fastest_and_says_why, "nonsense"), "an unknown name");
  EXPECT(holds_apart(takes_fastest, ""), "an empty name");
}

static void selects_by_name(void) {
  EXPECT(holds_apart(selects_portable32, NULL), "a name");
  EXPECT(holds_apart(selects_portable32, "portable"), "a name over the environment's");
  EXPECT(holds_apart(refuses_unknown, NULL), "unknown names");
  EXPECT(holds_apart(refuses_a_second_choice, NULL), "after first use");
}

static void *backend_of_thread(void *out) {
  *(const backend **)out = sm_backend();
  return NULL;
}

static void settles_once_for_all_threads(void) {
  pthread_t threads[8];
  const backend *backends[8];
  for (int i = 0; i < 8; i++) {
    EXPECT(pthread_create(&threads[i], NULL, backend_of_thread, &backends[i]) == 0,
           "thread");
  }
  for (int i = 0; i < 8; i++) {
    pthread_join(threads[i], NULL);
    EXPECT(backends[i] == sm_backend(), "thread %d", i);
  }
}

/* ---------------------------------------------------------------- lanes that are wrong
 */

/* Right answers, one at a time by the portable engine; the job wrong_job has one wrong
 * answer, in the item wrong_at. */
static lanes_job wrong_job;
static size_t wrong_at;

static bool is_wrong(lanes_job job, size_t i) {
  return wrong_job == job && wrong_at == i;
}

/* *r = R of the claim with this key; does the claim hold? */
static bool judge(p256_point *r, const p256_claim *claim, const p256_point *key) {
  u256 w, u1, u2, x;
  sm_sc_p256_inv_vt(&w, &claim->s);
  sm_sc_p256_reduce(&u1, &claim->digest);
  sm_sc_p256_mul(&u1, &u1, &w);
  sm_sc_p256_mul(&u2, &claim->r, &w);
  if (!sm_p256_engine_u32.mul2_vt(r, &u1, &u2, key)) {
    return false;
  }
  sm_sc_p256_reduce(&x, &r->x);
  return memcmp(&x, &claim->r, sizeof x) == 0 &&
         (!claim->has_point || memcmp(r, &claim->point, sizeof *r) == 0);
}

static void verify_vt(uint8_t *verdicts, const p256_claim *claims, size_t count) {
  for (size_t i = 0; i < count; i++) {
    p256_point r;
    verdicts[i] = judge(&r, &claims[i], &claims[i].key) ? CLAIM_TRUE : CLAIM_FALSE;
    verdicts[i] ^= is_wrong(LANES_JOB_VERIFY, i);
  }
}

/* The wrong answers are a point by turns and a verdict. */
static void find_r_vt(p256_point *r_out, uint8_t *verdicts, const p256_claim *claims,
                      size_t count) {
  for (size_t i = 0; i < count; i++) {
    verdicts[i] = judge(&r_out[i], &claims[i], &claims[i].key) ? CLAIM_TRUE : CLAIM_FALSE;
    if (verdicts[i] == CLAIM_FALSE) {
      memset(&r_out[i], 0, sizeof r_out[i]);
    }
    r_out[i].y.v[1] ^= is_wrong(LANES_JOB_FIND_R, i) && i % 3 != 0;
    verdicts[i] ^= is_wrong(LANES_JOB_FIND_R, i) && i % 3 == 0;
  }
}

/* A table is the key itself. */
static void key_tables_vt(p256_key_table *const *out, const p256_point *keys,
                          size_t count) {
  for (size_t i = 0; i < count; i++) {
    memcpy(out[i]->entry, &keys[i], sizeof keys[i]);
  }
}

static void verify_known_vt(uint8_t *verdicts, const p256_claim *claims,
                            const p256_key_table *const *tables, size_t count) {
  for (size_t i = 0; i < count; i++) {
    p256_point key, r;
    memcpy(&key, tables[i]->entry, sizeof key);
    verdicts[i] = judge(&r, &claims[i], &key) ? CLAIM_TRUE : CLAIM_FALSE;
    verdicts[i] ^= is_wrong(LANES_JOB_VERIFY_KNOWN, i);
  }
}

static void key_comb_vt(p256_key_comb *out, const p256_point *key) {
  memcpy(out->entry, key, sizeof *key);
}

/* wrong_at is the verdict for which it is wrong. */
static uint8_t verify_one_vt(const p256_claim *claim, const p256_key_comb *comb) {
  p256_point key, r;
  memcpy(&key, comb->entry, sizeof key);
  const uint8_t verdict = judge(&r, claim, &key) ? CLAIM_TRUE : CLAIM_FALSE;
  return verdict ^ is_wrong(LANES_JOB_VERIFY_ONE, verdict);
}

static void lift_x_vt(p256_point *out, uint8_t *found, const u256 *x,
                      const uint8_t *y_odd, size_t count) {
  for (size_t i = 0; i < count; i++) {
    found[i] = sm_p256_engine_u32.lift_x_vt(&out[i], &x[i], y_odd[i]);
    out[i].y.v[3] ^= is_wrong(LANES_JOB_LIFT_X, i);
  }
}

static void mul_base(p256_point *out, const u256 *k, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sm_p256_engine_u32.mul_base(&out[i], &k[i]);
    out[i].x.v[0] ^= is_wrong(LANES_JOB_MUL_BASE, i);
  }
}

static void mul(p256_point *out, const u256 *k, const p256_point *a, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sm_p256_engine_u32.mul(&out[i], &k[i], &a[i]);
    out[i].x.v[2] ^= is_wrong(LANES_JOB_MUL, i);
  }
}

static void sign_equation(u256 *s, const u256 *k, const u256 *z, const u256 *r,
                          const u256 *d, size_t count) {
  for (size_t i = 0; i < count; i++) {
    u256 inverse;
    sm_sc_p256_inv_vt(&inverse, &k[i]);
    sm_sc_p256_mul(&s[i], &r[i], &d[i]);
    sm_sc_p256_add(&s[i], &s[i], &z[i]);
    sm_sc_p256_mul(&s[i], &s[i], &inverse);
    s[i].v[1] ^= is_wrong(LANES_JOB_SIGN_EQUATION, i);
  }
}

static void mul_base_one(p256_point *out, const u256 *k) {
  sm_p256_engine_u32.mul_base(out, k);
  out->y.v[0] ^= wrong_job == LANES_JOB_MUL_BASE_ONE;
}

/* What comes behind the last item is the sum. */
static void combine_vt(u256 *v, u256 *u, const i128 *a, const u256 *r, const u256 *s,
                       const u256 *z, size_t count, uint64_t *words) {
  (void)words;
  sm_sc_p256_combine_vt(v, u, a, r, s, z, count);
  for (size_t i = 0; i < count; i++) {
    v[i].v[2] ^= is_wrong(LANES_JOB_COMBINE, i);
  }
  u->v[0] ^= is_wrong(LANES_JOB_COMBINE, count);
}

/* wrong_at: an addition; behind the last one the other operations. */
enum {
  WRONG_LOAD = 9,
  WRONG_REFUSAL,
  WRONG_INFINITY,
  WRONG_ADD_ANY,
  WRONG_FOLD,
  SUMS_END
};

static void load_rows(p256_row *to, uint8_t *on_curve, const p256_point *points,
                      size_t count) {
  sm_p256_engine_u32.sums.load_vt(to, on_curve, points, count);
  on_curve[1] |= is_wrong(LANES_JOB_SUMS, WRONG_LOAD);
}

static bool add_rows(p256_row *to, const p256_pair *pairs, size_t count,
                     uint64_t *words) {
  const bool added = sm_p256_engine_u32.sums.add_vt(to, pairs, count, words);
  for (size_t i = 0; added && i < count; i++) {
    to[pairs[i].to].w[i % 8] ^= is_wrong(LANES_JOB_SUMS, i);
  }
  return added || is_wrong(LANES_JOB_SUMS, WRONG_REFUSAL);
}

static void add_any_rows(p256_row *to, uint8_t *infinite, const p256_pair *pairs,
                         size_t count, uint64_t *words) {
  sm_p256_engine_u32.sums.add_any_vt(to, infinite, pairs, count, words);
  infinite[1] ^= is_wrong(LANES_JOB_SUMS, WRONG_INFINITY);
  to[pairs[0].to].w[5] ^= is_wrong(LANES_JOB_SUMS, WRONG_ADD_ANY);
}

static size_t fold_rows(p256_jacobian parts[SUMS_P256_BITS], const p256_row *from,
                        const p256_ref bits[SUMS_P256_BITS]) {
  const size_t count = sm_p256_engine_u32.sums.fold_vt(parts, from, bits);
  parts[4].y.v[0] ^= is_wrong(LANES_JOB_SUMS, WRONG_FOLD);
  return count;
}

static const p256_lanes fragile = {
    .name = "fragile",
    .verify_vt = verify_vt,
    .find_r_vt = find_r_vt,
    .key_tables_vt = key_tables_vt,
    .verify_known_vt = verify_known_vt,
    .key_comb_vt = key_comb_vt,
    .verify_one_vt = verify_one_vt,
    .lift_x_vt = lift_x_vt,
    .mul_base = mul_base,
    .mul = mul,
    .sign_equation = sign_equation,
    .mul_base_one = mul_base_one,
    .combine_vt = combine_vt,
    .sums = {.load_vt = load_rows,
             .add_vt = add_rows,
             .add_any_vt = add_any_rows,
             .fold_vt = fold_rows},
};

static bool always(void) {
  return true;
}

static bool never(void) {
  return false;
}

#define NOTES                                                                            \
  {                                                                                      \
    [LANES_JOB_VERIFY] = "verify", [LANES_JOB_FIND_R] = "find",                          \
    [LANES_JOB_VERIFY_KNOWN] = "table", [LANES_JOB_VERIFY_ONE] = "comb",                 \
    [LANES_JOB_LIFT_X] = "lift", [LANES_JOB_MUL_BASE] = "mul_base",                      \
    [LANES_JOB_MUL] = "mul", [LANES_JOB_SIGN_EQUATION] = "sign",                         \
    [LANES_JOB_MUL_BASE_ONE] = "one", [LANES_JOB_COMBINE] = "combin",                    \
    [LANES_JOB_SUMS] = "sums"                                                            \
  }
static const backend_row rows[] = {
    {.backend = {"absent", &sm_p256_engine_u32, &fragile}, .has_lanes = never},
    {.backend = {"named", &sm_p256_engine_u32, NULL}, .only_by_name = true},
    {.backend = {"fragile", &sm_p256_engine_u32, &fragile},
     .has_lanes = always,
     .wrong = NOTES},
    {.backend = {"scalar", &sm_p256_engine_u32, NULL}},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void expect_choice(const char *wanted, const char *name, const char *note,
                          const char *what) {
  const char *told = "unset";
  const backend *b = sm_backend_choose(rows, ROWS, wanted, &told);
  EXPECT(b != NULL && is(b, name), "%s: %s, not %s", what, b != NULL ? b->name : "none",
         name);
  EXPECT(note == NULL ? told == NULL : told != NULL && strstr(told, note) != NULL,
         "%s: the note is %s", what, told != NULL ? told : "missing");
}

static void right_lanes_are_chosen(void) {
  wrong_job = LANES_JOBS;
  EXPECT(sm_lanes_selftest(&fragile, &sm_p256_engine_u32) == LANES_JOBS, "all right");
  expect_choice(NULL, "fragile", NULL, "by default");
  expect_choice("fragile", "fragile", NULL, "by name");
  expect_choice("scalar", "scalar", NULL, "another name");
  expect_choice("named", "named", NULL, "what is never the default");
  expect_choice("absent", "fragile", "SIGMILL_BACKEND", "what cannot run");
  expect_choice("nonsense", "fragile", "SIGMILL_BACKEND", "what there is not");
}

static void wrong_lanes_are_passed_over(void) {
  static const char *const notes[LANES_JOBS] = NOTES;
  for (int job = 0; job < LANES_JOBS; job++) {
    wrong_job = (lanes_job)job;
    wrong_at = 0;
    expect_choice(NULL, "scalar", notes[job], "by default");
    expect_choice("fragile", "scalar", notes[job], "by name");
    expect_choice("scalar", "scalar", NULL, "another name");
    EXPECT(sm_backend_choose(rows, ROWS - 1, NULL, &(const char *){NULL}) == NULL,
           "nothing is left");
  }
}

/* One wrong answer in any lane, of a full group or a partial one, is seen. */
static void every_lane_counts(void) {
  static const size_t items[LANES_JOBS] = {
      [LANES_JOB_VERIFY] = 15,       [LANES_JOB_FIND_R] = 15,
      [LANES_JOB_VERIFY_KNOWN] = 15, [LANES_JOB_VERIFY_ONE] = 2,
      [LANES_JOB_LIFT_X] = 16,       [LANES_JOB_MUL_BASE] = 9,
      [LANES_JOB_MUL] = 9,           [LANES_JOB_SIGN_EQUATION] = 9,
      [LANES_JOB_MUL_BASE_ONE] = 1,  [LANES_JOB_COMBINE] = 10,
      [LANES_JOB_SUMS] = SUMS_END,
  };
  for (int job = 0; job < LANES_JOBS; job++) {
    for (size_t at = 0; at < items[job]; at++) {
      wrong_job = (lanes_job)job;
      wrong_at = at;
      EXPECT(sm_lanes_selftest(&fragile, &sm_p256_engine_u32) == wrong_job,
             "job %d, item %zu", job, at);
    }
  }
}

/* Every backend of this machine passes, each with the note of the job that it fails. */
static void backends_of_this_machine_are_right(void) {
  const backend *b;
  bool usable;
  for (size_t i = 0; (b = sm_backend_list(i, &usable)) != NULL; i++) {
    if (b->lanes == NULL) {
      continue;
    }
    if (!usable) {
      printf("note: this machine cannot run %s\n", b->name);
      continue;
    }
    lanes_job failed = sm_lanes_selftest(b->lanes, b->engine);
    EXPECT(failed == LANES_JOBS, "%s: job %d", b->name, failed);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(lists_and_defaults);
  RUN(reads_the_environment);
  RUN(selects_by_name);
  RUN(settles_once_for_all_threads);
  RUN(right_lanes_are_chosen);
  RUN(wrong_lanes_are_passed_over);
  RUN(every_lane_counts);
  RUN(backends_of_this_machine_are_right);
  return test_end();
}
