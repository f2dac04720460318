"""Choose, among the equations that a bound rests on, as many with independent gradients as it needs.

Matrices of coordinates, their values at a point and the vectors of their kernels are derived here from the map, in the
order that proofs/FORMAT.md gives them; the checker derives them from the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.flint import find_relations
from algdim.exact.ranks import rank_mod
from algdim.families.contract import JsonNode

Forms = NDArray[np.int64]

SPARE = 64
SUM, CONSTANT = -1, -2
OF_MINORS = {"minors", "D", "chain"}
"""Keys of matrices of minors, of which the derivative at a point is taken."""


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
    matrix_at: Callable[[Mapping[str, Any], int, Forms], LinearForms] | None = None
    """One whose terms depend on the values: derivatives, at the point, of a matrix of minors."""
    equal: Forms | None = None
    """The number of each coordinate among the distinct ones, if some are equal."""

    def merge(self, forms: Forms, prime: int) -> Forms:
        """Forms of the distinct coordinates: coefficients of equal ones are added up."""
        if self.equal is None:
            return forms
        merged = np.zeros((len(forms), int(self.equal.max()) + 1), dtype=np.int64)
        np.add.at(merged.T, self.equal, forms.T)
        return merged % prime


def write_equations(
    coordinates: Coordinates,
    prime: int,
    point: str,
    constants: Sequence[int],
    items: Iterable[Mapping[str, Any]],
    needed: int,
) -> JsonNode:
    """The constants, and the matrices with the pairs of kernel vectors that name as many independent gradients as needed."""
    sums, values = coordinates.sums, None
    basis = coordinates.merge(make_indicators([*sums, *([number] for number in constants)], coordinates.count), prime)
    chosen: list[tuple[int, Any]] = [*((SUM, k) for k in range(len(sums))), *((CONSTANT, k) for k in constants)]
    needed += len(sums)
    found: list[JsonNode] = []
    for item in map(dict, items):
        if len(chosen) >= needed:
            break
        found.append(item)
        values = coordinates.values(prime, point) if values is None else values
        matrix_at = None if OF_MINORS.isdisjoint(item) else coordinates.matrix_at
        matrix = coordinates.matrix(item, prime) if matrix_at is None else matrix_at(item, prime, values)
        for names, forms in draw_batches(matrix, values, prime, needed - len(chosen)):
            together = np.vstack([basis, coordinates.merge(forms, prime)])
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


def make_indicators(sets: Sequence[Sequence[int]], width: int) -> Forms:
    """The sums of coordinates, as rows."""
    rows = np.zeros((len(sets), width), dtype=np.int64)
    for row, numbers in zip(rows, sets, strict=True):
        row[list(numbers)] = 1
    return rows


def list_independent_sets(sets: Sequence[Sequence[int]], width: int, prime: int) -> list[list[int]]:
    """The sets of coordinates whose sums do not depend on those before them.

    >>> list_independent_sets([[0, 1], [2, 3], [0, 2], [1, 3]], 4, 5)
    [[0, 1], [2, 3], [0, 2]]
    """
    return [[*sets[row]] for row in sorted(rank_mod(make_indicators(sets, width), prime).rows)]


def draw_batches(
    matrix: LinearForms, values: Forms, prime: int, missing: int
) -> Iterator[tuple[list[list[int]], Forms]]:
    """Gradients with their pairs, some at a time, in an order drawn once and for all."""
    at = matrix.at(values, prime)
    left, right = find_relations(at, prime), find_relations(at.T, prime)
    pairs = [[a, b] for a in range(len(left)) for b in range(len(right))]
    drawn = draw_residues(open_stream(0, "pairs", *matrix.size), 1 << 40, len(pairs))
    pairs = [pairs[k] for k in np.argsort(drawn, kind="stable")]
    size = missing + SPARE
    for start in range(0, len(pairs), size):
        some = pairs[start : start + size]
        forms = np.zeros((len(some), len(values)), dtype=np.int64)
        for row, (a, b) in zip(forms, some, strict=True):
            products = left[a][matrix.rows] * right[b][matrix.columns] % prime * matrix.weights % prime
            np.add.at(row, matrix.numbers, products)
        yield some, forms % prime


def reduce_to_positive(values: Any, prime: int) -> Forms:
    """Residues from 0, of those that are balanced."""
    found: Forms = np.asarray(values).astype(np.int64) % prime
    return found


def build_terms(size: Sequence[int], rows: Any, columns: Any, numbers: Any, weights: Any) -> LinearForms:
    """The matrix with these terms."""
    one, other, coordinate, weight = (
        np.asarray(each, dtype=np.int64).ravel() for each in (rows, columns, numbers, weights)
    )
    return LinearForms((int(size[0]), int(size[1])), one, other, coordinate, weight)


def find_constants(shape: Sequence[int], equations: Sequence[JsonNode]) -> list[int]:
    """The cells that vanish identically."""
    cells = {tuple(states) for found in equations if found["type"] == "zeros" for states in found["cells"]}
    return sorted(int(np.ravel_multi_index(states, tuple(shape))) for states in cells)


AT_A_POINT = {
    "grid": ("blocks", "C", "G", "H", "minors", "together"),
    "pencil": ("blocks", "C", "D", "G", "H"),
    **dict.fromkeys(("determinants", "determinant forms"), ("blocks", "C", "chain", "rows", "columns")),
}
"""Matrices of which the derivative at a point is taken, and what says which they are."""

WHOLE = {"common": ("common",), "chain": ("hidden", "times", "reversed", "words")}
"""Matrices of the whole table, and what says which they are."""


def iterate_items(sizes: Mapping[str, int], equations: Sequence[JsonNode]) -> Iterator[JsonNode]:
    """One item for each matrix, still without pairs."""
    for found in equations:
        if found["type"] == "zeros":
            continue
        if found["type"] in WHOLE:
            yield {key: found[key] for key in WHOLE[found["type"]] if key in found}
            continue
        given = list(found["C"])
        states = found.get("states") or list(product(*(range(sizes[v]) for v in given)))
        for state in states:
            if found["type"] in AT_A_POINT:
                yield {**{key: found[key] for key in AT_A_POINT[found["type"]]}, "state": list(state)}
                continue
            blocks = found["blocks"] if "blocks" in found else [found["A"], found["B"]]
            more: JsonNode = {key: found[key] for key in ("order", "projection") if key in found}
            yield {
                "blocks": [list(block) for block in blocks],
                "C": given,
                **({"through": found["through"]} if found["type"] == "span" else {"S": list(found["S"])}),
                "state": list(state),
                **more,
            }
