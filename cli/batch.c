/* sigmill batch: a file of signatures of any size, on all cores, in order. */
#include "commands.h"
#include "files.h"
#include "reason.h"
#include "row_job.h"
#include <string.h>

/* Tables of about 850 keys. */
#define KEY_CACHE_BYTES (8u * 1024 * 1024)

enum { OUTPUT = 2, ONLY_BAD, PLAN, KEY_CACHE };

static const option options[] = {
    ROW_INPUT_OPTION,
    {ROW_OPTION_FORMAT, "format", "FORMAT",
     "Signature format of rows that do not say: raw, low-s, der, recoverable, "
     "compressed-r,\n"
     "full-r or jws.  Without it such rows are malformed."},
    ROW_POLICY_OPTIONS,
    KEY_PUBLIC_OPTIONS,
    ROW_THREADS_OPTION,
    {PLAN, "plan", "PLAN",
     "How signatures with R are verified: auto (default), whatever is cheapest; each, by "
     "an\n"
     "equation of its own; equation, first by one for many.  Verdicts are the same."},
    {KEY_CACHE, "key-cache", "BYTES",
     "Memory for keys that come again, whose tables make signatures without R cheap, "
     "for\n"
     "all threads together: 0 (none), or 16384 and more; 8388608 if not given."},
    {OUTPUT, "output", "KIND",
     "ndjson (default): a line per row; bytes: 1 valid, 0 invalid, 2 malformed; none."},
    {ONLY_BAD, "only-bad", NULL, "Leave the valid rows out of the NDJSON output."},
    {ROW_OPTION_OUT, "out", "FILE", "Where verdicts go; standard output if not given."},
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

static const char *const plan_names[] = {[SIGMILL_PLAN_AUTO] = "auto",
                                         [SIGMILL_PLAN_EACH] = "each",
                                         [SIGMILL_PLAN_EQUATION] = "equation"};

static bool take_plan(judge_settings *settings, const char *name) {
  for (int i = 0; i < 3; i++) {
    if (strcmp(name, plan_names[i]) == 0) {
      settings->plan = (sigmill_plan)i;
      return true;
    }
  }
  return false;
}

static bool take_bytes(size_t *bytes, const char *text) {
  uint64_t number;
  bool ok = option_number(&number, text, 0, SIZE_MAX) &&
            (number == 0 || number >= SIGMILL_KEYCACHE_MIN);
  *bytes = ok ? (size_t)number : 0;
  return ok;
}

static bool take(void *context, int id) {
  row_job *job = context;
  const char *value = job->args.value;
  switch (id) {
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
  case PLAN:
    return take_plan(&job->settings, value);
  case KEY_CACHE:
    return take_bytes(&job->key_bytes, value);
  default:
    return row_option(job, id, value);
  }
}

/* ---------------------------------------------------------------- the summary */

static void key_cache_json(buffer *out, const sigmill_keycache_count *keys) {
  json_open(out, "key_cache");
  json_u64(out, "max_bytes", keys->max_bytes);
  json_u64(out, "bytes", keys->bytes);
  json_u64(out, "keys", keys->keys);
  json_u64(out, "tables", keys->tables);
  json_u64(out, "hits", keys->hits);
  json_u64(out, "misses", keys->misses);
  json_u64(out, "table_hits", keys->table_hits);
  json_u64(out, "tables_made", keys->tables_made);
  json_u64(out, "evicted_keys", keys->evicted_keys);
  json_u64(out, "evicted_tables", keys->evicted_tables);
  json_close(out);
}

static void summary_json(buffer *out, const row_job *job) {
  const row_policy *policy = &job->settings.policy;
  json_open(out, NULL);
  json_open(out, "summary");
  row_job_put_members(out, job);
  json_string(out, "plan", plan_names[job->settings.plan]);
  json_bool(out, "randomness_failed", job->counts.lacked_randomness);
  if (job->keys.max_bytes > 0) {
    key_cache_json(out, &job->keys);
  } else {
    json_string(out, "key_cache", NULL);
  }
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

static void summary_text(buffer *out, const row_job *job) {
  const row_policy *policy = &job->settings.policy;
  const judge_counts *counts = &job->counts;
  uint64_t rows = counts->valid + counts->invalid + counts->malformed;
  buffer_u64(out, rows);
  buffer_format(out, " rows%s: ", job->complete ? "" : " before the run broke off");
  buffer_u64(out, counts->valid);
  buffer_text(out, " valid, ");
  buffer_u64(out, counts->invalid);
  buffer_text(out, " invalid, ");
  buffer_u64(out, counts->malformed);
  buffer_format(out,
                " malformed\n%.3f s, %.0f signatures/s, %u thread%s, backend %s, plan "
                "%s\n",
                job->seconds, (double)rows / job->seconds, job->threads,
                job->threads == 1 ? "" : "s", sigmill_backend_name(),
                plan_names[job->settings.plan]);
  if (job->keys.table_hits > 0) {
    buffer_format(out, "key cache: %llu rows by tables of keys, %zu keys, %zu tables\n",
                  (unsigned long long)job->keys.table_hits, job->keys.keys,
                  job->keys.tables);
  }
  buffer_format(out, "policy: ECDSA P-256, format %s, digest %s%s%s%s\n",
                policy->format == SIG_UNNAMED ? "as each row says"
                                              : sig_format_name(policy->format),
                hash_name(policy->hash),
                job->settings.binary ? "" : " where a row does not say",
                policy->low_s ? ", low s required" : "",
                policy->hybrid ? ", hybrid keys allowed" : "");
  row_job_put_reasons(out, job);
}

static bool summarize(const row_job *job) {
  buffer out = {0};
  if (job->json) {
    summary_json(&out, job);
    if (report_json()) {
      return stdout_put(&out);
    }
  } else {
    summary_text(&out, job);
  }
  return stderr_put(&out);
}

int command_batch(int argc, char **argv) {
  row_job job = {.settings.policy.hash = SIGMILL_SHA256, .key_bytes = KEY_CACHE_BYTES};
  if (!option_take_all(&job.args, &help, argc, argv, take, &job)) {
    return job.args.exit_code;
  }
  job.json = report_json();
  if (job.settings.output == OUTPUT_BYTES && path_is_standard(job.out)) {
    report_begin(help.name, false); /* nothing but verdicts goes to stdout */
  }
  return row_job_run(&job, summarize);
}
