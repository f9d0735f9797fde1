/* ECDSA signatures in DER (RFC 3279, section 2.2.3). */
#include "scheme/sig_der.h"

#include "scalar/sc_p256.h"
#include "scheme/der.h"
#include <string.h>

static bool in_range_vt(const uint8_t bytes[32]) {
  u256 value;
  u256_from_be(&value, bytes);
  return sm_sc_p256_in_range(&value) != 0;
}

/* The form comes before the range: a broken s is told even where r is out of range. */
sigmill_status sm_sig_der_read_vt(uint8_t sig[64], const uint8_t *der, size_t len,
                                  size_t *error_at) {
  der_input in = sm_der_input(der, len, SIGMILL_P256_DER_MAX);
  der_range r = sm_der_open_whole(&in, DER_SEQUENCE);
  size_t r_at = sm_der_integer(sig, &in, &r);
  size_t s_at = sm_der_integer(sig + 32, &in, &r);
  sm_der_end(&in, &r);
  if (!in_range_vt(sig)) {
    sm_der_fail(&in, r_at, SIGMILL_ERR_SIG_R);
  }
  if (!in_range_vt(sig + 32)) {
    sm_der_fail(&in, s_at, SIGMILL_ERR_SIG_S);
  }
  *error_at = in.error_at;
  return in.status;
}

size_t sm_sig_der_write_vt(uint8_t der[SIGMILL_P256_DER_MAX], const uint8_t sig[64]) {
  memset(der, 0, SIGMILL_P256_DER_MAX);
  size_t len = sm_der_write_integer(der + 2, sig);
  len += sm_der_write_integer(der + 2 + len, sig + 32);
  der[0] = DER_SEQUENCE;
  der[1] = (uint8_t)len;
  return 2 + len;
}
