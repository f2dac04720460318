"""Forms on grids: the example of two hidden variables, the matrices on models, and random models against the rank by definition."""

from __future__ import annotations

import random

import brute
import numpy as np
import pytest

import algdim
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import both_kernels, rank_mod
from algdim.families.discrete.bounds.equations import start
from algdim.families.discrete.bounds.flattenings import Separators
from algdim.families.discrete.bounds.grids import bound_by_grids, bound_grid_rank, iterate_grids
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.functionals import select_all_cells
from algdim.families.discrete.map import get_param_map
from algdim.jacobian import evaluate_jacobian
from algdim.models.notation import parse

TWO = "H1 -> X1, X2, X3; H2 -> X2, X3, X4; hidden H1, H2"


def setting_of(text, lower=0):
    """The setting of a closed model that is to be proved to have a dimension, and what its roots add."""
    return make_closed_setting(get_param_map(parse(text)), lower, 0)


@pytest.mark.parametrize(
    ("text", "expected"), [(TWO, 13), (f"{TWO}; states X1=3", 15), (TWO.replace("H2 ->", "H1 -> H2 ->"), 14)]
)
def test_dimensions_that_need_a_grid(text, expected):
    """As by definition; flattenings leave one more, and the checker accepts the certificate."""
    report = algdim.dimension(text)

    assert (expected, "grids", True) == (report.dimension, report.upper.kind, report.exact)
    assert "grids" in report.upper.trust.lemmas
    assert expected == brute.dimension(parse(text))
    assert expected < algdim.dimension(text, bounds="ambient,flattenings,koszul").upper.value
    verified = algdim.verify(algdim.prove(text))
    assert verified
    assert "grids" in verified.trust.lemmas


@pytest.mark.parametrize(
    "states", ["", "; states X2=3, X3=3", "; states H1=3, X1=3, X2=3", "; states H1=3, X1=4, X2=3"]
)
def test_matrices_have_no_greater_rank_and_their_forms_vanish_on_tangents(states):
    """Each matrix has at the point at most the rank of the lemma; its forms are zero on the columns of the Jacobian."""
    setting, _ = setting_of(TWO + states)
    collector, field = start(setting), start(setting).basis.field
    stream = open_stream(setting.seed, "point", *setting.labels, 0)
    point = field.elements(draw_residues(stream, field.prime, len(setting.pmap.parameters)))
    tangents = evaluate_jacobian(setting.pmap, field, point, select_all_cells(setting.pmap))
    forms = 0
    for grid in iterate_grids(Separators(setting)):
        for _, matrix in grid.matrices(collector.at):
            assert rank_mod(matrix.values, field.prime).value <= matrix.rank
            kernels = both_kernels(matrix.values, matrix.rank, field.prime)
            if kernels is not None:
                found = collector.forms(matrix, kernels, 5)
                assert not field.matmul(found, tangents).any()
                forms += int(np.count_nonzero(found.any(axis=1)))

    assert forms


def test_coefficients_are_those_of_the_minor():
    """At random vectors the form of a matrix with one minor is the minor of the contracted table."""
    setting, _ = setting_of(f"{TWO}; states X1=3, X2=3")
    collector = start(setting)
    prime = collector.at.prime
    grid = next(one for one in iterate_grids(Separators(setting)) if len(one.minors) == 1)
    (_, matrix), *_ = grid.matrices(collector.at)
    source = random.Random(0)
    alpha, beta = ([source.randrange(1000) for _ in range(size)] for size in matrix.inner.shape[:2])
    table = np.einsum("abyz,a,b->yz", matrix.inner.astype(object), alpha, beta)
    i, k, j, m = grid.minors[0]
    minor = table[i, j] * table[k, m] - table[i, m] * table[k, j]
    rows, columns = ([one[p] * one[q] for p in range(len(one)) for q in range(p, len(one))] for one in (alpha, beta))
    values = np.remainder(matrix.values, prime).astype(np.int64).astype(object)

    assert minor % prime == sum(x * y * values[r, c] for r, x in enumerate(rows) for c, y in enumerate(columns)) % prime


def test_ranks_that_say_something():
    """By hand: 1 + 1 of a 3 × 3 matrix, 3 + 2 of a 6 × 6 matrix, 18 − 6 of a matrix with 18 rows."""
    assert 2 == bound_grid_rank((2, 2), 1, together=False)
    assert 5 == bound_grid_rank((3, 2), 2, together=False)
    assert 12 == bound_grid_rank((3, 2), 36, together=True)
    assert bound_grid_rank((3, 2), 12, together=True) is None
    assert bound_grid_rank((2, 3), 1, together=False) is None


@pytest.mark.slow
def test_bounds_by_grids_hold():
    """Random models with two hidden variables and more arcs: all equations leave no fewer dimensions than the rank by definition."""
    source, met = random.Random(0), 0
    for _ in range(400):
        text = draw_crossing(source)
        model = parse(text)
        setting, extra = make_closed_setting(get_param_map(model), 0, source.randrange(100))
        bound = bound_by_grids(setting)
        if bound is not None:
            met += 1
            assert bound.value - extra >= brute.dimension(model), text
    assert met > 60


def draw_crossing(source):
    """Two hidden variables with a child of their own and two in common, or more; some arcs besides, some shared tables."""
    arcs = [("H1", "X1"), ("H2", "X4"), *((h, x) for h in ("H1", "H2") for x in ("X2", "X3"))]
    more = [
        ("H1", "H2"),
        ("X1", "X2"),
        ("X2", "X3"),
        ("H2", "X1"),
        ("X5", "X2"),
        ("X5", "X3"),
        ("X5", "H1"),
        ("X5", "X1"),
    ]
    arcs += source.sample(more, source.choice([0, 0, 1, 1, 2]))
    if source.random() < 0.2:
        arcs.remove(source.choice(arcs))
    used = sorted({name for arc in arcs for name in arc})
    states = ", ".join(f"{name}={3 if source.random() < 0.25 else 2}" for name in used)
    hidden = ", ".join(name for name in used if name[0] == "H")
    given = "; given X5" if "X5" in used and source.random() < 0.5 else ""
    return f"{'; '.join(f'{one} -> {other}' for one, other in arcs)}; states {states}; hidden {hidden}{given}"
