"""Evaluating a discrete map: contraction of its factor network, differentiation through its local maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, run_starts, weighted_sums
from algdim.families.discrete.contraction import Plan, evaluate, gradients, plan_contraction
from algdim.families.discrete.functionals import Functionals, all_cells, random_probes
from algdim.families.discrete.locals.entries import Derivative
from algdim.families.discrete.map import ParamMap
from algdim.memory import OR_PROBES


@dataclass(frozen=True, slots=True, eq=False)
class LocalDerivative:
    """The derivatives of all entries of all arrays, ordered by parameter."""

    entry: NDArray[np.intp]
    coefficient: Array
    starts: NDArray[np.intp]
    parameters: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Contraction:
    """A discrete map with its order of contraction."""

    pmap: ParamMap
    plan: Plan

    @property
    def numbers_per_functional(self) -> int:
        """How many numbers are held for one functional."""
        return self.plan.numbers_per_functional

    @property
    def largest(self) -> int:
        """The size of the largest array on the way, per functional."""
        return self.plan.largest

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        """All cells, or those that are kept."""
        return all_cells(self.pmap, max_memory, advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        """Random product functionals."""
        return random_probes(self.pmap, count, prime, seed, *labels)

    def at(self, arithmetic: Arithmetic, point: Array) -> ContractionAt:
        """Prepare for one point."""
        return ContractionAt(
            self,
            arithmetic,
            factor_arrays(self.pmap, arithmetic, point),
            local_derivative(self.pmap, arithmetic, point),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ContractionAt:
    """A discrete map at a point."""

    contraction: Contraction
    arithmetic: Arithmetic
    factors: list[Array]
    local: LocalDerivative

    def values(self, vectors: Sequence[Array]) -> Array:
        """The values of a batch of functionals."""
        return evaluate(self.contraction.plan, self.arithmetic, self.factors, vectors)[0]

    def derivatives(self, vectors: Sequence[Array], into: Array) -> None:
        """Write the derivatives of a batch of functionals into the rows of a matrix of zeros."""
        plan, pmap, local = self.contraction.plan, self.contraction.pmap, self.local
        if not len(local.entry):
            return
        _, tape = evaluate(plan, self.arithmetic, self.factors, vectors)
        entries = entry_gradients(pmap, self.arithmetic, gradients(plan, self.arithmetic, tape), len(into))
        sums = weighted_sums(self.arithmetic, entries, local.entry, local.coefficient, local.starts)
        # most maps have every parameter in some array, and a slice is faster than an index
        columns = slice(None) if len(local.parameters) == len(pmap.parameters) else local.parameters
        into[:, columns] = sums.T


PLANS: WeakKeyDictionary[ParamMap, Plan] = WeakKeyDictionary()
"""The order of contraction of each map that is in use: it depends on nothing else, and finding it takes longer than a point."""


def contraction(pmap: ParamMap) -> Contraction:
    """Find the order of contraction of a discrete map, once."""
    if pmap not in PLANS:
        PLANS[pmap] = plan_contraction(pmap)
    return Contraction(pmap, PLANS[pmap])


def factor_arrays(pmap: ParamMap, arithmetic: Arithmetic, point: Array) -> list[Array]:
    """The array of every factor at the point."""
    arrays = [entries.values(arithmetic, point) for entries in pmap.arrays]
    return [arrays[factor.array] for factor in pmap.factors]


def local_derivative(pmap: ParamMap, arithmetic: Arithmetic, point: Array) -> LocalDerivative:
    """Join the derivatives of all arrays; entries are numbered through all arrays that have parameters."""
    pieces: list[Derivative] = []
    offset = 0
    for entries in pmap.arrays:
        if not entries.is_constant:
            piece = entries.derivative(arithmetic, point)
            pieces.append(Derivative(piece.entry + offset, piece.parameter, piece.coefficient))
            offset += int(np.prod(entries.shape))
    if not pieces:
        nothing = np.zeros(0, dtype=np.intp)
        return LocalDerivative(nothing, arithmetic.elements(np.zeros(0, dtype=np.int64)), nothing, nothing)
    parameter = np.concatenate([piece.parameter for piece in pieces])
    order = np.argsort(parameter, kind="stable")
    parameter = parameter[order]
    starts = run_starts(parameter)
    return LocalDerivative(
        entry=np.concatenate([piece.entry for piece in pieces])[order],
        coefficient=np.concatenate([piece.coefficient for piece in pieces])[order],
        starts=starts,
        parameters=parameter[starts],
    )


def entry_gradients(pmap: ParamMap, arithmetic: Arithmetic, gradient: list[Array | None], batch: int) -> Array:
    """Add up the gradients of all uses of each array; one row per entry, one column per functional."""
    totals: dict[int, Array] = {}
    for factor, piece in zip(pmap.factors, gradient, strict=True):
        if piece is not None:
            flat = piece.reshape(-1, batch)
            totals[factor.array] = arithmetic.add(totals[factor.array], flat) if factor.array in totals else flat
    ordered = [totals[number] for number in sorted(totals)]
    return np.concatenate(ordered) if ordered else np.zeros((0, batch))
