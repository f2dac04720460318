"""What a kind of local is: a module with a record ``LOCAL`` of this form, and the protocol of the entries of its arrays.

The local itself is a frozen record as `algdim.families.discrete.model.Local` says, with its kind; where a clause names it also
with ``states``, the number of states that it gives a variable whose parents have so many.

How the entries of one small array depend on the parameters it says by `Entries`: the engine asks for values and derivatives at
a point and knows nothing else. `Affine` are those that are affine in the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import lcm, prod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.exact.arithmetic import Arithmetic, Array, Booleans, Residues, has_difference_weights, reduce, run_starts
from algdim.models.tokens import check_name
from algdim.models.values import format_given_value

if TYPE_CHECKING:
    from algdim.families.discrete.locals.curves import Curve
    from algdim.families.discrete.locals.table import Parents
    from algdim.families.discrete.map import Builder
    from algdim.families.discrete.model import Local, Variable
    from algdim.models.tokens import Cursor, Token


def count_table_entries(states: int, parents: Sequence[int]) -> int:
    """How many entries a table has."""
    return states * prod(parents)


class Kind(NamedTuple):
    """What a network needs of a kind of local.

    ``read`` reads one from a dictionary of the model file, which stands at a place, and ``write`` writes it, also told whether
    the variable is the first that is met of its share. ``add`` adds the factors of a variable to the map that is built, at these
    axes of its parents and itself; ``entries`` is how many entries they have, by the variable's states and its parents'.
    ``rule`` is what a clause says of the variables that it names, from its word and what stands between that and the names;
    ``head`` prints both; ``clause`` reads a clause in which more stands than names, of one variable, all of which ``head``
    prints. ``what`` is said of a variable that has no table because of its local, ``shares`` allows several variables the same
    parameters, and without ``has_likelihood`` fitting does not know how data determine them; they do it by the
    ``curve`` of the variable, given the shape of its array and the states of all variables, where it has no table.
    ``formula`` writes in LaTeX how the distribution of a variable depends on its parents, where that is no table. ``ties`` names
    what a variable has in common with others, beside a share.
    """

    read: Callable[[dict[str, Any], str, Variable, Parents], Local]
    write: Callable[[Any, Variable, Parents, bool], dict[str, Any]]
    add: Callable[[Builder, Variable, tuple[int, ...]], None]
    entries: Callable[[int, Sequence[int]], int] = count_table_entries
    rule: Callable[[str, Cursor], Any] | None = None
    head: Callable[[Any], str] = lambda local: str(local.kind)
    what: str = "is {kind}"
    shares: bool = False
    curve: Callable[[Variable, tuple[int, ...], Mapping[str, int]], Curve] | None = None
    has_likelihood: bool = False
    clause: Callable[[Cursor, Any], tuple[Token, Any]] | None = None
    formula: Callable[[Variable], str] | None = None
    ties: Callable[[Variable], Iterable[str]] = lambda _: ()


def check_local(local: Local, place: str, variable: Variable, parents: Parents) -> Local:
    """Return the local if it fits its variable, else raise an error that names the place."""
    try:
        local.check(variable.name, variable.states, parents)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    return local


def read_share(data: dict[str, Any], place: str) -> str | None:
    """Read the name of the share, if there is one."""
    share = data.get("share")
    if share is None:
        return None
    if not isinstance(share, str):
        raise InputError(f"{place}.share is {format_given_value(share)}; the name of a shared table is expected")
    check_name(share, f"{place}.share")
    return share


Numbers = NDArray[Any]
"""Exact numbers: int64, or object for fractions."""


def convert_to_fractions(numbers: Array) -> list[Fraction]:
    """Numbers of an array as fractions of Python's integers; those of NumPy's would overflow."""
    return [Fraction(number) for number in numbers.tolist()]


class Derivative(NamedTuple):
    """A sparse matrix: the derivative of ``entry[i]`` by ``parameter[i]`` is ``coefficient[i]``."""

    entry: NDArray[np.intp]
    parameter: NDArray[np.intp]
    coefficient: Array


class LocalDerivative(NamedTuple):
    """The derivatives of all entries of all arrays, ordered by parameter."""

    entry: NDArray[np.intp]
    coefficient: Array
    starts: NDArray[np.intp]
    parameters: NDArray[np.intp]
    are_differences: bool | None = None
    """Whether each parameter has the coefficients 1 and −1, as in a free table, where that is known."""


def order_by_parameter(derivative: Derivative) -> LocalDerivative:
    """The same derivatives, parameter by parameter."""
    order = np.argsort(derivative.parameter, kind="stable")
    parameter = derivative.parameter[order]
    starts = run_starts(parameter)
    return LocalDerivative(derivative.entry[order], derivative.coefficient[order], starts, parameter[starts])


class EntryQuotient(Protocol):
    """The denominators of entries that are quotients of polynomials with integer coefficients."""

    @property
    def total_degree(self) -> int:
        """The sum of the degrees of the denominators of all rows."""

    def common(self, summed: Sequence[bool]) -> tuple[int, float]:
        """Of the rows that meet in a sum over some of the axes: the degree of a common denominator, log₂ of its size.

        The size is the sum of the absolute coefficients. The numerators over that denominator have at most this degree,
        and size at most this size times the `Entries.norms`.
        """


class Entries(Protocol):
    """The entries of one array, as functions of the parameters: polynomials, or quotients of such."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes: the parents in order, then the variable itself."""

    @property
    def degree(self) -> int:
        """The greatest degree of an entry."""

    @property
    def is_constant(self) -> bool:
        """No parameter occurs."""

    def values(self, arithmetic: Arithmetic, point: Array) -> Array:
        """All entries at the point, in the array's shape."""

    def derivative(self, arithmetic: Arithmetic, point: Array) -> Derivative:
        """The derivatives of the flat entries at the point."""

    @property
    def readable(self) -> frozenset[int]:
        """The parameters that are functions of the entries, each by itself, as far as it is known."""

    @property
    def own(self) -> Collection[int]:
        """The parameters that the array brings in, as far as it is known."""

    def iterate_keyed_entries(self, owner: str) -> Iterator[tuple[str, Entries]]:
        """The tables in a parameter file from which the entries follow, by their keys there."""

    def parameters(self, flat: Sequence[Fraction]) -> dict[int, Fraction]:
        """The readable parameters, at values of the flat entries (which are known to be possible)."""

    def equations(self, flat: Sequence[Fraction]) -> list[tuple[dict[int, Fraction], Fraction]]:
        """What the values of the flat entries say of the other parameters: coefficients and right-hand sides."""

    def denominators(self) -> frozenset[int]:
        """The denominators that occur, which a prime must not divide; 1 need not be listed."""

    def norms(self) -> tuple[int, int]:
        """Bounds for the sums of absolute coefficients after denominators are cleared: of a row, of an entry."""

    @property
    def quotient(self) -> EntryQuotient | None:
        """What is to be known of the polynomials in the denominators, ``None`` if all entries are polynomials."""


ByEntry = tuple[Numbers, NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]

SMALL = 1 << 20
"""With no greater coefficients a sum of terms that are residues is far below 2^53."""

MOST_KEPT = 1 << 16
"""Terms of which the order is kept; of more it would take memory that a rank needs."""


@dataclass(frozen=True, eq=False)
class Affine:
    """Entries that are affine in the parameters: ``constants + Σ coefficient · parameter``, as every table's are."""

    shape: tuple[int, ...]
    constants: Numbers
    entry: NDArray[np.intp]
    parameter: NDArray[np.intp]
    coefficient: Numbers

    @property
    def degree(self) -> int:
        """One, or zero without parameters."""
        return 0 if self.is_constant else 1

    @property
    def is_constant(self) -> bool:
        return len(self.entry) == 0

    def values(self, arithmetic: Arithmetic, point: Array) -> Array:
        """All entries at the point."""
        if self.small is not None and isinstance(arithmetic, Residues):  # nothing is reduced before the end
            constants, (coefficient, parameter, starts, touched) = self.small
            flat = constants.copy()
            flat[touched] += np.add.reduceat(coefficient * point[parameter], starts)
            return reduce(flat, arithmetic.prime).reshape(self.shape)
        flat = arithmetic.elements(self.constants)
        if not self.is_constant:
            is_kept = len(self.entry) <= MOST_KEPT
            coefficient, parameter, starts, touched = self.by_entry if is_kept else self.sort_by_entry()
            terms = arithmetic.multiply(arithmetic.elements(coefficient), point[parameter])
            flat[touched] = arithmetic.add(flat[touched], arithmetic.segment_sums(terms, starts))
        return flat.reshape(self.shape)

    @cached_property
    def by_entry(self) -> ByEntry:
        """The same as `sort_by_entry`, kept."""
        return self.sort_by_entry()

    def sort_by_entry(self) -> ByEntry:
        """Coefficients and parameters entry by entry, where those of each entry begin, and which entries these are."""
        order = np.argsort(self.entry, kind="stable")
        entry = self.entry[order]
        starts = run_starts(entry)
        return self.coefficient[order], self.parameter[order], starts, entry[starts]

    @cached_property
    def small(self) -> tuple[NDArray[np.float64], ByEntry] | None:
        """The constants and the same as `sort_by_entry` in floats; nothing unless all are integers so small that sums are exact."""
        are_integers = self.constants.dtype == self.coefficient.dtype == np.int64
        if self.is_constant or len(self.entry) > MOST_KEPT or not are_integers:
            return None
        coefficient, parameter, starts, touched = self.sort_by_entry()
        if max(np.abs(self.constants).max(), np.add.reduceat(np.abs(coefficient), starts).max()) > SMALL:
            return None
        return self.constants.astype(np.float64), (coefficient.astype(np.float64), parameter, starts, touched)

    @property
    def has_zeros(self) -> bool:
        """Whether an entry has neither a constant nor a term."""
        filled = np.asarray(self.constants != 0, dtype=np.bool_)
        filled[self.entry[self.coefficient != 0]] = True
        return not filled.all()

    def derivative(self, arithmetic: Arithmetic, point: Array) -> Derivative:  # noqa: ARG002 - constant for affine entries
        """The coefficients, at any point."""
        return Derivative(self.entry, self.parameter, arithmetic.elements(self.coefficient))

    @property
    def entry_of(self) -> dict[int, int]:
        """For each parameter that stands among the entries as it is, the last such entry."""
        terms = np.bincount(self.entry, minlength=len(self.constants))
        return {
            int(parameter): int(entry)
            for entry, parameter, coefficient in zip(self.entry, self.parameter, self.coefficient, strict=True)
            if terms[entry] == 1 and coefficient == 1 and self.constants[entry] == 0
        }

    def renumber_parameters(self, first: int) -> Affine:
        """The same entries with parameters numbered from ``first`` instead of 0."""
        return replace(self, parameter=self.parameter + first)

    @property
    def readable(self) -> frozenset[int]:
        """The parameters that stand among the entries as they are; ties of names can leave others."""
        return frozenset(self.entry_of)

    @property
    def own(self) -> Collection[int]:
        return self.readable

    def iterate_keyed_entries(self, owner: str) -> Iterator[tuple[str, Entries]]:
        yield owner, self

    @property
    def quotient(self) -> None:
        return None

    def parameters(self, flat: Sequence[Fraction]) -> dict[int, Fraction]:
        """Read a parameter off an entry that is that parameter."""
        return {parameter: flat[entry] for parameter, entry in self.entry_of.items()}

    def equations(self, flat: Sequence[Fraction]) -> list[tuple[dict[int, Fraction], Fraction]]:
        """What the values of the flat entries say of the parameters: coefficients and right-hand sides."""
        left: dict[int, dict[int, Fraction]] = {}
        constants, coefficients = convert_to_fractions(self.constants), convert_to_fractions(self.coefficient)
        for entry, parameter, coefficient in zip(self.entry, self.parameter, coefficients, strict=True):
            left.setdefault(int(entry), {})[int(parameter)] = coefficient
        return [(terms, flat[entry] - constants[entry]) for entry, terms in left.items()]

    def denominators(self) -> frozenset[int]:
        """The denominators of the fractions."""
        fractions = [x for x in (self.constants, self.coefficient) if x.dtype == object]
        return frozenset(number.denominator for array in fractions for number in convert_to_fractions(array))

    def norms(self) -> tuple[int, int]:
        """Sums of absolute coefficients, denominators cleared for the whole array."""
        if not any(array.dtype == object for array in (self.constants, self.coefficient)):
            scale, size = 1, np.abs(self.constants).astype(np.int64)
            np.add.at(size, self.entry, np.abs(self.coefficient))
        else:
            constants, coefficients = convert_to_fractions(self.constants), convert_to_fractions(self.coefficient)
            scale = lcm(*(number.denominator for number in (*constants, *coefficients)))
            sums = [abs(x) for x in constants]
            for entry, coefficient in zip(self.entry, coefficients, strict=True):
                sums[entry] += abs(coefficient)
            size = np.array([int(x * scale) for x in sums], dtype=object)
        rows = size.reshape(-1, self.shape[-1])
        return max(1, int(max(rows.sum(axis=1)))), max(1, int(size.max()))


MOST_JOINED = 1 << 10
"""Entries of an array that is evaluated together with others."""


class EntryArrays(tuple[Entries, ...]):  # noqa: SLOT001 - it remembers
    """The arrays of a map, which remember what follows from them alone; maps of one structure share them."""

    @cached_property
    def joint_array(self) -> tuple[Affine, Mapping[int, slice]]:
        """The entries of all affine arrays of small integers as one array, and where each of these stands in it."""
        small = {
            number: one
            for number, one in enumerate(self)
            if isinstance(one, Affine)
            and len(one.constants) <= MOST_JOINED
            and one.constants.dtype == one.coefficient.dtype == np.int64
        }
        ends = list(accumulate((prod(one.shape) for one in small.values()), initial=0))
        return join_affine(small.values()), dict(zip(small, map(slice, ends[:-1], ends[1:]), strict=True))

    def values(self, arithmetic: Arithmetic, point: Array) -> list[Array]:
        """All entries of each array at the point."""
        whole, places = self.joint_array
        flat = whole.values(arithmetic, point) if places else point
        return [
            flat[places[number]].reshape(one.shape) if number in places else one.values(arithmetic, point)
            for number, one in enumerate(self)
        ]

    def have_zeros(self, point: NDArray[np.bool_]) -> bool:
        """Whether an entry is identically zero: those are that are zero at an inner point."""
        whole, places = self.joint_array
        others = [one for number, one in enumerate(self) if number not in places]
        return (bool(places) and whole.has_zeros) or not all(one.values(Booleans(), point).all() for one in others)

    @cached_property
    def constant_derivative(self) -> LocalDerivative | None:
        """The derivatives as they are at every point: of affine entries, not too many, in numbers as they stand there."""
        affine = [one for one in self.live if isinstance(one, Affine)]
        if len(affine) < len(self.live) or sum(len(one.entry) for one in affine) > MOST_KEPT:
            return None
        found = self.join_derivatives([Derivative(one.entry, one.parameter, one.coefficient) for one in affine])
        return found._replace(are_differences=has_difference_weights(found.coefficient, found.starts))

    @cached_property
    def live(self) -> tuple[Entries, ...]:
        """The arrays with parameters."""
        return tuple([one for one in self if not one.is_constant])

    def join_derivatives(self, pieces: Sequence[Derivative]) -> LocalDerivative:
        """The derivatives of all arrays that have parameters; entries are numbered through these."""
        starts = accumulate((prod(one.shape) for one in self.live), initial=0)
        entry = [piece.entry + start for piece, start in zip(pieces, starts, strict=False)]
        parameter, coefficient = [piece.parameter for piece in pieces], [piece.coefficient for piece in pieces]
        return order_by_parameter(Derivative(*map(join_numbers, (entry, parameter, coefficient))))

    def derivative(self, arithmetic: Arithmetic, point: Array) -> LocalDerivative:
        """The derivatives of all entries at the point; entries are numbered through all arrays that have parameters."""
        known = self.constant_derivative
        if known is None:
            return self.join_derivatives([one.derivative(arithmetic, point) for one in self.live])
        if known.are_differences and isinstance(arithmetic, Residues):
            return known  # 1 and −1 are what they are modulo any prime
        return known._replace(coefficient=arithmetic.elements(known.coefficient))

    @cached_property
    def all_norms(self) -> list[tuple[int, int]]:
        """The norms of all arrays."""
        return [one.norms() for one in self]

    @cached_property
    def all_denominators(self) -> list[int]:
        """The denominators of all arrays."""
        return [denominator for one in self for denominator in one.denominators()]

    @cached_property
    def are_polynomials(self) -> bool:
        """Whether no entry is a quotient."""
        return all(one.quotient is None for one in self)


def join_affine(arrays: Iterable[Affine]) -> Affine:
    """The entries of all arrays, one after the other."""
    several = list(arrays)
    starts = list(accumulate((prod(one.shape) for one in several), initial=0))
    return Affine(
        (starts[-1],),
        join_numbers([one.constants for one in several]),
        join_numbers([one.entry + start for one, start in zip(several, starts, strict=False)]),
        join_numbers([one.parameter for one in several]),
        join_numbers([one.coefficient for one in several]),
    )


def join_numbers(pieces: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Arrays one behind the other; whole numbers where there are none."""
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.intp)
