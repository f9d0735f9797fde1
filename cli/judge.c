/* Reading a chunk's rows, verifying them together, writing verdicts. */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

struct judge {
  const judge_settings *settings;
  row_reader reader;
  sigmill_verifier *verifier;
  judge_counts counts;
  batch_row rows[ROUND_ROWS];          /* of a round, verified in one call */
  sigmill_p256_item items[ROUND_ROWS]; /* of the pending rows */
  size_t item_row[ROUND_ROWS];
  uint8_t verdicts[ROUND_ROWS];
};

judge *judge_create(const judge_settings *settings) {
  judge *j = calloc(1, sizeof *j);
  if (j == NULL) {
    return NULL;
  }
  j->settings = settings;
  if (!row_reader_init(&j->reader, &settings->policy) ||
      sigmill_verifier_create(&j->verifier, NULL) != SIGMILL_OK) {
    judge_destroy(j);
    return NULL;
  }
  return j;
}

void judge_destroy(judge *j) {
  if (j != NULL) {
    row_reader_free(&j->reader);
    sigmill_verifier_destroy(j->verifier);
    free(j);
  }
}

void judge_add_counts(judge_counts *sum, const judge *j) {
  sum->valid += j->counts.valid;
  sum->invalid += j->counts.invalid;
  sum->malformed += j->counts.malformed;
  for (size_t i = 0; i < REASON_COUNT; i++) {
    sum->reasons[i] += j->counts.reasons[i];
  }
}

/* Settles the pending rows among the first n. */
static void verify_rows(judge *j, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    batch_row *row = &j->rows[i];
    if (row->state == ROW_PENDING) {
      j->items[count] = (sigmill_p256_item){
          .sig = row->sig, .digest = row->digest, .key = row->key, .format = row->format};
      j->item_row[count++] = i;
    }
  }
  bool all_valid = sigmill_p256_verify_batch(j->verifier, j->verdicts, j->items, count);
  for (size_t k = 0; k < count; k++) {
    batch_row *row = &j->rows[j->item_row[k]];
    row->state = ROW_VALID;
    if (!all_valid && j->verdicts[k] != 1) {
      row->state = ROW_INVALID;
      sigmill_status status =
          sigmill_p256_explain(row->sig, row->format, row->digest, row->key);
      row->reason = status != SIGMILL_OK ? (int)status : REASON_DISAGREEMENT;
    }
  }
}

/* The end of nearly every line. */
static const char valid_end[] = ",\"verdict\":\"valid\"}\n";

static void put_json(judge *j, buffer *out, const batch_row *row, uint64_t number) {
  buffer_reserve(out, row->id_len + 64); /* once for the usual line */
  if (row->id_len > 0) {
    buffer_put(out, "{\"id\":", 6);
    buffer_put(out, j->reader.ids.data + row->id_at, row->id_len);
    buffer_put(out, ",", 1);
  } else {
    buffer_put(out, "{", 1);
  }
  if (j->settings->binary) {
    buffer_put(out, "\"row\":", 6);
  } else {
    buffer_put(out, "\"line\":", 7);
  }
  buffer_u64(out, number);
  if (row->state == ROW_VALID) {
    buffer_put(out, valid_end, sizeof valid_end - 1);
    return;
  }
  buffer_text(out, row->state == ROW_INVALID
                       ? ",\"verdict\":\"invalid\",\"reason\":\""
                       : ",\"verdict\":\"malformed\",\"reason\":\"");
  buffer_text(out, reason_name(row->reason));
  buffer_text(out, "\",\"text\":");
  const char *text = row->detail[0] != '\0' ? row->detail : reason_text(row->reason);
  buffer_json_string(out, text, strlen(text));
  buffer_text(out, "}\n");
}

/* Counts and writes the first n rows; `number` is the first one's. */
static void tell_rows(judge *j, buffer *out, size_t n, uint64_t number) {
  for (size_t i = 0; i < n; i++, number++) {
    const batch_row *row = &j->rows[i];
    uint8_t byte = row->state == ROW_VALID     ? VERDICT_VALID
                   : row->state == ROW_INVALID ? VERDICT_INVALID
                                               : VERDICT_MALFORMED;
    j->counts.valid += byte == VERDICT_VALID;
    j->counts.invalid += byte == VERDICT_INVALID;
    j->counts.malformed += byte == VERDICT_MALFORMED;
    if (byte != VERDICT_VALID) {
      j->counts.reasons[row->reason]++;
    }
    if (j->settings->output == OUTPUT_BYTES) {
      buffer_put(out, &byte, 1);
    } else if (j->settings->output == OUTPUT_NDJSON &&
               !(j->settings->only_bad && byte == VERDICT_VALID)) {
      put_json(j, out, row, number);
    }
  }
}

static size_t read_lines(judge *j, const uint8_t **at, const uint8_t *end) {
  size_t n = 0;
  while (n < ROUND_ROWS && *at < end) {
    const uint8_t *newline = memchr(*at, '\n', (size_t)(end - *at));
    const uint8_t *stop = newline == NULL ? end : newline;
    row_from_json(&j->rows[n++], &j->reader, (const char *)*at, (size_t)(stop - *at));
    *at = newline == NULL ? end : newline + 1;
  }
  return n;
}

static size_t read_binary(judge *j, const uint8_t **at, const uint8_t *end) {
  size_t n = 0, size = j->settings->layout.row_size;
  while (n < ROUND_ROWS && (size_t)(end - *at) >= size) {
    row_from_binary(&j->rows[n++], &j->reader, &j->settings->layout, *at);
    *at += size;
  }
  return n;
}

void judge_chunk(judge *j, chunk *c) {
  uint64_t number = c->first;
  if (c->too_long) {
    row_round_begin(&j->reader);
    row_from_json(&j->rows[0], &j->reader, "", LINE_MAX_BYTES + 1);
    tell_rows(j, &c->out, 1, number);
    return;
  }
  const uint8_t *at = c->data, *end = c->data + c->len;
  size_t n;
  do {
    row_round_begin(&j->reader);
    n = j->settings->binary ? read_binary(j, &at, end) : read_lines(j, &at, end);
    if (n > 0) {
      row_round_settle(j->rows, n, &j->reader);
      verify_rows(j, n);
      tell_rows(j, &c->out, n, number);
    }
    number += n;
  } while (n > 0);
  c->out.failed = c->out.failed || j->reader.ids.failed;
}
