/* A key prepared for many signatures that come one at a time: its comb, made by whatever
 * judges with it.  Variable time. */
#ifndef SIGMILL_SCHEME_PREPARED_P256_H
#define SIGMILL_SCHEME_PREPARED_P256_H

#include "scheme/ecdsa_p256.h"

typedef struct {
  p256_key_comb comb;
  p256_point key;
  const p256_lanes *lanes; /* whose comb it is; NULL: the scalar engine's */
} p256_prepared;

void sm_prepared_p256_make_vt(p256_prepared *out, const p256_point *key);
/* sm_p256_verify_vt with the prepared key; formats with a hint go that way. */
sigmill_status sm_prepared_p256_verify_vt(const uint8_t *sig, sigmill_p256_format format,
                                          const uint8_t digest[32],
                                          const p256_prepared *prepared);

#endif
