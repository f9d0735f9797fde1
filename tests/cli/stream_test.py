"""sigmill batch as a stream: bounded memory, binary rows, inputs that end too early,
outputs that fail."""

import hashlib
import json
import os
import signal
import subprocess
import threading
import time

import frame
from frame import Skip, contains, equal, main, read, run, sigmill, write
from model import binary_file
from rows import FORMATS, KEYS, changed, good_rows, key, text_of


def limited(kilobytes, *arguments, **more):
    """Under a limit on address space; sanitizers reserve more than any limit."""
    command = [
        "sh",
        "-c",
        'ulimit -v %d; exec "$@"' % kilobytes,
        "sh",
        frame.PROGRAM,
        *arguments,
    ]
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
        rows.append(
            (
                i.to_bytes(id_size, "big") if id_size else b"",
                k.compressed if compressed else k.uncompressed,
                digest,
                sig,
            )
        )
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
        equal(
            sigmill(
                "batch", "--threads", threads, "--output", "bytes", "rows", code=1
            ).out,
            want,
        )
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
    equal(
        sigmill("batch", "--output", "bytes", "rows", code=2).out,
        bytes([1, 2, 2, 2, 2, 1]),
    )
    lines = sigmill("batch", "rows", code=2).lines()
    equal(
        [line.get("reason") for line in lines],
        [None, "key_prefix", "too_long", "row_padding", lines[4]["reason"], None],
    )
    contains(lines[3]["text"], "byte 72")


def test_binary_headers():
    good = binary_file("raw", binary_rows("raw", 3))
    size = 4 + 33 + 32 + 64
    equal(len(good), 64 + 3 * size)
    for at, value in (
        (8, 2),
        (10, 65),
        (12, 0),
        (12, 7),
        (13, 34),
        (14, 20),
        (15, 5),
        (16, size + 1),
        (20, 1),
        (23, 1),
        (32, 1),
        (63, 1),
    ):
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
        for cut in (
            1,
            8,
            63,
            64,
            65,
            64 + size - 1,
            64 + size,
            64 + size + 1,
            len(whole) - 1,
        ):
            write("rows", whole[:cut])
            at_row = cut >= 64 and (cut - 64) % size == 0
            result = sigmill(
                "batch",
                "--input",
                "binary",
                "--output",
                "bytes",
                "rows",
                code=0 if at_row and count == 0 and cut > 64 else 2,
            )
            equal(len(result.out), max(0, cut - 64) // size, "rows before the cut")
            if result.code == 2:
                contains(result.errors, "rows")
                if cut != 64 or count != 0:
                    contains(result.errors, "byte %d" % cut)
        equal(
            sigmill("batch", "--output", "bytes", data=whole[:-1], code=2).out, b"\1" * 4
        )
    write("rows", binary_file("raw", rows, 4))
    contains(sigmill("batch", "rows", code=2).errors, "5 rows", "says 4")
    summary = sigmill("batch", "--json", "--output", "none", "rows", code=2).lines()[-1][
        "summary"
    ]
    equal(summary["complete"], False)


# ---------------------------------------------------------------- outputs that fail


def test_full_disk():
    write("rows", text_of(good_rows()))
    for arguments in ([], ["--only-bad", "--json"], ["--output", "bytes"]):
        with open("/dev/full", "wb") as full:
            result = sigmill("batch", *arguments, "rows", stdout=full, code=2)
            contains(result.errors, "stdout", "No space left")
    contains(
        sigmill("batch", "--out", "/dev/full", "rows", code=2).errors,
        "/dev/full",
        "No space left",
    )
    contains(sigmill("batch", "--out", "no/such", "rows", code=2).errors, "no/such")


def test_closed_pipe():
    write("rows", text_of(good_rows() * 200))
    process = subprocess.Popen(
        [frame.PROGRAM, "batch", "rows"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read().decode()
    equal(process.wait(60), 2, errors)
    contains(errors, "stdout", "Broken pipe")


def test_closed_pipe_while_input_waits():
    """The reader that waits for input learns that the output is gone."""
    process = subprocess.Popen(
        [frame.PROGRAM, "batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
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
    process = subprocess.Popen(
        [frame.PROGRAM, "batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    for i in range(5):
        process.stdin.write(text_of([changed(good_rows()[i], id=i)]).encode())
        process.stdin.flush()
        signal.alarm(60)
        equal(json.loads(process.stdout.readline())["id"], i)
        signal.alarm(0)
    process.stdin.close()
    equal(process.wait(60), 0)
    process.stdout.close()


def do_not_block(fd):
    os.set_blocking(fd, False)
    return fd


def test_pipes_that_do_not_block():
    rows = text_of(good_rows() * 40).encode()
    write("rows", rows)
    out, end = os.pipe()
    process = subprocess.Popen(
        [frame.PROGRAM, "batch", "rows"], stdout=do_not_block(end), stderr=subprocess.PIPE
    )
    os.close(end)
    time.sleep(0.5)  # the pipe is full long before
    with os.fdopen(out, "rb") as file:
        equal(file.read().count(b"\n"), rows.count(b"\n"))
    errors = process.communicate()[1]
    equal(process.returncode, 0, errors)
    # The same for input that is not there yet: rows, files, passphrases.
    frame.make_openssl_key()
    frame.openssl(
        *["pkey", "-in", "key.pem", "-aes256", "-passout", "pass:some word"],
        *["-out", "locked.pem"]
    )
    for command, sent in (
        (["batch"], rows),
        (["batch"], binary_file("raw", binary_rows("raw"))),
        (["pubkey", "--format", "hex", "-"], key(1).pem().encode()),
        (["pubkey", "--passin", "stdin", "locked.pem"], b"some word\n"),
    ):
        end, into = os.pipe()
        process = subprocess.Popen(
            [frame.PROGRAM, *command],
            stdin=do_not_block(end),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        os.close(end)
        time.sleep(0.3)
        os.write(into, sent[:5])
        time.sleep(0.1)
        feeder = threading.Thread(target=feed, args=(into, sent[5:]))
        feeder.start()
        got, errors = process.communicate()
        feeder.join()
        equal(process.returncode, 0, errors)
        assert got, command


def feed(fd, data):
    with os.fdopen(fd, "wb") as file:
        file.write(data)


def test_a_small_limit_of_the_stack():
    write("rows", text_of(good_rows()))
    wanted = sigmill("batch", "rows").out
    for kilobytes in (64, 96, 128, 512):
        result = run(
            ["sh", "-c", 'ulimit -s %d; exec "$@"' % kilobytes, "sh"]
            + [frame.PROGRAM, "batch", "--threads", "4", "rows"]
        )
        if b"Sanitizer" in result.err:
            raise Skip("a sanitizer needs more stack than the limit")
        equal((result.code, result.out), (0, wanted), "%d KB: %r" % (kilobytes, result.err))


def test_progress_only_on_a_terminal():
    write("rows", text_of(good_rows() * 20))
    result = sigmill("batch", "rows")
    assert b"\r" not in result.err


if __name__ == "__main__":
    main(globals())
