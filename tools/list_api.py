#!/usr/bin/env python3
"""Prints the functions that a header declares with SIGMILL_API, sorted, one a line."""
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
names = re.findall(r"\bSIGMILL_API\b[^;{]*?\b(sigmill_[a-z0-9_]+)\s*\(", text)
print("\n".join(sorted(set(names))))
