/* SubjectPublicKeyInfo, against libcrypto. */
#include "disagreement.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sigmill_p256_pubkey key;
  size_t error_at = 0;
  sigmill_status status = sigmill_p256_pubkey_from_spki(&key, data, size, &error_at);
  fuzz_outcome(status, &key, sizeof key, error_at, size);
  fuzz_agree(spki_disagreement(data, size));
  return 0;
}
