#include "samples.h"

#include "harness.h"
#include <stdlib.h>
#include <string.h>

sample good[POOL], bad[POOL];

enum {
  SPOIL_FIRST_BYTE,
  SPOIL_R,
  SPOIL_S,
  SPOIL_DIGEST,
  SPOIL_KEY,
  SPOIL_R_ZERO,
  SPOIL_S_ZERO,
  SPOIL_S_ORDER,
  SPOIL_S_HIGH_BITS,
  SPOIL_S_NEGATED,
  SPOIL_R_HIGH_BITS,
  SPOIL_Y,
  SPOIL_Y_NEGATED,
  SPOIL_Y_BEYOND,
  SPOIL_SECOND_BIT,
  SPOIL_INFINITY,
  SPOIL_KINDS
};

static sample spoil(const sample *from, int kind) {
  sample out = *from;
  size_t size = sigmill_p256_format_size(out.format), r_at = size == 65;
  uint8_t *s = out.sig + size - 32;
  ref_point point = ref_negate(&out.point);
  bool whole = size == 96; /* y stands there; else its sign at most, in the first byte */
  switch (kind) {
  case SPOIL_FIRST_BYTE:
    out.sig[0] ^= 1;
    break;
  case SPOIL_R:
    out.sig[r_at + test_random_u64() % 32] ^= 0x20;
    break;
  case SPOIL_S:
    s[1 + test_random_u64() % 31] ^= 0x10;
    break;
  case SPOIL_DIGEST:
    out.digest.be[test_random_u64() % 32] ^= 0x01;
    break;
  case SPOIL_KEY:
    out.key = ref_pubkey(&point);
    out.point = point;
    break;
  case SPOIL_R_ZERO:
    memset(out.sig + r_at, 0, 32);
    break;
  case SPOIL_S_ZERO:
    memset(s, 0, 32);
    break;
  case SPOIL_S_ORDER:
    memcpy(s, ref_n().be, 32);
    break;
  case SPOIL_S_HIGH_BITS:
    memset(s, 0xff, 32);
    break;
  case SPOIL_R_HIGH_BITS:
    memset(out.sig + r_at, 0xff, 32);
    break;
  case SPOIL_Y:
    out.sig[whole ? 32 + test_random_u64() % 32 : 0] ^= 0x01;
    break;
  case SPOIL_Y_NEGATED:
    if (whole) {
      memcpy(out.sig + 32, ref_minus(ref_p(), ref_bytes(out.sig + 32)).be, 32);
    } else {
      out.sig[0] ^= 1;
    }
    break;
  case SPOIL_Y_BEYOND:
    memcpy(out.sig + (whole ? 32 : r_at), ref_p().be, 32);
    break;
  case SPOIL_SECOND_BIT: /* of a recovery id: x = r + n */
    out.sig[0] ^= 2;
    break;
  case SPOIL_INFINITY: /* u1*G = -u2*Q */
    out.digest =
        ref_n_negate(ref_n_mul(ref_n_reduce(ref_bytes(out.sig + r_at)), from->secret));
    break;
  default: /* valid in the format without the low-s rule */
    memcpy(s, ref_n_negate(ref_bytes(s)).be, 32);
    break;
  }
  out.valid = ref_explain(out.sig, out.format, out.digest, &out.point) == SIGMILL_OK;
  return out;
}

/* Most are random.  Keys that are small multiples of G, and signatures for which u1*G =
 * u2*Q, make additions exceptional. */
static ref_case make_case(int i, ref_num *secret) {
  ref_num nonce = ref_random_scalar(), digest = ref_random_any();
  *secret = ref_random_scalar();
  if (i % 11 == 3) {
    *secret = ref_small(1 + (uint64_t)i / 11);
  } else if (i % 11 == 5) {
    *secret = ref_minus(ref_n(), ref_small(1 + (uint64_t)i / 11));
  } else if (i % 11 == 7) {
    digest = ref_n_mul(ref_n_reduce(ref_base(nonce).x), *secret);
  }
  return ref_sign_with(nonce, *secret, digest);
}

sample sample_of(const ref_case *c, sigmill_p256_format format) {
  sample out = {
      .digest = c->digest, .key = ref_pubkey(&c->key), .point = c->key, .format = format};
  ref_case low = *c;
  if (format != SIGMILL_P256_SIG64 && ref_compare(c->s, ref_half_n()) > 0) {
    low.s = ref_n_negate(c->s);
  }
  ref_encode(out.sig, format, &low);
  out.valid = ref_explain(out.sig, format, out.digest, &out.point) == SIGMILL_OK;
  return out;
}

sample sample_off_by(ref_num off, ref_num nonce, ref_num secret,
                     sigmill_p256_format format) {
  ref_point point = ref_base(nonce), key = ref_base(secret);
  ref_num product = ref_n_mul(ref_n_reduce(point.x), secret);
  ref_num inverse = ref_n_inverse(ref_n_sub(nonce, off));
  sample out = {
      .secret = secret, .key = ref_pubkey(&key), .point = key, .format = format};
  ref_num s;
  do {
    out.digest = ref_random_any();
    s = ref_n_mul(ref_n_add(ref_n_reduce(out.digest), product), inverse);
  } while (!ref_is_scalar(s) || ref_compare(s, ref_half_n()) > 0);
  ref_encode_hinted(out.sig, format, &point, s);
  out.valid = ref_explain(out.sig, format, out.digest, &out.point) == SIGMILL_OK;
  return out;
}

void make_samples(void) {
  for (int i = 0; i < POOL; i++) {
    sample *item = &good[i];
    ref_num secret;
    ref_case c = make_case(i, &secret);
    *item = sample_of(&c, all_formats[i % FORMAT_COUNT]);
    item->secret = secret;
    bad[i] = spoil(item, i / FORMAT_COUNT % SPOIL_KINDS);
  }
}

sigmill_p256_item item_of(const sample *s) {
  return (sigmill_p256_item){s->sig, s->digest.be, &s->key, s->format};
}

sigmill_verifier *new_verifier(const sigmill_verifier_options *options) {
  sigmill_verifier *verifier = NULL;
  if (sigmill_verifier_create(&verifier, options) != SIGMILL_OK || verifier == NULL) {
    fprintf(stderr, "no verifier\n");
    abort();
  }
  return verifier;
}

size_t wrong_verdicts(sigmill_verifier *verifier, const sample *const *samples,
                      size_t n) {
  sigmill_p256_item *items = calloc(n + 1, sizeof *items);
  uint8_t *verdicts = malloc(n + 1);
  bool expected_all = n > 0;
  if (items == NULL || verdicts == NULL) {
    abort();
  }
  for (size_t i = 0; i < n; i++) {
    items[i] = item_of(samples[i]);
    expected_all &= samples[i]->valid;
  }
  memset(verdicts, SAMPLE_GUARD, n + 1);
  bool all = sigmill_p256_verify_batch(verifier, verdicts, items, n);
  size_t wrong = all != expected_all;
  wrong += verdicts[n] != SAMPLE_GUARD;
  for (size_t i = 0; i < n; i++) {
    wrong += verdicts[i] != samples[i]->valid;
  }
  free(items);
  free(verdicts);
  return wrong;
}
