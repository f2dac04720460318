"""Tetrads, larger minors, pentads and vanishing covariances of a Gaussian model, tested on data.

What they are and why they hold is found by `treksearch` and `treks`, and told by `constraints`. Here an equation f(Σ) = 0 is
evaluated at the covariances S of N cases. Under normality f(S) has, to first order, the variance (2/N) tr(GΣGΣ), G being the
symmetric matrix of df = tr(G dΣ) (the delta method: Bollen 1990, Bollen and Ting 1993, who test many tetrads together). For a
single tetrad Wishart (1928) has the variance for every N.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.explanation.constraints import Constraint
from algdim.explanation.testing import Statistic
from algdim.fitting.mixedsamples import MixedSample
from algdim.scores.goodness import compute_upper_tail

Numbers = NDArray[np.float64]

ROUNDING = 1e-10
"""Of the greatest eigenvalue of correlations between statistics: below it one of them follows from the others."""

UNITS = (1e-20, 1e20)
"""Variances whose products, up to minors with seven rows, stay within floating point."""


@dataclass(frozen=True, slots=True, eq=False)
class Linearized:
    """An equation's left side at the data, and what it changes by: with the means, and tr(G dS) with the covariances."""

    value: float
    means: Numbers
    covariances: Numbers
    tetrad: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """Of a tetrad its rows and columns."""


def measure_equations(equations: Sequence[Constraint], data: Any) -> tuple[list[Statistic | None], Statistic | None]:
    """A statistic of each equation that is a polynomial in means and covariances, and one of all that are independent."""
    sample = cast("MixedSample", data)
    check_units(sample)
    lines = [linearize(one, sample) for one in equations]
    found = [None if line is None else measure_alone(line, sample) for line in lines]
    independent = [line for line, one in zip(lines, equations, strict=True) if line is not None and one.independent]
    return found, measure_together(independent, sample) if len(independent) > 1 else None


def check_units(sample: MixedSample) -> None:
    """Raise where products of covariances leave floating point: a variance that is 0 there would hide every rejection."""
    for name, variance in zip(sample.continuous, np.diag(sample.covariance), strict=True):
        if not UNITS[0] < variance < UNITS[1]:
            raise InputError(
                f"the variance of {name} is {variance:.3g}; equations are tested between {UNITS[0]:g} and {UNITS[1]:g}: choose another unit"
            )


def linearize(equation: Constraint, sample: MixedSample) -> Linearized | None:
    """An equation at the data; None for those of regressions in kernels, which are no polynomials in the covariances."""
    place = {name: number for number, name in enumerate(sample.continuous)}
    evidence, matrix = equation.evidence, sample.covariance
    means, change = np.zeros(len(place)), np.zeros_like(matrix)
    if equation.kind == "zero mean":
        (variable,) = (place[name] for name in evidence["variables"])
        means[variable] = 1.0
        return Linearized(float(sample.mean[variable]), means, change)
    if "terms" in evidence:
        total = 0.0
        for sign, pairs in evidence["terms"]:
            cells = [(place[a], place[b]) for a, b in pairs]
            factors = [matrix[cell] for cell in cells]
            total += sign * float(np.prod(factors))
            for number, cell in enumerate(cells):
                add_change(change, cell, sign * float(np.prod(factors[:number] + factors[number + 1 :])))
    elif "rows" in evidence and "columns" in evidence:
        rows, columns = ([place[name] for name in evidence[side]] for side in ("rows", "columns"))
        total = float(np.linalg.det(matrix[np.ix_(rows, columns)]))
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                rest = matrix[np.ix_(rows[:i] + rows[i + 1 :], columns[:j] + columns[j + 1 :])]
                add_change(change, (row, column), (-1) ** (i + j) * float(np.linalg.det(rest)))
    else:
        return None
    tetrad = None
    if equation.kind == "tetrad":
        tetrad = tuple(place[name] for name in evidence["rows"]), tuple(place[name] for name in evidence["columns"])
    return Linearized(total, means, change, tetrad)


def add_change(change: Numbers, cell: tuple[int, int], value: float) -> None:
    """Add the derivative by a covariance, which stands at two places of a symmetric matrix."""
    i, j = cell
    change[i, j] += value / 2
    change[j, i] += value / 2


def compute_covariances(lines: Sequence[Linearized], sample: MixedSample) -> Numbers:
    """The covariance matrix of statistics under normality, to first order."""
    matrix, means = sample.covariance, np.array([line.means for line in lines])
    turned = [line.covariances @ matrix for line in lines]
    second = np.array([[2 * float(np.sum(one * other.T)) for other in turned] for one in turned])
    return np.asarray((means @ matrix @ means.T + second) / sample.size)


def measure_alone(line: Linearized, sample: MixedSample) -> Statistic:
    """The square of a value over its standard error, χ² with one degree of freedom; of a tetrad Wishart's test as well."""
    variance = float(compute_covariances([line], sample)[0, 0])
    value = line.value**2 / variance if variance > 0 else 0.0
    if line.tetrad is None:
        return Statistic("χ²", value, 1)
    cases = sample.size
    wishart = compute_wishart_variance(sample.covariance, *line.tetrad, cases)
    unbiased = line.value * cases**2 / ((cases - 1) * (cases - 2)) if wishart > 0 else 0.0
    others = (("Wishart", compute_upper_tail(unbiased**2 / wishart, 1)),) if wishart > 0 else ()
    return Statistic("χ²", value, 1, others)


def compute_wishart_variance(matrix: Numbers, rows: Sequence[int], columns: Sequence[int], cases: float) -> float:
    """The variance of the unbiased estimate of a tetrad that vanishes, for any number of cases (Wishart 1928); 0 below three cases.

    ``matrix`` has the number of cases in its denominators. The estimate is the tetrad of the sums of products over (N − 1)(N − 2).
    """
    if not cases > len(rows):
        return 0.0
    scale = cases / (cases - 1)

    def determinant(some: Sequence[int]) -> float:
        return float(np.linalg.det(scale * matrix[np.ix_(some, some)]))

    outer = determinant(rows) * determinant(columns)
    return (outer * (cases + 1) / (cases - 1) - determinant([*rows, *columns])) / (cases - 2)


def measure_together(lines: Sequence[Linearized], sample: MixedSample) -> Statistic:
    """T = tᵀV⁻¹t of all statistics t with their covariance matrix V, χ² with as many degrees of freedom as V has rank."""
    values, matrix = np.array([line.value for line in lines]), compute_covariances(lines, sample)
    scale = np.array([1 / sqrt(one) if one > 0 else 0.0 for one in np.diag(matrix)])
    sizes, vectors = np.linalg.eigh(matrix * np.outer(scale, scale))
    kept = sizes > ROUNDING * sizes[-1]
    shown = (vectors.T @ (values * scale))[kept]
    return Statistic("χ²", float((shown**2 / sizes[kept]).sum()), int(kept.sum()))
