"""The parameters that the report of a dimension calls lost, and the draws behind the verdicts."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from unittest import mock

import brute
import numpy as np
import pytest
from amount import some
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from suites.random_gaussians import gaussian_model

import algdim
from algdim import LimitError, dimension, identify
from algdim.cli import main
from algdim.exact.ranks import compute_kernel, rank_mod
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.identifiability import groups
from algdim.identifiability.identifying import ParameterSearch
from algdim.identifiability.rowspaces import (
    MOST_PARAMETERS,
    compute_kernel_basis,
    draw_enough_points,
    find_lost_parameters,
    find_moved_at_new_point,
    find_moved_at_ranks,
    make_point_source,
)
from algdim.maps import map_of
from algdim.rank import compute_rational_jacobian

PRIME = 8388593


@pytest.mark.parametrize("seed", range(20))
def test_one_point_sees_what_identify_sees(seed):
    """The cheap line of the dimension names the parameters that all points together show to move."""
    model = gaussian_model(seed, most=5)
    report = dimension(model)
    found = find_lost_parameters(report)

    assert identify(model).lost == (found.names if found else ())


@pytest.mark.parametrize(
    "model",
    [
        "3:2,2,2,2",
        "A -> C <- H -> D <- B; hidden H; states H=3",
        "F, G -> A, D; A -> B; H, K -> B, C; hidden F, G, H, K",
        "A -> B; H -> C, D; hidden H; states H=3; E -> C; hidden L; A -> L",
        "H -> A, B, C; hidden H; states H=4; D -> A; fix P(D=0) = 1/3",
        "gaussian: F -> X1, X2, X3, X4; X1 -> L; hidden F, L; means off",
        "loglinear: {H,A}, {H,B}; hidden H",
    ],
)
def test_the_points_of_the_dimension_show_what_another_point_shows(model):
    """The kernels of the parts, where their ranks were taken, name what the kernel of the whole names at a point of its own."""
    report = dimension(model)
    found = find_moved_at_ranks(report)

    assert found is not None
    assert found.names
    assert find_moved_at_new_point(report.preparation.whole_map, report, None).names == found.names
    assert set(found.names) == set(identify(model).lost)


def test_a_model_without_a_rank_of_its_own_has_one_point_drawn():
    """The ranks of a tree are those of its local models, and sigmoids that are as good as tables have other parameters."""
    for model in ("2:2,2", "sigmoid: H -> A, B; hidden H"):
        report = dimension(model)

        assert find_moved_at_ranks(report) is None
        assert "identify" in find_lost_parameters(report).trust.facts


def test_sentences():
    """All, one, some of the parameters; nothing where none is lost or the model is large."""
    report = dimension("2:2,2")

    assert "not identified (proved): all 5 parameters" == str(find_lost_parameters(report))
    report = dimension("A -> B; states C=2; hidden C")
    assert "not identified (proved): 1 of 4 parameters: P(C=0)" == str(find_lost_parameters(report))
    assert find_lost_parameters(dimension("2:2,2,2")) is None
    count = MOST_PARAMETERS // 2 + 1
    pairs = tuple(GaussianVariable(f"{kind}{n}", kind == "X") for n in range(count) for kind in "FX")
    large = Gaussian(pairs, tuple((f"F{n}", f"X{n}") for n in range(count)), means=False)
    assert find_lost_parameters(dimension(large)) is None


def test_what_a_probable_dimension_loses_has_its_number():
    """Where the dimension is probable the line has the chance; where it lies between bounds nothing is called lost."""
    cube = {"family": "polynomial", "parameters": ["a", "b", "c"], "coordinates": ["(a + b*c)^2", "(a + b*c)^3"]}
    drawn = dimension(cube, bounds="counting,ambient,chance")

    assert f"not identified ({drawn.trust}): all 3 parameters" == str(find_lost_parameters(drawn))
    assert "probable, error below" in str(drawn.trust)
    assert find_lost_parameters(dimension(cube, bounds="counting,ambient")) is None


@pytest.mark.parametrize(
    "text",
    [
        "3:2,2,2,2",
        "4:3,3,3",
        "A -> C <- H -> D <- B; hidden H",
        "max: {A},{B} -> E",
        "gaussian: H -> X1..X4; hidden H",
        "gaussian: X -> Y; X <-> Y; means off",
        "polynomial: parameters x, y, z; coordinates x*y, y*z, x*y^2*z",
    ],
)
def test_once_these_are_fixed_nothing_moves(text):
    """The columns of all others are independent at a rational point; any one of those that move, if one is too many."""
    report = dimension(text)
    lost, pmap = find_lost_parameters(report), report.preparation.whole_map
    point = [Fraction(2 * number + 3, 5 * number + 11) for number in range(len(pmap.parameters))]
    matrix = [list(row) for row in compute_rational_jacobian(pmap, point)]

    def rank_without(names):
        kept = [place for place, name in enumerate(pmap.parameters) if name not in names]
        return brute.rational_rank([[row[place] for place in kept] for row in matrix]), len(kept)

    assert len(lost.fixing) == report.redundant
    assert set(lost.fixing) <= set(lost.names)
    assert rank_without(lost.fixing) == (report.dimension, report.dimension)
    assert lost.any_one == (report.redundant == 1)
    for name in lost.names if lost.any_one else ():
        assert rank_without({name}) == (report.dimension, report.dimension)


def test_the_command_says_it_above_the_seed(capsys):
    """Between the numbers and the reasons; the seed in the last line; other methods than auto show what they find and no more."""
    main(["dim", "2:2,2", "--seed", "5"])
    lines = capsys.readouterr().out.splitlines()

    said = "  not identified (proved): all 5 parameters. Fixing 2 of them, e.g. P(H=0), P(X1=0|H=0), at almost any values, makes the others locally identified."
    assert said in lines
    assert "  seed 5" == lines[-1]
    assert lines.index("  df          0   proved; counting parameters gives −2") < lines.index(said)
    assert lines.index(said) < next(number for number, line in enumerate(lines) if line.startswith("  ≥ 3"))
    main(["dim", "2:2,2", "--method", "table"])
    assert "not identified" not in capsys.readouterr().out


@pytest.mark.parametrize(("error", "draws"), [(1e-10, 1), (1e-4, 3), (1.0, 2)])
def test_points_are_drawn_until_one_can_be_sure(error, draws, monkeypatch):
    """Chances multiply; where they say nothing, a second point is looked at and no third."""
    monkeypatch.setattr("algdim.identifiability.rowspaces.compute_draw_error", lambda *_: error)
    found = draw_enough_points(make_point_source(map_of(algdim.model("2:2,2,2")), 0, None), 7)

    assert draws == len(found)
    assert draws == len({one.prime for one in found}) == len({one.draw.point for one in found})


def test_combinations_are_sought_at_different_points_of_one_prime():
    """What is read off at one point alone would be no equation for another."""
    pmap = map_of(algdim.model("gaussian: F -> X1, X2, X3; hidden F; means off"))
    search = ParameterSearch(
        pmap, dimension("gaussian: F -> X1, X2, X3; hidden F; means off"), make_point_source(pmap, 0, None)
    )
    found = list(search.of_one_prime(7))

    assert 1 == len({one.prime for one in found})
    assert 2 < len(found) == len({tuple(one.point.tolist()) for one in found})


def test_what_is_lost_is_not_looked_for_where_that_is_much_work(monkeypatch):
    """A matrix with more numbers than a bound is not made for a remark."""
    report = dimension("2:2,2")
    assert 5 == len(find_lost_parameters(report).names)
    monkeypatch.setattr("algdim.identifiability.rowspaces.MOST_NUMBERS", 19)

    assert find_lost_parameters(report) is None


def test_the_memory_of_kernels_is_asked_for_before_it_is_taken():
    """It takes an inverse and copies, so that more may be needed than for the Jacobian."""
    pmap = map_of(algdim.model("6:2,2,2,2"))

    with pytest.raises(LimitError, match=r"the kernel of the Jacobian has 14 rows and 29 columns; .* allow more"):
        make_point_source(pmap, 0, 25_000).at(0)
    assert 15 == make_point_source(pmap, 0, 50_000).at(0).rank


def test_a_kernel_that_is_nearly_square_takes_no_more_than_the_jacobian():
    """Few of the parameters are seen: the whole kernel would have four million numbers, and so would each of its copies."""
    found = identify("A -> B -> C -> D; U -> B, D; hidden U; states U=400", max_memory=10_000_000)

    assert (11, 1999) == (found.report.dimension, len(found.lost))
    assert 1991 == len(found.fixing)


@settings(max_examples=some(40), deadline=None)
@given(st.integers(1, 6), st.integers(2, 8), st.randoms(use_true_random=False), st.sampled_from([0, 4000]))
def test_a_kernel_by_its_coefficients_is_the_kernel(height, width, source, tried):
    """Its vectors, where they are not zero, what they say of some columns, and the sets to fix, beside the whole matrix."""
    matrix = np.array(
        [[source.choice([0, 0, 1, -1, 2]) for _ in range(width)] for _ in range(height)], dtype=np.float64
    )
    rank = rank_mod(matrix, PRIME)
    whole = np.remainder(compute_kernel(matrix, rank, PRIME), PRIME).astype(np.int64)
    some_columns = sorted(source.sample(range(width), source.randint(1, width)))
    slopes = np.array([source.randrange(PRIME) for _ in range(width)], dtype=np.int64)
    basis = compute_kernel_basis(matrix, rank, PRIME)

    assert (whole == basis.at(range(width))).all()
    part = whole[:, some_columns]
    assert part[part.any(axis=1)].tolist() == basis.at(some_columns).tolist()
    supports = [tuple(np.flatnonzero(vector).tolist()) for vector in whole]
    assert groups.find_connected_components(supports) == basis.components()
    assert whole.any(axis=0).tolist() == basis.moved_columns.tolist()
    assert (whole @ slopes % PRIME).tolist() == basis.times(slopes, PRIME).tolist()
    assume(len(whole))
    squares = [
        columns
        for columns in combinations(range(width), len(whole))
        if rank_mod(np.ascontiguousarray(whole[:, list(columns)]), PRIME).value == len(whole)
    ]
    assert squares[0] == groups.find_first_fixing_set(basis, PRIME)
    with mock.patch.object(groups, "MOST_TRIED", tried):
        found = groups.find_fixing_sets(basis, PRIME).found
    exchanged = list(groups.iterate_exchanges(whole, PRIME))
    assert list(found) == (squares if tried else exchanged)[: groups.MOST_SETS]
