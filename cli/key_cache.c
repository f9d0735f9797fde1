/* The key cache: 4096 sets of two, the less recently used one replaced. */
#include "key_cache.h"

#include "armor.h"
#include "keyfile.h"
#include "reason.h"
#include <stdlib.h>
#include <string.h>

#define SET_COUNT     4096
#define CACHED_LENGTH 256 /* longer keys are parsed each time */

typedef struct {
  cached_key parsed;
  uint16_t len; /* 0: empty */
  uint8_t form, recent;
  uint8_t bytes[CACHED_LENGTH];
} key_slot;

struct key_cache {
  bool hybrid;
  cached_key uncached;
  key_slot sets[SET_COUNT][2];
};

key_cache *key_cache_create(bool hybrid) {
  key_cache *cache = calloc(1, sizeof *cache);
  if (cache != NULL) {
    cache->hybrid = hybrid;
  }
  return cache;
}

void key_cache_destroy(key_cache *cache) {
  free(cache);
}

/* Equal bytes give equal values; whoever builds keys that collide only loses the cache.
 */
static uint64_t mix(const uint8_t *bytes, size_t len) {
  uint64_t h = len;
  for (size_t at = 0; at < len; at += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes + at, len - at < 8 ? len - at : 8);
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  return h;
}

/* Binary keys tell their format by the first byte: SPKI 30, COSE_Key a map, else SEC1. */
static int parse_bytes(const key_cache *cache, cached_key *out, const uint8_t *bytes,
                       size_t len) {
  if (len > 0 && bytes[0] == 0x30) {
    return (int)key_read_spki(&out->key, bytes, len, cache->hybrid, &out->at);
  }
  if (len > 0 && bytes[0] >= 0xa0 && bytes[0] <= 0xbf) {
    return (int)sigmill_p256_pubkey_from_cose(&out->key, bytes, len, &out->at);
  }
  return (int)key_read_point(&out->key, bytes, len, cache->hybrid);
}

static bool holds(const uint8_t *text, size_t len, const char *word) {
  size_t word_len = strlen(word);
  for (size_t i = 0; i + word_len <= len; i++) {
    if (text[i] == (uint8_t)word[0] && memcmp(text + i, word, word_len) == 0) {
      return true;
    }
  }
  return false;
}

/* As base64 these beginnings are those of no key, so that hexadecimal is meant: a point,
 * a SubjectPublicKeyInfo, a COSE_Key. */
static bool begins_as_hex(const char *text, size_t len) {
  return len >= 2 && ((text[0] == '0' && text[1] >= '2' && text[1] <= '7') ||
                      (text[0] == '3' && text[1] == '0') ||
                      ((text[0] == 'a' || text[0] == 'b') && is_hex(text + 1, 1)));
}

static int parse_text(const key_cache *cache, cached_key *out, const uint8_t *text,
                      size_t len) {
  uint8_t bytes[KEY_TEXT_MAX];
  size_t bytes_len;
  const char *chars = (const char *)text;
  if (len > 0 && text[0] == '{') {
    return (int)sigmill_p256_pubkey_from_jwk(&out->key, chars, len, &out->at);
  }
  if (holds(text, len, "-----BEGIN ")) {
    return (int)key_read_pem(&out->key, text, len, cache->hybrid, &out->at);
  }
  const char *words = hex_fault(&out->at, chars, len);
  if (words != NULL && begins_as_hex(chars, len)) {
    out->words = words;
    return REASON_HEX;
  }
  out->decoded = true;
  if (words == NULL && len > 0) {
    (void)hex_decode(bytes, chars, len / 2);
    out->at = 0;
    return parse_bytes(cache, out, bytes, len / 2);
  }
  if (!base64_decode(bytes, sizeof bytes, &bytes_len, chars, len)) {
    out->words = base64_fault(&out->at, chars, len);
    out->decoded = false;
    return REASON_TEXT;
  }
  out->at = 0;
  return parse_bytes(cache, out, bytes, bytes_len);
}

static void parse(const key_cache *cache, cached_key *out, key_form form,
                  const uint8_t *bytes, size_t len) {
  memset(out, 0, sizeof *out);
  switch (form) {
  case KEY_FORM_POINT:
    out->reason = (int)key_read_point(&out->key, bytes, len, cache->hybrid);
    break;
  case KEY_FORM_JWK:
    out->reason =
        (int)sigmill_p256_pubkey_from_jwk(&out->key, (const char *)bytes, len, &out->at);
    break;
  case KEY_FORM_TEXT:
    out->reason = parse_text(cache, out, bytes, len);
    break;
  }
}

static bool slot_holds(const key_slot *slot, key_form form, const uint8_t *bytes,
                       size_t len) {
  return slot->len == len && slot->form == form && memcmp(slot->bytes, bytes, len) == 0;
}

const cached_key *key_cache_get(key_cache *cache, key_form form, const uint8_t *bytes,
                                size_t len) {
  if (len == 0 || len > CACHED_LENGTH) {
    if (len > KEY_TEXT_MAX) {
      cache->uncached = (cached_key){.reason = SIGMILL_ERR_TOO_LONG};
    } else {
      parse(cache, &cache->uncached, form, bytes, len);
    }
    return &cache->uncached;
  }
  key_slot *set = cache->sets[mix(bytes, len) % SET_COUNT];
  for (int i = 0; i < 2; i++) {
    if (slot_holds(&set[i], form, bytes, len)) {
      set[i].recent = 1;
      set[1 - i].recent = 0;
      return &set[i].parsed;
    }
  }
  int victim = set[0].recent != 0 ? 1 : 0;
  parse(cache, &set[victim].parsed, form, bytes, len);
  memcpy(set[victim].bytes, bytes, len);
  set[victim].len = (uint16_t)len;
  set[victim].form = (uint8_t)form;
  set[victim].recent = 1;
  set[1 - victim].recent = 0;
  return &set[victim].parsed;
}
