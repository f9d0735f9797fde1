/* The JSON reader: each rule of RFC 8259 with the character at fault, depth bounded by
 * size alone, strings by what they spell, and mutated texts against yyjson. */
#include "json_disagreement.h"
#include "samples.h"

#include "scheme/json.h"
#include "scheme/json_object.h"

static json_reader reader;

static sigmill_status read_all(const text *t, size_t *at) {
  json_member member;
  sigmill_status status = sm_json_open(&reader, t->bytes, t->len);
  while (status == SIGMILL_OK) {
    status = sm_json_next(&member, &reader);
    if (status == SIGMILL_OK && member.name.kind == JSON_ABSENT) {
      break;
    }
  }
  *at = reader.error_at;
  return status;
}

static void expect_json(const text *t, sigmill_status wanted, size_t wanted_at,
                        const char *what) {
  size_t at;
  sigmill_status status = read_all(t, &at);
  EXPECT_STATUS(status, at, wanted, wanted_at, what);
  const char *wrong = json_disagreement(t->bytes, t->len);
  EXPECT(wrong == NULL, "%s: %s", what, wrong);
}

typedef struct {
  const char *json;
  sigmill_status status;
  size_t at;
} json_rule;

static void expect_rules(const json_rule *rules, size_t count) {
  static text t;
  for (size_t i = 0; i < count; i++) {
    text_clear(&t);
    text_str(&t, rules[i].json);
    expect_json(&t, rules[i].status, rules[i].at, rules[i].json);
  }
}

/* ---------------------------------------------------------------- syntax */

static void structure_is_exact(void) {
  static const json_rule rules[] = {
      {"{}", SIGMILL_OK, 0},
      {" \t\r\n{ } \n", SIGMILL_OK, 0},
      {"{\"a\":1,\"b\":[],\"c\":{}}", SIGMILL_OK, 0},
      {"{ \"a\" : [ 1 , [ ] , { \"b\" : { } } ] , \"c\" : null }", SIGMILL_OK, 0},
      {"[1,2]", SIGMILL_OK, 0},
      {"7", SIGMILL_OK, 0},
      {"\"x\"", SIGMILL_OK, 0},
      {"", SIGMILL_ERR_JSON, 0},
      {" ", SIGMILL_ERR_JSON, 1},
      {"{", SIGMILL_ERR_JSON, 1},
      {"}", SIGMILL_ERR_JSON, 0},
      {"{}}", SIGMILL_ERR_JSON, 2},
      {"{}{}", SIGMILL_ERR_JSON, 2},
      {"{},", SIGMILL_ERR_JSON, 2},
      {"{,}", SIGMILL_ERR_JSON, 1},
      {"{\"a\"}", SIGMILL_ERR_JSON, 4},
      {"{\"a\":}", SIGMILL_ERR_JSON, 5},
      {"{\"a\"::1}", SIGMILL_ERR_JSON, 5},
      {"{\"a\":1,}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":1 \"b\":2}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":1;\"b\":2}", SIGMILL_ERR_JSON, 6},
      {"{a:1}", SIGMILL_ERR_JSON, 1},
      {"{1:1}", SIGMILL_ERR_JSON, 1},
      {"{'a':1}", SIGMILL_ERR_JSON, 1},
      {"{\"a\":[1,]}", SIGMILL_ERR_JSON, 8},
      {"{\"a\":[,1]}", SIGMILL_ERR_JSON, 6},
      {"{\"a\":[1 2]}", SIGMILL_ERR_JSON, 8},
      {"{\"a\":[1}}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":{\"b\":1]}", SIGMILL_ERR_JSON, 11},
      {"{\"a\":{\"b\"]}}", SIGMILL_ERR_JSON, 9},
      {"{\"a\":[{]}}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":[\"b\":1]}", SIGMILL_ERR_JSON, 9},
      {"[1,2", SIGMILL_ERR_JSON, 4},
      {"[1,2]]", SIGMILL_ERR_JSON, 5},
      {"{/**/}", SIGMILL_ERR_JSON, 1},
      {"{} // x", SIGMILL_ERR_JSON, 3},
      {"{\f}", SIGMILL_ERR_JSON, 1},
      {"{\v}", SIGMILL_ERR_JSON, 1},
      {"{}\xc2\x85", SIGMILL_ERR_JSON, 2},
      {"{\"a\":tru}", SIGMILL_ERR_JSON, 8},
      {"{\"a\":truefalse}", SIGMILL_ERR_JSON, 9},
      {"{\"a\":True}", SIGMILL_ERR_JSON, 5},
      {"{\"a\":nul", SIGMILL_ERR_JSON, 8},
      {"{\"a\":undefined}", SIGMILL_ERR_JSON, 5},
  };
  static text t;
  expect_rules(rules, sizeof rules / sizeof rules[0]);
  text_clear(&t);
  text_add(&t, "{}\0", 3);
  expect_json(&t, SIGMILL_ERR_JSON, 2, "a NUL behind it");
  EXPECT(sm_json_open(&reader, (const uint8_t *)"[{}]", 4) == SIGMILL_OK &&
             reader.root == JSON_ARRAY,
         "a root that is no object is told");
}

static void numbers_are_exact(void) {
  static const json_rule rules[] = {
      {"{\"a\":0}", SIGMILL_OK, 0},
      {"{\"a\":-0}", SIGMILL_OK, 0},
      {"{\"a\":-0.0E-0}", SIGMILL_OK, 0},
      {"{\"a\":10.25e+99}", SIGMILL_OK, 0},
      {"{\"a\":1e999}", SIGMILL_OK, 0},
      {"{\"a\":123456789012345678901234567890}", SIGMILL_OK, 0},
      {"{\"a\":01}", SIGMILL_ERR_JSON, 6},
      {"{\"a\":-01}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":+1}", SIGMILL_ERR_JSON, 5},
      {"{\"a\":-}", SIGMILL_ERR_JSON, 6},
      {"{\"a\":.5}", SIGMILL_ERR_JSON, 5},
      {"{\"a\":1.}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":1.e3}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":1e}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":1e+}", SIGMILL_ERR_JSON, 8},
      {"{\"a\":1e+-1}", SIGMILL_ERR_JSON, 8},
      {"{\"a\":0x10}", SIGMILL_ERR_JSON, 6},
      {"{\"a\":1_0}", SIGMILL_ERR_JSON, 6},
      {"{\"a\":-Infinity}", SIGMILL_ERR_JSON, 6},
      {"{\"a\":NaN}", SIGMILL_ERR_JSON, 5},
      {"-", SIGMILL_ERR_JSON, 1},
  };
  expect_rules(rules, sizeof rules / sizeof rules[0]);
}

static void strings_are_exact(void) {
  static const json_rule rules[] = {
      {"{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"}", SIGMILL_OK, 0},
      {"{\"\":\"\"}", SIGMILL_OK, 0},
      {"{\"a\":\"\\u0000\"}", SIGMILL_OK, 0},
      {"{\"a\":\"\x7f\"}", SIGMILL_OK, 0},
      {"{\"a\":\"\xe2\x80\xa8\"}", SIGMILL_OK, 0},
      {"{\"a\":\"\\ud83d\\ude00\"}", SIGMILL_OK, 0},
      {"{\"a\":\"\\ud83d\"}", SIGMILL_OK, 0},
      {"{\"a\":\"\\ude00\\ud83d\"}", SIGMILL_OK, 0},
      {"{\"a\":\"\x1f\"}", SIGMILL_ERR_JSON, 6},
      {"{\"a\":\"\n\"}", SIGMILL_ERR_JSON, 6},
      {"{\"a\":\"b", SIGMILL_ERR_JSON, 7},
      {"{\"a\":\"b\\", SIGMILL_ERR_JSON, 8},
      {"{\"a\":\"b\\\"", SIGMILL_ERR_JSON, 9},
      {"{\"a\":\"b\\x\"}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":\"b\\'\"}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":\"b\\ \"}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":\"b\\U0041\"}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":\"b\\u12\"}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":\"b\\u12g4\"}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":\"b\\u{41}\"}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":\"b\\u+041\"}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":\"b\\u 041\"}", SIGMILL_ERR_JSON, 7},
      {"{\"a\":\"b\\u12", SIGMILL_ERR_JSON, 11},
      {"{\"a\":\"\\ud83d\\u\"}", SIGMILL_ERR_JSON, 12},
      {"{\"a\x01\":1}", SIGMILL_ERR_JSON, 3},
  };
  static text t;
  expect_rules(rules, sizeof rules / sizeof rules[0]);
  text_clear(&t);
  text_add(&t, "{\"a\":\"b\\\0\"}", 11);
  expect_json(&t, SIGMILL_ERR_JSON, 7, "a NUL behind a backslash");
}

static void the_text_is_utf8(void) {
  static const json_rule rules[] = {
      {"{\"\xc3\xbc\":\"\xed\x9f\xbf\xee\x80\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"}",
       SIGMILL_OK, 0},
      {"{\"a\":\"\xc0\x80\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xc1\xbf\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xe0\x9f\xbf\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xf0\x8f\xbf\xbf\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xed\xa0\x80\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xed\xbf\xbf\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xf4\x90\x80\x80\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xf5\x80\x80\x80\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\x80\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xff\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xc3\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xe2\x80\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xf0\x9f\x98\"}", SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xe2"
       "A\x80\"}",
       SIGMILL_ERR_UTF8, 6},
      {"{\"a\":\"\xf0\x9f"
       "A\x80\"}",
       SIGMILL_ERR_UTF8, 6},
      {"{\"a\":1}\xc3", SIGMILL_ERR_UTF8, 7},
      {"{,\xff", SIGMILL_ERR_UTF8, 2}, /* before the syntax */
      {"\xef\xbb\xbf{}", SIGMILL_OK, 0},
      {"\xef\xbb\xbf \n{}", SIGMILL_OK, 0},
      {"\xef\xbb\xbf\xef\xbb\xbf{}", SIGMILL_ERR_JSON, 3},
      {" \xef\xbb\xbf{}", SIGMILL_ERR_JSON, 1},
      {"{}\xef\xbb\xbf", SIGMILL_ERR_JSON, 2},
      {"\xef\xbb{}", SIGMILL_ERR_UTF8, 0},
      {"\xff\xfe{}", SIGMILL_ERR_UTF8, 0},
  };
  expect_rules(rules, sizeof rules / sizeof rules[0]);
}

/* ---------------------------------------------------------------- depth and size */

/* A member whose value is nested by these brackets, opened and closed the same number of
 * times, within a text of JSON_MAX bytes. */
static void expect_depth(const char *open, const char *inner, const char *close,
                         size_t depth, bool whole) {
  static text t;
  text_clear(&t);
  text_str(&t, "{\"a\":");
  for (size_t i = 0; i < depth; i++) {
    text_str(&t, open);
  }
  text_str(&t, inner);
  for (size_t i = whole ? 0 : 1; i < depth; i++) {
    text_str(&t, close);
  }
  text_str(&t, "}");
  size_t at;
  sigmill_status status = read_all(&t, &at);
  EXPECT(t.len <= JSON_MAX, "%zu bytes", t.len);
  EXPECT(status == (whole ? SIGMILL_OK : SIGMILL_ERR_JSON), "%zu times %s", depth, open);
}

static void only_the_size_bounds_the_depth(void) {
  for (int whole = 0; whole < 2; whole++) {
    expect_depth("[", "", "]", (JSON_MAX - 6) / 2, whole == 1);
    expect_depth("{\"\":", "0", "}", (JSON_MAX - 7) / 5, whole == 1);
    expect_depth("[{\"\":", "0", "}]", (JSON_MAX - 7) / 7, whole == 1);
    expect_depth("[[{\"\":[[[", "", "]]]}]]", 1000, whole == 1);
  }
  static text t;
  size_t at;
  text_clear(&t);
  while (t.len < JSON_MAX) {
    text_str(&t, "[");
  }
  sigmill_status status = read_all(&t, &at);
  EXPECT_STATUS(status, at, SIGMILL_ERR_JSON, JSON_MAX, "only opened");
  text_clear(&t);
  text_str(&t, "{}");
  while (t.len < JSON_MAX) {
    text_str(&t, " ");
  }
  EXPECT(read_all(&t, &at) == SIGMILL_OK, "as long as may be");
  text_str(&t, " ");
  status = read_all(&t, &at);
  EXPECT_STATUS(status, at, SIGMILL_ERR_TOO_LONG, JSON_MAX, "one byte more");
}

/* Brackets at random, closed right or with one mistake, which must be found. */
static void brackets_match(void) {
  for (int i = 0; i < 2000; i++) {
    static text t;
    char closers[64];
    size_t depth = 0, mistake = test_random_u64() % 2, at;
    text_clear(&t);
    text_str(&t, "{\"a\":");
    while (depth < 63) {
      bool object = test_random_u64() % 2 == 0;
      text_str(&t, object ? "{\"b\":" : "[");
      closers[depth++] = object ? '}' : ']';
    }
    text_str(&t, "1");
    size_t wrong_level = test_random_u64() % depth, wrong_at = 0;
    while (depth-- > 0) {
      char c = closers[depth];
      if (mistake == 1 && depth == wrong_level) {
        wrong_at = t.len;
        c = c == '}' ? ']' : '}';
      }
      text_add(&t, &c, 1);
    }
    text_str(&t, "}");
    sigmill_status status = read_all(&t, &at);
    EXPECT_STATUS(status, at, mistake == 1 ? SIGMILL_ERR_JSON : SIGMILL_OK, wrong_at,
                  "brackets");
  }
}

/* ---------------------------------------------------------------- names */

static sigmill_status read_object(json_value values[2], const char *json, size_t *at) {
  static const char *const names[] = {"alg", "x"};
  size_t object_at;
  return sm_json_object_read(values, &object_at, names, 2, (const uint8_t *)json,
                             strlen(json), at);
}

static void a_name_may_not_stand_twice(void) {
  static const json_rule rules[] = {
      {"{\"alg\":1,\"x\":2,\"y\":{\"x\":1,\"x\":2}}", SIGMILL_OK, 0},
      {"{\"alg\":1,\"alg\":1}", SIGMILL_ERR_MEMBER_DUPLICATE, 9},
      {"{\"alg\":1,\"x\":2,\"\\u0061lg\":3}", SIGMILL_ERR_MEMBER_DUPLICATE, 15},
      {"{\"\\u0061lg\":1,\"al\\u0067\":3}", SIGMILL_ERR_MEMBER_DUPLICATE, 14},
      {"{\"z\":1,\"z\":2}", SIGMILL_ERR_MEMBER_DUPLICATE, 7},
      {"{\"\":1,\"\":2}", SIGMILL_ERR_MEMBER_DUPLICATE, 6},
      {"{\"\\ud800\":1,\"\\ud800\":2}", SIGMILL_ERR_MEMBER_DUPLICATE, 12},
      {"{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x80\":2}", SIGMILL_ERR_MEMBER_DUPLICATE, 18},
      {"{\"\\ud800\\u0041\":1,\"\\ud800A\":2}", SIGMILL_ERR_MEMBER_DUPLICATE, 18},
      {"{\"\\ud800\\ud800\\udc00\":1,\"\\ud800\xf0\x90\x80\x80\":2}",
       SIGMILL_ERR_MEMBER_DUPLICATE, 24},
      {"{\"\\ud800\":1,\"\\udc00\":2,\"\\ud801\":2}", SIGMILL_OK, 0},
      {"{\"a\":1,\"A\":2,\"a \":3,\"a\\u0000\":4}", SIGMILL_OK, 0},
      {"{\"z\":1,\"z\":2,", SIGMILL_ERR_JSON, 13}, /* syntax first */
      {"[]", SIGMILL_ERR_JSON, 0},
      {" 7", SIGMILL_ERR_JSON, 1},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    json_value values[2];
    size_t at = 0;
    sigmill_status status = read_object(values, rules[i].json, &at);
    EXPECT_STATUS(status, at, rules[i].status, rules[i].at, rules[i].json);
  }
}

static void members_are_found_where_they_stand(void) {
  json_value values[2];
  size_t at;
  const char *json = " {\"x\" : [1, {\"alg\":2}] ,\"k\":0, \"\\u0061lg\": \"E\"} ";
  EXPECT(read_object(values, json, &at) == SIGMILL_OK, "reads");
  EXPECT(values[0].kind == JSON_STRING && values[0].at == 43 && values[0].end == 46,
         "alg at %zu..%zu", values[0].at, values[0].end);
  EXPECT(values[1].kind == JSON_ARRAY && values[1].at == 8 && values[1].end == 22,
         "x at %zu..%zu", values[1].at, values[1].end);
  EXPECT(read_object(values, "{\"y\":1}", &at) == SIGMILL_OK &&
             values[0].kind == JSON_ABSENT && values[1].kind == JSON_ABSENT,
         "absent");
}

/* Many names, perhaps the last one twice: told apart in few comparisons, 1024 at most. */
static void expect_names(size_t count, bool twice, sigmill_status expected) {
  static const char *const wanted[] = {"n0"};
  static text t;
  json_value value;
  size_t object_at, at = 0, last_at = 0;
  text_clear(&t);
  text_str(&t, "{");
  for (size_t i = 0; i < count; i++) {
    char member[32];
    size_t which = twice && i == count - 1 ? 500 : i;
    last_at = t.len;
    /* 10007 is prime: another number for each i. */
    snprintf(member, sizeof member, "\"n%zu\":0,", which * 7919 % 10007);
    text_str(&t, member);
  }
  t.bytes[t.len - 1] = '}';
  sigmill_status status =
      sm_json_object_read(&value, &object_at, wanted, 1, t.bytes, t.len, &at);
  EXPECT_STATUS(status, at, expected, last_at, "many names");
  EXPECT(status != SIGMILL_OK || value.kind == JSON_NUMBER, "n0");
}

static void many_names_are_told_apart(void) {
  expect_names(1024, false, SIGMILL_OK);
  expect_names(1025, false, SIGMILL_ERR_TOO_LONG);
  expect_names(1024, true, SIGMILL_ERR_MEMBER_DUPLICATE);
  expect_names(1025, true, SIGMILL_ERR_MEMBER_DUPLICATE);
}

/* ---------------------------------------------------------------- mutated */

static void mutated_texts_agree_with_yyjson(void) {
  static const char *const bases[] = {
      "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":[1,-2.5e+3,{\"y\":null}],\"t\":true}",
      "\xef\xbb\xbf {\"\\u00fc\":\"\\ud83d\\ude00\xf0\x9f\x98\x80\",\"a\":{\"b\":[[]]}}",
      "[{\"a\":[{}, {\"b\":\"\\n\"}]}, false, 0.5]"};
  static const char odd[] =
      "{}[],:\"\\u/0123456789eE+-.tfn \t\r\n\xc3\xbc\xed\xa0\xff\x1f";
  int rounds = test_long() ? 500000 : 20000;
  for (int i = 0; i < rounds; i++) {
    static text t;
    text_clear(&t);
    text_str(&t, bases[test_random_u64() % 3]);
    for (uint64_t edits = 1 + test_random_u64() % 3; edits > 0; edits--) {
      size_t at = test_random_u64() % t.len;
      char c = odd[test_random_u64() % sizeof odd];
      if (test_random_u64() % 2 == 0) {
        memmove(t.bytes + at + 1, t.bytes + at, t.len - at);
        t.len++;
      }
      t.bytes[at] = (uint8_t)c;
      t.len -= test_random_u64() % 8 == 0;
    }
    const char *wrong = json_disagreement(t.bytes, t.len);
    EXPECT(wrong == NULL, "%s: %.*s", wrong, (int)t.len, (const char *)t.bytes);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  RUN(structure_is_exact);
  RUN(numbers_are_exact);
  RUN(strings_are_exact);
  RUN(the_text_is_utf8);
  RUN(only_the_size_bounds_the_depth);
  RUN(brackets_match);
  RUN(a_name_may_not_stand_twice);
  RUN(members_are_found_where_they_stand);
  RUN(many_names_are_told_apart);
  RUN(mutated_texts_agree_with_yyjson);
  return test_end();
}
