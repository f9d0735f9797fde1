"""What each kernel is for, said once more and in another way than in the contracts: a
number mod p or n from the operands' integers.  Products are divided by R = 2^260 here, by
its inverse, where contracts multiply the result."""

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
UP = pow(2, -260, P)
UN = pow(2, -260, N)


def sign(m):
    return -1 if m else 1


# {kernel: (modulus, {output: function of the operands in order})}
MODELS = {
    "fe_p256_x8_mul": (P, {"r": lambda a, b: a * b * UP}),
    "fe_p256_x8_mul_loose": (P, {"r": lambda a, b: a * b * UP}),
    "fe_p256_x8_sqr": (P, {"r": lambda a: pow(a, 2, P) * UP}),
    "fe_p256_x8_sqr_loose": (P, {"r": lambda a: pow(a, 2, P) * UP}),
    "fe_p256_x8_mul_dbl": (P, {"r": lambda a, b: (a + a) * b * UP}),
    "fe_p256_x8_mul_triple_loose": (P, {"r": lambda a, b: (a + a + a) * b * UP}),
    "fe_p256_x8_mul_sub": (P, {"r": lambda a, b, c: a * b * UP - c}),
    "fe_p256_x8_mul_sub_loose": (P, {"r": lambda a, b, c: a * b * UP - c}),
    "fe_p256_x8_mul_signed_sub_loose": (
        P,
        {"r": lambda m, a, b, c: sign(m) * (a * b * UP) - c},
    ),
    "fe_p256_x8_sqr_sub_8_rest": (
        P,
        {
            "r": lambda a, b: a * a * UP - (b << 3),
            "rest": lambda a, b: (b << 2) - (a * a * UP - (b << 3)),
        },
    ),
    "fe_p256_x8_sqr_sub_sum": (P, {"r": lambda a, b, c: a * a * UP - (b + c + c)}),
    "fe_p256_x8_sqr_sub_sum_rest": (
        P,
        {
            "r": lambda a, b, c: a * a * UP - (b + c + c),
            "rest": lambda a, b, c: c - (a * a * UP - (b + c + c)),
        },
    ),
    "fe_p256_x8_mul_sub_8_sqr": (P, {"r": lambda a, b, c: (a * b - (c * c << 3)) * UP}),
    "fe_p256_x8_mul_sub_mul": (P, {"r": lambda a, b, c, d: (a * b - c * d) * UP}),
    "fe_p256_x8_signed_sub_loose": (P, {"r": lambda m, a, b: sign(m) * a - b}),
    "fe_p256_x8_mul_beside": (P, {"r": lambda a, b: a * b * UP}),
    "fe_p256_x8_sqr_fit_mul": (
        P,
        {
            "r": lambda a, b, c, d, e: a * a * UP - b - c,
            "rest": lambda a, b, c, d, e: b - (a * a * UP - b - c),
            "product": lambda a, b, c, d, e: d * e * UP,
        },
    ),
    "fe_p256_x8_mul_fit_mul": (
        P,
        {
            "r": lambda a, b, c, d, e: a * b * UP - c,
            "product": lambda a, b, c, d, e: d * e * UP,
        },
    ),
    "fe_p256_x8_add": (P, {"r": lambda a, b: a + b}),
    "fe_p256_x8_add_loose": (P, {"r": lambda a, b: a + b}),
    "fe_p256_x8_sub": (P, {"r": lambda a, b: a - b}),
    "fe_p256_x8_sub_loose": (P, {"r": lambda a, b: a - b}),
    "fe_p256_x8_neg_if": (P, {"r": lambda m, a: sign(m) * a}),
    "fe_p256_x8_fit": (P, {"r": lambda a: a}),
    "fe_p256_x8_canonical": (P, {"r": lambda a: a}),
    "fe_p256_x8_is_zero": (P, {"zero": lambda a: a % P == 0}),
    "fe_p256_x8_eq": (P, {"equal": lambda a, b: a % P == b % P}),
    "fe_p256_x8_to_mont": (P, {"r": lambda a: a << 260}),
    "fe_p256_x8_from_mont": (P, {"r": lambda a: a * UP}),
    "fe_p256_x8_select": (P, {"r": lambda m, a, b: a if m else b}),
    "fe_p256_x8_from_words": (P, {"r": lambda w: w}),
    "fe_p256_x8_from_table": (P, {"r": lambda w: w << 4}),
    "fe_p256_x8_to_words": (P, {"w": lambda a: a}),
    "fe_p256_x8_zero": (P, {"r": lambda: 0}),
    "fe_p256_x8_one": (P, {"r": lambda: 1 << 260}),
    "fe_p256_x8_set1": (P, {"r": lambda: 1 << 520}),
    "sc_p256_x8_mul": (N, {"r": lambda a, b: a * b * UN}),
    "sc_p256_x8_mul_add": (N, {"r": lambda a, b, d: (a * b + d) * UN}),
    "sc_p256_x8_mul_short": (
        N,
        {"r": lambda a, m, b: (a - (m << 156)) * b * pow(2, -156, N)},
    ),
    "sc_p256_x8_from_short": (
        N,
        {
            "r": lambda w: w if w < 2**127 else w + 2**156 - 2**128,
            "negative": lambda w: w >= 2**127,
        },
    ),
    "sc_p256_x8_add_product": (N, {"r": lambda a, b, c: c + a * b}),
    "sc_p256_x8_sum_add": (N, {"r": lambda c, a, b: c + a * b}),
    "sc_p256_x8_sum_reduce": (N, {"r": lambda c: c * UN}),
    "sc_p256_x8_reduce_columns": (N, {"r": lambda c: c * UN}),
    "sc_p256_x8_from_words": (N, {"r": lambda w: w}),
    "sc_p256_x8_load": (N, {"r": lambda w: w}),
    "sc_p256_x8_to_words": (N, {"w": lambda a: a}),
    "sc_p256_x8_set1": (N, {"r": lambda: 1 << 520}),
    "sc_p256_x8_select": (N, {"r": lambda m, a, b: a if m else b}),
    "sc_p256_x8_sub_borrow": (
        N,
        {
            "r": lambda a, b: (a - b) % 2**260,
            "borrow": lambda a, b: a < b,
        },
    ),
    "sc_p256_x8_canonical": (N, {"r": lambda a: a}),
    "sc_p256_x8_make_odd": (
        N,
        {
            "r": lambda a: a if a & 1 else N - a,
            "even": lambda a: a & 1 == 0,
        },
    ),
    "recode_p256_x8_start": None,
    "recode_p256_x8_next": None,
}
# Where the result is the one number of its class that is below the modulus, or the
# integer itself.
EXACT = {
    "fe_p256_x8_canonical", "fe_p256_x8_from_mont", "fe_p256_x8_zero", "fe_p256_x8_one",
    "fe_p256_x8_set1", "sc_p256_x8_canonical", "sc_p256_x8_set1",
}
SAME = {
    "fe_p256_x8_add", "fe_p256_x8_add_loose", "fe_p256_x8_select",
    "fe_p256_x8_from_words", "fe_p256_x8_from_table", "fe_p256_x8_to_words",
    "sc_p256_x8_add_product", "sc_p256_x8_sum_add", "sc_p256_x8_from_short",
    "sc_p256_x8_from_words", "sc_p256_x8_load",
    "sc_p256_x8_to_words", "sc_p256_x8_select", "sc_p256_x8_sub_borrow",
    "sc_p256_x8_make_odd",
}


def recodes(name, operands, outputs):
    """The digits themselves are compared with a model by tests/lanes/recode_x8_test.c;
    here, that a digit is odd and has its sign."""
    if name.endswith("start"):
        return outputs["c0"] % 2 == 0 or len(outputs) == 4
    top = operands["c"] >> 63
    digit = (2 * outputs["index"] + 1) * sign(outputs["negative"])
    return digit % 2 == 1 and (digit > 0) == (top != operands["f"])


def agrees(name, operands, outputs):
    """operands and outputs: integers by name, in order."""
    if name.startswith("recode"):
        return recodes(name, operands, outputs)
    modulus, functions = MODELS[name]
    for item, function in functions.items():
        want, got = function(*operands.values()), outputs[item]
        if isinstance(want, bool):
            right = got == int(want)
        elif name in SAME:
            right = got == want
        elif name in EXACT:
            right = got == want % modulus
        else:
            right = got % modulus == want % modulus
        if not right:
            return False
    return set(functions) == set(outputs)
