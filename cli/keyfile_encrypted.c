/* What libcrypto alone can do with a key file: open encrypted private keys.
 *
 * Two framings are in use: PKCS#8 EncryptedPrivateKeyInfo (RFC 5958; PEM label ENCRYPTED
 * PRIVATE KEY, or bare DER), and OpenSSL's older one, an EC PRIVATE KEY block with a
 * DEK-Info header.  What comes out is DER, and the library's strict readers take it from
 * there. */
#include "keyfile.h"

#include "armor.h"
#include "files.h"
#include "reason.h"
#include <errno.h>
#include <limits.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PASSPHRASE_MAX 1023

/* ---------------------------------------------------------------- the passphrase */

/* The first line that fd gives, read byte by byte so that what follows stays unread. */
static bool first_line(char *out, int fd) {
  size_t len = 0;
  char c;
  ssize_t n;
  while ((n = read(fd, &c, 1)) != 0) {
    if (n < 0 && wait_ready(fd, errno, POLLIN)) {
      continue;
    }
    if (n < 0 || len == PASSPHRASE_MAX) {
      return false;
    }
    if (c == '\n') {
      break;
    }
    out[len++] = c;
  }
  out[len] = '\0';
  return true;
}

static bool passphrase_from_file(char *out, const char *path) {
  int fd = file_open(path);
  if (fd < 0) {
    return false;
  }
  bool ok = first_line(out, fd);
  if (fd != STDIN_FILENO) {
    close(fd);
  }
  if (!ok) {
    report(REASON_PASSPHRASE, path_shown(path), "the passphrase cannot be read");
  }
  return ok;
}

static bool passphrase_from_fd(char *out, const char *number) {
  char *end;
  long fd = strtol(number, &end, 10);
  bool is_number = end != number && *end == '\0' && fd >= 0 && fd <= INT_MAX;
  if (!is_number || !first_line(out, (int)fd)) {
    report(REASON_PASSPHRASE, "--passin", "no passphrase can be read from fd:%s", number);
    return false;
  }
  file_is_input((int)fd, "--passin");
  return true;
}

static bool copy_passphrase(char *out, const char *text, const char *from) {
  if (text == NULL || strlen(text) > PASSPHRASE_MAX) {
    report(REASON_PASSPHRASE, "--passin",
           text == NULL ? "%s is not set" : "%s is too long", from);
    return false;
  }
  memcpy(out, text, strlen(text) + 1);
  return true;
}

/* out has PASSPHRASE_MAX + 1 bytes. */
static bool get_passphrase(char *out, const char *source, const char *where) {
  if (source == NULL) {
    report(REASON_PASSPHRASE, where, "the private key is encrypted; give --passin");
    return false;
  }
  if (strncmp(source, "pass:", 5) == 0) {
    return copy_passphrase(out, source + 5, "pass:");
  }
  if (strncmp(source, "env:", 4) == 0) {
    return copy_passphrase(out, getenv(source + 4), source);
  }
  if (strncmp(source, "file:", 5) == 0) {
    return passphrase_from_file(out, source + 5);
  }
  if (strncmp(source, "fd:", 3) == 0) {
    return passphrase_from_fd(out, source + 3);
  }
  if (strcmp(source, "stdin") == 0) {
    return passphrase_from_file(out, "-");
  }
  if (strcmp(source, "prompt") == 0) {
    if (EVP_read_pw_string(out, PASSPHRASE_MAX, "Passphrase: ", 0) == 0) {
      return true;
    }
    report(REASON_PASSPHRASE, where, "no passphrase was typed");
    return false;
  }
  report(REASON_USAGE, "--passin",
         "must be pass:TEXT, env:NAME, file:PATH, fd:NUMBER, stdin or prompt");
  return false;
}

/* ---------------------------------------------------------------- PEM */

typedef struct {
  char *label, *header;
  unsigned char *data;
  long len;
} pem_block;

static void pem_block_free(pem_block *block) {
  OPENSSL_free(block->label);
  OPENSSL_free(block->header);
  OPENSSL_clear_free(block->data, block->len > 0 ? (size_t)block->len : 0);
  *block = (pem_block){0};
}

static bool pem_next(pem_block *block, BIO *bio) {
  *block = (pem_block){0};
  ERR_clear_error();
  return PEM_read_bio(bio, &block->label, &block->header, &block->data, &block->len) == 1;
}

static void put_without_blanks(buffer *out, const void *data, size_t len) {
  const char *text = data;
  for (size_t i = 0; i < len; i++) {
    if (text[i] == '\0' || strchr(" \t\r\n", text[i]) == NULL) {
      buffer_put(out, &text[i], 1);
    }
  }
}

/* libcrypto drops loose bits of the last character; here they are an error.  But for
 * blanks the file must hold the block as its label, header and bytes spell it. */
static bool pem_is_canonical(const buffer *file, const pem_block *block) {
  buffer packed = {0}, wanted = {0};
  put_without_blanks(&packed, file->data, file->len);
  buffer_put(&wanted, "-----BEGIN", 10);
  put_without_blanks(&wanted, block->label, strlen(block->label));
  buffer_put(&wanted, "-----", 5);
  put_without_blanks(&wanted, block->header, strlen(block->header));
  base64_put(&wanted, block->data, (size_t)block->len);
  buffer_put(&wanted, "-----END", 8);
  bool found = false;
  /* Linear: what is wanted has no second BEGIN in it, so starts do not overlap. */
  for (size_t at = 0;
       !packed.failed && !wanted.failed && !found && at + wanted.len <= packed.len;
       at++) {
    found = memcmp(packed.data + at, wanted.data, wanted.len) == 0;
  }
  buffer_wipe(&packed);
  buffer_wipe(&wanted);
  return found;
}

bool key_pem_content(buffer *out, const uint8_t *pem, size_t len) {
  pem_block block = {0};
  BIO *bio = BIO_new_mem_buf(pem, (int)len);
  bool ok = bio != NULL && pem_next(&block, bio);
  if (ok) {
    buffer_put(out, block.data, (size_t)block.len);
  }
  pem_block_free(&block);
  BIO_free(bio);
  ERR_clear_error();
  return ok && !out->failed;
}

/* The one encrypted block; an EC PARAMETERS block may stand before it. */
static bool encrypted_block(pem_block *block, const buffer *file, const char *where) {
  BIO *bio = BIO_new_mem_buf(file->data, (int)file->len);
  if (bio == NULL) {
    report_memory();
    return false;
  }
  bool ok = pem_next(block, bio);
  if (ok && strcmp(block->label, "EC PARAMETERS") == 0) {
    pem_block_free(block);
    ok = pem_next(block, bio);
  }
  if (!ok || !pem_is_canonical(file, block)) {
    report(SIGMILL_ERR_PEM, where, "%s", reason_text(SIGMILL_ERR_PEM));
    ok = false;
  }
  pem_block second = {0};
  if (ok && pem_next(&second, bio)) {
    report(SIGMILL_ERR_PEM_BLOCKS, where, "%s", reason_text(SIGMILL_ERR_PEM_BLOCKS));
    ok = false;
  } else if (ok && ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) {
    report(SIGMILL_ERR_PEM, where, "%s", reason_text(SIGMILL_ERR_PEM));
    ok = false;
  }
  pem_block_free(&second);
  BIO_free(bio);
  ERR_clear_error();
  return ok;
}

/* ---------------------------------------------------------------- decryption */

static bool finish(sigmill_p256_keypair *out, sigmill_status status, size_t at,
                   const char *where) {
  if (status != SIGMILL_OK) {
    report((int)status, where, "inside the encrypted key, byte %zu: %s", at,
           reason_text((int)status));
    sigmill_p256_keypair_wipe(out);
  }
  return status == SIGMILL_OK;
}

/* The most that a file may ask for: some seconds. */
#define ITERATIONS_MAX  5000000
#define SCRYPT_COST_MAX (1 << 24) /* N * r * p */

static bool is_at_most(const ASN1_INTEGER *number, uint64_t most) {
  uint64_t value;
  return ASN1_INTEGER_get_uint64(&value, number) == 1 && value <= most;
}

static bool scrypt_is_affordable(const SCRYPT_PARAMS *scrypt) {
  uint64_t n, r, p;
  return ASN1_INTEGER_get_uint64(&n, scrypt->costParameter) == 1 &&
         ASN1_INTEGER_get_uint64(&r, scrypt->blockSize) == 1 &&
         ASN1_INTEGER_get_uint64(&p, scrypt->parallelizationParameter) == 1 &&
         n <= SCRYPT_COST_MAX && r <= SCRYPT_COST_MAX && p <= SCRYPT_COST_MAX &&
         n * r <= SCRYPT_COST_MAX && n * r * p <= SCRYPT_COST_MAX;
}

/* Does turning the passphrase into a key (RFC 8018) end soon?  A scheme that is not
 * known here is left to libcrypto, which refuses what it does not know. */
static bool derivation_is_affordable(const X509_ALGOR *scheme) {
  const ASN1_OBJECT *name;
  int type;
  const void *value;
  X509_ALGOR_get0(&name, &type, &value, scheme);
  if (type != V_ASN1_SEQUENCE) {
    return true;
  }
  const ASN1_STRING *sequence = value;
  bool ok = true;
  if (OBJ_obj2nid(name) == NID_pbes2) {
    PBE2PARAM *pbes2 = ASN1_item_unpack(sequence, ASN1_ITEM_rptr(PBE2PARAM));
    ok = pbes2 == NULL || derivation_is_affordable(pbes2->keyfunc);
    PBE2PARAM_free(pbes2);
  } else if (OBJ_obj2nid(name) == NID_id_pbkdf2) {
    PBKDF2PARAM *pbkdf2 = ASN1_item_unpack(sequence, ASN1_ITEM_rptr(PBKDF2PARAM));
    ok = pbkdf2 == NULL || is_at_most(pbkdf2->iter, ITERATIONS_MAX);
    PBKDF2PARAM_free(pbkdf2);
  } else if (OBJ_obj2nid(name) == NID_id_scrypt) {
    SCRYPT_PARAMS *scrypt = ASN1_item_unpack(sequence, ASN1_ITEM_rptr(SCRYPT_PARAMS));
    ok = scrypt == NULL || scrypt_is_affordable(scrypt);
    SCRYPT_PARAMS_free(scrypt);
  } else {
    PBEPARAM *pbe = ASN1_item_unpack(sequence, ASN1_ITEM_rptr(PBEPARAM));
    ok = pbe == NULL || is_at_most(pbe->iter, ITERATIONS_MAX);
    PBEPARAM_free(pbe);
  }
  ERR_clear_error();
  return ok;
}

static bool wrong_passphrase(const char *where) {
  report(REASON_PASSPHRASE, where, "the passphrase does not open this key");
  ERR_clear_error();
  return false;
}

static bool open_pkcs8(sigmill_p256_keypair *out, const uint8_t *der, size_t len,
                       const char *passphrase, const char *where) {
  const unsigned char *next = der;
  X509_SIG *sealed = d2i_X509_SIG(NULL, &next, (long)len);
  if (sealed == NULL || next != der + len) {
    bool whole = sealed == NULL;
    X509_SIG_free(sealed);
    ERR_clear_error();
    report(whole ? SIGMILL_ERR_DER_VALUE : SIGMILL_ERR_TRAILING, where,
           whole ? "no EncryptedPrivateKeyInfo"
                 : "bytes behind the EncryptedPrivateKeyInfo");
    return false;
  }
  const X509_ALGOR *scheme;
  X509_SIG_get0(sealed, &scheme, NULL);
  if (!derivation_is_affordable(scheme)) {
    X509_SIG_free(sealed);
    report(SIGMILL_ERR_TOO_LONG, where,
           "the key asks for more than %d iterations, or a scrypt cost above %d",
           ITERATIONS_MAX, SCRYPT_COST_MAX);
    return false;
  }
  PKCS8_PRIV_KEY_INFO *info = PKCS8_decrypt(sealed, passphrase, (int)strlen(passphrase));
  X509_SIG_free(sealed);
  if (info == NULL) {
    return wrong_passphrase(where);
  }
  unsigned char *plain = NULL;
  int plain_len = i2d_PKCS8_PRIV_KEY_INFO(info, &plain);
  PKCS8_PRIV_KEY_INFO_free(info);
  if (plain_len <= 0) {
    return wrong_passphrase(where);
  }
  size_t at = 0;
  sigmill_status status =
      sigmill_p256_keypair_from_pkcs8(out, plain, (size_t)plain_len, &at);
  OPENSSL_clear_free(plain, (size_t)plain_len);
  return finish(out, status, at, where);
}

static int give_passphrase(char *out, int size, int writing, void *passphrase) {
  (void)writing;
  size_t len = strlen(passphrase);
  if (len > (size_t)size) {
    return -1;
  }
  memcpy(out, passphrase, len);
  return (int)len;
}

static bool open_legacy(sigmill_p256_keypair *out, pem_block *block, char *passphrase,
                        const char *where) {
  EVP_CIPHER_INFO cipher;
  if (PEM_get_EVP_CIPHER_INFO(block->header, &cipher) != 1 || cipher.cipher == NULL) {
    ERR_clear_error();
    report(SIGMILL_ERR_PEM, where, "no DEK-Info header that libcrypto knows");
    return false;
  }
  if (PEM_do_header(&cipher, block->data, &block->len, give_passphrase, passphrase) !=
      1) {
    return wrong_passphrase(where);
  }
  size_t at = 0;
  sigmill_status status =
      sigmill_p256_keypair_from_sec1(out, block->data, (size_t)block->len, &at);
  return finish(out, status, at, where);
}

bool key_open_encrypted(sigmill_p256_keypair *out, const buffer *file, bool pem,
                        const key_source *source) {
  const char *where = path_shown(source->path);
  char passphrase[PASSPHRASE_MAX + 1];
  pem_block block = {0};
  bool ok = (!pem || encrypted_block(&block, file, where)) &&
            get_passphrase(passphrase, source->passin, where);
  if (ok && !pem) {
    ok = open_pkcs8(out, file->data, file->len, passphrase, where);
  } else if (ok && strcmp(block.label, "ENCRYPTED PRIVATE KEY") == 0) {
    ok = open_pkcs8(out, block.data, (size_t)block.len, passphrase, where);
  } else if (ok) {
    ok = open_legacy(out, &block, passphrase, where);
  }
  OPENSSL_cleanse(passphrase, sizeof passphrase);
  pem_block_free(&block);
  return ok;
}
