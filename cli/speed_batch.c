/* Rows of `sigmill speed` over many items: operations, and the tests of their answers. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "speed_batch.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <string.h>

static const speed_set *set_of(const speed_call *call) {
  return &call->in->sets[call->row->mix];
}

/* Batches of call `i` begin at this item, so that small ones see all items too.  Call
 * good + i is batch i with its item at place_of_spoilt(i) spoilt. */
static size_t batch_start(const speed_call *call, size_t i) {
  return (i % (set_of(call)->count / call->size)) * call->size;
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

bool speed_right_bad_batch(const speed_call *call, size_t i, bool said_yes,
                           const uint8_t *answer) {
  (void)call;
  (void)i;
  (void)answer;
  return said_yes;
}

bool speed_right_hint_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer) {
  bool ok = speed_right_batch(call, i, said_yes, answer);
  const size_t size = sigmill_p256_format_size(call->row->format);
  const sigmill_p256_item *first =
      set_of(call)->batch[call->row->format] + start_of(call, i);
  const uint8_t *made = call->in->sigs_out;
  for (size_t k = 0; k < call->size; k++) {
    if (call->in->verdicts[k] == 1) {
      ok &= memcmp(made + k * size, first[k].sig, size) == 0;
    }
  }
  return ok;
}

/* The points are multiples of G by secrets that are known, and so is their sum. */
bool speed_right_msm(const speed_call *call, size_t i, bool said_yes,
                     const uint8_t *answer) {
  const speed_item *first = &call->in->items[start_of(call, i)];
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  EC_POINT *point = group != NULL ? EC_POINT_new(group) : NULL;
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *sum = BN_new(), *scalar = BN_new(), *secret = BN_new();
  bool ok = said_yes && point != NULL && ctx != NULL && sum != NULL && scalar != NULL &&
            secret != NULL;
  if (ok) {
    BN_zero(sum);
  }
  for (size_t k = 0; ok && k < call->size; k++) {
    ok = BN_bin2bn(first[k].digest, 32, scalar) != NULL &&
         BN_bin2bn(first[k].secret, 32, secret) != NULL &&
         BN_mul(scalar, scalar, secret, ctx) == 1 && BN_add(sum, sum, scalar) == 1;
  }
  uint8_t wanted[65];
  ok = ok && BN_nnmod(sum, sum, EC_GROUP_get0_order(group), ctx) == 1 &&
       EC_POINT_mul(group, point, sum, NULL, NULL, ctx) == 1 &&
       EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, wanted, 65, ctx) ==
           65 &&
       memcmp(wanted, answer, 65) == 0;
  BN_free(secret);
  BN_free(scalar);
  BN_free(sum);
  BN_CTX_free(ctx);
  EC_POINT_free(point);
  EC_GROUP_free(group);
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

/* The k-th of 64 bytes each that came out. */
static const uint8_t *signature_made(const speed_inputs *in, size_t k) {
  return in->sigs_out + 64 * k;
}

/* One signature of each call, at another place each time, goes to libcrypto; all are
 * those of the single call, for the nonces are derived. */
bool speed_right_sign_batch(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer) {
  const speed_inputs *in = call->in;
  size_t start = start_of(call, i), place = place_of_spoilt(call, i);
  bool ok = speed_right_batch(call, i, said_yes, answer) &&
            speed_libcrypto_accepts(&in->items[start + place], signature_made(in, place));
  for (size_t k = 0; ok && k < call->size; k++) {
    const speed_item *item = &in->items[start + k];
    uint8_t single[64];
    ok = sigmill_p256_sign(single, item->digest, &item->pair) == SIGMILL_OK &&
         memcmp(single, signature_made(in, k), 64) == 0;
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

/* Is item k of a batch of n bad? */
static bool is_bad(speed_bad bad, size_t k, size_t n) {
  switch (bad) {
  case SPEED_NONE_BAD:
    return false;
  case SPEED_ONE_BAD:
    return k == n / 3;
  case SPEED_TENTH_BAD: /* 7919 is prime: a permutation of most sizes' places */
    return k * 7919 % n < (n + 9) / 10;
  case SPEED_ALL_BAD:
    break;
  }
  return true;
}

/* The calls before the timing lay out the batch that the timed ones take. */
static void lay_out_bad(const speed_call *call) {
  const speed_inputs *in = call->in;
  const sigmill_p256_item *items = set_of(call)->batch[call->row->format];
  for (size_t k = 0; k < call->size; k++) {
    bool bad = is_bad(call->row->bad, k, call->size);
    in->bad_batch[k] = items[k];
    in->bad_batch[k].digest =
        bad ? in->items[in->good + k % SPEED_CYCLE].digest : items[k].digest;
    in->bad_verdicts[k] = bad ? 0 : 1;
  }
}

static bool verify(sigmill_verifier *verifier, const speed_call *call, size_t i,
                   const uint8_t *answer) {
  const speed_inputs *in = call->in;
  if (call->row->bad != SPEED_NONE_BAD) {
    if (answer != NULL) {
      lay_out_bad(call);
    }
    bool all =
        sigmill_p256_verify_batch(verifier, in->verdicts, in->bad_batch, call->size);
    return !all && memcmp(in->verdicts, in->bad_verdicts, call->size) == 0;
  }
  sigmill_p256_item *first = set_of(call)->batch[call->row->format] + start_of(call, i);
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

/* A verifier as it comes, or one that puts larger batches into one equation. */
static sigmill_verifier *verifier_for(const speed_call *call) {
  return call->size > SPEED_USUAL_BATCH ? call->in->wide : call->in->verifier;
}

bool speed_run_verify_batch(const speed_call *call, size_t i, uint8_t *answer) {
  sigmill_verifier *cached = set_of(call)->verifier;
  return verify(cached != NULL ? cached : verifier_for(call), call, i, answer);
}

static bool run_verify_each(const speed_call *call, size_t i, uint8_t *answer) {
  return verify(call->in->each, call, i, answer);
}

bool speed_run_verify_threads(const speed_call *call, size_t i, uint8_t *answer) {
  return verify(call->in->threaded, call, i, answer);
}

bool speed_run_bytes_batch(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_inputs *in = call->in;
  size_t from = start_of(call, i), spoilt = spoilt_in(call, i);
  for (size_t k = 0; k < call->size; k++) {
    const speed_item *item = &in->items[k == spoilt ? i : from + k];
    sigmill_sha256(in->digests_out[k], item->message, SPEED_MESSAGE_SIZE);
  }
  return sigmill_p256_verify_columns(
      verifier_for(call), in->verdicts, in->recoverable[from], SIGMILL_P256_RECOVERABLE65,
      in->digests_out[0], in->compressed[from], call->size);
}

bool speed_run_hint_batch(const speed_call *call, size_t i, uint8_t *answer) {
  (void)answer;
  const speed_inputs *in = call->in;
  sigmill_p256_item *first = set_of(call)->batch[SIGMILL_P256_SIG64] + start_of(call, i);
  uint8_t *out = in->sigs_out;
  if (i < in->good) {
    return sigmill_p256_hint_batch(out, call->row->format, in->verdicts, first,
                                   call->size);
  }
  sigmill_p256_item *spoilt = first + spoilt_in(call, i), saved = *spoilt;
  spoilt->digest = in->items[i].digest;
  bool all =
      sigmill_p256_hint_batch(out, call->row->format, in->verdicts, first, call->size);
  *spoilt = saved;
  return all;
}

bool speed_run_msm(const speed_call *call, size_t i, uint8_t *answer) {
  const speed_inputs *in = call->in;
  size_t from = start_of(call, i);
  uint8_t out[65];
  bool ok = sigmill_p256_msm(verifier_for(call), out,
                             (const uint8_t(*)[32])(in->digests + from),
                             in->publics + from, call->size) == SIGMILL_OK;
  if (answer != NULL) {
    memcpy(answer, out, 65);
  }
  return ok;
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
  return sigmill_p256_sign_batch((uint8_t(*)[64])in->sigs_out, in->verdicts,
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

#define EACH_HOW     "sigmill_p256_verify_batch with SIGMILL_PLAN_EACH"
#define EACH_DIFFERS "ratio to the same items, each by an equation of its own, in lanes"

static const speed_peer_operation other_way[] = {
    {.row = "p256-verify-threads",
     .run = speed_run_verify_batch,
     .how = "sigmill_p256_verify_batch without parallel_for",
     .differs = "ratio to one thread"},
    {"p256-verify-recoverable65-batch", run_verify_each, EACH_HOW, EACH_DIFFERS},
    {"p256-verify-one-bad-batch", run_verify_each, EACH_HOW, EACH_DIFFERS},
    {"p256-verify-tenth-bad-batch", run_verify_each, EACH_HOW, EACH_DIFFERS},
    {"p256-verify-all-bad-batch", run_verify_each, EACH_HOW, EACH_DIFFERS},
    {.row = NULL},
};

void speed_peer_other_way(speed_peer *peer) {
  memset(peer, 0, sizeof *peer);
  memcpy(peer->name, "other way", sizeof "other way");
  peer->operations = other_way;
}
