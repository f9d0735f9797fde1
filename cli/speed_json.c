/* The JSON of `sigmill speed`; docs/benchmarks.md gives the schema. */
#include "speed_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

/* Values are copied into the document where they do not outlive it; a failed addition
 * shows in the writing, for the document is then incomplete and `ok` false. */
typedef struct {
  yyjson_mut_doc *doc;
  bool ok;
} writer;

static void put(writer *w, yyjson_mut_val *object, const char *key,
                yyjson_mut_val *value) {
  w->ok = w->ok && value != NULL && yyjson_mut_obj_add_val(w->doc, object, key, value);
}

static void put_text(writer *w, yyjson_mut_val *object, const char *key,
                     const char *text) {
  put(w, object, key,
      text == NULL ? yyjson_mut_null(w->doc) : yyjson_mut_str(w->doc, text));
}

static void put_number(writer *w, yyjson_mut_val *object, const char *key, double value) {
  put(w, object, key, yyjson_mut_real(w->doc, value));
}

static void put_count(writer *w, yyjson_mut_val *object, const char *key, size_t value) {
  put(w, object, key, yyjson_mut_uint(w->doc, value));
}

static void put_samples(writer *w, yyjson_mut_val *object, const char *key,
                        const double *values, size_t n) {
  put(w, object, key, yyjson_mut_arr_with_double(w->doc, values, n));
}

/* {median, spread, low, high}, or null. */
static void put_stats(writer *w, yyjson_mut_val *object, const char *key,
                      speed_stats stats) {
  if (!(stats.median > 0)) {
    put(w, object, key, yyjson_mut_null(w->doc));
    return;
  }
  yyjson_mut_val *value = yyjson_mut_obj(w->doc);
  put_number(w, value, "median", stats.median);
  put_number(w, value, "spread", stats.spread);
  put_number(w, value, "low", stats.low);
  put_number(w, value, "high", stats.high);
  put(w, object, key, value);
}

static yyjson_mut_val *machine_value(writer *w, const speed_machine *m) {
  yyjson_mut_val *value = yyjson_mut_obj(w->doc);
  put_text(w, value, "processor", m->processor);
  put(w, value, "cores", yyjson_mut_sint(w->doc, m->cores));
  put(w, value, "bound_to_core",
      m->cpu >= 0 ? yyjson_mut_sint(w->doc, m->cpu) : yyjson_mut_null(w->doc));
  put_text(w, value, "os", m->os);
  put_text(w, value, "kernel", m->kernel);
  return value;
}

static yyjson_mut_val *peers_value(writer *w, const speed_run *run) {
  yyjson_mut_val *peers = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < run->peers_count; i++) {
    const speed_peer *peer = &run->peers[i];
    yyjson_mut_val *value = yyjson_mut_obj(w->doc);
    put_text(w, value, "name", peer->name);
    put_text(w, value, "path", peer->path[0] != 0 ? peer->path : NULL);
    put_text(w, value, "error", peer->error[0] != 0 ? peer->error : NULL);
    w->ok = w->ok && yyjson_mut_arr_append(peers, value);
  }
  return peers;
}

static yyjson_mut_val *side_value(writer *w, const speed_run *run,
                                  const speed_result *result, size_t k) {
  const speed_side *side = &result->sides[k];
  yyjson_mut_val *value = yyjson_mut_obj(w->doc);
  put_text(w, value, "library", k == 0 ? "sigmill" : run->peers[k - 1].name);
  put_text(w, value, "outcome", side->outcome == SPEED_TIMED ? "timed" : "wrong");
  if (k > 0) {
    put_text(w, value, "operation", side->operation->row);
    put_text(w, value, "how", side->operation->how);
    put_text(w, value, "differs", side->operation->differs);
  }
  if (side->outcome == SPEED_TIMED) {
    put_count(w, value, "calls_per_sample", side->calls);
    put_count(w, value, "operations_per_call", side->per_call);
    speed_stats ns = speed_side_ns(run, result, k);
    put_stats(w, value, "ns", ns);
    put_stats(w, value, "cycles", speed_side_cycles(run, result, k));
    put_number(w, value, "per_second", ns.median > 0 ? 1e9 / ns.median : 0);
    if (k > 0 && result->sides[0].outcome == SPEED_TIMED) {
      put_stats(w, value, "ratio", speed_side_ratio(run, result, k));
    }
    put_samples(w, value, "ns_samples", side->ns, run->samples);
  }
  return value;
}

static yyjson_mut_val *rows_value(writer *w, const speed_run *run) {
  yyjson_mut_val *rows = yyjson_mut_arr(w->doc);
  for (size_t i = 0; i < run->results_count; i++) {
    const speed_result *result = &run->results[i];
    yyjson_mut_val *value = yyjson_mut_obj(w->doc);
    put_text(w, value, "name", result->label);
    put_text(w, value, "row", result->row->name);
    put_text(w, value, "what", result->row->what);
    put_text(w, value, "timer",
             result->row->wall ? "wall time" : "processor time of the thread");
    put(w, value, "size",
        result->size > 0 ? yyjson_mut_uint(w->doc, result->size)
                         : yyjson_mut_null(w->doc));
    yyjson_mut_val *sides = yyjson_mut_arr(w->doc);
    for (size_t k = 0; k <= run->peers_count; k++) {
      if (result->sides[k].outcome != SPEED_ABSENT) {
        w->ok = w->ok && yyjson_mut_arr_append(sides, side_value(w, run, result, k));
      }
    }
    put(w, value, "sides", sides);
    if (result->sides[0].outcome == SPEED_TIMED) {
      put_samples(w, value, "ghz_samples", result->ghz, run->samples);
    }
    w->ok = w->ok && yyjson_mut_arr_append(rows, value);
  }
  return rows;
}

bool speed_print_json(const speed_run *run) {
  writer w = {yyjson_mut_doc_new(NULL), true};
  if (w.doc == NULL) {
    return false;
  }
  yyjson_mut_val *root = yyjson_mut_obj(w.doc);
  yyjson_mut_doc_set_root(w.doc, root);
  put_text(&w, root, "schema", "sigmill-speed-1");
  put_text(&w, root, "version", sigmill_version());
  put_text(&w, root, "backend", sigmill_backend_name());
  put_text(&w, root, "compiler", run->machine.compiler);
  put_text(&w, root, "flags", run->machine.flags);
  put_text(&w, root, "time", run->machine.time);
  put(&w, root, "machine", machine_value(&w, &run->machine));
  put_text(&w, root, "timer", "processor time of the thread");
  put_stats(&w, root, "clock_ghz", speed_run_ghz(run));
  put_number(&w, root, "core_shared", run->shared);
  put_count(&w, root, "samples", run->samples);
  put_number(&w, root, "seconds_per_sample", run->seconds);
  put(&w, root, "peers", peers_value(&w, run));
  put(&w, root, "rows", rows_value(&w, run));
  char *text =
      w.ok ? yyjson_mut_write(w.doc, YYJSON_WRITE_PRETTY_TWO_SPACES, NULL) : NULL;
  bool ok = text != NULL && puts(text) != EOF;
  free(text);
  yyjson_mut_doc_free(w.doc);
  return ok;
}
