/* SHA-256 of many messages, four in a vector of 16 bytes: what every processor has. */
#include "hash/sha256_many.h"
#include "hash/sha256_sigma.h"
#include "hash/sha2_rounds.h"
#include "hash/sha_constants.h"

#define SHA256_TARGET
#define SHA256_WIDTH    4
#define SHA256_COMPRESS compress_4
#include "hash/sha256_many.inc"

static void compress(sha256_row out[8], const sha256_row state[8],
                     const sha256_row *const block[16], size_t count) {
  for (size_t at = 0; at < count; at += 4) {
    compress_4(out, state, block, at);
  }
}

const sha256_many_body sm_sha256_many_portable = {"portable", 4, compress};
