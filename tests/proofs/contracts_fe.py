"""What is claimed of the kernels mod p: src/lanes/fe_p256_x8.h and fe_beside_p256_x8.h.

Each is a function of its operands' sizes, in units of 2^256, and of its small constants;
it refuses what the header does not allow.  ROWS has the sizes at which a kernel is proved
by itself; formulas prove it once more at the sizes that they use."""

from fractions import Fraction

from exact import Interval
from kernel import BIT, P, R, Claim, Contract, IffZero, Integer, Unproved, loose, upto

WORDS = Integer([Interval(0, 2**64 - 1)] * 4, bits=64)
UNIT = R  # an element is an integer a R mod p
WHOLE = (0, R - 1)  # of the quotient of a reduction
SOME = Fraction(1, 64)
WEAK = 1 + SOME


def need(allowed):
    if not allowed:
        raise Unproved("outside of what the header allows")


def mul(a, b, out=upto, name="mul"):
    need(a * b <= 240)
    return Contract(
        "fe_p256_x8_" + name,
        {"a": loose(a), "b": loose(b)},
        {"r": out(a * b / 16 + 1)},
        [Claim("r * R = a * b mod p", WHOLE)],
    )


def mul_loose(a, b):
    return mul(a, b, loose, "mul_loose")


def sqr(a, out=upto, name="sqr"):
    need(a * a <= 240)
    return Contract(
        "fe_p256_x8_" + name,
        {"a": loose(a)},
        {"r": out(a * a / 16 + 1)},
        [Claim("r * R = a * a mod p", WHOLE)],
    )


def sqr_loose(a):
    return sqr(a, loose, "sqr_loose")


def mul_dbl(a, b):
    need(a * b <= 112)
    return Contract(
        "fe_p256_x8_mul_dbl",
        {"a": loose(a), "b": loose(b)},
        {"r": upto(a * b / 8 + 2)},
        ["r * R = 2 * a * b mod p"],
    )


def mul_triple_loose(a, b):
    need(a * b <= 69)
    return Contract(
        "fe_p256_x8_mul_triple_loose",
        {"a": loose(a), "b": loose(b)},
        {"r": loose(3 * a * b / 16 + 3)},
        ["r * R = 3 * a * b mod p"],
    )


def mul_sub(a, b, c, k, out=upto, name="mul_sub"):
    need(a * b / 16 + 1 + k <= 16 and c <= k - SOME)
    return Contract(
        "fe_p256_x8_" + name,
        {"a": loose(a), "b": loose(b), "c": upto(c)},
        {"r": out(a * b / 16 + 1 + k)},
        ["r * R = a * b - c * R mod p"],
        trace="fe_p256_x8_%s/%d" % (name, k),
    )


def mul_sub_loose(a, b, c, k):
    return mul_sub(a, b, c, k, loose, "mul_sub_loose")


def mul_signed_sub_loose(m, a, b, c, k, less):
    need(a * b / 16 + 1 <= k - SOME and c <= less - SOME and k + less <= 16)
    return Contract(
        "fe_p256_x8_mul_signed_sub_loose",
        {"m": m, "a": loose(a), "b": loose(b), "c": upto(c)},
        {"r": loose(k + less)},
        ["r * R = (1 - 2 * m) * a * b - c * R mod p"],
        trace="fe_p256_x8_mul_signed_sub_loose/%d,%d" % (k, less),
    )


def sqr_sub_8_rest(a, b):
    need(a * a <= 31 and b <= 1 + 5 * SOME)
    return Contract(
        "fe_p256_x8_sqr_sub_8_rest",
        {"a": loose(a), "b": upto(b)},
        {"r": upto(WEAK), "rest": loose(16)},
        ["r * R = a * a - 8 * b * R mod p", "rest * R = 12 * b * R - a * a mod p"],
    )


def sqr_sub_sum(a, b, c):
    need(a <= 15 and b + 2 * c <= 9)
    return Contract(
        "fe_p256_x8_sqr_sub_sum",
        {"a": loose(a), "b": upto(b), "c": upto(c)},
        {"r": upto(WEAK)},
        ["r * R = a * a - b * R - 2 * c * R mod p"],
    )


def sqr_sub_sum_rest(a, b, c):
    need(a * a <= 31 and b + 2 * c <= 9 and b + 3 * c <= 13)
    return Contract(
        "fe_p256_x8_sqr_sub_sum_rest",
        {"a": loose(a), "b": upto(b), "c": upto(c)},
        {"r": upto(WEAK), "rest": loose(b + 3 * c + 3)},
        [
            "r * R = a * a - b * R - 2 * c * R mod p",
            "rest * R = b * R + 3 * c * R - a * a mod p",
        ],
    )


def mul_sub_8_sqr(a, b, c):
    need(a * b <= 240 and 8 * c * c <= 15)
    return Contract(
        "fe_p256_x8_mul_sub_8_sqr",
        {"a": loose(a), "b": loose(b), "c": loose(c)},
        {"r": upto(WEAK)},
        ["r * R = a * b - 8 * c * c mod p"],
    )


def mul_sub_mul(a, b, c, d):
    need(a * b <= 240 and c * d <= 15)
    return Contract(
        "fe_p256_x8_mul_sub_mul",
        {"a": loose(a), "b": loose(b), "c": loose(c), "d": loose(d)},
        {"r": upto(WEAK)},
        ["r * R = a * b - c * d mod p"],
    )


def signed_sub_loose(m, a, b):
    need(a <= 1 and b <= 1)
    return Contract(
        "fe_p256_x8_signed_sub_loose",
        {"m": m, "a": upto(a), "b": upto(b)},
        {"r": loose(4)},
        ["r = (1 - 2 * m) * a - b + 3 * p"],
    )


def mul_beside(a, b):
    return mul(a, b, loose, "mul_beside")


def sqr_fit_mul(a, b, c, d, e):
    need(a * a <= 4 and b <= 1 and c <= 1 and d * e <= 240)
    return Contract(
        "fe_p256_x8_sqr_fit_mul",
        {"a": loose(a), "b": upto(b), "c": upto(c), "d": loose(d), "e": loose(e)},
        {"r": upto(1), "rest": loose(8), "product": loose(d * e / 16 + 1)},
        [
            "r * R = a * a - b * R - c * R mod p",
            "rest * R = 2 * b * R + c * R - a * a mod p",
            Claim("product * R = d * e mod p", WHOLE),
        ],
    )


def mul_fit_mul(a, b, c, d, e):
    need(a * b <= 32 and c <= 1 and d * e <= 240)
    return Contract(
        "fe_p256_x8_mul_fit_mul",
        {"a": loose(a), "b": loose(b), "c": upto(c), "d": loose(d), "e": loose(e)},
        {"r": upto(1), "product": loose(d * e / 16 + 1)},
        [
            "r * R = a * b - c * R mod p",
            Claim("product * R = d * e mod p", WHOLE),
        ],
    )


def add(a, b, out=upto, name="add"):
    need(a + b <= 16)
    return Contract(
        "fe_p256_x8_" + name,
        {"a": upto(a), "b": upto(b)},
        {"r": out(a + b)},
        ["r = a + b"],
    )


def add_loose(a, b):
    return add(a, b, loose, "add_loose")


def sub(a, b, k, out=upto, name="sub"):
    need(a + k <= 16 and b <= k - SOME)
    return Contract(
        "fe_p256_x8_" + name,
        {"a": upto(a), "b": upto(b)},
        {"r": out(a + k)},
        ["r = a - b + %d * p" % k],
        trace="fe_p256_x8_%s/%d" % (name, k),
    )


def sub_loose(a, b, k):
    return sub(a, b, k, loose, "sub_loose")


def neg_if(m, a, k):
    need(a <= k - SOME and k <= 16)
    return Contract(
        "fe_p256_x8_neg_if",
        {"m": m, "a": upto(a)},
        {"r": upto(k)},
        ["r = (1 - m) * a + m * (%d * p - a)" % k],
        trace="fe_p256_x8_neg_if/%d" % k,
    )


def fit(a):
    need(a <= 2 - SOME)
    return Contract("fe_p256_x8_fit", {"a": upto(a)}, {"r": upto(1)}, ["r = a mod p"])


CANONICAL = Integer(upto(1).limbs, Interval(0, P - 1))


def canonical(a):
    need(a <= 16)
    return Contract(
        "fe_p256_x8_canonical", {"a": upto(a)}, {"r": CANONICAL}, ["r = a mod p"]
    )


def is_zero(a):
    need(a <= 16)
    return Contract(
        "fe_p256_x8_is_zero", {"a": upto(a)}, {"zero": BIT}, [IffZero("zero", "a")]
    )


def eq(a, b):
    need(a <= 14 and b <= 2 - SOME)
    return Contract(
        "fe_p256_x8_eq",
        {"a": upto(a), "b": upto(b)},
        {"equal": BIT},
        [IffZero("equal", "a - b")],
    )


def to_mont(a):
    need(a <= 16)
    return Contract(
        "fe_p256_x8_to_mont", {"a": loose(a)}, {"r": upto(1 + Fraction(1, 16))},
        ["r = a * R mod p"],
    )


def from_mont(a):
    need(a <= 16)
    return Contract(
        "fe_p256_x8_from_mont", {"a": loose(a)}, {"r": CANONICAL}, ["r * R = a mod p"]
    )


def select(m, a, b):
    return Contract(
        "fe_p256_x8_select",
        {"m": m, "a": upto(a), "b": upto(b)},
        {"r": upto(max(a, b))},
        ["r = m * a + (1 - m) * b"],
    )


def from_words():
    return Contract("fe_p256_x8_from_words", {"w": WORDS}, {"r": upto(1)}, ["r = w"])


def from_table():
    return Contract(
        "fe_p256_x8_from_table", {"w": WORDS}, {"r": upto(16)}, ["r = 16 * w"]
    )


def to_words(a):
    need(a <= 1)
    return Contract("fe_p256_x8_to_words", {"a": upto(a)}, {"w": WORDS}, ["w = a"])


def zero():
    return Contract("fe_p256_x8_zero", {}, {"r": CANONICAL}, ["r = 0"])


def one():
    return Contract("fe_p256_x8_one", {}, {"r": CANONICAL}, ["r = R mod p"])


def set1():
    return Contract("fe_p256_x8_set1", {}, {"r": CANONICAL}, ["r = R * R mod p"])


F = Fraction
ROOT = F(991, 64)  # its square is just below 240
ROWS = [
    (mul, (16, 15)), (mul, (ROOT, ROOT)), (mul_loose, (16, 15)), (sqr, (ROOT,)),
    (sqr_loose, (ROOT,)), (mul_dbl, (16, 7)), (mul_dbl, (F(21, 2), F(21, 2))),
    (mul_triple_loose, (16, F(69, 16))), (mul_triple_loose, (8, 8)),
    (mul_sub, (16, 13, 2 - SOME, 2)), (mul_sub, (4, 4, 14 - SOME, 14)),
    (mul_sub_loose, (16, 13, 2 - SOME, 2)), (mul_sub_loose, (4, 4, 14 - SOME, 14)),
    (mul_signed_sub_loose, (BIT, 16, F(95, 16) - SOME, 9 - SOME, 7, 9)),
    (mul_signed_sub_loose, (BIT, 4, 4, 13 - SOME, 3, 13)),
    (sqr_sub_8_rest, (F(356, 64), 1 + 5 * SOME)),
    (sqr_sub_sum, (15, 7, 1)), (sqr_sub_sum, (15, 1, 4)),
    (sqr_sub_sum_rest, (F(356, 64), 7, 1)), (sqr_sub_sum_rest, (F(356, 64), 1, 4)),
    (mul_sub_8_sqr, (16, 15, F(87, 64))), (mul_sub_8_sqr, (ROOT, ROOT, F(87, 64))),
    (mul_sub_mul, (16, 15, 15, 1)), (mul_sub_mul, (ROOT, ROOT, F(247, 64), F(247, 64))),
    (signed_sub_loose, (BIT, 1, 1)), (mul_beside, (16, 15)),
    (sqr_fit_mul, (2, 1, 1, 16, 15)), (mul_fit_mul, (4, 8, 1, 16, 15)),
    (add, (8, 8)), (add, (15, 1)), (add_loose, (8, 8)),
    (sub, (1, 15 - SOME, 15)), (sub, (15, 1 - SOME, 1)), (sub_loose, (14, 2 - SOME, 2)),
    (neg_if, (BIT, 2 - SOME, 2)), (fit, (2 - SOME,)),
    (canonical, (16,)), (is_zero, (16,)), (eq, (14, 2 - SOME)), (to_mont, (16,)),
    (from_mont, (16,)), (select, (BIT, 16, 16)), (from_words, ()), (from_table, ()),
    (to_words, (1,)), (zero, ()), (one, ()), (set1, ()),
]
CONTRACTS = [make(*sizes) for make, sizes in ROWS]
FAMILIES = {c.name: make for (make, _), c in zip(ROWS, CONTRACTS)}


def size_of(said):
    """In units of 2^256, rounded up to a 64th; words have none."""
    return () if said.bits == 64 else Fraction(-(-(said.limbs[-1].hi + 1) >> 42), 64)
