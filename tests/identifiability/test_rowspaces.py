"""The parameters that the report of a dimension calls lost, and the draws behind the verdicts."""

from __future__ import annotations

from fractions import Fraction

import brute
import pytest
from suites.random_gaussians import gaussian_model

import algdim
from algdim import LimitError, dimension, identify
from algdim.cli import main
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.identifiability.identifying import ParameterSearch
from algdim.identifiability.rowspaces import (
    MOST_PARAMETERS,
    draw_enough_points,
    find_lost_parameters,
    make_point_source,
)
from algdim.maps import map_of
from algdim.rank import compute_rational_jacobian


@pytest.mark.parametrize("seed", range(20))
def test_one_point_sees_what_identify_sees(seed):
    """The cheap line of the dimension names the parameters that all points together show to move."""
    model = gaussian_model(seed, most=5)
    report = dimension(model)
    found = find_lost_parameters(report)

    assert identify(model).lost == (found.names if found else ())


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
    lost, pmap = find_lost_parameters(report), report.prepared.whole_map
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

    said = "  not identified (proved): all 5 parameters. Fixing 2 of them, e.g. P(H=0), P(X1=0|H=0), makes the others locally identified."
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
    """A kernel is nearly square where few of the parameters are seen: it may be far larger than the Jacobian."""
    model = "H0, H1, H2, H3, H4, H5 -> A, B; hidden H0, H1, H2, H3, H4, H5"

    with pytest.raises(LimitError, match=r"the kernel of the Jacobian has 131 rows and 134 columns; .* allow more"):
        make_point_source(map_of(algdim.model(model)), 0, 500_000).at(0)
    assert 3 == make_point_source(map_of(algdim.model(model)), 0, 50_000_000).at(0).rank
