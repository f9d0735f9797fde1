/* UTF-8 (RFC 3629). */
#ifndef SIGMILL_SCHEME_UTF8_H
#define SIGMILL_SCHEME_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is text UTF-8: no overlong form, no surrogate, nothing above U+10FFFF?  If not,
 * *error_at is the first byte of the first broken sequence.  Of bytes below 128 only that
 * much is known. */
bool sm_utf8_check(const uint8_t *text, size_t len, size_t *error_at);
/* The code point at text[*at], which checked UTF-8 must hold; steps over it. */
uint32_t sm_utf8_next(const uint8_t *text, size_t *at);

#endif
