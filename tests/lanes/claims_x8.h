/* Claims for the jobs that judge them, with verdicts of libcrypto's points, and the cases
 * that every such job has to get right: claims that hold, spoilt ones, x(R) from n up,
 * digests that are 0 mod n, keys that are small multiples of G. */
#ifndef SIGMILL_TESTS_CLAIMS_X8_H
#define SIGMILL_TESTS_CLAIMS_X8_H

#include "../group/model.h"
#include "lanes/lanes_p256.h"

/* The i-th body that runs here, or NULL; the first one is the plain one. */
const p256_lanes *claims_body(int i);
enum { CLAIMS_BODIES = 4 };

#define EACH_BODY(lanes_)                                                                \
  for (int body_ = 0; body_ < CLAIMS_BODIES; body_++)                                    \
    for (const p256_lanes *lanes_ = claims_body(body_); lanes_ != NULL; lanes_ = NULL)

/* a b, 1/a and -a mod n. */
u256 claims_times(const u256 *a, const u256 *b);
u256 claims_inverse(const u256 *a);
u256 claims_minus(const u256 *a);
/* From 1 to n-1. */
u256 claims_random_scalar(void);

/* With these u1, u2 and key: r and point are those of R, and so the claim holds; false
 * where R is infinity, and r is any. */
bool claims_set(p256_claim *out, const u256 *u1, const u256 *u2, const p256_point *key);
/* One that holds. */
void claims_random(p256_claim *out);
/* One that holds, with a key for which R has x: first + the least offset for which there
 * is a point. */
void claims_of_x(p256_claim *out, const u256 *first, bool y_odd);
/* What libcrypto makes of it. */
uint8_t claims_verdict(const p256_claim *claim);

/* The regular odd digits of k mod n, in so many windows of width w; the last one has all
 * bits that are left of 256. */
void claims_digits(int *digits, const u256 *k, int w, int count);

/* The point g*G + q*key, for a key that is still to be chosen. */
typedef struct {
  u256 g, q;
} claims_point;
/* a = a + d 2^shift G or key; a = a + b; a = 2 a. */
void claims_add_base(claims_point *a, int d, int shift);
void claims_add_key(claims_point *a, int d, int shift);
void claims_add(claims_point *a, const claims_point *b);
void claims_double(claims_point *a);
/* A claim with these u1, u2 and the key for which a = b, or a = -b; false if there is no
 * such key. */
bool claims_of_meeting(p256_claim *out, const u256 *u1, const u256 *u2,
                       const claims_point *a, const claims_point *b, bool opposite);

/* A job: as verify_vt of p256_lanes, count <= LANES_P256_CHUNK. */
typedef struct {
  void (*judge)(const p256_lanes *lanes, uint8_t *verdicts, const p256_claim *claims,
                size_t count);
  bool takes_points; /* else has_point is false in all that it is given */
} claims_job;

/* The claim in each lane of each body, between neighbours that hold and that do not. */
void claims_expect_in_each_lane(const claims_job *job, const p256_claim *claim,
                                uint8_t wanted, const char *what);

/* All cases, as tests of their own. */
void claims_run_cases(const claims_job *job);

#endif
