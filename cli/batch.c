/* sigmill batch: a file of signatures of any size, on all cores, in order. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#endif
#include "commands.h"
#include "files.h"
#include "judge.h"
#include "keyfile.h"
#include "options.h"
#include "output.h"
#include "pipeline.h"
#include "reason.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 1024

enum { INPUT = 2, FORMAT, DIGEST, LOW_S, THREADS, OUTPUT, OUT, ONLY_BAD };

static const option options[] = {
    {INPUT, "input", "KIND",
     "ndjson or binary; otherwise a file that begins with the binary rows' mark is "
     "binary."},
    {FORMAT, "format", "FORMAT",
     "Signature format of rows that do not say: raw, low-s, der, recoverable, "
     "compressed-r,\n"
     "full-r or jws.  Without it such rows are malformed."},
    {DIGEST, "digest", "NAME",
     "Hash of messages in rows that do not say: sha256 (default), sha384 or sha512."},
    {LOW_S, "low-s", NULL, "Refuse signatures with high s, in every format."},
    {KEY_OPTION_FILE, "key", "FILE", "Public key of rows that have none."},
    KEY_PUBLIC_OPTIONS,
    {THREADS, "threads", "N",
     "Worker threads, 1 to 1024; as many as there are processors if not given."},
    {OUTPUT, "output", "KIND",
     "ndjson (default): a line per row; bytes: 1 valid, 0 invalid, 2 malformed; none."},
    {ONLY_BAD, "only-bad", NULL, "Leave the valid rows out of the NDJSON output."},
    {OUT, "out", "FILE", "Where verdicts go; standard output if not given."},
    {0, NULL, NULL, NULL},
};

static const command_help help = {
    .name = "batch",
    .summary = "verify a file of signatures on all cores",
    .synopsis = "[OPTION]... [FILE]",
    .options = options,
    .notes =
        "FILE is NDJSON, a row per line:\n"
        "  {\"id\": 7, \"key\": \"02...\", \"format\": \"raw\", \"sig\": \"...\", "
        "\"msg\": \"...\"}\n"
        "key: hexadecimal or base64 (SEC1, SPKI), PEM, or a JWK object; sig: hexadecimal "
        "or\n"
        "base64; the message as one of msg (text), msg_hex, msg_b64, or digest\n"
        "(hexadecimal); hash: sha256, sha384 or sha512; or fixed binary rows behind a "
        "header.\n"
        "docs/formats.md has all of it.  \"-\" or nothing is standard input.\n"
        "\n"
        "A row that cannot be read gets the verdict malformed, and the run goes on.  "
        "Verdicts\n"
        "come in the order of the rows.  Memory is bounded whatever the size of the "
        "input; a\n"
        "line has at most 1 MiB.  The summary goes to stderr; with --json it is the last "
        "line\n"
        "of stdout, {\"summary\": {...}} (of stderr with --output bytes on stdout).\n"
        "Exit code: 0 all rows valid; 1 at least one invalid; 2 none invalid but at "
        "least one\n"
        "malformed, no rows at all, or the run could not be completed.\n",
    .examples =
        "  sigmill batch --only-bad log.ndjson\n"
        "  sigmill batch --format der --key pub.pem --json < rows.ndjson\n"
        "  sigmill batch --threads 2 --output bytes --out verdicts.bin rows.bin\n",
};

typedef struct {
  option_reader args;
  judge_settings settings;
  key_source key;
  sigmill_p256_pubkey default_key;
  const char *path, *out;
  enum { BY_MARK, AS_NDJSON, AS_BINARY } input;
  unsigned threads;
  bool json; /* the summary as an object */
  judge **judges;
} batch_job;

static bool take(void *context, int id) {
  batch_job *job = context;
  const char *value = job->args.value;
  uint64_t number;
  switch (id) {
  case INPUT:
    job->input = strcmp(value, "ndjson") == 0   ? AS_NDJSON
                 : strcmp(value, "binary") == 0 ? AS_BINARY
                                                : BY_MARK;
    return job->input != BY_MARK;
  case FORMAT:
    job->settings.policy.format = sig_format_from_name(value, strlen(value));
    return job->settings.policy.format != SIG_UNNAMED;
  case DIGEST:
    job->settings.policy.hash = hash_from_name(value, strlen(value));
    return job->settings.policy.hash != 0;
  case LOW_S:
    job->settings.policy.low_s = true;
    return true;
  case THREADS:
    if (!option_number(&number, value, 1, THREADS_MAX)) {
      return false;
    }
    job->threads = (unsigned)number;
    return true;
  case OUTPUT:
    if (strcmp(value, "bytes") == 0) {
      job->settings.output = OUTPUT_BYTES;
    } else if (strcmp(value, "none") == 0) {
      job->settings.output = OUTPUT_NONE;
    } else {
      return strcmp(value, "ndjson") == 0;
    }
    return true;
  case ONLY_BAD:
    job->settings.only_bad = true;
    return true;
  case OUT:
    job->out = value;
    return true;
  case OPTION_OPERAND: {
    bool first = job->path == NULL;
    job->path = value;
    return first;
  }
  default:
    return key_option(&job->key, id, value);
  }
}

/* The processors that this process may use. */
static unsigned processor_count(void) {
  long count = 0;
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    count = CPU_COUNT(&set);
  }
#endif
  if (count <= 0) {
    count = sysconf(_SC_NPROCESSORS_ONLN);
  }
  return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : (unsigned)count;
}

/* ---------------------------------------------------------------- the summary */

static void summary_json(buffer *out, const batch_job *job, const judge_counts *counts,
                         double seconds, bool complete) {
  const row_policy *policy = &job->settings.policy;
  uint64_t rows = counts->valid + counts->invalid + counts->malformed;
  json_open(out, NULL);
  json_open(out, "summary");
  json_bool(out, "complete", complete);
  json_u64(out, "rows", rows);
  json_u64(out, "valid", counts->valid);
  json_u64(out, "invalid", counts->invalid);
  json_u64(out, "malformed", counts->malformed);
  json_open(out, "reasons");
  for (int i = 0; i < REASON_COUNT; i++) {
    if (counts->reasons[i] > 0) {
      json_u64(out, reason_name(i), counts->reasons[i]);
    }
  }
  json_close(out);
  json_name(out, "seconds");
  buffer_format(out, "%.6f", seconds);
  json_u64(out, "signatures_per_second", (uint64_t)((double)rows / seconds));
  json_u64(out, "threads", job->threads);
  json_string(out, "backend", sigmill_backend_name());
  json_open(out, "policy");
  json_string(out, "scheme", "ecdsa-p256");
  json_string(out, "rows", job->settings.binary ? "binary" : "ndjson");
  json_string(out, "format",
              policy->format == SIG_UNNAMED ? NULL : sig_format_name(policy->format));
  json_string(out, "digest", hash_name(policy->hash));
  json_bool(out, "low_s", policy->low_s);
  json_bool(out, "hybrid_keys", policy->hybrid);
  json_close(out);
  json_close(out);
  json_close(out);
  buffer_text(out, "\n");
}

static void summary_text(buffer *out, const batch_job *job, const judge_counts *counts,
                         double seconds, bool complete) {
  const row_policy *policy = &job->settings.policy;
  uint64_t rows = counts->valid + counts->invalid + counts->malformed;
  buffer_u64(out, rows);
  buffer_format(out, " rows%s: ", complete ? "" : " before the run broke off");
  buffer_u64(out, counts->valid);
  buffer_text(out, " valid, ");
  buffer_u64(out, counts->invalid);
  buffer_text(out, " invalid, ");
  buffer_u64(out, counts->malformed);
  buffer_format(out, " malformed\n%.3f s, %.0f signatures/s, %u thread%s, backend %s\n",
                seconds, (double)rows / seconds, job->threads,
                job->threads == 1 ? "" : "s", sigmill_backend_name());
  buffer_format(out, "policy: ECDSA P-256, format %s, digest %s%s%s%s\n",
                policy->format == SIG_UNNAMED ? "as each row says"
                                              : sig_format_name(policy->format),
                hash_name(policy->hash),
                job->settings.binary ? "" : " where a row does not say",
                policy->low_s ? ", low s required" : "",
                policy->hybrid ? ", hybrid keys allowed" : "");
  for (int i = 0; i < REASON_COUNT; i++) {
    if (counts->reasons[i] > 0) {
      buffer_format(out, "%8llu %s: %s\n", (unsigned long long)counts->reasons[i],
                    reason_name(i), reason_text(i));
    }
  }
}

static bool summarize(const batch_job *job, const judge_counts *counts, double seconds,
                      bool complete) {
  buffer out = {0};
  if (job->json) {
    summary_json(&out, job, counts, seconds, complete);
    if (report_json()) {
      return stdout_put(&out);
    }
  } else {
    summary_text(&out, job, counts, seconds, complete);
  }
  bool ok = !out.failed && write_all(STDERR_FILENO, out.data, out.len) == 0;
  buffer_wipe(&out);
  return ok;
}

/* ---------------------------------------------------------------- the run */

static void work(void *context, unsigned worker, chunk *c) {
  judge_chunk(((batch_job *)context)->judges[worker], c);
}

static void show_progress(void *context, uint64_t rows) {
  (void)context;
  buffer line = {0};
  buffer_text(&line, "\r");
  buffer_u64(&line, rows);
  buffer_text(&line, " rows ");
  if (!line.failed && write_all(STDERR_FILENO, line.data, line.len) != 0) {
    line.failed = true; /* progress may be lost */
  }
  buffer_wipe(&line);
}

/* On a terminal, unless verdicts scroll by on it. */
static bool wants_progress(const batch_job *job) {
  bool verdicts_shown = job->settings.output != OUTPUT_NONE &&
                        path_is_standard(job->out) && isatty(STDOUT_FILENO);
  return isatty(STDERR_FILENO) && !verdicts_shown;
}

#define MARK_SIZE 8 /* of binary rows; a byte order mark has 3 */

static bool has_byte_order_mark(const uint8_t *start, size_t len) {
  return len >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0;
}

/* Reads up to `want` bytes of the start, and no more than needed to see that there is no
 * mark: rows may come slowly. */
static int read_start(uint8_t *start, size_t *len, size_t want, int fd) {
  while (*len < want) {
    ssize_t n = read(fd, start + *len, want - *len);
    if (n < 0 && errno != EINTR) {
      return errno;
    }
    if (n == 0) {
      break;
    }
    *len += n > 0 ? (size_t)n : 0;
    size_t seen = *len < MARK_SIZE ? *len : MARK_SIZE, seen_bom = *len < 3 ? *len : 3;
    if (memcmp(start, BINARY_MAGIC, seen) != 0 &&
        memcmp(start, "\xef\xbb\xbf", seen_bom) != 0) {
      break;
    }
  }
  return 0;
}

/* Sees what the rows are, and reads the header of binary ones.  CLI_VALID to go on. */
static int look_at_start(batch_job *job, pipeline_job *run) {
  uint8_t start[BINARY_HEADER_SIZE];
  char detail[160];
  size_t len = 0;
  int error = read_start(start, &len, MARK_SIZE, run->in_fd);
  job->settings.binary =
      job->input == AS_BINARY || (job->input == BY_MARK && binary_is_header(start, len));
  if (error == 0 && job->settings.binary) {
    error = read_start(start, &len, BINARY_HEADER_SIZE, run->in_fd);
  }
  if (error != 0) {
    return report_system(run->in_name, "cannot read", error);
  }
  if (!job->settings.binary) {
    size_t skipped = has_byte_order_mark(start, len) ? 3 : 0;
    run->offset = skipped;
    buffer_put(&run->carry, start + skipped, len - skipped);
    return run->carry.failed ? report_memory() : CLI_VALID;
  }
  if (len < BINARY_HEADER_SIZE && (len < MARK_SIZE || binary_is_header(start, len))) {
    return report(REASON_TRUNCATED_FILE, run->in_name,
                  "byte %zu: the file ends inside its header of %d bytes", len,
                  BINARY_HEADER_SIZE);
  }
  int reason = binary_read_header(&job->settings.layout, detail, start);
  if (reason != SIGMILL_OK) {
    return report(reason, run->in_name, "%s", detail);
  }
  run->row_size = job->settings.layout.row_size;
  run->rows_wanted = job->settings.layout.rows;
  run->offset = BINARY_HEADER_SIZE;
  job->settings.policy.format = job->settings.layout.format;
  job->settings.policy.hash = job->settings.layout.hash;
  return CLI_VALID;
}

static double seconds_now(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int run_rows(batch_job *job, pipeline_job *run, output *out) {
  judge_counts counts = {0};
  uint64_t rows;
  double start = seconds_now();
  job->judges = calloc(job->threads, sizeof *job->judges);
  bool ready = job->judges != NULL;
  for (unsigned i = 0; ready && i < job->threads; i++) {
    job->judges[i] = judge_create(&job->settings);
    ready = job->judges[i] != NULL;
  }
  bool complete = ready ? pipeline_run(run, &rows) : report_memory() == CLI_VALID;
  for (unsigned i = 0; job->judges != NULL && i < job->threads; i++) {
    if (job->judges[i] != NULL) {
      judge_add_counts(&counts, job->judges[i]);
    }
    judge_destroy(job->judges[i]);
  }
  free(job->judges);
  if (run->progress != NULL && write_all(STDERR_FILENO, "\r\033[K", 4) != 0) {
    complete = false;
  }
  /* The verdicts of a run that was cut short stand as far as they go. */
  if (!ready || run->write_failed) {
    outputs_drop(out, 1);
  } else if (!outputs_commit(out, 1)) {
    complete = false;
  }
  uint64_t judged = counts.valid + counts.invalid + counts.malformed;
  if (complete && judged == 0) {
    report(REASON_NO_ROWS, run->in_name, "%s", reason_text(REASON_NO_ROWS));
    complete = false;
  }
  bool told = summarize(job, &counts, seconds_now() - start, complete);
  if (!complete || !told) {
    return CLI_TROUBLE;
  }
  return counts.invalid > 0     ? CLI_INVALID
         : counts.malformed > 0 ? CLI_TROUBLE
                                : CLI_VALID;
}

int command_batch(int argc, char **argv) {
  batch_job job = {.settings.policy.hash = SIGMILL_SHA256};
  key_facts facts;
  if (!option_take_all(&job.args, &help, argc, argv, take, &job)) {
    return job.args.exit_code;
  }
  job.settings.policy.hybrid = job.key.hybrid;
  job.json = report_json();
  if (job.settings.output == OUTPUT_BYTES && path_is_standard(job.out)) {
    report_begin(help.name, false); /* nothing but verdicts goes to stdout */
  }
  job.threads = job.threads == 0 ? processor_count() : job.threads;
  if (job.key.path != NULL) {
    if (path_is_standard(job.key.path) && path_is_standard(job.path)) {
      return option_wrong(&job.args, "only one file can be standard input");
    }
    if (!key_load_public(&job.default_key, &facts, &job.key)) {
      return CLI_TROUBLE;
    }
    job.settings.policy.key = &job.default_key;
  }
  pipeline_job run = {.in_name = path_shown(job.path),
                      .out_name = path_is_standard(job.out) ? "stdout" : job.out,
                      .threads = job.threads,
                      .line_max = LINE_MAX_BYTES,
                      .work = work,
                      .progress = wants_progress(&job) ? show_progress : NULL,
                      .context = &job};
  run.in_fd = file_open(job.path);
  if (run.in_fd < 0) {
    return CLI_TROUBLE;
  }
  int code = look_at_start(&job, &run);
  output out = {.path = job.out, .force = true};
  if (code == CLI_VALID && !outputs_open(&out, 1)) {
    code = CLI_TROUBLE;
  } else if (code == CLI_VALID) {
    run.out_fd = out.fd;
    code = run_rows(&job, &run, &out);
  }
  buffer_wipe(&run.carry);
  if (run.in_fd != STDIN_FILENO) {
    close(run.in_fd);
  }
  return code;
}
