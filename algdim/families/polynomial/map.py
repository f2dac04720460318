"""The user's own map: its formulas as one straight-line program, what is known of its size, and its affine hull."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any, ClassVar

from algdim.errors import LimitError
from algdim.exact.primes import count_primes
from algdim.families.contract import BY_NAME, CoordinateRecord
from algdim.families.polynomial.expansion import compute_coefficient_rank, expand_coordinates
from algdim.families.polynomial.model import Formulas
from algdim.families.polynomial.program import (
    INVERT,
    MOST_TERMS,
    Program,
    Size,
    StraightLine,
    bound_node_sizes,
    bound_terms,
    build_program,
    build_straight_line,
)
from algdim.maps import Parameter, make_named_parameter

MOST_EXPONENTS = 1 << 25
"""Of all terms; each has one for every parameter."""

MOST_PRODUCTS = 20_000_000
"""Of terms, for the rows D·∂N − N·∂D of quotients."""


@dataclass(frozen=True, eq=False)
class PolynomialMap:
    """The parameters and coordinates of the user's map."""

    model: Formulas
    line: StraightLine
    sizes: tuple[Size, ...]
    """Of all nodes."""

    kept_coordinates: ClassVar[None] = None
    given: ClassVar[tuple[int, ...]] = ()
    coordinates_are: ClassVar[str] = "coordinates"
    functional_degree: ClassVar[int] = 1

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.model.parameters

    @property
    def parameter_count(self) -> int:
        return len(self.parameters)

    @property
    def records(self) -> tuple[Parameter, ...]:
        """The same; they have names and nothing else."""
        return tuple(map(make_named_parameter, self.model.parameters))

    @property
    def coordinate_count(self) -> int:
        return len(self.line.outputs)

    def coordinates(self) -> list[str]:
        return list(map(str, self.coordinate_records()))

    def coordinate_records(self) -> list[CoordinateRecord]:
        """The same; they have names and nothing else."""
        return [CoordinateRecord(BY_NAME, (coordinate.name,)) for coordinate in self.model.coordinates]

    @property
    def is_polynomial(self) -> bool:
        """Whether nothing is divided by but numbers."""
        return all(step.operation != INVERT for step in self.line.steps)

    def denominators(self) -> list[int]:
        """The denominators of the coefficients."""
        return [value.denominator for step in self.line.steps for value in step.coefficients]

    def degree_and_log_size(self) -> tuple[int, float]:
        """The degree and log₂ size of the coordinates; with quotients what lemma "chance" takes in their places.

        For N/D the rows D·∂N − N·∂D have entries of degree at most 2δ − 1, and ‖·‖ at most 2δ ‖N‖ ‖D‖ in sum.
        """
        sizes = [self.sizes[node] for node in self.line.outputs]
        degree = max(size.degree for size in sizes)
        log_size = max(size.log_above + size.log_below for size in sizes)
        return (degree, log_size) if self.is_polynomial else (2 * degree, log_size)

    def share_with_value(self, choices: int) -> float:
        """At least this share of primes and points have a value: nothing that is divided by vanishes there.

        Each of these is a quotient of polynomials. If that above is not zero modulo the prime it vanishes at a share of at
        most degree / choices of the points; and it is zero modulo at most log₂‖·‖ / (b − 1) primes of b bits.
        """
        bits = max(3, choices.bit_length())
        unused = sum(log2(denominator) for denominator in frozenset(self.denominators())) / (bits - 1)
        primes, lost = count_primes(bits) - unused, 0.0
        if primes <= 0:
            return 0.0
        for step in self.line.steps:
            if step.operation == INVERT:
                size = self.sizes[step.uses[0]]
                lost += size.degree / choices + size.log_above / ((bits - 1) * primes)
        return max(0.0, 1 - lost)

    @property
    def terms(self) -> int:
        """At most this many terms do the coordinates have, multiplied out; more than `MOST_TERMS` if they are not to be."""
        width = len(self.parameters)
        count = sum(bound_terms(self.sizes[node], width) for node in self.line.outputs)
        return count if count * width <= MOST_EXPONENTS else MOST_TERMS + 1

    @cached_property
    def multiplied_hull(self) -> int | None:
        """The dimension of the affine hull of the coordinates: their rank, multiplied out, over a common denominator.

        ``None`` where there are too many terms.
        """
        return compute_coefficient_rank(expand_coordinates(self.line)) if self.terms <= MOST_TERMS else None

    @property
    def complete(self) -> int:
        """The dimension of the affine hull of the coordinates, or where these are not multiplied out their number."""
        return self.coordinate_count if self.multiplied_hull is None else self.multiplied_hull


def build_polynomial_map(model: Formulas) -> PolynomialMap:
    """Compile the formulas of a model.

    >>> from algdim.models.notation import parse
    >>> pmap = build_polynomial_map(parse("polynomial: parameters a, b; coordinates a*b, (a*b)^2, 3*a*b - 1"))
    >>> len(pmap.line.steps), pmap.complete
    (4, 2)
    """
    line = build_straight_line(model.parameters, (coordinate.formula for coordinate in model.coordinates))
    return PolynomialMap(model, line, bound_node_sizes(line))


def make_formula_program(pmap: PolynomialMap) -> Program:
    """The map made ready to be evaluated."""
    return build_program(pmap.line)


def derive_polynomial_jacobian(pmap: PolynomialMap) -> list[list[Any]]:
    """The Jacobian multiplied out; the row of a quotient N/D is multiplied by D², which leaves D·∂N − N·∂D."""
    if pmap.terms > MOST_TERMS:
        raise LimitError(f"expanded, the coordinates may have more than {MOST_TERMS} terms; take a numerical method")
    columns, pairs = range(len(pmap.parameters)), expand_coordinates(pmap.line)
    work = sum(len(above) * len(below) for above, below in pairs) * len(columns)
    if work > MOST_PRODUCTS:
        raise LimitError(
            f"expanded, the Jacobian needs {work} products of terms; at most {MOST_PRODUCTS} are allowed; "
            "take a numerical method"
        )
    return [
        [above.derivative(column) * below - above * below.derivative(column) for column in columns]
        for above, below in pairs
    ]
