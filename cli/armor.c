/* Hexadecimal, and base64 (RFC 4648, sections 4 and 5), decoded strictly. */
#include "armor.h"

/* The value of a digit, or -1: sums instead of a table, so that a secret's digits choose
 * neither branches nor addresses. */
static int hex_value(char c) {
  unsigned digit = (unsigned char)c - (unsigned)'0';
  unsigned letter = ((unsigned char)c | 0x20U) - (unsigned)'a';
  return (int)((digit < 10) * (digit + 1) + (letter < 6) * (letter + 11)) - 1;
}

bool hex_decode(uint8_t *out, const char *text, size_t len) {
  int bad = 0;
  for (size_t i = 0; i < len; i++) {
    int high = hex_value(text[2 * i]), low = hex_value(text[2 * i + 1]);
    bad |= high | low;
    out[i] = (uint8_t)((unsigned)high << 4 | ((unsigned)low & 15));
  }
  return bad >= 0;
}

const char *hex_fault(size_t *at, const char *text, size_t len) {
  for (*at = 0; *at < len; ++*at) {
    if (hex_value(text[*at]) < 0) {
      return "no hexadecimal digit";
    }
  }
  return len % 2 != 0 ? "the text ends inside a byte: its number of digits is odd" : NULL;
}

bool is_hex(const char *text, size_t len) {
  size_t at;
  (void)hex_fault(&at, text, len);
  return at == len;
}

/* The value of each character of either alphabet plus one; 0 for all others.  Only public
 * data is decoded. */
static const uint8_t base64_values[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,
    ['H'] = 8,  ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14,
    ['O'] = 15, ['P'] = 16, ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21,
    ['V'] = 22, ['W'] = 23, ['X'] = 24, ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28,
    ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32, ['g'] = 33, ['h'] = 34, ['i'] = 35,
    ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40, ['o'] = 41, ['p'] = 42,
    ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48, ['w'] = 49,
    ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63,
    ['-'] = 63, ['/'] = 64, ['_'] = 64,
};

/* The length without padding, if the padding is right or absent; else the length as it
 * is. */
static size_t unpadded(const char *text, size_t len) {
  if (len % 4 == 0 && len > 0 && text[len - 1] == '=') {
    return len - 1 - (text[len - 2] == '=');
  }
  return len;
}

size_t base64_decoded_size(const char *text, size_t text_len) {
  size_t len = unpadded(text, text_len);
  return len / 4 * 3 + (len % 4 == 0 ? 0 : len % 4 - 1);
}

const char *base64_fault(size_t *at, const char *text, size_t text_len) {
  size_t len = unpadded(text, text_len);
  for (*at = 0; *at < len; ++*at) {
    if (base64_values[(uint8_t)text[*at]] == 0) {
      return text[*at] == '=' ? "padding (=) where no group of four ends"
                              : "no character of base64";
    }
  }
  if (len % 4 == 1) {
    *at = text_len;
    return "the text ends inside a byte: one character is left over";
  }
  unsigned last = len == 0 ? 0 : base64_values[(uint8_t)text[len - 1]] - 1U;
  if ((len % 4 == 2 && (last & 15) != 0) || (len % 4 == 3 && (last & 3) != 0)) {
    *at = len - 1;
    return "the last character has bits that belong to no byte";
  }
  return NULL;
}

const char *base64url_fault(size_t *at, const char *text, size_t len) {
  for (*at = 0; *at < len; ++*at) {
    if (text[*at] == '=') {
      return "padding (=), which base64url has not here";
    }
    if (text[*at] == '+' || text[*at] == '/') {
      return "no character of base64url, which has - and _ instead";
    }
    if (base64_values[(uint8_t)text[*at]] == 0) {
      return "no character of base64url";
    }
  }
  return base64_fault(at, text, len);
}

bool base64_decode(uint8_t *out, size_t cap, size_t *out_len, const char *text,
                   size_t text_len) {
  size_t len = unpadded(text, text_len), used = 0;
  *out_len = 0;
  if (len % 4 == 1 || base64_decoded_size(text, text_len) > cap) {
    return false;
  }
  const uint8_t *in = (const uint8_t *)text;
  size_t whole = len / 4 * 4;
  uint32_t bad = 0; /* bits above those of a value: some character has none */
  for (size_t i = 0; i < whole; i += 4, used += 3) {
    uint32_t a = base64_values[in[i]] - 1U, b = base64_values[in[i + 1]] - 1U;
    uint32_t c = base64_values[in[i + 2]] - 1U, d = base64_values[in[i + 3]] - 1U;
    uint32_t bits = a << 18 | b << 12 | c << 6 | d;
    bad |= a | b | c | d;
    out[used] = (uint8_t)(bits >> 16);
    out[used + 1] = (uint8_t)(bits >> 8);
    out[used + 2] = (uint8_t)bits;
  }
  /* The last few characters spell one byte less; what is left over must be zero. */
  size_t part = len - whole;
  uint32_t bits = 0;
  for (size_t j = 0; j < part; j++) {
    uint32_t value = base64_values[in[whole + j]] - 1U;
    bad |= value;
    bits |= value << (18 - 6 * j);
  }
  for (size_t j = 0; j + 1 < part; j++) {
    out[used++] = (uint8_t)(bits >> (16 - 8 * j));
  }
  if (bad > 63 || (part > 0 && (bits & (0xffffffU >> (8 * (part - 1)))) != 0)) {
    return false;
  }
  *out_len = used;
  return true;
}

/* The character of a value below 64: sums of comparisons, as for hexadecimal. */
static uint8_t base64_char(unsigned value, const char *last_two) {
  unsigned first = (unsigned char)last_two[0], last = (unsigned char)last_two[1];
  unsigned c = (value < 26) * (value + 'A');
  c += (value - 26 < 26) * (value - 26 + 'a');
  c += (value - 52 < 10) * (value - 52 + '0');
  c += (value == 62) * first + (value == 63) * last;
  return (uint8_t)c;
}

static void put_base64(buffer *b, const uint8_t *data, size_t len, const char *last_two,
                       bool pad) {
  if (!buffer_reserve(b, len / 3 * 4 + 4)) {
    return;
  }
  for (size_t i = 0; i < len; i += 3) {
    size_t part = len - i < 3 ? len - i : 3;
    uint32_t bits = (uint32_t)data[i] << 16;
    bits |= part > 1 ? (uint32_t)data[i + 1] << 8 : 0;
    bits |= part > 2 ? data[i + 2] : 0;
    for (unsigned j = 0; j < 4; j++) {
      if (j <= part) {
        b->data[b->len++] = base64_char(bits >> (18 - 6 * j) & 63, last_two);
      } else if (pad) {
        b->data[b->len++] = '=';
      }
    }
  }
}

void base64_put(buffer *b, const uint8_t *data, size_t len) {
  put_base64(b, data, len, "+/", true);
}

void base64url_put(buffer *b, const uint8_t *data, size_t len) {
  put_base64(b, data, len, "-_", false);
}

size_t without_newline(const uint8_t *text, size_t len) {
  if (len > 0 && text[len - 1] == '\n') {
    len--;
    len -= len > 0 && text[len - 1] == '\r';
  }
  return len;
}

/* The length of a line break at text[at]; 0 if there is none. */
static size_t break_length(const uint8_t *text, size_t len, size_t at) {
  bool crlf = text[at] == '\r' && at + 1 < len && text[at + 1] == '\n';
  return text[at] == '\n' ? 1 : crlf ? 2 : 0;
}

void put_unwrapped(buffer *out, const uint8_t *text, size_t len) {
  size_t start = 0, at = 0;
  while (at < len) {
    size_t skipped = break_length(text, len, at);
    if (skipped > 0) {
      buffer_put(out, text + start, at - start);
      start = at + skipped;
    }
    at += skipped > 0 ? skipped : 1;
  }
  buffer_put(out, text + start, len - start);
}

size_t wrapped_offset(const uint8_t *text, size_t len, size_t at) {
  size_t end = 0;
  for (size_t i = 0; i < len;) {
    size_t skipped = break_length(text, len, i);
    if (skipped == 0 && at-- == 0) {
      return i;
    }
    i += skipped > 0 ? skipped : 1;
    end = skipped > 0 ? end : i;
  }
  return end;
}
