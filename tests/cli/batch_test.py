"""sigmill batch: verdicts, order, threads, memory, and everything that can go wrong."""
import base64
import functools
import hashlib
import json
import os
import random
import signal
import subprocess
import time

import frame
from frame import Skip, contains, equal, main, read, run, sigmill, write
from model import (N, Key, b64url, be, binary_file, binary_header, der_signature)

FORMATS = ("raw", "low-s", "der", "recoverable", "compressed-r", "full-r")
KEYS = 8


@functools.lru_cache(maxsize=None)
def key(i):
    return Key(100 + i)


def key_text(k, form):
    return {
        0: k.compressed.hex(),
        1: k.uncompressed.hex().upper(),
        2: base64.b64encode(k.compressed).decode(),
        3: b64url(k.uncompressed),
        4: base64.b64encode(k.spki()).decode(),
        5: k.pem(),
        6: k.jwk(),
        7: base64.b64encode(k.cose()).decode(),
    }[form % 8]


@functools.lru_cache(maxsize=None)
def good_rows():
    """Rows in every form of key, signature and message, all valid."""
    rows = []
    for i in range(96):
        k, form = key(i % KEYS), FORMATS[i % len(FORMATS)]
        message = "line %d: \u00fc \U0001f600 \"quoted\" \\ \n" % i
        name = ("sha256", "sha384", "sha512")[i % 3]
        digest = hashlib.new(name, message.encode()).digest()
        sig = k.signature(digest, form)
        row = {"id": "row-%d" % i, "time": "2024-01-01", "key": key_text(k, i // 3), "format": form,
               "sig": sig.hex() if i % 2 else base64.b64encode(sig).decode()}
        if name != "sha256" or i % 2:
            row["hash"] = name
        way = i // 8 % 4
        if way == 0:
            row["msg"] = message
        elif way == 1:
            row["msg_hex"] = message.encode().hex()
        elif way == 2:
            row["msg_b64"] = base64.b64encode(message.encode()).decode()
        else:
            row["digest"] = digest.hex()
        rows.append(row)
    return rows


def text_of(rows):
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


def changed(row, **members):
    row = {**row, **members}
    return {name: value for name, value in row.items() if value is not None}


def flip(text, at):
    return text[:at] + ("1" if text[at] != "1" else "2") + text[at + 1 :]


def spoilt_rows():
    """(row, verdict, reason) for every way in which a row can be wrong."""
    k = key(0)
    digest = hashlib.sha256(b"hello").digest()
    r, s, _ = k.sign(digest, high=False)
    good = {"id": 1, "key": k.compressed.hex(), "format": "raw", "sig": (be(r) + be(s)).hex(), "msg": "hello"}
    der = der_signature(r, s)
    low = k.signature(digest, "recoverable")
    full = k.signature(digest, "full-r")
    bad_point = flip(k.uncompressed.hex(), 100)
    yield good, "valid", None
    yield changed(good, msg="hullo"), "invalid", "sig_equation"
    yield changed(good, key=key(1).compressed.hex()), "invalid", "sig_equation"
    yield changed(good, sig=flip(good["sig"], 60)), "invalid", "sig_equation"
    yield changed(good, sig=(bytes(32) + be(s)).hex()), "invalid", "sig_r"
    yield changed(good, sig=(be(N) + be(s)).hex()), "invalid", "sig_r"
    yield changed(good, sig=(be(r) + bytes(32)).hex()), "invalid", "sig_s"
    yield changed(good, format="der", sig=der_signature(0, s).hex()), "invalid", "sig_r"
    yield changed(good, format="der", sig=der_signature(r, N).hex()), "invalid", "sig_s"
    high = k.signature(digest, "low-s", high=True)
    yield changed(good, format="low-s", sig=high.hex()), "invalid", "sig_high_s"
    yield changed(good, sig=high.hex()), "valid", None
    yield changed(good, format="recoverable", sig=(b"\x1b" + low[1:]).hex()), "invalid", "sig_recid"
    yield changed(good, format="recoverable", sig=bytes([low[0] ^ 1, *low[1:]]).hex()), "invalid", "sig_equation"
    yield changed(good, format="full-r", sig=flip(full.hex(), 100)), "invalid", "sig_point"
    yield changed(good, sig=good["sig"][:-2]), "malformed", "sig_length"
    yield changed(good, sig=good["sig"] + "00"), "malformed", "sig_length"
    yield changed(good, sig=""), "malformed", "sig_length"
    yield changed(good, sig="g" + good["sig"][1:]), "malformed", "hex"
    yield changed(good, sig="*" + b64url(be(r) + be(s))[1:]), "malformed", "base64"
    yield changed(good, format="der", sig=der.hex() + "00"), "malformed", "trailing"
    yield changed(good, format="der", sig=der.hex()[:-2]), "malformed", "truncated"
    yield changed(good, format="der", sig="30" + der.hex()), "malformed", None
    yield changed(good, format="der", sig=der.hex()[:-1]), "malformed", "hex"
    yield changed(good, format="der", sig="30" * 3000), "malformed", "too_long"
    yield changed(good, format="der", sig="!"), "malformed", "text"
    yield changed(good, format="asn1"), "malformed", "row_value"
    yield changed(good, format=7), "malformed", "row_type"
    yield changed(good, format=None), "malformed", "row_missing"
    yield changed(good, sig=None), "malformed", "row_missing"
    yield changed(good, key=None), "malformed", "row_missing"
    yield changed(good, msg=None), "malformed", "row_missing"
    yield changed(good, sig=["a"]), "malformed", "row_type"
    yield changed(good, sig=5), "malformed", "row_type"
    yield changed(good, msg=5), "malformed", "row_type"
    yield changed(good, key=5), "malformed", "row_type"
    yield changed(good, id={"a": 1}), "malformed", "row_type"
    yield changed(good, digest=digest.hex()), "malformed", "row_message"
    yield changed(good, msg_hex=b"hello".hex()), "malformed", "row_message"
    yield changed(good, hash="md5"), "malformed", "row_value"
    yield changed(good, hash="sha384"), "invalid", "sig_equation"
    yield changed(good, msg=None, msg_hex="68656c6c6f"), "valid", None
    yield changed(good, msg=None, msg_hex="68656c6c6"), "malformed", "hex"
    yield changed(good, msg=None, msg_hex="68656c6c6x"), "malformed", "hex"
    yield changed(good, msg=None, msg_b64="aGVsbG8="), "valid", None
    yield changed(good, msg=None, msg_b64="aGVsbG8"), "valid", None
    yield changed(good, msg=None, msg_b64="aGVsbG9="), "malformed", "base64"
    yield changed(good, msg=None, msg_b64="aGVs!G8="), "malformed", "base64"
    yield changed(good, msg=None, digest=digest.hex()), "valid", None
    yield changed(good, msg=None, digest=digest.hex()[:-2]), "invalid", "sig_equation"
    yield changed(good, msg=None, digest=digest.hex()[:-1]), "malformed", "digest_length"
    yield changed(good, msg=None, digest=digest.hex() * 3), "malformed", "digest_length"
    yield changed(good, msg=None, digest=""), "malformed", "digest_length"
    yield changed(good, msg=None, digest="x" + digest.hex()[1:]), "malformed", "hex"
    yield changed(good, msg=None, digest=digest.hex(), hash="sha512"), "malformed", "digest_length"
    yield changed(good, key=bad_point), "malformed", "key_point"
    yield changed(good, key="05" + k.uncompressed.hex()[2:]), "malformed", "key_prefix"
    yield changed(good, key="02" + "ff" * 32), "malformed", "key_range"
    yield changed(good, key=k.compressed.hex()[:-2]), "malformed", "key_length"
    yield changed(good, key=""), "malformed", None
    yield changed(good, key="no key at all!"), "malformed", "text"
    yield changed(good, key=k.pem() + k.pem()), "malformed", "pem_blocks"
    yield changed(good, key={**k.jwk(), "crv": "P-384"}), "malformed", "curve"
    yield changed(good, key={}), "malformed", "member_missing"
    yield changed(good, key="A" * 20000), "malformed", "too_long"
    yield changed(good, key=base64.b64encode(k.spki() + b"\0").decode()), "malformed", None
    yield json.dumps(good)[:-1], "malformed", "row_json"
    yield json.dumps(good) + "x", "malformed", "row_json"
    yield "", "malformed", "row_empty"
    yield "   \t", "malformed", "row_empty"
    yield "nonsense", "malformed", "row_json"
    yield "[1]", "malformed", "row_json"
    yield '"text"', "malformed", "row_json"
    yield '{"a":"\\ud800"}', "malformed", "row_json"
    yield json.dumps(good)[:-1] + ',"msg":"hello"}', "malformed", "row_duplicate"
    yield json.dumps(good)[:-1] + ',"id":1}', "malformed", "row_duplicate"
    yield json.dumps(good)[:-1] + ',"unknown":{"deep":[1,2]},"unknown":3}', "valid", None
    yield changed(good, id=None), "valid", None
    text = b64url(b'{"alg":"ES256"}') + "." + b64url(b"claims")
    token = text + "." + b64url(k.signature(hashlib.sha256(text.encode()).digest(), "raw"))
    as_token = {"key": k.compressed.hex(), "format": "jws", "sig": token}
    yield as_token, "valid", None
    yield changed(as_token, key=key(1).compressed.hex()), "invalid", "sig_equation"
    yield changed(as_token, sig=token + "."), "malformed", "jws_parts"
    yield changed(as_token, sig=token[:-3]), "malformed", None
    yield changed(as_token, msg="m"), "malformed", "row_message"


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
    for rows, code in (([good], 0), ([good, bad], 1), ([good, "x"], 2), ([bad, "x"], 1), ([], 2)):
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
        rows.append(changed(row, id=i, sig="00" * 64 if spoilt else row["sig"],
                            format="raw" if spoilt else row["format"]))
    write("rows", text_of(rows))
    outputs = [sigmill("batch", "--threads", n, "rows", code=1).out for n in (1, 2, 3, 4)]
    lines = [json.loads(line) for line in outputs[0].splitlines()]
    equal([line["id"] for line in lines], list(range(3000)))
    equal([line["verdict"] for line in lines], ["invalid" if i % 10 == 3 else "valid" for i in range(3000)])
    for other in outputs[1:]:
        equal(other, outputs[0])
    piped = sigmill("batch", data=text_of(rows), code=1)
    equal(piped.out, outputs[0])


def test_ids_come_back_as_they_were():
    row = good_rows()[0]
    for given in ('"x\\u00fc\\n"', "12345678901234567890123", "-0.10e5", "true", "null", '""'):
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
    sigmill("batch", "--key", "key.pem", "--format", "der", "--digest", "sha512", "--low-s", "rows", code=1)
    hybrid = bytes([6 + (k.point[1] & 1)]) + k.uncompressed[1:]
    spki = k.spki().replace(k.uncompressed, hybrid)
    from model import pem
    for text in (hybrid.hex(), base64.b64encode(spki).decode(), pem("PUBLIC KEY", spki)):
        write("rows", text_of([{"sig": sig.hex(), "msg": "m", "key": text, "hash": "sha512", "format": "der"}]))
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
    assert summary["signatures_per_second"] > 0 and summary["backend"] and summary["threads"] >= 1
    equal(summary["policy"]["scheme"], "ecdsa-p256")
    only = sigmill("batch", "--output", "none", "--json", "rows", code=1).json()
    equal(only["summary"]["rows"], len(rows))
    sigmill("batch", "--out", "verdicts", "rows", code=1)
    equal(len(read("verdicts").splitlines()), len(rows))


def test_ends_of_lines_and_files():
    row = json.dumps(good_rows()[0])
    for text, count in ((row, 1), (row + "\n", 1), (row + "\r\n" + row + "\r\n", 2), ("\ufeff" + row, 1),
                        (row + "\n\n", 2), ("\n" * 5000, 5000)):
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
    rows = [json.dumps(row), fits, fits.replace('"}', 'p"}'), json.dumps(row), "x" * (3 << 20), json.dumps(row)]
    wanted = ["valid", "valid", "malformed", "valid", "malformed", "valid"]
    for end in ("\n", ""):
        for data in (None, text_of(rows[:-1]) + rows[-1] + end):
            write("rows", "\n".join(rows) + end)
            result = sigmill("batch", "--threads", "2", *(["rows"] if data is None else []), data=data, code=2)
            lines = result.lines()
            equal([line["verdict"] for line in lines], wanted)
            equal([line.get("reason") for line in lines].count("row_too_long"), 2)
    write("rows", "y" * (2 << 20))
    equal(sigmill("batch", "rows", code=2).lines()[0]["reason"], "row_too_long")


def test_many_keys_and_long_ids():
    rows = []
    for i in range(40):
        k = Key(5000 + i)
        rows.append({"id": "i" * (i * 50), "key": k.compressed.hex(), "format": "raw",
                     "sig": k.signature(hashlib.sha256(b"m").digest(), "raw").hex(), "msg": "m"})
    check([(row, "valid", None) for row in rows * 5], "--threads", "2")


def limited(kilobytes, *arguments, **more):
    """Under a limit on address space; sanitizers reserve more than any limit."""
    command = ["sh", "-c", 'ulimit -v %d; exec "$@"' % kilobytes, "sh", frame.PROGRAM, *arguments]
    result = run(command, **more)
    if b"Sanitizer" in result.err:
        raise Skip("a sanitizer needs more memory than the limit")
    return result


def test_a_gigabyte_line_in_bounded_memory():
    row = json.dumps(good_rows()[0]) + "\n"
    size = (1 << 30) if frame.LONG else (1 << 28)
    with open("rows", "wb") as file:
        file.write(row.encode())
        file.write(b'{"sig":"')
        file.seek(size, os.SEEK_CUR)
        file.write(b"\n" + row.encode())
    result = limited(200000, "batch", "--threads", "2", "rows")
    equal(result.code, 2, result.errors)
    equal([line["verdict"] for line in result.lines()], ["valid", "malformed", "valid"])
    equal(result.lines()[1]["reason"], "row_too_long")


def test_many_rows_in_bounded_memory():
    write("rows", "\n" * (20 << 20))
    result = limited(250000, "batch", "--threads", "2", "--output", "bytes", "rows")
    equal((result.code, len(result.out)), (2, 20 << 20), result.errors)


# ---------------------------------------------------------------- binary rows


def binary_rows(form, count=40, compressed=True, name="sha256", id_size=4):
    rows = []
    for i in range(count):
        k = key(i % KEYS)
        digest = hashlib.new(name, b"row %d" % i).digest()
        sig = k.signature(digest, form)
        rows.append((i.to_bytes(id_size, "big") if id_size else b"",
                     k.compressed if compressed else k.uncompressed, digest, sig))
    return rows


def test_binary_rows():
    for form in FORMATS:
        for compressed in (True, False):
            for name in ("sha256", "sha384", "sha512"):
                rows = binary_rows(form, 10, compressed, name, 3 if compressed else 0)
                rows[4] = rows[4][:2] + (bytes(len(rows[4][2])),) + rows[4][3:]
                write("rows", binary_file(form, rows, 10))
                got = sigmill("batch", "--output", "bytes", "rows", code=1).out
                equal(got, bytes([1, 1, 1, 1, 0, 1, 1, 1, 1, 1]), form)
                lines = sigmill("batch", "rows", code=1).lines()
                equal([line["row"] for line in lines], list(range(1, 11)))
                if compressed:
                    equal([line["id"] for line in lines], ["%06x" % i for i in range(10)])
                else:
                    assert "id" not in lines[0]


def test_binary_order_and_threads():
    rows = binary_rows("raw", 64) * 40
    for i in range(0, len(rows), 7):
        rows[i] = rows[i][:3] + (bytes(64),)
    write("rows", binary_file("raw", rows))
    want = bytes(0 if i % 7 == 0 else 1 for i in range(len(rows)))
    for threads in (1, 2, 3, 4):
        equal(sigmill("batch", "--threads", threads, "--output", "bytes", "rows", code=1).out, want)
    equal(sigmill("batch", "--output", "bytes", data=read("rows"), code=1).out, want)


def test_binary_bad_rows():
    rows = binary_rows("der", 6)
    bad_key = bytes([5]) + rows[1][1][1:]
    rows[1] = rows[1][:1] + (bad_key,) + rows[1][2:]
    data = bytearray(binary_file("der", rows))
    size = (len(data) - 64) // 6
    sig_at = 64 + 2 * size + 4 + 33 + 32
    data[sig_at] = 73
    data[64 + 4 * size - 1] = 1
    data[64 + 4 * size + 4 + 33 + 32 + 2] ^= 1
    write("rows", bytes(data))
    equal(sigmill("batch", "--output", "bytes", "rows", code=2).out, bytes([1, 2, 2, 2, 2, 1]))
    lines = sigmill("batch", "rows", code=2).lines()
    equal([line.get("reason") for line in lines],
          [None, "key_prefix", "too_long", "row_padding", lines[4]["reason"], None])
    contains(lines[3]["text"], "byte 72")


def test_binary_headers():
    good = binary_file("raw", binary_rows("raw", 3))
    size = 4 + 33 + 32 + 64
    equal(len(good), 64 + 3 * size)
    for at, value in ((8, 2), (10, 65), (12, 0), (12, 7), (13, 34), (14, 20), (15, 5), (16, size + 1),
                      (20, 1), (23, 1), (32, 1), (63, 1)):
        bad = bytearray(good)
        bad[at] = value
        write("rows", bytes(bad))
        result = sigmill("batch", "rows", code=2)
        contains(result.errors, "rows: byte ")
        equal(result.out, b"")
    write("rows", b"x" + good[1:])
    contains(sigmill("batch", "--input", "binary", "rows", code=2).errors, "byte 0")
    write("rows", good)
    sigmill("batch", "--input", "binary", "rows")
    sigmill("batch", "--input", "ndjson", "rows", code=2)


def test_truncated_binary():
    rows = binary_rows("raw", 5)
    for count in (0, 5):
        whole = binary_file("raw", rows, count)
        size = (len(whole) - 64) // 5
        for cut in (1, 8, 63, 64, 65, 64 + size - 1, 64 + size, 64 + size + 1, len(whole) - 1):
            write("rows", whole[:cut])
            at_row = cut >= 64 and (cut - 64) % size == 0
            result = sigmill("batch", "--input", "binary", "--output", "bytes", "rows",
                             code=0 if at_row and count == 0 and cut > 64 else 2)
            equal(len(result.out), max(0, cut - 64) // size, "rows before the cut")
            if result.code == 2:
                contains(result.errors, "rows")
                if cut != 64 or count != 0:
                    contains(result.errors, "byte %d" % cut)
        equal(sigmill("batch", "--output", "bytes", data=whole[:-1], code=2).out, b"\1" * 4)
    write("rows", binary_file("raw", rows, 4))
    contains(sigmill("batch", "rows", code=2).errors, "5 rows", "says 4")
    summary = sigmill("batch", "--json", "--output", "none", "rows", code=2).lines()[-1]["summary"]
    equal(summary["complete"], False)


# ---------------------------------------------------------------- outputs that fail


def test_full_disk():
    write("rows", text_of(good_rows()))
    for arguments in ([], ["--only-bad", "--json"], ["--output", "bytes"]):
        with open("/dev/full", "wb") as full:
            result = sigmill("batch", *arguments, "rows", stdout=full, code=2)
            contains(result.errors, "stdout", "No space left")
    contains(sigmill("batch", "--out", "/dev/full", "rows", code=2).errors, "/dev/full", "No space left")
    contains(sigmill("batch", "--out", "no/such", "rows", code=2).errors, "no/such")


def test_closed_pipe():
    write("rows", text_of(good_rows() * 200))
    process = subprocess.Popen([frame.PROGRAM, "batch", "rows"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read().decode()
    equal(process.wait(60), 2, errors)
    contains(errors, "stdout", "Broken pipe")


def test_closed_pipe_while_input_waits():
    """The reader that waits for input learns that the output is gone."""
    process = subprocess.Popen([frame.PROGRAM, "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    process.stdin.write(text_of(good_rows()).encode())
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(text_of(good_rows()).encode())
    process.stdin.flush()
    equal(process.wait(60), 2)
    contains(process.stderr.read().decode(), "Broken pipe")
    process.stdin.close()
    process.stderr.close()


def test_rows_that_come_slowly():
    """What has come is judged without waiting for more."""
    process = subprocess.Popen([frame.PROGRAM, "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    for i in range(5):
        process.stdin.write(text_of([changed(good_rows()[i], id=i)]).encode())
        process.stdin.flush()
        signal.alarm(60)
        equal(json.loads(process.stdout.readline())["id"], i)
        signal.alarm(0)
    process.stdin.close()
    equal(process.wait(60), 0)
    process.stdout.close()


def test_progress_only_on_a_terminal():
    write("rows", text_of(good_rows() * 20))
    result = sigmill("batch", "rows")
    assert b"\r" not in result.err


def test_all_backends_agree():
    write("rows", text_of(row for row, _, _ in spoilt_rows()))
    backends = sigmill("cpu", "--json").json()["backends"]
    outputs = {}
    for name, usable in backends.items():
        if usable:
            outputs[name] = sigmill("batch", "rows", code=1, env={"SIGMILL_BACKEND": name}).out
    equal(len(set(outputs.values())), 1, str(list(outputs)))
    sigmill("batch", "rows", code=2, env={"SIGMILL_BACKEND": "no_such"})


if __name__ == "__main__":
    main(globals())
