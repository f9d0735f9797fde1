/* SHA-256 of many messages: the choice between the bodies, and the messages' way through
 * the lanes.  A lane that has ended its message takes the next; once there is none, the
 * lanes that still work move together, and the last few messages end one by one. */
#include "hash/sha256_many.h"

#include "base/bytes.h"
#include "base/cpu.h"
#include "base/secret.h"
#include "hash/sha_constants.h"

#include <stdatomic.h>

static _Atomic(const sha256_many_body *) body_in_use;

static const sha256_many_body *fastest_body(void) {
#ifdef SHA256_MANY_X86
  if (sm_cpu_features()->avx512) {
    return &sm_sha256_many_avx512;
  }
  if (sm_cpu_features()->avx2) {
    return &sm_sha256_many_avx2;
  }
#endif
  return &sm_sha256_many_portable;
}

const sha256_many_body *sm_sha256_many_body(void) {
  const sha256_many_body *body = atomic_load_explicit(&body_in_use, memory_order_relaxed);
  if (body == NULL) {
    body = fastest_body();
    atomic_store_explicit(&body_in_use, body, memory_order_relaxed);
  }
  return body;
}

void sm_sha256_many_use(const sha256_many_body *body) {
  atomic_store_explicit(&body_in_use, body, memory_order_relaxed);
}

/* A message on its way. */
typedef struct {
  const uint8_t *bytes;
  size_t len, index;
  size_t block, blocks; /* the next one, and how many there are with the padding */
} passenger;

static passenger passenger_of(const uint8_t *const *messages, const size_t *lens,
                              size_t index) {
  size_t rest = lens[index] % 64;
  return (passenger){.bytes = messages[index],
                     .len = lens[index],
                     .index = index,
                     .blocks = lens[index] / 64 + (rest < 56 ? 1 : 2)};
}

/* The next block (section 5.1): where it stands in the message, or in out. */
static const uint8_t *next_block(uint8_t out[64], passenger *p) {
  size_t at = 64 * p->block++;
  if (at + 64 <= p->len) {
    return p->bytes + at;
  }
  memset(out, 0, 64);
  if (at < p->len) {
    memcpy(out, p->bytes + at, p->len - at);
  }
  if (at <= p->len) {
    out[p->len - at] = 0x80;
  }
  if (p->block == p->blocks) {
    store_be64(out + 56, (uint64_t)p->len * 8);
  }
  return out;
}

typedef struct {
  sha256_row state[8], block[16];
  const sha256_row *rows[16]; /* of block */
  passenger passengers[SHA256_MANY];
  size_t count; /* lanes at work: the first ones */
} lanes;

static void set_state(lanes *all, size_t lane, const uint32_t state[8]) {
  for (size_t w = 0; w < 8; w++) {
    all->state[w].of[lane] = state[w];
  }
}

static void get_state(uint32_t state[8], const lanes *all, size_t lane) {
  for (size_t w = 0; w < 8; w++) {
    state[w] = all->state[w].of[lane];
  }
}

static void put_digest(uint8_t out[32], const uint32_t state[8]) {
  for (size_t w = 0; w < 8; w++) {
    store_be32(out + 4 * w, state[w]);
  }
}

/* Every lane at work takes its next block. */
static void step(lanes *all, const sha256_many_body *body) {
  uint8_t padded[64];
  for (size_t lane = 0; lane < all->count; lane++) {
    const uint8_t *block = next_block(padded, &all->passengers[lane]);
    for (size_t w = 0; w < 16; w++) {
      all->block[w].of[lane] = load_be32(block + 4 * w);
    }
  }
  body->compress(all->state, all->state, all->rows, all->count);
  wipe(padded, sizeof padded);
}

/* The rest of one message by itself. */
static void end_alone(uint8_t out[32], lanes *all, size_t lane) {
  passenger *p = &all->passengers[lane];
  uint32_t state[8];
  uint8_t padded[64];
  get_state(state, all, lane);
  while (p->block < p->blocks) {
    sm_sha256_body()->compress(state, next_block(padded, p), 1);
  }
  put_digest(out, state);
  wipe(state, sizeof state);
  wipe(padded, sizeof padded);
}

void sm_sha256_many(uint8_t (*out)[32], const uint8_t *const *messages,
                    const size_t *lens, size_t n) {
  const sha256_many_body *body = sm_sha256_many_body();
  lanes all;
  size_t next = 0;
  memset(&all, 0, sizeof all);
  for (size_t w = 0; w < 16; w++) {
    all.rows[w] = &all.block[w];
  }
  for (;;) {
    while (all.count < SHA256_MANY && next < n) {
      all.passengers[all.count] = passenger_of(messages, lens, next++);
      set_state(&all, all.count++, sha256_start);
    }
    if (all.count < body->least) {
      break;
    }
    step(&all, body);
    for (size_t lane = all.count; lane-- > 0;) {
      const passenger *p = &all.passengers[lane];
      if (p->block == p->blocks) {
        uint32_t state[8];
        get_state(state, &all, lane);
        put_digest(out[p->index], state);
        get_state(state, &all, --all.count);
        set_state(&all, lane, state);
        all.passengers[lane] = all.passengers[all.count];
        wipe(state, sizeof state);
      }
    }
  }
  for (size_t lane = 0; lane < all.count; lane++) {
    end_alone(out[all.passengers[lane].index], &all, lane);
  }
  wipe(&all, sizeof all);
  wipe_stack_8k();
}
