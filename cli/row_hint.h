/* Rows of a batch once more, with hinted signatures in place of theirs. */
#ifndef SIGMILL_CLI_ROW_HINT_H
#define SIGMILL_CLI_ROW_HINT_H

#include "row.h"

/* What becomes of the rows. */
typedef struct {
  sig_format format;     /* with R; SIG_UNNAMED: no row is written again */
  sig_encoding encoding; /* of signatures in NDJSON: hexadecimal or base64 */
} hint_target;

/* Writes the line again as one, newline included: sig is the new one, format its name,
 * and all else is as it was. */
void row_put_hinted_json(buffer *out, row_reader *r, const hint_target *target,
                         const uint8_t *line, size_t len, const uint8_t *sig);
/* The same for a binary row. */
void row_put_hinted_binary(buffer *out, const binary_layout *layout, sig_format format,
                           const uint8_t *row, const uint8_t *sig);
/* The header of these rows; their number is left open. */
void hinted_binary_header(uint8_t out[BINARY_HEADER_SIZE], const binary_layout *layout,
                          sig_format format);

#endif
