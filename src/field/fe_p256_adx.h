/* The field of P-256 for x86-64 with BMI2 and ADX: the form of fe_p256_4x64.h, with its
 * arithmetic in inline assembly, since compilers lose carry chains.
 *
 * A product is summed up by rows in t[0..7] and then reduced from below, limb by limb
 * (Montgomery, "Modular multiplication without trial division", 1985).  p = -1 mod 2^64,
 * so that the digit is the limb q itself.  With low and high for the two halves of
 * q*2^32,
 *   q + q*p = low*2^64 + high*2^128 + (q - low)*2^192 + (q - high)*2^256.
 * What the reduction adds above 2^256 is kept apart from t[4..7] and added at the end:
 * neither sum waits for the other.
 *
 * Each piece of assembly is one carry chain, or two; the registers are the compiler's
 * choice.  Everything is inlined: operands are then found relative to the stack pointer,
 * and the processor hands a limb from its store to the next load without a wait. */
#ifndef SIGMILL_FIELD_FE_P256_ADX_H
#define SIGMILL_FIELD_FE_P256_ADX_H

#include "field/fe_p256_4x64.h"

/* The limbs of a factor as operands of instructions: FE_P256_LIMB0 to 3 in the text and
 * FE_P256_LIMBS(pointer) among the inputs.  Optimised, each is a memory operand; else a
 * compiler would spend a register on each address, so there is one pointer. */
#ifdef __OPTIMIZE__
#define FE_P256_LIMB0 "%[limb0]"
#define FE_P256_LIMB1 "%[limb1]"
#define FE_P256_LIMB2 "%[limb2]"
#define FE_P256_LIMB3 "%[limb3]"
#define FE_P256_LIMBS(pointer)                                                           \
  [limb0] "m"((pointer)[0]), [limb1] "m"((pointer)[1]), [limb2] "m"((pointer)[2]),       \
      [limb3] "m"((pointer)[3])
#define FE_P256_CLOBBERS "cc"
#else
#define FE_P256_LIMB0          "(%[limbs])"
#define FE_P256_LIMB1          "8(%[limbs])"
#define FE_P256_LIMB2          "16(%[limbs])"
#define FE_P256_LIMB3          "24(%[limbs])"
#define FE_P256_LIMBS(pointer) [limbs] "r"(pointer)
#define FE_P256_CLOBBERS       "cc", "memory"
#endif

/* The two limbs of p that do not fit an immediate operand. */
static const uint64_t FE_P256_P_LIMBS[2] = {FE_P256_P1, FE_P256_P3};

/* t[0..4] = a*b. */
FE_P256_INLINE void fe_p256_first_row(uint64_t t[5], const uint64_t a[4], uint64_t b) {
  uint64_t low;
  __asm__("mulx " FE_P256_LIMB0 ", %[t0], %[t1]\n\t"
          "mulx " FE_P256_LIMB1 ", %[low], %[t2]\n\t"
          "add %[low], %[t1]\n\t"
          "mulx " FE_P256_LIMB2 ", %[low], %[t3]\n\t"
          "adc %[low], %[t2]\n\t"
          "mulx " FE_P256_LIMB3 ", %[low], %[t4]\n\t"
          "adc %[low], %[t3]\n\t"
          "adc $0, %[t4]"
          : [t0] "=&r"(t[0]), [t1] "=&r"(t[1]), [t2] "=&r"(t[2]), [t3] "=&r"(t[3]),
            [t4] "=&r"(t[4]), [low] "=&r"(low)
          : "d"(b), FE_P256_LIMBS(a)
          : FE_P256_CLOBBERS);
}

/* t[0..4] = t[0..3] + a*b. */
FE_P256_INLINE void fe_p256_row(uint64_t t[5], const uint64_t a[4], uint64_t b) {
  uint64_t low, high, zero;
  __asm__("xor %k[zero], %k[zero]\n\t"
          "mulx " FE_P256_LIMB0 ", %[low], %[high]\n\t"
          "adcx %[low], %[t0]\n\t"
          "adox %[high], %[t1]\n\t"
          "mulx " FE_P256_LIMB1 ", %[low], %[high]\n\t"
          "adcx %[low], %[t1]\n\t"
          "adox %[high], %[t2]\n\t"
          "mulx " FE_P256_LIMB2 ", %[low], %[high]\n\t"
          "adcx %[low], %[t2]\n\t"
          "adox %[high], %[t3]\n\t"
          "mulx " FE_P256_LIMB3 ", %[low], %[t4]\n\t"
          "adcx %[low], %[t3]\n\t"
          "adox %[zero], %[t4]\n\t"
          "adcx %[zero], %[t4]"
          : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]),
            [t4] "=&r"(t[4]), [low] "=&r"(low), [high] "=&r"(high), [zero] "=&r"(zero)
          : "d"(b), FE_P256_LIMBS(a)
          : FE_P256_CLOBBERS);
}

/* t[0..7] = a*b. */
FE_P256_INLINE void fe_p256_product(uint64_t t[8], const fe_p256 *a, const fe_p256 *b) {
  fe_p256_first_row(t, a->v, b->v[0]);
  fe_p256_row(t + 1, a->v, b->v[1]);
  fe_p256_row(t + 2, a->v, b->v[2]);
  fe_p256_row(t + 3, a->v, b->v[3]);
}

/* t[0..7] = a^2: the products of different limbs, doubled, and the squares. */
FE_P256_INLINE void fe_p256_square(uint64_t t[8], const uint64_t a[4]) {
  uint64_t low, high;
  __asm__("mov " FE_P256_LIMB0 ", %%rdx\n\t"
          "mulx " FE_P256_LIMB1 ", %[t1], %[t2]\n\t"
          "mulx " FE_P256_LIMB3 ", %[t3], %[t4]\n\t"
          "mulx " FE_P256_LIMB2 ", %[low], %[high]\n\t"
          "add %[low], %[t2]\n\t"
          "adc %[high], %[t3]\n\t"
          "mov " FE_P256_LIMB1 ", %%rdx\n\t"
          "mulx " FE_P256_LIMB3 ", %[low], %[t5]\n\t"
          "adc %[low], %[t4]\n\t"
          "adc $0, %[t5]\n\t"
          "mulx " FE_P256_LIMB2 ", %[low], %[high]\n\t"
          "add %[low], %[t3]\n\t"
          "adc %[high], %[t4]\n\t"
          "mov " FE_P256_LIMB2 ", %%rdx\n\t"
          "mulx " FE_P256_LIMB3 ", %[low], %[t6]\n\t"
          "adc %[low], "
          "%[t5]\n\t"
          "adc $0, %[t6]"
          : [t1] "=&r"(t[1]), [t2] "=&r"(t[2]), [t3] "=&r"(t[3]), [t4] "=&r"(t[4]),
            [t5] "=&r"(t[5]), [t6] "=&r"(t[6]), [low] "=&r"(low), [high] "=&r"(high)
          : FE_P256_LIMBS(a)
          : "rdx", FE_P256_CLOBBERS);
  __asm__("xor %k[t7], %k[t7]\n\t"
          "mov " FE_P256_LIMB0 ", %%rdx\n\t"
          "mulx %%rdx, %[t0], %%rdx\n\t"
          "adcx %[t1], %[t1]\n\t"
          "adox %%rdx, %[t1]\n\t"
          "mov " FE_P256_LIMB1 ", %%rdx\n\t"
          "mulx %%rdx, %[low], %%rdx\n\t"
          "adcx %[t2], %[t2]\n\t"
          "adox %[low], %[t2]\n\t"
          "adcx %[t3], %[t3]\n\t"
          "adox %%rdx, %[t3]\n\t"
          "mov " FE_P256_LIMB2 ", %%rdx\n\t"
          "mulx %%rdx, %[low], %%rdx\n\t"
          "adcx %[t4], %[t4]\n\t"
          "adox %[low], %[t4]\n\t"
          "adcx %[t5], %[t5]\n\t"
          "adox %%rdx, %[t5]\n\t"
          "mov " FE_P256_LIMB3 ", %%rdx\n\t"
          "mulx %%rdx, %[low], %%rdx\n\t"
          "adcx %[t6], %[t6]\n\t"
          "adox %[low], %[t6]\n\t"
          "adcx %[t7], %[t7]\n\t"
          "adox %%rdx, %[t7]"
          : [t0] "=&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]),
            [t4] "+&r"(t[4]), [t5] "+&r"(t[5]), [t6] "+&r"(t[6]), [t7] "=&r"(t[7]),
            [low] "=&r"(low)
          : FE_P256_LIMBS(a)
          : "rdx", FE_P256_CLOBBERS);
}

/* One digit of the reduction: q + t1*2^64 + t2*2^128 + t3*2^192 becomes, with q*p added
 * and divided by 2^64, t1 + t2*2^64 + t3*2^128 + q*2^192. */
FE_P256_INLINE void fe_p256_reduce_limb(uint64_t *q, uint64_t *t1, uint64_t *t2,
                                        uint64_t *t3) {
  uint64_t low, high, difference;
  __asm__("mov %[q], %[low]\n\t"
          "mov %[q], %[high]\n\t"
          "mov %[q], %[difference]\n\t"
          "shl $32, %[low]\n\t"
          "shr $32, %[high]\n\t"
          "sub %[low], %[difference]\n\t"
          "sbb %[high], %[q]\n\t"
          "add %[low], %[t1]\n\t"
          "adc %[high], %[t2]\n\t"
          "adc %[difference], %[t3]\n\t"
          "adc $0, %[q]"
          : [q] "+&r"(*q), [t1] "+&r"(*t1), [t2] "+&r"(*t2), [t3] "+&r"(*t3),
            [low] "=&r"(low), [high] "=&r"(high), [difference] "=&r"(difference)
          :
          : "cc");
}

/* out = (t - 2^512)/R mod p.  in: t - 2^512 in [-p*R, 0); t is used up.
 * The upper half less 2^256 is in [-p, 0) and the reduction of the lower one at most p:
 * no carry out of their sum means that it is negative, and p is added. */
FE_P256_INLINE void fe_p256_reduce_negative(fe_p256 *out, uint64_t t[8]) {
  uint64_t mask, mask_p1, mask_p3;
  fe_p256_reduce_limb(&t[0], &t[1], &t[2], &t[3]);
  fe_p256_reduce_limb(&t[1], &t[2], &t[3], &t[0]);
  fe_p256_reduce_limb(&t[2], &t[3], &t[0], &t[1]);
  fe_p256_reduce_limb(&t[3], &t[0], &t[1], &t[2]);
  __asm__("xor %k[mask], %k[mask]\n\t"
          "add %[t0], %[t4]\n\t"
          "adc %[t1], %[t5]\n\t"
          "adc %[t2], %[t6]\n\t"
          "adc %[t3], %[t7]\n\t"
          "adc $-1, %[mask]\n\t"
          "mov %k[mask], %k[mask_p1]\n\t"
          "mov %[mask_p1], %[mask_p3]\n\t"
          "neg %[mask_p3]\n\t"
          "add %[mask], %[t4]\n\t"
          "adc %[mask_p1], %[t5]\n\t"
          "adc $0, %[t6]\n\t"
          "adc %[mask_p3], %[t7]"
          : [t4] "+&r"(t[4]), [t5] "+&r"(t[5]), [t6] "+&r"(t[6]), [t7] "+&r"(t[7]),
            [mask] "=&r"(mask), [mask_p1] "=&r"(mask_p1), [mask_p3] "=&r"(mask_p3)
          : [t0] "r"(t[0]), [t1] "r"(t[1]), [t2] "r"(t[2]), [t3] "r"(t[3])
          : "cc");
  for (int i = 0; i < 4; i++) {
    out->v[i] = t[4 + i];
  }
}

/* out = t/R mod p.  in: t < p*R; t is used up. */
FE_P256_INLINE void fe_p256_reduce(fe_p256 *out, uint64_t t[8]) {
  __asm__("sub $-1, %[t4]\n\t"
          "sbb %[p1], %[t5]\n\t"
          "sbb $0, %[t6]\n\t"
          "sbb %[p3], %[t7]"
          : [t4] "+&r"(t[4]), [t5] "+&r"(t[5]), [t6] "+&r"(t[6]), [t7] "+&r"(t[7])
          : [p1] "m"(FE_P256_P_LIMBS[0]), [p3] "m"(FE_P256_P_LIMBS[1])
          : "cc");
  fe_p256_reduce_negative(out, t);
}

/* out = (t - s)/R mod p.  in: t, s < p*R; t is used up. */
FE_P256_INLINE void fe_p256_reduce_difference(fe_p256 *out, uint64_t t[8],
                                              const uint64_t s[8]) {
  uint64_t mask, mask_p1, mask_p3;
  __asm__("sub " FE_P256_LIMB0 ", %[t0]\n\t"
          "sbb " FE_P256_LIMB1 ", %[t1]\n\t"
          "sbb " FE_P256_LIMB2 ", %[t2]\n\t"
          "sbb " FE_P256_LIMB3 ", %[t3]\n\t"
          "sbb %[mask], %[mask]"
          : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]),
            [mask] "=r"(mask)
          : FE_P256_LIMBS(s)
          : FE_P256_CLOBBERS);
  /* A difference that is not negative is made so by taking p*R from it. */
  __asm__("add %[mask], %[mask]\n\t"
          "sbb " FE_P256_LIMB0 ", %[t4]\n\t"
          "sbb " FE_P256_LIMB1 ", %[t5]\n\t"
          "sbb " FE_P256_LIMB2 ", %[t6]\n\t"
          "sbb " FE_P256_LIMB3 ", %[t7]\n\t"
          "mov $0, %k[mask]\n\t"
          "adc $-1, %[mask]\n\t"
          "mov %k[mask], %k[mask_p1]\n\t"
          "mov %[mask_p1], %[mask_p3]\n\t"
          "neg %[mask_p3]\n\t"
          "sub %[mask], %[t4]\n\t"
          "sbb %[mask_p1], %[t5]\n\t"
          "sbb $0, %[t6]\n\t"
          "sbb %[mask_p3], %[t7]"
          : [t4] "+&r"(t[4]), [t5] "+&r"(t[5]), [t6] "+&r"(t[6]), [t7] "+&r"(t[7]),
            [mask] "+&r"(mask), [mask_p1] "=&r"(mask_p1), [mask_p3] "=&r"(mask_p3)
          : FE_P256_LIMBS(s + 4)
          : FE_P256_CLOBBERS);
  fe_p256_reduce_negative(out, t);
}

FE_P256_INLINE void fe_p256_mul(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  uint64_t t[8];
  fe_p256_product(t, a, b);
  fe_p256_reduce(out, t);
}

FE_P256_INLINE void fe_p256_sqr(fe_p256 *out, const fe_p256 *a) {
  uint64_t t[8];
  fe_p256_square(t, a->v);
  fe_p256_reduce(out, t);
}

FE_P256_INLINE void fe_p256_mul_sub_mul(fe_p256 *out, const fe_p256 *a, const fe_p256 *b,
                                        const fe_p256 *c, const fe_p256 *d) {
  uint64_t t[8], s[8];
  fe_p256_product(s, c, d);
  fe_p256_product(t, a, b);
  fe_p256_reduce_difference(out, t, s);
}

FE_P256_INLINE void fe_p256_mul_sub_sqr(fe_p256 *out, const fe_p256 *a, const fe_p256 *b,
                                        const fe_p256 *c) {
  uint64_t t[8], s[8];
  fe_p256_square(s, c->v);
  fe_p256_product(t, a, b);
  fe_p256_reduce_difference(out, t, s);
}

/* out = s, plus 2^256 if the mask carry is set, less p unless that is negative. */
FE_P256_INLINE void fe_p256_subtract_p(fe_p256 *out, const uint64_t s[4],
                                       uint64_t carry) {
  uint64_t r[4] = {s[0], s[1], s[2], s[3]}, d[4];
  __asm__("mov %[r0], %[d0]\n\t"
          "sub $-1, %[d0]\n\t"
          "mov %[r1], %[d1]\n\t"
          "sbb %[p1], %[d1]\n\t"
          "mov %[r2], %[d2]\n\t"
          "sbb $0, %[d2]\n\t"
          "mov %[r3], %[d3]\n\t"
          "sbb %[p3], %[d3]\n\t"
          "sbb $0, %[carry]\n\t"
          "cmovnc %[d0], %[r0]\n\t"
          "cmovnc %[d1], %[r1]\n\t"
          "cmovnc %[d2], %[r2]\n\t"
          "cmovnc %[d3], %[r3]"
          : [r0] "+&r"(r[0]), [r1] "+&r"(r[1]), [r2] "+&r"(r[2]), [r3] "+&r"(r[3]),
            [d0] "=&r"(d[0]), [d1] "=&r"(d[1]), [d2] "=&r"(d[2]), [d3] "=&r"(d[3]),
            [carry] "+&r"(carry)
          : [p1] "m"(FE_P256_P_LIMBS[0]), [p3] "m"(FE_P256_P_LIMBS[1])
          : "cc");
  for (int i = 0; i < 4; i++) {
    out->v[i] = r[i];
  }
}

FE_P256_INLINE void fe_p256_add(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  uint64_t s[4] = {a->v[0], a->v[1], a->v[2], a->v[3]}, carry;
  __asm__("add " FE_P256_LIMB0 ", %[s0]\n\t"
          "adc " FE_P256_LIMB1 ", %[s1]\n\t"
          "adc " FE_P256_LIMB2 ", %[s2]\n\t"
          "adc " FE_P256_LIMB3 ", %[s3]\n\t"
          "sbb %[carry], %[carry]"
          : [s0] "+&r"(s[0]), [s1] "+&r"(s[1]), [s2] "+&r"(s[2]), [s3] "+&r"(s[3]),
            [carry] "=r"(carry)
          : FE_P256_LIMBS(b->v)
          : FE_P256_CLOBBERS);
  fe_p256_subtract_p(out, s, carry);
}

FE_P256_INLINE void fe_p256_dbl(fe_p256 *out, const fe_p256 *a) {
  uint64_t s[4] = {a->v[0], a->v[1], a->v[2], a->v[3]}, carry;
  __asm__("add %[s0], %[s0]\n\t"
          "adc %[s1], %[s1]\n\t"
          "adc %[s2], %[s2]\n\t"
          "adc %[s3], %[s3]\n\t"
          "sbb %[carry], %[carry]"
          : [s0] "+r"(s[0]), [s1] "+r"(s[1]), [s2] "+r"(s[2]), [s3] "+r"(s[3]),
            [carry] "=r"(carry)
          :
          : "cc");
  fe_p256_subtract_p(out, s, carry);
}

FE_P256_INLINE void fe_p256_sub(fe_p256 *out, const fe_p256 *a, const fe_p256 *b) {
  uint64_t d[4] = {a->v[0], a->v[1], a->v[2], a->v[3]}, mask, mask_p1, mask_p3;
  __asm__("sub " FE_P256_LIMB0 ", %[d0]\n\t"
          "sbb " FE_P256_LIMB1 ", %[d1]\n\t"
          "sbb " FE_P256_LIMB2 ", %[d2]\n\t"
          "sbb " FE_P256_LIMB3 ", %[d3]\n\t"
          "sbb %[mask], %[mask]\n\t"
          "mov %k[mask], %k[mask_p1]\n\t"
          "mov %[mask_p1], %[mask_p3]\n\t"
          "neg %[mask_p3]\n\t"
          "add %[mask], %[d0]\n\t"
          "adc %[mask_p1], %[d1]\n\t"
          "adc $0, %[d2]\n\t"
          "adc %[mask_p3], %[d3]"
          : [d0] "+&r"(d[0]), [d1] "+&r"(d[1]), [d2] "+&r"(d[2]), [d3] "+&r"(d[3]),
            [mask] "=&r"(mask), [mask_p1] "=&r"(mask_p1), [mask_p3] "=&r"(mask_p3)
          : FE_P256_LIMBS(b->v)
          : FE_P256_CLOBBERS);
  for (int i = 0; i < 4; i++) {
    out->v[i] = d[i];
  }
}

FE_P256_INLINE void fe_p256_neg(fe_p256 *out, const fe_p256 *a) {
  const fe_p256 zero = {{0}};
  fe_p256_sub(out, &zero, a);
}

/* a or a + p, whichever is even, shifted. */
FE_P256_INLINE void fe_p256_half(fe_p256 *out, const fe_p256 *a) {
  uint64_t s[4] = {a->v[0], a->v[1], a->v[2], a->v[3]};
  uint64_t mask = 0 - (s[0] & 1), mask_p1, mask_p3;
  __asm__("mov %k[mask], %k[mask_p1]\n\t"
          "mov %[mask_p1], %[mask_p3]\n\t"
          "neg %[mask_p3]\n\t"
          "add %[mask], %[s0]\n\t"
          "adc %[mask_p1], %[s1]\n\t"
          "adc $0, %[s2]\n\t"
          "adc %[mask_p3], %[s3]\n\t"
          "sbb %[mask], %[mask]\n\t"
          "shrd $1, %[s1], %[s0]\n\t"
          "shrd $1, %[s2], %[s1]\n\t"
          "shrd $1, %[s3], %[s2]\n\t"
          "shrd $1, %[mask], %[s3]"
          : [s0] "+&r"(s[0]), [s1] "+&r"(s[1]), [s2] "+&r"(s[2]), [s3] "+&r"(s[3]),
            [mask] "+&r"(mask), [mask_p1] "=&r"(mask_p1), [mask_p3] "=&r"(mask_p3)
          :
          : "cc");
  for (int i = 0; i < 4; i++) {
    out->v[i] = s[i];
  }
}

#endif
