"""What is claimed of roots and inverses: src/lanes/fe_p256_chain_x8.h, and the inverses of
src/lanes/sc_p256_x8.h, for every number of groups.  The scalar inversion inside is taken at
its contract (field/safegcd.h), for integers that are not 0."""

from fractions import Fraction

from contracts_sc import reduced
from formula import Formula
from kernel import N, P, upto

GROUPS = range(1, 9)
SQRT_GROUPS = range(1, 5)


def inverses(name, covers, size, out, text, claim, modulus):
    return [
        Formula(
            "%s/%d" % (name, groups),
            {"a%d" % g: (size, text % g) for g in range(groups)},
            {"r%d" % g: out for g in range(groups)},
            [claim % (g, g) for g in range(groups)],
            modulus,
            covers=covers,
        )
        for groups in GROUPS
    ]


FORMULAS = [
    Formula(
        "fe_p256_x8_sqrt/%d" % groups,
        {"a%d" % g: (upto(4), "a%d * R" % g) for g in range(groups)},
        {"r%d" % g: upto(2) for g in range(groups)},
        ["r%d = a%d**((p + 1) // 4)" % (g, g) for g in range(groups)],
        P,
        covers=["fe_p256_x8_mul_called", "fe_p256_x8_mul_each", "fe_p256_x8_sqr_n"],
    )
    for groups in SQRT_GROUPS
]
for _name in ("fe_p256_x8_inv", "fe_p256_x8_inv_vt"):
    FORMULAS += inverses(
        _name,
        ["fe_p256_x8_inv_one", "fe_p256_x8_inv_tree"],
        upto(4),
        upto(Fraction(3, 2)),
        "a%d_lane * R",
        "r%d = 1 / a%d_lane",
        P,
    )
for _name, _claim in (
    ("sc_p256_x8_inv_r2", "r%d = R**2 / a%d_lane"),
    ("sc_p256_x8_inv_vt", "r%d = R / a%d_lane"),
    ("sc_p256_x8_inv_short_vt", "r%d = 2**156 * R / a%d_lane"),
):
    FORMULAS += inverses(
        _name,
        ["sc_p256_x8_inv_one", "sc_p256_x8_inv_tree"],
        reduced(2),
        reduced(2),
        "a%d_lane",
        _claim,
        N,
    )
