/* One signature through every call that judges it, each answer compared with the
 * reference's. */
#ifndef SIGMILL_TESTS_AGREEMENT_H
#define SIGMILL_TESTS_AGREEMENT_H

#include "reference_p256.h"

enum { FORMAT_COUNT = 5 };
extern const sigmill_p256_format all_formats[FORMAT_COUNT];
extern const sigmill_p256_format hinted_formats[3];

/* True under the backend that the environment asks for, if it asks.  Else says why no
 * test runs: a skip if this machine cannot run that backend, a failure if another is in
 * use. */
bool backend_is_ready(void);

/* A verifier with a plan, kept until the program ends; for one thread. */
sigmill_verifier *verifier_of_plan(sigmill_plan plan);

/* What one could make of a plain signature, right or wrong: every recovery id, both
 * points for each x that r may stand for, s low and high. */
enum { HINTED_FORMS_MAX = 14 };
typedef struct {
  uint8_t sig[96];
  sigmill_p256_format format;
} hinted_form;
size_t hinted_forms(hinted_form out[HINTED_FORMS_MAX], const uint8_t sig[64]);

/* verify, verify_as, explain, the first two with the key prepared, verify_batch (alone,
 * and in every lane among others; hinted ones by every plan) and verify_columns; hint for
 * a plain signature, and its hinted forms; recover for a recoverable one.  Returns the
 * reference's answer. */
sigmill_status expect_agreement(const uint8_t *sig, sigmill_p256_format format,
                                ref_num digest, const ref_point *key, const char *what);

/* The case in every format, its s as it is. */
void expect_agreement_everywhere(const ref_case *c, const char *what);

#endif
