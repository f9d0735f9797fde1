/* sigmill hint: a signature with its point R, for verifiers that want it. */
#include "commands.h"
#include "files.h"
#include "hint_rows.h"
#include "keyfile.h"
#include "options.h"
#include "reason.h"
#include "signature.h"
#include <string.h>

enum { FORMAT = 2, TO, OUT, OUT_ENCODING };

static const option options[] = {
    KEY_PUBLIC_OPTION,
    KEY_PUBLIC_OPTIONS,
    SIG_OPTIONS,
    {FORMAT, "format", "FORMAT",
     "der, raw or low-s; the file's name may tell (.der and .sig are DER)."},
    {TO, "to", "FORMAT",
     "recoverable (65 bytes, the recovery id first), compressed-r (65 bytes, 02 or 03 "
     "first)\n"
     "or full-r (96 bytes)."},
    MESSAGE_OPTIONS,
    {OUT, "out", "FILE", "Where the result goes; standard output if not given."},
    {OUT_ENCODING, "out-encoding", "ENCODING",
     "binary (default, but hex on a terminal), hex or base64."},
    {0, NULL, NULL, NULL},
};

static const command_help help = {
    .name = "hint",
    .summary = "add the point R to a valid signature",
    .synopsis = "--key FILE (--sig FILE | --sig-hex HEX) --to FORMAT [OPTION]... [FILE]",
    .options = options,
    .notes =
        "FILE is the message; \"-\" or nothing is standard input.  s is made low first, "
        "as\n"
        "the formats with R require.  A signature that does not verify gets no hint.\n"
        "For many at once, a file of rows: sigmill hint --batch --help.\n"
        "Exit code: 0 made, 1 the signature is invalid, 2 when something could not be\n"
        "read or written.\n",
    .examples =
        "  sigmill hint --key pub.pem --sig msg.sig --to recoverable --out msg.r65 msg\n"
        "  sigmill hint --key pub.pem --format raw --sig msg.r64 --to full-r msg > "
        "msg.r96\n"
        "  sigmill hint --batch --to full-r --out hinted.ndjson log.ndjson\n",
};

typedef struct {
  option_reader args;
  key_source key;
  sig_source sig;
  sig_target target;
  message_source message;
} hint_job;

static bool take(void *context, int id) {
  hint_job *job = context;
  const char *value = job->args.value;
  switch (id) {
  case FORMAT:
    job->sig.format = sig_format_from_name(value, strlen(value));
    return job->sig.format == SIG_DER || job->sig.format == SIG_RAW ||
           job->sig.format == SIG_LOW_S;
  case TO:
    job->target.format = sig_format_from_name(value, strlen(value));
    return sig_format_has_hint(job->target.format);
  case OUT:
    job->target.path = value;
    return true;
  case OUT_ENCODING:
    return sig_encoding_from_name(&job->target.encoding, value);
  default:
    return sig_option(&job->sig, id, value) || message_option(&job->message, id, value) ||
           key_option(&job->key, id, value);
  }
}

static int check(hint_job *job) {
  const option_reader *args = &job->args;
  if (job->sig.format == SIG_UNNAMED) {
    job->sig.format = sig_format_from_path(job->sig.path);
  }
  if (job->key.path == NULL) {
    return option_wrong(args, "--key is missing");
  }
  if ((job->sig.path == NULL) == (job->sig.hex == NULL)) {
    return option_wrong(args, "one of --sig and --sig-hex must be there");
  }
  if (job->sig.format == SIG_UNNAMED || job->sig.format == SIG_JWS) {
    return option_wrong(args, "the signature's format is not told; say --format");
  }
  if (job->target.format == SIG_UNNAMED) {
    return option_wrong(args, "--to is missing");
  }
  if (job->message.digest_hex != NULL && job->message.path != NULL) {
    return option_wrong(args, "--prehashed=HEX and a FILE are one too many");
  }
  int on_stdin = path_is_standard(job->key.path);
  on_stdin += job->sig.path != NULL && path_is_standard(job->sig.path);
  on_stdin += job->message.digest_hex == NULL && path_is_standard(job->message.path);
  return on_stdin > 1 ? option_wrong(args, "only one file can be standard input")
                      : CLI_VALID;
}

static int hint_with(hint_job *job, const sigmill_p256_pubkey *key) {
  uint8_t sig[SIG_SIZE_MAX], hinted[SIG_SIZE_MAX], digest[64], digest32[32];
  size_t digest_len;
  int reason;
  if (sig_load(sig, &reason, &job->sig) != CLI_VALID ||
      !message_digest(digest, &digest_len, &job->message)) {
    return CLI_TROUBLE;
  }
  sigmill_p256_digest32(digest32, digest, digest_len);
  if (reason == SIGMILL_OK && job->sig.format == SIG_LOW_S) {
    reason = (int)sigmill_p256_explain(sig, SIGMILL_P256_SIG64_LOW_S, digest32, key);
  }
  if (reason == SIGMILL_OK) {
    sigmill_p256_format format = sig_format_inside(job->target.format, false);
    reason = (int)sigmill_p256_hint(hinted, format, sig, digest32, key);
  }
  if (reason != SIGMILL_OK) {
    const char *where = job->sig.hex != NULL ? "--sig-hex" : path_shown(job->sig.path);
    report(reason, where, "no hint is made: %s", reason_text(reason));
    return reason_is_verdict(reason) ? CLI_INVALID : CLI_TROUBLE;
  }
  buffer wire = {0}, json = {0};
  buffer_put(&wire, hinted, sig_format_size(job->target.format));
  json_open(&json, NULL);
  json_string(&json, "command", "hint");
  json_string(&json, "from", sig_format_name(job->sig.format));
  json_string(&json, "digest", hash_name(job->message.hash));
  json_bool(&json, "prehashed", job->message.prehashed);
  json_string(&json, "backend", sigmill_backend_name());
  int code = sig_deliver(&wire, &job->target, &json);
  buffer_wipe(&json);
  buffer_wipe(&wire);
  return code;
}

int command_hint(int argc, char **argv) {
  if (hint_is_of_rows(argc, argv)) {
    return hint_rows_run(argc, argv);
  }
  hint_job job = {0};
  sigmill_p256_pubkey key;
  key_facts facts;
  if (!option_take_all(&job.args, &help, argc, argv, take, &job)) {
    return job.args.exit_code;
  }
  if (check(&job) != CLI_VALID || !key_load_public(&key, &facts, &job.key)) {
    return CLI_TROUBLE;
  }
  return hint_with(&job, &key);
}
