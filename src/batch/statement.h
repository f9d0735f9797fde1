/* What binds the coefficients of a random equation to the claims that it is about, so
 * that whoever foresees the seed (batch/randomizer.h) still cannot choose claims that fit
 * the coefficients: a collision-resistant hash of all that the equation depends on.
 *
 * Of each claim it takes s, digest, x(point), x(key) and the parities of both y.  That is
 * all: r is x(point) mod n, and a point of the curve is told from its opposite by the
 * parity of y, for y is not 0 (no point has order 2) and p is odd.  Two different lists
 * of claims thus give different words, in this order:
 *   - 16 claims make 512 words: s, digest, x(point) and x(key) of the first, 8 words each
 *     as they stand in memory, then those of the second, and so on; zeros where there are
 *     no more claims;
 *   - row after row, lane i of 32 takes word i of each 32 words;
 *   - behind the claims, 13 rows more: word g, for the g-th 16 claims, has the parities
 * of y(point) and y(key) of the i-th one in its bits 2i and 2i + 1; the other words are
 * 0;
 *   - the hash of a lane is SHA-256 of its words, big endian;
 *   - up to 4096 claims make a part, and the statement is SHA-256 of a tag, the number of
 *     claims in 8 bytes, and the hashes of each part: the first words of all 32 lanes as
 *     they stand in memory, the second words, and so on.
 * The number of claims tells how long everything is, and so where each word stands: two
 * lists with one statement would be a collision of SHA-256. */
#ifndef SIGMILL_BATCH_STATEMENT_H
#define SIGMILL_BATCH_STATEMENT_H

#include "lanes/lanes_p256.h"

/* in: claims with a point; point and key on the curve. */
void sm_statement_p256(uint8_t out[32], const p256_claim *claims, size_t count);

#endif
