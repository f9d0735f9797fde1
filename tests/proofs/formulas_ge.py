"""What is claimed of the point formulas: src/lanes/ge_p256_x8.h, ge_xyzz_p256_x8.h and
ge_affine_p256_x8.h.

Coordinates are elements of the field, integers a R mod p; in claims they stand for a."""

from fractions import Fraction

from contracts_fe import CANONICAL, WEAK
from formula import Formula
from kernel import BIT, P, loose, upto

F = Fraction


def coordinates(**sizes):
    return {name: (upto(size), name + " * R") for name, size in sizes.items()}


def outputs(**sizes):
    return {name: upto(size) for name, size in sizes.items()}


JACOBIAN = coordinates(X=WEAK, Y=WEAK, Z=F(5, 2))
# ZZ^3 = ZZZ^2 says that there is such a z.
XYZZ = {
    **coordinates(X=WEAK, Y=WEAK),
    "ZZ": (upto(F(3, 2)), "z**2 * R"),
    "ZZZ": (upto(F(3, 2)), "z**3 * R"),
}
AFFINE = coordinates(x2=16, y2=16)
# The group law for a + b, a != b, -b: slope through two points.
SUM = [
    ("s", "(1 - 2 * minus) * y2"),
    ("slope", "(s - y) / (x2 - x)"),
    ("x3", "slope**2 - x - x2"),
    ("y3", "slope * (x - x3) - y"),
]

ALPHA = "(3 * x**2 - 3)"
CURVE_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
START = {
    "zz0": "2 * y",
    "tx0": ALPHA + "**2 - 8 * x * y**2",
    "ty0": ALPHA + " * (12 * x * y**2 - " + ALPHA + "**2) - 8 * y**4",
    "lx0": "4 * x * y**2",
    "ly0": "8 * y**4",
}


def step(i):
    """One entry more, from those of stage i - 1."""
    texts = {
        "zz": "zz* * H",
        "tx": "tx* * H**2",
        "ty": "ty* * H**3",
        "lx": "(S**2 - H**3 - 2 * tx* * H**2)",
        "ly": "(S * (3 * tx* * H**2 + H**3 - S**2) - ty* * H**3)",
    }
    return {
        "%s%d" % (v, i): text.replace("H", "(lx* - tx*)")
        .replace("S", "(ly* - ty*)")
        .replace("x*", "x%d" % (i - 1))
        .replace("y*", "y%d" % (i - 1))
        .replace("zz*", "zz%d" % (i - 1))
        for v, text in texts.items()
    }


FORMULAS = [
    Formula(
        "ge_p256_x8_dbl",
        JACOBIAN,
        outputs(X3=WEAK, Y3=WEAK, Z3=F(7, 3)),
        ["X3 / Z3**2 = x3", "Y3 / Z3**3 = y3", "Z3 = 2 * Y * Z"],
        P,
        [
            ("x", "X / Z**2"),
            ("y", "Y / Z**3"),
            ("slope", "(3 * x**2 - 3) / (2 * y)"),
            ("x3", "slope**2 - 2 * x"),
            ("y3", "slope * (x - x3) - y"),
        ],
    ),
    Formula(
        "ge_p256_x8_madd",
        {**JACOBIAN, **AFFINE, "minus": BIT},
        outputs(X3=WEAK, Y3=WEAK, Z3=F(7, 4)),
        ["X3 / Z3**2 = x3", "Y3 / Z3**3 = y3", "Z3 = Z * (x2 * Z**2 - X)"],
        P,
        [("x", "X / Z**2"), ("y", "Y / Z**3"), *SUM],
    ),
    Formula(
        "ge_p256_x8_to_affine",
        {**JACOBIAN, "w": (upto(F(3, 2)), "Z**-1 * R")},
        outputs(X3=1, Y3=1),
        ["X3 = X / Z**2", "Y3 = Y / Z**3"],
        P,
    ),
    # The integers themselves, and not elements.
    Formula(
        "ge_p256_x8_end",
        {**JACOBIAN, "w": (upto(F(3, 2)), "Z**-1 * R")},
        {"X3": CANONICAL, "Y3": CANONICAL},
        ["X3 * R = X / Z**2", "Y3 * R = Y / Z**3"],
        P,
    ),
    Formula(
        "ge_p256_x8_xyzz_add",
        {**XYZZ, **AFFINE, "minus": BIT},
        outputs(X3=WEAK, Y3=WEAK, ZZ3=F(3, 2), ZZZ3=F(3, 2)),
        [
            "X3 / ZZ3 = x3",
            "Y3 / ZZZ3 = y3",
            "ZZ3 = z**2 * (x2 * z**2 - X)**2",
            "ZZZ3 = z**3 * (x2 * z**2 - X)**3",
        ],
        P,
        [("x", "X / z**2"), ("y", "Y / z**3"), *SUM],
    ),
    Formula(
        "ge_p256_x8_xyzz_begin",
        {**AFFINE, "minus": BIT},
        outputs(X3=WEAK, Y3=WEAK, ZZ3=F(3, 2), ZZZ3=F(3, 2)),
        ["X3 / ZZ3 = x2", "Y3 / ZZZ3 = (1 - 2 * minus) * y2", "ZZ3**3 = ZZZ3**2"],
        P,
    ),
    # The integers themselves, and not elements.
    Formula(
        "ge_p256_x8_xyzz_end",
        {**XYZZ, "w": (upto(2), "z**-3 * R")},
        {"X3": CANONICAL, "Y3": CANONICAL},
        ["X3 * R = X / z**2", "Y3 * R = Y / z**3"],
        P,
    ),
    Formula(
        "ge_p256_x8_curve",
        coordinates(x=F(17, 16)),
        outputs(r=4),
        ["r = x**3 - 3 * x + %d" % CURVE_B],
        P,
    ),
    Formula(
        "ge_p256_x8_line",
        {**coordinates(x=1, y=1, x2=1, y2=1), "minus": BIT, "same": BIT, "opposite": BIT},
        outputs(dx=3, dy=7),
        [
            "dx = opposite + (1 - opposite) * (same * 2 * y + (1 - same) * (x2 - x))",
            "dy = same * " + ALPHA + " + (1 - same) * ((1 - 2 * minus) * y2 - y)",
        ],
        P,
    ),
    Formula(
        "ge_p256_x8_third",
        coordinates(x=1, y=1, x2=1, slope=2),
        {"X3": CANONICAL, "Y3": CANONICAL},
        ["X3 = slope**2 - x - x2", "Y3 = slope * (x - X3) - y"],
        P,
    ),
]


def tables(count):
    """Co-Z tables of so many odd multiples."""
    return [
        Formula(
            "ge_p256_x8_normalize/%d" % count,
            {
                **coordinates(w=F(3, 2)),
                **coordinates(**{"%s%d" % (c, i): k for i in range(count)
                                 for c, k in (("x", F(17, 16)), ("y", F(9, 2)))}),
                **{"h%d" % i: (loose(F(25, 8)), "h%d * R" % i) for i in range(1, count)},
            },
            outputs(**{"%s%d" % (c, i): F(5, 4) for i in range(1, count) for c in "XY"}),
            [claim % (i, i, i) for i in range(1, count)
             for claim in ("X%d = x%d * w%d**2", "Y%d = y%d * w%d**3")],
            P,
            [("w%d" % (count - 1), "w")]
            + [("w%d" % i, "w%d * h%d" % (i + 1, i + 1)) for i in range(count - 2, 0, -1)],
        ),
        # Entry i is entry i - 1 and 2a, over one Z, added up.  Stages give both their names
        # (l, t, over z): first a and 2a over Z = 2y; then, with h and r their differences,
        # the sum over z h, and 2a over z h.
        Formula(
            "ge_p256_x8_odd_multiples/%d" % count,
            coordinates(x=F(17, 16), y=F(17, 16)),
            {
                **outputs(x0=F(17, 16), y0=F(17, 16), z=F(7, 3)),
                **outputs(**{"x%d" % i: F(17, 16) for i in range(1, count)}),
                **outputs(**{"y%d" % i: F(9, 2) for i in range(1, count)}),
                **{"h%d" % i: loose(F(25, 8)) for i in range(1, count)},
            },
            ["x0 = x", "y0 = y", "z = zz%d" % (count - 1)]
            + [claim % (i, i) for i in range(1, count)
               for claim in ("x%d = lx%d", "y%d = ly%d")]
            + ["h%d = lx%d - tx%d" % (i, i - 1, i - 1) for i in range(1, count)]
            # a and 2a over 2y.
            + ["A / Z**2 = x", "B / Z**3 = y", "C / Z**2 = xd", "D / Z**3 = yd"]
            # The sum of (l, t) and 2a, over z h.
            + ["E / (zz0 * H)**2 = xs", "F / (zz0 * H)**3 = ys"]
            + ["G / (zz0 * H)**2 = xt", "I / (zz0 * H)**3 = yt"],
            P,
            [
                ("Z", "2 * y"),
                ("A", START["lx0"]), ("B", START["ly0"]),
                ("C", START["tx0"]), ("D", START["ty0"]),
                ("slope2", "(3 * x**2 - 3) / (2 * y)"),
                ("xd", "slope2**2 - 2 * x"), ("yd", "slope2 * (x - xd) - y"),
                ("H", "lx0 - tx0"),
                ("E", step(1)["lx1"]), ("F", step(1)["ly1"]),
                ("G", step(1)["tx1"]), ("I", step(1)["ty1"]),
                ("xl", "lx0 / zz0**2"), ("yl", "ly0 / zz0**3"),
                ("xt", "tx0 / zz0**2"), ("yt", "ty0 / zz0**3"),
                ("slope", "(yl - yt) / (xl - xt)"),
                ("xs", "slope**2 - xl - xt"), ("ys", "slope * (xt - xs) - yt"),
            ],
            stages=[START, *(step(i) for i in range(1, count))],
        ),
    ]


FORMULAS += tables(8) + tables(16) + tables(32)
