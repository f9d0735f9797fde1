/* Every case of the Wycheproof files for ECDSA over P-256 with SHA-256 (DER and P1363)
 * and ECDH over P-256.  "valid" and "invalid" bind; where Wycheproof says "acceptable"
 * the rules for encodings decide, in a test that names them. */
#include "harness.h"
#include "vectors.h"

#include <string.h>

typedef void case_fn(yyjson_val *group, yyjson_val *item);

/* Runs fn on each case of a file and checks the number of cases that the file claims. */
static void each_case(const char *path, case_fn *fn) {
  yyjson_doc *doc = vectors_load(path);
  if (doc == NULL) {
    return;
  }
  yyjson_val *root = yyjson_doc_get_root(doc), *group, *item;
  size_t i, j, groups, items, seen = 0;
  yyjson_arr_foreach(yyjson_obj_get(root, "testGroups"), i, groups, group) {
    yyjson_arr_foreach(yyjson_obj_get(group, "tests"), j, items, item) {
      fn(group, item);
      seen++;
    }
  }
  uint64_t claimed = yyjson_get_uint(yyjson_obj_get(root, "numberOfTests"));
  EXPECT(seen == claimed && seen > 0, "%zu cases, %llu claimed", seen,
         (unsigned long long)claimed);
  yyjson_doc_free(doc);
}

static int case_id(yyjson_val *item) {
  return yyjson_get_int(yyjson_obj_get(item, "tcId"));
}

static bool is_result(yyjson_val *item, const char *result) {
  return strcmp(vector_text(item, "result"), result) == 0;
}

static bool has_flag(yyjson_val *item, const char *flag) {
  yyjson_val *entry;
  size_t i, count;
  yyjson_arr_foreach(yyjson_obj_get(item, "flags"), i, count, entry) {
    if (yyjson_equals_str(entry, flag)) {
      return true;
    }
  }
  return false;
}

/* ---------------------------------------------------------------- ECDSA */

/* The group's key through every encoding that stands in the file. */
static sigmill_p256_pubkey group_key(yyjson_val *group) {
  yyjson_val *member = yyjson_obj_get(group, "publicKey");
  vector_bytes sec1 = vector_hex(member, "uncompressed");
  vector_bytes spki = vector_hex(group, "publicKeyDer");
  const char *pem = vector_text(group, "publicKeyPem");
  sigmill_p256_pubkey key, again;
  EXPECT(sigmill_p256_pubkey_parse(&key, sec1.bytes, sec1.len) == SIGMILL_OK, "SEC1 key");
  EXPECT(sigmill_p256_pubkey_from_spki(&again, spki.bytes, spki.len, NULL) ==
                 SIGMILL_OK &&
             sigmill_p256_pubkey_equal(&key, &again),
         "SPKI key");
  EXPECT(sigmill_p256_pubkey_from_pem(&again, pem, strlen(pem), NULL) == SIGMILL_OK &&
             sigmill_p256_pubkey_equal(&key, &again),
         "PEM key");
  yyjson_val *jwk = yyjson_obj_get(group, "publicKeyJwk");
  if (jwk != NULL) {
    char text[512];
    size_t len = (size_t)snprintf(
        text, sizeof text, "{\"kty\":\"%s\",\"crv\":\"%s\",\"x\":\"%s\",\"y\":\"%s\"}",
        vector_text(jwk, "kty"), vector_text(jwk, "crv"), vector_text(jwk, "x"),
        vector_text(jwk, "y"));
    EXPECT(sigmill_p256_pubkey_from_jwk(&again, text, len, NULL) == SIGMILL_OK &&
               sigmill_p256_pubkey_equal(&key, &again),
           "JWK key");
  }
  return key;
}

static ref_point key_point(yyjson_val *group) {
  vector_bytes sec1 = vector_hex(yyjson_obj_get(group, "publicKey"), "uncompressed");
  return (ref_point){.x = ref_bytes(sec1.bytes + 1), .y = ref_bytes(sec1.bytes + 33)};
}

/* The digest of the case's message by the library's own hash. */
static ref_num message_digest(yyjson_val *item) {
  vector_bytes message = vector_hex(item, "msg");
  ref_num digest;
  sigmill_sha256(digest.be, message.bytes, message.len);
  return digest;
}

static void check_signature(yyjson_val *group, yyjson_val *item, const uint8_t sig[64]) {
  ref_point point = key_point(group);
  sigmill_status reason = expect_agreement(sig, SIGMILL_P256_SIG64, message_digest(item),
                                           &point, vector_text(item, "comment"));
  EXPECT((reason == SIGMILL_OK) == is_result(item, "valid"), "case %d: %s", case_id(item),
         vector_text(item, "comment"));
}

static void der_case(yyjson_val *group, yyjson_val *item) {
  vector_bytes der = vector_hex(item, "sig");
  sigmill_p256_pubkey key = group_key(group);
  ref_num digest = message_digest(item);
  uint8_t sig[64], again[SIGMILL_P256_DER_MAX];
  memset(sig, 0xa5, sizeof sig);
  sigmill_status status = sigmill_p256_sig_from_der(sig, der.bytes, der.len);
  bool valid = status == SIGMILL_OK && sigmill_p256_verify(sig, digest.be, &key);
  EXPECT(valid == is_result(item, "valid"), "case %d, DER status %d: %s", case_id(item),
         status, vector_text(item, "comment"));
  if (status != SIGMILL_OK) {
    EXPECT(test_all_zero(sig, sizeof sig), "case %d: output of a refused DER",
           case_id(item));
    return;
  }
  check_signature(group, item, sig);
  size_t len = sigmill_p256_sig_to_der(again, sig);
  EXPECT(len == der.len && memcmp(again, der.bytes, len) == 0,
         "case %d: one signature has one DER form", case_id(item));
}

static void ecdsa_der(void) {
  each_case("wycheproof/ecdsa_secp256r1_sha256_test.json", der_case);
}

/* Signatures of another length than 64 cannot be handed over in this format; all of them
 * are marked invalid. */
static void p1363_case(yyjson_val *group, yyjson_val *item) {
  vector_bytes sig = vector_hex(item, "sig");
  group_key(group);
  if (sig.len != sigmill_p256_format_size(SIGMILL_P256_SIG64)) {
    EXPECT(is_result(item, "invalid"), "case %d has %zu bytes", case_id(item), sig.len);
    return;
  }
  check_signature(group, item, sig.bytes);
}

static void ecdsa_p1363(void) {
  each_case("wycheproof/ecdsa_secp256r1_sha256_p1363_test.json", p1363_case);
}

/* ---------------------------------------------------------------- ECDH */

/* Secrets stand as integers of any width. */
static ref_num secret_of(yyjson_val *item) {
  vector_bytes text = vector_hex(item, "private");
  size_t skip = text.len > 32 ? text.len - 32 : 0;
  ref_num secret = {{0}};
  EXPECT(test_all_zero(text.bytes, skip), "case %d: a wide secret", case_id(item));
  memcpy(secret.be + 32 - (text.len - skip), text.bytes + skip, text.len - skip);
  return secret;
}

/* Reads the peer's SPKI and derives; true if the key was read, and then the secret is the
 * one in the file. */
static bool derives(yyjson_val *item) {
  vector_bytes spki = vector_hex(item, "public"), shared = vector_hex(item, "shared");
  sigmill_p256_keypair pair = ref_keypair(secret_of(item));
  sigmill_p256_pubkey peer;
  uint8_t out[32];
  memset(&peer, 0xa5, sizeof peer);
  if (sigmill_p256_pubkey_from_spki(&peer, spki.bytes, spki.len, NULL) != SIGMILL_OK) {
    EXPECT(test_all_zero(&peer, sizeof peer), "case %d: output of a refused key",
           case_id(item));
    return false;
  }
  EXPECT(sigmill_p256_ecdh(out, &pair, &peer) == SIGMILL_OK && shared.len == 32 &&
             memcmp(out, shared.bytes, 32) == 0,
         "case %d: another shared secret", case_id(item));
  return true;
}

static void valid_ecdh_case(yyjson_val *group, yyjson_val *item) {
  (void)group;
  if (is_result(item, "valid")) {
    EXPECT(derives(item), "case %d: %s", case_id(item), vector_text(item, "comment"));
  }
}

static void ecdh_valid(void) {
  each_case("wycheproof/ecdh_secp256r1_test.json", valid_ecdh_case);
}

static void invalid_ecdh_case(yyjson_val *group, yyjson_val *item) {
  (void)group;
  if (is_result(item, "invalid")) {
    EXPECT(!derives(item), "case %d: %s", case_id(item), vector_text(item, "comment"));
  }
}

static void ecdh_invalid(void) {
  each_case("wycheproof/ecdh_secp256r1_test.json", invalid_ecdh_case);
}

static void acceptable_ecdh_case(yyjson_val *group, yyjson_val *item) {
  (void)group;
  if (!is_result(item, "acceptable")) {
    return;
  }
  bool compressed = has_flag(item, "CompressedPublic");
  bool explicit_curve = has_flag(item, "UnnamedCurve");
  bool loose = has_flag(item, "InvalidAsn");
  EXPECT(compressed + explicit_curve + loose == 1, "case %d has no rule", case_id(item));
  EXPECT(derives(item) == compressed, "case %d: %s", case_id(item),
         vector_text(item, "comment"));
}

static void ecdh_acceptable_compressed_yes_explicit_or_loose_der_no(void) {
  each_case("wycheproof/ecdh_secp256r1_test.json", acceptable_ecdh_case);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  RUN(ecdsa_der);
  RUN(ecdsa_p1363);
  RUN(ecdh_valid);
  RUN(ecdh_invalid);
  RUN(ecdh_acceptable_compressed_yes_explicit_or_loose_der_no);
  ref_end();
  return test_end();
}
