/* sigmill convert: the same signature or key in another format. */
#include "commands.h"
#include "files.h"
#include "keyfile.h"
#include "options.h"
#include "output.h"
#include "reason.h"
#include "signature.h"
#include <string.h>

enum { FROM = 2, TO, LOW_S, PUBLIC, OUT, FORCE, OUT_ENCODING };

static const option convert_options[] = {
    {TO, "to", "FORMAT",
     "Signature: der, raw or low-s (raw, made low).  Key: pem, der, pkcs8, ec, ec-pem, "
     "spki,\n"
     "jwk, cose, compressed, uncompressed, hex, hex-uncompressed or raw."},
    {FROM, "from", "FORMAT",
     "Signature: der, raw or low-s; the file's name may tell (.der and .sig are DER)."},
    {LOW_S, "low-s", NULL, "Signature: replace a high s by n - s."},
    {SIG_OPTION_ENCODING, "sig-encoding", "ENCODING",
     "Of the file read: binary (default), hex, base64."},
    {OUT_ENCODING, "out-encoding", "ENCODING",
     "Of the signature written: binary (default), hex, base64."},
    {SIG_OPTION_HEX, "sig-hex", "HEX", "Signature: given here instead of in a FILE."},
    KEY_PUBLIC_OPTIONS,
    {PUBLIC, "public", NULL, "Key: write the public half of a private one."},
    {OUT, "out", "FILE", "Where it goes; standard output if not given."},
    {FORCE, "force", NULL, "Key: replace a private key file that is there."},
    {0, NULL, NULL, NULL},
};

static const command_help convert_help = {
    .name = "convert",
    .summary = "a signature or a key in another format",
    .synopsis = "sig --to FORMAT [OPTION]... [FILE]\n"
                "       sigmill convert key --to FORMAT [OPTION]... [FILE]",
    .options = convert_options,
    .notes =
        "Formats with R (recoverable, compressed-r, full-r) need the message: sigmill "
        "hint.\n"
        "A private key stays private unless --public is given, which the formats for\n"
        "public keys only require; its file gets mode 0600.\n"
        "Exit code: 0 converted, 1 for a signature whose r or s is out of range, 2 when\n"
        "something could not be read or written.\n",
    .examples =
        "  sigmill convert sig --to raw --out msg.r64 msg.sig\n"
        "  sigmill convert sig --from raw --to der --low-s msg.r64 > msg.sig\n"
        "  sigmill convert sig --from der --to raw --out-encoding hex --sig-hex 3045...\n"
        "  sigmill convert key --to jwk key.pem\n"
        "  sigmill convert key --public --to cose --out key.cose key.jwk\n",
};

typedef struct {
  option_reader args;
  const char *what, *to;
  key_source key;
  sig_source sig;
  sig_target target;
  bool low_s, public_half, force;
} convert_job;

static bool convert_take(void *context, int id) {
  convert_job *job = context;
  const char *value = job->args.value;
  switch (id) {
  case TO:
    job->to = value;
    return true;
  case FROM:
    job->sig.format = sig_format_from_name(value, strlen(value));
    return job->sig.format != SIG_UNNAMED;
  case LOW_S:
    job->low_s = true;
    return true;
  case OUT_ENCODING:
    return sig_encoding_from_name(&job->target.encoding, value);
  case PUBLIC:
    job->public_half = true;
    return true;
  case OUT:
    job->target.path = value;
    return true;
  case FORCE:
    job->force = true;
    return true;
  case OPTION_OPERAND:
    if (job->what == NULL) {
      job->what = value;
      return true;
    }
    if (job->key.path != NULL) {
      return false;
    }
    job->key.path = value;
    job->sig.path = value;
    return true;
  default:
    return sig_option(&job->sig, id, value) || key_option(&job->key, id, value);
  }
}

static bool in_64_bytes(sig_format format) {
  return format == SIG_RAW || format == SIG_LOW_S || format == SIG_DER;
}

/* SIG_R or SIG_S if out of range; the reader of DER judges it. */
static sigmill_status range_of(const uint8_t sig[64]) {
  uint8_t der[SIGMILL_P256_DER_MAX], read[64];
  return sigmill_p256_sig_from_der(read, der, sigmill_p256_sig_to_der(der, sig));
}

static int convert_sig(convert_job *job) {
  uint8_t sig[SIG_SIZE_MAX];
  int reason;
  buffer out = {0}, json = {0};
  job->target.format = sig_format_from_name(job->to, strlen(job->to));
  if (job->sig.format == SIG_UNNAMED) {
    job->sig.format = sig_format_from_path(job->sig.path);
  }
  if (!in_64_bytes(job->sig.format) || !in_64_bytes(job->target.format)) {
    return option_wrong(&job->args,
                        job->sig.format == SIG_UNNAMED
                            ? "--from must be der, raw or low-s; the file's name does "
                              "not tell"
                            : "--from and --to must be der, raw or low-s");
  }
  if (sig_load(sig, &reason, &job->sig) != CLI_VALID) {
    return CLI_TROUBLE;
  }
  if (reason == SIGMILL_OK) {
    reason = (int)range_of(sig);
  }
  bool from_low = job->sig.format == SIG_LOW_S;
  bool lower = job->low_s || job->target.format == SIG_LOW_S || from_low;
  bool made_low = reason == SIGMILL_OK && lower && sigmill_p256_sig_normalize(sig);
  if (made_low && from_low) {
    reason = SIGMILL_ERR_SIG_HIGH_S;
  }
  if (reason != SIGMILL_OK) {
    report(reason, job->sig.hex != NULL ? "--sig-hex" : path_shown(job->sig.path), "%s",
           reason_text(reason));
    return CLI_INVALID;
  }
  sig_put(&out, sig, job->target.format);
  json_open(&json, NULL);
  json_string(&json, "command", "convert");
  json_bool(&json, "made_low", made_low);
  int code = sig_deliver(&out, &job->target, &json);
  buffer_wipe(&json);
  buffer_wipe(&out);
  return code;
}

/* Writes what was appended to out; a private key is not shown by --json. */
static int put_key(const convert_job *job, buffer *out, bool filled, bool secret) {
  if (!filled) {
    return option_wrong(&job->args, "--to %s cannot hold a %s key", job->to,
                        secret ? "private" : "public");
  }
  bool ok = file_write(job->target.path, out, secret, !secret || job->force);
  buffer_wipe(out);
  if (ok && report_json()) {
    json_open(out, NULL);
    json_string(out, "command", "convert");
    json_string(out, "format", job->to);
    json_bool(out, "private", secret);
    json_string(out, "out", job->target.path);
    json_close(out);
    buffer_text(out, "\n");
    ok = stdout_put(out);
  }
  return ok ? CLI_VALID : CLI_TROUBLE;
}

static int convert_key(convert_job *job) {
  buffer out = {0};
  key_facts facts;
  key_out as_private = key_out_from_name(job->to, true);
  key_out as_public = key_out_from_name(job->to, false);
  if (as_public == KEY_OUT_NONE) {
    return option_wrong(&job->args,
                        "--to cannot be \"%s\": a key is written as pem, der, pkcs8, ec, "
                        "ec-pem, spki, jwk, cose, compressed, uncompressed, hex, "
                        "hex-uncompressed or raw",
                        job->to);
  }
  if (report_json() && path_is_standard(job->target.path)) {
    return option_wrong(&job->args, "with --json the key goes to a file; say --out");
  }
  sigmill_p256_keypair pair;
  sigmill_p256_pubkey key;
  if (!key_load_any(&pair, &key, &facts, &job->key)) {
    return CLI_TROUBLE;
  }
  bool secret = facts.private_file && !job->public_half;
  if (secret && !key_out_is_private(as_private)) {
    sigmill_p256_keypair_wipe(&pair);
    return option_wrong(&job->args,
                        "--to %s holds no private key; --public writes the public half",
                        job->to);
  }
  bool filled = secret ? key_put_pair(&out, &pair, as_private)
                       : key_put_public(&out, &key, as_public);
  sigmill_p256_keypair_wipe(&pair);
  return put_key(job, &out, filled, secret);
}

int command_convert(int argc, char **argv) {
  convert_job job = {0};
  if (!option_take_all(&job.args, &convert_help, argc, argv, convert_take, &job)) {
    return job.args.exit_code;
  }
  if (job.what == NULL || job.to == NULL) {
    return option_wrong(&job.args, "say what (sig or key) and --to");
  }
  if (strcmp(job.what, "sig") != 0 && strcmp(job.what, "key") != 0) {
    return option_wrong(&job.args, "the first operand must be sig or key, not %s",
                        job.what);
  }
  if (job.sig.hex != NULL && job.sig.path != NULL) {
    return option_wrong(&job.args, "--sig-hex and a FILE are one too many");
  }
  return strcmp(job.what, "sig") == 0 ? convert_sig(&job) : convert_key(&job);
}
