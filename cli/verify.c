/* sigmill verify: one signature, or one JWS token. */
#include "armor.h"
#include "commands.h"
#include "files.h"
#include "json_fault.h"
#include "keyfile.h"
#include "options.h"
#include "output.h"
#include "reason.h"
#include "signature.h"
#include <string.h>
#include <unistd.h>

enum { FORMAT = 2, LOW_S, PAYLOAD };

static const option options[] = {
    KEY_PUBLIC_OPTION,
    KEY_PUBLIC_OPTIONS,
    SIG_OPTIONS,
    {FORMAT, "format", "FORMAT",
     "raw (64 bytes r || s), low-s (raw, high s refused), der, recoverable (65 bytes,\n"
     "recovery id first), compressed-r (65 bytes, 02/03 first), full-r (96 bytes) or "
     "jws\n"
     "(an ES256 token; it is FILE).  Never guessed from the bytes; without this option "
     "the\n"
     "file's name must tell: .der and .sig are DER, as openssl dgst writes it, .jws and "
     ".jwt\n"
     "are tokens."},
    MESSAGE_OPTIONS,
    {LOW_S, "low-s", NULL, "Refuse a signature with high s, in every format."},
    {PAYLOAD, "payload-out", "FILE",
     "Write a valid token's payload there; with \"-\" the verdict goes to stderr."},
    {0, NULL, NULL, NULL},
};

static const command_help help = {
    .name = "verify",
    .summary = "is this the key's signature of this message?",
    .synopsis = "--key FILE (--sig FILE | --sig-hex HEX) [OPTION]... [FILE]\n"
                "       sigmill verify --key FILE --format jws [OPTION]... [FILE]",
    .options = options,
    .notes = "FILE is the message, of any size; \"-\" or nothing is standard input.  One "
             "final\n"
             "newline of a token's file is not part of the token.\n"
             "Exit code: 0 valid, 1 invalid, 2 when something could not be read.\n",
    .examples = "  openssl dgst -sha256 -sign key.pem -out msg.sig msg\n"
                "  sigmill verify --key pub.pem --sig msg.sig msg\n"
                "  sigmill verify --key key.jwk --format raw --sig-hex 3045... msg\n"
                "  sigmill verify --key pub.pem --format full-r --sig msg.r96 "
                "--prehashed=9f86d0...\n"
                "  sigmill verify --key pub.pem --format jws --payload-out - token.jwt\n",
};

typedef struct {
  option_reader args;
  key_source key;
  sig_source sig;
  message_source message;
  bool low_s;
  const char *payload_out;
} verify_job;

/* What was decided, for the result line. */
typedef struct {
  int reason;
  size_t at; /* place of the fault in a token */
  key_facts key;
} verify_result;

static bool take(void *context, int id) {
  verify_job *job = context;
  const char *value = job->args.value;
  switch (id) {
  case FORMAT:
    job->sig.format = sig_format_from_name(value, strlen(value));
    return job->sig.format != SIG_UNNAMED;
  case LOW_S:
    job->low_s = true;
    return true;
  case PAYLOAD:
    job->payload_out = value;
    return true;
  default:
    return sig_option(&job->sig, id, value) || message_option(&job->message, id, value) ||
           key_option(&job->key, id, value);
  }
}

/* What the command line must hold; CLI_VALID, or CLI_TROUBLE after a message. */
static int check(verify_job *job) {
  const option_reader *args = &job->args;
  if (job->sig.format == SIG_UNNAMED) {
    job->sig.format = sig_format_from_path(job->sig.path);
  }
  if (job->sig.format == SIG_UNNAMED && job->sig.path == NULL && job->sig.hex == NULL) {
    job->sig.format = sig_format_from_path(job->message.path);
  }
  if (job->key.path == NULL) {
    return option_wrong(args, "--key is missing");
  }
  bool token = job->sig.format == SIG_JWS;
  if (token &&
      (job->sig.path != NULL || job->sig.hex != NULL || job->message.prehashed)) {
    return option_wrong(args, "a token holds its signature and message: give it as FILE");
  }
  if (token && job->message.hash != 0 && job->message.hash != SIGMILL_SHA256) {
    return option_wrong(args, "ES256 tokens are signed over sha256");
  }
  if (!token && (job->sig.path == NULL) == (job->sig.hex == NULL)) {
    return option_wrong(args, "one of --sig and --sig-hex must be there");
  }
  if (job->sig.format == SIG_UNNAMED) {
    return option_wrong(args, "the signature's format is not told; say --format");
  }
  if (!token && job->payload_out != NULL) {
    return option_wrong(args, "--payload-out goes with --format jws");
  }
  if (job->message.digest_hex != NULL && job->message.path != NULL) {
    return option_wrong(args, "--prehashed=HEX and a FILE are one too many");
  }
  int on_stdin = path_is_standard(job->key.path);
  on_stdin += !token && job->sig.path != NULL && path_is_standard(job->sig.path);
  on_stdin += job->message.digest_hex == NULL && path_is_standard(job->message.path);
  if (on_stdin > 1) {
    return option_wrong(args, "only one file can be standard input");
  }
  return CLI_VALID;
}

static const char *shown_message(const verify_job *job) {
  return job->message.digest_hex != NULL ? "the given digest"
                                         : path_shown(job->message.path);
}

static const char *shown_digest(const verify_job *job) {
  return job->sig.format == SIG_JWS ? "sha256" : hash_name(job->message.hash);
}

static void put_json(buffer *out, const verify_job *job, const verify_result *result) {
  json_open(out, NULL);
  json_string(out, "command", "verify");
  json_string(out, "verdict", result->reason == SIGMILL_OK ? "valid" : "invalid");
  if (result->reason != SIGMILL_OK) {
    json_string(out, "reason", reason_name(result->reason));
    json_string(out, "text", reason_text(result->reason));
  }
  json_string(out, "message", shown_message(job));
  json_open(out, "policy");
  json_string(out, "scheme", "ecdsa-p256");
  json_string(out, "format", sig_format_name(job->sig.format));
  json_string(out, "digest", shown_digest(job));
  json_bool(out, "prehashed", job->message.prehashed);
  json_bool(out, "low_s",
            job->low_s || job->sig.format == SIG_LOW_S ||
                sig_format_has_hint(job->sig.format));
  json_bool(out, "hybrid_keys", job->key.hybrid);
  json_close(out);
  json_open(out, "key");
  json_string(out, "format", key_format_name(result->key.format));
  json_bool(out, "private", result->key.private_file);
  if (job->key.cose_prefix && result->key.format == KEY_COSE) {
    json_u64(out, "cose_length", result->key.cose_used);
  }
  json_close(out);
  json_string(out, "backend", sigmill_backend_name());
  json_close(out);
  buffer_text(out, "\n");
}

static void put_text(buffer *out, const verify_job *job, const verify_result *result) {
  bool valid = result->reason == SIGMILL_OK;
  buffer_format(out, "%s: %s: ", valid ? "valid" : "invalid", shown_message(job));
  if (!valid) {
    buffer_format(out, "%s (%s); ", reason_text(result->reason),
                  reason_name(result->reason));
  }
  buffer_format(out, "ECDSA P-256, format %s, digest %s%s%s%s\n",
                sig_format_name(job->sig.format), shown_digest(job),
                job->message.prehashed ? " (given)" : "",
                job->low_s ? ", low s required" : "",
                job->key.hybrid ? ", hybrid keys allowed" : "");
  if (job->key.cose_prefix && result->key.format == KEY_COSE) {
    buffer_format(out, "key: the first %zu bytes of %s\n", result->key.cose_used,
                  path_shown(job->key.path));
  }
}

static int tell(const verify_job *job, const verify_result *result) {
  buffer out = {0};
  if (report_json()) {
    put_json(&out, job, result);
  } else {
    put_text(&out, job, result);
  }
  bool to_stderr = job->payload_out != NULL && path_is_standard(job->payload_out);
  if (to_stderr) {
    int error = write_all(STDERR_FILENO, out.data, out.len);
    buffer_wipe(&out);
    return error != 0                     ? CLI_TROUBLE
           : result->reason == SIGMILL_OK ? CLI_VALID
                                          : CLI_INVALID;
  }
  if (!stdout_put(&out)) {
    return CLI_TROUBLE;
  }
  return result->reason == SIGMILL_OK ? CLI_VALID : CLI_INVALID;
}

static bool write_payload(const verify_job *job, const char *text, size_t len) {
  buffer payload = {0};
  bool ok = buffer_reserve(&payload, len + 1) &&
            base64_decode(payload.data, payload.cap, &payload.len, text, len);
  ok = ok && file_write(job->payload_out, &payload, false, true);
  buffer_wipe(&payload);
  return ok;
}

static int verify_token(verify_job *job, verify_result *result,
                        const sigmill_p256_pubkey *key) {
  buffer file;
  if (!file_read(&file, job->message.path, TOKEN_FILE_MAX, "token")) {
    return CLI_TROUBLE;
  }
  size_t at = 0, payload_at, payload_len, len = without_newline(file.data, file.len);
  const char *token = (const char *)file.data;
  result->reason =
      (int)sig_verify_token(&payload_at, &payload_len, token, len, key, job->low_s, &at);
  int code = CLI_VALID;
  if (result->reason != SIGMILL_OK && !reason_is_verdict(result->reason)) {
    char words[FAULT_SIZE];
    code = report_fault(result->reason, path_shown(job->message.path), at,
                        token_fault(words, result->reason, at, token, len));
  } else if (result->reason == SIGMILL_OK && job->payload_out != NULL &&
             !write_payload(job, token + payload_at, payload_len)) {
    code = CLI_TROUBLE;
  }
  buffer_wipe(&file);
  return code == CLI_VALID ? tell(job, result) : code;
}

static int verify_message(verify_job *job, verify_result *result,
                          const sigmill_p256_pubkey *key) {
  uint8_t sig[SIG_SIZE_MAX], digest[64], digest32[32];
  size_t digest_len;
  if (sig_load(sig, &result->reason, &job->sig) != CLI_VALID) {
    return CLI_TROUBLE;
  }
  if (!message_digest(digest, &digest_len, &job->message)) {
    return CLI_TROUBLE;
  }
  if (result->reason == SIGMILL_OK) {
    sigmill_p256_format format = sig_format_inside(job->sig.format, job->low_s);
    sigmill_p256_digest32(digest32, digest, digest_len);
    result->reason = (int)sigmill_p256_explain(sig, format, digest32, key);
  }
  return tell(job, result);
}

int command_verify(int argc, char **argv) {
  verify_job job = {0};
  verify_result result = {0};
  sigmill_p256_pubkey key;
  if (!option_take_all(&job.args, &help, argc, argv, take, &job)) {
    return job.args.exit_code;
  }
  int code = check(&job);
  if (code != CLI_VALID || !key_load_public(&key, &result.key, &job.key)) {
    return CLI_TROUBLE;
  }
  return job.sig.format == SIG_JWS ? verify_token(&job, &result, &key)
                                   : verify_message(&job, &result, &key);
}
