"""Laplace's approximation: its Hessian against differences, its value against the integral."""

import re
from math import lgamma, log

import numpy as np
import pytest
from amount import daily, in_turn
from brute_scores import log_dirichlet

import algdim
from algdim.families.discrete.map import get_param_map
from algdim.fitting.likelihood import make_likelihood_evaluator
from algdim.fitting.maximization import Prior
from algdim.fitting.record import convert_to_arrays
from algdim.fitting.samples import read_sample
from algdim.memory import allow
from algdim.scores.curvature import (
    compute_entry_directions,
    compute_hessian,
    compute_mixture_curvature,
    compute_mixture_gradient,
    evaluate_entries,
)
from algdim.scores.dirichlet import make_priors
from algdim.scores.laplace import (
    compute_curvature,
    compute_gradient,
    compute_laplace,
    compute_laplace_softmax,
    compute_log_relabellings,
)
from algdim.scores.scores import compute_scores
from algdim.scores.scoringcontext import Material

MODELS = [
    "2:2,3,2",
    "A -> B <- H -> C; hidden H; states H=3",
    "H -> A, B, C; hidden H; share t: A, B",
    "H -> K -> A, B; H -> C; hidden H, K; share u: K, A",
    "A -> B; H -> B, C; hidden H; fix P(C=1|H=0) = 1/4; given A",
    "max: {A,B},{B} -> E",
]


def material(text, rows=40, seed=2):
    """A model's map, data, and a point inside with its tables."""
    model = algdim.model(text)
    random = np.random.default_rng(seed)
    data = np.array([random.integers(0, variable.states, size=rows) for variable in model.observed]).T
    pmap = get_param_map(model)
    found = algdim.fit(data, model, starts=1, iterations=3, seed=seed)
    flat = np.concatenate([table.ravel() for table in convert_to_arrays(pmap, found.parameters)])
    start = evaluate_entries(pmap, np.zeros(len(pmap.parameters)))
    point, *_ = np.linalg.lstsq(compute_entry_directions(pmap), flat - start, rcond=None)
    return pmap, read_sample(data, model), point


def tables_at(pmap, point):
    """The arrays at a point, as one restart."""
    flat, result, start = evaluate_entries(pmap, point), [], 0
    for entries in pmap.arrays:
        size = int(np.prod(entries.shape))
        result.append(flat[start : start + size].reshape(1, *entries.shape))
        start += size
    return result


def differences(function, point, step=1e-4):
    """The Hessian of a function by central differences."""
    n = len(point)
    result, unit = np.empty((n, n)), np.eye(n) * step
    for i in range(n):
        for j in range(n):
            result[i, j] = (
                function(point + unit[i] + unit[j])
                - function(point + unit[i] - unit[j])
                - function(point - unit[i] + unit[j])
                + function(point - unit[i] - unit[j])
            ) / (4 * step**2)
    return result


BASES = ("laplace", "laplace-softmax")


@pytest.mark.parametrize("text", MODELS)
def test_the_hessian_agrees_with_differences(text):
    """The exact second derivatives are those of the log-likelihood as a function of the parameters."""
    pmap, sample, point = material(text)
    at = make_likelihood_evaluator(pmap, sample, 1)
    moved = compute_entry_directions(pmap)
    exact = moved.T @ compute_hessian(pmap, sample, tables_at(pmap, point)) @ moved

    def loglik(where):
        return float(at.log_values(tables_at(pmap, where))[0] @ sample.counts)

    scale = np.abs(exact).max()
    assert exact / scale == pytest.approx(differences(loglik, point) / scale, abs=1e-4)


@in_turn(2)
@pytest.mark.parametrize("text", daily(MODELS[:3], 1))
def test_the_value_is_the_formula_with_differences(text):
    """Both approximations equal their definition, the densities written out and all derivatives by differences."""
    pmap, sample, _ = material(text, rows=200, seed=5)
    priors = make_priors(pmap, Prior("alpha", 1.5))
    found = algdim.fit(sample, pmap.model, prior="alpha=1.5")
    soft = algdim.fit(sample, pmap.model, prior=Prior("alpha", 1.5, "softmax"))
    at = make_likelihood_evaluator(pmap, sample, 1)
    heights = {}
    for name, fit in (("free", found), ("softmax", soft)):
        rows = [np.array(row) for table in fit.parameters.values() for row in table]
        sizes = [len(row) - 1 for row in rows]
        log_odds = np.concatenate([np.log(row[:-1] / row[-1]) for row in rows])
        shares = np.concatenate([row[:-1] for row in rows])

        def posterior(where, *, name=name, sizes=sizes, fit=fit):
            pieces = np.split(where, np.cumsum(sizes)[:-1])
            rows = [spread(piece) if name == "softmax" else np.append(piece, 1 - piece.sum()) for piece in pieces]
            left = iter(rows)
            tables = {key: [next(left) for _ in table] for key, table in fit.parameters.items()}
            density = sum(log_dirichlet(row, 1.5) for row in rows)
            if name == "softmax":
                density += sum(float(np.log(row).sum()) for row in rows)
            return float(at.log_values(convert_to_arrays(pmap, tables))[0] @ sample.counts) + density

        where = log_odds if name == "softmax" else shares
        curvature = -differences(posterior, where, 1e-3 if name == "softmax" else 1e-4)
        sign, determinant = np.linalg.slogdet(curvature)
        assert sign == 1
        heights[name] = posterior(where) + len(where) / 2 * log(2 * np.pi) - determinant / 2
    free = compute_laplace(priors, sample, convert_to_arrays(pmap, found.parameters), found.loglik)
    tables, counts = convert_to_arrays(pmap, soft.parameters), convert_to_arrays(pmap, soft.expected)
    softmax = compute_laplace_softmax(priors, sample, tables, counts, soft.loglik)

    assert heights["free"] == pytest.approx(free, abs=1e-3)
    assert heights["softmax"] + compute_log_relabellings(pmap.model) == pytest.approx(softmax, abs=1e-3)


def spread(odds):
    """The probabilities of log-odds against the last."""
    values = np.exp(np.append(odds, 0.0))
    return values / values.sum()


@pytest.mark.parametrize(
    ("text", "count"),
    [("3:2,2", 6), ("2(2,3(2,2))", 12), ("A -> B", 1), ("H -> A, B; hidden H; fix P(A=1|H=0) = 0", 1)],
)
def test_hidden_states_can_be_relabelled(text, count):
    """Each free hidden variable with k states has k! relabellings; a fixed entry tells its states apart."""
    assert log(count) == pytest.approx(compute_log_relabellings(algdim.model(text)), abs=1e-12)


def test_one_binary_variable():
    """With a single binary variable the integral is a beta function, and both approximations come near it."""
    sample = {"A": [0, 1], "count": [70, 30]}
    found = algdim.score(sample, "states A=2", alpha=2.0).values
    beta = lgamma(72) + lgamma(32) - lgamma(104) - 2 * lgamma(2) + lgamma(4)

    assert beta == pytest.approx(found["exact"], abs=1e-9)
    assert beta == pytest.approx(found["laplace"], abs=0.02)
    assert beta == pytest.approx(found["laplace-softmax"], abs=0.02)


TINY = {
    "X1": [0, 0, 1, 1, 1],
    "X2": [0, 1, 1, 0, 1],
    "X3": [0, 0, 1, 1, 0],
    "count": [12, 3, 9, 2, 1],
}


def test_at_a_boundary_estimate_neither_approximation_has_a_value():
    """Greatest likelihood at the boundary is no maximum of a posterior; in log-odds the bump seemed as wide as one likes."""
    found = algdim.score(TINY, "2:2^3", at=algdim.fit(TINY, "2:2^3").to_dict(), score="laplace,laplace-softmax")

    assert {} == found.values
    assert all("no maximum of the posterior" in reason for reason in found.reasons.values())


def test_where_the_gradient_is_not_0_there_is_no_summit():
    """A point away from the mode, where the Hessian is negative definite all the same; at the mode there is a value."""
    at_mode = algdim.score(TINY, "states X1=2, X2=2, X3=2", score="laplace-softmax", alpha=1.0)
    rows = {name: [[0.5, 0.5]] for name in ("X1", "X2", "X3")}
    away = algdim.score(TINY, "states X1=2, X2=2, X3=2", at=rows, score="laplace-softmax", alpha=1.0)

    assert ["laplace-softmax"] == list(at_mode.values)
    assert "the gradient at these parameters is not 0" in away.reasons["laplace-softmax"]


@pytest.mark.parametrize("text", MODELS)
def test_the_gradient_agrees_with_differences(text):
    """Of the log posterior, in the map's own coordinates; of latent classes in theirs, which are ordered by class."""
    pmap, sample, point = material(text)
    priors, at = make_priors(pmap, Prior("alpha", 1.5)), make_likelihood_evaluator(pmap, sample, 1)

    def height(where):
        tables = tables_at(pmap, where)
        density = sum(one.log_density(one.of_leaves(tables[one.number])) for one in priors.tables)
        return float(at.log_values(tables)[0] @ sample.counts) + density

    tables = tables_at(pmap, point)
    steps = 1e-5 * np.eye(len(point))
    slopes = [(height(point + step) - height(point - step)) / 2e-5 for step in steps]
    found = compute_gradient(priors, tables, at.take_expectation(tables)[1])

    assert np.abs(slopes).max() > 1
    assert slopes == pytest.approx(found, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("text", ["H -> X1, X2, X3; hidden H", "A -> X1; A, X1 -> X2; states A=2"])
@pytest.mark.parametrize("name", ["laplace", "laplace-softmax"])
def test_a_point_away_from_the_mode_has_no_value(text, name):
    """Along the way from the mode to another point the gain of a step rises, and it is said from .01 on."""
    data = {("A" if column == "X3" and "A" in text else column): cells for column, cells in TINY.items()}
    mode = algdim.fit(data, text, prior=Prior("alpha", 2.0, "softmax" if "softmax" in name else "probability"))
    gains = []
    for share in (0.0, 1e-4, 0.05, 0.1, 0.15):
        rows = {
            key: [[(1 - share) * value + share / len(row) for value in row] for row in table]
            for key, table in mode.parameters.items()
        }
        found = algdim.score(data, text, at=rows, score=name, alpha=2.0)
        if share <= 1e-4:
            assert [name] == list(found.values), found.reasons
        else:
            said = re.search(
                r"the gradient at these parameters is not 0 .* would gain ([\d.e+-]+) in", found.reasons[name]
            )
            gains.append(float(said[1]))

    assert gains == sorted(gains)
    assert gains[0] > 0.01


def test_latent_classes_have_the_same_gradient():
    """Its length in the metric of the Hessian does not depend on the order of coordinates."""
    pmap, sample, point = material("3:2,3,4", rows=60)
    priors, at = make_priors(pmap, Prior("alpha", 1.7)), make_likelihood_evaluator(pmap, sample, 1)
    tables = tables_at(pmap, point)
    counts = at.take_expectation(tables)[1]
    one, other = compute_gradient(priors, tables, counts), compute_mixture_gradient(priors, tables, counts)

    assert sorted(one) == pytest.approx(sorted(other))
    assert one @ np.linalg.solve(compute_curvature(priors, sample, tables), one) == pytest.approx(
        other @ np.linalg.solve(compute_mixture_curvature(priors, sample, tables), other)
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_point_that_is_no_maximum_has_no_value(seed):
    """Random points, and the boundary point of greatest likelihood: the reason is said."""
    fitted = algdim.fit(TINY, "2:2^3")
    random = np.random.default_rng(seed)
    rows = {
        name: [[p, 1 - p] for p in random.uniform(0.1 ** (4 * seed + 1), 0.9, size=1 if name == "H" else 2).tolist()]
        for name in ("H", "X1", "X2", "X3")
    }
    for at in (rows, fitted.to_dict()):
        found = algdim.score(TINY, "2:2^3", at=at, score="laplace,laplace-softmax")
        assert {} == found.values
        assert all("no maximum of the posterior" in one for one in (found.reasons[name] for name in BASES))


def test_no_value_is_above_the_greatest_likelihood():
    """An average of the likelihood is not above its maximum; relabelling adds log 2! to the softmax basis."""
    greatest = algdim.fit(TINY, "2:2^3").loglik
    found = algdim.score(TINY, "2:2^3", score=",".join(BASES), alpha=2.0).values

    assert {*BASES} == {*found}
    assert max(found.values()) <= greatest + log(2)


@pytest.mark.parametrize("text", ["4:5,5,5", "A -> B -> C; states A=5, B=5, C=5"])
def test_the_hessian_is_refused_before_it_is_allocated(text):
    """Its size is known beforehand; the other scores are there."""
    model = algdim.model(text)
    source = np.random.default_rng(1)
    data = {variable.name: source.integers(0, 5, 600) for variable in model.observed}
    found = algdim.score(data, text, alpha=2.0, starts=1)
    with allow(None, 20_000):
        material = Material(found.fit, found.report, found.prior, None, None, algdim.dimension, force=True)
        scores = compute_scores(material, ["laplace", "bic"])

    assert "the Hessian has " in scores.reasons["laplace"]
    assert "are needed and 20 kB are allowed" in scores.reasons["laplace"]
    assert scores.values["bic"] == found.values["bic"]
