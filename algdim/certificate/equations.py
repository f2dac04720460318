"""Choose, among the equations that a bound rests on, as many with independent gradients as it needs.

Matrices of coordinates, their values at a point and the vectors of their kernels are derived here from the map, in the
order that proofs/FORMAT.md gives them; the checker derives them from the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Residues
from algdim.exact.draws import Stream, residues, stream
from algdim.exact.flint import relations_modulo
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.functionals import all_cells
from algdim.families.discrete.map import ParamMap
from algdim.jacobian import values_at

Item = dict[str, Any]
Forms = NDArray[np.int64]

SPARE = 64
SUM, CONSTANT = -1, -2


@dataclass(frozen=True, slots=True, eq=False)
class LinearForms:
    """A matrix of linear forms of coordinates: its size, and of each term the row, the column, the coordinate, the weight."""

    size: tuple[int, int]
    rows: Forms
    columns: Forms
    numbers: Forms
    weights: Forms

    def at(self, values: Forms, prime: int) -> Forms:
        """The matrix at a point, modulo a prime below 2^31."""
        found = np.zeros(self.size, dtype=np.int64)
        np.add.at(found, (self.rows, self.columns), self.weights * values[self.numbers] % prime)
        return found % prime


@dataclass(frozen=True, slots=True, eq=False)
class Coordinates:
    """What evidence needs of a map: how many coordinates, which sums of them are constant, their values, matrices of them."""

    count: int
    sums: Sequence[Sequence[int]]
    values: Callable[[int, str], Forms]
    """Modulo a prime, at the point of a stream."""
    matrix: Callable[[Mapping[str, Any], int], LinearForms]
    """A matrix as evidence names it, modulo a prime."""


def equations_node(
    coordinates: Coordinates,
    prime: int,
    point: str,
    constants: Sequence[int],
    items: Iterable[Mapping[str, Any]],
    needed: int,
) -> Item:
    """The constants, and the matrices with the pairs of kernel vectors that name as many independent gradients as needed."""
    sums, values = coordinates.sums, None
    basis = indicators([*sums, *([number] for number in constants)], coordinates.count)
    chosen: list[tuple[int, Any]] = [*((SUM, k) for k in range(len(sums))), *((CONSTANT, k) for k in constants)]
    needed += len(sums)
    found: list[Item] = []
    for item in map(dict, items):
        if len(chosen) >= needed:
            break
        found.append(item)
        values = coordinates.values(prime, point) if values is None else values
        matrix = coordinates.matrix(item, prime)
        for names, forms in batches(matrix, values, prime, needed - len(chosen)):
            together = np.vstack([basis, forms])
            numbered = [*chosen, *((len(found) - 1, name) for name in names)]
            rows = list(rank_mod(together, prime).rows)[:needed]
            chosen, basis = [numbered[row] for row in rows], together[rows]
            if len(chosen) >= needed:
                break
    for number, item in enumerate(found):
        item["pairs"] = sorted(name for used, name in chosen if used == number)
    matrices = [item for item in found if item["pairs"]]
    kept = sorted(name for used, name in chosen if used == CONSTANT)
    return {"prime": prime, "point": point, "constants": kept, "matrices": matrices}


def indicators(sets: Sequence[Sequence[int]], width: int) -> Forms:
    """The sums of coordinates, as rows."""
    rows = np.zeros((len(sets), width), dtype=np.int64)
    for row, numbers in zip(rows, sets, strict=True):
        row[list(numbers)] = 1
    return rows


def batches(matrix: LinearForms, values: Forms, prime: int, missing: int) -> Iterator[tuple[list[list[int]], Forms]]:
    """Gradients with their pairs, some at a time, in an order drawn once and for all."""
    at = matrix.at(values, prime)
    left, right = relations_modulo(at, prime), relations_modulo(at.T, prime)
    pairs = [[a, b] for a in range(len(left)) for b in range(len(right))]
    drawn = residues(stream(0, "pairs", *matrix.size), 1 << 40, len(pairs))
    pairs = [pairs[k] for k in np.argsort(drawn, kind="stable")]
    size = missing + SPARE
    for start in range(0, len(pairs), size):
        some = pairs[start : start + size]
        forms = np.zeros((len(some), len(values)), dtype=np.int64)
        for row, (a, b) in zip(forms, some, strict=True):
            products = left[a][matrix.rows] * right[b][matrix.columns] % prime * matrix.weights % prime
            np.add.at(row, matrix.numbers, products)
        yield some, forms % prime


def coordinates_of_table(pmap: ParamMap) -> Coordinates:
    """The cells of the observed table; those of one state of what is conditioned on sum to 1."""
    whole = pmap if pmap.kept is None else replace(pmap, kept=None)
    names, shape = tuple(variable.name for variable in pmap.model.observed), pmap.shape
    cells = np.arange(pmap.cells).reshape(shape)
    places = [number for number, axis in enumerate(pmap.observed) if axis in pmap.given]
    others = [number for number in range(len(shape)) if number not in places]
    sums = cells.transpose(places + others).reshape(-1, max(1, int(np.prod([shape[k] for k in others]))))

    def values(prime: int, point: str) -> Forms:
        field = Residues(prime)
        drawn = field.elements(residues(Stream(point), prime, len(pmap.parameters)))
        return modulo(values_at(whole, field, drawn, all_cells(whole)), prime)

    def matrix(item: Mapping[str, Any], prime: int) -> LinearForms:
        return flattening(cells, names, item, prime)

    return Coordinates(pmap.cells, sums.tolist(), values, matrix)


def modulo(values: Any, prime: int) -> Forms:
    """Residues from 0, of those that are balanced."""
    found: Forms = np.asarray(values).astype(np.int64) % prime
    return found


def flattening(cells: NDArray[np.intp], names: Sequence[str], item: Mapping[str, Any], prime: int) -> LinearForms:
    """P(a, b, C = c), or the Koszul flattening of P(x, y, z, C = c), the first block multiplied by a matrix if there is one."""
    axes = [names.index(name) for name in item["C"]]
    blocks = [[names.index(name) for name in block] for block in item["blocks"]]
    fixed = dict(zip(axes, item["state"], strict=True))
    part = cells[tuple(fixed.get(axis, slice(None)) for axis in range(cells.ndim))]
    left = [axis for axis in range(cells.ndim) if axis not in fixed]
    inside = [axis for block in blocks for axis in block]
    order = [*inside, *(axis for axis in left if axis not in inside)]
    sizes = [int(np.prod([cells.shape[axis] for axis in block])) for block in blocks]
    tensor = part.transpose([left.index(axis) for axis in order]).reshape(*sizes, -1)  # the last axis is summed over
    if len(blocks) == 2:
        rows, columns, _ = np.indices(tensor.shape)
        return terms_of(tensor.shape[:2], rows, columns, tensor, np.ones_like(tensor))
    projection = np.array(item.get("projection", np.eye(sizes[0])), dtype=np.int64) % prime
    return koszul(tensor, projection, item["order"], prime)


def koszul(tensor: NDArray[np.intp], projection: Forms, order: int, prime: int) -> LinearForms:
    """The rows (J, z), the columns (I, y) and the entries ±T[i, y, z] where J = I ∪ {i}, T projected along its first axis."""
    width, (_, y, z, _) = len(projection), tensor.shape
    larger = {chosen: number for number, chosen in enumerate(combinations(range(width), order + 1))}
    source, b, c, _ = np.indices(tensor.shape)
    parts: list[tuple[Forms, ...]] = []
    for column, smaller in enumerate(combinations(range(width), order)):
        for i in range(width):
            if i not in smaller:
                row = larger[tuple(sorted((*smaller, i)))]
                sign = (-1) ** sum(j < i for j in smaller)
                weights = sign * projection[i][source] % prime
                parts.append((row * z + c, column * y + b, tensor, weights))
    rows, columns, numbers, weights = (np.stack(each) for each in zip(*parts, strict=True))
    used = weights.ravel() != 0
    size = (comb(width, order + 1) * z, comb(width, order) * y)
    return terms_of(size, *(each.ravel()[used] for each in (rows, columns, numbers, weights)))


def terms_of(size: Sequence[int], rows: Any, columns: Any, numbers: Any, weights: Any) -> LinearForms:
    """The matrix with these terms."""
    one, other, coordinate, weight = (
        np.asarray(each, dtype=np.int64).ravel() for each in (rows, columns, numbers, weights)
    )
    return LinearForms((int(size[0]), int(size[1])), one, other, coordinate, weight)


def constants_of(shape: Sequence[int], equations: Sequence[Item]) -> list[int]:
    """The cells that vanish identically."""
    cells = {tuple(states) for found in equations if found["type"] == "zeros" for states in found["cells"]}
    return sorted(int(np.ravel_multi_index(states, tuple(shape))) for states in cells)


def items_of(sizes: Mapping[str, int], equations: Sequence[Item]) -> Iterator[Item]:
    """One item for each matrix, still without pairs."""
    for found in equations:
        if found["type"] == "zeros":
            continue
        given = list(found["C"])
        states = found.get("states") or list(product(*(range(sizes[v]) for v in given)))
        for state in states:
            blocks = found["blocks"] if "blocks" in found else [found["A"], found["B"]]
            more: Item = {key: found[key] for key in ("order", "projection") if key in found}
            yield {
                "blocks": [list(block) for block in blocks],
                "C": given,
                "S": list(found["S"]),
                "state": list(state),
                **more,
            }
