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
    if (n < 0 && errno == EINTR) {
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
  if (end == number || *end != '\0' || fd < 0 || fd > INT_MAX ||
      !first_line(out, (int)fd)) {
    report(REASON_PASSPHRASE, "--passin", "no passphrase can be read from fd:%s", number);
    return false;
  }
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

/* libcrypto drops loose bits of the last character; here they are an error.  The
 * characters of the body must be those that its bytes spell. */
static bool pem_is_canonical(const buffer *file, const pem_block *block) {
  buffer text = {0};
  base64_put(&text, block->data, (size_t)block->len);
  buffer_put(&text, "-----END ", 9);
  const uint8_t *end = file->data + file->len;
  bool found = false;
  /* Blanks are skipped on the way, as libcrypto skips them. */
  for (const uint8_t *start = file->data; !text.failed && start < end && !found;
       start++) {
    size_t matched = 0;
    if (start != file->data && start[-1] != '\n') {
      continue;
    }
    for (const uint8_t *c = start; c < end && matched < text.len; c++) {
      if (*c == text.data[matched]) {
        matched++;
      } else if (strchr(" \t\r\n", *c) == NULL || *c == 0) {
        break;
      }
    }
    found = matched == text.len;
  }
  buffer_wipe(&text);
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
