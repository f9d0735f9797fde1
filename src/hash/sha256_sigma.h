/* The four functions of SHA-256's rounds and schedule (FIPS 180-4, section 4.1.2), of one
 * word or of a vector of words; x is a variable. */
#ifndef SIGMILL_HASH_SHA256_SIGMA_H
#define SIGMILL_HASH_SHA256_SIGMA_H

#define ROTATE_RIGHT_32(x, n) ((x) >> (n) | (x) << (32 - (n)))

#define big_sigma_0(x)                                                                   \
  (ROTATE_RIGHT_32(x, 2) ^ ROTATE_RIGHT_32(x, 13) ^ ROTATE_RIGHT_32(x, 22))
#define big_sigma_1(x)                                                                   \
  (ROTATE_RIGHT_32(x, 6) ^ ROTATE_RIGHT_32(x, 11) ^ ROTATE_RIGHT_32(x, 25))
#define small_sigma_0(x) (ROTATE_RIGHT_32(x, 7) ^ ROTATE_RIGHT_32(x, 18) ^ (x) >> 3)
#define small_sigma_1(x) (ROTATE_RIGHT_32(x, 17) ^ ROTATE_RIGHT_32(x, 19) ^ (x) >> 10)

#endif
