"""Koszul flattenings: the numbers that they prove, their rank on simple arrays, forms that annihilate every tangent."""

from __future__ import annotations

import json
import tomllib
from math import comb

import numpy as np
import pytest
import strategies
from amount import drawn, in_turn, some
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import ROOT
from suites.random_networks import networks
from test_flattenings import WITHOUT, setting_of, tangents_at_point

from algdim import dimension
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.equations import Blocks, is_worth_it, start
from algdim.families.discrete.bounds.flattenings import Separators, add_flattenings
from algdim.families.discrete.bounds.koszul import (
    Koszul,
    KoszulMatrix,
    add_koszul,
    bound_by_koszul,
    compute_block_pattern,
    iterate_thirds,
    list_candidates,
)
from algdim.families.discrete.bounds.search import TableAtPoint
from algdim.models.notation import to_text

PRIME = 8388593
GOLDEN = ROOT / "tests" / "golden" / "kz02.toml"
TABLE_1 = [
    row for row in tomllib.loads(GOLDEN.read_text(encoding="utf-8"))["number"] if row["source"] == "KZ02 Table 1"
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # KZ02's "only two models" and the rest of the Abo–Ottaviani–Peterson list
        ("4:3,3,3", 25),
        ("5:4,4,3", 43),
        ("5:3,4,4", 43),
        ("7:5,5,3", 73),
        ("10:7,7,3", 145),
        ("13:9,9,3", 241),
    ],
)
def test_defective_latent_classes(text, expected):
    """One matrix proves the dimension."""
    bound = bound_by_koszul(setting_of(text, lower=expected))

    assert (expected, "koszul") == (bound.value, bound.kind)
    assert 1 == len(bound.evidence["equations"])


@pytest.mark.parametrize(("text", "expected"), [("3:2,2,2,2", 13), ("9:5,5,2,2", 97), ("A -> B -> C", 5)])
def test_flattenings_come_first(text, expected):
    """Where flattenings suffice the bound says so."""
    bound = bound_by_koszul(setting_of(text, lower=expected))

    assert (expected, "flattenings") == (bound.value, bound.kind)


@pytest.mark.parametrize("row", TABLE_1, ids=lambda row: row["model"])
def test_kz02_table_1(row):
    """Counts and equations together prove every dimension of the table."""
    setting = setting_of(row["model"], lower=row["dimension"])
    bound = bound_by_koszul(setting)
    bounds = [row["standard"], row["complete"], *([] if bound is None else [bound.value])]

    assert row["dimension"] == min(bounds)


def test_evidence_and_reason():
    """The block contracted, the order, size and rank are told."""
    bound = bound_by_koszul(setting_of("4:3,3,3", lower=25))

    assert "26 − 1; 1 equation, Koszul flattening X1|X2|X3 (9×9, rank 8)" == bound.reason
    assert [
        {
            "type": "koszul",
            "blocks": [["X1"], ["X2"], ["X3"]],
            "contracted": ["X1"],
            "order": 1,
            "C": [],
            "S": ["H"],
            "rank": 8,
            "size": [9, 9],
        }
    ] == bound.evidence["equations"]
    assert bound.evidence == json.loads(json.dumps(bound.evidence))


def koszul_matrix(array, order, dimension=None):
    """The Koszul flattening of an array of three axes."""
    table = TableAtPoint(PRIME, "", array)
    blocks = Blocks(array.shape, ((0,), (1,), (2,)))
    return KoszulMatrix(Koszul(blocks, (), (1,), order, dimension or array.shape[0], 0), (), 0, table)


def test_three_slices_by_hand():
    """For m = 3 and a = 1 it is [[0, T3, −T2], [−T3, 0, T1], [T2, −T1, 0]] up to signs and order."""
    array = np.arange(1.0, 13).reshape(3, 2, 2)
    matrix = koszul_matrix(array, 1).values
    t1, t2, t3 = (part.T for part in array)
    zero = np.zeros((2, 2))
    expected = np.block([[-t2, t1, zero], [-t3, zero, t1], [zero, -t3, t2]])

    assert expected.tolist() == matrix.tolist()


@given(st.integers(3, 6), st.integers(0, 50), st.integers(1, 3), st.data())
def test_rank_of_sums_of_products(states, seed, terms, data):
    """A product of three vectors has rank C(m − 1, a), a sum of k of them at most k times as much."""
    order = data.draw(st.integers(1, states - 2))
    dimension = data.draw(st.integers(order + 2, states))
    source = np.random.default_rng(seed)
    vectors = [source.integers(1, 100, (terms, size)).astype(np.float64) for size in (states, 3, 4)]
    array = np.einsum("ki,kj,kl->ijl", *vectors)
    rank = rank_mod(koszul_matrix(array, order, dimension).values, PRIME).value

    assert rank <= comb(dimension - 1, order) * terms
    assert terms > 1 or rank == comb(dimension - 1, order)


@given(st.integers(3, 5), st.integers(0, 50), st.data())
def test_forms_are_adjoint(states, seed, data):
    """The form pulled back from ℓ and r has the value ℓᵀM(p)r on every table, projected or not."""
    order = data.draw(st.integers(1, states - 2))
    dimension = data.draw(st.integers(order + 2, states))
    source = np.random.default_rng(seed)
    matrix = koszul_matrix(source.integers(-50, 50, (states, 2, 3)).astype(np.float64), order, dimension)
    rows, columns = matrix.values.shape
    left, right = source.integers(-50, 50, (4, rows)), source.integers(-50, 50, (4, columns))
    field = matrix.table.field
    forms = matrix.pulled_back(field.elements(left), field.elements(right))
    expected = np.einsum("ki,ij,kj->k", left, matrix.values.astype(np.int64), right)

    assert [int(value) % PRIME for value in expected] == [
        int(value) % PRIME
        for value in (forms.astype(np.int64) * matrix.table.table.astype(np.int64)).sum(axis=(1, 2, 3))
    ]


@in_turn(2)
@given(strategies.networks(max_variables=6, deterministic=True, special=False))
@settings(max_examples=some(60))
def test_forms_annihilate_all_tangents(model):
    """Whatever the tables, every form vanishes on every column of the Jacobian at the same point."""
    setting = setting_of(model)
    if not is_worth_it(setting):
        return
    collector, field, tangents = tangents_at_point(setting)
    add_koszul(collector, lambda: Separators(setting))

    assert not field.matmul(collector.basis.rows, tangents).any()


@pytest.mark.parametrize(
    "text", ["4:4,3,3", "5:4,4,4", "H -> X1, X2, X3, C; C -> X1; hidden H; states H=4, X1=3, X2=3, X3=3"]
)
def test_forms_with_projections_and_conditions(text):
    """Koszul flattenings alone, of projected blocks too, annihilate all tangents."""
    setting = setting_of(text)
    separators = Separators(setting)
    collector, field, tangents = tangents_at_point(setting)
    add_koszul(collector, lambda: separators)
    found = list_candidates(separators)

    assert len(collector.basis)
    assert not field.matmul(collector.basis.rows, tangents).any()
    assert ("4:4,3,3" == text) <= any(candidate.is_projected for candidate in found)


def test_conditions_are_used():
    """Given the observed C the three items are those of 4:3,3,3, twice."""
    text = "C -> X1 <- H -> X2, X3; hidden H; states H=4, X1=3, X2=3, X3=3"
    report = dimension(text, bounds=WITHOUT)
    bound = bound_by_koszul(setting_of(text, lower=report.dimension))

    assert report.dimension <= bound.value


@pytest.mark.parametrize(
    "text",
    [
        "H -> X1, X2, X3; hidden H; states H=4, X1=3, X2=3, X3=3; share t: X1, X2",
        "H -> X1, X2, X3; hidden H; states H=5, X1=3, X2=3, X3=3; fix P(H=0)=0",
        "H -> X1, X2, X3; hidden H; states H=4, X1=3, X2=3, X3=3; fix P(X1=0|H=0)=0; fix P(X2=1|H=0)=0",
    ],
)
def test_models_that_break_hypotheses(text):
    """The bound is never below the dimension."""
    report = dimension(text, bounds=WITHOUT)
    bound = bound_by_koszul(setting_of(text))

    assert report.dimension <= bound.value


def test_an_impossible_class_does_not_count():
    """Five classes of which one is impossible are four: 25."""
    text = "H -> X1, X2, X3; hidden H; states H=5, X1=3, X2=3, X3=3; fix P(H=0)=0"

    assert 25 == bound_by_koszul(setting_of(text, lower=25)).value


def test_pattern_has_every_slice():
    """Each index stands once in every column whose set does not contain it."""
    pattern = compute_block_pattern(5, 2)
    each = pattern.width * 3 // 5

    assert (comb(5, 3), comb(5, 2)) == (pattern.height, pattern.width)
    assert [index for index in range(5) for _ in range(each)] == pattern.indices.tolist()
    assert len(set(zip(pattern.rows.tolist(), pattern.columns.tolist(), strict=True))) == 5 * each


@pytest.mark.parametrize(("parts", "expected"), [(3, 1), (4, 6), (5, 25), (6, 90)])
def test_groupings_are_counted_by_stirling(parts, expected):
    """The ways to make three blocks are Stirling's numbers of the second kind."""
    assert expected == len(set(iterate_thirds([1 << place for place in range(parts)])))


def test_large_models_are_refused_at_once():
    """Sixty items have no table."""
    assert bound_by_koszul(setting_of("10:2^60", lower=609)) is None


@pytest.mark.drawn
def test_random_networks_never_below_the_rank():
    """On networks drawn once and for all the bound is at least the dimension; most of them have one."""
    bounds = []
    for model in drawn(networks(40, seed=7), 8):
        report = dimension(model, bounds=WITHOUT)
        bound = bound_by_koszul(setting_of(model, lower=report.dimension))
        if bound is not None:
            bounds.append(bound)
            assert report.dimension <= bound.value, to_text(model)
    assert bounds


def test_the_bound_is_better_than_that_of_flattenings():
    """Of three items of three states with four classes these know nothing."""
    setting = setting_of("4:3,3,3", lower=25)
    collector = start(setting)
    add_flattenings(collector, lambda: Separators(setting))

    assert ("koszul", 25) == (bound_by_koszul(setting).kind, bound_by_koszul(setting).value)
    assert setting.pmap.complete - len(collector.basis) > 25


def test_what_a_projected_flattening_says():
    """The matrix by which the first block is projected stands in the evidence, where there is one."""
    setting = setting_of("4:4,3,3")
    found = list_candidates(Separators(setting))
    names = [variable.name for variable in setting.pmap.model.variables]

    assert {True, False} == {one.is_projected for one in found}
    for one in found:
        told = one.make_evidence(names)
        assert one.is_projected == ("projection" in told)
        assert not one.is_projected or [4] * one.dimension == [len(row) for row in told["projection"]]
