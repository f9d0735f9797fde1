/* sigmill: elliptic-curve signature verification.
 *
 * P-256 ECDSA (SEC 1, FIPS 186-5).  Rules that hold throughout:
 *
 *  - A function that answers a yes/no question returns bool, true only for yes.  Every
 *    other function that can fail returns sigmill_status; on failure its outputs are all
 *    zero.
 *  - Arguments: outputs first, then inputs, then counts; a length follows its array.
 *    Integers in byte strings are big-endian.  Inputs need no alignment.  Outputs may
 *    overlap neither inputs nor each other unless a comment says so.
 *  - Pointers must not be NULL unless a comment says so.  Functions that return
 *    sigmill_status answer a NULL with ARGUMENT, those that verify and those over many
 *    items with false, the others do not look.  Outputs that are there, verdicts among
 *    them, are all zero then.
 *  - The errors listed with a function leave ARGUMENT for a NULL out.
 *  - Nothing allocates but sigmill_p256_prepared_create, sigmill_verifier_create,
 *    sigmill_p256_stream_create, sigmill_keycache_create and sigmill_threads_create,
 * which also is the only one to start threads.  The last two have forks counted, by a
 * handler of pthread_atfork, to know a process that was made by fork from its parent.
 *  - No signal handlers, no global error state.  One environment variable is read, once:
 *    SIGMILL_BACKEND.
 *  - const objects may be shared between threads, and so may a sigmill_keycache; a
 *    sigmill_verifier belongs to one thread at a time.
 *  - "Constant time" means: no branch and no memory address depends on a secret.
 *    "Variable time" is for public data.  Where neither is said, values are only
 *    copied.
 *  - Costs are classes, 1, 2 or 5 times a power of ten, on one core of a server processor
 *    of 2024 (AMD Zen 5) with the backend x86-64; portable and portable32 take two to
 *    four times as long.  Calls over many items also have the cost of an item in batches
 *    of 1000 with the backend avx512ifma ("in lanes").  `sigmill speed` measures them.
 *  - Stack: calls over many items, sigmill_p256_prepared_create, sigmill_selftest, and
 *    the call that settles the choice of a backend (the first operation of all, or
 *    sigmill_backend_name before it) take up to 192 KB, others up to 32 KB.  Some systems
 *    give a thread no more than 128 KB unless asked.  Code that is not optimised (CMake's
 *    build type Debug) takes up to 512 KB, with sanitizers more.
 */
#ifndef SIGMILL_H
#define SIGMILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIGMILL_VERSION_MAJOR 0
#define SIGMILL_VERSION_MINOR 1
#define SIGMILL_VERSION_PATCH 0

#if defined(__GNUC__)
#define SIGMILL_API __attribute__((visibility("default")))
#else
#define SIGMILL_API
#endif

#if defined(__GNUC__)
#define SIGMILL_MUST_CHECK __attribute__((warn_unused_result))
#else
#define SIGMILL_MUST_CHECK
#endif

/* ---------------------------------------------------------------- status */

/* Every way in which something can be refused.  Values are stable. */
typedef enum {
  SIGMILL_OK = 0,

  /* the call */
  SIGMILL_ERR_ARGUMENT = 1, /* a NULL pointer, an unknown enumerator or option */
  SIGMILL_ERR_MEMORY = 2,   /* allocation failed */
  SIGMILL_ERR_RANDOM = 3,   /* the source of randomness failed */
  SIGMILL_ERR_BACKEND = 4,  /* no such backend, not usable on this machine, or too late */

  /* a key */
  SIGMILL_ERR_KEY_LENGTH = 10, /* no SEC1 point has this length */
  SIGMILL_ERR_KEY_PREFIX = 11, /* first byte is not 02, 03 (33 bytes) or 04 (65 bytes) */
  SIGMILL_ERR_KEY_RANGE = 12,  /* a coordinate is not below p */
  SIGMILL_ERR_KEY_POINT = 13,  /* not on the curve, or the wrong parity (hybrid) */
  SIGMILL_ERR_KEY_SECRET = 14, /* the secret is 0 or not below n */
  SIGMILL_ERR_KEY_MISMATCH = 15, /* the public half is not the secret's */
  SIGMILL_ERR_KEY_UNSET = 16,    /* an all-zero key struct */

  /* a signature: the first rule that it broke */
  SIGMILL_ERR_SIG_R = 20,        /* r is 0 or not below n */
  SIGMILL_ERR_SIG_S = 21,        /* s is 0 or not below n */
  SIGMILL_ERR_SIG_HIGH_S = 22,   /* s is above (n-1)/2 in a format that requires low s */
  SIGMILL_ERR_SIG_RECID = 23,    /* recovery id is not 0..3, or prefix is not 02 or 03 */
  SIGMILL_ERR_SIG_POINT = 24,    /* the hinted R is not on the curve, or not canonical */
  SIGMILL_ERR_SIG_EQUATION = 25, /* not this key's signature of this digest */
  SIGMILL_ERR_SIG_LENGTH = 26,   /* not the length of its format */

  /* an encoding */
  SIGMILL_ERR_TOO_LONG = 30,    /* longer than any input of this kind may be */
  SIGMILL_ERR_TRUNCATED = 31,   /* ends before it is complete */
  SIGMILL_ERR_TRAILING = 32,    /* bytes after its end */
  SIGMILL_ERR_DER_TAG = 33,     /* another DER type than the one wanted here */
  SIGMILL_ERR_DER_LENGTH = 34,  /* a length that is not the shortest, or does not fit */
  SIGMILL_ERR_DER_INTEGER = 35, /* an integer: empty, negative, padded or too wide */
  SIGMILL_ERR_DER_VALUE = 36,   /* another value than the one wanted here */
  SIGMILL_ERR_ALGORITHM = 37,   /* not an elliptic-curve key, or not ES256 */
  SIGMILL_ERR_CURVE = 38,       /* not P-256, or explicit curve parameters */
  SIGMILL_ERR_PEM = 39, /* no PEM block, or its lines, label or base64 are broken */
  SIGMILL_ERR_PEM_BLOCKS = 40,        /* more than one key in a PEM file */
  SIGMILL_ERR_BASE64 = 41,            /* not strict base64url without padding */
  SIGMILL_ERR_UTF8 = 42,              /* not UTF-8 */
  SIGMILL_ERR_JSON = 43,              /* not JSON, or not an object */
  SIGMILL_ERR_MEMBER_MISSING = 44,    /* a JSON member or COSE label that must be there */
  SIGMILL_ERR_MEMBER_DUPLICATE = 45,  /* a member or label twice, known or not */
  SIGMILL_ERR_MEMBER_TYPE = 46,       /* a known member or label of another type */
  SIGMILL_ERR_COORDINATE_LENGTH = 47, /* a coordinate or secret that is not 32 bytes */
  SIGMILL_ERR_CBOR = 48,              /* broken or indefinite CBOR, or not a map */
  SIGMILL_ERR_CRITICAL = 49,  /* a JWS header that demands an extension ("crit", "b64") */
  SIGMILL_ERR_JWS_PARTS = 50, /* not three parts separated by dots */
  SIGMILL_ERR_JWS_DER = 51,   /* a JWS signature in DER; RFC 7518 wants 64 raw bytes */
  SIGMILL_ERR_ENCRYPTED = 52  /* an encrypted key, which this call cannot open */
} sigmill_status;

/* What a status means: one English sentence without a full stop, never NULL.  Static. */
SIGMILL_API const char *sigmill_strerror(sigmill_status status);

/* ---------------------------------------------------------------- hashing */

typedef enum {
  SIGMILL_SHA256 = 1,
  SIGMILL_SHA384 = 2,
  SIGMILL_SHA512 = 3
} sigmill_hash_id;

/* A hash under way; copyable, so that a common prefix is hashed once.  Hashing runs in
 * constant time in the data (their length is public); SHA-256 takes 0.5 us for 1 KB. */
typedef struct {
  uint64_t sigmill_private[28];
} sigmill_hash;

/* Starts SHA-256, SHA-384 or SHA-512 (FIPS 180-4).  Errors: ARGUMENT for another id. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_hash_init(sigmill_hash *out,
                                                                sigmill_hash_id hash);
/* Takes len more bytes; data may be NULL if len is 0.  Does nothing to a hash that was
 * never started. */
SIGMILL_API void sigmill_hash_update(sigmill_hash *ctx, const void *data, size_t len);
/* Writes the digest (32, 48 or 64 bytes; no more of out), returns its size and wipes ctx,
 * which then has to be started again.  Returns 0 for a hash that was never started. */
SIGMILL_API size_t sigmill_hash_final(uint8_t out[64], sigmill_hash *ctx);
/* SHA-256 in one call; data may be NULL if len is 0. */
SIGMILL_API void sigmill_sha256(uint8_t out[32], const void *data, size_t len);

/* ---------------------------------------------------------------- P-256 keys */

/* A checked public key.  Copyable; all zero means unset and verifies nothing.  Only the
 * functions below make one. */
typedef struct {
  uint64_t sigmill_private[10];
} sigmill_p256_pubkey;

/* A secret and its public key.  Copyable; wipe with sigmill_p256_keypair_wipe. */
typedef struct {
  uint64_t sigmill_private[16];
} sigmill_p256_keypair;

/* Reads a SEC1 point (SEC 1, 2.3.4): 33 bytes 02/03 || x, or 65 bytes 04 || x || y.
 * Coordinates must be below p and on the curve.  Variable time; 2 us for 33 bytes,
 * 0.05 us for 65.  Errors: KEY_LENGTH, KEY_PREFIX, KEY_RANGE, KEY_POINT. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_pubkey_parse(sigmill_p256_pubkey *out, const uint8_t *sec1, size_t sec1_len);
/* The same, and also the hybrid form 06/07 || x || y (X9.62) with y of that parity. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_pubkey_parse_hybrid(
    sigmill_p256_pubkey *out, const uint8_t *sec1, size_t sec1_len);
/* Writes 02/03 || x (SEC 1, 2.3.3).  All zero for an unset key. */
SIGMILL_API void sigmill_p256_pubkey_serialize33(uint8_t out[33],
                                                 const sigmill_p256_pubkey *key);
/* Writes 04 || x || y (SEC 1, 2.3.3).  All zero for an unset key. */
SIGMILL_API void sigmill_p256_pubkey_serialize65(uint8_t out[65],
                                                 const sigmill_p256_pubkey *key);
/* True if both are set and the same point.  Variable time. */
SIGMILL_API SIGMILL_MUST_CHECK bool
sigmill_p256_pubkey_equal(const sigmill_p256_pubkey *a, const sigmill_p256_pubkey *b);
/* sigmill_p256_pubkey_parse for n keys of 33 bytes.  verdicts[i] is 1 if out[i] was made,
 * else 0 and out[i] all zero.  True if n > 0 and all were made.  Variable time; 2 us a
 * key, 0.5 us in lanes. */
SIGMILL_API SIGMILL_MUST_CHECK bool
sigmill_p256_pubkey_parse_batch(sigmill_p256_pubkey *out, uint8_t *verdicts,
                                const uint8_t (*compressed)[33], size_t n);

/* A key pair from a 32-byte secret in 1..n-1 (SEC 1, 3.2.1).  Constant time in the
 * secret; 5 us.  Errors: KEY_SECRET. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_keypair_from_secret(sigmill_p256_keypair *out, const uint8_t secret[32]);
/* The same n times.  verdicts[i] is 1 if out[i] was made, else 0 and out[i] all zero.
 * True if n > 0 and all were made.  Constant time but for the verdicts; 5 us a pair, 1 us
 * in lanes. */
SIGMILL_API SIGMILL_MUST_CHECK bool
sigmill_p256_keypair_batch(sigmill_p256_keypair *out, uint8_t *verdicts,
                           const uint8_t (*secrets)[32], size_t n);
/* A fresh key pair from the operating system's randomness (FIPS 186-5, A.2.2: rejection).
 * Constant time in the secret; 5 us.  Errors: RANDOM. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_keypair_generate(sigmill_p256_keypair *out);
/* Copies the public half; unset if the pair is. */
SIGMILL_API void sigmill_p256_keypair_public(sigmill_p256_pubkey *out,
                                             const sigmill_p256_keypair *key);
/* Writes the secret; all zero for an unset pair.  Constant time. */
SIGMILL_API void sigmill_p256_keypair_secret(uint8_t out[32],
                                             const sigmill_p256_keypair *key);
/* Overwrites a key pair with zeros, which the compiler does not drop. */
SIGMILL_API void sigmill_p256_keypair_wipe(sigmill_p256_keypair *key);

/* ---------------------------------------------------------------- ECDSA over P-256 */

/* How a signature is laid out.  The format carries the low-s rule, so that single and
 * batch verification cannot differ.  Beware: a first byte of 02 or 03 is a recovery id in
 * one 65-byte form and a compressed point in the other; a format is never guessed. */
typedef enum {
  SIGMILL_P256_SIG64 = 1,          /* r || s, any s in 1..n-1 */
  SIGMILL_P256_RECOVERABLE65 = 2,  /* recid || r || s, low s; SEC 1, 4.1.6:
                                      recid = (R.y odd) + 2 (R.x = r + n), 0..3 */
  SIGMILL_P256_COMPRESSED_R65 = 3, /* 02/03 || R.x || s, low s */
  SIGMILL_P256_FULL_R96 = 4,       /* R.x || R.y || s, low s */
  SIGMILL_P256_SIG64_LOW_S = 5     /* r || s, low s */
} sigmill_p256_format;

/* The bytes of a signature: 64, 65 or 96; 0 for an unknown format. */
SIGMILL_API size_t sigmill_p256_format_size(sigmill_p256_format format);

/* The digest as ECDSA takes it (FIPS 186-5, 6.4.1): the leftmost 32 bytes of a longer
 * one; a shorter one is the integer it spells, zeros put in front.  digest may be NULL if
 * digest_len is 0. */
SIGMILL_API void sigmill_p256_digest32(uint8_t out[32], const uint8_t *digest,
                                       size_t digest_len);

/* Is sig this key's signature of this digest (FIPS 186-5, 6.4.2)?  s may be high.  False
 * for an unset key.  Variable time; 20 us. */
SIGMILL_API SIGMILL_MUST_CHECK bool sigmill_p256_verify(const uint8_t sig[64],
                                                        const uint8_t digest[32],
                                                        const sigmill_p256_pubkey *key);
/* The same for a signature of any format.  A hint that is not the signature's own R makes
 * it invalid, even where r and s alone would verify.  False for an unknown format.
 * Variable time; 20 us, with R known less than without. */
SIGMILL_API SIGMILL_MUST_CHECK bool
sigmill_p256_verify_as(const uint8_t *sig, sigmill_p256_format format,
                       const uint8_t digest[32], const sigmill_p256_pubkey *key);
/* Why: OK exactly when sigmill_p256_verify_as is true, at the same cost, else the first
 * rule broken, in this order: ARGUMENT (format), KEY_UNSET, SIG_RECID, SIG_R, SIG_S,
 * SIG_HIGH_S, SIG_POINT, SIG_EQUATION. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_explain(const uint8_t *sig, sigmill_p256_format format,
                     const uint8_t digest[32], const sigmill_p256_pubkey *key);

/* A key prepared for many single verifications, a token issuer's for instance, in 52 KB.
 * Threads may share one. */
typedef struct sigmill_p256_prepared sigmill_p256_prepared;

/* Prepares a key.  Settles the choice of a backend.  Variable time; 100 us, 50 us in
 * lanes.  Errors: ARGUMENT, KEY_UNSET, MEMORY. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_prepared_create(sigmill_p256_prepared **out, const sigmill_p256_pubkey *key);
/* Frees a prepared key; NULL is fine. */
SIGMILL_API void sigmill_p256_prepared_destroy(sigmill_p256_prepared *key);
/* sigmill_p256_verify with a prepared key; lanes take parts of one signature.  Variable
 * time; 10 us, 2 us in lanes. */
SIGMILL_API SIGMILL_MUST_CHECK bool
sigmill_p256_prepared_verify(const uint8_t sig[64], const uint8_t digest[32],
                             const sigmill_p256_prepared *key);
/* sigmill_p256_verify_as with a prepared key, from which formats with a hint gain
 * nothing. */
SIGMILL_API SIGMILL_MUST_CHECK bool
sigmill_p256_prepared_verify_as(const uint8_t *sig, sigmill_p256_format format,
                                const uint8_t digest[32],
                                const sigmill_p256_prepared *key);

/* Signs a SHA-256 digest (FIPS 186-5, 6.4.1) with the nonce of RFC 6979 (HMAC-SHA-256).
 * s is as it comes out, high or low.  Constant time in secret and digest; 5 us.  Errors:
 * KEY_UNSET. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_sign(
    uint8_t sig[64], const uint8_t digest[32], const sigmill_p256_keypair *key);
/* The same for a digest of the named hash (32, 48 or 64 bytes), which also is the hash of
 * the nonce's HMAC, as RFC 6979 has it.  10 us for SHA-384 and SHA-512.  Errors also:
 * ARGUMENT for another hash. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_sign_digest(uint8_t sig[64], const uint8_t *digest, sigmill_hash_id hash,
                         const sigmill_p256_keypair *key);
/* The same as sigmill_p256_sign with 32 extra bytes in the nonce's derivation (RFC 6979,
 * 3.6): fresh randomness there hedges against faults and side channels, and a poor
 * generator does no harm.  extra NULL: 32 bytes of the operating system's.  5 us.
 * Errors also: RANDOM. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_sign_hedged(uint8_t sig[64], const uint8_t digest[32],
                         const sigmill_p256_keypair *key, const uint8_t *extra);
/* Signs as sigmill_p256_sign, at its cost, makes s low, and puts the recovery id in
 * front: RECOVERABLE65.  Errors: KEY_UNSET. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_sign_recoverable(
    uint8_t sig[65], const uint8_t digest[32], const sigmill_p256_keypair *key);

/* The key that made a RECOVERABLE65 signature of this digest (SEC 1, 4.1.6).  Variable
 * time; 20 us.  Errors: SIG_RECID, SIG_R, SIG_S, SIG_HIGH_S, SIG_POINT, and SIG_EQUATION
 * if the key would be infinity. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_recover(
    sigmill_p256_pubkey *out, const uint8_t sig[65], const uint8_t digest[32]);

/* Makes s of r || s low, in place: n - s if s is above (n-1)/2.  True if it changed
 * something.  r and s out of range are left as they are.  Variable time. */
SIGMILL_API bool sigmill_p256_sig_normalize(uint8_t sig[64]);

/* Turns a valid 64-byte signature into RECOVERABLE65, COMPRESSED_R65 or FULL_R96: makes s
 * low, then derives R.  out has the format's size.  Variable time; 20 us.  Errors: those
 * of sigmill_p256_explain for SIG64 (a signature that does not verify gets no hint), and
 * ARGUMENT for a format without a hint (nothing is written for an unknown one). */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_hint(uint8_t *out, sigmill_p256_format format, const uint8_t sig[64],
                  const uint8_t digest[32], const sigmill_p256_pubkey *key);

/* The x coordinate of secret * peer (NIST SP 800-56A, 5.7.1.2).  Constant time in the
 * secret, not in the peer; 20 us.  Errors: KEY_UNSET, of either. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_ecdh(
    uint8_t out[32], const sigmill_p256_keypair *key, const sigmill_p256_pubkey *peer);

/* ---------------------------------------------------------------- DER signatures */

#define SIGMILL_P256_DER_MAX 72

/* Reads a strict DER ECDSA-Sig-Value (RFC 3279, 2.2.3): shortest lengths, nothing behind
 * it, no needless zero, none missing, no negative.  Errors: TOO_LONG, TRUNCATED,
 * TRAILING, DER_TAG, DER_LENGTH, DER_INTEGER, and SIG_R or SIG_S for integers that are
 * well formed but 0 or not below n.  Variable time; 0.02 us. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_sig_from_der(uint8_t sig[64], const uint8_t *der, size_t der_len);
/* The same; on failure *error_at (may be NULL) is the offset of the byte at fault, as for
 * keys in files below; 0 on success. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_sig_from_der_at(
    uint8_t sig[64], const uint8_t *der, size_t der_len, size_t *error_at);
/* Writes the DER form and returns its length, 8..72; the rest of der is zero.  r and s
 * are written as they are, whatever their range.  Variable time. */
SIGMILL_API size_t sigmill_p256_sig_to_der(uint8_t der[SIGMILL_P256_DER_MAX],
                                           const uint8_t sig[64]);

/* ---------------------------------------------------------------- keys in files
 *
 * Readers take the whole file and nothing more.  error_at (may be NULL) gets the offset
 * of the byte at fault, counted from the start of the input; 0 on success.
 *
 *   TOO_LONG                        the first byte too many
 *   TRUNCATED                       the end, where a byte is missing
 *   TRAILING                        the first byte after the end
 *   DER_TAG, DER_LENGTH             the tag, the first byte of the length
 *   DER_INTEGER, DER_VALUE          the first byte of the content
 *   ALGORITHM, CURVE                the value; where there is none, its place
 *   KEY_LENGTH, KEY_PREFIX          the first byte of the point
 *   KEY_RANGE, KEY_POINT            the coordinate; x of a point off the curve
 *   KEY_SECRET, KEY_MISMATCH        the secret; the public half
 *   BASE64, PEM, JSON, UTF8, CBOR   the character; the end, where one is missing
 *   MEMBER_MISSING, _DUPLICATE      the object or map; the second name
 *   MEMBER_TYPE, COORDINATE_LENGTH  the value
 *
 * Inside base64 (PEM, a JWS header) it is the character that holds the first bits of that
 * byte.
 *
 * Readers and writers run in variable time, but in constant time in secrets.  Keys of the
 * sizes below cost 0.1 us (DER, COSE) to 1 us (PEM, JWK) to read or write, and reading
 * costs the point or the pair on top (sigmill_p256_pubkey_parse,
 * sigmill_p256_keypair_from_secret); longer inputs cost in proportion.
 *
 * Inputs longer than these are refused at once, as TOO_LONG.  So are more than 1024
 * members of a JSON object or labels of a COSE_Key. */

#define SIGMILL_KEY_DER_MAX    4096    /* SPKI, PKCS#8, ECPrivateKey */
#define SIGMILL_KEY_TEXT_MAX   65536   /* PEM, JWK, COSE_Key */
#define SIGMILL_JWS_MAX        1048576 /* a JWS */
#define SIGMILL_JWS_HEADER_MAX 16384   /* its protected header, decoded */

#define SIGMILL_P256_SPKI_SIZE        91
#define SIGMILL_P256_PKCS8_SIZE       138
#define SIGMILL_P256_SEC1_SIZE        121
#define SIGMILL_P256_COSE_SIZE        77
#define SIGMILL_P256_JWK_SIZE         126 /* without the final NUL */
#define SIGMILL_P256_JWK_PRIVATE_SIZE 176 /* without the final NUL */
#define SIGMILL_P256_PEM_SIZE         178 /* PUBLIC KEY, without the final NUL */
#define SIGMILL_P256_PEM_PRIVATE_SIZE 241 /* PRIVATE KEY, without the final NUL */

/* DER SubjectPublicKeyInfo (RFC 5480): id-ecPublicKey with the named curve prime256v1
 * only; explicit parameters are refused before any arithmetic. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_pubkey_from_spki(
    sigmill_p256_pubkey *out, const uint8_t *der, size_t der_len, size_t *error_at);
/* The same with the hybrid point form allowed. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_pubkey_from_spki_hybrid(
    sigmill_p256_pubkey *out, const uint8_t *der, size_t der_len, size_t *error_at);
/* With the uncompressed point.  All zero for an unset key; so for all writers below. */
SIGMILL_API void sigmill_p256_pubkey_to_spki(uint8_t out[SIGMILL_P256_SPKI_SIZE],
                                             const sigmill_p256_pubkey *key);

/* A PEM file (RFC 7468) with exactly one PUBLIC KEY block and no other: LF or CRLF, lines
 * of any length, any text before and after, blanks where libcrypto takes them; no
 * encapsulated headers, no loose bits. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_pubkey_from_pem(
    sigmill_p256_pubkey *out, const char *pem, size_t pem_len, size_t *error_at);
/* A PUBLIC KEY block in lines of 64, a final newline and a NUL. */
SIGMILL_API void sigmill_p256_pubkey_to_pem(char out[SIGMILL_P256_PEM_SIZE + 1],
                                            const sigmill_p256_pubkey *key);

/* A JWK (RFC 7517, 7518 6.2): kty EC, crv P-256, x and y of exactly 32 bytes in strict
 * unpadded base64url; alg, if there, ES256; other members ignored, d too; no member
 * twice, known or not; a byte order mark in front skipped. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_pubkey_from_jwk(
    sigmill_p256_pubkey *out, const char *json, size_t json_len, size_t *error_at);
/* {"kty":"EC","crv":"P-256","x":"...","y":"..."} and a NUL. */
SIGMILL_API void sigmill_p256_pubkey_to_jwk(char out[SIGMILL_P256_JWK_SIZE + 1],
                                            const sigmill_p256_pubkey *key);

/* A COSE_Key (RFC 9052, 9053): kty 2, crv 1, x and y byte strings of 32; alg, if there,
 * -7; other integer and text labels ignored, d too, but not text that names one of these;
 * no label twice; definite lengths only. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_pubkey_from_cose(
    sigmill_p256_pubkey *out, const uint8_t *cose, size_t cose_len, size_t *error_at);
/* The same at the start of a longer input; *used gets the key's length, 0 on failure. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_pubkey_from_cose_prefix(
    sigmill_p256_pubkey *out, size_t *used, const uint8_t *cose, size_t cose_len,
    size_t *error_at);
/* With alg, in CTAP2's canonical order. */
SIGMILL_API void sigmill_p256_pubkey_to_cose(uint8_t out[SIGMILL_P256_COSE_SIZE],
                                             const sigmill_p256_pubkey *key);

/* DER PKCS#8 (RFC 5958), version 0, or 1 with a public key, holding an ECPrivateKey (RFC
 * 5915), unencrypted: ENCRYPTED otherwise.  A public half that is there must be the
 * secret's: KEY_MISMATCH. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_keypair_from_pkcs8(
    sigmill_p256_keypair *out, const uint8_t *der, size_t der_len, size_t *error_at);
/* Version 0, with the public half inside; what libcrypto writes. */
SIGMILL_API void sigmill_p256_keypair_to_pkcs8(uint8_t out[SIGMILL_P256_PKCS8_SIZE],
                                               const sigmill_p256_keypair *key);
/* DER ECPrivateKey (RFC 5915, SEC 1 C.4) with the parameters there: prime256v1. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_keypair_from_sec1(
    sigmill_p256_keypair *out, const uint8_t *der, size_t der_len, size_t *error_at);
/* With parameters and public half. */
SIGMILL_API void sigmill_p256_keypair_to_sec1(uint8_t out[SIGMILL_P256_SEC1_SIZE],
                                              const sigmill_p256_keypair *key);
/* A PEM file with exactly one PRIVATE KEY or EC PRIVATE KEY block; an EC PARAMETERS block
 * before the latter is skipped.  ENCRYPTED for encrypted ones. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_keypair_from_pem(
    sigmill_p256_keypair *out, const char *pem, size_t pem_len, size_t *error_at);
/* A PRIVATE KEY block (PKCS#8) in lines of 64, a final newline and a NUL. */
SIGMILL_API void sigmill_p256_keypair_to_pem(char out[SIGMILL_P256_PEM_PRIVATE_SIZE + 1],
                                             const sigmill_p256_keypair *key);
/* A private JWK: as a public one, with d of 32 bytes, whose public half must be x, y. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_keypair_from_jwk(
    sigmill_p256_keypair *out, const char *json, size_t json_len, size_t *error_at);
/* As the public one, with d behind y, and a NUL. */
SIGMILL_API void sigmill_p256_keypair_to_jwk(char out[SIGMILL_P256_JWK_PRIVATE_SIZE + 1],
                                             const sigmill_p256_keypair *key);

/* ---------------------------------------------------------------- tokens */

/* Verifies a JWS in compact serialization with alg ES256 (RFC 7515, 7518 3.4): OK, or the
 * first rule broken, in this order: KEY_UNSET, TOO_LONG, JWS_PARTS; of the header BASE64,
 * UTF8, JSON, MEMBER_DUPLICATE, CRITICAL, MEMBER_MISSING, MEMBER_TYPE, ALGORITHM; BASE64
 * of the payload and the signature; JWS_DER, SIG_LENGTH; SIG_R, SIG_S, SIG_EQUATION.  On
 * success *payload_at and *payload_len (may be NULL) tell where the payload's base64url
 * text stands in jws, on failure they are 0.  error_at as for keys in files.  Variable
 * time; the cost of sigmill_p256_verify and of hashing. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_jws_verify(size_t *payload_at, size_t *payload_len, const char *jws,
                        size_t jws_len, const sigmill_p256_pubkey *key, size_t *error_at);
/* The same, and s must be low: SIG_HIGH_S otherwise. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_jws_verify_low_s(
    size_t *payload_at, size_t *payload_len, const char *jws, size_t jws_len,
    const sigmill_p256_pubkey *key, size_t *error_at);

/* ---------------------------------------------------------------- batches */

/* What batches of verifications run on. */
typedef struct sigmill_verifier sigmill_verifier;

/* Runs body(arg, i) for every i < n, in any order and on any threads, and returns when
 * all are done.  Only batches of verifications go through one, 64 items a body, or more,
 * up to max_batch, where some have a hint: up to 64 items gain nothing from threads.
 * Batches that parse keys, make signatures, key pairs, shared secrets or hints run on the
 * caller's thread. */
typedef void (*sigmill_parallel_for)(void *ctx, size_t n,
                                     void (*body)(void *arg, size_t i), void *arg);

/* Public keys that come again: points that were read once, and for keys that come often
 * tables of 8 KB that make ordinary signatures cheap (in lanes).  Any number of verifiers
 * and threads may share one. */
typedef struct sigmill_keycache sigmill_keycache;

typedef struct {
  uint64_t hits;       /* keys that were there, counted for each item */
  uint64_t misses;     /* keys that had to be read, unreadable ones among them */
  uint64_t table_hits; /* items that could use a table */
  uint64_t tables_made, evicted_keys, evicted_tables;
  size_t keys, tables;     /* there now */
  size_t bytes, max_bytes; /* taken up by them, with the administration; allowed */
} sigmill_keycache_count;

/* The least that max_bytes may be; a key takes 96 bytes, its table 8.6 KB more. */
#define SIGMILL_KEYCACHE_MIN 16384

/* Creates a cache in max_bytes of memory, allocated here and never more: an eighth for
 * points, the rest for tables, and for points where there are no tables.  What is least
 * used goes first, and keys that come once do not drive out those that come again.
 * Settles the choice of a backend.  A process made by fork afterwards has nothing from
 * the cache, though its verifiers may keep it.  Errors: ARGUMENT for less than
 * SIGMILL_KEYCACHE_MIN, MEMORY, RANDOM (keys are hashed with a secret, so that nobody can
 * make them collide). */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_keycache_create(sigmill_keycache **out, size_t max_bytes);
/* Frees a cache, which no verifier may have any more; NULL is fine. */
SIGMILL_API void sigmill_keycache_destroy(sigmill_keycache *cache);
/* What has happened so far; from any thread. */
SIGMILL_API void sigmill_keycache_counts(sigmill_keycache_count *out,
                                         const sigmill_keycache *cache);

/* How signatures with a hint are verified.  Verdicts are the same. */
typedef enum {
  SIGMILL_PLAN_AUTO = 0,    /* whatever is cheapest */
  SIGMILL_PLAN_EACH = 1,    /* each by an equation of its own; without randomness */
  SIGMILL_PLAN_EQUATION = 2 /* first by a common equation, however few they are */
} sigmill_plan;

/* Whether coefficients of common equations depend, beside the randomness drawn, on a hash
 * of all that is verified, so that a weak source alone does not let a forgery pass. */
typedef enum {
  SIGMILL_HEDGING_DEFAULT = 0, /* on */
  SIGMILL_HEDGING_ON = 1,
  SIGMILL_HEDGING_OFF = 2
} sigmill_hedging;

/* The most that max_batch may be. */
#define SIGMILL_BATCH_MAX 16384

typedef struct {
  size_t struct_size;                /* sizeof(sigmill_verifier_options) */
  sigmill_parallel_for parallel_for; /* NULL: this thread alone; else for instance
                                        sigmill_parallel_for_threads */
  void *parallel_ctx;                /* then the sigmill_threads */
  unsigned concurrency; /* how many bodies parallel_for runs at once, at most 1024; 0: as
                           many as sigmill_parallel_for_threads has, for others as there
                           are processors for this process.  If more run than that, the
                           ones in excess verify each signature by itself. */
  unsigned max_latency_us; /* lowers max_batch, but not below 32, to as many as take about
                              so long one by one in lanes on a processor as costs are told
                              for; 0: does not.  No timer: a stream gives no verdict
                              before it is full or flushed */
  size_t max_batch; /* signatures with a hint in one equation; 0: 1024; below 32 counts as
                       32.  Memory: 0.9 MB and 1.3 KB for each, times concurrency */
  sigmill_keycache *keycache; /* NULL: keys are not remembered */
  sigmill_plan plan;
  sigmill_hedging hedging;
  /* The source of randomness, for instance where there is no operating system: fills out
   * with len bytes that nobody can foresee, or returns false.  Called by several bodies
   * at the same time.  NULL: the operating system's. */
  bool (*random)(void *ctx, uint8_t *out, size_t len);
  void *random_ctx;
} sigmill_verifier_options;

/* Threads that wait for work (POSIX threads). */
typedef struct sigmill_threads sigmill_threads;

/* Starts count - 1 threads, to which the caller of each loop comes as one more; count 0
 * means as many as the processors that the process may run on.  Signals are blocked in
 * them.  Errors: MEMORY, also for threads that the system does not give. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_threads_create(sigmill_threads **out, unsigned count);
/* How many take part in a loop, the caller among them. */
SIGMILL_API unsigned sigmill_threads_count(const sigmill_threads *threads);
/* Ends the threads; NULL is fine.  No loop may be running. */
SIGMILL_API void sigmill_threads_destroy(sigmill_threads *threads);
/* A sigmill_parallel_for; ctx is a sigmill_threads, from any thread.  Each takes the next
 * index when it has done one.  A loop that starts while another one runs, on another
 * thread or inside a body, runs on its caller alone; so does every loop in a process made
 * by fork, where the threads do not exist. */
SIGMILL_API void sigmill_parallel_for_threads(void *ctx, size_t n,
                                              void (*body)(void *arg, size_t i),
                                              void *arg);

/* Creates a verifier; options NULL means defaults.
 * Errors: ARGUMENT for another struct_size or an option out of range, MEMORY. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_verifier_create(
    sigmill_verifier **out, const sigmill_verifier_options *options_or_null);
/* Frees a verifier; NULL is fine. */
SIGMILL_API void sigmill_verifier_destroy(sigmill_verifier *v);
/* How the last batch went: OK, or RANDOM if the source of randomness failed and
 * signatures with a hint were verified each by itself: verdicts are right all the same,
 * but took longer.  ARGUMENT for NULL. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_verifier_status(const sigmill_verifier *v);

typedef struct {
  const uint8_t *sig;    /* of the format's size */
  const uint8_t *digest; /* 32 bytes */
  const sigmill_p256_pubkey *key;
  sigmill_p256_format format;
} sigmill_p256_item;

/* Verifies n signatures of any mixture of formats.  verdicts[i] is always written: 1
 * exactly when sigmill_p256_verify_as is true for items[i], else 0.  An item with a NULL
 * pointer is invalid.  True if n > 0 and all are valid.  Ask sigmill_p256_explain about a
 * bad one.  Signatures with a hint are judged by one equation, max_batch at a time, if
 * they are enough.  Variable time; 20 us an item; in lanes 5 us, and eight or fewer take
 * about 50 us together; with a hint, in batches of 1000, 5 us an item, 1 us in lanes. */
SIGMILL_API SIGMILL_MUST_CHECK bool
sigmill_p256_verify_batch(sigmill_verifier *v, uint8_t *verdicts,
                          const sigmill_p256_item *items, size_t n);
/* The same over columns: n digests of 32 bytes, n signatures of the format's size, n
 * keys of 33 bytes, each without gaps.  A key that cannot be read makes its item invalid.
 * Variable time; 20 us an item, 5 us in lanes, keys parsed each time. */
SIGMILL_API SIGMILL_MUST_CHECK bool
sigmill_p256_verify_columns(sigmill_verifier *v, uint8_t *verdicts, const uint8_t *sigs,
                            sigmill_p256_format format, const uint8_t *digests,
                            const uint8_t *keys33, size_t n);

/* Signatures that come one at a time: a stream copies them and verifies them together
 * when it has max_batch for every thread, or is flushed. */
typedef struct sigmill_p256_stream sigmill_p256_stream;

/* What became of the item that was added with this tag: as sigmill_p256_verify_as.  Must
 * not use the stream or its verifier. */
typedef void (*sigmill_p256_verdict)(void *ctx, uint64_t tag, bool valid);

/* Creates a stream on a verifier, which must outlive it and be used by nobody else during
 * a call on the stream.  260 bytes for each item that it holds.  Errors: ARGUMENT,
 * MEMORY. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_stream_create(sigmill_p256_stream **out, sigmill_verifier *v,
                           sigmill_p256_verdict verdict, void *ctx);
/* Frees a stream; items without a verdict get none.  NULL is fine. */
SIGMILL_API void sigmill_p256_stream_destroy(sigmill_p256_stream *stream);
/* Takes one item; nothing that it points to is needed afterwards.  If the stream is full
 * with it, verdicts of all its items come before this call returns, on this thread, in
 * the order of adding.  Errors: ARGUMENT (nothing was taken); those of
 * sigmill_p256_stream_flush. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_p256_stream_add(
    sigmill_p256_stream *stream, const sigmill_p256_item *item, uint64_t tag);
/* Gives the verdicts of all items that wait.  Errors: ARGUMENT; RANDOM, as
 * sigmill_verifier_status: verdicts were given all the same. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_stream_flush(sigmill_p256_stream *stream);

/* sigmill_p256_sign for n digests.  verdicts[i] is 1 if sigs[i] was made, else 0 and
 * sigs[i] all zero.  True if n > 0 and all were made.  Constant time as the single call;
 * 5 us an item, 2 us in lanes. */
SIGMILL_API SIGMILL_MUST_CHECK bool
    sigmill_p256_sign_batch(uint8_t (*sigs)[64], uint8_t *verdicts,
                            const uint8_t (*digests)[32],
                            const sigmill_p256_keypair *const *keys, size_t n);
/* sigmill_p256_ecdh n times.  verdicts[i] is 1 if out[i] was made, else 0 and out[i] all
 * zero.  True if n > 0 and all were made.  Constant time as the single call; 20 us an
 * item, 5 us in lanes. */
SIGMILL_API SIGMILL_MUST_CHECK bool
    sigmill_p256_ecdh_batch(uint8_t (*out)[32], uint8_t *verdicts,
                            const sigmill_p256_keypair *const *keys,
                            const sigmill_p256_pubkey *const *peers, size_t n);
/* sigmill_p256_hint for n items; out has n times the format's size.  verdicts[i] is 1 if
 * item i got its hint; an item that is invalid or not SIG64 gets 0, and zeros in out.
 * True if n > 0 and all got theirs.  Variable time; 20 us an item, 5 us in lanes. */
SIGMILL_API SIGMILL_MUST_CHECK bool
sigmill_p256_hint_batch(uint8_t *out, sigmill_p256_format format, uint8_t *verdicts,
                        const sigmill_p256_item *items, size_t n);

/* out65 = scalars[0]*points[0] + ... + scalars[n-1]*points[n-1] as 04 || x || y; all zero
 * if that is infinity, as it is for n = 0.  Scalars are big-endian, any 256-bit integers,
 * and count mod n; points may be equal, opposite or related in any way.  On this thread,
 * up to 2 max_batch + 1 points at a time.  Variable time: for public data.  100 us for up
 * to 8 points, 5 us a point for 1000; in lanes 50 us and 1 us.
 * Errors (out65 all zero): ARGUMENT, also for a NULL among the points and a verifier that
 * is in use elsewhere; KEY_UNSET. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status
sigmill_p256_msm(sigmill_verifier *v, uint8_t out65[65], const uint8_t (*scalars)[32],
                 const sigmill_p256_pubkey *const *points, size_t n);

/* ---------------------------------------------------------------- the machine */

/* Of the library in use: "0.1.0". */
SIGMILL_API const char *sigmill_version(void);
/* The code in use.  Eight items side by side, in lanes of vectors, where there are as
 * many, and single ones as x86-64:
 *   "avx512ifma"      AVX-512 IFMA
 *   "avx512ifma-256"  the same instructions on registers of 256 bits
 *   "avxifma"         AVX-IFMA, where the compiler knows it
 * One item at a time:
 *   "x86-64"          MULX, ADCX, ADOX
 *   "portable"        128-bit products
 *   "portable32"      64-bit products
 * And "plain-lanes", eight lanes in plain C: slow, for tests, used only when named.
 * The first call of this or of any operation settles the choice: what
 * sigmill_backend_select chose, else what SIGMILL_BACKEND names, else the fastest that
 * this machine can run.  A backend with lanes first has to give known answers (below 1 ms
 * in "avx512ifma"); one that does not is passed over. */
SIGMILL_API const char *sigmill_backend_name(void);
/* One sentence, without a full stop, about a choice that did not go as wished: a backend
 * passed over for wrong answers, a SIGMILL_BACKEND that cannot be used.  Else NULL.
 * Settles the choice.  Static. */
SIGMILL_API const char *sigmill_backend_note(void);
/* Chooses by name, before first use.  Errors: BACKEND for an unknown name or NULL, one
 * that this machine cannot run or that gives wrong answers, or a choice already settled
 * otherwise. */
SIGMILL_API SIGMILL_MUST_CHECK sigmill_status sigmill_backend_select(const char *name);
/* The i-th backend compiled in, fastest first, or NULL; *usable (may be NULL) says
 * whether this machine can run it. */
SIGMILL_API const char *sigmill_backend_list(size_t i, bool *usable);
/* Runs known answers through the chosen backend: keygen, sign, verify, recover, hint,
 * ECDH, SHA-2, the jobs of lanes.  True if all are right; else *failed (may be NULL)
 * names the first that was not. */
SIGMILL_API SIGMILL_MUST_CHECK bool sigmill_selftest(const char **failed);

#ifdef __cplusplus
}
#endif

#endif
