/* Rows through worker threads: options, the look at the file's beginning, the run. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#endif
#include "row_job.h"

#include "files.h"
#include "pipeline.h"
#include "reason.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 1024

bool row_option(row_job *job, int id, const char *value) {
  uint64_t number;
  bool first;
  switch (id) {
  case ROW_OPTION_INPUT:
    job->input = strcmp(value, "ndjson") == 0   ? AS_NDJSON
                 : strcmp(value, "binary") == 0 ? AS_BINARY
                                                : BY_MARK;
    return job->input != BY_MARK;
  case ROW_OPTION_FORMAT:
    job->settings.policy.format = sig_format_from_name(value, strlen(value));
    return job->settings.policy.format != SIG_UNNAMED;
  case ROW_OPTION_DIGEST:
    job->settings.policy.hash = hash_from_name(value, strlen(value));
    return job->settings.policy.hash != 0;
  case ROW_OPTION_LOW_S:
    job->settings.policy.low_s = true;
    return true;
  case ROW_OPTION_THREADS:
    if (!option_number(&number, value, 1, THREADS_MAX)) {
      return false;
    }
    job->threads = (unsigned)number;
    return true;
  case ROW_OPTION_OUT:
    job->out = value;
    return true;
  case OPTION_OPERAND:
    first = job->path == NULL;
    job->path = value;
    return first;
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

/* ---------------------------------------------------------------- telling */

static uint64_t rows_judged(const row_job *job) {
  return job->counts.valid + job->counts.invalid + job->counts.malformed;
}

void row_job_put_reasons(buffer *out, const row_job *job) {
  for (int i = 0; i < REASON_COUNT; i++) {
    if (job->counts.reasons[i] > 0) {
      buffer_format(out, "%8llu %s: %s\n", (unsigned long long)job->counts.reasons[i],
                    reason_name(i), reason_text(i));
    }
  }
}

void row_job_put_members(buffer *out, const row_job *job) {
  json_bool(out, "complete", job->complete);
  json_u64(out, "rows", rows_judged(job));
  json_u64(out, "valid", job->counts.valid);
  json_u64(out, "invalid", job->counts.invalid);
  json_u64(out, "malformed", job->counts.malformed);
  json_open(out, "reasons");
  for (int i = 0; i < REASON_COUNT; i++) {
    if (job->counts.reasons[i] > 0) {
      json_u64(out, reason_name(i), job->counts.reasons[i]);
    }
  }
  json_close(out);
  json_name(out, "seconds");
  buffer_format(out, "%.6f", job->seconds);
  json_u64(out, "signatures_per_second",
           (uint64_t)((double)rows_judged(job) / job->seconds));
  json_u64(out, "threads", job->threads);
  json_string(out, "backend", sigmill_backend_name());
}

/* ---------------------------------------------------------------- the run */

typedef struct {
  row_job *job;
  judge **judges;
} row_workers;

static void work(void *context, unsigned worker, chunk *c) {
  judge_chunk(((row_workers *)context)->judges[worker], c);
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

#define MARK_SIZE 8 /* of binary rows; a byte order mark has 3 */

static bool has_byte_order_mark(const uint8_t *start, size_t len) {
  return len >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0;
}

/* Reads up to `want` bytes of the start, and no more than needed to see that there is no
 * mark: rows may come slowly. */
static int read_start(uint8_t *start, size_t *len, size_t want, int fd) {
  while (*len < want) {
    ssize_t n = read(fd, start + *len, want - *len);
    if (n < 0 && !wait_ready(fd, errno, POLLIN)) {
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
static int look_at_start(row_job *job, pipeline_job *run) {
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
  if (job->settings.policy.plain && sig_format_has_hint(job->settings.layout.format)) {
    return report(REASON_HEADER, run->in_name,
                  "byte 12: signatures of format %s have their R already",
                  sig_format_name(job->settings.layout.format));
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

/* Rows that all have R have no use for one.  Without randomness there is none, and rows
 * are verified all the same. */
static bool make_key_cache(row_job *job) {
  sigmill_keycache *made = NULL;
  if (job->settings.binary && sig_format_has_hint(job->settings.layout.format)) {
    job->key_bytes = 0;
  }
  sigmill_status status =
      job->key_bytes == 0 ? SIGMILL_OK : sigmill_keycache_create(&made, job->key_bytes);
  job->settings.keys = made;
  job->counts.lacked_randomness = status == SIGMILL_ERR_RANDOM;
  return status == SIGMILL_OK || status == SIGMILL_ERR_RANDOM;
}

static bool make_judges(row_workers *workers) {
  row_job *job = workers->job;
  workers->judges = calloc(job->threads, sizeof *workers->judges);
  bool ready = workers->judges != NULL && make_key_cache(job);
  for (unsigned i = 0; ready && i < job->threads; i++) {
    workers->judges[i] = judge_create(&job->settings);
    ready = workers->judges[i] != NULL;
  }
  return ready;
}

static void end_judges(row_workers *workers) {
  row_job *job = workers->job;
  for (unsigned i = 0; workers->judges != NULL && i < job->threads; i++) {
    if (workers->judges[i] != NULL) {
      judge_add_counts(&job->counts, workers->judges[i]);
    }
    judge_destroy(workers->judges[i]);
  }
  free(workers->judges);
  if (job->settings.keys != NULL) {
    sigmill_keycache_counts(&job->keys, job->settings.keys);
  }
  sigmill_keycache_destroy(job->settings.keys);
}

/* What stands before the rows of a binary output. */
static bool write_head(const row_job *job, const pipeline_job *run) {
  uint8_t head[BINARY_HEADER_SIZE];
  if (!job->settings.binary || job->settings.hint.format == SIG_UNNAMED) {
    return true;
  }
  hinted_binary_header(head, &job->settings.layout, job->settings.hint.format);
  int error = write_all(run->out_fd, head, sizeof head);
  return error == 0 || report_system(run->out_name, "cannot write", error) == CLI_VALID;
}

static void tell_lack_of_randomness(void) {
  static const char text[] =
      "sigmill: the source of randomness failed: verdicts are right, but took longer "
      "(signatures with R one by one, keys without a cache)\n";
  (void)write_all(STDERR_FILENO, text, sizeof text - 1);
}

static int run_rows(row_job *job, pipeline_job *run, output *out,
                    bool (*done)(const row_job *job)) {
  uint64_t rows;
  double start = seconds_now();
  row_workers workers = {.job = job};
  run->context = &workers;
  bool ready = make_judges(&workers);
  job->complete = ready ? write_head(job, run) && pipeline_run(run, &rows)
                        : report_memory() == CLI_VALID;
  end_judges(&workers);
  if (run->progress != NULL && write_all(STDERR_FILENO, "\r\033[K", 4) != 0) {
    job->complete = false;
  }
  if (job->counts.lacked_randomness) {
    tell_lack_of_randomness();
  }
  /* What a run that was cut short has written stands as far as it goes. */
  if (!ready || run->write_failed) {
    outputs_drop(out, 1);
  } else if (!outputs_commit(out, 1)) {
    job->complete = false;
  }
  if (job->complete && rows_judged(job) == 0) {
    report(REASON_NO_ROWS, run->in_name, "%s", reason_text(REASON_NO_ROWS));
    job->complete = false;
  }
  job->seconds = seconds_now() - start;
  bool told = done(job);
  if (!job->complete || !told) {
    return CLI_TROUBLE;
  }
  return job->counts.invalid > 0     ? CLI_INVALID
         : job->counts.malformed > 0 ? CLI_TROUBLE
                                     : CLI_VALID;
}

/* Progress is shown on a terminal, unless rows scroll by on it. */
static bool wants_progress(const row_job *job) {
  bool shown = job->settings.output != OUTPUT_NONE && path_is_standard(job->out) &&
               isatty(STDOUT_FILENO);
  return isatty(STDERR_FILENO) && !shown;
}

int row_job_run(row_job *job, bool (*done)(const row_job *job)) {
  key_facts facts;
  job->settings.policy.hybrid = job->key.hybrid;
  job->threads = job->threads == 0 ? processor_count() : job->threads;
  if (job->key.path != NULL) {
    if (path_is_standard(job->key.path) && path_is_standard(job->path)) {
      return option_wrong(&job->args, "only one file can be standard input");
    }
    if (!key_load_public(&job->default_key, &facts, &job->key)) {
      return CLI_TROUBLE;
    }
    job->settings.policy.key = &job->default_key;
  }
  pipeline_job run = {.in_name = path_shown(job->path),
                      .out_name = path_is_standard(job->out) ? "stdout" : job->out,
                      .threads = job->threads,
                      .line_max = LINE_MAX_BYTES,
                      .work = work,
                      .progress = wants_progress(job) ? show_progress : NULL};
  run.in_fd = file_open(job->path);
  if (run.in_fd < 0) {
    return CLI_TROUBLE;
  }
  int code = look_at_start(job, &run);
  output out = {.path = job->out, .force = true};
  if (code == CLI_VALID && !outputs_open(&out, 1)) {
    code = CLI_TROUBLE;
  } else if (code == CLI_VALID) {
    run.out_fd = out.fd;
    code = run_rows(job, &run, &out, done);
  }
  buffer_wipe(&run.carry);
  if (run.in_fd != STDIN_FILENO) {
    close(run.in_fd);
  }
  return code;
}
