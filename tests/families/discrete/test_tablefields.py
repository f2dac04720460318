"""Fields that move one table: models that nothing else proves, identities of polynomials, dimensions by definition."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import inf

import brute
import numpy as np
import pytest
from amount import drawn
from suites.random_networks import Kind, draw

import algdim
from algdim.bound.interpolation import PRIME
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds import circuits, polynomialfields
from algdim.families.discrete.bounds.directions import Point, draw_point
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.bounds.symmetry import bound_by_symmetry, iterate_polynomial_maps
from algdim.families.discrete.bounds.tablefields import TableFields, evaluate_fields, list_tables
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse

MEETING = "A, C -> G; B, C -> H; D, G, H -> Y; hidden G, H; states G=3, H=3, D={}, Y={}; given A, B, C, D"
"""For each state of C the rows P(G | A, C) lie on a line in the plane of the distributions of three states, and these lines meet.

So do those of H. At the two points P(Y | D, …), D·(Y − 1) numbers, is the same for both states of C, and the points have four unknown places.
"""
WEIGHTS = "A -> H; B, H -> G; D, H, G -> Y; hidden H, G; states H=3, B=7, D=3; given A, B, D"
"""Two rows of P(H | A) leave a vector v(h) that is 0 on both, the same for all states of B and D: weights 1 + ε·v(h) keep the rows' sums."""
SMALL = Kind((4, 6), (2, 3), 0.45, 0.5, 128)


@pytest.mark.parametrize("states", [(3, 3), (7, 2)])
def test_lines_that_meet(states):
    """As many equations as numbers less four; other bounds find none."""
    text, numbers = MEETING.format(*states), states[0] * (states[1] - 1)
    report = algdim.dimension(text, bounds="counting,ambient,symmetry,districts")

    assert (8 * numbers - (numbers - 4), True) == (report.dimension, report.exact)
    assert brute.dimension(parse(text)) == report.dimension
    assert 8 * numbers == algdim.dimension(text, bounds="counting,ambient,grids,determinants,districts").upper.value


def test_a_district_of_a_wide_network():
    """88 of 96: D is two observed variables, and Y has three states."""
    text = """X2, X5 -> H5; X5, H1 -> H6; X1, H3, H5, H6 -> X12; hidden H5, H6; states H3=3, H5=3, H6=3, X12=3;
    given X1, X2, X5, H1, H3"""

    assert (88, True) == (algdim.dimension(text).dimension, algdim.dimension(text).exact)


@pytest.mark.slow
def test_the_certificate_has_the_fields():
    """As formulas around both hidden variables; the checker multiplies them out for itself. A coefficient that is another is refused."""
    certificate = algdim.prove(MEETING.format(3, 3))
    along = [one["along"] for one in certificate.data["evidence"]["upper"]["fields"] if "along" in one]

    assert algdim.verify(certificate)
    assert len(along) == 12
    term = next(iter(along[0].values()))["sum"][0]["product"]
    term[0] = str(Fraction(term[0]) + 1)
    assert not algdim.verify(certificate)


def test_weights_of_hidden_states():
    """Proved by fields that move both tables, the one of H and the one of Y; the dimension is that by definition."""
    report = algdim.dimension(WEIGHTS, bounds="counting,ambient,symmetry,districts")
    fields = [field for one in report.upper.evidence["fields"] for field in one.get("fields", [])]

    assert (33, True) == (report.dimension, report.exact)
    assert 33 == brute.dimension(parse(WEIGHTS))
    assert any({"P(H", "P(Y"} == {name[:3] for name in field} for field in fields)


def draw_fields(count, seed):
    """Fields that move one table of local maps of random networks, or give weights in two."""
    source, found = random.Random(seed), Counter()
    while min(found["table"], found["weights"]) < count:
        model = draw(source, SMALL)
        for pmap, _ in iterate_polynomial_maps(model, source.choice([1, 2])):
            if not 0 < pmap.cells * pmap.parameter_count <= 4000:
                continue
            values = draw_residues(open_stream(0, "point", seed, sum(found.values())), PRIME, pmap.parameter_count)
            point = Point(pmap, PRIME, "", values.astype(np.int64))
            search = TableFields(point, 0)
            for table in list_tables(pmap):
                for kind, find in (("table", search.find_of_table), ("weights", search.find_of_weights)):
                    fields = find(point, table, len)
                    if fields and found[kind] < count:
                        found[kind] += 1
                        yield kind, pmap, point, source.choice(fields)


@pytest.mark.drawn
def test_fields_are_identities():
    """By products of tables and by the Jacobian, both of polynomials; not if a coefficient is another. They have values at the point."""
    for _, pmap, point, field in drawn(list(draw_fields(20, 1)), 8):
        (parameter, ((factors, number), *more)), *others = field.terms
        wrong = polynomialfields.PolynomialField(((parameter, ((factors, number + 1), *more)), *others))
        values = polynomialfields.evaluate_field(field, point.values.tolist(), point.prime)

        assert circuits.is_identity(pmap, field)
        assert polynomialfields.is_identity(pmap, field)
        assert not circuits.is_identity(pmap, wrong)
        assert values == evaluate_fields(point, [field])[0].tolist()


@pytest.mark.slow
def test_bounds_are_no_smaller_than_the_dimension():
    """Of random networks with such fields, with all symmetries that are found for one dimension less."""
    source, met = random.Random(3), 0
    for _ in range(400):
        model = draw(source, SMALL)
        pmap = get_param_map(model)
        if not model.hidden or pmap.cells * pmap.parameter_count > 10_000:
            continue
        rank = brute.dimension(model)
        setting, _ = make_closed_setting(pmap, max(0, rank - 1), 0)
        tables, bound = TableFields(draw_point(setting), setting.lower), bound_by_symmetry(setting)
        met += any(list(tables.of(*local, [])) for local in iterate_polynomial_maps(setting.pmap.model, 1))

        assert rank <= (inf if bound is None else bound.value), model
    assert met > 20


def test_rows_are_independent_of_what_is_known():
    """Rows chosen from those of a table are independent of each other and of known directions, and as many as there can be."""
    from algdim.bound.searches import Directions
    from algdim.families.discrete.bounds.tablefields import select_new

    prime, source = 101, np.random.default_rng(0)
    rows = source.integers(0, prime, (4, 5))
    known = Directions(np.array([2, 9]), np.array([[1, 0]]), "", {})
    rows[3] = rows[0] + rows[1]
    rows[2] = (rows[0] + 7 * np.eye(5, dtype=np.int64)[1]) % prime  # parameter 2 stands second
    parameters = np.array([1, 2, 3, 4, 5])

    assert [0, 1] == select_new(rows % prime, parameters, [known], prime)
    assert [0, 1, 2] == select_new(rows % prime, parameters, [], prime)
    assert 3 == rank_mod(rows % prime, prime).value
