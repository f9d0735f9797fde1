#!/bin/sh
# Runs the corpus's own runner on the shared library: under one backend with batches of 9,
# or, without one, under the backend that the library chooses, with batches of 64 too.
#   run_corpus.sh PYTHON LIBRARY HEADER [BACKEND]
set -u
python=$1 library=$2 header=$3 backend=${4:-}

skip() {
  echo "SKIP corpus_runner: $1"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}

[ -n "${SIGMILL_VECTORS:-}" ] || skip "SIGMILL_VECTORS names no folder of vectors"

if [ -n "$backend" ]; then
  "$python" - "$library" "$backend" <<'END' || skip "backend $backend cannot run on this machine"
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.sigmill_backend_select.argtypes = [ctypes.c_char_p]
sys.exit(library.sigmill_backend_select(sys.argv[2].encode()) != 0)
END
  set -- --backend "$backend"
else
  set -- --batch 64
fi
for group in p256_digest p256_range p256_group p256_hint p256_keys p256_der; do
  set -- "$@" --group "$group"
done
exec "$python" "$SIGMILL_VECTORS/corpus/run.py" "$library" "$SIGMILL_VECTORS/corpus" \
  --header "$header" --quiet "$@"
