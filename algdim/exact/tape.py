"""A formula is written once, forwards, on whole arrays in any arithmetic; its derivatives are taken backwards from that.

The last axis of an array on the tape is for functionals: as long as their batch, or 1 where nothing depends on them. The other
axes are its shape, and are repeated as numpy repeats them. A value is computed when it is first asked for: derivatives do not
need them all. Steps that are faster by hand are made by `Tape.step`, with what they do backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial, reduce
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, run_starts

FIRST = np.zeros(1, dtype=np.intp)

Shape: TypeAlias = tuple[int, ...]


class Rows(NamedTuple):
    """Derivatives by some rows only, all different, of an array that has so many."""

    of: int
    places: NDArray[np.intp] | slice
    terms: Array


Backwards: TypeAlias = Callable[[Array], Array | Rows]
"""From the derivatives by a result, a column for each functional, to those by one of the arrays that it was computed from."""


class TapeNode:
    """An array on a tape."""

    __slots__ = ("compute", "known", "number", "shape", "tape", "uses")

    uses: list[tuple[TapeNode, Backwards]]

    def __init__(
        self, tape: Tape, shape: Shape, compute: Callable[[], Array], uses: Sequence[tuple[TapeNode, Backwards]]
    ) -> None:
        self.tape, self.shape, self.compute = tape, shape, compute
        self.uses = [(node, back) for node, back in uses if node.uses or node is tape.point]
        self.number = tape.count
        tape.count += 1
        self.known: Array | None = None

    @property
    def value(self) -> Array:
        """The numbers."""
        if self.known is None:
            self.known = self.compute()
        return self.known

    def __add__(self, other: TapeNode) -> TapeNode:
        tape = self.tape
        return tape.step(
            np.broadcast_shapes(self.shape, other.shape),
            lambda: tape.arithmetic.add(self.value, other.value),
            (self, lambda above: tape.add_repeated(above, self.shape)),
            (other, lambda above: tape.add_repeated(above, other.shape)),
        )

    def __mul__(self, other: TapeNode) -> TapeNode:
        tape, multiply = self.tape, self.tape.arithmetic.multiply
        return tape.step(
            np.broadcast_shapes(self.shape, other.shape),
            lambda: multiply(self.value, other.value),
            (self, lambda above: tape.add_repeated(tape.scale(above, other.value), self.shape)),
            (other, lambda above: tape.add_repeated(tape.scale(above, self.value), other.shape)),
        )

    def __getitem__(self, wanted: Places) -> TapeNode:
        """Some rows."""
        if isinstance(wanted.rows, slice) and wanted.rows == slice(0, self.shape[0]):
            return self
        return self.tape.step(
            (*wanted.places.shape, *self.shape[1:]),
            lambda: self.value[wanted.rows],
            (self, lambda above: wanted.add_up(self.tape.arithmetic, above, self.shape[0])),
        )

    def choose(self, places: NDArray[np.intp]) -> TapeNode:
        """For each functional one row."""
        tape, columns = self.tape, np.arange(len(places))

        def compute() -> Array:
            values = np.broadcast_to(self.value, (*self.shape, len(places)))
            return np.moveaxis(values[places, ..., columns], 0, -1)

        def take_back(above: Array) -> Array:
            found = np.empty((*self.shape, len(places)), dtype=above.dtype)
            found[:] = tape.zero
            found[places, ..., columns] = np.moveaxis(above, -1, 0)
            return found

        return tape.step(self.shape[1:], compute, (self, take_back))

    def total(self) -> TapeNode:
        """The sum of all entries."""
        segment_sums = self.tape.arithmetic.segment_sums
        return self.tape.step(
            (),
            lambda: segment_sums(self.value.reshape(-1, self.value.shape[-1]), FIRST)[0],
            (self, lambda above: np.broadcast_to(above, (*self.shape, above.shape[-1]))),
        )

    def add_rows(self) -> TapeNode:
        """The sum over the first axis."""
        return self.tape.step(
            self.shape[1:],
            lambda: self.tape.arithmetic.segment_sums(self.value, FIRST)[0],
            (self, lambda above: np.broadcast_to(above, (*self.shape, above.shape[-1]))),
        )

    def complete(self) -> TapeNode:
        """Rows of probabilities, and a last one that is 1 minus the others."""
        tape, plus, times = self.tape, self.tape.arithmetic.add, self.tape.arithmetic.multiply
        return tape.step(
            (self.shape[0] + 1, *self.shape[1:]),
            lambda: np.concatenate(
                [self.value, plus(tape.one, times(tape.minus, tape.arithmetic.segment_sums(self.value, FIRST)))]
            ),
            (self, lambda above: plus(above[:-1], times(tape.minus, above[-1:]))),
        )


def combine(terms: Sequence[tuple[int, TapeNode]]) -> TapeNode:
    """A sum of multiples of arrays of one shape."""
    tape, shape = terms[0][1].tape, terms[0][1].shape

    def scale(number: int, array: Array) -> Array:
        return array if number == 1 else tape.arithmetic.multiply(array, tape.arithmetic.elements(np.array([number])))

    return tape.step(
        shape,
        lambda: reduce(tape.arithmetic.add, (scale(number, node.value) for number, node in terms)),
        *((node, partial(scale, number)) for number, node in terms),
    )


def stack(nodes: Sequence[TapeNode]) -> TapeNode:
    """Arrays of one shape as the rows of one array."""
    return nodes[0].tape.step(
        (len(nodes), *nodes[0].shape),
        lambda: np.stack(np.broadcast_arrays(*(node.value for node in nodes))),
        *((node, itemgetter(number)) for number, node in enumerate(nodes)),
    )


class Places:
    """Rows that are taken from an array, some perhaps several times; backwards these are added up.

    ``places`` can have several axes, which then are those of what is taken.
    """

    __slots__ = ("different", "order", "places", "rows", "starts")

    def __init__(self, places: NDArray[np.intp]) -> None:
        self.places, self.rows = places, make_slice(places) if places.ndim == 1 else places
        self.order = np.argsort(places, kind="stable", axis=None)
        ordered = places.ravel()[self.order]
        self.starts = run_starts(ordered) if len(ordered) else self.order
        is_each = len(self.starts) == len(ordered)
        self.different = make_slice(places.ravel() if is_each else ordered[self.starts])

    def add_up(self, arithmetic: Arithmetic, above: Array, count: int) -> Rows:
        """The sums of the rows that were taken from each place of an array with so many."""
        if self.places.ndim > 1:
            above = above.reshape(self.places.size, *above.shape[self.places.ndim :])
        if len(self.starts) < self.places.size:
            above = arithmetic.segment_sums(above[self.order], self.starts)
        return Rows(count, self.different, above)


def make_slice(places: NDArray[np.intp]) -> NDArray[np.intp] | slice:
    """The same places as a slice, if they are in a row: that is faster.

    >>> make_slice(np.array([3, 4, 5]))
    slice(3, 6, None)
    """
    is_row = len(places) and np.array_equal(places, np.arange(places[0], places[0] + len(places)))
    return slice(int(places[0]), int(places[-1]) + 1) if is_row else places


class Tape:
    """Formulas at a point."""

    def __init__(self, arithmetic: Arithmetic, point: Array) -> None:
        self.arithmetic, self.count = arithmetic, 0
        self.zero, self.one, self.minus = (arithmetic.elements(np.array([number])) for number in (0, 1, -1))
        self.point = self.step(point.shape, lambda: point[:, None])

    def step(self, shape: Shape, compute: Callable[[], Array], *uses: tuple[TapeNode, Backwards]) -> TapeNode:
        """An array of this shape, computed from others, and how derivatives are taken back to them."""
        return TapeNode(self, shape, compute, uses)

    def constant(self, value: Array) -> TapeNode:
        """An array in which no parameter occurs."""
        return self.step(value.shape[:-1], lambda: value)

    def extend_point(self, fixed: Array, linear: Array | None = None) -> TapeNode:
        """The parameters, and behind them numbers that are fixed; to the last ones multiples of parameters are added, by a matrix."""
        point, count, matmul = self.point, self.point.shape[0], self.arithmetic.matmul
        matrix = self.arithmetic.elements(np.zeros((0, count), dtype=np.int64)) if linear is None else linear
        many = len(matrix)
        if not len(fixed):
            return point

        def compute() -> Array:
            found = np.concatenate([point.value, fixed[:, None]])
            if many:
                found[-many:] = self.arithmetic.add(found[-many:], matmul(matrix, point.value))
            return found

        def take_back(above: Array) -> Rows:
            found = above[:count]
            if many:
                found = self.arithmetic.add(found, matmul(matrix.T, above[-many:]))
            return Rows(count, slice(0, count), found)

        return self.step((count + len(fixed),), compute, (point, take_back))

    def apply_to_rows(
        self, numbers: NDArray[np.intp], formula: Callable[[Tape, NDArray[np.intp]], TapeNode]
    ) -> TapeNode:
        """A formula of a few parameters, the same for each row of parameters: results × rows.

        It is written on a tape of its own, whose parameters are those of the rows one after the other, and is differentiated
        there once for all functionals.
        """
        f, point, places = self.arithmetic, self.point, Places(numbers)
        tape = Tape(f, point.value[numbers.ravel(), 0])
        found = formula(tape, np.arange(numbers.size).reshape(numbers.shape))
        results, rows = found.shape

        @cache
        def differentiate() -> Array:
            """Rows × parameters × results."""
            slopes = f.elements(np.zeros((results, numbers.size), dtype=np.int64))
            each = f.elements(np.eye(results, dtype=np.int64))[:, None]
            tape.differentiate(found, slopes, np.broadcast_to(each, (results, rows, results)))
            return slopes.reshape(results, rows, -1).transpose(1, 2, 0)

        def take_back(above: Array) -> Rows:
            return places.add_up(f, f.matmul(differentiate(), above.transpose(1, 0, 2)), point.shape[0])

        return self.step(found.shape, lambda: found.value, (point, take_back))

    def scale(self, above: Array, by: Array) -> Array:
        """Multiply derivatives; at the beginning they are all 1, one number repeated, and nothing is to be done."""
        if not above.size or any(above.strides) or above.flat[0] != self.one[0]:
            return self.arithmetic.multiply(above, by)
        return np.broadcast_to(by, np.broadcast_shapes(above.shape, by.shape))

    def add_repeated(self, above: Array, shape: Shape) -> Array:
        """Add up along the axes on which an array of this shape was repeated."""
        for axis, size in enumerate(shape):
            if size == 1 < above.shape[axis]:
                above = np.moveaxis(self.arithmetic.segment_sums(np.moveaxis(above, axis, 0), FIRST), 0, axis)
        return above

    def differentiate(self, result: TapeNode, into: Array, above: Array | None = None) -> None:
        """Write the derivatives of a result by the parameters, for each functional, into the rows of a matrix of zeros.

        ``above`` are those by the result of what is asked for, otherwise the result itself.
        """
        waiting = {self.point.number: (self.point, Sums(self, into.T)), result.number: (result, Sums(self))}
        waiting[result.number][1].add(np.broadcast_to(self.one, (len(into),)) if above is None else above)
        # what uses a node has a greater number, so nothing more comes to the greatest; the point has the least
        while (number := max(waiting)) != self.point.number:
            node, sums = waiting.pop(number)
            for used, back in node.uses:
                waiting.setdefault(used.number, (used, Sums(self)))[1].add(back(sums.value))
        by_point = waiting[number][1]
        if by_point.whole is not None:
            into[:] = by_point.value.T


class Sums:
    """The derivatives by one array, as they come in: by all of it, and by rows, which a matrix of zeros takes up."""

    __slots__ = ("rows", "tape", "touched", "whole")

    def __init__(self, tape: Tape, into: Array | None = None) -> None:
        self.tape, self.rows = tape, into
        self.whole: Array | None = None
        self.touched: NDArray[np.bool_] | None = None

    def add(self, found: Array | Rows) -> None:
        """Add what comes from one use."""
        plus = self.tape.arithmetic.add
        if not isinstance(found, Rows):
            self.whole = found if self.whole is None else plus(self.whole, found)
            return
        count, places, terms = found
        if self.rows is None:
            self.rows = np.empty((count, *terms.shape[1:]), dtype=terms.dtype)
            self.rows[:] = self.tape.zero
        if self.touched is None:
            self.touched = np.zeros(count, dtype=np.bool_)
        self.rows[places] = plus(self.rows[places], terms) if self.touched[places].any() else terms
        self.touched[places] = True

    @property
    def value(self) -> Array:
        """The sum of all that came."""
        if self.rows is None or self.whole is None:
            found = self.whole if self.rows is None else self.rows
            assert found is not None, "something came"  # noqa: S101
            return found
        return self.tape.arithmetic.add(self.whole, self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class FormulaAt:
    """A map at a point, by a formula on the tape: `algdim.jacobian.AtPoint`."""

    tape: Tape
    write: Callable[[Sequence[Array]], TapeNode]
    """The values of a batch of functionals, given by what `Functionals.vectors` makes of them."""

    def values(self, vectors: Sequence[Array]) -> Array:
        return self.write(vectors).value

    def derivatives(self, vectors: Sequence[Array], into: Array) -> None:
        self.tape.differentiate(self.write(vectors), into)
