"""sigmill batch: the verdict of every kind of row, order, threads, options."""

import base64
import hashlib
import json
import random

from frame import contains, equal, main, read, sigmill, write
from model import Key, pem
from rows import changed, good_rows, key, spoilt_rows, text_of


def check(rows, *arguments, data=None):
    """Runs a batch over (row, verdict, reason) and compares; returns the result."""
    write("rows", text_of(row for row, _, _ in rows) if data is None else data)
    result = sigmill("batch", *arguments, "rows", code=None)
    got = result.lines()
    equal(len(got), len(rows), "rows")
    for number, (line, (row, verdict, reason)) in enumerate(zip(got, rows), 1):
        equal((line["line"], line["verdict"]), (number, verdict), "%s: %s" % (row, line))
        if verdict != "valid":
            assert line["text"], line
            if reason is not None:
                equal(line["reason"], reason, str(row)[:300])
        if isinstance(row, dict) and not isinstance(row.get("id"), dict):
            equal(line.get("id"), row.get("id"))
    return result


def test_valid_rows_of_every_kind():
    rows = [(row, "valid", None) for row in good_rows()]
    result = check(rows)
    equal(result.code, 0)
    contains(result.errors, "96 valid, 0 invalid, 0 malformed", "signatures/s", "backend")


def test_spoilt_rows():
    rows = list(spoilt_rows())
    result = check(rows)
    equal(result.code, 1)
    rows = [(row, "valid", None) for row in good_rows()] + rows * 3
    random.Random(1).shuffle(rows)
    for threads in (1, 2, 3, 4):
        check(rows, "--threads", threads)


def test_exit_codes():
    good, bad = good_rows()[0], changed(good_rows()[0], msg="other")
    for rows, code in (
        ([good], 0),
        ([good, bad], 1),
        ([good, "x"], 2),
        ([bad, "x"], 1),
        ([], 2),
    ):
        write("rows", text_of(rows))
        sigmill("batch", "rows", code=code)
    contains(sigmill("batch", "rows", code=2).errors, "nothing to verify")
    contains(sigmill("batch", "not_there", code=2).errors, "not_there")
    contains(sigmill("batch", ".", code=2).errors, "directory")


def test_order_and_threads():
    rows = []
    for i in range(3000):
        row = good_rows()[i % 96]
        spoilt = i % 10 == 3
        rows.append(
            changed(
                row,
                id=i,
                sig="00" * 64 if spoilt else row["sig"],
                format="raw" if spoilt else row["format"],
            )
        )
    write("rows", text_of(rows))
    outputs = [sigmill("batch", "--threads", n, "rows", code=1).out for n in (1, 2, 3, 4)]
    lines = [json.loads(line) for line in outputs[0].splitlines()]
    equal([line["id"] for line in lines], list(range(3000)))
    equal(
        [line["verdict"] for line in lines],
        ["invalid" if i % 10 == 3 else "valid" for i in range(3000)],
    )
    for other in outputs[1:]:
        equal(other, outputs[0])
    piped = sigmill("batch", data=text_of(rows), code=1)
    equal(piped.out, outputs[0])


def test_ids_come_back_as_they_were():
    row = good_rows()[0]
    for given in (
        '"x\\u00fc\\n"',
        "12345678901234567890123",
        "-0.10e5",
        "true",
        "null",
        '""',
    ):
        text = json.dumps(row)[:-1].replace('"id": "row-0", ', "") + ', "id": %s}' % given
        line = sigmill("batch", data=text + "\n").text.splitlines()[0]
        shown = line.split('"id":')[1].split(',"line"')[0]
        if given.startswith('"'):
            equal(json.loads(shown), json.loads(given))
        else:
            equal(shown, given)


def test_defaults_of_the_command_line():
    k = key(2)
    write("key.pem", k.pem())
    sig = k.signature(hashlib.sha512(b"m").digest(), "der", high=True)
    write("rows", text_of([{"sig": sig.hex(), "msg": "m"}]))
    sigmill("batch", "--key", "key.pem", "--format", "der", "--digest", "sha512", "rows")
    sigmill("batch", "--key", "key.pem", "--format", "der", "rows", code=1)
    sigmill(
        "batch",
        "--key",
        "key.pem",
        "--format",
        "der",
        "--digest",
        "sha512",
        "--low-s",
        "rows",
        code=1,
    )
    hybrid = bytes([6 + (k.point[1] & 1)]) + k.uncompressed[1:]
    spki = k.spki().replace(k.uncompressed, hybrid)
    for text in (hybrid.hex(), base64.b64encode(spki).decode(), pem("PUBLIC KEY", spki)):
        write(
            "rows",
            text_of(
                [
                    {
                        "sig": sig.hex(),
                        "msg": "m",
                        "key": text,
                        "hash": "sha512",
                        "format": "der",
                    }
                ]
            ),
        )
        sigmill("batch", "rows", code=2)
        sigmill("batch", "--hybrid", "rows")


def test_only_bad_and_json_summary():
    rows = list(spoilt_rows())
    bad = [i for i, (_, verdict, _) in enumerate(rows, 1) if verdict != "valid"]
    write("rows", text_of(row for row, _, _ in rows))
    lines = sigmill("batch", "--only-bad", "--json", "rows", code=1).lines()
    summary = lines.pop()["summary"]
    equal([line["line"] for line in lines], bad)
    equal(summary["rows"], len(rows))
    for verdict in ("valid", "invalid", "malformed"):
        equal(summary[verdict], sum(1 for row in rows if row[1] == verdict), verdict)
    equal(summary["complete"], True)
    equal(sum(summary["reasons"].values()), len(bad))
    assert (
        summary["signatures_per_second"] > 0
        and summary["backend"]
        and summary["threads"] >= 1
    )
    equal(summary["policy"]["scheme"], "ecdsa-p256")
    only = sigmill("batch", "--output", "none", "--json", "rows", code=1).json()
    equal(only["summary"]["rows"], len(rows))
    sigmill("batch", "--out", "verdicts", "rows", code=1)
    equal(len(read("verdicts").splitlines()), len(rows))


def test_ends_of_lines_and_files():
    row = json.dumps(good_rows()[0])
    for text, count in (
        (row, 1),
        (row + "\n", 1),
        (row + "\r\n" + row + "\r\n", 2),
        ("\ufeff" + row, 1),
        (row + "\n\n", 2),
        ("\n" * 5000, 5000),
    ):
        write("rows", text)
        equal(len(sigmill("batch", "rows", code=None).lines()), count, repr(text[-20:]))
    write("rows", row + "\n\ufeff" + row + "\n")
    sigmill("batch", "rows", code=2)
    write("rows", b"\xff\xfe\n\0\n" + row.encode())
    got = [line["verdict"] for line in sigmill("batch", "rows", code=2).lines()]
    equal(got, ["malformed", "malformed", "valid"])


def test_long_lines():
    row = good_rows()[0]
    most = 1 << 20
    padded = json.dumps({**row, "pad": ""})[:-2]
    fits = padded + "p" * (most - len(padded) - 2) + '"}'
    equal(len(fits), most)
    rows = [
        json.dumps(row),
        fits,
        fits.replace('"}', 'p"}'),
        json.dumps(row),
        "x" * (3 << 20),
        json.dumps(row),
    ]
    wanted = ["valid", "valid", "malformed", "valid", "malformed", "valid"]
    for end in ("\n", ""):
        for data in (None, text_of(rows[:-1]) + rows[-1] + end):
            write("rows", "\n".join(rows) + end)
            result = sigmill(
                "batch",
                "--threads",
                "2",
                *(["rows"] if data is None else []),
                data=data,
                code=2
            )
            lines = result.lines()
            equal([line["verdict"] for line in lines], wanted)
            equal([line.get("reason") for line in lines].count("row_too_long"), 2)
    write("rows", "y" * (2 << 20))
    equal(sigmill("batch", "rows", code=2).lines()[0]["reason"], "row_too_long")


def test_many_keys_and_long_ids():
    rows = []
    for i in range(40):
        k = Key(5000 + i)
        rows.append(
            {
                "id": "i" * (i * 50),
                "key": k.compressed.hex(),
                "format": "raw",
                "sig": k.signature(hashlib.sha256(b"m").digest(), "raw").hex(),
                "msg": "m",
            }
        )
    check([(row, "valid", None) for row in rows * 5], "--threads", "2")


def test_all_backends_agree():
    write("rows", text_of(row for row, _, _ in spoilt_rows()))
    backends = sigmill("cpu", "--json").json()["backends"]
    outputs = {}
    for name, usable in backends.items():
        if usable:
            outputs[name] = sigmill(
                "batch", "rows", code=1, env={"SIGMILL_BACKEND": name}
            ).out
    equal(len(set(outputs.values())), 1, str(list(outputs)))
    sigmill("batch", "rows", code=2, env={"SIGMILL_BACKEND": "no_such"})


if __name__ == "__main__":
    main(globals())
