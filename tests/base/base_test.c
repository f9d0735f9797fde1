/* The base floor: byte order, masks and 256-bit integers against libcrypto's big
 * integers, the processor's features against the kernel's list, and the randomness's
 * shape. */
#include "base/cpu.h"
#include "base/random.h"
#include "base/secret.h"
#include "base/u256.h"
#include "harness.h"

#include <openssl/bn.h>
#include <string.h>

/* Words at which carries, borrows and signs change. */
static const uint64_t edges[] = {0,
                                 1,
                                 2,
                                 UINT64_C(0x7fffffffffffffff),
                                 UINT64_C(0x8000000000000000),
                                 UINT64_C(0x8000000000000001),
                                 UINT64_C(0x00000000ffffffff),
                                 UINT64_C(0x0000000100000000),
                                 UINT64_C(0xfffffffffffffffe),
                                 UINT64_C(0xffffffffffffffff)};
enum { EDGES = sizeof edges / sizeof edges[0] };

static BN_CTX *bn_ctx;

static uint64_t edge_or_random(void) {
  uint64_t choice = test_random_u64() % (2 * EDGES);
  return choice < EDGES ? edges[choice] : test_random_u64();
}

static u256 random_u256(void) {
  return (u256){{edge_or_random(), edge_or_random(), edge_or_random(), edge_or_random()}};
}

static void to_bn(BIGNUM *out, const u256 *a) {
  uint8_t be[32];
  u256_to_be(be, a);
  BN_bin2bn(be, sizeof be, out);
}

static bool is_bn(const u256 *a, const BIGNUM *expected) {
  uint8_t be[32], expected_be[32];
  u256_to_be(be, a);
  return BN_bn2binpad(expected, expected_be, 32) == 32 &&
         memcmp(be, expected_be, sizeof be) == 0;
}

static void byte_order(void) {
  static const uint8_t bytes[32] = {0x81, 0x02, 0x83, 0x04, 0x85, 0x06, 0x87, 0x08,
                                    0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10,
                                    0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
                                    0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0xf0};
  uint8_t back[32];
  u256 a;
  EXPECT(load_be32(bytes) == 0x81028304, "load_be32");
  EXPECT(load_be64(bytes) == UINT64_C(0x8102830485068708), "load_be64");
  u256_from_be(&a, bytes);
  EXPECT(a.v[0] == UINT64_C(0x191a1b1c1d1e1ff0), "the lowest limb stands last");
  EXPECT(a.v[3] == UINT64_C(0x8102830485068708), "the highest limb stands first");
  u256_to_be(back, &a);
  EXPECT(memcmp(back, bytes, sizeof bytes) == 0, "u256_to_be");
}

static void words(void) {
  BIGNUM *x = BN_new(), *y = BN_new(), *product = BN_new();
  for (size_t i = 0; i < EDGES * EDGES; i++) {
    uint64_t a = edges[i % EDGES], b = edges[i / EDGES], high;
    u256 wide = {{0}}, small_a = {{a}}, small_b = {{b}};
    wide.v[0] = mul_wide_u64(a, b, &high);
    wide.v[1] = high;
    to_bn(x, &small_a);
    to_bn(y, &small_b);
    BN_mul(product, x, y, bn_ctx);
    EXPECT(is_bn(&wide, product), "product %zu", i);
    EXPECT(ct_zero_mask_u64(a) == (a == 0 ? UINT64_MAX : 0), "zero %zu", i);
    EXPECT(ct_select_u64(UINT64_MAX, a, b) == a && ct_select_u64(0, a, b) == b,
           "selection %zu", i);
  }
  EXPECT(ct_mask_u64(1) == UINT64_MAX && ct_mask_u64(0) == 0, "masks of a bit");
  BN_free(x);
  BN_free(y);
  BN_free(product);
}

static void sums_and_orders(void) {
  BIGNUM *x = BN_new(), *y = BN_new(), *z = BN_new(), *top = BN_new();
  BN_set_bit(top, 256);
  for (size_t i = 0; i < (test_long() ? 1000000 : 20000); i++) {
    u256 a = random_u256(), b = random_u256(), out;
    if (i % 5 == 0) {
      b = a;
      b.v[i % 4] ^= (i % 2) << (i % 64);
    }
    to_bn(x, &a);
    to_bn(y, &b);
    int order = BN_cmp(x, y);

    uint64_t carry = u256_add(&out, &a, &b);
    BN_add(z, x, y);
    bool overflows = BN_cmp(z, top) >= 0;
    if (overflows) {
      BN_sub(z, z, top);
    }
    EXPECT(carry == overflows && is_bn(&out, z), "sum %zu", i);

    uint64_t borrow = u256_sub(&out, &a, &b);
    BN_sub(z, x, y);
    if (order < 0) {
      BN_add(z, z, top);
    }
    EXPECT(borrow == (order < 0) && is_bn(&out, z), "difference %zu", i);

    EXPECT(u256_lt_mask(&a, &b) == (order < 0 ? UINT64_MAX : 0), "order %zu", i);
    EXPECT(u256_eq_mask(&a, &b) == (order == 0 ? UINT64_MAX : 0), "equality %zu", i);
    EXPECT(u256_zero_mask(&a) == (BN_is_zero(x) ? UINT64_MAX : 0), "zero %zu", i);
    out = b;
    u256_select(&out, UINT64_MAX, &a, &out);
    EXPECT(is_bn(&out, x), "selection of the first %zu", i);
    u256_select(&out, 0, &a, &b);
    EXPECT(is_bn(&out, y), "selection of the second %zu", i);
    out = a;
    u256_add(&out, &out, &b);
    u256_sub(&out, &out, &b);
    EXPECT(is_bn(&out, x), "in place %zu", i);
  }
  BN_free(x);
  BN_free(y);
  BN_free(z);
  BN_free(top);
}

/* Does the kernel's list of flags hold this word? */
static bool has_word(const char *flags, const char *word) {
  size_t len = strlen(word);
  for (const char *at = strstr(flags, word); at != NULL; at = strstr(at + 1, word)) {
    if (at[-1] == ' ' && (at[len] == ' ' || at[len] == '\n')) {
      return true;
    }
  }
  return false;
}

/* The kernel lists what it supports and saves; a hypervisor or a boot option that takes
 * something away takes it from both. */
static void processor_features(void) {
  static char line[16384];
  FILE *file = fopen("/proc/cpuinfo", "r");
  bool found = false;
  while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
    found = strncmp(line, "flags", 5) == 0;
  }
  if (file != NULL) {
    fclose(file);
  }
  if (!found) {
    test_skip("no list of flags in /proc/cpuinfo");
    return;
  }
  const cpu_features *cpu = sm_cpu_features();
  bool avx512 = has_word(line, "avx512f") && has_word(line, "avx512bw") &&
                has_word(line, "avx512dq") && has_word(line, "avx512vl");
  EXPECT(cpu->bmi2 == has_word(line, "bmi2"), "bmi2 %d", cpu->bmi2);
  EXPECT(cpu->adx == has_word(line, "adx"), "adx %d", cpu->adx);
  EXPECT(cpu->avx2 == has_word(line, "avx2"), "avx2 %d", cpu->avx2);
  EXPECT(cpu->avx512 == avx512, "avx512 %d", cpu->avx512);
  EXPECT(cpu->ifma == (avx512 && has_word(line, "avx512ifma")), "ifma %d", cpu->ifma);
  EXPECT(cpu->sha_ni == (has_word(line, "sha_ni") && has_word(line, "ssse3") &&
                         has_word(line, "sse4_1")),
         "sha_ni %d", cpu->sha_ni);
  EXPECT(cpu->avx_ifma == has_word(line, "avx_ifma"), "avx_ifma %d", cpu->avx_ifma);
  EXPECT(sm_cpu_features() == cpu, "the answer stays");
}

/* Filled to the last byte and not beyond; the chance of a false alarm is below 2^-60. */
static void randomness(void) {
  static uint8_t buffer[1000 + 8];
  static const size_t lens[] = {0, 1, 31, 32, 33, 255, 256, 257, 1000};
  for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
    uint8_t seen[1000] = {0};
    bool all_seen = true;
    memset(buffer, 0, sizeof buffer);
    for (int draw = 0; draw < 10; draw++) {
      EXPECT(sm_random_bytes(buffer, lens[i]), "%zu bytes", lens[i]);
      for (size_t j = 0; j < lens[i]; j++) {
        seen[j] |= buffer[j];
      }
    }
    for (size_t j = 0; j < lens[i]; j++) {
      all_seen &= seen[j] != 0;
    }
    EXPECT(all_seen, "every one of %zu bytes is written", lens[i]);
    EXPECT(buffer[lens[i]] == 0, "nothing behind %zu bytes is written", lens[i]);
  }
  uint8_t a[32], b[32];
  EXPECT(sm_random_bytes(a, 32) && sm_random_bytes(b, 32) && memcmp(a, b, 32) != 0,
         "two draws differ");
}

static void wiping(void) {
  uint8_t secret[67], seen = 0;
  test_random_bytes(secret, sizeof secret);
  wipe(secret + 1, sizeof secret - 2);
  for (size_t i = 1; i < sizeof secret - 1; i++) {
    seen |= secret[i];
  }
  EXPECT(seen == 0, "all is zero");
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  bn_ctx = BN_CTX_new();
  RUN(byte_order);
  RUN(words);
  RUN(sums_and_orders);
  RUN(processor_features);
  RUN(randomness);
  RUN(wiping);
  BN_CTX_free(bn_ctx);
  return test_end();
}
