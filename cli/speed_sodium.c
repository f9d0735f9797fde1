/* The peer libsodium, loaded at run time.  Prototypes are those of its documentation. */
#include "speed.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int (*init)(void);
  const char *(*version)(void);
  int (*sha256)(unsigned char *out, const unsigned char *in, unsigned long long len);
  int (*sha512)(unsigned char *out, const unsigned char *in, unsigned long long len);
} functions;

static const struct {
  const char *symbol;
  size_t at;
} symbols[] = {
    {"sodium_init", offsetof(functions, init)},
    {"sodium_version_string", offsetof(functions, version)},
    {"crypto_hash_sha256", offsetof(functions, sha256)},
    {"crypto_hash_sha512", offsetof(functions, sha512)},
};

static bool run_sha256(const speed_call *call, size_t i, uint8_t *answer) {
  const functions *f = call->peer;
  uint8_t digest[32];
  bool ok = f->sha256(digest, call->in->blob + i, call->size) == 0;
  if (answer != NULL) {
    memcpy(answer, digest, 32);
  }
  return ok;
}

static bool run_sha512(const speed_call *call, size_t i, uint8_t *answer) {
  const functions *f = call->peer;
  uint8_t digest[64];
  bool ok = f->sha512(digest, call->in->blob + i, call->size) == 0;
  if (answer != NULL) {
    memcpy(answer, digest, 64);
  }
  return ok;
}

static const speed_peer_operation operations[] = {
    {.row = "sha256", .run = run_sha256, .how = "crypto_hash_sha256"},
    {.row = "sha512", .run = run_sha512, .how = "crypto_hash_sha512"},
    {.row = NULL},
};

static void open_sodium(speed_peer *peer, void *handle, const speed_inputs *in) {
  (void)in;
  functions *f = calloc(1, sizeof *f);
  if (f == NULL) {
    snprintf(peer->error, sizeof peer->error, "out of memory");
    return;
  }
  peer->state = f;
  peer->close = free;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    void *found = dlsym(handle, symbols[i].symbol);
    if (found == NULL) {
      snprintf(peer->error, sizeof peer->error, "it lacks %s", symbols[i].symbol);
      return;
    }
    memcpy((char *)f + symbols[i].at, &found, sizeof found);
  }
  if (f->init() < 0) {
    snprintf(peer->error, sizeof peer->error, "sodium_init failed");
    return;
  }
  snprintf(peer->name, sizeof peer->name, "libsodium %s", f->version());
  peer->operations = operations;
}

const speed_adapter speed_adapter_sodium = {"sodium_init", open_sodium};
