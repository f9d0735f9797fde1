/* The field's kernels in eight lanes against libcrypto's integers, over every body that
 * runs here: limbs and values at the edges of what each contract admits, in every lane.
 */
#include "base/cpu.h"
#include "bn_u256.h"
#include "fe_x8_ops.h"
#include "field/safegcd.h"

#include <string.h>

static BN_CTX *ctx;
static BIGNUM *prime, *shift; /* p, 2^260 */

const fe_x8_ops *fe_x8_body(int i) {
  const fe_x8_ops *bodies[5] = {&fe_x8_ops_plain};
#ifdef P256_LANES_X86
  int count = 1;
  if (sm_cpu_features()->ifma) {
    bodies[count++] = &fe_x8_ops_avx512;
    bodies[count++] = &fe_x8_ops_ifma256;
  }
#ifdef P256_LANES_AVXIFMA
  if (sm_cpu_features()->avx_ifma) {
    bodies[count++] = &fe_x8_ops_avxifma;
  }
#endif
#endif
  return bodies[i];
}

#define EACH_BODY(ops_)                                                                  \
  for (int body_ = 0; body_ < 4; body_++)                                                \
    for (const fe_x8_ops *ops_ = fe_x8_body(body_); ops_ != NULL; ops_ = NULL)

#define LOW52 ((UINT64_C(1) << 52) - 1)

/* The integer that the lane's limbs spell, 52 bits of each where loose. */
static BIGNUM *lane_value(const fe_x8_slot *a, int lane, bool loose) {
  BIGNUM *sum = BN_new(), *limb = BN_new();
  for (int i = 4; i >= 0; i--) {
    BN_set_word(limb, loose ? a->l[i][lane] & LOW52 : a->l[i][lane]);
    BN_lshift(sum, sum, 52);
    BN_add(sum, sum, limb);
  }
  BN_free(limb);
  return sum;
}

/* What a kernel promises.  Bounds are in 64ths of 2^256. */
typedef struct {
  const char *name;
  unsigned in[4]; /* 0: not used */
  bool in_loose;  /* the factors may be loose */
  unsigned out;
  bool out_loose;
  int shifts; /* out is the expression / 2^(260 shifts) */
  void (*expression)(BIGNUM *out, BIGNUM *const x[4], bool minus);
} contract;

/* out += k x y; y may be NULL for 1. */
static void add_term(BIGNUM *out, int k, const BIGNUM *x, const BIGNUM *y) {
  BIGNUM *term = BN_new();
  if (y != NULL) {
    BN_mul(term, x, y, ctx);
  } else {
    BN_copy(term, x);
  }
  BN_mul_word(term, (BN_ULONG)(k < 0 ? -k : k));
  if (k < 0) {
    BN_sub(out, out, term);
  } else {
    BN_add(out, out, term);
  }
  BN_free(term);
}

/* The same for a term that is not a product where others are: k x 2^260. */
static void add_shifted(BIGNUM *out, int k, const BIGNUM *x) {
  add_term(out, k, x, shift);
}

static void x_mul(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, 1, x[0], x[1]);
}
static void x_sqr(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, 1, x[0], x[0]);
}
static void x_mul_dbl(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, 2, x[0], x[1]);
}
static void x_mul_triple(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, 3, x[0], x[1]);
}
static void x_mul_sub(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, 1, x[0], x[1]);
  add_shifted(out, -1, x[2]);
}
static void x_mul_signed_sub(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  add_term(out, minus ? -1 : 1, x[0], x[1]);
  add_shifted(out, -1, x[2]);
}
static void x_sqr_sub_8(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, 1, x[0], x[0]);
  add_shifted(out, -8, x[1]);
}
static void x_sqr_sub_sum(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, 1, x[0], x[0]);
  add_shifted(out, -1, x[1]);
  add_shifted(out, -2, x[2]);
}
static void x_sqr_sub_8_rest(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, -1, x[0], x[0]);
  add_shifted(out, 12, x[1]);
}
static void x_sqr_sub_sum_rest(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, -1, x[0], x[0]);
  add_shifted(out, 1, x[1]);
  add_shifted(out, 3, x[2]);
}
static void x_mul_sub_8_sqr(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, 1, x[0], x[1]);
  add_term(out, -8, x[2], x[2]);
}
static void x_mul_sub_mul(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, 1, x[0], x[1]);
  add_term(out, -1, x[2], x[3]);
}
static void x_add(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  BN_add(out, x[0], x[1]);
}
static void x_sub(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  BN_sub(out, x[0], x[1]);
}
static void x_neg_if(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  add_term(out, minus ? -1 : 1, x[0], NULL);
}
static void x_same(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  BN_copy(out, x[0]);
}
static void x_to_mont(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  (void)minus;
  add_term(out, 1, x[0], shift);
}
static void x_select(BIGNUM *out, BIGNUM *const x[4], bool minus) {
  BN_copy(out, minus ? x[0] : x[1]);
}

enum { WEAK = 65 };

static const contract contracts[] = {
    {"mul", {960, 1024}, true, 1024, false, 1, x_mul},
    {"mul", {1024, 128}, true, 192, false, 1, x_mul},
    {"mul_loose", {960, 1024}, true, 1024, true, 1, x_mul},
    {"mul_loose", {80, 96}, true, 72, true, 1, x_mul},
    {"sqr", {991}, true, 1024, false, 1, x_sqr},
    {"sqr", {256}, true, 128, false, 1, x_sqr},
    {"sqr_loose", {991}, true, 1024, true, 1, x_sqr},
    {"mul_dbl", {512, 896}, true, 1024, false, 1, x_mul_dbl},
    {"mul_triple_loose", {512, 552}, true, 1024, true, 1, x_mul_triple},
    {"mul_sub", {1024, 704, 255}, true, 1024, false, 1, x_mul_sub},
    {"mul_sub_loose", {1024, 704, 255}, true, 1024, true, 1, x_mul_sub},
    {"mul_signed_sub_loose", {1024, 127, 127}, true, 320, true, 1, x_mul_signed_sub},
    {"sqr_sub_8_rest", {356, 69}, true, WEAK, false, 1, x_sqr_sub_8},
    {"sqr_sub_8_rest_other", {356, 69}, true, 1024, true, 1, x_sqr_sub_8_rest},
    {"sqr_sub_sum", {960, 320, 128}, true, WEAK, false, 1, x_sqr_sub_sum},
    {"sqr_sub_sum_rest", {356, 64, 256}, true, WEAK, false, 1, x_sqr_sub_sum},
    {"sqr_sub_sum_rest_other", {356, 64, 256}, true, 1024, true, 1, x_sqr_sub_sum_rest},
    {"mul_sub_8_sqr", {960, 1024, 87}, true, WEAK, false, 1, x_mul_sub_8_sqr},
    {"mul_sub_mul", {960, 1024, 240, 256}, true, WEAK, false, 1, x_mul_sub_mul},
    {"add", {512, 512}, false, 1024, false, 0, x_add},
    {"add_loose", {512, 512}, false, 1024, true, 0, x_add},
    {"sub", {832, 191}, false, 1024, false, 0, x_sub},
    {"sub_loose", {832, 191}, false, 1024, true, 0, x_sub},
    {"neg_if", {255}, false, 256, false, 0, x_neg_if},
    {"fit", {127}, false, 64, false, 0, x_same},
    {"canonical", {1024}, false, 64, false, 0, x_same},
    {"to_mont", {1024}, true, 68, false, 0, x_to_mont},
    {"from_mont", {1024}, true, 64, false, 1, x_same},
    {"select", {1024, 1024}, false, 1024, false, 0, x_select},
};

/* A limb below `limit`: at an edge more often than not. */
static uint64_t random_limb(uint64_t limit) {
  const uint64_t random = test_random_u64();
  uint64_t limb;
  switch (random & 7) {
  case 0:
    return 0;
  case 1:
  case 2:
    return limit - 1;
  case 3:
    return limit - 1 - (random >> 3 & 1) - (random >> 4 & 1);
  case 4:
    limb = UINT64_C(1) << (random >> 8) % 52;
    break;
  case 5:
    limb = (UINT64_C(1) << (random >> 8) % 52) - 1;
    break;
  default:
    limb = random >> 12;
    break;
  }
  return limb % limit;
}

/* Every lane <= bound/64, some of them multiples of p or next to one. */
static void random_slot(fe_x8_slot *out, unsigned bound, bool loose) {
  const uint64_t top = (uint64_t)bound << 42;
  for (int lane = 0; lane < 8; lane++) {
    for (int i = 0; i < 5; i++) {
      out->l[i][lane] = random_limb(i < 4 ? LOW52 + 1 : top);
    }
    if (test_random_u64() % 8 == 0 && bound >= 64) {
      BIGNUM *x = BN_dup(prime), *limb = BN_new();
      BN_mul_word(x, 1 + test_random_u64() % (bound / 64));
      if ((test_random_u64() & 1) != 0) {
        BN_sub_word(x, 1);
      }
      for (int i = 0; i < 5; i++) {
        BN_copy(limb, x);
        if (i < 4) {
          BN_mask_bits(limb, 52);
        }
        out->l[i][lane] = BN_get_word(limb);
        BN_rshift(x, x, 52);
        if (BN_is_zero(x)) {
          for (int j = i + 1; j < 5; j++) {
            out->l[j][lane] = 0;
          }
          break;
        }
      }
      BN_free(x);
      BN_free(limb);
    }
    for (int i = 1; loose && i < 5; i++) {
      out->l[i][lane] |= (test_random_u64() & 7) << 52;
    }
  }
}

static const fe_x8_kernel *find_kernel(const fe_x8_ops *ops, const char *name) {
  for (int i = 0; i < ops->kernel_count; i++) {
    if (strcmp(ops->kernels[i].name, name) == 0) {
      return &ops->kernels[i];
    }
  }
  return NULL;
}

static void check_contract(const fe_x8_ops *ops, const contract *c,
                           const fe_x8_slot in[4], const bool loose[4]) {
  const fe_x8_kernel *kernel = find_kernel(ops, c->name);
  const unsigned mask = (unsigned)(test_random_u64() & 255);
  fe_x8_slot out;
  if (!EXPECT(kernel != NULL, "no kernel %s", c->name)) {
    return;
  }
  kernel->run(&out, in, mask);
  for (int lane = 0; lane < 8; lane++) {
    BIGNUM *x[4], *wanted = BN_new(), *got = lane_value(&out, lane, c->out_loose);
    for (int i = 0; i < 4; i++) {
      x[i] = lane_value(&in[i], lane, loose[i]);
    }
    c->expression(wanted, x, (mask >> lane & 1) != 0);
    bool bounded = true;
    for (int i = 0; i < 5; i++) {
      const uint64_t limb = out.l[i][lane];
      bounded &= c->out_loose || limb <= LOW52;
      bounded &= i < 4 || (limb & ~(c->out_loose ? LOW52 : 0)) < (UINT64_C(1) << 62);
    }
    bounded &= (out.l[4][lane] & LOW52) < (uint64_t)c->out << 42;
    EXPECT(bounded, "%s: %s: range, lane %d", ops->name, c->name, lane);
    if (strcmp(c->name, "canonical") == 0 || strcmp(c->name, "from_mont") == 0) {
      EXPECT(BN_cmp(got, prime) < 0, "%s: %s: not below p", ops->name, c->name);
    }
    for (int i = 0; i < c->shifts; i++) {
      BN_mul(got, got, shift, ctx);
    }
    BN_sub(got, got, wanted);
    BN_nnmod(got, got, prime, ctx);
    EXPECT(BN_is_zero(got), "%s: %s: value, lane %d", ops->name, c->name, lane);
    for (int i = 0; i < 4; i++) {
      BN_free(x[i]);
    }
    BN_free(wanted);
    BN_free(got);
  }
}

static void kernels_keep_their_contracts(void) {
  const int rounds = test_long() ? 20000 : 400;
  EACH_BODY(ops) {
    for (size_t row = 0; row < sizeof contracts / sizeof contracts[0]; row++) {
      const contract *c = &contracts[row];
      for (int round = 0; round < rounds; round++) {
        fe_x8_slot in[4];
        bool loose[4];
        for (int i = 0; i < 4; i++) {
          /* Only factors; a fourth or an only subtrahend is never one where sums are. */
          const bool factor = strncmp(c->name, "mul_sub_8", 9) == 0 ||
                              strncmp(c->name, "mul_sub_mul", 11) == 0 ||
                              i < (strncmp(c->name, "sqr", 3) == 0 ? 1 : 2);
          loose[i] = c->in_loose && factor && (test_random_u64() & 1) != 0;
          random_slot(&in[i], c->in[i] != 0 ? c->in[i] : 64, loose[i]);
        }
        check_contract(ops, c, in, loose);
      }
    }
  }
}

static void every_kernel_has_a_contract(void) {
  EACH_BODY(ops) {
    for (int i = 0; i < ops->kernel_count; i++) {
      bool found = false;
      for (size_t row = 0; row < sizeof contracts / sizeof contracts[0]; row++) {
        found |= strcmp(contracts[row].name, ops->kernels[i].name) == 0;
      }
      EXPECT(found, "%s", ops->kernels[i].name);
    }
  }
}

static void zero_and_equality_are_mod_p(void) {
  EACH_BODY(ops) {
    for (int round = 0; round < 2000; round++) {
      fe_x8_slot a, b;
      random_slot(&a, 896, false);
      random_slot(&b, 127, false);
      const unsigned zero = ops->is_zero(&a), equal = ops->eq(&a, &b);
      for (int lane = 0; lane < 8; lane++) {
        BIGNUM *x = lane_value(&a, lane, false), *y = lane_value(&b, lane, false);
        BN_sub(y, x, y);
        BN_nnmod(x, x, prime, ctx);
        BN_nnmod(y, y, prime, ctx);
        EXPECT((zero >> lane & 1) == (unsigned)BN_is_zero(x), "%s: is_zero", ops->name);
        EXPECT((equal >> lane & 1) == (unsigned)BN_is_zero(y), "%s: eq", ops->name);
        BN_free(x);
        BN_free(y);
      }
    }
  }
}

static void words_become_limbs_and_back(void) {
  EACH_BODY(ops) {
    for (int round = 0; round < 500; round++) {
      fe_x8_words in, back;
      fe_x8_slot limbs, table;
      u256 a[8];
      for (int lane = 0; lane < 8; lane++) {
        a[lane] = round % 2 == 0 ? u256_random() : u256_random_runs();
        for (int i = 0; i < 4; i++) {
          in.w[i][lane] = a[lane].v[i];
        }
      }
      ops->from_words(&limbs, &in);
      ops->from_table(&table, &in);
      ops->to_words(&back, &limbs);
      EXPECT(memcmp(&back, &in, sizeof in) == 0, "%s: words", ops->name);
      for (int lane = 0; lane < 8; lane++) {
        BIGNUM *wanted = BN_new(), *x = lane_value(&limbs, lane, false),
               *y = lane_value(&table, lane, false);
        bn_from_u256(wanted, &a[lane]);
        EXPECT(BN_cmp(x, wanted) == 0, "%s: from_words", ops->name);
        BN_lshift(wanted, wanted, 4);
        EXPECT(BN_cmp(y, wanted) == 0, "%s: from_table", ops->name);
        for (int i = 0; i < 5; i++) {
          EXPECT(limbs.l[i][lane] <= LOW52 && table.l[i][lane] <= LOW52, "limbs");
        }
        BN_free(wanted);
        BN_free(x);
        BN_free(y);
      }
    }
  }
}

/* out = a / 2^260 mod p: the element that a stands for. */
static void from_domain(BIGNUM *out, const BIGNUM *a) {
  BIGNUM *inverse = BN_mod_inverse(NULL, shift, prime, ctx);
  BN_mod_mul(out, a, inverse, prime, ctx);
  BN_free(inverse);
}

static void roots_are_powers(void) {
  BIGNUM *exponent = BN_dup(prime);
  BN_add_word(exponent, 1);
  BN_rshift(exponent, exponent, 2);
  EACH_BODY(ops) {
    for (int groups = 1; groups <= 4; groups++) {
      fe_x8_slot a[4], out[4];
      for (int g = 0; g < groups; g++) {
        random_slot(&a[g], 256, g % 2 == 1);
      }
      ops->sqrt(out, a, groups);
      for (int lane = 0; lane < 8 * groups; lane++) {
        BIGNUM *x = lane_value(&a[lane / 8], lane % 8, true),
               *y = lane_value(&out[lane / 8], lane % 8, false);
        EXPECT(out[lane / 8].l[4][lane % 8] < UINT64_C(1) << 49, "range");
        from_domain(x, x);
        from_domain(y, y);
        BN_mod_exp(x, x, exponent, prime, ctx);
        EXPECT(BN_cmp(x, y) == 0, "%s: root, lane %d", ops->name, lane);
        BN_free(x);
        BN_free(y);
      }
    }
  }
  BN_free(exponent);
}

static void inverses_are_shared(void) {
  EACH_BODY(ops) {
    for (int groups = 1; groups <= 8; groups++) {
      fe_x8_slot a[8], out[8];
      for (int g = 0; g < groups; g++) {
        random_slot(&a[g], 256, false);
        for (int lane = 0; lane < 8; lane++) {
          BIGNUM *x = lane_value(&a[g], lane, false);
          BN_nnmod(x, x, prime, ctx);
          a[g].l[0][lane] ^= BN_is_zero(x) ? 1 : 0;
          BN_free(x);
        }
      }
      for (int constant_time = 0; constant_time < 2; constant_time++) {
        memcpy(out, a, sizeof out);
        (constant_time != 0 ? ops->inv : ops->inv_vt)(out, groups);
        for (int lane = 0; lane < 8 * groups; lane++) {
          BIGNUM *x = lane_value(&a[lane / 8], lane % 8, false),
                 *y = lane_value(&out[lane / 8], lane % 8, false);
          EXPECT(out[lane / 8].l[4][lane % 8] <= UINT64_C(3) << 47, "range");
          from_domain(x, x);
          from_domain(y, y);
          BN_mod_mul(x, x, y, prime, ctx);
          EXPECT(BN_is_one(x), "%s: %d groups, lane %d", ops->name, groups, lane);
          BN_free(x);
          BN_free(y);
        }
      }
    }
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  ctx = BN_CTX_new();
  prime = BN_new();
  shift = BN_new();
  bn_from_u256(prime, &sm_p256_prime);
  BN_set_bit(shift, 260);
  if (fe_x8_body(1) == NULL) {
    printf("note: this machine runs the plain body alone\n");
  }
  RUN(kernels_keep_their_contracts);
  RUN(every_kernel_has_a_contract);
  RUN(zero_and_equality_are_mod_p);
  RUN(words_become_limbs_and_back);
  RUN(roots_are_powers);
  RUN(inverses_are_shared);
  BN_free(prime);
  BN_free(shift);
  BN_CTX_free(ctx);
  return test_end();
}
