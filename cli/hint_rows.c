/* sigmill hint --batch: rows with hinted signatures, on all cores, in order. */
#include "hint_rows.h"

#include "files.h"
#include "reason.h"
#include "row_job.h"
#include <string.h>

enum { BATCH = 2, TO, OUT_ENCODING };

static const option options[] = {
    {BATCH, "batch", NULL, "FILE holds rows.  Without it: one signature, of a message."},
    {TO, "to", "FORMAT",
     "recoverable (65 bytes, the recovery id first), compressed-r (65 bytes, 02 or 03 "
     "first)\n"
     "or full-r (96 bytes)."},
    ROW_INPUT_OPTION,
    {ROW_OPTION_FORMAT, "format", "FORMAT",
     "Signature format of rows that do not say: raw, low-s or der."},
    ROW_POLICY_OPTIONS,
    KEY_PUBLIC_OPTIONS,
    ROW_THREADS_OPTION,
    {OUT_ENCODING, "out-encoding", "ENCODING",
     "Signatures in NDJSON as hex (default) or base64."},
    {ROW_OPTION_OUT, "out", "FILE", "Where rows go; standard output if not given."},
    {0, NULL, NULL, NULL},
};

static const command_help help = {
    .name = "hint --batch",
    .summary = "add the point R to the signatures of a file of rows, on all cores",
    .synopsis = "--to FORMAT [OPTION]... [FILE]",
    .options = options,
    .notes =
        "FILE is NDJSON or fixed binary rows, as \"sigmill batch\" reads them "
        "(docs/formats.md);\n"
        "\"-\" or nothing is standard input.  Each row comes out as it was, but for its "
        "signature\n"
        "and \"format\", in the order of the input and in the same kind of rows.  s is "
        "made low.\n"
        "Rows whose signature does not verify and rows that cannot be read do not come "
        "out:\n"
        "their verdicts go to stderr, a line each, as \"sigmill batch --only-bad\" has "
        "them, and\n"
        "then the summary, with --json as an object.\n"
        "Exit code: 0 all rows have their hint; 1 at least one is invalid; 2 none "
        "invalid but at\n"
        "least one malformed, no rows at all, or the run could not be completed.\n",
    .examples = "  sigmill hint --batch --to full-r --out hinted.ndjson log.ndjson\n"
                "  sigmill hint --batch --to recoverable < rows.bin | sigmill batch\n",
};

static bool take(void *context, int id) {
  row_job *job = context;
  hint_target *hint = &job->settings.hint;
  const char *value = job->args.value;
  switch (id) {
  case BATCH:
    return true;
  case TO:
    hint->format = sig_format_from_name(value, strlen(value));
    return sig_format_has_hint(hint->format);
  case OUT_ENCODING:
    return sig_encoding_from_name(&hint->encoding, value) &&
           hint->encoding != ENCODING_BINARY;
  case ROW_OPTION_FORMAT:
    return row_option(job, id, value) && job->settings.policy.format != SIG_JWS &&
           !sig_format_has_hint(job->settings.policy.format);
  default:
    return row_option(job, id, value);
  }
}

static void summary_json(buffer *out, const row_job *job) {
  json_open(out, NULL);
  json_open(out, "summary");
  row_job_put_members(out, job);
  json_string(out, "rows_are", job->settings.binary ? "binary" : "ndjson");
  json_string(out, "format", sig_format_name(job->settings.hint.format));
  json_close(out);
  json_close(out);
  buffer_text(out, "\n");
}

static void summary_text(buffer *out, const row_job *job) {
  const judge_counts *counts = &job->counts;
  uint64_t rows = counts->valid + counts->invalid + counts->malformed;
  buffer_u64(out, counts->valid);
  buffer_text(out, " of ");
  buffer_u64(out, rows);
  buffer_format(
      out, " rows%s hinted as %s: ", job->complete ? "" : ", before the run broke off,",
      sig_format_name(job->settings.hint.format));
  buffer_u64(out, counts->invalid);
  buffer_text(out, " invalid, ");
  buffer_u64(out, counts->malformed);
  buffer_format(out, " malformed\n%.3f s, %.0f signatures/s, %u thread%s, backend %s\n",
                job->seconds, (double)rows / job->seconds, job->threads,
                job->threads == 1 ? "" : "s", sigmill_backend_name());
  row_job_put_reasons(out, job);
}

static bool summarize(const row_job *job) {
  buffer out = {0};
  if (job->json) {
    summary_json(&out, job);
  } else {
    summary_text(&out, job);
  }
  return stderr_put(&out);
}

bool hint_is_of_rows(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--batch") == 0) {
      return true;
    }
  }
  return false;
}

int hint_rows_run(int argc, char **argv) {
  row_job job = {.settings.policy = {.hash = SIGMILL_SHA256, .plain = true}};
  if (!option_take_all(&job.args, &help, argc, argv, take, &job)) {
    return job.args.exit_code;
  }
  if (job.settings.hint.format == SIG_UNNAMED) {
    return option_wrong(&job.args, "--to is missing");
  }
  job.json = report_json();
  report_begin(help.name, false); /* nothing but rows goes to stdout */
  return row_job_run(&job, summarize);
}
