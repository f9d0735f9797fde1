/* Keys that libcrypto made, and text that grows: what the tests of encodings share. */
#ifndef SIGMILL_TESTS_SAMPLES_H
#define SIGMILL_TESTS_SAMPLES_H

#include "harness.h"
#include "sigmill.h"

#include <openssl/evp.h>
#include <string.h>

/* The same key in libcrypto's hands and in ours. */
typedef struct {
  EVP_PKEY *pkey;
  uint8_t secret[32], sec1[65], sec1_short[33];
  sigmill_p256_keypair pair;
  sigmill_p256_pubkey key;
} sample;

sample sample_new(void); /* random, by the harness's stream */
void sample_free(sample *s);

/* Bytes that grow at the end; more than fits aborts. */
typedef struct {
  size_t len;
  uint8_t bytes[2 << 16];
} text;

void text_clear(text *t);
void text_add(text *t, const void *bytes, size_t len);
void text_str(text *t, const char *s);
void text_hex(text *t, const char *hex);
void text_base64url(text *t, const uint8_t *bytes, size_t len); /* libcrypto's coder */

bool same_key(const sigmill_p256_pubkey *key, const uint8_t sec1[65]);
bool same_pair(const sigmill_p256_keypair *pair, const sample *s);

/* Reads a whole text, expecting the sample's key on success, and else zeros and an offset
 * within it. */
typedef sigmill_status public_reader(sigmill_p256_pubkey *out, const char *text,
                                     size_t len, size_t *error_at);
typedef sigmill_status private_reader(sigmill_p256_keypair *out, const char *text,
                                      size_t len, size_t *error_at);
sigmill_status read_public_by(public_reader *read, const text *t, size_t *at,
                              const sample *s);
sigmill_status read_private_by(private_reader *read, const text *t, size_t *at,
                               const sample *s);

/* Expects this status and, unless it is OK, this offset. */
#define EXPECT_STATUS(got, got_at, wanted, wanted_at, what)                              \
  EXPECT((got) == (wanted) && ((wanted) == SIGMILL_OK || (got_at) == (wanted_at)),       \
         "%s: %s at %zu, not %s at %zu", (what), sigmill_strerror(got),                  \
         (size_t)(got_at), sigmill_strerror(wanted), (size_t)(wanted_at))

#endif
