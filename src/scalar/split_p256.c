/* Half-size splitting by the extended Euclidean algorithm on (n, u), stopped half way
 * (Antipa, Brown, Gallant, Lambert, Struik, Vanstone: "Accelerated verification of ECDSA
 * signatures", 2005).
 *
 * Remainders r[0] = n, r[1] = u, r[i+1] = r[i-1] mod r[i], and cofactors t[0] = 0, t[1] =
 * 1, t[i+1] = t[i-1] - q[i] t[i] satisfy r[i] = t[i] u mod n; the t[i] alternate in sign,
 * and r[i-1] |t[i]| + r[i] |t[i-1]| = n.  The result is the first r[i] < 2^128 with its
 * t[i]: r[i-1] >= 2^128 makes |t[i]| <= n / 2^128 < 2^128.  It is not 0, for the
 * remainder before 0 is 1, the greatest common divisor.
 *
 * Quotients come from the leading 64 bits of two remainders for as long as these
 * determine them (Lehmer, "Euclid's algorithm for large numbers", 1938); a matrix of
 * 32-bit entries then updates the whole numbers. */
#include "base/check.h"
#include "scalar/sc_p256.h"

typedef struct {
  u256 r[2];        /* r[i-1] > r[i] */
  uint64_t t[2][2]; /* |t[i-1]|, |t[i]| */
  int index;        /* i */
} euclid;

/* (r0, r1) becomes (-1)^steps (x[0] r0 - y[0] r1, y[1] r1 - x[1] r0). */
typedef struct {
  uint64_t x[2], y[2];
  int steps;
} matrix;

static inline bool is_half_size(const u256 *a) {
  return (a->v[3] | a->v[2]) == 0;
}

/* in: a != 0. */
static inline int bit_length(const u256 *a) {
  int i = 3;
  while (a->v[i] == 0) {
    i--;
  }
  return 64 * i + 64 - __builtin_clzll(a->v[i]);
}

/* The low word of a / 2^shift. */
static inline uint64_t word_at(const u256 *a, int shift) {
  int word = shift / 64, bits = shift % 64;
  uint64_t high = word < 3 ? a->v[word + 1] : 0;
  return a->v[word] >> bits | high << 1 << (63 - bits);
}

/* Steps of Euclid's algorithm that the leading 64 bits a, b of r0 = (a + alpha) 2^k and
 * r1 = (b + beta) 2^k determine, 0 <= alpha, beta < 1.  With the same quotients
 * throughout, a remainder c = +-(x a - y b) of a and b stands for one of r0 and r1 that
 * is c 2^k, off by less than y 2^k (y >= x from r1 on).  So a next remainder c of a, b
 * with its own y' is right, 0 <= c < b being true of the whole numbers too, if c >= y'
 * and b - c >= y + y'.  y' b <= a at the start of the pass, hence y' < 2^32.  No step is
 * made from an r1 that could be below 2^128. */
static inline void leading_steps(matrix *m, const u256 r[2]) {
  int k = bit_length(&r[0]) - 64;
  uint64_t a = word_at(&r[0], k), b = word_at(&r[1], k);
  uint64_t least = k < 128 ? (uint64_t)1 << (128 - k) : 1;
  uint64_t x0 = 1, y0 = 0, x1 = 0, y1 = 1;
  int steps = 0;
  while (b >= y1 && b - y1 >= least) {
    uint64_t q = a / b, c = a % b, y = y0 + q * y1;
    if (c < y || b - c < y1 + y) {
      break;
    }
    uint64_t x = x0 + q * x1;
    a = b;
    b = c;
    x0 = x1;
    x1 = x;
    y0 = y1;
    y1 = y;
    steps++;
  }
  *m = (matrix){{x0, x1}, {y0, y1}, steps};
}

/* out = x a - y b, which is neither negative nor above 2^256. */
static inline void difference(u256 *out, uint64_t x, const u256 *a, uint64_t y,
                              const u256 *b) {
  uint64_t carry_a = 0, carry_b = 0, borrow = 0;
  for (int i = 0; i < 4; i++) {
    uint64_t xa = mul_add_u64(0, x, a->v[i], &carry_a);
    uint64_t yb = mul_add_u64(0, y, b->v[i], &carry_b);
    out->v[i] = sub_borrow_u64(xa, yb, &borrow);
  }
}

/* out = x t0 + y t1, below 2^128. */
static inline void sum(uint64_t out[2], uint64_t x, const uint64_t t0[2], uint64_t y,
                       const uint64_t t1[2]) {
  uint64_t carry = 0;
  uint64_t low = mul_add_u64(0, x, t0[0], &carry);
  uint64_t high = x * t0[1] + carry;
  carry = 0;
  out[0] = mul_add_u64(low, y, t1[0], &carry);
  out[1] = high + y * t1[1] + carry;
}

static inline void apply(euclid *e, const matrix *m) {
  int odd = m->steps & 1;
  const uint64_t first[2] = {m->x[0], m->y[0]}, second[2] = {m->x[1], m->y[1]};
  euclid next;
  difference(&next.r[0], first[odd], &e->r[odd], first[!odd], &e->r[!odd]);
  difference(&next.r[1], second[!odd], &e->r[!odd], second[odd], &e->r[odd]);
  sum(next.t[0], m->x[0], e->t[0], m->y[0], e->t[1]);
  sum(next.t[1], m->x[1], e->t[0], m->y[1], e->t[1]);
  next.index = e->index + m->steps;
  *e = next;
}

static inline void shift_left(uint64_t *v, int words, int shift) {
  for (int i = words - 1; i >= 0; i--) {
    int from = i - shift / 64;
    uint64_t high = from >= 0 ? v[from] : 0, low = from >= 1 ? v[from - 1] : 0;
    v[i] = high << shift % 64 | low >> 1 >> (63 - shift % 64);
  }
}

/* One step on the whole numbers, by shifts and subtractions. */
static void whole_step(euclid *e) {
  while (!u256_lt_mask(&e->r[0], &e->r[1])) {
    int shift = bit_length(&e->r[0]) - bit_length(&e->r[1]);
    u256 multiple = e->r[1];
    shift_left(multiple.v, 4, shift);
    if (u256_lt_mask(&e->r[0], &multiple)) {
      shift--;
      multiple = e->r[1];
      shift_left(multiple.v, 4, shift);
    }
    (void)u256_sub(&e->r[0], &e->r[0], &multiple);
    uint64_t t[2] = {e->t[1][0], e->t[1][1]}, carry = 0;
    shift_left(t, 2, shift);
    e->t[0][0] = add_carry_u64(e->t[0][0], t[0], &carry);
    e->t[0][1] = add_carry_u64(e->t[0][1], t[1], &carry);
  }
  euclid next = {{e->r[1], e->r[0]},
                 {{e->t[1][0], e->t[1][1]}, {e->t[0][0], e->t[0][1]}},
                 e->index + 1};
  *e = next;
}

void sm_sc_p256_split_vt(u256 *a, u256 *b, bool *b_negative, const u256 *u) {
  CHECK(sm_sc_p256_in_range(u));
  euclid e = {{sm_sc_p256_order, *u}, {{0, 0}, {1, 0}}, 1};
  while (!is_half_size(&e.r[1])) {
    matrix m;
    leading_steps(&m, e.r);
    if (m.steps > 0) {
      apply(&e, &m);
    } else {
      whole_step(&e);
    }
  }
  *a = e.r[1];
  *b = (u256){{e.t[1][0], e.t[1][1], 0, 0}};
  *b_negative = (e.index & 1) == 0;
}
