"""Whether there is a distribution with given parameters: no negative probability, covariance matrices positive definite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from algdim.exact.arithmetic import rationals
from algdim.families.additive.map import AdditiveMap
from algdim.families.classifier.map import ClassifierMap
from algdim.families.discrete.map import ParamMap
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.validity import first_bad_minor
from algdim.families.latentprofile.map import MomentMap, covariance
from algdim.families.loglinear.map import LogLinearMap
from algdim.maps.anymap import Map
from algdim.maps.parameters import PROBABILITY, RATE, VARIANCE, Parameter
from algdim.rank import objects

Square = list[list[Fraction]]


NEAR = Fraction(1, 10**9)
"""Estimates that are this near to the end of a range are taken for the end: climbing algorithms do not arrive there."""


def is_inside(pmap: Map, point: Sequence[Fraction], *, strictly: bool = False, margin: Fraction = Fraction(0)) -> bool:
    """Whether the parameters are those of a distribution, ``strictly`` all nearby ones too; of maps of one's own every point is.

    With a margin probabilities, rates and effects are to be greater than it, and the errors' covariance matrix stays positive
    definite when the variances are less by this share, and every variance is more than this share of its variable's.

    >>> from algdim.maps.anymap import map_of
    >>> from algdim.models.notation import parse
    >>> pmap = map_of(parse("gaussian: A <-> B; means off"))
    >>> [is_inside(pmap, [Fraction(1), Fraction(1), Fraction(c, 10)]) for c in (9, 11)]
    [True, False]
    >>> pmap = map_of(parse("A -> B"))
    >>> [
    ...     is_inside(pmap, [Fraction(1), Fraction(1, 2), Fraction(1, 3)], strictly=strictly)
    ...     for strictly in (False, True)
    ... ]
    [True, False]
    """
    if isinstance(pmap, ClassifierMap):
        return is_inside(pmap.tables, point, strictly=strictly, margin=margin)
    if isinstance(pmap, ParamMap):
        return all(is_positive(value, is_free and strictly, margin) for value, is_free in table_entries(pmap, point))
    if isinstance(pmap, GaussianMap):
        errors = error_covariances(pmap, point)
        if not strictly:
            return is_covariance(errors)
        constant = {pmap.place[name] for (kind, name, *_), value in pmap.value_of.items() if kind == "v" and not value}
        kept = [number for number in range(len(errors)) if number not in constant]
        far = not margin or is_far(pmap, point, errors, kept, margin)
        return far and first_bad_minor(lessened(without(errors, constant), margin)) is None
    if isinstance(pmap, MomentMap):
        covariances = list(class_covariances(pmap, point))
        fits = (
            first_bad_minor(lessened(one, margin)) is None if strictly else is_covariance(one) for one in covariances
        )
        return all(fits) and all(is_positive(value, strictly, margin) for value in probabilities(pmap.records, point))
    if isinstance(pmap, AdditiveMap):
        rates = [value for one, value in zip(pmap.records, point, strict=True) if one.kind in (RATE, VARIANCE)]
        return all(is_positive(value, strictly, margin) for value in [*rates, *probabilities(pmap.records, point)])
    if isinstance(pmap, LogLinearMap):
        return all(is_positive(value, strictly, margin) for value in point)
    return True


def is_positive(value: Fraction, strictly: bool, margin: Fraction = Fraction(0)) -> bool:
    """Whether a number is not negative, ``strictly`` above the margin."""
    return value > margin if strictly else value >= 0


def lessened(matrix: Square, share: Fraction) -> Square:
    """A matrix whose diagonal is less by a share."""
    return [[value * (1 - share) if i == j else value for j, value in enumerate(row)] for i, row in enumerate(matrix)]


def is_far(gmap: GaussianMap, point: Sequence[Fraction], errors: Square, kept: Sequence[int], margin: Fraction) -> bool:
    """Whether the errors' variances are more than a share of their variables', in floating point."""
    coefficients = np.zeros((len(errors), len(errors)))
    for entry in gmap.model.entries:
        if entry[0] == "b":
            number = gmap.number_of.get(entry)
            value = gmap.value_of[entry] if number is None else point[number]
            coefficients[gmap.place[entry[1]], gmap.place[entry[-1]]] = float(value)
    omega = np.array([[float(value) for value in row] for row in errors])
    try:
        inverse = np.linalg.inv(np.eye(len(errors)) - coefficients)
    except np.linalg.LinAlgError:
        return False
    sigma = inverse.T @ omega @ inverse
    return all(omega[number, number] > float(margin) * sigma[number, number] for number in kept)


def table_entries(pmap: ParamMap, point: Sequence[Fraction]) -> Iterator[tuple[Fraction, bool]]:
    """The entries of all tables, and whether they depend on parameters."""
    elements = rationals().elements(objects(list(point)))
    for entries in pmap.arrays:
        moving = set() if entries.is_constant else set(entries.derivative(rationals(), elements).entry.tolist())
        for number, value in enumerate(entries.values(rationals(), elements).flat):
            yield value, number in moving


def probabilities(parameters: Sequence[Parameter], point: Sequence[Fraction]) -> list[Fraction]:
    """The probabilities among parameters, with the last one of each row.

    >>> chances = [Parameter("P", ("C",), (state,), (("H", 0),)) for state in (0, 1)]
    >>> probabilities(
    ...     [*chances, Parameter("m", ("X",), (), (("H", 0),))], [Fraction(1, 2), Fraction(1, 3), Fraction(7)]
    ... )
    [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    """
    rows: dict[Parameter, list[Fraction]] = defaultdict(list)
    for one, value in zip(parameters, point, strict=True):
        if one.kind == PROBABILITY:
            rows[one._replace(states=())].append(value)
    return [value for row in rows.values() for value in (*row, 1 - sum(row, Fraction(0)))]


def without(matrix: Square, left_out: set[int]) -> Square:
    """A matrix without some rows and the columns of the same numbers."""
    kept = [number for number in range(len(matrix)) if number not in left_out]
    return [[matrix[i][j] for j in kept] for i in kept]


def is_covariance(matrix: Square) -> bool:
    """Whether a matrix is positive definite once variables of variance 0, which are constants, are left out.

    >>> is_covariance([[Fraction(0), Fraction(0)], [Fraction(0), Fraction(1)]])
    True
    """
    return first_bad_minor(without(matrix, {i for i, row in enumerate(matrix) if not any(row)})) is None


def error_covariances(gmap: GaussianMap, point: Sequence[Fraction]) -> Square:
    """The covariances of the errors, one row for each variable."""
    matrix = [[Fraction(0)] * len(gmap.place) for _ in gmap.place]
    for entry in gmap.model.entries:
        if entry[0] in ("v", "c"):
            one, other = gmap.place[entry[1]], gmap.place[entry[-1]]
            number = gmap.number_of.get(entry)
            matrix[one][other] = matrix[other][one] = gmap.value_of[entry] if number is None else point[number]
    return matrix


def class_covariances(pmap: MomentMap, point: Sequence[Fraction]) -> Iterator[Square]:
    """The covariances inside each class."""
    model, values = pmap.model, dict(zip(pmap.records, point, strict=True))
    names = [item.name for item in model.continuous]
    for number in range(1 if model.equal else model.classes):
        yield [
            [
                values.get(covariance(model, names[min(i, j)], names[max(i, j)], number), Fraction(0))
                for j in range(len(names))
            ]
            for i in range(len(names))
        ]
