"""A discrete map at points: one contraction of its factor network against product functionals, with its gradient.

For vectors u_i on the states of the observed variables, ⟨u, p⟩ = Σ_x p(x) ∏ u_i(x_i) is a contraction of the small
arrays with u_i attached to variable i (GHM96 §4 has the map; the functionals are ours). A batch of functionals is
contracted at once: the batch is the last axis of every array that depends on it. Reverse-mode differentiation gives
the gradient by all entries of all arrays, and the derivatives of the locals that by the parameters. All of it runs in any
arithmetic, and nothing of the size of the observed table is built.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from math import prod
from typing import NamedTuple

import numpy as np

from algdim.exact.arithmetic import Arithmetic, Array, add_weighted_runs
from algdim.families.discrete.functionals import draw_probes, select_all_cells
from algdim.families.discrete.locals.contract import LocalDerivative
from algdim.families.discrete.map import ParamMap
from algdim.limits import check_time
from algdim.maps import Functionals, plan_once
from algdim.memory import OR_PROBES

Axes = tuple[int, ...]

BATCH = -1
"""The axis of the batch, where it is one like others."""

SUMMED_BYTES = 1 << 23
"""Of derivatives by entries that are weighted at once: a sigmoid variable has many more of them than parameters."""


class ContractionStep(NamedTuple):
    """One pairwise contraction; operands are numbered first, then the results of the steps."""

    left: int
    right: int
    axes: Axes


@dataclass(frozen=True, eq=False)
class Plan:
    """The order of contraction. Operands: the factors, one vector per observed axis, and a vector of ones where needed."""

    sizes: Axes
    operands: tuple[Axes, ...]
    factors: int
    vectors: int
    steps: tuple[ContractionStep, ...]
    batched: tuple[bool, ...]
    live: tuple[bool, ...]
    """For operands and results: whether a gradient is needed, mostly because a parameter occurs."""

    @cached_property
    def shapes(self) -> tuple[Axes, ...]:
        """The axes of operands and results."""
        return (*self.operands, *[step.axes for step in self.steps])

    def describe(self, number: int) -> tuple[Axes, Axes, bool]:
        """Axes and sizes of an operand or a result, and whether it has a batch."""
        axes = self.shapes[number]
        return axes, tuple(map(self.sizes.__getitem__, axes)), self.batched[number]

    @cached_property
    def forward(self) -> tuple[Pair | None, ...]:
        """How the arrays of each step are contracted."""
        return tuple([plan_pair(self.describe(one.left), self.describe(one.right), one.axes) for one in self.steps])

    @cached_property
    def backward(self) -> tuple[tuple[tuple[int, int, Pair | None], ...], ...]:
        """For each step, backwards, whose gradients it gives: by the gradient of its result, which has a batch, and the other array."""
        found = []
        for number in range(len(self.steps) - 1, -1, -1):
            step = self.steps[number]
            above = (*self.describe(len(self.operands) + number)[:2], True)
            sides = (step.left, step.right), (step.right, step.left)
            wanted = [(mine, other) for mine, other in sides if self.live[mine]]
            found.append(
                tuple(
                    [(mine, other, plan_pair(above, self.describe(other), self.shapes[mine])) for mine, other in wanted]
                )
            )
        return tuple(found)

    @cached_property
    def numbers_per_functional(self) -> int:
        """How many numbers one functional of a batch needs, values and gradients together."""
        each = [prod(map(self.sizes.__getitem__, axes)) for axes in self.shapes]
        needed = sum([size for size, batched in zip(each, self.batched, strict=True) if batched])
        return needed + sum([size for size, live in zip(each, self.live, strict=True) if live])

    @cached_property
    def largest(self) -> int:
        """The size of the largest array that is built, per functional."""
        return max([prod(map(self.sizes.__getitem__, axes)) for axes in self.shapes])

    def __str__(self) -> str:
        shapes = self.shapes
        return "\n".join(f"{shapes[step.left]} · {shapes[step.right]} → {step.axes}" for step in self.steps)


def find_contraction_plan(pmap: ParamMap, wanted: Sequence[bool] | None = None) -> Plan:
    """Find an order: each vector goes to its variable first, then opt_einsum's greedy order.

    Gradients are for the factors that are wanted: all with parameters if nothing is said.
    """
    operands: list[Axes] = [factor.axes for factor in pmap.factors]
    operands += [(axis,) for axis in pmap.observed]
    occurrences = Counter(chain.from_iterable(operands))
    operands += [(axis,) for axis, times in sorted(occurrences.items()) if times == 1]
    factors, vectors = len(pmap.factors), len(pmap.observed)
    shapes = list(operands)
    batched = [factors <= number < factors + vectors for number in range(len(operands))]
    live = [*(find_live_factors(pmap) if wanted is None else wanted), *([False] * (len(operands) - factors))]
    steps: list[ContractionStep] = []
    remaining = Counter(chain.from_iterable(operands))
    alive = dict.fromkeys(range(len(operands)))

    def contract(left: int, right: int) -> int:
        both = [axis for axis in shapes[left] if axis in shapes[right]]
        summed = {axis for axis in both if remaining[axis] == 2}
        kept = tuple([axis for axis in both if axis not in summed])
        mine = tuple([axis for axis in shapes[left] if axis not in both])
        other = tuple([axis for axis in shapes[right] if axis not in both])
        for axis in both:
            remaining[axis] -= 2 if axis in summed else 1
        steps.append(ContractionStep(left, right, kept + mine + other))
        shapes.append(kept + mine + other)
        batched.append(batched[left] or batched[right])
        live.append(live[left] or live[right])
        del alive[left], alive[right]
        alive[len(shapes) - 1] = None
        return len(shapes) - 1

    holders: dict[int, list[int]] = {}
    for number, axes in enumerate(operands[:factors]):
        for axis in axes:
            holders.setdefault(axis, []).append(number)
    latest = {number: number for number in range(factors)}
    for number, axis in enumerate(pmap.observed, factors):
        if len(holders.get(axis, ())) == 1:
            owner = holders[axis][0]
            latest[owner] = contract(latest[owner], number)
    ids = list(alive)
    for pair in order_pairs([frozenset(shapes[number]) for number in ids], pmap.sizes):
        ids.append(contract(ids[pair[0]], ids[pair[1]]))
    return Plan(pmap.sizes, tuple(operands), factors, vectors, tuple(steps), tuple(batched), tuple(live))


def order_pairs(inputs: Sequence[frozenset[int]], sizes: Axes) -> Sequence[tuple[int, ...]]:
    """Pairs of arrays with these axes in opt_einsum's greedy order, numbered with the results behind them.

    Where all axes are the same, as of latent classes, that order is known.

    >>> order_pairs([frozenset((0,))] * 4, (3,))
    [(0, 1), (4, 2), (5, 3)]
    """
    count = len(inputs)
    if count < 2:
        return []
    if all(axes == inputs[0] for axes in inputs):
        return [(0, 1), *[(count + done, done + 2) for done in range(count - 2)]]
    from opt_einsum.paths import ssa_greedy_optimize

    pairs: Sequence[tuple[int, ...]] = ssa_greedy_optimize(inputs, frozenset(), dict(enumerate(sizes)))
    return pairs


def expand_plan(plan: Plan, copies: int) -> Plan:
    """The same contraction at several points at once: a first axis of every array with a gradient, kept throughout.

    >>> from algdim.models.notation import parse
    >>> from algdim.families.discrete.map import get_param_map
    >>> expand_plan(find_contraction_plan(get_param_map(parse("2:2"))), 5).operands
    ((2, 0), (2, 0, 1), (1,))
    """
    points = (len(plan.sizes),)
    longer = [points + axes if live else axes for axes, live in zip(plan.shapes, plan.live, strict=True)]
    steps = [step._replace(axes=axes) for step, axes in zip(plan.steps, longer[len(plan.operands) :], strict=True)]
    return replace(plan, sizes=(*plan.sizes, copies), operands=tuple(longer[: len(plan.operands)]), steps=tuple(steps))


def contract_pair(
    arithmetic: Arithmetic, left: tuple[Array, Axes, bool], right: tuple[Array, Axes, bool], wanted: Axes
) -> Array:
    """Multiply two arrays and sum over the axes they share that are not wanted; the batch, if any, is the last axis."""
    (a, a_axes, a_batched), (b, b_axes, b_batched) = left, right
    pair = plan_pair((a_axes, a.shape[: len(a_axes)], a_batched), (b_axes, b.shape[: len(b_axes)], b_batched), wanted)
    return contract_as_planned(arithmetic, a, b, pair)


def contract_as_planned(arithmetic: Arithmetic, a: Array, b: Array, pair: Pair | None) -> Array:
    """The same of arrays of which it is known how they are contracted."""
    if pair is None:
        return arithmetic.multiply(a, b)
    if pair.swapped:
        a, b = b, a
    batch = b.shape[-1:] if pair.right_batched else ()
    left = pair.left + batch if pair.left_batched else pair.left
    a = (a if pair.turn_left is None else a.transpose(pair.turn_left)).reshape(left)
    b = (b if pair.turn_right is None else b.transpose(pair.turn_right)).reshape(pair.right + batch)
    if pair.left_batched:
        result = arithmetic.multiply(a[:, :, 0, None], b[:, None, 0])
        for index in range(1, pair.summed):
            result = arithmetic.add(result, arithmetic.multiply(a[:, :, index, None], b[:, None, index]))
    elif pair.summed == 1:
        result = arithmetic.multiply(a[..., None] if pair.right_batched else a, b)
    else:
        result = arithmetic.matmul(a, b.reshape(*pair.right[:2], -1) if pair.right_batched else b)
    result = result.reshape(pair.result + batch)
    return result if pair.turn_result is None else result.transpose(pair.turn_result)


class Pair(NamedTuple):
    """How two arrays are contracted: transposed if they have to be, and seen with few axes.

    On the left kept, own and summed ones, on the right kept, summed and own ones, in the result kept ones and both own.
    """

    left: Axes
    right: Axes
    result: Axes
    summed: int
    turn_left: Axes | None
    turn_right: Axes | None
    turn_result: Axes | None
    left_batched: bool
    right_batched: bool
    swapped: bool = False
    """Whether the second array is the left one, as where the first one alone has a batch."""


@lru_cache(1 << 12)
def plan_pair(a: tuple[Axes, Axes, bool], b: tuple[Axes, Axes, bool], wanted: Axes) -> Pair | None:
    """How arrays with these axes, of these sizes, with a batch or not, are contracted; ``None`` if they are multiplied entry by entry."""
    (a_axes, a_sizes, a_batched), (b_axes, b_sizes, b_batched) = a, b
    if a_axes == b_axes == wanted and a_batched == b_batched:
        return None
    if a_batched and not b_batched:
        turned = plan_pair(b, a, wanted)
        return turned and turned._replace(swapped=True)
    size = dict(zip((*a_axes, *b_axes), (*a_sizes, *b_sizes), strict=True)).__getitem__
    both = [axis for axis in a_axes if axis in b_axes]
    kept = tuple([axis for axis in both if axis in wanted])
    summed = tuple([axis for axis in both if axis not in wanted])
    mine = tuple([axis for axis in a_axes if axis not in both])
    other = tuple([axis for axis in b_axes if axis not in both])
    k, m, s, n = (prod(map(size, axes)) for axes in (kept, mine, summed, other))
    return Pair(
        (k, m, s),
        (k, s, n),
        tuple(map(size, (*kept, *mine, *other))),
        s,
        find_order(a_axes, (*kept, *mine, *summed), a_batched),
        find_order(b_axes, (*kept, *summed, *other), b_batched),
        find_order((*kept, *mine, *other), wanted, b_batched),
        a_batched,
        b_batched,
    )


def find_order(axes: Axes, wanted: Axes, batched: bool) -> Axes | None:
    """How axes are transposed to those wanted, ``None`` if they stand in that order; the batch stays last."""
    if axes == wanted:
        return None
    order = [axes.index(axis) for axis in wanted]
    return (*order, len(order)) if batched else tuple(order)


def evaluate(
    plan: Plan, arithmetic: Arithmetic, factors: Sequence[Array], vectors: Sequence[Array]
) -> tuple[Array, list[Array]]:
    """The values of a batch of functionals, and all intermediate arrays (the tape of the backward pass)."""
    ones = [
        arithmetic.elements(np.ones(plan.sizes[axes[0]], dtype=np.bool_))
        for axes in plan.operands[plan.factors + plan.vectors :]
    ]
    tape: list[Array] = [*factors, *vectors, *ones]
    for step, pair in zip(plan.steps, plan.forward, strict=True):
        check_time()
        tape.append(contract_as_planned(arithmetic, tape[step.left], tape[step.right], pair))
    return tape[-1], tape


def compute_gradients(
    plan: Plan, arithmetic: Arithmetic, tape: Sequence[Array], weights: Array | None = None
) -> list[Array | None]:
    """The gradient of every functional by the entries of every factor (``None`` where none is wanted).

    With weights, one for each value, the gradient of the weighted sum over the batch instead.
    """
    gradient: list[Array | None] = [None] * len(plan.shapes)
    gradient[-1] = arithmetic.elements(np.ones(tape[-1].shape, dtype=np.bool_)) if weights is None else weights
    for number, pairs in zip(range(len(plan.steps) - 1, -1, -1), plan.backward, strict=True):
        check_time()
        result = len(plan.operands) + number
        upper = gradient[result]
        if upper is None:
            continue
        for mine, other, pair in pairs:
            if weights is None:
                gradient[mine] = contract_as_planned(arithmetic, upper, tape[other], pair)
            else:
                gradient[mine] = contract_weighted(plan, arithmetic, (upper, result), (tape[other], other), mine)
        if result != len(plan.shapes) - 1:
            gradient[result] = None  # no longer needed
    return gradient[: plan.factors]


def contract_weighted(
    plan: Plan, arithmetic: Arithmetic, upper: tuple[Array, int], beside: tuple[Array, int], mine: int
) -> Array:
    """The same with weights: the batch is summed over where the array that the gradient is of has none."""
    (a, result), (b, other) = upper, beside
    above, factor = (a, plan.shapes[result], plan.batched[result]), (b, plan.shapes[other], plan.batched[other])
    ends = plan.batched[result] and not plan.batched[mine]
    return (contract_over_batch if ends else contract_pair)(arithmetic, above, factor, plan.shapes[mine])


def contract_over_batch(
    arithmetic: Arithmetic, left: tuple[Array, Axes, bool], right: tuple[Array, Axes, bool], wanted: Axes
) -> Array:
    """Multiply two batches and sum over the batch too, which is a last axis like any other here."""
    (a, a_axes, _), (b, b_axes, _) = left, right
    return contract_pair(arithmetic, (a, (*a_axes, BATCH), False), (b, (*b_axes, BATCH), False), wanted)


class Contraction(NamedTuple):
    """A discrete map with its order of contraction."""

    pmap: ParamMap
    plan: Plan

    @property
    def numbers_per_functional(self) -> int:
        return self.plan.numbers_per_functional

    @property
    def largest(self) -> int:
        return self.plan.largest

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        """All cells, or those that are kept."""
        return select_all_cells(self.pmap, max_memory, advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        return draw_probes(self.pmap, count, prime, seed, *labels)

    def at(self, arithmetic: Arithmetic, point: Array) -> ContractionAt:
        return ContractionAt(self, arithmetic, point, evaluate_factors(self.pmap, arithmetic, point))


@dataclass(frozen=True, eq=False)
class ContractionAt:
    """A discrete map at a point."""

    contraction: Contraction
    arithmetic: Arithmetic
    point: Array
    factors: list[Array]

    @cached_property
    def local(self) -> LocalDerivative:
        """The derivatives of the entries, where any are asked for."""
        return self.contraction.pmap.arrays.derivative(self.arithmetic, self.point)

    def values(self, vectors: Sequence[Array]) -> Array:
        return evaluate(self.contraction.plan, self.arithmetic, self.factors, vectors)[0]

    def derivatives(self, vectors: Sequence[Array], into: Array) -> None:
        plan, pmap, local = self.contraction.plan, self.contraction.pmap, self.local
        if not len(local.entry):
            return
        _, tape = evaluate(plan, self.arithmetic, self.factors, vectors)
        entries = add_entry_gradients(pmap, self.arithmetic, compute_gradients(plan, self.arithmetic, tape), len(into))
        # most maps have every parameter in some array, and a slice is faster than an index
        columns = slice(None) if len(local.parameters) == pmap.parameter_count else local.parameters
        width = max(1, SUMMED_BYTES // (len(local.entry) * self.arithmetic.item_bytes))
        for first in range(0, len(into), width):
            run = slice(first, first + width)
            sums = add_weighted_runs(
                self.arithmetic,
                entries[:, run],
                local.entry,
                local.coefficient,
                local.starts,
                local.are_differences,
            )
            into[run, columns] = sums.T


def make_contraction(pmap: ParamMap) -> Contraction:
    """A discrete map with its order of contraction."""
    return Contraction(pmap, get_contraction_plan(pmap))


def get_contraction_plan(pmap: ParamMap, wanted: Sequence[bool] | None = None) -> Plan:
    """The order of contraction, found once: that takes longer than a point."""
    live = find_live_factors(pmap) if wanted is None else tuple(wanted)
    return plan_once(pmap, ("plan", live), lambda: find_contraction_plan(pmap, live))


def find_live_factors(pmap: ParamMap) -> tuple[bool, ...]:
    """Which factors have parameters."""
    return tuple([not pmap.arrays[factor.array].is_constant for factor in pmap.factors])


def evaluate_factors(pmap: ParamMap, arithmetic: Arithmetic, point: Array) -> list[Array]:
    """The array of every factor at the point."""
    arrays = pmap.arrays.values(arithmetic, point)
    return [arrays[factor.array] for factor in pmap.factors]


def add_entry_gradients(pmap: ParamMap, arithmetic: Arithmetic, gradient: list[Array | None], batch: int) -> Array:
    """Add up the gradients of all uses of each array; one row per entry, one column per functional."""
    totals: dict[int, Array] = {}
    for factor, piece in zip(pmap.factors, gradient, strict=True):
        if piece is not None:
            flat = piece.reshape(-1, batch)
            totals[factor.array] = arithmetic.add(totals[factor.array], flat) if factor.array in totals else flat
    ordered = [totals[number] for number in sorted(totals)]
    return np.concatenate(ordered) if ordered else np.zeros((0, batch))
