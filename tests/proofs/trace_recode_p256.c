/* Traces the recoding of scalars into digits of each width in use: its beginning, with
 * sc_p256_x8_make_odd as a call whose result is the input, and one digit from any state.
 */
#define VEC_TRACE
#include "lanes/recode_p256_x8.h"

#include "trace.h"

static void trace_start(const char *name, int w) {
  char item[8];
  sc_x8 k = {0};
  recode_x8 r;
  trace_kernel(name);
  recode_p256_x8_start(&r, &k, w);
  for (int i = 0; i <= r.chunks; i++) {
    snprintf(item, sizeof item, "c%d", i);
    trace_out_word(item, i < r.chunks ? r.chunk[i] : r.current);
  }
}

/* v, the digit's bits, is what the state is split by. */
static void trace_next(const char *name, int w) {
  recode_x8 r;
  vec index;
  vmask negative;
  trace_kernel(name);
  const vec c = v_split(trace_in_word("c"), 64 - w);
  r.current = c;
  r.flipped = trace_in_mask("f");
  r.windows = 1;
  recode_p256_x8_next(&index, &negative, &r, w);
  trace_out_word("v", v_shr(c, 64 - w));
  trace_out_word("index", index);
  trace_out_mask("negative", negative);
  trace_out_word("next", r.current);
}

#define TRACE(w)                                                                         \
  trace_start("recode_p256_x8_start/" #w, w);                                            \
  trace_next("recode_p256_x8_next/" #w, w)

int main(void) {
  TRACE(4);
  TRACE(5);
  TRACE(7);
  TRACE(8);
  TRACE(12);
  return 0;
}
