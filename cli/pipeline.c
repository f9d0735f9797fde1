/* The ring of chunks, its reader, workers and writer. */
#include "pipeline.h"

#include "files.h"
#include "reason.h"
#include "thread.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define READ_SIZE       (256 * 1024) /* bytes asked of the input at a time, at most */
#define READ_SIZE_LEAST (8 * 1024)
#define CHUNK_ROWS_MAX  4096
#define ROWS_EVEN       64 /* rows are handed over in multiples of this where more come */

enum { CHUNK_FREE, CHUNK_FULL, CHUNK_DONE };

typedef struct {
  pipeline_job *job;
  chunk *ring;
  size_t ring_size;
  pthread_mutex_t lock;
  pthread_cond_t freed, filled, done;
  uint64_t filled_count, taken_count, written_count; /* chunks, ever */
  bool ended;                                        /* no more chunks will be filled */
  bool broken;                                       /* writing failed: everybody stops */
  int write_error;
  uint64_t rows_written;
  int wake[2]; /* a pipe: the writer ends the reader's wait for input */

  /* the reader's own */
  uint64_t file_size, file_at; /* of a regular file; size 0: another kind */
  bool regular;
  uint64_t rows_read;
  int read_error;
} pipeline;

/* ---------------------------------------------------------------- the reader */

/* The next free chunk of the ring; NULL if the pipeline is broken. */
static chunk *next_free(pipeline *p) {
  pthread_mutex_lock(&p->lock);
  while (!p->broken && p->filled_count - p->written_count == p->ring_size) {
    pthread_cond_wait(&p->freed, &p->lock);
  }
  chunk *c = p->broken ? NULL : &p->ring[p->filled_count % p->ring_size];
  pthread_mutex_unlock(&p->lock);
  return c;
}

static void hand_over(pipeline *p, chunk *c) {
  c->first = p->rows_read + 1;
  p->rows_read += c->rows;
  pthread_mutex_lock(&p->lock);
  c->state = CHUNK_FULL;
  p->filled_count++;
  pthread_cond_signal(&p->filled);
  pthread_mutex_unlock(&p->lock);
}

static bool grow(chunk *c, size_t room) {
  if (c->cap - c->len >= room) {
    return true;
  }
  size_t cap = (c->len + room + 0xffff) & ~(size_t)0xffff;
  uint8_t *data = realloc(c->data, cap);
  if (data == NULL) {
    return false;
  }
  c->data = data;
  c->cap = cap;
  return true;
}

/* How much to ask for: near the end of a file of known size less and less, so that all
 * workers finish together. */
static size_t read_size(const pipeline *p) {
  if (!p->regular || p->file_at >= p->file_size) {
    return p->regular ? READ_SIZE_LEAST : READ_SIZE;
  }
  uint64_t share = (p->file_size - p->file_at) / (4 * (uint64_t)p->job->threads);
  return share > READ_SIZE         ? READ_SIZE
         : share < READ_SIZE_LEAST ? READ_SIZE_LEAST
                                   : (size_t)share;
}

/* Waits for input, or for the writer to give up (false then). */
static bool wait_for_input(pipeline *p) {
  struct pollfd fds[2] = {{.fd = p->job->in_fd, .events = POLLIN},
                          {.fd = p->wake[0], .events = POLLIN}};
  while (!p->regular) {
    int n = poll(fds, 2, -1);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    return fds[1].revents == 0;
  }
  return true;
}

/* Appends what one read gives; 0 at the end of the input, on an error or when broken. */
static size_t read_more(pipeline *p, chunk *c) {
  size_t want = read_size(p);
  if (!grow(c, want)) {
    p->read_error = ENOMEM;
    return 0;
  }
  for (;;) {
    if (!wait_for_input(p)) {
      return 0;
    }
    ssize_t n = read(p->job->in_fd, c->data + c->len, want);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
      continue;
    }
    if (n < 0) {
      p->read_error = errno;
      return 0;
    }
    c->len += (size_t)n;
    p->file_at += (uint64_t)n;
    return (size_t)n;
  }
}

/* The whole rows at the start of a chunk. */
typedef struct {
  size_t rows, end;
  size_t even_end; /* of the last ROWS_EVEN of them */
  size_t looked_at;
} whole;

/* Takes in what has come to c since the last look. */
static void look(whole *w, const pipeline *p, const chunk *c) {
  size_t size = p->job->row_size;
  if (size > 0) {
    w->rows = c->len / size < CHUNK_ROWS_MAX ? c->len / size : CHUNK_ROWS_MAX;
    w->end = w->rows * size;
    w->even_end = w->rows / ROWS_EVEN * ROWS_EVEN * size;
    return;
  }
  while (w->rows < CHUNK_ROWS_MAX && w->looked_at < c->len) {
    const uint8_t *from = c->data + w->looked_at;
    const uint8_t *newline = memchr(from, '\n', c->len - w->looked_at);
    if (newline == NULL) {
      w->looked_at = c->len;
      return;
    }
    w->looked_at = w->end = (size_t)(newline - c->data) + 1;
    w->rows++;
    w->even_end = w->rows % ROWS_EVEN == 0 ? w->end : w->even_end;
  }
}

/* Is there input that can be read at once? */
static bool is_ready(const pipeline *p) {
  struct pollfd in = {.fd = p->job->in_fd, .events = POLLIN};
  return poll(&in, 1, 0) == 1;
}

/* Rows that have come are not held back for others that have not. */
static bool wants_more(const whole *w, const pipeline *p, const chunk *c) {
  return w->rows == 0 || (w->rows < CHUNK_ROWS_MAX && c->len < READ_SIZE &&
                          (p->regular ? w->rows < ROWS_EVEN : is_ready(p)));
}

/* Drops the rest of a line that is too long; what follows it goes to carry. */
static void drop_line(pipeline *p, chunk *c) {
  const uint8_t *newline = NULL;
  c->too_long = true;
  c->rows = 1;
  do {
    c->len = 0;
    if (read_more(p, c) == 0) {
      break;
    }
    newline = memchr(c->data, '\n', c->len);
  } while (newline == NULL);
  if (newline != NULL) {
    size_t rest = (size_t)(newline - c->data) + 1;
    buffer_put(&p->job->carry, c->data + rest, c->len - rest);
  }
  c->len = 0;
}

/* Fills c with rows; false if there are no more.  What is left over stays in carry. */
static bool fill(pipeline *p, chunk *c) {
  buffer *carry = &p->job->carry;
  c->len = 0;
  c->rows = 0;
  c->too_long = false;
  c->out.len = 0;
  c->told.len = 0;
  if (!grow(c, carry->len)) {
    p->read_error = ENOMEM;
    return false;
  }
  if (carry->len > 0) {
    memcpy(c->data, carry->data, carry->len);
  }
  c->len = carry->len;
  carry->len = 0;
  whole w = {0};
  for (look(&w, p, c); wants_more(&w, p, c); look(&w, p, c)) {
    if (w.rows == 0 && p->job->row_size == 0 &&
        c->len > p->job->line_max + 1) { /* 1 for a CR */
      drop_line(p, c);
      return true;
    }
    if (read_more(p, c) == 0) {
      break;
    }
  }
  if (w.rows == 0 && p->job->row_size == 0 && p->read_error == 0) {
    c->rows = c->len > 0 ? 1 : 0; /* a last line without its newline */
    return c->rows > 0;
  }
  if (p->regular && w.even_end > 0 && p->file_at < p->file_size) {
    w.rows -= w.rows % ROWS_EVEN;
    w.end = w.even_end;
  }
  /* At the end of fixed rows, carry holds what is no whole row. */
  buffer_put(carry, c->data + w.end, c->len - w.end);
  c->len = w.end;
  c->rows = w.rows;
  if (carry->failed) {
    p->read_error = ENOMEM;
  }
  return c->rows > 0;
}

static void read_all(pipeline *p) {
  struct stat info;
  p->regular = fstat(p->job->in_fd, &info) == 0 && S_ISREG(info.st_mode);
  p->file_size = p->regular ? (uint64_t)info.st_size : 0;
  p->file_at = p->job->offset + p->job->carry.len;
  chunk *c;
  while ((c = next_free(p)) != NULL && p->read_error == 0 && fill(p, c)) {
    hand_over(p, c);
  }
  pthread_mutex_lock(&p->lock);
  p->ended = true;
  pthread_cond_broadcast(&p->filled);
  pthread_cond_broadcast(&p->done);
  pthread_mutex_unlock(&p->lock);
}

/* ---------------------------------------------------------------- workers, writer */

typedef struct {
  pipeline *p;
  unsigned number;
  pthread_t thread;
  bool started;
} worker;

static void *run_worker(void *arg) {
  worker *w = arg;
  pipeline *p = w->p;
  pthread_mutex_lock(&p->lock);
  for (;;) {
    while (!p->broken && !p->ended && p->taken_count == p->filled_count) {
      pthread_cond_wait(&p->filled, &p->lock);
    }
    if (p->broken || p->taken_count == p->filled_count) {
      break;
    }
    uint64_t number = p->taken_count++;
    chunk *c = &p->ring[number % p->ring_size];
    pthread_mutex_unlock(&p->lock);
    p->job->work(p->job->context, w->number, c);
    pthread_mutex_lock(&p->lock);
    c->state = CHUNK_DONE;
    if (number == p->written_count) {
      pthread_cond_signal(&p->done);
    }
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

static double seconds_now(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Stops everybody: what is written from here on would have a gap before it. */
static void break_off(pipeline *p, int error) {
  p->write_error = error;
  p->broken = true;
  pthread_cond_broadcast(&p->freed);
  pthread_cond_broadcast(&p->filled);
  if (write(p->wake[1], "", 1) < 0) {
    p->write_error = error;
  }
}

static void *run_writer(void *arg) {
  pipeline *p = arg;
  double told = seconds_now();
  pthread_mutex_lock(&p->lock);
  for (;;) {
    chunk *c = &p->ring[p->written_count % p->ring_size];
    while (!(p->written_count < p->filled_count && c->state == CHUNK_DONE) &&
           !(p->ended && p->written_count == p->filled_count)) {
      pthread_cond_wait(&p->done, &p->lock);
    }
    if (p->written_count == p->filled_count) {
      break;
    }
    pthread_mutex_unlock(&p->lock);
    int error = c->out.failed || c->told.failed
                    ? ENOMEM
                    : write_all(p->job->out_fd, c->out.data, c->out.len);
    if (error == 0 && c->told.len > 0) {
      error = write_all(STDERR_FILENO, c->told.data, c->told.len);
    }
    double now = p->job->progress != NULL ? seconds_now() : told;
    if (error == 0 && now - told > 0.2) {
      p->job->progress(p->job->context, p->rows_written);
      told = now;
    }
    pthread_mutex_lock(&p->lock);
    if (error != 0) {
      break_off(p, error);
      break;
    }
    p->rows_written += c->rows;
    c->state = CHUNK_FREE;
    p->written_count++;
    pthread_cond_signal(&p->freed);
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* ---------------------------------------------------------------- the whole */

static void tell_error(const char *where, const char *doing, int error) {
  if (error == ENOMEM) {
    report_memory();
  } else {
    report_system(where, doing, error);
  }
}

/* What the run ended with, in words. */
static bool tell_end(const pipeline *p) {
  const pipeline_job *job = p->job;
  if (p->write_error != 0) {
    p->job->write_failed = true;
    tell_error(job->out_name, "cannot write", p->write_error);
    return false;
  }
  if (p->read_error != 0) {
    tell_error(job->in_name, "cannot read", p->read_error);
    return false;
  }
  if (job->carry.len > 0) {
    report(REASON_TRUNCATED_FILE, job->in_name,
           "byte %llu: the file ends inside row %llu, after %zu of its %zu bytes",
           (unsigned long long)p->file_at, (unsigned long long)p->rows_read + 1,
           job->carry.len, job->row_size);
    return false;
  }
  if (job->rows_wanted != 0 && job->rows_wanted != p->rows_read) {
    report(REASON_TRUNCATED_FILE, job->in_name,
           "byte %llu: %llu rows, but the header says %llu",
           (unsigned long long)p->file_at, (unsigned long long)p->rows_read,
           (unsigned long long)job->rows_wanted);
    return false;
  }
  return true;
}

static void run_threads(pipeline *p, worker *workers) {
  pthread_t writer;
  unsigned started = 0;
  int error = thread_start(&writer, run_writer, p);
  bool has_writer = error == 0;
  while (has_writer && started < p->job->threads) {
    workers[started] = (worker){.p = p, .number = started};
    error = thread_start(&workers[started].thread, run_worker, &workers[started]);
    if (error != 0) {
      break;
    }
    started++;
  }
  /* Fewer threads than asked for do the work as well; none cannot. */
  if (started > 0) {
    error = 0;
    read_all(p);
  } else {
    pthread_mutex_lock(&p->lock);
    p->ended = true;
    pthread_cond_broadcast(&p->done);
    pthread_mutex_unlock(&p->lock);
  }
  for (unsigned i = 0; i < started; i++) {
    (void)pthread_join(workers[i].thread, NULL);
  }
  if (has_writer) {
    (void)pthread_join(writer, NULL);
  }
  p->read_error = error != 0 ? error : p->read_error;
}

bool pipeline_run(pipeline_job *job, uint64_t *rows) {
  pipeline p = {.job = job, .ring_size = 2 * (size_t)job->threads + 2};
  *rows = 0;
  if (pipe(p.wake) != 0) {
    report_system("pipe", "cannot be made", errno);
    return false;
  }
  worker *workers = calloc(job->threads, sizeof *workers);
  p.ring = calloc(p.ring_size, sizeof *p.ring);
  bool ok = workers != NULL && p.ring != NULL;
  if (ok) {
    (void)pthread_mutex_init(&p.lock, NULL);
    (void)pthread_cond_init(&p.freed, NULL);
    (void)pthread_cond_init(&p.filled, NULL);
    (void)pthread_cond_init(&p.done, NULL);
    run_threads(&p, workers);
    (void)pthread_cond_destroy(&p.done);
    (void)pthread_cond_destroy(&p.filled);
    (void)pthread_cond_destroy(&p.freed);
    (void)pthread_mutex_destroy(&p.lock);
    ok = tell_end(&p);
    *rows = p.rows_written;
    for (size_t i = 0; i < p.ring_size; i++) {
      free(p.ring[i].data);
      buffer_wipe(&p.ring[i].out);
      buffer_wipe(&p.ring[i].told);
    }
  } else {
    report_memory();
  }
  free(p.ring);
  free(workers);
  close(p.wake[0]);
  close(p.wake[1]);
  return ok;
}
