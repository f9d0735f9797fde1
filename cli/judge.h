/* Chunks of rows to verdicts, or to rows with hints: what the worker threads of a batch
 * do. */
#ifndef SIGMILL_CLI_JUDGE_H
#define SIGMILL_CLI_JUDGE_H

#include "pipeline.h"
#include "reason.h"
#include "row_hint.h"

typedef enum { OUTPUT_NDJSON, OUTPUT_BYTES, OUTPUT_NONE } batch_output;

/* A verdict byte of OUTPUT_BYTES. */
enum { VERDICT_INVALID = 0, VERDICT_VALID = 1, VERDICT_MALFORMED = 2 };

typedef struct {
  row_policy policy;
  bool binary;
  binary_layout layout;
  batch_output output;
  bool only_bad; /* valid rows are counted, not written */
  sigmill_plan plan;
  sigmill_keycache *keys; /* of all threads; NULL: none */
  /* Where it has a format, valid rows are written again with hints, and verdicts of
   * others go to stderr. */
  hint_target hint;
} judge_settings;

typedef struct {
  uint64_t valid, invalid, malformed;
  uint64_t reasons[REASON_COUNT];
  bool lacked_randomness; /* so that rows were verified one by one */
} judge_counts;

/* One per thread. */
typedef struct judge judge;

/* NULL without memory. */
judge *judge_create(const judge_settings *settings);
void judge_destroy(judge *j);
/* Judges every row of c and writes what comes of it to c->out and c->told. */
void judge_chunk(judge *j, chunk *c);
void judge_add_counts(judge_counts *sum, const judge *j);

#endif
