/* The tables that the key cache makes of real keys, in the lanes of each backend:
 * libcrypto's signatures verify with them, others do not, while tables come and go. */
#include "harness.h"
#include "keycache_frame.h"
#include "scheme/samples.h"

enum { SIGNERS = POOL / FORMAT_COUNT };

/* The plain signature of one of the signers, of its digest or of another. */
static p256_claim claim_of(const sample *s, bool spoilt) {
  p256_claim claim = {.has_point = false};
  u256_from_be(&claim.r, s->sig);
  u256_from_be(&claim.s, s->sig + 32);
  u256_from_be(&claim.digest, s->digest.be);
  claim.digest.v[0] ^= spoilt;
  return claim;
}

/* Verifies what has a table; how many were judged. */
static size_t judge(const keycache_p256_keys *keys, p256_claim *claims,
                    const bool *spoilt, size_t count) {
  p256_claim known[LANES_P256_CHUNK];
  const p256_key_table *tables[LANES_P256_CHUNK];
  uint8_t verdicts[LANES_P256_CHUNK];
  bool expected[LANES_P256_CHUNK];
  size_t judged = 0;
  for (size_t i = 0; i < count; i++) {
    claims[i].key = keys->point[i];
    if (keys->table[i] != NULL) {
      known[judged] = claims[i];
      expected[judged] = !spoilt[i];
      tables[judged++] = keys->table[i];
    }
  }
  if (judged > 0) {
    sm_backend()->lanes->verify_known_vt(verdicts, known, tables, judged);
  }
  for (size_t i = 0; i < judged; i++) {
    EXPECT(verdicts[i] == (expected[i] ? CLAIM_TRUE : CLAIM_FALSE), "verdict %d",
           verdicts[i]);
  }
  return judged;
}

static void verifies_with_its_tables(void) {
  static const size_t sizes[] = {SIGMILL_KEYCACHE_MIN, 70000, 1 << 20};
  for (size_t s = 0; s < 3; s++) {
    sigmill_keycache *cache = NULL;
    size_t judged = 0;
    EXPECT(sigmill_keycache_create(&cache, sizes[s]) == SIGMILL_OK, "%zu bytes",
           sizes[s]);
    for (int round = 0; round < 24 && cache != NULL; round++) {
      uint8_t sec1[LANES_P256_CHUNK][33], ordinary[LANES_P256_CHUNK];
      p256_claim claims[LANES_P256_CHUNK];
      bool spoilt[LANES_P256_CHUNK];
      keycache_p256_keys keys;
      size_t count = round % 3 == 0 ? LANES_P256_CHUNK : 1 + (size_t)round * 7 % 40;
      for (size_t i = 0; i < count; i++) {
        /* Four at a time come often, so that tables change hands. */
        size_t signer = test_random_u64() % 8 == 0 ? test_random_u64() % SIGNERS
                                                   : ((size_t)round / 6 * 4 + i % 4);
        const sample *from = &good[signer * FORMAT_COUNT];
        spoilt[i] = test_random_u64() % 4 == 0;
        claims[i] = claim_of(from, spoilt[i]);
        ref_sec1_33(sec1[i], &from->point);
        ordinary[i] = 1;
      }
      sm_keycache_read33_vt(&keys, cache, sec1[0], ordinary, count);
      for (size_t i = 0; i < count; i++) {
        EXPECT(keys.read[i] == 1, "a good key");
      }
      judged += judge(&keys, claims, spoilt, count);
      sm_keycache_release(cache, &keys);
    }
    sigmill_keycache_count counts = counts_of(cache);
    EXPECT(judged == counts.table_hits, "%zu judged, %llu counted", judged,
           (unsigned long long)counts.table_hits);
    EXPECT((judged > 0) == (sm_backend()->lanes != NULL), "%zu with a table", judged);
    expect_sound(cache, 0, "after verifying");
    sigmill_keycache_destroy(cache);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  if (!backend_is_ready()) {
    return test_end();
  }
  ref_begin();
  make_samples();
  RUN(verifies_with_its_tables);
  ref_end();
  return test_end();
}
