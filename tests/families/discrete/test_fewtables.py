"""Directions that move one table or two: ranks by definition, special points, vectors multiplied out, models that nothing else proves."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import brute
import numpy as np
import pytest
from suites.random_networks import Kind, draw

import algdim
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.polynomials import TermWork, eliminate_primitive_rows, find_generic_rank, make_polynomials
from algdim.families.discrete.bounds.directions import Point
from algdim.families.discrete.bounds.fewtables import (
    choose_moves,
    drop_proportional_rows,
    evaluate_vectors,
    find_directions,
    find_vectors,
    list_table_moves,
)
from algdim.families.discrete.bounds.normalforms import (
    choose_normal_form,
    collect_directions,
    evaluate_polynomials,
    find_kernel_at_point,
    list_sums_of_cells,
    pick_first,
)
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse

PRIME = 8388593
WORK = 1 << 17
SMALL = Kind((4, 6), (2, 3), Fraction(1, 2), 0.6, 96)

WEIGHTS = """X2 -> H1; X1, X3 -> H2; X1, X2, H1 -> X4; H1, H2, X4 -> X6; H2, X6 -> X7; hidden H1, H2;
states X1=3, X2=4, H1=4; given X1, X2, X3"""
"""Some weights of the states of H1 are not seen at one state of X4: the table of X4 takes them off at the other."""
ABSORBED = """states H1=3, X3=4, X4=3, X5=3; X1, X2 -> H1; X1, H1 -> H2, X4; H1, X3 -> H3; X1, H2, X4, H3 -> X5;
hidden H1, H2, H3; given X1, X2, X3"""
"""P(H3 | H1, X3) may change by any function of H1: the table of X5 takes it off again."""


def iterate_maps(seed):
    """Maps of random networks with hidden variables, small enough for a rank by definition."""
    source = random.Random(seed)
    while True:
        model = draw(source, SMALL)
        if model.hidden and len(model.observed) > 1 and get_param_map(model).parameter_count <= 60:
            yield get_param_map(model)


def list_pairs(pmap):
    """The free moves of each pair of tables, and of those that move equally along a parent."""
    tables = list_table_moves(pmap).values()
    return [
        [*one.moves, *other.moves] for ways, more in combinations(tables, 2) for one in ways[:2] for other in more[:2]
    ]


def make_whole(pmap, values):
    """Everything at a point, no parameter having a constant."""
    point = Point(pmap, PRIME, "", values)
    sums = list_sums_of_cells(pmap)
    at = find_kernel_at_point(point, np.zeros((0, pmap.parameter_count), dtype=np.int64), sums)
    return at, evaluate_polynomials(pmap, {}, sums)[0]


@pytest.mark.parametrize("model", [WEIGHTS, ABSORBED])
def test_models_that_nothing_else_proves(model):
    """66 and 78, by definition; proved by the normal form, with the margin or the parts that make it small."""
    report = algdim.dimension(model)
    others = "counting,ambient,containing,flattenings,grids,symmetry,margins,differences"

    assert report.exact
    assert report.dimension == brute.dimension(parse(model))
    assert report.dimension < algdim.dimension(model, bounds=others).upper.value


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_directions_leave_the_dimension(seed):
    """Of random networks: never fewer than the rank by definition; often as many, with no other field at all."""
    met = 0
    for pmap, number in zip(iterate_maps(seed), range(25 if seed == 1 else 200), strict=False):
        at, matrix = make_whole(pmap, draw_residues(open_stream(number, "few"), PRIME, pmap.parameter_count))
        left = pmap.parameter_count - at.rank_with(find_directions(matrix, at, list_pairs(pmap), WORK))
        dimension = brute.dimension(pmap.model)
        assert left >= dimension, pmap.model
        met += left == dimension < pmap.parameter_count
    assert met >= (3 if seed == 1 else 24)


@pytest.mark.parametrize("seed", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_special_points_prove_nothing(seed):
    """Where parameters are equal, or 0, the kernel has more directions than in general; those that are taken are values of fields all the same."""
    special = 0
    for pmap, number in zip(iterate_maps(seed), range(25 if seed == 4 else 200), strict=False):
        values = np.random.default_rng(number).integers(0, 2, pmap.parameter_count)
        at, matrix = make_whole(pmap, values.astype(np.int64))
        found = find_directions(matrix, at, list_pairs(pmap), WORK)
        dimension = brute.dimension(pmap.model)
        everything = np.vstack([at.find_new(moves) for moves in list_pairs(pmap)] or [found])
        assert pmap.parameter_count - at.rank_with(found) >= dimension, pmap.model
        special += pmap.parameter_count - at.rank_with(everything) < dimension
    assert special >= 5


def test_a_rank_that_is_lower_at_the_point_is_not_taken():
    """The columns of two tables have a kernel at a point with equal rows, where one of them cannot be seen; in general they have none."""
    pmap = get_param_map(parse("H -> X, Y, Z; hidden H"))
    at, matrix = make_whole(pmap, np.full(pmap.parameter_count, 3, dtype=np.int64))

    assert any(len(at.find_new(moves)) for moves in list_pairs(pmap))
    assert not len(find_directions(matrix, at, list_pairs(pmap), 1 << 20))


def test_vectors_are_taken_to_zero_at_other_points():
    """Vectors of polynomials from a normal form: at random points of it the Jacobian takes them to zero."""
    met = 0
    for pmap, number in zip(iterate_maps(6), range(20), strict=False):
        form = choose_normal_form(Setting(pmap, 0, number), pick_first)
        if form is None:
            continue
        sums, left = list_sums_of_cells(pmap), form.left
        at = find_kernel_at_point(form.point, collect_directions(form.known, pmap.parameter_count), sums)
        matrix, _ = evaluate_polynomials(pmap, form.constants, sums)
        vectors = find_vectors(matrix, at, list_pairs(pmap), WORK)
        values = form.point.values.copy()
        values[left] = draw_residues(open_stream(number, "other"), form.point.prime, len(left))
        other = find_kernel_at_point(Point(pmap, form.point.prime, "", values), at.known, sums)
        rows = evaluate_vectors(vectors, values[left].tolist(), other)
        products = [
            sum(int(a) * int(b) for a, b in zip(one, row, strict=True)) % at.prime
            for row in rows
            for one in other.jacobian
        ]
        assert not any(products), pmap.model
        met += len(vectors) > 0
    assert met >= 5


def test_moves_are_chosen_where_they_suffice():
    """Two directions of ABSORBED are in 27 columns of two tables; three more are not to be had."""
    pmap = get_param_map(parse(ABSORBED.replace("; given X1, X2, X3", "")))
    values = draw_residues(open_stream(0, "few"), PRIME, pmap.parameter_count)
    at = find_kernel_at_point(
        Point(pmap, PRIME, "", values), np.zeros((0, pmap.parameter_count), dtype=np.int64), list_sums_of_cells(pmap)
    )
    missing = pmap.parameter_count - brute.dimension(pmap.model)

    assert 8 == missing
    assert any(len(moves) == 27 for moves in choose_moves(pmap, at, missing))
    assert choose_moves(pmap, at, missing + 3) is None
    assert [] == choose_moves(pmap, at, 0)


def test_proportional_rows_are_dropped():
    """Multiples by polynomials and by numbers; the rank stays the same."""
    _, (x, y) = make_polynomials(2)
    rows = [{0: x, 1: y}, {0: -3 * x * x, 1: -3 * x * y}, {0: x, 1: -y}, {}, {1: 2 * y}, {1: x}]
    found = drop_proportional_rows(rows)

    assert [{0: x, 1: y}, {0: x, 1: -y}, {1: x**0}] == found
    whole = [[row.get(place, x * 0) for place in (0, 1)] for row in rows]
    assert 2 == len(find_generic_rank(whole)[0]) == len(eliminate_primitive_rows(found, TermWork(1000)))
