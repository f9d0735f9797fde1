/* Loads other libraries for `sigmill speed` at run time and finds the adapter that knows
 * them. */
#define _GNU_SOURCE
#include "speed.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const speed_adapter *const adapters[] = {&speed_adapter_libcrypto,
                                                &speed_adapter_sodium};

/* Sanitizers do not load libraries that are bound to their own symbols. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAN_LOAD 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||               \
    __has_feature(thread_sanitizer)
#define CAN_LOAD 0
#endif
#endif
#if !defined(CAN_LOAD)
#if defined(RTLD_DEEPBIND)
#define CAN_LOAD 1
#else
#define CAN_LOAD 0
#endif
#endif

/* The library's own symbols come before ours of the same name.  (A namespace of its own,
 * by dlmopen, would also do that, but would bring a second libc, whose thread-local keys
 * collide with those of the first.) */
static void *load(const char *path) {
#if CAN_LOAD
  return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
#else
  (void)path;
  return NULL;
#endif
}

void speed_peer_load(speed_peer *peer, const char *path, const speed_inputs *in) {
  memset(peer, 0, sizeof *peer);
  snprintf(peer->path, sizeof peer->path, "%s", path);
  snprintf(peer->name, sizeof peer->name, "%s", path);
  void *handle = load(path);
  if (handle == NULL) {
    const char *reason = CAN_LOAD ? dlerror() : NULL;
    snprintf(peer->error, sizeof peer->error, "%s",
             reason != NULL ? reason : "this build cannot load libraries");
    return;
  }
  for (size_t i = 0; i < sizeof adapters / sizeof *adapters; i++) {
    if (dlsym(handle, adapters[i]->known_by) != NULL) {
      adapters[i]->open(peer, handle, in);
      return;
    }
  }
  snprintf(peer->error, sizeof peer->error,
           "neither a libcrypto nor a libsodium, by its symbols");
}

void speed_peer_close(speed_peer *peer) {
  if (peer->close != NULL) {
    peer->close(peer->state);
  }
}

const speed_peer_operation *speed_peer_find(const speed_peer *peer, const char *row) {
  if (peer->operations == NULL) {
    return NULL;
  }
  for (const speed_peer_operation *op = peer->operations; op->row != NULL; op++) {
    if (strcmp(op->row, row) == 0) {
      return op;
    }
  }
  return NULL;
}
