/* Three leaks of a marked secret, one for each way in which secrets leave through timing:
 * a branch, an address, and a comparison that stops early. */
#include "ct_run.h"

#include <string.h>

static volatile unsigned sink;
static volatile const uint8_t table[256] = {1, 2, 3};

static void leak_by_branch(const uint8_t *secret) {
  if ((secret[0] & 1) != 0) {
    sink = 1;
  }
}

static void leak_by_address(const uint8_t *secret) {
  sink = table[secret[0]];
}

static void leak_by_comparison(const uint8_t *secret) {
  for (size_t i = 0; i < 32; i++) {
    if (secret[i] != table[i]) {
      sink = 2;
      return;
    }
  }
}

bool ct_leak(const char *kind) {
  uint8_t secret[32];
  test_random_bytes(secret, sizeof secret);
  SECRET(secret, sizeof secret);
  if (strcmp(kind, "branch") == 0) {
    leak_by_branch(secret);
  } else if (strcmp(kind, "address") == 0) {
    leak_by_address(secret);
  } else if (strcmp(kind, "comparison") == 0) {
    leak_by_comparison(secret);
  } else {
    return false;
  }
  return true;
}
