/* Why something was refused: the library's status codes, and the program's own behind
 * them. The names are stable; programs may match them. */
#ifndef SIGMILL_CLI_REASON_H
#define SIGMILL_CLI_REASON_H

#include "sigmill.h"

/* Exit codes. */
enum { CLI_VALID = 0, CLI_INVALID = 1, CLI_TROUBLE = 2 };

/* A sigmill_status, or one of these. */
enum {
  REASON_USAGE = 64,     /* the command line */
  REASON_IO,             /* a file that cannot be read or written */
  REASON_KEY_FORMAT,     /* a key file whose format cannot be told, or has no such key */
  REASON_PASSPHRASE,     /* a passphrase is missing or wrong */
  REASON_HEX,            /* broken hexadecimal text */
  REASON_TEXT,           /* neither hexadecimal nor base64 */
  REASON_DIGEST_LENGTH,  /* no digest has this length */
  REASON_ROW_EMPTY,      /* a blank line */
  REASON_ROW_TOO_LONG,   /* a line beyond the limit */
  REASON_ROW_JSON,       /* a line that is no JSON object */
  REASON_ROW_MISSING,    /* a member that must be there */
  REASON_ROW_DUPLICATE,  /* a known member twice */
  REASON_ROW_TYPE,       /* a known member of another JSON type */
  REASON_ROW_VALUE,      /* a known member with an unknown value */
  REASON_ROW_MESSAGE,    /* more than one of msg, msg_hex, msg_b64 and digest */
  REASON_ROW_PADDING,    /* a binary row whose unused bytes are not zero */
  REASON_TRUNCATED_FILE, /* a binary file that ends inside a row, or before its last */
  REASON_HEADER,         /* a binary file with a broken header */
  REASON_NO_ROWS,        /* an empty batch */
  REASON_DISAGREEMENT,   /* batch and single verification differ: a fault of sigmill's */
  REASON_COUNT
};

/* "sig_equation", "row_json": lower case, never NULL. */
const char *reason_name(int reason);
/* One English sentence without a full stop, never NULL. */
const char *reason_text(int reason);
/* The signature could be read and is refused; otherwise it, its key or its message could
 * not be read. */
bool reason_is_verdict(int reason);

/* Names the running command in messages; json: errors also become an object on stdout. */
void report_begin(const char *command, bool json);
bool report_json(void);
const char *report_command(void);
/* Says "sigmill COMMAND: WHERE: message" on stderr (where may be NULL) and returns
 * CLI_TROUBLE. */
int report(int reason, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for the byte at offset `at` of where, which begins at 0: "byte 7: words", and
 * a member "byte" in the object. */
int report_fault(int reason, const char *where, size_t at, const char *words);
/* The same in the reason's own words. */
int report_at(int reason, const char *where, size_t at);
/* The same for the system error `error`: "WHERE: doing: No such file or directory". */
int report_system(const char *where, const char *doing, int error);
/* Out of memory. */
int report_memory(void);

#endif
