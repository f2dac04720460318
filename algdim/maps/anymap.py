"""What the rest knows of a map, whatever its family, and what makes a map of a model of each family."""

from __future__ import annotations

from math import ceil, lgamma, log, log2
from typing import TYPE_CHECKING, Any, Protocol

from algdim.errors import LimitError
from algdim.families import family_of

if TYPE_CHECKING:
    from algdim.families.contract import CoordinateRecord
    from algdim.maps.parameters import Parameter


class Map(Protocol):
    """Parameters, coordinates, and what is needed to bound the chance that a rank at a point is too small."""

    @property
    def model(self) -> Any:
        """The model; its `family` is the key of all tables of families."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""

    @property
    def records(self) -> tuple[Parameter, ...]:
        """What the parameters are, in the same order."""

    @property
    def complete(self) -> int:
        """The dimension of the saturated model."""

    @property
    def coordinate_count(self) -> int:
        """The number of coordinates."""

    @property
    def kept(self) -> Any:
        """The coordinates that are kept, where some are left out; ``None`` means all."""

    @property
    def coordinates_are(self) -> str:
        """What the coordinates are called, in the plural."""

    @property
    def is_polynomial(self) -> bool:
        """Whether coordinates are polynomials of the parameters; otherwise they are quotients of such."""

    @property
    def functional_degree(self) -> int:
        """The degree of the value of a functional in the numbers that are drawn for it."""

    def coordinates(self) -> list[str]:
        """The names of all coordinates."""

    def coordinate_records(self) -> list[CoordinateRecord]:
        """What the coordinates are, in the same order."""

    def denominators(self) -> list[int]:
        """The denominators of the model's fixed numbers."""

    def degree_and_log_size(self) -> tuple[int, float]:
        """δ and log₂ H of lemma "chance"; an infinite size says that nothing is claimed."""

    def share_with_value(self, choices: int) -> float:
        """At least this share of the points, each coordinate uniform among so many values, have a value."""


def map_of(model: Any, whole: Any = None) -> Map:
    """The map of a model of any family.

    >>> from algdim.models.notation import parse
    >>> map_of(parse("2:2,2")).complete
    3
    """
    return family_of(model.family).make_map(model, whole)


def check_terms(pmap: Map, most: int) -> None:
    """Refuse coordinates that are no polynomials, or with so many terms that they are not to be written as such."""
    if not pmap.is_polynomial:
        raise LimitError(
            "the coordinates are no polynomials (there are cycles, sigmoid variables, or log-odds); take a method with numbers"
        )
    degree, log_size = pmap.degree_and_log_size()
    # where coefficients are large the size says little; there are C(P + δ, δ) monomials up to the degree
    count = len(pmap.parameters)
    log_size = min(log_size, (lgamma(count + degree + 1) - lgamma(count + 1) - lgamma(degree + 1)) / log(2))
    if log_size > log2(most):
        raise LimitError(
            f"a coordinate may have about 2^{ceil(log_size)} terms; as polynomials at most {most} are allowed; "
            "take a method with numbers, or a smaller model"
        )
