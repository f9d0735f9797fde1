/* Settling which backend computes, and saying why a name will not do. */
#include "backend_choice.h"

#include "reason.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Why sigmill_backend_select refused the name. */
static const char *refusal(const char *name) {
  bool usable;
  const char *known;
  for (size_t i = 0; (known = sigmill_backend_list(i, &usable)) != NULL; i++) {
    if (strcmp(known, name) == 0) {
      const char *note = usable ? sigmill_backend_note() : "this machine cannot run it";
      return note != NULL ? note : "it cannot be chosen";
    }
  }
  return "this build has no such backend";
}

/* `where` is the option or variable that names it. */
static int choose_named(const char *name, const char *where) {
  if (sigmill_backend_select(name) == SIGMILL_OK) {
    return CLI_VALID;
  }
  char names[256] = "";
  bool usable;
  const char *known;
  for (size_t i = 0; (known = sigmill_backend_list(i, &usable)) != NULL; i++) {
    size_t len = strlen(names);
    if (usable) {
      (void)snprintf(names + len, sizeof names - len, " %s", known);
    }
  }
  return report(SIGMILL_ERR_BACKEND, where, "\"%.60s\": %s; here there are:%s", name,
                refusal(name), names);
}

void backend_tell_note(void) {
  const char *note = sigmill_backend_note();
  if (note != NULL) {
    fprintf(stderr, "sigmill: note: %s\n", note);
  }
}

int backend_choose(const char *named) {
  const char *variable = getenv("SIGMILL_BACKEND");
  int code = CLI_VALID;
  if (named != NULL) {
    code = choose_named(named, "--backend");
  } else if (variable != NULL && variable[0] != '\0') {
    code = choose_named(variable, "SIGMILL_BACKEND");
  }
  if (code == CLI_VALID) {
    backend_tell_note();
  }
  return code;
}
