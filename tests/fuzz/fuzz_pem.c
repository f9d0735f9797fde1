/* PEM files: public keys against libcrypto, private keys by their round trip. */
#include "disagreement.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sigmill_p256_pubkey key;
  sigmill_p256_keypair pair, again;
  char pem[SIGMILL_P256_PEM_PRIVATE_SIZE + 1];
  size_t error_at = 0;
  const char *text = (const char *)data;
  sigmill_status status = sigmill_p256_pubkey_from_pem(&key, text, size, &error_at);
  fuzz_outcome(status, &key, sizeof key, error_at, size);
  status = sigmill_p256_keypair_from_pem(&pair, text, size, &error_at);
  fuzz_outcome(status, &pair, sizeof pair, error_at, size);
  if (status == SIGMILL_OK) {
    sigmill_p256_keypair_to_pem(pem, &pair);
    fuzz_require(sigmill_p256_keypair_from_pem(&again, pem, strlen(pem), NULL) ==
                         SIGMILL_OK &&
                     memcmp(&pair, &again, sizeof pair) == 0,
                 "no round trip");
  }
  fuzz_agree(pem_disagreement(data, size));
  return 0;
}
