"""The checker against machine words: what it says of every line of every trace, of random
programs, and of traces and kernels that are broken on purpose."""

import os
import pathlib
import random
import re
import shutil
import tempfile

import frame
from build import SOURCE, Broken
from checker import Refused, Run, Split, runs
from exact import Interval, Poly, Symbols
from kernel import Unproved, integers, prove
from models import MODELS, agrees
from replay import WORD, replay, sample
from table import (
    CONTRACTS,
    FORMULAS,
    HEADERS,
    formula_traces,
    in_table,
    kernel_traces,
    prover,
    traced,
)

LONG = os.environ.get("SIGMILL_LONG") == "1"
SEED = int(os.environ.get("SIGMILL_TEST_SEED") or 1)
print("seed %d" % SEED)


def symbols_at(run, inputs):
    """The value of each symbol of a run."""
    values = {}
    for name, word in inputs.items():
        loose = name + "^" in run.symbols.names
        values[name] = word % 2**52 if loose else word
        values[name + "^"] = word >> 52
    return run.symbols.values(values)


def follow(run, inputs, words):
    """Is this the run of these inputs?  If so, compares every value with its word."""
    values = symbols_at(run, inputs)
    if any(fact.value(values) not in interval for fact, interval in run.narrowed):
        return False
    for number, value in run.values.items():
        x = value.poly.value(values)
        assert x in value.range, "line %d: %d is not in %r" % (number, x, value.range)
        assert x % WORD == words[number], "line %d: %d" % (number, x)
    return True


def test_every_line_of_every_trace():
    source = random.Random(SEED)
    for contract in CONTRACTS:
        lines = kernel_traces()[contract.trace]
        found = runs(lines, contract.range, contract.signs)
        for _ in range(100 if LONG else 5):
            inputs = sample(contract, source)
            words, outputs = replay(lines, inputs)
            fitting = [run for run in found if follow(run, inputs, words)]
            assert len(fitting) == 1, "%s: %d runs" % (contract.name, len(fitting))
            assert contract.holds(inputs, outputs), contract.name


def test_contracts_say_what_kernels_are_for():
    """Against models that are written apart from the contracts."""
    source = random.Random(SEED + 1)
    assert set(MODELS) == {contract.name for contract in CONTRACTS}
    for contract in CONTRACTS:
        lines = kernel_traces()[contract.trace]
        for _ in range(400 if LONG else 60):
            inputs = sample(contract, source)
            _, outputs = replay(lines, inputs)
            operands = integers(inputs, contract.inputs)
            results = integers(outputs, contract.outputs)
            assert agrees(contract.name, operands, results), (contract.trace, inputs)


# Random programs.


def random_program(source):
    """Lines, and the intervals of their inputs."""
    ranges, lines, masks = {}, [], []
    count = source.randrange(1, 4)
    for i in range(count):
        bits = source.choice((1, 4, 20, 51, 52, 53, 60, 63, 64))
        lo = 0 if source.randrange(3) else -(1 << source.randrange(1, 60))
        hi = (1 << bits) - 1 if lo == 0 else (1 << min(bits, 62)) - 1
        high = Interval(0, 2**12 - 1) if (lo, bits) == (0, 52) else None
        ranges["i%d" % i] = (Interval(lo, hi), high)
        lines.append("%d in i%d" % (i, i))
    vectors = list(range(count))
    for number in range(count, count + source.randrange(3, 12)):
        pick = lambda: source.choice(vectors[-6:])
        k = source.choice((1, 4, 8, 12, 44, 48, 51, 52, 53, 60, 63))
        kind = source.randrange(16)
        if kind == 0:
            x = source.choice((0, 1, 2**52 - 1, 2**44, 2**48 - 2**16, source.getrandbits(64)))
            line = "set1 %d" % x
        elif kind == 1:
            ones = (1 << source.randrange(1, 64)) - 1
            lines.append("%d set1 %d" % (number + 100, ones << source.choice((0, 0, 3, 44)) & WORD - 1))
            line = "%s %d %d" % (source.choice(("and", "and", "xor")), pick(), number + 100)
        elif kind in (2, 3):
            line = "%s %d %d" % (source.choice(("shl", "shr", "sar")), pick(), k)
        elif kind in (4, 5, 6, 7):
            line = "%s %d %d %d" % (source.choice(("madlo", "madhi")), pick(), pick(), pick())
        elif kind == 8:
            line = "%s %d %d" % (source.choice(("or", "xor")), pick(), pick())
        elif kind == 9:
            line = "split %d %d" % (pick(), source.choice((0, 48, 50, 60, 63)))
        elif kind == 10 and masks:
            line = "select %d %d %d" % (source.choice(masks), pick(), pick())
        elif kind == 11:
            line = source.choice(("isneg %d" % pick(), "iszero %d" % pick(),
                                  "eq %d %d" % (pick(), pick())))
        elif kind == 12 and masks:
            m, n = source.choice(masks), source.choice(masks)
            line = source.choice(("mand %d %d" % (m, n), "mor %d %d" % (m, n),
                                  "mxor %d %d" % (m, n), "mnot %d" % m))
        else:
            line = "%s %d %d" % (source.choice(("add", "sub")), pick(), pick())
        lines.append("%d %s" % (number, line))
        is_mask = line.split()[0] in ("isneg", "iszero", "eq", "mand", "mor", "mxor", "mnot")
        (masks if is_mask else vectors).append(number)
    return lines, ranges


def longest_run(lines, ranges, signs):
    """All runs of the longest beginning of a program that is not refused."""
    while lines:
        try:
            return lines, runs(lines, ranges.get, signs, limit=20)
        except (Refused, Split):
            lines = lines[:-1]
    return [], []


def test_random_programs():
    source = random.Random(SEED + 2)
    checked = split = longest = 0
    for _ in range(20000 if LONG else 1500):
        lines, ranges = random_program(source)
        lines, found = longest_run(lines, ranges, source.randrange(2) == 1)
        if not found:
            continue
        checked += 1
        split += len(found) > 1
        longest = max(longest, len(lines))
        for _ in range(4):
            inputs = {}
            for name, (low, high) in ranges.items():
                x = source.choice((low.lo, low.hi, source.randint(low.lo, low.hi)))
                if high:
                    x += source.choice((0, high.hi, source.randint(0, high.hi))) << 52
                inputs[name] = x
            words, _ = replay(lines, inputs)
            fitting = [run for run in found if follow(run, inputs, words)]
            assert len(fitting) == 1, (lines, inputs)
    assert checked > 1000 and split > 100 and longest > 8
    return "%d programs, %d with cases" % (checked, split)


def test_bounds_of_sums():
    """Symbols.bound holds the value, whatever is asked of it."""
    source = random.Random(SEED + 3)
    for _ in range(3000 if LONG else 400):
        symbols = Symbols()
        polys = [symbols.input("i%d" % i, Interval(-5, 2**20)) for i in range(3)]
        for _ in range(6):
            a, b = source.choice(polys), source.choice(polys)
            made = a * source.randrange(-3, 2**8) + b * source.choice((1, 2, 16, -1))
            polys.append(symbols.floor(made, source.randrange(1, 9)))
        whole = polys[0] + polys[1] * 16
        asked = sum(
            (p * source.choice((1, -1, 4, 64, -256)) for p in source.sample(polys, 4)),
            Poly.of(source.randrange(9)),
        )
        inputs = {"i%d" % i: source.randint(-5, 2**20) for i in range(3)}
        values = symbols.values(inputs)
        sums = [(whole, Interval(*[whole.value(values)] * 2))]
        assert asked.value(values) in symbols.bound(asked)
        assert asked.value(values) in symbols.bound(asked, sums)


# Broken traces.

SWAPPED = ("sub", "madlo", "madhi", "select")
OTHER = {"madlo": "madhi", "madhi": "madlo", "add": "sub", "sub": "add", "shr": "shl",
         "shl": "shr", "sar": "shr", "or": "and", "xor": "or"}


def mutants(lines):
    """Every trace that differs from this one by one thing."""
    for at, line in enumerate(lines):
        word = line.split()
        if word[0] == "out" or word[1] in ("in", "mset"):
            continue
        number, op, args = word[0], word[1], word[2:]

        def with_line(*words):
            return lines[:at] + [" ".join((number, *words))] + lines[at + 1 :]

        if op == "set1":
            x = int(args[0])
            for y in {x + 1, x - 1, x ^ 1 << (x.bit_length() // 2), x >> 1, x << 1 | 1}:
                yield "constant", with_line(op, str(y % WORD))
            continue
        if op == "split":
            continue
        first = args[1] if op == "select" else args[0]
        if op not in ("isneg", "iszero", "eq", "load", "rows", "swap"):
            rest = [re.sub(r"(?<=[ ])%s(?=$| )" % number, first, x) if " in " not in x else x
                    for x in lines[at + 1 :]]
            shifts = ("shl", "shr", "sar", "split", "set1")
            rest = [new if old.split()[1] not in shifts else " ".join(
                        [*old.split()[:2], *(first if i == 0 and a == number else a
                                             for i, a in enumerate(old.split()[2:]))])
                    for old, new in zip(lines[at + 1 :], rest)]
            yield "dropped", lines[:at] + rest
        if op in SWAPPED:
            swapped = [args[0], args[2], args[1]] if op == "select" else [
                args[1], args[0], *args[2:]]
            yield "swapped", with_line(op, *swapped)
        if op in ("shl", "shr", "sar"):
            for k in (int(args[1]) - 1, int(args[1]) + 1):
                if 0 <= k <= 63:
                    yield "shift", with_line(op, args[0], str(k))
        if op in OTHER:
            yield "operation", with_line(OTHER[op], *args)


def broken(contract, lines):
    """Is a trace refused, or else right for all samples?  "refused" or "equivalent"."""
    try:
        prove(contract, lines)
    except (Refused, Unproved):
        return "refused"
    source = random.Random(SEED + 4)
    for _ in range(300):
        inputs = sample(contract, source)
        _, outputs = replay(lines, inputs)
        assert contract.holds(inputs, outputs), "accepted: %s %s" % (contract.name, inputs)
    return "equivalent"


def test_broken_traces():
    source = random.Random(SEED + 5)
    counts, seen = {"refused": 0, "equivalent": 0}, set()
    for contract in CONTRACTS:
        if contract.trace in seen or (contract.trace.endswith("/12") and not LONG):
            continue
        seen.add(contract.trace)
        lines = kernel_traces()[contract.trace]
        all_of_it = list(mutants(lines))
        if not LONG:
            all_of_it = source.sample(all_of_it, min(len(all_of_it), 12))
        for _, mutant in all_of_it:
            counts[broken(contract, mutant)] += 1
    assert counts["refused"] > 4 * counts["equivalent"] > 0
    return "%(refused)d refused, %(equivalent)d equivalent" % counts


# Broken kernels.


def source_mutants(text):
    """The text with one thing changed inside a function: a number, an operation, a line
    left out."""
    for match in re.finditer(r"^LANES_\w+ .*?^\}", text, re.M | re.S):
        start = match.start() + match[0].index("{")
        body = match[0][match[0].index("{") :]
        for number in re.finditer(r"(?<![\w\[])\d+(?!\w)", body):
            for x in (int(number[0]) - 1, int(number[0]) + 1):
                if x >= 0:
                    yield text[: start + number.start()] + str(x) + text[start + number.end() :]
        for old, new in (("v_madlo52", "v_madhi52"), ("v_madhi52", "v_madlo52"),
                         ("v_add", "v_sub"), ("v_sub", "v_add"), ("v_shr", "v_shl"),
                         ("i + 1", "i"), ("k - i", "i"), ("v_or", "v_and")):
            for place in re.finditer(re.escape(old), body):
                yield text[: start + place.start()] + new + text[start + place.end() :]
        for statement in re.finditer(r"^ +\w[^;{}]*;$", body, re.M):
            if not statement[0].lstrip().startswith(("const", "vec", "fe_x8", "sc_x8", "return")):
                yield text[: start + statement.start()] + text[start + statement.end() :]


def test_broken_kernels():
    """Kernels with one thing wrong in their C source."""
    source = random.Random(SEED + 6)
    counts = {"compiler": 0, "refused": 0, "equivalent": 0, "same": 0}
    wanted = in_table()
    whole = kernel_traces()
    chosen = []
    for header in HEADERS:
        text = (SOURCE / "lanes" / header).read_text()
        found = list(source_mutants(text))
        chosen += [(header, x) for x in (found if LONG else source.sample(found, 20))]
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        shutil.copytree(SOURCE, copy, dirs_exist_ok=True)
        for header, mutant in chosen:
            place = copy / "lanes" / header
            kept = place.read_text()
            place.write_text(mutant)
            try:
                changed = traced(wanted, copy)
            except Broken:
                counts["compiler"] += 1
                continue
            finally:
                place.write_text(kept)
            different = [c for c in CONTRACTS if changed[c.trace] != whole[c.trace]]
            if any(broken(c, changed[c.trace]) == "refused" for c in different):
                counts["refused"] += 1
            else:
                counts["equivalent" if different else "same"] += 1
    assert counts["refused"] > 10
    return ", ".join("%d %s" % (n, what) for what, n in counts.items())


# Broken formulas.


def formula_mutants(lines):
    """Operands of a call exchanged, or another kernel of the same shape called."""
    calls = [i for i, line in enumerate(lines) if line.startswith("call ")]
    same = {}
    for i in calls:
        word = lines[i].split()
        results = 0
        while i + 1 + results < len(lines) and " result" in lines[i + 1 + results]:
            results += 1
        same.setdefault((len(word), results), set()).add(word[1])
    for i in calls:
        word = lines[i].split()
        operands = [word[2:][j : j + 5] for j in range(0, len(word) - 2, 5)]
        if len(word) % 5 == 2:
            for j in range(len(operands) - 1):
                changed = list(operands)
                changed[j], changed[j + 1] = changed[j + 1], changed[j]
                flat = [x for operand in changed for x in operand]
                yield lines[:i] + [" ".join(word[:2] + flat)] + lines[i + 1 :]
        results = 0
        while i + 1 + results < len(lines) and " result" in lines[i + 1 + results]:
            results += 1
        for name in same[len(word), results] - {word[1]}:
            yield lines[:i] + [" ".join(["call", name] + word[2:])] + lines[i + 1 :]


def by_meaning(lines):
    """The lines with the operands of products and sums in one order."""
    pairs = {"_add": (2,), "_mul": (2,), "_mul_dbl": (2,), "_mul_triple": (2,),
             "_mul_sub": (2,), "_mul_sub_8_sqr": (2,), "_mul_sub_mul": (2, 12)}
    out = []
    for line in lines:
        word = line.split()
        if word[0] == "call":
            name = word[1].partition("/")[0].replace("_loose", "")
            for at in pairs.get(name.partition("_x8")[2], ()):
                first, second = sorted((word[at : at + 5], word[at + 5 : at + 10]))
                word[at : at + 10] = first + second
            word[1] = word[1].replace("_loose", "")
        out.append(word)
    return out


def test_broken_formulas():
    source = random.Random(SEED + 7)
    refused = 0
    for formula in FORMULAS:
        if "/" in formula.name and not formula.name.endswith("/8"):
            continue
        lines = formula_traces()[formula.name]
        meaning = by_meaning(lines)
        found = [x for x in formula_mutants(lines) if by_meaning(x) != meaning]
        few = 2 if formula.name.endswith("/8") else 12
        for mutant in found if LONG else source.sample(found, min(few, len(found))):
            try:
                formula.prove(mutant, prover(formula.modulus))
            except (Refused, Unproved):
                refused += 1
            else:
                raise AssertionError("accepted: %s" % (set(mutant) - set(lines)))
    assert refused > 12
    return "%d refused" % refused


if __name__ == "__main__":
    frame.main(globals())
