/* Signatures to mix batches from: good ones in all formats, and bad ones spoilt in all
 * the ways there are. */
#ifndef SIGMILL_TESTS_SAMPLES_H
#define SIGMILL_TESTS_SAMPLES_H

#include "agreement.h"

enum { POOL = 80, MAX_ITEMS = 330, SAMPLE_GUARD = 0xa5 };

typedef struct {
  uint8_t sig[96];
  ref_num secret, digest;
  sigmill_p256_pubkey key;
  ref_point point;
  sigmill_p256_format format;
  bool valid; /* as the reference has it */
} sample;

/* The formats stand in turn: good[i] and bad[i] have all_formats[i % FORMAT_COUNT]. */
extern sample good[POOL], bad[POOL];
void make_samples(void);

/* A signature in any format, its s made low where the format asks for that. */
sample sample_of(const ref_case *c, sigmill_p256_format format);
/* A signature in a hinted format under a secret, whose R is nonce * G, but the equation's
 * R is (nonce - off) * G: valid only where off = 0. */
sample sample_off_by(ref_num off, ref_num nonce, ref_num secret,
                     sigmill_p256_format format);

sigmill_p256_item item_of(const sample *s);

/* Aborts if there is none. */
sigmill_verifier *new_verifier(const sigmill_verifier_options *options);

/* Runs a batch of n and counts the verdicts that are wrong; the guard byte
 * behind them counts too. */
size_t wrong_verdicts(sigmill_verifier *verifier, const sample *const *samples, size_t n);

#endif
