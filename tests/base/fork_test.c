/* A process made by fork is told from its parent, also where both have the same id. */
#define _GNU_SOURCE /* unshare */
#include "base/fork.h"

#include "harness.h"
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RIGHT, WRONG, NOT_PERMITTED };

/* What the child of a fork answers. */
static int in_child(int (*run)(const process_mark *), const process_mark *mark) {
  int status = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    _exit(run(mark));
  }
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
             ? WEXITSTATUS(status)
             : WRONG;
}

/* As in a name space where the id comes again. */
static int with_the_same_id(const process_mark *mark) {
  process_mark same = *mark, own;
  same.id = getpid();
  return !sm_process_is(mark) && !sm_process_is(&same) && sm_process_mark(&own) &&
                 sm_process_is(&own)
             ? RIGHT
             : WRONG;
}

static int in_grandchild(const process_mark *mark) {
  return in_child(with_the_same_id, mark);
}

static int as_first_again(const process_mark *mark) {
  return getpid() == mark->id && !sm_process_is(mark) ? RIGHT : WRONG;
}

/* The first process of a name space, and its child as the first of another. */
static int as_first(const process_mark *unused) {
  process_mark mark;
  (void)unused;
  if (!sm_process_mark(&mark) || mark.id != 1 || unshare(CLONE_NEWPID) != 0) {
    return NOT_PERMITTED;
  }
  return in_child(as_first_again, &mark);
}

static int in_name_spaces(const process_mark *unused) {
  return unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0 || unshare(CLONE_NEWPID) == 0
             ? in_child(as_first, unused)
             : NOT_PERMITTED;
}

static void forks_are_counted(void) {
  process_mark mark;
  EXPECT(sm_process_mark(&mark) && sm_process_is(&mark), "its own");
  EXPECT(in_child(with_the_same_id, &mark) == RIGHT, "the child");
  EXPECT(in_child(in_grandchild, &mark) == RIGHT, "the grandchild");
  EXPECT(sm_process_is(&mark), "still its own");
}

static void the_first_process_of_two_name_spaces(void) {
  int answer = in_child(in_name_spaces, NULL);
  if (answer == NOT_PERMITTED) {
    test_skip("process id name spaces are not to be had here");
    return;
  }
  EXPECT(answer == RIGHT, "the child with its parent's id");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(forks_are_counted);
  RUN(the_first_process_of_two_name_spaces);
  return test_end();
}
