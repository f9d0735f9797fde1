/* The demo's log: what a line is made of, on its way from a signature to text. */
#ifndef SIGMILL_BENCH_DEMO_RECORD_H
#define SIGMILL_BENCH_DEMO_RECORD_H

#include <openssl/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum { KEY_HEX33, KEY_HEX65, KEY_SPKI, KEY_JWK, KEY_FORMS } key_form;
typedef enum { SIG_DER, SIG_RAW, SIG_RECOVERABLE } sig_form;

/* One signer. */
typedef struct {
  size_t number;
  EC_KEY *key;
  uint8_t pub65[65];
  uint8_t spki[91];
  key_form form; /* how it writes its key */
  bool raw;      /* writes r || s, not DER */
} signer;

enum { SIG_BYTES_MAX = 96, TEXT_MAX = 256, LINE_MAX_SIZE = 1536 };

/* One line under way. */
typedef struct {
  size_t number; /* of the line, from 1 */
  char id[32], time[32], message[TEXT_MAX];
  /* numbers */
  const signer *who;
  key_form key_form;
  uint8_t pub65[65];
  uint8_t r[32], s[32];
  uint8_t recovery_id;
  sig_form form;
  /* bytes */
  uint8_t sig[SIG_BYTES_MAX];
  size_t sig_len;
  /* text */
  char key_text[TEXT_MAX], format[16], sig_text[TEXT_MAX];
  /* the line */
  char line[LINE_MAX_SIZE];
} record;

/* ---------------------------------------------------------------- demo_signer.c */

typedef struct maker maker;

/* All randomness is SHA-256 of the seed and a counter.  NULL if libcrypto fails. */
maker *maker_create(uint64_t seed, size_t signers);
void maker_destroy(maker *m);
const signer *maker_signer(const maker *m, size_t i);
/* A number below `limit`, another one for each label and index. */
uint64_t maker_number(const maker *m, const char *label, uint64_t index, uint64_t limit);
/* Signs record->message with the key of record->who: r, s (low in a recoverable
 * signature) and the recovery id. */
bool maker_sign(maker *m, record *rec);
/* s = n - s. */
bool maker_negate_s(maker *m, uint8_t s[32]);
/* r, s and the recovery id to bytes of record->form. */
bool maker_encode(record *rec);
/* The group order n. */
void maker_order(const maker *m, uint8_t out[32]);

/* ---------------------------------------------------------------- demo_spoil.c */

/* When a way of spoiling acts: on numbers, on encoded bytes, on texts, on the whole line.
 */
typedef enum { AT_NUMBERS, AT_BYTES, AT_TEXT, AT_LINE } spoil_stage;

/* One way in which a line goes wrong, and what the verifier has to say then. */
typedef struct {
  const char *name;
  const char *verdict, *reason; /* in the words of sigmill batch */
  sig_form form;                /* the form that the signature must have */
  spoil_stage stage;
  bool (*spoil)(record *rec, maker *m);
} spoil_way;

/* Ended by a NULL name. */
extern const spoil_way spoil_ways[];

#endif
