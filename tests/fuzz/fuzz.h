/* What every fuzz target promises, and how it fails. */
#ifndef SIGMILL_TESTS_FUZZ_H
#define SIGMILL_TESTS_FUZZ_H

#include "harness.h"
#include "sigmill.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops the fuzzer unless wrong is NULL. */
static inline void fuzz_agree(const char *wrong) {
  if (wrong != NULL) {
    fprintf(stderr, "fuzz: %s\n", wrong);
    abort();
  }
}

static inline void fuzz_require(bool ok, const char *what) {
  fuzz_agree(ok ? NULL : what);
}

/* A reader's outcome: output zero and an offset within the input on failure, offset 0 on
 * success. */
static inline void fuzz_outcome(sigmill_status status, const void *out, size_t out_size,
                                size_t error_at, size_t size) {
  bool zero = test_all_zero(out, out_size);
  fuzz_require(zero == (status != SIGMILL_OK), "output and status disagree");
  fuzz_require(status == SIGMILL_OK ? error_at == 0 : error_at <= size,
               "offset out of range");
}

#endif
