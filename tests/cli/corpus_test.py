"""The odd inputs of the outside corpus, through files and rows."""

import json

from frame import contains, corpus, equal, main, sigmill, write
from model import binary_file

CODES = {"valid": 0, "invalid": 1, "error": 2}
FORMATS = {
    "sig64": "raw",
    "recoverable65": "recoverable",
    "compressed_r65": "compressed-r",
    "full_r96": "full-r",
}


def check_keys(name, key_format):
    cases = corpus(name)
    for case in cases:
        write("key", bytes.fromhex(case["inputs"]["bytes"]))
        policy = case["policy"]
        more = ["--hybrid"] if policy.get("hybrid") else []
        more += ["--cose-prefix"] if policy.get("framing") == "prefix" else []
        for told in ([], ["--key-format", key_format]):
            if not told and case["note"] == "DER: point only":
                continue  # untold, that is a SEC1 key
            got = sigmill(
                "pubkey", "--format", "hex-uncompressed", *more, *told, "key", code=None
            )
            equal(
                got.code,
                CODES[case["expect"]],
                "%s %s: %s" % (case["id"], told, got.errors),
            )
            if case["expect"] == "valid":
                equal(got.text.strip(), case["result"]["public_key"], case["id"])
                if "consumed" in case["result"] and "--cose-prefix" in more:
                    contains(got.errors, "%d bytes" % case["result"]["consumed"])
            else:
                equal(got.out, b"", case["id"])
                contains(got.errors, "key: ")


def test_pem():
    check_keys("encodings_pem", "pem")


def test_spki():
    check_keys("encodings_spki", "der")


def test_jwk():
    check_keys("encodings_jwk", "jwk")


def test_cose():
    check_keys("encodings_cose", "cose")


def test_jws():
    for case in corpus("encodings_jws"):
        token = bytes.fromhex(case["inputs"]["bytes"])
        write("token", token)
        write("key", case["inputs"]["public_key"])
        wanted = CODES[case["expect"]]
        if token.endswith(b"\n"):
            # The library refuses every newline; the program drops one at a file's end.
            rest = token[:-2] if token.endswith(b"\r\n") else token[:-1]
            wanted = 2 if rest.strip() != rest else 0
        more = ["--low-s"] if case["policy"].get("low_s") == "require" else []
        got = sigmill(
            "verify", "--format", "jws", "--key", "key", *more, "token", code=None
        )
        equal(got.code, wanted, "%s: %s" % (case["id"], got.errors))


def test_sec1_points():
    for case in corpus("p256_keys"):
        point = bytes.fromhex(case["pubkey"])
        more = ["--hybrid"] if case["policy"] == "hybrid" else []
        write("bin", point)
        write("hex", case["pubkey"] + "\n")
        for name, form in (("bin", "sec1"), ("hex", "hex")):
            for told in ([], ["--key-format", form]):
                got = sigmill(
                    "pubkey",
                    "--format",
                    "hex-uncompressed",
                    *more,
                    *told,
                    name,
                    code=None
                )
                equal(
                    got.code, CODES[case["expect"]], case["id"] + " " + name + got.errors
                )
                if case["expect"] == "valid":
                    equal(got.text.strip(), case["uncompressed"], case["id"])
                    small = sigmill("pubkey", "--format", "hex", *more, name).text.strip()
                    equal(small, case["compressed"], case["id"])


def test_der_signatures():
    for case in corpus("p256_der"):
        der = bytes.fromhex(case["der"])
        write("sig.der", der)
        got = sigmill("convert", "sig", "--to", "raw", "sig.der", code=None)
        equal(got.code, CODES[case["expect"]], case["id"] + got.errors)
        if case["expect"] == "valid":
            equal(got.out.hex(), case["sig"], case["id"])
            write("sig.raw", got.out)
            back = sigmill("convert", "sig", "--from", "raw", "--to", "der", "sig.raw")
            equal(back.out, der, case["id"])
        if "pubkey" in case:
            write("key", case["pubkey"])
            sigmill(
                "verify",
                "--key",
                "key",
                "--sig",
                "sig.der",
                "--prehashed=" + case["digest"],
                code=CODES[case["expect"]],
            )


def p256_cases():
    for name in ("p256_digest", "p256_range", "p256_group", "p256_hint"):
        for case in corpus(name):
            yield case


def test_rows():
    cases = list(p256_cases())
    lines = []
    for i, case in enumerate(cases):
        lines.append(
            json.dumps(
                {
                    "id": case["id"],
                    "key": case["pubkey"],
                    "sig": case["sig"],
                    "format": FORMATS[case["format"]],
                    "digest": case["digest"],
                }
            )
        )
    write("rows", "\n".join(lines) + "\n")
    rows = sigmill("batch", "--threads", "2", "rows", code=None).lines()
    equal(len(rows), len(cases))
    for case, row in zip(cases, rows):
        equal(row["id"], case["id"])
        wanted = {"valid": "valid", "invalid": "invalid", "error": "malformed"}[
            case["expect"]
        ]
        equal(row["verdict"], wanted, "%s: %s" % (case["id"], row))


def test_binary_rows():
    for corpus_format, form in FORMATS.items():
        for digest_size in (32, 48, 64):
            cases = [
                c
                for c in p256_cases()
                if c["format"] == corpus_format
                and len(c["digest"]) == 2 * digest_size
                and len(c["pubkey"]) == 130
                and c["expect"] != "error"
            ]
            if not cases:
                continue
            write(
                "rows",
                binary_file(
                    form,
                    [
                        (
                            b"",
                            bytes.fromhex(c["pubkey"]),
                            bytes.fromhex(c["digest"]),
                            bytes.fromhex(c["sig"]),
                        )
                        for c in cases
                    ],
                ),
            )
            got = sigmill("batch", "--output", "bytes", "rows", code=None).out
            equal(len(got), len(cases))
            for case, byte in zip(cases, got):
                equal(byte, {"valid": 1, "invalid": 0}[case["expect"]], case["id"])


def test_single_verification():
    for i, case in enumerate(p256_cases()):
        if i % 7 != 0:
            continue
        write("key", case["pubkey"])
        write("sig", bytes.fromhex(case["sig"]))
        sigmill(
            "verify",
            "--key",
            "key",
            "--sig",
            "sig",
            "--format",
            FORMATS[case["format"]],
            "--prehashed=" + case["digest"],
            code=CODES[case["expect"]],
        )


def test_hints():
    done = 0
    for case in p256_cases():
        for to, form in FORMATS.items():
            if "hint_" + to not in case:
                continue
            done += 1
            if done % 5 != 0:
                continue
            write("key", case["pubkey"])
            write("sig", bytes.fromhex(case["sig"]))
            got = sigmill(
                "hint",
                "--key",
                "key",
                "--sig",
                "sig",
                "--format",
                "raw",
                "--to",
                form,
                "--prehashed=" + case["digest"],
            )
            equal(got.out.hex(), case["hint_" + to], case["id"])
    assert done > 0


if __name__ == "__main__":
    main(globals())
