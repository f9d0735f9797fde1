/* SHA-256 of many messages, every body, against libcrypto: every length, lengths mixed,
 * every number of messages, messages that stand where they are; and the compression
 * function under every count of messages against that for one. */
#include "harness.h"
#include "hash/sha256_many.h"
#include "sha256_many_bodies.h"

#include <openssl/evp.h>
#include <string.h>

enum { LONGEST = 260, MOST = 300, ROOM = 1 << 16 };

static struct {
  uint8_t bytes[ROOM];
  const uint8_t *messages[MOST];
  size_t lens[MOST];
  uint8_t out[MOST + 1][32];
} batch;

/* Messages stand anywhere in the bytes, at any alignment, and may overlap. */
static void place(size_t i, size_t len) {
  batch.lens[i] = len;
  batch.messages[i] = len > 0 ? batch.bytes + test_random_u64() % (ROOM - len + 1) : NULL;
}

static void hash_and_compare(size_t n, const char *what) {
  uint8_t beyond[32];
  memset(batch.out, 0x5a, sizeof batch.out);
  memcpy(beyond, batch.out[n], 32);
  sm_sha256_many(batch.out, batch.messages, batch.lens, n);
  for (size_t i = 0; i < n; i++) {
    uint8_t expected[32];
    bool model = EVP_Q_digest(NULL, "SHA256", NULL, batch.messages[i], batch.lens[i],
                              expected, NULL) == 1;
    EXPECT(model && memcmp(batch.out[i], expected, 32) == 0,
           "%s: message %zu of %zu, %zu bytes, by %s", what, i, n, batch.lens[i],
           sm_sha256_many_body()->name);
  }
  EXPECT(memcmp(batch.out[n], beyond, 32) == 0, "nothing is written past the end");
}

static void every_length(void) {
  for (size_t len = 0; len <= LONGEST; len++) {
    for (size_t i = 0; i < SHA256_MANY + 1; i++) {
      place(i, len);
    }
    hash_and_compare(SHA256_MANY + 1, "the same length");
  }
}

static void every_number(void) {
  for (size_t n = 0; n <= 40; n++) {
    for (size_t i = 0; i < n; i++) {
      place(i, test_random_u64() % (LONGEST + 1));
    }
    hash_and_compare(n, "every number");
  }
}

/* All lengths at once, in an order of chance. */
static void lengths_mixed(void) {
  for (size_t i = 0; i <= LONGEST; i++) {
    place(i, i);
  }
  for (size_t i = LONGEST; i > 0; i--) {
    size_t j = test_random_u64() % (i + 1), len = batch.lens[i];
    place(i, batch.lens[j]);
    place(j, len);
  }
  hash_and_compare(LONGEST + 1, "all lengths");
}

/* Short and long ones side by side, so that lanes end at very different times. */
static void some_much_longer(void) {
  for (size_t round = 0; round < (test_long() ? 500 : 50); round++) {
    size_t n = 1 + test_random_u64() % MOST;
    for (size_t i = 0; i < n; i++) {
      size_t bound = test_random_u64() % 8 == 0 ? 3000 : 150;
      place(i, test_random_u64() % bound);
    }
    hash_and_compare(n, "some much longer");
  }
}

/* The lanes asked for get what the compression function for one message gives. */
static void compression(void) {
  const sha256_many_body *body = sm_sha256_many_body();
  for (size_t count = 1; count <= SHA256_MANY; count++) {
    for (int in_place = 0; in_place < 3; in_place++) {
      sha256_row state[8], block[16], apart[8];
      const sha256_row *rows[16];
      uint32_t expected[SHA256_MANY][8];
      test_random_bytes(state, sizeof state);
      test_random_bytes(block, sizeof block);
      for (size_t w = 0; w < 16; w++) {
        rows[w] = &block[w];
      }
      for (size_t i = 0; i < count; i++) {
        uint8_t bytes[64];
        for (size_t w = 0; w < 16; w++) {
          for (size_t b = 0; b < 4; b++) {
            bytes[4 * w + b] = (uint8_t)(block[w].of[i] >> (24 - 8 * b));
          }
        }
        for (size_t w = 0; w < 8; w++) {
          expected[i][w] = state[w].of[i];
        }
        sm_sha256_portable.compress(expected[i], bytes, 1);
      }
      sha256_row *out = in_place == 0 ? apart : in_place == 1 ? state : block;
      body->compress(out, state, rows, count);
      for (size_t i = 0; i < count; i++) {
        for (size_t w = 0; w < 8; w++) {
          EXPECT(out[w].of[i] == expected[i][w], "word %zu of message %zu of %zu by %s",
                 w, i, count, body->name);
        }
      }
    }
  }
}

static void all_with(const sha256_many_body *body) {
  sm_sha256_many_use(body);
  EXPECT(sm_sha256_many_body() == body, "the body asked for is in use");
  test_random_bytes(batch.bytes, sizeof batch.bytes);
  compression();
  every_length();
  every_number();
  lengths_mixed();
  some_much_longer();
  sm_sha256_many_use(NULL);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  run_with_each_body();
  return test_end();
}
