/* Reading a chunk's rows, verifying them together, writing verdicts, or rows with hints.
 */
#include "judge.h"

#include "rules.h"
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
  sigmill_status broken[ROUND_ROWS]; /* rules, by the items that are invalid */
  uint8_t hints[ROUND_ROWS * SIG_SIZE_MAX];
  const uint8_t *hinted[ROUND_ROWS]; /* of valid rows, in hints */
};

judge *judge_create(const judge_settings *settings) {
  judge *j = calloc(1, sizeof *j);
  if (j == NULL) {
    return NULL;
  }
  j->settings = settings;
  const sigmill_verifier_options options = {.struct_size = sizeof options,
                                            .max_batch = ROUND_ROWS,
                                            .keycache = settings->keys,
                                            .plan = settings->plan};
  if (!row_reader_init(&j->reader, &settings->policy) ||
      sigmill_verifier_create(&j->verifier, &options) != SIGMILL_OK) {
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
  sum->lacked_randomness |= j->counts.lacked_randomness;
  for (size_t i = 0; i < REASON_COUNT; i++) {
    sum->reasons[i] += j->counts.reasons[i];
  }
}

/* The pending rows among the first n as items; how many there are. */
static size_t gather_items(judge *j, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    batch_row *row = &j->rows[i];
    if (row->state == ROW_PENDING) {
      j->items[count] = (sigmill_p256_item){
          .sig = row->sig, .digest = row->digest, .key = row->key, .format = row->format};
      j->item_row[count++] = i;
    }
  }
  return count;
}

/* Settles the items, of which at least one is not valid.  The first one that is not is
 * verified once more by itself. */
static void tell_apart(judge *j, size_t count) {
  size_t bad = 0;
  for (size_t k = 0; k < count; k++) {
    batch_row *row = &j->rows[j->item_row[k]];
    row->state = j->verdicts[k] == 1 ? ROW_VALID : ROW_INVALID;
    if (row->state == ROW_INVALID) {
      j->items[bad] = j->items[k];
      j->item_row[bad++] = j->item_row[k];
    }
  }
  rules_broken(j->broken, j->items, bad);
  for (size_t k = 0; k < bad; k++) {
    const sigmill_p256_item *item = &j->items[k];
    sigmill_status why =
        j->broken[k] != SIGMILL_OK ? j->broken[k] : SIGMILL_ERR_SIG_EQUATION;
    bool agreed = k > 0 || sigmill_p256_explain(item->sig, item->format, item->digest,
                                                item->key) == why;
    j->rows[j->item_row[k]].reason = agreed ? (int)why : REASON_DISAGREEMENT;
  }
}

static void settle(judge *j, size_t count, bool all_valid) {
  if (!all_valid && count > 0) {
    tell_apart(j, count);
    return;
  }
  for (size_t k = 0; k < count; k++) {
    j->rows[j->item_row[k]].state = ROW_VALID;
  }
}

/* Settles the pending rows among the first n. */
static void verify_rows(judge *j, size_t n) {
  size_t count = gather_items(j, n);
  bool all_valid = sigmill_p256_verify_batch(j->verifier, j->verdicts, j->items, count);
  if (count > 0 && sigmill_verifier_status(j->verifier) == SIGMILL_ERR_RANDOM) {
    j->counts.lacked_randomness = true;
  }
  settle(j, count, all_valid);
}

/* The same, and makes hints for those that are valid.  Whether s is low is asked before:
 * a hint is made for any s. */
static void hint_rows(judge *j, size_t n) {
  size_t count = gather_items(j, n);
  const size_t size = sig_format_size(j->settings->hint.format);
  const sigmill_p256_format format = sig_format_inside(j->settings->hint.format, false);
  rules_broken(j->broken, j->items, count);
  for (size_t k = 0; k < count; k++) {
    if (j->broken[k] == SIGMILL_OK) {
      j->items[k].format = SIGMILL_P256_SIG64;
    }
    j->hinted[j->item_row[k]] = j->hints + k * size;
  }
  bool all = sigmill_p256_hint_batch(j->hints, format, j->verdicts, j->items, count);
  settle(j, count, all);
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

/* A row with its hint, or the verdict that says why it has none. */
static void put_hinted(judge *j, chunk *c, size_t i, uint64_t number) {
  const batch_row *row = &j->rows[i];
  const judge_settings *settings = j->settings;
  if (row->state != ROW_VALID) {
    put_json(j, &c->told, row, number);
  } else if (settings->binary) {
    row_put_hinted_binary(&c->out, &settings->layout, settings->hint.format, row->text,
                          j->hinted[i]);
  } else {
    row_put_hinted_json(&c->out, &j->reader, &settings->hint, row->text, row->text_len,
                        j->hinted[i]);
  }
}

/* Counts and writes the first n rows; `number` is the first one's. */
static void tell_rows(judge *j, chunk *c, size_t n, uint64_t number) {
  for (size_t i = 0; i < n; i++, number++) {
    const batch_row *row = &j->rows[i];
    if (row->reason == SIGMILL_ERR_MEMORY) { /* no verdict: the run breaks off here */
      c->out.failed = true;
      return;
    }
    uint8_t byte = row->state == ROW_VALID     ? VERDICT_VALID
                   : row->state == ROW_INVALID ? VERDICT_INVALID
                                               : VERDICT_MALFORMED;
    j->counts.valid += byte == VERDICT_VALID;
    j->counts.invalid += byte == VERDICT_INVALID;
    j->counts.malformed += byte == VERDICT_MALFORMED;
    if (byte != VERDICT_VALID) {
      j->counts.reasons[row->reason]++;
    }
    if (j->settings->hint.format != SIG_UNNAMED) {
      put_hinted(j, c, i, number);
    } else if (j->settings->output == OUTPUT_BYTES) {
      buffer_put(&c->out, &byte, 1);
    } else if (j->settings->output == OUTPUT_NDJSON &&
               !(j->settings->only_bad && byte == VERDICT_VALID)) {
      put_json(j, &c->out, row, number);
    }
  }
}

static size_t read_lines(judge *j, size_t most, const uint8_t **at, const uint8_t *end) {
  size_t n = 0;
  while (n < most && *at < end) {
    const uint8_t *newline = memchr(*at, '\n', (size_t)(end - *at));
    const uint8_t *stop = newline == NULL ? end : newline;
    row_from_json(&j->rows[n++], &j->reader, (const char *)*at, (size_t)(stop - *at));
    *at = newline == NULL ? end : newline + 1;
  }
  return n;
}

static size_t read_binary(judge *j, size_t most, const uint8_t **at, const uint8_t *end) {
  size_t n = 0, size = j->settings->layout.row_size;
  while (n < most && (size_t)(end - *at) >= size) {
    row_from_binary(&j->rows[n++], &j->reader, &j->settings->layout, *at);
    *at += size;
  }
  return n;
}

/* How many rows of a chunk make a round: rounds are as large as each other, as they gain
 * from their size. */
static size_t round_size(size_t rows) {
  size_t rounds = (rows + ROUND_ROWS - 1) / ROUND_ROWS;
  return rounds < 2 ? ROUND_ROWS : (rows + rounds - 1) / rounds;
}

void judge_chunk(judge *j, chunk *c) {
  uint64_t number = c->first;
  if (c->too_long) {
    row_round_begin(&j->reader);
    row_from_json(&j->rows[0], &j->reader, "", LINE_MAX_BYTES + 2);
    tell_rows(j, c, 1, number);
    return;
  }
  const uint8_t *at = c->data, *end = c->data + c->len;
  size_t n, most = round_size(c->rows);
  do {
    row_round_begin(&j->reader);
    n = j->settings->binary ? read_binary(j, most, &at, end)
                            : read_lines(j, most, &at, end);
    if (n > 0) {
      row_round_settle(j->rows, n, &j->reader);
      if (j->settings->hint.format != SIG_UNNAMED) {
        hint_rows(j, n);
      } else {
        verify_rows(j, n);
      }
      tell_rows(j, c, n, number);
    }
    number += n;
  } while (n > 0);
  c->out.failed = c->out.failed || j->reader.ids.failed;
}
