/* A JSON text that must be one object without a name twice. */
#include "scheme/json_object.h"

#include "scheme/fail.h"
#include "scheme/offset_set.h"

/* A broken rest of the text comes before a duplicate, so the text is read to its end. */
sigmill_status sm_json_object_read(json_value *values, size_t *object_at,
                                   const char *const *names, size_t count,
                                   const uint8_t *text, size_t len, size_t *error_at) {
  json_reader r;
  json_member member = {.name = {.kind = JSON_ABSENT}};
  offset_set seen = {.count = 0};
  sigmill_status unique = SIGMILL_OK;
  size_t twice_at = 0;
  memset(values, 0, count * sizeof *values);
  sigmill_status status = sm_json_open(&r, text, len);
  if (status == SIGMILL_OK) {
    status = sm_json_next(&member, &r);
  }
  while (status == SIGMILL_OK && member.name.kind != JSON_ABSENT) {
    if (unique == SIGMILL_OK) {
      twice_at = member.name.at;
      unique = offset_set_add(&seen, text, twice_at, sm_json_string_compare);
    }
    for (size_t i = 0; i < count; i++) {
      if (sm_json_string_is(text, member.name.at, names[i])) {
        values[i] = member.value;
      }
    }
    status = sm_json_next(&member, &r);
  }
  if (status != SIGMILL_OK) {
    return fail(error_at, r.error_at, status);
  }
  *object_at = r.root_at;
  if (r.root != JSON_OBJECT) {
    return fail(error_at, r.root_at, SIGMILL_ERR_JSON);
  }
  return unique == SIGMILL_OK ? SIGMILL_OK : fail(error_at, twice_at, unique);
}
