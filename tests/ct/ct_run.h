/* What the parts of the constant-time program share. */
#ifndef SIGMILL_TESTS_CT_RUN_H
#define SIGMILL_TESTS_CT_RUN_H

#include "base/secret.h"
#include "harness.h"
#include "sigmill.h"

/* The key pair of a secret that is marked while the pair is made, so that everything that
 * depends on it is followed from there; made without marks, it is the model. */
sigmill_p256_keypair ct_pair(const uint8_t secret[32], bool marked);

/* Are two outputs the same?  What the library leaves marked in got is known to the owner.
 */
bool ct_same(void *got, const void *expected, size_t len);

/* Is every byte still marked?  A mark that got lost on the way would hide what follows.
 */
bool ct_marked(const void *bytes, size_t len);

/* Writers and readers of private key files. */
void ct_files(void);

/* Deliberate leaks, which the tool has to report: they show that the run can fail. */
bool ct_leak(const char *kind);

#endif
