/* Keys of rows, parsed once: a small set-associative cache by the exact bytes of the key.
 * One cache per thread.  Refusals are kept too.
 *
 * Keys come in rounds.  What is new in a round is set aside, so that compressed points
 * are read together (sigmill_p256_pubkey_parse_batch), and enters the cache when the next
 * round begins. */
#ifndef SIGMILL_CLI_KEY_CACHE_H
#define SIGMILL_CLI_KEY_CACHE_H

#include "sigmill.h"

#define KEY_TEXT_MAX 8192 /* a longer key is refused unread */

#define KEY_ROUND 2048 /* keys of a round, at most */

/* The reason of a compressed point that is still to be read; no status. */
#define KEY_WAITS (-1)

typedef enum {
  KEY_FORM_POINT = 1, /* SEC1 bytes */
  KEY_FORM_TEXT,      /* hexadecimal, base64 or base64url, PEM, or a JWK's text */
  KEY_FORM_JWK        /* a JWK's text */
} key_form;

typedef struct {
  sigmill_p256_pubkey key;
  int reason; /* OK, or why it cannot be read, or KEY_WAITS */
  size_t at; /* the byte at fault, of what was handed in or, decoded, of what it spells */
  bool decoded;
  const char *words; /* what is wrong; NULL: the reason's own words */
} cached_key;

typedef struct key_cache key_cache;

/* NULL without memory.  hybrid: SEC1 06/07 allowed. */
key_cache *key_cache_create(bool hybrid);
void key_cache_destroy(key_cache *cache);
/* Begins a round: what the last one gave is no longer good. */
void key_cache_begin(key_cache *cache);
/* The key that these bytes spell; good to the end of the round. */
const cached_key *key_cache_get(key_cache *cache, key_form form, const uint8_t *bytes,
                                size_t len);
/* Reads what waits. */
void key_cache_settle(key_cache *cache);

#endif
