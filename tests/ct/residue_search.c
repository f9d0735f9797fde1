/* Windows of watched values, in every form, and a stack on which they are searched for.
 */
#define _DEFAULT_SOURCE
#include "ct/residue_search.h"

#include "harness.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

/* ---------------------------------------------------------------- what is searched for
 */

window windows[WINDOWS_MAX];
size_t window_count;

static void watch_bytes(const void *bytes, const char *value, const char *form) {
  if (window_count == WINDOWS_MAX) {
    abort();
  }
  window *w = &windows[window_count++];
  memcpy(&w->word, bytes, sizeof w->word);
  w->value = value;
  w->form = form;
}

static void watch_every_window(const uint8_t *bytes, size_t len, const char *value,
                               const char *form) {
  for (size_t at = 0; at + 8 <= len; at++) {
    watch_bytes(bytes + at, value, form);
  }
}

/* The bits of the integer from `at` on, fewer than 64. */
static uint64_t bits_of(const uint8_t be[32], size_t at, size_t count) {
  uint64_t out = 0;
  for (size_t i = 0; i < count && at + i < 256; i++) {
    size_t bit = at + i;
    out |= (uint64_t)(be[31 - bit / 8] >> bit % 8 & 1) << i;
  }
  return out;
}

/* Pairs of neighbouring limbs of so many bits in words of 32. */
static void watch_limb_pairs(const uint8_t be[32], size_t bits, const char *value,
                             const char *form) {
  for (size_t at = 0; at + 2 * bits <= 256; at += bits) {
    uint32_t pair[2] = {(uint32_t)bits_of(be, at, bits),
                        (uint32_t)bits_of(be, at + bits, bits)};
    watch_bytes(pair, value, form);
  }
}

void watch(const uint8_t be[32], const char *value) {
  uint8_t reversed[32], swapped[32];
  watch_every_window(be, 32, value, "bytes");
  for (size_t i = 0; i < 32; i++) {
    reversed[i] = be[31 - i];
  }
  watch_every_window(reversed, 32, value, "words");
  for (size_t shift = 0; shift < 4; shift++) {
    size_t len = (32 - shift) / 4 * 4;
    for (size_t i = 0; i < len; i++) {
      swapped[i] = be[shift + (i ^ 3)];
    }
    for (size_t at = 0; at + 8 <= len; at += 4) {
      watch_bytes(swapped + at, value, "words of 32 bits");
    }
  }
  for (size_t i = 0; i < 4; i++) {
    uint64_t limb = bits_of(be, 62 * i, 62);
    watch_bytes(&limb, value, "limbs of 62 bits");
  }
  for (size_t i = 0; i < 5; i++) {
    uint64_t limb = bits_of(be, 52 * i, 52);
    watch_bytes(&limb, value, "limbs of 52 bits");
  }
  watch_limb_pairs(be, 30, value, "limbs of 30 bits");
  watch_limb_pairs(be, 29, value, "limbs of 29 bits");
}

void watch_base64(const uint8_t secret[32], const char *value) {
  for (size_t shift = 0; shift < 3; shift++) {
    uint8_t bytes[36] = {0}, text[49];
    memcpy(bytes + shift, secret, 32);
    EVP_EncodeBlock(text, bytes, sizeof bytes);
    size_t from = (8 * shift + 5) / 6, to = 8 * (shift + 32) / 6;
    watch_every_window(text + from, to - from, value, "base64");
    for (size_t i = 0; i < sizeof text; i++) {
      text[i] = text[i] == '+' ? '-' : text[i] == '/' ? '_' : text[i];
    }
    watch_every_window(text + from, to - from, value, "base64url");
  }
}

inversion inversions[INVERSIONS_MAX];
size_t inversion_count;
static bool recording;

void __real_sm_safegcd_inv(u256 *out, const u256 *a, const safegcd_modulus *m);
void __wrap_sm_safegcd_inv(u256 *out, const u256 *a, const safegcd_modulus *m);

void __wrap_sm_safegcd_inv(u256 *out, const u256 *a, const safegcd_modulus *m) {
  size_t i = inversion_count % INVERSIONS_MAX;
  if (recording) {
    inversions[i].in = *a;
  }
  __real_sm_safegcd_inv(out, a, m);
  if (recording) {
    inversions[i].out = *out;
    inversion_count++;
  }
}

static void watch_inversions(void) {
  if (inversion_count > INVERSIONS_MAX) {
    abort();
  }
  for (size_t i = 0; i < inversion_count; i++) {
    uint8_t be[32];
    u256_to_be(be, &inversions[i].in);
    watch(be, "what is inverted");
    u256_to_be(be, &inversions[i].out);
    watch(be, "an inverse");
  }
}

/* ---------------------------------------------------------------- the searched stack */

enum { STACK_SIZE = 1 << 18, FILL = 0xa5 };
static uint8_t *stack;
static ucontext_t here, there;

void search_begin(void) {
  stack =
      mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) {
    abort();
  }
}

void search_end(void) {
  munmap(stack, STACK_SIZE);
}

void run_on_stack(void (*call)(void)) {
  memset(stack, FILL, STACK_SIZE);
  inversion_count = 0;
  recording = true;
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = STACK_SIZE;
  there.uc_link = &here;
  makecontext(&there, call, 0);
  swapcontext(&here, &there);
  recording = false;
}

static int order_of_windows(const void *a, const void *b) {
  uint64_t x = ((const window *)a)->word, y = ((const window *)b)->word;
  return x < y ? -1 : x > y;
}

findings search(void) {
  findings out = {0, 0, NULL};
  size_t low = 0;
  qsort(windows, window_count, sizeof windows[0], order_of_windows);
  while (low < STACK_SIZE && stack[low] == FILL) {
    low++;
  }
  EXPECT(low > STACK_SIZE / 8, "the stack is deep enough");
  low = low < 8 ? 0 : low - 8; /* a window may begin with bytes like the filling */
  for (size_t i = low; i + 8 <= STACK_SIZE; i++) {
    window key;
    memcpy(&key.word, stack + i, sizeof key.word);
    const window *found =
        bsearch(&key, windows, window_count, sizeof windows[0], order_of_windows);
    if (found != NULL && out.count++ == 0) {
      out.at = STACK_SIZE - i;
      out.first = found;
    }
  }
  return out;
}

void forget_windows(void) {
  window_count = 0;
}

void expect_nothing(const char *call) {
  watch_inversions();
  findings found = search();
  if (found.count > 0) {
    EXPECT(false, "%s leaves %s (%s) %zu bytes below the top, and %zu windows more", call,
           found.first->value, found.first->form, found.at, found.count - 1);
  }
  EXPECT(found.count == 0, "%s", call);
  forget_windows();
}
