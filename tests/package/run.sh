#!/usr/bin/env bash
# Installs a build into an empty folder, builds the C example against it in every documented
# way, runs each, and uninstalls without a trace.
#   tests/package/run.sh BUILD
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$(cd "$1" && pwd)
work=$(mktemp -d)
prefix=$work/prefix

# The manifest of an install that is really in use is put back at the end.
manifest=$build/install_manifest.txt
[ -e "$manifest" ] && cp "$manifest" "$work/manifest"
put_back() {
  rm -f "$manifest"
  [ -e "$work/manifest" ] && cp "$work/manifest" "$manifest"
  rm -rf "$work"
}
trap put_back EXIT
passed=0
failed=0

check() {
  local what=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok   $what"
  else
    failed=$((failed + 1))
    echo "FAIL $what"
    cat "$work/log"
  fi
}

# RFC 6979, A.2.5: the key, and its signature of "sample" with SHA-256.
key=0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299
sig=efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8

right() { [ "$("$1" $key $sig sample)" = valid ] && [ "$("$1" $key $sig Sample)" = invalid ]; }

install_there() { cmake --install "$build" --prefix "$prefix"; }
link_shared() {
  ${CC:-cc} examples/c/verify.c $(pkg-config --cflags --libs sigmill) \
    -Wl,-rpath,"$libdir" -o "$work/shared"
}
link_static() {
  ${CC:-cc} examples/c/verify.c $(pkg-config --cflags sigmill) "$libdir/libsigmill.a" \
    $(pkg-config --libs-only-other --static sigmill) -o "$work/static"
}
build_by_package() {
  mkdir -p "$work/package"
  cp examples/c/verify.c "$work/package/"
  cat >"$work/package/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(use LANGUAGES C)
find_package(sigmill 0.1 CONFIG REQUIRED)
add_executable(by_shared verify.c)
target_link_libraries(by_shared PRIVATE sigmill::sigmill)
add_executable(by_static verify.c)
target_link_libraries(by_static PRIVATE sigmill::static)
TEXT
  cmake -S "$work/package" -B "$work/package/build" -DCMAKE_PREFIX_PATH="$prefix" &&
    cmake --build "$work/package/build"
}
soname() { [ "$(readelf -d "$libdir/libsigmill.so" | sed -nE 's/.*SONAME.*\[(.*)\]/\1/p')" = libsigmill.so.0.1 ]; }
uninstall_there() {
  cmake --build "$build" --target uninstall
  [ -z "$(find "$prefix" -type f -o -type l)" ]
}

check "install" install_there
libdir=$(dirname "$(find "$prefix" -name libsigmill.so)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
check "soname" soname
check "link with pkg-config" link_shared
check "run it" right "$work/shared"
check "link the static library" link_static
check "run it" right "$work/static"
check "find_package, shared and static" build_by_package
check "run the shared one" right "$work/package/build/by_shared"
check "run the static one" right "$work/package/build/by_static"
if [ -x "$prefix/bin/sigmill" ]; then
  check "the installed program runs" "$prefix/bin/sigmill" --version
fi
check "uninstall leaves no file" uninstall_there

echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
