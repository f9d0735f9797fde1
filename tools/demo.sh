#!/usr/bin/env bash
# The demonstration: a log of signatures made by libcrypto, some of them spoilt; sigmill batch
# must find exactly those; then speeds beside OpenSSL's.
#   tools/demo.sh BUILD [SEED]
set -euo pipefail
build=$1
seed=${2:-1}
sigmill=$build/cli/sigmill
make_log=$build/bench/sigmill-demo-log
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=$folder/log.ndjson
truth=$folder/truth.tsv
verdicts=$folder/verdicts.ndjson
found=$folder/found.tsv
tab=$'\t'

fail() {
  echo "DEMO FAILED: $*" >&2
  exit 1
}

echo "1. A server's log: 20,000 messages signed by 1,000 keys, made with libcrypto alone"
echo
"$make_log" --seed "$seed" "$log" "$truth"
lines=$(wc -l <"$log")
spoilt=$(wc -l <"$truth")
ways=$(cut -f4 "$truth" | sort -u | wc -l)
head -n 1 "$log" | fold -w 88
echo "... $lines lines like this, $spoilt of them spoilt in $ways different ways"
echo

echo "2. sigmill batch --only-bad log.ndjson"
echo
code=0
"$sigmill" batch --only-bad "$log" >"$verdicts" 2>"$folder/summary.txt" || code=$?
head -n 3 "$folder/summary.txt"
[ "$code" -eq 1 ] || fail "sigmill batch left with $code, not with 1 for invalid rows"
grep -q "^$lines rows: " "$folder/summary.txt" || fail "sigmill batch did not judge every line"
pattern='s/^.*"line":([0-9]+),"verdict":"([a-z]+)","reason":"([a-z0-9_]+)".*$/\1\t\2\t\3/p'
sed -nE "$pattern" "$verdicts" >"$found"
[ "$(wc -l <"$found")" -eq "$(wc -l <"$verdicts")" ] || fail "a verdict could not be read"
echo

# Line by line: what was planted against what was found.
awk -F "$tab" '
  NR == FNR { verdict[$1] = $2; reason[$1] = $3; way[$1] = $4
              if (!($4 in planted)) order[++ways] = $4
              planted[$4]++; next }
  !($1 in verdict) { print "   BLAMED THOUGH GOOD: line " $1 ": " $2 ", " $3; bad++; next }
  { seen[$1] = 1 }
  $2 != verdict[$1] || $3 != reason[$1] {
    print "   WRONG REASON: line " $1 " (" way[$1] "): " $2 ", " $3; bad++; next }
  { right[way[$1]]++ }
  END {
    for (line in verdict) {
      if (!(line in seen)) { print "   MISSED: line " line " (" way[line] ")"; bad++ }
      of[way[line]] = verdict[line] ", " reason[line]
    }
    printf "   %-36s %-26s %s\n", "how it was spoilt", "verdict, reason", "found"
    for (i = 1; i <= ways; i++) {
      printf "   %-36s %-26s %d of %d\n", order[i], of[order[i]], right[order[i]],
             planted[order[i]]
    }
    exit bad > 0
  }' "$truth" "$found" || fail "the verdicts are not those that were planted"
echo
echo "Exactly the $spoilt spoilt lines were found, each for its own reason; none of the" \
  "$((lines - spoilt)) good ones was blamed."
echo

echo "3. Speeds, beside OpenSSL's libcrypto in the same run"
echo
rows='p256-verify,p256-verify-bytes,p256-verify-full-r96,p256-recover,p256-sign,p256-keygen*'
rows+=',p256-ecdh,p256-parse33,p256-verify-batch/8,p256-verify-batch/1000'
rows+=',p256-verify-prepared,p256-verify-known-batch/1000,p256-verify-full-r96-batch/1000'
rows+=',p256-verify-recoverable65-batch,p256-parse33-batch,p256-sign-batch'
rows+=',p256-keygen-secret-batch,p256-ecdh-batch,sha256/200'
"$sigmill" speed --seconds 0.02 --rows "$rows"
echo

threads=$(nproc)
[ "$threads" -gt 2 ] && threads=2
echo "4. sigmill batch, $threads threads, $((10 * lines)) lines: how much of $threads times the" \
  "rate of sigmill_p256_verify_batch, keys known"
echo
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$log"; done >"$folder/long.ndjson"
# Batch and library in turns; each pair gives one ratio.
TIMEFORMAT='%U %S'
for _ in 1 2 3 4 5; do
  processor=$({ time "$sigmill" batch --threads "$threads" --json --output none \
    "$folder/long.ndjson" >"$folder/batch.json" || true; } 2>&1 | tail -n 1)
  rate=$(sed -nE 's/^.*"signatures_per_second":([0-9]+).*$/\1/p' "$folder/batch.json")
  single=$("$sigmill" speed --rows p256-verify-known-batch/1000 --seconds 0.02 --json |
    sed -nE 's/^ *"per_second": ([0-9.]+),?$/\1/p' | head -n 1)
  echo "$rate $single $processor"
done | awk -v threads="$threads" -v rows="$((10 * lines))" '
  { wall[NR] = 100 * $1 / ($2 * threads); own[NR] = 100 * rows / ($3 + $4) / $2
    printf "   batch %7d /s   library %6d /s on one core   %5.1f%% of %d times that\n", $1,
           $2, wall[NR], threads }
  function median(values, n,   i, j, t) {
    for (i = 2; i <= n; i++)
      for (j = i; j > 1 && values[j] < values[j - 1]; j--) {
        t = values[j]; values[j] = values[j - 1]; values[j - 1] = t }
    return values[int((n + 1) / 2)]
  }
  END {
    printf "\n   median %.1f%% by the clock on the wall; %.1f%% of the library'"'"'s rate per",
           median(wall, NR), median(own, NR)
    print " second of processor time"
  }'
