"""Symmetry of Gaussian models: scale, mean, rotation, errors, and what fixed and equal entries do to them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations, product
from math import prod

import pytest
from amount import IS_ALL, daily, drawn, in_turn
from brute_gaussian import MINUS, Dual, total
from suites.random_gaussians import factor_model, gaussian_model

import algdim
from algdim import dimension
from algdim.families.gaussian import symmetry as gaussiansymmetry
from algdim.families.gaussian.map import get_gaussian_map
from algdim.families.gaussian.model import Gaussian
from algdim.families.gaussian.search import GaussianSetting
from algdim.families.gaussian.symmetry import (
    PolynomialEntries,
    bound_by_symmetry,
    iterate_moves,
    list_factors,
    search_fields,
)


def symmetry(model, lower=0):
    """Return the bound for a model."""
    return bound_by_symmetry(GaussianSetting(get_gaussian_map(model), lower))


def with_fixed(model, **values):
    """Return a factor model with variances fixed."""
    fixed = tuple((("v", name), Fraction(value)) for name, value in values.items())
    return Gaussian(model.variables, model.edges, model.bidirected, model.means, fixed)


@pytest.mark.parametrize(
    ("factors", "items", "means"),
    daily([(k, m, s) for k, m, s in product(range(1, 10), range(2, 11), (False, True)) if k < m], 10),
)
def test_factor_models(factors, items, means):
    """k factors and m items have min(m(k+1) − k(k−1)/2, m(m+1)/2) dimensions and m more for the means, proved."""
    report = dimension(factor_model(factors, items, means=means))
    expected = min(items * (factors + 1) - factors * (factors - 1) // 2, items * (items + 1) // 2) + items * means

    assert (expected, True) == (report.dimension, report.exact)


def test_pentad_by_symmetry():
    """Two factors and five items: codimension 1 by scales and a rotation, which no minor shows."""
    found = symmetry(factor_model(2, 5))

    assert 14 == found.value
    assert {"the scale of F1", "the scale of F2", "the rotation of F1 and F2"} <= set(
        found.reason.split(", ", 1)[1].split("; ")
    )


def test_a_fixed_variance_takes_the_scale_away_and_not_the_rotation():
    """Factors with variance 1 cannot be scaled, but rotated; with one loading fixed to 0, they cannot be rotated either."""
    model = factor_model(2, 6)
    unit = with_fixed(model, F1=1, F2=1)
    zero = Gaussian(unit.variables, unit.edges, (), False, (*unit.fixed, (("b", "F1", "X1"), Fraction(0))))

    assert len(get_gaussian_map(unit).parameters) - 1 == symmetry(unit).value
    assert symmetry(zero) is None
    assert 17 == dimension(unit).dimension == dimension(zero).dimension


def test_equal_entries():
    """Loadings that are all equal can be scaled together; equal error variances do not hinder that."""
    model = factor_model(1, 4)
    same = tuple((("b", "F1", f"X{number}"), "l") for number in range(1, 5))
    two = same[:2]

    for equal, expected in ((same, 5), (two, 7)):
        one = Gaussian(model.variables, model.edges, (), False, (), equal)
        assert expected == symmetry(one).value == dimension(one).dimension


def test_two_scales_tied_by_equal_variances():
    """Factors with equal variances and different items can only be scaled together: one direction."""
    model = algdim.model("gaussian: F -> A, B, C; G -> D, E, I; F <-> G; hidden F, G; means off")
    tied = Gaussian(model.variables, model.edges, model.bidirected, False, (), ((("v", "F"), "s"), (("v", "G"), "s")))

    assert len(get_gaussian_map(tied).parameters) - 1 == symmetry(tied).value


def test_correlated_factors_with_the_same_items():
    """With a free covariance any combination of two factors can take the place of one: four directions."""
    model = algdim.model("gaussian: F, G -> A, B, C, D, E, I; F <-> G; hidden F, G; means off")

    assert len(get_gaussian_map(model).parameters) - 4 == symmetry(model).value == dimension(model).dimension


def test_the_error_of_a_latent_variable_with_one_child():
    """Its error cannot be told from that of its child."""
    found = symmetry(algdim.model("gaussian: A -> H -> B; hidden H; means off"))

    assert 3 == found.value
    assert "the error of H" in found.reason


def test_a_bow():
    """A -> B with correlated errors: the equations can be mixed although nothing is latent."""
    assert 3 == symmetry(algdim.model("gaussian: A -> B; A <-> B; means off")).value


@pytest.mark.parametrize("start", daily(range(0, 400, 50), 1))
def test_never_below_the_rank(start):
    """On random models of every kind the bound is no less than the rank; a fifth of them at least have one."""
    bounds = {seed: symmetry(gaussian_model(seed)) for seed in range(start, start + 50)}
    bounds = {seed: bound for seed, bound in bounds.items() if bound is not None}

    assert len(bounds) >= 10
    for seed, bound in bounds.items():
        assert bound.value >= dimension(gaussian_model(seed), bounds="counting,ambient,chance").dimension, seed


@pytest.mark.drawn
def test_most_random_models_are_proved():
    """Of the random models at least 98 of 100 have a dimension that is proved."""
    seeds = drawn(range(300), 75)
    exact = sum(dimension(gaussian_model(seed), bounds="counting,ambient,minors,symmetry").exact for seed in seeds)

    assert (0.98 if IS_ALL else 0.9) * len(seeds) <= exact


@in_turn(3)
def test_a_hundred_indicators():
    """Ten factors with 100 indicators are proved without the table of coordinates."""
    report = dimension(factor_model(10, 100))

    assert (100 * 11 - 45, True) == (report.dimension, report.exact)


def observed_slopes(model, numbers, slopes):
    """The derivatives of observed means and covariances, if the entries have these values and slopes."""
    names = [variable.name for variable in model.variables]

    def entry(*keys):
        values = [Dual(numbers.get(key, 0), {"t": slopes.get(key, Fraction(0))}) for key in keys]
        return total(values)

    left = [
        [Dual(int(one == other)) + MINUS * entry(("b", other, one)) for other in names]
        + [Dual(int(one == k)) for k in names]
        for one in names
    ]
    size = range(len(names))
    for k in size:
        pivot = next(i for i in size if i >= k and left[i][k].value)
        left[k], left[pivot] = left[pivot], left[k]
        inverse = left[k][k].inverse()
        left[k] = [inverse * x for x in left[k]]
        for i in size:
            if i != k:
                factor = MINUS * left[i][k]
                left[i] = [x + factor * y for x, y in zip(left[i], left[k], strict=True)]
    effects = [row[len(names) :] for row in left]
    errors = [[entry(("v", a)) if a == b else entry(("c", a, b), ("c", b, a)) for b in names] for a in names]
    seen = [i for i in size if model.variables[i].observed]
    moments = [total(effects[i][k] * entry(("m", names[k])) for k in size) for i in seen]
    moments += [
        total(effects[i][k] * errors[k][n] * effects[j][n] for k in size for n in size) for i in seen for j in seen
    ]
    return [moment.slopes.get("t", 0) for moment in moments]


@pytest.mark.parametrize("seed", daily(range(24), 8))
def test_no_move_changes_what_is_observed(seed):
    """Along every move the derivatives of observed means and covariances are 0, exactly, by dual numbers."""
    model = gaussian_model(seed, most=4)
    gmap = get_gaussian_map(model)
    entries, draw = PolynomialEntries(gmap), random.Random(seed)
    point = [Fraction(draw.randint(1, 99), 100) for _ in gmap.parameters]
    numbers = {**gmap.value_of, **{entry: point[number] for entry, number in gmap.number_of.items()}}
    for move in iterate_moves(entries):
        change = entries.change(move).items()
        slopes = {
            entry: sum((value * prod(point[k] for k in monomial) for monomial, value in one.items()), start=Fraction(0))
            for entry, one in change
        }

        assert not any(observed_slopes(model, numbers, slopes)), move


@pytest.mark.parametrize("seed", range(24))
def test_factors_are_the_free_entries_of_two_errors(seed):
    """Both variances and the covariance, whatever its order, if they are parameters."""
    entries = PolynomialEntries(get_gaussian_map(gaussian_model(seed)))
    free = [entry for entry in entries.gmap.number_of if entry[0] in {"v", "c"}]
    for one, other in permutations(entries.names, 2):
        expected = [entry for entry in free if {*entry[1:]} <= {one, other}]

        assert sorted(expected) == sorted(list_factors(entries, one, other))


def test_moves_beyond_the_limits_are_not_tried(monkeypatch):
    """With room for few moves, or for few terms, fewer fields are found, and the bound is still one."""
    gmap = get_gaussian_map(factor_model(2, 6))
    everything = sum(map(len, search_fields(PolynomialEntries(gmap))))
    for name, most in (("MOST_MOVES", 1), ("MOST_TERMS", 7)):
        monkeypatch.setattr(gaussiansymmetry, name, most)

        assert 1 == sum(map(len, search_fields(PolynomialEntries(gmap)))) < everything
        assert 17 <= symmetry(factor_model(2, 6)).value
        monkeypatch.undo()
