/* Calls from which an argument is missing: refused, and every output that is there is all
 * zero, in whatever state it was. */
#include "agreement.h"
#include "harness.h"

#include <string.h>

enum { N = 3 };

/* Good ones. */
typedef struct {
  uint8_t secrets[N][32], digests[N][32], points[N][33], signed64[N][64];
  sigmill_p256_keypair pair[N];
  sigmill_p256_pubkey key[N];
  const sigmill_p256_keypair *pairs[N];
  const sigmill_p256_pubkey *keys[N];
  sigmill_p256_item items[N];
} inputs;

static inputs make_inputs(void) {
  inputs in;
  memset(&in, 0, sizeof in);
  for (unsigned i = 0; i < N; i++) {
    ref_num secret = ref_random_scalar();
    ref_case c = ref_sign_with(ref_random_scalar(), secret, ref_small(i));
    memcpy(in.secrets[i], secret.be, 32);
    memcpy(in.digests[i], c.digest.be, 32);
    ref_sec1_33(in.points[i], &c.key);
    ref_sig64(in.signed64[i], &c);
    in.pair[i] = ref_keypair(secret);
    in.key[i] = ref_pubkey(&c.key);
  }
  return in;
}

static void point_into(inputs *in) {
  for (size_t i = 0; i < N; i++) {
    in->pairs[i] = &in->pair[i];
    in->keys[i] = &in->key[i];
    in->items[i] = (sigmill_p256_item){in->signed64[i], in->digests[i], &in->key[i],
                                       SIGMILL_P256_SIG64};
  }
}

/* With room for a byte behind that must stay. */
static _Alignas(16) uint8_t outputs[N * sizeof(sigmill_p256_keypair) + 1];
static uint8_t verdicts[N + 1];
/* NULL, behind the compiler's back: it knows that arrays of a length do not accept it. */
static const uint8_t *volatile missing = NULL;

static void spoil(void) {
  memset(outputs, 0xa5, sizeof outputs);
  memset(verdicts, 0xa5, sizeof verdicts);
}

/* Are so many bytes of the outputs and verdicts zero, and no more were written? */
static bool cleared(size_t out_size, size_t verdict_count) {
  return test_all_zero(outputs, out_size) && outputs[out_size] == 0xa5 &&
         test_all_zero(verdicts, verdict_count) && verdicts[verdict_count] == 0xa5;
}

#define EXPECT_CLEARED(refused, out_size, verdict_count, call)                           \
  do {                                                                                   \
    spoil();                                                                             \
    EXPECT((refused) && cleared((out_size), (verdict_count)), "%s", (call));             \
  } while (0)

#define REFUSED(out_size, verdict_count, call)                                           \
  EXPECT_CLEARED(!(call), out_size, verdict_count, #call)

static void batches_of_keys(void) {
  inputs in = make_inputs();
  sigmill_p256_pubkey *keys = (sigmill_p256_pubkey *)(void *)outputs;
  sigmill_p256_keypair *pairs = (sigmill_p256_keypair *)(void *)outputs;
  const uint8_t(*points)[33] = (const uint8_t(*)[33])in.points;
  const uint8_t(*secrets)[32] = (const uint8_t(*)[32])in.secrets;
  REFUSED(0, N, sigmill_p256_pubkey_parse_batch(NULL, verdicts, points, N));
  REFUSED(N * sizeof *keys, N, sigmill_p256_pubkey_parse_batch(keys, verdicts, NULL, N));
  REFUSED(N * sizeof *keys, 0, sigmill_p256_pubkey_parse_batch(keys, NULL, points, N));
  REFUSED(N * sizeof *keys, 0, sigmill_p256_pubkey_parse_batch(keys, NULL, NULL, N));
  REFUSED(0, 0, sigmill_p256_pubkey_parse_batch(keys, verdicts, points, 0));
  REFUSED(0, 0, sigmill_p256_pubkey_parse_batch(keys, verdicts, NULL, 0));
  REFUSED(0, N, sigmill_p256_keypair_batch(NULL, verdicts, secrets, N));
  REFUSED(N * sizeof *pairs, N, sigmill_p256_keypair_batch(pairs, verdicts, NULL, N));
  REFUSED(N * sizeof *pairs, 0, sigmill_p256_keypair_batch(pairs, NULL, secrets, N));
  REFUSED(N * sizeof *pairs, 0, sigmill_p256_keypair_batch(pairs, NULL, NULL, N));
  REFUSED(0, 0, sigmill_p256_keypair_batch(pairs, verdicts, NULL, 0));
}

static void batches_with_secrets(void) {
  inputs in = make_inputs();
  point_into(&in);
  uint8_t(*sigs)[64] = (uint8_t(*)[64])outputs;
  uint8_t(*shared)[32] = (uint8_t(*)[32])outputs;
  const uint8_t(*digests)[32] = (const uint8_t(*)[32])in.digests;
  REFUSED(0, N, sigmill_p256_sign_batch(NULL, verdicts, digests, in.pairs, N));
  REFUSED(N * 64, N, sigmill_p256_sign_batch(sigs, verdicts, NULL, in.pairs, N));
  REFUSED(N * 64, N, sigmill_p256_sign_batch(sigs, verdicts, digests, NULL, N));
  REFUSED(N * 64, 0, sigmill_p256_sign_batch(sigs, NULL, digests, in.pairs, N));
  REFUSED(0, 0, sigmill_p256_sign_batch(sigs, verdicts, digests, NULL, 0));
  REFUSED(0, N, sigmill_p256_ecdh_batch(NULL, verdicts, in.pairs, in.keys, N));
  REFUSED(N * 32, N, sigmill_p256_ecdh_batch(shared, verdicts, NULL, in.keys, N));
  REFUSED(N * 32, N, sigmill_p256_ecdh_batch(shared, verdicts, in.pairs, NULL, N));
  REFUSED(N * 32, 0, sigmill_p256_ecdh_batch(shared, NULL, in.pairs, in.keys, N));
  REFUSED(0, 0, sigmill_p256_ecdh_batch(shared, verdicts, in.pairs, NULL, 0));
}

static void batches_of_signatures(void) {
  inputs in = make_inputs();
  point_into(&in);
  sigmill_verifier *v;
  const sigmill_p256_format sig64 = SIGMILL_P256_SIG64, full = SIGMILL_P256_FULL_R96;
  const uint8_t *sigs = in.signed64[0], *digests = in.digests[0], *keys = in.points[0];
  if (!EXPECT(sigmill_verifier_create(&v, NULL) == SIGMILL_OK, "no verifier")) {
    return;
  }
  REFUSED(0, N, sigmill_p256_verify_batch(NULL, verdicts, in.items, N));
  REFUSED(0, N, sigmill_p256_verify_batch(v, verdicts, NULL, N));
  REFUSED(0, 0, sigmill_p256_verify_batch(v, NULL, in.items, N));
  REFUSED(0, N,
          sigmill_p256_verify_columns(NULL, verdicts, sigs, sig64, digests, keys, N));
  REFUSED(0, N, sigmill_p256_verify_columns(v, verdicts, NULL, sig64, digests, keys, N));
  REFUSED(0, N, sigmill_p256_verify_columns(v, verdicts, sigs, sig64, NULL, keys, N));
  REFUSED(0, N, sigmill_p256_verify_columns(v, verdicts, sigs, sig64, digests, NULL, N));
  REFUSED(0, 0, sigmill_p256_verify_columns(v, NULL, sigs, sig64, digests, keys, N));
  REFUSED(0, N, sigmill_p256_hint_batch(NULL, full, verdicts, in.items, N));
  REFUSED(N * 96, N, sigmill_p256_hint_batch(outputs, full, verdicts, NULL, N));
  REFUSED(N * 96, 0, sigmill_p256_hint_batch(outputs, full, NULL, in.items, N));
  REFUSED(N * 64, N, sigmill_p256_hint_batch(outputs, sig64, verdicts, NULL, N));
  REFUSED(0, 0, sigmill_p256_hint_batch(outputs, full, verdicts, NULL, 0));
  sigmill_verifier_destroy(v);
}

#define REFUSED_ONE(out_size, call)                                                      \
  EXPECT_CLEARED((call) == SIGMILL_ERR_ARGUMENT, out_size, 0, #call)

static void single_calls(void) {
  inputs in = make_inputs();
  const uint8_t *sig = in.signed64[0], *digest = in.digests[0], recoverable[65] = {0};
  const sigmill_p256_keypair *pair = &in.pair[0];
  const sigmill_p256_pubkey *key = &in.key[0];
  sigmill_p256_keypair *pair_out = (sigmill_p256_keypair *)(void *)outputs;
  sigmill_p256_pubkey *key_out = (sigmill_p256_pubkey *)(void *)outputs;
  const sigmill_p256_format full = SIGMILL_P256_FULL_R96;
  REFUSED_ONE(sizeof *pair_out, sigmill_p256_keypair_from_secret(pair_out, missing));
  REFUSED_ONE(sizeof *key_out, sigmill_p256_pubkey_parse(key_out, NULL, 33));
  REFUSED_ONE(sizeof *key_out, sigmill_p256_pubkey_parse_hybrid(key_out, NULL, 65));
  REFUSED_ONE(64, sigmill_p256_sign(outputs, missing, pair));
  REFUSED_ONE(64, sigmill_p256_sign(outputs, digest, NULL));
  REFUSED_ONE(64, sigmill_p256_sign_digest(outputs, NULL, SIGMILL_SHA512, pair));
  REFUSED_ONE(64, sigmill_p256_sign_digest(outputs, digest, SIGMILL_SHA256, NULL));
  REFUSED_ONE(64, sigmill_p256_sign_hedged(outputs, missing, pair, NULL));
  REFUSED_ONE(64, sigmill_p256_sign_hedged(outputs, digest, NULL, digest));
  REFUSED_ONE(65, sigmill_p256_sign_recoverable(outputs, missing, pair));
  REFUSED_ONE(65, sigmill_p256_sign_recoverable(outputs, digest, NULL));
  REFUSED_ONE(sizeof *key_out, sigmill_p256_recover(key_out, missing, digest));
  REFUSED_ONE(sizeof *key_out, sigmill_p256_recover(key_out, recoverable, missing));
  REFUSED_ONE(96, sigmill_p256_hint(outputs, full, missing, digest, key));
  REFUSED_ONE(96, sigmill_p256_hint(outputs, full, sig, missing, key));
  REFUSED_ONE(96, sigmill_p256_hint(outputs, full, sig, digest, NULL));
  REFUSED_ONE(32, sigmill_p256_ecdh(outputs, NULL, key));
  REFUSED_ONE(32, sigmill_p256_ecdh(outputs, pair, NULL));
  REFUSED_ONE(64, sigmill_p256_sig_from_der(outputs, NULL, 70));
}

#define REFUSED_READER(out_size, call)                                                   \
  do {                                                                                   \
    size_t at = 99;                                                                      \
    REFUSED_ONE(out_size, call);                                                         \
    EXPECT(at == 0, "%s: fault at %zu", #call, at);                                      \
  } while (0)

static void readers_of_files(void) {
  sigmill_p256_keypair *pair = (sigmill_p256_keypair *)(void *)outputs;
  sigmill_p256_pubkey *key = (sigmill_p256_pubkey *)(void *)outputs;
  const size_t pair_size = sizeof *pair, key_size = sizeof *key;
  size_t used = 99, payload_at = 99, len = 99;
  REFUSED_READER(64, sigmill_p256_sig_from_der_at(outputs, NULL, 70, &at));
  REFUSED_READER(key_size, sigmill_p256_pubkey_from_spki(key, NULL, 9, &at));
  REFUSED_READER(key_size, sigmill_p256_pubkey_from_spki_hybrid(key, NULL, 9, &at));
  REFUSED_READER(key_size, sigmill_p256_pubkey_from_pem(key, NULL, 9, &at));
  REFUSED_READER(key_size, sigmill_p256_pubkey_from_jwk(key, NULL, 9, &at));
  REFUSED_READER(key_size, sigmill_p256_pubkey_from_cose(key, NULL, 9, &at));
  REFUSED_READER(key_size,
                 sigmill_p256_pubkey_from_cose_prefix(key, &used, NULL, 9, &at));
  EXPECT(used == 0, "used %zu", used);
  REFUSED_READER(pair_size, sigmill_p256_keypair_from_pkcs8(pair, NULL, 9, &at));
  REFUSED_READER(pair_size, sigmill_p256_keypair_from_sec1(pair, NULL, 9, &at));
  REFUSED_READER(pair_size, sigmill_p256_keypair_from_pem(pair, NULL, 9, &at));
  REFUSED_READER(pair_size, sigmill_p256_keypair_from_jwk(pair, NULL, 9, &at));
  REFUSED_READER(0, sigmill_p256_jws_verify(&payload_at, &len, "a.b.c", 5, NULL, &at));
  EXPECT(payload_at == 0 && len == 0, "payload at %zu, %zu", payload_at, len);
}

static void what_is_created(void) {
  sigmill_verifier_options other = {.struct_size = 1};
  sigmill_verifier *v = (sigmill_verifier *)(void *)outputs;
  EXPECT(sigmill_verifier_create(&v, &other) == SIGMILL_ERR_ARGUMENT && v == NULL,
         "a verifier of other options");
  EXPECT(sigmill_verifier_create(NULL, NULL) == SIGMILL_ERR_ARGUMENT, "no verifier");
  EXPECT(sigmill_threads_create(NULL, 1) == SIGMILL_ERR_ARGUMENT, "no threads");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  RUN(batches_of_keys);
  RUN(batches_with_secrets);
  RUN(batches_of_signatures);
  RUN(single_calls);
  RUN(readers_of_files);
  RUN(what_is_created);
  ref_end();
  return test_end();
}
