/* The jobs of the eight-lane floor on P-256: whole operations on arrays of plain
 * integers, eight items side by side, one a lane.
 *
 * Each body is the same source (lanes_p256.inc over the kernels) compiled over one
 * vocabulary (lanes/vec.h) in a unit of its own.  Names ending in _vt run in variable
 * time, for public data; the others in constant time.  Arrays need no alignment and do
 * not overlap. */
#ifndef SIGMILL_LANES_LANES_P256_H
#define SIGMILL_LANES_LANES_P256_H

#include "group/engine_p256.h"

/* Items side by side, and the most of one call: eight groups, which share inversions. */
enum { LANES_P256_GROUP = 8, LANES_P256_CHUNK = 64 };

/* An equation to be judged: with R = (digest/s)*G + (r/s)*key, is x(R) mod n = r?  Where
 * has_point, is R = point? */
typedef struct {
  u256 r, s;        /* 1..n-1 */
  u256 digest;      /* any 256-bit integer */
  p256_point key;   /* on the curve */
  p256_point point; /* coordinates below p, on the curve or not */
  bool has_point;   /* then x(point) mod n = r */
} p256_claim;

/* The most items of one combine_vt. */
enum { LANES_P256_COMBINE = 1024 };
/* How many words it works in for count items. */
#define LANES_P256_COMBINE_WORDS(count) (80 * (((count) + 7) / 8))

/* Odd multiples of a key, 8 KB: entry[j][i] is (2i+1) 2^(35j) key, x and then y, each
 * some body's own image of the element. */
enum { KEY_TABLE_WIDTH = 5, KEY_TABLE_SPACING = 35, KEY_TABLE_PARTS = 8 };
typedef struct {
  _Alignas(64) uint64_t entry[KEY_TABLE_PARTS][1 << (KEY_TABLE_WIDTH - 1)][8];
} p256_key_table;

/* What verify_vt writes. */
enum { CLAIM_FALSE = 0, CLAIM_TRUE = 1, CLAIM_UNDECIDED = 2 };

typedef struct {
  const char *name; /* of the vocabulary's body: "avx512ifma", "ifma256", "avxifma",
                       "plain" */
  int cost;         /* of a group, in percent of avx512ifma's, for plans */

  /* verdicts[i] for claims[i], i < count <= LANES_P256_CHUNK.  CLAIM_UNDECIDED: an
   * addition inside was exceptional (equal or opposite points, infinity), and the scalar
   * engine has to judge. */
  void (*verify_vt)(uint8_t *verdicts, const p256_claim *claims, size_t count);
  /* p256_engine's lift_x_vt for count <= LANES_P256_CHUNK; y_odd[i] is 0 or 1; found[i] 1
   * or 0 (out[i] zero).  Any x may come in. */
  void (*lift_x_vt)(p256_point *out, uint8_t *found, const u256 *x, const uint8_t *y_odd,
                    size_t count);

  /* out[i] = k[i]*G.  in: 1 <= k[i] < n; count <= LANES_P256_CHUNK. */
  void (*mul_base)(p256_point *out, const u256 *k, size_t count);
  /* out[i] = k[i]*a[i].  in: 1 <= k[i] < n; a public; count <= LANES_P256_CHUNK. */
  void (*mul)(p256_point *out, const u256 *k, const p256_point *a, size_t count);
  /* s[i] = (z[i] + r[i]*d[i]) / k[i] mod n.  in: z, r, d < n; 1 <= k[i] < n. */
  void (*sign_equation)(u256 *s, const u256 *k, const u256 *z, const u256 *r,
                        const u256 *d, size_t count);
  /* out = k*G for one k, its windows spread over the lanes.  in: 1 <= k < n. */
  void (*mul_base_one)(p256_point *out, const u256 *k);

  /* What a random equation takes of each signature: v[i] = a[i] r[i] / s[i] mod n, and *u
   * = the sum of a[i] z[i] / s[i] mod n.  in: 1 <= r, s < n; any z; count <=
   * LANES_P256_COMBINE; words: LANES_P256_COMBINE_WORDS(count), aligned to 64 bytes. */
  void (*combine_vt)(u256 *v, u256 *u, const i128 *a, const u256 *r, const u256 *s,
                     const u256 *z, size_t count, uint64_t *words);
  /* verify_vt for claims without a point, and what R is: r_out[i] is set where the
   * verdict is CLAIM_TRUE, else zero. */
  void (*find_r_vt)(p256_point *r_out, uint8_t *verdicts, const p256_claim *claims,
                    size_t count);
  /* *out[i] = the table of keys[i]; count <= LANES_P256_CHUNK. */
  void (*key_tables_vt)(p256_key_table *const *out, const p256_point *keys, size_t count);
  /* verify_vt where tables[i] is the table of claims[i].key. */
  void (*verify_known_vt)(uint8_t *verdicts, const p256_claim *claims,
                          const p256_key_table *const *tables, size_t count);
  /* The same for one claim whose key has a comb, its windows and those of G spread over
   * the lanes; returns CLAIM_TRUE, _FALSE or _UNDECIDED. */
  void (*key_comb_vt)(p256_key_comb *out, const p256_point *key);
  uint8_t (*verify_one_vt)(const p256_claim *claim, const p256_key_comb *comb);
  /* Sums of many points. */
  p256_sums sums;
} p256_lanes;

extern const p256_lanes sm_p256_lanes_plain;
#if defined(__x86_64__) && defined(__GNUC__)
#define P256_LANES_X86
extern const p256_lanes sm_p256_lanes_avx512;  /* AVX-512 F, BW, DQ, VL, IFMA */
extern const p256_lanes sm_p256_lanes_ifma256; /* the same, in registers of 256 bits */
extern const p256_lanes sm_p256_lanes_avxifma; /* AVX2 and AVX-IFMA, where compiled */
#endif

#endif
