/* Verifies one P-256 signature: verify PUBLIC_KEY_HEX SIGNATURE_HEX MESSAGE
 *
 *   cc verify.c $(pkg-config --cflags --libs sigmill) -o verify */
#include <sigmill.h>
#include <stdio.h>
#include <string.h>

static bool from_hex(uint8_t *out, size_t len, const char *hex) {
  if (strlen(hex) != 2 * len) {
    return false;
  }
  for (size_t i = 0; i < len; i++) {
    unsigned byte;
    if (sscanf(hex + 2 * i, "%2x", &byte) != 1) {
      return false;
    }
    out[i] = (uint8_t)byte;
  }
  return true;
}

int main(int argc, char **argv) {
  uint8_t key_bytes[65], sig[64], digest[32];
  if (argc != 4 || !from_hex(key_bytes, 65, argv[1]) || !from_hex(sig, 64, argv[2])) {
    fprintf(stderr, "usage: verify KEY(65 bytes, hex) SIGNATURE(r || s, hex) MESSAGE\n");
    return 2;
  }

  sigmill_p256_pubkey key;
  sigmill_status status = sigmill_p256_pubkey_parse(&key, key_bytes, sizeof key_bytes);
  if (status != SIGMILL_OK) {
    fprintf(stderr, "%s\n", sigmill_strerror(status));
    return 2;
  }
  sigmill_sha256(digest, argv[3], strlen(argv[3]));
  bool valid = sigmill_p256_verify(sig, digest, &key);
  printf("%s\n", valid ? "valid" : "invalid");
  return valid ? 0 : 1;
}
