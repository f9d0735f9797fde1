/* JWK: what is read must be what yyjson finds in the members. */
#include "fuzz.h"

#include <yyjson.h>

/* Does the member hold the same text as in the JWK that we write? */
static bool same_member(yyjson_val *root, yyjson_val *ours, const char *name) {
  yyjson_val *a = yyjson_obj_get(root, name), *b = yyjson_obj_get(ours, name);
  return yyjson_is_str(a) && yyjson_is_str(b) && yyjson_equals(a, b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {"kty", "crv", "x", "y", "d"};
  sigmill_p256_pubkey key, public_half;
  sigmill_p256_keypair pair;
  char jwk[SIGMILL_P256_JWK_PRIVATE_SIZE + 1];
  size_t error_at = 0;
  const char *text = (const char *)data;
  sigmill_status status = sigmill_p256_pubkey_from_jwk(&key, text, size, &error_at);
  fuzz_outcome(status, &key, sizeof key, error_at, size);
  sigmill_status private_status =
      sigmill_p256_keypair_from_jwk(&pair, text, size, &error_at);
  fuzz_outcome(private_status, &pair, sizeof pair, error_at, size);
  sigmill_p256_keypair_public(&public_half, &pair);
  fuzz_require(
      private_status != SIGMILL_OK ||
          (status == SIGMILL_OK && sigmill_p256_pubkey_equal(&key, &public_half)),
      "a private key without its public half");
  if (status != SIGMILL_OK) {
    return 0;
  }
  size_t mark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  yyjson_doc *theirs = yyjson_read(text + mark, size - mark, YYJSON_READ_NUMBER_AS_RAW);
  if (private_status == SIGMILL_OK) {
    sigmill_p256_keypair_to_jwk(jwk, &pair);
  } else {
    sigmill_p256_pubkey_to_jwk(jwk, &key);
  }
  yyjson_doc *ours = yyjson_read(jwk, strlen(jwk), 0);
  if (theirs != NULL) { /* NULL only for lone surrogates: see fuzz_json.c */
    yyjson_val *a = yyjson_doc_get_root(theirs), *b = yyjson_doc_get_root(ours);
    for (int i = 0; i < (private_status == SIGMILL_OK ? 5 : 4); i++) {
      fuzz_require(same_member(a, b, names[i]), "another member");
    }
  }
  yyjson_doc_free(theirs);
  yyjson_doc_free(ours);
  return 0;
}
