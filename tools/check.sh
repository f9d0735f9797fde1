#!/usr/bin/env bash
# What must hold of the tree and of a build besides tests: formatting, generated files as their
# generators write them, exported symbols, symbol prefixes, intrinsics, floors, file lengths.
#   tools/check.sh BUILD
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1
passed=0
failed=0

check() {
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok   $what"
  else
    failed=$((failed + 1))
    echo "FAIL $what"
  fi
}

formatted() { tools/sources.sh | xargs clang-format-14 --dry-run -Werror; }

exports_match() {
  diff <(sed -nE 's/^ +(sigmill_[a-z0-9_]+);$/\1/p' src/sigmill.map) \
    <(nm -D --defined-only "$build/src/libsigmill.so" | awk '$2 != "A" {print $3}' |
      sed 's/@.*//' | sort)
}

header_matches() {
  diff <(sed -nE 's/^ +(sigmill_[a-z0-9_]+);$/\1/p' src/sigmill.map) \
    <(python3 tools/list_api.py include/sigmill.h)
}

prefixes_hold() {
  [ -e "$build/src/libsigmill.a" ] &&
    ! nm -g --defined-only "$build/src/libsigmill.a" 2>/dev/null |
    awk 'NF == 3 && $3 !~ /^(sm_|sigmill_)/ {print "exported without prefix: " $3; bad = 1}
         END {exit !bad}'
}

only_libc() {
  [ "$(readelf -d "$build/src/libsigmill.so" | sed -nE 's/.*NEEDED.*\[(.*)\]/\1/p')" = libc.so.6 ]
}

intrinsics_in_place() {
  ! grep -lE 'immintrin\.h|cpuid\.h' -r src | grep -vE 'src/base/cpu\.c|_x86\.c|src/lanes/vec_[a-z0-9]+\.h'
}

# Each floor of src/ includes itself and what stands before it here.
floors_hold() {
  grep -rnoE '#include "(base|hash|field|scalar|group|lanes|scheme|batch)/' src/*/ |
    awk -F '[/:"]' '
      BEGIN { n = split("base hash field scalar group lanes scheme batch", name, " ")
              for (i = 1; i <= n; i++) height[name[i]] = i }
      height[$2] < height[$(NF - 1)] { print "climbs: " $0; bad = 1 }
      END { exit bad }'
}

# Tables and the public header, which is one file by intent, may be longer.
lengths_hold() {
  ! tools/sources.sh |
    grep -vE '^(src/(group|lanes)/tables_p256(_x8)?\.c|include/sigmill\.h)$' | xargs wc -l |
    awk '$2 != "total" && $1 > 600 {print "too long: " $2; bad = 1} END {exit !bad}'
}

check "formatting" formatted
for generator in tools/gen_*.py; do
  check "unchanged: $generator" python3 "$generator" --check
done
check "exported symbols are those of sigmill.map" exports_match
check "sigmill.map lists what sigmill.h declares" header_matches
check "internal symbols carry their prefix" prefixes_hold
check "the library needs libc alone" only_libc
check "intrinsics stand in their own files" intrinsics_in_place
check "no include climbs a floor" floors_hold
check "no file has more than 600 lines" lengths_hold

echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
