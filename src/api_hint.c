/* Hints for many plain signatures: verdict bytes are always written, and a bad item
 * leaves its neighbours alone. */
#include "api_types.h"
#include "batch/hint_p256.h"

/* Takes item i, if it has all that a hint needs. */
static void add_item(hint_p256_run *run, const sigmill_p256_item *item, size_t i) {
  p256_point key;
  if (item->format == SIGMILL_P256_SIG64 && item->sig != NULL && item->digest != NULL &&
      item->key != NULL && pubkey_get(&key, item->key)) {
    sm_hint_p256_add_vt(run, item->sig, item->digest, &key, i);
  } else {
    memset(run->out + run->size * i, 0, run->size);
  }
}

bool sigmill_p256_hint_batch(uint8_t *out, sigmill_p256_format format, uint8_t *verdicts,
                             const sigmill_p256_item *items, size_t n) {
  const size_t size = sigmill_p256_format_size(format);
  if (!batch_begin(verdicts, n, out != NULL && items != NULL)) {
    return batch_refuse(out, size, n);
  }
  if (size == 0 || size == 64) { /* no room for a hint */
    return batch_refuse(out, size, n);
  }
  hint_p256_run run;
  sm_hint_p256_begin(&run, out, verdicts, format, size);
  for (size_t i = 0; i < n; i++) {
    add_item(&run, &items[i], i);
  }
  sm_hint_p256_end_vt(&run);
  return batch_end(verdicts, n);
}
