/* Deterministic ECDSA nonces (RFC 6979, section 3.2), with the SHA-256 of many messages
 * side by side.
 *
 * Messages stand as words from the start, in the layout of hash/sha256_many.h, and are as
 * long for every item, so that all goes in step: 16 compressions to the first candidate,
 * the two states of the first HMAC key, which is zero, not counted. */
#include "scheme/rfc6979_many.h"

#include "base/secret.h"
#include "hash/sha256_many.h"
#include "hash/sha_constants.h"
#include "scalar/sc_p256.h"
#include "scheme/rfc6979.h"

typedef struct {
  const sha256_many_body *body;
  size_t count;
  sha256_row inner[8], outer[8]; /* the two states of the HMAC key K */
  sha256_row v[8];
  /* mark || secret || digest || 80: the first word once with each mark. */
  sha256_row marked[2], seed[17];
  sha256_row digest[8], key[8];
  /* The same in every lane. */
  sha256_row start[8], zero, first_bit, inner_pad, outer_pad, bits_96, bits_161;
} generator;

enum { INNER_PAD = 0x36, OUTER_PAD = 0x5c };

static void fill(sha256_row *out, uint32_t word) {
  for (size_t i = 0; i < SHA256_MANY; i++) {
    out->of[i] = word;
  }
}

static void set_constants(generator *g) {
  for (size_t w = 0; w < 8; w++) {
    fill(&g->start[w], sha256_start[w]);
  }
  fill(&g->zero, 0);
  fill(&g->first_bit, UINT32_C(1) << 31);
  fill(&g->inner_pad, UINT32_C(0x01010101) * INNER_PAD);
  fill(&g->outer_pad, UINT32_C(0x01010101) * OUTER_PAD);
  fill(&g->bits_96, 8 * 96);   /* the key's block and a digest */
  fill(&g->bits_161, 8 * 161); /* the key's block, V, the mark and the seed */
}

/* block[from..15] = a and, from the next one on, b. */
static void point(const sha256_row *block[16], size_t from, const sha256_row *a,
                  const sha256_row *b) {
  for (size_t w = from; w < 16; w++) {
    block[w] = w == from ? a : b;
  }
}

/* block[0..count-1] = rows. */
static void point_rows(const sha256_row *block[16], const sha256_row *rows,
                       size_t count) {
  for (size_t w = 0; w < count; w++) {
    block[w] = &rows[w];
  }
}

static void compress(generator *g, sha256_row out[8], const sha256_row state[8],
                     const sha256_row *const block[16]) {
  g->body->compress(out, state, block, g->count);
}

/* out = what state becomes by the last block of an HMAC, which is a digest. */
static void take_digest(generator *g, sha256_row out[8], const sha256_row state[8],
                        const sha256_row digest[8]) {
  const sha256_row *block[16];
  point_rows(block, digest, 8);
  point(block, 8, &g->first_bit, &g->zero);
  block[15] = &g->bits_96;
  compress(g, out, state, block);
}

/* The state of the HMAC key that stands in digest, for the pad in every byte. */
static void take_key(generator *g, sha256_row out[8], const sha256_row *pad) {
  const sha256_row *block[16];
  for (size_t w = 0; w < 8; w++) {
    for (size_t i = 0; i < SHA256_MANY; i++) {
      g->key[w].of[i] = g->digest[w].of[i] ^ pad->of[i];
    }
  }
  point_rows(block, g->key, 8);
  point(block, 8, pad, pad);
  compress(g, out, g->start, block);
}

/* The same for a key of zero: it is public, and one for all. */
static void take_zero_key(sha256_row out[8], uint8_t pad) {
  uint32_t state[8];
  uint8_t block[64];
  memcpy(state, sha256_start, sizeof state);
  memset(block, pad, sizeof block);
  sm_sha256_body()->compress(state, block, 1);
  for (size_t w = 0; w < 8; w++) {
    fill(&out[w], state[w]);
  }
}

/* V = HMAC_K(V). */
static void update_v(generator *g) {
  take_digest(g, g->v, g->inner, g->v);
  take_digest(g, g->v, g->outer, g->v);
}

/* K = HMAC_K(V || mark || secret || digest), then V = HMAC_K(V). */
static void update_k(generator *g, int mark) {
  const sha256_row *block[16];
  point_rows(block, g->v, 8);
  for (size_t w = 8; w < 16; w++) {
    block[w] = w == 8 ? &g->marked[mark] : &g->seed[w - 8];
  }
  compress(g, g->digest, g->inner, block);
  point_rows(block, g->seed + 8, 9);
  point(block, 9, &g->zero, &g->zero);
  block[15] = &g->bits_161;
  compress(g, g->digest, g->digest, block);
  take_digest(g, g->digest, g->outer, g->digest);
  take_key(g, g->inner, &g->inner_pad);
  take_key(g, g->outer, &g->outer_pad);
  update_v(g);
}

/* Word w of the integer's big-endian form. */
static uint32_t word_of(const u256 *a, size_t w) {
  return (uint32_t)(a->v[3 - w / 2] >> (w % 2 == 0 ? 32 : 0));
}

/* The seed's bytes begin one byte into its first word, where the mark is to come. */
static void set_seed(generator *g, const u256 *secrets, const u256 *digests) {
  for (size_t i = 0; i < g->count; i++) {
    uint32_t before = 0;
    for (size_t w = 0; w < 16; w++) {
      uint32_t word = w < 8 ? word_of(&secrets[i], w) : word_of(&digests[i], w - 8);
      g->seed[w].of[i] = before << 24 | word >> 8;
      before = word;
    }
    g->seed[16].of[i] = before << 24 | UINT32_C(0x80) << 16;
    g->marked[0].of[i] = g->seed[0].of[i];
    g->marked[1].of[i] = g->seed[0].of[i] | UINT32_C(1) << 24;
  }
}

static void first_candidates(u256 *k, generator *g, const u256 *secrets,
                             const u256 *digests) {
  set_seed(g, secrets, digests);
  take_zero_key(g->inner, INNER_PAD);
  take_zero_key(g->outer, OUTER_PAD);
  for (size_t w = 0; w < 8; w++) {
    fill(&g->v[w], 0x01010101);
  }
  update_k(g, 0);
  update_k(g, 1);
  update_v(g);
  for (size_t i = 0; i < g->count; i++) {
    for (size_t w = 0; w < 4; w++) {
      k[i].v[3 - w] = (uint64_t)g->v[2 * w].of[i] << 32 | g->v[2 * w + 1].of[i];
    }
  }
}

static void one(u256 *k, const u256 *secret, const u256 *digest) {
  rfc6979_ctx ctx;
  sm_rfc6979_init(&ctx, HASH_SHA256, secret, digest, NULL, 0);
  sm_rfc6979_next(k, &ctx);
  sm_rfc6979_wipe(&ctx);
}

void sm_rfc6979_many(u256 *k, const u256 *secrets, const u256 *digests, size_t count) {
  generator g;
  memset(&g, 0, sizeof g);
  g.body = sm_sha256_many_body();
  set_constants(&g);
  for (size_t at = 0; at < count; at += g.count) {
    g.count = count - at < SHA256_MANY ? count - at : SHA256_MANY;
    first_candidates(k + at, &g, secrets + at, digests + at);
  }
  wipe(&g, sizeof g);
  wipe_stack_8k();
  for (size_t i = 0; i < count; i++) {
    uint64_t in_range = sm_sc_p256_in_range(&k[i]);
    PUBLIC(&in_range, sizeof in_range);
    if (!in_range) {
      one(&k[i], &secrets[i], &digests[i]);
    }
  }
}
