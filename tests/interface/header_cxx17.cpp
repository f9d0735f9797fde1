// The public header as a C++ program sees it: no warning, C linkage, usable types.
#include "sigmill.h"

#include <cstdio>
#include <cstring>
#include <vector>

int main() {
  const std::vector<uint8_t> secret(32, 7);
  sigmill_p256_keypair pair{};
  sigmill_p256_pubkey key{};
  uint8_t digest[32], signature[64], hinted[96];
  sigmill_sha256(digest, "message", std::strlen("message"));
  bool ok = sigmill_p256_keypair_from_secret(&pair, secret.data()) == SIGMILL_OK;
  sigmill_p256_keypair_public(&key, &pair);
  ok = ok && sigmill_p256_sign(signature, digest, &pair) == SIGMILL_OK;
  ok = ok && sigmill_p256_verify(signature, digest, &key);
  ok = ok && sigmill_p256_hint(hinted, SIGMILL_P256_FULL_R96, signature, digest, &key) ==
                 SIGMILL_OK;

  const sigmill_p256_item items[] = {{signature, digest, &key, SIGMILL_P256_SIG64},
                                     {hinted, digest, &key, SIGMILL_P256_FULL_R96}};
  sigmill_verifier_options options{};
  options.struct_size = sizeof options;
  sigmill_verifier *verifier = nullptr;
  uint8_t verdicts[2] = {0, 0};
  ok = ok && sigmill_verifier_create(&verifier, &options) == SIGMILL_OK;
  ok = ok && sigmill_p256_verify_batch(verifier, verdicts, items, 2);
  ok = ok && verdicts[0] == 1 && verdicts[1] == 1;
  sigmill_verifier_destroy(verifier);
  sigmill_p256_keypair_wipe(&pair);
  std::puts(ok ? "right" : "wrong");
  return ok ? 0 : 1;
}
