/* COSE_Key: framing, and the round trip. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sigmill_p256_pubkey key, prefix_key, again;
  uint8_t cose[SIGMILL_P256_COSE_SIZE];
  size_t error_at = 0, used = 0;
  sigmill_status status = sigmill_p256_pubkey_from_cose(&key, data, size, &error_at);
  fuzz_outcome(status, &key, sizeof key, error_at, size);
  sigmill_status prefix_status =
      sigmill_p256_pubkey_from_cose_prefix(&prefix_key, &used, data, size, &error_at);
  fuzz_outcome(prefix_status, &prefix_key, sizeof prefix_key, error_at, size);
  fuzz_require((used > 0) == (prefix_status == SIGMILL_OK) && used <= size, "used");
  if (prefix_status != SIGMILL_OK) {
    fuzz_require(status != SIGMILL_OK, "a key is no prefix of itself");
    return 0;
  }
  if (size <= SIGMILL_KEY_TEXT_MAX) {
    fuzz_require(status == (used == size ? SIGMILL_OK : SIGMILL_ERR_TRAILING), "framing");
  }
  fuzz_require(sigmill_p256_pubkey_from_cose(&again, data, used, NULL) == SIGMILL_OK &&
                   sigmill_p256_pubkey_equal(&again, &prefix_key),
               "the bytes used are not the key");
  sigmill_p256_pubkey_to_cose(cose, &prefix_key);
  fuzz_require(sigmill_p256_pubkey_from_cose(&again, cose, sizeof cose, NULL) ==
                       SIGMILL_OK &&
                   sigmill_p256_pubkey_equal(&again, &prefix_key),
               "no round trip");
  return 0;
}
