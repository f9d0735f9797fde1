"""Files that commands write: nothing of the user's is overwritten, nothing half-made
stays."""

import hashlib
import itertools
import json
import os
import signal
import stat
import subprocess
import time

import frame
from frame import contains, equal, main, read, sigmill, write
from model import Key, b64url
from rows import good_rows, text_of


def files():
    return {name: read(name) for name in os.listdir(".") if os.path.isfile(name)}


def refused(*arguments, **more):
    """The command ends with 2 and changes no file; returns its message."""
    before = files()
    result = sigmill(*arguments, code=2, **more)
    equal(files(), before, str(arguments))
    return result.errors


def make_inputs():
    key = Key(1)
    write("secret", key.secret)
    sigmill("keygen", "--secret-file", "secret", "--out", "key.pem")
    write("pub.pem", key.pem())
    write("msg", "m")
    write("sig", key.signature(hashlib.sha256(b"m").digest(), "raw"))
    text = b64url(b'{"alg":"ES256"}') + "." + b64url(b"claims")
    digest = hashlib.sha256(text.encode()).digest()
    write("token", text + "." + b64url(key.signature(digest, "raw")))
    write("rows", text_of([good_rows()[0]]))
    write("pass", "horse\n")


def test_two_outputs_in_one_file():
    for public in ("z.pem", "./z.pem", os.path.abspath("z.pem")):
        for force in ([], ["--force"]):
            got = refused("keygen", *force, "--out", "z.pem", "--public-out", public)
            contains(got, "one file")
    write("z.pem", "old")
    os.link("z.pem", "hard")
    os.symlink("z.pem", "soft")
    for other in ("hard", "soft"):
        refused("keygen", "--force", "--out", "z.pem", "--public-out", other)
    refused("keygen", "--public-out", "-")
    sigmill("keygen", "--out", "/dev/null", "--public-out", "/dev/null")


def test_public_out_is_not_overwritten():
    write("p.pem", "mine")
    contains(refused("keygen", "--out", "k.pem", "--public-out", "p.pem"), "--force")
    sigmill("keygen", "--force", "--out", "k.pem", "--public-out", "p.pem")
    equal(sigmill("pubkey", "k.pem").out, read("p.pem"))
    equal(stat.S_IMODE(os.stat("k.pem").st_mode), 0o600)


def test_neither_half_of_a_pair_stays_alone():
    for force in ([], ["--force"]):
        refused("keygen", *force, "--out", "k.pem", "--public-out", "no/such")
        refused("keygen", *force, "--out", "no/such", "--public-out", "p.pem")
        refused("keygen", *force, "--out", "k.pem", "--public-out", "/dev/full")
        refused("keygen", *force, "--out", "/dev/full", "--public-out", "p.pem")
    sigmill("keygen", "--out", "k.pem")
    refused("keygen", "--force", "--out", "k.pem", "--public-out", "/dev/full")
    os.symlink("nothing", "link")
    refused("keygen", "--out", "link")
    refused("keygen", "--out", "x.pem", "--public-out", "link")
    equal(os.path.lexists("nothing"), False)


def test_inputs_are_not_overwritten():
    make_inputs()
    signed = ["--key", "pub.pem", "--format", "raw"]
    cases = (
        (["batch"], ["rows"], "rows"),
        (["batch", "--key", "pub.pem"], ["rows"], "pub.pem"),
        (["sign", "--key", "key.pem"], ["msg"], "key.pem"),
        (["sign", "--key", "key.pem"], ["msg"], "msg"),
        (["sign", "--key", "key.pem", "--format", "jws"], ["msg"], "msg"),
        (["sign", "--key", "key.pem", "--prehashed"], ["secret"], "secret"),
        (["pubkey"], ["key.pem"], "key.pem"),
        (["pubkey", "--json"], ["key.pem"], "key.pem"),
        (["convert", "key", "--public", "--to", "pem"], ["key.pem"], "key.pem"),
        (["convert", "key", "--force", "--to", "der"], ["key.pem"], "key.pem"),
        (["convert", "sig", "--from", "raw", "--to", "der"], ["sig"], "sig"),
        (["hint", *signed, "--sig", "sig", "--to", "full-r"], ["msg"], "pub.pem"),
        (["hint", *signed, "--sig", "sig", "--to", "full-r"], ["msg"], "sig"),
        (["hint", *signed, "--sig", "sig", "--to", "full-r"], ["msg"], "msg"),
        (["keygen", "--force", "--secret-file", "secret"], [], "secret"),
    )
    for name in ("rows", "pub.pem", "key.pem", "msg", "sig", "secret"):
        os.link(name, name + ".hard")
        os.symlink(name, name + ".soft")
    for words, operands, target in cases:
        for out in (target, "./" + target, target + ".hard", target + ".soft"):
            contains(refused(*words, "--out", out, *operands), out, "overwrite")
        sigmill(*words, "--out", "elsewhere", *operands)
        os.unlink("elsewhere")
    for target in ("token", "pub.pem"):
        words = ["verify", "--key", "pub.pem", "--format", "jws", "--payload-out"]
        contains(refused(*words, target, "token"), target, "overwrite")
        sigmill(*words, "elsewhere", "token")
    refused(
        "keygen", "--out", "k.pem", "--secret-file", "secret", "--public-out", "secret"
    )
    # Standard streams are files too.
    with open("rows", "rb") as rows:
        contains(refused("batch", "--out", "rows", stdin=rows), "rows", "overwrite")
    with open("rows", "ab") as rows:
        contains(refused("batch", "rows", stdout=rows), "stdout", "overwrite")


def test_passphrase_files_are_inputs():
    make_inputs()
    sealed = ["openssl", "pkcs8", "-topk8", "-in", "key.pem", "-passout", "pass:horse"]
    frame.run([*sealed, "-out", "sealed.pem"])
    words = ["sign", "--key", "sealed.pem", "--passin", "file:pass", "--out"]
    contains(refused(*words, "pass", "msg"), "pass", "overwrite")
    sigmill(*words, "elsewhere", "msg")


def test_replaced_files_keep_their_mode_and_links():
    make_inputs()
    write("real", "old")
    os.chmod("real", 0o640)
    os.symlink("real", "link")
    sigmill("sign", "--key", "key.pem", "--out", "link", "msg")
    assert os.path.islink("link") and read("real") != b"old"
    equal(stat.S_IMODE(os.stat("real").st_mode), 0o640)
    sigmill("keygen", "--force", "--out", "link")
    assert os.path.islink("link")
    equal(stat.S_IMODE(os.stat("real").st_mode), 0o600)
    long_name = "n" * 255
    sigmill("sign", "--key", "key.pem", "--out", long_name, "msg")
    sigmill("verify", "--key", "pub.pem", "--format", "der", "--sig", long_name, "msg")
    equal([name for name in os.listdir(".") if name.endswith(".part")], [])


def test_dev_stdout_is_appended_to():
    make_inputs()
    with open("log", "wb") as log:
        log.write(b"before\n")
        log.flush()
        words = ["pubkey", "--format", "hex", "--out", "/dev/stdout", "pub.pem"]
        sigmill(*words, stdout=log)
    equal(read("log"), b"before\n" + Key(1).compressed.hex().encode() + b"\n")


def test_a_batch_that_is_ended_leaves_no_verdict_file():
    write("old", "verdicts of before")
    line = (json.dumps(good_rows()[0]) + "\n").encode()
    ends = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    for name, end_by in itertools.product(("old", "fresh"), ends):
        process = subprocess.Popen(
            [frame.PROGRAM, "batch", "--out", name],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        process.stdin.write(line * 100)
        process.stdin.flush()
        part = "%s.%d.part" % (name, process.pid)
        end = time.monotonic() + 60
        while not os.path.exists(part) or os.path.getsize(part) == 0:
            assert time.monotonic() < end, "no verdict came"
            time.sleep(0.01)
        process.send_signal(end_by)
        equal(process.wait(60), -end_by)
        process.stdin.close()
        assert read(part).startswith(b'{"id":')
    equal(read("old"), b"verdicts of before")
    equal(os.path.exists("fresh"), False)
    # The whole rows of an input that is cut short get their verdicts, in the end.
    write("rows", text_of(good_rows()) + "{")
    sigmill("batch", "--out", "old", "rows", code=2)
    equal(len(read("old").splitlines()), len(good_rows()) + 1)


def test_a_full_disk_leaves_the_old_file():
    write("rows", text_of(good_rows() * 50))
    write("old", "verdicts of before")
    limit = ["sh", "-c", 'trap "" XFSZ; ulimit -f 8; exec "$@"', "sh"]
    result = frame.run([*limit, frame.PROGRAM, "batch", "--out", "old", "rows"])
    equal(result.code, 2, result.errors)
    contains(result.errors, "old", "cannot write")
    equal(read("old"), b"verdicts of before")
    equal(sorted(os.listdir(".")), ["old", "rows"])


if __name__ == "__main__":
    main(globals())
