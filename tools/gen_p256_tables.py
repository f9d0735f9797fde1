#!/usr/bin/env python3
"""Multiples of P-256's base point, and its b, as the C tables of src/group/tables_p256.c.

    gen_p256_tables.py          write the file anew
    gen_p256_tables.py --check  compute it and compare it with the committed one

An element is four 64-bit words a*2^256 mod p, least significant first; an entry is an
affine point, x then y.  Standard library only.
"""

import pathlib
import sys

# SP 800-186, section 3.2.1.3.
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)

# The shapes; src/group/tables_p256.h states them too.
COMB_WIDTH = 7
COMB_WINDOWS = -(-256 // COMB_WIDTH)
WIDE_WIDTH = 11
WIDEST_WIDTH = 12

OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "src/group/tables_p256.c"

HEAD = """\
/* Multiples of the base point of P-256; see group/tables_p256.h for their order.
 * Written by tools/gen_p256_tables.py; its --check compares. */
#include "group/tables_p256.h"
#include <stdalign.h>

/* clang-format off */
"""


def add(a, b):
    """The affine law; neither infinity nor opposite points occur here."""
    if a == b:
        slope = 3 * (a[0] * a[0] - 1) * pow(2 * a[1], -1, P) % P
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def double_times(a, times):
    for _ in range(times):
        a = add(a, a)
    return a


def odd_multiples(a, count):
    """a, 3a, 5a, ..., (2*count - 1)a."""
    twice = add(a, a)
    row = [a]
    while len(row) < count:
        row.append(add(row[-1], twice))
    return row


def words(value):
    mont = value * 2**256 % P
    return ",".join(f"{mont >> 64 * i & (2**64 - 1):#x}" for i in range(4))


def row_text(row):
    text = "{\n"
    for point in row:
        assert (point[1] ** 2 - point[0] ** 3 + 3 * point[0] - B) % P == 0
        text += "{" + words(point[0]) + "," + words(point[1]) + "},\n"
    return text + "}"


def table_text(name, row):
    return f"alignas(64) const uint64_t {name}[{len(row)}][8] = {row_text(row)};\n"


def rows_text(name, rows):
    count = len(rows[0])
    text = f"alignas(64) const uint64_t {name}[{len(rows)}][{count}][8] = {{\n"
    for row in rows:
        text += row_text(row) + ",\n"
    return text + "};\n"


def generate():
    comb, base = [], G
    for _ in range(COMB_WINDOWS):
        comb.append(odd_multiples(base, 2 ** (COMB_WIDTH - 1)))
        base = double_times(base, COMB_WIDTH)
    wide = odd_multiples(G, 2 ** (WIDEST_WIDTH - 1))
    high = odd_multiples(double_times(G, 128), 2 ** (WIDE_WIDTH - 2))
    return (
        HEAD
        + f"const uint64_t sm_p256_b[4] = {{{words(B)}}};\n"
        + rows_text("sm_p256_comb", comb)
        + table_text("sm_p256_wide", wide)
        + table_text("sm_p256_wide_high", high)
    )


def write_or_check(output, text, usage):
    if sys.argv[1:] == ["--check"]:
        if output.read_text(encoding="ascii") != text:
            sys.exit(f"{output}: differs from what {sys.argv[0]} computes")
    elif sys.argv[1:]:
        sys.exit(usage)
    else:
        output.write_text(text, encoding="ascii")


if __name__ == "__main__":
    write_or_check(OUTPUT, generate(), __doc__)
