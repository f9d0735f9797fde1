#!/bin/sh
# Compiles the public header alone as C11 and as C++17 with every warning an error, by each
# compiler that is installed, and runs a C++ program on the shared library.
#   run.sh SOURCE-FOLDER LIBRARY WORK-FOLDER
set -u
root=$1 library=$2 work=$3
here=$root/tests/interface
passed=0 failed=0 skipped=0
strict="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Werror"

check() {
  what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok   $what"
  else
    failed=$((failed + 1))
    echo "FAIL $what"
  fi
}

cxx_program() {
  # shellcheck disable=SC2086
  $1 -std=c++17 $strict -I "$root/include" "$here/header_cxx17.cpp" "$library" \
    -Wl,-rpath,"$(dirname "$library")" -o "$work/header_cxx17" &&
    [ "$("$work/header_cxx17")" = right ]
}

c_header() {
  # shellcheck disable=SC2086
  echo '#include "sigmill.h"' |
    $1 -std=c11 $strict -Wstrict-prototypes -I "$root/include" -fsyntax-only -x c -
}

mkdir -p "$work"
seen=0
for compiler in g++ clang++ clang++-14; do
  if command -v $compiler >/dev/null; then
    seen=1
    check "C++17 with $compiler" cxx_program $compiler
  fi
done
if [ $seen = 0 ]; then
  skipped=$((skipped + 1))
  echo "SKIP header_cxx17: no C++ compiler is installed"
fi
for compiler in gcc clang clang-14; do
  if command -v $compiler >/dev/null; then
    check "C11 with $compiler" c_header $compiler
  fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
