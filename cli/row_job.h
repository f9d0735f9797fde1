/* A file of rows through worker threads: what `batch` and `hint --batch` have in common,
 * from the options to the end of the run. */
#ifndef SIGMILL_CLI_ROW_JOB_H
#define SIGMILL_CLI_ROW_JOB_H

#include "judge.h"
#include "keyfile.h"
#include "options.h"
#include "output.h"

typedef struct {
  option_reader args;
  judge_settings settings;
  key_source key;
  sigmill_p256_pubkey default_key;
  const char *path, *out;
  enum { BY_MARK, AS_NDJSON, AS_BINARY } input;
  unsigned threads; /* 0: as many as there are processors */
  size_t key_bytes; /* of settings.keys; 0: none */
  bool json;        /* the summary as an object */
  judge_counts counts;
  sigmill_keycache_count keys; /* at the end */
  double seconds;
  bool complete; /* all was read and written */
} row_job;

/* Options of both commands, for their tables, and the operand that names the file. */
enum {
  ROW_OPTION_INPUT = 300,
  ROW_OPTION_FORMAT,
  ROW_OPTION_DIGEST,
  ROW_OPTION_LOW_S,
  ROW_OPTION_THREADS,
  ROW_OPTION_OUT
};
#define ROW_INPUT_OPTION                                                                 \
  {                                                                                      \
    ROW_OPTION_INPUT, "input", "KIND",                                                   \
        "ndjson or binary; otherwise a file that begins with the binary rows' mark is "  \
        "binary."                                                                        \
  }
#define ROW_POLICY_OPTIONS                                                               \
  {ROW_OPTION_DIGEST, "digest", "NAME",                                                  \
   "Hash of messages in rows that do not say: sha256 (default), sha384 or sha512."},     \
      {ROW_OPTION_LOW_S, "low-s", NULL,                                                  \
       "Refuse signatures with high s, in every format."},                               \
  {                                                                                      \
    KEY_OPTION_FILE, "key", "FILE", "Public key of rows that have none."                 \
  }
#define ROW_THREADS_OPTION                                                               \
  {                                                                                      \
    ROW_OPTION_THREADS, "threads", "N",                                                  \
        "Worker threads, 1 to 1024; as many as there are processors if not given."       \
  }

/* Takes one of them, or an option of the key.  False, and nothing told, if the value is
 * unknown or the operand one too many. */
bool row_option(row_job *job, int id, const char *value);

/* Reads the default key and the file's beginning, and runs all rows through judges.
 * `done`, which tells how it went, is called at the end, unless there was no beginning;
 * false if that could not be written.  Returns the exit code. */
int row_job_run(row_job *job, bool (*done)(const row_job *job));

/* One line for each reason that rows had. */
void row_job_put_reasons(buffer *out, const row_job *job);
/* Members of a summary that both have: how many rows, the reasons, and how it was done.
 */
void row_job_put_members(buffer *out, const row_job *job);

#endif
