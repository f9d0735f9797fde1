"""The sizes of everything that whole jobs hand to kernels.

A job is traced once, with kernels as calls, and each call is proved at the sizes that its
operands have there.  Nothing is said of what the job computes.  Words from memory that hold
nothing the trace knows, and masks, may be anything."""

from checker import Lanes, Value
from exact import Interval
from field import Expression
from formula import FormulaRun
from kernel import BIT, N, P, Integer, Unproved

WORD = Interval(0, 2**64 - 1)


class Provers:
    """Those of both moduli as one."""

    unit = 1

    def __init__(self, provers):
        self.provers = provers
        self.shapes = {k: v for prover in provers for k, v in prover.shapes.items()}

    def at(self, name, numbers, operands):
        for prover in self.provers:
            if name in prover.shapes:
                return prover.at(name, numbers, operands)
        raise Unproved("no contract: " + name)


class SizesRun(FormulaRun):
    def __init__(self, lines, provers):
        self.count = 0
        scalar = Integer([WORD] * 4, Interval(0, N - 1), 64)
        inputs = {"k": (scalar, [Expression({}, P)])}  # by the contract of a job
        super().__init__(lines, inputs, provers, P, {})

    def unknown(self, number, interval):
        return Value(interval, self.symbols.input("u%s" % number, interval))

    def step(self, line):
        word = line.split()
        if word[1] in ("load", "rows") and any(x[0] == "=" for x in word[2:]):
            self.values[int(word[0])] = self.unknown(word[0], WORD)
        elif word[1] == "mset":
            self.values[int(word[0])] = self.unknown(word[0], BIT)
        elif word[1] in ("look8", "look16"):
            tables = [self.line(x) for x in word[2:-1]]
            interval = WORD
            if all(isinstance(x, Value) for x in tables):
                interval = tables[0].range
                for x in tables[1:]:
                    interval = interval.hull(x.range)
            self.values[int(word[0])] = self.unknown(word[0], interval)
        elif word[1] == "select" and self.line(word[2]).constant is None:
            hull = self.value(word[3]).range.hull(self.value(word[4]).range)
            self.values[int(word[0])] = self.unknown(word[0], hull)
        elif word[1] in ("bytes", "words16", "bits"):
            pass
        else:
            super().step(line)

    def signed(self, number, x):
        return x

    def split(self, number, x, k):
        return x

    def decided(self, number, about):
        return self.unknown(number, BIT)

    def mask_result(self, number, about):
        self.values[number] = self.unknown(number, BIT)

    def expression(self, contract, item, expressions):
        self.count += 1
        return [Expression({}, P)]

    def meaning(self, contract, item, expressions):
        return None

    def mask_operand(self, value):
        return BIT, [Expression({}, P)]

    def element(self, values, bits):
        """What is known of whole elements, or else of limbs."""
        if any(isinstance(x, Lanes) for x in values):
            return self.by_lanes(values, bits)
        try:
            return super().element(values, bits)
        except Unproved:
            limbs = [x.range for x in values]
            loose = any(not x.inside(0, 2**bits - 1) for x in limbs[:-1])
            if loose:
                limbs = [self.low(x, bits).range for x in values[:-1]] + limbs[-1:]
            return Integer(limbs, None, bits, loose), [Expression({}, P)]

    def inverse(self, sources, modulus):
        lines, _ = zip(*(source.split(":") for source in sources))
        said, _ = self.element([self.line(n) for n in lines], 64)
        if not said.value.inside(0, modulus - 1):
            raise Unproved("an inverse of what may not be canonical")
        found = Integer([WORD] * 4, Interval(0, modulus - 1), 64)
        for i in range(4):
            self.results.append(((found, [Expression({}, P)], i), self.limb))


def prove_sizes(lines, provers):
    """The number of calls."""
    return SizesRun(lines, Provers(provers)).count
