#include "json_disagreement.h"

#include "scheme/json.h"

#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

/* Does an escape spell a surrogate, be it one of a pair? */
static bool has_surrogate_escape(const uint8_t *text, size_t len) {
  for (size_t i = 0; i + 6 <= len; i++) {
    if (text[i] == '\\' && text[i + 1] == 'u' && (text[i + 2] | 0x20) == 'd' &&
        (text[i + 3] >= '8' || (text[i + 3] | 0x20) >= 'a')) {
      return true;
    }
  }
  return false;
}

static size_t put_utf8(char *out, uint32_t c) {
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = (char)(0xc0 | c >> 6);
    out[1] = (char)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (char)(0xe0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 0x3f));
    out[2] = (char)(0x80 | (c & 0x3f));
    return 3;
  }
  out[0] = (char)(0xf0 | c >> 18);
  out[1] = (char)(0x80 | (c >> 12 & 0x3f));
  out[2] = (char)(0x80 | (c >> 6 & 0x3f));
  out[3] = (char)(0x80 | (c & 0x3f));
  return 4;
}

static bool same_string(const uint8_t *text, const json_value *ours, yyjson_val *theirs) {
  static char spelled[JSON_MAX + 1];
  size_t at = ours->at + 1, len = 0, above_ascii = 0;
  for (uint32_t c; (c = sm_json_char(text, &at)) != JSON_QUOTE;) {
    len += put_utf8(spelled + len, c);
    above_ascii += c >= 0x80;
  }
  spelled[len] = '\0';
  bool comparable = above_ascii == 0 && strlen(spelled) == len;
  return len == yyjson_get_len(theirs) &&
         memcmp(spelled, yyjson_get_str(theirs), len) == 0 &&
         sm_json_string_compare(text, ours->at, ours->at) == 0 &&
         (!comparable || sm_json_string_is(text, ours->at, spelled));
}

static json_kind kind_of(yyjson_val *value) {
  switch (yyjson_get_type(value)) {
  case YYJSON_TYPE_NULL:
    return JSON_NULL;
  case YYJSON_TYPE_BOOL:
    return yyjson_get_bool(value) ? JSON_TRUE : JSON_FALSE;
  case YYJSON_TYPE_RAW:
  case YYJSON_TYPE_NUM:
    return JSON_NUMBER;
  case YYJSON_TYPE_STR:
    return JSON_STRING;
  case YYJSON_TYPE_ARR:
    return JSON_ARRAY;
  case YYJSON_TYPE_OBJ:
    return JSON_OBJECT;
  default:
    return JSON_ABSENT;
  }
}

/* Compares the members of an object as both see them. */
static const char *members_disagreement(json_reader *r, yyjson_val *root) {
  yyjson_obj_iter iter = yyjson_obj_iter_with(root);
  json_member member;
  for (;;) {
    yyjson_val *name = yyjson_obj_iter_next(&iter);
    if (sm_json_next(&member, r) != SIGMILL_OK) {
      return "what yyjson reads was refused";
    }
    if (member.name.kind == JSON_ABSENT) {
      return name == NULL ? NULL : "a member is missing";
    }
    if (name == NULL) {
      return "a member too many";
    }
    yyjson_val *value = yyjson_obj_iter_get_val(name);
    if (!same_string(r->text, &member.name, name) ||
        kind_of(value) != member.value.kind) {
      return "another name or kind of value";
    }
    if (member.value.kind == JSON_STRING && !same_string(r->text, &member.value, value)) {
      return "another string";
    }
  }
}

static bool reads(json_reader *r, const uint8_t *text, size_t len) {
  json_member member;
  sigmill_status status = sm_json_open(r, text, len);
  do {
    status = status == SIGMILL_OK ? sm_json_next(&member, r) : status;
  } while (status == SIGMILL_OK && member.name.kind != JSON_ABSENT);
  return status == SIGMILL_OK;
}

const char *json_disagreement(const uint8_t *text, size_t len) {
  static json_reader r;
  size_t mark = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  char *copy = len > mark ? malloc(len - mark) : NULL; /* yyjson wants no const */
  if (copy != NULL) {
    memcpy(copy, text + mark, len - mark);
  }
  yyjson_doc *doc =
      yyjson_read_opts(copy, len - mark, YYJSON_READ_NUMBER_AS_RAW, NULL, NULL);
  yyjson_val *root = yyjson_doc_get_root(doc);
  const char *wrong = NULL;
  bool ours = reads(&r, text, len);
  if (!ours && r.error_at > len) {
    wrong = "an offset beyond the end";
  } else if (ours && doc == NULL) {
    wrong = has_surrogate_escape(text, len) ? NULL : "what yyjson refuses was read";
  } else if (doc != NULL) {
    bool opened = sm_json_open(&r, text, len) == SIGMILL_OK;
    wrong = !opened || r.root != kind_of(root) ? "another root or none"
            : r.root == JSON_OBJECT            ? members_disagreement(&r, root)
                                               : NULL;
  }
  yyjson_doc_free(doc);
  free(copy);
  return wrong;
}
