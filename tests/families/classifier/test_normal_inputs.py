"""Lemma "normal inputs": the rank of p(y|x) at many inputs, by differences with many digits, against maps of formulas."""

from __future__ import annotations

import random

import mpmath
import pytest
from brute_maxima import DIGITS, STEP, rank

import algdim


def rank_of_chances(joint, names, seed=0):
    """The rank of the chances of the classes but the first, at more inputs than can matter; ``joint`` has their densities."""
    source = random.Random(seed)
    with mpmath.workdps(DIGITS):
        point = {name: mpmath.mpf(source.randint(300, 900)) / 1000 for name in names}
        rows = []
        for _ in range(len(names) + 3):
            x = [mpmath.mpf(source.randint(-2000, 2000)) / 1000 for _ in range(3)]

            def chances(point, x=x):
                found = joint(point, x)
                return [one / sum(found) for one in found[1:]]

            columns = []
            for name in names:
                sides = [chances({**point, name: point[name] + step}) for step in (STEP, -STEP)]
                columns.append([(one - other) / (2 * STEP) for one, other in zip(*sides, strict=True)])
            rows += [list(row) for row in zip(*columns, strict=True)]
        return rank(rows)


def density(x, mean, variance):
    """Of a normal variable."""
    return mpmath.exp(-((x - mean) ** 2) / (2 * variance)) / mpmath.sqrt(2 * mpmath.pi * variance)


def prior(point, classes):
    """The chances of the classes; the drawn ones are made small enough."""
    some = [point[f"p{k}"] / classes for k in range(1, classes)]
    return [1 - sum(some), *some]


@pytest.mark.parametrize(
    ("inputs", "classes", "common"), [(1, 2, 0), (2, 2, 0), (3, 2, 0), (3, 2, 1), (2, 3, 0), (2, 3, 1)]
)
def test_naive_bayes(inputs, classes, common):
    """Two coefficients for each input and further class, or one where variances are common."""
    means = [f"m{i}{k}" for i in range(inputs) for k in range(classes)]
    variances = [f"v{i}" if common else f"v{i}{k}" for i in range(inputs) for k in range(1 if common else classes)]

    def spread(i, k):
        return f"v{i}" if common else f"v{i}{k}"

    def joint(point, x):
        return [
            chance * mpmath.fprod(density(x[i], point[f"m{i}{k}"], point[spread(i, k)]) for i in range(inputs))
            for k, chance in enumerate(prior(point, classes))
        ]

    found = rank_of_chances(joint, [*(f"p{k}" for k in range(1, classes)), *means, *variances])
    pairs = [(i, k) for i in range(inputs) for k in range(1, classes)]
    coordinates = [f"m{i}{k}/{spread(i, k)} - m{i}0/{spread(i, 0)}" for i, k in pairs]
    coordinates += [] if common else [f"1/{spread(i, k)} - 1/{spread(i, 0)}" for i, k in pairs]
    report = algdim.dimension(
        f"polynomial: parameters {', '.join([*means, *variances])}; coordinates {', '.join(coordinates)}"
    )
    assert report.exact
    assert found == classes - 1 + report.dimension == (classes - 1) * (1 + inputs * (1 if common else 2))


def test_an_arc_between_inputs():
    """x1 normal in each class, x2 with a line in x1 for each class and a common variance."""
    names = ["a0", "a1", "v0", "v1", "b0", "b1", "s0", "s1", "w"]

    def joint(point, x):
        return [
            chance
            * density(x[0], point[f"a{k}"], point[f"v{k}"])
            * density(x[1], point[f"b{k}"] + point[f"s{k}"] * x[0], point["w"])
            for k, chance in enumerate(prior(point, 2))
        ]

    found = rank_of_chances(joint, ["p1", *names])
    report = algdim.dimension(
        f"polynomial: parameters {', '.join(names)}; coordinates (b1 - b0)/w, a1/v1 - a0/v0 - (s1*b1 - s0*b0)/w, "
        "(s1 - s0)/w, 1/v1 - 1/v0 + (s1^2 - s0^2)/w"
    )
    assert (found, True) == (1 + report.dimension, report.exact)


def test_discriminant_analysis():
    """Two inputs with any covariance matrix in each class, or one for both: six and three numbers."""
    own = ["a0", "a1", "b0", "b1", *(f"{letter}{k}" for letter in "vcw" for k in (0, 1))]
    shared = ["a0", "a1", "b0", "b1", "v", "c", "w"]

    def make_joint(index):
        def joint(point, x):
            found = []
            for k, chance in enumerate(prior(point, 2)):
                v, c, w = (point[letter + index(k)] for letter in "vcw")
                v, w = v + 1, w + 1  # so that the matrix is positive definite
                d, e, size = x[0] - point[f"a{k}"], x[1] - point[f"b{k}"], v * w - c * c
                found.append(
                    chance * mpmath.exp(-(w * d * d - 2 * c * d * e + v * e * e) / (2 * size)) / mpmath.sqrt(size)
                )
            return found

        return joint

    assert 6 == rank_of_chances(make_joint(str), ["p1", *own])
    assert 3 == rank_of_chances(make_joint(lambda k: ""), ["p1", *shared])
