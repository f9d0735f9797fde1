/* Reading one entry of a table whose index is secret: every entry is read and all but one
 * masked away, so that neither addresses nor branches tell the index.
 *
 * In the compilers' generic vectors (16 bytes, which every x86-64 has and elsewhere
 * becomes plain words).  A scan may be taken in steps: integer code leaves the vector
 * units idle, so a step between two field multiplications costs next to nothing. */
#ifndef SIGMILL_GROUP_SCAN_H
#define SIGMILL_GROUP_SCAN_H

#include <stdint.h>
#include <string.h>

#ifdef SCAN_WIDE
#define SCAN_BYTES 32
#else
#define SCAN_BYTES 16
#endif
typedef uint32_t scan_lanes __attribute__((vector_size(SCAN_BYTES), may_alias));

/* Entries are of at most 96 bytes. */
#define SCAN_PARTS_MAX (96 / SCAN_BYTES)

typedef struct {
  scan_lanes found[SCAN_PARTS_MAX]; /* the or of the masked entries so far */
  scan_lanes wanted, at;            /* the secret index, and that of the next entry */
  const scan_lanes *next;
} scan;

static inline void scan_begin(scan *s, const void *table, uint32_t wanted) {
  const scan_lanes zero = {0};
  for (int i = 0; i < SCAN_PARTS_MAX; i++) {
    s->found[i] = zero;
  }
  s->wanted = zero + wanted;
  s->at = zero;
  s->next = table;
}

/* The next count entries of parts * SCAN_BYTES bytes each, both constants where it is
 * called. */
static inline __attribute__((always_inline)) void scan_step(scan *s, int count, int parts) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 2
#endif
  for (int i = 0; i < count; i++) {
    scan_lanes mask = (scan_lanes)(s->at == s->wanted);
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 6
#endif
    for (int j = 0; j < parts; j++) {
      s->found[j] |= mask & s->next[j];
    }
    s->at += 1;
    s->next += parts;
  }
}

#endif
