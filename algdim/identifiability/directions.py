"""How the parameters of a group move: by formulas where the kernel is known as polynomials, else by numbers at a point."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from algdim.exact.arithmetic import Floats
from algdim.identifiability.groups import Direction
from algdim.identifiability.kernels import Kernel
from algdim.identifiability.rowspaces import Points
from algdim.jacobian import jacobian_at
from algdim.rank import thousandths

MOST_NUMBERS = 2_000_000
"""Rounded directions are computed where the whole Jacobian has no more entries than these."""
MOST_TERMS_SHOWN = 12
"""Directions with more terms are given as numbers at a point."""
MOST_ROUNDED = 20
"""Of groups with more directions these are not computed as numbers."""
RANK_CHECK = 1e-9
PLACES = 6
"""Lengths that agree to so many places are equal, and the first column is taken."""


def directions(points: Points, kernel: Kernel | None, places: tuple[int, ...], freedom: int) -> Iterator[Direction]:
    """The directions of a group."""
    names = points.task.pmap.parameters
    mine = [] if kernel is None else kernel.of(places)
    if mine and all(len(value) <= MOST_TERMS_SHOWN for vector in mine for value in vector.values()):
        for vector in mine:
            yield Direction({names[place]: written(value, names) for place, value in vector.items()})
        return
    yield from rounded(points, places, freedom)


def rounded(points: Points, places: tuple[int, ...], freedom: int) -> Iterator[Direction]:
    """The directions of a group as numbers at a point, if there are not too many coordinates."""
    task = points.task
    pmap = task.pmap
    if freedom > MOST_ROUNDED or pmap.coordinate_count * len(pmap.parameters) > MOST_NUMBERS:
        return
    point = np.array([float(value) for value in thousandths(task, 0)])
    coordinates = task.evaluator.all_coordinates(task.max_memory)
    try:
        with np.errstate(all="ignore"):
            matrix = jacobian_at(pmap, Floats(), point, coordinates, evaluator=task.evaluator)
    except (ZeroDivisionError, OverflowError, np.linalg.LinAlgError):
        return
    mine = matrix[:, list(places)]
    if not np.isfinite(mine).all():
        return
    # a row counts by its direction; else the greatest numbers would hide all others
    mine = mine / np.maximum(np.abs(mine).max(axis=1, initial=0.0, keepdims=True), np.finfo(float).tiny)
    _, values, vectors = np.linalg.svd(mine, full_matrices=True)
    rank = len(places) - freedom
    if len(values) > rank and values[rank] > RANK_CHECK * values[0]:
        return
    where = {pmap.parameters[place]: float(point[place]) for place in places}
    for vector in reduced_rows(vectors[rank:]):
        moved = {pmap.parameters[place]: float(value) for place, value in zip(places, vector, strict=True) if value}
        yield Direction(moved, where)


def reduced_rows(vectors: Any) -> Any:
    """The basis of a space in reduced form, the greatest entry of each row 1; what is nearly zero is zero.

    The rows given are orthonormal. The columns of the pivots are those of the projection onto the space, by their length,
    so that it does not matter which basis of the space a processor has found.

    >>> reduced_rows(np.array([[0.6, 0.0, 0.8], [0.0, 1.0, 0.0]])).tolist()
    [[0.0, 1.0, 0.0], [0.75, 0.0, 1.0]]
    """
    left = vectors.T @ vectors
    pivots: list[int] = []
    for _ in vectors:
        column = int(np.round(np.diag(left), PLACES).argmax())
        pivots.append(column)
        left -= np.outer(left[:, column], left[column]) / left[column, column]
    rows = np.linalg.solve(vectors[:, pivots], vectors)
    rows[np.abs(rows) < RANK_CHECK] = 0
    return rows / np.abs(rows).max(axis=1, keepdims=True)


def written(polynomial: Any, names: Sequence[str]) -> str:
    """A polynomial in the parameters' names, in factors."""
    content, factors = polynomial.factor()
    pieces = [factor_text(str(factor), names) + (f"^{power}" if power > 1 else "") for factor, power in factors]
    number = str(content)
    sign = "−" if number.startswith("-") else ""
    number = number.removeprefix("-")
    if number == "1" and not sign and len(factors) == 1 and factors[0][1] == 1:
        return pieces[0].removeprefix("(").removesuffix(")") if pieces[0].startswith("(") else pieces[0]
    return sign + "·".join([*([number] if number != "1" or not pieces else []), *pieces])


def factor_text(text: str, names: Sequence[str]) -> str:
    """A factor with the parameters' names."""
    named = re.sub(r"\bt(\d+)\b", lambda match: names[int(match[1])], text.replace("*", "·").replace(" - ", " − "))
    return f"({named})" if " " in text else named
