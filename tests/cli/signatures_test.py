"""sigmill verify, sign, hint and convert, against openssl and the integer model."""

import hashlib
import json
import os

import frame
from frame import (
    make_openssl_key,
    Skip,
    contains,
    equal,
    main,
    openssl,
    read,
    run,
    sigmill,
    write,
)
from model import B, G, Key, N, P, add, b64url, be, der_signature, multiply

FORMATS = ("raw", "low-s", "der", "recoverable", "compressed-r", "full-r")


def verify_msg(form, sig, *options, key="key.hex", code=0):
    """Verifies the file `msg` against the signature in the file `sig`."""
    return sigmill(
        "verify", *options, "--key", key, "--format", form, "--sig", sig, "msg", code=code
    )


def test_openssl_signs_sigmill_verifies():
    make_openssl_key()
    for size in (0, 1, 63, 64, 65, 100000):
        write("msg", os.urandom(size))
        for digest in ("sha256", "sha384", "sha512"):
            openssl("dgst", "-" + digest, "-sign", "key.pem", "-out", "msg.sig", "msg")
            result = sigmill(
                "verify",
                "--key",
                "pub.pem",
                "--sig",
                "msg.sig",
                "--digest",
                digest,
                "msg",
            )
            contains(result.text, "valid: msg", "format der", "digest " + digest)
            other = "sha256" if digest != "sha256" else "sha512"
            sigmill(
                "verify",
                "--key",
                "pub.pem",
                "--sig",
                "msg.sig",
                "--digest",
                other,
                "msg",
                code=1,
            )
        write("other", b"x" + read("msg"))
        sigmill("verify", "--key", "pub.pem", "--sig", "msg.sig", "other", code=1)


def test_sigmill_signs_openssl_verifies():
    make_openssl_key()
    write("msg", os.urandom(70001))
    for digest in ("sha256", "sha384", "sha512"):
        for hedged in ([], ["--hedged"]):
            sigmill(
                "sign",
                "--key",
                "key.pem",
                "--digest",
                digest,
                *hedged,
                "--out",
                "msg.sig",
                "msg"
            )
            out = openssl(
                "dgst", "-" + digest, "-verify", "pub.pem", "-signature", "msg.sig", "msg"
            )
            contains(out.decode(), "Verified OK")


def test_sign_is_deterministic_unless_hedged():
    make_openssl_key()
    write("msg", "m")
    plain = [sigmill("sign", "--key", "key.pem", "msg").out for _ in range(2)]
    hedged = [
        sigmill("sign", "--key", "key.pem", "--hedged", "msg").out for _ in range(2)
    ]
    equal(plain[0], plain[1], "deterministic")
    assert hedged[0] != hedged[1] and hedged[0] != plain[0]


def test_rfc6979_vectors():
    """RFC 6979, A.2.5."""
    write("d.hex", "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
    write("sample", "sample")
    answers = {
        "sha256": "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
        "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
        "sha384": "0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719"
        "4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954",
        "sha512": "8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00"
        "2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE",
    }
    for digest, answer in answers.items():
        got = sigmill(
            "sign",
            "--key",
            "d.hex",
            "--format",
            "raw",
            "--digest",
            digest,
            "--sig-encoding",
            "hex",
            "sample",
        ).text.strip()
        equal(got, answer.lower(), digest)


def test_every_format_from_the_model():
    key = Key(1)
    write("key.hex", key.uncompressed.hex())
    write("msg", "some message")
    digest = hashlib.sha256(b"some message").digest()
    for form in FORMATS:
        sig = key.signature(digest, form)
        write("sig", sig)
        arguments = ["verify", "--key", "key.hex", "--format", form]
        sigmill(*arguments, "--sig", "sig", "msg")
        sigmill(*arguments, "--sig-hex", sig.hex(), "msg")
        sigmill(*arguments, "--sig-hex", sig.hex(), "--prehashed=" + digest.hex())
        write("sig.txt", sig.hex() + "\n")
        sigmill(*arguments, "--sig", "sig.txt", "--sig-encoding", "hex", "msg")
        write("sig.txt", b64url(sig) + "\n")
        sigmill(*arguments, "--sig", "sig.txt", "--sig-encoding", "base64", "msg")
        write("digest", digest)
        sigmill(*arguments, "--sig", "sig", "--prehashed", "digest")
        write("digest", digest.hex() + "\n")
        sigmill(*arguments, "--sig", "sig", "--prehashed", "digest")
        for at in (0, len(sig) // 2, len(sig) - 1):
            bad = bytearray(sig)
            bad[at] ^= 1
            write("bad", bad)
            verify_msg(form, "bad", code=2 if form == "der" and at == 0 else 1)


def test_formats_are_not_guessed():
    key = Key(2)
    write("key.hex", key.compressed.hex())
    write("msg", "m")
    digest = hashlib.sha256(b"m").digest()
    write("a.sig", key.signature(digest, "der"))
    write("a.bin", key.signature(digest, "der"))
    sigmill("verify", "--key", "key.hex", "--sig", "a.sig", "msg")
    result = sigmill("verify", "--key", "key.hex", "--sig", "a.bin", "msg", code=2)
    contains(result.errors, "--format")
    write("b.sig", key.signature(digest, "raw"))
    result = sigmill("verify", "--key", "key.hex", "--sig", "b.sig", "msg", code=2)
    contains(result.errors, "b.sig", "byte 0")
    recoverable, compressed = (
        key.signature(digest, f) for f in ("recoverable", "compressed-r")
    )
    write("r", recoverable)
    write("c", compressed)
    verify_msg("compressed-r", "r", code=1)
    verify_msg("recoverable", "c", code=1)


def test_high_s():
    key = Key(3)
    write("key.hex", key.compressed.hex())
    write("msg", "m")
    digest = hashlib.sha256(b"m").digest()
    high = {form: key.signature(digest, form, high=True) for form in FORMATS}
    for form in FORMATS:
        write("sig", high[form])
        wanted = 0 if form in ("raw", "der") else 1
        result = verify_msg(form, "sig", "--json", code=wanted)
        if wanted:
            equal(result.json()["reason"], "sig_high_s", form)
        verify_msg(form, "sig", "--low-s", code=1)


def test_lengths_and_ranges():
    key = Key(4)
    write("key.hex", key.compressed.hex())
    write("msg", "m")
    digest = hashlib.sha256(b"m").digest()
    for form, size in (
        ("raw", 64),
        ("recoverable", 65),
        ("compressed-r", 65),
        ("full-r", 96),
    ):
        sig = key.signature(digest, form)
        equal(len(sig), size, form)
        for bad in (sig[:-1], sig + b"\0", b""):
            write("sig", bad)
            result = verify_msg(form, "sig", code=2)
            contains(result.errors, "sig:", "%d bytes" % len(bad), form, str(size))
    r, s, _ = key.sign(digest)
    for bad_r, bad_s, reason in (
        (0, s, "sig_r"),
        (N, s, "sig_r"),
        (r, 0, "sig_s"),
        (r, N, "sig_s"),
    ):
        for form, sig in (
            ("raw", be(bad_r) + be(bad_s)),
            ("der", der_signature(bad_r, bad_s)),
        ):
            write("sig", sig)
            result = verify_msg(form, "sig", "--json", code=1)
            equal(result.json()["reason"], reason, form)


def test_given_digests():
    key = Key(5)
    write("key.hex", key.compressed.hex())
    for size in (1, 20, 28, 31, 32, 33, 48, 64):
        digest = bytes(range(7, 7 + size))
        z = digest[:32] if size >= 32 else bytes(32 - size) + digest
        sig = key.signature(z, "der")
        sigmill(
            "verify",
            "--key",
            "key.hex",
            "--format",
            "der",
            "--sig-hex",
            sig.hex(),
            "--prehashed=" + digest.hex(),
        )
        write("digest", digest)
        result = sigmill(
            "verify",
            "--json",
            "--key",
            "key.hex",
            "--format",
            "der",
            "--sig-hex",
            sig.hex(),
            "--prehashed",
            "digest",
        ).json()
        named = {32: "sha256", 48: "sha384", 64: "sha512"}.get(size, "none")
        equal(result["policy"]["digest"], named)
        equal(result["policy"]["prehashed"], True)
    for bad in ("", "0", "00" * 65, "zz"):
        sigmill(
            "verify",
            "--key",
            "key.hex",
            "--format",
            "raw",
            "--sig-hex",
            "00" * 64,
            "--prehashed=" + bad,
            code=2,
        )
    sigmill(
        "verify",
        "--key",
        "key.hex",
        "--format",
        "raw",
        "--sig-hex",
        "00" * 64,
        "--digest",
        "sha384",
        "--prehashed=" + "00" * 32,
        code=2,
    )


def test_sign_in_every_format():
    make_openssl_key()
    write("msg", "message")
    for form in FORMATS:
        sigmill("sign", "--key", "key.pem", "--format", form, "--out", "sig", "msg")
        verify_msg(form, "sig", key="pub.pem")
        result = sigmill(
            "sign", "--json", "--key", "key.pem", "--format", form, "msg"
        ).json()
        equal(result["signature"], read("sig").hex(), form)
        equal(result["format"], form)
    digest = hashlib.sha384(b"message").digest()
    sig = sigmill(
        "sign", "--key", "key.pem", "--prehashed=" + digest.hex(), "--sig-encoding", "hex"
    )
    sigmill(
        "verify",
        "--key",
        "pub.pem",
        "--format",
        "der",
        "--sig-hex",
        sig.text.strip(),
        "--digest",
        "sha384",
        "msg",
    )


def test_json_states_the_policy():
    key = Key(9)
    write("key.jwk", json.dumps(key.jwk()))
    sig = key.signature(hashlib.sha512(b"m").digest()[:32], "low-s")
    result = sigmill(
        "verify",
        "--json",
        "--key",
        "key.jwk",
        "--format",
        "low-s",
        "--sig-hex",
        sig.hex(),
        "--digest",
        "sha512",
        data="m",
    ).json()
    equal(result["verdict"], "valid")
    equal(
        result["policy"],
        {
            "scheme": "ecdsa-p256",
            "format": "low-s",
            "digest": "sha512",
            "prehashed": False,
            "low_s": True,
            "hybrid_keys": False,
        },
    )
    equal(result["key"]["format"], "jwk")
    assert result["backend"]


def test_a_message_of_many_megabytes():
    key = Key(10)
    write("key.hex", key.compressed.hex())
    size = 64 << 20
    state = hashlib.sha256()
    block = bytes(range(256)) * 4096
    with open("big", "wb") as file:
        for _ in range(size // len(block)):
            file.write(block)
            state.update(block)
    sig = key.signature(state.digest(), "raw")
    limit = ["sh", "-c", 'ulimit -v 65536; exec "$@"', "sh"]
    result = run(
        [
            *limit,
            frame.PROGRAM,
            "verify",
            "--key",
            "key.hex",
            "--format",
            "raw",
            "--sig-hex",
            sig.hex(),
            "big",
        ]
    )
    if b"Sanitizer" in result.err:
        raise Skip("a sanitizer needs more memory than the limit")
    equal(result.code, 0, result.errors)


def test_high_x_of_r():
    """x(R) >= n: r = x - n, the recovery id says 2 or 3."""
    x = N
    while True:
        y2 = (x**3 - 3 * x + B) % P
        y = pow(y2, (P + 1) // 4, P)
        if x - N > 0 and y * y % P == y2:
            break
        x += 1
    # Choose the key so that the signature (r, s) with this R fits the digest.
    r, s, z = x - N, 12345, int.from_bytes(hashlib.sha256(b"r").digest(), "big")
    point = multiply(pow(r, -1, N), add(multiply(s, (x, y)), multiply(N - z % N, G)))
    key = b"\x04" + be(point[0]) + be(point[1])
    write("key.hex", key.hex())
    write("sig", be(r) + be(s))
    sigmill("verify", "--key", "key.hex", "--format", "raw", "--sig", "sig", data="r")
    got = sigmill(
        "hint",
        "--key",
        "key.hex",
        "--format",
        "raw",
        "--sig",
        "sig",
        "--to",
        "recoverable",
        data="r",
    )
    equal(got.out, bytes([2 + (y & 1)]) + be(r) + be(s))


if __name__ == "__main__":
    main(globals())
