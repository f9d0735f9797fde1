#!/usr/bin/env bash
# The constant-time runs: builds the library with its secrets marked, under each compiler at
# -O2 and -O3 for valgrind and once for MemorySanitizer, and runs ct_run on every backend.
# A build in which the tool does not catch ct_run's deliberate leaks is a failure too.
#
# usage: tests/ct/run.sh FOLDER [VARIANT...]      exit code 0 only if all passed
set -uo pipefail
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
all_variants="gcc-O2 gcc-O3 clang-O2 clang-O3 msan-O2"
if [ $# -lt 1 ]; then
  echo "usage: $0 FOLDER [VARIANT...]   (variants: $all_variants)" >&2
  exit 2
fi
folder=$1
shift
variants=${*:-$all_variants}
mkdir -p "$folder"
reported=99 # the exit code of both tools for a finding

# first COMMAND...: the first that is installed.
first() {
  local name
  for name in "$@"; do
    if command -v "$name" >/dev/null; then
      echo "$name"
      return
    fi
  done
  echo "none of these is installed: $*" >&2
  return 1
}

# build VARIANT: leaves FOLDER/VARIANT/tests/ct/ct_run.
build() {
  local variant=$1 dir=$folder/$1 compiler options
  case $variant in
    gcc-*) compiler=$(first gcc-12 gcc) || return 1 ;;
    clang-* | msan-*) compiler=$(first clang-14 clang) || return 1 ;;
    *)
      echo "no such variant: $variant" >&2
      return 1
      ;;
  esac
  case $variant in
    # MemorySanitizer does not see into assembly: the portable bodies stand in for it.  It
    # does follow the vector instructions of the lanes.
    msan-*)
      options=(-DSIGMILL_CT=msan -DSIGMILL_SANITIZE=memory
        -DCMAKE_C_FLAGS=-DSIGMILL_NO_ASM)
      ;;
    *) options=(-DSIGMILL_CT=valgrind) ;;
  esac
  # Valgrind 3.19 cannot read clang's DWARF 5.
  cmake -S "$source_dir" -B "$dir" -G Ninja -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-${variant##*-} -gdwarf-4" \
    -DSIGMILL_CLI=OFF "${options[@]}" >"$dir.log" 2>&1 &&
    cmake --build "$dir" -j "$(nproc)" --target ct_run >>"$dir.log" 2>&1
}

# follow VARIANT ARGUMENTS...: runs ct_run under the variant's tool.
follow() {
  local variant=$1 program=$folder/$1/tests/ct/ct_run
  shift
  case $variant in
    msan-*) MSAN_OPTIONS=exitcode=$reported "$program" "$@" ;;
    *)
      valgrind --quiet --error-exitcode=$reported --track-origins=no \
        --num-callers=12 "$program" "$@"
      ;;
  esac
}

passed=0
failed=0
say() {
  printf '%-9s %-12s %s\n' "$1" "$2" "$3"
  case "$3" in
    FAILED*) failed=$((failed + 1)) ;;
    *) passed=$((passed + 1)) ;;
  esac
}

for variant in $variants; do
  if ! build "$variant"; then
    say "$variant" build "FAILED, see $folder/$variant.log"
    continue
  fi
  for leak in branch address comparison; do
    log=$folder/$variant.leak-$leak.log
    follow "$variant" leak "$leak" >"$log" 2>&1
    code=$?
    if [ "$code" = "$reported" ]; then
      say "$variant" "leak" "caught: $leak"
    else
      say "$variant" "leak" "FAILED: $leak was not caught (exit code $code, see $log)"
    fi
  done
  backends=$(follow "$variant" backends) || backends=
  if [ -z "$backends" ]; then
    say "$variant" backends "FAILED: none runs here"
  fi
  for backend in $backends; do
    log=$folder/$variant.$backend.log
    if follow "$variant" "$backend" >"$log" 2>&1; then
      say "$variant" "$backend" "ok: $(tail -n 1 "$log") ($(grep -o 'SHA-256 .*' "$log"))"
    else
      say "$variant" "$backend" "FAILED, see $log"
      grep -E -m 5 'FAIL|Conditional|Use of uninit|Invalid|WARNING' "$log" | sed 's/^/    /'
    fi
  done
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
