#!/usr/bin/env python3
"""Multiples of P-256's base point for eight lanes: src/lanes/tables_p256_x8.c.

    gen_p256_tables_x8.py          write the file anew
    gen_p256_tables_x8.py --check  compute it and compare it with the committed one

The shape is told in src/lanes/tables_p256_x8.h.  Standard library only.
"""

import pathlib

from gen_p256_tables import (
    G, P, double_times, odd_multiples, row_text, write_or_check,
)

WIDTH = 4
WINDOWS = 8  # of a section
ENTRIES = 8
SECTIONS = [0, 1, 6, 7, 2, 3, 4, 5]  # by lane
PARTS = 8
PARTS_SPACING = 32
PARTS_ENTRIES = 128
ELSEWHERE = {0: "sm_p256_wide", 4: "sm_p256_wide_high"}  # by part

OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "src/lanes/tables_p256_x8.c"

HEAD = """\
/* Multiples of the base point of P-256 for eight lanes; see lanes/tables_p256_x8.h for
 * their order.  Written by tools/gen_p256_tables_x8.py; its --check compares. */
#include "lanes/tables_p256_x8.h"

#include "group/tables_p256.h"
#include <stdalign.h>

/* clang-format off */
"""


def words(point):
    mont = [value * 2**256 % P for value in point]
    return [m >> 64 * i & (2**64 - 1) for m in mont for i in range(4)]


def generate():
    rows, base = [], G
    for _ in range(len(SECTIONS) * WINDOWS):
        rows.append([words(point) for point in odd_multiples(base, ENTRIES)])
        base = double_times(base, WIDTH)
    text = HEAD + (
        f"alignas(64) const uint64_t sm_p256_spread[{WINDOWS}][{ENTRIES}][8][8] = {{\n"
    )
    for window in range(WINDOWS):
        text += "{\n"
        for entry in range(ENTRIES):
            text += "{\n"
            for word in range(8):
                lanes = [rows[WINDOWS * s + window][entry][word] for s in SECTIONS]
                text += "{" + ",".join(f"{lane:#x}" for lane in lanes) + "},\n"
            text += "},\n"
        text += "},\n"
    return text + "};\n" + parts()


def parts():
    """Two of them stand in group/tables_p256.c, with more entries."""
    places, rows, base = [], [], G
    for part in range(PARTS):
        if part in ELSEWHERE:
            places.append(ELSEWHERE[part])
        else:
            places.append(f"parts[{len(rows)}]")
            rows.append(row_text(odd_multiples(base, PARTS_ENTRIES)))
        base = double_times(base, PARTS_SPACING)
    head = (
        f"alignas(64) static const uint64_t parts[{len(rows)}][{PARTS_ENTRIES}][8] = {{\n"
    )
    return (
        head
        + ",\n".join(rows)
        + "};\n"
        + f"const uint64_t (*const sm_p256_parts[{PARTS}])[8] = {{\n    "
        + ", ".join(places)
        + "};\n"
    )


if __name__ == "__main__":
    write_or_check(OUTPUT, generate(), __doc__)
