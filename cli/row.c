/* What both kinds of rows share, and binary rows. */
#include "row.h"

#include "reason.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool row_reader_init(row_reader *r, const row_policy *policy) {
  *r = (row_reader){.policy = policy,
                    .keys = key_cache_create(policy->hybrid),
                    .jwk_memory = yyjson_alc_dyn_new()};
  return r->keys != NULL && r->jwk_memory != NULL;
}

void row_reader_free(row_reader *r) {
  key_cache_destroy(r->keys);
  buffer_wipe(&r->ids);
  free(r->json_pool);
  yyjson_alc_dyn_free(r->jwk_memory);
  *r = (row_reader){0};
}

void row_refuse(batch_row *row, int reason, const char *format, ...) {
  row->state = reason_is_verdict(reason) ? ROW_INVALID : ROW_MALFORMED;
  row->reason = reason;
  va_list args;
  va_start(args, format);
  (void)vsnprintf(row->detail, sizeof row->detail, format, args);
  va_end(args);
}

static void refuse_binary_key(batch_row *row, const cached_key *key) {
  row_refuse(row, key->reason, "key: %s", reason_text(key->reason));
}

void row_round_begin(row_reader *r) {
  r->ids.len = 0;
  key_cache_begin(r->keys);
}

/* A key that cannot be read comes before whatever else is wrong with a line; a binary row
 * is told first that its signature is no DER. */
void row_round_settle(batch_row *rows, size_t count, row_reader *r) {
  key_cache_settle(r->keys);
  for (size_t i = 0; i < count; i++) {
    batch_row *row = &rows[i];
    const cached_key *key = row->waits;
    if (key == NULL || key->reason == SIGMILL_OK) {
      continue;
    }
    if (!r->binary) {
      row_refuse_json_key(row, key, KEY_FORM_TEXT, NULL, 0);
    } else if (row->state != ROW_MALFORMED) {
      refuse_binary_key(row, key);
    }
  }
}

/* ---------------------------------------------------------------- binary rows */

static void store_le(uint8_t *p, size_t len, uint64_t x) {
  for (size_t i = 0; i < len; i++, x >>= 8) {
    p[i] = (uint8_t)x;
  }
}

static uint64_t load_le(const uint8_t *p, size_t len) {
  uint64_t x = 0;
  while (len > 0) {
    x = x << 8 | p[--len];
  }
  return x;
}

bool binary_is_header(const uint8_t *data, size_t len) {
  return len >= 8 && memcmp(data, BINARY_MAGIC, 8) == 0;
}

static int bad_header(char detail[160], size_t at, const char *what, uint64_t value) {
  (void)snprintf(detail, 160, "byte %zu: %s %llu", at, what, (unsigned long long)value);
  return REASON_HEADER;
}

/* By their number in the header. */
static const sig_format formats[] = {SIG_UNNAMED,      SIG_RAW,    SIG_RECOVERABLE,
                                     SIG_COMPRESSED_R, SIG_FULL_R, SIG_LOW_S,
                                     SIG_DER};

int binary_read_header(binary_layout *out, char detail[160],
                       const uint8_t header[BINARY_HEADER_SIZE]) {
  *out = (binary_layout){0};
  if (!binary_is_header(header, BINARY_HEADER_SIZE)) {
    return bad_header(detail, 0, "no " BINARY_MAGIC " but", header[0]);
  }
  uint64_t version = load_le(header + 8, 2), size = load_le(header + 10, 2);
  if (version != 1) {
    return bad_header(detail, 8, "unknown version", version);
  }
  if (size != BINARY_HEADER_SIZE) {
    return bad_header(detail, 10, "header size is not 64 but", size);
  }
  if (header[12] == 0 || header[12] >= sizeof formats / sizeof formats[0]) {
    return bad_header(detail, 12, "unknown signature format", header[12]);
  }
  if (header[13] != 33 && header[13] != 65) {
    return bad_header(detail, 13, "key size is neither 33 nor 65 but", header[13]);
  }
  if (header[14] != 32 && header[14] != 48 && header[14] != 64) {
    return bad_header(detail, 14, "digest size is not 32, 48 or 64 but", header[14]);
  }
  out->format = formats[header[12]];
  out->key_size = header[13];
  out->digest_size = header[14];
  out->id_size = header[15];
  out->hash = header[14] == 48   ? SIGMILL_SHA384
              : header[14] == 64 ? SIGMILL_SHA512
                                 : SIGMILL_SHA256;
  out->sig_size =
      out->format == SIG_DER ? BINARY_DER_FIELD : sig_format_size(out->format);
  out->row_size = out->id_size + out->key_size + out->digest_size + out->sig_size;
  uint64_t row_size = load_le(header + 16, 4);
  if (row_size != out->row_size) {
    (void)snprintf(detail, 160, "byte 16: row size is %llu, but the fields add up to %zu",
                   (unsigned long long)row_size, out->row_size);
    return REASON_HEADER;
  }
  for (size_t at = 20; at < BINARY_HEADER_SIZE; at++) {
    if (header[at] != 0 && (at < 24 || at >= 32)) {
      return bad_header(detail, at, "a reserved byte is not 0 but", header[at]);
    }
  }
  out->rows = load_le(header + 24, 8);
  return SIGMILL_OK;
}

void binary_write_header(uint8_t header[BINARY_HEADER_SIZE],
                         const binary_layout *layout) {
  uint8_t format = 0;
  while (formats[format] != layout->format) {
    format++;
  }
  memset(header, 0, BINARY_HEADER_SIZE);
  memcpy(header, BINARY_MAGIC, 8);
  store_le(header + 8, 2, 1);
  store_le(header + 10, 2, BINARY_HEADER_SIZE);
  header[12] = format;
  header[13] = (uint8_t)layout->key_size;
  header[14] = (uint8_t)layout->digest_size;
  header[15] = (uint8_t)layout->id_size;
  store_le(header + 16, 4, layout->row_size);
  store_le(header + 24, 8, layout->rows);
}

/* A DER field: its length, the signature, and zeros up to the field's end. */
static void take_der_field(batch_row *out, const uint8_t *field) {
  size_t len = field[0], at = 0;
  if (len > SIGMILL_P256_DER_MAX) {
    row_refuse(out, SIGMILL_ERR_TOO_LONG, "signature field: DER length %zu is over 72",
               len);
    return;
  }
  for (size_t i = 1 + len; i < BINARY_DER_FIELD; i++) {
    if (field[i] != 0) {
      row_refuse(out, REASON_ROW_PADDING, "signature field, byte %zu: not zero", i);
      return;
    }
  }
  sigmill_status status = sig_read(out->sig_room, SIG_DER, field + 1, len, &at);
  if (status != SIGMILL_OK) {
    row_refuse(out, (int)status, "signature, byte %zu: %s", at, reason_text((int)status));
  }
}

void row_from_binary(batch_row *out, row_reader *r, const binary_layout *layout,
                     const uint8_t *row) {
  const uint8_t *key = row + layout->id_size;
  const uint8_t *digest = key + layout->key_size;
  const uint8_t *sig = digest + layout->digest_size;
  r->binary = true;
  out->text = row;
  out->text_len = layout->row_size;
  out->state = ROW_PENDING;
  out->reason = SIGMILL_OK;
  out->detail[0] = '\0';
  out->id_at = r->ids.len;
  if (layout->id_size > 0) {
    buffer_put(&r->ids, "\"", 1);
    buffer_hex(&r->ids, row, layout->id_size);
    buffer_put(&r->ids, "\"", 1);
  }
  out->id_len = r->ids.len - out->id_at;
  out->format = sig_format_inside(layout->format, r->policy->low_s);
  out->digest = digest; /* of which the leftmost 32 bytes count */
  if (layout->format == SIG_DER) {
    out->sig = out->sig_room;
    take_der_field(out, sig);
  } else {
    out->sig = sig;
  }
  const cached_key *cached =
      key_cache_get(r->keys, KEY_FORM_POINT, key, layout->key_size);
  out->key = &cached->key;
  out->waits = cached->reason == KEY_WAITS ? cached : NULL;
  if (cached->reason != SIGMILL_OK && out->waits == NULL && out->state != ROW_MALFORMED) {
    refuse_binary_key(out, cached);
  }
}
