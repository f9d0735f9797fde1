/* DER signatures, against libcrypto. */
#include "disagreement.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t sig[64], again[SIGMILL_P256_DER_MAX];
  size_t error_at = 0;
  sigmill_status status = sigmill_p256_sig_from_der_at(sig, data, size, &error_at);
  fuzz_outcome(status, sig, sizeof sig, error_at, size);
  if (status == SIGMILL_OK) {
    fuzz_require(sigmill_p256_sig_to_der(again, sig) == size &&
                     memcmp(again, data, size) == 0,
                 "written otherwise");
  }
  fuzz_agree(sig_der_disagreement(data, size));
  return 0;
}
