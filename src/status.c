/* What each status says to a person. */
#include "sigmill.h"

const char *sigmill_strerror(sigmill_status status) {
  switch (status) {
  case SIGMILL_OK:
    return "success";
  case SIGMILL_ERR_ARGUMENT:
    return "an argument is missing, unknown or unusable";
  case SIGMILL_ERR_MEMORY:
    return "memory could not be allocated";
  case SIGMILL_ERR_RANDOM:
    return "the source of randomness failed";
  case SIGMILL_ERR_BACKEND:
    return "no such backend, not usable on this machine, or chosen too late";
  case SIGMILL_ERR_KEY_LENGTH:
    return "public key has the wrong length (33 bytes compressed or 65 uncompressed)";
  case SIGMILL_ERR_KEY_PREFIX:
    return "public key does not begin with 02 or 03 (33 bytes) or 04 (65 bytes)";
  case SIGMILL_ERR_KEY_RANGE:
    return "public key has a coordinate that is not below the field's prime";
  case SIGMILL_ERR_KEY_POINT:
    return "public key is not a point of the curve";
  case SIGMILL_ERR_KEY_SECRET:
    return "secret key is zero or not below the group's order";
  case SIGMILL_ERR_KEY_MISMATCH:
    return "the public half of the key pair does not belong to its secret";
  case SIGMILL_ERR_KEY_UNSET:
    return "key was never set";
  case SIGMILL_ERR_SIG_R:
    return "r is zero or not below the group's order";
  case SIGMILL_ERR_SIG_S:
    return "s is zero or not below the group's order";
  case SIGMILL_ERR_SIG_HIGH_S:
    return "s is in the upper half, and this format requires low s";
  case SIGMILL_ERR_SIG_RECID:
    return "first byte is not a recovery id 0..3, or not the prefix 02 or 03";
  case SIGMILL_ERR_SIG_POINT:
    return "the hinted point R is not on the curve or not canonical";
  case SIGMILL_ERR_SIG_EQUATION:
    return "signature does not belong to this key and digest";
  case SIGMILL_ERR_SIG_LENGTH:
    return "signature has the wrong length for its format";
  case SIGMILL_ERR_TOO_LONG:
    return "input is longer than any of its kind may be";
  case SIGMILL_ERR_TRUNCATED:
    return "input ends before it is complete";
  case SIGMILL_ERR_TRAILING:
    return "bytes follow the end of the encoding";
  case SIGMILL_ERR_DER_TAG:
    return "DER: another type than the one wanted here";
  case SIGMILL_ERR_DER_LENGTH:
    return "DER: length is not in its shortest form, or does not fit";
  case SIGMILL_ERR_DER_INTEGER:
    return "DER: integer is empty, negative, padded or too wide";
  case SIGMILL_ERR_DER_VALUE:
    return "DER: another value than the one wanted here";
  case SIGMILL_ERR_ALGORITHM:
    return "not an elliptic-curve key, or not for ES256";
  case SIGMILL_ERR_CURVE:
    return "curve is not P-256 by name (explicit parameters are refused)";
  case SIGMILL_ERR_PEM:
    return "no usable PEM block: label, lines or base64 are broken";
  case SIGMILL_ERR_PEM_BLOCKS:
    return "PEM file holds more than one key";
  case SIGMILL_ERR_BASE64:
    return "not strict base64url without padding";
  case SIGMILL_ERR_UTF8:
    return "text is not UTF-8";
  case SIGMILL_ERR_JSON:
    return "not a JSON object";
  case SIGMILL_ERR_MEMBER_MISSING:
    return "a required member is missing";
  case SIGMILL_ERR_MEMBER_DUPLICATE:
    return "a member is given twice";
  case SIGMILL_ERR_MEMBER_TYPE:
    return "a member has the wrong type";
  case SIGMILL_ERR_COORDINATE_LENGTH:
    return "a coordinate or secret is not exactly 32 bytes";
  case SIGMILL_ERR_CBOR:
    return "not a definite-length CBOR map, or broken CBOR";
  case SIGMILL_ERR_CRITICAL:
    return "JWS header demands an extension that is not supported";
  case SIGMILL_ERR_JWS_PARTS:
    return "JWS is not three parts separated by dots";
  case SIGMILL_ERR_JWS_DER:
    return "JWS signature is in DER; ES256 wants the 64 raw bytes r and s";
  case SIGMILL_ERR_ENCRYPTED:
    return "key is encrypted";
  }
  return "unknown status";
}
