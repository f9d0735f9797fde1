/* The measuring tool: what a row, an operation and a peer are.
 *
 * A row is one operation of this library: a line in the table of speed_rows.c.  A peer is
 * another library doing the same work: an adapter (speed_libcrypto.c, speed_sodium.c)
 * maps row names to operations of its own.  One operation is one function that works on
 * the input of index i, and says whether the library answered as it does for good input.
 * Before a row is timed each of its operations must give the right answer for every
 * input, spoilt ones included. */
#ifndef SIGMILL_CLI_SPEED_H
#define SIGMILL_CLI_SPEED_H

#include "sigmill.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---------------------------------------------------------------- inputs */

/* Timed operations cycle through this many distinct inputs, a power of two, so that no
 * branch predictor learns one of them by heart. */
#define SPEED_CYCLE        128
#define SPEED_MESSAGE_SIZE 200
#define SPEED_BLOB_SIZE    16384

/* One signature and all that goes with it, made by libcrypto. */
typedef struct {
  uint8_t secret[32];
  uint8_t pub33[33], pub65[65];
  uint8_t message[SPEED_MESSAGE_SIZE];
  uint8_t digest[32]; /* SHA-256 of message */
  uint8_t sig64[64];  /* with low s, as the hinted forms want it */
  uint8_t recoverable65[65], compressed_r65[65], full_r96[96];
  uint8_t der[SIGMILL_P256_DER_MAX];
  size_t der_len;
  uint8_t parse33[33], parse65[65]; /* the key; for a spoilt item no point at all */
  uint8_t shared[32];               /* ECDH with the key of item speed_next */
  sigmill_p256_pubkey key;
  sigmill_p256_keypair pair;
} speed_item;

/* Whose signatures a batch has: every key another one, the same ten, a single one; and
 * those that go through a cache of keys, which differ in how often a key comes again. */
typedef enum {
  SPEED_DISTINCT_KEYS,
  SPEED_TEN_KEYS,
  SPEED_ONE_KEY,
  SPEED_HUNDRED_KEYS, /* with a table of each in the cache */
  SPEED_ZIPF_KEYS,    /* the k-th of 2000 in proportion to 1/k; not all fit the cache */
  SPEED_MIXES
} speed_mix;

/* Which signatures of a batch are invalid: those of another message. */
typedef enum {
  SPEED_NONE_BAD,
  SPEED_ONE_BAD,
  SPEED_TENTH_BAD, /* spread */
  SPEED_ALL_BAD
} speed_bad;

/* Good items of a mix. */
#define SPEED_FORMATS 5 /* of sigmill_p256_format, SIG64 to FULL_R96 */
typedef struct {
  size_t count;
  speed_item *items;
  sigmill_p256_item *batch[SPEED_FORMATS]; /* by format; of a mix with a cache SIG64 */
  sigmill_keycache *cache;                 /* or NULL, */
  sigmill_verifier *verifier;              /* and the one that has it */
  sigmill_p256_prepared *prepared;         /* the key of SPEED_ONE_KEY, or NULL */
} speed_set;

/* Items 0..good-1 are right, and those from SPEED_DISTINCT on the first ones over again.
 * The SPEED_CYCLE items behind them are spoilt: item good + i is item i with another
 * message than the one that was signed. */
#define SPEED_DISTINCT SIGMILL_BATCH_MAX
/* A verifier as it comes puts so many into one equation. */
#define SPEED_USUAL_BATCH 1024
typedef struct {
  size_t good;
  speed_item *items;
  uint8_t *blob; /* SPEED_BLOB_SIZE + SPEED_CYCLE bytes to hash, from offset i on */
  /* The good items in order, as batches take them; other mixes where a row has them. */
  speed_set sets[SPEED_MIXES];
  uint8_t (*compressed)[33], (*recoverable)[65], (*digests)[32], (*secrets)[32];
  const sigmill_p256_keypair **pairs;
  const sigmill_p256_pubkey **publics;
  const sigmill_p256_pubkey **peers; /* for ECDH, of item speed_next */
  sigmill_verifier *verifier;        /* on one thread, as it comes */
  sigmill_verifier *wide;            /* the largest batch goes into one equation */
  sigmill_verifier *each;            /* every signature has an equation of its own */
  sigmill_threads *threads;          /* SPEED_THREADS of them */
  sigmill_verifier *threaded;        /* on those */
  /* What comes out of a batch: room for the largest one. */
  size_t room;
  uint8_t *verdicts;
  sigmill_p256_pubkey *keys_out;
  sigmill_p256_keypair *pairs_out;
  uint8_t *sigs_out, (*shared_out)[32], (*digests_out)[32]; /* 96 bytes a signature */
  /* A batch with bad items, and the verdicts that are right for it. */
  sigmill_p256_item *bad_batch;
  uint8_t *bad_verdicts;
} speed_inputs;

#define SPEED_THREADS 2

/* The item whose key item i takes for ECDH: the next one of its SPEED_CYCLE, if there are
 * so many. */
static inline size_t speed_next(size_t i, size_t good) {
  size_t first = i - i % SPEED_CYCLE, next = first + (i + 1) % SPEED_CYCLE;
  return next < good ? next : first;
}

/* Does libcrypto accept r || s for the item's key and digest? */
bool speed_libcrypto_accepts(const speed_item *item, const uint8_t sig[64]);

/* How large the batches of each mix are that rows have; 0: there are none. */
typedef struct {
  size_t largest[SPEED_MIXES];
} speed_needs;

/* Makes all inputs.  False, after a message, if libcrypto or memory fails, or if this
 * library refuses one of the keys. */
bool speed_inputs_make(speed_inputs *in, const speed_needs *needs);
void speed_inputs_free(speed_inputs *in);

/* ---------------------------------------------------------------- operations, rows */

#define SPEED_ANSWER_MAX 128

typedef struct speed_row speed_row;

/* What an operation gets. */
typedef struct {
  const speed_inputs *in;
  void *peer;           /* the adapter's own state; NULL for this library */
  size_t size;          /* of a sized row: items in a batch, bytes to hash */
  const speed_row *row; /* that is measured */
} speed_call;

/* Works on input i.  True if the library said yes, or produced a result.  The answer is
 * written only if `answer` is not NULL, that is before the timing; for a batch it stays
 * in in->verdicts. */
typedef bool (*speed_operation)(const speed_call *call, size_t i, uint8_t *answer);

/* Is this the right outcome for input i? */
typedef bool (*speed_right)(const speed_call *call, size_t i, bool said_yes,
                            const uint8_t *answer);

typedef enum { SPEED_PLAIN, SPEED_BATCH, SPEED_BYTES } speed_sizing;

struct speed_row {
  const char *name;
  const char *what; /* one line for --list */
  speed_operation ours;
  speed_right right;
  bool spoilt;         /* spoilt items are tried too */
  bool wall;           /* wall time counts: the operation has threads */
  speed_sizing sizing; /* SPEED_BATCH: times are per item */
  size_t sizes[8];     /* of a sized row without --sizes: up to the first zero */
  const char *beside;  /* where no peer has the operation: the row whose own serves */
  /* Of rows that verify batches, or make hints for them; mix also of others. */
  sigmill_p256_format format;
  speed_mix mix;
  speed_bad bad;
};

/* The table of rows, ended by a NULL name. */
extern const speed_row speed_rows[];

/* ---------------------------------------------------------------- peers */

/* An operation of a peer, by the name of the row that it stands beside. */
typedef struct {
  const char *row;
  speed_operation run;
  const char *how;     /* the calls made, for --list */
  const char *differs; /* in what the work is not ours; may be NULL */
} speed_peer_operation;

typedef struct {
  char name[64];                          /* with version: "OpenSSL 3.0.19" */
  char path[256];                         /* empty for the linked libcrypto */
  char error[256];                        /* why it cannot be used; else empty */
  const speed_peer_operation *operations; /* ended by a NULL row */
  void *state;
  void (*close)(void *state); /* frees the state; may be NULL */
} speed_peer;

/* A family of libraries.  `open` fills in name, operations, state and close, or error. */
typedef struct {
  const char *known_by; /* a symbol that only this family has */
  void (*open)(speed_peer *peer, void *handle, const speed_inputs *in);
} speed_adapter;

extern const speed_adapter speed_adapter_libcrypto, speed_adapter_sodium;

/* The libcrypto that this program is linked with. */
void speed_peer_linked(speed_peer *peer, const speed_inputs *in);
/* A shared library by path, bound to its own symbols: two libraries with the same symbol
 * names do not meet.  Failure is told in peer->error.  It stays loaded to the end. */
void speed_peer_load(speed_peer *peer, const char *path, const speed_inputs *in);
void speed_peer_close(speed_peer *peer);
/* Its operation for a row; NULL if it has none. */
const speed_peer_operation *speed_peer_find(const speed_peer *peer, const char *row);

#endif
