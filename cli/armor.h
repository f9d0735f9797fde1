/* Bytes as text: hexadecimal, base64 and base64url. */
#ifndef SIGMILL_CLI_ARMOR_H
#define SIGMILL_CLI_ARMOR_H

#include "buffer.h"

/* Exactly len bytes from 2 * len digits of either case; false if one is none. */
bool hex_decode(uint8_t *out, const char *text, size_t len);
bool is_hex(const char *text, size_t len);
/* Why a text of len characters is no hexadecimal: words, and in *at the offset of the
 * character at fault, or len if the length is.  NULL if nothing is wrong. */
const char *hex_fault(size_t *at, const char *text, size_t len);

/* Base64 with either alphabet, with or without its padding, without white space and
 * without loose bits.  False for any other text, or one that spells more than cap bytes.
 */
bool base64_decode(uint8_t *out, size_t cap, size_t *out_len, const char *text,
                   size_t text_len);
/* As hex_fault. */
const char *base64_fault(size_t *at, const char *text, size_t len);
/* The same for base64url without padding alone. */
const char *base64url_fault(size_t *at, const char *text, size_t len);
/* The number of bytes that text_len characters spell, padding counted as nothing. */
size_t base64_decoded_size(const char *text, size_t text_len);
void base64_put(buffer *b, const uint8_t *data, size_t len);
void base64url_put(buffer *b, const uint8_t *data, size_t len);

/* One final newline, LF or CRLF, less. */
size_t without_newline(const uint8_t *text, size_t len);

/* Appends the text without its line breaks, LF or CRLF: base64 and xxd -p write them. */
void put_unwrapped(buffer *out, const uint8_t *text, size_t len);
/* The offset in the text of what stands at offset `at` of the unwrapped one. */
size_t wrapped_offset(const uint8_t *text, size_t len, size_t at);

#endif
