"""Parameters as those of distributions: what the domains of all families have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.intp]


def is_positive(value: Fraction, strictly: bool, margin: Fraction = Fraction(0)) -> bool:
    """Whether a number is not negative, ``strictly`` above the margin."""
    return value > margin if strictly else value >= 0


def numbers_in(arrays: Iterable[NDArray[Any]]) -> frozenset[int]:
    """All numbers in some arrays."""
    return frozenset(int(number) for array in arrays for number in array.flat)


def completed(rows: Iterable[Numbers], point: Sequence[Fraction]) -> Iterator[Fraction]:
    """The probabilities among the parameters, with the last one of each row."""
    for row in rows:
        values = [point[number] for number in row]
        yield from (*values, 1 - sum(values, Fraction(0)))
