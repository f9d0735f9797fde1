/* Several arrays in one block of memory, each aligned to 64 bytes. */
#ifndef SIGMILL_BASE_CARVE_H
#define SIGMILL_BASE_CARVE_H

#include <stddef.h>
#include <stdint.h>

/* The next bytes of memory behind *used; NULL, and only counted, where memory is NULL. */
static inline void *carve(void *memory, size_t *used, size_t bytes) {
  void *place = memory == NULL ? NULL : (uint8_t *)memory + *used;
  *used += (bytes + 63) / 64 * 64;
  return place;
}

#endif
