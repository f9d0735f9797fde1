/* Bytes as text: hexadecimal, base64 and base64url. */
#ifndef SIGMILL_CLI_ARMOR_H
#define SIGMILL_CLI_ARMOR_H

#include "buffer.h"

/* Exactly len bytes from 2 * len digits of either case.  False, with the offset of the
 * first character that is no digit in *at. */
bool hex_decode(uint8_t *out, const char *text, size_t len, size_t *at);
bool is_hex(const char *text, size_t len);

/* Base64 with either alphabet, with or without its padding, without white space and
 * without loose bits.  Writes at most cap bytes.  False, with the offset of the character
 * at fault in *at, or text_len if the length is. */
bool base64_decode(uint8_t *out, size_t cap, size_t *out_len, const char *text,
                   size_t text_len, size_t *at);
/* The number of bytes that text_len characters spell, padding counted as nothing. */
size_t base64_decoded_size(const char *text, size_t text_len);
void base64_put(buffer *b, const uint8_t *data, size_t len);
void base64url_put(buffer *b, const uint8_t *data, size_t len);

/* One final newline, LF or CRLF, less. */
size_t without_newline(const uint8_t *text, size_t len);

#endif
