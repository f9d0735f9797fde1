/* The public functions over many items with secrets: in lanes where there are any, the
 * few items beside full groups one at a time, as everything is without lanes. */
#include "api_types.h"
#include "batch/plan_p256.h"
#include "scheme/sign_many.h"

/* How many of count items, the first ones, go into lanes. */
static size_t items_in_lanes(size_t count, size_t most_alone) {
  return plan_in_lanes(sm_backend()->lanes, count, most_alone);
}

bool sigmill_p256_keypair_batch(sigmill_p256_keypair *out, uint8_t *verdicts,
                                const uint8_t (*secrets)[32], size_t n) {
  if (!batch_begin(verdicts, n, out != NULL && secrets != NULL)) {
    return batch_refuse(out, sizeof *out, n);
  }
  size_t in_lanes = items_in_lanes(n, PLAN_KEYPAIRS_ALONE);
  for (size_t first = 0, count; first < in_lanes; first += count) {
    p256_keypair pairs[LANES_P256_CHUNK];
    u256 d[LANES_P256_CHUNK];
    count = at_most(in_lanes - first, LANES_P256_CHUNK);
    for (size_t i = 0; i < count; i++) {
      u256_from_be(&d[i], secrets[first + i]);
    }
    sm_p256_keypair_many(pairs, verdicts + first, d, count, sm_backend()->lanes);
    for (size_t i = 0; i < count; i++) {
      memset(&out[first + i], 0, sizeof *out);
      if (verdicts[first + i]) {
        keypair_set(&out[first + i], &pairs[i]);
      }
    }
    wipe(pairs, sizeof pairs);
    wipe(d, sizeof d);
  }
  for (size_t i = in_lanes; i < n; i++) {
    verdicts[i] = sigmill_p256_keypair_from_secret(&out[i], secrets[i]) == SIGMILL_OK;
  }
  wipe_stack_8k();
  return batch_end(verdicts, n);
}

/* The secret of a pair; false for none and an unset one. */
static bool secret_of(u256 *out, const sigmill_p256_keypair *key) {
  p256_keypair pair;
  bool is_set = key != NULL && keypair_get(&pair, key);
  if (is_set) {
    *out = pair.secret;
  }
  wipe(&pair, sizeof pair);
  return is_set;
}

/* Items that have all they need, without gaps. */
typedef struct {
  size_t count, at[LANES_P256_CHUNK]; /* where each comes from and its output goes */
  u256 d[LANES_P256_CHUNK];
  uint8_t digests[LANES_P256_CHUNK][32];
  uint8_t sigs[LANES_P256_CHUNK][64];
} sign_chunk;

static void sign(uint8_t (*sigs)[64], uint8_t *verdicts, sign_chunk *chunk,
                 const sigmill_p256_keypair *const *keys) {
  size_t in_lanes = items_in_lanes(chunk->count, PLAN_SIGNATURES_ALONE);
  if (in_lanes > 0) {
    sm_p256_sign_many(chunk->sigs, (const uint8_t(*)[32])chunk->digests, chunk->d,
                      in_lanes, sm_backend()->lanes);
  }
  for (size_t i = 0; i < chunk->count; i++) {
    size_t at = chunk->at[i];
    verdicts[at] = 1;
    if (i < in_lanes) {
      memcpy(sigs[at], chunk->sigs[i], sizeof chunk->sigs[i]);
    } else {
      verdicts[at] =
          sigmill_p256_sign(sigs[at], chunk->digests[i], keys[at]) == SIGMILL_OK;
    }
  }
  chunk->count = 0;
}

bool sigmill_p256_sign_batch(uint8_t (*sigs)[64], uint8_t *verdicts,
                             const uint8_t (*digests)[32],
                             const sigmill_p256_keypair *const *keys, size_t n) {
  if (!batch_begin(verdicts, n, sigs != NULL && digests != NULL && keys != NULL)) {
    return batch_refuse(sigs, sizeof *sigs, n);
  }
  sign_chunk chunk;
  chunk.count = 0;
  for (size_t i = 0; i < n; i++) {
    if (secret_of(&chunk.d[chunk.count], keys[i])) {
      memcpy(chunk.digests[chunk.count], digests[i], 32);
      chunk.at[chunk.count++] = i;
    } else {
      memset(sigs[i], 0, sizeof sigs[i]);
    }
    if (chunk.count == LANES_P256_CHUNK) {
      sign(sigs, verdicts, &chunk, keys);
    }
  }
  sign(sigs, verdicts, &chunk, keys);
  wipe(chunk.d, sizeof chunk.d);
  wipe_stack_8k();
  return batch_end(verdicts, n);
}

typedef struct {
  size_t count, at[LANES_P256_CHUNK];
  u256 d[LANES_P256_CHUNK];
  p256_point peers[LANES_P256_CHUNK];
  uint8_t shared[LANES_P256_CHUNK][32];
} ecdh_chunk;

static void agree(uint8_t (*out)[32], uint8_t *verdicts, ecdh_chunk *chunk,
                  const sigmill_p256_keypair *const *keys,
                  const sigmill_p256_pubkey *const *peers) {
  size_t in_lanes = items_in_lanes(chunk->count, PLAN_ECDH_ALONE);
  if (in_lanes > 0) {
    sm_p256_ecdh_many(chunk->shared, chunk->d, chunk->peers, in_lanes,
                      sm_backend()->lanes);
  }
  for (size_t i = 0; i < chunk->count; i++) {
    size_t at = chunk->at[i];
    verdicts[at] = 1;
    if (i < in_lanes) {
      memcpy(out[at], chunk->shared[i], sizeof chunk->shared[i]);
    } else {
      verdicts[at] = sigmill_p256_ecdh(out[at], keys[at], peers[at]) == SIGMILL_OK;
    }
  }
  chunk->count = 0;
}

bool sigmill_p256_ecdh_batch(uint8_t (*out)[32], uint8_t *verdicts,
                             const sigmill_p256_keypair *const *keys,
                             const sigmill_p256_pubkey *const *peers, size_t n) {
  if (!batch_begin(verdicts, n, out != NULL && keys != NULL && peers != NULL)) {
    return batch_refuse(out, sizeof *out, n);
  }
  ecdh_chunk chunk;
  chunk.count = 0;
  for (size_t i = 0; i < n; i++) {
    if (peers[i] != NULL && pubkey_get(&chunk.peers[chunk.count], peers[i]) &&
        secret_of(&chunk.d[chunk.count], keys[i])) {
      chunk.at[chunk.count++] = i;
    } else {
      memset(out[i], 0, sizeof out[i]);
    }
    if (chunk.count == LANES_P256_CHUNK) {
      agree(out, verdicts, &chunk, keys, peers);
    }
  }
  agree(out, verdicts, &chunk, keys, peers);
  wipe(chunk.d, sizeof chunk.d);
  wipe(chunk.shared, sizeof chunk.shared);
  wipe_stack_8k();
  return batch_end(verdicts, n);
}
