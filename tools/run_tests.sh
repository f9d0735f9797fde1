#!/usr/bin/env bash
# Runs the test programs of a build folder and adds up their closing lines.
#   tools/run_tests.sh BUILD [CTEST ARGUMENTS]
set -uo pipefail
build=$1
shift
if [ -z "${SIGMILL_VECTORS:-}" ]; then
  echo "note: SIGMILL_VECTORS is not set; tests of outside vectors will be skipped" >&2
else
  SIGMILL_VECTORS=$(cd "$SIGMILL_VECTORS" && pwd) || exit 2
  export SIGMILL_VECTORS
fi
log=$build/tests.log
ctest --test-dir "$build" -j "$(nproc)" --timeout 900 --verbose "$@" >"$log" 2>&1
status=$?
grep -E '(^[0-9]+: (FAIL|SKIP) )|\*\*\*' "$log" | sed -E 's/^[0-9]+: //'
if [ $status -ne 0 ]; then
  grep -E '^[0-9]+: [^ ]+:[0-9]+: ' "$log" | head -n 60
  echo "the whole output: $log" >&2
fi
awk '
  match($0, /[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped/) {
    split(substr($0, RSTART, RLENGTH), word, /[ ,]+/)
    passed += word[1]; failed += word[3]; skipped += word[5]
  }
  /^[ 0-9]*\/[0-9]+ Test .*\*\*\*/ { broken++ }
  END {
    if (failed == 0) failed = broken
    if (passed + skipped == 0 && failed == 0) {
      print "no test ran: the build has none, or no name fits" > "/dev/stderr"
      nothing = 1
    }
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit nothing
  }' "$log" || status=1
exit $status
