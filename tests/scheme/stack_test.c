/* Calls over many items, on prepared keys, and the first of all, need no more stack than
 * sigmill.h tells, so that a thread can be given enough. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"
#include "samples.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 200, PAINT = 0xa5, STACK = 4 << 20 };

static sigmill_verifier *verifier;
static sigmill_p256_prepared *prepared;
static sigmill_p256_item items[ITEMS], plain[ITEMS];
static sigmill_p256_pubkey keys[ITEMS], keys_out[ITEMS];
static sigmill_p256_keypair pairs[ITEMS], pairs_out[ITEMS];
static const sigmill_p256_pubkey *key_list[ITEMS];
static const sigmill_p256_keypair *pair_list[ITEMS];
static uint8_t secrets[ITEMS][32], digests[ITEMS][32], compressed[ITEMS][33];
static uint8_t sigs[ITEMS][64], hinted[ITEMS][65], out65[ITEMS][65], out64[ITEMS][64],
    out32[ITEMS][32];
static uint8_t verdicts[ITEMS];

static void make_items(void) {
  for (size_t i = 0; i < ITEMS; i++) {
    test_random_bytes(secrets[i], 32);
    test_random_bytes(digests[i], 32);
    secrets[i][0] &= 0x7f; /* below n */
    EXPECT(sigmill_p256_keypair_from_secret(&pairs[i], secrets[i]) == SIGMILL_OK, "key");
    sigmill_p256_keypair_public(&keys[i], &pairs[i]);
    sigmill_p256_pubkey_serialize33(compressed[i], &keys[i]);
    EXPECT(sigmill_p256_sign(sigs[i], digests[i], &pairs[i]) == SIGMILL_OK &&
               sigmill_p256_hint(hinted[i], SIGMILL_P256_COMPRESSED_R65, sigs[i],
                                 digests[i], &keys[i]) == SIGMILL_OK,
           "signature");
    key_list[i] = &keys[i];
    pair_list[i] = &pairs[i];
    items[i] = (sigmill_p256_item){.sig = i % 2 == 0 ? sigs[i] : hinted[i],
                                   .digest = digests[i],
                                   .key = &keys[i],
                                   .format = i % 2 == 0 ? SIGMILL_P256_SIG64
                                                        : SIGMILL_P256_COMPRESSED_R65};
    plain[i] = (sigmill_p256_item){.sig = sigs[i],
                                   .digest = digests[i],
                                   .key = &keys[i],
                                   .format = SIGMILL_P256_SIG64};
  }
}

static bool verify(void) {
  return sigmill_p256_verify_batch(verifier, verdicts, items, ITEMS);
}
static bool verify_columns(void) {
  return sigmill_p256_verify_columns(verifier, verdicts, hinted[0],
                                     SIGMILL_P256_COMPRESSED_R65, digests[0],
                                     compressed[0], ITEMS);
}
static bool parse(void) {
  return sigmill_p256_pubkey_parse_batch(keys_out, verdicts,
                                         (const uint8_t(*)[33])compressed, ITEMS);
}
static bool sign(void) {
  return sigmill_p256_sign_batch(out64, verdicts, (const uint8_t(*)[32])digests,
                                 pair_list, ITEMS);
}
static bool hint(void) {
  return sigmill_p256_hint_batch(out65[0], SIGMILL_P256_COMPRESSED_R65, verdicts, plain,
                                 ITEMS);
}
static bool make_pairs(void) {
  return sigmill_p256_keypair_batch(pairs_out, verdicts, (const uint8_t(*)[32])secrets,
                                    ITEMS);
}
static bool agree(void) {
  return sigmill_p256_ecdh_batch(out32, verdicts, pair_list, key_list, ITEMS);
}
static bool prepare(void) {
  sigmill_p256_prepared_destroy(prepared);
  return sigmill_p256_prepared_create(&prepared, &keys[0]) == SIGMILL_OK;
}
static bool verify_prepared(void) {
  return sigmill_p256_prepared_verify(sigs[0], digests[0], prepared);
}

typedef struct {
  bool (*call)(void);
  bool answer;
} errand;

static void *run(void *arg) {
  errand *e = arg;
  e->answer = e->call();
  return NULL;
}

/* How many bytes from the top of a painted stack the call has reached. */
static size_t stack_of(errand *e) {
  uint8_t *stack = aligned_alloc(4096, STACK);
  pthread_attr_t attributes;
  pthread_t thread;
  size_t untouched = 0;
  if (stack == NULL || pthread_attr_init(&attributes) != 0) {
    abort();
  }
  memset(stack, PAINT, STACK);
  if (pthread_attr_setstack(&attributes, stack, STACK) != 0 ||
      pthread_create(&thread, &attributes, run, e) != 0) {
    abort();
  }
  pthread_join(thread, NULL);
  while (untouched < STACK && stack[untouched] == PAINT) {
    untouched++;
  }
  pthread_attr_destroy(&attributes);
  free(stack);
  return STACK - untouched;
}

enum { MANY = 192 * 1024, FEW = 32 * 1024 };

static bool settle(void) {
  return sigmill_backend_name() != NULL;
}

/* Before anything else: later calls find the backend settled. */
static void the_call_that_settles_the_backend(void) {
  errand e = {.call = settle};
  size_t used = stack_of(&e);
  EXPECT(e.answer && used > 0 && used <= MANY, "%zu bytes", used);
}

static bool test_itself(void) {
  return sigmill_selftest(NULL);
}

static void no_more_stack_than_told(void) {
  static const struct {
    const char *name;
    bool (*call)(void);
    size_t told;
  } calls[] = {
      {"verify_batch", verify, MANY},      {"verify_columns", verify_columns, MANY},
      {"parse_batch", parse, MANY},        {"sign_batch", sign, MANY},
      {"keypair_batch", make_pairs, MANY}, {"ecdh_batch", agree, MANY},
      {"hint_batch", hint, MANY},          {"selftest", test_itself, MANY},
      {"prepared_create", prepare, MANY},  {"prepared_verify", verify_prepared, FEW}};
  make_items();
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    errand e = {.call = calls[i].call};
    size_t used = stack_of(&e);
    EXPECT(e.answer, "%s: all are good", calls[i].name);
    EXPECT(used > 0 && used <= calls[i].told, "%s: %zu bytes", calls[i].name, used);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(the_call_that_settles_the_backend);
  if (!backend_is_ready()) {
    return test_end();
  }
  verifier = new_verifier(NULL);
  RUN(no_more_stack_than_told);
  sigmill_p256_prepared_destroy(prepared);
  sigmill_verifier_destroy(verifier);
  return test_end();
}
