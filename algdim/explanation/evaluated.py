"""Equations of a model written out and evaluated at a point, exactly: tetrads and other sums, minors of flattenings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algdim.errors import AlgdimError
from algdim.exact.flint import compute_determinant
from algdim.explanation.constraints import Constraint, constraints
from algdim.explanation.standing import Standing
from algdim.families import describe_lack, find_equations
from algdim.families.contract import CoordinateRecord
from algdim.figures import format_count

MOST_EVALUATED = 3
MOST_ROWS = 5
"""Larger determinants are evaluated but not written out."""
MOST_COORDINATES = 512

Names = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An equation, its left side at the point, and beside it: a matrix by names and numbers, or products with values."""

    equation: Constraint
    value: Fraction
    elsewhere: Fraction
    """The same at arbitrary numbers outside the model."""
    names: Names = ()
    numbers: tuple[tuple[Fraction, ...], ...] = ()
    products: tuple[tuple[str, Fraction], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The form of --json: exact numbers as text."""
        return {**self.equation.to_dict(), "value": str(self.value), "elsewhere": str(self.elsewhere)}


def evaluate_equations(
    standing: Standing, seed: int | str = 0
) -> tuple[tuple[Evaluated, ...], tuple[Constraint, ...], str]:
    """The first equations evaluated, all that were found, and what they prove together or why there are none.

    >>> from algdim.explanation.standing import evaluate_at_random_point
    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> [
    ...     (one.value, one.elsewhere != 0)
    ...     for one in evaluate_equations(evaluate_at_random_point(map_of(parse("3:2,2,2,2"))))[0]
    ... ]
    [(Fraction(0, 1), True), (Fraction(0, 1), True), (Fraction(0, 1), True)]
    """
    pmap: Any = standing.pmap
    equations = find_equations(pmap.model.family)
    if equations is None:
        return (), (), describe_lack(pmap.model.family, "described by equations", "equations")
    if pmap.given or pmap.kept is not None:
        return (), (), "equations are looked for in models in which nothing is conditioned on"
    if len(standing.values) > MOST_COORDINATES:
        return (), (), f"equations are written out for at most {MOST_COORDINATES} coordinates"
    try:
        found = constraints(pmap.model, seed=seed)
    except AlgdimError as error:
        return (), (), str(error)
    if not found.constraints:
        zeros = f"structural zeros: {format_count(found.zeros, 'cell')}; no other" if found.zeros else "no"
        return (), (), f"{zeros} equations were found"
    # other numbers, none of them special: 1/2, 1/3, 1/5, 1/7, 1/11, …
    others = [Fraction(1, prime) for prime in list_primes(len(standing.values))]
    chosen: list[Evaluated] = []
    for equation in sorted(found.constraints, key=lambda one: one.independent is False):
        if len(chosen) == MOST_EVALUATED:
            break
        chosen.extend(equations.evaluated(pmap, equation, standing.values, others))
    return tuple(chosen), found.constraints, found.reason


def list_primes(count: int) -> list[int]:
    """The first primes.

    >>> list_primes(4)
    [2, 3, 5, 7]
    """
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found if prime * prime <= number):
            found.append(number)
        number += 1
    return found


Values = Mapping[CoordinateRecord, Fraction]


def evaluate_determinant(
    equation: Constraint, cells: Sequence[Sequence[CoordinateRecord]], at: Values, off: Values
) -> Evaluated:
    """A determinant."""
    numbers, elsewhere = (tuple(tuple(table[cell] for cell in row) for row in cells) for table in (at, off))
    shown = len(cells) <= MOST_ROWS
    return Evaluated(
        equation,
        compute_determinant(numbers),
        compute_determinant(elsewhere),
        tuple(tuple(map(str, row)) for row in cells) if shown else (),
        numbers if shown else (),
    )
