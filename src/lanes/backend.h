/* The code in use for everything on P-256: a scalar engine and, where there are any,
 * eight lanes beside it.  Chosen once, at first use. */
#ifndef SIGMILL_LANES_BACKEND_H
#define SIGMILL_LANES_BACKEND_H

#include "lanes/lanes_selftest.h"

typedef struct {
  const char *name;          /* as sigmill_backend_name tells it */
  const p256_engine *engine; /* one item at a time */
  const p256_lanes *lanes;   /* eight at a time; NULL: none */
} backend;

/* A backend that may be chosen, and when. */
typedef struct {
  backend backend;
  bool (*has_lanes)(void); /* can this machine run the lanes?  NULL: any machine can */
  bool only_by_name;       /* never the choice where nothing is asked for */
  const char *wrong[LANES_JOBS]; /* the note where that job gives a wrong answer */
} backend_row;

/* The backend in use.  The first call settles the choice: sm_backend_select's, else that
 * of the environment variable SIGMILL_BACKEND, else the fastest.  Safe from several
 * threads. */
const backend *sm_backend(void);
/* Chooses by name; false if unknown, unusable here, wrong in its self-test, or settled
 * otherwise already. */
bool sm_backend_select(const char *name);
/* The i-th backend compiled in, fastest first, or NULL. */
const backend *sm_backend_list(size_t i, bool *usable);
/* Why a choice did not go as wished, or NULL. */
const char *sm_backend_note(void);

/* out = k*G for one secret k by the backend in use.  in: 1 <= k < n.  Constant time. */
void sm_backend_mul_base(p256_point *out, const u256 *k);

/* The choice itself, from any rows, fastest first: the one called name if that is usable
 * and right, else the first that is both and not only_by_name; NULL if there is none.
 * name may be NULL.  *note is set where a backend was passed over. */
const backend *sm_backend_choose(const backend_row *rows, size_t count, const char *name,
                                 const char **note);

#endif
