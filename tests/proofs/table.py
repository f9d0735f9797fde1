"""The table of everything that is proved, and its traces."""

import pathlib
import tempfile

import contracts_fe
import contracts_sc
import formulas_chain
import formulas_ge
from build import HERE, SOURCE, trace
from formula import Prover, trace_calls
from jobs import prove_sizes
from kernel import N, P, prove, traces
from prototypes import kernel_program

# Kernels are traced limb by limb, formulas with kernels as calls.
HEADERS = ["fe_p256_x8.h", "fe_beside_p256_x8.h", "sc_p256_x8.h"]
BY_HAND = "trace_kernels.c"
RECODING = "trace_recode_p256.c"
FORMULA_PROGRAMS = ["trace_chain_p256.c", "trace_ge_p256.c"]
JOBS_PROGRAM = "trace_jobs_p256.c"

# Every function of these files whose name begins so must be in the table.
FILES = {
    "fe_p256_x8.h": "fe_p256_x8_",
    "fe_beside_p256_x8.h": "fe_p256_x8_",
    "fe_p256_chain_x8.h": "fe_p256_x8_",
    "ge_p256_x8.h": "ge_p256_x8_",
    "ge_xyzz_p256_x8.h": "ge_p256_x8_",
    "ge_affine_p256_x8.h": "ge_p256_x8_",
    "sc_p256_x8.h": "sc_p256_x8_",
    "recode_p256_x8.h": "recode_p256_x8_",
}

CONTRACTS = contracts_fe.CONTRACTS + contracts_sc.CONTRACTS
FORMULAS = formulas_chain.FORMULAS + formulas_ge.FORMULAS

_kept = {}


def traced(wanted, source=SOURCE):
    """The traces of kernels in a source folder.  wanted: {trace: a contract of it}."""
    texts = [(source / "lanes" / header).read_text() for header in HEADERS]
    by_hand = {**traces(trace(HERE / BY_HAND, [source])), **recoding()}
    rest = {name: c for name, c in wanted.items() if name not in by_hand}
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "trace.c"
        program.write_text(kernel_program(HEADERS, texts, rest))
        return {**by_hand, **traces(trace(program, [source]))}


def recoding():
    """The traces of digits; what sc_p256_x8_make_odd gives becomes the input "odd"."""
    text = trace_calls(HERE / RECODING, HEADERS, {"sc_p256_x8_make_odd"})
    lines, limb = [], 0
    for line in text.splitlines():
        if line.startswith("call "):
            limb = 0
        elif line.endswith(" result"):
            if limb < 5:
                lines.append("%s in odd.%d" % (line.split()[0], limb))
            limb += 1
        else:
            lines.append(line)
    return traces("\n".join(lines))


def in_table():
    return {contract.trace: contract for contract in CONTRACTS}


def kernel_traces():
    """Of the table and of all that formulas call."""
    if "kernels" not in _kept:
        wanted, shapes = in_table(), {c.name: c for c in CONTRACTS}
        for lines in [*formula_traces().values(), *job_traces().values()]:
            for line in lines:
                name = line.split()[1]
                if line.startswith("call ") and name.partition("/")[0] in shapes:
                    wanted.setdefault(name, shapes[name.partition("/")[0]])
        _kept["kernels"] = traced(wanted)
    return _kept["kernels"]


def formula_traces():
    if "formulas" not in _kept:
        _kept["formulas"] = {}
        named = {contract.name for contract in CONTRACTS}
        for program in FORMULA_PROGRAMS:
            _kept["formulas"].update(traces(trace_calls(HERE / program, HEADERS, named)))
    return _kept["formulas"]


def job_traces():
    if "jobs" not in _kept:
        named = {contract.name for contract in CONTRACTS}
        _kept["jobs"] = traces(trace_calls(HERE / JOBS_PROGRAM, HEADERS, named))
    return _kept["jobs"]


def prove_job(name):
    return prove_sizes(job_traces()[name], [prover(P), prover(N)])


def prover(modulus):
    """The kernels mod p or mod n."""
    if modulus not in _kept:
        contracts = contracts_fe if modulus == P else contracts_sc
        shapes = {contract.name: contract for contract in contracts.CONTRACTS}
        _kept[modulus] = Prover(
            contracts.FAMILIES, shapes, kernel_traces(), contracts.size_of, contracts.UNIT
        )
    return _kept[modulus]


def prove_contract(contract):
    return prove(contract, kernel_traces()[contract.trace])


def prove_formula(formula):
    return formula.prove(formula_traces()[formula.name], prover(formula.modulus))
