"""Classifiers with normal inputs: the table of Efron, ranks by the densities themselves, errors."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest
from amount import daily
from brute_polynomial import rank

import algdim
from algdim.errors import InputError
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary

COMMON = ["", "; common variances", "; common variances, coefficients", "; common coefficients", "; common intercepts"]


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("states", [2, 3])
def test_discriminant_analysis(n, states):
    """Efron 1975, Ng and Jordan 2002: naive Bayes and discriminant analysis, also with common covariances, which are logistic regression."""
    inputs = ", ".join(f"X{k}" for k in range(n))
    edges = "; ".join(f"X{i} -> X{j}" for i, j in combinations(range(n), 2))
    full = f"normal-classifier Y: Y -> {inputs}{'; ' * bool(edges)}{edges}; states Y={states}"
    naive = f"normal-classifier Y: Y -> {inputs}; states Y={states}"
    ties = "; common variances, coefficients" if n > 1 else "; common variances"
    found = [algdim.dimension(one) for one in (naive, f"{naive}; common variances", full, f"{full}{ties}")]
    more = states - 1

    assert [one.dimension for one in found] == [
        more * (2 * n + 1),
        more * (n + 1),
        more * (n * (n + 3) // 2 + 1),
        more * (n + 1),
    ]
    assert all(one.exact for one in found)
    assert {one.complete for one in found} == {more * (n + 1) * (n + 2) // 2}
    assert found[0].standard == more + 2 * n * states


def rank_of_densities(inputs, parents, below, states, common, draw):
    """The rank of the log-odds at many points by all numbers: derivatives of logarithms of normal densities are rational."""
    value = {}

    def number(kind, state, *names):
        key = (kind, *names) if names[-1] not in below or kind in common else (kind, *names, state)
        sign = 1 if kind == "v" else draw.choice([-1, 1])
        return key, value.setdefault(key, Fraction(sign * draw.randint(1, 10**6), draw.randint(1, 100)))

    def slopes(x, state):
        found = {}
        for one in inputs:
            (m, mean), (v, variance) = number("m", state, one), number("v", state, one)
            lines = [(number("b", state, parent, one), x[parent]) for parent in parents[one]]
            rest = x[one] - mean - sum(b * at for (_, b), at in lines)
            found[m] = rest / variance
            found[v] = (rest**2 / variance - 1) / (2 * variance)
            found.update({key: rest * at / variance for (key, _), at in lines})
        return found

    rows = []
    for _ in range(3 * (len(inputs) + 1) ** 2):
        x = {one: Fraction(draw.randint(-(10**4), 10**4), draw.randint(1, 9)) for one in inputs}
        first = slopes(x, 0)
        for state in range(1, states):
            line = {("constant", state): Fraction(1)}
            for key, slope in slopes(x, state).items():
                line[key] = line.get(key, Fraction(0)) + slope
            for key, slope in first.items():
                line[key] = line.get(key, Fraction(0)) - slope
            rows.append(line)
    keys = list(dict.fromkeys(key for row in rows for key in row))
    return rank([[row.get(key, Fraction(0)) for key in keys] for row in rows]), len(keys)


@pytest.mark.parametrize("seed", daily(range(40), 12))
def test_ranks_of_densities(seed):
    """Random regressions among the inputs, some without the class among their parents."""
    draw = random.Random(seed)
    inputs = [f"X{k}" for k in range(draw.randint(1, 4))]
    parents = {one: [other for other in inputs[:k] if draw.random() < 0.5] for k, one in enumerate(inputs)}
    below = {one for one in inputs if draw.random() < 0.8} | {inputs[0]}
    states, ties = draw.choice([2, 2, 3]), draw.choice(COMMON)
    has_slopes = any(parents.values())
    ties = ties if has_slopes or "coefficients" not in ties else "; common variances"
    edges = [f"Y -> {one}" for one in inputs if one in below]
    edges += [f"{other} -> {one}" for one in inputs for other in parents[one]]
    edges += [one for one in inputs if f" {one}" not in " ".join(edges)]
    common = {word[0] if word != "coefficients" else "b" for word in ties.removeprefix("; common ").split(", ") if ties}
    common = {"m" if one == "i" else one for one in common}
    text = f"normal-classifier Y: {'; '.join(edges)}; states Y={states}{ties}"
    report = algdim.dimension(text)

    assert rank_of_densities(inputs, parents, below, states, common, draw) == (report.dimension, report.standard)


def test_it_is_a_map():
    """All that maps have: text, file, certificate, comparison."""
    model = algdim.model("normal-classifier Y: Y -> A, B; A -> B; states Y=2; common variances; fix b(A->B)=1/2")
    smaller = algdim.model(
        "normal-classifier Y: Y -> A, B; A -> B; states Y=2; common variances, intercepts; fix b(A->B)=1/2"
    )

    assert str(model).startswith("normal-classifier Y: Y -> A, B; A -> B; ")
    assert model == algdim.model(str(model)) == read_model_dictionary(convert_model_to_dictionary(model))
    assert algdim.verify(algdim.prove(model)).accepted
    assert 3 == algdim.dimension(model).dimension
    assert 1 == algdim.dimension(smaller).dimension


def test_coefficients_that_cancel():
    """They are coordinates as well, in the order of the inputs, so that the saturated model has them."""
    text = "normal-classifier Y: Y -> X2, X1; states Y=2"
    linear = algdim.dimension(f"{text}; common variances")

    assert (linear.complete, linear.dimension) == (6, 3)
    assert [one.name for one in linear.model.coordinates] == [
        "constant.1",
        "X2.1",
        "X1.1",
        "X2.X2.1",
        "X1.X2.1",
        "X1.X1.1",
    ]
    assert "normal inputs" in linear.trust.lemmas
    assert algdim.dimension(text).complete == 6
    assert {"normal inputs"} <= set(linear.in_complete.lemmas)


@pytest.mark.parametrize(
    ("clauses", "message"),
    [
        ("Y -> X", "the class Y has no states"),
        ("Y -> X, H -> Z; hidden H; states Y=2", "observed inputs"),
        ("Y, A -> X; states Y=2, A=2", "the inputs of a normal-classifier are normal"),
        ("Y -> X; hidden Y; states Y=2", "observed inputs"),
        ("X -> Y; states Y=2", "turn the edge around"),
        ("Y -> X; states Y=2; common slopes", "variances, coefficients, intercepts"),
        ("Y -> A, C.A; B.C -> A; B -> C.A; states Y=2; common variances", "b.B.C.A.0 would be the name of two"),
        ("Y -> X; X.1 -> X; states Y=2", "m.X.1 would be the name of two different numbers"),
        ("Y -> X; states Y=3; common variances; equal constant = m(X); fix v(X)=1", "constant.1 would be the name"),
        ("Y -> X1, X2; X1 -> X2; states Y=2; common variances; equal m.X2 = m(X1)", "m.X2.0 would be the name"),
        ("Y -> X, Z; X -> Z; states Y=2; equal constant.1 = v(X), v(Z); common variances", "constant.1 would be"),
        ("Y -> A, B.C, C; A.B -> C; A -> B.C; states Y=2", "A.B.C.1 would be the name of two different coefficients"),
    ],
)
def test_what_is_none(clauses, message):
    """An error that says what is."""
    with pytest.raises(InputError, match=message):
        algdim.model(f"normal-classifier Y: {clauses}")


def test_what_leads_to_it():
    """A classifier with a clause of its own is not advised to be what it is, and files lack no key."""
    with pytest.raises(InputError, match="not 'X1'; inputs that are normal given the class: 'normal-classifier Y:"):
        algdim.model("classifier Y: Y -> X1, X2; normal X1, X2")
    with pytest.raises(InputError, match="not 'X2'") as raised:
        algdim.model("normal-classifier Y: Y -> X1 X2; states Y=2")
    assert "did you mean" not in str(raised.value)
    with pytest.raises(InputError, match="clauses"):
        read_model_dictionary({"family": "polynomial", "class": "Y"})
