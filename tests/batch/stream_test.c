/* Protects streams: every item gets one verdict, the right one, under its own tag and in
 * the order of adding, whatever happens to the caller's memory meanwhile. */
#include "harness.h"
#include "scheme/samples.h"

#include <string.h>

enum { BATCH = 32, MOST = 5 * BATCH };

/* What the callback has been told. */
static struct {
  size_t count;
  uint64_t tag[MOST];
  bool valid[MOST];
} told;

static int context;

static void tell(void *ctx, uint64_t tag, bool valid) {
  EXPECT(ctx == &context && told.count < MOST, "verdict %zu", told.count);
  told.tag[told.count] = tag;
  told.valid[told.count++] = valid;
}

static sigmill_p256_stream *new_stream(sigmill_verifier *verifier) {
  sigmill_p256_stream *stream = NULL;
  told.count = 0;
  EXPECT(sigmill_p256_stream_create(&stream, verifier, tell, &context) == SIGMILL_OK &&
             stream != NULL,
         "a stream");
  return stream;
}

static const sample *sample_at(size_t i) {
  return i % 5 == 2 ? &bad[i % POOL] : &good[i % POOL];
}

/* From memory that holds something else afterwards. */
static sigmill_status add(sigmill_p256_stream *stream, size_t i) {
  sample copy = *sample_at(i);
  sigmill_p256_item item = item_of(&copy);
  const sigmill_status status = sigmill_p256_stream_add(stream, &item, 1000 + i);
  memset(&copy, 0xa5, sizeof copy);
  memset(&item, 0xa5, sizeof item);
  return status;
}

static void expect_told(size_t n, const char *what) {
  size_t wrong = 0;
  for (size_t i = 0; i < told.count; i++) {
    wrong += told.tag[i] != 1000 + i || told.valid[i] != sample_at(i)->valid;
  }
  EXPECT(told.count == n && wrong == 0, "%s: %zu verdicts of %zu, %zu wrong", what,
         told.count, n, wrong);
}

static void fills_and_flushes(void) {
  sigmill_verifier_options options = {.struct_size = sizeof options, .max_batch = BATCH};
  sigmill_verifier *verifier = new_verifier(&options);
  sigmill_p256_stream *stream = new_stream(verifier);
  EXPECT(sigmill_p256_stream_flush(stream) == SIGMILL_OK && told.count == 0, "empty");
  for (size_t i = 0; i < MOST - 7; i++) {
    EXPECT(add(stream, i) == SIGMILL_OK, "item %zu", i);
    EXPECT(told.count == (i + 1) / BATCH * BATCH, "%zu verdicts after %zu", told.count,
           i + 1);
  }
  EXPECT(sigmill_p256_stream_flush(stream) == SIGMILL_OK, "the rest");
  expect_told(MOST - 7, "all");
  EXPECT(sigmill_p256_stream_flush(stream) == SIGMILL_OK, "nothing more");
  expect_told(MOST - 7, "once");
  sigmill_p256_stream_destroy(stream);
  sigmill_verifier_destroy(verifier);
}

static void goes_through_threads(void) {
  sigmill_threads *threads = NULL;
  EXPECT(sigmill_threads_create(&threads, 3) == SIGMILL_OK, "threads");
  sigmill_verifier_options options = {.struct_size = sizeof options,
                                      .max_batch = BATCH,
                                      .parallel_for = sigmill_parallel_for_threads,
                                      .parallel_ctx = threads};
  sigmill_verifier *verifier = new_verifier(&options);
  sigmill_p256_stream *stream = new_stream(verifier);
  for (size_t i = 0; i < MOST; i++) {
    EXPECT(add(stream, i) == SIGMILL_OK, "item %zu", i);
  }
  EXPECT(told.count == 3 * BATCH, "%zu verdicts of a full stream", told.count);
  EXPECT(sigmill_p256_stream_flush(stream) == SIGMILL_OK, "the rest");
  expect_told(MOST, "threads");
  sigmill_p256_stream_destroy(stream);
  sigmill_verifier_destroy(verifier);
  sigmill_threads_destroy(threads);
}

/* An item that lacks something is invalid, and leaves its neighbours alone. */
static void items_that_lack_something(void) {
  sigmill_verifier *verifier = new_verifier(NULL);
  sigmill_p256_stream *stream = new_stream(verifier);
  const sigmill_p256_item whole = item_of(&good[0]);
  sigmill_p256_pubkey unset;
  memset(&unset, 0, sizeof unset);
  sigmill_p256_item items[7] = {whole, whole, whole, whole, whole, whole, whole};
  items[1].sig = NULL;
  items[2].digest = NULL;
  items[3].key = NULL;
  items[4].format = (sigmill_p256_format)99;
  items[5].key = &unset;
  for (size_t i = 0; i < 7; i++) {
    EXPECT(sigmill_p256_stream_add(stream, &items[i], i) == SIGMILL_OK, "item %zu", i);
  }
  EXPECT(sigmill_p256_stream_flush(stream) == SIGMILL_OK && told.count == 7, "flushed");
  for (size_t i = 0; i < 7; i++) {
    EXPECT(told.tag[i] == i && told.valid[i] == (i == 0 || i == 6), "item %zu", i);
  }
  sigmill_p256_stream_destroy(stream);
  sigmill_verifier_destroy(verifier);
}

static bool no_randomness(void *ctx, uint8_t *out, size_t len) {
  (void)ctx;
  memset(out, 0, len);
  return false;
}

static void refuses_and_reports(void) {
  sigmill_p256_stream *stream = (sigmill_p256_stream *)(void *)&context;
  sigmill_verifier_options options = {.struct_size = sizeof options,
                                      .plan = SIGMILL_PLAN_EQUATION,
                                      .random = no_randomness};
  sigmill_verifier *verifier = new_verifier(&options);
  EXPECT(sigmill_p256_stream_create(NULL, verifier, tell, NULL) == SIGMILL_ERR_ARGUMENT,
         "nowhere");
  EXPECT(sigmill_p256_stream_create(&stream, NULL, tell, NULL) == SIGMILL_ERR_ARGUMENT &&
             stream == NULL,
         "no verifier");
  EXPECT(sigmill_p256_stream_create(&stream, verifier, NULL, NULL) ==
             SIGMILL_ERR_ARGUMENT,
         "no callback");
  EXPECT(sigmill_p256_stream_flush(NULL) == SIGMILL_ERR_ARGUMENT, "no stream");
  sigmill_p256_stream_destroy(NULL);
  stream = new_stream(verifier);
  EXPECT(sigmill_p256_stream_add(stream, NULL, 0) == SIGMILL_ERR_ARGUMENT, "no item");
  for (size_t i = 0; i < BATCH; i++) {
    EXPECT(add(stream, i) == SIGMILL_OK, "item %zu", i);
  }
  EXPECT(sigmill_p256_stream_flush(stream) == SIGMILL_ERR_RANDOM, "no randomness");
  expect_told(BATCH, "without randomness");
  EXPECT(add(stream, BATCH) == SIGMILL_OK, "one that nobody asks about");
  sigmill_p256_stream_destroy(stream);
  EXPECT(told.count == BATCH, "a dropped item has no verdict");
  sigmill_verifier_destroy(verifier);
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  ref_begin();
  make_samples();
  RUN(fills_and_flushes);
  RUN(goes_through_threads);
  RUN(items_that_lack_something);
  RUN(refuses_and_reports);
  ref_end();
  return test_end();
}
