/* Randomness from the operating system. */
#ifndef SIGMILL_BASE_RANDOM_H
#define SIGMILL_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* Fills len bytes from the operating system's generator (getrandom, getentropy).  False,
 * and out all zero, if it fails.  What comes is marked secret. */
bool sm_random_bytes(void *out, size_t len);

#endif
