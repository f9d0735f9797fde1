"""sigmill batch: the verdict of every kind of row, order, threads, options."""

import base64
import hashlib
import json
import random

from frame import contains, equal, main, read, sigmill, write
from model import B, P, Key, be, pem
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
    # CR before the newline does not count, anywhere else it does.
    for end, verdict in (
        ("\r\n", "valid"),
        ("\r", "valid"),
        (" \r\n", "malformed"),
        ("\r\r\n", "malformed"),
        ("\r ", "malformed"),
    ):
        for data in (None, fits + end):
            write("rows", fits + end)
            words = ["rows"] if data is None else []
            result = sigmill("batch", *words, data=data, code=None)
            equal([line["verdict"] for line in result.lines()], [verdict], repr(end))
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


SPKI_COMPRESSED = bytes.fromhex("3039301306072a8648ce3d020106082a8648ce3d030107032200")


def any_compressed(source, i):
    """Bytes that may be a compressed point, and why they are none."""
    x = source.getrandbits(256) % P if i % 9 else P + i
    square = pow(x**3 - 3 * x + B, (P - 1) // 2, P) in (0, 1)
    reason = "key_range" if x >= P else None if square else "key_point"
    return bytes([2 + i % 2]) + be(x), reason


def test_compressed_keys_are_read_together():
    """Each bad key is blamed on its own row, before what stands behind it in the row; a
    good one leaves the row to its signature."""
    source = random.Random(4)
    rows = []
    for i in range(3000):
        point, reason = any_compressed(source, i)
        spki = base64.b64encode(SPKI_COMPRESSED + point).decode()
        row = {
            "id": i,
            "key": (point.hex(), base64.b64encode(point).decode(), spki)[i % 3],
            "format": "raw",
            "sig": be(1).hex() + be(1).hex(),
            "msg": "m",
        }
        wanted = [("invalid", "sig_equation"), ("malformed", "sig_length")]
        wanted += [("malformed", "row_missing"), ("malformed", "jws_parts")]
        wanted += [("invalid", "sig_r")]
        way = i // 3 % 5
        if way == 1:
            row["sig"] = "zz"
        elif way == 2:
            row["msg"] = None
        elif way == 3:
            row = changed(row, format="jws", sig="a.b", msg=None)
        elif way == 4:
            row = changed(row, format="der", sig="3006020100020101")
        verdict = wanted[way] if reason is None else ("malformed", reason)
        rows.append((changed(row), *verdict))
        if i % 5 == 0:
            rows.append(rows[source.randrange(len(rows))])
    for threads in (1, 2):
        lines = check(rows, "--threads", threads).lines()
    for line, (row, _, reason) in zip(lines, rows):
        if reason in ("key_range", "key_point"):
            decoded = '"key", decoded byte %d:' % (27 if len(row["key"]) == 80 else 0)
            contains(line["text"], decoded)


def test_compressed_keys_of_binary_rows():
    source = random.Random(5)
    content, wanted = [], []
    for i in range(3000):
        point, reason = any_compressed(source, i)
        field = bytes([8]) + bytes.fromhex("3006020101020101") + bytes(64)
        if i % 4 == 1:
            field = field[:-1] + b"\1"
        elif i % 4 == 2:
            field = bytes([8]) + bytes.fromhex("3006020100020101") + bytes(64)
        content.append(point + bytes(32) + field)
        if i % 4 == 1:
            wanted.append("row_padding")
        else:
            wanted.append(reason or ("sig_r" if i % 4 == 2 else "sig_equation"))
    header = b"SGMLROWS" + bytes([1, 0, 64, 0, 6, 33, 32, 0, 138, 0, 0, 0]) + bytes(44)
    write("rows", header + b"".join(content))
    lines = sigmill("batch", "rows", code=1).lines()
    equal([line["reason"] for line in lines], wanted)


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
