/* A stack of its own for the call under test, and the search of what is left on it. */
#ifndef SIGMILL_TESTS_RESIDUE_SEARCH_H
#define SIGMILL_TESTS_RESIDUE_SEARCH_H

#include "base/u256.h"
#include "field/safegcd.h"

/* Eight bytes of a watched value. */
typedef struct {
  uint64_t word; /* as they stand in memory */
  const char *value, *form;
} window;

enum { WINDOWS_MAX = 1 << 14 };
extern window windows[WINDOWS_MAX];
extern size_t window_count;

/* Watches for a 256-bit integer in every form of a number. */
void watch(const uint8_t be[32], const char *value);
/* Watches for the text of 32 bytes that stand 0, 1 or 2 bytes past a multiple of three.
 */
void watch_base64(const uint8_t secret[32], const char *value);
void forget_windows(void);

/* What sm_safegcd_inv took and gave in the call last run; the linker leads it here. */
enum { INVERSIONS_MAX = 16 };
typedef struct {
  u256 in, out;
} inversion;
extern inversion inversions[INVERSIONS_MAX];
extern size_t inversion_count;

void search_begin(void);
void search_end(void);

/* Runs the call on the stack, filled afresh.  Its data have to stand in static memory, so
 * that only the library's frames can hold any. */
void run_on_stack(void (*call)(void));

/* How many windows stand on the stack, the first found, and its distance from the top. */
typedef struct {
  size_t count, at;
  const window *first;
} findings;
findings search(void);

/* Neither what is watched for nor what was inverted stands there; forgets all windows. */
void expect_nothing(const char *call);

#endif
