/* Stacks of threads, and of the first one. */
#include "thread.h"

#include "reason.h"
#include <sys/resource.h>

int thread_start(pthread_t *thread, void *(*run)(void *), void *arg) {
  pthread_attr_t attributes;
  size_t stack;
  int error = pthread_attr_init(&attributes);
  if (error != 0) {
    return error;
  }
  error = pthread_attr_getstacksize(&attributes, &stack);
  if (error == 0 && stack < THREAD_STACK) {
    error = pthread_attr_setstacksize(&attributes, THREAD_STACK);
  }
  if (error == 0) {
    error = pthread_create(thread, &attributes, run, arg);
  }
  (void)pthread_attr_destroy(&attributes);
  return error;
}

typedef struct {
  int (*run)(int argc, char **argv);
  int argc;
  char **argv;
  int code;
} errand;

static void *run_errand(void *arg) {
  errand *e = arg;
  e->code = e->run(e->argc, e->argv);
  return NULL;
}

int thread_run_command(int (*run)(int argc, char **argv), int argc, char **argv) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= THREAD_STACK) {
    return run(argc, argv);
  }
  errand e = {.run = run, .argc = argc, .argv = argv};
  pthread_t thread;
  int error = thread_start(&thread, run_errand, &e);
  if (error != 0) {
    return report_system("thread", "cannot be started", error);
  }
  (void)pthread_join(thread, NULL);
  return e.code;
}
