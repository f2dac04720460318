"""Combinations of parameters that the observed distribution determines: sums and products with constant exponents.

A sum Σ c_j θ_j is determined if c lies in the row space of the Jacobian at every point, a product ∏ θ_j^a_j if the vector
(a_j / θ_j) does. Over the points together these are linear equations for c and a; the solutions are small integers that
are read off from their residues. What is found is then checked with the kernel as polynomials, or at points that were not
used to find it (lemma "parameters" in proofs/lemmas.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd, lcm, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Residues
from algdim.exact.ranks import kernel_basis, rank_mod
from algdim.exact.rationals import small_fraction
from algdim.identifiability.rowspaces import Seen

SUM, PRODUCT = "sum", "product"
MOST_PLACES = 200
"""Of a larger group no combinations are sought."""
MOST_EXPONENT = 12
SPARE = 2
"""So many points more than are needed must agree."""


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
        over = [power(names[place], a) for place, a in self.of if a > 0]
        under = [power(names[place], -a) for place, a in self.of if a < 0]
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


def power(name: str, exponent: int) -> str:
    """A name with its exponent."""
    return name if exponent == 1 else f"{name}^{exponent}"


def combinations_of(group: Sequence[int], seen: Sequence[Seen]) -> list[Combination]:
    """Independent sums and products of a group's parameters that are determined at all of these points of one prime."""
    if len(group) > MOST_PLACES:
        return []
    prime = seen[0].prime
    found: list[Combination] = []
    for kind in (SUM, PRODUCT):
        moves = [one.kernel[:, group] for one in seen]
        if kind == PRODUCT:
            inverses = [[pow(int(one.point[place]), -1, prime) for place in group] for one in seen]
            moves = [move * np.array(inverse) % prime for move, inverse in zip(moves, inverses, strict=True)]
        together = Residues(prime).elements(np.vstack(moves))
        rank = rank_mod(together, prime)
        for vector in np.remainder(kernel_basis(together, rank, prime), prime).astype(np.int64):
            whole = small_integers(vector.tolist(), prime)
            if whole is not None and sum(map(bool, whole)) > 1:
                found.append(Combination(kind, tuple((p, v) for p, v in zip(group, whole, strict=True) if v)))
    return found


def small_integers(vector: Sequence[int], prime: int) -> tuple[int, ...] | None:
    """The primitive vector of small integers with these residues up to a factor, the first positive; ``None`` if there is none.

    >>> small_integers([0, 51, 1], 101), small_integers([1, 7], 8388593)
    ((0, 1, 2), (1, 7))
    """
    fractions = [small_fraction(value, prime) for value in vector]
    if any(value is None for value in fractions):
        return None
    known = [value for value in fractions if value is not None]
    scale = lcm(*(value.denominator for value in known))
    whole = [int(value * scale) for value in known]
    common = gcd(*whole)
    sign = 1 if next((value for value in whole if value), 1) > 0 else -1
    return tuple(sign * value // common for value in whole) if max(map(abs, whole)) <= MOST_EXPONENT * common else None
