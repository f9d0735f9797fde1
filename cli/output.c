/* Looking at outputs, writing them to their parts, putting the parts in place. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "output.h"

#include "files.h"
#include "reason.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *output_shown(const output *o) {
  return path_is_standard(o->path) ? "stdout" : o->path;
}

static bool refuse_system(const output *o, int error) {
  report_system(output_shown(o), "cannot open for writing", error);
  return false;
}

/* ---------------------------------------------------------------- looking */

static bool look(struct stat *info, const output *o) {
  return path_is_standard(o->path) ? fstat(STDOUT_FILENO, info) == 0
                                   : stat(o->path, info) == 0;
}

static bool is_same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool refuse_second(const output *o) {
  report(REASON_USAGE, output_shown(o), "two outputs cannot go to one file");
  return false;
}

/* Is it neither an input nor one of the outputs before it?  Devices may be shared. */
static bool check_one(const output *list, size_t i) {
  struct stat info, other;
  bool there = look(&info, &list[i]);
  const char *input = there ? file_input_name(&info) : NULL;
  if (input != NULL) {
    report(REASON_USAGE, output_shown(&list[i]),
           "the output would overwrite what is read from %s", input);
    return false;
  }
  for (size_t j = 0; j < i; j++) {
    bool same_path = strcmp(output_shown(&list[i]), output_shown(&list[j])) == 0;
    bool same_file = there && look(&other, &list[j]) && is_same(&info, &other);
    if ((same_path || same_file) && !(there && S_ISCHR(info.st_mode))) {
      return refuse_second(&list[i]);
    }
  }
  return true;
}

/* ---------------------------------------------------------------- opening */

/* The standard output under the name of a file: what is there already stays. */
static bool is_stdout(const struct stat *info) {
  struct stat own;
  return S_ISREG(info->st_mode) && fstat(STDOUT_FILENO, &own) == 0 && is_same(info, &own);
}

static bool in_place_will_do(int error) {
  return error == EACCES || error == EPERM || error == EROFS || error == ENAMETOOLONG;
}

/* The part's EEXIST: another output's part, or a file that happens to be there. */
static bool refuse_part(const output *list, size_t i, int error) {
  struct stat part, other;
  for (size_t j = 0; error == EEXIST && j < i; j++) {
    if (list[j].part != NULL && stat(list[i].part, &part) == 0 &&
        fstat(list[j].fd, &other) == 0 && is_same(&part, &other)) {
      return refuse_second(&list[i]);
    }
  }
  return refuse_system(&list[i], error);
}

/* Opens the part, or the target itself where no part can be made. */
static bool open_regular(output *list, size_t i, const struct stat *there) {
  output *o = &list[i];
  mode_t mode = o->secret ? 0600 : 0666;
  o->target = there != NULL ? realpath(o->path, NULL) : strdup(o->path);
  size_t size = o->target == NULL ? 0 : strlen(o->target) + 32;
  o->part = size == 0 ? NULL : malloc(size);
  if (o->part == NULL) {
    return report_memory() == CLI_VALID;
  }
  (void)snprintf(o->part, size, "%s.%ld.part", o->target, (long)getpid());
  o->fd = open(o->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (o->fd >= 0) {
    o->made = true;
    return there == NULL || o->secret || fchmod(o->fd, there->st_mode & 0777) == 0 ||
           refuse_system(o, errno);
  }
  if (!in_place_will_do(errno) || (there != NULL && o->secret)) {
    return refuse_part(list, i, errno);
  }
  free(o->part);
  o->part = NULL;
  int how = there != NULL ? O_TRUNC : O_CREAT | O_EXCL;
  o->fd = open(o->target, O_WRONLY | O_CLOEXEC | how, mode);
  o->made = o->fd >= 0 && there == NULL;
  return o->fd >= 0 || refuse_system(o, errno);
}

static bool open_one(output *list, size_t i) {
  output *o = &list[i];
  struct stat info;
  if (path_is_standard(o->path)) {
    o->fd = STDOUT_FILENO;
    return true;
  }
  bool there = stat(o->path, &info) == 0;
  if (!there && errno != ENOENT) {
    return refuse_system(o, errno);
  }
  if (!there) {
    /* A link to nothing: the place that it names is not ours to make. */
    return lstat(o->path, &info) == 0 ? refuse_system(o, ENOENT)
                                      : open_regular(list, i, NULL);
  }
  if (is_stdout(&info)) {
    o->fd = STDOUT_FILENO;
    return true;
  }
  if (!S_ISREG(info.st_mode)) {
    o->fd = open(o->path, O_WRONLY | O_CLOEXEC);
    return o->fd >= 0 || refuse_system(o, errno);
  }
  if (!o->force) {
    report(REASON_IO, o->path, "there already; --force overwrites it");
    return false;
  }
  return access(o->path, W_OK) == 0 ? open_regular(list, i, &info)
                                    : refuse_system(o, errno);
}

bool outputs_open(output *list, size_t count) {
  bool ok = true;
  for (size_t i = 0; i < count; i++) {
    list[i].fd = -1;
    list[i].target = list[i].part = NULL;
    list[i].made = false;
    ok = ok && check_one(list, i);
  }
  for (size_t i = 0; ok && i < count; i++) {
    ok = open_one(list, i);
  }
  if (!ok) {
    outputs_drop(list, count);
  }
  return ok;
}

/* ---------------------------------------------------------------- writing */

static bool refuse_write(const output *o, int error) {
  if (error == EEXIST) {
    report(REASON_IO, o->path, "there already; --force overwrites it");
  } else {
    report_system(output_shown(o), "cannot write", error);
  }
  return false;
}

bool output_write(const output *o, const buffer *content) {
  if (content->failed) {
    report_memory();
    return false;
  }
  int error = write_all(o->fd, content->data, content->len);
  return error == 0 || refuse_write(o, error);
}

static int close_one(output *o) {
  int fd = o->fd;
  o->fd = -1;
  return fd >= 0 && fd != STDOUT_FILENO && close(fd) != 0 ? errno : 0;
}

/* Puts the part in the target's place; a file that has come to be there meanwhile stays
 * unless forced.  0, or the errno. */
static int publish(output *o) {
  struct stat info;
  bool there = lstat(o->target, &info) == 0;
  if (!o->force && link(o->part, o->target) == 0) {
    (void)unlink(o->part);
  } else if (!o->force && (errno == EEXIST || there)) {
    return EEXIST;
  } else if (rename(o->part, o->target) != 0) { /* or there are no links here */
    return errno;
  }
  free(o->part);
  o->part = NULL;
  o->made = !there;
  return 0;
}

bool outputs_commit(output *list, size_t count) {
  int error = 0;
  size_t i = 0;
  for (; error == 0 && i < count; i++) {
    error = close_one(&list[i]);
  }
  for (i = error == 0 ? 0 : i; error == 0 && i < count; i++) {
    error = list[i].part != NULL ? publish(&list[i]) : 0;
  }
  if (error != 0) {
    refuse_write(&list[i - 1], error);
  }
  for (i = 0; error == 0 && i < count; i++) {
    list[i].made = false;
  }
  outputs_drop(list, count);
  return error == 0;
}

void outputs_drop(output *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    output *o = &list[i];
    (void)close_one(o);
    if (o->made) {
      (void)unlink(o->part != NULL ? o->part : o->target);
    }
    free(o->part);
    free(o->target);
    o->part = o->target = NULL;
    o->made = false;
  }
}

bool outputs_put(output *list, const buffer *contents, size_t count) {
  if (!outputs_open(list, count)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    if (!output_write(&list[i], &contents[i])) {
      outputs_drop(list, count);
      return false;
    }
  }
  return outputs_commit(list, count);
}

bool file_write(const char *path, const buffer *content, bool secret, bool force) {
  output one = {.path = path, .secret = secret, .force = force};
  return outputs_put(&one, content, 1);
}
