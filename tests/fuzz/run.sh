#!/bin/sh
# Builds the fuzz targets and runs them on inputs made on the spot.
#
#   tests/fuzz/run.sh SECONDS [TARGET...]
#
# Each target runs for so many seconds; without names, all do.  Crashing inputs are left in
# the build folder (FUZZ_BUILD, build-fuzz by default) and named at the end.
set -eu

if [ $# -lt 1 ]; then
  sed -n '2,7s/^# \{0,1\}//p' "$0"
  exit 2
fi
seconds=$1
shift

root=$(cd "$(dirname "$0")/../.." && pwd)
build=${FUZZ_BUILD:-$root/build-fuzz}
compiler=${FUZZ_CC:-clang-14}
mkdir -p "$build"
cmake -G Ninja -S "$root" -B "$build" -DCMAKE_C_COMPILER="$compiler" \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSIGMILL_VERIFY=ON \
  -DSIGMILL_SANITIZE=fuzzer-no-link,address,undefined >"$build/build.log" 2>&1 ||
  { cat "$build/build.log" >&2; exit 2; }
cmake --build "$build" --target fuzzers -- -j2 >"$build/build.log" 2>&1 ||
  { cat "$build/build.log" >&2; exit 2; }

programs=$build/tests/fuzz
"$programs/fuzz_seeds" "$build/seeds"
if [ $# -eq 0 ]; then
  for program in "$programs"/fuzz_*; do
    target=${program##*/fuzz_}
    [ -x "$program" ] && [ "$target" != seeds ] && set -- "$@" "$target"
  done
fi

passed=0
failed=0
for target; do
  mkdir -p "$build/found/$target" "$build/crashes/$target" "$build/seeds/$target"
  if "$programs/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -max_len=2048 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$build/crashes/$target/" \
    "$build/found/$target" "$build/seeds/$target" >"$build/$target.log" 2>&1; then
    passed=$((passed + 1))
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log")
    echo "ok   $target: $runs inputs"
  else
    failed=$((failed + 1))
    echo "FAIL $target: the input is in $build/crashes/$target"
    tail -40 "$build/$target.log"
  fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
