/* Odd encodings with independently computed answers: the corpus groups encodings_*. */
#include "samples.h"
#include "vectors/vectors.h"

typedef struct {
  const char *id;
  vector_bytes in;
  sigmill_status status;
  size_t at;
  sigmill_p256_pubkey key;
} outcome;

static bool policy_is(yyjson_val *item, const char *name, const char *value) {
  return strcmp(vector_text(yyjson_obj_get(item, "policy"), name), value) == 0;
}

static bool policy_flag(yyjson_val *item, const char *name) {
  return yyjson_get_bool(yyjson_obj_get(yyjson_obj_get(item, "policy"), name));
}

static void read_spki(outcome *o, yyjson_val *item) {
  o->status =
      policy_flag(item, "hybrid")
          ? sigmill_p256_pubkey_from_spki_hybrid(&o->key, o->in.bytes, o->in.len, &o->at)
          : sigmill_p256_pubkey_from_spki(&o->key, o->in.bytes, o->in.len, &o->at);
}

static void read_pem(outcome *o, yyjson_val *item) {
  (void)item;
  o->status =
      sigmill_p256_pubkey_from_pem(&o->key, (const char *)o->in.bytes, o->in.len, &o->at);
}

static void read_jwk(outcome *o, yyjson_val *item) {
  (void)item;
  o->status =
      sigmill_p256_pubkey_from_jwk(&o->key, (const char *)o->in.bytes, o->in.len, &o->at);
}

static void read_cose(outcome *o, yyjson_val *item) {
  size_t used = 0;
  if (policy_is(item, "framing", "prefix")) {
    o->status = sigmill_p256_pubkey_from_cose_prefix(&o->key, &used, o->in.bytes,
                                                     o->in.len, &o->at);
    EXPECT((used > 0) == (o->status == SIGMILL_OK), "%s: %zu used", o->id, used);
    return;
  }
  EXPECT(policy_is(item, "framing", "exact"), "%s: framing", o->id);
  o->status = sigmill_p256_pubkey_from_cose(&o->key, o->in.bytes, o->in.len, &o->at);
}

static void read_jws(outcome *o, yyjson_val *item) {
  vector_bytes sec1 = vector_hex(yyjson_obj_get(item, "inputs"), "public_key");
  sigmill_p256_pubkey key;
  EXPECT(sigmill_p256_pubkey_parse(&key, sec1.bytes, sec1.len) == SIGMILL_OK, "%s: key",
         o->id);
  o->status = policy_is(item, "low_s", "require")
                  ? sigmill_p256_jws_verify_low_s(NULL, NULL, (const char *)o->in.bytes,
                                                  o->in.len, &key, &o->at)
                  : sigmill_p256_jws_verify(NULL, NULL, (const char *)o->in.bytes,
                                            o->in.len, &key, &o->at);
}

/* The corpus's word for a status: read and refused, or not to be read. */
static const char *word(sigmill_status status) {
  switch (status) {
  case SIGMILL_OK:
    return "valid";
  case SIGMILL_ERR_SIG_R:
  case SIGMILL_ERR_SIG_S:
  case SIGMILL_ERR_SIG_HIGH_S:
  case SIGMILL_ERR_SIG_EQUATION:
    return "invalid";
  default:
    return "error";
  }
}

static void check_file(const char *path, void (*read)(outcome *, yyjson_val *)) {
  yyjson_doc *doc = vectors_load(path);
  if (doc == NULL) {
    return;
  }
  size_t i, count;
  yyjson_val *item;
  yyjson_arr_foreach(yyjson_doc_get_root(doc), i, count, item) {
    yyjson_val *inputs = yyjson_obj_get(item, "inputs");
    outcome o = {.id = vector_text(item, "id"), .in = vector_hex(inputs, "bytes")};
    read(&o, item);
    EXPECT(strcmp(word(o.status), vector_text(item, "expect")) == 0, "%s (%s): %s", o.id,
           vector_text(item, "note"), sigmill_strerror(o.status));
    EXPECT(o.at <= o.in.len, "%s: offset %zu", o.id, o.at);
    if (read != read_jws && o.status == SIGMILL_OK) {
      vector_bytes expected = vector_hex(yyjson_obj_get(item, "result"), "public_key");
      EXPECT(expected.len == 65 && same_key(&o.key, expected.bytes), "%s: key", o.id);
    }
    if (read != read_jws && o.status != SIGMILL_OK) {
      EXPECT(test_all_zero(&o.key, sizeof o.key), "%s: output", o.id);
    }
  }
  EXPECT(count > 0, "%s is empty", path);
  yyjson_doc_free(doc);
}

static void spki_cases_come_out_as_told(void) {
  check_file("corpus/encodings_spki.json", read_spki);
}

static void pem_cases_come_out_as_told(void) {
  check_file("corpus/encodings_pem.json", read_pem);
}

static void jwk_cases_come_out_as_told(void) {
  check_file("corpus/encodings_jwk.json", read_jwk);
}

static void cose_cases_come_out_as_told(void) {
  check_file("corpus/encodings_cose.json", read_cose);
}

static void jws_cases_come_out_as_told(void) {
  check_file("corpus/encodings_jws.json", read_jws);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(spki_cases_come_out_as_told);
  RUN(pem_cases_come_out_as_told);
  RUN(jwk_cases_come_out_as_told);
  RUN(cose_cases_come_out_as_told);
  RUN(jws_cases_come_out_as_told);
  return test_end();
}
