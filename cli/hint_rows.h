/* sigmill hint --batch. */
#ifndef SIGMILL_CLI_HINT_ROWS_H
#define SIGMILL_CLI_HINT_ROWS_H

#include <stdbool.h>

/* Is --batch among the arguments of `sigmill hint`? */
bool hint_is_of_rows(int argc, char **argv);
int hint_rows_run(int argc, char **argv);

#endif
