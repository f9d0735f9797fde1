#include "harness.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES_PRINTED = 8 };

static struct {
  char **names;
  int name_count;
  unsigned passed, failed, skipped;
  unsigned failures; /* of the running test */
  const char *skip_reason;
  uint64_t random_state;
} state;

void test_begin(int argc, char **argv) {
  state.names = argv + 1;
  state.name_count = argc - 1;
  const char *seed = getenv("SIGMILL_TEST_SEED");
  state.random_state = seed != NULL ? strtoull(seed, NULL, 0) : 0x5167;
  printf("seed 0x%llx\n", (unsigned long long)state.random_state);
}

void test_run(const char *name, void (*test)(void)) {
  bool wanted = state.name_count <= 0;
  for (int i = 0; i < state.name_count; i++) {
    wanted |= strcmp(state.names[i], name) == 0;
  }
  if (!wanted) {
    return;
  }
  state.failures = 0;
  state.skip_reason = NULL;
  test();
  if (state.failures > 0) {
    state.failed++;
    printf("FAIL %s: %u expectations\n", name, state.failures);
  } else if (state.skip_reason != NULL) {
    state.skipped++;
    printf("SKIP %s: %s\n", name, state.skip_reason);
  } else {
    state.passed++;
    printf("ok   %s\n", name);
  }
  fflush(stdout);
}

int test_end(void) {
  printf("%u passed, %u failed, %u skipped\n", state.passed, state.failed, state.skipped);
  return state.failed == 0 && state.passed + state.skipped > 0 ? 0 : 1;
}

bool test_expect(bool ok, const char *file, int line, const char *format, ...) {
  if (!ok && state.failures++ < FAILURES_PRINTED) {
    va_list args;
    va_start(args, format);
    printf("%s:%d: ", file, line);
    vprintf(format, args);
    printf("\n");
    va_end(args);
  }
  return ok;
}

void test_skip(const char *reason) {
  state.skip_reason = reason;
}

const char *test_vectors(void) {
  const char *folder = getenv("SIGMILL_VECTORS");
  return folder != NULL && folder[0] != '\0' ? folder : NULL;
}

uint64_t test_random_u64(void) {
  return test_random_next(&state.random_state);
}

uint64_t test_random_next(uint64_t *from) {
  uint64_t z = *from += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

void test_random_bytes(void *out, size_t len) {
  uint8_t *bytes = out;
  for (size_t i = 0; i < len; i++) {
    bytes[i] = (uint8_t)(test_random_u64() >> 24);
  }
}

bool test_long(void) {
  const char *flag = getenv("SIGMILL_LONG");
  return flag != NULL && strcmp(flag, "1") == 0;
}

bool test_all_zero(const void *bytes, size_t len) {
  const uint8_t *at = bytes;
  uint8_t seen = 0;
  for (size_t i = 0; i < len; i++) {
    seen |= at[i];
  }
  return seen == 0;
}

static int hex_digit(char c) {
  const char *digits = "0123456789abcdef";
  const char *at = strchr(digits, c | 0x20);
  return c != '\0' && at != NULL ? (int)(at - digits) : -1;
}

void test_from_hex(uint8_t *out, size_t len, const char *hex) {
  if (strlen(hex) != 2 * len) {
    fprintf(stderr, "test_from_hex: %zu digits, %zu wanted\n", strlen(hex), 2 * len);
    abort();
  }
  for (size_t i = 0; i < len; i++) {
    out[i] = (uint8_t)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
  }
}

void test_print_hex(FILE *file, const uint8_t *bytes, size_t len) {
  for (size_t i = 0; i < len; i++) {
    fprintf(file, "%02x", bytes[i]);
  }
}
