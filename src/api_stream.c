/* Signatures as they come: copied until there are enough for a batch. */
#include "api_verifier.h"

#include <stdlib.h>

typedef struct {
  uint8_t sig[96], digest[32];
  sigmill_p256_pubkey key;
  uint64_t tag;
} stream_copy;

struct sigmill_p256_stream {
  sigmill_verifier *verifier;
  sigmill_p256_verdict verdict;
  void *ctx;
  size_t capacity, count;
  stream_copy *copies;
  sigmill_p256_item *items; /* of the copies */
  uint8_t *verdicts;
};

sigmill_status sigmill_p256_stream_create(sigmill_p256_stream **out, sigmill_verifier *v,
                                          sigmill_p256_verdict verdict, void *ctx) {
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  *out = NULL;
  if (v == NULL || verdict == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  sigmill_p256_stream *s = calloc(1, sizeof *s);
  if (s == NULL) {
    return SIGMILL_ERR_MEMORY;
  }
  s->verifier = v;
  s->verdict = verdict;
  s->ctx = ctx;
  s->capacity = v->capacity * v->workspace_count; /* a full equation on every thread */
  s->copies = calloc(s->capacity, sizeof *s->copies);
  s->items = calloc(s->capacity, sizeof *s->items);
  s->verdicts = calloc(s->capacity, 1);
  if (s->copies == NULL || s->items == NULL || s->verdicts == NULL) {
    sigmill_p256_stream_destroy(s);
    return SIGMILL_ERR_MEMORY;
  }
  *out = s;
  return SIGMILL_OK;
}

void sigmill_p256_stream_destroy(sigmill_p256_stream *s) {
  if (s != NULL) {
    free(s->copies);
    free(s->items);
    free(s->verdicts);
    free(s);
  }
}

sigmill_status sigmill_p256_stream_add(sigmill_p256_stream *s,
                                       const sigmill_p256_item *item, uint64_t tag) {
  if (s == NULL || item == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  stream_copy *copy = &s->copies[s->count];
  sigmill_p256_item *kept = &s->items[s->count++];
  const size_t size = sigmill_p256_format_size(item->format);
  *kept = (sigmill_p256_item){.format = item->format};
  copy->tag = tag;
  if (item->sig != NULL && size != 0) {
    memcpy(copy->sig, item->sig, size);
    kept->sig = copy->sig;
  }
  if (item->digest != NULL) {
    memcpy(copy->digest, item->digest, sizeof copy->digest);
    kept->digest = copy->digest;
  }
  if (item->key != NULL) {
    copy->key = *item->key;
    kept->key = &copy->key;
  }
  return s->count == s->capacity ? sigmill_p256_stream_flush(s) : SIGMILL_OK;
}

sigmill_status sigmill_p256_stream_flush(sigmill_p256_stream *s) {
  if (s == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  const size_t count = s->count;
  s->count = 0;
  if (count == 0) {
    return SIGMILL_OK;
  }
  const bool all = sigmill_p256_verify_batch(s->verifier, s->verdicts, s->items, count);
  for (size_t i = 0; i < count; i++) {
    s->verdict(s->ctx, s->copies[i].tag, all || s->verdicts[i] == 1);
  }
  return sigmill_verifier_status(s->verifier);
}
