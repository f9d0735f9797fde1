/* Files written: whole, or not at all.
 *
 * All outputs of a command are looked at before any is opened: none may be a file that
 * the command reads, nor another output.  What is written goes to a part beside the
 * target, NAME.PID.part, which takes the target's place when everything is there.  Pipes,
 * devices and files in folders that cannot be written to are written in place. */
#ifndef SIGMILL_CLI_OUTPUT_H
#define SIGMILL_CLI_OUTPUT_H

#include "buffer.h"

typedef struct {
  /* What is asked for. */
  const char *path; /* NULL or "-": stdout */
  bool secret;      /* mode 0600 */
  bool force;       /* a file that is there may be replaced */
  /* What outputs_open fills in. */
  int fd;
  char *target, *part; /* part NULL: written in place */
  bool made;           /* part, or target in place, is there only because of us */
} output;

/* How an output's path reads in messages: "stdout" for "-". */
const char *output_shown(const output *o);

/* Opens them all, or none: false after a message. */
bool outputs_open(output *list, size_t count);
/* Writes to one.  False after a message. */
bool output_write(const output *o, const buffer *content);
/* Closes them all and puts each in its place; false after a message, and then no new file
 * is there. */
bool outputs_commit(output *list, size_t count);
/* Closes them all and leaves nothing behind. */
void outputs_drop(output *list, size_t count);

/* The whole of it for outputs whose contents are there. */
bool outputs_put(output *list, const buffer *contents, size_t count);
/* The same for one output. */
bool file_write(const char *path, const buffer *content, bool secret, bool force);

#endif
