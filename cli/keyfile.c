/* Reading key files: telling the format, choosing the reader, saying what is wrong. */
#include "keyfile.h"

#include "armor.h"
#include "files.h"
#include "json_fault.h"
#include "reason.h"
#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  key_format format;
} format_names[] = {
    {"pem", KEY_PEM}, {"der", KEY_DER},   {"sec1", KEY_SEC1}, {"hex", KEY_HEX},
    {"jwk", KEY_JWK}, {"cose", KEY_COSE}, {"raw", KEY_RAW},
};
#define FORMAT_COUNT (sizeof format_names / sizeof format_names[0])

const char *key_format_name(key_format format) {
  for (size_t i = 0; i < FORMAT_COUNT; i++) {
    if (format_names[i].format == format) {
      return format_names[i].name;
    }
  }
  return "unknown";
}

bool key_option(key_source *source, int id, const char *value) {
  switch (id) {
  case KEY_OPTION_FILE:
    source->path = value;
    return true;
  case KEY_OPTION_FORMAT:
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
      if (strcmp(value, format_names[i].name) == 0) {
        source->format = format_names[i].format;
        return true;
      }
    }
    return false;
  case KEY_OPTION_PASSIN:
    source->passin = value;
    return true;
  case KEY_OPTION_HYBRID:
    source->hybrid = true;
    return true;
  case KEY_OPTION_PREFIX:
    source->cose_prefix = true;
    return true;
  default:
    return false;
  }
}

/* ---------------------------------------------------------------- telling the format */

/* Behind a byte order mark, which is no part of a text. */
static size_t start_of_text(const buffer *file) {
  return file->len >= 3 && memcmp(file->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* The label of the next BEGIN line from *at on; *at moves behind it.  False at the end.
 */
static bool next_label(const buffer *file, size_t *at, const char **label, size_t *len) {
  static const char begin[] = "-----BEGIN ";
  const size_t begin_len = sizeof begin - 1;
  for (size_t i = *at; i + begin_len <= file->len; i++) {
    if ((i == start_of_text(file) || (i > 0 && file->data[i - 1] == '\n')) &&
        memcmp(file->data + i, begin, begin_len) == 0) {
      *label = (const char *)file->data + i + begin_len;
      *at = i + begin_len;
      *len = 0;
      while (*at + *len < file->len && (*label)[*len] != '-' && (*label)[*len] != '\n') {
        ++*len;
      }
      return true;
    }
  }
  return false;
}

static bool text_is(const char *text, size_t len, const char *word) {
  return strlen(word) == len && memcmp(text, word, len) == 0;
}

/* Does the file hold a private key and no public one? */
static bool pem_is_private(const buffer *file) {
  size_t at = 0, len;
  const char *label;
  bool is_private = false, is_public = false;
  while (next_label(file, &at, &label, &len)) {
    is_public = is_public || text_is(label, len, "PUBLIC KEY");
    is_private = is_private || text_is(label, len, "PRIVATE KEY") ||
                 text_is(label, len, "EC PRIVATE KEY") ||
                 text_is(label, len, "ENCRYPTED PRIVATE KEY");
  }
  return is_private && !is_public;
}

/* The tag of the element at *at inside the file's outermost SEQUENCE, stepping over it; 0
 * if there is none. */
static uint8_t der_step(const buffer *file, size_t *at) {
  if (file->len < *at + 2) {
    return 0;
  }
  uint8_t tag = file->data[*at];
  size_t len = file->data[*at + 1], more = len < 0x80 ? 0 : len & 0x7f;
  *at += 2;
  if (more > 2 || file->len - *at < more) {
    return 0;
  }
  for (len = more > 0 ? 0 : len; more > 0; more--) {
    len = len << 8 | file->data[(*at)++];
  }
  *at = file->len - *at < len ? file->len : *at + len;
  return tag;
}

typedef enum { DER_SPKI, DER_PKCS8, DER_EC, DER_ENCRYPTED } der_kind;

/* The four kinds differ in the tags of their first two elements; of the two that begin
 * with an AlgorithmIdentifier, only the encrypted one names an algorithm of PKCS. */
static der_kind der_kind_of(const buffer *file) {
  static const uint8_t pkcs[] = {0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01};
  size_t at = 2;
  if (file->len > 1 && file->data[1] > 0x80) {
    at += file->data[1] & 0x7f;
  }
  size_t oid = at + 4;
  uint8_t first = der_step(file, &at), second = der_step(file, &at);
  if (first == 0x02) {
    return second == 0x04 ? DER_EC : DER_PKCS8;
  }
  bool is_pkcs = file->len > oid + sizeof pkcs &&
                 memcmp(file->data + oid, pkcs, sizeof pkcs) == 0 &&
                 (file->data[oid + 7] == 0x05 || file->data[oid + 7] == 0x0c);
  return second == 0x04 && is_pkcs ? DER_ENCRYPTED : DER_SPKI;
}

/* A SEQUENCE that begins with a SEQUENCE that begins with [0], the version. */
static bool is_certificate(const buffer *file) {
  size_t at = 0;
  for (int depth = 0; depth < 2; depth++) {
    if (file->len < at + 2 || file->data[at] != 0x30) {
      return false;
    }
    at += 2 + (file->data[at + 1] > 0x80 ? file->data[at + 1] & 0x7fU : 0U);
  }
  return at < file->len && file->data[at] == 0xa0;
}

static bool unwrapped_is_hex(const buffer *file) {
  buffer text = {0};
  put_unwrapped(&text, file->data, file->len);
  bool hex = text.len > 0 && is_hex((const char *)text.data, text.len);
  buffer_wipe(&text);
  return hex;
}

/* What the content can be.  Every format has a mark of its own at the start or, PEM, at
 * the start of some line; where two marks are there, the user must say. */
static key_format tell_format(const buffer *file, const char *where, bool secrets) {
  size_t at = 0, len;
  const char *label;
  key_format found[4];
  size_t count = 0;
  size_t start = start_of_text(file);
  while (start < file->len && strchr(" \t\r\n", file->data[start]) != NULL &&
         file->data[start] != 0) {
    start++;
  }
  if (next_label(file, &at, &label, &len)) {
    found[count++] = KEY_PEM;
  }
  if (start < file->len && file->data[start] == '{') {
    found[count++] = KEY_JWK;
  }
  uint8_t first = file->len > 0 ? file->data[0] : 0;
  if (unwrapped_is_hex(file)) {
    found[count++] = KEY_HEX;
  } else if (secrets && file->len == 32) {
    found[count++] = KEY_RAW;
  } else if (file->len == 32 && count == 0) {
    report(REASON_KEY_FORMAT, where,
           "32 bytes are no public key; if they are a secret, say --key-format raw");
    return KEY_UNKNOWN;
  } else if (first == 0x30) {
    found[count++] = KEY_DER;
  } else if (first >= 0x02 && first <= 0x07) {
    found[count++] = KEY_SEC1;
  } else if (first >= 0xa0 && first <= 0xbf) {
    found[count++] = KEY_COSE;
  }
  if (count == 1) {
    return found[0];
  }
  if (file->len == 0) {
    report(REASON_KEY_FORMAT, where, "the file is empty");
  } else if (count == 0) {
    report(REASON_KEY_FORMAT, where,
           "byte 0: no PEM, DER, SEC1, hexadecimal, JWK or COSE key begins like this");
  } else {
    report(REASON_KEY_FORMAT, where, "reads as %s and as %s; say --key-format",
           key_format_name(found[0]), key_format_name(found[1]));
  }
  return KEY_UNKNOWN;
}

/* ---------------------------------------------------------------- public keys */

/* A file under reading. */
typedef struct {
  const key_source *source;
  const char *where;
  buffer content;
} key_reading;

static bool refuse(const key_reading *r, sigmill_status status, size_t at) {
  report_at((int)status, r->where, at);
  return false;
}

sigmill_status key_read_point(sigmill_p256_pubkey *out, const uint8_t *point, size_t len,
                              bool hybrid) {
  return hybrid ? sigmill_p256_pubkey_parse_hybrid(out, point, len)
                : sigmill_p256_pubkey_parse(out, point, len);
}

sigmill_status key_read_spki(sigmill_p256_pubkey *out, const uint8_t *der, size_t len,
                             bool hybrid, size_t *at) {
  return hybrid ? sigmill_p256_pubkey_from_spki_hybrid(out, der, len, at)
                : sigmill_p256_pubkey_from_spki(out, der, len, at);
}

/* The strict reader goes first: if it minds nothing but the point's first byte, the
 * framing is right. */
sigmill_status key_read_pem(sigmill_p256_pubkey *out, const uint8_t *pem, size_t len,
                            bool hybrid, size_t *at) {
  sigmill_status status = sigmill_p256_pubkey_from_pem(out, (const char *)pem, len, at);
  if (status == SIGMILL_ERR_KEY_PREFIX && hybrid) {
    buffer der = {0};
    size_t der_at;
    status = key_pem_content(&der, pem, len)
                 ? sigmill_p256_pubkey_from_spki_hybrid(out, der.data, der.len, &der_at)
                 : SIGMILL_ERR_PEM;
    buffer_wipe(&der);
  }
  return status;
}

/* The label of a PEM file that holds something else than is wanted is named; any other
 * fault in its place. */
static bool refuse_pem(const key_reading *r, sigmill_status status, size_t at,
                       bool private_wanted) {
  static const char *const wanted[] = {"PUBLIC KEY", "PRIVATE KEY", "EC PRIVATE KEY",
                                       "EC PARAMETERS"};
  size_t from = 0, len;
  const char *label;
  bool fits = status != SIGMILL_ERR_PEM || !next_label(&r->content, &from, &label, &len);
  for (size_t i = private_wanted ? 1 : 0; !fits && i < (private_wanted ? 4U : 1U); i++) {
    fits = text_is(label, len, wanted[i]);
  }
  if (fits) {
    return refuse(r, status, at);
  }
  char words[160] = "holds a ";
  size_t used = strlen(words);
  for (size_t i = 0; i < len && i < 40; i++) {
    words[used++] = label[i] >= ' ' && label[i] < 0x7f ? label[i] : '?';
  }
  (void)snprintf(words + used, sizeof words - used, " where a %s key is wanted",
                 private_wanted ? "private" : "public");
  report_fault(SIGMILL_ERR_PEM, r->where, from, words);
  return false;
}

static bool refuse_jwk(const key_reading *r, sigmill_status status, size_t at,
                       bool private_wanted) {
  char words[FAULT_SIZE];
  report_fault((int)status, r->where, at,
               jwk_fault(words, (int)status, at, (const char *)r->content.data,
                         r->content.len, private_wanted));
  return false;
}

/* The bytes that a file of hexadecimal digits spells, which may be wrapped into lines.
 * `wanted` digits, or `other`. */
static bool read_hex(uint8_t *out, size_t *out_len, const key_reading *r, size_t wanted,
                     size_t other, const char *rule) {
  buffer text = {0};
  size_t at;
  put_unwrapped(&text, r->content.data, r->content.len);
  const char *digits = (const char *)text.data;
  size_t len = text.len;
  const char *words = text.failed ? NULL : hex_fault(&at, digits, len);
  bool ok = false;
  if (text.failed) {
    report_memory();
  } else if (words != NULL && at < len) {
    report_fault(REASON_HEX, r->where,
                 wrapped_offset(r->content.data, r->content.len, at), words);
  } else if (len != wanted && len != other) {
    report(SIGMILL_ERR_KEY_LENGTH, r->where, "%zu hexadecimal digits: %s", len, rule);
  } else {
    ok = hex_decode(out, digits, len / 2);
    *out_len = len / 2;
  }
  buffer_wipe(&text);
  return ok;
}

static bool public_from_point(sigmill_p256_pubkey *out, const key_reading *r,
                              const uint8_t *point, size_t len) {
  sigmill_status status = key_read_point(out, point, len, r->source->hybrid);
  return status == SIGMILL_OK || refuse(r, status, 0);
}

static bool public_from_pem(sigmill_p256_pubkey *out, const key_reading *r) {
  size_t at;
  sigmill_status status =
      key_read_pem(out, r->content.data, r->content.len, r->source->hybrid, &at);
  return status == SIGMILL_OK || refuse_pem(r, status, at, false);
}

static bool public_from_hex(sigmill_p256_pubkey *out, const key_reading *r) {
  uint8_t point[65];
  size_t len;
  return read_hex(point, &len, r, 66, 130,
                  "a point has 66 or 130; a secret (64) needs --key-format raw") &&
         public_from_point(out, r, point, len);
}

static bool public_from_der(sigmill_p256_pubkey *out, const key_reading *r) {
  size_t at;
  if (is_certificate(&r->content)) {
    report(REASON_KEY_FORMAT, r->where, "a certificate, where a key is wanted");
    return false;
  }
  sigmill_status status =
      key_read_spki(out, r->content.data, r->content.len, r->source->hybrid, &at);
  return status == SIGMILL_OK || refuse(r, status, at);
}

static bool public_from_cose(sigmill_p256_pubkey *out, const key_reading *r,
                             size_t *used) {
  size_t at = 0;
  sigmill_status status =
      r->source->cose_prefix
          ? sigmill_p256_pubkey_from_cose_prefix(out, used, r->content.data,
                                                 r->content.len, &at)
          : sigmill_p256_pubkey_from_cose(out, r->content.data, r->content.len, &at);
  return status == SIGMILL_OK || refuse(r, status, at);
}

/* ---------------------------------------------------------------- private keys */

static bool pair_from_secret(sigmill_p256_keypair *out, const key_reading *r) {
  uint8_t secret[32];
  size_t len = r->content.len;
  bool ok = true;
  if (len == 32) {
    memcpy(secret, r->content.data, 32);
  } else if (len < 64) {
    report(SIGMILL_ERR_KEY_LENGTH, r->where,
           "%zu bytes: a secret has 32 bytes, or 64 hexadecimal digits", len);
    ok = false;
  } else {
    ok = read_hex(secret, &len, r, 64, 64, "a secret has 64");
  }
  if (ok) {
    sigmill_status status = sigmill_p256_keypair_from_secret(out, secret);
    ok = status == SIGMILL_OK || refuse(r, status, 0);
  }
  OPENSSL_cleanse(secret, sizeof secret);
  return ok;
}

static bool pair_from_der(sigmill_p256_keypair *out, const key_reading *r) {
  size_t at = 0;
  sigmill_status status = SIGMILL_OK;
  switch (der_kind_of(&r->content)) {
  case DER_EC:
    status = sigmill_p256_keypair_from_sec1(out, r->content.data, r->content.len, &at);
    break;
  case DER_ENCRYPTED:
    return key_open_encrypted(out, &r->content, false, r->source);
  case DER_SPKI:
    report(REASON_KEY_FORMAT, r->where, "a %s, where a private key is wanted",
           is_certificate(&r->content) ? "certificate" : "public key");
    return false;
  case DER_PKCS8:
    status = sigmill_p256_keypair_from_pkcs8(out, r->content.data, r->content.len, &at);
    break;
  }
  return status == SIGMILL_OK || refuse(r, status, at);
}

static bool pair_from_content(sigmill_p256_keypair *out, const key_reading *r,
                              key_format format) {
  size_t at = 0;
  sigmill_status status = SIGMILL_OK;
  switch (format) {
  case KEY_PEM:
    status = sigmill_p256_keypair_from_pem(out, (const char *)r->content.data,
                                           r->content.len, &at);
    if (status == SIGMILL_ERR_ENCRYPTED) {
      return key_open_encrypted(out, &r->content, true, r->source);
    }
    return status == SIGMILL_OK || refuse_pem(r, status, at, true);
  case KEY_JWK:
    status = sigmill_p256_keypair_from_jwk(out, (const char *)r->content.data,
                                           r->content.len, &at);
    return status == SIGMILL_OK || refuse_jwk(r, status, at, true);
  case KEY_DER:
    return pair_from_der(out, r);
  case KEY_HEX:
  case KEY_RAW:
    return pair_from_secret(out, r);
  default:
    report(REASON_KEY_FORMAT, r->where, "no private key is read from %s",
           key_format_name(format));
    return false;
  }
}

/* ---------------------------------------------------------------- both */

static bool open_reading(key_reading *r, key_facts *facts, const key_source *source,
                         bool secrets) {
  *r = (key_reading){.source = source, .where = path_shown(source->path)};
  *facts = (key_facts){0};
  if (!file_read(&r->content, source->path, KEY_FILE_MAX, "key")) {
    return false;
  }
  facts->format = source->format != KEY_UNKNOWN
                      ? source->format
                      : tell_format(&r->content, r->where, secrets);
  return facts->format != KEY_UNKNOWN;
}

bool key_load_pair(sigmill_p256_keypair *out, key_facts *facts,
                   const key_source *source) {
  key_reading r;
  bool ok =
      open_reading(&r, facts, source, true) && pair_from_content(out, &r, facts->format);
  facts->private_file = true;
  buffer_wipe(&r.content);
  return ok;
}

/* A JWK that lacks d is no private key; any other fault is told by the reader itself. */
static bool jwk_has_secret(const buffer *file) {
  sigmill_p256_keypair pair;
  sigmill_p256_pubkey key;
  size_t at;
  sigmill_status as_pair =
      sigmill_p256_keypair_from_jwk(&pair, (const char *)file->data, file->len, &at);
  sigmill_status as_public =
      sigmill_p256_pubkey_from_jwk(&key, (const char *)file->data, file->len, &at);
  sigmill_p256_keypair_wipe(&pair);
  return as_pair != SIGMILL_ERR_MEMBER_MISSING || as_public != SIGMILL_OK;
}

/* Is a private key to be read?  A JWK's public members stand for themselves, so that its
 * d is looked at only where the pair is wanted. */
static bool holds_private(const key_reading *r, key_format format, bool pair_wanted) {
  switch (format) {
  case KEY_PEM:
    return pem_is_private(&r->content);
  case KEY_DER:
    return der_kind_of(&r->content) != DER_SPKI;
  case KEY_RAW:
    return true;
  case KEY_JWK:
    return pair_wanted && jwk_has_secret(&r->content);
  default:
    return false;
  }
}

static bool public_from_content(sigmill_p256_pubkey *out, key_facts *facts,
                                const key_reading *r) {
  size_t at = 0;
  sigmill_status status;
  switch (facts->format) {
  case KEY_PEM:
    return public_from_pem(out, r);
  case KEY_DER:
    return public_from_der(out, r);
  case KEY_SEC1:
    return public_from_point(out, r, r->content.data, r->content.len);
  case KEY_HEX:
    return public_from_hex(out, r);
  case KEY_COSE:
    return public_from_cose(out, r, &facts->cose_used);
  case KEY_JWK:
    status = sigmill_p256_pubkey_from_jwk(out, (const char *)r->content.data,
                                          r->content.len, &at);
    return status == SIGMILL_OK || refuse_jwk(r, status, at, false);
  default:
    report(REASON_KEY_FORMAT, r->where, "no public key is read from %s",
           key_format_name(facts->format));
    return false;
  }
}

/* The public key; and the pair, if it stands in the file and is wanted or needed. */
static bool load(sigmill_p256_keypair *pair, sigmill_p256_pubkey *key, key_facts *facts,
                 const key_source *source, bool pair_wanted) {
  key_reading r;
  bool ok = open_reading(&r, facts, source, false);
  memset(pair, 0, sizeof *pair);
  if (ok) {
    facts->private_file = holds_private(&r, facts->format, pair_wanted);
    ok = facts->private_file ? pair_from_content(pair, &r, facts->format)
                             : public_from_content(key, facts, &r);
    if (ok && facts->private_file) {
      sigmill_p256_keypair_public(key, pair);
    }
  }
  buffer_wipe(&r.content);
  return ok;
}

bool key_load_public(sigmill_p256_pubkey *out, key_facts *facts,
                     const key_source *source) {
  sigmill_p256_keypair pair;
  bool ok = load(&pair, out, facts, source, false);
  sigmill_p256_keypair_wipe(&pair);
  return ok;
}

bool key_load_any(sigmill_p256_keypair *pair, sigmill_p256_pubkey *key, key_facts *facts,
                  const key_source *source) {
  return load(pair, key, facts, source, true);
}
