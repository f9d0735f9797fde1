/* The nonces of RFC 6979 with SHA-256 for many keys and digests at once. */
#ifndef SIGMILL_SCHEME_RFC6979_MANY_H
#define SIGMILL_SCHEME_RFC6979_MANY_H

#include "base/u256.h"
#include <stddef.h>

/* k[i] = what sm_rfc6979_next gives first for secrets[i] and digests[i], without extra
 * input; any count.  in: secrets below n, digests already mod n.  k is neither.  Constant
 * time but for which items have their first candidate rejected, which is independent of
 * the secrets; those go through sm_rfc6979_next. */
void sm_rfc6979_many(u256 *k, const u256 *secrets, const u256 *digests, size_t count);

#endif
