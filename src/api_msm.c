/* The public multiscalar multiplication: as many points at a time as a verifier has room
 * for, and the sum of these sums. */
#include "api_verifier.h"
#include "scalar/sc_p256.h"
#include "scheme/sec1.h"

/* Loads points[i], i < count. */
static sigmill_status load_points(msm_p256 *msm, const sigmill_p256_pubkey *const *points,
                                  size_t count) {
  p256_point loaded[LANES_P256_CHUNK];
  uint8_t on_curve[LANES_P256_CHUNK];
  for (size_t first = 0; first < count; first += LANES_P256_CHUNK) {
    const size_t part = at_most(count - first, LANES_P256_CHUNK);
    for (size_t i = 0; i < part; i++) {
      if (points[first + i] == NULL) {
        return SIGMILL_ERR_ARGUMENT;
      }
      if (!pubkey_get(&loaded[i], points[first + i])) {
        return SIGMILL_ERR_KEY_UNSET;
      }
    }
    sm_msm_p256_load_vt(msm, on_curve, loaded, part);
  }
  return SIGMILL_OK;
}

/* Adds the sum of scalars[i]*points[i], i < count, to *sum; count points at most that the
 * equation has room for. */
static sigmill_status add_sum(p256_jacobian *sum, equation_p256 *eq,
                              const uint8_t (*scalars)[32],
                              const sigmill_p256_pubkey *const *points, size_t count) {
  static const u256 one = {{1}};
  const msm_p256_terms terms = {
      .long_count = count, .long_point = eq->long_point, .long_scalar = eq->long_scalar};
  p256_jacobian parts[2] = {*sum};
  p256_point point;
  sm_msm_p256_begin(eq->msm);
  const sigmill_status status = load_points(eq->msm, points, count);
  if (status != SIGMILL_OK) {
    return status;
  }
  for (size_t i = 0; i < count; i++) {
    u256_from_be(&eq->long_scalar[i], scalars[i]);
    sm_sc_p256_reduce(&eq->long_scalar[i], &eq->long_scalar[i]);
    eq->long_point[i] = (uint32_t)i + 1;
  }
  memset(sum, 0, sizeof *sum);
  if (sm_msm_p256_sum_vt(&point, eq->msm, &terms)) {
    parts[1] = (p256_jacobian){point.x, point.y, one};
  }
  if (sm_backend()->engine->join_vt(&point, parts, 2, 0)) {
    *sum = (p256_jacobian){point.x, point.y, one};
  }
  return SIGMILL_OK;
}

sigmill_status sigmill_p256_msm(sigmill_verifier *v, uint8_t out65[65],
                                const uint8_t (*scalars)[32],
                                const sigmill_p256_pubkey *const *points, size_t n) {
  p256_jacobian sum = {{{0}}, {{0}}, {{0}}};
  sigmill_status status = SIGMILL_OK;
  if (out65 == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  memset(out65, 0, 65);
  if (v == NULL || (n > 0 && (scalars == NULL || points == NULL))) {
    return SIGMILL_ERR_ARGUMENT;
  }
  verifier_workspace *workspace = sm_verifier_take(v);
  if (workspace == NULL) {
    return SIGMILL_ERR_ARGUMENT;
  }
  const size_t room = sm_msm_p256_room(workspace->equation->msm);
  for (size_t first = 0; first < n && status == SIGMILL_OK; first += room) {
    status = add_sum(&sum, workspace->equation, scalars + first, points + first,
                     at_most(n - first, room));
  }
  sm_verifier_give_back(workspace);
  if (status == SIGMILL_OK && !u256_zero_mask(&sum.z)) {
    const p256_point point = {sum.x, sum.y};
    sm_sec1_write65(out65, &point);
  }
  return status;
}
