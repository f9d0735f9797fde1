/* Files read, and plain writing.  "-" is stdin or stdout.  What goes wrong is told here,
 * with the file's name.  output.h makes files. */
#ifndef SIGMILL_CLI_FILES_H
#define SIGMILL_CLI_FILES_H

#include "buffer.h"
#include "sigmill.h"
#include <sys/stat.h>

/* Limits on what is read whole. */
#define KEY_FILE_MAX       SIGMILL_KEY_TEXT_MAX
#define SIGNATURE_FILE_MAX (4 * 1024)
#define TOKEN_FILE_MAX     (SIGMILL_JWS_MAX + 2) /* with a newline */
#define PAYLOAD_FILE_MAX   (SIGMILL_JWS_MAX / 4 * 3)

/* NULL and "-". */
bool path_is_standard(const char *path);
/* How a path reads in messages: "stdin" for "-". */
const char *path_shown(const char *path);

/* Opens for reading, and notes the file as an input; -1 after a message. */
int file_open(const char *path);
/* Notes an open file as an input, which no output may overwrite; name must stay. */
void file_is_input(int fd, const char *name);
/* The name of the input that this is; NULL if it is none. */
const char *file_input_name(const struct stat *info);
/* The whole file, of at most max bytes; a longer one is refused without being read
 * further. False after a message. */
bool file_read(buffer *out, const char *path, size_t max, const char *what);
/* Digest of a file of any size, in bounded memory.  False after a message. */
bool file_digest(uint8_t digest[64], size_t *digest_len, const char *path,
                 sigmill_hash_id hash);

/* After a read or write that failed with `error`: waits, where it was interrupted or the
 * descriptor does not block, until trying again (events: POLLIN or POLLOUT) is worth it.
 * False for other errors. */
bool wait_ready(int fd, int error, short events);

/* Writes all of data to fd, waiting where it does not block: 0, or the errno. */
int write_all(int fd, const void *data, size_t len);
/* Writes all of it to stdout, then wipes it.  False after a message. */
bool stdout_put(buffer *text);
/* The same to stderr, where a failure to write cannot be told. */
bool stderr_put(buffer *text);

#endif
