/* Signature formats and their names; reading one from its bytes. */
#include "signature.h"

#include "armor.h"
#include <string.h>

/* The first name of a format is the one that is shown. */
static const struct {
  const char *name;
  sig_format format;
} names[] = {
    {"raw", SIG_RAW},
    {"low-s", SIG_LOW_S},
    {"der", SIG_DER},
    {"recoverable", SIG_RECOVERABLE},
    {"compressed-r", SIG_COMPRESSED_R},
    {"full-r", SIG_FULL_R},
    {"jws", SIG_JWS},
    {"sig64", SIG_RAW},
    {"p1363", SIG_RAW},
    {"sig64_low_s", SIG_LOW_S},
    {"recoverable65", SIG_RECOVERABLE},
    {"compressed_r65", SIG_COMPRESSED_R},
    {"full_r96", SIG_FULL_R},
};

sig_format sig_format_from_name(const char *name, size_t len) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strlen(names[i].name) == len && memcmp(names[i].name, name, len) == 0) {
      return names[i].format;
    }
  }
  return SIG_UNNAMED;
}

const char *sig_format_name(sig_format format) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (names[i].format == format) {
      return names[i].name;
    }
  }
  return "none";
}

size_t sig_format_size(sig_format format) {
  if (format == SIG_DER || format == SIG_JWS || format == SIG_UNNAMED) {
    return 0;
  }
  return sigmill_p256_format_size(sig_format_inside(format, false));
}

sigmill_p256_format sig_format_inside(sig_format format, bool low_s) {
  switch (format) {
  case SIG_LOW_S:
    return SIGMILL_P256_SIG64_LOW_S;
  case SIG_RECOVERABLE:
    return SIGMILL_P256_RECOVERABLE65;
  case SIG_COMPRESSED_R:
    return SIGMILL_P256_COMPRESSED_R65;
  case SIG_FULL_R:
    return SIGMILL_P256_FULL_R96;
  default:
    return low_s ? SIGMILL_P256_SIG64_LOW_S : SIGMILL_P256_SIG64;
  }
}

bool sig_format_has_hint(sig_format format) {
  return format == SIG_RECOVERABLE || format == SIG_COMPRESSED_R || format == SIG_FULL_R;
}

sigmill_hash_id hash_from_name(const char *name, size_t len) {
  if (len == 6 && memcmp(name, "sha256", 6) == 0) {
    return SIGMILL_SHA256;
  }
  if (len == 6 && memcmp(name, "sha384", 6) == 0) {
    return SIGMILL_SHA384;
  }
  if (len == 6 && memcmp(name, "sha512", 6) == 0) {
    return SIGMILL_SHA512;
  }
  return (sigmill_hash_id)0;
}

const char *hash_name(sigmill_hash_id hash) {
  return hash == SIGMILL_SHA384   ? "sha384"
         : hash == SIGMILL_SHA512 ? "sha512"
         : hash == SIGMILL_SHA256 ? "sha256"
                                  : "none";
}

size_t hash_size(sigmill_hash_id hash) {
  return hash == SIGMILL_SHA384 ? 48 : hash == SIGMILL_SHA512 ? 64 : 32;
}

sigmill_status sig_read(uint8_t out[SIG_SIZE_MAX], sig_format format, const uint8_t *data,
                        size_t len, size_t *at) {
  *at = 0;
  if (format == SIG_DER) {
    return sigmill_p256_sig_from_der_at(out, data, len, at);
  }
  size_t size = sig_format_size(format);
  if (size == 0 || len != size) {
    *at = len < size ? len : size;
    return size == 0 ? SIGMILL_ERR_ARGUMENT : SIGMILL_ERR_SIG_LENGTH;
  }
  memcpy(out, data, size);
  return SIGMILL_OK;
}

sigmill_status sig_verify_token(size_t *payload_at, size_t *payload_len,
                                const char *token, size_t len,
                                const sigmill_p256_pubkey *key, bool low_s, size_t *at) {
  return low_s
             ? sigmill_p256_jws_verify_low_s(payload_at, payload_len, token, len, key, at)
             : sigmill_p256_jws_verify(payload_at, payload_len, token, len, key, at);
}

void sig_put(buffer *out, const uint8_t sig[64], sig_format format) {
  uint8_t der[SIGMILL_P256_DER_MAX], low[64];
  memcpy(low, sig, sizeof low);
  switch (format) {
  case SIG_DER:
    buffer_put(out, der, sigmill_p256_sig_to_der(der, sig));
    break;
  case SIG_LOW_S:
    (void)sigmill_p256_sig_normalize(low);
    buffer_put(out, low, sizeof low);
    break;
  default:
    buffer_put(out, sig, 64);
  }
}
