"""Fits of Gaussian models: exact gradients, regressions, factors, cycles, correlated errors."""

import json
import subprocess

import numpy as np
import pytest
from real_lavaan import lavaan_fits, needs_lavaan

import algdim
from algdim import InputError
from algdim.fitting.em import draw_starts
from algdim.fitting.maximization import Prior
from algdim.fitting.problems import make_problem

FACTOR = "gaussian: F -> X1, X2, X3, X4; hidden F; fix v(F) = 1"
MODELS = [
    FACTOR,
    "gaussian: A -> B -> C -> A; C -> D; A -> D",
    "gaussian: A -> B; B <-> C; A -> C; equal s = v(B), v(C); means off",
    "gaussian: A -> B -> C; B <-> C",
    "gaussian: F -> X1, X2, X3, X4; hidden F; equal b(F->X1) = 3 - b(F->X2) - b(F->X3); equal v(X1) = 1/2 v(X2) + v(X3)",
]


def cases(count, names, seed=0):
    """Correlated normal data."""
    random = np.random.default_rng(seed)
    mixing = random.normal(size=(len(names), len(names)))
    values = random.normal(size=(count, len(names))) @ mixing + random.normal(size=len(names))
    return {name: values[:, k].tolist() for k, name in enumerate(names)}


def prepared(text):
    """A model, some data, and the problem."""
    model = algdim.model(text)
    data = cases(60, [one.name for one in model.observed])
    return model, data, make_problem(data, model, Prior())


@pytest.mark.parametrize("text", MODELS)
def test_the_gradient_agrees_with_differences(text):
    """By every parameter, at random points."""
    _, _, what = prepared(text)
    family = what.family
    (points,) = draw_starts(what, 3, 3).tables
    points = points[np.isfinite(family.loglik(points))]
    _, (gradient, known) = family.take_expectation([points])
    for number in range(points.shape[1]):
        move = 1e-6 * np.eye(points.shape[1])[number]
        change = family.loglik(points + move) - family.loglik(points - move)

        assert gradient[:, number] == pytest.approx(change / 2e-6, rel=1e-4, abs=1e-3)
    assert np.linalg.eigvalsh(known).min() > -1e-6 * np.abs(known).max()


@pytest.mark.parametrize("text", MODELS)
def test_steps_never_lower_the_likelihood_and_converge(text):
    """From every start; the gradient is then zero."""
    model, data, what = prepared(text)
    climbers = draw_starts(what, 1, 4)
    for _ in range(10):
        climbers = what.step(what.evaluator(4), climbers)

        assert (climbers.gain >= 0).all()
    found = algdim.fit(data, model)
    _, (gradient, _) = what.family.take_expectation(what.family.tables(found.parameters))
    scaled = np.where(what.family.variances > 0, what.family.tables(found.parameters)[0], 1.0) * gradient

    assert found.stopping.converged
    assert np.abs(scaled).max() < 0.05


def log_density(values, mean, covariance):
    """The normal log-likelihood, written out case by case."""
    rest = values - mean
    inverse, determinant = np.linalg.inv(covariance), np.linalg.det(covariance)
    return sum(-0.5 * (row @ inverse @ row + np.log(determinant) + len(row) * np.log(2 * np.pi)) for row in rest)


def test_a_complete_graph_is_saturated():
    """All means and covariances are free: those of the data are the maximum."""
    data = cases(50, "ABC")
    values = np.array([data[name] for name in "ABC"]).T
    found = algdim.fit(data, "gaussian: A -> B; A, B -> C")

    assert log_density(values, values.mean(axis=0), np.cov(values.T, bias=True)) == pytest.approx(
        found.loglik, abs=1e-5
    )


def test_coefficients_are_those_of_regressions():
    """A chain: each variable on the one before."""
    data = cases(50, "ABC")
    a, b, c = (np.array(data[name]) for name in "ABC")
    found = algdim.fit(data, "gaussian: A -> B -> C").parameters

    assert np.polyfit(a, b, 1) == pytest.approx([found["coefficients"]["A->B"], found["means"]["B"]], abs=1e-5)
    assert np.polyfit(b, c, 1) == pytest.approx([found["coefficients"]["B->C"], found["means"]["C"]], abs=1e-5)
    assert np.var(c - np.polyval(np.polyfit(b, c, 1), b)) == pytest.approx(found["variances"]["C"], rel=1e-5)


def test_three_indicators_of_one_factor_reproduce_the_covariances():
    """Six parameters for six covariances (GHM96 §7): b_i b_j = s_ij."""
    random = np.random.default_rng(4)
    factor = random.normal(size=(500, 1))
    values = factor * [1.0, 0.8, -0.6] + random.normal(size=(500, 3))
    data = {f"X{k}": values[:, k - 1].tolist() for k in (1, 2, 3)}
    found = algdim.fit(data, "gaussian: F -> X1, X2, X3; hidden F; fix v(F) = 1; means off")
    b = [found.parameters["coefficients"][f"F->X{k}"] for k in (1, 2, 3)]

    assert np.cov(values.T, bias=True)[0, 1:] == pytest.approx([b[0] * b[1], b[0] * b[2]], abs=1e-5)


def test_a_fit_is_a_parameter_file(tmp_path):
    """Read again it has the same likelihood, and a climb goes on from it."""
    data = cases(60, ["X1", "X2", "X3", "X4"])
    found = algdim.fit(data, FACTOR, iterations=3, starts=2)
    path = tmp_path / "fit.json"
    path.write_text(json.dumps(found.to_dict()), encoding="utf-8")

    assert found.loglik == pytest.approx(algdim.fit_at(data, FACTOR, path).loglik)
    assert algdim.fit(data, FACTOR, resume=found).loglik >= found.loglik
    assert "coefficients" in str(found)


@pytest.mark.parametrize(
    ("data", "options", "word"),
    [
        ({"A": [1, 2], "B": [1, "x"]}, {}, "row 2, column B: 'x' is not a number"),
        ({"A": [1, 2, 3], "B": [2, 4, 6]}, {}, "singular"),
        ({"A": [1, 2, 3], "B": [2, None, 6]}, {}, "row 2, column B is empty"),
        ({"A": [1, 2, 3], "B": [2, 1, 6]}, {"prior": "alpha=2"}, "maximum likelihood"),
        ({"A": [None, None], "B": [None, None]}, {"missing": True}, "no row has a value"),
        ({"A": [1, 2, None], "B": [2, 1, 6]}, {}, "allow missing values"),
    ],
)
def test_what_cannot_be_fitted_is_refused(data, options, word):
    """With row and column, or the reason."""
    with pytest.raises(InputError, match=word):
        algdim.fit(data, "gaussian: A -> B", **options)


@pytest.mark.parametrize("units", [(1.0, 1.0, 1.0), (30.0, 1.0, 0.03), (0.03, 1.0, 30.0)])
@pytest.mark.parametrize(("error", "factor", "near"), [(1.0, 1.0, ()), (1e-5, 1.0, ("v(X1)",)), (1.0, 1e-5, ("v(F)",))])
def test_variances_near_0_do_not_depend_on_units(units, error, factor, near):
    """A variance is compared with that of its variable, one of a factor with those of what it acts on."""
    model = "gaussian: F -> X1, X2, X3; hidden F; means off; fix b(F->X2) = 1"
    data = cases(60, ["X1", "X2", "X3"])
    data = {name: [unit * value for value in data[name]] for name, unit in zip(data, units, strict=True)}
    at = {
        "coefficients": {f"F->{name}": unit for name, unit in zip(data, units, strict=True)},
        "variances": {"F": factor, **{name: unit**2 for name, unit in zip(data, units, strict=True)}},
    }
    at["variances"]["X1"] *= error
    found = algdim.score(data, model, at=at, score="bic")

    assert near == tuple(entry.name for entry in found.fit.boundary)
    assert ("WARNING: 1 variance near 0" in str(found)) == bool(near)
    assert "of 0 or 1" not in str(found)


def test_missing_values_are_left_out_of_the_likelihood():
    """The log-likelihood is the sum over cases of the normal density of what each shows."""
    text = "gaussian: F -> X1, X2, X3, X4; hidden F; fix v(F)=1, m(F)=0"
    data = cases(40, ["X1", "X2", "X3", "X4"])
    random = np.random.default_rng(5)
    for column in data.values():
        for place in random.choice(40, 9, replace=False):
            column[place] = None
    found = algdim.fit(data, text, missing=True, starts=3)
    at = found.parameters
    names = list(data)
    slopes = np.array([at["coefficients"][f"F->{name}"] for name in names])
    sigma = np.outer(slopes, slopes) + np.diag([at["variances"][name] for name in names])
    mu, total = np.array([at["means"][name] for name in names]), 0.0
    for row in zip(*data.values(), strict=True):
        seen = [k for k, value in enumerate(row) if value is not None]
        rest = np.array([row[k] for k in seen]) - mu[seen]
        part = sigma[np.ix_(seen, seen)]
        total -= (len(seen) * np.log(2 * np.pi) + np.linalg.slogdet(part)[1] + rest @ np.linalg.solve(part, rest)) / 2

    assert found.loglik == pytest.approx(total, abs=1e-6)
    assert 36 == found.sample.missing
    with pytest.raises(InputError, match="missing=True"):
        algdim.fit(data, text)
    with pytest.raises(InputError, match="the model has no means"):
        algdim.fit(data, text.replace(", m(F)=0", "; means off"), missing=True)


HOLZINGER = "visual =~ x1 + x2 + x3\\ntextual =~ x4 + x5 + x6\\nspeed =~ x7 + x8 + x9"


@pytest.mark.slow
def test_groups_and_missing_values_as_in_lavaan(tmp_path):
    """G², its degrees of freedom and the log-likelihood of HolzingerSwineford1939, with holes and without, are lavaan's."""
    needs_lavaan()
    make = "d <- lavaan::HolzingerSwineford1939; set.seed(1); e <- d; for (j in 7:15) e[sample(301, 60), j] <- NA; "
    make += f"for (n in c('d', 'e')) write.csv(get(n), paste0('{tmp_path}/', n, '.csv'), row.names = FALSE, na = '')"
    subprocess.run(["Rscript", "-e", make], check=True, capture_output=True)
    full, holes = (f'read.csv("{tmp_path}/{name}.csv")' for name in "de")
    calls = [
        (
            full,
            'group = "school", group.equal = c("loadings", "intercepts")',
            "groups=2,group=school,group.equal=loadings+intercepts",
        ),
        (holes, 'missing = "fiml"', "meanstructure"),
        (
            holes,
            'missing = "fiml", group = "school", group.equal = "loadings"',
            "groups=2,group=school,group.equal=loadings",
        ),
    ]
    text = HOLZINGER.replace("\\n", "\n")
    asked = lavaan_fits([("cfa", f"{data}", text, more) for data, more, _ in calls])
    for (data, _, options), (df, statistic, loglik) in zip(calls, asked, strict=True):
        path = data.split('"')[1]
        found = algdim.score(path, text, format=f"lavaan:cfa,{options}", score="bic+", missing=data == holes)

        assert (df, statistic, loglik) == pytest.approx(
            (found.goodness.dof, found.goodness.g2, found.fit.loglik), rel=1e-7
        )
