"""What is claimed of a kernel, and its proof from a trace."""

from checker import Refused, runs
from exact import Bit, Empty, Interval, Poly, Quotient

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
R = 2**260
CONSTANTS = {"p": P, "n": N, "R": R}

# A carry out of limb i weighs 2^(52 (i + 1)), in a sum of products 2^260 more.
WEIGHTS = (0, 52, 104, 156, 208, 260, 520)


class Unproved(Exception):
    pass


def below(bits):
    return Interval(0, 2**bits - 1)


BIT = Interval(0, 1)


class Integer:
    """An input or output of limbs: their intervals, the bits that a limb stands for, and
    the interval of the integer, the sum of limbs 2^(bits i).  loose: limbs are any words,
    and what is said is said of their low 52 bits."""

    def __init__(self, limbs, value=None, bits=52, loose=False):
        self.limbs, self.bits, self.loose = limbs, bits, loose
        whole = sum((x * 2 ** (bits * i) for i, x in enumerate(limbs)), Interval(0, 0))
        self.value = whole if value is None else whole.meet(value)

    def holds(self, other):
        """Is everything that other describes described by this?"""
        return (
            len(self.limbs) == len(other.limbs)
            and (self.bits, self.loose or not other.loose) == (other.bits, True)
            and all(x.inside(y.lo, y.hi) for x, y in zip(other.limbs, self.limbs))
            and other.value.inside(self.value.lo, self.value.hi)
        )


def upto(k, loose=False):
    """Five limbs below 2^52, the top one below k 2^48."""
    return Integer([below(52)] * 4 + [Interval(0, int(k * 2**48) - 1)], loose=loose)


def loose(k):
    return upto(k, True)


class Claim:
    """`left = right mod modulus`, or as integers; names are those of inputs and outputs,
    and of CONSTANTS.  (left - right) / modulus is an integer between `quotient`'s ends, if
    they are given."""

    def __init__(self, text, quotient=None):
        self.text, self.quotient = text, quotient
        both, _, self.modulus = text.partition(" mod ")
        self.left, self.right = both.split(" = ")

    def prove(self, case, proof):
        left, right = (
            Poly.of(eval(side, {}, case.environment)) for side in (self.left, self.right)
        )
        modulus = eval(self.modulus, {}, CONSTANTS) if self.modulus else 0

        def holds(difference):
            if modulus:
                return difference.divisible(modulus)
            return not difference.terms

        difference = left - right
        if not holds(difference):
            difference = case.settled(difference)
        if not holds(difference):
            raise Unproved("not shown: " + self.text)
        if modulus:
            quotient = case.bound(difference.divided(modulus))
            proof.note(proof.quotients, self.text, quotient)
            if self.quotient and not quotient.inside(*self.quotient):
                raise Unproved("the quotient may leave its range: " + self.text)

    def holds(self, numbers):
        """For integers in the place of all names."""
        names = {**numbers, **CONSTANTS}
        difference = eval(self.left, {}, names) - eval(self.right, {}, names)
        if not self.modulus:
            return difference == 0
        quotient, rest = divmod(difference, eval(self.modulus, {}, CONSTANTS))
        if self.quotient and not self.quotient[0] <= quotient <= self.quotient[1]:
            return False
        return rest == 0


class IffZero:
    """`mask = 1` just where a sum of inputs is 0 mod p."""

    def __init__(self, mask, of):
        self.mask, self.of = mask, of
        self.text = "%s = 1 if %s = 0 mod p, else 0" % (mask, of)
        self.left = self.right = self.modulus = ""

    def prove(self, case, proof):
        """The mask tests limbs whose integer is congruent and in 0..p-1; all but the top
        one are in 0..2^52-1, so that the integer is zero just where they all are."""
        run = case.run
        mask = run.outputs[self.mask]
        if mask.constant is not None:
            raise Unproved("the same for all inputs: " + self.text)
        (symbol,) = list(mask.poly.terms) if len(mask.poly.terms) == 1 else [()]
        if len(symbol) != 1 or mask.poly.terms[symbol] != 1:
            raise Unproved("not a test of zero: " + self.text)
        origin = run.symbols.origins[symbol[0]]
        if not isinstance(origin, Bit):
            raise Unproved("not a test of zero: " + self.text)
        whole = Poly.of(0)
        for i, limb in enumerate(origin.zeros):
            if limb is not origin.zeros[-1] and not case.bound(limb).inside(0, 2**52 - 1):
                raise Unproved("a limb may leave its range: " + self.text)
            whole = whole + limb * 2 ** (52 * i)
        difference = case.settled(whole - eval(self.of, {}, case.environment))
        if not difference.divisible(P) or not case.bound(whole).inside(0, P - 1):
            raise Unproved("not shown: " + self.text)

    def holds(self, numbers):
        return numbers[self.mask] == int(eval(self.of, {}, numbers) % P == 0)


class Contract:
    """Inputs and outputs are Integers, or the Interval of a mask or word.  trace: the name
    of the kernel's trace, if it is not its own.  signs: every undecided sign is a case."""

    def __init__(self, name, inputs, outputs, claims, trace=None, signs=False, note=""):
        self.name, self.inputs, self.outputs = name, inputs, outputs
        self.claims = [Claim(c) if isinstance(c, str) else c for c in claims]
        self.trace, self.signs, self.note = trace or name, signs, note

    def range(self, name):
        """The interval of an input of the trace, with that of the bits from 52 up if it
        is a loose limb."""
        item, _, limb = name.partition(".")
        if item not in self.inputs:
            raise Unproved("the trace has an input %s" % name)
        said = self.inputs[item]
        if not limb:
            return said, None
        return said.limbs[int(limb)], below(12) if said.loose else None

    def holds(self, inputs, outputs):
        """For words {"a.0": word}: are the outputs as claimed?"""
        numbers = {**integers(inputs, self.inputs), **integers(outputs, self.outputs)}
        for name, said in self.outputs.items():
            value = said.value if isinstance(said, Integer) else said
            if numbers[name] not in value:
                return False
            if isinstance(said, Integer) and not said.loose:
                words = [outputs["%s.%d" % (name, i)] for i in range(len(said.limbs))]
                if not all(x in limb for x, limb in zip(words, said.limbs)):
                    return False
        return all(claim.holds(numbers) for claim in self.claims)


def integers(words, sides):
    """The integer of each input or output."""
    out = {}
    for name, said in sides.items():
        if not isinstance(said, Integer):
            out[name] = words[name]
            continue
        limbs = [words["%s.%d" % (name, i)] for i in range(len(said.limbs))]
        if said.loose:
            limbs = [x % 2**52 for x in limbs]
        out[name] = sum(x << said.bits * i for i, x in enumerate(limbs))
    return out


class Proof:
    """What was found: the widest intermediate value, and each output's intervals, over
    every case that some input leads to."""

    def __init__(self, contract):
        self.contract, self.cases = contract, 0
        self.widest, self.limbs, self.values, self.quotients = 0, {}, {}, {}

    def note(self, where, key, interval):
        where[key] = where[key].hull(interval) if key in where else interval

    def output(self, name, operands):
        """The output for operands within the contract, as narrowly as is known."""
        said, value = self.contract.outputs[name], self.values[name]
        for claim in self.contract.claims:
            value = value.meet(self.through(claim, name, operands, value))
        limbs = [self.limbs[name, i] for i in range(len(said.limbs))]
        return Integer(limbs, value, said.bits, said.loose)

    def through(self, claim, name, operands, otherwise):
        """The interval of an output that a proved claim `output * R = right mod m` or
        `output = right mod m` gives: (right + m quotient) / R."""
        if claim.left not in (name, name + " * R"):
            return otherwise
        known = dict(CONSTANTS)
        for item, said in operands.items():
            known[item] = said.value if isinstance(said, Integer) else said
        try:
            right = Interval.of(eval(claim.right, {}, known))
        except NameError:
            return otherwise
        if claim.modulus:
            modulus = eval(claim.modulus, {}, CONSTANTS)
            right = right + self.quotients[claim.text] * modulus
        factor = 1 if claim.left == name else R
        return Interval(-(-right.lo // factor), right.hi // factor)


def traces(text):
    """{kernel: its lines}."""
    out, lines = {}, None
    for line in text.splitlines():
        if line.startswith("kernel "):
            lines = out.setdefault(line.split()[1], [])
            if lines:
                raise Unproved("two traces of " + line.split()[1])
        else:
            lines.append(line)
    return out


def limbs_of(items, name):
    """What is called name.0, name.1, ... or name."""
    if name in items:
        return [items[name]]
    found = []
    while "%s.%d" % (name, len(found)) in items:
        found.append(items["%s.%d" % (name, len(found))])
    return found


class Case:
    """A run, and what is said of it.  Empty, if no input leads to it."""

    def __init__(self, contract, run):
        self.contract, self.run = contract, run
        self.environment, self.sums = dict(CONSTANTS), []
        for name, said in contract.inputs.items():
            self.environment[name] = self.sum(name, limbs_of(run.inputs, name), said)
            if isinstance(said, Integer):
                self.sums.append((self.environment[name], said.value))
        self.limbs = {}
        for name, said in contract.outputs.items():
            limbs = limbs_of(run.outputs, name)
            if isinstance(said, Integer) and said.loose:
                limbs = [run.low(x, 52) for x in limbs[:-1]] + limbs[-1:]
            self.limbs[name] = limbs
            self.environment[name] = self.sum(name, [x.poly for x in limbs], said)
        outputs = {name.partition(".")[0] for name in run.outputs}
        if outputs != set(contract.outputs):
            raise Unproved("outputs of the trace: %s" % sorted(outputs))
        for fact, interval in run.narrowed:
            for bits in WEIGHTS:
                run.symbols.bound(fact * 2**bits, self.sums).meet(interval * 2**bits)

    @staticmethod
    def sum(name, limbs, said):
        if len(limbs) != (len(said.limbs) if isinstance(said, Integer) else 1):
            raise Unproved("%s has %d limbs in the trace" % (name, len(limbs)))
        if not isinstance(said, Integer):
            return limbs[0]
        return sum((x * 2 ** (said.bits * i) for i, x in enumerate(limbs)), Poly.of(0))

    def bound(self, poly):
        """By quotients and sums of inputs, and once more with each value that this case
        narrows, whatever its weight is."""
        symbols = self.run.symbols
        best = symbols.bound(poly, self.sums)
        for fact, interval in self.run.narrowed:
            for bits in (0, 208, 260):
                for weight in (1 << bits, -1 << bits):
                    rest = symbols.bound(poly - fact * weight, self.sums)
                    best = best.meet(rest + interval * weight)
        return best

    def settled(self, poly):
        """poly, using what this case narrows to one value, and with quotients that can
        have one value only replaced by it."""
        symbols = self.run.symbols
        for fact, interval in self.run.narrowed:
            if interval.lo == interval.hi:
                poly = substituted(poly, *solved(fact, interval.lo))
        for s in sorted({s for m in poly.terms for s in m}, reverse=True):
            if not isinstance(symbols.origins[s], Quotient):
                continue
            for bits in WEIGHTS:
                interval = self.bound(Poly.symbol(s) * 2**bits)
                lo, hi = -(-interval.lo >> bits), interval.hi >> bits
                if lo == hi:
                    poly = substituted(poly, s, lo)
                    break
        return poly

    def output(self, name, said, proof):
        limbs = self.limbs[name]
        if not isinstance(said, Integer):
            if not limbs[0].range.inside(said.lo, said.hi):
                raise Unproved("%s may leave its range: %r" % (name, limbs[0].range))
            proof.note(proof.values, name, limbs[0].range)
            return
        value = self.bound(self.environment[name])
        for claim in self.contract.claims:
            value = value.meet(proof.through(claim, name, self.contract.inputs, value))
        ranges = [x.range for x in limbs]
        lower = sum(
            (r * 2 ** (said.bits * i) for i, r in enumerate(ranges[:-1])), Interval(0, 0)
        )
        unit = said.bits * (len(limbs) - 1)
        top = Interval(-(lower.hi - value.lo >> unit), value.hi - lower.lo >> unit)
        ranges[-1] = ranges[-1].meet(top)
        value = value.meet(lower + ranges[-1] * 2**unit)
        for i, r in enumerate(ranges):
            if not r.inside(said.limbs[i].lo, said.limbs[i].hi):
                raise Unproved("%s.%d may leave its range: %r" % (name, i, r))
            proof.note(proof.limbs, (name, i), r)
        if not value.inside(said.value.lo, said.value.hi):
            raise Unproved("%s may leave its range: %r" % (name, value))
        proof.note(proof.values, name, value)


def solved(poly, value):
    """poly = value as (symbol, what it is equal to), or no symbol."""
    for m, c in sorted(poly.terms.items(), reverse=True):
        if len(m) == 1 and c in (1, -1):
            if not any(m[0] in other for other in poly.terms if other != m):
                return m[0], Poly.symbol(m[0]) + (poly - value) * -c
    return None, Poly.of(0)


def substituted(poly, symbol, x):
    out, powers = Poly.of(0), {}
    for m, c in poly.terms.items():
        n = m.count(symbol)
        if n:
            rest = tuple(s for s in m if s != symbol)
            powers[n] = powers.get(n, Poly.of(0)) + Poly({rest: c})
        else:
            out.terms[m] = c
    for n, factor in powers.items():
        out = out + factor * Poly.of(x) ** n
    return out


def prove(contract, lines):
    """The Proof, or Refused or Unproved."""
    found = runs(lines, contract.range, contract.signs)
    proof = Proof(contract)
    for run in found:
        try:
            case = Case(contract, run)
            for claim in contract.claims:
                claim.prove(case, proof)
            for name, said in contract.outputs.items():
                case.output(name, said, proof)
        except Empty:
            continue
        proof.cases += 1
        proof.widest = max(proof.widest, run.widest)
    if not proof.cases:
        raise Unproved("no input is inside the contract")
    return proof
