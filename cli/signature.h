/* Signatures as the command line and rows have them: formats by name, policies, reading.
 */
#ifndef SIGMILL_CLI_SIGNATURE_H
#define SIGMILL_CLI_SIGNATURE_H

#include "buffer.h"
#include "sigmill.h"

typedef enum {
  SIG_UNNAMED,
  SIG_RAW,          /* r || s, 64 bytes */
  SIG_LOW_S,        /* the same, s must be low */
  SIG_DER,          /* ECDSA-Sig-Value, as openssl dgst writes it */
  SIG_RECOVERABLE,  /* recid || r || s */
  SIG_COMPRESSED_R, /* 02/03 || R.x || s */
  SIG_FULL_R,       /* R.x || R.y || s */
  SIG_JWS           /* a whole token in compact serialization */
} sig_format;

#define SIG_SIZE_MAX 96

/* SIG_UNNAMED if there is no such name. */
sig_format sig_format_from_name(const char *name, size_t len);
const char *sig_format_name(sig_format format);
/* The bytes of one; 0 for DER and JWS, whose length varies. */
size_t sig_format_size(sig_format format);
/* The library's format in which the signature is verified, once read. */
sigmill_p256_format sig_format_inside(sig_format format, bool low_s);
/* A format with R, which sigmill_p256_hint makes. */
bool sig_format_has_hint(sig_format format);

/* 0 if there is no such name. */
sigmill_hash_id hash_from_name(const char *name, size_t len);
const char *hash_name(sigmill_hash_id hash);
size_t hash_size(sigmill_hash_id hash);

/* Brings a signature of a format but JWS into the library's form.  OK, or why it cannot
 * be read; SIG_R and SIG_S then mean well-formed DER with an integer out of range. *at is
 * the offset of the byte at fault. */
sigmill_status sig_read(uint8_t out[SIG_SIZE_MAX], sig_format format, const uint8_t *data,
                        size_t len, size_t *at);
/* Verifies a token: OK, or why not.  *payload_at and *payload_len tell where the
 * payload's base64url stands. */
sigmill_status sig_verify_token(size_t *payload_at, size_t *payload_len,
                                const char *token, size_t len,
                                const sigmill_p256_pubkey *key, bool low_s, size_t *at);

/* The wire form of r || s in a format without R: raw, low-s (made low) or DER. */
void sig_put(buffer *out, const uint8_t sig[64], sig_format format);

/* ---------------------------------------------------------------- on the command line */

typedef enum {
  ENCODING_UNNAMED,
  ENCODING_BINARY,
  ENCODING_HEX,
  ENCODING_BASE64
} sig_encoding;

/* Where a signature comes from. */
typedef struct {
  const char *path, *hex; /* one of them */
  sig_format format;
  sig_encoding encoding; /* of the file; unnamed: binary */
} sig_source;

/* Options that describe a signature and a message, for the tables of commands. */
enum {
  SIG_OPTION_FILE = 200,
  SIG_OPTION_HEX,
  SIG_OPTION_ENCODING,
  MESSAGE_OPTION_DIGEST,
  MESSAGE_OPTION_PREHASHED
};
#define SIG_OPTIONS                                                                      \
  {SIG_OPTION_FILE, "sig", "FILE", "The signature."},                                    \
      {SIG_OPTION_HEX, "sig-hex", "HEX", "The signature itself, in hexadecimal."}, {     \
    SIG_OPTION_ENCODING, "sig-encoding", "ENCODING",                                     \
        "How the signature file is written: binary (default), hex or base64."            \
  }
#define MESSAGE_OPTIONS                                                                  \
  {MESSAGE_OPTION_DIGEST, "digest", "NAME", "sha256 (default), sha384 or sha512."}, {    \
    MESSAGE_OPTION_PREHASHED, "prehashed", "[HEX]",                                      \
        "FILE holds the digest instead of the message, as bytes or in hexadecimal;\n"    \
        "with =HEX the digest stands here and there is no FILE.  Of a longer digest\n"   \
        "the leftmost 32 bytes count; a shorter one is the integer it spells."           \
  }

/* The format by the file's type (.der and .sig: DER; .jws and .jwt: JWS), or SIG_UNNAMED.
 */
sig_format sig_format_from_path(const char *path);
bool sig_encoding_from_name(sig_encoding *out, const char *name);
/* Takes one of SIG_OPTIONS.  False, and nothing told, if the value is unknown. */
bool sig_option(sig_source *source, int id, const char *value);
/* Reads a signature: CLI_VALID, and *reason is OK or a verdict's reason (DER with r or s
 * out of range); or CLI_TROUBLE after a message. */
int sig_load(uint8_t out[SIG_SIZE_MAX], int *reason, const sig_source *source);

/* Where a signature goes. */
typedef struct {
  const char *path; /* NULL or "-": stdout */
  sig_format format;
  sig_encoding encoding; /* unnamed: binary, but hexadecimal on a terminal */
} sig_target;

/* Writes a signature (or token) to its file or stdout; under --json the open object
 * `json` gets it too, is closed and goes to stdout.  Returns the exit code. */
int sig_deliver(const buffer *wire, const sig_target *target, buffer *json);

/* The message, or its digest. */
typedef struct {
  const char *path;       /* NULL or "-": stdin */
  const char *digest_hex; /* the digest itself; no file then */
  bool prehashed;         /* the file holds the digest */
  sigmill_hash_id hash;   /* 0: SHA-256, or by the length of a given digest */
} message_source;

/* Takes one of MESSAGE_OPTIONS, or the operand that names the message's file.  False, and
 * nothing told, if the value is unknown or the operand one too many. */
bool message_option(message_source *source, int id, const char *value);
/* Computes or takes the digest; hash becomes the one that has this length, 0 if none
 * does. False after a message. */
bool message_digest(uint8_t digest[64], size_t *len, message_source *source);

#endif
