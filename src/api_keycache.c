/* The public functions on key caches. */
#include "batch/keycache_p256.h"

#include <stddef.h>

sigmill_status sigmill_keycache_create(sigmill_keycache **out, size_t max_bytes) {
  if (out == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  const p256_lanes *lanes = sm_backend()->lanes;
  return sm_keycache_create(out, max_bytes, lanes != NULL ? lanes->key_tables_vt : NULL);
}

void sigmill_keycache_destroy(sigmill_keycache *cache) {
  sm_keycache_destroy(cache);
}

void sigmill_keycache_counts(sigmill_keycache_count *out, const sigmill_keycache *cache) {
  sm_keycache_counts(out, (sigmill_keycache *)cache); /* to take its lock */
}
