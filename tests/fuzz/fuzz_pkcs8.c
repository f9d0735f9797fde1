/* PKCS#8, against libcrypto. */
#include "disagreement.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sigmill_p256_keypair pair, again;
  uint8_t der[SIGMILL_P256_PKCS8_SIZE];
  size_t error_at = 0;
  sigmill_status status = sigmill_p256_keypair_from_pkcs8(&pair, data, size, &error_at);
  fuzz_outcome(status, &pair, sizeof pair, error_at, size);
  if (status == SIGMILL_OK) {
    sigmill_p256_keypair_to_pkcs8(der, &pair);
    fuzz_require(sigmill_p256_keypair_from_pkcs8(&again, der, sizeof der, NULL) ==
                         SIGMILL_OK &&
                     memcmp(&pair, &again, sizeof pair) == 0,
                 "no round trip");
  }
  fuzz_agree(pkcs8_disagreement(data, size));
  return 0;
}
