/* Where a measurement was made: processor, operating system, compiler. */
#define _GNU_SOURCE
#include "speed_run.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifndef SIGMILL_BUILD_FLAGS
#define SIGMILL_BUILD_FLAGS "not recorded"
#endif

#if defined(__clang__)
#define COMPILER         "clang"
#define COMPILER_VERSION __clang_major__, __clang_minor__, __clang_patchlevel__
#elif defined(__GNUC__)
#define COMPILER         "gcc"
#define COMPILER_VERSION __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__
#else
#define COMPILER         "unknown"
#define COMPILER_VERSION 0, 0, 0
#endif

/* Copies what follows `name` and any of " \t:=\"" in the first line of a file that
 * begins with it, up to the line's end or a quotation mark. */
static bool find_line(char *out, size_t size, const char *path, const char *name) {
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    return false;
  }
  char line[1024];
  bool found = false;
  while (!found && fgets(line, sizeof line, file) != NULL) {
    size_t len = strlen(name);
    if (strncmp(line, name, len) == 0 && strchr(" \t:=", line[len]) != NULL) {
      char *value = line + len + strspn(line + len, " \t:=\"");
      value[strcspn(value, "\"\n")] = 0;
      snprintf(out, size, "%s", value);
      found = true;
    }
  }
  fclose(file);
  return found;
}

static void read_processor(char *out, size_t size) {
  char model[96] = "unknown", family[8] = "?", number[8] = "?", stepping[8] = "?";
  find_line(model, sizeof model, "/proc/cpuinfo", "model name");
  if (find_line(family, sizeof family, "/proc/cpuinfo", "cpu family") &&
      find_line(number, sizeof number, "/proc/cpuinfo", "model") &&
      find_line(stepping, sizeof stepping, "/proc/cpuinfo", "stepping")) {
    snprintf(out, size, "%s (family %s, model %s, stepping %s)", model, family, number,
             stepping);
  } else {
    snprintf(out, size, "%s", model);
  }
}

void speed_machine_read(speed_machine *machine) {
  memset(machine, 0, sizeof *machine);
  machine->cpu = -1;
  machine->cores = sysconf(_SC_NPROCESSORS_ONLN);
  read_processor(machine->processor, sizeof machine->processor);
  if (!find_line(machine->os, sizeof machine->os, "/etc/os-release", "PRETTY_NAME")) {
    snprintf(machine->os, sizeof machine->os, "unknown");
  }
  struct utsname name;
  if (uname(&name) == 0) {
    snprintf(machine->kernel, sizeof machine->kernel, "%.20s %.80s %.20s", name.sysname,
             name.release, name.machine);
  }
  snprintf(machine->compiler, sizeof machine->compiler, "%s %d.%d.%d", COMPILER,
           COMPILER_VERSION);
  snprintf(machine->flags, sizeof machine->flags, "%s", SIGMILL_BUILD_FLAGS);
  time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc) != NULL) {
    strftime(machine->time, sizeof machine->time, "%Y-%m-%dT%H:%M:%SZ", &utc);
  }
}
