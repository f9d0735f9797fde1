/* Reads the outside vectors: JSON files below the folder that SIGMILL_VECTORS names. */
#ifndef SIGMILL_TESTS_VECTORS_H
#define SIGMILL_TESTS_VECTORS_H

#include "scheme/agreement.h"

#include <yyjson.h>

/* The file's document, or NULL after a skip (no folder) or a failure (no such file, not
 * JSON) of the running test. */
yyjson_doc *vectors_load(const char *path);

/* A member's text, "" where there is none. */
const char *vector_text(yyjson_val *object, const char *name);
bool vector_has(yyjson_val *object, const char *name);

typedef struct {
  uint8_t bytes[4200];
  size_t len;
} vector_bytes;

/* A member's hex; a failure if it is not hex or too long. */
vector_bytes vector_hex(yyjson_val *object, const char *name);

#endif
