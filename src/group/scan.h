/* Reading one entry of a table whose index is secret: every entry is read and all but one
 * masked away, so that neither addresses nor branches tell the index.
 *
 * Entries are of 64 bytes.  They are read four at a time: the two low bits of the index
 * choose within every four, by masks made once, and the others choose the four.  Vectors
 * are the compilers' generic ones of 16 bytes, which every x86-64 has and which become
 * words elsewhere.  A scan may be taken in steps: field arithmetic leaves the vector
 * units idle, so that a step between two multiplications costs little. */
#ifndef SIGMILL_GROUP_SCAN_H
#define SIGMILL_GROUP_SCAN_H

#include <stdint.h>
#include <string.h>

typedef uint32_t scan_lanes __attribute__((vector_size(16), may_alias));

typedef struct {
  scan_lanes found[4]; /* the or of the masked entries so far */
  scan_lanes low[4];   /* masks: is the index i mod 4? */
  scan_lanes four, at; /* the index over 4, and that of the next four */
  const scan_lanes *next;
} scan;

/* table: a multiple of four entries, aligned to 16 bytes; index: below their number. */
static inline void scan_begin(scan *s, const uint64_t (*table)[8], uint32_t index) {
  const scan_lanes zero = {0};
  for (uint32_t i = 0; i < 4; i++) {
    s->found[i] = zero;
    s->low[i] = (scan_lanes)(zero + (index & 3) == zero + i);
  }
  s->four = zero + (index >> 2);
  s->at = zero;
  s->next = (const scan_lanes *)table;
}

/* The next four entries. */
static inline __attribute__((always_inline)) void scan_step(scan *s) {
  scan_lanes mask = (scan_lanes)(s->at == s->four);
  for (int i = 0; i < 4; i++) {
    scan_lanes entry = (s->low[0] & s->next[i]) | (s->low[1] & s->next[4 + i]) |
                       (s->low[2] & s->next[8 + i]) | (s->low[3] & s->next[12 + i]);
    s->found[i] |= mask & entry;
  }
  s->at += 1;
  s->next += 16;
}

/* The entry found, after as many steps as there are fours. */
static inline void scan_end(uint64_t entry[8], const scan *s) {
  memcpy(entry, s->found, sizeof s->found);
}

#endif
