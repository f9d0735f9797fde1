/* The ways in which lines of the demo's log are spoilt, each with the answer that it must
 * get. */
#include "demo_record.h"

#include <string.h>

static bool flip_message(record *rec, maker *m) {
  (void)m;
  /* Messages end with a digit; another digit it stays. */
  rec->message[strlen(rec->message) - 1] ^= 1;
  return true;
}

static bool flip_r(record *rec, maker *m) {
  rec->r[16] ^= (uint8_t)(1u << maker_number(m, "bit", rec->number, 8));
  return true;
}

static bool flip_s(record *rec, maker *m) {
  rec->s[16] ^= (uint8_t)(1u << maker_number(m, "bit", rec->number, 8));
  return true;
}

static bool swap_r_s(record *rec, maker *m) {
  (void)m;
  uint8_t r[32];
  memcpy(r, rec->r, 32);
  memcpy(rec->r, rec->s, 32);
  memcpy(rec->s, r, 32);
  return true;
}

static bool zero_r(record *rec, maker *m) {
  (void)m;
  memset(rec->r, 0, 32);
  return true;
}

static bool order_as_s(record *rec, maker *m) {
  maker_order(m, rec->s);
  return true;
}

static bool all_ones_as_r(record *rec, maker *m) {
  (void)m;
  memset(rec->r, 0xff, 32);
  return true;
}

static bool another_key(record *rec, maker *m) {
  const signer *other = maker_signer(m, rec->number * 7 + 1);
  if (other == rec->who) {
    other = maker_signer(m, rec->number * 7 + 2);
  }
  rec->who = other;
  memcpy(rec->pub65, other->pub65, 65);
  return true;
}

static bool another_message(record *rec, maker *m) {
  char shown[TEXT_MAX];
  memcpy(shown, rec->message, sizeof shown);
  flip_message(rec, m);
  bool ok = maker_sign(m, rec);
  memcpy(rec->message, shown, sizeof shown);
  return ok;
}

static bool key_off_curve(record *rec, maker *m) {
  (void)m;
  rec->key_form = KEY_HEX65;
  rec->pub65[64] ^= 1;
  return true;
}

static bool key_prefix(record *rec, maker *m) {
  (void)m;
  rec->key_form = KEY_HEX65;
  rec->pub65[0] = 5;
  return true;
}

static bool key_beyond_p(record *rec, maker *m) {
  (void)m;
  rec->key_form = KEY_HEX65;
  memset(rec->pub65 + 1, 0xff, 32);
  return true;
}

static bool wrong_recovery_id(record *rec, maker *m) {
  (void)m;
  rec->recovery_id ^= 1;
  return true;
}

static bool bitcoin_recovery_id(record *rec, maker *m) {
  (void)m;
  rec->recovery_id = (uint8_t)(rec->recovery_id + 27);
  return true;
}

static bool high_s(record *rec, maker *m) {
  return maker_negate_s(m, rec->s);
}

/* DER from here on: 30 len 02 len r 02 len s. */

/* A signature that one more byte leaves within the 72 of the longest DER: with r and s
 * both of 33 bytes, n - s is the shorter s. */
static bool leave_room(record *rec, maker *m) {
  return rec->sig_len < 72 || (maker_negate_s(m, rec->s) && maker_encode(rec));
}

static bool trailing_byte(record *rec, maker *m) {
  bool ok = leave_room(rec, m);
  rec->sig[rec->sig_len++] = 0;
  return ok;
}

static bool padded_integer(record *rec, maker *m) {
  bool ok = leave_room(rec, m);
  memmove(rec->sig + 5, rec->sig + 4, rec->sig_len - 4);
  rec->sig[4] = 0;
  rec->sig[3]++;
  rec->sig[1]++;
  rec->sig_len++;
  return ok;
}

static bool long_length(record *rec, maker *m) {
  bool ok = leave_room(rec, m);
  memmove(rec->sig + 2, rec->sig + 1, rec->sig_len - 1);
  rec->sig[1] = 0x81;
  rec->sig_len++;
  return ok;
}

static bool cut_der(record *rec, maker *m) {
  (void)m;
  rec->sig_len -= 9;
  return true;
}

static bool cut_raw(record *rec, maker *m) {
  (void)m;
  rec->sig_len = 63;
  return true;
}

static bool not_base64(record *rec, maker *m) {
  (void)m;
  rec->sig_text[20] = '*';
  return true;
}

static bool unknown_format(record *rec, maker *m) {
  (void)m;
  strcpy(rec->format, "asn2");
  return true;
}

static bool cut_line(record *rec, maker *m) {
  rec->line[strlen(rec->line) / 2 + maker_number(m, "cut", rec->number, 40)] = 0;
  return true;
}

static bool no_signature(record *rec, maker *m) {
  (void)m;
  char *member = strstr(rec->line, "\"sig\"");
  if (member == NULL) {
    return false;
  }
  memcpy(member, "\"gis\"", 5);
  return true;
}

static bool message_twice(record *rec, maker *m) {
  (void)m;
  size_t len = strlen(rec->line);
  int wrote = snprintf(rec->line + len - 1, sizeof rec->line - len,
                       ",\"msg\":\"another message\"}");
  return wrote > 0 && (size_t)wrote < sizeof rec->line - len;
}

const spoil_way spoil_ways[] = {
    {"bit of the message flipped", "invalid", "sig_equation", SIG_DER, AT_NUMBERS,
     flip_message},
    {"bit of r flipped", "invalid", "sig_equation", SIG_RAW, AT_NUMBERS, flip_r},
    {"bit of s flipped", "invalid", "sig_equation", SIG_DER, AT_NUMBERS, flip_s},
    {"r and s swapped", "invalid", "sig_equation", SIG_RAW, AT_NUMBERS, swap_r_s},
    {"signed by another key", "invalid", "sig_equation", SIG_DER, AT_NUMBERS,
     another_key},
    {"signature of another message", "invalid", "sig_equation", SIG_RAW, AT_NUMBERS,
     another_message},
    {"wrong recovery id", "invalid", "sig_equation", SIG_RECOVERABLE, AT_NUMBERS,
     wrong_recovery_id},
    {"recovery id 27 or 28", "invalid", "sig_recid", SIG_RECOVERABLE, AT_NUMBERS,
     bitcoin_recovery_id},
    {"high s in a recoverable signature", "invalid", "sig_high_s", SIG_RECOVERABLE,
     AT_NUMBERS, high_s},
    {"r is zero", "invalid", "sig_r", SIG_RAW, AT_NUMBERS, zero_r},
    {"r is 2^256 - 1, in DER", "invalid", "sig_r", SIG_DER, AT_NUMBERS, all_ones_as_r},
    {"s is the group order", "invalid", "sig_s", SIG_RAW, AT_NUMBERS, order_as_s},
    {"key off the curve", "malformed", "key_point", SIG_DER, AT_NUMBERS, key_off_curve},
    {"key with the prefix 05", "malformed", "key_prefix", SIG_RAW, AT_NUMBERS,
     key_prefix},
    {"key with x beyond p", "malformed", "key_range", SIG_DER, AT_NUMBERS, key_beyond_p},
    {"byte behind the DER", "malformed", "trailing", SIG_DER, AT_BYTES, trailing_byte},
    {"DER integer padded", "malformed", "der_integer", SIG_DER, AT_BYTES, padded_integer},
    {"DER length not the shortest", "malformed", "der_length", SIG_DER, AT_BYTES,
     long_length},
    {"DER cut off", "malformed", "truncated", SIG_DER, AT_BYTES, cut_der},
    {"raw signature of 63 bytes", "malformed", "sig_length", SIG_RAW, AT_BYTES, cut_raw},
    {"asterisk in the base64", "malformed", "text", SIG_DER, AT_TEXT, not_base64},
    {"unknown format", "malformed", "row_value", SIG_RAW, AT_TEXT, unknown_format},
    {"line cut off", "malformed", "row_json", SIG_DER, AT_LINE, cut_line},
    {"no signature", "malformed", "row_missing", SIG_RAW, AT_LINE, no_signature},
    {"message twice", "malformed", "row_duplicate", SIG_DER, AT_LINE, message_twice},
    {NULL, NULL, NULL, SIG_DER, AT_NUMBERS, NULL},
};
