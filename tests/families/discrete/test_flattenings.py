"""Flattenings: known dimensions, forms that annihilate every tangent vector, models that break what is taken for granted."""

from __future__ import annotations

import json

import numpy as np
import pytest
import strategies
from amount import SELDOM, some
from hypothesis import assume, given, settings

import algdim
from algdim import dimension
from algdim.exact.draws import draw_residues, open_stream
from algdim.families.discrete.bounds.equations import is_worth_it, start
from algdim.families.discrete.bounds.flattenings import (
    Separators,
    add_flattenings,
    bound_by_flattenings,
    iterate_halves,
    list_candidates,
)
from algdim.families.discrete.bounds.search import Setting, make_closed_setting
from algdim.families.discrete.functionals import select_all_cells
from algdim.families.discrete.locals.function import Maximum, Parity
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.jacobian import evaluate_jacobian
from algdim.models.anymodel import remove_irrelevant

WITHOUT = "counting,ambient,districts,chance"
"""The bounds that need no equations."""

FOUR_CHAIN = "A <- H1 -> B <- H2 -> C <- H3 -> D; hidden H1, H2, H3"
FOUR_CYCLE = "A <- H1 -> B <- H2 -> C <- H3 -> D <- H4 -> A; hidden H1, H2, H3, H4"
W = "A -> C <- H -> D <- B; hidden H"


def setting_of(model, lower=0):
    """The setting of a closed model that is to be proved to have a dimension."""
    model, _ = remove_irrelevant(algdim.model(model) if isinstance(model, str) else model)
    return Setting(get_param_map(model), lower)


def collider(rule):
    """A and B, and a function of both."""
    return Network((Variable("A"), Variable("B"), Variable("C", parents=("A", "B"), local=rule)))


def tangents_at_point(setting):
    """The Jacobian at the point at which equations are taken: every form has to vanish on its columns."""
    labels = (*setting.labels, 0)
    collector = start(setting, None)
    field = collector.basis.field
    point = field.elements(
        draw_residues(open_stream(setting.seed, "point", *labels), field.prime, len(setting.pmap.parameters))
    )
    tangents = evaluate_jacobian(setting.pmap, field, point, select_all_cells(setting.pmap))
    if collector.equal is not None:  # equal cells have equal rows, of which one stands for all
        first = np.unique(collector.equal, return_index=True)[1]
        assert not (tangents - tangents[first[collector.equal]]).any()
        tangents = tangents[first]
    return collector, field, tangents


@pytest.mark.parametrize(
    ("text", "expected", "count"),
    [
        # KZ02 Table 1 and models beyond it
        ("3:2,2,2,2", 13, 2),
        ("5:3,3,2,2", 33, 2),
        ("7:4,4,2,2", 61, 2),
        # GHM96's W as a whole: A, B, and the kernel of C, D
        *((f"{W}; states H={states}", 9 if states == 2 else 10, None) for states in range(2, 9)),
        # the Verma network's kernel of B, D given A, C, both made roots
        ("A -> B <- U -> D <- C; hidden U", 9, None),
        ("A -> B <- U -> D <- C; hidden U; states U=4", 10, None),
        # bidirected graphs: one dimension for every connected set, once the hidden variables have states enough
        (FOUR_CHAIN, 9, None),
        (f"{FOUR_CHAIN}; states H1=4, H2=4, H3=4", 10, None),
        (f"{FOUR_CYCLE}; states H1=3, H2=3, H3=3, H4=3", 13, 2),
        # observed variables alone: conditional independences
        ("A -> B -> C -> D", 7, None),
        ("A -> C <- B; states A=3, B=2, C=4", 21, 1),
    ],
)
def test_known_dimensions(text, expected, count):
    """Conditional independences and flattenings alone prove the dimension."""
    bound = bound_by_flattenings(setting_of(text, lower=expected))

    assert expected == bound.value
    assert bound.is_proved
    assert count in (None, len(bound.evidence["equations"]))


def test_binary_four_cycle_keeps_one_dimension_too_many():
    """The two independences leave 13; the dimension 12 for binary hidden variables needs another reason."""
    assert 13 == bound_by_flattenings(setting_of(FOUR_CYCLE, lower=12)).value


@pytest.mark.parametrize(("classes", "expected"), [(2, 10), (4, 11)])
def test_verma_kernels(classes, expected):
    """Of the Verma network's 10 and 11 dimensions A and C given B have three, the kernel of B and D the rest."""
    small = get_param_map(algdim.model(f"A -> B <- U -> D <- C; hidden U; states U={classes}; given A, C"))
    kernel = expected - 1 - 2
    setting, extra = make_closed_setting(small, kernel, 0)

    assert kernel == bound_by_flattenings(setting).value - extra


@given(strategies.networks(max_variables=6, deterministic=True))
@settings(max_examples=some(60))
def test_forms_annihilate_all_tangents(model):
    """Whatever the tables, every form vanishes on every column of the Jacobian at the same point."""
    setting = setting_of(model)
    if model.given or not is_worth_it(setting, None):
        return
    collector, field, tangents = tangents_at_point(setting)
    add_flattenings(collector, lambda: Separators(setting))

    assert not field.matmul(collector.basis.rows, tangents).any()


@given(strategies.networks(max_variables=6, max_states=3, deterministic=True))
@settings(max_examples=some(60), suppress_health_check=SELDOM)
def test_never_below_the_rank(model):
    """The bound is at least the dimension, whatever lower bound it is told to meet."""
    bound = None if model.given else bound_by_flattenings(setting_of(model))
    assume(bound is not None)

    assert dimension(model, bounds=WITHOUT).dimension <= bound.value


@pytest.mark.parametrize(
    ("text", "expected", "value"),
    [
        # the copy hides nothing: H has as many states as A
        ("H -> A, B; hidden H; fix P(A=0|H=0)=1; fix P(A=0|H=1)=0", 3, None),
        # one of two classes is impossible: independent items
        ("H -> A, B, C; hidden H; fix P(H=0)=1", 3, 3),
        # one of three classes is impossible: two remain
        ("H -> A, B, C, D; hidden H; states H=3; fix P(H=0)=0", 9, 9),
        # shared tables: independent and alike, so that three cells are distinct
        ("states A=2, B=2; share t: A, B", 1, 1),
        # C is a function of both: as a collider it makes A and B dependent
        (collider(Maximum()), 2, 2),
        (collider(Parity()), 2, 2),
    ],
)
def test_models_that_break_hypotheses(text, expected, value):
    """Impossible states, functions and shared tables never push the bound below the dimension."""
    setting = setting_of(text, lower=expected)
    bound = bound_by_flattenings(setting)

    assert expected == dimension(text, bounds=WITHOUT).dimension
    assert value == (None if bound is None else bound.value)


@pytest.mark.parametrize(
    ("text", "expected", "rank"),
    [
        ("H -> A, B; hidden H; states H=3, A=4, B=4; fix P(H=0)=0", 11, 2),
        ("H -> A, B, C; hidden H; fix P(H=0)=1", 3, 1),
    ],
)
def test_impossible_states_do_not_count(text, expected, rank):
    """The rank of a flattening is the number of hidden states that are possible."""
    bound = bound_by_flattenings(setting_of(text, lower=expected))

    assert expected == bound.value
    assert {rank} == {equation["rank"] for equation in bound.evidence["equations"]}


def test_mechanisms_are_separators():
    """Two causes that act through a greatest hidden mechanism are separated by it."""
    text = "H1, H2 -> M; A <- M -> B; hidden H1, H2, M; states A=3, B=3"
    bound = bound_by_flattenings(setting_of(text, lower=7))

    assert 7 == bound.value
    assert ["M"] == bound.evidence["equations"][0]["S"]


def test_evidence_names_everything():
    """Prime, point and sets are plain values, equal for equal seeds."""
    bound = bound_by_flattenings(setting_of("A -> B -> C; states A=3", lower=7))
    again = bound_by_flattenings(setting_of("A -> B -> C; states A=3", lower=7))

    assert bound.evidence == json.loads(json.dumps(bound.evidence)) == again.evidence
    equation = {"type": "flattening", "A": ["A"], "B": ["C"], "C": ["B"], "S": [], "rank": 1, "size": [3, 2]}
    assert [equation | {"states": [[0], [1]]}] == bound.evidence["equations"]
    assert "0" == bound.evidence["point"]
    assert "11 − 4; 4 equations, flattening A|C given B (3×2, rank 1)" == bound.reason


def test_the_seed_changes_the_point_and_not_the_value():
    """Another seed proves the same with another prime."""
    model = algdim.model("3:2,2,2,2")
    bounds = [bound_by_flattenings(Setting(get_param_map(model), 13, seed)) for seed in (0, 1, "two")]

    assert [13, 13, 13] == [bound.value for bound in bounds]
    assert 3 == len({bound.evidence["prime"] for bound in bounds})


def test_idle_conditions_are_left_out():
    """A | B given C says nothing new where A | B,C holds."""
    found = [flattening.text("ABC") for flattening in list_candidates(Separators(setting_of("states A=2, B=2, C=2")))]

    assert 3 == len(found)
    assert not [text for text in found if "given" in text]


def test_large_models_are_refused_at_once():
    """Sixty items have no table."""
    assert bound_by_flattenings(setting_of("10:2^60", lower=609)) is None


def test_halves_of_many_components():
    """Every division is found once; of many components only this many."""
    assert 7 == len(list(iterate_halves([1, 2, 4, 8]))) == len(set(iterate_halves([1, 2, 4, 8])))
    assert 1 << 10 == len(list(iterate_halves([1 << place for place in range(14)])))


def test_basis_is_reduced():
    """The forms are kept as a reduced basis."""
    setting = setting_of("A -> B -> C -> D", lower=7)
    collector = start(setting, None)
    add_flattenings(collector, lambda: Separators(setting))

    assert 8 == len(collector.basis)
    assert np.array_equal(np.eye(8), collector.basis.rows[:, collector.basis.pivots])


def test_what_is_new_is_said_once():
    """The equations of 3:2,2,2,2 are new, and are no longer new afterwards."""
    setting = setting_of("3:2,2,2,2", lower=13)
    collector = start(setting, None)
    add_flattenings(collector, lambda: Separators(setting))
    (first, *_) = collector.used
    again = start(setting, None)

    assert [True, False] == [again.add(first.equations), again.add(first.equations)]
