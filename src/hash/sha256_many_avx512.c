/* SHA-256 of many messages, 16 in a register of 64 bytes, and 32 in two registers, which
 * takes half as long again as one. */
#include "hash/sha256_many.h"

#ifdef SHA256_MANY_X86
#include "hash/sha256_sigma.h"
#include "hash/sha2_rounds.h"
#include "hash/sha_constants.h"

#define SHA256_TARGET   __attribute__((target("avx512f")))
#define SHA256_WIDTH    16
#define SHA256_COMPRESS compress_16
#include "hash/sha256_many.inc"

#define SHA256_WIDTH    32
#define SHA256_COMPRESS compress_32
#include "hash/sha256_many.inc"

static void compress(sha256_row out[8], const sha256_row state[8],
                     const sha256_row *const block[16], size_t count) {
  if (count <= 16) {
    compress_16(out, state, block, 0);
  } else {
    compress_32(out, state, block, 0);
  }
}

const sha256_many_body sm_sha256_many_avx512 = {"avx512", 5, compress};
#endif
