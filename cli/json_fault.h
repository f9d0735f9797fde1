/* The member at fault in a JWK or a token's header, by name and value.  The library's
 * status tells the kind of fault only. */
#ifndef SIGMILL_CLI_JSON_FAULT_H
#define SIGMILL_CLI_JSON_FAULT_H

#include "sigmill.h"

#define FAULT_SIZE 128

/* Writes what is wrong with a JWK that the library refused with `reason` at offset `at`.
 * Where there is no more to say than the reason's own words, it gives these. */
const char *jwk_fault(char out[FAULT_SIZE], int reason, size_t at, const char *text,
                      size_t len, bool private_wanted);
/* The same for a token in compact serialization. */
const char *token_fault(char out[FAULT_SIZE], int reason, size_t at, const char *token,
                        size_t len);

/* "a number", "an object": of what JSON type a value is.  Takes a yyjson_val. */
struct yyjson_val;
const char *json_type_name(struct yyjson_val *value);

#endif
