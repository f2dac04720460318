"""Maximum likelihood of log-linear models: numbers from print, other programs' ways to the same maximum, cases drawn."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from amount import daily
from scipy.optimize import minimize

import algdim
from algdim.errors import InputError, LimitError

STUDENTS = {"A": [1] * 4 + [0] * 4, "C": [1, 1, 0, 0] * 2, "M": [1, 0] * 4}
STUDENTS["count"] = [911, 538, 44, 456, 3, 43, 2, 279]
"""Alcohol, cigarettes, marijuana: Agresti, An Introduction to Categorical Data Analysis, 2007, Table 7.3."""
HAIR = [32, 11, 10, 3, 53, 50, 25, 15, 10, 10, 7, 7, 3, 30, 5, 8]
HAIR += [36, 9, 5, 2, 66, 34, 29, 14, 16, 7, 7, 7, 4, 64, 5, 8]
"""HairEyeColor of R: sex slowest, then hair, then eye."""


def hair():
    """As columns."""
    rows = list(product(range(2), range(4), range(4)))
    return {name: [row[k] for row in rows] for k, name in enumerate(("Sex", "Hair", "Eye"))} | {"count": HAIR}


@pytest.mark.parametrize(
    ("sets", "g2", "x2", "dof"),
    [
        # Agresti's Table 7.6
        ("{A}, {C}, {M}", 1286.0, 1411.4, 4),
        ("{A}, {C,M}", 534.2, 505.6, 3),
        ("{C}, {A,M}", 939.6, 824.2, 3),
        ("{M}, {A,C}", 843.8, 704.9, 3),
        ("{A,C}, {A,M}", 497.4, 443.8, 2),
        ("{A,C}, {C,M}", 92.0, 80.8, 2),
        ("{A,M}, {C,M}", 187.8, 177.6, 2),
        ("{A,C}, {A,M}, {C,M}", 0.4, 0.4, 1),
        ("{A,C,M}", 0.0, 0.0, 0),
    ],
)
def test_agresti(sets, g2, x2, dof):
    """G², X² and degrees of freedom of all models of three variables."""
    found = algdim.score(STUDENTS, f"loglinear: {sets}", score="bic").goodness

    assert (g2, x2, dof) == (round(found.g2, 1), round(found.x2, 1), found.dof)


def test_loglin_of_r():
    """Example of loglin: no interaction of all three, likelihood ratio 6.7613 with 9 degrees of freedom."""
    text = "loglinear: {Sex,Hair}, {Sex,Eye}, {Hair,Eye}; states Hair=4, Eye=4"
    found = algdim.score(hair(), text, score="bic").goodness

    assert (6.7613, 9) == (round(found.g2, 4), found.dof)


def proportional(counts, axes, rounds=400):
    """Iterative proportional fitting: the table is scaled to each margin in turn."""
    fitted = np.full(counts.shape, counts.sum() / counts.size)
    for _ in range(rounds):
        for margin in axes:
            others = tuple(k for k in range(counts.ndim) if k not in margin)
            fitted = fitted * counts.sum(axis=others, keepdims=True) / fitted.sum(axis=others, keepdims=True)
    return fitted


@pytest.mark.parametrize("seed", daily(range(12), 4))
def test_iterative_proportional_fitting(seed):
    """The same likelihood, for random tables and sets."""
    draw = random.Random(seed)
    sizes = [draw.choice([2, 2, 3]) for _ in range(4)]
    sets = sorted({tuple(sorted(draw.sample(range(4), draw.choice([1, 2, 2, 3])))) for _ in range(4)})
    sets += [(k,) for k in range(4) if not any(k in one for one in sets)]
    counts = np.array([draw.randint(1, 40) for _ in range(np.prod(sizes))], dtype=float).reshape(sizes)
    fitted = proportional(counts, sets)
    rows = list(product(*map(range, sizes)))
    data = {name: [row[k] for row in rows] for k, name in enumerate("ABCD")} | {"count": counts.ravel().tolist()}
    shown = ", ".join("{" + ",".join("ABCD"[k] for k in one) + "}" for one in sets)
    states = ", ".join(f"{name}={size}" for name, size in zip("ABCD", sizes, strict=True))
    found = algdim.fit(data, f"loglinear: {shown}; states {states}")

    assert float((counts * np.log(fitted / counts.sum())).sum()) == pytest.approx(found.loglik, abs=1e-6)


def chances(model, effects):
    """The observed table, as the definition says, from logarithms of effects by name."""
    names = [one.name for one in model.variables]
    cells = {}
    for states in product(*(range(one.states) for one in model.variables)):
        at = dict(zip(names, states, strict=True))
        total = 0.0
        for name, value in effects.items():
            pairs = [pair.split("=") for pair in name[2:-1].split(",")]
            total += value * all(at[one] == int(state) for one, state in pairs)
        cell = tuple(at[one.name] for one in model.observed)
        cells[cell] = cells.get(cell, 0.0) + np.exp(total)
    whole = sum(cells.values())
    return {cell: value / whole for cell, value in cells.items()}


@pytest.mark.parametrize(
    "text",
    daily(
        [
            "loglinear: {A,H}, {B,H}, {C,H}; hidden H",
            "loglinear: {A,H}, {B,H}, {A,B}, {C}; hidden H; states A=3",
            "loglinear: {A,B}, {B,C}, {A,C}; hierarchical off",
            "loglinear: {A,H,B}, {C,H}; hidden H; states H=3",
        ],
        2,
    ),
)
def test_a_search_without_our_derivatives(text):
    """Of the likelihood of what cases show, two entries of which are missing."""
    model, draw = algdim.model(text), random.Random(text)
    rows = [[draw.randrange(one.states) for one in model.observed] for _ in range(60)]
    rows[0][0] = rows[1][1] = None
    data = {one.name: [row[k] for row in rows] for k, one in enumerate(model.observed)}
    found = algdim.fit(data, text, starts=12, missing=True)
    names = list(found.parameters)

    def value(weights):
        cells = chances(model, dict(zip(names, weights, strict=True)))
        return -sum(
            np.log(sum(p for cell, p in cells.items() if all(x in (None, y) for x, y in zip(row, cell, strict=True))))
            for row in rows
        )

    here = value([np.log(found.parameters[name]) for name in names])
    best = min(minimize(value, [draw.gauss(0, 1) for _ in names], method="BFGS").fun for _ in range(4))

    assert here == pytest.approx(-found.loglik, abs=1e-8)
    assert best >= here - 1e-4


def test_hidden_classes_are_those_of_the_network():
    """Three items of a hidden variable: the same likelihood as of tables."""
    draw = random.Random(7)
    hidden = [draw.random() < 0.4 for _ in range(300)]
    data = {name: [int(draw.random() < (0.8 if h else 0.25)) for h in hidden] for name in "ABCD"}
    one = algdim.fit(data, "loglinear: {A,H}, {B,H}, {C,H}, {D,H}; hidden H", starts=8)
    other = algdim.fit(data, "H -> A, B, C, D; hidden H", starts=8)

    assert one.loglik == pytest.approx(other.loglik, abs=1e-5)


def test_cases_are_drawn_from_the_table():
    """The frequencies of many cases."""
    model = algdim.model("loglinear: {A,B,H}, {B,C}; hidden H; states A=3")
    draw = random.Random(2)
    effects = {
        name: draw.gauss(0, 1)
        for name in algdim.fit({"A": [0, 1, 2], "B": [0, 1, 1], "C": [0, 1, 0]}, model, starts=1).parameters
    }
    drawn = algdim.simulate(model, {name: float(np.exp(value)) for name, value in effects.items()}, 40_000, seed=3)
    columns = np.array([drawn[one.name] for one in model.observed]).T
    for cell, chance in chances(model, effects).items():
        assert (columns == cell).all(axis=1).mean() == pytest.approx(chance, abs=0.012)


def test_what_is_refused():
    """Effects that are no effects, and tables that are too large."""
    with pytest.raises(InputError, match=r"t\(A=1\) is 0; effects"):
        algdim.simulate("loglinear: {A}", {"t(A=1)": 0}, 3)
    with pytest.raises(LimitError, match="joint states and the model has"):
        algdim.fit({f"X{k}": [0, 1] for k in range(25)}, "loglinear: " + ", ".join(f"{{X{k}}}" for k in range(25)))


def test_a_margin_of_zero_is_named():
    """The maximum is not reached; the fit says which effects run away."""
    found = algdim.fit({"A": [0, 0, 1], "B": [0, 1, 1], "count": [5, 5, 5]}, "loglinear: {A,B}")

    assert any("t(A=1" in one.name for one in found.boundary)


@pytest.mark.parametrize(
    ("text", "prior", "gap", "starts"),
    [
        ("loglinear: {A,C}, {A,M}", "ml", False, 1),
        ("A -> C -> M", "ml", False, 1),
        ("A -> C -> M", "alpha=1.5", False, 192),
        ("A -> C -> M", "ml", True, 192),
        ("loglinear: {A,C}, {A,M}", "ml", True, 192),
        ("H -> A, C, M; hidden H", "ml", False, 192),
    ],
)
def test_one_start_where_it_is_enough(text, prior, gap, starts):
    """Complete data without hidden variables have one maximum; others may have many."""
    data = STUDENTS | ({"C": [*STUDENTS["C"][:-1], None]} if gap else {})
    found = algdim.fit(data, text, prior=prior, missing=gap)

    assert len(found.spread) == starts
    assert ("1 start is enough" in str(found)) == (starts == 1)
