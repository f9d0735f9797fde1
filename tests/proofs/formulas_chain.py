"""What is claimed of roots and inverses: src/lanes/fe_p256_chain_x8.h, and the inverses of
src/lanes/sc_p256_x8.h, for every number of groups.  The scalar inversion inside is taken at
its contract (field/safegcd.h), for integers that are not 0."""

from fractions import Fraction

from contracts_sc import reduced
from formula import Formula
from kernel import N, P, upto

GROUPS = range(1, 9)


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
        "fe_p256_x8_sqrt_pair",
        {"a0": (upto(4), "a0 * R"), "a1": (upto(4), "a1 * R")},
        {"r0": upto(2), "r1": upto(2)},
        ["r0 = a0**((p + 1) // 4)", "r1 = a1**((p + 1) // 4)"],
        P,
        covers=["fe_p256_x8_mul_called", "fe_p256_x8_mul_pair", "fe_p256_x8_sqr_n_pair"],
    ),
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
