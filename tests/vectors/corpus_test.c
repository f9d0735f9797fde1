/* Odd inputs with independently computed answers: the corpus groups p256_digest, _range,
 * _group, _hint, _keys and _der, singly and in batches by every plan with the case at
 * each place among valid neighbours; plain signatures with every hint, too. */
#include "harness.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

enum { ROW = 9, NEIGHBOURS = 16 };

/* One signature of the corpus, ready for the calls. */
typedef struct {
  const char *id;
  sigmill_p256_format format;
  vector_bytes sig;
  ref_num digest;
  ref_point point;
  sigmill_p256_pubkey key;
  bool valid;
} corpus_case;

static const char *const format_names[FORMAT_COUNT] = {"sig64", "recoverable65",
                                                       "compressed_r65", "full_r96", ""};

static corpus_case neighbours[4][NEIGHBOURS]; /* by format */

static ref_point read_point(yyjson_val *item) {
  ref_point point = {.infinity = false};
  vector_bytes sec1 = vector_hex(item, "pubkey");
  if (EXPECT(sec1.len == 65 && sec1.bytes[0] == 4, "a key of %zu bytes", sec1.len)) {
    point.x = ref_bytes(sec1.bytes + 1);
    point.y = ref_bytes(sec1.bytes + 33);
  }
  return point;
}

/* The digest as the library makes one of 32 bytes; its own tests check that. */
static ref_num read_digest(yyjson_val *item) {
  vector_bytes digest = vector_hex(item, "digest");
  ref_num out;
  sigmill_p256_digest32(out.be, digest.bytes, digest.len);
  return out;
}

static corpus_case read_case(yyjson_val *item) {
  corpus_case c = {.id = vector_text(item, "id"),
                   .sig = vector_hex(item, "sig"),
                   .digest = read_digest(item),
                   .point = read_point(item),
                   .valid = strcmp(vector_text(item, "expect"), "valid") == 0};
  for (int f = 0; f < 4; f++) {
    if (strcmp(vector_text(item, "format"), format_names[f]) == 0) {
      c.format = all_formats[f];
    }
  }
  c.key = ref_pubkey(&c.point);
  EXPECT(c.sig.len == sigmill_p256_format_size(c.format), "%s: %zu bytes", c.id,
         c.sig.len);
  return c;
}

/* ---------------------------------------------------------------- batches of nine */

/* The case at one place, its companion next to it, neighbours elsewhere: of the same
 * format, or of all formats in turn. */
static void lay_row(const corpus_case *row[ROW], const corpus_case *c,
                    const corpus_case *companion, size_t at, bool mixed) {
  for (size_t i = 0; i < ROW; i++) {
    size_t format = mixed ? (i + at) % 4 : (size_t)c->format - 1;
    row[i] = &neighbours[format][(i + at) % NEIGHBOURS];
  }
  row[at] = c;
  if (companion != NULL) {
    row[(at + 1) % ROW] = companion;
  }
}

static void expect_verdicts(const corpus_case *const row[ROW],
                            const uint8_t verdicts[ROW], bool all, const char *what) {
  bool expected_all = true;
  for (size_t i = 0; i < ROW; i++) {
    EXPECT(verdicts[i] == row[i]->valid, "%s: verdict of %s at %zu is %d", what,
           row[i]->id, i, verdicts[i]);
    expected_all &= row[i]->valid;
  }
  EXPECT(all == expected_all, "%s: the batch's answer", what);
}

static void check_batch(sigmill_plan plan, const corpus_case *c,
                        const corpus_case *companion, size_t at) {
  const corpus_case *row[ROW];
  uint8_t verdicts[ROW];
  sigmill_p256_item items[ROW];
  lay_row(row, c, companion, at, at % 2 == 1);
  for (size_t i = 0; i < ROW; i++) {
    items[i] = (sigmill_p256_item){row[i]->sig.bytes, row[i]->digest.be, &row[i]->key,
                                   row[i]->format};
  }
  memset(verdicts, 0xa5, sizeof verdicts);
  bool all = sigmill_p256_verify_batch(verifier_of_plan(plan), verdicts, items, ROW);
  expect_verdicts(row, verdicts, all, c->id);
}

/* Whether this backend is fast enough for every plan at every place; others take turns.
 */
static bool every_plan(void) {
  return strstr(sigmill_backend_name(), "ifma") != NULL || test_long();
}

static void check_batches(const corpus_case *c, const corpus_case *companion,
                          size_t number) {
  for (size_t plan = 0; plan < 3; plan++) {
    for (size_t at = 0; at < ROW; at++) {
      if (every_plan() || (at + number) % 3 == plan) {
        check_batch((sigmill_plan)plan, c, companion, at);
      }
    }
  }
}

/* What one could make of a plain signature; on slow backends each at one place. */
static void check_hinted_forms(const corpus_case *plain, size_t number) {
  static corpus_case c;
  hinted_form forms[HINTED_FORMS_MAX];
  size_t count = hinted_forms(forms, plain->sig.bytes);
  for (size_t i = 0; i < count; i++) {
    c = *plain;
    c.format = forms[i].format;
    c.sig.len = sigmill_p256_format_size(c.format);
    memcpy(c.sig.bytes, forms[i].sig, c.sig.len);
    c.valid = ref_explain(c.sig.bytes, c.format, c.digest, &c.point) == SIGMILL_OK;
    if (every_plan()) {
      check_batches(&c, NULL, number);
    } else {
      check_batch((sigmill_plan)((number + i) % 3), &c, NULL, (number + i) % ROW);
    }
  }
}

static void check_columns(const corpus_case *c, const corpus_case *companion, size_t at) {
  const corpus_case *row[ROW];
  uint8_t sigs[ROW * 96], digests[ROW * 32], keys[ROW * 33], verdicts[ROW];
  lay_row(row, c, companion, at, false);
  for (size_t i = 0; i < ROW; i++) {
    memcpy(sigs + c->sig.len * i, row[i]->sig.bytes, c->sig.len);
    memcpy(digests + 32 * i, row[i]->digest.be, 32);
    ref_sec1_33(keys + 33 * i, &row[i]->point);
  }
  for (int plan = 0; plan < 3; plan++) {
    memset(verdicts, 0xa5, sizeof verdicts);
    bool all = sigmill_p256_verify_columns(verifier_of_plan((sigmill_plan)plan), verdicts,
                                           sigs, c->format, digests, keys, ROW);
    expect_verdicts(row, verdicts, all, c->id);
  }
}

/* What sigmill_p256_hint must return stands in the corpus beside many plain signatures.
 */
static void check_hints(yyjson_val *item, const corpus_case *c) {
  for (int f = 1; f < 4; f++) {
    char name[32];
    snprintf(name, sizeof name, "hint_%s", format_names[f]);
    if (!vector_has(item, name)) {
      continue;
    }
    vector_bytes expected = vector_hex(item, name);
    uint8_t got[ROW * 96], verdicts[ROW];
    size_t size = sigmill_p256_format_size(all_formats[f]);
    sigmill_status status =
        sigmill_p256_hint(got, all_formats[f], c->sig.bytes, c->digest.be, &c->key);
    EXPECT(status == SIGMILL_OK && expected.len == size &&
               memcmp(got, expected.bytes, size) == 0,
           "%s: %s, status %d", c->id, name, status);

    const corpus_case *row[ROW];
    sigmill_p256_item items[ROW];
    size_t at = (size_t)f * 2;
    lay_row(row, c, NULL, at, false);
    for (size_t i = 0; i < ROW; i++) {
      items[i] = (sigmill_p256_item){row[i]->sig.bytes, row[i]->digest.be, &row[i]->key,
                                     row[i]->format};
    }
    bool all = sigmill_p256_hint_batch(got, all_formats[f], verdicts, items, ROW);
    expect_verdicts(row, verdicts, all, c->id);
    EXPECT(memcmp(got + at * size, expected.bytes, size) == 0, "%s: %s in a batch", c->id,
           name);
  }
}

static void signature_case(yyjson_val *item, size_t number) {
  corpus_case c = read_case(item), companion = {.valid = false};
  yyjson_val *beside = yyjson_obj_get(item, "companion");
  if (beside != NULL) {
    companion = read_case(beside);
    companion.id = "companion";
  }
  const corpus_case *next = beside != NULL ? &companion : NULL;
  sigmill_status reason =
      expect_agreement(c.sig.bytes, c.format, c.digest, &c.point, c.id);
  EXPECT((reason == SIGMILL_OK) == c.valid, "%s (%s): %s", c.id,
         vector_text(item, "kind"), vector_text(item, "note"));
  if (c.format == SIGMILL_P256_SIG64) {
    expect_agreement(c.sig.bytes, SIGMILL_P256_SIG64_LOW_S, c.digest, &c.point, c.id);
    check_hinted_forms(&c, number);
  }
  check_batches(&c, next, number);
  check_columns(&c, next, number % ROW);
  check_hints(item, &c);
}

/* ---------------------------------------------------------------- keys and DER */

static bool policy_is(yyjson_val *item, const char *policy) {
  return strcmp(vector_text(item, "policy"), policy) == 0;
}

static void check_key_batches(const vector_bytes *sec1, bool valid, const char *id) {
  for (size_t at = 0; at < ROW; at++) {
    uint8_t rows[ROW][33], verdicts[ROW];
    sigmill_p256_pubkey keys[ROW];
    for (size_t i = 0; i < ROW; i++) {
      ref_sec1_33(rows[i], &neighbours[0][i].point);
    }
    memcpy(rows[at], sec1->bytes, 33);
    memset(verdicts, 0xa5, sizeof verdicts);
    bool all =
        sigmill_p256_pubkey_parse_batch(keys, verdicts, (const uint8_t(*)[33])rows, ROW);
    EXPECT(all == valid, "%s at %zu: the batch's answer", id, at);
    for (size_t i = 0; i < ROW; i++) {
      bool expected = i == at ? valid : true;
      EXPECT(verdicts[i] == expected, "%s at %zu: verdict %zu", id, at, i);
    }
  }
}

static void key_case(yyjson_val *item, size_t number) {
  (void)number;
  const char *id = vector_text(item, "id");
  bool valid = strcmp(vector_text(item, "expect"), "valid") == 0;
  vector_bytes sec1 = vector_hex(item, "pubkey");
  bool hybrid = policy_is(item, "hybrid");
  EXPECT(hybrid || policy_is(item, "default"), "%s: policy", id);
  sigmill_p256_pubkey key;
  memset(&key, 0xa5, sizeof key);
  sigmill_status status =
      hybrid ? sigmill_p256_pubkey_parse_hybrid(&key, sec1.bytes, sec1.len)
             : sigmill_p256_pubkey_parse(&key, sec1.bytes, sec1.len);
  EXPECT((status == SIGMILL_OK) == valid, "%s (%s): status %d, %s", id,
         vector_text(item, "kind"), status, vector_text(item, "note"));
  EXPECT(test_all_zero(&key, sizeof key) != valid, "%s: output", id);
  if (valid) {
    uint8_t got[65];
    vector_bytes expected = vector_hex(item, "compressed");
    sigmill_p256_pubkey_serialize33(got, &key);
    EXPECT(expected.len == 33 && memcmp(got, expected.bytes, 33) == 0, "%s: 33 bytes",
           id);
    expected = vector_hex(item, "uncompressed");
    sigmill_p256_pubkey_serialize65(got, &key);
    EXPECT(expected.len == 65 && memcmp(got, expected.bytes, 65) == 0, "%s: 65 bytes",
           id);
  }
  if (sec1.len == 33 && !hybrid) {
    check_key_batches(&sec1, valid, id);
  }
}

static void der_case(yyjson_val *item, size_t number) {
  (void)number;
  const char *id = vector_text(item, "id"), *expect = vector_text(item, "expect");
  bool valid = strcmp(expect, "valid") == 0;
  vector_bytes der = vector_hex(item, "der");
  uint8_t sig[64], again[SIGMILL_P256_DER_MAX], zero[SIGMILL_P256_DER_MAX] = {0};
  size_t error_at = 0;
  memset(sig, 0xa5, sizeof sig);
  sigmill_status status = sigmill_p256_sig_from_der(sig, der.bytes, der.len);
  EXPECT((status == SIGMILL_OK) == valid, "%s (%s): status %d, %s", id,
         vector_text(item, "kind"), status, vector_text(item, "note"));
  if (strcmp(expect, "invalid") == 0) { /* well formed, r or s out of range */
    EXPECT(status == SIGMILL_ERR_SIG_R || status == SIGMILL_ERR_SIG_S, "%s: status %d",
           id, status);
  }
  if (!valid) {
    EXPECT(test_all_zero(sig, sizeof sig), "%s: output", id);
    EXPECT(sigmill_p256_sig_from_der_at(sig, der.bytes, der.len, &error_at) == status &&
               error_at <= der.len,
           "%s: the byte at fault", id);
    return;
  }
  vector_bytes expected = vector_hex(item, "sig");
  EXPECT(expected.len == 64 && memcmp(sig, expected.bytes, 64) == 0, "%s: r and s", id);
  size_t len = sigmill_p256_sig_to_der(again, sig);
  EXPECT(len == der.len && memcmp(again, der.bytes, len) == 0 &&
             memcmp(again + len, zero, sizeof again - len) == 0,
         "%s: back to DER", id);
  if (vector_has(item, "pubkey")) {
    ref_point point = read_point(item);
    EXPECT(expect_agreement(sig, SIGMILL_P256_SIG64, read_digest(item), &point, id) ==
               SIGMILL_OK,
           "%s: it verifies", id);
  }
}

/* ---------------------------------------------------------------- files */

static void read_neighbours(yyjson_val *root) {
  size_t i, items, counts[4] = {0};
  yyjson_val *item;
  yyjson_arr_foreach(root, i, items, item) {
    if (strcmp(vector_text(item, "use"), "p256") != 0) {
      continue;
    }
    corpus_case c = read_case(item);
    size_t format = (size_t)c.format - 1;
    if (EXPECT(c.valid && format < 4 && counts[format] < NEIGHBOURS, "neighbour %s",
               c.id)) {
      neighbours[format][counts[format]++] = c;
    }
  }
  for (size_t format = 0; format < 4; format++) {
    EXPECT(counts[format] == NEIGHBOURS, "%zu neighbours of format %zu", counts[format],
           format + 1);
  }
}

/* Runs fn on each case of a group, with the neighbours at hand. */
static void run_group(const char *path, void (*fn)(yyjson_val *item, size_t number)) {
  yyjson_doc *beside = vectors_load("corpus/neighbours.json");
  yyjson_doc *doc = beside != NULL ? vectors_load(path) : NULL;
  if (doc != NULL) {
    yyjson_val *root = yyjson_doc_get_root(doc), *item;
    size_t i, items;
    read_neighbours(yyjson_doc_get_root(beside));
    yyjson_arr_foreach(root, i, items, item) {
      fn(item, i);
    }
    EXPECT(yyjson_arr_size(root) > 0, "%s has no cases", path);
  }
  yyjson_doc_free(doc);
  yyjson_doc_free(beside);
}

static void p256_digest(void) {
  run_group("corpus/p256_digest.json", signature_case);
}

static void p256_range(void) {
  run_group("corpus/p256_range.json", signature_case);
}

static void p256_group(void) {
  run_group("corpus/p256_group.json", signature_case);
}

static void p256_hint(void) {
  run_group("corpus/p256_hint.json", signature_case);
}

static void p256_keys(void) {
  run_group("corpus/p256_keys.json", key_case);
}

static void p256_der(void) {
  run_group("corpus/p256_der.json", der_case);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  RUN(p256_digest);
  RUN(p256_range);
  RUN(p256_group);
  RUN(p256_hint);
  RUN(p256_keys);
  RUN(p256_der);
  ref_end();
  return test_end();
}
