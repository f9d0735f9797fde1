"""Carries an interval and a polynomial through a trace of the eight-lane vocabulary.

A value is an integer; the machine's word is that integer mod 2^64, and every result must
fit an unsigned or a signed word, or the trace is refused.  The rules here are the meaning
of each operation (src/lanes/vec.h) said over integers; all of them come down to sums,
products and one source of new symbols, floor(x / 2^k)."""

from operator import or_, xor

from exact import Bit, Bitwise, Interval, Poly, Symbols

WORD = 1 << 64
UNSIGNED = (0, WORD - 1)
SIGNED = (-(WORD >> 1), (WORD >> 1) - 1)
TERMS = 400  # no kernel comes near
CASES = 5000
SAME = 255  # the lane of a word that is the same for all lanes


class Refused(Exception):
    """A trace that the rules cannot follow: nothing is proved."""


class Split(Exception):
    """The run has to be repeated, once for each of these intervals of a line's value."""

    def __init__(self, line, cases):
        super().__init__("too many cases")
        self.line, self.cases = line, cases


class Value:
    __slots__ = ("range", "poly")

    def __init__(self, interval, poly):
        self.range, self.poly = interval, poly

    @property
    def constant(self):
        return self.range.lo if self.range.lo == self.range.hi else None


class Lanes:
    """A vec whose lanes are not alike: its eight sources, (line, lane) or ("=", word)."""

    __slots__ = ("sources",)

    def __init__(self, sources):
        self.sources = sources


def constant(x):
    return Value(Interval(x, x), Poly.of(x))


class Bits(Value):
    """What a bitwise `or` or `xor` makes: known only by its size, and by whether it is
    zero, which it is where all of `zeros` are.  leaves: the values under a tree of or."""

    __slots__ = ("leaves", "zeros")

    def __init__(self, interval, poly, leaves, zeros):
        super().__init__(interval, poly)
        self.leaves, self.zeros = leaves or [poly], zeros


class Run:
    """One pass over the lines of a trace.  ranges(name): the interval of
    an input, and that of its bits from 52 up or None.  cases: {line:
    Interval}, the intervals to which that line's value is narrowed here.  signs: whether
    to treat each undecided sign apart."""

    def __init__(self, lines, ranges, cases=None, signs=False):
        self.symbols = Symbols()
        self.values, self.inputs, self.outputs = {}, {}, {}
        self.narrowed, self.bytes = [], []
        self.ranges, self.cases, self.signs = ranges, cases or {}, signs
        self.widest = 0
        for line in lines:
            self.step(line)

    # Rules.

    def floor(self, x, k):
        interval = x.range.floor(k)
        if interval.lo == interval.hi:
            return constant(interval.lo)
        if x.range.inside(-1, 0):
            return x
        return Value(interval, self.symbols.floor(x.poly, k))

    def low(self, x, k):
        if x.range.inside(0, (1 << k) - 1):
            return x
        quotient = self.floor(x, k)
        if quotient.constant is not None:
            shift = quotient.constant << k
            return Value(x.range - shift, x.poly - shift)
        poly, interval = x.poly - quotient.poly * (1 << k), Interval(0, (1 << k) - 1)
        if len(poly.terms) == 1:
            interval = interval.meet(self.symbols.spread(poly))
        return Value(interval, poly)

    def set1(self, x):
        return constant(x)

    def add(self, a, b):
        return Value(a.range + b.range, a.poly + b.poly)

    def sub(self, a, b):
        return Value(a.range - b.range, a.poly - b.poly)

    def scaled(self, x, k):
        return Value(x.range * (1 << k), x.poly * (1 << k))

    def shl(self, x, k):
        if not x.range.inside(-(WORD >> k + 1), (WORD >> k) - 1):
            x = self.low(x, 64 - k)
        return self.scaled(x, k)

    def shr(self, x, k):
        if x.range.lo < 0:
            raise Refused("logical shift of a value that may be negative")
        return self.floor(x, k)

    def sar(self, x, k):
        if x.range.hi > SIGNED[1]:
            raise Refused("arithmetic shift of a value that may pass 2^63")
        return self.floor(x, k)

    def masked(self, a, b):
        if b.constant is None:
            a, b = b, a
        mask = b.constant
        if mask is None:
            raise Refused("and without a constant")
        mask %= WORD
        if mask == 0:
            return constant(0)
        first = (mask & -mask).bit_length() - 1
        width = (mask >> first).bit_length()
        if mask >> first != (1 << width) - 1:
            raise Refused("and with a mask that is not a run of ones")
        if first == 0:
            return self.low(a, width)
        inner = self.low(self.floor(a, first), width)
        return self.scaled(inner, first)

    def either(self, a, b):
        for x, y in ((a, b), (b, a)):
            if x.range.lo >= 0 and y.range.lo >= 0:
                k = x.range.hi.bit_length()
                if y.poly.divisible(1 << k):
                    return self.add(a, b)
        leaves = [p for x in (a, b) for p in getattr(x, "leaves", [x.poly])]
        zeros = [p for x in (a, b) for p in getattr(x, "zeros", [x.poly])]
        interval = self.bitwise(a, b)
        origin = Bitwise(or_, leaves)
        symbol = self.symbols.made(("or", frozenset(leaves)), origin, interval)
        return Bits(interval, symbol, leaves, zeros)

    @staticmethod
    def bitwise(a, b):
        """Where the result of a bitwise operation may be."""
        if a.range.lo >= 0 and b.range.lo >= 0:
            return Interval(0, (1 << max(a.range.hi, b.range.hi).bit_length()) - 1)
        if a.range.inside(*SIGNED) and b.range.inside(*SIGNED):
            return Interval(*SIGNED)
        raise Refused("words of which one may be negative and one may pass 2^63")

    def flip(self, a, b):
        if b.constant is None:
            a, b = b, a
        if a.constant is not None:
            return constant((a.constant ^ b.constant) % WORD)
        ones = b.constant
        if ones is None:
            return self.difference(a, b)
        k = ones.bit_length()
        if ones != (1 << k) - 1:
            return self.difference(a, b)
        low = self.low(a, k) # the low k bits turn into 2^k - 1 - low
        high = self.scaled(self.floor(a, k), k)
        return self.add(high, self.sub(constant(ones), low))

    def difference(self, a, b):
        """Known only by whether it is zero."""
        interval = self.bitwise(a, b)
        origin = Bitwise(xor, [a.poly, b.poly])
        symbol = self.symbols.made(("xor", a.poly, b.poly), origin, interval)
        return Bits(interval, symbol, None, [a.poly - b.poly])

    def madlo(self, c, a, b):
        a, b = self.low(a, 52), self.low(b, 52)
        product = Value(a.range * b.range, a.poly * b.poly)
        return self.add(c, self.low(product, 52))

    def madhi(self, c, a, b):
        a, b = self.low(a, 52), self.low(b, 52)
        product = Value(a.range * b.range, a.poly * b.poly)
        return self.add(c, self.floor(product, 52))

    def isneg(self, x):
        sign = self.floor(x, 63)
        return sign if x.range.lo >= 0 else self.sub(constant(0), sign)

    def iszero(self, x):
        if 0 not in x.range:
            return constant(0)
        if x.range.inside(0, 1):
            return self.sub(constant(1), x)
        if not x.range.inside(1 - WORD, WORD - 1):
            raise Refused("zero test of a value that may be a multiple of 2^64")
        zeros = getattr(x, "zeros", [x.poly])
        interval, key = Interval(0, 1), ("zero", frozenset(zeros))
        return Value(interval, self.symbols.made(key, Bit(zeros), interval))

    def eq(self, a, b):
        return self.iszero(self.sub(a, b))

    def select(self, m, a, b):
        if m.constant is not None:
            return a if m.constant else b
        return Value(a.range.hull(b.range), b.poly + m.poly * (a.poly - b.poly))

    def mand(self, m, n):
        return self.select(m, n, constant(0))

    def mor(self, m, n):
        return self.select(m, constant(1), n)

    def mxor(self, m, n):
        return self.select(m, self.mnot(n), n)

    def mnot(self, m):
        return self.sub(constant(1), m)

    # Lines.

    BINARY = {
        "add": add, "sub": sub, "and": masked, "or": either, "xor": flip, "madlo": madlo,
        "madhi": madhi, "isneg": isneg, "iszero": iszero, "eq": eq, "select": select,
        "mand": mand, "mor": mor, "mxor": mxor, "mnot": mnot,
    }
    SHIFTS = {"shl": shl, "shr": shr, "sar": sar}
    MOVES = ("load", "rows", "swap")

    def step(self, line):
        word = line.split()
        if word[0] == "out":
            self.outputs[word[1]] = self.line(word[2])
            return
        number, op = int(word[0]), word[1]
        args = word[2:]
        if op == "in":
            value = self.input(args[0])
        elif op in ("set1", "mset"):
            value = constant(int(args[0]) if op == "set1" else self.mask(int(args[0])))
        elif op in self.MOVES:
            value = self.move(args)
        elif op in self.SHIFTS:
            value = self.SHIFTS[op](self, self.value(args[0]), int(args[1]))
        elif op == "split":
            value = self.split(number, self.value(args[0]), int(args[1]))
            self.values[int(args[0])] = value
        elif op in self.BINARY:
            operands = [self.value(arg) for arg in args]
            if op == "isneg" and self.signs:
                operands[0] = self.signed(int(args[0]), operands[0])
                self.values[int(args[0])] = operands[0]
            value = self.BINARY[op](self, *operands)
        elif op in ("look8", "look16"):
            value = self.look(args)
        elif op in ("bytes", "words16"):
            self.bytes.append(self.low(self.value(args[0]), 8 if op == "bytes" else 16))
            return
        elif op == "bits":
            return
        else:
            raise Refused("unknown operation " + op)
        self.store(number, value, op == "in")

    def store(self, number, value, is_input):
        if isinstance(value, Value):
            if len(value.poly.terms) > TERMS:
                raise Refused("line %d: too many terms" % number)
            if not value.range.inside(*UNSIGNED) and not value.range.inside(*SIGNED):
                raise Refused("line %d may overflow: %r" % (number, value.range))
            if not is_input:
                self.widest = max(self.widest, value.range.hi, -value.range.lo)
        self.values[number] = value

    def line(self, arg):
        if int(arg) not in self.values:
            raise Refused("a value that no line made")
        return self.values[int(arg)]

    def value(self, arg):
        value = self.line(arg)
        if isinstance(value, Lanes):
            raise Refused("arithmetic on lanes that are not alike")
        return value

    def input(self, name):
        """A symbol; for a limb of which 52 bits count, a second one for what is above."""
        low, high = self.ranges(name)
        self.inputs[name] = self.symbols.input(name, low)
        value = Value(low, self.inputs[name])
        if high:
            above = Value(high, self.symbols.input(name + "^", high))
            value = self.add(value, self.scaled(above, 52))
        return value

    def mask(self, bits):
        if bits not in (0, 255):
            raise Refused("a mask whose lanes are not alike")
        return bits & 1

    def move(self, sources):
        """What eight sources are together: one value, if every lane holds its own lane of
        one line, or one word that is the same for all; or else lanes that are not alike."""
        lanes = []
        for source in sources:
            if source[0] == "=":
                lanes.append(("=", int(source[1:])))
            else:
                lanes.append(tuple(int(x) for x in source.split(":")))
        line, what = lanes[0]
        if all(lane == lanes[0] for lane in lanes):
            if line == "=":
                return constant(what)
            if what == SAME:
                return self.line(line)
        elif line != "=" and all(lane == (line, i) for i, lane in enumerate(lanes)):
            return self.line(line)
        return Lanes(lanes)

    def look(self, args):
        table = []
        for arg in args[:-1]:
            value = self.values[int(arg)]
            if not isinstance(value, Lanes):
                raise Refused("a look into lanes that are alike")
            table += value.sources
        index = self.low(self.value(args[-1]), len(table).bit_length() - 1)
        if index.constant is None:
            raise Refused("a look at an index that no split decides")
        where, what = table[index.constant]
        if where == "=":
            return constant(what)
        if what != SAME:
            raise Refused("a look at another lane's word")
        return self.values[where]

    def narrow(self, x, interval):
        """x in a run that is only about this interval of it."""
        x = Value(x.range.meet(interval), x.poly)
        self.narrowed.append((x.poly, x.range))
        return x

    def split(self, number, x, k):
        if number in self.cases:
            return self.narrow(x, self.cases[number])
        parts = x.range.floor(k)
        if parts.lo == parts.hi:
            return x
        if parts.hi - parts.lo >= CASES:
            raise Refused("too many cases at line %d" % number)
        raise Split(number, [Interval(c << k, (c + 1 << k) - 1)
                             for c in range(parts.lo, parts.hi + 1)])

    def signed(self, number, x):
        """x, narrowed to one sign."""
        if ("sign", number) in self.cases:
            return self.narrow(x, self.cases["sign", number])
        if x.range.lo >= 0 or x.range.hi < 0:
            return x
        raise Split(("sign", number), [Interval(SIGNED[0], -1), Interval(0, SIGNED[1])])


def runs(lines, ranges, signs=False, limit=CASES):
    """Every run that the splits of a trace ask for."""
    pending, done = [{}], []
    while pending:
        cases = pending.pop()
        try:
            done.append(Run(lines, ranges, cases, signs))
        except Split as split:
            for interval in split.cases:
                pending.append({**cases, split.line: interval})
            if len(pending) + len(done) > limit:
                raise Refused("too many cases")
    return done
