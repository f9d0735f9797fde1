"""Integers that a proof computes with: polynomials with integer coefficients over named
symbols, intervals, and where symbols come from.

The only symbols besides a kernel's inputs are quotients, floor(P / 2^k); a Run remembers
the P and k of each, so that the same quotient is the same symbol wherever it comes up.
(Bit and Bitwise are for what is known only by whether it is zero.)"""

from functools import reduce


class Poly:
    """terms: {monomial: coefficient}, a monomial being a sorted tuple of symbols, which
    are numbers in a Run; () is the constant term.  Never changed once made."""

    __slots__ = ("terms",)

    def __init__(self, terms):
        self.terms = terms

    @staticmethod
    def of(x):
        if isinstance(x, Poly):
            return x
        return Poly({(): x} if x else {})

    @staticmethod
    def symbol(number):
        return Poly({(number,): 1})

    def __add__(self, other):
        other = Poly.of(other)
        terms = dict(self.terms)
        for m, c in other.terms.items():
            c += terms.get(m, 0)
            if c:
                terms[m] = c
            else:
                terms.pop(m, None)
        return Poly(terms)

    def __neg__(self):
        return Poly({m: -c for m, c in self.terms.items()})

    def __sub__(self, other):
        return self + -Poly.of(other)

    def __rsub__(self, other):
        return Poly.of(other) - self

    def __mul__(self, other):
        if isinstance(other, int):
            return Poly({m: c * other for m, c in self.terms.items()} if other else {})
        terms = {}
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                product = tuple(sorted(m + n))
                terms[product] = terms.get(product, 0) + c * d
        return Poly({m: c for m, c in terms.items() if c})

    def __pow__(self, n):
        out = Poly.of(1)
        for _ in range(n):
            out = out * self
        return out

    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other):
        return self.terms == Poly.of(other).terms

    def __hash__(self):
        return hash(frozenset(self.terms.items()))

    def divisible(self, m):
        return all(c % m == 0 for c in self.terms.values())

    def divided(self, m):
        return Poly({t: c // m for t, c in self.terms.items()})

    def value(self, values):
        """At integers: values[symbol]."""
        total = 0
        for m, c in self.terms.items():
            for s in m:
                c *= values[s]
            total += c
        return total


class Empty(Exception):
    """Two intervals that hold the same integer do not meet: there is no such integer."""


class Interval:
    """lo <= x <= hi, with the arithmetic of Poly."""

    __slots__ = ("lo", "hi")

    def __init__(self, lo, hi):
        assert lo <= hi, (lo, hi)
        self.lo, self.hi = lo, hi

    @staticmethod
    def of(x):
        return x if isinstance(x, Interval) else Interval(x, x)

    def __add__(self, other):
        other = Interval.of(other)
        return Interval(self.lo + other.lo, self.hi + other.hi)

    def __neg__(self):
        return Interval(-self.hi, -self.lo)

    def __sub__(self, other):
        return self + -Interval.of(other)

    def __rsub__(self, other):
        return Interval.of(other) - self

    def __mul__(self, other):
        other = Interval.of(other)
        ends = [x * y for x in (self.lo, self.hi) for y in (other.lo, other.hi)]
        return Interval(min(ends), max(ends))

    def __pow__(self, n):
        ends = [self.lo**n, self.hi**n]
        if n % 2 == 0 and self.lo < 0 < self.hi:
            ends.append(0)
        return Interval(min(ends), max(ends))

    __radd__ = __add__
    __rmul__ = __mul__

    def floor(self, k):
        return Interval(self.lo >> k, self.hi >> k)

    def inside(self, lo, hi):
        return lo <= self.lo and self.hi <= hi

    def meet(self, other):
        lo, hi = max(self.lo, other.lo), min(self.hi, other.hi)
        if lo > hi:
            raise Empty()
        return Interval(lo, hi)

    def hull(self, other):
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi))

    def __contains__(self, x):
        return self.lo <= x <= self.hi

    def __repr__(self):
        return "[%d, %d]" % (self.lo, self.hi)


class Quotient:
    """The symbol floor(rest / 2^k)."""

    __slots__ = ("rest", "k")

    def __init__(self, rest, k):
        self.rest, self.k = rest, k


    def at(self, values):
        return self.rest.value(values) >> self.k


class Bit:
    """A symbol that is 1 where all of these polynomials are zero, and else 0."""

    __slots__ = ("zeros",)

    def __init__(self, zeros):
        self.zeros = zeros

    def at(self, values):
        return int(not any(zero.value(values) for zero in self.zeros))


class Bitwise:
    """The bitwise `or` or `xor` of polynomials."""

    __slots__ = ("function", "parts")

    def __init__(self, function, parts):
        self.function, self.parts = function, parts

    def at(self, values):
        return reduce(self.function, (part.value(values) for part in self.parts))


class Symbols:
    """What is known of each symbol: its interval, and where it comes from (None: an
    input)."""

    def __init__(self):
        self.names, self.ranges, self.origins = [], [], []
        self.known = {}

    def input(self, name, interval):
        self.names.append(name)
        self.ranges.append(interval)
        self.origins.append(None)
        return Poly.symbol(len(self.names) - 1)

    def made(self, key, origin, interval):
        """The symbol of that key, made if it is new."""
        if key not in self.known:
            self.known[key] = len(self.names)
            self.names.append("t%d" % len(self.names))
            self.ranges.append(interval)
            self.origins.append(origin)
        return Poly.symbol(self.known[key])

    def spread(self, poly):
        """An interval that holds poly, each term by itself."""
        total = Interval(0, 0)
        for m, c in poly.terms.items():
            term = Interval(1, 1)
            for s in set(m):
                term = term * self.ranges[s] ** m.count(s)
            total = total + term * c
        return total

    def values(self, inputs):
        """The value of every symbol, given {name: value} of the inputs."""
        out = []
        for name, origin in zip(self.names, self.origins):
            out.append(inputs[name] if origin is None else origin.at(out))
        return out

    def floor(self, poly, k):
        """floor(poly / 2^k) as a polynomial.  Each coefficient is 2^k y + r with 0 <= r <
        2^k; the y go outside, what the r leave becomes a symbol."""
        outside, rest = {}, {}
        for m, c in poly.terms.items():
            if c >> k:
                outside[m] = c >> k
            if c % (1 << k):
                rest[m] = c % (1 << k)
        if not rest:
            return Poly(outside)
        rest, k = self.without_low_part(Poly(rest), k)
        spread = self.spread(rest).floor(k)
        if spread.lo == spread.hi:
            return Poly(outside) + spread.lo
        return Poly(outside) + self.made((k, rest), Quotient(rest, k), spread)

    def without_low_part(self, rest, k):
        """floor((2^j X + y) / 2^k) = floor(X / 2^(k-j)) where 0 <= y < 2^j.  The largest j
        for each y that there is."""
        zeros = {(c & -c).bit_length() - 1 for c in rest.terms.values()}
        for j in sorted(zeros - {0}, reverse=True):
            low = Poly({m: c for m, c in rest.terms.items() if c % (1 << j)})
            if self.spread(low).inside(0, (1 << j) - 1):
                return (rest - low).divided(1 << j), k - j
        return rest, k

    def bound(self, poly, values=()):
        """An interval that holds poly, by what is known of quotients, the newest first:
        0 <= rest - 2^k t < 2^k.  values: pairs (polynomial, its interval) of sums of
        inputs, which take part where the last term of such a sum is left."""
        total = Interval(0, 0)
        while True:
            linear = [m[0] for m in poly.terms if len(m) == 1]
            for s in sorted(linear, reverse=True):
                origin, c = self.origins[s], poly.terms[(s,)]
                if isinstance(origin, Quotient) and c % (1 << origin.k) == 0:
                    factor = c >> origin.k
                    low = origin.rest - Poly.symbol(s) * (1 << origin.k)
                    poly = poly + low * factor
                    total = total - Interval(0, (1 << origin.k) - 1) * factor
                    break
            else:
                break
        for whole, interval in values:
            top, unit = max(whole.terms.items(), key=lambda term: term[1])
            factor, left = divmod(poly.terms.get(top, 0), unit)
            if factor and not left:
                poly = poly - whole * factor
                total = total + interval * factor
        return total + self.spread(poly)
