/* Every operation of every body of the lanes' vocabulary that this machine runs, against
 * its meaning: for all edge values and pairs of them in each lane, every shift count, all
 * masks, and each moved word by a tag of its own.  The meaning is told here bit by bit
 * and in digits of 13 bits, as no body computes it. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "vocabulary_ops.h"

#include "base/cpu.h"
#include "harness.h"
#include "lanes/lanes_p256.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const vocabulary_ops *ops; /* the body under test */

/* --- meanings --- */

static unsigned bit_of(uint64_t a, int i) {
  return (unsigned)(a >> i & 1);
}

static uint64_t bit_add(uint64_t a, uint64_t b, unsigned carry) {
  uint64_t sum = 0;
  for (int i = 0; i < 64; i++) {
    const unsigned total = bit_of(a, i) + bit_of(b, i) + carry;
    sum |= (uint64_t)(total % 2) << i;
    carry = total / 2;
  }
  return sum;
}

/* The bit that comes to place i from place i + k; from outside, `fill`. */
static uint64_t bit_shift(uint64_t a, int k, unsigned fill) {
  uint64_t r = 0;
  for (int i = 0; i < 64; i++) {
    const int from = i + k;
    const unsigned bit = from < 0 ? 0 : from > 63 ? fill : bit_of(a, from);
    r |= (uint64_t)bit << i;
  }
  return r;
}

enum { DIGIT = 13, DIGIT_VALUES = 1 << DIGIT };

/* Four digits of the 104-bit product of the low 52 bits, from digit `first` on. */
static uint64_t product_digits(uint64_t a, uint64_t b, int first) {
  uint64_t sum[9] = {0}, r = 0;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      sum[i + j] +=
          (a >> (DIGIT * i)) % DIGIT_VALUES * ((b >> (DIGIT * j)) % DIGIT_VALUES);
    }
  }
  for (int i = 0; i < 8; i++) {
    sum[i + 1] += sum[i] / DIGIT_VALUES;
    if (i >= first && i < first + 4) {
      r |= sum[i] % DIGIT_VALUES << (DIGIT * (i - first));
    }
  }
  return r;
}

/* --- values --- */

enum { RANDOMS = 24, MOST_VALUES = 512 };
static uint64_t values[MOST_VALUES];
static int value_count;

static void add_value(uint64_t x) {
  for (int i = 0; i < value_count; i++) {
    if (values[i] == x) {
      return;
    }
  }
  values[value_count++] = x;
}

static void make_values(void) {
  static const int limb_bits[] = {26, 32, 44, 48, 51, 52, 53, 63};
  for (int k = 0; k < 64; k++) {
    const uint64_t power = UINT64_C(1) << k;
    add_value(power);
    add_value(power - 1);
    add_value(~power);
    add_value(~(power - 1));
  }
  for (size_t i = 0; i < sizeof limb_bits / sizeof limb_bits[0]; i++) {
    const uint64_t power = UINT64_C(1) << limb_bits[i];
    for (uint64_t d = 1; d <= 2; d++) {
      add_value(power + d);
      add_value(power - d);
      add_value(~power - d);
    }
  }
  for (int i = 0; i < RANDOMS; i++) {
    add_value(test_random_u64() >> i % 3 * 12);
  }
}

/* Eight values, others in each lane; as start goes round, each lane sees all. */
static void take(lanes8 out, int start, int stride) {
  for (int lane = 0; lane < 8; lane++) {
    out[lane] = values[(start + stride * lane) % value_count];
  }
}

static void expect_lanes(const char *what, int detail, const lanes8 got,
                         const lanes8 expected, const lanes8 a, const lanes8 b,
                         const lanes8 c) {
  for (int i = 0; i < 8; i++) {
    EXPECT(got[i] == expected[i],
           "%s %d, lane %d: %016llx, not %016llx, of %016llx %016llx %016llx", what,
           detail, i, (unsigned long long)got[i], (unsigned long long)expected[i],
           (unsigned long long)a[i], (unsigned long long)b[i], (unsigned long long)c[i]);
  }
}

#define CHECK_WORDS(op, detail, i, meaning)                                              \
  do {                                                                                   \
    _Alignas(64) lanes8 got_, expected_;                                                 \
    for (int i = 0; i < 8; i++) {                                                        \
      expected_[i] = (meaning);                                                          \
    }                                                                                    \
    ops->op(got_, a, b, c);                                                              \
    if (memcmp(got_, expected_, sizeof got_) != 0) {                                     \
      expect_lanes(#op, (detail), got_, expected_, a, b, c);                             \
    }                                                                                    \
  } while (0)

#define CHECK_MASK(op, i, meaning)                                                       \
  do {                                                                                   \
    _Alignas(64) lanes8 got_;                                                            \
    unsigned expected_ = 0;                                                              \
    for (int i = 0; i < 8; i++) {                                                        \
      expected_ |= (meaning) ? 1U << i : 0;                                              \
    }                                                                                    \
    ops->op(got_, a, b, c);                                                              \
    EXPECT(got_[0] == expected_, #op ": %02llx, not %02x", (unsigned long long)got_[0],  \
           expected_);                                                                   \
  } while (0)

/* --- tests --- */

/* Every pair of values in every lane. */
static void pairs(void) {
  _Alignas(64) lanes8 a, b, c;
  for (int i = 0; i < value_count; i++) {
    for (int j = 0; j < value_count; j++) {
      take(a, i, 37);
      take(b, i + j, 101);
      take(c, 7 * i + 3 * j, 59);
      CHECK_WORDS(madlo52, 0, l, c[l] + product_digits(a[l], b[l], 0));
      CHECK_WORDS(madhi52, 0, l, c[l] + product_digits(a[l], b[l], 4));
      CHECK_WORDS(add, 0, l, bit_add(a[l], b[l], 0));
      CHECK_WORDS(sub, 0, l, bit_add(a[l], ~b[l], 1));
      CHECK_WORDS(and_, 0, l, a[l] & b[l]);
      CHECK_WORDS(or_, 0, l, a[l] | b[l]);
      CHECK_WORDS(xor_, 0, l, a[l] ^ b[l]);
      CHECK_MASK(eq, l, a[l] == b[l]);
      CHECK_WORDS(compared, 0, l,
                  (a[l] == b[l] && bit_of(a[l], 63) == 0) || c[l] == 0 ||
                          bit_of(c[l], 63) == 1
                      ? a[l]
                      : c[l]);
    }
  }
}

/* Every value in every lane; equal operands; every shift count. */
static void singles(void) {
  _Alignas(64) lanes8 a, b, c;
  for (int i = 0; i < value_count; i++) {
    take(a, i, 37);
    take(b, i, 37);
    take(c, i, 59);
    b[i % 8] ^= UINT64_C(1) << i % 64;
    CHECK_WORDS(zero, 0, l, 0);
    CHECK_WORDS(set1, 0, l, a[0]);
    CHECK_WORDS(load_store, 0, l, a[l]);
    CHECK_MASK(isneg, l, bit_of(a[l], 63) == 1);
    CHECK_MASK(iszero, l, a[l] == 0);
    CHECK_MASK(eq, l, l != i % 8);
    for (int k = 0; k < 64; k++) {
      CHECK_WORDS(shl[k], k, l, bit_shift(a[l], -k, 0));
      CHECK_WORDS(shr[k], k, l, bit_shift(a[l], k, 0));
      CHECK_WORDS(sar[k], k, l, bit_shift(a[l], k, bit_of(a[l], 63)));
      CHECK_WORDS(split[k], k, l, a[l]);
    }
  }
}

/* All patterns and pairs of patterns. */
static void masks(void) {
  _Alignas(64) lanes8 a = {0}, b = {0}, c = {0};
  for (unsigned m = 0; m < 256; m++) {
    for (unsigned n = 0; n < 256; n++) {
      a[0] = m;
      b[0] = n;
      CHECK_MASK(mask_and, l, bit_of(m, l) + bit_of(n, l) == 2);
      CHECK_MASK(mask_or, l, bit_of(m, l) + bit_of(n, l) > 0);
      CHECK_MASK(mask_xor, l, bit_of(m, l) != bit_of(n, l));
    }
    CHECK_MASK(bits, l, bit_of(m, l));
    CHECK_MASK(mask_not, l, !bit_of(m, l));
  }
  for (unsigned m = 0; m < 256; m++) {
    for (int i = 0; i < 8; i++) {
      const uint64_t x = test_random_u64();
      a[i] = x;
      b[i] = ~x;
    }
    c[0] = m;
    CHECK_WORDS(select, (int)m, l, bit_of(m, l) == 1 ? a[l] : b[l]);
    for (int i = 0; i < 8; i++) {
      /* One bit set, or none. */
      a[i] = bit_of(m, i) == 1 ? 0 : UINT64_C(1) << (m + 9 * (unsigned)i) % 64;
      b[i] = bit_of(m, i) == 1 ? a[i] : 0;
    }
    CHECK_MASK(iszero, l, bit_of(m, l));
    CHECK_MASK(eq, l, bit_of(m, l));
    for (int i = 0; i < 8; i++) {
      a[i] = bit_of(m, i) == 1 ? ~b[i] : UINT64_MAX >> 1;
    }
    CHECK_MASK(isneg, l, bit_of(m, l));
  }
}

static void lanes_move(void) {
  _Alignas(64) lanes8 a, b, c;
  for (int i = 0; i < 8; i++) {
    a[i] = test_random_u64();
    b[i] = test_random_u64();
  }
  CHECK_WORDS(swap1, 0, l, a[l ^ 1]);
  CHECK_WORDS(swap2, 0, l, a[l ^ 2]);
  CHECK_WORDS(swap4, 0, l, a[l ^ 4]);
  /* Each index in each lane, among lanes that have others, and whatever stands above it.
   */
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 16; i++) {
      for (int stride = 0; stride < 16; stride++) {
        for (int l = 0; l < 8; l++) {
          const uint64_t above = round == 0   ? 0
                                 : round == 1 ? ~UINT64_C(15)
                                              : test_random_u64() << 4;
          c[l] = above | (uint64_t)((i + stride * l) % 16);
        }
        CHECK_WORDS(look16, i, l, c[l] % 16 < 8 ? a[c[l] % 8] : b[c[l] % 8]);
        memcpy(b, c, sizeof b);
        CHECK_WORDS(look8, i, l, a[b[l] % 8]);
        for (int l = 0; l < 8; l++) {
          b[l] = test_random_u64();
        }
      }
    }
  }
}

enum { SPACE = 12 };

/* Where row i starts in blocks of SPACE words: out of order, at every offset. */
static int place(int i, int shift) {
  return SPACE * ((3 * i + shift) % 8) + (i + shift) % 4;
}

/* Rows apart and out of order, and rows that end where memory ends. */
static void rows_load(void) {
  static uint64_t space[8 * SPACE];
  const uint64_t *rows[8];
  _Alignas(64) lanes8 got[8];
  for (size_t i = 0; i < 8 * SPACE; i++) {
    space[i] = test_random_u64();
  }
  for (int shift = 0; shift < 8; shift++) {
    for (int i = 0; i < 8; i++) {
      rows[i] = space + place(i, shift);
    }
    for (int width = 8; width >= 4; width -= 4) {
      (width == 8 ? ops->load_rows : ops->load_rows4)(got, rows);
      for (int w = 0; w < width; w++) {
        for (int i = 0; i < 8; i++) {
          EXPECT(got[w][i] == rows[i][w], "rows of %d: word %d, lane %d", width, w, i);
        }
      }
    }
  }

  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!EXPECT(pages != MAP_FAILED &&
                  mprotect(pages + page, page, PROT_READ | PROT_WRITE) == 0,
              "a page between two that may not be touched")) {
    return;
  }
  uint64_t *first = (uint64_t *)(void *)(pages + page);
  uint64_t *end = (uint64_t *)(void *)(pages + 2 * page);
  for (int width = 8; width >= 4; width -= 4) {
    for (int i = 0; i < 8; i++) {
      rows[i] = i % 2 == 0 ? end - width : first;
    }
    for (int w = 0; w < width; w++) {
      first[w] = test_random_u64();
      end[w - width] = test_random_u64();
    }
    (width == 8 ? ops->load_rows : ops->load_rows4)(got, rows);
    for (int w = 0; w < width; w++) {
      for (int i = 0; i < 8; i++) {
        EXPECT(got[w][i] == rows[i][w], "rows at the edge: word %d, lane %d", w, i);
      }
    }
  }
  munmap(pages, 3 * page);
}

/* Each word at its place, and nothing beside it. */
static void rows_store(void) {
  static uint64_t space[8 * SPACE], expected[8 * SPACE];
  uint64_t *rows[8];
  _Alignas(64) lanes8 in[8];
  for (int shift = 0; shift < 8; shift++) {
    for (int width = 8; width >= 4; width -= 4) {
      for (size_t i = 0; i < 8 * SPACE; i++) {
        space[i] = expected[i] = test_random_u64();
      }
      for (int i = 0; i < 8; i++) {
        rows[i] = space + place(i, shift);
        for (int w = 0; w < 8; w++) {
          in[w][i] = test_random_u64();
        }
        for (int w = 0; w < width; w++) {
          expected[place(i, shift) + w] = in[w][i];
        }
      }
      (width == 8 ? ops->store_rows : ops->store_rows4)(rows, in);
      EXPECT(memcmp(space, expected, sizeof space) == 0, "rows of %d", width);
    }
  }
}

static void narrow_stores(void) {
  _Alignas(64) lanes8 a;
  for (int i = 0; i < value_count; i++) {
    uint8_t bytes[8 + 2] = {0xa5, 0, 0, 0, 0, 0, 0, 0, 0, 0x5a};
    uint16_t words[8 + 2] = {0xa5a5, 0, 0, 0, 0, 0, 0, 0, 0, 0x5a5a};
    take(a, i, 37);
    for (int l = 0; l < 8; l++) {
      a[l] ^= (uint64_t)l * 0x1111;
    }
    ops->store_bytes(bytes + 1, a);
    ops->store_words16(words + 1, a);
    EXPECT(bytes[0] == 0xa5 && bytes[9] == 0x5a, "bytes beside the eight");
    EXPECT(words[0] == 0xa5a5 && words[9] == 0x5a5a, "words beside the eight");
    for (int l = 0; l < 8; l++) {
      EXPECT(bytes[l + 1] == a[l] % 256, "byte %d of %016llx", l,
             (unsigned long long)a[l]);
      EXPECT(words[l + 1] == a[l] % 65536, "word %d of %016llx", l,
             (unsigned long long)a[l]);
    }
  }
}

static const char *why_not;

static void cannot_run(void) {
  test_skip(why_not);
}

/* body NULL: this build has none. */
static void test_body(const char *name, const vocabulary_ops *body, bool runs) {
  static const struct {
    const char *name;
    void (*test)(void);
  } tests[] = {{"pairs", pairs},
               {"singles", singles},
               {"masks", masks},
               {"lanes_move", lanes_move},
               {"rows_load", rows_load},
               {"rows_store", rows_store},
               {"narrow_stores", narrow_stores}};
  ops = body;
  why_not = body == NULL ? "this build has no such body" : "this processor cannot run it";
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    char full[64];
    snprintf(full, sizeof full, "%s_%s", name, tests[i].name);
    test_run(full, body != NULL && runs ? tests[i].test : cannot_run);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  make_values();
  test_body("plain", &vocabulary_plain, true);
#ifdef P256_LANES_X86
  const cpu_features *cpu = sm_cpu_features();
  test_body("avx512", &vocabulary_avx512, cpu->ifma);
  test_body("ifma256", &vocabulary_ifma256, cpu->ifma);
  test_body("avx2", &vocabulary_avx2, cpu->avx2);
#ifdef P256_LANES_AVXIFMA
  test_body("avxifma", &vocabulary_avxifma, cpu->avx_ifma);
#else
  test_body("avxifma", NULL, false);
#endif
#endif
  return test_end();
}
