/* SEC1 points, against libcrypto. */
#include "disagreement.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sigmill_p256_pubkey key;
  sigmill_status status = sigmill_p256_pubkey_parse(&key, data, size);
  fuzz_outcome(status, &key, sizeof key, 0, size);
  fuzz_agree(sec1_disagreement(data, size));
  return 0;
}
