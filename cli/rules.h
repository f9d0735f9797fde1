/* The rules that a signature has to keep by itself, whatever it is of.  Where a batch has
 * found that a signature does not verify, they tell why at the cost of reading points
 * together; sigmill_p256_explain would verify it once more. */
#ifndef SIGMILL_CLI_RULES_H
#define SIGMILL_CLI_RULES_H

#include "sigmill.h"

/* broken[i] is the first rule that the i-th signature breaks, in the order of
 * sigmill_p256_explain, but for its key and the equation; OK: none.  Formats are known
 * ones. */
void rules_broken(sigmill_status *broken, const sigmill_p256_item *items, size_t count);

#endif
