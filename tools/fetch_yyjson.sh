#!/usr/bin/env bash
# Puts yyjson.c and yyjson.h into a folder, from the sources inside the Python package of the
# same name: the one registry that carries a pinned copy of them.  The archive's hash is
# checked by pip before anything in it is read.
set -euo pipefail
target=$1
version=4.0.6
sha256=fcd4dc15c1e39a30bf9fa85d56903029111506860fc3080ab0d81c6c6dacaa8c

if [ -e "$target/yyjson.c" ] && [ "$(cat "$target/version" 2>/dev/null)" = "$version" ]; then
  exit 0
fi

if ! python3 -m pip --version >/dev/null 2>&1; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq \
    --no-install-recommends python3-pip >&2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "yyjson==$version --hash=sha256:$sha256" >"$work/pinned.txt"
for attempt in 1 2 3; do
  if python3 -m pip download --quiet --disable-pip-version-check --no-deps \
    --no-binary :all: --require-hashes -r "$work/pinned.txt" -d "$work" \
    >"$work/pip.log" 2>&1; then
    break
  fi
  if [ "$attempt" = 3 ]; then
    tail -n 20 "$work/pip.log" >&2
    echo "yyjson could not be fetched" >&2
    exit 1
  fi
  sleep 2
done
mkdir -p "$target"
tar -xzf "$work/yyjson-$version.tar.gz" -C "$work"
cp "$work/yyjson-$version/yyjson/yyjson.c" "$work/yyjson-$version/yyjson/yyjson.h" \
  "$work/yyjson-$version/LICENSE" "$target/"
echo "$version" >"$target/version"
