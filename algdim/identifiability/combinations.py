"""How the parameters of a group move, and which combinations of them the observed distribution determines.

Directions are formulas where the kernel is known as polynomials, else numbers at a point. Combinations are sums, and
products with constant exponents: a sum Σ c_j θ_j is determined if c lies in the row space of the Jacobian at every point,
a product ∏ θ_j^a_j if the vector (a_j / θ_j) does. Over the points together these are linear equations for c and a; the
solutions are small integers that are read off from their residues. What is found is then checked with the kernel as
polynomials, or at points that were not used to find it (lemma "parameters" in proofs/lemmas.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd, lcm, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Floats, Residues
from algdim.exact.ranks import compute_kernel, rank_mod
from algdim.exact.rationals import find_small_fraction
from algdim.identifiability.groups import Direction
from algdim.identifiability.kernels import Kernel
from algdim.identifiability.rowspaces import Points, Seen
from algdim.jacobian import evaluate_jacobian
from algdim.rank import draw_thousandths

SUM, PRODUCT = "sum", "product"
MOST_PLACES = 200
"""Of a larger group no combinations are sought."""
MOST_EXPONENT = 12
SPARE = 2
"""This many points more than are needed must agree."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A sum or product of parameters: the coefficient or exponent of each, by its number."""

    kind: str
    of: tuple[tuple[int, int], ...]

    def text(self, names: Sequence[str]) -> str:
        """The combination for people.

        >>> (
        ...     Combination(PRODUCT, ((0, 2), (2, 1), (1, -1))).text(["b", "c", "v"]),
        ...     Combination(SUM, ((0, 1), (1, -2))).text("xy"),
        ... )
        ('b^2·v / c', 'x − 2·y')
        """
        if self.kind == SUM:
            pieces = [
                f"{'−' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c)}·'}{names[place]}" for place, c in self.of
            ]
            return " ".join(pieces).removeprefix("+ ").replace("− ", "−", 1 if self.of[0][1] < 0 else 0)
        over = [format_power(names[place], a) for place, a in self.of if a > 0]
        under = [format_power(names[place], -a) for place, a in self.of if a < 0]
        bottom = "·".join(under) if len(under) == 1 else f"({'·'.join(under)})"
        return ("·".join(over) or "1") + (f" / {bottom}" if under else "")

    def gradient(self, point: NDArray[np.int64], prime: int) -> NDArray[np.int64]:
        """The derivatives modulo a prime; those of a product divided by it and cleared of denominators, so that any point will do."""
        found = np.zeros(len(point), dtype=np.int64)
        for place, value in self.of:
            found[place] = value % prime
        if self.kind == PRODUCT:
            factors = [int(point[place]) for place, _ in self.of]
            for number, (place, value) in enumerate(self.of):
                cleared = value
                for factor in (*factors[:number], *factors[number + 1 :]):
                    cleared = cleared * factor % prime
                found[place] = cleared % prime
        return found

    @property
    def size(self) -> tuple[int, float]:
        """The degree of its derivatives, cleared of denominators, plus one, and log₂ of the sum of their coefficients."""
        degree = 1 if self.kind == SUM else len(self.of)
        return degree, log2(sum(abs(value) for _, value in self.of))

    def is_constant_along(self, vector: Mapping[int, Any], unknowns: Sequence[Any]) -> bool:
        """Whether a vector of polynomials does not change it: an identity."""
        total: Any = 0
        for place, value in self.of:
            if place in vector:
                term = vector[place] * value
                for other, _ in self.of if self.kind == PRODUCT else ():
                    term = term if other == place else term * unknowns[other]
                total = total + term
        return bool(total == 0)


def format_power(name: str, exponent: int) -> str:
    """A name with its exponent."""
    return name if exponent == 1 else f"{name}^{exponent}"


def find_combinations(group: Sequence[int], seen: Sequence[Seen]) -> list[Combination]:
    """Independent sums and products of a group's parameters that are determined at all of these points of one prime."""
    if len(group) > MOST_PLACES:
        return []
    prime = seen[0].prime
    found: list[Combination] = []
    for kind in (SUM, PRODUCT):
        moves = [one.kernel.at(group) for one in seen]
        if kind == PRODUCT:
            inverses = [[pow(int(one.point[place]), -1, prime) for place in group] for one in seen]
            moves = [move * np.array(inverse) % prime for move, inverse in zip(moves, inverses, strict=True)]
        together = Residues(prime).elements(np.vstack(moves))
        rank = rank_mod(together, prime)
        for vector in np.remainder(compute_kernel(together, rank, prime), prime).astype(np.int64):
            whole = find_small_integers(vector.tolist(), prime)
            if whole is not None and sum(map(bool, whole)) > 1:
                found.append(Combination(kind, tuple((p, v) for p, v in zip(group, whole, strict=True) if v)))
    return found


def find_small_integers(vector: Sequence[int], prime: int) -> tuple[int, ...] | None:
    """The primitive vector of small integers with these residues up to a factor, the first positive; ``None`` if there is none.

    >>> find_small_integers([0, 51, 1], 101), find_small_integers([1, 7], 8388593)
    ((0, 1, 2), (1, 7))
    """
    fractions = [find_small_fraction(value, prime) for value in vector]
    if any(value is None for value in fractions):
        return None
    known = [value for value in fractions if value is not None]
    scale = lcm(*(value.denominator for value in known))
    whole = [int(value * scale) for value in known]
    common = gcd(*whole)
    sign = 1 if next((value for value in whole if value), 1) > 0 else -1
    return tuple(sign * value // common for value in whole) if max(map(abs, whole)) <= MOST_EXPONENT * common else None


MOST_NUMBERS = 2_000_000
"""Rounded directions are computed where the whole Jacobian has no more entries than these."""
MOST_TERMS_SHOWN = 12
"""Directions with more terms are given as numbers at a point."""
MOST_ROUNDED = 20
"""Of groups with more directions these are not computed as numbers."""
RANK_CHECK = 1e-9
PLACES = 6
"""Lengths that agree to this many places are equal, and the first column is taken."""


def iterate_directions(
    points: Points, kernel: Kernel | None, places: tuple[int, ...], freedom: int
) -> Iterator[Direction]:
    """The directions of a group."""
    names = points.task.pmap.parameters
    mine = [] if kernel is None else kernel.of(places)
    if mine and all(len(value) <= MOST_TERMS_SHOWN for vector in mine for value in vector.values()):
        for vector in mine:
            yield Direction({names[place]: format_factored_polynomial(value, names) for place, value in vector.items()})
        return
    yield from iterate_numeric_directions(points, places, freedom)


def iterate_numeric_directions(points: Points, places: tuple[int, ...], freedom: int) -> Iterator[Direction]:
    """The directions of a group as numbers at a point, if there are not too many coordinates."""
    task = points.task
    pmap = task.pmap
    if freedom > MOST_ROUNDED or pmap.coordinate_count * len(pmap.parameters) > MOST_NUMBERS:
        return
    point = np.array([float(value) for value in draw_thousandths(task, 0)])
    coordinates = task.evaluator.all_coordinates(task.max_memory)
    try:
        with np.errstate(all="ignore"):
            matrix = evaluate_jacobian(pmap, Floats(), point, coordinates, evaluator=task.evaluator)
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
    for vector in reduce_numeric_rows(vectors[rank:]):
        moved = {pmap.parameters[place]: float(value) for place, value in zip(places, vector, strict=True) if value}
        yield Direction(moved, where)


def reduce_numeric_rows(vectors: Any) -> Any:
    """The basis of a space in reduced form, the greatest entry of each row 1; what is nearly zero is zero.

    The rows given are orthonormal. The columns of the pivots are those of the projection onto the space, by their length,
    so that it does not matter which basis of the space a processor has found.

    >>> reduce_numeric_rows(np.array([[0.6, 0.0, 0.8], [0.0, 1.0, 0.0]])).tolist()
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


def format_factored_polynomial(polynomial: Any, names: Sequence[str]) -> str:
    """A polynomial in the parameters' names, in factors."""
    content, factors = polynomial.factor()
    pieces = [format_factor(str(factor), names) + (f"^{power}" if power > 1 else "") for factor, power in factors]
    number = str(content)
    sign = "−" if number.startswith("-") else ""
    number = number.removeprefix("-")
    if number == "1" and not sign and len(factors) == 1 and factors[0][1] == 1:
        return pieces[0].removeprefix("(").removesuffix(")") if pieces[0].startswith("(") else pieces[0]
    return sign + "·".join([*([number] if number != "1" or not pieces else []), *pieces])


def format_factor(text: str, names: Sequence[str]) -> str:
    """A factor with the parameters' names."""
    named = re.sub(r"\bt(\d+)\b", lambda match: names[int(match[1])], text.replace("*", "·").replace(" - ", " − "))
    return f"({named})" if " " in text else named
