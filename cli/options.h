/* The command line: one table per command, from which arguments are read and help is
 * printed, so that the two cannot differ. */
#ifndef SIGMILL_CLI_OPTIONS_H
#define SIGMILL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  int id;               /* what option_next returns; above OPTION_OPERAND */
  const char *name;     /* without the dashes */
  const char *argument; /* its name in the help; NULL: a flag; "[X]": only after "=" */
  const char *help;     /* may hold newlines */
} option;

typedef struct {
  const char *name;
  const char *summary;          /* one line, for the list of commands */
  const char *synopsis;         /* what stands behind "sigmill NAME " */
  const option *options;        /* ended by a NULL name; every command also has --backend,
                                   --json and --help */
  const char *notes, *examples; /* whole lines */
} command_help;

enum { OPTION_EXIT = -1, OPTION_END = 0, OPTION_OPERAND = 1 };

typedef struct {
  const command_help *help;
  int argc, at;
  char **argv;
  bool only_operands;
  const option *option; /* just returned; NULL for an operand */
  const char *value;    /* of it; NULL if it has none */
  const char *backend;  /* the last --backend so far; NULL: none */
  int exit_code;        /* after OPTION_EXIT */
} option_reader;

/* Takes an option or operand of a job; false for an unknown value or one too many. */
typedef bool option_taker(void *job, int id);

/* Reads all arguments through `take`, then settles the backend (backend_choice.h).
 * argv[0] is the command's name.  False: help was printed or a mistake was told; leave
 * with exit_code. */
bool option_take_all(option_reader *r, const command_help *help, int argc, char **argv,
                     option_taker *take, void *job);

/* The same by hand, but for the backend, which the command chooses itself.  Settles
 * --json for all messages of the command. */
void option_begin(option_reader *r, const command_help *help, int argc, char **argv);
/* The next option's id, OPTION_OPERAND, or OPTION_END.  OPTION_EXIT: help was printed or
 * a mistake was told; leave with exit_code. */
int option_next(option_reader *r);
/* Tells that the command line is wrong, points to the help, and returns CLI_TROUBLE. */
int option_wrong(const option_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints the whole help on stdout; returns the exit code. */
int help_print(const command_help *help);
/* A decimal number of low..high. */
bool option_number(uint64_t *out, const char *text, uint64_t low, uint64_t high);

#endif
