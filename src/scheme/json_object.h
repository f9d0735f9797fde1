/* A JSON text that must be one object without a name twice, read for a few members. */
#ifndef SIGMILL_SCHEME_JSON_OBJECT_H
#define SIGMILL_SCHEME_JSON_OBJECT_H

#include "scheme/json.h"

/* values[i] becomes that of the outermost member names[i], or is JSON_ABSENT; *object_at
 * the offset of the brace.  Other members may hold anything.  Errors: TOO_LONG (text too
 * long, or more than 1024 members), UTF8, JSON (also for another root than an object),
 * and after those MEMBER_DUPLICATE for a name that stands twice, known or not, however it
 * is written. */
sigmill_status sm_json_object_read(json_value *values, size_t *object_at,
                                   const char *const *names, size_t count,
                                   const uint8_t *text, size_t len, size_t *error_at);

#endif
