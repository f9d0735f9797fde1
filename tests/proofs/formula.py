"""Formulas over proved kernels: their traces, with the kernels as calls.

A formula is traced with each kernel's body replaced by lines that say which kernel is
called on which limbs, and give its results new names.  Every call is proved at the sizes
that its operands have there: that gives the sizes of its results, and the claims of its
contract give the field expression of each.  All other operations on limbs follow the rules
of the checker, and whole elements are found again in what they leave."""

import pathlib
import re
import tempfile

from build import SOURCE, trace
from checker import SAME, Lanes, Refused, Run, Split, Value
from exact import Interval, Poly
from field import Expression, Ratio, variable
from kernel import BIT, CONSTANTS, R, Integer, Unproved, prove
from prototypes import with_calls

# Bodies that only set or choose limbs stay as they are.
KEPT = ("_set1", "_zero", "_one", "_load", "_select")


def trace_calls(program, headers, named):
    """What a program prints over these headers of src/lanes, with calls."""
    replaced = {name for name in named if not name.endswith(KEPT)}
    with tempfile.TemporaryDirectory() as folder:
        lanes = pathlib.Path(folder) / "lanes"
        lanes.mkdir()
        for header in headers:
            text = (SOURCE / "lanes" / header).read_text()
            (lanes / header).write_text(with_calls(text, replaced))
        return trace(program, before=[folder])


class Prover:
    """Proofs of kernels by their sizes, each made once.  families: {name: the function of
    sizes and constants that gives the contract}.  shapes: {name: a contract of it}.
    size_of(Integer): its size, or () for what has none.
    unit: the integer that stands for 1."""

    def __init__(self, families, shapes, traced, size_of, unit):
        self.families, self.shapes = families, shapes
        self.traced, self.size_of, self.unit = traced, size_of, unit
        self.known = {}

    def at(self, name, numbers, operands):
        """The Proof of a kernel for operands (Integers and Intervals)."""
        sizes = tuple(
            self.size_of(x) if isinstance(x, Integer) else None for x in operands
        )
        key = (name, sizes, numbers)
        if key not in self.known:
            arguments = [BIT if size is None else size for size in sizes if size != ()]
            contract = self.families[name](*arguments, *numbers)
            self.known[key] = prove(contract, self.traced[contract.trace])
        proof = self.known[key]
        for x, (item, said) in zip(operands, proof.contract.inputs.items()):
            inside = (
                said.holds(x)
                if isinstance(x, Integer)
                else x.inside(said.lo, said.hi)
            )
            if not inside:
                raise Unproved("%s: %s is outside of its contract" % (name, item))
        return proof


class Element:
    """A whole integer: the polynomial of its limbs, its range, and its expression in each
    lane (one, if lanes are alike)."""

    __slots__ = ("poly", "interval", "lanes")

    def __init__(self, poly, interval, lanes):
        self.poly, self.interval, self.lanes = poly, interval, lanes


class FormulaRun(Run):
    """The checker's pass over a trace with calls.  inputs: {name: (Integer, one expression
    or one for each lane)}, or {name: Interval} for masks.  stages: a list of {variable:
    expression}; when a result with each expression of a stage is there, these results are the
    new variables from then on, and the next stage begins."""

    def __init__(self, lines, inputs, prover, modulus, cases, stages=()):
        self.formula_inputs, self.prover, self.modulus = inputs, prover, modulus
        self.elements, self.results, self.facts, self.pending = {}, [], [], {}
        self.stages, self.found = list(stages), {}
        super().__init__(lines, self.range, cases, signs=True)

    def range(self, name):
        item, _, limb = name.partition(".")
        said = self.formula_inputs[item]
        return said[0].limbs[int(limb)] if limb else said, None

    def step(self, line):
        word = line.split()
        if word[0] == "call":
            self.call(word[1], word[2:])
        elif word[1] == "result":
            self.results[0][1](int(word[0]), self.results.pop(0)[0])
        elif word[1] == "in" and "." not in word[2]:
            number = int(word[0])
            self.values[number] = self.decided(number, (word[2], None))
            self.inputs[word[2]] = self.values[number].poly
        else:
            super().step(line)
            if word[1] == "in":
                self.collect(word[2])

    def collect(self, name):
        """Registers an input once its last limb is there."""
        item, _, limb = name.partition(".")
        said, lanes = self.formula_inputs[item]
        if int(limb) == len(said.limbs) - 1:
            limbs = [self.inputs["%s.%d" % (item, i)] for i in range(len(said.limbs))]
            self.register(limbs, said, lanes)

    def register(self, limbs, said, lanes):
        poly = sum((x * 2 ** (said.bits * i) for i, x in enumerate(limbs)), Poly.of(0))
        (top,) = limbs[-1].terms
        self.elements[top] = Element(poly, said.value, lanes)
        if self.stages and len(lanes) == 1:
            self.find(self.elements[top])

    def find(self, element):
        """Is it one that the stage waits for?  The last one ends the stage."""
        stage = self.stages[0]
        for name, expression in stage.items():
            if name not in self.found and element.lanes[0] == expression:
                self.found[name] = element
                break
        if len(self.found) == len(stage):
            for name, one in self.found.items():
                one.lanes = [variable(name, self.modulus) * self.prover.unit]
            self.stages.pop(0)
            self.found = {}

    def decided(self, number, about):
        """A mask: one case for each of its values."""
        if ("mask", number) not in self.cases:
            raise Split(("mask", number), [Interval(0, 0), Interval(1, 1)])
        interval = self.cases["mask", number]
        self.facts.append((*about, interval.lo))
        return Value(interval, Poly.of(interval.lo))

    def element(self, values, bits):
        """(Integer, expressions) of limbs; None for limbs that spell no sum of whole
        elements."""
        if any(isinstance(x, Lanes) for x in values):
            return self.by_lanes(values, bits)
        limbs = [x.range for x in values]
        columns = len(values) == 10  # which may be as wide as they like
        wide = [not columns and not x.inside(0, 2**bits - 1) for x in limbs[:-1]]
        if any(wide):
            values = [self.low(x, bits) for x in values[:-1]] + values[-1:]
            limbs = [x.range for x in values]
        whole = sum(
            (x.poly * 2 ** (bits * i) for i, x in enumerate(values)), Poly.of(0)
        )
        interval, lanes, rest = Interval(0, 0), [Expression({}, self.modulus)], whole
        unit = 2 ** (bits * (len(values) - 1))
        while rest.terms and rest.terms.keys() != {()}:
            monomial = max(rest.terms, key=lambda m: (m != (), abs(rest.terms[m])))
            element = self.elements.get(monomial)
            if element is None:
                raise Unproved("limbs that are no sum of whole elements")
            factor, left = divmod(rest.terms[monomial], element.poly.terms[monomial])
            if left:
                raise Unproved("a part of an element")
            rest = rest - element.poly * factor
            interval = interval + element.interval * factor
            lanes = joined(lanes, element.lanes, factor)
        constant = rest.terms.get((), 0)
        lanes = [x + constant for x in lanes]
        said = Integer(limbs, interval + constant, bits, any(wide))
        return said, lanes

    def by_lanes(self, values, bits):
        lanes, said, seen = [], None, {}
        for lane in range(8):
            picked = []
            for x in values:
                if not isinstance(x, Lanes):
                    raise Unproved("limbs of which some are moved")
                picked.append(x.sources[lane])
            lines = tuple(line for line, _ in picked)
            places = {place for _, place in picked}
            if len(places) != 1 or "=" in lines:
                raise Unproved("limbs from different lanes")
            if lines not in seen:
                seen[lines] = self.element([self.line(n) for n in lines], bits)
            one, expressions = seen[lines]
            (place,) = places
            lanes.append(expressions[0 if len(expressions) == 1 else place])
            if said is None:
                said = one
            elif not said.holds(one):
                raise Unproved("lanes of different sizes")
        return said, lanes

    def call(self, name, args):
        name, _, numbers = name.partition("/")
        if name == "inverse":
            return self.inverse(args, CONSTANTS[numbers])
        numbers = tuple(int(x) for x in numbers.split(",") if x)
        words = [self.line(arg) for arg in args]
        shape = self.prover.shapes.get(name)
        if shape is None:
            raise Unproved("a call of %s, which has no contract" % name)
        operands, expressions = {}, {}
        for item, said in shape.inputs.items():
            if isinstance(said, Integer):
                limbs, words = words[: len(said.limbs)], words[len(said.limbs) :]
                operand, expressions[item] = self.element(limbs, said.bits)
            else:
                operand, expressions[item] = self.mask_operand(words.pop(0))
            operands[item] = operand
        if words:
            raise Unproved("too many operands of " + name)
        proof = self.prover.at(name, numbers, operands.values())
        for item, said in proof.contract.outputs.items():
            if not isinstance(said, Integer):
                about = self.meaning(proof.contract, item, expressions)
                self.results.append((None, lambda n, _, about=about: self.mask_result(n, about)))
                continue
            found = proof.output(item, operands)
            lanes = self.expression(proof.contract, item, expressions)
            for i in range(len(said.limbs)):
                self.results.append(((found, lanes, i), self.limb))
        return None

    def meaning(self, contract, item, expressions):
        """What is zero where a kernel's mask is 1."""
        for claim in contract.claims:
            if getattr(claim, "mask", None) == item:
                return eval(claim.of, {}, {k: v[0] for k, v in expressions.items()})
        raise Unproved("%s: no claim tells when %s is 1" % (contract.name, item))

    def mask_operand(self, value):
        if value.constant is None:
            raise Unproved("a mask that no case decides")
        return value.range, [Expression({}, self.modulus).of(value.constant)]

    def mask_result(self, number, about):
        self.values[number] = self.decided(number, ("zero", about))

    def limb(self, number, what):
        """Result limb i of an Integer: a new symbol."""
        said, lanes, i = what
        name = "r%d" % number
        symbol = self.symbols.input(name, said.limbs[i])
        value = Value(said.limbs[i], symbol)
        if said.loose and i < len(said.limbs) - 1:
            above = Interval(0, 2**12 - 1)
            above = Value(above, self.symbols.input(name + "^", above))
            value = self.add(value, self.scaled(above, 52))
        self.values[number] = value
        self.pending[i] = symbol
        if i == len(said.limbs) - 1:
            self.register([self.pending[j] for j in range(i + 1)], said, lanes)

    def expression(self, contract, item, expressions):
        """The result's expression in each lane, by a claim of the contract."""
        count = max([len(x) for x in expressions.values()], default=1)
        out = []
        for lane in range(count):
            names = {k: v[lane if len(v) > 1 else 0] for k, v in expressions.items()}
            for claim in contract.claims:
                if claim.left in (item, item + " * R"):
                    value = eval(claim.right, {}, {**CONSTANTS, **names})
                    value = Expression({}, self.modulus).of(value)
                    if claim.left != item:
                        value = value * pow(R, -1, self.modulus)
                    if len(value.terms) > 2000:
                        raise Unproved("an expression grows; no stage fits")
                    out.append(value)
                    break
            else:
                raise Unproved("%s: no claim gives %s" % (contract.name, item))
        return out

    def inverse(self, sources, modulus):
        """1/a mod m, canonical (field/safegcd.h), of four words of one lane."""
        if modulus != self.modulus:
            raise Unproved("an inverse modulo something else")
        lines, places = zip(*(source.split(":") for source in sources))
        if len(set(places)) != 1:
            raise Unproved("words of different lanes")
        said, lanes = self.element([self.line(n) for n in lines], 64)
        if not said.value.inside(0, self.modulus - 1):
            raise Unproved("an inverse of what may not be canonical")
        place = int(places[0])
        one = lanes[0 if len(lanes) == 1 or place == SAME else place]
        found = Integer([Interval(0, 2**64 - 1)] * 4, Interval(0, self.modulus - 1), 64)
        for i in range(4):
            self.results.append(((found, [one.inverse()], i), self.limb))


def joined(lanes, others, factor):
    count = max(len(lanes), len(others))
    pick = lambda xs, i: xs[i if len(xs) > 1 else 0]
    return [pick(lanes, i) + pick(others, i) * factor for i in range(count)]


class Formula:
    """inputs: {name: (Integer, text)}: the integer's expression over free variables, with
    every name in it one; per lane, if the text has a `lane`.  Masks: {name: Interval}.
    outputs: {name: Integer}.  claims: equations of fractions, in which an output stands
    for its integer divided by the unit.  where: abbreviations, in order.  covers: functions
    that stand in its trace with their bodies.  stages: FormulaRun's, as texts; the
    variables may stand in claims."""

    def __init__(
        self, name, inputs, outputs, claims, modulus, where=(), covers=(), stages=()
    ):
        self.name, self.inputs, self.outputs = name, inputs, outputs
        self.claims, self.modulus, self.where = claims, modulus, dict(where)
        self.covers, self.stages = covers, stages

    def prove(self, lines, prover):
        """The calls' proofs and the outputs' ranges."""
        m = self.modulus
        inputs, names = {}, {"R": Expression({}, m).of(R)}
        texts = [x[1] for x in self.inputs.values() if isinstance(x, tuple)]
        found = {v for text in texts for v in re.findall(r"[A-Za-z]\w*", text)}
        free = sorted(found - {"R"})
        for item, said in self.inputs.items():
            if isinstance(said, Interval):
                inputs[item] = said
                continue
            lanes = []
            for lane in range(8 if "lane" in said[1] else 1):
                symbols = {
                    v: variable(v.replace("lane", str(lane)), m) for v in free
                }
                lanes.append(eval(said[1], {}, {**names, **symbols}))
            inputs[item] = (said[0], lanes)
        stages, known = [], {v: variable(v, m) for v in free}
        for stage in self.stages:
            stages.append({})
            for v, text in stage.items():
                stages[-1][v] = eval(text, {}, known) * prover.unit
            known.update({v: variable(v, m) for v in stage})
        free += [v for stage in stages for v in stage]
        runs, pending = [], [{}]
        while pending:
            cases = pending.pop()
            try:
                runs.append(FormulaRun(lines, inputs, prover, m, cases, stages))
            except Split as split:
                pending += [{**cases, split.line: x} for x in split.cases]
            if len(runs) + len(pending) > 300:
                raise Refused("too many cases")
        result = {}
        for run in runs:
            self.check(run, free, names, result, prover.unit)
        return result, runs

    def check(self, run, free, names, result, unit):
        m = self.modulus
        if run.stages:
            raise Unproved("not found: %s" % (set(run.stages[0]) - set(run.found)))
        values = {}
        for item, said in self.outputs.items():
            limbs = []
            while "%s.%d" % (item, len(limbs)) in run.outputs:
                limbs.append(run.outputs["%s.%d" % (item, len(limbs))])
            found, values[item] = run.element(limbs, said.bits)
            if not said.holds(found):
                raise Unproved("%s may leave its range: %r" % (item, found.value))
            result[item] = (
                result[item].hull(found.value) if item in result else found.value
            )
        scale = pow(unit, -1, m)
        for lane in range(max([len(x) for x in values.values()], default=1)):
            known = {k: Ratio(v, v.of(1)) for k, v in names.items()}
            known["p"] = m
            for v in free:
                known[v] = Ratio(variable(v.replace("lane", str(lane)), m), names["R"].of(1))
            for item, lanes in values.items():
                one = lanes[lane if len(lanes) > 1 else 0]
                known[item] = Ratio(one * scale, one.of(1))
            for item, _, mask in run.facts:
                if isinstance(item, str) and item in self.inputs:
                    known[item] = Ratio(names["R"].of(mask), names["R"].of(1))
            for item, text in self.where.items():
                known[item] = eval(text, {}, known)
            for claim in self.claims:
                left, right = claim.split(" = ")
                left, right = known["R"].of(eval(left, {}, known)), eval(right, {}, known)
                right = left.of(right)
                if not left.above * right.below == right.above * left.below:
                    raise Unproved("not shown: " + claim)
