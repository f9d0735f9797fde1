#!/usr/bin/env python3
"""The bounds of the eight-lane kernels, from their proofs (tests/proofs).

    gen_bounds.py           writes docs/bounds.md
    gen_bounds.py --check   exits with 1 if it differs
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "proofs"))

import bounds  # noqa: E402

PLACE = ROOT / "docs" / "bounds.md"

if __name__ == "__main__":
    text = bounds.text()
    if sys.argv[1:] == ["--check"]:
        if not PLACE.exists() or PLACE.read_text() != text:
            sys.exit("docs/bounds.md is not what the proofs find: run tools/gen_bounds.py")
    else:
        PLACE.write_text(text)
