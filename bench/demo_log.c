/* sigmill-demo-log: writes a log of signed messages such as a server would keep, as
 * NDJSON for `sigmill batch`, some lines of it spoilt, and a second file that tells which
 * and how.
 *
 * The truth is one line for each spoilt line, with tabs between: line number, verdict,
 * reason, way.  Binary rows have ids of 8 bytes, the number of the row. */
#define _POSIX_C_SOURCE 200809L
#include "demo_record.h"

#include <errno.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: sigmill-demo-log [OPTION]... LOG TRUTH\n"
    "Writes signed messages as NDJSON to LOG, and which of them are spoilt to TRUTH.\n"
    "\n"
    "  --seed N         the same log for the same N (default 1)\n"
    "  --signatures N   lines (default 20000)\n"
    "  --keys N         different signers (default 1000)\n"
    "  --spoilt N       lines to be spoilt (default: one in a hundred)\n"
    "  --repeat N       all of it so many times, each time under new ids (default 1)\n"
    "  --binary yes     LOG as binary rows, none of them spoilt\n"
    "With at least as many signers as signatures, each signs once.\n";

typedef struct {
  uint64_t seed, signatures, keys, spoilt, repeat;
  bool binary;
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
static void begin_record(record *rec, const maker *m, size_t number,
                         const settings *set) {
  memset(rec, 0, sizeof *rec);
  rec->number = number;
  rec->who = maker_signer(m, set->keys >= set->signatures
                                 ? number - 1
                                 : maker_number(m, "signer", number, 1u << 30));
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

static bool make_line(record *rec, maker *m, size_t number, const settings *set,
                      const spoil_way *way) {
  begin_record(rec, m, number, set);
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

/* ---------------------------------------------------------------- files */

/* Everything that was signed, to be written several times. */
typedef struct {
  char **lines;             /* NDJSON */
  uint8_t *rows;            /* or binary, ROW_SIZE bytes each */
  const spoil_way **spoilt; /* how; NULL: not at all */
} content;

enum { HEADER_SIZE = 64, ID_SIZE = 8, ROW_SIZE = ID_SIZE + 33 + 32 + 64 };

static bool keep_line(content *all, const record *rec, size_t i) {
  all->lines[i] = strdup(rec->line);
  return all->lines[i] != NULL;
}

static bool make_row(content *all, record *rec, maker *m, size_t i, const settings *set) {
  begin_record(rec, m, i + 1, set);
  uint8_t *row = all->rows + ROW_SIZE * i, *key = row + ID_SIZE;
  key[0] = (uint8_t)(2 + (rec->pub65[64] & 1));
  memcpy(key + 1, rec->pub65 + 1, 32);
  SHA256((const uint8_t *)rec->message, strlen(rec->message), key + 33);
  rec->form = SIG_RAW;
  bool ok = maker_sign(m, rec);
  memcpy(key + 65, rec->r, 32);
  memcpy(key + 97, rec->s, 32);
  return ok;
}

static bool make_all(content *all, maker *m, const settings *set, const bool *chosen) {
  record rec;
  const spoil_way *way = spoil_ways;
  for (size_t i = 0; i < set->signatures; i++) {
    all->spoilt[i] = chosen[i] ? way : NULL;
    bool ok = set->binary ? make_row(all, &rec, m, i, set)
                          : make_line(&rec, m, i + 1, set, all->spoilt[i]) &&
                                keep_line(all, &rec, i);
    if (!ok) {
      fprintf(stderr, "sigmill-demo-log: line %zu could not be made\n", i + 1);
      return false;
    }
    if (chosen[i]) {
      way = way[1].name != NULL ? way + 1 : spoil_ways;
    }
  }
  return true;
}

/* The id counts on in later rounds; in a spoilt line it may not be there any more. */
static void number_line(char *line, size_t number) {
  static const char before[] = "\"id\":\"rd-";
  char digits[24], *id = strstr(line, before);
  int len = snprintf(digits, sizeof digits, "%08zu", number);
  if (id != NULL && len == 8 && strlen(id) >= sizeof before + 8) {
    memcpy(id + sizeof before - 1, digits, 8);
  }
}

static void put_number(uint8_t *out, uint64_t number, size_t size) {
  for (size_t i = 0; i < size; i++) {
    out[i] = (uint8_t)(number >> (8 * i));
  }
}

static void write_header(FILE *log, const settings *set) {
  uint8_t header[HEADER_SIZE] = "SGMLROWS";
  put_number(header + 8, 1, 2);
  put_number(header + 10, HEADER_SIZE, 2);
  header[12] = 1; /* r || s */
  header[13] = 33;
  header[14] = 32;
  header[15] = ID_SIZE;
  put_number(header + 16, ROW_SIZE, 4);
  put_number(header + 24, set->signatures * set->repeat, 8);
  fwrite(header, 1, sizeof header, log);
}

static void write_all(content *all, const settings *set, FILE *log, FILE *truth) {
  if (set->binary) {
    write_header(log, set);
  }
  for (size_t n = 0; n < set->signatures * set->repeat; n++) {
    size_t i = n % set->signatures;
    const spoil_way *way = all->spoilt[i];
    if (set->binary) {
      put_number(all->rows + ROW_SIZE * i, n + 1, ID_SIZE);
      fwrite(all->rows + ROW_SIZE * i, 1, ROW_SIZE, log);
      continue;
    }
    if (n >= set->signatures) {
      number_line(all->lines[i], n + 1);
    }
    fprintf(log, "%s\n", all->lines[i]);
    if (way != NULL) {
      fprintf(truth, "%zu\t%s\t%s\t%s\n", n + 1, way->verdict, way->reason, way->name);
    }
  }
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

static bool write_files(content *all, const settings *set) {
  FILE *log = open_file(set->log), *truth = log == NULL ? NULL : open_file(set->truth);
  bool ok = truth != NULL;
  if (ok) {
    write_all(all, set, log, truth);
  }
  ok &= truth == NULL || close_file(truth, set->truth);
  ok &= log == NULL || close_file(log, set->log);
  return ok;
}

static bool run(maker *m, const settings *set) {
  size_t n = set->signatures;
  content all = {.lines = calloc(n, sizeof *all.lines),
                 .rows = calloc(set->binary ? n : 1, ROW_SIZE),
                 .spoilt = calloc(n, sizeof *all.spoilt)};
  bool *chosen = calloc(n, sizeof *chosen);
  bool ok = all.lines != NULL && all.rows != NULL && all.spoilt != NULL &&
            chosen != NULL && choose_spoilt(chosen, m, set);
  if (!ok) {
    fprintf(stderr, "sigmill-demo-log: out of memory\n");
  }
  ok = ok && make_all(&all, m, set, chosen) && write_files(&all, set);
  for (size_t i = 0; all.lines != NULL && i < n; i++) {
    free(all.lines[i]);
  }
  free(chosen);
  free(all.spoilt);
  free(all.rows);
  free(all.lines);
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
  *set = (settings){
      .seed = 1, .signatures = 20000, .keys = 1000, .spoilt = UINT64_MAX, .repeat = 1};
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
    } else if (strcmp(argv[at], "--repeat") == 0) {
      ok = read_number(&set->repeat, argv[at + 1], 1, 10000);
    } else if (strcmp(argv[at], "--binary") == 0) {
      ok = set->binary = strcmp(argv[at + 1], "yes") == 0;
    }
    if (!ok) {
      return false;
    }
  }
  if (set->spoilt == UINT64_MAX) {
    set->spoilt = set->binary ? 0 : set->signatures / 100;
  }
  if (argc - at != 2 || set->spoilt > set->signatures ||
      (set->binary && set->spoilt > 0)) {
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
  bool ok = run(m, &set);
  maker_destroy(m);
  return ok ? 0 : 2;
}
