"""Bounds that only count."""

from dataclasses import replace

import brute
import numpy as np
import pytest
from amount import some
from hypothesis import assume, given, settings
from strategies import networks
from suites.agreement import is_small

import algdim
from algdim.bound.counting import bound_by_counting
from algdim.families.discrete.bounds import search
from algdim.families.discrete.bounds.search import bound_by_ambient
from algdim.families.discrete.map import get_param_map
from algdim.jacobian import make_evaluator
from algdim.models.anymodel import remove_irrelevant


@settings(max_examples=some(60))
@given(networks(max_variables=4, max_states=3, max_table=40))
def test_both_are_upper_bounds(model):
    """The dimension never exceeds the number of parameters nor that of the saturated model."""
    assume(is_small(model))
    pmap = get_param_map(remove_irrelevant(model)[0])

    assert brute.dimension(model) <= bound_by_counting(pmap).value <= brute.standard(model)
    assert brute.dimension(model) <= bound_by_ambient(pmap).value <= brute.complete(model)


def impossible(model):
    """How many cells have, at every joint state of the hidden variables, a factor that is fixed to 0."""
    possible = {cell for cell, entries in brute.terms(model) if all(entry != 0 for entry in entries)}
    return sum(cell not in possible for cell in brute.observed_cells(model))


@settings(max_examples=some(100))
@given(networks(max_variables=4, max_states=3, max_table=40, deterministic=True))
def test_impossible_cells_count_for_nothing(model):
    """The bound is that of the saturated model less the cells that no joint state leads to, with conditions or without."""
    assume(is_small(model))
    bound = bound_by_ambient(get_param_map(remove_irrelevant(model)[0]))

    assert brute.complete(model) - impossible(model) == bound.value >= brute.dimension(model)
    assert bound.evidence == ({"impossible": impossible(model)} if impossible(model) else {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A -> B -> C -> D; U -> B, D; hidden U; max C", 16 - 8 - 1),
        ("A -> B -> C -> D; U -> B, D; hidden U; max C; given A", 16 - 8 - 2),
        ("H -> A, B, C; hidden H; states H=3; fix P(A=0|H=0)=0, P(A=0|H=1)=0, P(A=0|H=2)=0", 8 - 4 - 1),
    ],
)
def test_the_whole_model_is_counted_after_splitting(text, expected):
    """The district of B and D alone is open; the possible cells of the whole model prove the rank, and a certificate says so."""
    report = algdim.dimension(text, bounds="counting,ambient,districts,chance")

    assert (expected, "ambient", True) == (report.dimension, report.upper.kind, report.exact)
    assert ("counting and ambient", "districts") == report.upper.trust.lemmas
    assert expected == brute.dimension(algdim.model(text))
    assert expected == algdim.prove(text).dimension


def test_impossible_cells_are_not_looked_for_where_that_is_much_work():
    """With 2^21 cells the bound is that of the saturated model, with 2^20 half of them are gone."""
    sizes = [
        get_param_map(algdim.model(f"{', '.join(f'A{n}' for n in range(count))} -> M; max M")) for count in (20, 19)
    ]

    assert [2**21 - 1, 2**19 - 1] == [bound_by_ambient(pmap).value for pmap in sizes]


@pytest.mark.parametrize(
    ("text", "standard", "complete"),
    [
        ("5(2,3(2,2),3(2,2))", 41, 31),
        ("2:2^60", 121, 2**60 - 1),
        ("A -> H -> B; hidden H; given A; states A=3, B=4", 3 * 1 + 2 * 3, 3 * 3),
    ],
)
def test_the_counts(text, standard, complete):
    """KZ02 §4 prints 41 for its tree; cells less one, per condition."""
    pmap = get_param_map(algdim.model(text))

    assert (standard, "upper", True) == (
        bound_by_counting(pmap).value,
        bound_by_counting(pmap).side,
        bound_by_counting(pmap).is_proved,
    )
    assert (complete, "upper", True) == (
        bound_by_ambient(pmap).value,
        bound_by_ambient(pmap).side,
        bound_by_ambient(pmap).is_proved,
    )


def test_conditions_whose_cells_are_kept_sum_to_one():
    """Of the four conditions two are kept whole, one in part; the kept cell of the last is its only one that is not zero."""
    pmap = replace(
        get_param_map(algdim.model("A, B -> C; given A, B; fix P(C=0|A=1,B=1)=1")),
        kept_coordinates=np.array([0, 1, 2, 3, 4, 6]),
    )

    assert 6 - 3 == bound_by_ambient(pmap).value


def test_reasons_are_readable():
    """Singular and plural, powers, conditions."""
    assert "1 parameter" == bound_by_counting(get_param_map(algdim.model("states A=2"))).reason
    assert "2^60 cells, which sum to 1" == bound_by_ambient(get_param_map(algdim.model("2:2^60"))).reason
    assert "conditional probabilities" in bound_by_ambient(get_param_map(algdim.model("A -> B; given A"))).reason


def test_impossible_cells_are_not_looked_for_beyond_a_number_of_steps(monkeypatch):
    """Cells times the numbers that each needs: half of the cells of a maximum are impossible, up to exactly the limit."""
    pmap = get_param_map(algdim.model("A1, A2, A3 -> M; max M"))
    steps = pmap.cells * make_evaluator(pmap).numbers_per_functional
    for most, expected in ((steps, 8), (steps - 1, 0)):
        monkeypatch.setattr(search, "MOST_STEPS", most)

        assert expected == search.count_impossible_cells(pmap)
    assert 0 == search.count_impossible_cells(get_param_map(algdim.model("A -> B")))
