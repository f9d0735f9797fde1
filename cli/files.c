/* Reading with limits, hashing as a stream, writing with every error seen. */
#include "files.h"

#include "reason.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

bool path_is_standard(const char *path) {
  return path == NULL || strcmp(path, "-") == 0;
}

const char *path_shown(const char *path) {
  return path_is_standard(path) ? "stdin" : path;
}

/* The files read so far; a command reads fewer, and of more the last ones are kept. */
static struct {
  dev_t dev;
  ino_t ino;
  const char *name;
} inputs[8];
static size_t input_count;
#define INPUT_MAX (sizeof inputs / sizeof inputs[0])

void file_is_input(int fd, const char *name) {
  struct stat info;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
    size_t i = input_count++ % INPUT_MAX;
    inputs[i].dev = info.st_dev;
    inputs[i].ino = info.st_ino;
    inputs[i].name = name;
  }
}

const char *file_input_name(const struct stat *info) {
  size_t count = input_count < INPUT_MAX ? input_count : INPUT_MAX;
  for (size_t i = 0; S_ISREG(info->st_mode) && i < count; i++) {
    if (inputs[i].dev == info->st_dev && inputs[i].ino == info->st_ino) {
      return inputs[i].name;
    }
  }
  return NULL;
}

int file_open(const char *path) {
  int fd = path_is_standard(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    report_system(path, "cannot open", errno);
  } else {
    file_is_input(fd, path_shown(path));
  }
  return fd;
}

bool wait_ready(int fd, int error, short events) {
  struct pollfd one = {.fd = fd, .events = events};
  if (error == EAGAIN || error == EWOULDBLOCK) {
    return poll(&one, 1, -1) >= 0 || errno == EINTR;
  }
  return error == EINTR;
}

/* Up to len bytes; *got is less only at the end of the file.  0, or the errno. */
static int read_full(int fd, uint8_t *data, size_t len, size_t *got) {
  *got = 0;
  while (*got < len) {
    ssize_t n = read(fd, data + *got, len - *got);
    if (n < 0 && wait_ready(fd, errno, POLLIN)) {
      continue;
    }
    if (n < 0) {
      return errno;
    }
    if (n == 0) {
      break;
    }
    *got += (size_t)n;
  }
  return 0;
}

bool file_read(buffer *out, const char *path, size_t max, const char *what) {
  int fd = file_open(path);
  if (fd < 0) {
    return false;
  }
  int error = 0;
  *out = (buffer){0};
  while (error == 0 && out->len <= max) {
    size_t room = max + 1 - out->len, got;
    room = room < 16384 ? room : 16384;
    if (!buffer_reserve(out, room)) {
      error = ENOMEM;
      break;
    }
    error = read_full(fd, out->data + out->len, room, &got);
    out->len += got;
    if (got < room) {
      break;
    }
  }
  if (fd != STDIN_FILENO) {
    close(fd);
  }
  if (error != 0) {
    report_system(path_shown(path), "cannot read", error);
  } else if (out->len > max) {
    report(SIGMILL_ERR_TOO_LONG, path_shown(path),
           "more than %zu bytes: no %s is that long", max, what);
  } else {
    return true;
  }
  buffer_wipe(out);
  return false;
}

bool file_digest(uint8_t digest[64], size_t *digest_len, const char *path,
                 sigmill_hash_id hash) {
  sigmill_hash state;
  if (sigmill_hash_init(&state, hash) != SIGMILL_OK) {
    report(SIGMILL_ERR_ARGUMENT, NULL, "unknown digest");
    return false;
  }
  int fd = file_open(path);
  if (fd < 0) {
    return false;
  }
  static uint8_t block[1 << 16];
  int error = 0;
  size_t got = sizeof block;
  while (error == 0 && got == sizeof block) {
    error = read_full(fd, block, sizeof block, &got);
    sigmill_hash_update(&state, block, got);
  }
  if (fd != STDIN_FILENO) {
    close(fd);
  }
  *digest_len = sigmill_hash_final(digest, &state);
  if (error != 0) {
    report_system(path_shown(path), "cannot read", error);
  }
  return error == 0;
}

int write_all(int fd, const void *data, size_t len) {
  const uint8_t *at = data;
  while (len > 0) {
    ssize_t n = write(fd, at, len);
    if (n < 0 && wait_ready(fd, errno, POLLOUT)) {
      continue;
    }
    if (n < 0) {
      return errno;
    }
    at += n;
    len -= (size_t)n;
  }
  return 0;
}

bool stdout_put(buffer *text) {
  bool memory = !text->failed;
  int error = memory ? write_all(STDOUT_FILENO, text->data, text->len) : 0;
  buffer_wipe(text);
  if (!memory) {
    report_memory();
  } else if (error != 0) {
    report_system("stdout", "cannot write", error);
  }
  return memory && error == 0;
}

bool stderr_put(buffer *text) {
  bool memory = !text->failed;
  bool written = memory && write_all(STDERR_FILENO, text->data, text->len) == 0;
  buffer_wipe(text);
  if (!memory) {
    report_memory();
  }
  return written;
}
