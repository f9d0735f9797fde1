/* The choice of an engine: by name, by the environment, by default, once and for all.
 * Each case runs in a process of its own. */
#define _POSIX_C_SOURCE 200809L
#include "group/engine_p256.h"
#include "harness.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Does the case hold in a fresh process with this SIGMILL_BACKEND (NULL: unset)? */
static bool holds_apart(bool (*test)(void), const char *backend) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    if (backend != NULL) {
      setenv("SIGMILL_BACKEND", backend, 1);
    } else {
      unsetenv("SIGMILL_BACKEND");
    }
    _exit(test() ? 0 : 1);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool is(const p256_engine *engine, const char *name) {
  return strcmp(engine->name, name) == 0;
}

static const p256_engine *fastest(void) {
  const p256_engine *engine;
  bool usable;
  for (size_t i = 0; (engine = sm_p256_engine_list(i, &usable)) != NULL; i++) {
    if (usable) {
      return engine;
    }
  }
  return NULL;
}

static bool takes_fastest(void) {
  return sm_p256_engine() == fastest() && sm_p256_engine() == fastest();
}

static bool takes_portable32(void) {
  return is(sm_p256_engine(), "portable32");
}

static bool selects_portable32(void) {
  return sm_p256_engine_select("portable32") && is(sm_p256_engine(), "portable32") &&
         sm_p256_engine_select("portable32");
}

static bool refuses_unknown(void) {
  return !sm_p256_engine_select("nonsense") && !sm_p256_engine_select("") &&
         !sm_p256_engine_select(NULL) && selects_portable32();
}

static bool refuses_a_second_choice(void) {
  return sm_p256_engine() == fastest() && !sm_p256_engine_select("portable32") &&
         sm_p256_engine() == fastest();
}

static void lists_and_defaults(void) {
  bool usable = false;
  EXPECT(fastest() != NULL, "no engine is usable");
  EXPECT(sm_p256_engine_list(99, &usable) == NULL, "the list does not end");
  EXPECT(holds_apart(takes_fastest, NULL), "default");
}

static void reads_the_environment(void) {
  EXPECT(holds_apart(takes_portable32, "portable32"), "a name");
  EXPECT(holds_apart(takes_fastest, "nonsense"), "an unknown name");
  EXPECT(holds_apart(takes_fastest, ""), "an empty name");
}

static void selects_by_name(void) {
  EXPECT(holds_apart(selects_portable32, NULL), "a name");
  EXPECT(holds_apart(selects_portable32, "portable"), "a name over the environment's");
  EXPECT(holds_apart(refuses_unknown, NULL), "unknown names");
  EXPECT(holds_apart(refuses_a_second_choice, NULL), "after first use");
}

static void *engine_of_thread(void *out) {
  *(const p256_engine **)out = sm_p256_engine();
  return NULL;
}

static void settles_once_for_all_threads(void) {
  pthread_t threads[8];
  const p256_engine *engines[8];
  for (int i = 0; i < 8; i++) {
    EXPECT(pthread_create(&threads[i], NULL, engine_of_thread, &engines[i]) == 0,
           "thread");
  }
  for (int i = 0; i < 8; i++) {
    pthread_join(threads[i], NULL);
    EXPECT(engines[i] == sm_p256_engine(), "thread %d", i);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(lists_and_defaults);
  RUN(reads_the_environment);
  RUN(selects_by_name);
  RUN(settles_once_for_all_threads);
  return test_end();
}
