"""The family "polynomial": any map whose coordinates are polynomials or rational functions of its parameters.

The record holds formulas as they were written; nothing is multiplied out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from algdim.errors import InputError, listed
from algdim.families.polynomial.expressions import Formula, names_in, walk
from algdim.models.words import check_name

MOST_PARAMETERS = 5000
MOST_COORDINATES = 20_000
MOST_NODES = 400_000
"""Numbers, names and operations in all formulas together."""


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A coordinate's name and its formula."""

    name: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Polynomial:
    """Parameters by name, and coordinates that are formulas in them."""

    family: ClassVar[str] = "polynomial"

    parameters: tuple[str, ...]
    coordinates: tuple[Coordinate, ...]

    def __post_init__(self) -> None:
        for what, names, most in (
            ("parameter", self.parameters, MOST_PARAMETERS),
            ("coordinate", tuple(coordinate.name for coordinate in self.coordinates), MOST_COORDINATES),
        ):
            if len(names) > most:
                raise InputError(f"the map has {len(names)} {what}s; at most {most} are allowed")
            for name, times in Counter(names).items():
                check_name(name, f"a {what}")
                if times > 1:
                    raise InputError(f"the {what} {name} stands {times} times; each name is allowed once")
        if not self.coordinates:
            raise InputError("the map has no coordinates; at least one is needed")
        known, nodes = frozenset(self.parameters), 0
        for coordinate in self.coordinates:
            nodes += sum(1 for _ in walk(coordinate.formula))
            for name in names_in(coordinate.formula):
                if name not in known:
                    raise InputError(
                        f"the coordinate {coordinate.name}: there is no parameter {name}; known are {listed(self.parameters)}"
                    )
        if nodes > MOST_NODES:
            raise InputError(
                f"the formulas have {nodes} numbers, names and operations; at most {MOST_NODES} are allowed"
            )

    @property
    def has_default_names(self) -> bool:
        """Whether the coordinates are called f1, f2 and so on."""
        return all(one.name == default_name(number) for number, one in enumerate(self.coordinates, 1))


def default_name(number: int) -> str:
    """What a coordinate without a name is called.

    >>> default_name(1)
    'f1'
    """
    return f"f{number}"
