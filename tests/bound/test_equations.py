"""Collecting forms at a point: kernels, blocks of the table, zeros, and when nothing is tried."""

from __future__ import annotations

import brute
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim.exact.arithmetic import Residues
from algdim.exact.elimination import reduce_rows_mod
from algdim.exact.flint import find_kernels
from algdim.exact.ranks import Rank, both_kernels, compute_kernel, rank_mod, reduce_first_rows
from algdim.families.discrete.bounds import equations
from algdim.families.discrete.bounds.equations import Blocks, Collector, Zeros, is_worth_it, make_equation_bound, start
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.locals.function import Maximum
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable

PRIME = 8388593
FIELD = Residues(PRIME)


def setting_of(text, lower=0):
    """The setting of a model that is to be proved to have a dimension."""
    model = algdim.model(text) if isinstance(text, str) else text
    return Setting(get_param_map(model), lower)


@st.composite
def products(draw):
    """A product of two random matrices, so of bounded rank, and that rank."""
    rows, columns, inner = draw(st.integers(1, 6)), draw(st.integers(1, 6)), draw(st.integers(0, 4))
    source = np.random.default_rng(draw(st.integers(0, 1000)))
    left, right = source.integers(-9, 10, (rows, inner)), source.integers(-9, 10, (inner, columns))
    matrix = left @ right
    return matrix, brute.rational_rank(matrix.tolist())


@given(products())
def test_kernels_are_annihilated_and_complete(pair):
    """Left and right kernel vanish against the matrix and have as many rows as the rank leaves."""
    matrix, rank = pair
    found = both_kernels(matrix.astype(np.float64), rank, PRIME)
    if found is None:
        assert rank in {0, min(matrix.shape)}
        return
    left, right = found

    assert (matrix.shape[0] - rank, matrix.shape[1] - rank) == (len(left), len(right))
    assert not FIELD.matmul(left, FIELD.elements(matrix)).any()
    assert not FIELD.matmul(FIELD.elements(matrix), right.T).any()
    assert (len(left), len(right)) == (brute.rank(as_rows(left), PRIME), brute.rank(as_rows(right), PRIME))


@given(products())
def test_kernels_are_the_same_by_whatever_elimination(pair):
    """By FLINT, beside the identity, and by the inverse of a minor: 1 at a dependent row, and the others of these 0."""
    matrix, rank = pair
    value, left, right = find_kernels(matrix.astype(np.float64), PRIME)
    found = rank_mod(matrix, PRIME)
    turned = Rank(found.value, found.columns, found.rows)
    residues = FIELD.elements(matrix)

    assert rank == value
    assert (compute_kernel(residues, found, PRIME) == right).all()
    assert (compute_kernel(np.ascontiguousarray(residues.T), turned, PRIME) == left).all()


@given(products(), st.integers(1, 6))
def test_first_rows_are_reduced_in_one_way(pair, most):
    """By FLINT at once, and as written to be read, of the first independent rows."""
    matrix, rank = pair
    pivots, rows = reduce_first_rows(FIELD.elements(matrix), PRIME, most)
    first = reduce_rows_mod(as_rows(matrix[list(rank_mod(matrix, PRIME).rows[:most])]), PRIME)

    assert min(most, rank) == len(pivots) == len(rows)
    assert tuple(column for _, column in first.pivots) == pivots
    assert [list(row) for row in first.matrix] == as_rows(rows)


def as_rows(matrix):
    """A matrix of residues for the brute force."""
    return [[int(value) % PRIME for value in row] for row in matrix]


def test_rank_below_the_bound_gives_nothing():
    """Where the rank at the point is smaller than the bound, the gradients of the minors vanish."""
    assert both_kernels(np.ones((3, 3)), 2, PRIME) is None


def test_rank_above_the_bound_is_an_internal_error():
    """A matrix of greater rank than the model allows shows that the bound was wrong."""
    with pytest.raises(RuntimeError, match="rank at most 1 on the model has rank"):
        both_kernels(np.eye(4), 1, PRIME)


@st.composite
def blocks(draw):
    """A shape, and its axes divided into blocks, fixed and summed ones."""
    shape = tuple(draw(st.lists(st.integers(2, 3), min_size=2, max_size=5)))
    order = draw(st.permutations(range(len(shape))))
    places = draw(st.lists(st.integers(0, 3), min_size=len(shape), max_size=len(shape)))
    first, second, *_ = order
    one = (first, *(axis for axis, place in zip(order[2:], places, strict=False) if place == 0))
    other = (second, *(axis for axis, place in zip(order[2:], places, strict=False) if place == 1))
    fixed = tuple(sorted(axis for axis, place in zip(order[2:], places, strict=False) if place == 2))
    return Blocks(shape, (one, other), fixed)


@given(blocks(), st.integers(0, 100))
def test_pulling_back_is_adjoint_to_joining(arranged, seed):
    """A form of the joined array has the same value as the form of the table that it is pulled back to."""
    source = np.random.default_rng(seed)
    table = source.integers(-50, 50, arranged.shape).astype(np.float64)
    forms = source.integers(-50, 50, (3, *arranged.sizes)).astype(np.float64)
    for state in arranged.conditions:
        joined = arranged.join_blocks(table, state, FIELD)
        expected = [int((form * joined).sum()) for form in forms]

        assert expected == [int((form * table).sum()) for form in arranged.pulled_back(forms, state)]


def test_joined_array_by_hand():
    """P(a, b, C=1) with D summed over, for A, B, C, D binary and cells numbered."""
    table = np.arange(16.0).reshape(2, 2, 2, 2)
    arranged = Blocks((2, 2, 2, 2), ((1,), (0,)), (2,))

    assert [[2 + 3, 10 + 11], [6 + 7, 14 + 15]] == arranged.join_blocks(table, (1,), FIELD).tolist()


def test_collector_stops_at_what_is_needed():
    """No more equations are collected than the rank leaves."""
    collector = Collector(setting_of("A -> B", lower=1))
    collector.basis.extend(np.eye(4))

    assert 2 == len(collector.basis)
    assert collector.is_done


def test_dependent_forms_count_once():
    """The basis has the rank of what was added."""
    collector = Collector(setting_of("A -> B"))
    assert collector.basis.extend(np.array([[1.0, 2, 3, 4], [2, 4, 6, 8]]))
    assert not collector.basis.extend(np.array([[-1.0, -2, -3, -4]]))
    assert collector.basis.extend(np.array([[0.0, 0, 0, 1], [1, 2, 3, 5]]))

    assert 2 == len(collector.basis)
    assert [[1, 0], [0, 1]] == collector.basis.rows[:, collector.basis.pivots].tolist()


def test_cells_that_vanish_are_equations():
    """B, the copy of A, leaves two of four cells, so one dimension."""
    copy = Network((Variable("A"), Variable("B", parents=("A",), local=Maximum())))
    bound = make_equation_bound(start(setting_of(copy, lower=1)), "flattenings")

    assert 1 == bound.value
    assert "3 − 2; 2 equations, 2 cells that vanish" == bound.reason
    assert [[0, 1], [1, 0]] == bound.evidence["equations"][0]["cells"]


def test_one_cell_vanishes():
    """The words agree with the number."""
    assert "1 cell that vanishes" == Zeros((0,), (2,)).text(["A"])


@pytest.mark.parametrize("text", ["2:2^60", "2:2^13", "2:2^12"])
def test_large_tables_are_left_alone(text):
    """Nothing of the size of a large table is built."""
    setting = setting_of(text, lower=25)

    assert not is_worth_it(setting)


def test_nothing_is_tried_where_nothing_is_needed():
    """A model of the complete dimension has no equations."""
    assert not is_worth_it(setting_of("A -> B", lower=3))


def test_nothing_collected_is_no_bound():
    """Without forms there is no bound."""
    assert make_equation_bound(start(setting_of("A -> B", lower=2)), "flattenings") is None


def test_a_table_that_takes_long_to_evaluate_is_left_alone(monkeypatch):
    """Equations are a search: where all cells would take minutes the bound stays as it is."""
    # names of its own: what was found of a map that is still in use would be taken
    text = "Left -> Alone1, Alone2, Alone3, Alone4; hidden Left; states Left=3"
    setting = setting_of(text, 13)
    assert equations.is_worth_it(setting)

    monkeypatch.setattr(equations, "MOST_EVALUATED", 100)
    assert not equations.is_worth_it(setting)
    assert 14 == algdim.dimension(text, bounds="counting,ambient,flattenings").upper.value
