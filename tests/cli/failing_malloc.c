/* Loaded before the program: allocation number FAIL_FIRST (from 0) and the FAIL_COUNT - 1
 * ones after it give NULL.  At the end, how many there were goes to the file FAIL_TOLD.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* glibc's own. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

#define REPLACES __attribute__((visibility("default")))

static atomic_long allocations;

static long number(const char *name) {
  const char *text = getenv(name);
  return text == NULL ? 0 : strtol(text, NULL, 10);
}

static int fails(void) {
  long i = atomic_fetch_add(&allocations, 1), first = number("FAIL_FIRST");
  if (i < first || i >= first + number("FAIL_COUNT")) {
    return 0;
  }
  errno = ENOMEM;
  return 1;
}

REPLACES void *malloc(size_t size) {
  return fails() ? NULL : __libc_malloc(size);
}

REPLACES void *calloc(size_t count, size_t size) {
  return fails() ? NULL : __libc_calloc(count, size);
}

REPLACES void *realloc(void *block, size_t size) {
  return fails() ? NULL : __libc_realloc(block, size);
}

__attribute__((destructor)) static void tell(void) {
  const char *name = getenv("FAIL_TOLD");
  char text[32];
  int fd = name == NULL ? -1 : open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd >= 0) {
    int len = snprintf(text, sizeof text, "%ld\n", atomic_load(&allocations));
    if (write(fd, text, (size_t)len) != len) {
      abort();
    }
    close(fd);
  }
}
