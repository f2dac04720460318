"""Fields that change the moves of a chain and nothing that is observed (lemma "chains" (d), (e) in proofs/lemmas.md).

Where there are more hidden states than joint states of the items of one time, weights κ of the hidden states exist that no item sees:
Σ_h κ_h P(x | h) = 0. With such weights at both ends a first move that is also the last may change by κ_i λ_j / π_i: before it the items
of the first time hide the change, behind it those of the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.bound.searches import Directions
from algdim.exact.polynomials import make_polynomials
from algdim.families.discrete.bounds.chains import HiddenChain, find_chain, multiply_out
from algdim.families.discrete.bounds.directions import Known, Point, compute_right_kernel
from algdim.families.discrete.map import ParamMap
from algdim.maps import plan_once

CHAIN = "chain"
MOST_TIMES = 3
"""In longer chains there is a move between others, which see it."""


class ChainMove(NamedTuple):
    """Which parameter each entry of a move is, −1 for those that the others of a row determine.

    Of a reversible move the probability of going from i to j is the parameter times that of starting in j.
    """

    parameters: NDArray[np.intp]
    is_reversible: bool


def find_move(pmap: ParamMap, chain: HiddenChain) -> ChainMove | None:
    """The move of a chain of two or three times, if it is the same and has parameters of its own: a free one, or a reversible one."""
    if not chain.is_homogeneous or chain.length > MOST_TIMES:
        return None
    emissions = [number for number, factor in enumerate(pmap.factors) if {*factor.axes} & {*pmap.observed}]
    elsewhere = list_parameters(pmap, [*chain.start, *emissions])
    polynomials = multiply_out(pmap, chain, chain.moves[0])
    if polynomials is None:
        return None
    for is_reversible in (False, True):
        parameters = read_parameters(len(pmap.parameters), *polynomials, is_reversible=is_reversible)
        if parameters is not None and elsewhere.isdisjoint(parameters.ravel().tolist()):
            return ChainMove(parameters, is_reversible)
    return None


def list_parameters(pmap: ParamMap, factors: Sequence[int]) -> set[int]:
    """The parameters that occur in some factors."""
    arrays: list[Any] = [pmap.arrays[pmap.factors[number].array] for number in factors]
    return {int(parameter) for entries in arrays for parameter in entries.parameter}


def read_parameters(count: int, start: Any, move: Any, *, is_reversible: bool) -> NDArray[np.intp] | None:
    """Which of so many parameters stands at each place of a move, all different but for what symmetry makes equal; ``None`` if others do."""
    _, variables = make_polynomials(count)
    states = len(start)
    found = np.full((states, states), -1, dtype=np.intp)
    places = combinations(range(states), 2) if is_reversible else product(range(states), range(states - 1))
    for i, j in places:
        weight = start[j] if is_reversible else 1
        number = next((k for k, one in enumerate(variables) if move[i, j] == one * weight), -1)
        if number < 0 or number in found or (is_reversible and move[j, i] != variables[number] * start[i]):
            return None
        found[i, j] = number
        if is_reversible:
            found[j, i] = number
    return found


def find_chain_fields(point: Point) -> list[Known]:
    """The values at a point of the fields of a chain; nothing where there are none, or the items do not have the rank at the point that they have in general."""
    chain = find_chain(point.pmap)
    if chain is None:
        return []
    move = plan_once(point.pmap, "chain move", lambda: find_move(point.pmap, chain))
    kernel = None if move is None else find_unseen_weights(point, chain)
    starts = find_start(point, chain)
    if move is None or kernel is None or not starts:
        return []
    rows = list(list_directions(move, kernel, starts, point.prime))
    parameters = np.array(sorted({number for row in rows for number in row}), dtype=np.intp)
    matrix = np.array([[row.get(int(number), 0) for number in parameters] for row in rows], dtype=np.int64)
    names = [point.pmap.model.variables[axis].name for axis in chain.hidden]
    times = [[point.pmap.model.variables[axis].name for axis in axes] for axes in chain.times]
    evidence = {"type": CHAIN, "hidden": names, "times": times}
    return [Known(frozenset(names), Directions(parameters, matrix, f"{names[0]}…{names[-1]}", evidence))]


def find_unseen_weights(point: Point, chain: HiddenChain) -> NDArray[np.int64] | None:
    """The left kernel of the table of the items of one time, if its rank is the number of columns, which is then the rank in general."""
    pmap, states = point.pmap, point.pmap.sizes[chain.hidden[0]]
    table = np.ones((states, 1), dtype=np.int64)
    for axis in chain.times[0]:
        factor = next(one for one in pmap.factors if axis in one.axes)
        table = (table[:, :, None] * point.array(factor.array)[:, None, :] % point.prime).reshape(states, -1)
    if table.shape[1] >= states:
        return None
    rank, kernel = compute_right_kernel(np.ascontiguousarray(table.T), point.prime)
    return kernel if rank == table.shape[1] else None


def find_start(point: Point, chain: HiddenChain) -> list[int]:
    """The probabilities of the first states at a point; empty if one is 0, or a sum stands for them."""
    factors = [point.pmap.factors[number] for number in chain.start]
    if len(factors) != 1 or factors[0].axes != chain.hidden[:1]:
        return []
    values = point.array(factors[0].array).tolist()
    return values if all(values) else []


def list_directions(
    move: ChainMove, kernel: NDArray[np.int64], starts: Sequence[int], prime: int
) -> Iterator[dict[int, int]]:
    """How the parameters of a move change, by parameter; weights are rows of the kernel."""
    places, weights = np.argwhere(move.parameters >= 0).tolist(), kernel.tolist()
    inverses = [pow(one, -1, prime) for one in starts]
    if move.is_reversible:
        for one, other in combinations_with_replacement(weights, 2):
            yield {
                int(move.parameters[i, j]): (one[i] * other[j] + other[i] * one[j]) * inverses[i] * inverses[j] % prime
                for i, j in places
            }
        return
    for one, other in product(weights, weights):
        yield {int(move.parameters[i, j]): one[i] * other[j] * inverses[i] % prime for i, j in places}
