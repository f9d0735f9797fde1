/* The JSON reader, against yyjson. */
#include "fuzz.h"
#include "json_disagreement.h"
#include "scheme/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size <= JSON_MAX) {
    fuzz_agree(json_disagreement(data, size));
  }
  return 0;
}
