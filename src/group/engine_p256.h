/* What the scheme floor asks of the group floor: whole operations on plain integers.
 *
 * Each engine is the same source (engine_p256.inc, mul_p256.inc, ge_p256.h) compiled over
 * one field body in a unit of its own; lanes/backend.h chooses among them. */
#ifndef SIGMILL_GROUP_ENGINE_P256_H
#define SIGMILL_GROUP_ENGINE_P256_H

#include "group/sums_p256.h"

/* p = 2^256 - 2^224 + 2^192 + 2^96 - 1 (SP 800-186, section 3.2.1.3) */
extern const u256 sm_p256_prime;

/* Odd multiples of a key in every window, 52 KB: entry[j][i] is (2i+1) 2^(5j) key for j
 * <= 50, the last of which is a window of width 6 that goes on in entry[51][i], (2i+33)
 * 2^250 key.  An entry is x and then y, each the maker's own image of the element. */
enum { KEY_COMB_WIDTH = 5, KEY_COMB_WINDOWS = 52 };
typedef struct {
  _Alignas(64) uint64_t entry[KEY_COMB_WINDOWS][1 << (KEY_COMB_WIDTH - 1)][8];
} p256_key_comb;

/* The operations of one engine.  Names ending in _vt run in variable time, the others in
 * constant time.  out may be the point that comes in, but shares no memory with the
 * integers. */
typedef struct {
  const char *name; /* as sigmill_backend_list tells it */

  /* x, y < p and y^2 = x^3 - 3x + b?  Any 256-bit integers may come in. */
  bool (*on_curve_vt)(const p256_point *a);
  /* The point with this x whose y has the parity asked for; false (out zero) if x >= p or
   * no point has that x. */
  bool (*lift_x_vt)(p256_point *out, const u256 *x, bool y_odd);

  /* out = k*G.  in: 1 <= k < n.  Constant time in k. */
  void (*mul_base)(p256_point *out, const u256 *k);
  /* out = k*a.  in: 1 <= k < n.  Constant time in k; a is public. */
  void (*mul)(p256_point *out, const u256 *k, const p256_point *a);

  /* Is x(u1*G + u2*Q) mod n = r?  False for infinity.  in: u1, u2 < n; 1 <= r < n. */
  bool (*verify_vt)(const u256 *u1, const u256 *u2, const p256_point *q, const u256 *r);
  /* Is u1*G + u2*Q = R?  By half-size scalars, with half the doublings of verify_vt.
   * in: u1 < n; 1 <= u2 < n. */
  bool (*verify_point_vt)(const u256 *u1, const u256 *u2, const p256_point *q,
                          const p256_point *r);
  /* out = u1*G + u2*Q; false (out zero) if that is infinity.  in: u1, u2 < n. */
  bool (*mul2_vt)(p256_point *out, const u256 *u1, const u256 *u2, const p256_point *q);
  /* verify_vt where comb is q's, of this engine: additions alone. */
  void (*key_comb_vt)(p256_key_comb *out, const p256_point *q);
  bool (*verify_comb_vt)(const u256 *u1, const u256 *u2, const p256_key_comb *comb,
                         const u256 *r);
  /* out = the sum over i < count of 2^(shift i) parts[i]; false (out zero) if that is
   * infinity.  Any points, equal and opposite ones too. */
  bool (*join_vt)(p256_point *out, const p256_jacobian *parts, size_t count, int shift);
  /* Sums of many points, one addition after another. */
  p256_sums sums;
} p256_engine;

/* The i-th engine compiled in, fastest first, or NULL; *usable: can this machine run it?
 */
const p256_engine *sm_p256_engine_list(size_t i, bool *usable);

extern const p256_engine sm_p256_engine_u32; /* "portable32" */
#ifdef __SIZEOF_INT128__
#define P256_ENGINE_U64
extern const p256_engine sm_p256_engine_u64; /* "portable" */
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(SIGMILL_NO_ASM)
#define P256_ENGINE_ADX
extern const p256_engine sm_p256_engine_adx; /* "x86-64"; needs BMI2 and ADX */
#endif

#endif
