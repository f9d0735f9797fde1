/* Keys in PEM files (RFC 7468).
 *
 * Which lines make a block follows libcrypto's reader, so that files it takes are taken:
 * a line BEGIN or END stands at the very start of its line, blanks may follow it; blanks
 * may stand anywhere in the base64, which may be broken into lines of any length; one
 * blank line may follow BEGIN; a byte order mark may precede the first line; any text may
 * stand before and after the block.  Stricter than libcrypto: one block only (but for EC
 * PARAMETERS before EC PRIVATE KEY), no encapsulated headers, nothing but blanks (space,
 * tab, CR; at a line's end also VT, FF) beside the base64, no loose bits, no dash that
 * ends the data early.
 *
 * Offsets of what is wrong inside the block are those of the character of the base64 text
 * that holds the first bits of the byte at fault. */
#ifndef SIGMILL_SCHEME_PEM_H
#define SIGMILL_SCHEME_PEM_H

#include "scheme/ecdsa_p256.h"
#include "sigmill.h"

/* Exactly one PUBLIC KEY block. */
sigmill_status sm_pem_read_public_vt(p256_point *out, const uint8_t *text, size_t len,
                                     size_t *error_at);
/* Exactly one PRIVATE KEY (PKCS#8) or EC PRIVATE KEY block, the latter perhaps after EC
 * PARAMETERS, which are skipped.  Constant time in the secret; which characters are
 * base64 is public.  On failure out may hold part of the secret: the caller wipes. */
sigmill_status sm_pem_read_private(p256_keypair *out, const uint8_t *text, size_t len,
                                   size_t *error_at);

/* Lines of 64 characters, a newline after END, no final NUL. */
void sm_pem_write_public(char out[SIGMILL_P256_PEM_SIZE], const p256_point *point);
/* PKCS#8; constant time. */
void sm_pem_write_private(char out[SIGMILL_P256_PEM_PRIVATE_SIZE],
                          const p256_keypair *pair);

#endif
