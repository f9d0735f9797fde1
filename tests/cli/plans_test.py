"""sigmill batch: the reason of every invalid row among many, and that neither plan, nor
key cache, nor a source of randomness that fails changes a verdict."""

import hashlib
import os
import random
import subprocess

from frame import Skip, contains, equal, main, read, sigmill, write
from model import B, N, P, be, binary_file
from rows import key

HINTED = ("recoverable", "compressed-r", "full-r")
FORMATS = ("raw", "low-s", *HINTED)


def is_x(x):
    return x < P and pow(x**3 - 3 * x + B, (P - 1) // 2, P) in (0, 1)


def number(data):
    return int.from_bytes(data, "big")


def reason_of(form, sig):
    """The rule that it breaks, in the order of docs/verdicts.md; for another message than
    the one signed."""
    head = sig[0] if len(sig) == 65 else None
    x, s = number(sig[:32] if head is None else sig[1:33]), number(sig[-32:])
    r = x % N if form in ("compressed-r", "full-r") else x
    if form == "recoverable" and head > 3 or form == "compressed-r" and head not in (2, 3):
        return "sig_recid"
    if not 0 < r < N:
        return "sig_r"
    if not 0 < s < N:
        return "sig_s"
    if form != "raw" and s > (N - 1) // 2:
        return "sig_high_s"
    if form == "recoverable" and not is_x(x + (N if head > 1 else 0)):
        return "sig_point"
    if form == "compressed-r" and not is_x(x):
        return "sig_point"
    if form == "full-r":
        y = number(sig[32:64])
        if x >= P or y >= P or (y * y - x**3 + 3 * x - B) % P:
            return "sig_point"
    return "sig_equation"


def edge_cases(form, good, source):
    """Signatures made of `good` by values at the borders of every rule."""
    r_values = [0, 1, 5, N - 1, N, N + 1, N + 6, P - 1, P, P - N - 1, P - N, 2**256 - 1]
    r_values += [2**256 - N - 1, 2**256 - N, *(source.getrandbits(256) for _ in range(6))]
    r_values += [source.randrange(P - N) for _ in range(6)]
    s_values = [0, 1, (N - 1) // 2, (N + 1) // 2, N - 1, N, 2**256 - 1]
    at = 0 if len(good) != 65 else 1
    for head in (0, 1, 2, 3, 4, 0x1B, 0xFF) if at else (None,):
        start = b"" if head is None else bytes([head])
        yield start + good[at:]
        for x in r_values:
            yield start + be(x) + good[at + 32 :]
        for s in s_values:
            yield start + good[at:-32] + be(s)
            yield start + be(source.choice(r_values)) + good[at + 32 : -32] + be(s)
    if form == "full-r":
        x, y = number(good[:32]), number(good[32:64])
        for other in (P - y, 0, P, 2**256 - 1, y ^ 1, (y + P) % 2**256, x):
            yield good[:32] + be(other) + good[64:]
        yield be(0) + be(0) + good[64:]


def test_reasons_of_many_invalid_rows():
    source = random.Random(9)
    digest = hashlib.sha256(b"signed").digest()
    other = hashlib.sha256(b"another").digest()
    for form in FORMATS:
        k = key(1)
        good = k.signature(digest, form)
        spoilt = list(edge_cases(form, good, source))
        cases = [(sig, reason_of(form, sig), other) for sig in spoilt]
        cases += [(good, None, digest)] * 40
        source.shuffle(cases)
        rows = [(b"", k.compressed, about, sig) for sig, _, about in cases]
        write("rows", binary_file(form, rows))
        lines = sigmill("batch", "rows", code=1).lines()
        equal([line.get("reason") for line in lines], [case[1] for case in cases], form)
        assert len({case[1] for case in cases}) >= 4, form
        # The rules of a row do not depend on its neighbours.
        for sig, reason, about in cases[:12]:
            write("one", binary_file(form, [(b"", k.compressed, about, sig)]))
            got = sigmill("batch", "one", code=None).lines()[0].get("reason")
            equal(got, reason, sig.hex())


def mixed_rows(form, count, key_count, bad):
    """Binary rows of which those with a number in `bad` are of another message."""
    kept, rows = {}, []
    for i in range(count):
        j = i % 64
        if j not in kept:
            digest = hashlib.sha256(b"%d" % j).digest()
            kept[j] = digest, key(j % key_count).signature(digest, form)
        digest, sig = kept[j]
        if i in bad:
            digest = hashlib.sha256(digest).digest()
        rows.append((b"", key(j % key_count).compressed, digest, sig))
    return binary_file(form, rows)


def test_plans_and_caches_agree():
    source = random.Random(10)
    for form in ("full-r", "recoverable", "raw"):
        for bad in (set(), {700}, set(source.sample(range(1500), 150)), set(range(1500))):
            write("rows", mixed_rows(form, 1500, 8, bad))
            wanted = bytes(0 if i in bad else 1 for i in range(1500))
            for plan in ("auto", "each", "equation"):
                for cache in (0, 1 << 20):
                    arguments = ["--plan", plan, "--key-cache", cache, "--threads", 2]
                    arguments += ["--output", "bytes", "rows"]
                    result = sigmill("batch", *arguments, code=1 if bad else 0)
                    assert result.out == wanted, (form, len(bad), plan, cache)
                    contains(result.errors, "plan " + plan)


def test_the_summary_tells_plan_and_cache():
    write("rows", mixed_rows("raw", 2000, 4, set()))
    arguments = ["batch", "--output", "none", "--json"]
    summary = sigmill(*arguments, "rows").json()["summary"]
    equal((summary["plan"], summary["randomness_failed"]), ("auto", False))
    cache = summary["key_cache"]
    equal(cache["max_bytes"], 8 << 20)
    equal(cache["hits"] + cache["misses"], 2000)
    equal(cache["keys"], 4)
    assert 4 <= cache["misses"] <= 4 * summary["threads"] * 64, cache
    assert cache["bytes"] <= cache["max_bytes"]
    if summary["backend"] in ("avx512ifma", "avx512ifma-256", "avxifma", "plain-lanes"):
        equal(cache["tables"], 4)
        assert 1000 < cache["table_hits"] <= 2000, cache
        contains(sigmill("batch", "rows").errors, "key cache: ", "4 keys, 4 tables")
    summary = sigmill(*arguments, "--key-cache", 0, "--plan", "each", "rows").json()
    equal(summary["summary"]["key_cache"], None)
    equal(summary["summary"]["plan"], "each")
    for wrong in (["--key-cache", 16383], ["--key-cache", "-1"], ["--plan", "fast"]):
        sigmill("batch", *wrong, "rows", code=2)


NO_RANDOMNESS = """
#include <errno.h>
#include <stddef.h>
#include <sys/types.h>
ssize_t getrandom(void *out, size_t len, unsigned flags);
ssize_t getrandom(void *out, size_t len, unsigned flags) {
  (void)out, (void)len, (void)flags;
  errno = EIO;
  return -1;
}
"""


def test_failing_randomness_is_told_once():
    write("none.c", NO_RANDOMNESS)
    try:
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", "none.so", "none.c"], check=True, timeout=60
        )
    except (OSError, subprocess.CalledProcessError):
        raise Skip("no C compiler for a getrandom that fails")
    env = {"LD_PRELOAD": os.path.abspath("none.so")}
    if sigmill("--version", env=env, code=None).code != 0:
        raise Skip("the program takes no LD_PRELOAD (a sanitizer?)")
    bad = {3, 1234}
    write("rows", mixed_rows("full-r", 2500, 8, bad))
    arguments = ["batch", "--threads", 2, "--output", "bytes", "--out", "verdicts"]
    result = sigmill(*arguments, "--json", "rows", code=1, env=env)
    equal(read("verdicts"), bytes(0 if i in bad else 1 for i in range(2500)))
    equal(result.errors.count("randomness failed"), 1)
    equal(result.json()["summary"]["randomness_failed"], True)
    # Signatures without R need none, but a key cache does.
    write("rows", mixed_rows("raw", 2500, 8, bad))
    result = sigmill(*arguments, "--json", "rows", code=1, env=env)
    equal(result.errors.count("randomness failed"), 1)
    equal(result.json()["summary"]["key_cache"], None)
    result = sigmill(*arguments, "--key-cache", 0, "rows", code=1, env=env)
    equal(result.errors.count("randomness failed"), 0)
    equal(read("verdicts"), bytes(0 if i in bad else 1 for i in range(2500)))


if __name__ == "__main__":
    main(globals())
