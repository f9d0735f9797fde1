/* Secrets: marking them at the border for the constant-time runs, and wiping them.
 *
 * Under the constant-time test build, SECRET marks memory as undefined for valgrind or
 * MemorySanitizer, so that any branch or address that depends on it is reported;
 * PUBLIC says that a value may be known (a verdict, a public key, a retry).  In every
 * other build both are nothing. */
#ifndef SIGMILL_BASE_SECRET_H
#define SIGMILL_BASE_SECRET_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(SIGMILL_CT_VALGRIND)
#include <valgrind/memcheck.h>
#define SECRET(ptr, len) ((void)VALGRIND_MAKE_MEM_UNDEFINED((ptr), (len)))
#define PUBLIC(ptr, len) ((void)VALGRIND_MAKE_MEM_DEFINED((ptr), (len)))
#elif defined(SIGMILL_CT_MSAN)
#include <sanitizer/msan_interface.h>
#define SECRET(ptr, len) __msan_allocated_memory((ptr), (len))
#define PUBLIC(ptr, len) __msan_unpoison((ptr), (len))
#else
#define SECRET(ptr, len) ((void)0)
#define PUBLIC(ptr, len) ((void)0)
#endif

/* Overwrites len bytes with zeros; the compiler may not drop it. */
static inline void wipe(void *ptr, size_t len) {
  memset(ptr, 0, len);
  __asm__ volatile("" : : "r"(ptr) : "memory");
}

/* Overwrites the stack beneath the caller, where compilers have put words of secrets
 * while functions ran that have returned since: 3 KB are enough for signatures and keys,
 * 8 KB for everything.  The test of residues (tests/ct) looks at what is left. */
static __attribute__((noinline, unused)) void wipe_stack_3k(void) {
  uint8_t beneath[3072];
  wipe(beneath, sizeof beneath);
}

static __attribute__((noinline, unused)) void wipe_stack_8k(void) {
  uint8_t beneath[8192];
  wipe(beneath, sizeof beneath);
}

#endif
