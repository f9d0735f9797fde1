/* sigmill keygen and sigmill pubkey: keys made and shown. */
#include "commands.h"
#include "files.h"
#include "keyfile.h"
#include "options.h"
#include "output.h"
#include "reason.h"
#include <unistd.h>

enum { FORMAT = 2, OUT, FORCE, SECRET_FILE, PUBLIC_OUT };

#define PRIVATE_FORMATS                                                                  \
  "pem (PKCS#8, default), der or pkcs8, ec-pem and ec (ECPrivateKey, as openssl ec "     \
  "writes\n"                                                                             \
  "it), jwk, hex (64 digits) or raw (32 bytes)."
#define PUBLIC_FORMATS                                                                   \
  "pem (default), der or spki, jwk, cose, compressed (33 bytes), uncompressed (65 "      \
  "bytes),\n"                                                                            \
  "hex (66 digits) or hex-uncompressed (130 digits)."

/* ---------------------------------------------------------------- keygen */

static const option keygen_options[] = {
    {FORMAT, "format", "FORMAT", PRIVATE_FORMATS},
    {OUT, "out", "FILE",
     "Where the private key goes, with mode 0600; standard output if not given."},
    {FORCE, "force", NULL,
     "Replace files that are there, of either half; otherwise they are left alone."},
    {PUBLIC_OUT, "public-out", "FILE", "The public key too, as PEM."},
    {SECRET_FILE, "secret-file", "FILE",
     "Take this secret (32 bytes, or 64 hexadecimal digits) instead of a fresh one."},
    {0, NULL, NULL, NULL},
};

static const command_help keygen_help = {
    .name = "keygen",
    .summary = "make a P-256 key pair",
    .synopsis = "[OPTION]...",
    .options = keygen_options,
    .notes = "A fresh secret comes from the operating system's generator, by rejection\n"
             "(FIPS 186-5, A.2.2), and is never shown by --json.\n"
             "Exit code: 0 made, 2 when something could not be read or written.\n",
    .examples = "  sigmill keygen --out key.pem --public-out pub.pem\n"
                "  sigmill keygen --format jwk --out key.jwk\n"
                "  sigmill keygen --secret-file d.bin --format ec-pem\n",
};

typedef struct {
  option_reader args;
  key_source secret;
  key_out format;
  const char *out, *public_out;
  bool force;
} keygen_job;

static bool keygen_take(void *context, int id) {
  keygen_job *job = context;
  const char *value = job->args.value;
  switch (id) {
  case FORMAT:
    job->format = key_out_from_name(value, true);
    return job->format != KEY_OUT_NONE;
  case OUT:
    job->out = value;
    return true;
  case FORCE:
    job->force = true;
    return true;
  case PUBLIC_OUT:
    job->public_out = value;
    return true;
  case SECRET_FILE:
    job->secret.path = value;
    return true;
  default:
    return false;
  }
}

static bool keygen_report(const keygen_job *job, const sigmill_p256_pubkey *key) {
  uint8_t point[33];
  buffer text = {0};
  sigmill_p256_pubkey_serialize33(point, key);
  json_open(&text, NULL);
  json_string(&text, "command", "keygen");
  json_string(&text, "curve", "P-256");
  json_hex(&text, "public_key", point, sizeof point);
  json_string(&text, "out", job->out);
  json_string(&text, "public_out", job->public_out);
  json_string(&text, "source", job->secret.path != NULL ? "given" : "fresh");
  json_close(&text);
  buffer_text(&text, "\n");
  return stdout_put(&text);
}

static int keygen_write(const keygen_job *job, const sigmill_p256_keypair *pair) {
  sigmill_p256_pubkey key;
  buffer contents[2] = {{0}, {0}};
  sigmill_p256_keypair_public(&key, pair);
  if (!key_put_pair(&contents[0], pair, job->format)) {
    return option_wrong(&job->args, "that format cannot hold a private key");
  }
  output outputs[] = {{.path = job->out, .secret = true, .force = job->force},
                      {.path = job->public_out, .force = job->force}};
  key_put_public(&contents[1], &key, KEY_OUT_PEM);
  bool ok = outputs_put(outputs, contents, job->public_out != NULL ? 2 : 1);
  buffer_wipe(&contents[0]);
  buffer_wipe(&contents[1]);
  if (ok && report_json()) {
    ok = keygen_report(job, &key);
  }
  return ok ? CLI_VALID : CLI_TROUBLE;
}

int command_keygen(int argc, char **argv) {
  keygen_job job = {.format = KEY_OUT_PEM};
  sigmill_p256_keypair pair;
  key_facts facts;
  if (!option_take_all(&job.args, &keygen_help, argc, argv, keygen_take, &job)) {
    return job.args.exit_code;
  }
  if (report_json() && path_is_standard(job.out)) {
    return option_wrong(&job.args, "with --json the key goes to a file; say --out");
  }
  if (report_json() && job.public_out != NULL && path_is_standard(job.public_out)) {
    return option_wrong(&job.args, "with --json the public key goes to a file");
  }
  if (job.secret.path == NULL) {
    sigmill_status status = sigmill_p256_keypair_generate(&pair);
    if (status != SIGMILL_OK) {
      return report((int)status, NULL, "%s", reason_text((int)status));
    }
  } else if (!key_load_pair(&pair, &facts, &job.secret)) {
    return CLI_TROUBLE;
  }
  int code = keygen_write(&job, &pair);
  sigmill_p256_keypair_wipe(&pair);
  return code;
}

/* ---------------------------------------------------------------- pubkey */

static const option pubkey_options[] = {
    KEY_PUBLIC_OPTIONS,
    {FORMAT, "format", "FORMAT", PUBLIC_FORMATS},
    {OUT, "out", "FILE", "Where it goes; standard output if not given."},
    {0, NULL, NULL, NULL},
};

static const command_help pubkey_help = {
    .name = "pubkey",
    .summary = "the public key of any key file, in any format",
    .synopsis = "[OPTION]... [FILE]",
    .options = pubkey_options,
    .notes = "FILE is a public or private key; \"-\" or nothing is standard input.  A "
             "private\n"
             "key may also be its secret alone, 32 bytes or 64 digits, with --key-format "
             "raw.\n"
             "Exit code: 0 shown, 2 when something could not be read or written.\n",
    .examples = "  sigmill pubkey key.pem\n"
                "  sigmill pubkey --format jwk --out key.jwk pub.der\n"
                "  sigmill pubkey --format hex --passin env:PASS sealed.pem\n"
                "  sigmill pubkey --key-format cose --cose-prefix --json attested.bin\n",
};

typedef struct {
  option_reader args;
  key_source source;
  key_out format;
  const char *out;
} pubkey_job;

static int pubkey_show(const pubkey_job *job, const sigmill_p256_pubkey *key,
                       const key_facts *facts) {
  buffer out = {0};
  bool to_file = !path_is_standard(job->out);
  bool tell_length = job->source.cose_prefix && facts->format == KEY_COSE;
  bool ok = true;
  if (!report_json() || to_file) {
    ok =
        key_put_public(&out, key, job->format) && file_write(job->out, &out, false, true);
    buffer_wipe(&out);
  }
  if (ok && report_json()) {
    uint8_t point[65];
    char text[SIGMILL_P256_PEM_SIZE + 1];
    json_open(&out, NULL);
    json_string(&out, "command", "pubkey");
    json_string(&out, "curve", "P-256");
    sigmill_p256_pubkey_serialize33(point, key);
    json_hex(&out, "compressed", point, 33);
    sigmill_p256_pubkey_serialize65(point, key);
    json_hex(&out, "uncompressed", point, 65);
    sigmill_p256_pubkey_to_pem(text, key);
    json_string(&out, "pem", text);
    json_name(&out, "jwk");
    sigmill_p256_pubkey_to_jwk(text, key);
    buffer_text(&out, text);
    json_string(&out, "read_as", key_format_name(facts->format));
    json_bool(&out, "private", facts->private_file);
    if (tell_length) {
      json_u64(&out, "cose_length", facts->cose_used);
    }
    json_close(&out);
    buffer_text(&out, "\n");
    ok = stdout_put(&out);
  } else if (ok && tell_length) {
    buffer_format(&out, "sigmill pubkey: %s: the key is the first %zu bytes\n",
                  path_shown(job->source.path), facts->cose_used);
    ok = write_all(STDERR_FILENO, out.data, out.len) == 0;
    buffer_wipe(&out);
  }
  return ok ? CLI_VALID : CLI_TROUBLE;
}

static bool pubkey_take(void *context, int id) {
  pubkey_job *job = context;
  const char *value = job->args.value;
  switch (id) {
  case FORMAT:
    job->format = key_out_from_name(value, false);
    return key_out_is_public(job->format);
  case OUT:
    job->out = value;
    return true;
  case OPTION_OPERAND: {
    bool first = job->source.path == NULL;
    job->source.path = value;
    return first;
  }
  default:
    return key_option(&job->source, id, value);
  }
}

int command_pubkey(int argc, char **argv) {
  pubkey_job job = {.format = KEY_OUT_PEM};
  sigmill_p256_pubkey key;
  key_facts facts;
  if (!option_take_all(&job.args, &pubkey_help, argc, argv, pubkey_take, &job)) {
    return job.args.exit_code;
  }
  return key_load_public(&key, &facts, &job.source) ? pubkey_show(&job, &key, &facts)
                                                    : CLI_TROUBLE;
}
