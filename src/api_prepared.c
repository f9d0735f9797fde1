/* The public functions on prepared keys. */
#include "api_types.h"
#include "scheme/prepared_p256.h"

#include <stdlib.h>

struct sigmill_p256_prepared {
  p256_prepared inside;
};

sigmill_status sigmill_p256_prepared_create(sigmill_p256_prepared **out,
                                            const sigmill_p256_pubkey *key) {
  p256_point point;
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  *out = NULL;
  if (key == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  if (!pubkey_get(&point, key)) {
    return SIGMILL_ERR_KEY_UNSET;
  }
  sigmill_p256_prepared *prepared =
      aligned_alloc(_Alignof(sigmill_p256_prepared), sizeof *prepared);
  if (prepared == NULL) {
    return SIGMILL_ERR_MEMORY;
  }
  sm_prepared_p256_make_vt(&prepared->inside, &point);
  *out = prepared;
  return SIGMILL_OK;
}

void sigmill_p256_prepared_destroy(sigmill_p256_prepared *key) {
  free(key);
}

bool sigmill_p256_prepared_verify_as(const uint8_t *sig, sigmill_p256_format format,
                                     const uint8_t digest[32],
                                     const sigmill_p256_prepared *key) {
  return sig != NULL && digest != NULL && key != NULL &&
         sm_prepared_p256_verify_vt(sig, format, digest, &key->inside) == SIGMILL_OK;
}

bool sigmill_p256_prepared_verify(const uint8_t sig[64], const uint8_t digest[32],
                                  const sigmill_p256_prepared *key) {
  return sigmill_p256_prepared_verify_as(sig, SIGMILL_P256_SIG64, digest, key);
}
