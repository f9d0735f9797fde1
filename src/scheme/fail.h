/* How the readers of encodings refuse: a status, and the offset of the byte at fault. */
#ifndef SIGMILL_SCHEME_FAIL_H
#define SIGMILL_SCHEME_FAIL_H

#include "sigmill.h"

static inline sigmill_status fail(size_t *error_at, size_t at, sigmill_status status) {
  *error_at = at;
  return status;
}

#endif
