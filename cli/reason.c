/* Names and words of reasons, and the one place from which errors are told. */
#include "reason.h"

#include "buffer.h"
#include "files.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *name, *text;
} reason_words;

static const char *const status_names[] = {
    [SIGMILL_OK] = "ok",
    [SIGMILL_ERR_ARGUMENT] = "argument",
    [SIGMILL_ERR_MEMORY] = "memory",
    [SIGMILL_ERR_RANDOM] = "random",
    [SIGMILL_ERR_BACKEND] = "backend",
    [SIGMILL_ERR_KEY_LENGTH] = "key_length",
    [SIGMILL_ERR_KEY_PREFIX] = "key_prefix",
    [SIGMILL_ERR_KEY_RANGE] = "key_range",
    [SIGMILL_ERR_KEY_POINT] = "key_point",
    [SIGMILL_ERR_KEY_SECRET] = "key_secret",
    [SIGMILL_ERR_KEY_MISMATCH] = "key_mismatch",
    [SIGMILL_ERR_KEY_UNSET] = "key_unset",
    [SIGMILL_ERR_SIG_R] = "sig_r",
    [SIGMILL_ERR_SIG_S] = "sig_s",
    [SIGMILL_ERR_SIG_HIGH_S] = "sig_high_s",
    [SIGMILL_ERR_SIG_RECID] = "sig_recid",
    [SIGMILL_ERR_SIG_POINT] = "sig_point",
    [SIGMILL_ERR_SIG_EQUATION] = "sig_equation",
    [SIGMILL_ERR_SIG_LENGTH] = "sig_length",
    [SIGMILL_ERR_TOO_LONG] = "too_long",
    [SIGMILL_ERR_TRUNCATED] = "truncated",
    [SIGMILL_ERR_TRAILING] = "trailing",
    [SIGMILL_ERR_DER_TAG] = "der_tag",
    [SIGMILL_ERR_DER_LENGTH] = "der_length",
    [SIGMILL_ERR_DER_INTEGER] = "der_integer",
    [SIGMILL_ERR_DER_VALUE] = "der_value",
    [SIGMILL_ERR_ALGORITHM] = "algorithm",
    [SIGMILL_ERR_CURVE] = "curve",
    [SIGMILL_ERR_PEM] = "pem",
    [SIGMILL_ERR_PEM_BLOCKS] = "pem_blocks",
    [SIGMILL_ERR_BASE64] = "base64",
    [SIGMILL_ERR_UTF8] = "utf8",
    [SIGMILL_ERR_JSON] = "json",
    [SIGMILL_ERR_MEMBER_MISSING] = "member_missing",
    [SIGMILL_ERR_MEMBER_DUPLICATE] = "member_duplicate",
    [SIGMILL_ERR_MEMBER_TYPE] = "member_type",
    [SIGMILL_ERR_COORDINATE_LENGTH] = "coordinate_length",
    [SIGMILL_ERR_CBOR] = "cbor",
    [SIGMILL_ERR_CRITICAL] = "critical",
    [SIGMILL_ERR_JWS_PARTS] = "jws_parts",
    [SIGMILL_ERR_JWS_DER] = "jws_der",
    [SIGMILL_ERR_ENCRYPTED] = "encrypted",
};

static const reason_words own_words[REASON_COUNT - REASON_USAGE] = {
    [REASON_USAGE - 64] = {"usage", "the command line is wrong"},
    [REASON_IO - 64] = {"io", "a file could not be read or written"},
    [REASON_KEY_FORMAT - 64] = {"key_format", "the key's format cannot be told"},
    [REASON_PASSPHRASE - 64] = {"passphrase", "the passphrase is missing or wrong"},
    [REASON_HEX - 64] = {"hex", "broken hexadecimal text"},
    [REASON_TEXT - 64] = {"text", "neither hexadecimal nor base64"},
    [REASON_DIGEST_LENGTH - 64] = {"digest_length", "no digest has this length"},
    [REASON_ROW_EMPTY - 64] = {"row_empty", "the line is blank"},
    [REASON_ROW_TOO_LONG - 64] = {"row_too_long", "the line is too long"},
    [REASON_ROW_JSON - 64] = {"row_json", "the line is no JSON object"},
    [REASON_ROW_MISSING - 64] = {"row_missing", "a member is missing"},
    [REASON_ROW_DUPLICATE - 64] = {"row_duplicate", "a member stands twice"},
    [REASON_ROW_TYPE - 64] = {"row_type", "a member has the wrong JSON type"},
    [REASON_ROW_VALUE - 64] = {"row_value", "a member has an unknown value"},
    [REASON_ROW_MESSAGE - 64] = {"row_message",
                                 "more than one of msg, msg_hex, msg_b64 and digest"},
    [REASON_ROW_PADDING - 64] = {"row_padding", "the row's unused bytes are not zero"},
    [REASON_TRUNCATED_FILE - 64] = {"truncated_file", "the file ends too early"},
    [REASON_HEADER - 64] = {"header", "the header is broken"},
    [REASON_NO_ROWS - 64] = {"no_rows", "there is nothing to verify"},
    [REASON_DISAGREEMENT -
        64] = {"disagreement",
               "batch and single verification differ: please report this"},
};

const char *reason_name(int reason) {
  if (reason >= REASON_USAGE && reason < REASON_COUNT) {
    return own_words[reason - REASON_USAGE].name;
  }
  size_t count = sizeof status_names / sizeof status_names[0];
  if (reason < 0 || (size_t)reason >= count || status_names[reason] == NULL) {
    return "unknown";
  }
  return status_names[reason];
}

const char *reason_text(int reason) {
  if (reason >= REASON_USAGE && reason < REASON_COUNT) {
    return own_words[reason - REASON_USAGE].text;
  }
  /* Rows and files may be of either alphabet, and padded. */
  return reason == SIGMILL_ERR_BASE64 ? "broken base64 or base64url"
                                      : sigmill_strerror((sigmill_status)reason);
}

bool reason_is_verdict(int reason) {
  return reason >= SIGMILL_ERR_SIG_R && reason <= SIGMILL_ERR_SIG_EQUATION;
}

static struct {
  const char *command;
  bool json;
} current;

void report_begin(const char *command, bool json) {
  current.command = command;
  current.json = json;
}

bool report_json(void) {
  return current.json;
}

const char *report_command(void) {
  return current.command;
}

/* Both streams at once: the line for people, the object for programs.  Nothing is left to
 * do if these writes fail too; the exit code tells. */
static int tell(int reason, const char *where, const size_t *at, const char *message) {
  buffer line = {0};
  buffer_text(&line, "sigmill");
  if (current.command != NULL) {
    buffer_format(&line, " %s", current.command);
  }
  if (where != NULL) {
    buffer_format(&line, ": %s", where);
  }
  buffer_format(&line, ": %s\n", message);
  if (line.failed || write_all(STDERR_FILENO, line.data, line.len) != 0) {
    line.failed = true;
  }
  buffer_wipe(&line);
  if (current.json) {
    json_open(&line, NULL);
    json_string(&line, "command", current.command);
    json_string(&line, "verdict", reason_is_verdict(reason) ? "invalid" : "error");
    json_string(&line, "reason", reason_name(reason));
    if (where != NULL) {
      json_string(&line, "where", where);
    }
    if (at != NULL) {
      json_u64(&line, "byte", *at);
    }
    json_string(&line, "text", message);
    json_close(&line);
    buffer_put(&line, "\n", 1);
    if (line.failed || write_all(STDOUT_FILENO, line.data, line.len) != 0) {
      line.failed = true;
    }
    buffer_wipe(&line);
  }
  return CLI_TROUBLE;
}

int report(int reason, const char *where, const char *format, ...) {
  char message[640];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return tell(reason, where, NULL, message);
}

int report_fault(int reason, const char *where, size_t at, const char *words) {
  char message[512];
  (void)snprintf(message, sizeof message, "byte %zu: %s", at, words);
  return tell(reason, where, &at, message);
}

int report_at(int reason, const char *where, size_t at) {
  return report_fault(reason, where, at, reason_text(reason));
}

int report_system(const char *where, const char *doing, int error) {
  char message[512];
  (void)snprintf(message, sizeof message, "%s: %s", doing, strerror(error));
  return tell(REASON_IO, where, NULL, message);
}

int report_memory(void) {
  return tell(SIGMILL_ERR_MEMORY, NULL, NULL, "out of memory");
}
