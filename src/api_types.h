/* What stands inside the opaque structs of sigmill.h. */
#ifndef SIGMILL_API_TYPES_H
#define SIGMILL_API_TYPES_H

#include "base/secret.h"
#include "scheme/ecdsa_p256.h"
#include "sigmill.h"

/* Stands in a struct that was made by a parser; an all-zero struct lacks it. */
#define KEY_IS_SET UINT64_C(0x7032353673657431)

typedef struct {
  p256_point point;
  uint64_t is_set, reserved;
} pubkey_inside;

typedef struct {
  p256_keypair pair;
  uint64_t is_set, reserved[3];
} keypair_inside;

_Static_assert(sizeof(pubkey_inside) == sizeof(sigmill_p256_pubkey), "pubkey size");
_Static_assert(sizeof(keypair_inside) == sizeof(sigmill_p256_keypair), "keypair size");

/* The point, or false for an unset key. */
static inline bool pubkey_get(p256_point *out, const sigmill_p256_pubkey *key) {
  pubkey_inside inside;
  memcpy(&inside, key, sizeof inside);
  *out = inside.point;
  return inside.is_set == KEY_IS_SET;
}

static inline void pubkey_set(sigmill_p256_pubkey *out, const p256_point *point) {
  pubkey_inside inside = {.point = *point, .is_set = KEY_IS_SET};
  memcpy(out, &inside, sizeof inside);
}

/* The pair, or false for an unset one.  The caller wipes out. */
static inline bool keypair_get(p256_keypair *out, const sigmill_p256_keypair *key) {
  keypair_inside inside;
  memcpy(&inside, key, sizeof inside);
  *out = inside.pair;
  bool is_set = inside.is_set == KEY_IS_SET;
  wipe(&inside, sizeof inside);
  return is_set;
}

static inline void keypair_set(sigmill_p256_keypair *out, const p256_keypair *pair) {
  keypair_inside inside = {.pair = *pair, .is_set = KEY_IS_SET};
  memcpy(out, &inside, sizeof inside);
  wipe(&inside, sizeof inside);
}

/* Calls over many items: sets all verdicts to 0; false if there is nothing to do or
 * something is missing. */
static inline bool batch_begin(uint8_t *verdicts, size_t n, bool all_given) {
  if (n == 0 || verdicts == NULL) {
    return false;
  }
  memset(verdicts, 0, n);
  return all_given;
}

/* Calls over many items in which something is missing: no more is left of an output that
 * is there (it may be NULL) than zeros.  False, for the call. */
static inline bool batch_refuse(void *out, size_t item_size, size_t n) {
  if (out != NULL) {
    memset(out, 0, item_size * n);
  }
  return false;
}

/* Are there verdicts, and all of them 1? */
static inline bool batch_end(const uint8_t *verdicts, size_t n) {
  uint8_t all = 1;
  for (size_t i = 0; i < n; i++) {
    all &= verdicts[i];
  }
  return n > 0 && all == 1;
}

static inline size_t at_most(size_t n, size_t most) {
  return n < most ? n : most;
}

#endif
