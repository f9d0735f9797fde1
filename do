#!/usr/bin/env bash
# The one command of the house.  ./do demo and ./do test set up a fresh Debian 12 by
# themselves; ./do alone lists the rest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() {
  cat <<'TEXT'
usage: ./do COMMAND

  demo             build, check a log of 20,000 signatures, compare speeds with OpenSSL
  test             build and run every test (SIGMILL_LONG=1 for the long suite)

  setup            install what the commands need (Debian packages, yyjson)
  build            build into ./build
  bench [ARGS]     sigmill speed ARGS
  rate [RUNS]      sigmill batch on long logs, as a part of twice the library's rate
  fuzz SECONDS [TARGET]   run the fuzzers, each for so long
  ct               constant-time runs of everything that holds a secret
  package          install into a temporary folder, build the examples against it, uninstall
  format           format every source file
  check            formatting, generated files, exported symbols
  clean            remove ./build

Environment: CC chooses the compiler; SIGMILL_VECTORS names the folder of outside test
vectors (tests that need them say that they were skipped); SIGMILL_BACKEND forces a backend.
TEXT
}

cores() { nproc 2>/dev/null || echo 2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# is_there NAME: a command of that name, or the file if it is a path.
is_there() {
  case "$1" in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

# need COMMAND-OR-PATH PACKAGE ...: installs PACKAGE where COMMAND-OR-PATH is missing.
need() {
  local missing=()
  while [ $# -gt 0 ]; do
    is_there "$1" || missing+=("$2")
    shift 2
  done
  if [ ${#missing[@]} -gt 0 ]; then
    echo "installing: ${missing[*]}" >&2
    export DEBIAN_FRONTEND=noninteractive
    as_root apt-get update -qq
    as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
  fi
}

setup() {
  need cmake cmake ninja ninja-build cc gcc c++ g++ pkg-config pkg-config \
    openssl openssl python3 python3 /usr/include/openssl/evp.h libssl-dev \
    /usr/include/string.h libc6-dev
  tools/fetch_yyjson.sh .cache/yyjson
}

# What only the wider checks need.
setup_checks() {
  setup
  need clang-14 clang-14 clang-format-14 clang-format-14 valgrind valgrind \
    /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.fuzzer-x86_64.a libclang-rt-14-dev
}

build() {
  setup
  cmake -S . -B build -G Ninja -DSIGMILL_WERROR=ON -DSIGMILL_CLI=ON -DSIGMILL_TESTS=ON \
    >/dev/null
  cmake --build build -j "$(cores)"
}

command=${1:-}
[ $# -gt 0 ] && shift
case "$command" in
  setup) setup_checks ;;
  build) build ;;
  demo)
    build
    tools/demo.sh build "$@"
    ;;
  test)
    if [ -z "${SIGMILL_VECTORS:-}" ] && [ -d ../shared/vectors ]; then
      export SIGMILL_VECTORS=../shared/vectors
    fi
    build
    tools/run_tests.sh build "$@"
    ;;
  bench)
    build
    build/cli/sigmill speed "$@"
    ;;
  rate)
    build
    tools/batch_rate.py build "$@"
    ;;
  fuzz)
    setup_checks
    tests/fuzz/run.sh "$@"
    ;;
  ct)
    setup_checks
    tests/ct/run.sh "${1:-build-ct}"
    ;;
  package)
    build
    tests/package/run.sh build
    ;;
  format)
    setup_checks
    tools/sources.sh | xargs clang-format-14 -i
    ;;
  check)
    setup_checks
    build
    tools/check.sh build
    ;;
  clean) rm -rf build build-* ;;
  "" | help | -h | --help) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
