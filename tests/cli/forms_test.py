"""Other forms of signatures: hints, conversions, and JWS tokens both ways."""

import hashlib
import os

from frame import contains, equal, main, make_openssl_key, openssl, read, sigmill, write
from model import Key, b64url, b64url_decode, der_signature, raw_from_der


def test_hint():
    key = Key(6)
    write("key.hex", key.compressed.hex())
    write("msg", "to hint")
    digest = hashlib.sha256(b"to hint").digest()
    for high in (False, True):
        for form in ("raw", "der"):
            write("sig", key.signature(digest, form, high))
            for to in ("recoverable", "compressed-r", "full-r"):
                got = sigmill(
                    "hint",
                    "--key",
                    "key.hex",
                    "--sig",
                    "sig",
                    "--format",
                    form,
                    "--to",
                    to,
                    "msg",
                )
                equal(got.out, key.signature(digest, to), to)
                told = sigmill(
                    "hint",
                    "--json",
                    "--key",
                    "key.hex",
                    "--sig",
                    "sig",
                    "--format",
                    form,
                    "--to",
                    to,
                    "--prehashed=" + digest.hex(),
                ).json()
                equal(told["signature"], got.out.hex())
    write("sig", key.signature(hashlib.sha256(b"another").digest(), "raw"))
    result = sigmill(
        "hint",
        "--key",
        "key.hex",
        "--sig",
        "sig",
        "--format",
        "raw",
        "--to",
        "full-r",
        "msg",
        code=1,
    )
    equal(result.out, b"", "no hint")
    arguments = ["--format", "raw", "--sig", "sig", "--to", "full-r", "msg"]
    told = sigmill("hint", "--json", "--key", "key.hex", *arguments, code=1).json()
    equal((told["verdict"], told["reason"]), ("invalid", "sig_equation"))


def test_convert_signatures():
    key = Key(7)
    digest = hashlib.sha256(b"x").digest()
    for high in (False, True):
        raw, der = key.signature(digest, "raw", high), key.signature(digest, "der", high)
        low = key.signature(digest, "raw", False)
        write("raw", raw)
        write("sig.der", der)
        equal(sigmill("convert", "sig", "--from", "raw", "--to", "der", "raw").out, der)
        equal(sigmill("convert", "sig", "--to", "raw", "sig.der").out, raw)
        equal(sigmill("convert", "sig", "--to", "raw", "--low-s", "sig.der").out, low)
        equal(sigmill("convert", "sig", "--to", "low-s", "sig.der").out, low)
        told = sigmill("convert", "sig", "--json", "--to", "low-s", "sig.der").json()
        equal((told["signature"], told["made_low"]), (low.hex(), high))
        sigmill(
            "convert",
            "sig",
            "--from",
            "low-s",
            "--to",
            "der",
            "raw",
            code=1 if high else 0,
        )
        hexed = sigmill(
            "convert",
            "sig",
            "--from",
            "der",
            "--to",
            "raw",
            "--out-encoding",
            "hex",
            "--sig-hex",
            der.hex(),
        )
        equal(hexed.text, raw.hex() + "\n")
    write("bad.der", der + b"\0")
    result = sigmill("convert", "sig", "--to", "raw", "bad.der", code=2)
    contains(result.errors, "bad.der", "byte %d" % len(der))
    write("zero.der", der_signature(0, 1))
    sigmill("convert", "sig", "--to", "raw", "zero.der", code=1)
    for r_and_s in ("00" * 64, "00" * 31 + "01" + "ff" * 32, "ff" * 32 + "00" * 31 + "01"):
        told = sigmill(
            "convert", "sig", "--from=raw", "--to=der", "--sig-hex=" + r_and_s, code=1
        )
        contains(told.errors, "--sig-hex")
        equal(told.out, b"")


def token_of(key, header, payload, digest=None):
    text = (b64url(header) + "." + b64url(payload)).encode()
    sig = key.signature(digest or hashlib.sha256(text).digest(), "raw")
    return text.decode() + "." + b64url(sig)


def test_tokens_in():
    key = Key(8)
    write("key.hex", key.compressed.hex())
    for payload in (b"", b"p", b'{"sub":"someone"}', os.urandom(5000)):
        token = token_of(key, b'{"alg":"ES256","typ":"JWT"}', payload)
        for end in ("", "\n", "\r\n"):
            write("t.jwt", token + end)
            sigmill("verify", "--key", "key.hex", "--payload-out", "payload", "t.jwt")
            equal(read("payload"), payload)
        result = sigmill(
            "verify",
            "--key",
            "key.hex",
            "--format",
            "jws",
            "--payload-out",
            "-",
            data=token,
        )
        equal(result.out, payload)
        contains(result.errors, "valid")
    write("t", token + "\n\n")
    sigmill("verify", "--key", "key.hex", "--format", "jws", "t", code=2)
    write("t", token_of(key, b'{"alg":"HS256"}', b"p"))
    sigmill("verify", "--key", "key.hex", "--format", "jws", "t", code=2)
    write("t", token_of(key, b'{"alg":"ES256"}', b"p", bytes(32)))
    result = sigmill(
        "verify", "--json", "--key", "key.hex", "--format", "jws", "t", code=1
    ).json()
    equal(result["reason"], "sig_equation")
    text = b64url(b'{"alg":"ES256"}') + "." + b64url(b"p")
    der = key.signature(hashlib.sha256(text.encode()).digest(), "der")
    write("t", text + "." + b64url(der))
    result = sigmill("verify", "--key", "key.hex", "--format", "jws", "t", code=2)
    contains(result.errors, "DER")
    for high, wanted in ((True, 1), (False, 0)):
        raw = key.signature(hashlib.sha256(text.encode()).digest(), "raw", high)
        write("t", text + "." + b64url(raw))
        sigmill("verify", "--key", "key.hex", "--format", "jws", "t")
        sigmill(
            "verify", "--low-s", "--key", "key.hex", "--format", "jws", "t", code=wanted
        )


def test_tokens_out():
    make_openssl_key()
    payload = b'{"iss":"x","n":1}'
    write("claims", payload)
    token = sigmill(
        "sign",
        "--key",
        "key.pem",
        "--format",
        "jws",
        "--kid",
        'k"1',
        "--typ",
        "JWT",
        "claims",
    ).text
    assert token.endswith("\n")
    head, body, sig = token.strip().split(".")
    contains(
        b64url_decode(head).decode(), '"alg":"ES256"', '"typ":"JWT"', r'"kid":"k\"1"'
    )
    equal(b64url_decode(body), payload)
    raw = b64url_decode(sig)
    write(
        "sig",
        der_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")),
    )
    write("input", head + "." + body)
    openssl("dgst", "-sha256", "-verify", "pub.pem", "-signature", "sig", "input")
    sigmill("verify", "--key", "pub.pem", "--format", "jws", data=token)
    openssl("dgst", "-sha256", "-sign", "key.pem", "-out", "sig", "input")
    other = head + "." + body + "." + b64url(raw_from_der(read("sig")))
    sigmill("verify", "--key", "pub.pem", "--format", "jws", data=other)


if __name__ == "__main__":
    main(globals())
