"""Local distributions that are no tables: log-odds as functions of weights, raised by scoring on the exact gradient.

The logarithm of an entry is a function l(x, y; w) of the weights but for the sum over y. With expected counts n and the
probabilities p, J the derivatives of l, the gradient of Σ n log p is Jᵀ(n − N p), N the count of a row, and the information
Jᵀ N (diag p − p pᵀ) J; for a sigmoid variable, whose l is linear, that is minus the Hessian, and a step is Newton's.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError, join_names
from algdim.families.discrete.locals import get_local_kind
from algdim.figures import format_integer

if TYPE_CHECKING:
    from algdim.families.discrete.map import ParamMap

Numbers = NDArray[np.float64]

STEPS = 6
"""Of scoring in one M step."""
FIRST_DAMPING = 1e-4
AFTER_FAILURE, AFTER_SUCCESS = 10.0, 0.1
TINIEST = 1e-10
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


def collect_curves(pmap: ParamMap) -> dict[int, Curve]:
    """The curves among the arrays of a map, by the array's number."""
    numbers = {owner: number for number, owner in enumerate(pmap.owners)}
    found: dict[int, Curve] = {}
    for variable in pmap.model.variables:
        curve = get_local_kind(variable.local.kind).curve
        if curve is not None and variable.name not in pmap.model.given:
            number = numbers[variable.local.share or variable.name]
            if number not in found:
                found[number] = curve(variable, pmap.arrays[number].shape, pmap.model.states)
                if prod(found[number].shape) * found[number].size > MOST_SLOPES:
                    raise LimitError(
                        f"{variable.name} has {format_integer(prod(found[number].shape))} cells and {format_integer(found[number].size)} weights; "
                        f"up to {format_integer(MOST_SLOPES)} derivatives are taken"
                    )
    return found


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
    names = [pmap.owners[number] for number in collect_curves(pmap)]
    if names:
        raise InputError(f"{join_names(names)} {'has' if len(names) == 1 else 'have'} weights and no table; {what}")
