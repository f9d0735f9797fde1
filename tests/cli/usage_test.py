"""The command line itself: help, versions, mistakes, exit codes, JSON everywhere."""

import hashlib
import json
import os
import re

import frame
from frame import contains, equal, main, sigmill, write
from model import Key

COMMANDS = (
    "verify",
    "sign",
    "keygen",
    "pubkey",
    "hint",
    "convert",
    "batch",
    "speed",
    "cpu",
    "selftest",
)


def test_help():
    everything = sigmill("--help").text
    equal(sigmill("help").text, everything)
    for name in COMMANDS:
        contains(everything, "  " + name + " ")
        text = sigmill(name, "--help").text
        equal(sigmill("help", name).text, text, name)
        contains(text, "sigmill " + name, "Usage:", "--json", "xamples:")
        example = text[text.index("xamples:") :]
        contains(example, "  sigmill " + name)


def test_every_option_is_in_the_help():
    """What the examples use is explained."""
    for name in COMMANDS:
        text = sigmill(name, "--help").text
        options, examples = text.split("xamples:")
        for line in examples.splitlines():
            for command in line.split("|"):
                if "sigmill " + name not in command:
                    continue
                for option in re.findall(r"(?<= )--[a-z-]+", command):
                    contains(options, option)


def test_version():
    text = sigmill("--version").text
    contains(text, "sigmill ", ".")


def test_mistakes():
    for arguments in (
        [],
        ["nonsense"],
        ["help", "nonsense"],
        ["--nonsense"],
        ["verify"],
        ["verify", "--nonsense"],
        ["verify", "-x"],
        ["verify", "--key"],
        ["verify", "--key", "k"],
        ["verify", "--key", "k", "--sig", "s", "m"],
        ["verify", "--key", "k", "--sig", "s.sig", "m", "more"],
        ["verify", "--key", "-", "--sig", "-", "--format", "der", "m"],
        ["verify", "--key", "-", "--sig", "s", "--format", "der", "-"],
        ["verify", "--low-s=1"],
        ["verify", "--format", "asn1"],
        ["verify", "--digest", "md5"],
        ["sign"],
        ["sign", "--key", "-"],
        ["sign", "--key", "k", "--format", "jws", "--digest", "sha512"],
        ["hint", "--key", "k"],
        ["convert"],
        ["convert", "sig"],
        ["convert", "x", "--to", "der"],
        ["convert", "sig", "--to", "recoverable", "--from", "raw", "x"],
        ["batch", "--threads", "0"],
        ["batch", "--threads", "x"],
        ["batch", "--threads", "99999999999999999999"],
        ["batch", "--output", "x"],
        ["batch", "--input", "x"],
        ["batch", "a", "b"],
        ["cpu", "x"],
        ["selftest", "--x"],
        ["keygen", "x"],
        ["pubkey", "a", "b"],
        ["pubkey", "--key-format", "x"],
    ):
        result = sigmill(*arguments, code=2)
        contains(result.errors, "sigmill")
        equal(result.out, b"", str(arguments))


def test_errors_as_json():
    for arguments in (
        ["verify", "--json"],
        ["pubkey", "--json", "not_there"],
        ["batch", "--json", "not_there"],
    ):
        result = sigmill(*arguments, code=2)
        told = result.json()
        equal(told["verdict"], "error")
        equal(told["command"], arguments[0])
        assert told["reason"] and told["text"] and result.errors


def test_values_with_and_without_equals():
    key = Key(1)
    write("key", key.uncompressed)
    sig = key.signature(hashlib.sha256(b"m").digest(), "raw").hex()
    sigmill("verify", "--key=key", "--format=raw", "--sig-hex=" + sig, data="m")
    sigmill("verify", "--key", "key", "--format", "raw", "--sig-hex", sig, "-", data="m")
    write("--odd", "m")
    sigmill("verify", "--key", "key", "--format", "raw", "--sig-hex", sig, "--", "--odd")
    sigmill("verify", "--odd", code=2)


def documented():
    """The sections of docs/cli-json.md by name."""
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "../../docs/cli-json.md")) as file:
        parts = file.read().split("\n## ")
    return {part.split("\n")[0]: part for part in parts}


def test_every_reason_is_documented():
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "../../cli/reason.c")) as file:
        source = file.read()
    names = re.findall(r'\[[A-Z0-9_]+(?: - 64)?\] = \{?"([a-z0-9_]+)"', source)
    assert len(names) > 50, names
    for name in names:
        if name != "ok":
            contains(documented()["Reasons"], "`%s`" % name)


def test_json_members_are_documented():
    """Members and documentation agree, but for those that only some options bring."""
    key = Key(1)
    write("secret", key.secret)
    write("pub", key.cose())
    raw = key.signature(hashlib.sha256(b"m").digest(), "raw").hex()
    signed = ["--format", "raw", "--sig-hex", raw]
    sections = documented()
    for words, only_sometimes in (
        (["verify", "--key", "pub", "--cose-prefix", *signed], {"reason", "text"}),
        (["sign", "--key", "secret"], {"token"}),
        (["keygen", "--out", "k.pem", "--public-out", "p.pem"], set()),
        (["pubkey", "--cose-prefix", "pub"], set()),
        (["cpu"], set()),
        (["selftest"], set()),
        (["convert", "key", "--to", "jwk", "--out", "k.jwk", "k.pem"], {"made_low"}),
    ):
        got = set(sigmill(*words, "--json", data="m").json())
        section = sections[words[0]]
        rows = [line.split("|")[1] for line in section.splitlines() if line[:3] == "| `"]
        told = {name for row in rows for name in re.findall("`([a-z_]+)`", row)}
        equal(told - only_sometimes, got - only_sometimes, words[0])
    for words in (
        ["hint", "--key", "pub", *signed, "--to", "full-r"],
        ["convert", "sig", "--from", "raw", "--to", "der", "--sig-hex", raw],
    ):
        for name in sigmill(*words, "--json", data="m").json():
            contains(sections[words[0]], "`%s`" % name)
    row = {"key": key.compressed.hex(), "format": "raw", "sig": raw, "msg": "n"}
    lines = sigmill("batch", "--json", data=json.dumps(row), code=1).lines()
    batch = lines[-1]["summary"]
    for name in [*batch, *batch["policy"]]:
        contains(sections["batch"], "`%s`" % name)
    wrong = sigmill("verify", "--json", "--key", "k.pem", *signed, code=1, data="n").json()
    for name in [*wrong, *wrong["policy"], *wrong["key"]]:
        contains(sections["verify"], "`%s`" % name)
    write("bad", "{}")
    error = sigmill("pubkey", "--json", "bad", code=2).json()
    for name in error:
        contains(sections["Errors"], "`%s`" % name)
    contains(json.dumps(error), '"byte": 0')


def test_closed_streams():
    """A closed stdout is an error, and no file takes the place of a closed stream."""
    shell = ["sh", "-c", 'exec "$@" >&- 2>&-', "sh", frame.PROGRAM]
    equal(frame.run([*shell, "cpu"]).code, 2)
    equal(frame.run([*shell, "keygen", "--out", "k.pem"]).code, 0)
    equal(frame.run([*shell, "keygen", "--out", "k.pem"]).code, 2)
    assert frame.read("k.pem").endswith(b"-----END PRIVATE KEY-----\n")
    closed_input = ["sh", "-c", 'exec "$@" <&-', "sh", frame.PROGRAM]
    equal(frame.run([*closed_input, "pubkey"]).code, 2)


def test_cpu_and_selftest():
    told = sigmill("cpu", "--json").json()
    assert told["backends"][told["backend"]] is True
    contains(sigmill("cpu").text, told["backend"], "features")
    result = sigmill("selftest", "--json").json()
    equal(result["passed"], True)
    for name, usable in told["backends"].items():
        equal(
            result["backends"][name]["result"],
            "passed" if usable else "not on this machine",
        )
        contains(sigmill("selftest").text, name)


if __name__ == "__main__":
    main(globals())
