/* A stream of rows through worker threads, in order and in bounded memory.
 *
 * One reader (the calling thread) cuts the input into chunks of whole rows, workers turn
 * each chunk into output, one writer writes the outputs in the order of the input.  The
 * chunks form a ring: when it is full the reader waits, so that memory does not grow with
 * the input. */
#ifndef SIGMILL_CLI_PIPELINE_H
#define SIGMILL_CLI_PIPELINE_H

#include "buffer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint8_t *data; /* whole rows; lines keep their newlines, the last one may lack it */
  size_t len, cap;
  uint64_t first; /* number of the first row, from 1 */
  size_t rows;
  bool too_long; /* one line beyond the limit, whose bytes were dropped */
  buffer out;    /* what the worker wrote for these rows, */
  buffer told;   /* and what of them goes to stderr */
  int state;
} chunk;

typedef struct {
  int in_fd, out_fd;
  const char *in_name, *out_name; /* for messages */
  unsigned threads;
  size_t row_size; /* bytes of a fixed row; 0: lines, of at most line_max bytes */
  size_t line_max;
  uint64_t rows_wanted; /* of fixed rows: how many there must be; 0: any number */
  uint64_t offset;      /* bytes of the file before the rows, and before `carry` */
  buffer carry;         /* bytes already read */
  /* Turns c->data into c->out; worker is a number below threads. */
  void (*work)(void *context, unsigned worker, chunk *c);
  /* Called by the writer a few times a second with the number of rows written; may be
   * NULL. */
  void (*progress)(void *context, uint64_t rows);
  void *context;
  bool write_failed; /* what came of it: not all verdicts are in the output */
} pipeline_job;

/* Runs it to the end.  False, after a message, if reading or writing failed, or the input
 * ended inside a row or with another number of rows than wanted; the rows before that are
 * written.  *rows gets the number of rows written. */
bool pipeline_run(pipeline_job *job, uint64_t *rows);

#endif
