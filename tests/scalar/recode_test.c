/* Protects the two recodings: the digits, weighted by libcrypto's big integers, must add
 * up to the scalar, and each must obey the rules that tables and formulas count on. */
#include "scalar/sc_p256.h"

#include "bn_u256.h"

static u256 edges[EDGES_MAX];
static int edge_count;
static BIGNUM *value, *sum;

static void add_digit(int digit) {
  if (digit < 0) {
    BN_sub_word(sum, (BN_ULONG)-digit);
  } else {
    BN_add_word(sum, (BN_ULONG)digit);
  }
}

static void check_wnaf(const u256 *a, int w) {
  int16_t digits[258];
  memset(digits, 0x55, sizeof digits);
  int length = sm_recode_wnaf_vt(digits, a, w);
  bool rules = digits[257] == 0x5555 && 0 <= length && length <= 257;
  int last = -w, bound = 1 << (w - 1);
  BN_zero(sum);
  for (int i = 256; i >= 0; i--) {
    BN_lshift1(sum, sum);
    add_digit(digits[i]);
  }
  for (int i = 0; i < 257; i++) {
    if (digits[i] != 0) {
      rules &= (digits[i] & 1) != 0 && -bound < digits[i] && digits[i] < bound;
      rules &= i - last >= w;
      last = i;
    }
  }
  rules &= length == (last < 0 ? 0 : last + 1);
  bn_from_u256(value, a);
  EXPECT(rules && BN_cmp(value, sum) == 0, "w = %d, " HEX256, w, HEX256_ARGS(*a));
}

static void wnaf_of_edges(void) {
  for (int w = 2; w <= 15; w++) {
    for (int i = 0; i < edge_count; i++) {
      check_wnaf(&edges[i], w);
    }
  }
}

static void wnaf_of_random(void) {
  for (int i = 0; i < (test_long() ? 500000 : 20000); i++) {
    u256 a = i % 2 == 0 ? u256_random_runs() : u256_random();
    check_wnaf(&a, 2 + (int)(test_random_u64() % 14));
  }
}

/* in: k < 2^(w count), made odd here. */
static void check_odd(u256 k, int count, int w) {
  int8_t digits[130];
  memset(digits, 0x55, sizeof digits);
  k.v[0] |= 1;
  sm_recode_odd(digits, count, &k, w);
  bool rules = digits[count] == 0x55 && digits[count - 1] > 0;
  BN_zero(sum);
  for (int i = count - 1; i >= 0; i--) {
    rules &= (digits[i] & 1) != 0 && digits[i] > -(1 << w) && digits[i] < 1 << w;
    BN_lshift(sum, sum, w);
    add_digit(digits[i]);
  }
  bn_from_u256(value, &k);
  EXPECT(rules && BN_cmp(value, sum) == 0, "w = %d, " HEX256, w, HEX256_ARGS(k));
}

static int places(int bits, int w) {
  return (bits + w - 1) / w;
}

static void odd_digits_of_edges(void) {
  for (int w = 2; w <= 7; w++) {
    for (int i = 0; i < edge_count; i++) {
      check_odd(edges[i], places(256, w), w);
    }
  }
}

static void odd_digits_near_2_256(void) {
  for (int w = 2; w <= 7; w++) {
    for (uint64_t i = 0; i < 5000; i++) {
      u256 k = {{UINT64_MAX - i, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
      check_odd(k, places(256, w), w);
    }
  }
}

static void odd_digits_of_random(void) {
  for (int i = 0; i < (test_long() ? 500000 : 20000); i++) {
    u256 k = i % 2 == 0 ? u256_random_runs() : u256_random();
    int w = 2 + (int)(test_random_u64() % 6);
    check_odd(k, places(256, w), w);
    k.v[2] = k.v[3] = 0;
    check_odd(k, places(128, w), w);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  value = BN_new();
  sum = BN_new();
  edge_count = edge_values(edges, &sm_sc_p256_order, NULL);
  RUN(wnaf_of_edges);
  RUN(wnaf_of_random);
  RUN(odd_digits_of_edges);
  RUN(odd_digits_near_2_256);
  RUN(odd_digits_of_random);
  BN_free(value);
  BN_free(sum);
  return test_end();
}
