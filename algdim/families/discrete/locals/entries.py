"""How the entries of one small array depend on the parameters.

A local map supplies `Entries`; the engine asks for values and derivatives at a point and knows nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, run_starts

Numbers = NDArray[Any]
"""Exact numbers: int64, or object for fractions."""


def convert_to_fractions(numbers: Array) -> list[Fraction]:
    """Numbers of an array as fractions of Python's integers; those of NumPy's would overflow."""
    return [Fraction(number) for number in numbers.tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class Derivative:
    """A sparse matrix: the derivative of ``entry[i]`` by ``parameter[i]`` is ``coefficient[i]``."""

    entry: NDArray[np.intp]
    parameter: NDArray[np.intp]
    coefficient: Array


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


@dataclass(frozen=True, slots=True, eq=False)
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
        """No parameter occurs."""
        return len(self.entry) == 0

    def values(self, arithmetic: Arithmetic, point: Array) -> Array:
        """All entries at the point."""
        flat = arithmetic.elements(self.constants)
        if not self.is_constant:
            order = np.argsort(self.entry, kind="stable")
            entry = self.entry[order]
            terms = arithmetic.multiply(arithmetic.elements(self.coefficient[order]), point[self.parameter[order]])
            starts = run_starts(entry)
            touched = entry[starts]
            flat[touched] = arithmetic.add(flat[touched], arithmetic.segment_sums(terms, starts))
        return flat.reshape(self.shape)

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
        """The same."""
        return self.readable

    def iterate_keyed_entries(self, owner: str) -> Iterator[tuple[str, Entries]]:
        """One table, that of the owner."""
        yield owner, self

    @property
    def quotient(self) -> None:
        """The entries are polynomials."""
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
