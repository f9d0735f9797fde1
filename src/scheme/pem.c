/* Keys in PEM files (RFC 7468). */
#include "scheme/pem.h"

#include "scheme/base64.h"
#include "scheme/fail.h"
#include "scheme/key_der.h"
#include <string.h>

static const char begin_text[] = "-----BEGIN ", end_text[] = "-----END ",
                  dashes[] = "-----";
static const char label_public[] = "PUBLIC KEY", label_pkcs8[] = "PRIVATE KEY",
                  label_ec[] = "EC PRIVATE KEY", label_parameters[] = "EC PARAMETERS",
                  label_encrypted[] = "ENCRYPTED PRIVATE KEY";

typedef struct {
  const uint8_t *text;
  size_t len, at;
} pem_text;

typedef struct {
  size_t at, end;
} pem_range;

/* One block as found, its base64 undone. */
typedef struct {
  pem_range label, body;
  size_t der_len;
  uint8_t der[SIGMILL_KEY_DER_MAX];
} pem_block;

/* ---------------------------------------------------------------- lines */

static bool range_is(const pem_text *in, pem_range range, const char *wanted) {
  size_t len = strlen(wanted);
  return range.end - range.at == len && memcmp(in->text + range.at, wanted, len) == 0;
}

static bool starts_with(const pem_text *in, size_t at, size_t end, const char *wanted) {
  size_t len = strlen(wanted);
  return end - at >= len && memcmp(in->text + at, wanted, len) == 0;
}

static bool is_blank(uint8_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Takes the next line; its range leaves out blanks at the end. */
static pem_range take_line(pem_text *in) {
  pem_range line = {in->at, in->len};
  const uint8_t *newline = memchr(in->text + in->at, '\n', in->len - in->at);
  if (newline != NULL) {
    line.end = (size_t)(newline - in->text);
  }
  in->at = newline != NULL ? line.end + 1 : in->len;
  while (line.end > line.at && is_blank(in->text[line.end - 1])) {
    line.end--;
  }
  return line;
}

/* Takes lines up to and with the next BEGIN line; false if there is none.  As libcrypto
 * does, control characters and bytes above 127 at the end do not hide a BEGIN line, but
 * they make its label none that is wanted. */
static bool take_begin(pem_range *label, pem_text *in) {
  while (in->at < in->len) {
    pem_range line = take_line(in);
    size_t end = line.end;
    while (end > line.at && (in->text[end - 1] <= ' ' || in->text[end - 1] >= 0x80)) {
      end--;
    }
    label->at = line.at + strlen(begin_text);
    if (starts_with(in, line.at, end, begin_text) && end - label->at >= strlen(dashes) &&
        memcmp(in->text + end - strlen(dashes), dashes, strlen(dashes)) == 0) {
      label->end = line.end - strlen(dashes);
      return true;
    }
  }
  return false;
}

/* Takes the END line, which has to name the label. */
static bool take_end(pem_text *in, pem_range label) {
  pem_range line = take_line(in);
  pem_range named = {line.at + strlen(end_text), line.end - strlen(dashes)};
  size_t label_len = label.end - label.at;
  return line.end - line.at == strlen(end_text) + label_len + strlen(dashes) &&
         memcmp(in->text + named.at, in->text + label.at, label_len) == 0 &&
         memcmp(in->text + named.end, dashes, strlen(dashes)) == 0;
}

/* ---------------------------------------------------------------- the body */

typedef enum {
  CHAR_VALUE,
  CHAR_PADDING,
  CHAR_BLANK,
  CHAR_END_BLANK, /* a blank at a line's end only */
  CHAR_NEWLINE,
  CHAR_OTHER
} char_kind;

/* Sets *value for CHAR_VALUE.  That a character belongs to the alphabet is public. */
static char_kind kind_of(uint32_t *value, uint8_t c) {
  *value = base64_value(c, BASE64_STANDARD);
  uint32_t outside = *value & BASE64_NONE;
  PUBLIC(&outside, sizeof outside);
  if (outside == 0) {
    return CHAR_VALUE;
  }
  PUBLIC(&c, sizeof c);
  switch (c) {
  case '=':
    return CHAR_PADDING;
  case ' ':
  case '\t':
  case '\r':
    return CHAR_BLANK;
  case '\v':
  case '\f':
    return CHAR_END_BLANK;
  case '\n':
    return CHAR_NEWLINE;
  default:
    return CHAR_OTHER;
  }
}

/* May a character of this kind come after so much? */
static bool fits(char_kind kind, size_t chars, size_t padding, bool line_has_ended) {
  switch (kind) {
  case CHAR_VALUE:
    return padding == 0 && !line_has_ended;
  case CHAR_PADDING:
    return !line_has_ended && chars % 4 >= 2 && chars % 4 + padding < 4;
  case CHAR_OTHER:
    return false;
  default:
    return true;
  }
}

static bool at_end_line(const pem_text *in) {
  if (in->at == in->len) {
    return false;
  }
  uint32_t dash = base64_between(in->text[in->at], '-', '-');
  PUBLIC(&dash, sizeof dash);
  return dash != 0 && starts_with(in, in->at, in->len, end_text);
}

/* Undoes the base64 of the lines before the END line. */
static sigmill_status take_body(base64_sink *sink, pem_text *in, size_t *error_at) {
  size_t padding = 0, last_value_at = in->at;
  bool blank_line_seen = false;
  while (!at_end_line(in)) {
    size_t line_at = in->at;
    bool line_is_blank = true, line_has_ended = false;
    char_kind kind = CHAR_OTHER;
    while (kind != CHAR_NEWLINE) {
      uint32_t value;
      size_t at = in->at;
      if (at == in->len) {
        return fail(error_at, at, SIGMILL_ERR_PEM);
      }
      kind = kind_of(&value, in->text[at]);
      if (!fits(kind, sink->chars, padding, line_has_ended)) {
        return fail(error_at, at, SIGMILL_ERR_PEM);
      }
      if (kind == CHAR_VALUE) {
        last_value_at = at;
        if (!base64_put(sink, value)) {
          return fail(error_at, at, SIGMILL_ERR_TOO_LONG);
        }
      }
      padding += kind == CHAR_PADDING;
      line_is_blank &= kind != CHAR_VALUE && kind != CHAR_PADDING;
      line_has_ended |= kind == CHAR_END_BLANK;
      in->at++;
    }
    if (line_is_blank && (blank_line_seen || sink->chars > 0)) {
      return fail(error_at, line_at, SIGMILL_ERR_PEM);
    }
    blank_line_seen |= line_is_blank;
  }
  if ((sink->chars + padding) % 4 != 0) {
    return fail(error_at, in->at, SIGMILL_ERR_PEM);
  }
  return base64_complete(sink) ? SIGMILL_OK
                               : fail(error_at, last_value_at, SIGMILL_ERR_PEM);
}

/* The offset of the character that holds the first bits of the DER's byte at this offset;
 * that of the END line for a byte past the end. */
static size_t text_offset_vt(const pem_text *in, const pem_block *block, size_t der_at) {
  size_t chars_before = der_at / 3 * 4 + der_at % 3, at = block->body.at;
  for (; at < block->body.end; at++) {
    uint32_t value;
    bool counts = kind_of(&value, in->text[at]) == CHAR_VALUE;
    if (counts && chars_before == 0) {
      return at;
    }
    chars_before -= counts;
  }
  return at;
}

/* ---------------------------------------------------------------- blocks */

/* Takes the rest of a block whose BEGIN line is read. */
static sigmill_status take_block(pem_block *block, pem_text *in, size_t *error_at) {
  base64_sink sink = {.out = block->der, .room = sizeof block->der};
  block->body.at = in->at;
  sigmill_status status = take_body(&sink, in, error_at);
  if (status == SIGMILL_ERR_PEM &&
      starts_with(in, block->body.at, in->len, "Proc-Type: 4,ENCRYPTED")) {
    return fail(error_at, block->body.at, SIGMILL_ERR_ENCRYPTED);
  }
  if (status != SIGMILL_OK) {
    return status;
  }
  block->body.end = in->at;
  block->der_len = base64_bytes(&sink);
  return take_end(in, block->label) ? SIGMILL_OK
                                    : fail(error_at, block->body.end, SIGMILL_ERR_PEM);
}

/* Steps over a byte order mark in front of the first line. */
static pem_text open_text(const uint8_t *text, size_t len) {
  pem_text in = {text, len, 0};
  in.at = starts_with(&in, 0, len, "\xef\xbb\xbf") ? 3 : 0;
  return in;
}

/* No BEGIN line may follow. */
static sigmill_status expect_no_more(pem_text *in, size_t *error_at) {
  pem_range label;
  return take_begin(&label, in)
             ? fail(error_at, label.at - strlen(begin_text), SIGMILL_ERR_PEM_BLOCKS)
             : SIGMILL_OK;
}

sigmill_status sm_pem_read_public_vt(p256_point *out, const uint8_t *text, size_t len,
                                     size_t *error_at) {
  if (len > SIGMILL_KEY_TEXT_MAX) {
    return fail(error_at, SIGMILL_KEY_TEXT_MAX, SIGMILL_ERR_TOO_LONG);
  }
  pem_block block;
  pem_text in = open_text(text, len);
  if (!take_begin(&block.label, &in)) {
    return fail(error_at, len, SIGMILL_ERR_PEM);
  }
  if (!range_is(&in, block.label, label_public)) {
    return fail(error_at, block.label.at, SIGMILL_ERR_PEM);
  }
  sigmill_status status = take_block(&block, &in, error_at);
  if (status == SIGMILL_OK) {
    status = expect_no_more(&in, error_at);
  }
  if (status == SIGMILL_OK) {
    size_t der_at = 0;
    status = sm_spki_read_vt(out, block.der, block.der_len, false, &der_at);
    *error_at = text_offset_vt(&in, &block, der_at);
  }
  return status;
}

/* Takes the block that holds the private key, and EC PARAMETERS before it. */
static sigmill_status take_private(pem_block *block, pem_text *in, size_t *error_at) {
  bool parameters_seen = false;
  for (;;) {
    if (!take_begin(&block->label, in)) {
      return fail(error_at, in->len, SIGMILL_ERR_PEM);
    }
    size_t label_at = block->label.at;
    bool is_parameters = range_is(in, block->label, label_parameters);
    if (range_is(in, block->label, label_encrypted)) {
      return fail(error_at, label_at, SIGMILL_ERR_ENCRYPTED);
    }
    if (parameters_seen && !range_is(in, block->label, label_ec)) {
      return fail(error_at, label_at, SIGMILL_ERR_PEM_BLOCKS);
    }
    if (!is_parameters && !range_is(in, block->label, label_ec) &&
        !range_is(in, block->label, label_pkcs8)) {
      return fail(error_at, label_at, SIGMILL_ERR_PEM);
    }
    sigmill_status status = take_block(block, in, error_at);
    if (status != SIGMILL_OK || !is_parameters) {
      return status;
    }
    parameters_seen = true;
  }
}

sigmill_status sm_pem_read_private(p256_keypair *out, const uint8_t *text, size_t len,
                                   size_t *error_at) {
  if (len > SIGMILL_KEY_TEXT_MAX) {
    return fail(error_at, SIGMILL_KEY_TEXT_MAX, SIGMILL_ERR_TOO_LONG);
  }
  pem_block block;
  pem_text in = open_text(text, len);
  sigmill_status status = take_private(&block, &in, error_at);
  if (status == SIGMILL_OK) {
    status = expect_no_more(&in, error_at);
  }
  if (status == SIGMILL_OK) {
    size_t der_at = 0;
    bool is_pkcs8 = range_is(&in, block.label, label_pkcs8);
    /* Base64 smears the secret's mark over its neighbours; the reader marks it again. */
    PUBLIC(block.der, block.der_len);
    status = is_pkcs8 ? sm_pkcs8_read(out, block.der, block.der_len, &der_at)
                      : sm_ec_private_key_read(out, block.der, block.der_len, &der_at);
    *error_at = text_offset_vt(&in, &block, der_at);
  }
  wipe(&block, sizeof block);
  return status;
}

/* ---------------------------------------------------------------- writing */

static char *put_text(char *out, const char *text) {
  size_t len = strlen(text);
  memcpy(out, text, len);
  return out + len;
}

static char *put_line(char *out, const char *edge, const char *label) {
  out = put_text(out, edge);
  out = put_text(out, label);
  out = put_text(out, dashes);
  return put_text(out, "\n");
}

/* 48 bytes make a line of 64 characters. */
static void write_block(char *out, const char *label, const uint8_t *der, size_t len) {
  out = put_line(out, begin_text, label);
  for (size_t at = 0; at < len; at += 48) {
    out += sm_base64_write(out, der + at, len - at < 48 ? len - at : 48);
    *out++ = '\n';
  }
  put_line(out, end_text, label);
}

/* The size of a block: two lines of 10 + 12 + 2 characters and twice the label, base64,
 * and a newline for each 48 bytes. */
#define BLOCK_SIZE(label, der_size)                                                      \
  (sizeof begin_text - 1 + sizeof end_text - 1 +                                         \
   2 * (sizeof dashes + sizeof(label) - 1) + ((der_size) + 2) / 3 * 4 +                  \
   ((der_size) + 47) / 48)
_Static_assert(BLOCK_SIZE(label_public, SIGMILL_P256_SPKI_SIZE) == SIGMILL_P256_PEM_SIZE,
               "PEM size");
_Static_assert(BLOCK_SIZE(label_pkcs8, SIGMILL_P256_PKCS8_SIZE) ==
                   SIGMILL_P256_PEM_PRIVATE_SIZE,
               "private PEM size");

void sm_pem_write_public(char out[SIGMILL_P256_PEM_SIZE], const p256_point *point) {
  uint8_t der[SIGMILL_P256_SPKI_SIZE];
  sm_spki_write(der, point);
  write_block(out, label_public, der, sizeof der);
}

void sm_pem_write_private(char out[SIGMILL_P256_PEM_PRIVATE_SIZE],
                          const p256_keypair *pair) {
  uint8_t der[SIGMILL_P256_PKCS8_SIZE];
  sm_pkcs8_write(der, pair);
  write_block(out, label_pkcs8, der, sizeof der);
  wipe(der, sizeof der);
}
