/* The frame of every test program: named tests, counted expectations, skips that are
 * said.
 *
 *   int main(int argc, char **argv) {
 *     test_begin(argc, argv);
 *     RUN(multiplies_edge_limbs);
 *     return test_end();
 *   }
 *
 * Each program closes with the line "N passed, N failed, N skipped", counting tests. */
#ifndef SIGMILL_TESTS_HARNESS_H
#define SIGMILL_TESTS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void test_begin(int argc, char **argv); /* arguments: names of tests to run; none: all */
void test_run(const char *name, void (*test)(void));
/* The exit code: 0 only if something passed or was skipped, and nothing failed. */
int test_end(void);

/* Records a failure (the first few are printed) unless ok; returns ok. */
bool test_expect(bool ok, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Marks the running test as skipped, with a reason that is printed. */
void test_skip(const char *reason);

#define RUN(test)              test_run(#test, test)
#define EXPECT(condition, ...) test_expect((condition), __FILE__, __LINE__, __VA_ARGS__)

/* The folder of outside vectors (environment SIGMILL_VECTORS), or NULL: skip then. */
const char *test_vectors(void);

/* A reproducible stream of random bytes (splitmix64); the seed is printed at the start
 * and set by SIGMILL_TEST_SEED. */
uint64_t test_random_u64(void);
/* The same from a state of the caller's own, for threads. */
uint64_t test_random_next(uint64_t *from);
void test_random_bytes(void *out, size_t len);

/* A long suite is wanted (environment SIGMILL_LONG=1). */
bool test_long(void);

bool test_all_zero(const void *bytes, size_t len);

/* hex: exactly 2*len digits, or the program stops. */
void test_from_hex(uint8_t *out, size_t len, const char *hex);
void test_print_hex(FILE *file, const uint8_t *bytes, size_t len);

#endif
