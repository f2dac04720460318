"""The family "polynomial": any map whose coordinates are polynomials or rational functions of its parameters.

The record holds formulas as they were written; nothing is multiplied out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from algdim.display.models import ShownModel
from algdim.errors import InputError, join_names
from algdim.families.contract import Renaming
from algdim.families.polynomial.expressions import (
    Formula,
    NamedParameter,
    Number,
    Power,
    iterate_names,
    list_parts,
    walk,
)
from algdim.models.tokens import check_name

MOST_PARAMETERS = 5000
MOST_COORDINATES = 20_000
MOST_NODES = 400_000
"""Numbers, names and operations in all formulas together."""


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A coordinate's name and its formula."""

    name: str
    formula: Formula


class Formulas(Protocol):
    """A model whose coordinates are formulas; other families can stand on the map of this one."""

    @property
    def family(self) -> str:
        """The name of the family."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates in order."""


@dataclass(frozen=True, slots=True, repr=False)
class Polynomial(ShownModel):
    """Parameters by name, and coordinates that are formulas in them."""

    family: ClassVar[str] = "polynomial"

    parameters: tuple[str, ...]
    coordinates: tuple[Coordinate, ...]
    short: str = ""
    """The notation of a classifier of which this is the map; its coordinates are then all that a classifier can have."""

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
            for name in iterate_names(coordinate.formula):
                if name not in known:
                    raise InputError(
                        f"the coordinate {coordinate.name}: there is no parameter {name}; known are {join_names(self.parameters)}"
                    )
        if nodes > MOST_NODES:
            raise InputError(
                f"the formulas have {nodes} numbers, names and operations; at most {MOST_NODES} are allowed"
            )

    @property
    def has_default_names(self) -> bool:
        """Whether the coordinates are called f1, f2 and so on."""
        return all(one.name == name_coordinate(number) for number, one in enumerate(self.coordinates, 1))


def name_coordinate(number: int) -> str:
    """What a coordinate without a name is called.

    >>> name_coordinate(1)
    'f1'
    """
    return f"f{number}"


def has_same_formulas(first: Polynomial, second: Polynomial) -> bool:
    """Whether coordinates of the same name have formulas that differ in the names of parameters only, one to one."""
    mine, theirs = ({one.name: one.formula for one in model.coordinates} for model in (first, second))
    if mine.keys() != theirs.keys():
        return False
    forward: dict[str, str] = {}
    backward: dict[str, str] = {}
    return all(match_formulas(mine[name], theirs[name], forward, backward) for name in mine)


def match_formulas(one: Formula, other: Formula, forward: dict[str, str], backward: dict[str, str]) -> bool:
    """The same for two formulas, as far as names are bound already."""
    if isinstance(one, NamedParameter) and isinstance(other, NamedParameter):
        return (
            forward.setdefault(one.name, other.name) == other.name
            and backward.setdefault(other.name, one.name) == one.name
        )
    if type(one) is not type(other) or isinstance(one, Number):
        return one == other
    if isinstance(one, Power) and isinstance(other, Power) and one.exponent != other.exponent:
        return False
    mine, theirs = list_parts(one), list_parts(other)
    pairs: Iterable[tuple[Formula, Formula]] = zip(mine, theirs, strict=False)
    return len(mine) == len(theirs) and all(match_formulas(a, b, forward, backward) for a, b in pairs)


RENAMING = Renaming(
    lambda model, names, orders: model,  # noqa: ARG005 (formulas are compared by themselves)
    lambda model: iter(()),  # noqa: ARG005
    lambda model: iter(()),  # noqa: ARG005
    is_same=has_same_formulas,
)
