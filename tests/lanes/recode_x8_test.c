/* Protects the digits in eight lanes, in each body: weighted by libcrypto's big integers
 * they must add up to the scalar mod n in every lane, and obey the rules that tables
 * count on.  The digits of a ladder belong to u1 = digest/s and u2 = r/s. */
#include "sc_x8_ops.h"

#include "bn_u256.h"
#include "scalar/sc_p256.h"

static const int widths[] = {2, 3, 4, 5, 6, 7, 12};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

static u256 edges[EDGES_MAX], scalars[EDGES_MAX];
static int edge_count, scalar_count;
static BN_CTX *ctx;
static BIGNUM *n, *sum, *want, *factor;

/* sum = the weighted digits of a lane, mod n; true if they are as many as they are to be,
 * odd, and below 2^w. */
static bool add_digits(const sc_x8_digits *from, int lane, int w) {
  bool rules = from->count == (256 + w - 1) / w;
  BN_zero(sum);
  for (int j = from->count - 1; j >= 0; j--) {
    const int32_t digit = from->digit[j][lane];
    rules &= (digit & 1) != 0 && -(1 << w) < digit && digit < 1 << w;
    BN_lshift(sum, sum, w);
    if (digit < 0) {
      BN_sub_word(sum, (BN_ULONG)-digit);
    } else {
      BN_add_word(sum, (BN_ULONG)digit);
    }
  }
  BN_nnmod(sum, sum, n, ctx);
  return rules;
}

static u256 scalar(int i) {
  return i < scalar_count ? scalars[i] : u256_random_below(&sm_sc_p256_order);
}

static void bodies_run_here(void) {
  if (sc_x8_body(1) == NULL) {
    test_skip("without AVX-512 IFMA only the body in plain C is tried");
  }
}

static void digits_of_scalars(void) {
  const sc_x8_ops *ops;
  for (int body = 0; (ops = sc_x8_body(body)) != NULL; body++) {
    for (int i = 0; i < scalar_count + (test_long() ? 100000 : 10000); i++) {
      u256 k[8];
      sc_x8_slot slot;
      for (int lane = 0; lane < 8; lane++) {
        k[lane] = scalar(i < scalar_count ? (i + 41 * lane) % scalar_count : i);
      }
      ops->from_words(&slot, k);
      for (int v = i % 3; v < WIDTHS; v += 3) {
        sc_x8_digits digits;
        ops->recode(&digits, &slot, widths[v]);
        for (int lane = 0; lane < 8; lane++) {
          bool rules = add_digits(&digits, lane, widths[v]);
          bn_from_u256(want, &k[lane]);
          EXPECT(rules && BN_cmp(sum, want) == 0, "%s, w = %d, lane %d, " HEX256,
                 ops->name, widths[v], lane, HEX256_ARGS(k[lane]));
        }
      }
    }
  }
}

/* Where k is odd the digits are those of the scalar code. */
static void digits_as_in_scalar_code(void) {
  const sc_x8_ops *ops;
  for (int body = 0; (ops = sc_x8_body(body)) != NULL; body++) {
    for (int i = 0; i < 1000; i++) {
      u256 k[8];
      sc_x8_slot slot;
      for (int lane = 0; lane < 8; lane++) {
        k[lane] = scalar(i);
        k[lane].v[0] |= 1;
      }
      ops->from_words(&slot, k);
      for (int w = 2; w <= 7; w++) {
        sc_x8_digits digits;
        int8_t expected[128];
        ops->recode(&digits, &slot, w);
        for (int lane = 0; lane < 8; lane++) {
          sm_recode_odd(expected, digits.count, &k[lane], w);
          bool same = true;
          for (int j = 0; j < digits.count; j++) {
            same &= digits.digit[j][lane] == expected[j];
          }
          EXPECT(same, "%s, w = %d, lane %d, " HEX256, ops->name, w, lane,
                 HEX256_ARGS(k[lane]));
        }
      }
    }
  }
}

/* The digits' sum = a / s mod n? */
static bool is_quotient(const sc_x8_digits *digits, int lane, int w, const u256 *a,
                        const u256 *s) {
  bool rules = add_digits(digits, lane, w);
  bn_from_u256(factor, s);
  BN_mod_mul(sum, sum, factor, n, ctx);
  bn_from_u256(want, a);
  BN_nnmod(want, want, n, ctx);
  return rules && BN_cmp(sum, want) == 0;
}

static void digits_of_ladders(void) {
  static p256_claim claims[64];
  const sc_x8_ops *ops;
  for (int body = 0; (ops = sc_x8_body(body)) != NULL; body++) {
    for (int round = 0; round < (test_long() ? 10000 : 1000); round++) {
      const p256_claim *pointers[64];
      sc_x8_digits u1[8], u2[8];
      int groups = 1 + round % 8;
      for (int i = 0; i < 8 * groups; i++) {
        int kind = (int)(test_random_u64() % 4);
        claims[i].digest =
            kind == 0 ? edges[(8 * round + i) % edge_count] : u256_random();
        claims[i].r = scalar(kind == 1 ? (8 * round + i) % scalar_count : EDGES_MAX);
        claims[i].s = scalar(kind == 2 ? (8 * round + i) % scalar_count : EDGES_MAX);
        claims[i].r.v[0] |= u256_zero_mask(&claims[i].r) & 1;
        claims[i].s.v[0] |= u256_zero_mask(&claims[i].s) & 1;
        /* Neighbours anywhere in memory. */
        pointers[(i + round) % (8 * groups)] = &claims[i];
      }
      ops->ladder_vt(u1, u2, pointers, groups);
      for (int i = 0; i < 8 * groups; i++) {
        const p256_claim *claim = pointers[i];
        EXPECT(is_quotient(&u1[i / 8], i % 8, 12, &claim->digest, &claim->s),
               "%s, u1 of item %d in %d groups", ops->name, i, groups);
        EXPECT(is_quotient(&u2[i / 8], i % 8, 4, &claim->r, &claim->s),
               "%s, u2 of item %d in %d groups", ops->name, i, groups);
      }
    }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  n = BN_new();
  sum = BN_new();
  want = BN_new();
  factor = BN_new();
  ctx = BN_CTX_new();
  bn_from_u256(n, &sm_sc_p256_order);
  edge_count = edge_values(edges, &sm_sc_p256_order, NULL);
  scalar_count = edge_values(scalars, &sm_sc_p256_order, &sm_sc_p256_order);
  RUN(bodies_run_here);
  RUN(digits_of_scalars);
  RUN(digits_as_in_scalar_code);
  RUN(digits_of_ladders);
  BN_free(n);
  BN_free(sum);
  BN_free(want);
  BN_free(factor);
  BN_CTX_free(ctx);
  return test_end();
}
