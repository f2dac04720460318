"""Lemma "links": probits have the dimension of logits or of tables, and thresholds that of a rational map; by differences.

Nothing of the engine is used in the brute force: cells are computed from the definition with many digits.
"""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import comb, erf, pi, sqrt

import mpmath
import numpy as np
import pytest
from brute_maxima import DIGITS, STEP, rank

import algdim


def jacobian(cells, point):
    """Differences of all cells, with many digits."""
    columns = []
    for place in range(len(point)):
        sides = [cells([x + step * (k == place) for k, x in enumerate(point)]) for step in (STEP, -STEP)]
        columns.append([(one - other) / (2 * STEP) for one, other in zip(*sides, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def numbers(count, seed):
    """Random numbers with few digits."""
    source = random.Random(seed)
    return [mpmath.mpf(source.randint(100, 900)) / 1000 for _ in range(count)]


def logit(x):
    """The logistic distribution function."""
    return 1 / (1 + mpmath.exp(-x))


@pytest.mark.parametrize("link", [mpmath.ncdf, logit])
@pytest.mark.parametrize(("states", "levels"), [((2,), 2), ((3,), 2), ((3, 2), 2), ((3, 2), 3), ((2, 2, 3), 2)])
def test_observed_parents(link, states, levels):
    """(b): independent observed roots, and a child with this link: as many dimensions as with a cumulative logit."""
    with mpmath.workdps(DIGITS):
        free = sum(states) - len(states)

        def cells(point):
            at, tables = list(point[:free]), []
            for size in states:
                own, at = at[: size - 1], at[size - 1 :]
                tables.append([*[x / size for x in own], 1 - sum(own) / size])
            weights = point[free:]
            found = []
            for row in product(*map(range, states)):
                chance = mpmath.fprod(table[state] for table, state in zip(tables, row, strict=True))
                linear = mpmath.fsum(b * x for b, x in zip(weights[levels - 1 :], row, strict=True))
                # constants that fall
                above = [1, *(link(linear - mpmath.fsum(weights[: s + 1])) for s in range(levels - 1)), 0]
                found += [chance * (one - other) for one, other in pairwise(above)]
            return found

        found = rank(jacobian(cells, numbers(free + levels - 1 + len(states), 1)))
    names = "ABC"[: len(states)]
    sizes = ", ".join(f"{name}={size}" for name, size in zip([*names, "X"], [*states, levels], strict=True))
    kind = "cumulative" if levels > 2 else "sigmoid"
    assert found == algdim.dimension(f"{', '.join(names)} -> X; states {sizes}; {kind} X").dimension


@pytest.mark.parametrize("items", [2, 3, 4])
def test_a_hidden_binary_cause(items):
    """(a): probit items of two classes have the dimension of the latent class model."""
    with mpmath.workdps(DIGITS):

        def cells(point):
            weight, *weights = point
            found = []
            for states in product((0, 1), repeat=items):
                total = 0
                for h, chance in ((0, weight), (1, 1 - weight)):
                    for state, a, b in zip(states, weights[::2], weights[1::2], strict=True):
                        above = mpmath.ncdf(a + b * h)
                        chance = chance * (above if state else 1 - above)  # noqa: PLW2901 (a product)
                    total += chance
                found.append(total)
            return found

        found = rank(jacobian(cells, numbers(1 + 2 * items, 2)))
    assert found == algdim.dimension(f"2:2^{items}").dimension


def test_three_states_and_a_hidden_binary_cause():
    """Of (a) two states are needed: with three an ordered probit says less than a table, and has the dimension of its own."""
    items = 3
    with mpmath.workdps(DIGITS):

        def cells(point):
            weight, *weights = point
            found = []
            for states in product(range(3), repeat=items):
                total = 0
                for h, chance in ((0, weight), (1, 1 - weight)):
                    own = [chance]
                    for item, state in enumerate(states):
                        first, fall, slope = weights[3 * item : 3 * item + 3]
                        above = [1, mpmath.ncdf(first + slope * h), mpmath.ncdf(first - fall + slope * h), 0]
                        own.append(above[state] - above[state + 1])
                    total += mpmath.fprod(own)
                found.append(total)
            return found

        found = rank(jacobian(cells, numbers(1 + 3 * items, 4)))
    text = "H -> X1..X3; hidden H; states X1..X3=3; probit X1..X3"
    assert (found, algdim.dimension(f"2:3^{items}").dimension) == (10, 13)
    assert found == algdim.dimension(text).dimension


@pytest.mark.parametrize("causes", [1, 2, 3])
def test_thresholds_of_normal_mechanisms(causes):
    """(d): one binary cause each; the map of formulas has the rank of the probabilities."""
    letters = "abcd"[:causes]
    rows = list(product((0, 1), repeat=causes))
    with mpmath.workdps(DIGITS):

        def cells(point):
            means, variances = point[: 2 * causes], point[2 * causes :]
            found = []
            for row in rows:
                places = [2 * k + state for k, state in enumerate(row)]
                spread = mpmath.sqrt(mpmath.fsum(variances[place] for place in places))
                found.append(mpmath.ncdf(mpmath.fsum(means[place] for place in places) / spread))
            return found

        found = rank(jacobian(cells, numbers(4 * causes, 3)))

    def total(kind, row):
        return "+".join(f"{kind}{letter}{state}" for letter, state in zip(letters, row, strict=True))

    parameters = ", ".join(f"{kind}{letter}{state}" for kind in "mv" for letter in letters for state in (0, 1))
    coordinates = ", ".join(f"({total('m', row)})^2/({total('v', row)})" for row in rows)
    report = algdim.dimension(f"polynomial: parameters {parameters}; coordinates {coordinates}")
    assert (found, True) == (report.dimension, report.exact)
    assert found == min(2**causes, 2 * (causes + 1) - 1)
    with pytest.raises(algdim.InputError, match="free entries of the causes' tables plus that of the map"):
        algdim.model("threshold: {A},{B} -> E")


@pytest.mark.parametrize(("items", "states"), [(2, 2), (3, 2), (4, 2), (5, 2), (3, 3), (4, 3)])
def test_items_of_one_normal_factor(items, states):
    """(e): the normal ogive by integration over the factor, derivatives under the integral; slopes and thresholds."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    source = np.random.default_rng(items + 10 * states)
    slopes = source.uniform(0.4, 1.3, items)
    thresholds = np.sort(source.uniform(-1, 1, (items, states - 1)), axis=1) + 0.3 * np.arange(states - 1)
    # chances, and their derivatives by the slope and by the thresholds, item × state × node
    inside = slopes[:, None, None] * nodes - thresholds[:, :, None]
    above = (1 + np.vectorize(erf)(inside / sqrt(2))) / 2
    density = np.exp(-(inside**2) / 2) / sqrt(2 * pi)
    edge = ((0, 0), (1, 1), (0, 0))
    whole, none = np.pad(above, edge), np.pad(density, edge)
    whole[:, 0] = 1.0
    chances, by_slope = whole[:, :-1] - whole[:, 1:], (none[:, :-1] - none[:, 1:]) * nodes
    rows = []
    for cell in product(range(states), repeat=items):
        own = [chances[item, state] for item, state in enumerate(cell)]
        row = []
        for item, state in enumerate(cell):
            rest = weights * np.prod([one for k, one in enumerate(own) if k != item], axis=0)
            row.append(rest @ by_slope[item, state])
            for s in range(states - 1):
                # a threshold is the lower end of state s + 1 and the upper end of state s
                sign = {s: 1.0, s + 1: -1.0}.get(state, 0.0)
                row.append(sign * (rest @ density[item, s]))
        rows.append(row)
    values = np.linalg.svd(np.array(rows), compute_uv=False)
    found = int((values > 1e-9 * values[0]).sum())
    assert all(value > 1e-6 * values[0] for value in values[:found])

    report = algdim.dimension(f"gaussian: F -> X1..X{items}; hidden F; fix v(F)=1; means off")
    assert report.exact
    assert found == report.dimension + items * (states - 1) - items
    assert found == items * (states - 1) + min(items, comb(items, 2))
