"""The parametrisation of a model as sympy expressions, its Jacobian, and row reduction at points, as GHM96 §5 does it.

`parametrization` is the entry point, `reduce_at_points` the work of `algdim rowreduce`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from algdim.arguments import check_arguments
from algdim.display.blocks import Block, FormulaBlock, MatrixBlock, Paragraph, TableBlock
from algdim.display.document import format_matrix
from algdim.display.results import Compact, Frame, Result, cut_cell, cut_rows
from algdim.errors import InputError, LimitError, describe_value, join_names
from algdim.exact.arithmetic import make_large_prime_field
from algdim.exact.draws import compute_fingerprint, draw_integers, draw_seed, open_stream
from algdim.exact.elimination import Reduced, convert_to_fraction, reduce_rows_mod
from algdim.exact.flint import reduce_rows_by_flint
from algdim.exact.primes import MOST_BITS, is_prime
from algdim.explanation.printing import PrintedMap, check_expandable, format_expression, print_map
from algdim.explanation.samplepoint import Standing, evaluate_at_point
from algdim.figures import cut_text, format_count, format_integer
from algdim.jacobian import evaluate_jacobian, make_evaluator
from algdim.maps import Map, map_of
from algdim.memory import choose_memory_limit
from algdim.models.anymodel import AnyModel
from algdim.models.notation import to_text
from algdim.rank import Task, compute_rational_jacobian, draw_thousandths, make_object_array, try_drawn_points
from algdim.report import describe_parameter_source, read_map_point

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

RATIONAL = "Q"
"""The name of the field of the rational numbers."""
MOST_POINTS = 1000
MOST_ENTRIES = 100_000
"""Of a Jacobian that is reduced to be shown."""
MOST_SHOWN = 60
"""Expressions of a map in a notebook."""


@dataclass(frozen=True, slots=True, repr=False)
class Parametrization(Result):
    """The map from the parameters of a model to its coordinates, as mathematics.

    Attributes
    ----------
    model
        The model.
    parameters, coordinates
        Their names.
    symbols, expressions
        The parameters as sympy symbols, and the coordinates as sympy expressions, in factored form.
    jacobian
        A function: the matrix of derivatives, a row for each coordinate and a column for each parameter.
    expand
        A function: the same map with every expression expanded.
    at
        A function of parameters (a path or a dictionary): values, Jacobian and reduced matrix there, exact.
    rowreduce
        A function: the reduced matrices and the ranks at random points.
    latex, jacobian_latex, jacobian_text
        Functions: map and Jacobian in LaTeX, and the Jacobian as text.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> found = parametrization("H -> X; hidden H")
    >>> found.expressions[0]
    P(H=0)*P(X=0|H=0) + P(X=0|H=1)*(1 - P(H=0))
    >>> found.jacobian().shape, found.rowreduce().ranks
    ((2, 3), (1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
    """

    _inner: ClassVar[frozenset[str]] = frozenset({"pmap", "printed"})

    printed: PrintedMap

    @property
    def pmap(self) -> Map:
        """The map in the engine."""
        return self.printed.pmap

    @property
    def model(self) -> AnyModel:
        """The model."""
        found: AnyModel = self.pmap.model
        return found

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return self.printed.parameters

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return self.printed.coordinates

    @property
    def symbols(self) -> tuple[Any, ...]:
        """The parameters as sympy symbols."""
        from sympy import Symbol

        return tuple(map(Symbol, self.parameters))

    @property
    def expressions(self) -> tuple[Any, ...]:
        """The coordinates as sympy expressions."""
        return self.printed.expressions

    def jacobian(self) -> Any:
        """The Jacobian as a sympy matrix, its entries in factored form."""
        from sympy import ImmutableMatrix

        return ImmutableMatrix(
            len(self.coordinates), len(self.parameters), [value for row in self.printed.jacobian for value in row]
        )

    def expand(self) -> Parametrization:
        """The same map with every expression expanded; refused where a coordinate may have too many terms."""
        from sympy import expand

        check_expandable(self.pmap)
        return Parametrization(replace(self.printed, expressions=tuple(map(expand, self.expressions)), terms=()))

    def at(self, point: Any) -> Standing:
        """What holds at given parameters, a path or a dictionary: values, Jacobian and reduced matrix, in exact fractions."""
        return evaluate_at_point(
            self.pmap, read_map_point(self.pmap, point, self.model), describe_parameter_source(point)
        )

    def rowreduce(
        self, points: int = 10, field: str | int = RATIONAL, seed: int | str = 0, *, at: Any = None
    ) -> RowReduction:
        """The Jacobian reduced at random points over ℚ or modulo a prime, or at given parameters."""
        return reduce_at_points(self.pmap, points, field, seed, at=at)

    def latex(self) -> str:
        """The map as an aligned display."""
        return self.printed.latex()

    def jacobian_latex(self) -> str:
        """The Jacobian as a matrix in LaTeX."""
        return self.printed.jacobian_latex()

    def jacobian_text(self) -> str:
        """The derivatives of each coordinate, one per line."""
        return self.printed.jacobian_text()

    def lines(self) -> list[str]:
        """One coordinate per line, or one term per line."""
        return str(self.printed).split("\n")

    def _summarise(self) -> str:
        first = (
            f"{self.coordinates[0]} = {cut_text(format_expression(self.expressions[0]), 80)}"
            if self.coordinates
            else ""
        )
        return (
            f"{cut_text(to_text(self.model))}: {format_count(len(self.parameters), 'parameter')} to "
            f"{format_count(len(self.coordinates), 'coordinate')}: {first}"
        )

    def _show(self) -> Iterator[Block]:
        lines = self.printed.latex().splitlines()[1:-1]
        names = zip(self.coordinates, self.expressions, strict=True)
        shown = [f"{name} = {format_expression(value)}" for name, value in names][:MOST_SHOWN]
        yield FormulaBlock(tuple(zip(shown, (line.removesuffix(r" \\") for line in lines), strict=False)))

    def _repr_latex_(self) -> str:
        """The map in a notebook."""
        return f"$$\n{self.latex()}\n$$"

    def _tabulate(self) -> Frame:
        rows = zip(self.coordinates, map(format_expression, self.expressions), strict=True)
        return Frame(("coordinate", "expression"), tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        values = map(format_expression, self.expressions)
        found: dict[str, Any] = {
            "parameters": self.parameters,
            "coordinates": dict(zip(self.coordinates, values, strict=True)),
        }
        if self.printed.terms:
            terms = zip(self.coordinates, self.printed.terms, strict=True)
            found["treks"] = {name: some.to_list() for name, some in terms}
        return found


@check_arguments
def parametrization(
    model: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
) -> Parametrization:
    """The map from the parameters of a model to its coordinates, written out.

    Parameters
    ----------
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.

    Returns
    -------
    Parametrization
        Names, expressions in factored form, the Jacobian, and row reduction at points.

    Examples
    --------
    >>> found = parametrization("2:2,2")
    >>> print(found.jacobian()[0, 0])
    P(X1=0|H=0)*P(X2=0|H=0) - P(X1=0|H=1)*P(X2=0|H=1)
    >>> found.rowreduce(points=2, field=101).ranks
    (3, 3)
    """
    from algdim.readers.anything import read_model

    return Parametrization(print_map(map_of(read_model(model, format=format, hidden=hidden))))


Entries = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True, repr=False)
class ReducedMatrix(Compact):
    """A point, the Jacobian there, and its reduced row echelon form with the places of its pivots."""

    point: Mapping[str, Fraction]
    label: str
    matrix: Entries
    reduced: Entries
    pivots: tuple[tuple[int, int], ...]

    @property
    def rank(self) -> int:
        """The number of pivots."""
        return len(self.pivots)


@dataclass(frozen=True, slots=True, repr=False)
class RowReduction(Result):
    """The Jacobian of a model in reduced row echelon form, at one point or several.

    Attributes
    ----------
    model, parameters, coordinates
        The model, and the names of columns and rows.
    field
        "Q", or the prime modulo which everything was computed.
    points
        Of each point: `point`, `label`, `matrix`, `reduced`, `pivots`, `rank`; exact numbers.
    ranks, rank
        The ranks, and the greatest of them: a lower bound of the dimension.
    point, matrix, reduced, pivots
        Those of the first point.
    pivot_parameters
        The parameters in whose columns the pivots of the first point are.
    seed
        The seed of the draws.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> found = parametrization("A -> C <- H -> D <- B; hidden H").rowreduce()
    >>> found.ranks, len(found.pivots), sum(any(row) for row in found.reduced)
    ((9, 9, 9, 9, 9, 9, 9, 9, 9, 9), 9, 9)
    """

    _inner: ClassVar[frozenset[str]] = frozenset({"matrices"})

    model: AnyModel
    parameters: tuple[str, ...]
    coordinates: tuple[str, ...]
    field: str | int
    points: tuple[ReducedMatrix, ...]
    seed: int | str

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank at each point."""
        return tuple(one.rank for one in self.points)

    @property
    def rank(self) -> int:
        """The greatest rank."""
        return max(self.ranks)

    @property
    def point(self) -> Mapping[str, Fraction]:
        """The first point."""
        return self.points[0].point

    @property
    def matrix(self) -> Entries:
        """The Jacobian at the first point."""
        return self.points[0].matrix

    @property
    def reduced(self) -> Entries:
        """The reduced matrix of the first point."""
        return self.points[0].reduced

    @property
    def pivots(self) -> tuple[tuple[int, int], ...]:
        """The places of the pivots, row and column, at the first point."""
        return self.points[0].pivots

    @property
    def pivot_parameters(self) -> tuple[str, ...]:
        """The parameters of these columns."""
        return tuple(self.parameters[column] for _, column in self.pivots)

    def lines(self) -> Iterator[str]:
        """The ranks, and what they say."""
        over = "ℚ" if self.field == RATIONAL else f"GF({self.field})"
        size = f"{len(self.coordinates)} × {len(self.parameters)}"
        labels = [one.label for one in self.points]
        where = labels[0] if len(labels) == 1 else f"{len(labels)} random points, seed {self.seed}"
        yield cut_text(to_text(self.model))
        yield f"Jacobian {size}, reduced over {over} at {where}"
        yield f"{'rank' if len(labels) == 1 else 'ranks'} {' '.join(map(str, self.ranks))}"
        yield f"the dimension is at least {self.rank}; {format_count(len(self.parameters), 'parameter')}"
        yield f"pivots at the first point: {join_names(self.pivot_parameters, most=30)}"

    def matrices(self) -> str:
        """The first point, the Jacobian there and its reduced form."""
        width = max(map(len, self.parameters), default=0)
        return "\n".join(
            [
                "the first point",
                *(f"  {name:<{width}}  {value}" for name, value in self.point.items()),
                "",
                "the Jacobian there",
                format_matrix(self.matrix),
                "",
                "in reduced row echelon form",
                format_matrix(self.reduced, self.pivots),
            ]
        )

    def _summarise(self) -> str:
        return f"{cut_text(to_text(self.model))}: ranks {join_names(self.ranks)} over {self.field}"

    def _show(self) -> Iterator[Block]:
        yield Paragraph("; ".join(self.lines()))
        rows = tuple((name, str(value)) for name, value in self.point.items())
        yield TableBlock((), cut_rows(rows), caption=cut_cell("the first point"))
        yield MatrixBlock(tuple(tuple(map(str, row)) for row in self.reduced), self.parameters, frozenset(self.pivots))

    def _tabulate(self) -> Frame:
        rows = [(number, one.label, one.rank) for number, one in enumerate(self.points, 1)]
        return Frame(("number", "point", "rank"), tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output: exact numbers as text."""
        return {
            "model": to_text(self.model),
            "parameters": list(self.parameters),
            "coordinates": list(self.coordinates),
            "field": self.field,
            "rank": self.rank,
            "ranks": list(self.ranks),
            "labels": [one.label for one in self.points],
            "point": {name: str(value) for name, value in self.point.items()},
            "matrix": [[str(value) for value in row] for row in self.matrix],
            "reduced": [[str(value) for value in row] for row in self.reduced],
            "pivots": [list(place) for place in self.pivots],
            "seed": self.seed,
        }


def reduce_at_points(
    pmap: Map,
    points: int = 10,
    field: str | int = RATIONAL,
    seed: int | str = 0,
    *,
    at: Any = None,
    max_memory: int | str | None = None,
) -> RowReduction:
    """Reduce the Jacobian at random points with coordinates k/1000, those of the method `rowreduce`, or at given parameters.

    Modulo a prime the same fractions are taken, as residues; where the prime divides 1000, residues are drawn.
    """
    prime = parse_field(field)
    if not isinstance(points, int) or not 1 <= points <= MOST_POINTS:
        raise InputError(f"points={describe_value(points)}: from 1 to {MOST_POINTS} points are reduced")
    check_entries(pmap)
    memory, drawn = choose_memory_limit(max_memory), draw_seed(seed)
    if prime and any(denominator % prime == 0 for denominator in pmap.denominators()):
        raise InputError(f"the prime {prime} divides a denominator of the model; take another one")
    found: tuple[ReducedMatrix, ...]
    if at is not None:
        given = read_map_point(pmap, at, pmap.model)
        label = f"the parameters of {describe_parameter_source(at)}"
        found = (reduce_at_point(pmap, given, label, prime, memory),)
    else:
        found = tuple(reduce_at_drawn_point(pmap, number, prime, drawn, memory) for number in range(points))
    return RowReduction(pmap.model, pmap.parameters, tuple(pmap.coordinates()), prime or RATIONAL, found, drawn)


def check_entries(pmap: Map) -> None:
    """Refuse a Jacobian that is too large to be reduced and kept."""
    if pmap.coordinate_count * len(pmap.parameters) > MOST_ENTRIES:
        raise LimitError(
            f"the Jacobian has {format_integer(pmap.coordinate_count)} × {format_integer(len(pmap.parameters))} entries; at most "
            f"{MOST_ENTRIES} are reduced to be shown; `algdim dim` takes ranks of larger ones"
        )


def parse_field(field: str | int) -> int:
    """The prime of a field, 0 for the rational numbers.

    >>> parse_field("Q"), parse_field(101)
    (0, 101)
    """
    if field == RATIONAL:
        return 0
    if not isinstance(field, int) or isinstance(field, bool) or not 2 <= field < 1 << MOST_BITS or not is_prime(field):
        raise InputError(f"field={describe_value(field)}: 'Q' or a prime below 2^{MOST_BITS} is expected")
    return field


def reduce_at_drawn_point(pmap: Map, number: int, prime: int, seed: int | str, memory: int) -> ReducedMatrix:
    """The matrix at the point of this number; another one is drawn where the map has no value."""
    task = Task(pmap, make_evaluator(pmap), seed, max_memory=memory)

    def reduce(labels: tuple[int | str, ...]) -> ReducedMatrix:
        source = open_stream(seed, "point", *labels, number)
        if prime and 1000 % prime == 0:
            point = [Fraction(value) for value in draw_integers(source, 0, prime - 1, len(pmap.parameters))]
        else:
            point = draw_thousandths(task._replace(labels=labels), number)
        return reduce_at_point(pmap, point, f"point {compute_fingerprint(source)}", prime, memory)

    return try_drawn_points((), reduce)


def reduce_at_point(pmap: Map, point: Sequence[Fraction], label: str, prime: int, memory: int) -> ReducedMatrix:
    """The matrix at a point, and its reduced form."""
    named = dict(zip(pmap.parameters, point, strict=True))
    if not prime:
        matrix = compute_rational_jacobian(pmap, point, memory)
        rows = tuple(tuple(convert_to_fraction(value) for value in row) for row in matrix)
        return make_reduced(named, label, rows, reduce_rows_by_flint(matrix.tolist()))
    arithmetic, evaluator = make_large_prime_field(prime), make_evaluator(pmap)
    try:
        elements = arithmetic.elements(make_object_array(point)) if len(point) else np.empty(0, dtype=object)
        coordinates = evaluator.all_coordinates(memory)
        residues = evaluate_jacobian(pmap, arithmetic, elements, coordinates, evaluator=evaluator, max_memory=memory)
    except ZeroDivisionError:
        raise InputError(
            f"at {label} a denominator is divisible by {prime}: the matrix has no residue; take another prime"
        ) from None
    whole = tuple(tuple(int(value) for value in row) for row in residues)
    return make_reduced(named, label, whole, reduce_rows_mod(whole, prime))


def make_reduced(point: Mapping[str, Fraction], label: str, rows: Entries, reduced: Reduced) -> ReducedMatrix:
    """The record of a point."""
    return ReducedMatrix(point, label, rows, tuple(map(tuple, reduced.matrix)), reduced.pivots)
