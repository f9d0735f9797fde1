"""docs/bounds.md, from the proofs themselves."""

import math
import re

from kernel import P, Integer
from table import CONTRACTS, FORMULAS, kernel_traces, prove_contract, prove_formula

HEAD = """# Bounds of the eight-lane kernels

Written by `tools/gen_bounds.py` from a run of the proofs ([soundness.md](soundness.md)); every
test run proves them again, and `--check` compares. A size is the bound on an operand's or a
result's integer in units of 2^256 mod p (`a <= 3` is a < 3 * 2^256) and of n mod n, where four
limbs are below 2^52 and the top one is what remains. *Loose* limbs may be any 64-bit words, of
which the low 52 bits count. Statements are about integers, with R = 2^260. The widest word is
the largest magnitude of any intermediate value, in bits; a word has 64 (or 63 and a sign), and
the operands of a loose kernel are not counted.

Each kernel is proved for all operands of the sizes in its row. The sizes shown are those at
which the headers' ranges end; formulas prove the kernels once more at the sizes that they use.
"""


FORMULAS_HEAD = """## Formulas, roots and inverses

Coordinates and results stand for elements a here, whose integers are a R mod p (mod n, for the
integers themselves). A formula's name ends in the number of groups or table entries; inverses
are proved for 1 to 8 groups, of which 8 is shown.
"""


def number(x):
    """A bound, to two decimals upwards, with whole numbers as such."""
    up = -(-x * 100 // 1) / 100
    return "%d" % up if up == int(up) else "%.2f" % up


def size(said, unit):
    if not isinstance(said, Integer):
        return "0 or 1" if said.hi == 1 else "< 2^%d" % said.hi.bit_length()
    if said.bits == 64:
        return "words"
    if len(said.limbs) == 10:
        return "columns < 2^%d" % (said.limbs[0].hi.bit_length())
    if len(said.limbs) == 3:
        return "< 2^%d" % said.value.hi.bit_length()
    kind = ", loose" if said.loose else ""
    hi = (said.value.hi + 1) / unit
    if said.value.hi >> 10 == 0:
        return "%d" % said.value.hi
    return number(hi - 1e-9) + kind


def kernel_row(contract):
    proof = prove_contract(contract)
    unit = 2**256 if contract.name.startswith("fe_") else 2**256 - 2**224
    inputs = "; ".join("%s: %s" % (k, size(v, unit)) for k, v in contract.inputs.items())
    found = []
    for name, said in contract.outputs.items():
        if isinstance(said, Integer):
            said = proof.output(name, contract.inputs)
        elif len(contract.outputs) > 2:
            said = proof.values[name]
        found.append("%s: %s" % (name, size(said, unit)))
    statements = "; ".join("`%s`" % claim.text for claim in contract.claims)
    widest = "%.1f" % math.log2(proof.widest + 1)
    return [
        "`%s`" % contract.trace, inputs or "-", "; ".join(found), widest, statements,
    ]


def formula_row(formula):
    result, _ = prove_formula(formula)
    unit = 2**256 if formula.modulus == P else 2**256 - 2**224
    inputs = "; ".join(
        "%s: %s" % (k, size(v[0] if isinstance(v, tuple) else v, unit))
        for k, v in list(formula.inputs.items())[:6]
    )
    if len(formula.inputs) > 6:
        inputs += "; ..."
    found = {}
    for name, interval in result.items():
        base = name.rstrip("0123456789") if len(result) > 6 else name
        found[base] = max(found.get(base, 0), interval.hi)
    results = "; ".join(
        "%s: %s" % (k, number(hi / unit - 1e-9)) for k, hi in found.items()
    )
    claims = formula.claims[:4] + (["..."] if len(formula.claims) > 4 else [])
    where = ", ".join("%s = %s" % pair for pair in formula.where.items())
    text = "; ".join("`%s`" % claim if claim != "..." else claim for claim in claims)
    if where and len(where) < 200:
        text += " where `%s`" % where
    return ["`%s`" % formula.name, inputs, results, text]


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| %s |" % " | ".join(line) for line in lines) + "\n"


def text():
    kernel_traces()
    out = [HEAD]
    heads = (
        ("fe_", "## Kernels mod p\n"),
        ("sc_", "## Kernels mod n\n"),
        ("recode_", "## Digits, by width\n"),
    )
    columns = ["kernel", "operands", "results, as proved", "widest word", "statement"]
    for prefix, head in heads:
        rows = [kernel_row(c) for c in CONTRACTS if c.name.startswith(prefix)]
        out.append(head + "\n" + table(columns, rows))
    columns = ["formula", "operands", "results, as proved", "statement"]
    rows = [formula_row(f) for f in FORMULAS if not re.search(r"inv\w*/[1-7]$", f.name)]
    out.append(FORMULAS_HEAD + "\n" + table(columns, rows))
    return "\n".join(out)
