/* sigmill sign: a signature of a file, a digest or a token's payload. */
#include "armor.h"
#include "commands.h"
#include "files.h"
#include "keyfile.h"
#include "options.h"
#include "reason.h"
#include "signature.h"
#include <string.h>

enum { FORMAT = 2, HEDGED, OUT, ENCODING, KID, TYP };

static const option options[] = {
    KEY_PRIVATE_OPTION,
    KEY_FORMAT_OPTION,
    KEY_PASSIN_OPTION,
    {FORMAT, "format", "FORMAT",
     "der (default, as openssl dgst), raw, low-s, recoverable, compressed-r, full-r, or "
     "jws\n"
     "(FILE is the payload of an ES256 token)."},
    MESSAGE_OPTIONS,
    {HEDGED, "hedged", NULL,
     "Mix fresh randomness into the nonce (RFC 6979, 3.6); otherwise it is "
     "deterministic."},
    {OUT, "out", "FILE", "Where the signature goes; standard output if not given."},
    {ENCODING, "sig-encoding", "ENCODING",
     "binary (default, but hex on a terminal), hex or base64; a token is text always."},
    {KID, "kid", "TEXT", "Key id in the token's header."},
    {TYP, "typ", "TEXT", "Type in the token's header, such as JWT."},
    {0, NULL, NULL, NULL},
};

static const command_help help = {
    .name = "sign",
    .summary = "sign a message, a digest or a token",
    .synopsis = "--key FILE [OPTION]... [FILE]",
    .options = options,
    .notes = "FILE is the message, of any size; \"-\" or nothing is standard input.  "
             "Nonces follow\n"
             "RFC 6979 with the digest that was named, for a given digest with the one "
             "of its\n"
             "length.  Signing runs in constant time in the secret.\n"
             "Exit code: 0 signed, 2 when something could not be read or written.\n",
    .examples =
        "  sigmill sign --key key.pem --out msg.sig msg\n"
        "  openssl dgst -sha256 -verify pub.pem -signature msg.sig msg\n"
        "  sigmill sign --key key.pem --format recoverable --sig-encoding hex msg\n"
        "  sigmill sign --key key.jwk --format jws --typ JWT claims.json > token.jwt\n"
        "  sigmill sign --key key.pem --prehashed=9f86d081... --out digest.sig\n",
};

typedef struct {
  option_reader args;
  key_source key;
  message_source message;
  sig_target target;
  bool hedged;
  const char *kid, *typ;
} sign_job;

static bool take(void *context, int id) {
  sign_job *job = context;
  const char *value = job->args.value;
  switch (id) {
  case FORMAT:
    job->target.format = sig_format_from_name(value, strlen(value));
    return job->target.format != SIG_UNNAMED;
  case HEDGED:
    job->hedged = true;
    return true;
  case OUT:
    job->target.path = value;
    return true;
  case ENCODING:
    return sig_encoding_from_name(&job->target.encoding, value);
  case KID:
    job->kid = value;
    return true;
  case TYP:
    job->typ = value;
    return true;
  default:
    return message_option(&job->message, id, value) || key_option(&job->key, id, value);
  }
}

static int check(const sign_job *job) {
  const option_reader *args = &job->args;
  bool token = job->target.format == SIG_JWS;
  if (job->key.path == NULL) {
    return option_wrong(args, "--key is missing");
  }
  if (token && (job->message.prehashed || job->message.hash > SIGMILL_SHA256)) {
    return option_wrong(args,
                        "ES256 tokens are signed over sha256 of the payload's text");
  }
  if (!token && (job->kid != NULL || job->typ != NULL)) {
    return option_wrong(args, "--kid and --typ go with --format jws");
  }
  if (job->message.digest_hex != NULL && job->message.path != NULL) {
    return option_wrong(args, "--prehashed=HEX and a FILE are one too many");
  }
  bool message_on_stdin =
      job->message.digest_hex == NULL && path_is_standard(job->message.path);
  if (path_is_standard(job->key.path) && message_on_stdin) {
    return option_wrong(args, "only one file can be standard input");
  }
  return CLI_VALID;
}

/* r || s; or, for a format with R, the whole of it. */
static sigmill_status make(uint8_t sig[SIG_SIZE_MAX], const sign_job *job,
                           const uint8_t *digest, size_t digest_len,
                           const sigmill_p256_keypair *pair) {
  uint8_t plain[64], digest32[32];
  sigmill_status status;
  sigmill_p256_digest32(digest32, digest, digest_len);
  if (job->hedged) {
    status = sigmill_p256_sign_hedged(plain, digest32, pair, NULL);
  } else if (job->message.hash != 0) {
    status = sigmill_p256_sign_digest(plain, digest, job->message.hash, pair);
  } else {
    status = sigmill_p256_sign(plain, digest32, pair);
  }
  if (status == SIGMILL_OK && sig_format_has_hint(job->target.format)) {
    sigmill_p256_pubkey public_key;
    sigmill_p256_keypair_public(&public_key, pair);
    return sigmill_p256_hint(sig, sig_format_inside(job->target.format, false), plain,
                             digest32, &public_key);
  }
  memcpy(sig, plain, sizeof plain);
  return status;
}

/* The signing input of a token: header.payload in base64url. */
static bool put_signing_input(buffer *out, const sign_job *job) {
  buffer header = {0}, payload;
  json_open(&header, NULL);
  json_string(&header, "alg", "ES256");
  if (job->typ != NULL) {
    json_string(&header, "typ", job->typ);
  }
  if (job->kid != NULL) {
    json_string(&header, "kid", job->kid);
  }
  json_close(&header);
  bool ok = file_read(&payload, job->message.path, PAYLOAD_FILE_MAX, "payload");
  if (ok) {
    base64url_put(out, header.data, header.len);
    buffer_text(out, ".");
    base64url_put(out, payload.data, payload.len);
    out->failed = out->failed || header.failed;
    buffer_wipe(&payload);
  }
  buffer_wipe(&header);
  if (ok && out->len > SIGMILL_JWS_MAX - 87) {
    report(SIGMILL_ERR_TOO_LONG, path_shown(job->message.path),
           "the token would be longer than %d bytes", SIGMILL_JWS_MAX);
    ok = false;
  }
  return ok;
}

static void begin_json(buffer *out, const sign_job *job) {
  json_open(out, NULL);
  json_string(out, "command", "sign");
  json_string(out, "digest", hash_name(job->message.hash));
  json_bool(out, "prehashed", job->message.prehashed);
  json_string(out, "nonce", job->hedged ? "hedged" : "rfc6979");
  json_string(out, "backend", sigmill_backend_name());
}

static int sign_with(sign_job *job, const sigmill_p256_keypair *pair) {
  buffer wire = {0};
  uint8_t digest[64], sig[SIG_SIZE_MAX];
  size_t digest_len = 32;
  bool token = job->target.format == SIG_JWS;
  if (token) {
    job->message.hash = SIGMILL_SHA256;
    if (!put_signing_input(&wire, job)) {
      buffer_wipe(&wire);
      return CLI_TROUBLE;
    }
    sigmill_sha256(digest, wire.data, wire.len);
  } else if (!message_digest(digest, &digest_len, &job->message)) {
    return CLI_TROUBLE;
  }
  sigmill_status status = make(sig, job, digest, digest_len, pair);
  int code = CLI_TROUBLE;
  if (status != SIGMILL_OK) {
    report((int)status, NULL, "cannot sign: %s", reason_text((int)status));
  } else {
    if (token) {
      buffer_text(&wire, ".");
      base64url_put(&wire, sig, 64);
    } else if (sig_format_has_hint(job->target.format)) {
      buffer_put(&wire, sig, sig_format_size(job->target.format));
    } else {
      sig_put(&wire, sig, job->target.format);
    }
    buffer json = {0};
    begin_json(&json, job);
    code = sig_deliver(&wire, &job->target, &json);
    buffer_wipe(&json);
  }
  buffer_wipe(&wire);
  return code;
}

int command_sign(int argc, char **argv) {
  sign_job job = {.target.format = SIG_DER};
  sigmill_p256_keypair pair;
  key_facts facts;
  if (!option_take_all(&job.args, &help, argc, argv, take, &job)) {
    return job.args.exit_code;
  }
  if (check(&job) != CLI_VALID || !key_load_pair(&pair, &facts, &job.key)) {
    return CLI_TROUBLE;
  }
  int code = sign_with(&job, &pair);
  sigmill_p256_keypair_wipe(&pair);
  return code;
}
