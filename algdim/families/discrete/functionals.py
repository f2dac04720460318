"""Product functionals on the observed table: its cells, and random probes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, convert_drawn
from algdim.exact.draws import Stream, draw_integers, draw_residues, open_stream
from algdim.families.contract import CELL, CoordinateRecord
from algdim.families.discrete.map import ParamMap
from algdim.figures import format_integer
from algdim.maps import Functionals
from algdim.memory import ALLOW_MORE, OR_PROBES, check_memory

BYTES_PER_CELL = 8
MOST_KEPT = 1 << 14
"""Numbers of the vectors of all cells of a table, which are kept."""
OF_MANY = 1 << 20
"""Numbers below this are drawn, and taken modulo how many there are: what is chosen by them need not be uniform."""


class AllCells(list[Array]):
    """The vectors of all cells of a table, in order: the values are that table."""


def list_cells(
    shape: Sequence[int],
    numbers: Array | range,
    advice: str = ALLOW_MORE,
    *,
    summed: Collection[int] = (),
) -> Functionals:
    """Cells of the observed table, by number, the first variable slowest; on some axes they are summed over.

    The numbers are a range where they are all: nobody knows yet whether there is memory for what is made of them.
    """
    bounds, summed = tuple(accumulate(shape, initial=0)), frozenset(summed)
    is_whole = isinstance(numbers, range) and not summed
    is_kept = isinstance(numbers, range) and len(numbers) * bounds[-1] <= MOST_KEPT
    make: Callable[..., NDArray[np.bool_]] = keep_cell_vectors if is_kept else make_cell_vectors

    def make_vectors(arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """The vectors as elements."""
        found = split_rows(arithmetic.elements(make(tuple(shape), numbers[start:stop], summed)), bounds)
        return AllCells(found) if is_whole and (start, stop) == (0, len(numbers)) else found

    return Functionals(len(numbers), make_vectors, advice)


def make_cell_vectors(shape: tuple[int, ...], numbers: Array | range, summed: frozenset[int]) -> NDArray[np.bool_]:
    """Unit vectors, one below the other, and vectors of ones on the axes that are summed over."""
    states = iter(np.unravel_index(numbers, [size for axis, size in enumerate(shape) if axis not in summed]))
    found = [
        np.ones((size, len(numbers)), dtype=np.bool_) if axis in summed else make_unit_vectors(size, next(states))
        for axis, size in enumerate(shape)
    ]
    return np.concatenate(found)


@lru_cache(1 << 6)
def keep_cell_vectors(shape: tuple[int, ...], numbers: range, summed: frozenset[int]) -> NDArray[np.bool_]:
    """The same of a small table, of which the cells are met again and again; only read."""
    return make_cell_vectors(shape, numbers, summed)


def list_marginal_cells(shape: Sequence[int], states: Array) -> Functionals:
    """Cells of several marginal tables: in each row the state of every observed variable, −1 where it is summed over."""

    def make_vectors(arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """Unit vectors, and vectors of ones where a variable is summed over."""
        rows = states[start:stop]
        found = [(rows[:, place] < 0) | make_unit_vectors(size, rows[:, place]) for place, size in enumerate(shape)]
        return split_rows(arithmetic.elements(np.concatenate(found)), list(accumulate(shape, initial=0)))

    return Functionals(len(states), make_vectors)


def make_unit_vectors(size: int, states: Array) -> Array:
    """One column per state, with a one at it, as truth values."""
    return np.equal.outer(np.arange(size), states)


def list_products(bounds: Sequence[int], numbers: Array) -> Functionals:
    """Product functionals; row k has the vectors of functional k one after the other, cut at the bounds."""
    return Functionals(
        len(numbers), lambda arithmetic, start, stop: split_functionals(arithmetic, numbers[start:stop], bounds)
    )


def split_functionals(arithmetic: Arithmetic, numbers: Array, bounds: Sequence[int]) -> list[Array]:
    """Functionals, one per row, cut into their vectors."""
    first, last = bounds[0], bounds[-1]
    turned = convert_drawn(arithmetic, numbers[:, first:last].T)
    return split_rows(turned, [bound - first for bound in bounds])


def split_rows(numbers: Array, bounds: Sequence[int]) -> list[Array]:
    """The rows between one bound and the next."""
    return [numbers[a:b] for a, b in pairwise(bounds)]


def draw_functionals(sizes: Sequence[int], count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
    """Functionals whose numbers are uniform on the residues of the prime, drawn from the seed and labels.

    The first ones that are asked for are often enough, and the others are not drawn before.
    """
    bounds, known = tuple(accumulate(sizes, initial=0)), list[Array]()

    def make_vectors(arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """The vectors of some of them, which depend neither on how many there are nor on which are asked for."""
        if not known or len(known[0]) < stop:
            known[:] = [draw_functional_numbers(bounds[-1], count if known else stop, prime, seed, *labels)]
        return split_functionals(arithmetic, known[0][start:stop], bounds)

    return Functionals(count, make_vectors)


def draw_functional_numbers(width: int, count: int, prime: int, seed: int | str, *labels: int | str) -> Array:
    """The numbers of such functionals, one functional in a row."""
    return draw_residues(open_stream(seed, "probes", *labels), prime, count * width).reshape(count, width)


def select_all_cells(pmap: ParamMap, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
    """Every coordinate of the map: all cells of the observed table, or those that the map keeps.

    The advice is for refusals: probes are no help where the cells themselves are asked for.
    """
    if pmap.kept_coordinates is not None:
        return list_cells(pmap.shape, pmap.kept_coordinates)
    what = f"the observed table has {format_integer(pmap.cells)} cells"
    check_memory(pmap.cells * BYTES_PER_CELL, max_memory, what, advice)
    return list_cells(pmap.shape, range(pmap.cells), advice)


def select_marginal_cells(pmap: ParamMap, axes: Sequence[int]) -> Functionals:
    """The cells of the marginal table on some observed axes."""
    summed = {place for place, axis in enumerate(pmap.observed) if axis not in axes}
    return list_cells(pmap.shape, range(prod(pmap.sizes[axis] for axis in axes)), summed=summed)


MOST_IN_MARGIN = 6
"""Variables of which a cell says the state, where cells are offered for being shown."""


def offer_marginal_cells(
    pmap: ParamMap, count: int, source: Stream
) -> tuple[Functionals, tuple[CoordinateRecord, ...]]:
    """Cells of margins of few observed variables, one half of neighbours in their order: simple ones first, none twice.

    With one state of each variable left out they still determine all cells, if there are enough of them.
    """
    given = [place for place, axis in enumerate(pmap.observed) if axis in pmap.given]
    free = [place for place in range(len(pmap.shape)) if place not in given]
    most = min(MOST_IN_MARGIN, len(free))
    width = 2 + MOST_IN_MARGIN + len(pmap.shape)
    numbers = np.array(draw_integers(source, 0, OF_MANY - 1, count * width)).reshape(count, width)
    found = np.full((count, len(pmap.shape)), -1, dtype=np.int64)
    for row, (kind, start, *rest) in zip(found, numbers.tolist(), strict=True):
        size = 1 + kind // 2 % most
        near = [free[(start + k) % len(free)] for k in range(min(2 * size, len(free)))] if kind % 2 else list(free)
        places = [near.pop(rest[k] % len(near)) for k in range(size)]
        for place in places:  # what is offered of the other states determines the last one
            row[place] = rest[MOST_IN_MARGIN + place] % max(1, pmap.shape[place] - 1)
        for place in given:
            row[place] = rest[MOST_IN_MARGIN + place] % pmap.shape[place]
    found = np.unique(found, axis=0)
    order = np.where(found < 0, max(pmap.shape), found)
    found = found[np.lexsort((*order.T[::-1], (found >= 0).sum(axis=1)))]
    records = [name_marginal_cell(pmap, row) for row in found.tolist()]
    return list_marginal_cells(pmap.shape, found), tuple(records)


def name_marginal_cell(pmap: ParamMap, states: Sequence[int]) -> CoordinateRecord:
    """What a cell of a margin is."""
    named = [
        ((pmap.model.variables[axis].name, state), axis in pmap.given)
        for axis, state in zip(pmap.observed, states, strict=True)
        if state >= 0
    ]
    return CoordinateRecord(
        CELL,
        states=tuple(one for one, is_given in named if not is_given),
        given=tuple(one for one, is_given in named if is_given),
    )


def draw_probes(pmap: ParamMap, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
    """As many probes as asked for, drawn from the seed and labels: a vector for each observed variable."""
    return draw_functionals(pmap.shape, count, prime, seed, *labels)
