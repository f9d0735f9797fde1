/* Threads with enough stack, whatever the system's default is. */
#ifndef SIGMILL_CLI_THREAD_H
#define SIGMILL_CLI_THREAD_H

#include <pthread.h>

/* What the library's calls over many items take (sigmill.h), and as much again for what
 * is around them; sanitizers and builds without optimisation take more. */
#define THREAD_STACK (1024 * 1024)

/* Starts a thread with at least THREAD_STACK bytes: 0, or the errno. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* Runs a command: on this thread, or where the limit of its stack (RLIMIT_STACK) is
 * below THREAD_STACK, on another one. */
int thread_run_command(int (*run)(int argc, char **argv), int argc, char **argv);

#endif
