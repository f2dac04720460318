"""EVALUATE: the values and the Jacobian of a map at a point, in any arithmetic, against any product functionals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, weighted_sums
from algdim.figures import big
from algdim.maps.contraction import Plan, evaluate, gradients, plan_contraction
from algdim.maps.entries import Derivative
from algdim.maps.factors import ParamMap
from algdim.maps.functionals import Functionals
from algdim.memory import check_memory

TAPE_BYTES = 1 << 25
"""A batch is as large as fits its intermediate arrays into about this much."""

COPIES = 3
"""How many arrays of the Jacobian's size may exist at once: itself, a working copy, a temporary."""


@dataclass(frozen=True, slots=True, eq=False)
class LocalDerivative:
    """The derivatives of all entries of all arrays, ordered by parameter."""

    entry: NDArray[np.intp]
    coefficient: Array
    starts: NDArray[np.intp]
    parameters: NDArray[np.intp]


def bytes_needed(pmap: ParamMap, arithmetic: Arithmetic, functionals: int) -> int:
    """The memory that the Jacobian and its elimination need."""
    return COPIES * arithmetic.item_bytes * functionals * max(1, len(pmap.parameters))


def check_size(pmap: ParamMap, arithmetic: Arithmetic, plan: Plan, functionals: int, most: int | None) -> None:
    """Refuse before allocation what does not fit."""
    check_memory(
        bytes_needed(pmap, arithmetic, functionals) + plan.numbers_per_functional * arithmetic.item_bytes,
        most,
        f"the Jacobian has {big(functionals)} rows and {len(pmap.parameters)} columns, and its largest intermediate "
        f"array {big(plan.largest)} entries",
        "allow more (--max-memory) or use the method probes",
    )


def batch_size(plan: Plan, arithmetic: Arithmetic, functionals: int) -> int:
    """How many functionals are contracted at once."""
    per_functional = max(1, plan.numbers_per_functional) * arithmetic.item_bytes
    return max(1, min(functionals, TAPE_BYTES // per_functional))


def values_at(
    pmap: ParamMap, arithmetic: Arithmetic, point: Array, functionals: Functionals, *, plan: Plan | None = None
) -> Array:
    """The values of the functionals at a point; for the cells, the observed distribution."""
    plan = plan or plan_contraction(pmap)
    factors = factor_arrays(pmap, arithmetic, point)
    batch = batch_size(plan, arithmetic, functionals.count)
    pieces = [
        evaluate(
            plan, arithmetic, factors, functionals.vectors(arithmetic, start, min(start + batch, functionals.count))
        )[0]
        for start in range(0, functionals.count, batch)
    ]
    return np.concatenate(pieces)


def jacobian_at(
    pmap: ParamMap,
    arithmetic: Arithmetic,
    point: Array,
    functionals: Functionals,
    *,
    plan: Plan | None = None,
    rows: range | None = None,
    max_memory: int | None = None,
) -> Array:
    """The Jacobian at a point: one row per functional (or those in ``rows``), one column per parameter."""
    plan = plan or plan_contraction(pmap)
    rows = range(functionals.count) if rows is None else rows
    check_size(pmap, arithmetic, plan, len(rows), max_memory)
    factors = factor_arrays(pmap, arithmetic, point)
    local = local_derivative(pmap, arithmetic, point)
    zero = arithmetic.elements(np.zeros(1, dtype=np.int64))
    matrix = np.empty((len(rows), len(pmap.parameters)), dtype=zero.dtype)
    matrix[:] = zero
    batch = batch_size(plan, arithmetic, len(rows))
    for start in range(rows.start, rows.stop, batch):
        stop = min(start + batch, rows.stop)
        _, tape = evaluate(plan, arithmetic, factors, functionals.vectors(arithmetic, start, stop))
        entries = entry_gradients(pmap, arithmetic, gradients(plan, arithmetic, tape), stop - start)
        if len(local.entry):
            sums = weighted_sums(arithmetic, entries, local.entry, local.coefficient, local.starts)
            # most maps have every parameter in some array, and a slice is faster than an index
            columns = slice(None) if len(local.parameters) == len(pmap.parameters) else local.parameters
            matrix[start - rows.start : stop - rows.start, columns] = sums.T
    return matrix


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
    starts = np.flatnonzero(np.r_[True, parameter[1:] != parameter[:-1]])
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
