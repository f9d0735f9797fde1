/* Is this the process that an object was made in, or one made from it by fork?  There,
 * threads do not exist, and a lock may be held by nobody, for ever.
 *
 * The process id alone does not tell: in a name space of its own a child may have its
 * parent's.  So fork itself is counted, by a handler in the child, and the id catches
 * what runs no handlers (vfork, _Fork, the bare system call).  A child that fork did not
 * make and that has its parent's id is not told apart. */
#ifndef SIGMILL_BASE_FORK_H
#define SIGMILL_BASE_FORK_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct {
  pid_t id;
  unsigned forks; /* that led here since the first mark */
} process_mark;

/* The mark of this process; false if there is no memory for the handler. */
bool sm_process_mark(process_mark *out);

/* Is it of this process? */
bool sm_process_is(const process_mark *mark);

#endif
