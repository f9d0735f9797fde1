/* Reading with limits, hashing as a stream, writing with every error seen. */
#include "files.h"

#include "reason.h"
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool path_is_standard(const char *path) {
  return path == NULL || strcmp(path, "-") == 0;
}

const char *path_shown(const char *path) {
  return path_is_standard(path) ? "stdin" : path;
}

int file_open(const char *path) {
  if (path_is_standard(path)) {
    return STDIN_FILENO;
  }
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    report_system(path, "cannot open", errno);
  }
  return fd;
}

/* Up to len bytes; *got is less only at the end of the file.  0, or the errno. */
static int read_full(int fd, uint8_t *data, size_t len, size_t *got) {
  *got = 0;
  while (*got < len) {
    ssize_t n = read(fd, data + *got, len - *got);
    if (n < 0 && errno == EINTR) {
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
    if (n < 0 && errno == EINTR) {
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

/* Opens path for writing.  A secret goes to a file of its own, made here and seen by
 * nobody else; *replaces says that it is to be renamed over path, and temporary then is
 * its name. */
static int open_to_write(const char *path, bool secret, bool force, char **temporary) {
  *temporary = NULL;
  struct stat info;
  bool there = stat(path, &info) == 0;
  if (!secret || (there && !S_ISREG(info.st_mode))) {
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (!there || !force) {
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  }
  size_t size = strlen(path) + 32;
  *temporary = malloc(size);
  if (*temporary == NULL) {
    errno = ENOMEM;
    return -1;
  }
  (void)snprintf(*temporary, size, "%s.%ld.part", path, (long)getpid());
  return open(*temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

bool file_write(const char *path, const buffer *content, bool secret, bool force) {
  if (content->failed) {
    report_memory();
    return false;
  }
  if (path_is_standard(path)) {
    int error = write_all(STDOUT_FILENO, content->data, content->len);
    if (error != 0) {
      report_system("stdout", "cannot write", error);
    }
    return error == 0;
  }
  char *temporary;
  int fd = open_to_write(path, secret, force, &temporary);
  if (fd < 0) {
    int error = errno;
    free(temporary);
    if (error == EEXIST) {
      report(REASON_IO, path, "there already; --force overwrites it");
    } else {
      report_system(path, "cannot open for writing", error);
    }
    return false;
  }
  int error = write_all(fd, content->data, content->len);
  if (close(fd) != 0 && error == 0) {
    error = errno;
  }
  if (error == 0 && temporary != NULL && rename(temporary, path) != 0) {
    error = errno;
  }
  struct stat info;
  if (error != 0 && temporary != NULL) {
    (void)unlink(temporary);
  } else if (error != 0 && secret && stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
    (void)unlink(path);
  }
  free(temporary);
  if (error != 0) {
    report_system(path, "cannot write", error);
  }
  return error == 0;
}
