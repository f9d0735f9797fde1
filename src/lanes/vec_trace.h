/* The vocabulary that computes nothing: each operation prints one line, `id op
 * arguments`, to standard output, and a proof reads them (tests/proofs).  Never shipped.
 *
 * A vec is the number of the line that made it, and stands for one lane like another.
 * What a vec holds is moved through memory and between lanes as tags, one a lane, which
 * name a line and a lane of it; a word without a tag is a constant.  A line of movement
 * lists where its eight words come from, as `line:lane` or `=constant`. */
#ifndef SIGMILL_LANES_VEC_TRACE_H
#define SIGMILL_LANES_VEC_TRACE_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  int id;
} vec;
typedef struct {
  int id;
} vmask;

static int trace_lines;

LANES_INLINE int trace_line(const char *op) {
  printf("%d %s", trace_lines, op);
  return trace_lines++;
}

LANES_INLINE int trace_1(const char *op, int a) {
  const int id = trace_line(op);
  printf(" %d\n", a);
  return id;
}

LANES_INLINE int trace_2(const char *op, int a, int b) {
  const int id = trace_line(op);
  printf(" %d %d\n", a, b);
  return id;
}

LANES_INLINE int trace_3(const char *op, int a, int b, int c) {
  const int id = trace_line(op);
  printf(" %d %d %d\n", a, b, c);
  return id;
}

LANES_INLINE int trace_word(const char *op, uint64_t x) {
  const int id = trace_line(op);
  printf(" %" PRIu64 "\n", x);
  return id;
}

/* Tags: a word that holds a lane of a line; lane 255 is one word that is the same for all
 * lanes. */
static const uint64_t trace_mark = UINT64_C(0xB1A5) << 48;

LANES_INLINE uint64_t trace_tag(int id, int lane) {
  return trace_mark | (uint64_t)id << 8 | (uint64_t)lane;
}

LANES_INLINE void trace_source(uint64_t word) {
  if (word >> 48 == trace_mark >> 48) {
    printf(" %" PRIu64 ":%" PRIu64, word >> 8 & UINT32_MAX, word & 255);
  } else {
    printf(" =%" PRIu64, word);
  }
}

LANES_INLINE vec v_set1(uint64_t x) {
  const int id = trace_line(x >> 48 == trace_mark >> 48 ? "load" : "set1");
  if (x >> 48 == trace_mark >> 48) {
    for (int lane = 0; lane < LANES; lane++) {
      trace_source(x);
    }
  } else {
    printf(" %" PRIu64, x);
  }
  printf("\n");
  return (vec){id};
}
LANES_INLINE vec v_zero(void) {
  return v_set1(0);
}
LANES_INLINE vec v_add(vec a, vec b) {
  return (vec){trace_2("add", a.id, b.id)};
}
LANES_INLINE vec v_sub(vec a, vec b) {
  return (vec){trace_2("sub", a.id, b.id)};
}
LANES_INLINE vec v_and(vec a, vec b) {
  return (vec){trace_2("and", a.id, b.id)};
}
LANES_INLINE vec v_or(vec a, vec b) {
  return (vec){trace_2("or", a.id, b.id)};
}
LANES_INLINE vec v_xor(vec a, vec b) {
  return (vec){trace_2("xor", a.id, b.id)};
}
LANES_INLINE vec v_shl(vec a, int k) {
  return (vec){trace_2("shl", a.id, k)};
}
LANES_INLINE vec v_shr(vec a, int k) {
  return (vec){trace_2("shr", a.id, k)};
}
LANES_INLINE vec v_sar(vec a, int k) {
  return (vec){trace_2("sar", a.id, k)};
}
LANES_INLINE vec v_split(vec a, int k) {
  return (vec){trace_2("split", a.id, k)};
}
LANES_INLINE vec v_madlo52(vec c, vec a, vec b) {
  return (vec){trace_3("madlo", c.id, a.id, b.id)};
}
LANES_INLINE vec v_madhi52(vec c, vec a, vec b) {
  return (vec){trace_3("madhi", c.id, a.id, b.id)};
}

LANES_INLINE vmask v_isneg(vec a) {
  return (vmask){trace_1("isneg", a.id)};
}
LANES_INLINE vmask v_iszero(vec a) {
  return (vmask){trace_1("iszero", a.id)};
}
LANES_INLINE vmask v_eq(vec a, vec b) {
  return (vmask){trace_2("eq", a.id, b.id)};
}
LANES_INLINE vec v_select(vmask m, vec a, vec b) {
  return (vec){trace_3("select", m.id, a.id, b.id)};
}
LANES_INLINE vmask vm_and(vmask m, vmask n) {
  return (vmask){trace_2("mand", m.id, n.id)};
}
LANES_INLINE vmask vm_or(vmask m, vmask n) {
  return (vmask){trace_2("mor", m.id, n.id)};
}
LANES_INLINE vmask vm_xor(vmask m, vmask n) {
  return (vmask){trace_2("mxor", m.id, n.id)};
}
LANES_INLINE vmask vm_not(vmask m) {
  return (vmask){trace_1("mnot", m.id)};
}
LANES_INLINE unsigned vm_bits(vmask m) {
  trace_1("bits", m.id);
  return 0;
}
LANES_INLINE vmask vm_from_bits(unsigned bits) {
  return (vmask){trace_word("mset", bits)};
}

/* The word at offset of each lane's row. */
LANES_INLINE vec trace_move(const char *op, const uint64_t *const words[8], int offset) {
  const int id = trace_line(op);
  for (int lane = 0; lane < 8; lane++) {
    trace_source(words[lane][offset]);
  }
  printf("\n");
  return (vec){id};
}

LANES_INLINE vec v_load(const uint64_t *p) {
  const uint64_t *words[8];
  for (int lane = 0; lane < 8; lane++) {
    words[lane] = p + lane;
  }
  return trace_move("load", words, 0);
}
LANES_INLINE void v_store(uint64_t *p, vec a) {
  for (int lane = 0; lane < 8; lane++) {
    p[lane] = trace_tag(a.id, lane);
  }
}
LANES_INLINE void v_load_rows(vec out[8], const uint64_t *const rows[8]) {
  for (int w = 0; w < 8; w++) {
    out[w] = trace_move("rows", rows, w);
  }
}
LANES_INLINE void v_load_rows4(vec out[4], const uint64_t *const rows[8]) {
  for (int w = 0; w < 4; w++) {
    out[w] = trace_move("rows", rows, w);
  }
}
LANES_INLINE void v_store_rows(uint64_t *const rows[8], const vec in[8]) {
  for (int lane = 0; lane < 8; lane++) {
    for (int w = 0; w < 8; w++) {
      rows[lane][w] = trace_tag(in[w].id, lane);
    }
  }
}
LANES_INLINE void v_store_rows4(uint64_t *const rows[8], const vec in[4]) {
  for (int lane = 0; lane < 8; lane++) {
    for (int w = 0; w < 4; w++) {
      rows[lane][w] = trace_tag(in[w].id, lane);
    }
  }
}
/* Bytes have no place for a tag: zeros are stored. */
LANES_INLINE void v_store_bytes(uint8_t *p, vec a) {
  memset(p, 0, 8 * sizeof *p);
  trace_1("bytes", a.id);
}
LANES_INLINE void v_store_words16(uint16_t *p, vec a) {
  memset(p, 0, 8 * sizeof *p);
  trace_1("words16", a.id);
}
LANES_INLINE vec v_swap(vec a, int k) {
  uint64_t tags[8];
  const uint64_t *words[8];
  for (int lane = 0; lane < 8; lane++) {
    tags[lane] = trace_tag(a.id, lane ^ k);
    words[lane] = tags + lane;
  }
  return trace_move("swap", words, 0);
}
LANES_INLINE vec v_look8(vec t, vec index) {
  return (vec){trace_2("look8", t.id, index.id)};
}
LANES_INLINE vec v_look16(vec t, vec u, vec index) {
  return (vec){trace_3("look16", t.id, u.id, index.id)};
}
#endif
