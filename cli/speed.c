/* `sigmill speed`: the command and its options. */
#define _GNU_SOURCE
#include "backend_choice.h"
#include "commands.h"
#include "options.h"
#include "reason.h"
#include "speed_batch.h"
#include "speed_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_LIMIT = 65536, SAMPLES_MIN = 11, CPU_LIMIT = 1023 };

enum {
  ROWS = OPTION_OPERAND + 1,
  LIST,
  SIZES,
  SAMPLES,
  SECONDS,
  PEER,
  BESIDE,
  CPU,
  NO_PIN
};

static const option speed_options[] = {
    {ROWS, "rows", "GLOB,...",
     "Only these rows, as --list names them: p256-*, sha256/64."},
    {LIST, "list", NULL, "Name the rows, and what each library does for them."},
    {SIZES, "sizes", "N,...", "Sizes of the batch rows, 1 to 65536, up to 16 of them."},
    {SAMPLES, "samples", "N",
     "Samples for each row and library, 11 to 1001; 11 if not given."},
    {SECONDS, "seconds", "S",
     "Length of a sample, 0.0001 to 60.  If not given, the whole table takes\n"
     "less than a minute."},
    {PEER, "peer", "PATH",
     "Also a shared library of that path: a libcrypto of OpenSSL, AWS-LC or\n"
     "BoringSSL, or libsodium.  Up to six."},
    {BESIDE, "beside", "ROW",
     "Compare all rows with the peers' operation for this one, once for each item."},
    {CPU, "cpu", "N", "Bind to core N; to the one it starts on if not given."},
    {NO_PIN, "no-pin", NULL, "Bind to no core."},
    {0, NULL, NULL, NULL},
};

static const command_help speed_help = {
    .name = "speed",
    .summary = "time this library's operations beside those of other libraries",
    .synopsis = "[OPTION]...",
    .options = speed_options,
    .notes =
        "Each row is first checked against libcrypto, then timed in turns: ours, "
        "theirs,\n"
        "ours, theirs.  A ratio is our time over the peer's.  docs/benchmarks.md has "
        "the\n"
        "method and the JSON.  Exit code: 0; 1 if an answer was wrong; 2 otherwise.\n",
    .examples = "  sigmill speed --rows 'p256-verify,p256-sign'\n"
                "  sigmill speed --peer libsodium.so.23 --rows 'sha*'\n"
                "  sigmill speed --rows '*-batch' --sizes 8,64,512 --json\n"
                "  sigmill speed --rows '*-batch' --beside p256-verify\n",
};

enum { LIST_ROOM = 1024 };

typedef struct {
  speed_choice choice;
  char rows_text[LIST_ROOM]; /* choice.globs points into it */
  const char *paths[SPEED_PEERS_MAX];
  size_t paths_count;
  uint64_t samples, cpu;
  double seconds; /* 0: not given */
  const char *beside;
  bool list, pin, cpu_given;
} request;

static bool copy_list(char out[LIST_ROOM], const char *text) {
  return snprintf(out, LIST_ROOM, "%s", text) < LIST_ROOM;
}

static bool read_globs(request *want, const char *text) {
  speed_choice *choice = &want->choice;
  choice->globs_count = 0;
  char *list = want->rows_text;
  if (!copy_list(list, text)) {
    return false;
  }
  for (char *part; (part = strsep(&list, ",")) != NULL;) {
    if (part[0] == '\0' || choice->globs_count == SPEED_GLOBS_MAX) {
      return false;
    }
    choice->globs[choice->globs_count++] = part;
  }
  return choice->globs_count > 0;
}

static bool is_in(const size_t *sizes, size_t count, size_t size) {
  for (size_t i = 0; i < count; i++) {
    if (sizes[i] == size) {
      return true;
    }
  }
  return false;
}

static bool read_sizes(speed_choice *choice, const char *text) {
  choice->sizes_count = 0;
  char room[LIST_ROOM], *list = room;
  if (!copy_list(room, text)) {
    return false;
  }
  for (char *part; (part = strsep(&list, ",")) != NULL;) {
    uint64_t size;
    if (!option_number(&size, part, 1, SIZE_LIMIT)) {
      return false;
    }
    if (!is_in(choice->sizes, choice->sizes_count, (size_t)size)) {
      if (choice->sizes_count == SPEED_SIZES_MAX) {
        return false;
      }
      choice->sizes[choice->sizes_count++] = (size_t)size;
    }
  }
  return choice->sizes_count > 0;
}

static bool read_seconds(double *seconds, const char *text) {
  char *end;
  *seconds = strtod(text, &end);
  return end != text && *end == '\0' && *seconds >= 1e-4 && *seconds <= 60;
}

static bool add_path(request *want, const char *path) {
  if (want->paths_count + 2 == SPEED_PEERS_MAX) {
    return false;
  }
  want->paths[want->paths_count++] = path;
  return true;
}

/* True: go on.  False: leave with *code. */
static bool read_request(request *want, int *code, int argc, char **argv) {
  *want = (request){.samples = SAMPLES_MIN, .pin = true};
  option_reader r;
  option_begin(&r, &speed_help, argc, argv);
  for (int id; (id = option_next(&r)) != OPTION_END;) {
    bool ok = true;
    const char *value = r.value;
    switch (id) {
    case ROWS:
      ok = read_globs(want, value);
      break;
    case LIST:
      want->list = true;
      break;
    case SIZES:
      ok = read_sizes(&want->choice, value);
      break;
    case SAMPLES:
      ok = option_number(&want->samples, value, SAMPLES_MIN, SPEED_SAMPLES_MAX);
      break;
    case SECONDS:
      ok = read_seconds(&want->seconds, value);
      break;
    case PEER:
      ok = add_path(want, value);
      break;
    case BESIDE:
      want->beside = value;
      break;
    case CPU:
      ok = option_number(&want->cpu, value, 0, CPU_LIMIT);
      want->cpu_given = true;
      break;
    case NO_PIN:
      want->pin = false;
      break;
    case OPTION_OPERAND:
      *code = option_wrong(&r, "takes no operand: %s", value);
      return false;
    default:
      *code = r.exit_code;
      return false;
    }
    if (!ok) {
      *code = option_wrong(&r, "that value will not do: %s", argv[r.at - 1]);
      return false;
    }
  }
  /* A list is to be had whatever the environment says. */
  bool is_chosen = r.backend != NULL || !want->list;
  *code = is_chosen ? backend_choose(r.backend) : CLI_VALID;
  return *code == CLI_VALID;
}

static int run_request(speed_run *run, request *want, speed_inputs *in) {
  if (!speed_choose_rows(run, &want->choice)) {
    return CLI_TROUBLE;
  }
  speed_needs needs = speed_run_needs(run);
  if (!speed_inputs_make(in, &needs)) {
    return CLI_TROUBLE;
  }
  speed_peer_linked(&run->peers[run->peers_count++], in);
  for (size_t i = 0; i < want->paths_count; i++) {
    speed_peer_load(&run->peers[run->peers_count++], want->paths[i], in);
  }
  speed_peer other;
  speed_peer_other_way(&other);
  if (speed_has_row_of(run, &other)) {
    run->peers[run->peers_count++] = other;
  }
  if (want->beside != NULL && speed_peer_find(&run->peers[0], want->beside) == NULL) {
    return report(REASON_USAGE, NULL, "no peer has an operation \"%s\"", want->beside);
  }
  run->beside = want->beside;
  if (!speed_prepare(run)) {
    return CLI_TROUBLE;
  }
  if (want->list) {
    speed_list(run);
    return CLI_VALID;
  }
  speed_machine_read(&run->machine);
  if (want->pin) {
    run->machine.cpu = speed_pin(want->cpu_given ? (int)want->cpu : -1);
    if (run->machine.cpu < 0 && want->cpu_given) {
      return report(REASON_USAGE, NULL, "cannot bind to core %d", (int)want->cpu);
    }
  }
  bool all_right = speed_measure_all(run, in, report_json());
  if (!report_json()) {
    speed_print_foot(run);
  } else if (!speed_print_json(run)) {
    return report(REASON_IO, "stdout", "the JSON could not be written");
  }
  return all_right ? CLI_VALID : CLI_INVALID;
}

int command_speed(int argc, char **argv) {
  request want;
  int code;
  if (!read_request(&want, &code, argc, argv)) {
    return code;
  }
  speed_run run = {.samples = (size_t)want.samples, .seconds = want.seconds};
  speed_inputs in = {0};
  code = run_request(&run, &want, &in);
  speed_run_free(&run);
  speed_inputs_free(&in);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    return report_system("stdout", "writing", errno);
  }
  return code;
}
