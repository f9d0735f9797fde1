/* P-256 public keys as COSE_Key (RFC 9052, section 7; RFC 9053, section 7.1.1).
 *
 * A definite-length map: kty (1) 2, crv (-1) 1, x (-2) and y (-3) byte strings of 32; alg
 * (3), if there, -7.  Labels in any order, each an integer or text; integers need not be
 * the shortest.  No label stands twice, known or not.  Text that names one of the known
 * labels is refused, other text and other integers may label anything; d (-4) is not
 * looked at.  Rules are applied in this order: CBOR and labels as they come, then kty,
 * crv, alg, x, y, the point. */
#ifndef SIGMILL_SCHEME_COSE_H
#define SIGMILL_SCHEME_COSE_H

#include "group/engine_p256.h"
#include "sigmill.h"

/* Reads the key at the start of bytes; *used is its length.  used NULL: the key must be
 * all of bytes, TRAILING otherwise. */
sigmill_status sm_cose_read_vt(p256_point *out, size_t *used, const uint8_t *bytes,
                               size_t len, size_t *error_at);
/* With alg, in CTAP2's canonical order. */
void sm_cose_write(uint8_t out[SIGMILL_P256_COSE_SIZE], const p256_point *point);

#endif
