"""Every kernel and every formula of src/lanes is proved."""

import re

import frame
from build import SOURCE
from table import (
    CONTRACTS,
    FILES,
    FORMULAS,
    formula_traces,
    job_traces,
    kernel_traces,
    prove_contract,
    prove_formula,
    prove_job,
)


def test_nothing_is_unproved():
    """A function of these files that the table does not name has no proof."""
    found = set()
    for file, prefix in FILES.items():
        text = (SOURCE / "lanes" / file).read_text()
        pattern = r"^(?:LANES_\w+|static)\b[^;{()]*?\b(%s\w+)\(" % prefix
        names = set(re.findall(pattern, text, re.M))
        assert names, file
        found |= names
    named = {item.name.partition("/")[0] for item in [*CONTRACTS, *FORMULAS]}
    named |= {name for formula in FORMULAS for name in formula.covers}
    assert not found - named, "no proof: " + ", ".join(sorted(found - named))


def test_every_trace_is_of_the_table():
    names = {name.partition("/")[0] for name in kernel_traces()}
    assert names == {contract.name for contract in CONTRACTS}
    assert set(formula_traces()) == {formula.name for formula in FORMULAS}


def test_kernels():
    for contract in CONTRACTS:
        try:
            prove_contract(contract)
        except Exception as error:
            raise AssertionError("%s: %s" % (contract.trace, error)) from error
    return "%d proofs" % len(CONTRACTS)


def test_formulas():
    for formula in FORMULAS:
        try:
            prove_formula(formula)
        except Exception as error:
            raise AssertionError("%s: %s" % (formula.name, error)) from error
    return "%d proofs" % len(FORMULAS)


def test_sizes_in_jobs():
    """Whole jobs hand kernels nothing that these are not proved for."""
    calls = 0
    for name in job_traces():
        try:
            calls += prove_job(name)
        except Exception as error:
            raise AssertionError("%s: %s" % (name, error)) from error
    return "%d jobs, %d results" % (len(job_traces()), calls)


if __name__ == "__main__":
    frame.main(globals())
