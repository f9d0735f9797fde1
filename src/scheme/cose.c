/* P-256 public keys as COSE_Key (RFC 9052, RFC 9053). */
#include "scheme/cose.h"

#include "base/check.h"
#include "scheme/cbor.h"
#include "scheme/fail.h"
#include "scheme/offset_set.h"
#include "scheme/sec1.h"

/* ---------------------------------------------------------------- labels */

enum { LABEL_KTY, LABEL_ALG, LABEL_CRV, LABEL_X, LABEL_Y, LABEL_COUNT };

/* The integer -1 - argument or argument, and the name in the registry. */
static const struct {
  unsigned major;
  uint64_t argument;
  const char *name;
} labels[LABEL_COUNT] = {{CBOR_UNSIGNED, 1, "kty"},
                         {CBOR_UNSIGNED, 3, "alg"},
                         {CBOR_NEGATIVE, 0, "crv"},
                         {CBOR_NEGATIVE, 1, "x"},
                         {CBOR_NEGATIVE, 2, "y"}};

typedef struct {
  const uint8_t *bytes;
  size_t len, at;
  cbor_item values[LABEL_COUNT];
  bool there[LABEL_COUNT];
} cose_key;

static int compare_numbers(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

/* Orders two labels that were read before: by type, by number or length, by content. */
static int compare_labels(const uint8_t *bytes, size_t a, size_t b) {
  cbor_item label_a, label_b;
  size_t unused;
  bool read =
      sm_cbor_head(&label_a, bytes, SIGMILL_KEY_TEXT_MAX, a, &unused) == SIGMILL_OK &&
      sm_cbor_head(&label_b, bytes, SIGMILL_KEY_TEXT_MAX, b, &unused) == SIGMILL_OK;
  CHECK(read);
  if (!read || label_a.major != label_b.major) {
    return compare_numbers(label_a.major, label_b.major);
  }
  if (label_a.argument != label_b.argument || label_a.major != CBOR_TEXT) {
    return compare_numbers(label_a.argument, label_b.argument);
  }
  return memcmp(bytes + label_a.content_at, bytes + label_b.content_at,
                (size_t)label_a.argument);
}

/* The index of a known label or LABEL_COUNT.  Errors: MEMBER_TYPE for a label that is
 * neither integer nor text, or text that names a known label. */
static sigmill_status know_label(int *out, const uint8_t *bytes, const cbor_item *label,
                                 size_t *error_at) {
  bool wrong = label->major > CBOR_TEXT || label->major == CBOR_BYTES;
  *out = LABEL_COUNT;
  for (int i = 0; i < LABEL_COUNT; i++) {
    if (label->major == labels[i].major && label->argument == labels[i].argument) {
      *out = i;
    }
    wrong |=
        label->major == CBOR_TEXT && label->argument == strlen(labels[i].name) &&
        memcmp(bytes + label->content_at, labels[i].name, (size_t)label->argument) == 0;
  }
  return wrong ? fail(error_at, label->at, SIGMILL_ERR_MEMBER_TYPE) : SIGMILL_OK;
}

/* ---------------------------------------------------------------- reading */

static sigmill_status collect(cose_key *key, size_t *error_at) {
  cbor_item map, label, value;
  offset_set seen = {.count = 0};
  int known;
  sigmill_status status = sm_cbor_take(&map, key->bytes, key->len, &key->at, error_at);
  if (status == SIGMILL_OK && map.major != CBOR_MAP) {
    return fail(error_at, 0, SIGMILL_ERR_CBOR);
  }
  for (uint64_t i = 0; status == SIGMILL_OK && i < map.argument; i++) {
    status = sm_cbor_take(&label, key->bytes, key->len, &key->at, error_at);
    if (status == SIGMILL_OK) {
      status = know_label(&known, key->bytes, &label, error_at);
    }
    if (status != SIGMILL_OK) {
      break;
    }
    status = offset_set_add(&seen, key->bytes, label.at, compare_labels);
    if (status != SIGMILL_OK) {
      return fail(error_at, label.at, status);
    }
    status = sm_cbor_skip(&value, key->bytes, key->len, &key->at, error_at);
    if (known < LABEL_COUNT) {
      key->values[known] = value;
      key->there[known] = true;
    }
  }
  return status;
}

/* A label whose value must be this integer; otherwise other_value. */
static sigmill_status want_integer(const cose_key *key, int label, unsigned major,
                                   uint64_t argument, sigmill_status other_value,
                                   size_t *error_at) {
  const cbor_item *value = &key->values[label];
  if (!key->there[label]) {
    return fail(error_at, 0, SIGMILL_ERR_MEMBER_MISSING);
  }
  if (value->major != CBOR_UNSIGNED && value->major != CBOR_NEGATIVE) {
    return fail(error_at, value->at, SIGMILL_ERR_MEMBER_TYPE);
  }
  return value->major == major && value->argument == argument
             ? SIGMILL_OK
             : fail(error_at, value->at, other_value);
}

static sigmill_status want_bytes32(uint8_t out[32], const cose_key *key, int label,
                                   size_t *error_at) {
  const cbor_item *value = &key->values[label];
  if (!key->there[label]) {
    return fail(error_at, 0, SIGMILL_ERR_MEMBER_MISSING);
  }
  if (value->major != CBOR_BYTES) {
    return fail(error_at, value->at, SIGMILL_ERR_MEMBER_TYPE);
  }
  if (value->argument != 32) {
    return fail(error_at, value->at, SIGMILL_ERR_COORDINATE_LENGTH);
  }
  memcpy(out, key->bytes + value->content_at, 32);
  return SIGMILL_OK;
}

static sigmill_status read_point_vt(p256_point *out, const cose_key *key,
                                    size_t *error_at) {
  uint8_t sec1[65] = {4};
  size_t offset = 0;
  sigmill_status status =
      want_integer(key, LABEL_KTY, CBOR_UNSIGNED, 2, SIGMILL_ERR_ALGORITHM, error_at);
  if (status == SIGMILL_OK) {
    status = want_integer(key, LABEL_CRV, CBOR_UNSIGNED, 1, SIGMILL_ERR_CURVE, error_at);
  }
  if (status == SIGMILL_OK && key->there[LABEL_ALG]) {
    status =
        want_integer(key, LABEL_ALG, CBOR_NEGATIVE, 6, SIGMILL_ERR_ALGORITHM, error_at);
  }
  if (status == SIGMILL_OK) {
    status = want_bytes32(sec1 + 1, key, LABEL_X, error_at);
  }
  if (status == SIGMILL_OK) {
    status = want_bytes32(sec1 + 33, key, LABEL_Y, error_at);
  }
  if (status != SIGMILL_OK) {
    return status;
  }
  status = sm_sec1_read_vt(out, sec1, sizeof sec1, false, &offset);
  const cbor_item *coordinate = &key->values[offset < 33 ? LABEL_X : LABEL_Y];
  *error_at = coordinate->content_at;
  return status;
}

sigmill_status sm_cose_read_vt(p256_point *out, size_t *used, const uint8_t *bytes,
                               size_t len, size_t *error_at) {
  bool more_than_max = len > SIGMILL_KEY_TEXT_MAX;
  cose_key key = {.bytes = bytes, .len = more_than_max ? SIGMILL_KEY_TEXT_MAX : len};
  if (more_than_max && used == NULL) {
    return fail(error_at, SIGMILL_KEY_TEXT_MAX, SIGMILL_ERR_TOO_LONG);
  }
  sigmill_status status = collect(&key, error_at);
  if (status == SIGMILL_ERR_TRUNCATED && more_than_max) {
    return SIGMILL_ERR_TOO_LONG;
  }
  if (status == SIGMILL_OK && used == NULL && key.at < len) {
    return fail(error_at, key.at, SIGMILL_ERR_TRAILING);
  }
  if (used != NULL) {
    *used = key.at;
  }
  return status == SIGMILL_OK ? read_point_vt(out, &key, error_at) : status;
}

/* ---------------------------------------------------------------- writing */

/* {1: 2, 3: -7, -1: 1, -2: x, -3: y} up to x, and between x and y. */
static const uint8_t before_x[] = {0xa5, 0x01, 0x02, 0x03, 0x26,
                                   0x20, 0x01, 0x21, 0x58, 0x20};
static const uint8_t before_y[] = {0x22, 0x58, 0x20};

_Static_assert(sizeof before_x + sizeof before_y + 64 == SIGMILL_P256_COSE_SIZE,
               "COSE_Key size");

void sm_cose_write(uint8_t out[SIGMILL_P256_COSE_SIZE], const p256_point *point) {
  memcpy(out, before_x, sizeof before_x);
  u256_to_be(out + sizeof before_x, &point->x);
  out += sizeof before_x + 32;
  memcpy(out, before_y, sizeof before_y);
  u256_to_be(out + sizeof before_y, &point->y);
}
