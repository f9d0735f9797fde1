/* Modular inversion by division steps, after Bernstein and Yang, "Fast constant-time gcd
 * computation and modular inversion" (TCHES 2019/3), with the step counter delta starting
 * at 1/2.  From an odd f and any g, a division step is
 *
 *   g odd, delta > 0:  (delta, f, g) -> (1 - delta, g, (g - f)/2)
 *   g odd, delta < 0:  (delta, f, g) -> (1 + delta, f, (g + f)/2)
 *   g even:            (delta, f, g) -> (1 + delta, f, g/2)
 *
 * Once g = 0, |f| is the greatest common divisor.  For 0 <= g < f < 2^256, 590 steps
 * reach g = 0 (Wuille, Maxwell, O'Connor: "Bounds on divsteps iterations in safegcd", by
 * convex hulls, with a machine-checked proof).
 *
 * A batch of steps depends on the low bits of f and g alone and acts on the whole numbers
 * as a matrix M / 2^LIMB_BITS.  The same matrices carry (d, e) along modulo m, where
 * f = d a and g = e a up to one constant factor, so that f = +-1 leaves 1/a = +-d.
 *
 * Integers are limbs of LIMB_BITS bits: all from 0 to 2^LIMB_BITS - 1, except for the
 * last one, which carries the sign.  The width follows the widest product of the
 * compiler: five limbs of 62 bits with __int128, nine of 30 bits without. */
#include "field/safegcd.h"

#include "base/check.h"
#include "base/secret.h"
#include "field/safegcd_constants.h"
#include <stdbool.h>

#ifdef __SIZEOF_INT128__
typedef int64_t limb;
__extension__ typedef __int128 wide;
enum { LIMB_BITS = 62, LIMBS = 5, BATCHES = 10, PASSES = 3 };
static const int pass_steps[PASSES] = {20, 20, 19};
#else
typedef int32_t limb;
typedef int64_t wide;
enum { LIMB_BITS = 30, LIMBS = 9, BATCHES = 20, PASSES = 2 };
static const int pass_steps[PASSES] = {15, 15};
#endif

#define LIMB_MASK    (((uint64_t)1 << LIMB_BITS) - 1)
#define INLINE       static inline __attribute__((always_inline))
#define UNROLL_LIMBS _Pragma("GCC unroll 9")

typedef struct {
  limb v[LIMBS];
} integer;

/* (f, g) becomes (u f + v g, q f + r g) / 2^LIMB_BITS; |u| + |v| and |q| + |r| are at
 * most 2^LIMB_BITS. */
typedef struct {
  int64_t u, v, q, r;
} matrix;

typedef struct {
  integer f, g, d, e, modulus;
  matrix m;
} inversion;

INLINE int64_t sign_extend(uint64_t x, int bits) {
  return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

/* The lowest 60 bits of a or more. */
INLINE uint64_t low_word(const integer *a) {
  return (uint64_t)a->v[0] + ((uint64_t)a->v[1] << LIMB_BITS);
}

/* -1 if a < 0, else 0. */
INLINE limb sign_of(const integer *a) {
  return a->v[LIMBS - 1] >> (8 * sizeof(limb) - 1);
}

INLINE void integer_from_u256(integer *out, const u256 *a) {
  UNROLL_LIMBS
  for (int i = 0; i < LIMBS; i++) {
    int word = i * LIMB_BITS / 64, shift = i * LIMB_BITS % 64;
    uint64_t x = word < 4 ? a->v[word] >> shift : 0;
    if (shift != 0 && word + 1 < 4) {
      x |= a->v[word + 1] << (64 - shift);
    }
    out->v[i] = (limb)(x & LIMB_MASK);
  }
}

/* in: 0 <= a < 2^256. */
INLINE void u256_from_integer(u256 *out, const integer *a) {
  *out = (u256){{0}};
  UNROLL_LIMBS
  for (int i = 0; i < LIMBS; i++) {
    int word = i * LIMB_BITS / 64, shift = i * LIMB_BITS % 64;
    if (word < 4) {
      out->v[word] |= (uint64_t)a->v[i] << shift;
    }
    if (shift != 0 && word + 1 < 4) {
      out->v[word + 1] |= (uint64_t)a->v[i] >> (64 - shift);
    }
  }
}

/* out = a + (b & mask), or -a + (b & mask) with negate = -1 instead of 0. */
INLINE void integer_negate_add(integer *out, const integer *a, limb negate,
                               const integer *b, limb mask) {
  limb carry = 0;
  UNROLL_LIMBS
  for (int i = 0; i < LIMBS - 1; i++) {
    carry += (a->v[i] ^ negate) - negate + (b->v[i] & mask);
    out->v[i] = (limb)((uint64_t)carry & LIMB_MASK);
    carry >>= LIMB_BITS;
  }
  out->v[LIMBS - 1] =
      carry + (a->v[LIMBS - 1] ^ negate) - negate + (b->v[LIMBS - 1] & mask);
}

/* (f, g) = M (f, g) / 2^LIMB_BITS, an exact division, on the lowest `length` limbs. */
INLINE void update_fg(integer *f, integer *g, const matrix *m, int length) {
  limb u = (limb)m->u, v = (limb)m->v, q = (limb)m->q, r = (limb)m->r;
  wide x = (wide)u * f->v[0] + (wide)v * g->v[0];
  wide y = (wide)q * f->v[0] + (wide)r * g->v[0];
  CHECK(((uint64_t)x & LIMB_MASK) == 0 && ((uint64_t)y & LIMB_MASK) == 0);
  UNROLL_LIMBS
  for (int i = 1; i < length; i++) {
    x = (x >> LIMB_BITS) + (wide)u * f->v[i] + (wide)v * g->v[i];
    y = (y >> LIMB_BITS) + (wide)q * f->v[i] + (wide)r * g->v[i];
    f->v[i - 1] = (limb)((uint64_t)x & LIMB_MASK);
    g->v[i - 1] = (limb)((uint64_t)y & LIMB_MASK);
  }
  f->v[length - 1] = (limb)(x >> LIMB_BITS);
  g->v[length - 1] = (limb)(y >> LIMB_BITS);
}

INLINE bool is_zero_vt(const integer *a, int length) {
  limb any = 0;
  for (int i = 0; i < length; i++) {
    any |= a->v[i];
  }
  return any == 0;
}

/* out = (u d + v e + k m) / 2^LIMB_BITS with the k in [-2^LIMB_BITS/2, 2^LIMB_BITS/2)
 * that makes the division exact.  For |u| + |v| <= 2^LIMB_BITS, |out| is at most max(|d|,
 * |e|) + m/2.  out may be d or e. */
INLINE void combine_mod(integer *out, int64_t u64, const integer *d, int64_t v64,
                        const integer *e, const integer *modulus, uint64_t neg_inverse) {
  limb u = (limb)u64, v = (limb)v64;
  wide x = (wide)u * d->v[0] + (wide)v * e->v[0];
  limb k = (limb)sign_extend((uint64_t)x * neg_inverse, LIMB_BITS);
  x += (wide)k * modulus->v[0];
  CHECK(((uint64_t)x & LIMB_MASK) == 0);
  UNROLL_LIMBS
  for (int i = 1; i < LIMBS; i++) {
    x = (x >> LIMB_BITS) + (wide)u * d->v[i] + (wide)v * e->v[i];
    x += (wide)k * modulus->v[i];
    out->v[i - 1] = (limb)((uint64_t)x & LIMB_MASK);
  }
  out->v[LIMBS - 1] = (limb)(x >> LIMB_BITS);
}

INLINE void update_de(inversion *s, uint64_t neg_inverse) {
  integer d;
  combine_mod(&d, s->m.u, &s->d, s->m.v, &s->e, &s->modulus, neg_inverse);
  combine_mod(&s->e, s->m.q, &s->d, s->m.r, &s->e, &s->modulus, neg_inverse);
  s->d = d;
}

/* d and e before the first batch: 0 and 1, times the constant factor 2^LIMB_BITS, which
 * makes the first batch's update free and lets finish divide once more. */
INLINE void start_de(inversion *s) {
  s->d = (integer){{0}};
  s->e = (integer){{0, 1}};
}

INLINE void update_de_first(inversion *s) {
  s->d = (integer){{(limb)(s->m.v & (int64_t)LIMB_MASK), (limb)(s->m.v >> LIMB_BITS)}};
  s->e = (integer){{(limb)(s->m.r & (int64_t)LIMB_MASK), (limb)(s->m.r >> LIMB_BITS)}};
}

/* out = (1/a) mod m from the last batch's matrix, once f is 1 (negative = 0) or -1
 * (negative = -1).  |d| has grown by less than m/2 a batch, which the division by
 * 2^LIMB_BITS makes next to nothing: what is left lies in (-m, m). */
INLINE void finish(u256 *out, inversion *s, limb negative, uint64_t neg_inverse) {
  integer *d = &s->d;
  combine_mod(d, s->m.u, d, s->m.v, &s->e, &s->modulus, neg_inverse);
  combine_mod(d, (negative ^ 1) - negative, d, 0, d, &s->modulus, neg_inverse);
  integer_negate_add(d, d, 0, &s->modulus, sign_of(d));
  u256_from_integer(out, d);
}

/* --- constant time ---
 *
 * State of a step: z = -(delta + 1/2), and s = -f while delta > 0 (z < 0), f otherwise,
 * so that an odd g always becomes (g + s)/2:
 *
 *   g odd, z < 0:  (z, s, g) -> (-2 - z, g, (g + s)/2)
 *   otherwise:     (z, s, g) -> (z - 1, s, (g + (g mod 2) s)/2)
 *   then, if delta changed sign in a way that s did not follow (z = -1 now):  s -> -s
 *
 * (z = -1 is reached from z = -1 by the first line and from z = 0 by the second; both
 * need the change of sign, and no other step does.)  M is kept in terms of (s, g).
 *
 * A pass takes up to 20 steps on two packed words,
 *
 *   S = s mod 2^20 + 2^(20 + steps),   G = g mod 2^20 + 2^(42 + steps),
 *
 * residues taken in [-2^19, 2^19).  In the end, by linearity, S = residue + u 2^20 + v
 * 2^42 with the first row of the pass's matrix, and G likewise with q and r: one addition
 * and one shift move three numbers.  After i steps |u| + |v| <= 2^i, |q| + |r| <= 2^i,
 * and r is odd.  So residues stay between +-2^19, 2^19 excluded (only -2^19 could give
 * it, which is even, and an even g keeps u or r odd), and rounding tells the fields
 * apart; and no sum before a shift reaches 2^63, as |r| <= 2^i - 1 leaves more room than
 * residue and q take. */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(SIGMILL_NO_ASM)

/* Conditional moves keep every chain from one step to the next at three cycles. */
INLINE void division_step(int64_t *z, uint64_t *s, uint64_t *g) {
  uint64_t sum, odd, neg_g, neg_s;
  int64_t z_swap, z_next;
  __asm__("lea (%[g], %[s]), %[sum]\n\t"
          "mov %[g], %[neg_g]\n\t"
          "neg %[neg_g]\n\t"
          "mov $-2, %[z_swap]\n\t"
          "sub %[z], %[z_swap]\n\t" /* negative: not, unless z = -1 (given z < 0) */
          "cmovns %[g], %[neg_g]\n\t"
          "mov %[s], %[neg_s]\n\t"
          "mov %[g], %[odd]\n\t"
          "shl $63, %[odd]\n\t"
          "test $1, %b[g]\n\t"
          "cmovne %[sum], %[g]\n\t"
          "mov %[z], %[z_next]\n\t"
          "neg %[neg_s]\n\t"
          "sar %[g]\n\t"
          "sub $1, %[z_next]\n\t" /* carry: z = 0 */
          "cmovc %[neg_s], %[s]\n\t"
          "and %[z], %[odd]\n\t" /* negative: g odd and z < 0 */
          "mov %[z_next], %[z]\n\t"
          "cmovs %[neg_g], %[s]\n\t"
          "cmovs %[z_swap], %[z]"
          : [g] "+&q"(*g), [s] "+&r"(*s), [z] "+&r"(*z), [sum] "=&r"(sum),
            [odd] "=&r"(odd), [neg_g] "=&r"(neg_g), [neg_s] "=&r"(neg_s),
            [z_swap] "=&r"(z_swap), [z_next] "=&r"(z_next)
          :
          : "cc");
}

#else

INLINE void division_step(int64_t *z, uint64_t *s, uint64_t *g) {
  uint64_t odd = ct_mask_u64(*g & 1);
  uint64_t swap = odd & (uint64_t)(*z >> 63);
  uint64_t sum = *g + (*s & odd);
  uint64_t y = (uint64_t)*z ^ swap;
  *s ^= swap & (*s ^ *g);
  *g = (uint64_t)((int64_t)sum >> 1);
  *z = (int64_t)(y - 1);
  uint64_t turn = ct_mask_u64(((uint64_t)*z & ~y) >> 63); /* y = 0 */
  *s = (*s ^ turn) - turn;
}

#endif

INLINE int64_t pass(matrix *m, int64_t z, uint64_t s, uint64_t g, int steps) {
  s = (uint64_t)sign_extend(s, 20) + ((uint64_t)1 << (20 + steps));
  g = (uint64_t)sign_extend(g, 20) + ((uint64_t)1 << (42 + steps));
  for (int i = 0; i < steps; i++) {
    division_step(&z, &s, &g);
  }
  const uint64_t half_u = (uint64_t)1 << 19, half_v = (uint64_t)1 << 41;
  m->u = sign_extend((s + half_u) >> 20, 22);
  m->v = (int64_t)(s + half_v) >> 42;
  m->q = sign_extend((g + half_u) >> 20, 22);
  m->r = (int64_t)(g + half_v) >> 42;
  return z;
}

/* The low bits of s and g after the steps of m; as many are lost at the top. */
INLINE void advance(uint64_t *s, uint64_t *g, const matrix *m, int steps) {
  uint64_t x = (uint64_t)m->u * *s + (uint64_t)m->v * *g;
  uint64_t y = (uint64_t)m->q * *s + (uint64_t)m->r * *g;
  *s = (uint64_t)((int64_t)x >> steps);
  *g = (uint64_t)((int64_t)y >> steps);
}

/* m = a m scale. */
INLINE void matrix_mul(matrix *m, const matrix *a, int64_t scale) {
  int64_t u = a->u * scale, v = a->v * scale, q = a->q * scale, r = a->r * scale;
  *m = (matrix){u * m->u + v * m->q, u * m->v + v * m->r, q * m->u + r * m->q,
                q * m->v + r * m->r};
}

/* One batch of steps from the low words s and g; *negative: the sign of s afterwards, if
 * s is +-1 then.  Returns z. */
INLINE int64_t batch(matrix *m, limb *negative, int64_t z, uint64_t s, uint64_t g) {
  z = pass(m, z, s, g, pass_steps[0]);
  advance(&s, &g, m, pass_steps[0]);
  int steps = pass_steps[0];
  UNROLL_LIMBS
  for (int i = 1; i < PASSES; i++) {
    matrix next;
    z = pass(&next, z, s, g, pass_steps[i]);
    advance(&s, &g, &next, pass_steps[i]);
    steps += pass_steps[i];
    matrix_mul(m, &next, i < PASSES - 1 ? 1 : (int64_t)1 << (LIMB_BITS - steps));
  }
  *negative = (limb) - (limb)(s >> 1 & 1);
  return z;
}

/* For CHECK: the last batch makes g = 0 and f = 1 or -1 (negative = 0 or -1), or f = m.
 */
INLINE bool ends_well(const inversion *t, limb negative) {
  integer f = t->f, g = t->g, one = {{1}};
  update_fg(&f, &g, &t->m, LIMBS);
  bool coprime = !is_zero_vt(&t->d, LIMBS);
  integer_negate_add(&f, &f, ~negative, &one, -1);
  return is_zero_vt(&g, LIMBS) && (!coprime || is_zero_vt(&f, LIMBS));
}

void sm_safegcd_inv(u256 *out, const u256 *a, const safegcd_modulus *m) {
  inversion t;
  limb negative = 0;
  int64_t z = -1;
  integer_from_u256(&t.modulus, &m->modulus);
  integer_from_u256(&t.g, a);
  t.f = (integer){{0}};
  integer_negate_add(&t.f, &t.modulus, -1, &t.modulus, 0);
  start_de(&t);
  for (int i = 0; i < BATCHES; i++) {
    z = batch(&t.m, &negative, z, low_word(&t.f), low_word(&t.g));
    if (i == BATCHES - 1) {
      break;
    }
    update_fg(&t.f, &t.g, &t.m, LIMBS);
    if (i == 0) {
      update_de_first(&t);
    } else {
      update_de(&t, m->neg_inverse);
    }
  }
  CHECK(ends_well(&t, negative));
  finish(out, &t, negative, m->neg_inverse);
  wipe(&t, sizeof t);
}

/* --- variable time ---
 *
 * Both f and g are odd: one of f + g, f - g is divisible by 4, and replaces whichever of
 * the two is thought larger (Brent and Kung, "Systolic VLSI arrays for polynomial GCD
 * computation", 1984, and their plus-minus algorithm for integers, 1983).  d/2 is the
 * difference b - a of bounds |f| <= 2^a, |g| <= 2^b.  With b >= a after the exchange,
 *
 *   |f +- g| <= 2^b (1 + 2^(-d/2)) <= 2^(b+1),  and <= 2^(b+1/2) from d = 3 on;
 *
 * then two zeros or more leave at the bottom, so that a + b falls by 1 or more.  Only the
 * last sum of a batch may be the wrong one and give up a single zero, which leaves a + b
 * at most as it was.  From a + b = 512 some 180 sums on average lead to g = 0. */

/* The low bits of f or g, and its row of the matrix. */
typedef struct {
  uint64_t x, u, v;
} row;

#if defined(__x86_64__) && defined(__GNUC__) && !defined(SIGMILL_NO_ASM)

/* No predictor can learn these conditions, and compilers might branch on them. */
INLINE void take_if_negative(row *a, const row *b, int64_t d) {
  __asm__("test %[d], %[d]\n\t"
          "cmovs %[bx], %[ax]\n\t"
          "cmovs %[bu], %[au]\n\t"
          "cmovs %[bv], %[av]"
          : [ax] "+&r"(a->x), [au] "+&r"(a->u), [av] "+&r"(a->v)
          : [bx] "r"(b->x), [bu] "r"(b->u), [bv] "r"(b->v), [d] "r"(d)
          : "cc");
}

INLINE void take_if_bit_1(row *a, const row *b) {
  __asm__("test $2, %b[ax]\n\t"
          "cmovne %[bx], %[ax]\n\t"
          "cmovne %[bu], %[au]\n\t"
          "cmovne %[bv], %[av]"
          : [ax] "+&q"(a->x), [au] "+&r"(a->u), [av] "+&r"(a->v)
          : [bx] "r"(b->x), [bu] "r"(b->u), [bv] "r"(b->v)
          : "cc");
}

INLINE int count_zeros(uint64_t x) {
  uint64_t n;
  __asm__("rep bsf %1, %0" : "=r"(n) : "r"(x) : "cc"); /* TZCNT where it exists */
  return (int)n;
}

#else

/* a = b if d < 0. */
INLINE void take_if_negative(row *a, const row *b, int64_t d) {
  *a = d < 0 ? *b : *a;
}

/* a = b if bit 1 of a->x is set. */
INLINE void take_if_bit_1(row *a, const row *b) {
  *a = (a->x & 2) != 0 ? *b : *a;
}

/* in: x != 0. */
INLINE int count_zeros(uint64_t x) {
  return __builtin_ctzll(x);
}

#endif

/* LIMB_BITS divisions by 2, from the lowest limbs f and g.  Returns d.  (Inlined, it
 * makes gcc forget that the matrix's entries are single words.) */
static __attribute__((noinline)) int64_t batch_vt(matrix *m, int64_t d, limb f_low,
                                                  limb g_low) {
  row f = {(uint64_t)f_low, 1, 0}, g = {(uint64_t)g_low, 0, 1};
  int left = LIMB_BITS;
  int zeros = g.x == 0 ? left : count_zeros(g.x);
  while (zeros < left) {
    left -= zeros;
    d -= 2 * zeros;
    g.x >>= zeros;
    f.u <<= zeros;
    f.v <<= zeros;
    row sum = {g.x + f.x, g.u + f.u, g.v + f.v};
    row difference = {g.x - f.x, g.u - f.u, g.v - f.v};
    take_if_negative(&f, &g, d);
    d = d < 0 ? -d : d;
    d += d < 3 ? 2 : 1;
    take_if_bit_1(&sum, &difference);
    g = sum;
    if (g.x == 0) {
      break;
    }
    zeros = count_zeros(g.x);
  }
  *m = (matrix){(int64_t)(f.u << left), (int64_t)(f.v << left), (int64_t)g.u,
                (int64_t)g.v};
  return d - 2 * left;
}

/* Drops last limbs that hold nothing but the sign, in f and g alike. */
INLINE int shorten_vt(integer *f, integer *g, int length) {
  while (length > 1) {
    limb f_sign = f->v[length - 1], g_sign = g->v[length - 1];
    if (f_sign != f_sign >> 1 || g_sign != g_sign >> 1) {
      break;
    }
    length--;
    f->v[length - 1] |= f_sign & (limb)~LIMB_MASK;
    g->v[length - 1] |= g_sign & (limb)~LIMB_MASK;
  }
  return length;
}

void sm_safegcd_inv_vt(u256 *out, const u256 *a, const safegcd_modulus *m) {
  inversion t;
  integer_from_u256(&t.modulus, &m->modulus);
  integer_from_u256(&t.g, a);
  t.f = t.modulus;
  start_de(&t);
  int length = LIMBS;
  int64_t d = batch_vt(&t.m, 0, t.f.v[0], t.g.v[0]);
  update_fg(&t.f, &t.g, &t.m, length);
  if (!is_zero_vt(&t.g, length)) {
    update_de_first(&t);
    for (;;) {
      length = shorten_vt(&t.f, &t.g, length);
      d = batch_vt(&t.m, d, t.f.v[0], t.g.v[0]);
      update_fg(&t.f, &t.g, &t.m, length);
      if (is_zero_vt(&t.g, length)) {
        break;
      }
      update_de(&t, m->neg_inverse);
    }
  }
  finish(out, &t, t.f.v[length - 1] < 0 ? -1 : 0, m->neg_inverse);
}
