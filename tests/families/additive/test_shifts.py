"""The kernel of sums as translations: nothing that is looked at changes along them, no direction is missing, verdicts are proved."""

from __future__ import annotations

import numpy as np
import pytest
from amount import daily

import algdim
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import rank_mod
from algdim.families.additive.map import build_additive_map
from algdim.families.additive.shifts import find_shifts
from algdim.jacobian import evaluate_jacobian, make_evaluator
from algdim.models.notation import parse

PRIME = 8388593

SUMS = [
    "poisson: {A},{B} -> E",
    "normal: {A,B},{B,C},{} -> E; states A=3",
    "poisson: {A,H},{A},{B} -> E; hidden H; states H=3",
    "normal: {A,H},{A},{} -> E; hidden H",
    "normal: {A,H},{A,B} -> E; hidden H; states H=3",
    "poisson: {A,H},{B,G},{} -> E; hidden H, G",
    "poisson: {A,H} -> E; {H},{B},{} -> F; hidden H",
    "normal: {A},{B} -> E; {A,B},{A} -> F; states A=3",
]


@pytest.mark.parametrize("text", SUMS)
def test_shifts_are_the_kernel(text):
    """The Jacobian turns them to zero, they are independent, and with its rank they are as many as there are parameters."""
    pmap = build_additive_map(parse(text))
    shifts, trust = find_shifts(pmap)
    field = Residues(PRIME)
    point = field.elements(draw_residues(open_stream(1, text), PRIME, pmap.parameter_count))
    evaluator = make_evaluator(pmap)
    probes = evaluator.random_functionals(pmap.parameter_count + 16, PRIME, 1)
    jacobian = evaluate_jacobian(pmap, field, point, probes, evaluator=evaluator)
    rows = np.zeros((len(shifts), pmap.parameter_count), dtype=np.int64)
    for row, shift in zip(rows, shifts, strict=True):
        row[list(shift)] = list(shift.values())

    assert not field.matmul(jacobian, field.elements(rows.T % PRIME)).any()
    assert len(shifts) == rank_mod(rows % PRIME, PRIME).value
    rank = rank_mod(np.remainder(jacobian, PRIME).astype(np.int64), PRIME).value
    assert pmap.parameter_count == rank + len(shifts)
    assert ("shifts",) == trust.lemmas


def test_each_shift_has_a_parameter_of_its_own():
    """One that none of the others moves."""
    shifts, _ = find_shifts(build_additive_map(parse("normal: {A,B},{B,C},{} -> E; states A=3")))

    assert len(shifts) > 2
    for number, shift in enumerate(shifts):
        others = set().union(*(other for k, other in enumerate(shifts) if k != number))
        assert set(shift) - others


def test_what_is_ordered_has_none():
    """Of a maximum nothing is shifted."""
    assert find_shifts(build_additive_map(parse("max-poisson: {A},{B} -> E"))) is None


@pytest.mark.parametrize("text", daily(SUMS, 3, SUMS[2]))
def test_all_that_identify_says_is_proved(text):
    """Which parameters are identified, and all lists, of mixtures that are too large for elimination too."""
    found = algdim.identify(text)

    assert {"proved"} == {one.trust.status for one in found.verdicts}
    assert found.lists.identifiable.is_proved
    assert found.lists.basis.is_proved
    assert all(group.trust.is_proved for group in found.groups)
    moved = {number for shift in find_shifts(build_additive_map(parse(text)))[0] for number in shift}
    assert [number not in moved for number in range(len(found.verdicts))] == [
        one.identifiable for one in found.verdicts
    ]
