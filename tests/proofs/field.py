"""Expressions over a prime field in named variables."""


class Expression:
    """A sum of terms {((name, exponent), ...): coefficient}, names in order; exponents may
    be negative."""

    __slots__ = ("terms", "modulus")

    def __init__(self, terms, modulus):
        self.terms, self.modulus = terms, modulus

    def of(self, x):
        if isinstance(x, Expression):
            return x
        x %= self.modulus
        return Expression({(): x} if x else {}, self.modulus)

    def __add__(self, other):
        terms = dict(self.terms)
        for m, c in self.of(other).terms.items():
            c = (c + terms.get(m, 0)) % self.modulus
            if c:
                terms[m] = c
            else:
                terms.pop(m, None)
        return Expression(terms, self.modulus)

    def __neg__(self):
        terms = {m: self.modulus - c for m, c in self.terms.items()}
        return Expression(terms, self.modulus)

    def __sub__(self, other):
        return self + -self.of(other)

    def __rsub__(self, other):
        return self.of(other) - self

    def __mul__(self, other):
        terms = {}
        for m, c in self.terms.items():
            for n, d in self.of(other).terms.items():
                powers = dict(m)
                for name, exponent in n:
                    powers[name] = powers.get(name, 0) + exponent
                key = tuple(sorted((v, e) for v, e in powers.items() if e))
                terms[key] = (terms.get(key, 0) + c * d) % self.modulus
        return Expression({m: c for m, c in terms.items() if c}, self.modulus)

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, n):
        if len(self.terms) == 1:
            ((m, c),) = self.terms.items()
            powers = tuple((v, e * n) for v, e in m) if n else ()
            return Expression({powers: pow(c, n, self.modulus)}, self.modulus)
        out = self.of(1)
        for _ in range(n):
            out = out * self
        return out

    def inverse(self):
        """Of one term."""
        ((m, c),) = self.terms.items()
        inverse = tuple((v, -e) for v, e in m)
        return Expression({inverse: pow(c, -1, self.modulus)}, self.modulus)

    def __eq__(self, other):
        return self.terms == self.of(other).terms

    def replaced(self, name, power, by):
        """name^power = by, used until no such power is left; no exponent is negative."""
        out, rest = self.of(0), self
        while rest.terms:
            again = self.of(0)
            for m, c in rest.terms.items():
                powers = dict(m)
                if powers.get(name, 0) >= power:
                    powers[name] -= power
                    key = tuple(sorted((v, e) for v, e in powers.items() if e))
                    again = again + Expression({key: c}, self.modulus) * by
                else:
                    out = out + Expression({m: c}, self.modulus)
            rest = again
        return out


def variable(name, modulus):
    return Expression({((name, 1),): 1}, modulus)


class Ratio:
    """A fraction of expressions; equal by cross-multiplication."""

    __slots__ = ("above", "below")

    def __init__(self, above, below):
        self.above, self.below = above, below

    def of(self, x):
        if isinstance(x, Ratio):
            return x
        return Ratio(self.above.of(x), self.above.of(1))

    def __add__(self, other):
        other = self.of(other)
        return Ratio(
            self.above * other.below + other.above * self.below, self.below * other.below
        )

    def __neg__(self):
        return Ratio(-self.above, self.below)

    def __sub__(self, other):
        return self + -self.of(other)

    def __rsub__(self, other):
        return self.of(other) - self

    def __mul__(self, other):
        other = self.of(other)
        return Ratio(self.above * other.above, self.below * other.below)

    def __truediv__(self, other):
        other = self.of(other)
        return Ratio(self.above * other.below, self.below * other.above)

    def __rtruediv__(self, other):
        return self.of(other) / self

    def __pow__(self, n):
        return Ratio(self.above**n, self.below**n)

    __radd__ = __add__
    __rmul__ = __mul__
