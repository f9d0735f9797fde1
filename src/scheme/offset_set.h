/* A set of things in one input, each known by its offset there, kept in order so that a
 * second of the same kind is found in few comparisons however hostile the input. */
#ifndef SIGMILL_SCHEME_OFFSET_SET_H
#define SIGMILL_SCHEME_OFFSET_SET_H

#include "sigmill.h"
#include <string.h>

enum { OFFSET_SET_MAX = 1024 };

typedef struct {
  size_t count;
  uint16_t at[OFFSET_SET_MAX];
} offset_set;

/* Below, equal to or above 0 as the thing at a comes before, equals or follows that at b.
 */
typedef int offset_compare(const uint8_t *input, size_t a, size_t b);

/* in: at < 65536.  Errors: MEMBER_DUPLICATE, TOO_LONG if the set is full. */
static inline sigmill_status offset_set_add(offset_set *set, const uint8_t *input,
                                            size_t at, offset_compare *compare) {
  size_t low = 0, high = set->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(input, at, set->at[middle]);
    if (order == 0) {
      return SIGMILL_ERR_MEMBER_DUPLICATE;
    }
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (set->count == OFFSET_SET_MAX) {
    return SIGMILL_ERR_TOO_LONG;
  }
  memmove(set->at + low + 1, set->at + low, (set->count - low) * sizeof set->at[0]);
  set->at[low] = (uint16_t)at;
  set->count++;
  return SIGMILL_OK;
}

#endif
