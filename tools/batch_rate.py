#!/usr/bin/env python3
"""How much of the library's rate `sigmill batch` keeps: 200,000 lines of NDJSON and
2,000,000 binary rows, of a few hundred signers and of signers that are new in every row,
and binary rows with R, which `sigmill hint --batch` makes of them.

    tools/batch_rate.py BUILD [RUNS]

Batch and library (sigmill_p256_verify_batch of 1000 on one core, in the way that suits
the rows: with a key cache, without, in one equation) run in turns; each pair gives one
ratio.  Tells the medians, by the clock on the wall and per second of processor
time, and the peak of resident memory."""

import json
import os
import statistics
import subprocess
import sys
import tempfile

NDJSON_FEW = "--signatures 20000 --keys 400 --repeat 10"
NDJSON_NEW = "--signatures 20000 --keys 20000 --repeat 10"
BINARY_FEW = "--binary yes --signatures 20000 --keys 400 --repeat 100"
BINARY_NEW = "--binary yes --signatures 100000 --keys 100000 --repeat 20"
KNOWN, NEW = "p256-verify-known-batch/1000", "p256-verify-batch/1000"
RECOVERABLE, FULL = "p256-verify-recoverable65-batch/1000", "p256-verify-full-r96-batch/1000"
# name, options of sigmill-demo-log, rows, the library's row, hints.  Few keys stay in the
# program's caches; 20,000 and 100,000 in turns do not.
FILES = (
    ("NDJSON, 400 keys", NDJSON_FEW, 200000, KNOWN, None),
    ("NDJSON, new keys", NDJSON_NEW, 200000, NEW, None),
    ("binary, 400 keys", BINARY_FEW, 2000000, KNOWN, None),
    ("binary, new keys", BINARY_NEW, 2000000, NEW, None),
    ("binary, recoverable, new keys", BINARY_NEW, 2000000, RECOVERABLE, "recoverable"),
    ("binary, full R, new keys", BINARY_NEW, 2000000, FULL, "full-r"),
)


def library_rate(sigmill, row):
    """Signatures per second of processor time."""
    command = [sigmill, "speed", "--json", "--rows", row]
    out = subprocess.run(command + ["--seconds", "0.02"], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)["rows"][0]["sides"][0]["per_second"]


def run_batch(sigmill, threads, folder, rows):
    """Rows per second by the wall and by the processor, and MiB of memory."""
    command = [sigmill, "batch", "--threads", str(threads), "--json"]
    command += ["--out", os.path.join(folder, "verdicts"), os.path.join(folder, "log")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    summary = json.loads(out)["summary"]
    if status != 0 or summary["valid"] != rows:
        sys.exit("BATCH FAILED: %s" % summary)
    own = rows / (usage.ru_utime + usage.ru_stime)
    return rows / summary["seconds"], own, usage.ru_maxrss / 1024


def measure(build, name, options, rows, row, hint, runs, folder):
    sigmill = os.path.join(build, "cli/sigmill")
    make_log = os.path.join(build, "bench/sigmill-demo-log")
    threads = min(2, len(os.sched_getaffinity(0)))
    log, truth = os.path.join(folder, "log"), os.path.join(folder, "truth")
    subprocess.run([make_log, "--spoilt", "0", *options.split(), log, truth], check=True)
    if hint is not None:
        plain = log + ".plain"
        os.rename(log, plain)
        command = [sigmill, "hint", "--batch", "--to", hint, "--out", log, plain]
        subprocess.run(command, stderr=subprocess.DEVNULL, check=True)
        os.remove(plain)
    wall, own, memory = [], [], 0
    for _ in range(runs):
        by_wall, by_processor, resident = run_batch(sigmill, threads, folder, rows)
        single = library_rate(sigmill, row)
        wall.append(100 * by_wall / single / threads)
        own.append(100 * by_processor / single)
        memory = max(memory, resident)
        print(
            "   batch %7.0f /s   library %6.0f /s on one core   %5.1f%% of %d times that"
            % (by_wall, single, wall[-1], threads)
        )
    print(
        "%s, %d rows, %d threads: %.1f%% by the clock on the wall, %.1f%% per second of"
        " processor time, %.1f MiB\n"
        % (name, rows, threads, statistics.median(wall), statistics.median(own), memory),
        flush=True,
    )


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    runs = int(sys.argv[2]) if len(sys.argv) == 3 else 5
    for name, options, rows, row, hint in FILES:
        with tempfile.TemporaryDirectory() as folder:
            measure(sys.argv[1], name, options, rows, row, hint, runs, folder)


if __name__ == "__main__":
    main()
