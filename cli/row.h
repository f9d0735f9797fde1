/* Rows of a batch: one signature with its key and message, from a line of NDJSON or from
 * a fixed binary row.  docs/formats.md defines both. */
#ifndef SIGMILL_CLI_ROW_H
#define SIGMILL_CLI_ROW_H

#include "buffer.h"
#include "key_cache.h"
#include "signature.h"
#include <yyjson.h>

#define LINE_MAX_BYTES (1024 * 1024)

/* What holds where a row does not say otherwise. */
typedef struct {
  sig_format format;    /* SIG_UNNAMED: each row must say */
  sigmill_hash_id hash; /* of messages */
  bool low_s, hybrid;
  bool plain;                     /* rows must have no R yet, and be no tokens */
  const sigmill_p256_pubkey *key; /* for rows without one; NULL: each row must have one */
} row_policy;

typedef enum { ROW_PENDING, ROW_VALID, ROW_INVALID, ROW_MALFORMED } row_state;

/* What it points to is good to the end of the round. */
typedef struct {
  row_state state;
  int reason; /* of ROW_INVALID and ROW_MALFORMED */
  sigmill_p256_format format;
  const uint8_t *sig, *digest; /* in the row's text, or in the rooms below */
  const sigmill_p256_pubkey *key;
  const cached_key *waits; /* a key that is not read yet; else NULL */
  const uint8_t *text;     /* the whole row, */
  size_t text_len;         /* without its newline */
  size_t id_at, id_len;    /* its id as JSON text, in the reader's ids; length 0: none */
  uint8_t sig_room[SIG_SIZE_MAX];
  uint8_t digest_room[32];
  char detail[160]; /* where and what; empty: the reason's own words */
} batch_row;

/* What one thread needs to read rows. */
typedef struct {
  const row_policy *policy;
  bool binary; /* the rows of this round */
  key_cache *keys;
  buffer ids;
  void *json_pool; /* memory of the JSON reader, grown when a longer line comes */
  size_t json_pool_size;
  yyjson_alc *jwk_memory; /* of keys that are objects, written as text; reused */
} row_reader;

bool row_reader_init(row_reader *r, const row_policy *policy);
void row_reader_free(row_reader *r);

/* Rows are read in rounds of at most ROUND_ROWS: begin, each row, settle. */
#define ROUND_ROWS KEY_ROUND
void row_round_begin(row_reader *r);
/* Reads the keys that wait, and refuses the rows whose keys cannot be read. */
void row_round_settle(batch_row *rows, size_t count, row_reader *r);

/* Reads one line, without its newline.  The row is then pending, or settled: malformed,
 * or for a token and for DER out of range already judged.  Or it waits for its key, which
 * may yet settle it. */
void row_from_json(batch_row *out, row_reader *r, const char *line, size_t len);

/* Refuses a row of text for its key, which was read from member "key". */
void row_refuse_json_key(batch_row *out, const cached_key *cached, key_form form,
                         const char *text, size_t len);

/* Settles a row: malformed, or invalid if the reason is a verdict's. */
void row_refuse(batch_row *row, int reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---------------------------------------------------------------- binary rows */

#define BINARY_HEADER_SIZE 64
#define BINARY_MAGIC       "SGMLROWS"
/* The length of the DER, the DER, and zeros. */
#define BINARY_DER_FIELD (1 + SIGMILL_P256_DER_MAX)

typedef struct {
  sig_format format;
  size_t id_size, key_size, digest_size, sig_size, row_size;
  sigmill_hash_id hash;
  uint64_t rows; /* 0: as many as there are */
} binary_layout;

bool binary_is_header(const uint8_t *data, size_t len);
/* Reads the header.  OK, or REASON_HEADER with what is wrong and where in `detail`. */
int binary_read_header(binary_layout *out, char detail[160],
                       const uint8_t header[BINARY_HEADER_SIZE]);
/* Writes it. */
void binary_write_header(uint8_t header[BINARY_HEADER_SIZE], const binary_layout *layout);
/* Reads one row of row_size bytes, which the row goes on pointing to. */
void row_from_binary(batch_row *out, row_reader *r, const binary_layout *layout,
                     const uint8_t *row);

#endif
