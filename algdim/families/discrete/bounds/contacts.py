"""Up to how many classes a format is identified: whether general points are alone where their tangent spaces touch.

The hyperplanes that contain the tangent spaces of some points of a variety touch it there, and where all of them touch it is the
contact locus. If one of the points is isolated in it, a general sum of so many points determines them (lemma "splitting" (i), by a
theorem of Chiantini and Ottaviani). The second derivatives of the hyperplanes' equations along the variety show that it is, if
they have a common kernel only in the directions in which the point does not move; a rank modulo a prime proves it.
"""

from __future__ import annotations

from itertools import combinations
from math import prod

import numpy as np

from algdim.exact.arithmetic import Residues
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.tangents import (
    PRIME,
    Floats,
    Groups,
    Integers,
    count_cells,
    count_directions,
    differentiate_powers,
    draw_directions,
    draw_points,
    find_orthogonal,
    find_split_group,
    list_block_sizes,
    list_exponents,
    raise_vectors,
    reduce_in_blocks,
)

FIELD = Residues(PRIME)
SMALL = 400
"""Cells of formats whose hyperplanes are found at once; those of larger ones are found in blocks."""


def is_identified(seed: int, groups: Groups, classes: int) -> bool:
    """Whether ranks prove that a general distribution with so many classes determines them; ``False`` is no proof of the contrary.

    >>> from algdim.families.discrete.bounds.tangents import ItemGroup
    >>> [is_identified(0, (ItemGroup(states, 1),) * 3, classes) for states, classes in ((3, 3), (4, 5), (4, 6))]
    [True, True, False]
    """
    expected, cells = count_directions(groups, classes), count_cells(groups)
    if expected >= cells:
        return False
    sizes = list_block_sizes(groups, classes) if cells > SMALL else []
    for size in [*sizes, None]:
        rank, hyperplanes, vectors = find_hyperplanes(seed, groups, classes, size)
        if (
            rank == expected
            and count_second_derivatives(groups, hyperplanes, vectors) == count_directions(groups, 1) - 1
        ):
            return True
    return False


def find_hyperplanes(seed: int, groups: Groups, classes: int, size: int | None) -> tuple[int, Floats, list[Integers]]:
    """The rank of all directions, the vectors orthogonal to them in rows, and the last point."""
    if find_split_group(groups) < 0:
        rank, columns = find_orthogonal(FIELD.elements(draw_directions(seed, groups, classes)))
        return rank, columns.T, [vectors[-1] for vectors in draw_points(seed, groups, classes, f"{classes} 0")]
    found = reduce_in_blocks(seed, groups, classes, size)
    width = found.others.shape[1]
    rank, chosen = find_orthogonal(found.others) if len(found.others) else (0, np.eye(width))
    planes = np.zeros((groups[found.place].states, len(found.modulo), chosen.shape[1]))
    start = 0
    for states, basis in found.bases:
        room = (states.stop - states.start) * found.modulo.shape[1]
        count = room if basis is None else basis.shape[1]
        some = chosen[start : start + count]
        spread = (some if basis is None else FIELD.matmul(basis, some)).reshape(
            -1, found.modulo.shape[1], some.shape[1]
        )
        planes[states] = FIELD.matmul(found.modulo, spread)
        start += count
    before = prod(group.cells for group in groups[: found.place])
    ordered = planes.reshape(len(planes), before, -1, planes.shape[2]).transpose(3, 1, 0, 2)
    return found.rank + rank, ordered.reshape(len(ordered), -1), [vectors[-1] for vectors in found.points]


def count_second_derivatives(groups: Groups, hyperplanes: Floats, vectors: list[Integers]) -> int:
    """The rank of all second derivatives of the equations of hyperplanes at a point, by the entries of all groups' vectors."""
    forms = hyperplanes.reshape(len(hyperplanes), *(group.cells for group in groups))
    points = [
        FIELD.elements(raise_vectors(vector[None], group.items)) for group, vector in zip(groups, vectors, strict=True)
    ]
    slopes = [
        FIELD.elements(differentiate_powers(vector[None], group.items)[0])
        for group, vector in zip(groups, vectors, strict=True)
    ]
    ends = np.cumsum([0, *(group.states for group in groups)])
    found = np.zeros((len(forms), ends[-1], ends[-1]))
    for i, j in combinations(range(len(groups)), 2):
        some = contract(forms, [slopes[at] if at in (i, j) else point for at, point in enumerate(points)])
        found[:, ends[i] : ends[i + 1], ends[j] : ends[j + 1]] = some.reshape(len(forms), groups[i].states, -1)
    found += found.transpose(0, 2, 1)
    for i, group in enumerate(groups):
        if group.items > 1:
            twice = FIELD.elements(differentiate_twice(vectors[i], group.items))
            some = contract(forms, [twice if at == i else point for at, point in enumerate(points)])
            found[:, ends[i] : ends[i + 1], ends[i] : ends[i + 1]] = some.reshape(len(forms), group.states, -1)
    return rank_mod(found.reshape(-1, ends[-1]), PRIME, computed=True).value


def contract(forms: Floats, matrices: list[Floats]) -> Floats:
    """Forms in several groups with a matrix for each group applied to its cells, the last group first."""
    for axis in range(len(matrices), 0, -1):
        forms = np.moveaxis(FIELD.matmul(np.moveaxis(forms, axis, -1), matrices[axis - 1].T), -1, axis)
    return forms


def differentiate_twice(vector: Integers, items: int) -> Integers:
    """The second derivatives of all monomials of a degree by two entries of the vector, a row for each two."""
    states = len(vector)
    first, exponents = differentiate_powers(vector[None], items - 1)[0], list_exponents(states, items)
    found = np.zeros((states, states, len(exponents)), dtype=np.int64)
    for state in range(states):
        places = np.flatnonzero(exponents[:, state])
        found[state][:, places] = first * exponents[places, state] % PRIME
    return found.reshape(states * states, -1)
