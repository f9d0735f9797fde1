/* CHECK(condition): a contract that the checking build (SIGMILL_VERIFY) asserts and the
 * shipped build does not evaluate. */
#ifndef SIGMILL_BASE_CHECK_H
#define SIGMILL_BASE_CHECK_H

#ifdef SIGMILL_VERIFY
#include <stdio.h>
#include <stdlib.h>
#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      fprintf(stderr, "%s:%d: contract broken: %s\n", __FILE__, __LINE__, #condition);   \
      abort();                                                                           \
    }                                                                                    \
  } while (0)
#else
#define CHECK(condition) ((void)(0 && (condition)))
#endif

#endif
