"""The frame of the program's tests: named tests, skips that are said, one closing line.

A test is a function whose name begins with test_; it fails by an exception.  Programs run
with a time limit, in a folder of their own that is the current one."""

import json
import os
import subprocess
import sys
import tempfile
import time
import traceback

PROGRAM = None
VECTORS = os.environ.get("SIGMILL_VECTORS")
LONG = os.environ.get("SIGMILL_LONG") == "1"


class Skip(Exception):
    pass


class Result:
    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def text(self):
        return self.out.decode()

    @property
    def errors(self):
        return self.err.decode()

    def json(self):
        return json.loads(self.out)

    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


def run(command, data=None, env=None, timeout=120, **more):
    if data is None and "stdin" not in more:
        more["stdin"] = subprocess.DEVNULL
    if isinstance(data, str):
        data = data.encode()
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    env = {**os.environ, **(env or {})}
    command = [str(word) for word in command]
    return Result(subprocess.run(command, input=data, env=env, timeout=timeout, **more))


def sigmill(*arguments, **more):
    """Runs the program; `code` is what it must exit with (None: anything but a signal)."""
    code = more.pop("code", 0)
    result = run([PROGRAM, *arguments], **more)
    shown = "sigmill %s" % " ".join(str(word)[:80] for word in arguments)
    assert result.code >= 0, "%s: killed by signal %d" % (shown, -result.code)
    if code is not None:
        assert result.code == code, "%s: exit %d, not %d\n%s%s" % (
            shown,
            result.code,
            code,
            (result.out or b"")[:400].decode(errors="replace"),
            (result.err or b"")[:400].decode(errors="replace"),
        )
    if result.code == 2 and result.err is not None:
        assert result.err, "%s: exit 2 without a message" % shown
    return result


def openssl(*arguments, **more):
    result = run(["openssl", *arguments], **more)
    assert result.code == 0, "openssl %s: %s" % (arguments, result.errors)
    return result.out


def make_openssl_key(name="key.pem"):
    """A private key of openssl's, and its public half in pub.pem."""
    curve = ["-pkeyopt", "ec_paramgen_curve:P-256"]
    openssl("genpkey", "-algorithm", "EC", *curve, "-out", name)
    openssl("pkey", "-in", name, "-pubout", "-out", "pub.pem")


def write(name, data):
    if isinstance(data, str):
        data = data.encode()
    with open(name, "wb") as file:
        file.write(data)
    return name


def read(name):
    with open(name, "rb") as file:
        return file.read()


def equal(got, want, what=""):
    if got != want:
        raise AssertionError("%s: %r, not %r" % (what, got, want))


def contains(text, *words):
    for word in words:
        if word not in text:
            raise AssertionError("%r is not in %r" % (word, text))


def corpus(name):
    if not VECTORS:
        raise Skip("SIGMILL_VECTORS is not set")
    with open(os.path.join(VECTORS, "corpus", name + ".json")) as file:
        return json.load(file)


def main(tests):
    """Runs the tests of a module's namespace; argv: PROGRAM [NAME]..."""
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2:]
    passed = failed = skipped = 0
    for name, test in tests.items():
        if not name.startswith("test_") or (wanted and name not in wanted):
            continue
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                test()
                passed += 1
                print("PASS %s (%.1f s)" % (name, time.monotonic() - start), flush=True)
            except Skip as skip:
                skipped += 1
                print("SKIP %s: %s" % (name, skip), flush=True)
            except Exception as error:
                failed += 1
                print("FAIL %s: %s" % (name, error), flush=True)
                traceback.print_exc(file=sys.stdout)
            os.chdir("/")
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    sys.exit(1 if failed or passed + skipped == 0 else 0)
