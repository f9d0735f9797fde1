/* Known answers through the backend in use. */
#ifndef SIGMILL_SCHEME_SELFTEST_H
#define SIGMILL_SCHEME_SELFTEST_H

#include <stdbool.h>

/* True if every known answer comes out; else *failed names the first that did not. */
bool sm_selftest(const char **failed);

#endif
