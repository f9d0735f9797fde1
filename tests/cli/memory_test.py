"""Allocations that fail, one after the other: no row gets another verdict for it, and a run
that cannot go on says so."""

import json
import os

import frame
from frame import Skip, equal, main, read, run, write
from rows import changed, good_rows, text_of


def failing(first, count, *arguments):
    library = os.environ.get("FAILING_MALLOC")
    if not library:
        raise Skip("no malloc to put before the program's")
    env = {
        "LD_PRELOAD": library,
        "FAIL_FIRST": str(first),
        "FAIL_COUNT": str(count),
        "FAIL_TOLD": "allocations",
    }
    return run([frame.PROGRAM, *arguments], env=env)


def write_rows():
    good = good_rows()[:48]
    write(
        "rows",
        text_of(
            [
                *good,
                changed(good[0], comment="x" * 100000),
                changed(good[1], sig="00"),
                changed(good[2], key={"kty": "EC"}),
                *good,
            ]
        ),
    )


def verdicts(lines):
    """Without their texts, which may be less exact for want of memory."""
    return [{**json.loads(line), "text": None} for line in lines]


def check(whole, result, count, told):
    """As if nothing had failed; or told, and not called complete."""
    lines, wanted = result.out.splitlines(), verdicts(whole.out.splitlines()[:-1])
    last = json.loads(lines[-1]) if lines else {}
    if last.get("summary", {}).get("complete"):
        equal((result.code, verdicts(lines[:-1])), (whole.code, wanted), told)
        return
    equal(result.code, 2, told)
    if count == 1:
        assert result.err, told + ": exit 2 without a message"
    got = verdicts(line for line in lines if b'"verdict":"error"' not in line)
    if last.get("summary"):
        got.pop()
    equal(got, wanted[: len(got)], told)


def test_batch():
    write_rows()
    for threads in (1, 2):
        command = ["batch", "--json", "--threads", str(threads), "rows"]
        whole = failing(0, 0, *command)
        assert whole.lines()[-1]["summary"]["complete"], whole.errors
        assert int(read("allocations")) > 0, "its malloc is not used"
        step = 1 if frame.LONG or threads == 1 else 3
        for first in range(0, int(read("allocations")), step):
            for count in (1, 3):
                told = "%d threads, %d from %d" % (threads, count, first)
                check(whole, failing(first, count, *command), count, told)


def test_hints():
    plain = [row for row in good_rows() if row["format"] in ("raw", "low-s", "der")][:24]
    write("rows", text_of([*plain, changed(plain[0], comment="x" * 100000)]))
    command = ["hint", "--batch", "--to", "full-r", "--threads", "1", "rows"]
    whole = failing(0, 0, *command)
    equal((whole.code, len(whole.out.splitlines())), (0, 25), whole.errors)
    for first in range(int(read("allocations"))):
        for count in (1, 3):
            result = failing(first, count, *command)
            told = "%d from %d: %s" % (count, first, result.errors)
            equal(result.out, whole.out[: len(result.out)], told)
            assert result.code == 2 or (result.code, result.out) == (0, whole.out), told
            assert result.err or count > 1, told


if __name__ == "__main__":
    main(globals())
