"""Which parameters of a map are probabilities, variances, covariances: by its own records, not by their names.

Entries that are equal have one name, which the user chooses; it says nothing of what they are.
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from algdim.families.additive.map import LETTERS, AdditiveMap
from algdim.families.classifier.map import ClassifierMap
from algdim.families.discrete.map import ParamMap
from algdim.families.gaussian.map import GaussianMap
from algdim.families.latentprofile.evaluation import Layout
from algdim.families.latentprofile.map import MomentMap
from algdim.families.polynomial.map import PolynomialMap
from algdim.maps.anymap import Map

Numbers = NDArray[np.intp]


def covariances_of(pmap: Map) -> frozenset[int]:
    """The parameters that are covariances of errors, or of items inside classes.

    >>> from algdim.maps.anymap import map_of
    >>> from algdim.models.notation import parse
    >>> pmap = map_of(parse("gaussian: A <-> B; B <-> C; equal e = c(A<->B), c(B<->C); means off"))
    >>> [pmap.parameters[number] for number in covariances_of(pmap)]
    ['e']
    """
    if isinstance(pmap, GaussianMap):
        return pmap.numbers_of("c")
    return numbers_in([Layout(pmap.model).pairs]) if isinstance(pmap, MomentMap) else frozenset()


def not_negative(pmap: Map) -> frozenset[int]:
    """The parameters that 0 is an end of the range of: probabilities, rates, effects, variances."""
    if isinstance(pmap, GaussianMap):
        return pmap.numbers_of("v")
    if isinstance(pmap, MomentMap):
        layout = Layout(pmap.model)
        return numbers_in([layout.weights, layout.variances, *layout.tables])
    if isinstance(pmap, AdditiveMap):
        return numbers_in([*probability_rows(pmap), *rates(pmap)])
    if isinstance(pmap, ParamMap | ClassifierMap):
        return (pmap if isinstance(pmap, ParamMap) else pmap.tables).readable
    return frozenset() if isinstance(pmap, PolynomialMap) else frozenset(range(len(pmap.parameters)))


def rates(pmap: AdditiveMap) -> list[Numbers]:
    """The rates of Poisson variables, or the variances of normal ones."""
    letters = [number for number, letter in enumerate(LETTERS[pmap.model.family]) if letter in ("l", "v")]
    return [row.components[..., letters] for row in pmap.rows]


def probability_rows(pmap: MomentMap | AdditiveMap) -> list[Numbers]:
    """The parameters that are probabilities, a row for each distribution, whose last probability is no parameter."""
    if isinstance(pmap, MomentMap):
        layout = Layout(pmap.model)
        found = [layout.weights, *(row for table in layout.tables for row in table)]
        return [row for row in found if row.size]
    found = []
    start, states = 0, pmap.model.network.states
    for variable in pmap.model.network.observed:
        rows, free = prod(states[parent] for parent in variable.parents), variable.states - 1
        found += list(np.arange(start, start + rows * free).reshape(rows, free))
        start += rows * free
    found += [weights for row in pmap.rows for weights in row.weights]
    return [row for row in found if row.size]


def numbers_in(arrays: list[Numbers]) -> frozenset[int]:
    """All numbers in some arrays."""
    return frozenset(int(number) for array in arrays for number in array.flat)
