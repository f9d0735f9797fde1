/* Rows written again with hinted signatures. */
#include "row_hint.h"

#include "armor.h"
#include <string.h>

/* The signature as text. */
static void put_text(buffer *out, const hint_target *target, const uint8_t *sig) {
  size_t size = sig_format_size(target->format);
  if (target->encoding == ENCODING_BASE64) {
    base64_put(out, sig, size);
  } else {
    buffer_hex(out, sig, size);
  }
}

/* Sets a member of text where it stands, or at the end. */
static bool set_member(yyjson_mut_doc *doc, const char *name, const char *text,
                       size_t len) {
  yyjson_mut_val *value = yyjson_mut_strn(doc, text, len);
  /* To put no value would be to remove the member. */
  return value != NULL && yyjson_mut_obj_put(yyjson_mut_doc_get_root(doc),
                                             yyjson_mut_str(doc, name), value);
}

static bool put_line(buffer *out, yyjson_mut_doc *doc, yyjson_alc *alc,
                     const hint_target *target, const buffer *sig) {
  const char *format = sig_format_name(target->format);
  if (!set_member(doc, "sig", (const char *)sig->data, sig->len) ||
      !set_member(doc, "format", format, strlen(format))) {
    return false;
  }
  size_t len;
  char *text = yyjson_mut_write_opts(doc, YYJSON_WRITE_NOFLAG, alc, &len, NULL);
  if (text == NULL) {
    return false;
  }
  buffer_put(out, text, len);
  buffer_put(out, "\n", 1);
  alc->free(alc->ctx, text);
  return true;
}

void row_put_hinted_json(buffer *out, row_reader *r, const hint_target *target,
                         const uint8_t *line, size_t len, const uint8_t *sig) {
  /* yyjson leaves the line as it is, without YYJSON_READ_INSITU. */
  yyjson_alc *alc = r->jwk_memory;
  yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)line, len,
                                     YYJSON_READ_NUMBER_AS_RAW, alc, NULL);
  yyjson_mut_doc *copy = doc != NULL ? yyjson_doc_mut_copy(doc, alc) : NULL;
  buffer text = {0};
  put_text(&text, target, sig);
  bool ok = copy != NULL && !text.failed && put_line(out, copy, alc, target, &text);
  out->failed = out->failed || !ok;
  buffer_wipe(&text);
  yyjson_mut_doc_free(copy);
  yyjson_doc_free(doc);
}

void row_put_hinted_binary(buffer *out, const binary_layout *layout, sig_format format,
                           const uint8_t *row, const uint8_t *sig) {
  buffer_put(out, row, layout->row_size - layout->sig_size);
  buffer_put(out, sig, sig_format_size(format));
}

void hinted_binary_header(uint8_t out[BINARY_HEADER_SIZE], const binary_layout *layout,
                          sig_format format) {
  binary_layout hinted = *layout;
  hinted.format = format;
  hinted.sig_size = sig_format_size(format);
  hinted.row_size = layout->row_size - layout->sig_size + hinted.sig_size;
  hinted.rows = 0;
  binary_write_header(out, &hinted);
}
