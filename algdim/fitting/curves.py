"""Local distributions that are no tables: log-odds as functions of weights, raised by scoring on the exact gradient.

The logarithm of an entry is a function l(x, y; w) of the weights but for the sum over y. With expected counts n and the
probabilities p, J the derivatives of l, the gradient of Σ n log p is Jᵀ(n − N p), N the count of a row, and the information
Jᵀ N (diag p − p pᵀ) J; for a sigmoid variable, whose l is linear, that is minus the Hessian, and a step is Newton's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError, listed
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Variable
from algdim.figures import big

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


class Curve(Protocol):
    """The form of one local distribution; cells are numbered with the states of the variable fastest."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The states of the parents, then those of the variable."""

    @property
    def size(self) -> int:
        """The number of weights."""

    def logits(self, weights: Numbers) -> Numbers:
        """Restart × cell: the logarithms but for the sum of each row."""

    def slopes(self, weights: Numbers) -> Numbers:
        """Restart × cell × weight: their derivatives."""

    def bend(self, weights: Numbers, by_cell: Numbers) -> Numbers:
        """Weight × weight: the second derivatives at one point, added up with a factor for each cell."""

    def named(self, weights: Numbers) -> dict[str, Any]:
        """The weights of one restart as in a parameter file."""

    def weights(self, named: Mapping[str, Any]) -> Numbers:
        """The weights of a parameter file."""


@dataclass(frozen=True, slots=True, eq=False)
class SigmoidCurve:
    """Log-odds of state 1: a + Σ b_j x_j."""

    shape: tuple[int, ...]
    parents: tuple[str, ...]

    @property
    def size(self) -> int:
        """The constant, and a weight for each parent."""
        return len(self.shape)

    @property
    def design(self) -> Numbers:
        """Cell × weight."""
        rows = self.shape[:-1]
        states = np.indices(rows).reshape(len(rows), prod(rows)).T
        lines = np.concatenate([np.ones((prod(rows), 1)), states], axis=1)
        return np.stack([np.zeros_like(lines), lines], axis=1).reshape(-1, self.size)

    def logits(self, weights: Numbers) -> Numbers:
        """Linear."""
        return np.asarray(weights @ self.design.T)

    def slopes(self, weights: Numbers) -> Numbers:
        """The same everywhere."""
        return np.broadcast_to(self.design, (len(weights), *self.design.shape))

    def bend(self, weights: Numbers, by_cell: Numbers) -> Numbers:
        """None."""
        del by_cell
        return np.zeros((len(weights), len(weights)))

    def named(self, weights: Numbers) -> dict[str, Any]:
        """Constant and weights."""
        a, *b = weights.tolist()
        return {"a": a, "b": dict(zip(self.parents, b, strict=True))}

    def weights(self, named: Mapping[str, Any]) -> Numbers:
        """Constant and weights."""
        return np.array([float(named["a"]), *(float(named.get("b", {})[parent]) for parent in self.parents)])


@dataclass(frozen=True, slots=True, eq=False)
class ClassifierCurve:
    """The class given its inputs, as the tables of the classifier's network make it; weights are logarithms of their entries."""

    shape: tuple[int, ...]
    tables: tuple[tuple[str, int, int], ...]
    """Per table of the network: its owner, its rows, its states."""
    cells: tuple[NDArray[np.intp] | None, ...]
    """Per table the entry, numbered through all tables, that each cell multiplies; nothing if the class is not in it."""

    @property
    def size(self) -> int:
        """The entries of all tables."""
        return sum(rows * states for _, rows, states in self.tables)

    def logarithms(self, weights: Numbers) -> Numbers:
        """The logarithms of the entries, each row less that of its sum."""
        pieces, first = [], 0
        for _, rows, states in self.tables:
            part = weights[:, first : first + rows * states].reshape(-1, rows, states)
            pieces.append(log_shares(part).reshape(len(weights), -1))
            first += rows * states
        return np.concatenate(pieces, axis=1)

    def logits(self, weights: Numbers) -> Numbers:
        """The sum of the logarithms that a cell multiplies."""
        logs = self.logarithms(weights)
        return np.asarray(sum((logs[:, cells] for cells in self.cells if cells is not None), np.zeros((1, 1))))

    def slopes(self, weights: Numbers) -> Numbers:
        """1 at the entry, less the entries of its row."""
        shares = np.exp(self.logarithms(weights))
        result = np.zeros((len(weights), prod(self.shape), self.size))
        places, first = np.arange(prod(self.shape)), 0
        for (_, rows, states), cells in zip(self.tables, self.cells, strict=True):
            if cells is not None:
                row = (cells - first) // states
                for state in range(states):
                    result[:, places, first + row * states + state] -= shares[:, first + row * states + state]
                result[:, places, cells] += 1.0
            first += rows * states
        return result

    def bend(self, weights: Numbers, by_cell: Numbers) -> Numbers:
        """Minus diag s − s sᵀ for each row s that a cell uses."""
        shares = np.exp(self.logarithms(weights[None])[0])
        result, first = np.zeros((self.size, self.size)), 0
        for (_, rows, states), cells in zip(self.tables, self.cells, strict=True):
            if cells is not None:
                factors = np.bincount((cells - first) // states, by_cell, rows)
                for row, factor in enumerate(factors.tolist()):
                    part = slice(first + row * states, first + (row + 1) * states)
                    result[part, part] -= factor * (np.diag(shares[part]) - np.outer(shares[part], shares[part]))
            first += rows * states
        return result

    def named(self, weights: Numbers) -> dict[str, Any]:
        """The tables of the network."""
        entries, result, first = np.exp(self.logarithms(weights[None])[0]), {}, 0
        for owner, rows, states in self.tables:
            result[owner] = entries[first : first + rows * states].reshape(rows, states).tolist()
            first += rows * states
        return result

    def weights(self, named: Mapping[str, Any]) -> Numbers:
        """The logarithms of the tables."""
        flat = np.concatenate([np.array(named[owner], dtype=np.float64).ravel() for owner, _, _ in self.tables])
        return np.asarray(np.log(np.maximum(flat, 1e-300)))


def log_shares(values: Numbers) -> Numbers:
    """Each row less the logarithm of the sum of its exponentials."""
    most = values.max(axis=-1, keepdims=True)
    return np.asarray(values - most - np.log(np.exp(values - most).sum(axis=-1, keepdims=True)))


def curves_of(pmap: ParamMap) -> dict[int, Curve]:
    """The curves among the arrays of a map, by the array's number."""
    numbers = {owner: number for number, owner in enumerate(pmap.owners)}
    found: dict[int, Curve] = {}
    for variable in pmap.model.variables:
        if isinstance(variable.local, (Sigmoid, Embedded)) and variable.name not in pmap.model.given:
            number = numbers[variable.local.share or variable.name]
            if number not in found:
                found[number] = curve_of(variable, pmap.arrays[number].shape, pmap.model.states)
                if prod(found[number].shape) * found[number].size > MOST_SLOPES:
                    raise LimitError(
                        f"{variable.name} has {big(prod(found[number].shape))} cells and {big(found[number].size)} weights; "
                        f"up to {big(MOST_SLOPES)} derivatives are taken"
                    )
    return found


def curve_of(variable: Variable, shape: tuple[int, ...], states: Mapping[str, int]) -> Curve:
    """The curve of one variable."""
    local = variable.local
    if isinstance(local, Embedded):
        return classifier_curve(local.classifier, variable, shape)
    parents = [parent for parent in variable.parents if states[parent] > 1]
    names = parents if local.share is None else [f"pa{k}" for k, p in enumerate(variable.parents, 1) if states[p] > 1]
    return SigmoidCurve(shape, tuple(names))


def classifier_curve(classifier: Classifier, variable: Variable, shape: tuple[int, ...]) -> ClassifierCurve:
    """The curve of a classifier whose tables are free."""
    if not classifier.is_free:
        raise InputError(
            f"the classifier of {variable.name} has tables that share, fix or name entries; classifiers with free tables are fitted"
        )
    order = (*variable.parents, variable.name)
    grid = dict(
        zip(order, np.indices([classifier.states[name] for name in order]).reshape(len(order), -1), strict=True)
    )
    tables, cells, first = [], [], 0
    for one in classifier.network.variables:
        axes = (*one.parents, one.name)
        sizes = [classifier.states[name] for name in axes]
        inside = variable.name in axes
        place = first + np.ravel_multi_index(tuple(grid[name] for name in axes), sizes) if inside else None
        tables.append((one.name, prod(sizes[:-1]), sizes[-1]))
        cells.append(None if place is None else np.asarray(place, dtype=np.intp))
        first += prod(sizes)
    return ClassifierCurve(shape, tuple(tables), tuple(cells))


def chances(curve: Curve, weights: Numbers) -> Numbers:
    """Restart × cell: the probabilities."""
    logits = curve.logits(weights)
    logs = log_shares(logits.reshape(len(weights), -1, curve.shape[-1]))
    return np.array(np.exp(logs).reshape(len(weights), -1), dtype=np.float64)


def gain_of(curve: Curve, counts: Numbers, weights: Numbers) -> Numbers:
    """Σ n log p at every restart."""
    logits = curve.logits(weights).reshape(len(weights), -1, curve.shape[-1])
    return np.asarray((counts * log_shares(logits).reshape(counts.shape)).sum(axis=1))


def centred(slopes: Numbers, expected: Numbers, states: int) -> Numbers:
    """The derivatives of log p: those of the logits less their mean in each row."""
    rows = slopes.reshape(len(slopes), -1, states, slopes.shape[-1])
    means = np.einsum("rqs,rqsw->rqw", expected.reshape(len(slopes), -1, states), rows)
    return np.asarray((rows - means[:, :, None]).reshape(slopes.shape))


def raised(curve: Curve, counts: Numbers, weights: Numbers, steps: int = STEPS) -> Numbers:
    """The weights after some steps of damped scoring, none of which lowers Σ n log p."""
    damping = np.full(len(weights), FIRST_DAMPING)
    value = gain_of(curve, counts, weights)
    states, places = curve.shape[-1], np.arange(curve.size)
    for _ in range(steps):
        slopes, expected = curve.slopes(weights), chances(curve, weights)
        totals = counts.reshape(len(counts), -1, states).sum(axis=-1, keepdims=True)
        mass = (totals * expected.reshape(len(counts), -1, states)).reshape(counts.shape)
        inner = centred(slopes, expected, states)
        gradient = np.einsum("rc,rcw->rw", counts, inner)
        known = np.matmul((mass[:, :, None] * inner).transpose(0, 2, 1), inner)
        system = known.copy()
        scale = np.einsum("rww->rw", known)
        system[:, places, places] += damping[:, None] * (scale + 1e-3 * scale.max(axis=1, keepdims=True)) + TINIEST
        move = np.linalg.solve(system, gradient[:, :, None])[:, :, 0]
        longest = np.abs(move).max(axis=1, keepdims=True)
        move *= np.minimum(1.0, LONGEST / np.where(longest > 0, longest, 1.0))
        there = weights + move
        found = gain_of(curve, counts, there)
        taken = found >= value
        weights, value = np.where(taken[:, None], there, weights), np.where(taken, found, value)
        damping *= np.where(taken, AFTER_SUCCESS, AFTER_FAILURE)
        if (np.abs(move).max(initial=0.0) < 1e-12) or not (np.abs((gradient * move).sum(axis=1)) > 1e-13).any():
            break
    return weights


def read_off(curve: Curve, values: Numbers) -> Numbers:
    """Weights that give these probabilities, as near as they can be had; one restart."""
    counts = np.maximum(values.reshape(1, -1), 0.0)
    return raised(curve, counts, np.zeros((1, curve.size)), 60)


def check_tables(pmap: ParamMap, what: str) -> None:
    """Raise unless all variables have tables or are functions of their parents."""
    names = [pmap.owners[number] for number in curves_of(pmap)]
    if names:
        raise InputError(f"{listed(names)} {'has' if len(names) == 1 else 'have'} weights and no table; {what}")
