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
    (from_words, ()),
    (to_words, (2,)),
]
FAMILIES = {make(*sizes).name: make for make, sizes in ROWS}

CONTRACTS = [make(*sizes) for make, sizes in ROWS] + [
    Contract(
        "sc_p256_x8_add_product",
        {"a": reduced(), "b": reduced(), "c": Integer([below(57)] * 10)},
        {"r": Integer([below(58)] * 10)},
        ["r = c + a * b"],
    ),
    Contract(
        "sc_p256_x8_reduce_columns",
        {"c": Integer([below(57)] * 10, Interval(0, 225 * N * N - 1))},
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


WIDTHS = (4, 5, 7, 12)
CONTRACTS += [recode_start(w) for w in WIDTHS] + [recode_next(w) for w in WIDTHS]


def size_of(said):
    """In units of n, rounded up to a 64th; words have none."""
    if said.bits == 64:
        return ()
    return min(FULL, Fraction(-(-(said.value.hi + 1) * 64 // N), 64))
