/* Where our JSON reader and yyjson's strict one must say the same: everywhere but for
 * lone surrogates, which ours takes, and duplicate names, which neither reader judges. */
#ifndef SIGMILL_TESTS_JSON_DISAGREEMENT_H
#define SIGMILL_TESTS_JSON_DISAGREEMENT_H

#include <stddef.h>
#include <stdint.h>

/* NULL or what went wrong.  in: len <= JSON_MAX. */
const char *json_disagreement(const uint8_t *text, size_t len);

#endif
