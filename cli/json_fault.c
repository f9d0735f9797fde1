/* Naming members: the text is parsed again, with yyjson, and searched in the order in
 * which the library judges. */
#include "json_fault.h"

#include "armor.h"
#include "reason.h"
#include <stdio.h>
#include <string.h>
#include <yyjson.h>

#define SHOWN_MAX 40 /* characters of a value */

const char *json_type_name(yyjson_val *value) {
  switch (yyjson_get_type(value)) {
  case YYJSON_TYPE_ARR:
    return "an array";
  case YYJSON_TYPE_OBJ:
    return "an object";
  case YYJSON_TYPE_STR:
    return "a string";
  case YYJSON_TYPE_NULL:
    return "null";
  case YYJSON_TYPE_BOOL:
    return "a boolean";
  default: /* numbers may be kept raw */
    return "a number";
  }
}

/* Text of a file, as it may stand in a message. */
static void put_shown(char out[SHOWN_MAX + 4], const char *text, size_t len) {
  size_t n = len < SHOWN_MAX ? len : SHOWN_MAX;
  for (size_t i = 0; i < n; i++) {
    out[i] = text[i] >= ' ' && text[i] < 0x7f ? text[i] : '?';
  }
  (void)snprintf(out + n, 4, "%s", n < len ? "..." : "");
}

static const char *wrong_value(char out[FAULT_SIZE], yyjson_val *object, const char *name,
                               const char *wanted) {
  char shown[SHOWN_MAX + 4];
  yyjson_val *value = yyjson_obj_get(object, name);
  if (!yyjson_is_str(value) || strcmp(yyjson_get_str(value), wanted) == 0) {
    return NULL;
  }
  put_shown(shown, yyjson_get_str(value), yyjson_get_len(value));
  (void)snprintf(out, FAULT_SIZE, "%s is \"%s\", %s wanted", name, shown, wanted);
  return out;
}

/* The first of the names that is missing. */
static const char *missing(char out[FAULT_SIZE], yyjson_val *object,
                           const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (yyjson_obj_get(object, names[i]) == NULL) {
      (void)snprintf(out, FAULT_SIZE, "member \"%s\" is missing", names[i]);
      return out;
    }
  }
  return NULL;
}

/* The first of the names that is there and no string. */
static const char *wrong_type(char out[FAULT_SIZE], yyjson_val *object,
                              const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    yyjson_val *value = yyjson_obj_get(object, names[i]);
    if (value != NULL && !yyjson_is_str(value)) {
      (void)snprintf(out, FAULT_SIZE, "member \"%s\" must be a string, not %s", names[i],
                     json_type_name(value));
      return out;
    }
  }
  return NULL;
}

/* The name that begins at text[at], with a quotation mark, stands twice. */
static const char *duplicate(char out[FAULT_SIZE], const char *text, size_t len,
                             size_t at) {
  char shown[SHOWN_MAX + 4];
  size_t end = at + 1;
  if (at >= len || text[at] != '"') {
    return NULL;
  }
  while (end < len && text[end] != '"') {
    end += text[end] == '\\' ? 2 : 1;
  }
  put_shown(shown, text + at + 1, (end < len ? end : len) - at - 1);
  (void)snprintf(out, FAULT_SIZE, "member \"%s\" stands twice", shown);
  return out;
}

/* The first coordinate or secret that is not 43 characters of base64url. */
static const char *wrong_bytes(char out[FAULT_SIZE], yyjson_val *object, bool length,
                               size_t count) {
  static const char *const names[] = {"x", "y", "d"};
  for (size_t i = 0; i < count; i++) {
    yyjson_val *value = yyjson_obj_get(object, names[i]);
    const char *text = yyjson_get_str(value);
    size_t len = yyjson_get_len(value), at;
    if (text == NULL) {
      continue;
    }
    if (length && len != 43) {
      (void)snprintf(out, FAULT_SIZE,
                     "member \"%s\" has %zu characters: 43 spell 32 bytes", names[i],
                     len);
      return out;
    }
    const char *words = length ? NULL : base64url_fault(&at, text, len);
    if (words != NULL) {
      (void)snprintf(out, FAULT_SIZE, "member \"%s\": %s", names[i], words);
      return out;
    }
  }
  return NULL;
}

static const char *fault_of_jwk(char out[FAULT_SIZE], int reason, yyjson_val *object,
                                bool private_wanted) {
  static const char *const wanted[] = {"kty", "crv", "x", "y", "d"};
  static const char *const strings[] = {"kty", "crv", "alg", "x", "y", "d"};
  size_t extra = private_wanted ? 1 : 0;
  const char *words;
  switch (reason) {
  case SIGMILL_ERR_MEMBER_MISSING:
    return missing(out, object, wanted, 4 + extra);
  case SIGMILL_ERR_MEMBER_TYPE:
    return wrong_type(out, object, strings, 5 + extra);
  case SIGMILL_ERR_CURVE:
    return wrong_value(out, object, "crv", "P-256");
  case SIGMILL_ERR_ALGORITHM:
    words = wrong_value(out, object, "kty", "EC");
    return words != NULL ? words : wrong_value(out, object, "alg", "ES256");
  case SIGMILL_ERR_COORDINATE_LENGTH:
  case SIGMILL_ERR_BASE64:
    return wrong_bytes(out, object, reason != SIGMILL_ERR_BASE64, 2 + extra);
  default:
    return NULL;
  }
}

static const char *fault_of_header(char out[FAULT_SIZE], int reason, yyjson_val *object) {
  static const char *const alg[] = {"alg"};
  switch (reason) {
  case SIGMILL_ERR_MEMBER_MISSING:
    return missing(out, object, alg, 1);
  case SIGMILL_ERR_MEMBER_TYPE:
    return wrong_type(out, object, alg, 1);
  case SIGMILL_ERR_ALGORITHM:
    return wrong_value(out, object, "alg", "ES256");
  case SIGMILL_ERR_CRITICAL:
    return yyjson_obj_get(object, "crit") != NULL
               ? "the header has crit: no extension is understood"
               : "the header's b64 is not true";
  default:
    return NULL;
  }
}

static yyjson_doc *parse(const char *text, size_t len) {
  size_t skipped = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  return yyjson_read(text + skipped, len - skipped, YYJSON_READ_NUMBER_AS_RAW);
}

const char *jwk_fault(char out[FAULT_SIZE], int reason, size_t at, const char *text,
                      size_t len, bool private_wanted) {
  yyjson_doc *doc = parse(text, len);
  const char *words =
      reason == SIGMILL_ERR_MEMBER_DUPLICATE
          ? duplicate(out, text, len, at)
          : fault_of_jwk(out, reason, yyjson_doc_get_root(doc), private_wanted);
  yyjson_doc_free(doc);
  return words != NULL ? words : reason_text(reason);
}

const char *token_fault(char out[FAULT_SIZE], int reason, size_t at, const char *token,
                        size_t len) {
  uint8_t header[SIGMILL_JWS_HEADER_MAX];
  const char *text = (const char *)header, *dot = memchr(token, '.', len);
  const char *words = NULL;
  size_t header_len = 0, header_chars = dot == NULL ? len : (size_t)(dot - token);
  if (base64_decode(header, sizeof header, &header_len, token, header_chars)) {
    yyjson_doc *doc = parse(text, header_len);
    /* The token's character at `at` begins this byte of the header. */
    words = reason == SIGMILL_ERR_MEMBER_DUPLICATE
                ? duplicate(out, text, header_len, at / 4 * 3 + at % 4)
                : fault_of_header(out, reason, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
  }
  if (words == NULL && reason == SIGMILL_ERR_BASE64) {
    words = "not base64url without padding";
  }
  return words != NULL ? words : reason_text(reason);
}
