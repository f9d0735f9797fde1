/* The coefficients of random equations: fresh randomness of the operating system for
 * each batch, drawn when the batch is fixed, and expanded by ChaCha20 (RFC 8439). */
#ifndef SIGMILL_BATCH_RANDOMIZER_H
#define SIGMILL_BATCH_RANDOMIZER_H

#include "base/u256.h"
#include <stdbool.h>
#include <stddef.h>

/* Fills out; false if it cannot. */
typedef bool (*randomizer_source)(void *ctx, uint8_t *out, size_t len);

/* One batch's seed. */
typedef struct {
  uint8_t seed[32];
} randomizer;

/* Draws a seed from source, or from the operating system where that is NULL.  False (out
 * zero) if there is none to be had.  The seed is marked secret. */
bool sm_randomizer_draw(randomizer *out, randomizer_source source, void *ctx);
/* a[i] for i < count <= 2^32: independent, uniform over all 2^128 integers from -2^127 to
 * 2^127 - 1, as long as nobody tells ChaCha20 from randomness.  `part` names the sum that
 * they are for: no two sums of a batch have the same.  `statement`, 32 bytes that bind
 * the whole sum (batch/statement.h), goes into the key, so that they are hard to foresee
 * even where the source is weak; NULL: it does not.
 *
 * The key is the seed, or SHA-256 of a tag, seed and statement; the nonce is the part; a
 * block is four coefficients.  They are marked public: what uses them runs in variable
 * time, when nothing that they bind can change any more. */
void sm_randomizer_coefficients(i128 *a, size_t count, const randomizer *from,
                                uint64_t part, const uint8_t *statement);

#endif
