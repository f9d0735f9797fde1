/* Signatures and messages on the command line: from files and arguments, and back. */
#include "signature.h"

#include "armor.h"
#include "files.h"
#include "options.h"
#include "output.h"
#include "reason.h"
#include <string.h>
#include <unistd.h>

sig_format sig_format_from_path(const char *path) {
  static const struct {
    const char *end;
    sig_format format;
  } types[] = {
      {".der", SIG_DER}, {".sig", SIG_DER}, {".jws", SIG_JWS}, {".jwt", SIG_JWS}};
  size_t len = path == NULL ? 0 : strlen(path);
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    if (len > 4 && strcmp(path + len - 4, types[i].end) == 0) {
      return types[i].format;
    }
  }
  return SIG_UNNAMED;
}

bool sig_encoding_from_name(sig_encoding *out, const char *name) {
  if (strcmp(name, "binary") == 0) {
    *out = ENCODING_BINARY;
  } else if (strcmp(name, "hex") == 0) {
    *out = ENCODING_HEX;
  } else if (strcmp(name, "base64") == 0) {
    *out = ENCODING_BASE64;
  } else {
    return false;
  }
  return true;
}

bool sig_option(sig_source *source, int id, const char *value) {
  switch (id) {
  case SIG_OPTION_FILE:
    source->path = value;
    return true;
  case SIG_OPTION_HEX:
    source->hex = value;
    return true;
  case SIG_OPTION_ENCODING:
    return sig_encoding_from_name(&source->encoding, value);
  default:
    return false;
  }
}

bool message_option(message_source *source, int id, const char *value) {
  switch (id) {
  case MESSAGE_OPTION_DIGEST:
    source->hash = hash_from_name(value, strlen(value));
    return source->hash != 0;
  case MESSAGE_OPTION_PREHASHED:
    source->prehashed = true;
    source->digest_hex = value;
    return true;
  case OPTION_OPERAND: {
    bool first = source->path == NULL;
    source->path = value;
    return first;
  }
  default:
    return false;
  }
}

/* Replaces text, which may be wrapped into lines, by the bytes it spells. */
static bool decode_text(buffer *text, sig_encoding encoding, const char *where) {
  buffer plain = {0}, bytes = {0};
  bool hex = encoding == ENCODING_HEX;
  size_t at;
  put_unwrapped(&plain, text->data, text->len);
  const char *from = (const char *)plain.data;
  if (!buffer_reserve(&bytes, text->len + 1) || plain.failed) {
    buffer_wipe(&plain);
    buffer_wipe(&bytes);
    return report_memory() == CLI_VALID;
  }
  const char *words =
      hex ? hex_fault(&at, from, plain.len) : base64_fault(&at, from, plain.len);
  if (words != NULL) {
    report_fault(hex ? REASON_HEX : SIGMILL_ERR_BASE64, where,
                 wrapped_offset(text->data, text->len, at), words);
  } else if (hex) {
    (void)hex_decode(bytes.data, from, plain.len / 2);
    bytes.len = plain.len / 2;
  } else {
    (void)base64_decode(bytes.data, bytes.cap, &bytes.len, from, plain.len);
  }
  buffer_wipe(&plain);
  buffer_wipe(text);
  *text = bytes;
  return words == NULL;
}

static bool load_bytes(buffer *out, const sig_source *source) {
  *out = (buffer){0};
  if (source->hex != NULL) {
    buffer_text(out, source->hex);
    return out->len <= SIGNATURE_FILE_MAX ? decode_text(out, ENCODING_HEX, "--sig-hex")
                                          : report(SIGMILL_ERR_TOO_LONG, "--sig-hex",
                                                   "no signature is that long") == 0;
  }
  if (!file_read(out, source->path, SIGNATURE_FILE_MAX, "signature")) {
    return false;
  }
  if (source->encoding != ENCODING_HEX && source->encoding != ENCODING_BASE64) {
    return true;
  }
  return decode_text(out, source->encoding, path_shown(source->path));
}

int sig_load(uint8_t out[SIG_SIZE_MAX], int *reason, const sig_source *source) {
  buffer bytes;
  size_t at;
  const char *where = source->hex != NULL ? "--sig-hex" : path_shown(source->path);
  if (!load_bytes(&bytes, source)) {
    buffer_wipe(&bytes);
    return CLI_TROUBLE;
  }
  size_t len = bytes.len;
  *reason = (int)sig_read(out, source->format, bytes.data, len, &at);
  buffer_wipe(&bytes);
  if (*reason == SIGMILL_OK || reason_is_verdict(*reason)) {
    return CLI_VALID;
  }
  if (*reason == SIGMILL_ERR_SIG_LENGTH) {
    return report(*reason, where, "%zu bytes: a signature in format %s has %zu", len,
                  sig_format_name(source->format), sig_format_size(source->format));
  }
  return report_at(*reason, where, at);
}

static void put_encoded(buffer *out, const buffer *wire, const sig_target *target) {
  bool to_terminal = path_is_standard(target->path) && isatty(STDOUT_FILENO);
  bool as_hex = target->encoding == ENCODING_HEX ||
                (target->encoding == ENCODING_UNNAMED && to_terminal);
  if (as_hex) {
    buffer_hex(out, wire->data, wire->len);
  } else if (target->encoding == ENCODING_BASE64) {
    base64_put(out, wire->data, wire->len);
  } else {
    buffer_put(out, wire->data, wire->len);
    return;
  }
  buffer_text(out, "\n");
}

int sig_deliver(const buffer *wire, const sig_target *target, buffer *json) {
  buffer out = {0};
  bool ok = true;
  if (wire->failed) {
    return report_memory();
  }
  if (!report_json() || !path_is_standard(target->path)) {
    if (target->format == SIG_JWS) {
      buffer_put(&out, wire->data, wire->len);
      buffer_text(&out, "\n");
    } else {
      put_encoded(&out, wire, target);
    }
    ok = file_write(target->path, &out, false, true);
    buffer_wipe(&out);
  }
  if (ok && report_json()) {
    if (target->format == SIG_JWS) {
      json_name(json, "token");
      buffer_json_string(json, (const char *)wire->data, wire->len);
    } else {
      json_hex(json, "signature", wire->data, wire->len);
    }
    json_string(json, "format", sig_format_name(target->format));
    json_string(json, "out", target->path);
    json_close(json);
    buffer_text(json, "\n");
    ok = stdout_put(json);
  }
  return ok ? CLI_VALID : CLI_TROUBLE;
}

/* A digest as bytes, or as text in hexadecimal: as bytes, the digits of a text would be a
 * digest that nobody ever met. */
static bool take_digest(uint8_t digest[64], size_t *len, const uint8_t *data, size_t size,
                        const char *where) {
  buffer plain = {0};
  size_t at;
  put_unwrapped(&plain, data, size);
  const char *text = (const char *)plain.data;
  const char *words = hex_fault(&at, text, plain.len);
  bool hex = words == NULL && plain.len >= 32 && plain.len <= 128;
  /* Too long for bytes, so digits are meant. */
  bool spoilt_hex = words != NULL && size > 64 && plain.len <= 128 && at > 0;
  if (hex) {
    *len = plain.len / 2;
    (void)hex_decode(digest, text, *len);
  }
  buffer_wipe(&plain);
  if (spoilt_hex) {
    report_fault(REASON_HEX, where, wrapped_offset(data, size, at), words);
  }
  if (hex || spoilt_hex) {
    return hex;
  }
  if (size == 0 || size > 64) {
    report(
        REASON_DIGEST_LENGTH, where,
        "%zu bytes: a digest has 1 to 64 (or is given as 32 to 128 hexadecimal digits)",
        size);
    return false;
  }
  memcpy(digest, data, size);
  *len = size;
  return true;
}

bool message_digest(uint8_t digest[64], size_t *len, message_source *source) {
  sigmill_hash_id named = source->hash;
  if (source->digest_hex == NULL && !source->prehashed) {
    source->hash = named == 0 ? SIGMILL_SHA256 : named;
    return file_digest(digest, len, source->path, source->hash);
  }
  const char *where = "--prehashed";
  if (source->digest_hex != NULL) {
    size_t digits = strlen(source->digest_hex), at;
    const char *words = hex_fault(&at, source->digest_hex, digits);
    if (words != NULL && at < digits) {
      report_fault(REASON_HEX, where, at, words);
      return false;
    }
    if (digits == 0 || digits > 128 || words != NULL) {
      report(REASON_DIGEST_LENGTH, where,
             "%zu hexadecimal digits: a digest has 2 to 128, two for each byte", digits);
      return false;
    }
    *len = digits / 2;
    (void)hex_decode(digest, source->digest_hex, *len);
  } else {
    buffer file;
    where = path_shown(source->path);
    if (!file_read(&file, source->path, SIGNATURE_FILE_MAX, "digest")) {
      return false;
    }
    bool ok = take_digest(digest, len, file.data, file.len, where);
    buffer_wipe(&file);
    if (!ok) {
      return false;
    }
  }
  if (named != 0 && *len != hash_size(named)) {
    report(REASON_DIGEST_LENGTH, where, "%zu bytes: --digest %s has %zu", *len,
           hash_name(named), hash_size(named));
    return false;
  }
  source->hash = *len == 32   ? SIGMILL_SHA256
                 : *len == 48 ? SIGMILL_SHA384
                 : *len == 64 ? SIGMILL_SHA512
                              : (sigmill_hash_id)0;
  return true;
}
