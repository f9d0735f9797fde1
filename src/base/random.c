/* Randomness from the operating system: getrandom(2) on Linux, with /dev/urandom where
 * the kernel is older than that call; getentropy(2) elsewhere. */
#define _DEFAULT_SOURCE
#include "base/random.h"

#include "base/secret.h"
#include <stdint.h>

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

/* Takes from a descriptor until out is full. */
static bool read_all(int fd, uint8_t *out, size_t len) {
  while (len > 0) {
    ssize_t got = read(fd, out, len);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    out += got;
    len -= (size_t)got;
  }
  return true;
}

static bool from_device(uint8_t *out, size_t len) {
  int fd;
  do {
    fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    return false;
  }
  bool ok = read_all(fd, out, len);
  (void)close(fd);
  return ok;
}

static bool from_system(uint8_t *out, size_t len) {
  while (len > 0) {
    ssize_t got = getrandom(out, len, 0);
    if (got > 0) {
      out += got;
      len -= (size_t)got;
    } else if (got < 0 && errno == ENOSYS) {
      return from_device(out, len);
    } else if (got == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}
#elif defined(__unix__) || defined(__APPLE__) || defined(__wasi__) ||                    \
    defined(__EMSCRIPTEN__)
#ifdef __APPLE__
#include <sys/random.h>
#endif
#include <unistd.h>

static bool from_system(uint8_t *out, size_t len) {
  enum { GETENTROPY_MAX = 256 };
  while (len > 0) {
    size_t step = len < GETENTROPY_MAX ? len : GETENTROPY_MAX;
    if (getentropy(out, step) != 0) {
      return false;
    }
    out += step;
    len -= step;
  }
  return true;
}
#else
static bool from_system(uint8_t *out, size_t len) {
  (void)out;
  (void)len;
  return false;
}
#endif

bool sm_random_bytes(void *out, size_t len) {
  bool ok = from_system(out, len);
  if (!ok) {
    wipe(out, len);
  }
  SECRET(out, len);
  return ok;
}
