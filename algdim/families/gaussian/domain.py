"""Which entries are those of a Gaussian distribution."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from algdim.exact.rationals import Square, first_bad_minor, is_covariance, lessened, without
from algdim.families.contract import Domain
from algdim.families.gaussian.map import GaussianMap

Numbers = NDArray[np.intp]


def is_inside(gmap: GaussianMap, point: Sequence[Fraction], strictly: bool, margin: Fraction) -> bool:
    """Whether the errors have a covariance matrix, ``strictly`` a definite one, far from others by the margin."""
    errors = error_covariances(gmap, point)
    if not strictly:
        return is_covariance(errors)
    constant = {gmap.place[name] for (kind, name, *_), value in gmap.value_of.items() if kind == "v" and not value}
    kept = [number for number in range(len(errors)) if number not in constant]
    far = not margin or is_far(gmap, point, errors, kept, margin)
    return far and first_bad_minor(lessened(without(errors, constant), margin)) is None


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


def error_covariances(gmap: GaussianMap, point: Sequence[Fraction]) -> Square:
    """The covariances of the errors, one row for each variable."""
    matrix = [[Fraction(0)] * len(gmap.place) for _ in gmap.place]
    for entry in gmap.model.entries:
        if entry[0] in ("v", "c"):
            one, other = gmap.place[entry[1]], gmap.place[entry[-1]]
            number = gmap.number_of.get(entry)
            matrix[one][other] = matrix[other][one] = gmap.value_of[entry] if number is None else point[number]
    return matrix


DOMAIN = Domain(
    is_inside,
    lambda gmap: gmap.numbers_of("v"),
    covariances=lambda gmap: gmap.numbers_of("c"),
    coefficients=lambda gmap: gmap.numbers_of("b"),
    at_end="the covariance matrix of the errors is singular",
)
