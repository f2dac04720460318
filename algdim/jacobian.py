"""The values and the Jacobian of a map at a point, in any arithmetic, against any functionals.

A family supplies an `Evaluator` (contraction for discrete models); what is here is the same for all: batches, memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.arithmetic import Arithmetic, Array, Residues
from algdim.families import load_family
from algdim.figures import format_count, format_integer
from algdim.limits import check_time, get_allowance, telling
from algdim.maps import Functionals, Map, check_terms
from algdim.memory import ALLOW_MORE, OR_PROBES, check_memory

if TYPE_CHECKING:
    from algdim.families.contract import CoordinateRecord

TAPE_BYTES = 1 << 24
"""A batch is not larger than fits its intermediate arrays into about this much."""

CACHE_BYTES, WORTH_CALLS = 1 << 18, 1 << 6
"""So many functionals, or as many as fit into a processor's cache, are enough: more at once take no less time each."""

PRODUCTS = "products"
"""The method with functionals that factorise."""

COPIES = 3
"""How many arrays of the Jacobian's size may exist at once: itself, a working copy, a temporary."""


class AtPoint(Protocol):
    """A map at a point."""

    def values(self, vectors: Any) -> Array:
        """The values of a batch of functionals, given by what `Functionals.vectors` makes of them."""

    def derivatives(self, vectors: Any, into: Array) -> None:
        """Write the derivatives of a batch of functionals into the rows of a matrix of zeros."""


class Evaluator(Protocol):
    """A map that is ready to be evaluated at points."""

    @property
    def numbers_per_functional(self) -> int:
        """How many numbers are held for one functional."""

    @property
    def largest(self) -> int:
        """The size of the largest array on the way, per functional."""

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        """Every coordinate, or those that the map keeps; the advice is for refusals."""

    def at(self, arithmetic: Arithmetic, point: Array) -> AtPoint:
        """Prepare for one point; `SingularError` where the map has no value."""


class Probed(Evaluator, Protocol):
    """An evaluator for which functionals of all coordinates at once cost no more than coordinates."""

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        """As many random functionals as asked for, drawn from the seed and labels: together they see all coordinates."""


def is_probed(evaluator: Evaluator) -> TypeGuard[Probed]:
    """Whether an evaluator has functionals of all coordinates; asked for this alone, all else of a protocol takes longer."""
    return hasattr(evaluator, "random_functionals")


def compute_symbolic_jacobian(
    pmap: Map, evaluator: Evaluator, most_terms: int, max_memory: int | None = None, most_in_all: int | None = None
) -> list[list[Any]]:
    """The Jacobian of all coordinates as polynomials, rows of quotients multiplied by denominators.

    With ``most_in_all`` row by row, until it has more terms than that: `LimitError`.
    """
    multiplied_out = load_family(pmap.model.family).multiply_out
    if multiplied_out is not None:
        return multiplied_out(pmap)
    from algdim.exact.polynomials import make_polynomials

    check_terms(pmap, most_terms)
    arithmetic, point = make_polynomials(pmap.parameter_count)
    coordinates = evaluator.all_coordinates(max_memory)
    if most_in_all is None:
        matrix = evaluate_jacobian(pmap, arithmetic, point, coordinates, evaluator=evaluator, max_memory=max_memory)
        found: list[list[Any]] = matrix.tolist()
        return found
    at_point, rows, terms = evaluator.at(arithmetic, point), list[list[Any]](), 0
    for number in range(coordinates.count):
        check_time()
        rows += evaluate_derivatives(
            pmap, evaluator, at_point, arithmetic, coordinates, range(number, number + 1)
        ).tolist()
        terms += sum(map(len, rows[-1]))
        if terms > most_in_all:
            raise LimitError(f"the Jacobian has more than {format_integer(most_in_all)} terms")
    return rows


@dataclass(frozen=True, eq=False)
class ChosenMap:
    """A map with some functionals of its coordinates in place of all coordinates, which are very many; else as that map."""

    whole: Map
    chosen: Functionals
    chosen_records: tuple[CoordinateRecord, ...]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)

    @property
    def coordinate_count(self) -> int:
        """How many are chosen."""
        return self.chosen.count

    def coordinates(self) -> list[str]:
        """Their names."""
        return list(map(str, self.chosen_records))

    def coordinate_records(self) -> list[CoordinateRecord]:
        """What they are."""
        return list(self.chosen_records)


class ChosenEvaluator(NamedTuple):
    """Such a map made ready: what evaluates the whole one."""

    whole: Evaluator
    chosen: Functionals

    @property
    def numbers_per_functional(self) -> int:
        return self.whole.numbers_per_functional

    @property
    def largest(self) -> int:
        return self.whole.largest

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:  # noqa: ARG002 (few)
        return self.chosen

    def at(self, arithmetic: Arithmetic, point: Array) -> AtPoint:
        return self.whole.at(arithmetic, point)


def make_evaluator(pmap: Map) -> Evaluator:
    """Make a map ready; worth keeping where several points are evaluated."""
    if isinstance(pmap, ChosenMap):
        return ChosenEvaluator(make_evaluator(pmap.whole), pmap.chosen)
    return load_family(pmap.model.family).make_evaluator(pmap)


def needs_factorised_functionals(pmap: Map) -> bool:
    """Whether a map has functionals that factorise, and others would cost much."""
    products = load_family(pmap.model.family).products
    return products is not None and products.is_worth_it(pmap)


def make_method_evaluator(pmap: Map, method: str) -> Evaluator:
    """Make a map ready for a method: for `products`, where it has functionals that factorise, only for these."""
    products = load_family(pmap.model.family).products if method == PRODUCTS else None
    return (None if products is None else products.unfold(pmap)) or make_evaluator(pmap)


def estimate_jacobian_memory(pmap: Map, arithmetic: Arithmetic, functionals: int) -> int:
    """The memory that the Jacobian and its elimination need."""
    return COPIES * arithmetic.item_bytes * functionals * max(1, pmap.parameter_count)


def check_size(
    pmap: Map, arithmetic: Arithmetic, evaluator: Evaluator, functionals: Functionals, rows: int, most: int | None
) -> None:
    """Refuse before allocation what does not fit."""
    needed = estimate_jacobian_memory(pmap, arithmetic, rows) + evaluator.numbers_per_functional * arithmetic.item_bytes
    if most is not None and needed <= most:
        return
    is_whole = rows == functionals.count
    # a block has not many more rows than there are probes
    advice = functionals.advice if is_whole else ALLOW_MORE
    what = (
        f"the Jacobian has {format_integer(rows)}"
        if is_whole
        else f"a block of {format_integer(rows)} of {format_integer(functionals.count)}"
    )
    check_memory(
        needed,
        most,
        f"{what} rows {'and' if is_whole else 'of the Jacobian has'} {format_count(pmap.parameter_count, 'column')}, and its "
        f"largest intermediate array {format_count(evaluator.largest, 'entry')}",
        advice,
    )


def split_row_batches(evaluator: Evaluator, arithmetic: Arithmetic, rows: range) -> list[range]:
    """Cut rows into runs whose intermediate arrays stay small."""
    per_functional = max(1, evaluator.numbers_per_functional) * arithmetic.item_bytes
    if len(rows) * per_functional <= CACHE_BYTES:
        return [rows] if rows else []
    size = max(1, min(len(rows), TAPE_BYTES // per_functional, max(WORTH_CALLS, CACHE_BYTES // per_functional)))
    return [range(start, min(start + size, rows.stop)) for start in range(rows.start, rows.stop, size)]


def evaluate_functionals(
    pmap: Map,
    arithmetic: Arithmetic,
    point: Array,
    functionals: Functionals,
    *,
    evaluator: Evaluator | None = None,
) -> Array:
    """The values of the functionals at a point; for the cells, the observed distribution."""
    evaluator = evaluator or make_evaluator(pmap)
    return evaluate_values(evaluator, evaluator.at(arithmetic, point), arithmetic, functionals)


def evaluate_values(
    evaluator: Evaluator,
    at_point: AtPoint,
    arithmetic: Arithmetic,
    functionals: Functionals,
    count: int | None = None,
) -> Array:
    """The values of the functionals, or of the first ones, at a point that was made ready."""
    count = functionals.count if count is None else count
    found = []
    # a search or a rank has words of its own
    with telling(get_allowance().told or f"the values of {count} coordinates at a point"):
        for run in split_row_batches(evaluator, arithmetic, range(count)):
            check_time()
            found.append(at_point.values(functionals.vectors(arithmetic, run.start, run.stop)))
    return found[0] if len(found) == 1 else np.concatenate(found)


def make_inner_point(pmap: Map) -> NDArray[np.bool_]:
    """The parameters for `Booleans`: inner ones, none of which is zero."""
    return np.ones(pmap.parameter_count, dtype=np.bool_)


def evaluate_jacobian(
    pmap: Map,
    arithmetic: Arithmetic,
    point: Array,
    functionals: Functionals,
    *,
    evaluator: Evaluator | None = None,
    rows: range | None = None,
    max_memory: int | None = None,
) -> Array:
    """The Jacobian at a point: one row per functional (or those in ``rows``), one column per parameter."""
    evaluator = evaluator or make_evaluator(pmap)
    rows = range(functionals.count) if rows is None else rows
    check_size(pmap, arithmetic, evaluator, functionals, len(rows), max_memory)
    return evaluate_derivatives(pmap, evaluator, evaluator.at(arithmetic, point), arithmetic, functionals, rows)


def evaluate_derivatives(
    pmap: Map, evaluator: Evaluator, at_point: AtPoint, arithmetic: Arithmetic, functionals: Functionals, rows: range
) -> Array:
    """The Jacobian at a point that was made ready."""
    shape = len(rows), pmap.parameter_count
    if isinstance(arithmetic, Residues):
        matrix = np.zeros(shape)
    else:
        zero = arithmetic.elements(np.zeros(1, dtype=np.bool_))
        matrix = np.empty(shape, dtype=zero.dtype)
        matrix[:] = zero
    for run in split_row_batches(evaluator, arithmetic, rows):
        check_time()
        into = matrix[run.start - rows.start : run.stop - rows.start]
        at_point.derivatives(functionals.vectors(arithmetic, run.start, run.stop), into)
    return matrix
