/* Key files: PEM, DER, SEC1 points, hexadecimal, JWK, COSE_Key, and bare secrets.
 *
 * The library's strict readers read what they can.  libcrypto does what it alone can:
 * opening encrypted private keys, in both PEM framings and in DER; what it opens goes
 * back through the library's readers.  docs/formats.md has the rules. */
#ifndef SIGMILL_CLI_KEYFILE_H
#define SIGMILL_CLI_KEYFILE_H

#include "buffer.h"
#include "sigmill.h"

typedef enum {
  KEY_UNKNOWN,
  KEY_PEM,
  KEY_DER,  /* SubjectPublicKeyInfo, PKCS#8, encrypted PKCS#8, ECPrivateKey */
  KEY_SEC1, /* a point, 33 or 65 bytes */
  KEY_HEX,  /* the digits of a point or of a secret */
  KEY_JWK,
  KEY_COSE,
  KEY_RAW /* a bare secret: 32 bytes, or their digits */
} key_format;

typedef struct {
  const char *path;   /* NULL: no key was given */
  key_format format;  /* KEY_UNKNOWN: told from the content */
  const char *passin; /* where the passphrase comes from; NULL: nowhere */
  bool hybrid;        /* SEC1 06/07 allowed */
  bool cose_prefix;   /* bytes may follow a COSE_Key */
} key_source;

/* Options that describe a key file, for the tables of commands. */
enum {
  KEY_OPTION_FILE = 100,
  KEY_OPTION_FORMAT,
  KEY_OPTION_PASSIN,
  KEY_OPTION_HYBRID,
  KEY_OPTION_PREFIX
};
#define KEY_FORMAT_OPTION                                                                \
  {                                                                                      \
    KEY_OPTION_FORMAT, "key-format", "FORMAT",                                           \
        "pem, der, sec1, hex, jwk, cose or raw, instead of telling it from the content." \
  }
#define KEY_PASSIN_OPTION                                                                \
  {                                                                                      \
    KEY_OPTION_PASSIN, "passin", "SOURCE",                                               \
        "Passphrase of an encrypted private key: pass:TEXT, env:NAME, file:PATH (its "   \
        "first\n"                                                                        \
        "line), fd:NUMBER, stdin or prompt."                                             \
  }
#define KEY_PUBLIC_OPTIONS                                                               \
  KEY_FORMAT_OPTION, KEY_PASSIN_OPTION,                                                  \
      {KEY_OPTION_HYBRID, "hybrid", NULL,                                                \
       "Accept SEC1's hybrid point form (06, 07) with the right parity."},               \
  {                                                                                      \
    KEY_OPTION_PREFIX, "cose-prefix", NULL,                                              \
        "The COSE_Key may be followed by other bytes; its length is told."               \
  }
#define KEY_PUBLIC_OPTION                                                                \
  {                                                                                      \
    KEY_OPTION_FILE, "key", "FILE",                                                      \
        "Public key, or a private key whose public half is taken."                       \
  }
#define KEY_PRIVATE_OPTION                                                               \
  { KEY_OPTION_FILE, "key", "FILE", "Private key." }

/* Takes such an option.  False, and nothing told, if the value is unknown. */
bool key_option(key_source *source, int id, const char *value);

/* What else the file told. */
typedef struct {
  key_format format;
  bool private_file; /* a private key whose public half was taken */
  size_t cose_used;  /* bytes of the COSE_Key under cose_prefix */
} key_facts;

/* Reads a public key.  False after a message that names the file and the place. */
bool key_load_public(sigmill_p256_pubkey *out, key_facts *facts,
                     const key_source *source);
/* Reads a private key; the caller wipes it. */
bool key_load_pair(sigmill_p256_keypair *out, key_facts *facts, const key_source *source);
/* Reads either: facts->private_file says whether the pair is there, else it is unset. The
 * public key always is. */
bool key_load_any(sigmill_p256_keypair *pair, sigmill_p256_pubkey *key, key_facts *facts,
                  const key_source *source);

const char *key_format_name(key_format format);

/* Opens an encrypted private key with libcrypto: an ENCRYPTED PRIVATE KEY block, an EC
 * PRIVATE KEY block with a DEK-Info header, or a DER EncryptedPrivateKeyInfo.  False
 * after a message. */
bool key_open_encrypted(sigmill_p256_keypair *out, const buffer *file, bool pem,
                        const key_source *source);
/* The DER of the first block of a PEM file that the library's reader accepted but for the
 * point inside. */
bool key_pem_content(buffer *out, const uint8_t *pem, size_t len);

/* The library's readers, SEC1's hybrid form (06, 07) allowed or not.  *at is the byte at
 * fault. */
sigmill_status key_read_point(sigmill_p256_pubkey *out, const uint8_t *point, size_t len,
                              bool hybrid);
sigmill_status key_read_spki(sigmill_p256_pubkey *out, const uint8_t *der, size_t len,
                             bool hybrid, size_t *at);
sigmill_status key_read_pem(sigmill_p256_pubkey *out, const uint8_t *pem, size_t len,
                            bool hybrid, size_t *at);

/* ---------------------------------------------------------------- writing */

typedef enum {
  KEY_OUT_NONE,
  KEY_OUT_PEM,    /* PUBLIC KEY, or PRIVATE KEY (PKCS#8) */
  KEY_OUT_SPKI,   /* DER SubjectPublicKeyInfo */
  KEY_OUT_PKCS8,  /* DER */
  KEY_OUT_EC,     /* DER ECPrivateKey */
  KEY_OUT_EC_PEM, /* EC PRIVATE KEY */
  KEY_OUT_JWK,    /* public or private */
  KEY_OUT_COSE,
  KEY_OUT_COMPRESSED, /* 33 bytes */
  KEY_OUT_UNCOMPRESSED,
  KEY_OUT_HEX,      /* digits of the compressed point, or of the secret */
  KEY_OUT_HEX_LONG, /* digits of the uncompressed point */
  KEY_OUT_RAW       /* the secret's 32 bytes */
} key_out;

/* By name; KEY_OUT_NONE if there is none.  "der" is SPKI, or PKCS#8 for a private key. */
key_out key_out_from_name(const char *name, bool private_key);
/* Has the format a place for a public key?  For a private one? */
bool key_out_is_public(key_out format);
bool key_out_is_private(key_out format);
/* Appends the key; false if the format cannot hold such a key. */
bool key_put_public(buffer *out, const sigmill_p256_pubkey *key, key_out format);
bool key_put_pair(buffer *out, const sigmill_p256_keypair *key, key_out format);

#endif
