/* Reading arguments by table, and printing the table. */
#include "options.h"

#include "backend_choice.h"
#include "buffer.h"
#include "files.h"
#include "reason.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void option_begin(option_reader *r, const command_help *help, int argc, char **argv) {
  *r = (option_reader){.help = help, .argc = argc, .argv = argv, .at = 1};
  bool json = false;
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    json = json || strcmp(argv[i], "--json") == 0;
  }
  report_begin(help->name, json);
}

int option_wrong(const option_reader *r, const char *format, ...) {
  char message[560];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return report(REASON_USAGE, NULL, "%s (see: sigmill %s --help)", message,
                r->help->name);
}

enum { OPTION_BACKEND = OPTION_EXIT - 1 };

static const option backend_option = {
    OPTION_BACKEND, "backend", "NAME",
    "The code that computes, as sigmill cpu lists it; if not given, what\n"
    "SIGMILL_BACKEND names in the environment, else the fastest."};

static int leave(option_reader *r, int exit_code) {
  r->exit_code = exit_code;
  return OPTION_EXIT;
}

/* NULL: there is none of that name. */
static const option *find(const command_help *help, const char *name, size_t len) {
  for (const option *o = help->options; o->name != NULL; o++) {
    if (strlen(o->name) == len && memcmp(o->name, name, len) == 0) {
      return o;
    }
  }
  bool is_backend =
      strlen(backend_option.name) == len && memcmp(backend_option.name, name, len) == 0;
  return is_backend ? &backend_option : NULL;
}

/* An argument that begins with two dashes. */
static int long_option(option_reader *r, char *text) {
  char *equals = strchr(text, '=');
  size_t len = equals == NULL ? strlen(text) : (size_t)(equals - text);
  const option *o = find(r->help, text, len);
  if (o == NULL) {
    return leave(r, option_wrong(r, "unknown option --%s", text));
  }
  bool takes = o->argument != NULL;
  bool optional = takes && o->argument[0] == '[';
  r->option = o;
  r->value = equals == NULL ? NULL : equals + 1;
  if (!takes && equals != NULL) {
    return leave(r, option_wrong(r, "--%s takes no value", o->name));
  }
  if (takes && !optional && equals == NULL) {
    if (r->at == r->argc) {
      return leave(r, option_wrong(r, "--%s needs a value: %s", o->name, o->argument));
    }
    r->value = r->argv[r->at++];
  }
  return o->id;
}

int option_next(option_reader *r) {
  while (r->at < r->argc) {
    char *text = r->argv[r->at++];
    if (r->only_operands || text[0] != '-' || text[1] == '\0') {
      r->option = NULL;
      r->value = text;
      return OPTION_OPERAND;
    }
    if (strcmp(text, "--") == 0) {
      r->only_operands = true;
    } else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
      return leave(r, help_print(r->help));
    } else if (strcmp(text, "--json") == 0) {
      continue;
    } else if (text[1] == '-') {
      int id = long_option(r, text + 2);
      if (id != OPTION_BACKEND) {
        return id;
      }
      r->backend = r->value;
    } else {
      return leave(r, option_wrong(r, "unknown option %s", text));
    }
  }
  return OPTION_END;
}

/* The first sentence of an option's help says what its values are. */
static int wrong_value(const option_reader *r) {
  if (r->option == NULL) {
    return option_wrong(r, "one operand too many: %s", r->value);
  }
  char rule[320];
  size_t len = 0;
  for (const char *h = r->option->help; *h != '\0' && len + 1 < sizeof rule; h++) {
    if (*h == '.' && (h[1] == '\0' || h[1] == ' ' || h[1] == '\n')) {
      break;
    }
    rule[len++] = *h == '\n' ? ' ' : *h;
  }
  rule[len] = '\0';
  return option_wrong(r, "--%s cannot be \"%.60s\": %s", r->option->name,
                      r->value == NULL ? "" : r->value, rule);
}

bool option_take_all(option_reader *r, const command_help *help, int argc, char **argv,
                     option_taker *take, void *job) {
  int id;
  option_begin(r, help, argc, argv);
  while ((id = option_next(r)) > OPTION_END) {
    if (!take(job, id)) {
      r->exit_code = wrong_value(r);
      return false;
    }
  }
  if (id == OPTION_END) {
    r->exit_code = backend_choose(r->backend);
  }
  return id == OPTION_END && r->exit_code == CLI_VALID;
}

static void put_option(buffer *out, const char *name, const char *argument,
                       const char *help) {
  buffer_format(out, "  --%s", name);
  if (argument != NULL) {
    bool optional = argument[0] == '[';
    buffer_format(out, optional ? "[=%s" : " %s", argument + (optional ? 1 : 0));
  }
  buffer_text(out, "\n");
  while (*help != '\0') {
    size_t len = strcspn(help, "\n");
    buffer_format(out, "      %.*s\n", (int)len, help);
    help += len + (help[len] == '\n');
  }
}

int help_print(const command_help *help) {
  buffer out = {0};
  buffer_format(&out, "sigmill %s: %s\n\nUsage: sigmill %s %s\n\nOptions:\n", help->name,
                help->summary, help->name, help->synopsis);
  for (const option *o = help->options; o->name != NULL; o++) {
    put_option(&out, o->name, o->argument, o->help);
  }
  put_option(&out, backend_option.name, backend_option.argument, backend_option.help);
  put_option(&out, "json", NULL, "The result as one JSON object on stdout; errors too.");
  put_option(&out, "help", NULL, "This text.");
  buffer_format(&out, "\n%s\nExamples:\n%s", help->notes, help->examples);
  return stdout_put(&out) ? CLI_VALID : CLI_TROUBLE;
}

bool option_number(uint64_t *out, const char *text, uint64_t low, uint64_t high) {
  uint64_t value = 0;
  size_t len = strlen(text);
  for (size_t i = 0; i < len; i++) {
    if (text[i] < '0' || text[i] > '9' || value > (UINT64_MAX - 9) / 10) {
      return false;
    }
    value = 10 * value + (uint64_t)(text[i] - '0');
  }
  *out = value;
  return len > 0 && value >= low && value <= high;
}
