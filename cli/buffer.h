/* A growing run of bytes, and JSON text written into one.
 *
 * A buffer whose growth failed stays failed and takes nothing more: look once, at the
 * end. */
#ifndef SIGMILL_CLI_BUFFER_H
#define SIGMILL_CLI_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint8_t *data;
  size_t len, cap;
  bool failed; /* out of memory */
} buffer;

/* Makes room for len more bytes.  False, and failed, if there is no memory. */
bool buffer_reserve(buffer *b, size_t len);
void buffer_put(buffer *b, const void *data, size_t len);
void buffer_text(buffer *b, const char *text);
void buffer_format(buffer *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_u64(buffer *b, uint64_t value);
void buffer_hex(buffer *b, const uint8_t *data, size_t len);
/* A JSON string with its quotes.  Bytes that are no UTF-8 become U+FFFD. */
void buffer_json_string(buffer *b, const char *text, size_t len);
/* Overwrites what it holds and frees it. */
void buffer_wipe(buffer *b);

/* Members of a JSON object that is being written: each puts the comma that it needs. */
void json_open(buffer *b, const char *name); /* NULL: no name, the outermost object */
void json_close(buffer *b);
void json_string(buffer *b, const char *name, const char *value); /* NULL: null */
void json_bool(buffer *b, const char *name, bool value);
void json_u64(buffer *b, const char *name, uint64_t value);
void json_hex(buffer *b, const char *name, const uint8_t *data, size_t len);
/* Puts a comma unless an object or array was just opened, then the name and a colon. */
void json_name(buffer *b, const char *name);

#endif
