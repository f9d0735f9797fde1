/* sigmill-demo-log: writes a log of signed messages such as a server would keep, as
 * NDJSON for `sigmill batch`, some lines of it spoilt, and a second file that tells which
 * and how.
 *
 * The truth is one line for each spoilt line, with tabs between: line number, verdict,
 * reason, way. */
#include "demo_record.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: sigmill-demo-log [OPTION]... LOG TRUTH\n"
    "Writes signed messages as NDJSON to LOG, and which of them are spoilt to TRUTH.\n"
    "\n"
    "  --seed N         the same log for the same N (default 1)\n"
    "  --signatures N   lines (default 20000)\n"
    "  --keys N         different signers (default 1000)\n"
    "  --spoilt N       lines to be spoilt (default: one in a hundred)\n";

typedef struct {
  uint64_t seed, signatures, keys, spoilt;
  const char *log, *truth;
} settings;

/* ---------------------------------------------------------------- text */

static void put_hex(char *out, const uint8_t *bytes, size_t len) {
  for (size_t i = 0; i < len; i++) {
    snprintf(out + 2 * i, 3, "%02x", bytes[i]);
  }
}

static void put_base64(char *out, const uint8_t *bytes, size_t len) {
  EVP_EncodeBlock((unsigned char *)out, bytes, (int)len);
}

/* The URL alphabet, without padding. */
static void put_base64url(char *out, const uint8_t *bytes, size_t len) {
  put_base64(out, bytes, len);
  for (; *out != 0 && *out != '='; out++) {
    *out = *out == '+' ? '-' : *out == '/' ? '_' : *out;
  }
  *out = 0;
}

/* The key as a JSON value. */
static void write_key(record *rec) {
  char text[TEXT_MAX - 2], other[64];
  uint8_t compressed[33];
  switch (rec->key_form) {
  case KEY_HEX33:
    compressed[0] = (uint8_t)(2 + (rec->pub65[64] & 1));
    memcpy(compressed + 1, rec->pub65 + 1, 32);
    put_hex(text, compressed, 33);
    break;
  case KEY_SPKI:
    put_base64(text, rec->who->spki, sizeof rec->who->spki);
    break;
  case KEY_JWK:
    put_base64url(text, rec->pub65 + 1, 32);
    put_base64url(other, rec->pub65 + 33, 32);
    snprintf(rec->key_text, sizeof rec->key_text,
             "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%.43s\",\"y\":\"%.43s\"}", text,
             other);
    return;
  default:
    put_hex(text, rec->pub65, 65);
    break;
  }
  snprintf(rec->key_text, sizeof rec->key_text, "\"%s\"", text);
}

static void write_texts(record *rec) {
  static const char *const formats[] = {"der", "raw", "recoverable"};
  snprintf(rec->format, sizeof rec->format, "%s", formats[rec->form]);
  write_key(rec);
  if (rec->form == SIG_RAW && rec->number % 2 == 0) {
    put_hex(rec->sig_text, rec->sig, rec->sig_len);
  } else {
    put_base64(rec->sig_text, rec->sig, rec->sig_len);
  }
}

static bool write_line(record *rec) {
  int len = snprintf(rec->line, sizeof rec->line,
                     "{\"time\":\"%s\",\"id\":\"%s\",\"key\":%s,\"format\":\"%s\","
                     "\"msg\":\"%s\",\"sig\":\"%s\"}",
                     rec->time, rec->id, rec->key_text, rec->format, rec->message,
                     rec->sig_text);
  return len > 0 && (size_t)len < sizeof rec->line;
}

/* ---------------------------------------------------------------- lines */

/* What the server noted: one message every three tenths of a second or so. */
static void begin_record(record *rec, const maker *m, size_t number) {
  memset(rec, 0, sizeof *rec);
  rec->number = number;
  rec->who = maker_signer(m, maker_number(m, "signer", number, 1u << 30));
  rec->key_form = rec->who->form;
  memcpy(rec->pub65, rec->who->pub65, 65);
  rec->form = number % 50 == 0 ? SIG_RECOVERABLE : rec->who->raw ? SIG_RAW : SIG_DER;
  unsigned ms = (unsigned)(number * 311 % 86400000);
  unsigned second = ms / 1000;
  snprintf(rec->time, sizeof rec->time, "2026-03-02T%02u:%02u:%02u.%03uZ",
           second / 3600 % 24, second / 60 % 60, second % 60, ms % 1000);
  snprintf(rec->id, sizeof rec->id, "rd-%08zu", number);
  snprintf(
      rec->message, sizeof rec->message,
      "POST /v1/readings meter=MT-%05zu at=%s watt_hours=%u voltage=%u.%u sequence=%zu",
      rec->who->number, rec->time, (unsigned)maker_number(m, "energy", number, 100000000),
      (unsigned)(220 + maker_number(m, "volt", number, 20)),
      (unsigned)maker_number(m, "decivolt", number, 10), number);
}

static bool make_line(record *rec, maker *m, size_t number, const spoil_way *way) {
  begin_record(rec, m, number);
  if (way != NULL) {
    rec->form = way->form;
  }
  bool ok = maker_sign(m, rec);
  for (int stage = AT_NUMBERS; ok && stage <= AT_LINE; stage++) {
    if (stage == AT_BYTES) {
      ok = maker_encode(rec);
    } else if (stage == AT_TEXT) {
      write_texts(rec);
    } else if (stage == AT_LINE) {
      ok = write_line(rec);
    }
    if (ok && way != NULL && way->stage == (spoil_stage)stage) {
      ok = way->spoil(rec, m);
    }
  }
  return ok;
}

/* Which lines are to be spoilt: `spoilt` of them, chosen by a partial shuffle. */
static bool choose_spoilt(bool *chosen, const maker *m, const settings *set) {
  size_t *order = malloc(set->signatures * sizeof *order);
  if (order == NULL) {
    return false;
  }
  for (size_t i = 0; i < set->signatures; i++) {
    order[i] = i;
  }
  for (size_t i = 0; i < set->spoilt; i++) {
    size_t j = i + maker_number(m, "spoilt", i, set->signatures - i);
    size_t line = order[j];
    order[j] = order[i];
    chosen[line] = true;
  }
  free(order);
  return true;
}

static bool write_all(maker *m, const settings *set, const bool *chosen, FILE *log,
                      FILE *truth) {
  record rec;
  const spoil_way *way = spoil_ways;
  for (size_t i = 0; i < set->signatures; i++) {
    if (!make_line(&rec, m, i + 1, chosen[i] ? way : NULL)) {
      fprintf(stderr, "sigmill-demo-log: line %zu could not be made\n", i + 1);
      return false;
    }
    fprintf(log, "%s\n", rec.line);
    if (chosen[i]) {
      fprintf(truth, "%zu\t%s\t%s\t%s\n", i + 1, way->verdict, way->reason, way->name);
      way = way[1].name != NULL ? way + 1 : spoil_ways;
    }
  }
  return true;
}

static bool close_file(FILE *file, const char *path) {
  bool ok = !ferror(file);
  ok &= fclose(file) == 0;
  if (!ok) {
    fprintf(stderr, "sigmill-demo-log: %s: %s\n", path, strerror(errno));
  }
  return ok;
}

static FILE *open_file(const char *path) {
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    fprintf(stderr, "sigmill-demo-log: %s: %s\n", path, strerror(errno));
  }
  return file;
}

static bool write_files(maker *m, const settings *set) {
  bool *chosen = calloc(set->signatures, sizeof *chosen);
  if (chosen == NULL || !choose_spoilt(chosen, m, set)) {
    fprintf(stderr, "sigmill-demo-log: out of memory\n");
    free(chosen);
    return false;
  }
  FILE *log = open_file(set->log), *truth = log == NULL ? NULL : open_file(set->truth);
  bool ok = truth != NULL && write_all(m, set, chosen, log, truth);
  ok &= truth == NULL || close_file(truth, set->truth);
  ok &= log == NULL || close_file(log, set->log);
  free(chosen);
  return ok;
}

/* ---------------------------------------------------------------- the command line */

static bool read_number(uint64_t *out, const char *text, uint64_t low, uint64_t high) {
  char *end;
  errno = 0;
  *out = strtoull(text, &end, 10);
  return text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0 && *out >= low &&
         *out <= high;
}

static bool read_settings(settings *set, int argc, char **argv) {
  *set = (settings){.seed = 1, .signatures = 20000, .keys = 1000, .spoilt = UINT64_MAX};
  int at = 1;
  for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
    bool ok = false;
    if (strcmp(argv[at], "--seed") == 0) {
      ok = read_number(&set->seed, argv[at + 1], 0, UINT64_MAX);
    } else if (strcmp(argv[at], "--signatures") == 0) {
      ok = read_number(&set->signatures, argv[at + 1], 1, 10000000);
    } else if (strcmp(argv[at], "--keys") == 0) {
      ok = read_number(&set->keys, argv[at + 1], 2, 100000);
    } else if (strcmp(argv[at], "--spoilt") == 0) {
      ok = read_number(&set->spoilt, argv[at + 1], 0, 10000000);
    }
    if (!ok) {
      return false;
    }
  }
  if (set->spoilt == UINT64_MAX) {
    set->spoilt = set->signatures / 100;
  }
  if (argc - at != 2 || set->spoilt > set->signatures) {
    return false;
  }
  set->log = argv[at];
  set->truth = argv[at + 1];
  return true;
}

int main(int argc, char **argv) {
  settings set;
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    return fputs(usage, stdout) == EOF ? 2 : 0;
  }
  if (!read_settings(&set, argc, argv)) {
    fputs(usage, stderr);
    return 2;
  }
  maker *m = maker_create(set.seed, (size_t)set.keys);
  if (m == NULL) {
    fprintf(stderr, "sigmill-demo-log: libcrypto could not make the keys\n");
    return 2;
  }
  bool ok = write_files(m, &set);
  maker_destroy(m);
  return ok ? 0 : 2;
}
