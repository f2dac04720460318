"""Which parameters are those of a mixture of normal distributions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from algdim.exact.rationals import Square, first_bad_minor, is_covariance, lessened
from algdim.families.contract import Domain
from algdim.families.latentprofile.evaluation import Layout
from algdim.families.latentprofile.map import MomentMap
from algdim.maps import completed, is_positive, numbers_in

Numbers = NDArray[np.intp]


def is_inside(pmap: MomentMap, point: Sequence[Fraction], strictly: bool, margin: Fraction) -> bool:
    """Whether the classes have covariance matrices, and no probability is negative."""
    covariances = list(class_covariances(pmap, point))
    fits = (first_bad_minor(lessened(one, margin)) is None if strictly else is_covariance(one) for one in covariances)
    ends = completed(probability_rows(pmap), point)
    return all(fits) and all(is_positive(value, strictly, margin) for value in ends)


def class_covariances(pmap: MomentMap, point: Sequence[Fraction]) -> Iterator[Square]:
    """The covariances inside each class; one matrix where they are the same."""
    layout, count = Layout(pmap.model), len(pmap.model.continuous)
    for kind in range(1 if pmap.model.equal else pmap.model.classes):
        matrix = [[Fraction(0)] * count for _ in range(count)]
        for item, numbers in enumerate(layout.variances):
            matrix[item][item] = point[numbers[kind]]
        for (one, other), numbers in zip(combinations(range(count), 2), layout.pairs, strict=False):
            matrix[one][other] = matrix[other][one] = point[numbers[kind]]
        yield matrix


def probability_rows(pmap: MomentMap) -> list[Numbers]:
    """The parameters that are probabilities, a row for each distribution, whose last probability is no parameter."""
    layout = Layout(pmap.model)
    found = [layout.weights, *(row for table in layout.tables for row in table)]
    return [row for row in found if row.size]


def not_negative(pmap: MomentMap) -> frozenset[int]:
    """Weights, variances and probabilities."""
    layout = Layout(pmap.model)
    return numbers_in([layout.weights, layout.variances, *layout.tables])


def alike(pmap: MomentMap) -> Iterator[Numbers]:
    """The parameters of an item in all classes."""
    layout = Layout(pmap.model)
    for array in (layout.means, layout.variances, layout.pairs, *(table.T for table in layout.tables)):
        yield from array


DOMAIN = Domain(
    is_inside,
    not_negative,
    covariances=lambda pmap: numbers_in([Layout(pmap.model).pairs]),
    alike=alike,
    states=lambda model: [model.classes, *(item.states or 0 for item in model.categorical)],
)
