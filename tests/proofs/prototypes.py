"""C that is written from the kernels' prototypes: the program that traces each kernel, and
bodies that say a call instead of computing.

A kernel's elements (fe_x8, sc_x8), words (vec w[4]) and masks are its operands, its ints
are constants; a pointer or array that is not const comes out, and so does what the
function returns.  A contract lists inputs and outputs in the same order.  What is done
beside a kernel (fe_x8_beside, and what it works on) is none of it: nothing, where a kernel
is traced, and after the call, where it is called."""

import re

FUNCTION = re.compile(
    r"^(LANES_\w+ (\w+) (\w+))\(([^)]*)\) (\{\n.*?^\})", re.M | re.S
)


class Parameter:
    def __init__(self, text):
        words = text.split()
        array = re.fullmatch(r"(\w+)\[(\w+)\]", words[-1])
        self.name = array[1] if array else words[-1].strip("*")
        self.kind = words[-2]
        self.count = array[2] if array else "5"
        self.place = self.name if array else self.name + "->l"
        self.beside = self.kind in ("fe_x8_beside", "void")
        self.out = "const" not in words and self.kind not in ("int", "vmask")
        self.out = self.out and not self.beside


class Prototype:
    def __init__(self, match):
        self.head, self.result, self.name, self.signature, self.body = match.groups()
        text = re.sub(r"\s+", " ", self.signature)
        self.parameters = [Parameter(p) for p in text.split(",")]
        self.numbers = [p.name for p in self.parameters if p.kind == "int"]

    def call_body(self):
        """Says the call: its constants behind the name, the lines of its limbs and masks;
        then one line for each limb and mask that comes out."""
        formats = "/" + ",".join(["%d"] * len(self.numbers)) if self.numbers else ""
        arguments = "".join(", " + n for n in self.numbers)
        lines = ['printf("call %s%s"%s);' % (self.name, formats, arguments)]
        results = []
        for p in self.parameters:
            loop = "for (int i = 0; i < %s; i++) " % p.count
            if p.out:
                results.append(loop + "{ trace_result(&%s[i].id); }" % p.place)
            elif p.kind == "vmask":
                lines.append("trace_id(%s.id);" % p.name)
            elif p.kind == "fe_x8_beside":
                results.append("for (int i = 0; i < FE_X8_SLOTS; i++) { beside(work, i); }")
            elif p.kind not in ("int", "void"):
                lines.append(loop + "{ trace_id(%s[i].id); }" % p.place)
        lines += ['printf("\\n");', *results]
        if self.result == "vmask":
            lines += ["vmask mask;", "trace_result(&mask.id);", "return mask;"]
        return "{\n  %s\n}" % "\n  ".join(lines)

    def traced(self, contract, numbers):
        """A block that traces this kernel with these constants."""
        inputs, outputs = list(contract.inputs), list(contract.outputs)
        numbers = list(numbers)
        lines, arguments, after = [], [], []
        for i, p in enumerate(self.parameters):
            name = "p%d" % i
            if p.kind == "int":
                arguments.append(numbers.pop(0))
                continue
            if p.beside:
                arguments.append("trace_nothing" if p.kind != "void" else "NULL")
                continue
            item = (outputs if p.out else inputs).pop(0)
            array = p.kind == "vec"
            place = name if array else name + ".l"
            if p.kind == "vmask":
                lines.append('const vmask %s = trace_in_mask("%s");' % (name, item))
            else:
                lines.append("%s %s%s;" % (p.kind, name, "[%s]" % p.count if array else ""))
                loop = "for (int i = 0; i < %s; i++) " % p.count
                if p.out:
                    after.append(loop + '{ trace_out("%s", i, %s[i]); }' % (item, place))
                else:
                    lines.append(loop + '{ %s[i] = trace_in("%s", i); }' % (place, item))
            arguments.append(name if array or p.kind == "vmask" else "&" + name)
        call = "%s(%s);" % (self.name, ", ".join(arguments))
        if self.result == "vmask":
            call = 'trace_out_mask("%s", %s);' % (outputs.pop(), call[:-1])
        if inputs or outputs:
            raise ValueError("%s: operands that no parameter is" % self.name)
        return "\n    ".join(["{", *lines, call, *after]) + "\n  }"


def prototypes(text):
    return {match[3]: Prototype(match) for match in FUNCTION.finditer(text)}


def with_calls(text, named):
    """A header's text with calls instead of the bodies of the functions that are named."""

    def replaced(match):
        one = Prototype(match)
        if one.name not in named:
            return match[0]
        return "%s(%s) %s" % (one.head, one.signature, one.call_body())

    text = text.replace('#include "lanes/vec.h"', '#include "trace.h"')
    return FUNCTION.sub(replaced, text)


def kernel_program(headers, texts, contracts):
    """A program that traces the kernels of these headers: {trace: a contract of it}."""
    known = {}
    for text in texts:
        known.update(prototypes(text))
    lines = ["#define VEC_TRACE"]
    lines += ['#include "lanes/%s"' % header for header in headers]
    lines += ['#include "trace.h"', "int main(void) {"]
    for trace, contract in contracts.items():
        if contract.name not in known:
            raise ValueError("no such kernel: " + contract.name)
        numbers = trace.partition("/")[2].split(",")
        block = known[contract.name].traced(contract, numbers)
        lines.append('  trace_kernel("%s");\n  %s' % (trace, block))
    return "\n".join(lines + ["  return 0;", "}", ""])
