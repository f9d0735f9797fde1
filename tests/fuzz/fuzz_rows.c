/* Rows of a batch, as lines of NDJSON and as binary rows: whatever comes in, each row
 * gets one verdict, the output is one JSON line or one byte per row, and reading the same
 * rows again with a warm key cache gives the same output.
 *
 * The first byte chooses the kind and the policy. */
#include "fuzz.h"
#include "judge.h"

/* Judges the same chunk twice, and compares. */
static void judge_twice(const judge_settings *settings, const uint8_t *rows, size_t len,
                        size_t count) {
  judge *j = judge_create(settings);
  fuzz_require(j != NULL, "memory");
  chunk first = {.len = len, .first = 1, .rows = count}, second = first;
  first.data = second.data = malloc(len + 1);
  fuzz_require(first.data != NULL, "memory");
  memcpy(first.data, rows, len);
  judge_chunk(j, &first);
  judge_chunk(j, &second);
  bool same =
      !first.out.failed && first.out.len == second.out.len &&
      (first.out.len == 0 || memcmp(first.out.data, second.out.data, first.out.len) == 0);
  fuzz_require(same, "the second time is another");

  judge_counts counts = {0};
  judge_add_counts(&counts, j);
  fuzz_require(counts.valid + counts.invalid + counts.malformed == 2 * count,
               "a row without a verdict");
  size_t lines = 0;
  for (size_t i = 0; i < first.out.len; i++) {
    lines += first.out.data[i] == '\n';
  }
  if (settings->output == OUTPUT_BYTES) {
    fuzz_require(first.out.len == count, "a byte per row");
  } else if (!settings->only_bad) {
    fuzz_require(lines == count, "a line per row");
  }
  free(first.data);
  buffer_wipe(&first.out);
  buffer_wipe(&second.out);
  judge_destroy(j);
}

static size_t count_lines(const uint8_t *rows, size_t len) {
  size_t count = len > 0 && rows[len - 1] != '\n';
  for (size_t i = 0; i < len; i++) {
    count += rows[i] == '\n';
  }
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) {
    return 0;
  }
  uint8_t choice = data[0];
  judge_settings settings = {
      .policy = {.format = choice & 1 ? SIG_DER : SIG_UNNAMED,
                 .hash = choice & 2 ? SIGMILL_SHA384 : SIGMILL_SHA256,
                 .low_s = (choice & 4) != 0,
                 .hybrid = (choice & 8) != 0},
      .output = choice & 16 ? OUTPUT_BYTES : OUTPUT_NDJSON,
      .only_bad = (choice & 32) != 0,
      .binary = (choice & 64) != 0,
  };
  data++;
  size--;
  if (!settings.binary) {
    judge_twice(&settings, data, size, count_lines(data, size));
    return 0;
  }
  char detail[160];
  if (size < BINARY_HEADER_SIZE ||
      binary_read_header(&settings.layout, detail, data) != SIGMILL_OK) {
    return 0;
  }
  size_t count = (size - BINARY_HEADER_SIZE) / settings.layout.row_size;
  judge_twice(&settings, data + BINARY_HEADER_SIZE, count * settings.layout.row_size,
              count);
  return 0;
}
