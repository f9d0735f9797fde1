"""Which backend computes: --backend, else SIGMILL_BACKEND, else the fastest; and a name that
cannot be used keeps nobody from help, versions and lists."""

import hashlib
import json

from frame import contains, equal, main, sigmill, write
from model import Key

BAD = {"SIGMILL_BACKEND": "no_such"}


def usable():
    told = sigmill("cpu", "--json", env={"SIGMILL_BACKEND": ""}).json()["backends"]
    return [name for name in told if told[name]]


def computing():
    """A command line of every command that computes, which succeeds."""
    key = Key(1)
    write("secret", key.secret)
    write("pub", key.compressed)
    sig = key.signature(hashlib.sha256(b"m").digest(), "raw").hex()
    signed = ["--format", "raw", "--sig-hex", sig]
    write("m", "m")
    row = {"key": key.compressed.hex(), "format": "raw", "sig": sig, "msg": "m"}
    write("rows", json.dumps(row) + "\n")
    private = ["--key", "secret", "--key-format", "raw"]
    return {
        "verify": ["--key", "pub", *signed, "m"],
        "sign": [*private, "--out", "s", "m"],
        "keygen": ["--out", "k.pem", "--force"],
        "pubkey": ["pub"],
        "hint": ["--key", "pub", *signed, "--to", "full-r", "--out", "h", "m"],
        "convert": ["sig", "--from", "raw", "--to", "der", "--sig-hex", sig, "--out", "d"],
        "batch": ["rows"],
        "speed": ["--rows", "sha256/64", "--seconds", "0.0001"],
    }


def backend_of(name, result):
    told = result.lines()[-1]["summary"] if name == "batch" else result.json()
    return told.get("backend")


def test_the_option_is_taken_and_wins():
    first, last = usable()[0], usable()[-1]
    for name, words in computing().items():
        shown = [name, *words, "--json"]
        for option, env, want in (
            ([], {"SIGMILL_BACKEND": last}, last),
            (["--backend", last], {"SIGMILL_BACKEND": first}, last),
            (["--backend=" + first], {"SIGMILL_BACKEND": last}, first),
            (["--backend", "no_such", "--backend", last], {}, last),
            (["--backend", last], BAD, last),
        ):
            result = sigmill(*shown, *option, env=env)
            if name in ("verify", "sign", "hint", "batch", "speed"):
                equal(backend_of(name, result), want, name)
            equal(result.errors.count("note:"), 0, result.errors)


def test_a_bad_name_is_refused_and_said_why():
    names = " ".join(usable())
    for name, words in computing().items():
        for option, env, where in (
            ([], BAD, "SIGMILL_BACKEND"),
            (["--backend", "no_such"], {}, "--backend"),
            (["--backend", "no_such"], {"SIGMILL_BACKEND": "portable32"}, "--backend"),
        ):
            result = sigmill(name, *words, *option, "--json", env=env, code=2)
            told = result.json()
            equal((told["reason"], told["where"]), ("backend", where))
            contains(told["text"], '"no_such"', "no such backend", "here there are: " + names)
            contains(result.errors, "sigmill %s: %s: " % (name, where))
    for words in (["selftest"], ["cpu"], ["speed", "--list"]):
        contains(sigmill(*words, "--backend", "no_such", code=2).errors, names)
    contains(sigmill("batch", "--backend", code=2).errors, "--backend needs a value")


def test_a_backend_of_other_machines_is_named_as_such():
    for name, here in sigmill("cpu", "--json").json()["backends"].items():
        if not here:
            for words in (["pubkey", "--backend", name], ["cpu", "--backend", name]):
                contains(sigmill(*words, code=2).errors, "this machine cannot run it")
            told = sigmill("selftest", "--backend", name, code=2).text
            contains(told, name, "not on this machine")


def test_a_bad_name_locks_nobody_out():
    """Help, the version and lists are what they are without the variable."""
    for words in (
        ["--help"],
        ["--version"],
        ["help"],
        ["help", "cpu"],
        *(["help", name] for name in computing()),
        *([name, "--help"] for name in computing()),
        ["cpu", "--help"],
        ["selftest", "--help"],
        ["speed", "--list"],
    ):
        equal(sigmill(*words, env=BAD).out, sigmill(*words).out, str(words))
        equal(sigmill(*words, env=BAD).err, b"", str(words))


def test_cpu_shows_the_choice():
    env = {"SIGMILL_BACKEND": ""}
    free = sigmill("cpu", "--json", env=env).json()
    equal(free["note"], None)
    told = sigmill("cpu", "--json", env=BAD).json()
    equal(told["backend"], free["backend"])
    contains(told["note"], "SIGMILL_BACKEND")
    contains(sigmill("cpu", env=BAD).text, "SIGMILL_BACKEND", free["backend"])
    for name in usable():
        for more in ({"env": {"SIGMILL_BACKEND": name}}, {"env": BAD}):
            words = ["--backend", name] if more["env"] is BAD else []
            told = sigmill("cpu", "--json", *words, **more).json()
            equal((told["backend"], told["note"]), (name, None))


def test_selftest_is_the_same_whatever_the_environment_says():
    free = sigmill("selftest", "--json", env={"SIGMILL_BACKEND": ""}).json()
    equal(free["passed"], True)
    for name in [*usable(), "no_such"]:
        result = sigmill("selftest", "--json", env={"SIGMILL_BACKEND": name})
        equal(result.json()["backends"], free["backends"], name)
        equal("SIGMILL_BACKEND" in result.errors, name == "no_such", result.errors)


def test_selftest_of_one():
    for name in usable():
        told = sigmill("selftest", "--json", "--backend", name).json()
        equal(told["backends"], {name: {"result": "passed", "failed": None}})
        equal(told["passed"], True)


def test_the_help_tells():
    contains(sigmill("--help").text, "SIGMILL_BACKEND", "--backend", "sigmill cpu")
    for name in [*computing(), "cpu", "selftest"]:
        contains(sigmill("help", name).text, "SIGMILL_BACKEND", "--backend NAME")


if __name__ == "__main__":
    main(globals())
