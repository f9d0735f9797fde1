/* SHA-256 of many messages, eight in a register of 32 bytes. */
#include "hash/sha256_many.h"

#ifdef SHA256_MANY_X86
#include "hash/sha256_sigma.h"
#include "hash/sha2_rounds.h"
#include "hash/sha_constants.h"

#define SHA256_TARGET   __attribute__((target("avx2")))
#define SHA256_WIDTH    8
#define SHA256_COMPRESS compress_8
#include "hash/sha256_many.inc"

static void compress(sha256_row out[8], const sha256_row state[8],
                     const sha256_row *const block[16], size_t count) {
  for (size_t at = 0; at < count; at += 8) {
    compress_8(out, state, block, at);
  }
}

const sha256_many_body sm_sha256_many_avx2 = {"avx2", 8, compress};
#endif
