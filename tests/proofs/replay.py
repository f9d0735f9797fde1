"""The vocabulary on machine words, one lane, after src/lanes/vec.h: it knows nothing of
the checker, and the checker is tested against it."""

import random

WORD = 1 << 64
LOW52 = (1 << 52) - 1


def signed(x):
    return x - WORD if x >> 63 else x


OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "madlo": lambda c, a, b: c + ((a & LOW52) * (b & LOW52) & LOW52),
    "madhi": lambda c, a, b: c + ((a & LOW52) * (b & LOW52) >> 52),
    "isneg": lambda a: a >> 63,
    "iszero": lambda a: int(a == 0),
    "eq": lambda a, b: int(a == b),
    "select": lambda m, a, b: a if m else b,
    "mand": lambda m, n: m & n,
    "mor": lambda m, n: m | n,
    "mxor": lambda m, n: m ^ n,
    "mnot": lambda m: 1 - m,
}
SHIFTS = {
    "shl": lambda a, k: a << k,
    "shr": lambda a, k: a >> k,
    "sar": lambda a, k: signed(a) >> k,
    "split": lambda a, k: a,
}


def replay(lines, inputs):
    """({line: word}, {output: word}) at {input name: word}.  A line that moves whole
    lanes of one other line is that line."""
    words, outputs = {}, {}
    for text in lines:
        word = text.split()
        if word[0] == "out":
            outputs[word[1]] = words[int(word[2])]
            continue
        number, op, args = int(word[0]), word[1], word[2:]
        if op == "in":
            x = inputs[args[0]]
        elif op == "set1":
            x = int(args[0])
        elif op == "mset":
            x = int(args[0]) & 1
        elif op in ("load", "rows", "swap"):
            line, _, _ = args[0].partition(":")
            x = int(line[1:]) if line[0] == "=" else words[int(line)]
        elif op in SHIFTS:
            x = SHIFTS[op](words[int(args[0])], int(args[1]))
        elif op in OPERATIONS:
            x = OPERATIONS[op](*(words[int(arg)] for arg in args))
        elif op in ("bits", "bytes", "words16"):
            continue
        else:
            raise ValueError(op)
        words[number] = x % WORD
    return words, outputs


def edge(lo, hi, source):
    """An integer of lo..hi: often an end, a power of two or beside one."""
    kind = source.randrange(5)
    if kind == 0:
        return source.choice((lo, hi, max(lo, hi - 1), min(lo + 1, hi)))
    if kind == 1 and hi > 0:
        x = (1 << source.randrange(hi.bit_length() + 1)) + source.randrange(-1, 2)
        return min(max(x, lo), hi)
    if kind == 2:
        return min(hi, lo + source.getrandbits(source.randrange(1, 8)))
    return source.randint(lo, hi)


def limbs_of(x, said, source):
    """x spread over limbs of these intervals, in one of the ways that there are; None if
    none was found."""
    unit = 1 << said.bits
    limbs = [(x >> said.bits * i) % unit for i in range(len(said.limbs))]
    limbs[-1] = x >> said.bits * (len(limbs) - 1)
    for i in range(len(limbs) - 1):
        least = -((limbs[i] - said.limbs[i].lo) // unit)
        most = (said.limbs[i].hi - limbs[i]) // unit
        if least > most:
            return None
        above = said.limbs[i + 1]
        least = max(least, limbs[i + 1] - above.hi) if i == len(limbs) - 2 else least
        most = min(most, limbs[i + 1] - above.lo) if i == len(limbs) - 2 else most
        if least > most:
            return None
        t = edge(least, most, source)
        limbs[i] += t * unit
        limbs[i + 1] -= t
    if all(limb in r for limb, r in zip(limbs, said.limbs)):
        return limbs
    return None


def sample(contract, source=random):
    """{input name: word} inside a contract."""
    inputs = {}
    for name, said in contract.inputs.items():
        if not hasattr(said, "limbs"):
            inputs[name] = edge(said.lo, said.hi, source)
            continue
        limbs = None
        while limbs is None:
            if source.randrange(2):
                limbs = limbs_of(edge(said.value.lo, said.value.hi, source), said, source)
            else:
                limbs = [edge(r.lo, r.hi, source) for r in said.limbs]
                whole = sum(x << said.bits * i for i, x in enumerate(limbs))
                limbs = limbs if whole in said.value else None
        for i, x in enumerate(limbs):
            above = edge(0, 2**12 - 1, source) << 52 if said.loose else 0
            inputs["%s.%d" % (name, i)] = x + above
    return inputs
