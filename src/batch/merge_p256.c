/* Contract in batch/merge_p256.h.  At most half of the places are taken. */
#include "batch/merge_p256.h"

#include "base/bytes.h"
#include <string.h>

size_t sm_merge_p256_places(size_t max_points) {
  size_t places = 2;
  while (places < 2 * max_points) {
    places *= 2;
  }
  return places;
}

void sm_merge_p256_begin(merge_p256 *merge, size_t max_points, const uint8_t key[32]) {
  merge->mask = sm_merge_p256_places(max_points) - 1;
  memset(merge->places, 0, (merge->mask + 1) * sizeof *merge->places);
  for (size_t i = 0; i < 8; i++) {
    merge->key[i] = load_be32(key + 4 * i);
  }
}

static uint64_t hash(const merge_p256 *merge, const u256 *x) {
  uint64_t sum = 0;
  for (size_t i = 0; i < 4; i++) {
    const uint32_t low = (uint32_t)x->v[i] + merge->key[2 * i];
    const uint32_t high = (uint32_t)(x->v[i] >> 32) + merge->key[2 * i + 1];
    sum += (uint64_t)low * high;
  }
  return sum;
}

p256_ref sm_merge_p256_find_vt(merge_p256 *merge, const p256_point *point,
                               uint32_t fresh) {
  const uint64_t h = hash(merge, &point->x);
  const uint32_t tag = (uint32_t)h;
  for (size_t i = (size_t)(h >> 32);; i++) {
    merge_place *place = &merge->places[i & merge->mask];
    if (place->number == 0) {
      *place = (merge_place){.number = fresh, .tag = tag, .point = point};
      return fresh << 1;
    }
    if (place->tag == tag && u256_eq_mask(&place->point->x, &point->x)) {
      return place->number << 1 | !u256_eq_mask(&place->point->y, &point->y);
    }
  }
}
