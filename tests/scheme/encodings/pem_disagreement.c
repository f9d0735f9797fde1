/* PEM as libcrypto reads it, and why ours may differ.  The reasons are looked for in the
 * text itself, by code that shares nothing with the reader. */
#include "disagreement.h"

#include "sigmill.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <string.h>

static const char begin_text[] = "-----BEGIN ", end_text[] = "-----END ";
static const char our_begin[] = "-----BEGIN PUBLIC KEY-----";

/* What is in a text that explains a difference. */
typedef struct {
  size_t begin_lines;
  bool first_is_ours;      /* the first BEGIN line says PUBLIC KEY */
  bool blank_after_begin;  /* libcrypto then wants lines of 64 characters */
  bool long_line;          /* libcrypto cuts lines at 254 characters */
  bool foreign_characters; /* between BEGIN and END: others than base64 and blanks */
  bool early_dash;         /* between them, where libcrypto stops reading */
  size_t der_len;
  uint8_t der[65536];
  bool loose_bits;
} pem_facts;

static bool begins(const uint8_t *line, size_t len, const char *with) {
  return len >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

static size_t without_blanks(const uint8_t *line, size_t len) {
  while (len > 0 && line[len - 1] != '\0' &&
         memchr(" \t\r\v\f", line[len - 1], 5) != NULL) {
    len--;
  }
  return len;
}

static void decode(pem_facts *facts, const uint8_t *chars, size_t count) {
  uint8_t again[4];
  int len = count % 4 == 0 ? EVP_DecodeBlock(facts->der, chars, (int)count) : -1;
  if (len <= 0) {
    return;
  }
  size_t padding = (size_t)(chars[count - 1] == '=') + (chars[count - 2] == '=');
  facts->der_len = (size_t)len - padding;
  size_t tail = 3 - padding;
  EVP_EncodeBlock(again, facts->der + facts->der_len - tail, (int)tail);
  facts->loose_bits = memcmp(again, chars + count - 4, 4) != 0;
}

static void look(pem_facts *facts, const uint8_t *text, size_t len) {
  static uint8_t chars[65536];
  size_t at = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, count = 0;
  size_t lines_inside = 0;
  bool inside = false, closed = false;
  memset(facts, 0, sizeof *facts);
  while (at < len) {
    const uint8_t *line = text + at, *newline = memchr(line, '\n', len - at);
    size_t full = newline != NULL ? (size_t)(newline - line) : len - at;
    size_t bare = without_blanks(line, full);
    facts->long_line |= full > 253;
    size_t seen = bare; /* what libcrypto leaves of a line */
    while (seen > 0 && (line[seen - 1] <= ' ' || line[seen - 1] >= 0x80)) {
      seen--;
    }
    bool is_begin = seen >= 16 && begins(line, seen, begin_text) &&
                    memcmp(line + seen - 5, "-----", 5) == 0;
    bool is_end = begins(line, bare, end_text);
    if (is_begin) {
      facts->begin_lines++;
      facts->first_is_ours |= facts->begin_lines == 1 && bare == strlen(our_begin) &&
                              memcmp(line, our_begin, bare) == 0;
    }
    for (size_t i = 0; i < full && (inside || is_begin); i++) {
      facts->foreign_characters |=
          line[i] > 0x7e || (line[i] < 0x20 && memchr("\t\r\v\f", line[i], 4) == NULL);
    }
    if (inside && !is_end) {
      lines_inside++;
      facts->blank_after_begin |= lines_inside == 1 && bare == 0;
      facts->early_dash |= memchr(line, '-', full) != NULL;
      for (size_t i = 0; i < full; i++) {
        if (line[i] > ' ' && count < sizeof chars) {
          chars[count++] = line[i];
        }
      }
    }
    closed |= inside && is_end;
    inside = (inside || (is_begin && !closed)) && !is_end;
    at += full + (newline != NULL);
  }
  decode(facts, chars, count);
}

static int no_password(char *buffer, int size, int writing, void *arg) {
  (void)buffer, (void)size, (void)writing, (void)arg;
  return -1;
}

const char *pem_disagreement(const uint8_t *text, size_t len) {
  static pem_facts facts;
  sigmill_p256_pubkey key, key_of_der;
  sigmill_status status =
      sigmill_p256_pubkey_from_pem(&key, (const char *)text, len, NULL);
  BIO *bio = BIO_new_mem_buf(text, (int)len);
  EVP_PKEY *theirs = PEM_read_bio_PUBKEY(bio, NULL, no_password, NULL);
  uint8_t sec1[65], ours[65];
  bool they_read = is_named_p256(theirs, sec1);
  const char *wrong = NULL;
  look(&facts, text, len);
  bool der_is_ours = sigmill_p256_pubkey_from_spki(&key_of_der, facts.der, facts.der_len,
                                                   NULL) == SIGMILL_OK;
  if (status == SIGMILL_OK && !they_read) {
    if (!facts.blank_after_begin && !facts.long_line) {
      wrong = "what libcrypto refuses was read";
    }
  } else if (status != SIGMILL_OK && they_read) {
    bool explained = facts.begin_lines != 1 || !facts.first_is_ours ||
                     facts.foreign_characters || facts.early_dash || facts.long_line ||
                     facts.loose_bits || len > SIGMILL_KEY_TEXT_MAX || !der_is_ours;
    wrong = explained ? NULL : "what libcrypto reads was refused";
  }
  if (wrong == NULL && status == SIGMILL_OK &&
      (!der_is_ours || memcmp(&key, &key_of_der, sizeof key) != 0)) {
    wrong = "another key than the base64 holds";
  }
  if (wrong == NULL && facts.der_len > 0 && facts.der_len <= 4096) {
    wrong = spki_disagreement(facts.der, facts.der_len);
  }
  sigmill_p256_pubkey_serialize65(ours, &key);
  if (wrong == NULL && status == SIGMILL_OK && they_read && !facts.long_line &&
      memcmp(ours, sec1, 65) != 0) {
    wrong = "another key than libcrypto reads";
  }
  EVP_PKEY_free(theirs);
  BIO_free(bio);
  ERR_clear_error();
  return wrong;
}
