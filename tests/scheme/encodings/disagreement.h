/* Where our readers and those of libcrypto and yyjson must say the same, and where which
 * of them may differ.  Each function gives NULL or what went wrong; tests and fuzzers
 * share them. */
#ifndef SIGMILL_TESTS_DISAGREEMENT_H
#define SIGMILL_TESTS_DISAGREEMENT_H

#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is this a P-256 key by name?  If so, sec1 is its point. */
bool is_named_p256(EVP_PKEY *pkey, uint8_t sec1[65]);

/* libcrypto reads BER: ours accepts exactly what it writes again unchanged and in range.
 */
const char *sig_der_disagreement(const uint8_t *der, size_t len);
/* The same bytes as libcrypto writes for r and s. */
const char *sig_writer_disagreement(const uint8_t sig[64], const uint8_t *der,
                                    size_t len);
/* The same points and no others. */
const char *sec1_disagreement(const uint8_t *in, size_t len);
/* Ours accepts exactly the prime256v1 keys that libcrypto writes again unchanged, but for
 * hybrid points. */
const char *spki_disagreement(const uint8_t *der, size_t len);
/* What ours accepts, libcrypto does, with the same secret and public key. */
const char *pkcs8_disagreement(const uint8_t *der, size_t len);
const char *ec_private_key_disagreement(const uint8_t *der, size_t len);
/* See pem.h for the differences that are wanted. */
const char *pem_disagreement(const uint8_t *text, size_t len);

#endif
