/* sigmill: the program.  Chooses the command; each command reads its own arguments. */
#include "buffer.h"
#include "commands.h"
#include "files.h"
#include "reason.h"
#include "sigmill.h"
#include "thread.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *name, *summary;
  int (*run)(int argc, char **argv);
} commands[] = {
    {"verify", "is this the key's signature of this message?", command_verify},
    {"sign", "sign a message, a digest or a token", command_sign},
    {"keygen", "make a P-256 key pair", command_keygen},
    {"pubkey", "the public key of any key file, in any format", command_pubkey},
    {"hint", "add the point R to a valid signature", command_hint},
    {"convert", "a signature or a key in another format", command_convert},
    {"batch", "verify a file of signatures on all cores", command_batch},
    {"speed", "measure this machine, beside libcrypto", command_speed},
    {"cpu", "the processor, its features, and the code chosen for it", command_cpu},
    {"selftest", "known answers through every backend", command_selftest},
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static int print_help(void) {
  buffer out = {0};
  buffer_text(&out, "sigmill: ECDSA signatures over P-256, verified fast\n\n"
                    "Usage: sigmill COMMAND [OPTION]... [FILE]...\n\nCommands:\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    buffer_format(&out, "  %-10s %s\n", commands[i].name, commands[i].summary);
  }
  buffer_text(
      &out,
      "\n  sigmill help COMMAND   all about one command\n"
      "  sigmill --version\n\n"
      "Results go to stdout, messages and progress to stderr; --json makes the result\n"
      "an object for programs.  \"-\" is standard input.  Exit code: 0 all valid, 1 at\n"
      "least one invalid, 2 usage, or something unreadable or malformed.\n\n"
      "Every command takes --backend NAME, and SIGMILL_BACKEND=NAME in the environment\n"
      "does the same for all: another code than the fastest, of those that sigmill cpu\n"
      "lists.\n");
  return stdout_put(&out) ? CLI_VALID : CLI_TROUBLE;
}

static int print_version(void) {
  buffer out = {0};
  buffer_format(&out, "sigmill %s\n", sigmill_version());
  return stdout_put(&out) ? CLI_VALID : CLI_TROUBLE;
}

static int run(const char *name, int argc, char **argv) {
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(name, commands[i].name) == 0) {
      return thread_run_command(commands[i].run, argc, argv);
    }
  }
  return report(REASON_USAGE, NULL, "no command %s (see: sigmill --help)", name);
}

static int help_for(char *name) {
  char help[] = "--help";
  char *argv[] = {name, help, NULL};
  return run(name, 2, argv);
}

/* Where a standard stream is closed, the next file opened would take its place, and
 * messages would go into it.  What stands there instead refuses: a closed stdout stays an
 * error. */
static void hold_standard_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) < 0) {
      (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

/* Until a command reads its own arguments. */
static bool wants_json(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--json") == 0) {
      return true;
    }
  }
  return false;
}

int main(int argc, char **argv) {
  hold_standard_streams();
  report_begin(NULL, wants_json(argc, argv));
  /* A closed pipe is an error like any other, told when a write meets it. */
  (void)signal(SIGPIPE, SIG_IGN);
  if (argc < 2) {
    return report(REASON_USAGE, NULL, "say what to do (see: sigmill --help)");
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    return print_help();
  }
  if (strcmp(argv[1], "--version") == 0) {
    return print_version();
  }
  if (strcmp(argv[1], "help") == 0) {
    return argc == 2 ? print_help() : help_for(argv[2]);
  }
  return run(argv[1], argc - 1, argv + 1);
}
