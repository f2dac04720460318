"""The inverse of a matrix in any arithmetic that divides."""

from __future__ import annotations

from typing import Any

import numpy as np

from algdim.exact.arithmetic import Arithmetic, Array, Booleans, Objects, Residues


class SingularError(ZeroDivisionError):
    """A matrix has no inverse; of a map: it has no value at this point."""


def inverse(arithmetic: Arithmetic, matrix: Array) -> Array:
    """The inverse by Gauss–Jordan elimination, the first entry that is not zero as pivot.

    >>> inverse(Residues(7), np.array([[0.0, 1.0], [2.0, 1.0]]))
    array([[ 3., -3.],
           [ 1.,  0.]])
    """
    size = len(matrix)
    work = np.concatenate([matrix, arithmetic.elements(np.eye(size, dtype=np.int64))], axis=1)
    zero, minus_one = arithmetic.elements(np.array([0])), arithmetic.elements(np.array([-1]))
    for column in range(size):
        found = np.flatnonzero(np.asarray(work[column:, column] != 0, dtype=bool))
        if not len(found):
            raise SingularError(f"a matrix with {size} rows has no inverse")
        pivot = column + int(found[0])
        work[[column, pivot]] = work[[pivot, column]]
        work[column] = arithmetic.multiply(work[column], reciprocal(arithmetic, work[column, column]))
        factors = arithmetic.multiply(work[:, column], minus_one)
        factors[column : column + 1] = zero
        work = arithmetic.add(work, arithmetic.multiply(factors[:, None], work[column][None, :]))
    return work[:, size:]


def reciprocal(arithmetic: Arithmetic, value: Any) -> Array:
    """One over a number that is not zero, as an array with one entry."""
    return reciprocals(arithmetic, np.array([value], dtype=object if isinstance(arithmetic, Objects) else None))


def reciprocals(arithmetic: Arithmetic, values: Array) -> Array:
    """One over each number; `SingularError` if one of them is zero.

    >>> reciprocals(Residues(7), np.array([1.0, -3.0]))
    array([1., 2.])
    """
    if isinstance(arithmetic, Booleans):
        return values
    if np.any(values == 0):
        raise SingularError("a denominator is zero")
    if isinstance(arithmetic, Residues):
        inverted = [pow(int(value), -1, arithmetic.prime) for value in values.flat]
        return arithmetic.elements(np.array(inverted, dtype=np.int64).reshape(values.shape))
    return np.asarray(1 / values)
