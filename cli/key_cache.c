/* The key cache: 4096 sets of two, the less recently used one replaced; and the keys that
 * are new in a round. */
#include "key_cache.h"

#include "armor.h"
#include "keyfile.h"
#include "reason.h"
#include <stdlib.h>
#include <string.h>

#define SET_COUNT     4096
#define CACHED_LENGTH 256 /* longer keys are parsed each time */
#define POINT_SIZE    33  /* compressed */

typedef struct {
  cached_key parsed;
  uint16_t len; /* 0: empty */
  uint8_t form, recent;
  uint8_t bytes[CACHED_LENGTH];
} key_slot;

/* A key that is new in this round. */
typedef struct {
  key_slot slot; /* len 0: too long to be kept */
  size_t set;
} new_key;

struct key_cache {
  bool hybrid;
  new_key fresh[KEY_ROUND];
  size_t fresh_count;
  /* 1 + the index of the newest among them in each set; older rounds leave numbers that
   * fit no key of this one. */
  uint16_t newest[SET_COUNT];
  /* Those of them that wait, and what becomes of them. */
  size_t waiting[KEY_ROUND];
  uint8_t points[KEY_ROUND][POINT_SIZE];
  sigmill_p256_pubkey lifted[KEY_ROUND];
  uint8_t found[KEY_ROUND];
  size_t waiting_count;
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
  uint64_t h = len, word;
  size_t at = 0;
  for (; at + 8 <= len; at += 8) {
    memcpy(&word, bytes + at, 8);
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  word = 0;
  memcpy(&word, bytes + at, len - at);
  h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

/* ---------------------------------------------------------------- reading a key */

/* The compressed point that these bytes are, or that is all there is in a
 * SubjectPublicKeyInfo (RFC 5480); else NULL. */
static const uint8_t *compressed_point(const uint8_t *bytes, size_t len) {
  static const uint8_t before[] = {0x30, 0x39, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
                                   0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
                                   0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x22, 0x00};
  if (len == sizeof before + POINT_SIZE && memcmp(bytes, before, sizeof before) == 0) {
    bytes += sizeof before;
    len = POINT_SIZE;
  }
  return len == POINT_SIZE && (bytes[0] | 1) == 3 ? bytes : NULL;
}

/* Binary keys tell their format by the first byte: SPKI 30, COSE_Key a map, else SEC1.
 * Where `later` is not NULL, it takes a compressed point, which then waits. */
static int parse_bytes(const key_cache *cache, cached_key *out, const uint8_t *bytes,
                       size_t len, uint8_t *later) {
  const uint8_t *point = later != NULL ? compressed_point(bytes, len) : NULL;
  if (point != NULL) {
    memcpy(later, point, POINT_SIZE);
    return KEY_WAITS;
  }
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
                      size_t len, uint8_t *later) {
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
    return parse_bytes(cache, out, bytes, len / 2, later);
  }
  if (!base64_decode(bytes, sizeof bytes, &bytes_len, chars, len)) {
    out->words = base64_fault(&out->at, chars, len);
    out->decoded = false;
    return REASON_TEXT;
  }
  out->at = 0;
  return parse_bytes(cache, out, bytes, bytes_len, later);
}

/* The key itself; `later` as above. */
static void parse(const key_cache *cache, cached_key *out, key_form form,
                  const uint8_t *bytes, size_t len, uint8_t *later) {
  memset(out, 0, sizeof *out);
  switch (form) {
  case KEY_FORM_POINT:
    if (later != NULL && compressed_point(bytes, len) == bytes) {
      memcpy(later, bytes, POINT_SIZE);
      out->reason = KEY_WAITS;
    } else {
      out->reason = (int)key_read_point(&out->key, bytes, len, cache->hybrid);
    }
    break;
  case KEY_FORM_JWK:
    out->reason =
        (int)sigmill_p256_pubkey_from_jwk(&out->key, (const char *)bytes, len, &out->at);
    break;
  case KEY_FORM_TEXT:
    out->reason = parse_text(cache, out, bytes, len, later);
    break;
  }
}

/* ---------------------------------------------------------------- rounds */

static bool slot_holds(const key_slot *slot, key_form form, const uint8_t *bytes,
                       size_t len) {
  return slot->len == len && slot->form == form && memcmp(slot->bytes, bytes, len) == 0;
}

/* The place of a key in its set; -1 if it is not there. */
static int place_in_set(const key_slot set[2], key_form form, const uint8_t *bytes,
                        size_t len) {
  return slot_holds(&set[0], form, bytes, len)   ? 0
         : slot_holds(&set[1], form, bytes, len) ? 1
                                                 : -1;
}

static void use(key_slot set[2], int place) {
  set[place].recent = 1;
  set[1 - place].recent = 0;
}

static void keep(key_slot set[2], const key_slot *slot) {
  if (slot->len == 0 ||
      place_in_set(set, (key_form)slot->form, slot->bytes, slot->len) >= 0) {
    return;
  }
  int victim = set[0].recent != 0 ? 1 : 0;
  memcpy(&set[victim], slot, offsetof(key_slot, bytes) + slot->len);
  use(set, victim);
}

void key_cache_begin(key_cache *cache) {
  key_cache_settle(cache);
  for (size_t i = 0; i < cache->fresh_count; i++) {
    keep(cache->sets[cache->fresh[i].set], &cache->fresh[i].slot);
  }
  cache->fresh_count = 0;
}

/* Parses it, or lets it wait. */
static const cached_key *take_new(key_cache *cache, key_form form, const uint8_t *bytes,
                                  size_t len, size_t set) {
  new_key *key = &cache->fresh[cache->fresh_count++];
  key->slot.len = 0;
  key->slot.form = (uint8_t)form;
  key->set = set;
  bool kept = len > 0 && len <= CACHED_LENGTH;
  if (kept) {
    key->slot.len = (uint16_t)len;
    memcpy(key->slot.bytes, bytes, len);
    cache->newest[set] = (uint16_t)cache->fresh_count;
  }
  parse(cache, &key->slot.parsed, form, bytes, len,
        kept ? cache->points[cache->waiting_count] : NULL);
  if (key->slot.parsed.reason == KEY_WAITS) {
    cache->waiting[cache->waiting_count++] = cache->fresh_count - 1;
  }
  return &key->slot.parsed;
}

static const cached_key *take_too_long(key_cache *cache) {
  new_key *key = &cache->fresh[cache->fresh_count++];
  key->slot.len = 0;
  key->set = 0;
  key->slot.parsed = (cached_key){.reason = SIGMILL_ERR_TOO_LONG};
  return &key->slot.parsed;
}

const cached_key *key_cache_get(key_cache *cache, key_form form, const uint8_t *bytes,
                                size_t len) {
  if (len > KEY_TEXT_MAX) {
    return take_too_long(cache);
  }
  if (len == 0 || len > CACHED_LENGTH) {
    return take_new(cache, form, bytes, len, 0);
  }
  size_t number = mix(bytes, len) % SET_COUNT;
  key_slot *set = cache->sets[number];
  int place = place_in_set(set, form, bytes, len);
  if (place >= 0) {
    use(set, place);
    return &set[place].parsed;
  }
  size_t newest = cache->newest[number];
  if (newest > 0 && newest <= cache->fresh_count) {
    const new_key *key = &cache->fresh[newest - 1];
    if (key->set == number && slot_holds(&key->slot, form, bytes, len)) {
      return &key->slot.parsed;
    }
  }
  return take_new(cache, form, bytes, len, number);
}

void key_cache_settle(key_cache *cache) {
  size_t n = cache->waiting_count;
  bool all_found = n > 0 && sigmill_p256_pubkey_parse_batch(
                                cache->lifted, cache->found,
                                (const uint8_t(*)[POINT_SIZE])cache->points, n);
  for (size_t k = 0; k < n; k++) {
    key_slot *slot = &cache->fresh[cache->waiting[k]].slot;
    if (all_found || cache->found[k] == 1) {
      slot->parsed.key = cache->lifted[k];
      slot->parsed.reason = SIGMILL_OK;
    } else { /* once more, for the reason */
      parse(cache, &slot->parsed, (key_form)slot->form, slot->bytes, slot->len, NULL);
    }
  }
  cache->waiting_count = 0;
}
