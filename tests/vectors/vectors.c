#include "vectors.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

yyjson_doc *vectors_load(const char *path) {
  const char *folder = test_vectors();
  if (folder == NULL) {
    test_skip("SIGMILL_VECTORS names no folder of vectors");
    return NULL;
  }
  char whole[1024];
  snprintf(whole, sizeof whole, "%s/%s", folder, path);
  yyjson_read_err error;
  yyjson_doc *doc = yyjson_read_file(whole, 0, NULL, &error);
  EXPECT(doc != NULL, "%s: %s", whole, error.msg);
  return doc;
}

const char *vector_text(yyjson_val *object, const char *name) {
  const char *text = yyjson_get_str(yyjson_obj_get(object, name));
  return text != NULL ? text : "";
}

bool vector_has(yyjson_val *object, const char *name) {
  return yyjson_obj_get(object, name) != NULL;
}

vector_bytes vector_hex(yyjson_val *object, const char *name) {
  vector_bytes out = {.len = 0};
  const char *text = vector_text(object, name);
  size_t digits = strlen(text);
  bool ok = digits % 2 == 0 && digits / 2 <= sizeof out.bytes &&
            strspn(text, "0123456789abcdef") == digits;
  if (EXPECT(ok, "member %s is no hex of a fitting length", name)) {
    out.len = digits / 2;
    test_from_hex(out.bytes, out.len, text);
  }
  return out;
}
