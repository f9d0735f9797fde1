/* One line of NDJSON to a row.
 *
 * yyjson parses the line into a pool that is reused.  Members are collected first, so
 * that a row that is refused still shows its id; then key, signature and message are
 * read. */
#include "armor.h"
#include "json_fault.h"
#include "reason.h"
#include "row.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

typedef enum {
  MEMBER_ID,
  MEMBER_KEY,
  MEMBER_SIG,
  MEMBER_FORMAT,
  MEMBER_HASH,
  MEMBER_MSG,
  MEMBER_MSG_HEX,
  MEMBER_MSG_B64,
  MEMBER_DIGEST,
  MEMBER_COUNT
} member;

static const char *const member_names[MEMBER_COUNT] = {
    "id", "key", "sig", "format", "hash", "msg", "msg_hex", "msg_b64", "digest"};

typedef struct {
  batch_row *out;
  row_reader *reader;
  yyjson_val *members[MEMBER_COUNT];
  sig_format format;
  sigmill_hash_id hash; /* 0: the row does not say */
} json_row;

/* ---------------------------------------------------------------- members */

static member member_of(const char *name, size_t len) {
  for (int m = 0; m < MEMBER_COUNT; m++) {
    if (strlen(member_names[m]) == len && memcmp(member_names[m], name, len) == 0) {
      return (member)m;
    }
  }
  return MEMBER_COUNT;
}

/* Which members are there; the first one that stands twice, or MEMBER_COUNT. */
static member collect(json_row *row, yyjson_val *object) {
  member twice = MEMBER_COUNT;
  yyjson_obj_iter iter = yyjson_obj_iter_with(object);
  yyjson_val *name;
  while ((name = yyjson_obj_iter_next(&iter)) != NULL) {
    member m = member_of(yyjson_get_str(name), yyjson_get_len(name));
    if (m == MEMBER_COUNT) {
      continue;
    }
    if (row->members[m] != NULL && twice == MEMBER_COUNT) {
      twice = m;
    }
    row->members[m] = yyjson_obj_iter_get_val(name);
  }
  return twice;
}

/* The text of a member that must be a string.  False, and refused, if it is another type.
 */
static bool get_text(json_row *row, member m, const char **text, size_t *len) {
  yyjson_val *value = row->members[m];
  if (!yyjson_is_str(value)) {
    row_refuse(row->out, REASON_ROW_TYPE, "member \"%s\" must be a string, not %s",
               member_names[m], json_type_name(value));
    return false;
  }
  *text = yyjson_get_str(value);
  *len = yyjson_get_len(value);
  return true;
}

/* A text that could not be decoded.  With REASON_TEXT it could have been hexadecimal as
 * well, whose characters are all base64's. */
static bool refuse_text(json_row *row, int reason, member m, const char *text,
                        size_t len) {
  size_t at;
  const char *words =
      reason == REASON_HEX ? hex_fault(&at, text, len) : base64_fault(&at, text, len);
  row_refuse(row->out, reason, "member \"%s\", byte %zu: %s%s", member_names[m], at,
             reason == REASON_TEXT ? "neither hexadecimal nor base64: " : "", words);
  return false;
}

static bool missing(json_row *row, const char *what) {
  row_refuse(row->out, REASON_ROW_MISSING, "%s is missing", what);
  return false;
}

static bool take_id(json_row *row) {
  yyjson_val *id = row->members[MEMBER_ID];
  buffer *ids = &row->reader->ids;
  row->out->id_at = ids->len;
  if (id == NULL) {
    return true;
  }
  if (yyjson_is_str(id)) {
    buffer_json_string(ids, yyjson_get_str(id), yyjson_get_len(id));
  } else if (yyjson_is_raw(id)) {
    buffer_put(ids, yyjson_get_raw(id), yyjson_get_len(id));
  } else if (yyjson_is_ctn(id)) {
    row_refuse(row->out, REASON_ROW_TYPE, "member \"id\" must not be %s",
               json_type_name(id));
    return false;
  } else {
    buffer_text(ids, yyjson_is_null(id) ? "null" : yyjson_is_true(id) ? "true" : "false");
  }
  row->out->id_len = ids->len - row->out->id_at;
  return true;
}

/* ---------------------------------------------------------------- policy members */

static bool take_format(json_row *row) {
  const char *text;
  size_t len;
  row->format = row->reader->policy->format;
  if (row->members[MEMBER_FORMAT] != NULL) {
    if (!get_text(row, MEMBER_FORMAT, &text, &len)) {
      return false;
    }
    row->format = sig_format_from_name(text, len);
    if (row->format == SIG_UNNAMED) {
      row_refuse(row->out, REASON_ROW_VALUE,
                 "member \"format\" is no signature format: %.*s",
                 (int)(len < 40 ? len : 40), text);
      return false;
    }
  }
  if (row->reader->policy->plain &&
      (row->format == SIG_JWS || sig_format_has_hint(row->format))) {
    row_refuse(row->out, REASON_ROW_VALUE, "a signature of format %s %s",
               sig_format_name(row->format),
               row->format == SIG_JWS ? "has no place for R" : "has its R already");
    return false;
  }
  return row->format != SIG_UNNAMED || missing(row, "member \"format\"");
}

static bool take_hash(json_row *row) {
  const char *text;
  size_t len;
  if (row->members[MEMBER_HASH] == NULL) {
    return true;
  }
  if (!get_text(row, MEMBER_HASH, &text, &len)) {
    return false;
  }
  row->hash = hash_from_name(text, len);
  if (row->hash == 0) {
    row_refuse(row->out, REASON_ROW_VALUE,
               "member \"hash\" is not sha256, sha384 or sha512: %.*s",
               (int)(len < 40 ? len : 40), text);
  }
  return row->hash != 0;
}

/* ---------------------------------------------------------------- the key */

void row_refuse_json_key(batch_row *out, const cached_key *cached, key_form form,
                         const char *text, size_t len) {
  char place[60] = "", fault[FAULT_SIZE];
  const char *words = cached->words;
  bool jwk = form == KEY_FORM_JWK || (len > 0 && text[0] == '{');
  if (words == NULL) {
    words = jwk ? jwk_fault(fault, cached->reason, cached->at, text, len, false)
                : reason_text(cached->reason);
  }
  /* An object's own text is not at hand, only its content. */
  if (form == KEY_FORM_TEXT && cached->reason != SIGMILL_ERR_TOO_LONG) {
    (void)snprintf(place, sizeof place, ", %sbyte %zu", cached->decoded ? "decoded " : "",
                   cached->at);
  }
  row_refuse(out, cached->reason, "member \"key\"%s: %s%s", place,
             cached->reason == REASON_TEXT ? "neither hexadecimal nor base64: " : "",
             words);
}

static bool take_cached(json_row *row, key_form form, const char *text, size_t len) {
  const cached_key *cached =
      key_cache_get(row->reader->keys, form, (const uint8_t *)text, len);
  row->out->key = &cached->key;
  if (cached->reason == KEY_WAITS) {
    row->out->waits = cached;
  } else if (cached->reason != SIGMILL_OK) {
    row_refuse_json_key(row->out, cached, form, text, len);
    return false;
  }
  return true;
}

static bool take_key(json_row *row) {
  yyjson_val *value = row->members[MEMBER_KEY];
  const char *text;
  size_t len;
  if (value == NULL) {
    if (row->reader->policy->key == NULL) {
      return missing(row, "member \"key\"");
    }
    row->out->key = row->reader->policy->key;
    return true;
  }
  if (yyjson_is_obj(value)) {
    yyjson_alc *alc = row->reader->jwk_memory;
    char *jwk = yyjson_val_write_opts(value, YYJSON_WRITE_NOFLAG, alc, &len, NULL);
    if (jwk == NULL) {
      row_refuse(row->out, SIGMILL_ERR_MEMORY, "member \"key\" cannot be copied");
      return false;
    }
    bool ok = take_cached(row, KEY_FORM_JWK, jwk, len);
    alc->free(alc->ctx, jwk);
    return ok;
  }
  if (!yyjson_is_str(value)) {
    row_refuse(row->out, REASON_ROW_TYPE,
               "member \"key\" must be a string or an object, not %s",
               json_type_name(value));
    return false;
  }
  text = yyjson_get_str(value);
  len = yyjson_get_len(value);
  return take_cached(row, KEY_FORM_TEXT, text, len);
}

/* ---------------------------------------------------------------- the signature */

/* Fixed sizes: the number of characters tells hexadecimal from base64. */
static bool take_fixed(json_row *row, const char *text, size_t len) {
  size_t size = sig_format_size(row->format), got;
  if (len == 2 * size) {
    return hex_decode(row->out->sig_room, text, size) ||
           refuse_text(row, REASON_HEX, MEMBER_SIG, text, len);
  }
  if (base64_decoded_size(text, len) != size) {
    row_refuse(row->out, SIGMILL_ERR_SIG_LENGTH,
               "member \"sig\" has %zu characters, which spell no %zu bytes of format %s",
               len, size, sig_format_name(row->format));
    return false;
  }
  return base64_decode(row->out->sig_room, size, &got, text, len) ||
         refuse_text(row, SIGMILL_ERR_BASE64, MEMBER_SIG, text, len);
}

/* DER begins with the byte 30: as hexadecimal "30", as base64 "M". */
static bool take_der(json_row *row, const char *text, size_t len) {
  uint8_t der[256];
  size_t der_len = len / 2, at = 0;
  if (len > sizeof der) {
    row_refuse(row->out, SIGMILL_ERR_TOO_LONG,
               "member \"sig\" has %zu characters: no DER signature is that long", len);
    return false;
  }
  if (len >= 2 && text[0] == '3' && text[1] == '0') {
    if (len % 2 != 0 || !hex_decode(der, text, der_len)) {
      return refuse_text(row, REASON_HEX, MEMBER_SIG, text, len);
    }
  } else if (!base64_decode(der, sizeof der, &der_len, text, len)) {
    return refuse_text(row, REASON_TEXT, MEMBER_SIG, text, len);
  }
  sigmill_status status = sig_read(row->out->sig_room, SIG_DER, der, der_len, &at);
  if (status != SIGMILL_OK) {
    row_refuse(row->out, (int)status, "member \"sig\", decoded byte %zu: %s", at,
               reason_text((int)status));
  }
  /* Out of range is a verdict: the rest of the row is still read. */
  return row->out->state != ROW_MALFORMED;
}

/* A token holds its message, and is judged at once. */
static bool take_token(json_row *row, const char *token, size_t len) {
  size_t at = 0;
  const cached_key *waits = row->out->waits;
  if (waits != NULL) {
    key_cache_settle(row->reader->keys);
    if (waits->reason != SIGMILL_OK) {
      return false; /* the end of the round says so */
    }
  }
  for (int m = MEMBER_MSG; m <= MEMBER_DIGEST; m++) {
    if (row->members[m] != NULL) {
      row_refuse(row->out, REASON_ROW_MESSAGE, "member \"%s\" beside a token",
                 member_names[m]);
      return false;
    }
  }
  sigmill_status status = sig_verify_token(NULL, NULL, token, len, row->out->key,
                                           row->reader->policy->low_s, &at);
  row->out->state = ROW_VALID;
  if (status != SIGMILL_OK) {
    char words[FAULT_SIZE];
    row_refuse(row->out, (int)status, "member \"sig\", byte %zu: %s", at,
               token_fault(words, (int)status, at, token, len));
  }
  return false; /* nothing more to read */
}

static bool take_sig(json_row *row) {
  const char *text;
  size_t len;
  if (row->members[MEMBER_SIG] == NULL) {
    return missing(row, "member \"sig\"");
  }
  if (!get_text(row, MEMBER_SIG, &text, &len)) {
    return false;
  }
  row->out->format = sig_format_inside(row->format, row->reader->policy->low_s);
  switch (row->format) {
  case SIG_JWS:
    return take_token(row, text, len);
  case SIG_DER:
    return take_der(row, text, len);
  default:
    return take_fixed(row, text, len);
  }
}

/* ---------------------------------------------------------------- the message */

#define PIECE 1024 /* groups of characters decoded at a time */

/* Hashes what the text spells: groups of two digits, or of four characters, spell whole
 * bytes. */
static bool hash_text(json_row *row, sigmill_hash *state, member m, const char *text,
                      size_t len) {
  uint8_t piece[3 * PIECE];
  size_t group = m == MEMBER_MSG_HEX ? 2 * PIECE : 4 * PIECE;
  for (size_t done = 0; done < len;) {
    size_t part = len - done < group ? len - done : group, got = part / 2;
    bool ok = m == MEMBER_MSG_HEX
                  ? hex_decode(piece, text + done, got)
                  : base64_decode(piece, sizeof piece, &got, text + done, part);
    bool odd = m == MEMBER_MSG_HEX && part % 2 != 0;
    bool early_padding =
        m == MEMBER_MSG_B64 && done + part < len && text[done + part - 1] == '=';
    if (!ok || odd || early_padding) {
      return refuse_text(row, m == MEMBER_MSG_HEX ? REASON_HEX : SIGMILL_ERR_BASE64, m,
                         text, len);
    }
    sigmill_hash_update(state, piece, got);
    done += part;
  }
  return true;
}

static bool take_given_digest(json_row *row, const char *text, size_t len) {
  uint8_t digest[64];
  size_t at;
  if (len == 0 || len > 128 || len % 2 != 0 ||
      (row->hash != 0 && len != 2 * hash_size(row->hash))) {
    if (hex_fault(&at, text, len) != NULL && at < len) {
      return refuse_text(row, REASON_HEX, MEMBER_DIGEST, text, len);
    }
    row_refuse(row->out, REASON_DIGEST_LENGTH,
               "member \"digest\" has %zu hexadecimal digits%s%s", len,
               row->hash != 0 ? ", but the hash is " : "",
               row->hash != 0 ? hash_name(row->hash) : "");
    return false;
  }
  if (!hex_decode(digest, text, len / 2)) {
    return refuse_text(row, REASON_HEX, MEMBER_DIGEST, text, len);
  }
  sigmill_p256_digest32(row->out->digest_room, digest, len / 2);
  return true;
}

static bool take_message(json_row *row) {
  member m = MEMBER_COUNT;
  const char *text;
  size_t len;
  for (int i = MEMBER_MSG; i <= MEMBER_DIGEST; i++) {
    if (row->members[i] == NULL) {
      continue;
    }
    if (m != MEMBER_COUNT) {
      row_refuse(row->out, REASON_ROW_MESSAGE,
                 "members \"%s\" and \"%s\" exclude each other", member_names[m],
                 member_names[i]);
      return false;
    }
    m = (member)i;
  }
  if (m == MEMBER_COUNT) {
    return missing(row, "one of \"msg\", \"msg_hex\", \"msg_b64\" and \"digest\"");
  }
  if (!get_text(row, m, &text, &len)) {
    return false;
  }
  if (m == MEMBER_DIGEST) {
    return take_given_digest(row, text, len);
  }
  sigmill_hash_id hash = row->hash != 0 ? row->hash : row->reader->policy->hash;
  if (m == MEMBER_MSG && hash == SIGMILL_SHA256) {
    sigmill_sha256(row->out->digest_room, text, len);
    return true;
  }
  sigmill_hash state;
  uint8_t digest[64];
  if (sigmill_hash_init(&state, hash) != SIGMILL_OK) {
    row_refuse(row->out, SIGMILL_ERR_ARGUMENT, "unknown hash");
    return false;
  }
  if (m == MEMBER_MSG) {
    sigmill_hash_update(&state, text, len);
  } else if (!hash_text(row, &state, m, text, len)) {
    return false;
  }
  size_t digest_len = sigmill_hash_final(digest, &state);
  sigmill_p256_digest32(row->out->digest_room, digest, digest_len);
  return true;
}

/* ---------------------------------------------------------------- the line */

/* The pool for a line of this length; NULL without memory. */
static void *pool_for(row_reader *r, size_t len) {
  size_t want =
      yyjson_read_max_memory_usage(len < 16384 ? 16384 : len, YYJSON_READ_NUMBER_AS_RAW);
  if (r->json_pool_size < want) {
    free(r->json_pool);
    r->json_pool = malloc(want);
    r->json_pool_size = r->json_pool == NULL ? 0 : want;
  }
  return r->json_pool;
}

static bool is_blank(const char *line, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
      return false;
    }
  }
  return true;
}

void row_from_json(batch_row *out, row_reader *r, const char *line, size_t len) {
  json_row row = {.out = out, .reader = r};
  r->binary = false;
  out->text = (const uint8_t *)line;
  out->text_len = len;
  out->state = ROW_PENDING;
  out->reason = SIGMILL_OK;
  out->detail[0] = '\0';
  out->id_at = r->ids.len;
  out->id_len = 0;
  out->waits = NULL;
  out->sig = out->sig_room;
  out->digest = out->digest_room;
  if (len > LINE_MAX_BYTES + 1 || (len > LINE_MAX_BYTES && line[len - 1] != '\r')) {
    row_refuse(out, REASON_ROW_TOO_LONG, "the line is longer than %d bytes",
               LINE_MAX_BYTES);
    return;
  }
  if (is_blank(line, len)) {
    row_refuse(out, REASON_ROW_EMPTY, "%s", reason_text(REASON_ROW_EMPTY));
    return;
  }
  yyjson_alc alc;
  yyjson_read_err error;
  if (pool_for(r, len) == NULL ||
      !yyjson_alc_pool_init(&alc, r->json_pool, r->json_pool_size)) {
    row_refuse(out, SIGMILL_ERR_MEMORY, "out of memory");
    return;
  }
  /* yyjson leaves the line as it is, without YYJSON_READ_INSITU. */
  yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)line, len,
                                     YYJSON_READ_NUMBER_AS_RAW, &alc, &error);
  if (doc == NULL && error.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION) {
    row_refuse(out, SIGMILL_ERR_MEMORY, "out of memory");
    return;
  }
  if (doc == NULL) {
    row_refuse(out, REASON_ROW_JSON, "byte %zu: %s", error.pos, error.msg);
    return;
  }
  yyjson_val *object = yyjson_doc_get_root(doc);
  if (!yyjson_is_obj(object)) {
    row_refuse(out, REASON_ROW_JSON, "%s, where a JSON object is wanted",
               json_type_name(object));
    return;
  }
  member twice = collect(&row, object);
  if (!take_id(&row)) {
    return;
  }
  if (twice != MEMBER_COUNT) {
    row_refuse(out, REASON_ROW_DUPLICATE, "member \"%s\" stands twice",
               member_names[twice]);
    return;
  }
  (void)(take_format(&row) && take_hash(&row) && take_key(&row) && take_sig(&row) &&
         take_message(&row));
}
