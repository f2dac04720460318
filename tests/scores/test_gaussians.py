"""Marginal likelihoods of Gaussian networks: BGe by predictions one after the other, and the same scores in another family."""

from __future__ import annotations

from math import lgamma, log, pi

import numpy as np
import pytest

import algdim
from algdim import InputError

NAMES = ("A", "B", "C")


def cases(count=12, seed=3):
    """Three variables, each of which acts on the next."""
    values = np.random.default_rng(seed).normal(size=(count, 3)) @ np.array([[1, 0.8, 0.2], [0, 1, -0.5], [0, 0, 2]])
    return dict(zip(NAMES, (values + np.array([1, 0, 5])).T.tolist(), strict=True))


def predict(data, alpha):
    """Log p(D) of the complete network: each case by the Student distribution that those before it leave (Wishart and normal prior)."""
    values = np.array(list(data.values())).T
    size = values.shape[1]
    mean, kappa, freedom = values.mean(axis=0), alpha, alpha + size + 1
    scale = alpha**2 / (alpha + 1) * np.diag(values.var(axis=0))
    total = 0.0
    for row in values:
        nu = freedom - size + 1
        spread = scale * (kappa + 1) / (kappa * nu)
        rest = row - mean
        total += lgamma((nu + size) / 2) - lgamma(nu / 2) - size / 2 * log(nu * pi) - np.linalg.slogdet(spread)[1] / 2
        total -= (nu + size) / 2 * np.log1p(rest @ np.linalg.solve(spread, rest) / nu)
        scale = scale + kappa / (kappa + 1) * np.outer(rest, rest)
        mean, kappa, freedom = (kappa * mean + row) / (kappa + 1), kappa + 1, freedom + 1
    return total


@pytest.mark.parametrize("alpha", [0.5, 1.0, 4.0])
def test_exact_is_the_product_of_predictions(alpha):
    """Of one, two and three variables; in whatever order the arrows of the complete network go."""
    data = cases()
    for text, names in (("A", "A"), ("B -> A", "AB"), ("A -> B; A, B -> C", "ABC"), ("C -> B; C, B -> A", "ABC")):
        some = {name: data[name] for name in names}
        found = algdim.score(some, f"gaussian: {text}", score="exact", alpha=alpha).values["exact"]

        assert found == pytest.approx(predict(some, alpha), abs=1e-8)


def test_exact_is_that_of_all_equivalent_networks():
    """The chain in both directions and from its middle have the same independence; the collider has another."""
    found = [
        algdim.score(cases(), f"gaussian: {text}", score="exact", alpha=1).values["exact"]
        for text in ("A -> B -> C", "A <- B <- C", "A <- B -> C", "A -> B <- C")
    ]

    assert found[0] == pytest.approx(found[1]) == pytest.approx(found[2])
    assert abs(found[0] - found[3]) > 0.1


def test_cs_and_laplace_are_those_of_conditional_gaussian_networks():
    """Without discrete variables the two families are one."""
    one, other = (
        algdim.score(cases(), f"{family}: A -> B -> C", score="cs,laplace", alpha=2).values
        for family in ("gaussian", "conditional-gaussian")
    )

    assert one == pytest.approx(other, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "score", "alpha", "message"),
    [
        ("A -> B <-> C", "exact", 1, "exact is for Gaussian networks with means and complete data"),
        (
            "A -> B, C; hidden A; fix v(A)=1",
            "exact",
            1,
            "without latent variables and with free numbers; cs is for others",
        ),
        ("A -> B; C; equal b(A->B) = 2 - v(C)", "cs", 1, "no correlated errors, cycles, groups or sums"),
        ("A -> B -> C", "cs", None, "takes a number of prior cases; give --alpha 1"),
    ],
)
def test_what_has_no_value(text, score, alpha, message):
    """The reason says which score there is."""
    data = cases()
    model = algdim.model(f"gaussian: {text}")
    some = {variable.name: data[variable.name] for variable in model.observed}

    assert message in algdim.score(some, model, score=score, alpha=alpha).reasons[score]


def test_priors_of_tables_are_refused():
    """An equivalent sample size is of tables."""
    with pytest.raises(InputError, match="take alpha, the number of prior cases"):
        algdim.score(cases(), "gaussian: A -> B -> C", ess=1)
