"""Points at which the rank may be smaller: what is conditioned on tells nothing, coefficients are zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod

import numpy as np
from numpy.typing import NDArray

from algdim.families.additive.map import AdditiveMap
from algdim.families.classifier.map import ClassifierMap
from algdim.families.discrete.locals.entries import Affine, Entries
from algdim.families.discrete.locals.sigmoid import SigmoidEntries
from algdim.families.discrete.map import ParamMap
from algdim.families.gaussian.map import GaussianMap
from algdim.families.latentprofile.evaluation import Layout
from algdim.families.latentprofile.map import MomentMap
from algdim.maps.anymap import Map


def special_points(pmap: Map, point: Sequence[Fraction]) -> dict[str, list[Fraction]]:
    """Points made of this one, by what is special about them.

    >>> from algdim.maps.anymap import map_of
    >>> from algdim.models.notation import parse
    >>> pmap = map_of(parse("gaussian: A -> B; C -> D; equal e = b(A->B), b(C->D); means off"))
    >>> [str(x) for x in special_points(pmap, [Fraction(1, 2)] * 5)["coefficients zero"]]
    ['0', '1/2', '1/2', '1/2', '1/2']
    """
    alike = without_differences(pmap, point)
    found = {"conditions make no difference": alike} if alike != list(point) else {}
    coefficients = pmap.numbers_of("b") if isinstance(pmap, GaussianMap) else frozenset()
    if coefficients:
        found["coefficients zero"] = [Fraction(0) if n in coefficients else value for n, value in enumerate(point)]
    return found


def without_differences(pmap: Map, point: Sequence[Fraction]) -> list[Fraction]:
    """The point with the parameters of a row in all other rows of its table; a weight of a sigmoid variable is e^0."""
    found, same = list(point), {number: {number} for number in range(len(point))}
    for group in groups(pmap):
        # a parameter can stand in several tables
        together = set().union(*(same[int(number)] for number in group.flat))
        same.update(dict.fromkeys(together, together))
    for number, together in same.items():
        found[number] = point[min(together)]
    for entries in tables_of(pmap):
        if isinstance(entries, SigmoidEntries):
            weights = range(entries.first + 1, entries.first + 1 + len(entries.rows))
            found[weights.start : weights.stop] = [Fraction(1)] * len(weights)
    return found


def groups(pmap: Map) -> Iterator[NDArray[np.intp]]:
    """The parameters that are the same in all rows if conditions make no difference."""
    for entries in tables_of(pmap):
        if isinstance(entries, Affine):
            for state in range(entries.shape[-1]):
                in_column = [n for n, entry in entries.entry_of.items() if entry % entries.shape[-1] == state]
                yield np.array(in_column, dtype=np.intp)
    if isinstance(pmap, MomentMap):
        layout = Layout(pmap.model)
        for array in (layout.means, layout.variances, layout.pairs, *(table.T for table in layout.tables)):
            yield from array
    elif isinstance(pmap, AdditiveMap):
        start, states = 0, pmap.model.network.states
        for variable in pmap.model.network.observed:
            rows, free = prod(states[parent] for parent in variable.parents), variable.states - 1
            yield from np.arange(start, start + rows * free).reshape(rows, free).T
            start += rows * free
        for row in pmap.rows:
            yield from row.weights.T
            yield from np.moveaxis(row.components, -1, 0)


def tables_of(pmap: Map) -> Iterator[Entries]:
    """The tables of a network, of a classifier those of class and inputs."""
    tables = pmap.tables if isinstance(pmap, ClassifierMap) else pmap
    if isinstance(tables, ParamMap):
        yield from (entries for _, entries in tables.keyed())
