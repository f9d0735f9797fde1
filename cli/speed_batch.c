/* Rows of `sigmill speed` over many items: operations, and the tests of their answers. */
#include "speed_batch.h"

#include <string.h>

/* Batches of call `i` begin at this item, so that small ones see all items too.  Call
 * good + i is batch i with its item at place_of_spoilt(i) spoilt. */
static size_t batch_start(const speed_call *call, size_t i) {
  return (i % (call->in->good / call->size)) * call->size;
}

static size_t place_of_spoilt(const speed_call *call, size_t i) {
  return i * 7 % call->size;
}

/* The place of the spoilt item in call i; none: the size. */
static size_t spoilt_in(const speed_call *call, size_t i) {
  return i < call->in->good ? call->size : place_of_spoilt(call, i - call->in->good);
}

/* The first item of call i. */
static size_t start_of(const speed_call *call, size_t i) {
  return batch_start(call, i < call->in->good ? i : i - call->in->good);
}

/* ---------------------------------------------------------------- right answers */

bool speed_right_batch(const speed_call *call, size_t i, bool said_yes,
                       const uint8_t *answer) {
  (void)answer;
  size_t spoilt = spoilt_in(call, i);
  bool ok = said_yes == (spoilt == call->size);
  for (size_t k = 0; k < call->size; k++) {
    ok &= call->in->verdicts[k] == (k != spoilt);
  }
  return ok;
}

bool speed_right_key_batch(const speed_call *call, size_t i, bool said_yes,
                           const uint8_t *answer) {
  bool ok = speed_right_batch(call, i, said_yes, answer);
  const speed_item *first = &call->in->items[start_of(call, i)];
  for (size_t k = 0; k < call->size; k++) {
    uint8_t point[65];
    sigmill_p256_pubkey_serialize65(point, &call->in->keys_out[k]);
    if (call->in->verdicts[k] == 1) {
      ok &= memcmp(point, first[k].pub65, 65) == 0;
    }
  }
  return ok;
}

/* One signature of each call, at another place each time, goes to libcrypto; all are
 * those of the single call, for the nonces are derived. */
bool speed_right_sign_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer) {
  const speed_inputs *in = call->in;
  size_t start = start_of(call, i), place = place_of_spoilt(call, i);
  bool ok = speed_right_batch(call, i, said_yes, answer) &&
            speed_libcrypto_accepts(&in->items[start + place], in->sigs_out[place]);
  for (size_t k = 0; ok && k < call->size; k++) {
    const speed_item *item = &in->items[start + k];
    uint8_t single[64];
    ok = sigmill_p256_sign(single, item->digest, &item->pair) == SIGMILL_OK &&
         memcmp(single, in->sigs_out[k], 64) == 0;
  }
  return ok;
}

bool speed_right_pair_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer) {
  bool ok = speed_right_batch(call, i, said_yes, answer);
  const speed_item *first = &call->in->items[start_of(call, i)];
  for (size_t k = 0; k < call->size; k++) {
    sigmill_p256_pubkey key;
    uint8_t point[65], secret[32];
    sigmill_p256_keypair_public(&key, &call->in->pairs_out[k]);
    sigmill_p256_pubkey_serialize65(point, &key);
    sigmill_p256_keypair_secret(secret, &call->in->pairs_out[k]);
    ok &= memcmp(point, first[k].pub65, 65) == 0 &&
          memcmp(secret, first[k].secret, 32) == 0;
  }
  return ok;
}

bool speed_right_ecdh_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer) {
  bool ok = speed_right_batch(call, i, said_yes, answer);
  const speed_item *first = &call->in->items[start_of(call, i)];
  for (size_t k = 0; k < call->size; k++) {
    ok &= memcmp(call->in->shared_out[k], first[k].shared, 32) == 0;
  }
  return ok;
}

/* ---------------------------------------------------------------- operations */

static bool verify(sigmill_verifier *verifier, sigmill_p256_format format,
                   const speed_call *call, size_t i) {
  const speed_inputs *in = call->in;
  sigmill_p256_item *first = in->batch[format] + start_of(call, i);
  if (i < in->good) {
    return sigmill_p256_verify_batch(verifier, in->verdicts, first, call->size);
  }
  /* The tests before the timing change one item for the length of a call. */
  sigmill_p256_item *spoilt = first + spoilt_in(call, i), saved = *spoilt;
  spoilt->digest = in->items[i].digest;
  bool all = sigmill_p256_verify_batch(verifier, in->verdicts, first, call->size);
  *spoilt = saved;
  return all;
}

bool speed_run_verify_batch(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  return verify(call->in->verifier, SIGMILL_P256_SIG64, call, i);
}

bool speed_run_recoverable_batch(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  return verify(call->in->verifier, SIGMILL_P256_RECOVERABLE65, call, i);
}

bool speed_run_compressed_r_batch(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  return verify(call->in->verifier, SIGMILL_P256_COMPRESSED_R65, call, i);
}

bool speed_run_full_r_batch(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  return verify(call->in->verifier, SIGMILL_P256_FULL_R96, call, i);
}

bool speed_run_verify_threads(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  return verify(call->in->threaded, SIGMILL_P256_SIG64, call, i);
}

bool speed_run_parse_batch(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_inputs *in = call->in;
  size_t from = start_of(call, i);
  const uint8_t(*keys)[33] = (const uint8_t(*)[33])(in->compressed + from);
  if (i < in->good) {
    return sigmill_p256_pubkey_parse_batch(in->keys_out, in->verdicts, keys, call->size);
  }
  uint8_t *spoilt = in->compressed[from + spoilt_in(call, i)];
  uint8_t saved[33];
  memcpy(saved, spoilt, 33);
  memcpy(spoilt, in->items[i].parse33, 33);
  bool all =
      sigmill_p256_pubkey_parse_batch(in->keys_out, in->verdicts, keys, call->size);
  memcpy(spoilt, saved, 33);
  return all;
}

bool speed_run_sign_batch(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_inputs *in = call->in;
  size_t from = start_of(call, i);
  return sigmill_p256_sign_batch(in->sigs_out, in->verdicts,
                                 (const uint8_t(*)[32])(in->digests + from),
                                 in->pairs + from, call->size);
}

bool speed_run_pair_batch(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_inputs *in = call->in;
  return sigmill_p256_keypair_batch(
      in->pairs_out, in->verdicts,
      (const uint8_t(*)[32])(in->secrets + start_of(call, i)), call->size);
}

bool speed_run_ecdh_batch(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_inputs *in = call->in;
  size_t from = start_of(call, i);
  return sigmill_p256_ecdh_batch(in->shared_out, in->verdicts, in->pairs + from,
                                 in->peers + from, call->size);
}

/* ---------------------------------------------------------------- the peer */

static const speed_peer_operation one_thread[] = {
    {.row = "p256-verify-threads",
     .run = speed_run_verify_batch,
     .how = "sigmill_p256_verify_batch without parallel_for"},
    {.row = NULL},
};

void speed_peer_one_thread(speed_peer *peer) {
  memset(peer, 0, sizeof *peer);
  memcpy(peer->name, "one thread", sizeof "one thread");
  peer->operations = one_thread;
}
