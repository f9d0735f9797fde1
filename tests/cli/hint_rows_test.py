"""sigmill hint --batch: the hinted signature of every kind of row, and what comes of rows
that get none.  Expected signatures are the model's, whose nonce a digest determines."""

import base64
import functools
import hashlib
import json

from frame import contains, equal, main, read, sigmill, write
from model import be, binary_file
from rows import changed, good_rows, key, spoilt_rows, text_of

TO = ("recoverable", "compressed-r", "full-r")
PLAIN = ("raw", "low-s", "der")


def rows_with_digests():
    """Plain rows of every form of key and message, each with its key and digest."""
    for i, row in enumerate(good_rows()):
        name = row.get("hash", "sha256")
        if "digest" in row:
            digest = bytes.fromhex(row["digest"])
        else:
            text = row.get("msg", "").encode()
            text = text or bytes.fromhex(row.get("msg_hex", ""))
            text = text or base64.b64decode(row.get("msg_b64", ""))
            digest = hashlib.new(name, text).digest()
        if row["format"] in PLAIN:
            yield row, key(i % 8), digest


def hinted(row, k, digest, to, encoding="hex"):
    sig = k.signature(digest, to)
    text = sig.hex() if encoding == "hex" else base64.b64encode(sig).decode()
    return {**row, "sig": text, "format": to}


def test_rows_of_every_kind():
    cases = list(rows_with_digests())
    assert len(cases) == 48
    write("rows", text_of(row for row, _, _ in cases))
    for to in TO:
        for encoding in ("hex", "base64"):
            result = sigmill(
                "hint", "--batch", "--to", to, "--out-encoding", encoding, "rows"
            )
            wanted = [hinted(*case, to, encoding) for case in cases]
            got = result.lines()
            equal(got, wanted, to)
            equal([list(row) for row in got], [list(row) for row in wanted], "order")
            contains(result.errors, "48 of 48 rows hinted as %s" % to, "0 invalid")
            back = sigmill("batch", "--output", "bytes", data=result.out)
            equal(back.out, b"\1" * 48)


def test_high_s_is_made_low():
    k, rows = key(3), []
    for i in range(40):
        digest = hashlib.sha256(b"%d" % i).digest()
        sig = k.signature(digest, ("raw", "der")[i % 2], high=i % 4 < 2)
        rows.append(({"sig": sig.hex(), "digest": digest.hex(), "n": i}, digest))
    write("key.pem", k.pem())
    for form, part in (("raw", rows[::2]), ("der", rows[1::2])):
        arguments = ["hint", "--batch", "--to", "full-r", "--key", "key.pem"]
        data = text_of(row for row, _ in part)
        result = sigmill(*arguments, "--format", form, data=data)
        wanted = [hinted(row, k, digest, "full-r") for row, digest in part]
        equal(result.lines(), wanted)
        strict = sigmill(*arguments, "--format", form, "--low-s", data=data, code=1)
        low = [line for line, (row, _) in zip(wanted, part) if row["n"] % 4 >= 2]
        equal(strict.lines(), low)
        told = [json.loads(line) for line in strict.errors.splitlines()[: 20 - len(low)]]
        equal({line["reason"] for line in told}, {"sig_high_s"})
        equal(len(told) + len(low), 20)


def test_what_else_a_row_holds_stays():
    k = key(0)
    digest = hashlib.sha256(b"m").digest()
    text = (
        '{"n":12345678901234567890123.50e1,"key":"%s","deep":{"a":[1,{"b":null}]},'
        '"sig":"%s","\\u00fc":"\\u20ac/\\n","msg":"m","format":"raw","n":-0.0}'
    )
    line = text % (k.compressed.hex(), k.signature(digest, "raw").hex())
    result = sigmill("hint", "--batch", "--to", "recoverable", data=line)
    wanted = text % (k.compressed.hex(), k.signature(digest, "recoverable").hex())
    wanted = wanted.replace('"raw"', '"recoverable"').replace("\\u00fc", "\u00fc")
    equal(result.text, wanted.replace("\\u20ac", "\u20ac") + "\n")


def test_rows_without_a_hint_are_told():
    """As `batch` tells them; tokens and rows with R are no rows for this."""
    rows, wanted = [], []
    for row, verdict, reason in spoilt_rows():
        form = row.get("format") if isinstance(row, dict) else None
        if form in TO or form == "jws":
            verdict, reason = "malformed", "row_value"
        rows.append(row)
        wanted.append((verdict, reason))
    write("rows", text_of(rows))
    # A format is judged before the other members, a member that stands twice before it.
    result = sigmill("hint", "--batch", "--to", "full-r", "--json", "rows", code=1)
    *told, last = [json.loads(line) for line in result.errors.splitlines()]
    good = [n for n, (verdict, _) in enumerate(wanted, 1) if verdict == "valid"]
    equal(len(result.lines()), len(good))
    bad = [n for n in range(1, len(rows) + 1) if n not in good]
    equal([line["line"] for line in told], bad)
    for line in told:
        verdict, reason = wanted[line["line"] - 1]
        equal(line["verdict"], verdict, str(line))
        if reason is not None:
            equal(line["reason"], reason, str(line))
    summary = last["summary"]
    equal((summary["rows"], summary["valid"]), (len(rows), len(good)))
    equal((summary["complete"], summary["format"]), (True, "full-r"))
    equal(sum(summary["reasons"].values()), len(bad))


@functools.lru_cache(maxsize=None)
def signed(j, hash_name, form, high=None):
    """The j-th of forty digests and its signature, by key j % 8."""
    digest = hashlib.new(hash_name, b"%d" % j).digest()
    return digest, key(j % 8).signature(digest, form, high)


def many(form, to, count, sizes):
    """Pairs of binary rows (id, key, digest, sig): one to be hinted, and hinted."""
    for i in range(count):
        k, j = key(i % 8), i % 40
        name = {32: "sha256", 48: "sha384"}[sizes[1]]
        digest, sig = signed(j, name, form, None if j % 3 else True)
        point = k.compressed if sizes[0] == 33 else k.uncompressed
        row = be(i, 4), point, digest
        yield (*row, sig), (*row, signed(j, name, to)[1])


def test_binary_rows():
    for form, to, sizes in (
        ("raw", "recoverable", (33, 32)),
        ("der", "full-r", (65, 48)),
        ("raw", "compressed-r", (65, 32)),
    ):
        rows = list(many(form, to, 3000, sizes))
        wanted = binary_file(to, [row for _, row in rows])
        write("rows", binary_file(form, [row for row, _ in rows], 3000))
        outputs = set()
        for threads in (1, 2, 3):
            arguments = ["--to", to, "--out", "hinted", "--threads", threads, "rows"]
            sigmill("hint", "--batch", *arguments)
            outputs.add(read("hinted"))
        equal(len(outputs), 1)
        assert outputs.pop() == wanted, form
        sigmill("batch", "--output", "none", "hinted")


def test_bad_binary_rows_are_left_out():
    rows = many("raw", "recoverable", 500, (33, 32))
    wanted, told, content = [], [], []
    for i, ((name, point, digest, sig), hinted_row) in enumerate(rows):
        if i % 7 == 2:
            sig = sig[:40] + bytes([sig[40] ^ 1]) + sig[41:]
            told.append((i + 1, "invalid", "sig_equation", name.hex()))
        elif i % 7 == 4:
            sig = bytes(32) + sig[32:]
            told.append((i + 1, "invalid", "sig_r", name.hex()))
        elif i % 7 == 5:
            point = b"\x05" + point[1:]
            told.append((i + 1, "malformed", "key_prefix", name.hex()))
        else:
            wanted.append(hinted_row)
        content.append((name, point, digest, sig))
    data = binary_file("raw", content)
    result = sigmill("hint", "--batch", "--to", "recoverable", data=data, code=1)
    equal(result.out, binary_file("recoverable", wanted))
    lines = [json.loads(line) for line in result.errors.splitlines() if line[0] == "{"]
    got = [(line["row"], line["verdict"], line["reason"], line["id"]) for line in lines]
    equal(got, told)


def test_exit_codes_and_usage():
    good = next(row for row, _, _ in rows_with_digests())
    bad = changed(good, msg="other")
    for rows, code in (([good], 0), ([good, bad], 1), ([good, "x"], 2), ([], 2)):
        write("rows", text_of(rows))
        sigmill("hint", "--batch", "--to", "full-r", "rows", code=code)
    hinted_rows = binary_file("full-r", [(b"", bytes(33), bytes(32), bytes(96))])
    result = sigmill("hint", "--batch", "--to", "full-r", data=hinted_rows, code=2)
    contains(result.errors, "byte 12", "have their R already")
    equal(result.out, b"")
    contains(sigmill("hint", "--batch", "rows", code=2).errors, "--to is missing")
    for wrong in (
        ["--to", "raw"],
        ["--to", "full-r", "--format", "recoverable"],
        ["--to", "full-r", "--format", "jws"],
        ["--to", "full-r", "--out-encoding", "binary"],
        ["--to", "full-r", "--sig", "file"],
        ["--to", "full-r", "rows", "rows"],
    ):
        sigmill("hint", "--batch", *wrong, code=2)
    contains(sigmill("hint", "--batch", "--help").text, "--to FORMAT", "hint --batch")
    contains(sigmill("hint", "--help").text, "sigmill hint --batch --help")
    token = {"key": key(0).compressed.hex(), "format": "jws", "sig": "a.b.c"}
    told = sigmill("hint", "--batch", "--to", "full-r", data=text_of([token]), code=2)
    contains(told.errors, "has no place for R")


def test_backends_agree():
    cases = list(rows_with_digests())
    write("rows", text_of(row for row, _, _ in cases))
    wanted = [hinted(*case, "recoverable") for case in cases]
    backends = sigmill("cpu", "--json").json()["backends"]
    for name in (name for name, usable in backends.items() if usable):
        arguments = ["--backend", name, "--to", "recoverable", "rows"]
        equal(sigmill("hint", "--batch", *arguments).lines(), wanted, name)


if __name__ == "__main__":
    main(globals())
