"""Object code, of one compiler: kernels as gcc 12 compiles them for AVX-512, read back from
the disassembly into traces, and proved against the same contracts.

Kernels that take masks, or whose proofs need cases, are not lifted.  Where the compiler is
another one, this is a skip that is said."""

import os
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile

import frame
from build import COMPILER, SOURCE
from checker import Refused
from kernel import Unproved, prove
from prototypes import prototypes
from table import CONTRACTS, HEADERS

OPTIONS = ["-O3", "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx512ifma"]
ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
BINARY = {"vpaddq": "add", "vpandd": "and", "vpandq": "and", "vpord": "or", "vporq": "or"}
SHIFTS = {"vpsrlq": "shr", "vpsllq": "shl", "vpsraq": "sar"}
MULTIPLY = {"vpmadd52luq": "madlo", "vpmadd52huq": "madhi"}
MOVES = ("vmovdqa64", "vmovdqa32", "vmovdqu64", "vmovdqa", "vmovdqu")


class Unknown(Exception):
    """Something that no rule here reads."""


def compiler():
    """gcc 12, or a skip."""
    if platform.machine() not in ("x86_64", "AMD64"):
        raise frame.Skip("object code is read of x86-64 only")
    for name in (COMPILER, "gcc-12"):
        if shutil.which(name):
            version = subprocess.run([name, "--version"], capture_output=True, text=True)
            if re.search(r"\bgcc\b.* 12\.", version.stdout.splitlines()[0]):
                return name
    raise frame.Skip("object code is read of gcc 12 only, which is not here")


def operands(kernel):
    """The parameters that are elements or words; None, if there are others."""
    if any(p.kind not in ("fe_x8", "sc_x8", "vec", "int") for p in kernel.parameters):
        return None
    return [p for p in kernel.parameters if p.kind != "int"]


def program(kernels):
    lines = ["#define VEC_AVX512"]
    lines += ['#include "lanes/%s"' % header for header in HEADERS]
    for i, (contract, kernel) in enumerate(kernels):
        numbers = contract.trace.partition("/")[2].split(",")
        taken, passed = [], []
        for p in kernel.parameters:
            if p.kind == "int":
                passed.append(numbers.pop(0))
                continue
            const = "" if p.out else "const "
            array = "[%s]" % p.count if p.kind == "vec" else ""
            taken.append("%s%s %s%s" % (const, p.kind, "" if array else "*", p.name + array))
            passed.append(p.name)
        head = "void lifted_%d(%s)" % (i, ", ".join(taken))
        lines += [head + ";", "%s { %s(%s); }" % (head, kernel.name, ", ".join(passed))]
    return "\n".join(lines) + "\n"


class Lifter:
    """One function's instructions, as lines of a trace."""

    def __init__(self, contract, parameters, constants):
        self.lines, self.vectors, self.constants = [], {}, constants
        self.memory, self.scalars = {}, {"rsp": ("stack", 0)}
        self.names = {}
        inputs, outputs = list(contract.inputs), list(contract.outputs)
        for register, p in zip(ARGUMENTS, parameters):
            item = (outputs if p.out else inputs).pop(0)
            self.scalars[register] = (p.name, 0)
            self.names[p.name] = (item, p.out)

    def line(self, *words):
        self.lines.append("%d %s" % (len(self.lines), " ".join(str(w) for w in words)))
        return len(self.lines) - 1

    def set1(self, x):
        return self.line("set1", x % 2**64)

    def place(self, text, relocation):
        """(object, offset) of a memory operand."""
        match = re.fullmatch(r"(-?(?:0x[0-9a-f]+)?)\(%(\w+)\)(?:\{1to8\})?", text)
        if not match:
            raise Unknown(text)
        if match[2] == "rip":
            section, addend = re.fullmatch(r"([\w.]+)([+-]0x[0-9a-f]+)?", relocation).groups()
            return section, int(addend or "0", 16) + 4
        if match[2] not in self.scalars:
            raise Unknown(text)
        base, offset = self.scalars[match[2]]
        return base, offset + int(match[1] or "0", 16)

    def load(self, text, relocation):
        base, offset = self.place(text, relocation)
        if base in self.constants:
            count = 1 if "{1to8}" in text else 8
            data = self.constants[base][offset : offset + 8 * count]
            words = {data[i : i + 8] for i in range(0, 8 * count, 8)}
            if len(words) != 1 or len(data) != 8 * count:
                raise Unknown("a constant whose lanes differ")
            return self.set1(int.from_bytes(words.pop(), "little"))
        if "{1to8}" in text:
            raise Unknown(text)
        if (base, offset) not in self.memory:
            if base not in self.names or self.names[base][1] or offset % 64:
                raise Unknown("a word that nothing stored")
            name = "%s.%d" % (self.names[base][0], offset // 64)
            self.memory[base, offset] = self.line("in", name)
        return self.memory[base, offset]

    def value(self, text, relocation):
        if text.startswith("%zmm"):
            if text[4:] not in self.vectors:
                raise Unknown("a register that nothing set")
            return self.vectors[text[4:]]
        return self.load(text, relocation)

    def step(self, op, args, relocation):
        target = args[-1] if args else ""
        if op in ("vzeroupper", "ret", "leave", "nopw", "nopl", "nop", "data16", "xchg", "cs"):
            return
        if op in ("movabs", "mov") and args[0].startswith("$") and target[0] == "%":
            name = target[1:] if target[1] == "r" else "r" + target[2:]
            self.scalars[name] = ("number", int(args[0][1:], 16))
        elif op in ("sub", "add") and args[0].startswith("$") and target[1:] in self.scalars:
            x = int(args[0][1:], 16)
            x = x - 2**64 if x >> 63 else x
            base, offset = self.scalars[target[1:]]
            self.scalars[target[1:]] = (base, offset + (x if op == "add" else -x))
        elif op == "and" and target == "%rsp":  # aligns it: another place
            self.scalars["rsp"] = ("aligned stack", 0)
        elif op == "lea":
            self.scalars[target[1:]] = self.place(args[0], relocation)
        elif op == "mov" and args[0][1:] in self.scalars and target.startswith("%r"):
            self.scalars[target[1:]] = self.scalars[args[0][1:]]
        elif op == "push":
            base, offset = self.scalars["rsp"]
            self.scalars["rsp"] = (base, offset - 8)
        elif op in ("vpxor", "vpxord", "vpxorq") and len(set(args)) == 1:
            self.vectors[target[4:]] = self.set1(0)
        elif not all(a.startswith(("%zmm", "$", "%r")) or "(" in a for a in args):
            raise Unknown(" ".join([op, *args]))
        elif "{%k" in " ".join(args):
            raise Unknown(" ".join([op, *args]))
        elif op in MOVES:
            x = self.value(args[0], relocation)
            if target.startswith("%zmm"):
                self.vectors[target[4:]] = x
            else:
                self.memory[self.place(target, relocation)] = x
        elif op == "vpbroadcastq":
            if args[0].startswith("%r"):
                kind, x = self.scalars.get(args[0][1:], ("", 0))
                if kind != "number":
                    raise Unknown("a broadcast of no constant")
                self.vectors[target[4:]] = self.set1(x)
            else:
                self.vectors[target[4:]] = self.load(args[0] + "{1to8}", relocation)
        elif op in SHIFTS and args[0].startswith("$"):
            x = self.value(args[1], relocation)
            self.vectors[target[4:]] = self.line(SHIFTS[op], x, int(args[0][1:], 16))
        elif op in BINARY:
            x, y = self.value(args[1], relocation), self.value(args[0], relocation)
            self.vectors[target[4:]] = self.line(BINARY[op], x, y)
        elif op in ("vpternlogd", "vpternlogq") and args[0] == "$0xe0":
            z, y = (self.value(a, relocation) for a in args[1:3])
            x = self.vectors[target[4:]]  # x and (y or z)
            self.vectors[target[4:]] = self.line("and", x, self.line("or", y, z))
        elif op == "vpsubq":
            x, y = self.value(args[1], relocation), self.value(args[0], relocation)
            self.vectors[target[4:]] = self.line("sub", x, y)
        elif op in MULTIPLY:
            x, y = self.value(args[1], relocation), self.value(args[0], relocation)
            c = self.value(target, relocation)
            self.vectors[target[4:]] = self.line(MULTIPLY[op], c, x, y)
        else:
            raise Unknown(" ".join([op, *args]))

    def finished(self, contract):
        """The trace: all inputs, also those that are not read, and the outputs."""
        for base, (item, out) in self.names.items():
            if not out:
                for i in range(len(contract.inputs[item].limbs)):
                    if (base, 64 * i) not in self.memory:
                        self.line("in", "%s.%d" % (item, i))
        lines = list(self.lines)
        for base, (item, out) in self.names.items():
            if out:
                for i in range(len(contract.outputs[item].limbs)):
                    if (base, 64 * i) not in self.memory:
                        raise Unknown("a limb that is not stored")
                    lines.append("out %s.%d %d" % (item, i, self.memory[base, 64 * i]))
        return lines


def functions(listing):
    """{name: [(mnemonic, operands, relocation)]} of objdump's text."""
    found, current = {}, None
    for line in listing.splitlines():
        head = re.match(r"[0-9a-f]+ <(\w+)>:", line)
        relocation = re.match(r"\s+[0-9a-f]+: R_X86_64_PC32\s+(\S+)", line)
        code = re.match(r"\s+[0-9a-f]+:\s+(\w+)\s*([^#]*)", line)
        if head:
            current = found.setdefault(head[1], [])
        elif relocation:
            current[-1][2] = relocation[1]
        elif code:
            args = re.split(r",(?![^(]*\))", code[2].strip().replace(" ", ""))
            current.append([code[1], [a for a in args if a], ""])
    return found


def lifted(cc, kernels, folder):
    """The traces of kernels' object code; what is not readable is a text."""
    source, binary = folder / "kernels.c", folder / "kernels.o"
    source.write_text(program(kernels))
    includes = ["-I%s" % SOURCE, "-I%s" % (SOURCE.parent / "include")]
    subprocess.run(
        [cc, "-std=c11", *OPTIONS, *includes, "-c", str(source), "-o", str(binary)],
        check=True,
    )
    listing = subprocess.run(
        ["objdump", "-dr", "--no-show-raw-insn", str(binary)],
        check=True, capture_output=True, text=True,
    ).stdout
    constants = {}
    for section in set(re.findall(r"R_X86_64_PC32\s+(\.[\w.]+?)(?:[+-]0x|\n)", listing)):
        data = folder / "section"
        subprocess.run(
            ["objcopy", "-O", "binary", "-j", section, str(binary), str(data)], check=True
        )
        constants[section] = data.read_bytes()
    code, out = functions(listing), []
    for i, (contract, kernel) in enumerate(kernels):
        lifter = Lifter(contract, operands(kernel), constants)
        try:
            steps = list(code["lifted_%d" % i])
            while steps:
                op, args, relocation = steps.pop(0)
                called = re.search(r"<(\w+)>", args[0]) if op == "jmp" else None
                if called:  # the last thing that a function does
                    steps = list(code[called[1]])
                else:
                    lifter.step(op, args, relocation)
            out.append(lifter.finished(contract))
        except Unknown as unknown:
            out.append(str(unknown))
    return out


def test_object_code():
    cc = compiler()
    if not shutil.which("objdump"):
        raise frame.Skip("objdump is not here")
    known, chosen, seen = {}, [], set()
    for header in HEADERS:
        known.update(prototypes((SOURCE / "lanes" / header).read_text()))
    for contract in CONTRACTS:
        kernel = known.get(contract.name)
        if kernel is None or contract.trace in seen or not contract.inputs:
            continue
        if operands(kernel) is None or kernel.result != "void":
            continue
        if "v_split" in kernel.body or "canonical" in kernel.body or contract.signs:
            continue
        if contract.name.endswith(("_add_product", "_reduce_columns")):
            continue
        seen.add(contract.trace)
        chosen.append((contract, kernel))
    with tempfile.TemporaryDirectory() as folder:
        found = lifted(cc, chosen, pathlib.Path(folder))
    unread = []
    for (contract, _), lines in zip(chosen, found):
        if isinstance(lines, str):
            unread.append("%s (%s)" % (contract.trace, lines))
            continue
        prove(contract, lines)
        changed = [line.replace("madlo", "madhi").replace(" shr", " shl") for line in lines]
        if changed != lines:
            try:
                prove(contract, changed)
            except (Refused, Unproved):
                continue
            raise AssertionError("accepted though broken: " + contract.trace)
    proved = len(chosen) - len(unread)
    assert not unread, "not read: " + "; ".join(unread)
    return "%d kernels of %s" % (proved, os.path.basename(cc))


if __name__ == "__main__":
    frame.main(globals())
