"""Tetrads, minors, pentads and vanishing covariances on data."""

import csv
import subprocess
from fractions import Fraction
from io import StringIO
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from amount import daily, some
from hypothesis import given, settings
from hypothesis import strategies as st
from real_lavaan import needs_lavaan

import algdim
from algdim.families.gaussian.tetrads import compute_wishart_variance, linearize, measure_equations
from algdim.fitting.mixedsamples import read_mixed

ONE_FACTOR = "gaussian: H -> X1, X2, X3, X4; hidden H; means off"
MODELS = (
    ONE_FACTOR,
    "gaussian: F, G -> A, B, C, D, E; hidden F, G; means off",
    "gaussian: F, G -> A, B, C, D, E, I; hidden F, G; means off",
    "gaussian: A -> C <- H -> D <- B; hidden H",
    "gaussian: A -> B -> C -> D; U -> B, D; hidden U",
    "gaussian: H -> X1, X2, X3; hidden H; fix m(X1)=0, m(H)=0",
)
SHOWN = {model: algdim.constraints(model, size=3).constraints for model in MODELS}
POLYNOMIAL = [(model, equation) for model, found in SHOWN.items() for equation in found if equation.kind != "kernel"]


def draw(names, cases, seed, covariance=None):
    """Cases from a normal distribution."""
    random = np.random.default_rng(seed)
    root = random.normal(size=(len(names), len(names))) if covariance is None else np.linalg.cholesky(covariance)
    values = random.normal(size=(cases, len(names))) @ root.T
    return dict(zip(names, values.T.tolist(), strict=True))


def names_of(model):
    """The observed variables."""
    return [variable.name for variable in algdim.model(model).observed]


@given(st.sampled_from(POLYNOMIAL), st.integers(0, 1000))
@settings(max_examples=some(20), deadline=None)
def test_changes_are_derivatives(case, seed):
    """tr(G dS) of every equation is what its left side changes by, by differences in all directions."""
    model, equation = case
    names = names_of(model)
    sample = read_mixed(draw(names, 20, seed), names)
    line = linearize(equation, sample)
    turn = np.random.default_rng(seed).normal(size=(len(names), len(names)))
    turn = turn + turn.T
    step = 1e-6

    def value(sign):
        moved = SimpleNamespace(
            continuous=sample.continuous, covariance=sample.covariance + sign * step * turn, mean=sample.mean
        )
        return linearize(equation, moved).value

    wanted = (value(1) - value(-1)) / (2 * step)

    assert np.trace(line.covariances @ turn) == pytest.approx(wanted, rel=1e-4, abs=1e-5 * (1 + abs(wanted)))


def compute_wishart_moment(sigma, pairs, freedom):
    """E of a product of entries of a Wishart matrix: over all ways to join the ends, the degrees of freedom to the number of rings."""
    ends = [end for pair in pairs for end in pair]

    def joinings(left):
        if not left:
            yield []
            return
        first, *rest = left
        for place, other in enumerate(rest):
            for more in joinings(rest[:place] + rest[place + 1 :]):
                yield [(first, other), *more]

    total = Fraction(0)
    for joined in joinings(list(range(len(ends)))):
        partner = dict(joined) | {b: a for a, b in joined}
        seen, rings = set(), 0
        for start in range(len(ends)):
            if start in seen:
                continue
            rings += 1
            at = start
            while at not in seen:
                seen.add(at)
                at = partner[at]
                seen.add(at)
                at ^= 1
        weight = Fraction(freedom) ** rings
        for a, b in joined:
            weight *= sigma[ends[a]][ends[b]]
        total += weight
    return total


@pytest.mark.parametrize("freedom", [3, 7, 40])
def test_the_variance_of_a_tetrad_is_that_of_wishart(freedom):
    """The second moment of a vanishing tetrad of a Wishart matrix, from Isserlis' theorem in fractions."""
    loadings = [Fraction(number, 4) for number in (3, 5, 2, 7)]
    sigma = [
        [a * b + (Fraction(i + 2, 3) if i == j else 0) for j, b in enumerate(loadings)] for i, a in enumerate(loadings)
    ]
    terms = [(1, [(0, 2), (1, 3)]), (-1, [(0, 3), (1, 2)])]
    second = sum(
        s * t * compute_wishart_moment(sigma, [*one, *other], freedom) for (s, one), (t, other) in product(terms, terms)
    )
    wanted = second / (freedom * (freedom - 1)) ** 2
    cases = freedom + 1
    matrix = np.array(sigma, dtype=float) * freedom / cases

    assert compute_wishart_variance(matrix, (0, 1), (2, 3), cases) == pytest.approx(float(wanted), rel=1e-9)


def test_both_tests_agree_with_many_cases():
    """The variance to first order is that of Wishart but for terms of order 1/N²."""
    names = names_of(ONE_FACTOR)
    tests = algdim.constraints(ONE_FACTOR, data=draw(names, 5000, 3, one_factor())).tests

    for one in tests.tested:
        ((name, p),) = one.statistic.others
        assert "Wishart" == name
        assert one.statistic.p == pytest.approx(p, abs=0.002)


def one_factor(loadings=(1.0, 0.8, 1.2, 0.6), errors=(1.0, 0.5, 1.5, 0.7)):
    """The covariance matrix of a model with one factor."""
    return np.outer(loadings, loadings) + np.diag(errors)


@pytest.mark.parametrize("seed", daily(range(3), 1))
def test_all_tetrads_together_are_near_the_likelihood_ratio(seed):
    """Both are χ² with two degrees of freedom and differ by terms that vanish with the number of cases."""
    data = draw(names_of(ONE_FACTOR), 20_000, seed, one_factor())
    together = algdim.constraints(ONE_FACTOR, data=data).tests.together
    fitted = algdim.score(data, ONE_FACTOR).goodness

    assert (2, 2) == (together.dof, fitted.dof)
    assert together.value == pytest.approx(fitted.g2, rel=0.03, abs=0.02)


def test_a_direct_effect_is_seen():
    """With X1 -> X2 beside the factor the tetrads that have both pairs apart do not vanish, and the one without stays."""
    random = np.random.default_rng(0)
    data = draw(names_of(ONE_FACTOR), 3000, 5, one_factor())
    data["X2"] = (np.array(data["X2"]) + 0.8 * np.array(data["X1"]) + random.normal(size=3000)).tolist()
    tests = algdim.constraints(ONE_FACTOR, data=data).tests
    kept = [one for one in tests.tested if one.corrected >= 0.05]

    assert 2 == len(tests.rejections)
    assert ["cov(X1,X4) cov(X2,X3) − cov(X1,X3) cov(X2,X4) = 0"] == [one.text for one in kept]
    assert tests.together.p < 1e-6


def test_a_vanishing_covariance_is_the_test_of_a_correlation():
    """N r² / (1 + r²) to first order at S: the variance of a covariance is (σ11 σ22 + σ12²)/N."""
    model = "gaussian: A -> C <- B; means off"
    data = draw(["A", "B", "C"], 200, 1)
    tests = algdim.constraints(model, data=data).tests
    r = np.corrcoef(data["A"], data["B"])[0, 1]
    (found,) = [one for one in tests.tested if "zero" == one.kind]

    assert found.statistic.value == pytest.approx(200 * r**2 / (1 + r**2))


def test_a_vanishing_mean_is_the_test_of_a_mean():
    """N m²/s², s² with N in the denominator."""
    model = MODELS[-1]
    data = draw(["X1", "X2", "X3"], 50, 2)
    (found,) = algdim.constraints(model, data=data).tests.tested
    values = np.array(data["X1"])

    assert found.statistic.value == pytest.approx(50 * values.mean() ** 2 / values.var())


def test_what_has_no_test_is_named():
    """Verma-type equations of regressions are no polynomials in covariances."""
    tests = algdim.constraints(MODELS[4], data=draw(["A", "B", "C", "D"], 100, 1)).tests

    assert ("Verma-type equations of regressions, 1 of 1",) == tests.untested
    assert ["partial"] == [one.kind for one in tests.tested]


def count_rejections(model, covariance, cases, runs):
    """In how many data sets some equation is rejected, and all together, and single p-values below .05."""
    names = names_of(model)
    equations = algdim.constraints(model).constraints
    some_rejected = together_rejected = single = total = 0
    for seed in range(runs):
        statistics, together = measure_equations(equations, read_mixed(draw(names, cases, seed, covariance), names))
        ps = [one.p for one in statistics]
        some_rejected += min(ps) * len(ps) < 0.05
        together_rejected += together.p < 0.05
        single += sum(p < 0.05 for p in ps)
        total += len(ps)
    return some_rejected / runs, together_rejected / runs, single / total


@pytest.mark.slow
def test_the_level_is_kept():
    """2000 data sets of 400 cases from a factor model: .05 for one test and for all together, at most .05 that Holm rejects any."""
    some_rejected, together, single = count_rejections(ONE_FACTOR, one_factor(), 400, 2000)
    error = (0.05 * 0.95 / 2000) ** 0.5

    assert some_rejected < 0.05 + 4 * error
    assert abs(together - 0.05) < 4 * error + 0.01
    assert abs(single - 0.05) < 4 * error + 0.01


BOLLEN_TING = """
suppressMessages(library(lavaan))
y <- as.matrix(PoliticalDemocracy[, c("y1", "y2", "y3", "y4")])
n <- nrow(y)
s <- cov(y) * (n - 1) / n
pairs <- list(c(1, 2), c(1, 3), c(1, 4), c(2, 3), c(2, 4), c(3, 4))
cov_of_covs <- sapply(pairs, function(p) sapply(pairs, function(q)
  s[p[1], q[1]] * s[p[2], q[2]] + s[p[1], q[2]] * s[p[2], q[1]]))
at <- function(i, j) s[i, j]
t <- c(at(1, 2) * at(3, 4) - at(1, 3) * at(2, 4), at(1, 4) * at(2, 3) - at(1, 3) * at(2, 4))
d <- rbind(c(at(3, 4), -at(2, 4), 0, 0, -at(1, 3), at(1, 2)), c(0, -at(2, 4), at(2, 3), at(1, 4), -at(1, 3), 0))
v <- d %*% cov_of_covs %*% t(d) / n
cat(n, t %*% solve(v) %*% t, t[1]^2 / v[1, 1], t[2]^2 / v[2, 2], "\\n", sep = " ")
write.csv(y, row.names = FALSE)
"""
"""Bollen and Ting (1993) written out for the two independent tetrads of four indicators: the covariance matrix of six covariances
under normality, and the delta method; on the indicators of democracy in 1960 of 75 countries (Bollen 1989), as lavaan has them."""


def test_the_simultaneous_test_is_that_of_another_program():
    """T and both single statistics on data in print, computed by R from the formulas, not from matrices of derivatives."""
    needs_lavaan()
    ended = subprocess.run(
        ["Rscript", "-"], input=BOLLEN_TING, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    first, _, table = ended.stdout.partition("\n")
    cases, together, one, other = map(float, first.split())
    rows = list(csv.DictReader(StringIO(table.replace('"', ""))))
    data = {name: [float(row[name]) for row in rows] for name in ("y1", "y2", "y3", "y4")}
    tests = algdim.constraints("gaussian: F -> y1, y2, y3, y4; hidden F; means off", data=data).tests
    values = [found.statistic.value for found in tests.tested]

    assert 75 == cases == len(rows)
    assert tests.together.value == pytest.approx(together, rel=1e-6)
    assert 2 == tests.together.dof
    assert all(any(value == pytest.approx(wanted, rel=1e-6) for value in values) for wanted in (one, other))


@pytest.mark.parametrize("unit", [1e-13, 1e13, 1e150, 1e200])
@pytest.mark.filterwarnings("ignore:(overflow|invalid value) encountered:RuntimeWarning")
def test_units_without_floating_point_products_are_refused(unit):
    """A variance of 0 or infinity gave χ² = 0, "no equation is rejected", whatever the data."""
    data = draw(["X1", "X2", "X3", "X4"], 200, 5)
    data = {name: [unit * value for value in values] for name, values in data.items()}

    with pytest.raises(algdim.InputError, match=r"the variance of X\d is|beyond floating point"):
        algdim.constraints(ONE_FACTOR, data=data)


def test_a_statistic_does_not_depend_on_units():
    """Of each variable, within the bounds."""
    data = draw(["X1", "X2", "X3", "X4"], 200, 5)
    other = {name: [unit * value for value in data[name]] for name, unit in zip(data, (1e-8, 1, 1e5, 1e8), strict=True)}
    values = [
        [one.statistic.value for one in algdim.constraints(ONE_FACTOR, data=some).tests.tested]
        for some in (data, other)
    ]

    assert values[0] == pytest.approx(values[1], rel=1e-6)
