/* Writing keys, in every format that has a place for them. */
#include "keyfile.h"

#include "armor.h"
#include <openssl/crypto.h>
#include <string.h>

static const struct {
  const char *name;
  key_out format;
} out_names[] = {
    {"pem", KEY_OUT_PEM},
    {"spki", KEY_OUT_SPKI},
    {"pkcs8", KEY_OUT_PKCS8},
    {"ec", KEY_OUT_EC},
    {"ec-pem", KEY_OUT_EC_PEM},
    {"jwk", KEY_OUT_JWK},
    {"cose", KEY_OUT_COSE},
    {"compressed", KEY_OUT_COMPRESSED},
    {"uncompressed", KEY_OUT_UNCOMPRESSED},
    {"hex", KEY_OUT_HEX},
    {"hex-uncompressed", KEY_OUT_HEX_LONG},
    {"raw", KEY_OUT_RAW},
};

key_out key_out_from_name(const char *name, bool private_key) {
  if (strcmp(name, "der") == 0) {
    return private_key ? KEY_OUT_PKCS8 : KEY_OUT_SPKI;
  }
  for (size_t i = 0; i < sizeof out_names / sizeof out_names[0]; i++) {
    if (strcmp(name, out_names[i].name) == 0) {
      return out_names[i].format;
    }
  }
  return KEY_OUT_NONE;
}

bool key_out_is_private(key_out format) {
  switch (format) {
  case KEY_OUT_PEM:
  case KEY_OUT_PKCS8:
  case KEY_OUT_EC:
  case KEY_OUT_EC_PEM:
  case KEY_OUT_JWK:
  case KEY_OUT_HEX:
  case KEY_OUT_RAW:
    return true;
  default:
    return false;
  }
}

bool key_out_is_public(key_out format) {
  switch (format) {
  case KEY_OUT_PEM:
  case KEY_OUT_SPKI:
  case KEY_OUT_JWK:
  case KEY_OUT_COSE:
  case KEY_OUT_COMPRESSED:
  case KEY_OUT_UNCOMPRESSED:
  case KEY_OUT_HEX:
  case KEY_OUT_HEX_LONG:
    return true;
  default:
    return false;
  }
}

static void put_line(buffer *out, const char *text) {
  buffer_text(out, text);
  buffer_text(out, "\n");
}

static void put_hex_line(buffer *out, const uint8_t *data, size_t len) {
  buffer_hex(out, data, len);
  buffer_text(out, "\n");
}

bool key_put_public(buffer *out, const sigmill_p256_pubkey *key, key_out format) {
  uint8_t bytes[SIGMILL_P256_SPKI_SIZE];
  char text[SIGMILL_P256_PEM_SIZE + 1];
  _Static_assert(sizeof text > SIGMILL_P256_JWK_SIZE, "PEM is the longest text");
  _Static_assert(sizeof bytes >= SIGMILL_P256_COSE_SIZE, "SPKI is the longest");
  switch (format) {
  case KEY_OUT_PEM:
    sigmill_p256_pubkey_to_pem(text, key);
    buffer_text(out, text);
    return true;
  case KEY_OUT_SPKI:
    sigmill_p256_pubkey_to_spki(bytes, key);
    buffer_put(out, bytes, SIGMILL_P256_SPKI_SIZE);
    return true;
  case KEY_OUT_JWK:
    sigmill_p256_pubkey_to_jwk(text, key);
    put_line(out, text);
    return true;
  case KEY_OUT_COSE:
    sigmill_p256_pubkey_to_cose(bytes, key);
    buffer_put(out, bytes, SIGMILL_P256_COSE_SIZE);
    return true;
  case KEY_OUT_COMPRESSED:
    sigmill_p256_pubkey_serialize33(bytes, key);
    buffer_put(out, bytes, 33);
    return true;
  case KEY_OUT_UNCOMPRESSED:
    sigmill_p256_pubkey_serialize65(bytes, key);
    buffer_put(out, bytes, 65);
    return true;
  case KEY_OUT_HEX:
    sigmill_p256_pubkey_serialize33(bytes, key);
    put_hex_line(out, bytes, 33);
    return true;
  case KEY_OUT_HEX_LONG:
    sigmill_p256_pubkey_serialize65(bytes, key);
    put_hex_line(out, bytes, 65);
    return true;
  default:
    return false;
  }
}

bool key_put_pair(buffer *out, const sigmill_p256_keypair *key, key_out format) {
  uint8_t bytes[SIGMILL_P256_PKCS8_SIZE];
  char text[SIGMILL_P256_PEM_PRIVATE_SIZE + 1];
  _Static_assert(sizeof text > SIGMILL_P256_JWK_PRIVATE_SIZE, "PEM is the longest text");
  _Static_assert(sizeof bytes >= SIGMILL_P256_SEC1_SIZE, "PKCS#8 is the longest");
  bool known = true;
  switch (format) {
  case KEY_OUT_PEM:
    sigmill_p256_keypair_to_pem(text, key);
    buffer_text(out, text);
    break;
  case KEY_OUT_PKCS8:
    sigmill_p256_keypair_to_pkcs8(bytes, key);
    buffer_put(out, bytes, SIGMILL_P256_PKCS8_SIZE);
    break;
  case KEY_OUT_EC:
    sigmill_p256_keypair_to_sec1(bytes, key);
    buffer_put(out, bytes, SIGMILL_P256_SEC1_SIZE);
    break;
  case KEY_OUT_EC_PEM: {
    buffer lines = {0};
    sigmill_p256_keypair_to_sec1(bytes, key);
    base64_put(&lines, bytes, SIGMILL_P256_SEC1_SIZE);
    put_line(out, "-----BEGIN EC PRIVATE KEY-----");
    for (size_t at = 0; at < lines.len; at += 64) {
      buffer_put(out, lines.data + at, lines.len - at < 64 ? lines.len - at : 64);
      buffer_text(out, "\n");
    }
    put_line(out, "-----END EC PRIVATE KEY-----");
    out->failed = out->failed || lines.failed;
    buffer_wipe(&lines);
    break;
  }
  case KEY_OUT_JWK:
    sigmill_p256_keypair_to_jwk(text, key);
    put_line(out, text);
    break;
  case KEY_OUT_HEX:
    sigmill_p256_keypair_secret(bytes, key);
    put_hex_line(out, bytes, 32);
    break;
  case KEY_OUT_RAW:
    sigmill_p256_keypair_secret(bytes, key);
    buffer_put(out, bytes, 32);
    break;
  default:
    known = false;
  }
  OPENSSL_cleanse(bytes, sizeof bytes);
  OPENSSL_cleanse(text, sizeof text);
  return known;
}
