"""Conditional Gaussian networks: numbers from print, texts and files, bounds, fits, scores."""

from __future__ import annotations

from math import lgamma, log, pi

import numpy as np
import pytest
from amount import daily

import algdim
from algdim.errors import InputError, LimitError
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.models.notation import parse, to_text

ITEMS, FACTORS, GROUPS = 5, 2, 2
LOADINGS = ITEMS * FACTORS - FACTORS * (FACTORS - 1) // 2
PARSIMONIOUS = {
    "CCC": LOADINGS + 1,
    "CCU": LOADINGS + ITEMS,
    "CUC": LOADINGS + GROUPS,
    "CUU": LOADINGS + GROUPS * ITEMS,
    "UCC": GROUPS * LOADINGS + 1,
    "UCU": GROUPS * LOADINGS + ITEMS,
    "UUC": GROUPS * LOADINGS + GROUPS,
    "UUU": GROUPS * LOADINGS + GROUPS * ITEMS,
}
"""The covariance parameters of McNicholas and Murphy's mixtures of factor analysers (Stat. Comput. 18 (2008) 285–296, Table 1).

The letters say whether loadings, and error variances, are common to the groups (C), and whether these are those of all items.
"""


def mixture_of_factor_analysers(letters):
    """The model of three letters."""
    clauses = ["H -> X1..X5; F, G -> X1..X5; hidden H, F, G; states H=2; fix v(F)=1, v(G)=1, m(F)=0, m(G)=0"]
    words = [word for word, letter in zip(("coefficients", "variances"), letters, strict=False) if letter == "C"]
    clauses += [f"common {', '.join(words)}"] if words else []
    clauses += [f"equal s = {', '.join(f'v(X{k})' for k in range(1, 6))}"] if letters[2] == "C" else []
    return f"conditional-gaussian: {'; '.join(clauses)}"


@pytest.mark.parametrize(("letters", "count"), daily(PARSIMONIOUS.items(), 1))
def test_mixtures_of_factor_analysers(letters, count):
    """The weights and means, and the covariance parameters of the table: rotations of the factors are taken off."""
    report = algdim.dimension(mixture_of_factor_analysers(letters))

    assert GROUPS - 1 + GROUPS * ITEMS + count == report.dimension
    assert report.exact


IN_PRINT = {
    # Pearson 1894: two normal distributions
    "H -> X; hidden H; states H=2": 5,
    # Yakowitz and Spragins 1968: all parameters of mixtures of normal distributions
    "H -> X, Y; X -> Y; hidden H; states H=3": 17,
    # Quandt and Ramsey 1978, DeSarbo and Cron 1988: k regressions have k - 1 weights, p + 1 coefficients and a variance each; X has 2
    "X; H, X -> Y; hidden H; states H=2": 2 + 1 + 2 * 3,
    "X, Z; H, X, Z -> Y; hidden H; states H=3": 4 + 2 + 3 * 4,
    # Hosmer 1973: two lines of one variance
    "X; H, X -> Y; hidden H; states H=2; common variances": 2 + 1 + 2 * 2 + 1,
    # Lauritzen and Wermuth 1989: a cell's normal distribution has p means and p(p + 1)/2 covariances
    "A -> B; A, B -> X; A, B, X -> Y; states A=2, B=3": 5 + 6 * 5,
    # and homogeneous: the covariances are those of all cells
    "A -> B; A, B -> X; A, B, X -> Y; states A=2, B=3; common coefficients, variances": 5 + 6 * 2 + 3,
    # Anderson and Rubin 1956: one factor, 3 items have 6 covariances and 3 means, 4 items 8 parameters of 10 covariances
    "F -> X1..X3; hidden F": 9,
    "F -> X1..X4; hidden F": 12,
    # Goodman 1974: two binary items cannot show two classes
    "H -> A, B; H -> X; hidden H; states H=2, A=2, B=2": 1 + 2 + 2 + 4,
}


@pytest.mark.parametrize(("clauses", "dimension"), IN_PRINT.items())
def test_dimensions_in_print(clauses, dimension):
    """The dimension, and proved."""
    report = algdim.dimension(f"conditional-gaussian: {clauses}")

    assert (dimension, True) == (report.dimension, report.exact)


def test_what_is_not_seen_is_lost():
    """Two binary items that have a class of their own show three numbers, whatever the continuous ones show."""
    report = algdim.dimension("conditional-gaussian: H -> A, B; G -> X; hidden H, G; states H=2, G=2, A=2, B=2")

    assert (3 + 5, 5 + 5, True) == (report.dimension, report.standard, report.exact)


@pytest.mark.parametrize(
    ("clauses", "lost"),
    [
        ("H -> F; F -> X1..X4; hidden H, F; states H=2", 2),  # one scale and one origin: the items do not see H
        ("H -> F, X1..X4; F -> X1..X4; hidden H, F; states H=3", 6),  # one of each in each state
        (
            "H -> F, X1..X4; F -> X1..X4; hidden H, F; states H=3; common coefficients",
            4,
        ),  # the scale of all states is one
        ("H -> F, X1..X4; F -> X1..X4; hidden H, F; states H=3; fix v(F)=1", 3),
        ("H -> F, X1..X4; F -> X1..X4; hidden H, F; states H=3; fix b(F->X1)=1, m(X1)=0", 0),
        ("A -> F, X1..X4; B -> F; F -> X1..X4; hidden F; states A=2, B=2", 4),
    ],
)
def test_scales_and_origins(clauses, lost):
    """Of a latent variable: one for each state that all entries concerned see; the rest is identified."""
    report = algdim.dimension(f"conditional-gaussian: {clauses}")

    assert (report.standard - lost, True) == (report.dimension, report.exact)


def test_with_everything_fixed_nothing_is_mixed():
    """Hidden states that change no normal distribution are summed out; those that cannot matter are removed."""
    assert 2 == algdim.dimension("conditional-gaussian: H -> X; hidden H; states H=2; common m(X), v(X)").dimension
    assert 2 == algdim.dimension("conditional-gaussian: X -> F; hidden F").dimension


TEXTS = [
    "conditional-gaussian: H -> F, X1, X2; F -> X1, X2; hidden H, F; states H=2; common variances; fix v(F)=1",
    "conditional-gaussian: X, Y",
    "conditional-gaussian: A -> X -> Y; A -> Y; states A=3; common m(Y), b(X->Y); equal s = v(X), v(Y)",
    "conditional-gaussian: A -> X, Y; states A=2; fix m(X)=-1/3; equal s = v(X), v(Y)",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_and_files(text):
    """A model is read back from its text and from its file."""
    model = parse(text)

    assert model == parse(to_text(model)) == read_model_dictionary(convert_model_to_dictionary(model))


@pytest.mark.parametrize(
    ("clauses", "message"),
    [
        ("X -> A; states A=2", "A is discrete and X is Gaussian"),
        ("A -> B; states A=2, B=2", "no Gaussian variable is observed"),
        ("X <-> Y", "belongs to the family gaussian"),
        ("X -> Y -> X", "cycle"),
        ("X -> Y; common b(Y->X)", "has no number b"),
        ("X; fix v(X)=0", "a variance is positive"),
        ("A -> X; states A=2; common v(X); fix v(X)=1", "leave it out of 'common'"),
        ("A -> X; Y; states A=2; equal s = v(X), v(Y)", "depend on the same discrete variables"),
        ("X; equal s = v(X), m(X)", "is a error variance and m"),
        ("X; hidden Z", "Z has no edge and no states"),
        ("X; common slopes", "variances, coefficients, intercepts"),
        ("A; states A=1; A -> X", "from 2 to"),
    ],
)
def test_errors(clauses, message):
    """What is wrong is said, and what is allowed."""
    with pytest.raises(InputError, match=message):
        algdim.model(f"conditional-gaussian: {clauses}")


def test_too_large():
    """A network with too many joint states is refused before they are written out."""
    with pytest.raises(LimitError, match="joint states"):
        algdim.dimension("conditional-gaussian: A, B, C, D -> X; states A=40, B=40, C=40, D=40")


def draw_cases(seed=0, cases=200):
    """Two classes, three numbers, an answer."""
    draw = np.random.default_rng(seed)
    label = draw.integers(0, 2, cases)
    data = {f"X{k}": (2.5 * label + draw.normal(size=cases)).tolist() for k in (1, 2, 3)}
    return data | {"C": np.where(draw.random(cases) < 0.2 + 0.5 * label, 1, 0).tolist()}


@pytest.mark.parametrize("ties", ["", "; common variances"])
def test_mixtures_are_fitted_as_latent_profiles_are(ties):
    """The two families have the same maximum, by likelihoods that share no code."""
    clauses = "H -> X1..X3, C; hidden H; states H=2, C=2"
    profile = f"latent-profile: {clauses}{'; covariances equal' if ties else ''}"
    found, other = (
        algdim.fit(draw_cases(), model, identify=False, starts=6)
        for model in (f"conditional-gaussian: {clauses}{ties}", profile)
    )

    assert other.loglik == pytest.approx(found.loglik, abs=1e-5)


def test_a_factor_is_fitted_as_gaussian_models_are():
    """One latent variable, by EM and by the gradient of the normal likelihood."""
    data = {name: values for name, values in draw_cases().items() if name != "C"}
    found = algdim.fit(
        data, "conditional-gaussian: F -> X1..X3; hidden F; fix v(F)=1, m(F)=0", identify=False, starts=3
    )
    other = algdim.fit(data, "gaussian: F -> X1..X3; hidden F; fix v(F)=1, m(F)=0", identify=False)

    assert other.loglik == pytest.approx(found.loglik, abs=1e-3)


def test_regressions_of_all_kinds_climb():
    """No step lowers the likelihood where coefficients and variances are common, equal or fixed, with a prior and without."""
    text = (
        "conditional-gaussian: H -> X1, X2, X3; F -> X1..X3; X1 -> X2; hidden H, F; states H=2; common b(F->X1); "
        "fix v(F)=1, m(F)=0, m(X3)=1/2; equal l = b(F->X2), b(F->X3); equal s = v(X1), v(X2), v(X3)"
    )
    from algdim.families.conditionalgaussian.likelihood import MixedFamily
    from algdim.fitting.maximization import Prior
    from algdim.fitting.mixedsamples import read_mixed

    data = draw_cases()
    for prior, more in ((Prior(), ""), (Prior("alpha", 2.0), "; common variances")):
        sample = read_mixed({name: data[name] for name in ("X1", "X2", "X3")}, ["X1", "X2", "X3"])
        family = MixedFamily(parse(f"{text}{more}"), sample, prior)
        tables = family.starts(0, range(4))
        before = np.full(4, -np.inf)
        for _ in range(30):
            loglik, expected = family.take_expectation(tables)
            now = loglik + family.penalty(tables)
            assert (now >= before - 1e-8).all()
            before, tables = now, family(expected, tables)


def test_without_hidden_variables_cs_is_the_marginal_likelihood():
    """Of one normal variable: the integral over mean and variance, by sums over a fine grid."""
    x = np.array([0.3, 1.1, -0.7, 2.0, 0.4, 0.9])
    n, mean, spread = len(x), x.mean(), x.var()
    variance, center = np.meshgrid(
        np.exp(np.linspace(log(spread) - 5, log(spread) + 9, 1500)), np.linspace(mean - 9, mean + 9, 1501)
    )
    logs = -n / 2 * np.log(2 * pi * variance) - ((x**2).sum() - 2 * center * x.sum() + n * center**2) / (2 * variance)
    alpha = 2.0
    logs += alpha * log(alpha * spread) - lgamma(alpha) - (alpha + 1) * np.log(variance) - alpha * spread / variance
    logs += 0.5 * np.log(alpha / (2 * pi * variance)) - alpha * (center - mean) ** 2 / (2 * variance)
    top = logs.max()
    by_hand = top + log((np.exp(logs - top) * variance).sum() * (14 / 1499) * (18 / 1500))
    found = algdim.score({"X": x.tolist()}, "conditional-gaussian: X", score="cs,laplace", alpha=alpha)

    assert by_hand == pytest.approx(found.values["cs"], abs=1e-4)
    assert by_hand == pytest.approx(found.values["laplace"], abs=0.5)


def test_units_do_not_matter_to_scores():
    """In other units every case has its density divided by the same number."""
    data = draw_cases()
    text = "conditional-gaussian: H -> X1..X3, C; X1 -> X2; hidden H; states H=2, C=2; common variances"
    moved = {**data, "X1": [10 * value + 7 for value in data["X1"]]}
    one, other = (algdim.score(each, text, score="cs,laplace", alpha=1.5) for each in (data, moved))

    for name in ("cs", "laplace"):
        assert one.values[name] - 200 * log(10) == pytest.approx(other.values[name], abs=0.01)


def test_laplace_needs_parameters_that_are_not_redundant():
    """Otherwise it is refused, and CS+ is the score that takes the dimension."""
    data = {name: values for name, values in draw_cases().items() if name != "C"}
    found = algdim.score(data, "conditional-gaussian: F -> X1..X3; hidden F", score="cs,cs+,laplace", alpha=1.0)

    assert found.values["cs"] + log(200) == pytest.approx(found.values["cs+"])
    assert "below the 11 parameters" in found.reasons["laplace"]


def test_priors_are_conjugate():
    """A coefficient that regressions of different variances have in common has no conjugate prior."""
    text = "conditional-gaussian: A -> X; A, X -> Y; states A=2; common b(X->Y)"
    data = {"A": [0, 1] * 20, "X": [float(k % 7) for k in range(40)], "Y": [float(k % 5) for k in range(40)]}

    with pytest.raises(InputError, match="make their variances common too"):
        algdim.fit(data, text, prior="alpha=1")
    with pytest.raises(InputError, match="alpha=A"):
        algdim.fit(data, text, prior="ess=1")


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        (
            "H -> X, Y; hidden H; states H=2; common variances",
            "H -> X, Y; hidden H; states H=2",
            "the first is nested in the second",
        ),
        (
            "H -> X, Y; X -> Y; hidden H; states H=2",
            "H -> X, Y; hidden H; states H=2",
            "the second is nested in the first",
        ),
        ("H -> X, Y; X -> Y; hidden H; states H=2; fix b(X->Y)=0", "H -> X, Y; hidden H; states H=2", "equal"),
    ],
)
def test_nested(first, second, relation):
    """More edges and fewer ties contain."""
    found = algdim.compare(f"conditional-gaussian: {first}", f"conditional-gaussian: {second}")

    assert (relation, True) == (found.relation, found.trust.is_proved)


@pytest.mark.parametrize("clauses", ["C -> X; Y; hidden C, X", "C -> X, Y; hidden C, X; common m(Y), v(Y)"])
def test_certificates_of_models_with_what_nobody_sees(clauses):
    """The normal distributions of Y are the same in all states of C, of which the model without X knows nothing."""
    text = f"conditional-gaussian: {clauses}; states C=2"

    report = algdim.dimension(text)
    assert (report.dimension, report.complete) == (2, 2)
    assert algdim.verify(algdim.prove(text)).accepted
    assert algdim.identify(text).identifiable == ("m(Y)", "v(Y)")
