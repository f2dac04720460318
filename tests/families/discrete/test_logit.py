"""Variables with several states and linear log-odds: estimates and dimensions from print, texts, files, errors."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

import algdim
from algdim.errors import InputError, LimitError
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.models.notation import parse, to_text

AFTERLIFE = {(1, 1): (371, 49, 74), (0, 1): (250, 45, 71), (1, 0): (64, 9, 15), (0, 0): (25, 5, 13)}
"""Belief in an afterlife, yes, undecided, no, by gender (1 for women) and race (1 for whites): Agresti, An Introduction to Categorical Data Analysis, 2007, chapter 6."""
IDEOLOGY = {(0,): (80, 81, 171, 41, 55), (1,): (30, 46, 148, 84, 99)}
"""Political ideology from very liberal to very conservative, of Democrats and Republicans: the same chapter."""


def columns(table, names, order):
    """The counts as a table of patterns."""
    found = {name: [] for name in (*names, "count")}
    for row, counts in table.items():
        for state, place in enumerate(order):
            for name, value in zip(names, (*row, state), strict=True):
                found[name].append(value)
            found["count"].append(counts[place])
    return found


def test_a_multinomial_logit_of_agresti():
    """His estimates, "no" being the first state, and the deviance 0.85 with 2 degrees of freedom."""
    data = columns(AFTERLIFE, ("Gender", "Race", "Belief"), (2, 1, 0))
    text = "Gender, Race -> Belief; states Belief=3; given Gender, Race; multinomial Belief"
    found = algdim.fit(data, text).parameters["Belief"]
    goodness = algdim.score(data, text, score="bic").goodness

    assert [-0.758, 0.883] == [round(value, 3) for value in found["a"]]
    assert ([0.105, 0.419], [0.271, 0.342]) == tuple([round(v, 3) for v in one] for one in found["b"].values())
    assert (0.85, 2) == (round(goodness.g2, 2), goodness.dof)


@pytest.mark.parametrize(("kind", "slope", "deviance"), [("cumulative", 0.975, 3.7), ("adjacent", 0.435, 5.5)])
def test_ordinal_logits_of_agresti(kind, slope, deviance):
    """Republicans are more conservative: 0.975 by cumulative, 0.435 by adjacent logits, with 3 degrees of freedom."""
    data = columns(IDEOLOGY, ("Party", "Ideology"), range(5))
    text = f"Party -> Ideology; states Ideology=5; given Party; {kind} Ideology"
    goodness = algdim.score(data, text, score="bic").goodness

    assert slope == round(algdim.fit(data, text).parameters["Ideology"]["b"]["Party"], 3)
    assert (deviance, 3) == (round(goodness.g2, 1), goodness.dof)


@pytest.mark.parametrize(
    ("text", "dimension", "proved"),
    [
        # Lindsay, Clogg and Grego 1991: n items of Rasch's model show 2n - 1 numbers, by (n + 1)/2 classes or more
        ("H -> X1..X5; hidden H; states H=2; rasch X1..X5", 7, True),
        ("H -> X1..X5; hidden H; states H=3; rasch X1..X5", 9, True),
        ("H -> X1..X5; hidden H; states H=4; rasch X1..X5", 9, True),
        ("H -> X1..X3; hidden H; states H=2; rasch X1..X3", 5, True),
        # Masters 1982: an item of partial credit has a difficulty for each step
        ("H -> X1..X3; hidden H; states H=2, X1=3, X2=3, X3=3; rasch X1..X3", 8, True),
        # ideology by party: four constants and one slope, or four slopes
        ("P -> I; states I=5; given P; cumulative I", 5, True),
        ("P -> I; states I=5; given P; multinomial I", 8, True),
        # uniform association, Goodman 1979: (I - 1) + (J - 1) + 1
        ("A -> B; states A=3, B=4; adjacent B; given A", 4, True),
    ],
)
def test_dimensions_in_print(text, dimension, proved):
    """The dimension."""
    report = algdim.dimension(text)

    assert (dimension, proved) == (report.dimension, report.exact)


TEXTS = [
    "A, H -> X, Y; hidden H; states A=3, X=4, Y=4; cumulative X, Y; share s: X, Y",
    "H -> X1, X2; hidden H; states H=3, X2=3; rasch X1, X2",
    "A -> B -> C; states B=3; multinomial B; adjacent C",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_and_files(text):
    """A model is read back from its text and from its file."""
    model = parse(text)

    assert text == to_text(model)
    assert model == read_model_dictionary(convert_model_to_dictionary(model))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A -> X, Y; rasch X, Y; share s: X, Y", "leave the share out"),
        ("A -> X; adjacent X; fix P(X=0|A=0)=1/2", "has no table whose entries can be fixed"),
    ],
)
def test_errors(text, message):
    """What there is not is said, and what there is."""
    with pytest.raises(InputError, match=message):
        algdim.model(text)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"a": [1, 2], "b": {"A": 1}}, "they fall"),
        ({"a": [1], "b": {"A": 1}}, "2 weights are expected"),
        ({"a": [2, 1]}, r"b\.A is missing"),
        ({"a": [2, 1], "b": {"A": 1, "C": 1}}, "unknown key"),
    ],
)
def test_weights_that_are_none(weights, message):
    """An error that names the place."""
    with pytest.raises(InputError, match=message):
        algdim.dimension("A -> X; states X=3; cumulative X; given A", at={"X": weights})


LSAT6 = [
    3,
    6,
    2,
    11,
    1,
    1,
    3,
    4,
    1,
    8,
    0,
    16,
    0,
    3,
    2,
    15,
    10,
    29,
    14,
    81,
    3,
    28,
    15,
    80,
    16,
    56,
    21,
    173,
    11,
    61,
    28,
    298,
]
"""Right answers of 1,000 students to five items, from 00000 to 11111 (Bock and Lieberman 1970)."""


def conditional_estimates(counts, items):
    """Constants of Rasch's model given the sum scores, with the sum 0: each is what Newton's method finds of Σ (n − N γ₋/γ)."""
    patterns = np.array(list(product((0, 1), repeat=items)))
    scores, found = patterns.sum(axis=1), np.zeros(items)
    for _ in range(50):
        weights = np.exp(patterns @ found)
        slope, curve = np.zeros(items), np.zeros((items, items))
        for score in range(items + 1):
            here = scores == score
            p = weights[here] / weights[here].sum()
            mean = p @ patterns[here]
            total = counts[here].sum()
            slope += counts[here] @ patterns[here] - total * mean
            curve += total * ((patterns[here] * p[:, None]).T @ patterns[here] - np.outer(mean, mean))
        found = found + np.linalg.pinv(curve) @ slope
    return found - found.mean()


def test_three_classes_are_rasch_by_conditional_likelihood():
    """De Leeuw and Verhelst 1986; Lindsay, Clogg and Grego 1991: with enough classes both estimates are the same."""
    patterns = np.array(list(product((0, 1), repeat=5)))
    data = {f"X{k + 1}": patterns[:, k].tolist() for k in range(5)} | {"count": LSAT6}
    found = algdim.fit(data, "H -> X1..X5; hidden H; states H=3; rasch X1..X5", starts=10, seed=1)
    constants = np.array([found.parameters[f"X{k + 1}"]["a"][0] for k in range(5)])
    levels = {tuple(found.parameters[f"X{k + 1}"]["t"]["H"]) for k in range(5)}
    by_score = conditional_estimates(np.array(LSAT6), 5)

    assert constants - constants.mean() == pytest.approx(by_score, abs=2e-3)
    assert 1 == len(levels)


def rasch_likelihood(patterns, counts, chances, constants, levels):
    """Σ n log Σ_h P(h) ∏ P(x | h), by loops; constants of each item by steps, levels from 0."""
    total = 0.0
    for pattern, count in zip(patterns, counts, strict=True):
        value = 0.0
        for chance, level in zip(chances, levels, strict=True):
            term = chance
            for x, steps in zip(pattern, constants, strict=True):
                sizes = np.exp(np.cumsum([0.0, *steps]) + level * np.arange(len(steps) + 1))
                term *= sizes[x] / sizes.sum()
            value += term
        total += count * np.log(value)
    return total


def test_partial_credit_by_force():
    """Items with two and three states, and a table between: the maximum is that of a search without derivatives of ours."""
    from scipy.optimize import minimize

    draw = random.Random(4)
    patterns = list(product((0, 1), (0, 1, 2), (0, 1, 2)))
    counts = [draw.randint(1, 30) for _ in patterns]
    data = {name: [row[k] for row in patterns] for k, name in enumerate("XYZ")} | {"count": counts}
    found = algdim.fit(data, "H -> X, Y, Z; hidden H; states Y=3, Z=3; rasch X, Y, Z", starts=10, seed=1)

    def value(w):
        chance = 1 / (1 + np.exp(-w[0]))
        return -rasch_likelihood(patterns, counts, (chance, 1 - chance), (w[1:2], w[2:4], w[4:6]), (0.0, w[6]))

    best = min((minimize(value, [draw.gauss(0, 1) for _ in range(7)]) for _ in range(6)), key=lambda one: one.fun)
    named = found.parameters
    again = rasch_likelihood(
        patterns, counts, named["H"][0], [named[x]["a"] for x in "XYZ"], (0.0, named["X"]["t"]["H"][0])
    )

    assert -best.fun == pytest.approx(found.loglik, abs=1e-4)
    assert again == pytest.approx(found.loglik, abs=1e-8)


def test_observed_traits_and_tables_between():
    """Rasch children of observed parents, with a table in the middle: Poisson regression is not needed, by force again."""
    from scipy.optimize import minimize

    draw = random.Random(9)
    rows = [(a, draw.randint(0, 1), draw.randint(0, 1), draw.randint(0, 2)) for a in (0, 1, 2) for _ in range(60)]
    data = {name: [row[k] for row in rows] for k, name in enumerate("AXTY")}
    found = algdim.fit(data, "A -> X, T, Y; states A=3, Y=3; rasch X, Y; given A", starts=1)

    def value(w):
        total = 0.0
        for a, x, _, y in rows:
            for state, steps in ((x, w[0:1]), (y, w[1:3])):
                sizes = np.cumsum([0.0, *steps]) + (0.0, w[3], w[4])[a] * np.arange(len(steps) + 1)
                total -= sizes[state] - np.log(np.exp(sizes).sum())
        return total

    tables = sum(np.log(np.mean([other[2] == t for other in rows if other[0] == a])) for a, _, t, _ in rows)
    assert tables - minimize(value, np.zeros(5)).fun == pytest.approx(found.loglik, abs=1e-5)
    assert found.parameters["X"]["t"] == found.parameters["Y"]["t"]


def test_levels_that_contradict_each_other():
    """A parent has one level in a state, in all that reads parameters."""
    text = "H -> X1, X2; hidden H; rasch X1, X2"
    at = {"H": [["1/2", "1/2"]], "X1": {"a": [0], "t": {"H": [1]}}, "X2": {"a": [0], "t": {"H": [2]}}}
    for ask in (lambda: algdim.dimension(text, at=at), lambda: algdim.simulate(text, at, 5)):
        with pytest.raises(InputError, match=r"X2\.t\.H is not the same as X1\.t\.H"):
            ask()


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("adjacent X", "multinomial X", "the first is nested in the second"),
        ("cumulative X", "multinomial X", "not decided"),
        ("adjacent X", "rasch X", "not decided"),
        ("cumulative X", "", "the first is nested in the second"),
        ("adjacent X", "adjacent X", "equal"),
    ],
)
def test_nested_logits(first, second, relation):
    """Equal steps are a case of free ones; what is nested in tables only is not said to be nested in other logits."""
    one, other = (f"A -> X; states A=3, X=3{'; ' * bool(more)}{more}" for more in (first, second))

    assert relation == algdim.compare(one, other).relation


def test_no_comparison_of_random_networks_fails():
    """Every map of parameters that is found keeps the distribution: that is checked at a point, and an error otherwise."""
    draw = random.Random(5)
    kinds = ["sigmoid", "multinomial", "adjacent", "cumulative", "rasch", ""]
    found = set()
    for _ in range(40):
        texts = []
        for _ in range(2):
            one, other = draw.choices(kinds, k=2)
            rules = [f"{kind} {name}" for kind, name in ((one, "X"), (other, "Y")) if kind]
            edges = draw.choice(["H -> X, Y", "H -> X -> Y", "H, X -> Y; H -> X"])
            texts.append("; ".join([edges, "hidden H", f"states H={draw.choice([2, 3])}, X=2, Y=2", *rules]))
        found.add(algdim.compare(*texts).relation)

    assert len(found) > 1


@pytest.mark.parametrize(
    "text", ["A -> B; states A=2000, B=2000; cumulative B", "A, B -> C; states A=1000, B=2000; rasch C"]
)
def test_exponents_are_refused_before_there_are_any(text):
    """Each of the probabilities of a large table has one for each parameter."""
    with pytest.raises(LimitError, match=r"exponents each; .* needed"):
        algdim.dimension(text, max_memory="100M")
