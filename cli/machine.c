/* sigmill cpu and sigmill selftest: what this machine offers, and whether it answers
 * right. */
#include "backend_choice.h"
#include "buffer.h"
#include "commands.h"
#include "files.h"
#include "options.h"
#include "reason.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const option no_options[] = {{0, NULL, NULL, NULL}};

/* Reads arguments where there are none but those of every command; *backend is the value
 * of --backend, NULL if it was not given.  False: leave with *exit_code. */
static bool no_arguments(const command_help *help, int argc, char **argv, int *exit_code,
                         const char **backend) {
  option_reader args;
  option_begin(&args, help, argc, argv);
  int id = option_next(&args);
  *exit_code = id == OPTION_EXIT ? args.exit_code : CLI_VALID;
  if (id > OPTION_END) {
    *exit_code = option_wrong(&args, "nothing is expected here: %s", args.value);
  }
  *backend = args.backend;
  return id == OPTION_END;
}

/* ---------------------------------------------------------------- cpu */

static const command_help cpu_help = {
    .name = "cpu",
    .summary = "the processor, its features, and the code chosen for it",
    .synopsis = "[--backend NAME] [--json]",
    .options = no_options,
    .notes = "Features are those that matter to arithmetic and hashing, by the names "
             "that Linux\n"
             "gives them.  The backends use bmi2 and adx; avx512ifma with avx512f, "
             "avx512bw,\n"
             "avx512dq and avx512vl; avx_ifma with avx2.  SHA-256 uses sha_ni.\n"
             "A SIGMILL_BACKEND that cannot be used is told in a note; other commands "
             "refuse\n"
             "it.\n",
    .examples = "  sigmill cpu\n"
                "  SIGMILL_BACKEND=portable sigmill cpu --json\n",
};

/* Names as the Linux kernel writes them. */
static const char *const features[] = {"bmi2",       "adx",      "sha_ni",   "avx2",
                                       "avx512f",    "avx512bw", "avx512dq", "avx512vl",
                                       "avx512ifma", "avx_ifma", "sha2",     "asimd"};
#define FEATURE_COUNT (sizeof features / sizeof features[0])

typedef struct {
  char model[128];
  bool has[FEATURE_COUNT];
  bool known;
} processor;

static bool has_word(const char *line, const char *word) {
  size_t len = strlen(word);
  for (const char *at = line; (at = strstr(at, word)) != NULL; at += len) {
    bool starts = at == line || at[-1] == ' ' || at[-1] == '\t';
    bool ends = at[len] == '\0' || at[len] == ' ' || at[len] == '\n';
    if (starts && ends) {
      return true;
    }
  }
  return false;
}

static void take_line(processor *p, const char *line) {
  const char *colon = strchr(line, ':');
  if (colon == NULL) {
    return;
  }
  if (strncmp(line, "model name", 10) == 0 && p->model[0] == '\0') {
    (void)snprintf(p->model, sizeof p->model, "%s", colon + 2);
    p->model[strcspn(p->model, "\n")] = '\0';
  }
  if (!p->known &&
      (strncmp(line, "flags", 5) == 0 || strncmp(line, "Features", 8) == 0)) {
    p->known = true;
    for (size_t i = 0; i < FEATURE_COUNT; i++) {
      p->has[i] = has_word(colon, features[i]);
    }
  }
}

static processor read_processor(void) {
  processor p = {0};
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (file != NULL) {
    char *line = NULL;
    size_t cap = 0;
    while (getline(&line, &cap, file) > 0) {
      take_line(&p, line);
    }
    free(line);
    (void)fclose(file);
  }
  return p;
}

static void cpu_json(buffer *out, const processor *p) {
  bool usable;
  const char *name;
  json_open(out, NULL);
  json_string(out, "command", "cpu");
  json_string(out, "version", sigmill_version());
  json_string(out, "model", p->model[0] != '\0' ? p->model : NULL);
  json_open(out, "features");
  for (size_t i = 0; p->known && i < FEATURE_COUNT; i++) {
    json_bool(out, features[i], p->has[i]);
  }
  json_close(out);
  json_open(out, "backends");
  for (size_t i = 0; (name = sigmill_backend_list(i, &usable)) != NULL; i++) {
    json_bool(out, name, usable);
  }
  json_close(out);
  json_string(out, "backend", sigmill_backend_name());
  json_string(out, "note", sigmill_backend_note());
  json_close(out);
  buffer_text(out, "\n");
}

int command_cpu(int argc, char **argv) {
  int exit_code;
  const char *backend;
  if (!no_arguments(&cpu_help, argc, argv, &exit_code, &backend)) {
    return exit_code;
  }
  /* What the environment says is shown, not judged. */
  if (backend != NULL && backend_choose(backend) != CLI_VALID) {
    return CLI_TROUBLE;
  }
  processor p = read_processor();
  buffer out = {0};
  bool usable;
  const char *name;
  if (report_json()) {
    cpu_json(&out, &p);
    return stdout_put(&out) ? CLI_VALID : CLI_TROUBLE;
  }
  buffer_format(&out, "processor  %s\n", p.model[0] != '\0' ? p.model : "unknown");
  buffer_text(&out, "features  ");
  for (size_t i = 0; i < FEATURE_COUNT; i++) {
    buffer_format(&out, "%s%s", p.has[i] ? " " : "", p.has[i] ? features[i] : "");
  }
  buffer_text(&out, p.known ? "\nbackends  " : " unknown\nbackends  ");
  for (size_t i = 0; (name = sigmill_backend_list(i, &usable)) != NULL; i++) {
    buffer_format(&out, " %s%s", name, usable ? "" : " (not on this machine)");
  }
  buffer_format(&out, "\nin use     %s\n", sigmill_backend_name());
  if (sigmill_backend_note() != NULL) {
    buffer_format(&out, "note       %s\n", sigmill_backend_note());
  }
  return stdout_put(&out) ? CLI_VALID : CLI_TROUBLE;
}

/* ---------------------------------------------------------------- selftest */

static const command_help selftest_help = {
    .name = "selftest",
    .summary = "known answers through every backend that this machine can run",
    .synopsis = "[--backend NAME] [--json]",
    .options = no_options,
    .notes = "Key generation, signing, verification, recovery, hints, ECDH, SHA-2 and "
             "lanes,\n"
             "each backend in a process of its own, whatever SIGMILL_BACKEND says; with\n"
             "--backend that one alone.\n"
             "Exit code: 0 all right, 1 a wrong answer, 2 when a test could not run.\n",
    .examples = "  sigmill selftest\n"
                "  sigmill selftest --backend portable\n"
                "  sigmill selftest --json\n",
};

typedef struct {
  bool ran, passed;
  char failed[96]; /* the first wrong answer, or why it did not run */
} selftest_result;

/* In the child: the choice of a backend is settled once per process, here by name. */
static void selftest_child(const char *name, int to_parent) {
  const char *failed = "it cannot be chosen";
  int code = CLI_TROUBLE;
  if (unsetenv("SIGMILL_BACKEND") != 0) {
    failed = "SIGMILL_BACKEND cannot be removed";
  } else if (sigmill_backend_select(name) == SIGMILL_OK) {
    code = sigmill_selftest(&failed) ? CLI_VALID : CLI_INVALID;
  } else if (sigmill_backend_note() != NULL) {
    failed = sigmill_backend_note();
    code = CLI_INVALID;
  }
  if (code != CLI_VALID && write_all(to_parent, failed, strlen(failed)) != 0) {
    code = CLI_TROUBLE;
  }
  _exit(code);
}

static void not_run(selftest_result *result, const char *doing, int error) {
  (void)snprintf(result->failed, sizeof result->failed, "%s: %s", doing, strerror(error));
}

static selftest_result selftest_run(const char *name) {
  selftest_result result = {0};
  int ends[2], status;
  if (pipe(ends) != 0) {
    not_run(&result, "cannot make a pipe", errno);
    return result;
  }
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    selftest_child(name, ends[1]);
  }
  close(ends[1]);
  if (child < 0) {
    not_run(&result, "cannot start a process", errno);
  } else {
    size_t len = 0;
    ssize_t n;
    while (len + 1 < sizeof result.failed &&
           (n = read(ends[0], result.failed + len, sizeof result.failed - 1 - len)) > 0) {
      len += (size_t)n;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.ran = WIFEXITED(status) && WEXITSTATUS(status) != CLI_TROUBLE;
    result.passed = result.ran && WEXITSTATUS(status) == CLI_VALID;
    if (WIFSIGNALED(status)) {
      (void)snprintf(result.failed, sizeof result.failed, "ended by signal %d",
                     WTERMSIG(status));
    }
  }
  close(ends[0]);
  return result;
}

/* Where all are tested, one that this machine lacks is no trouble. */
static int selftest_one(buffer *out, const char *name, bool usable, bool alone) {
  selftest_result result = usable ? selftest_run(name) : (selftest_result){0};
  const char *word = !usable         ? "not on this machine"
                     : !result.ran   ? "did not run"
                     : result.passed ? "passed"
                                     : "FAILED";
  if (report_json()) {
    json_open(out, name);
    json_string(out, "result", word);
    json_string(out, "failed", result.failed[0] != '\0' ? result.failed : NULL);
    json_close(out);
  } else {
    buffer_format(out, "%-14s %s%s%s\n", name, word, result.failed[0] != '\0' ? ": " : "",
                  result.failed);
  }
  return !usable         ? (alone ? CLI_TROUBLE : CLI_VALID)
         : result.passed ? CLI_VALID
         : result.ran    ? CLI_INVALID
                         : CLI_TROUBLE;
}

int command_selftest(int argc, char **argv) {
  int exit_code;
  const char *only, *name;
  if (!no_arguments(&selftest_help, argc, argv, &exit_code, &only)) {
    return exit_code;
  }
  buffer out = {0};
  bool usable, found = only == NULL;
  if (report_json()) {
    json_open(&out, NULL);
    json_string(&out, "command", "selftest");
    json_open(&out, "backends");
  }
  for (size_t i = 0; (name = sigmill_backend_list(i, &usable)) != NULL; i++) {
    if (only == NULL || strcmp(only, name) == 0) {
      int code = selftest_one(&out, name, usable, only != NULL);
      exit_code = code > exit_code ? code : exit_code;
      found = true;
    }
  }
  if (!found) {
    buffer_wipe(&out);
    return backend_choose(only); /* says which there are */
  }
  if (report_json()) {
    json_close(&out);
    json_string(&out, "default", sigmill_backend_name());
    json_bool(&out, "passed", exit_code == CLI_VALID);
    json_close(&out);
    buffer_text(&out, "\n");
  }
  backend_tell_note();
  return stdout_put(&out) ? exit_code : CLI_TROUBLE;
}
