"""Which parameters are those of a sum of Poisson or normal variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod

import numpy as np
from numpy.typing import NDArray

from algdim.families.additive.map import LETTERS, AdditiveMap
from algdim.families.contract import Domain
from algdim.maps import completed, is_positive, numbers_in

Numbers = NDArray[np.intp]


def is_inside(pmap: AdditiveMap, point: Sequence[Fraction], strictly: bool, margin: Fraction) -> bool:
    """Whether no rate, variance or probability is negative."""
    ends = [*(point[number] for number in not_negative(pmap)), *completed(probability_rows(pmap), point)]
    return all(is_positive(value, strictly, margin) for value in ends)


def rates(pmap: AdditiveMap) -> list[Numbers]:
    """The rates of Poisson variables, or the variances of normal ones."""
    letters = [number for number, letter in enumerate(LETTERS[pmap.model.family]) if letter in ("l", "v")]
    return [row.components[..., letters] for row in pmap.rows]


def table_numbers(pmap: AdditiveMap) -> Iterator[Numbers]:
    """Yield the numbers of the parameters in the tables of the causes, rows × free states."""
    start, states = 0, pmap.model.network.states
    for variable in pmap.model.network.observed:
        rows, free = prod(states[parent] for parent in variable.parents), variable.states - 1
        yield np.arange(start, start + rows * free).reshape(rows, free)
        start += rows * free


def probability_rows(pmap: AdditiveMap) -> list[Numbers]:
    """The parameters that are probabilities, a row for each distribution, whose last probability is no parameter."""
    tables = (*table_numbers(pmap), *(row.weights for row in pmap.rows))
    return [row for table in tables for row in table if row.size]


def not_negative(pmap: AdditiveMap) -> frozenset[int]:
    """Rates, variances and probabilities."""
    return numbers_in([*probability_rows(pmap), *rates(pmap)])


def alike(pmap: AdditiveMap) -> Iterator[Numbers]:
    """The parameters that are the same in all rows if causes and hidden variables make no difference."""
    for table in table_numbers(pmap):
        yield from table.T
    for row in pmap.rows:
        yield from row.weights.T
        yield from np.moveaxis(row.components, -1, 0)


DOMAIN = Domain(
    is_inside, not_negative, alike=alike, states=lambda model: [variable.states for variable in model.network.variables]
)
