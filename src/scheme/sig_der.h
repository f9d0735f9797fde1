/* ECDSA signatures in DER: SEQUENCE { r INTEGER, s INTEGER } (RFC 3279, section 2.2.3).
 */
#ifndef SIGMILL_SCHEME_SIG_DER_H
#define SIGMILL_SCHEME_SIG_DER_H

#include "sigmill.h"

/* Reads strict DER into r || s.  in: error_at not NULL.  Errors: TOO_LONG, TRUNCATED,
 * TRAILING, DER_TAG, DER_LENGTH, DER_INTEGER, SIG_R, SIG_S; sig is undefined then. */
sigmill_status sm_sig_der_read_vt(uint8_t sig[64], const uint8_t *der, size_t len,
                                  size_t *error_at);
/* Writes r || s, whatever the range; returns the size, 8..72, and zeroes the rest. */
size_t sm_sig_der_write_vt(uint8_t der[SIGMILL_P256_DER_MAX], const uint8_t sig[64]);

#endif
