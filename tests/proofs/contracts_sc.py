"""What is claimed of the kernels mod n: src/lanes/sc_p256_x8.h.

As in contracts_fe.py, with sizes in units of n."""

from fractions import Fraction

from exact import Interval
from kernel import BIT, N, R, Claim, Contract, Integer, Unproved, below

LIMBS = [below(52)] * 5
WORDS = Integer([below(64)] * 4, bits=64)
UNIT = 1
WHOLE = (0, R - 1)  # of the quotient of a reduction
FULL = Fraction(R, N)  # any limbs below 2^52
SHARE, WIDEST = 5, Fraction(65, 64)  # the factors of a sum's products: < 5n, < 2^256


def reduced(size=FULL):
    """Limbs below 2^52, the integer below size n."""
    return Integer(LIMBS, Interval(0, -(-size * N // 1) - 1))


def need(allowed):
    if not allowed:
        raise Unproved("outside of what the header allows")


def mul(a, b):
    need(a * b <= 225)
    return Contract(
        "sc_p256_x8_mul",
        {"a": reduced(a), "b": reduced(b)},
        {"r": reduced(a * b / 16 + 1)},
        [Claim("r * R = a * b mod n", WHOLE)],
    )


def mul_add(a, b, d):
    need(a * b <= 225)
    return Contract(
        "sc_p256_x8_mul_add",
        {"a": reduced(a), "b": reduced(b), "d": reduced(d)},
        {"r": reduced(a * b / 16 + 1 + Fraction(2, N))},
        [Claim("r * R = a * b + d mod n", WHOLE)],
    )


def columns(k):
    """A sum of k products."""
    return Integer(
        [Interval(0, k * 10 * (2**52 - 1))] * 10, Interval(0, int(k * SHARE * WIDEST * N * N))
    )


def products(said):
    """Of how many products columns may be the sum."""
    by_limbs = max(-(-x.hi // (10 * (2**52 - 1))) for x in said.limbs)
    return max(by_limbs, -(-said.value.hi // int(SHARE * WIDEST * N * N)))


def sum_add(k, a, b):
    need(a <= SHARE and b <= WIDEST)
    return Contract(
        "sc_p256_x8_sum_add",
        {"c": columns(k), "a": reduced(a), "b": reduced(b)},
        {"r": columns(k + 1)},
        ["r = c + a * b"],
    )


def sum_reduce(k):
    need(k <= 32)
    return Contract(
        "sc_p256_x8_sum_reduce",
        {"c": columns(k)},
        {"r": reduced(12)},
        [Claim("r * R = c mod n", WHOLE)],
    )


def mul_short(a, m, b):
    """a: a short one's three limbs, of any size; m: its mask."""
    need(b <= 2)
    return Contract(
        "sc_p256_x8_mul_short",
        {"a": Integer(LIMBS[:3]), "m": m, "b": reduced(b)},
        {"r": reduced(5)},
        [
            Claim(
                "r * R = (a - 2**156 * m) * b * 2**104 mod n",
                (2 * R, 3 * R - 2**104),
            )
        ],
    )


def from_short():
    return Contract(
        "sc_p256_x8_from_short",
        {"w": Integer([below(64)] * 2, bits=64)},
        {"r": Integer(LIMBS[:3]), "negative": BIT},
        [
            "r = w + negative * (2**156 - 2**128)",
            Claim("w = negative * 2**127 mod 1", (0, 2**127 - 1)),
        ],
    )


def canonical(a):
    need(a <= 2)
    return Contract(
        "sc_p256_x8_canonical", {"a": reduced(a)}, {"r": reduced(1)}, ["r = a mod n"],
        signs=True,
    )


def make_odd(a):
    need(a <= 1)
    return Contract(
        "sc_p256_x8_make_odd",
        {"a": reduced(a)},
        {"r": Integer(LIMBS, Interval(0, N)), "even": BIT},
        ["r = even * (n - a) + (1 - even) * a", "r = 1 mod 2", "even = 1 + a mod 2"],
    )


def from_words():
    return Contract(
        "sc_p256_x8_from_words",
        {"w": WORDS},
        {"r": Integer(LIMBS, below(256))},
        ["r = w"],
    )


def to_words(a):
    return Contract(
        "sc_p256_x8_to_words",
        {"a": Integer(LIMBS, below(256).meet(reduced(a).value))},
        {"w": WORDS},
        ["w = a"],
    )


ROWS = [
    (mul, (15, 15)),
    (mul_add, (15, 15, FULL)),
    (canonical, (2,)),
    (make_odd, (1,)),
    (sum_add, (31, SHARE, WIDEST)),
    (sum_reduce, (32,)),
    (mul_short, (1, BIT, 2)),
    (from_short, ()),
    (from_words, ()),
    (to_words, (2,)),
]
FAMILIES = {make(*sizes).name: make for make, sizes in ROWS}

CONTRACTS = [make(*sizes) for make, sizes in ROWS] + [
    Contract(
        "sc_p256_x8_add_product",
        {"a": reduced(), "b": reduced(), "c": Integer([below(62)] * 10)},
        {"r": Integer([below(63)] * 10)},
        ["r = c + a * b"],
    ),
    Contract(
        "sc_p256_x8_reduce_columns",
        {"c": Integer([below(63)] * 10, Interval(0, 225 * N * N - 1))},
        {"r": reduced(Fraction(225, 16) + 1)},
        [Claim("r * R = c mod n", WHOLE)],
    ),
    Contract(
        "sc_p256_x8_load",
        {"w": WORDS},
        {"r": Integer(LIMBS, below(256))},
        ["r = w"],
    ),
    Contract("sc_p256_x8_set1", {}, {"r": reduced(1)}, ["r = R * R mod n"]),
    Contract(
        "sc_p256_x8_select",
        {"m": BIT, "a": reduced(), "b": reduced()},
        {"r": reduced()},
        ["r = m * a + (1 - m) * b"],
    ),
    Contract(
        "sc_p256_x8_sub_borrow",
        {"a": reduced(), "b": reduced()},
        {"r": reduced(), "borrow": BIT},
        ["r = a - b + R * borrow"],
    ),
]

# Digits (recode_p256_x8.h).  The state at the start, with chunk i holding as many windows as
# fit into 64 bits, from its top bit down, spells K: 2 K is 2^(w count) + the scalar, or one
# less, and so one less, for the scalar that make_odd gives is odd.  A digit is 2 v + 1 - 2^w for the top w bits v of the state, and these go away.
WORD = below(64)


def recode_start(w):
    fit, count = 64 // w, -(-256 // w)
    last = (count - 1) // fit
    sizes = [fit] * last + [count - last * fit]
    spelled = " + ".join(
        "c%d * 2**%d" % (i, (size + i * fit) * w) for i, size in enumerate(sizes)
    )
    spelling = "2 * (%s) = 2**64 * (2**%d + odd) mod 2**64" % (spelled, w * count)
    return Contract(
        "recode_p256_x8_start",
        {"odd": Integer(LIMBS[:4] + [Interval(0, N >> 208)], Interval(0, N))},
        {"c%d" % i: WORD for i in range(last + 1)},
        [Claim(spelling, (-1, 0))],
        trace="recode_p256_x8_start/%d" % w,
    )


def recode_next(w):
    return Contract(
        "recode_p256_x8_next",
        {"c": WORD, "f": BIT},
        {"v": below(w), "index": below(w - 1), "negative": BIT, "next": WORD},
        [
            "(1 - 2 * negative) * (2 * index + 1) = (1 - 2 * f) * (2 * v + 1 - 2**%d)" % w,
            "next = 2**%d * c - 2**64 * v" % w,
        ],
        trace="recode_p256_x8_next/%d" % w,
    )


WIDTHS = (4, 5, 7, 8, 12)
CONTRACTS += [recode_start(w) for w in WIDTHS] + [recode_next(w) for w in WIDTHS]


def size_of(said):
    """In units of n, rounded up to a 64th; words have none."""
    if said.bits == 64:
        return ()
    if len(said.limbs) == 10:
        return products(said)
    return min(FULL, Fraction(-(-(said.value.hi + 1) * 64 // N), 64))
