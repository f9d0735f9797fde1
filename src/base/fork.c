/* The handler is registered once, at the first mark.  Threads that come to it at the same
 * time may each register it: a fork then counts more than once, which is as good. */
#include "base/fork.h"

#ifdef __wasi__
/* Nothing forks there. */
bool sm_process_mark(process_mark *out) {
  *out = (process_mark){0};
  return true;
}

bool sm_process_is(const process_mark *mark) {
  (void)mark;
  return true;
}
#else
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_bool registered;
static atomic_uint forks;

static void count_fork(void) {
  atomic_fetch_add(&forks, 1);
}

bool sm_process_mark(process_mark *out) {
  if (!atomic_load(&registered)) {
    if (pthread_atfork(NULL, NULL, count_fork) != 0) {
      return false;
    }
    atomic_store(&registered, true);
  }
  *out = (process_mark){.id = getpid(), .forks = atomic_load(&forks)};
  return true;
}

bool sm_process_is(const process_mark *mark) {
  return mark->id == getpid() && mark->forks == atomic_load(&forks);
}
#endif
