"""Local distributions that are no tables: log-odds as functions of weights, raised by scoring on the exact gradient.

The logarithm of an entry is a function l(x, y; w) of the weights but for the sum over y. With expected counts n and the
probabilities p, J the derivatives of l, the gradient of Σ n log p is Jᵀ(n − N p), N the count of a row, and the information
Jᵀ N (diag p − p pᵀ) J; for a sigmoid variable, whose l is linear, that is minus the Hessian, and a step is Newton's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError, join_names
from algdim.families.discrete.locals import get_local_kind
from algdim.families.discrete.locals.contract import Entries
from algdim.families.discrete.locals.logit import LogitEntries
from algdim.figures import format_integer
from algdim.models.graphs import find_components

if TYPE_CHECKING:
    from algdim.families.discrete.map import ParamMap

Numbers = NDArray[np.float64]
Places = NDArray[np.intp] | slice

STEPS = 6
"""Of scoring in one M step."""
FIRST_DAMPING = 1e-4
AFTER_FAILURE, AFTER_SUCCESS = 10.0, 0.1
TINIEST = 1e-10
NEVER = -1e6
"""The logarithm of a chance that there is not."""
LONGEST = 4.0
"""No weight moves farther at once."""
MOST_SLOPES = 4_000_000
"""Cells times weights of one variable."""
SLOPES_AT_ONCE = 4_000_000
"""The same times restarts: each takes some forty bytes in a step."""


class Curve(Protocol):
    """The form of one local distribution; cells are numbered with the states of the variable fastest."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The states of the parents, then those of the variable."""

    @property
    def size(self) -> int:
        """The number of weights."""

    def dimension(self) -> int:
        """In how many directions they move the distribution."""

    def logits(self, weights: Numbers) -> Numbers:
        """Restart × cell: the logarithms but for the sum of each row."""

    def slopes(self, weights: Numbers) -> Numbers:
        """Restart × cell × weight: their derivatives."""

    def bend(self, weights: Numbers, by_cell: Numbers) -> Numbers:
        """Weight × weight: the second derivatives at one point, added up with a factor for each cell."""

    def name_parameters(self, weights: Numbers) -> dict[str, Any]:
        """The weights of one restart as in a parameter file."""

    def weights(self, named: Mapping[str, Any]) -> Numbers:
        """The weights of a parameter file."""


def compute_log_shares(values: Numbers) -> Numbers:
    """Each row less the logarithm of the sum of its exponentials."""
    most = values.max(axis=-1, keepdims=True)
    return np.asarray(values - most - np.log(np.exp(values - most).sum(axis=-1, keepdims=True)))


@dataclass(frozen=True, eq=False)
class Curved:
    """What is no table: a curve, and the arrays that have its cells; several arrays if these have weights in common."""

    numbers: tuple[int, ...]
    owners: tuple[str, ...]
    curve: Curve

    def join(self, tables: Sequence[Numbers]) -> Numbers:
        """Restart × cell: the arrays in a row, the states of each row filled up with zeros."""
        return np.concatenate([self.widen(tables[number]) for number in self.numbers], axis=1)

    def widen(self, table: Numbers) -> Numbers:
        """Restart × cell of one array."""
        states = self.curve.shape[-1]
        rows = table.reshape(len(table), -1, table.shape[-1])
        if table.shape[-1] < states:
            rows = np.concatenate([rows, np.zeros((*rows.shape[:2], states - rows.shape[2]))], axis=2)
        return np.asarray(rows.reshape(len(rows), -1))

    def locate(self, shapes: Sequence[tuple[int, ...]]) -> tuple[Places, Places]:
        """Where its entries are among those of all arrays, and which cells of the curve they are."""
        ends = [0, *accumulate(map(prod, shapes))]
        if len(self.numbers) == 1:
            return slice(ends[self.numbers[0]], ends[self.numbers[0] + 1]), slice(None)
        entries = np.concatenate([np.arange(ends[number], ends[number + 1]) for number in self.numbers])
        is_there = self.join([np.ones((1, *shape)) for shape in shapes])[0] > 0
        return entries, np.flatnonzero(is_there)

    def put(self, tables: list[Numbers], weights: Numbers) -> None:
        """Put the probabilities at these weights in the place of the arrays."""
        rows = compute_probabilities(self.curve, weights).reshape(len(weights), -1, self.curve.shape[-1])
        first = 0
        for number in self.numbers:
            shape = tables[number].shape[1:]
            last = first + prod(shape[:-1])
            tables[number] = np.ascontiguousarray(rows[:, first:last, : shape[-1]]).reshape(len(weights), *shape)
            first = last

    def name_parameters(self, weights: Numbers) -> dict[str, Any]:
        """The weights of one restart as in a parameter file, by owner."""
        found = self.curve.name_parameters(weights)
        return found if isinstance(self.curve, JointCurve) else {self.owners[0]: found}

    def weights(self, parameters: Mapping[str, Any]) -> Numbers:
        """The weights of a parameter file."""
        return self.curve.weights(parameters if isinstance(self.curve, JointCurve) else parameters[self.owners[0]])


@dataclass(frozen=True, eq=False)
class JointCurve:
    """Several curves with weights in common, which are linear in them; each row has as many cells as the longest."""

    parts: tuple[tuple[str, Curve, NDArray[np.intp]], ...]
    """Of each its owner, the curve, and its weights among all."""

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """All rows, and the greatest number of states."""
        shapes = [part.shape for _, part, _ in self.parts]
        return sum(prod(shape[:-1]) for shape in shapes), max(shape[-1] for shape in shapes)

    @cached_property
    def size(self) -> int:
        return 1 + max(int(columns.max()) for _, _, columns in self.parts)

    def dimension(self) -> int:
        return self.size

    @cached_property
    def parted(self) -> tuple[Numbers, Numbers]:
        """Cell × weight the slopes, and what is added to the logarithms: of cells that no row has, very little."""
        slopes, extra, first = np.zeros((*self.shape, self.size)), np.full(self.shape, NEVER), 0
        for _, part, columns in self.parts:
            *_, states = part.shape
            last = first + prod(part.shape[:-1])
            own = part.slopes(np.zeros((1, part.size)))[0].reshape(last - first, states, part.size)
            slopes[first:last, :states, columns] = own
            extra[first:last, :states] = 0.0
            first = last
        return slopes.reshape(-1, self.size), extra.ravel()

    def logits(self, weights: Numbers) -> Numbers:
        slopes, extra = self.parted
        return np.asarray(weights @ slopes.T + extra)

    def slopes(self, weights: Numbers) -> Numbers:
        slopes, _ = self.parted
        return np.broadcast_to(slopes, (len(weights), *slopes.shape))

    def bend(self, weights: Numbers, by_cell: Numbers) -> Numbers:
        del by_cell
        return np.zeros((len(weights), len(weights)))

    def name_parameters(self, weights: Numbers) -> dict[str, Any]:
        """Those of each part, by owner."""
        return {owner: part.name_parameters(weights[columns]) for owner, part, columns in self.parts}

    def weights(self, named: Mapping[str, Any]) -> Numbers:
        """The weights, which are the same wherever they stand."""
        found = np.full(self.size, np.nan)
        for owner, part, columns in self.parts:
            own = part.weights(named[owner])
            if not (np.isnan(found[columns]) | (found[columns] == own)).all():
                raise InputError(
                    f"{owner} has other levels of a parent than another child; rasch children have the same"
                )
            found[columns] = own
        return found


def collect_curves(pmap: ParamMap) -> tuple[Curved, ...]:
    """What is no table among the arrays of a map; arrays that have parameters in common are one curve."""
    numbers = {owner: number for number, owner in enumerate(pmap.owners)}
    curves: dict[int, Curve] = {}
    for variable in pmap.model.variables:
        kind = get_local_kind(variable.local.kind)
        if kind.curve is not None and variable.name not in pmap.model.given:
            number = numbers[variable.local.share or variable.name]
            if number not in curves:
                curves[number] = kind.curve(variable, pmap.arrays[number].shape, pmap.model.states)
    numbered = [(x, number) for number in curves for x in list_levels(pmap.arrays[number])]
    first = dict(reversed(numbered))
    found = []
    for group in find_components(curves, ((first[x], number) for x, number in numbered)):
        owners, curve = tuple(pmap.owners[number] for number in group), curves[group[0]]
        if len(group) > 1:
            used = [list_levels(pmap.arrays[number]) for number in group]
            place = {x: k for k, x in enumerate(dict.fromkeys(x for own in used for x in own))}
            columns = [np.array([place[x] for x in own], dtype=np.intp) for own in used]
            curve = JointCurve(tuple(zip(owners, (curves[number] for number in group), columns, strict=True)))
        if prod(curve.shape) * curve.size > MOST_SLOPES:
            raise LimitError(
                f"{join_names(owners)} {'has' if len(owners) == 1 else 'have'} {format_integer(prod(curve.shape))} cells and {format_integer(curve.size)} weights; "
                f"up to {format_integer(MOST_SLOPES)} derivatives are taken"
            )
        found.append(Curved(group, owners, curve))
    return tuple(found)


def list_levels(entries: Entries) -> tuple[int, ...]:
    """The parameters of an array in the order of its weights, if other arrays may have some of them."""
    return entries.numbers if isinstance(entries, LogitEntries) and entries.kind == "rasch" else ()


def compute_probabilities(curve: Curve, weights: Numbers) -> Numbers:
    """Restart × cell: the probabilities."""
    logits = curve.logits(weights)
    logs = compute_log_shares(logits.reshape(len(weights), -1, curve.shape[-1]))
    return np.array(np.exp(logs).reshape(len(weights), -1), dtype=np.float64)


def compute_gain(curve: Curve, counts: Numbers, weights: Numbers) -> Numbers:
    """Σ n log p at every restart."""
    logits = curve.logits(weights).reshape(len(weights), -1, curve.shape[-1])
    return np.asarray((counts * compute_log_shares(logits).reshape(counts.shape)).sum(axis=1))


def compute_log_slopes(slopes: Numbers, expected: Numbers, states: int) -> Numbers:
    """The derivatives of log p: those of the logits less their mean in each row."""
    rows = slopes.reshape(len(slopes), -1, states, slopes.shape[-1])
    means = np.einsum("rqs,rqsw->rqw", expected.reshape(len(slopes), -1, states), rows)
    return np.asarray((rows - means[:, :, None]).reshape(slopes.shape))


def optimise_weights(curve: Curve, counts: Numbers, weights: Numbers, steps: int = STEPS) -> Numbers:
    """The weights after some steps of damped scoring, none of which lowers Σ n log p; so many restarts at a time as fit."""
    at_once = max(1, SLOPES_AT_ONCE // max(1, prod(curve.shape) * curve.size))
    if len(weights) > at_once:
        starts = range(0, len(weights), at_once)
        parts = [slice(start, start + at_once) for start in starts]
        return np.concatenate([optimise_weights(curve, counts[part], weights[part], steps) for part in parts])
    damping = np.full(len(weights), FIRST_DAMPING)
    value = compute_gain(curve, counts, weights)
    states, places = curve.shape[-1], np.arange(curve.size)
    for _ in range(steps):
        slopes, expected = curve.slopes(weights), compute_probabilities(curve, weights)
        totals = counts.reshape(len(counts), -1, states).sum(axis=-1, keepdims=True)
        mass = (totals * expected.reshape(len(counts), -1, states)).reshape(counts.shape)
        inner = compute_log_slopes(slopes, expected, states)
        gradient = np.einsum("rc,rcw->rw", counts, inner)
        known = np.matmul((mass[:, :, None] * inner).transpose(0, 2, 1), inner)
        system = known.copy()
        scale = np.einsum("rww->rw", known)
        system[:, places, places] += damping[:, None] * (scale + 1e-3 * scale.max(axis=1, keepdims=True)) + TINIEST
        move = np.linalg.solve(system, gradient[:, :, None])[:, :, 0]
        longest = np.abs(move).max(axis=1, keepdims=True)
        move *= np.minimum(1.0, LONGEST / np.where(longest > 0, longest, 1.0))
        there = weights + move
        found = compute_gain(curve, counts, there)
        taken = found >= value
        weights, value = np.where(taken[:, None], there, weights), np.where(taken, found, value)
        damping *= np.where(taken, AFTER_SUCCESS, AFTER_FAILURE)
        if (np.abs(move).max(initial=0.0) < 1e-12) or not (np.abs((gradient * move).sum(axis=1)) > 1e-13).any():
            break
    return weights


def read_off(curve: Curve, values: Numbers) -> Numbers:
    """Weights that give these probabilities, as near as they can be had; one restart."""
    counts = np.maximum(values.reshape(1, -1), 0.0)
    return optimise_weights(curve, counts, np.zeros((1, curve.size)), 60)


def check_tables(pmap: ParamMap, what: str) -> None:
    """Raise unless all variables have tables or are functions of their parents."""
    names = [owner for one in collect_curves(pmap) for owner in one.owners]
    if names:
        raise InputError(f"{join_names(names)} {'has' if len(names) == 1 else 'have'} weights and no table; {what}")
