"""A discrete map at points: one contraction of its factor network against product functionals, with its gradient.

For vectors u_i on the states of the observed variables, ⟨u, p⟩ = Σ_x p(x) ∏ u_i(x_i) is a contraction of the small
arrays with u_i attached to variable i (GHM96 §4 has the map; the functionals are ours). A batch of functionals is
contracted at once: the batch is the last axis of every array that depends on it. Reverse-mode differentiation gives
the gradient by all entries of all arrays, and the derivatives of the locals that by the parameters. All of it runs in any
arithmetic, and nothing of the size of the observed table is built.

With small arrays the time is that of the calls. So arrays of equal sizes lie in one stack, and steps that are alike are one
stage: a contraction along whose first axis, that of the stack, nothing is summed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, groupby, pairwise
from math import prod
from types import EllipsisType
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, add_weighted_runs, multiply_batches
from algdim.families.discrete.functionals import AllCells, draw_probes, select_all_cells
from algdim.families.discrete.locals.contract import LocalDerivative
from algdim.families.discrete.map import ParamMap
from algdim.jacobian import evaluate_functionals
from algdim.limits import check_time
from algdim.maps import Functionals, find_once, plan_once
from algdim.memory import OR_PROBES

Axes = tuple[int, ...]

BATCH, STACK = -1, -2
"""The axis of the batch, where it is one like others, and that of a stack."""

MOST_STACKED = 1 << 12
"""Arrays with more numbers, per functional, are not stacked."""

MOST_AT_ONCE = 1 << 16
"""Numbers of a table that is evaluated at once, or of an array on the way to it."""

FEW_NUMBERS = 1 << 12
"""After arrays with so many no time is asked for."""

SUMMED_BYTES = 1 << 23
"""Of derivatives by entries that are weighted at once: a sigmoid variable has many more of them than parameters."""


class ContractionStep(NamedTuple):
    """One pairwise contraction; operands are numbered first, then the results of the steps."""

    left: int
    right: int
    axes: Axes


Places = tuple[int, EllipsisType] | slice | NDArray[np.intp] | None
"""Where one or several arrays are in their stack, as an index; ``None`` for all of them. A stack of one array is that array."""


Look = tuple[Axes, Axes, bool]
"""The axes of an array, their sizes, and whether it has a batch."""


class Side(NamedTuple):
    """The arrays on one side of a stage: in which stack they are and where, how they look, and whether they need a gradient."""

    stack: int
    places: Places
    look: Look
    live: bool

    @property
    def axes(self) -> Axes:
        """Their axes, that of the stack first."""
        return self.look[0]

    def find(self, stacks: Sequence[Array]) -> Array:
        """The arrays."""
        return stacks[self.stack] if self.places is None else stacks[self.stack][self.places]


class Stage(NamedTuple):
    """Steps that are alike, contracted at once; the results are a stack."""

    left: Side
    right: Side
    result: Side
    forward: Pair | None
    backward: tuple[tuple[Side, Side, Pair | None], ...]
    """Whose gradients it gives: by the gradient of the result, which has a batch, and the other side."""
    neighbours: Side | None
    """Both sides as one, where they are neighbours in one stack that are multiplied entry by entry, each two of them."""


class StageLayout(NamedTuple):
    """The operands in each stack, by number; the stages, whose results are further stacks; and where each factor is."""

    stacks: tuple[tuple[int, ...], ...]
    stages: tuple[Stage, ...]
    factors: tuple[tuple[int, Places], ...]


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

    @cached_property
    def layout(self) -> StageLayout:
        """How the operands are stacked, and the steps as stages."""
        return arrange_stages(self)

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


def find_contraction_plan(pmap: ParamMap, wanted: Sequence[bool] | None = None, *, to_cells: bool = False) -> Plan:
    """Find an order: each vector goes to its variable first, then opt_einsum's greedy order.

    Gradients are for the factors that are wanted: all with parameters if nothing is said. Contracted ``to_cells`` there are no
    vectors, and the result is the table of all cells, along whose axes nothing is summed.
    """
    operands: list[Axes] = [factor.axes for factor in pmap.factors]
    ends, kept = ((), pmap.observed) if to_cells else (pmap.observed, ())
    operands += [(axis,) for axis in ends]
    occurrences = Counter(chain(*operands, kept))
    operands += [(axis,) for axis, times in sorted(occurrences.items()) if times == 1]
    factors, vectors = len(pmap.factors), len(ends)
    shapes = list(operands)
    batched = [factors <= number < factors + vectors for number in range(len(operands))]
    live = [*(find_live_factors(pmap) if wanted is None else wanted), *([False] * (len(operands) - factors))]
    steps: list[ContractionStep] = []
    remaining = Counter(chain(*operands, kept))
    alive = dict.fromkeys(range(len(operands)))

    def contract(left: int, right: int) -> int:
        one, other = shapes[left], shapes[right]
        shared, mine = list[int](), list[int]()
        for axis in one:
            if axis not in other:
                mine.append(axis)
            elif remaining[axis] > 2:  # a third array has it, or the table
                remaining[axis] -= 1
                shared.append(axis)
        axes = (*shared, *mine, *[axis for axis in other if axis not in one])
        steps.append(ContractionStep(left, right, axes))
        shapes.append(axes)
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
    for number, axis in enumerate(ends, factors):
        if len(holders.get(axis, ())) == 1:
            owner = holders[axis][0]
            latest[owner] = contract(latest[owner], number)
    ids = list(alive)
    for pair in order_pairs([frozenset(shapes[number]) for number in ids], pmap.sizes, frozenset(kept)):
        ids.append(contract(ids[pair[0]], ids[pair[1]]))
    return Plan(pmap.sizes, tuple(operands), factors, vectors, tuple(steps), tuple(batched), tuple(live))


def order_pairs(
    inputs: Sequence[frozenset[int]], sizes: Axes, kept: frozenset[int] = frozenset()
) -> Sequence[tuple[int, ...]]:
    """Pairs of arrays with these axes in opt_einsum's greedy order, numbered with the results behind them; some axes are kept.

    Where all other axes are the same, as of latent classes, any order takes about as many multiplications; by twos there are few
    stages. The first array, which for the classes has no batch, comes last.

    >>> order_pairs([frozenset((0,))] * 5, (3,))
    [(1, 2), (3, 4), (5, 6), (7, 0)]
    """
    count = len(inputs)
    if count < 2:
        return []
    if all(axes - kept == inputs[0] - kept for axes in inputs):
        waiting, found = [*range(1, count), 0], list[tuple[int, ...]]()
        while len(waiting) > 1:
            first = count + len(found)
            found += zip(waiting[::2], waiting[1::2], strict=False)
            waiting = [*range(first, count + len(found)), *waiting[len(waiting) // 2 * 2 :]]
        return found
    from opt_einsum.paths import ssa_greedy_optimize

    pairs: Sequence[tuple[int, ...]] = ssa_greedy_optimize(inputs, kept, dict(enumerate(sizes)))
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
    if pair.summed == 1:
        result = arithmetic.multiply(a[..., None] if pair.right_batched and not pair.left_batched else a, b)
    elif pair.left_batched:
        result = multiply_batches(arithmetic, a, b)
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
def plan_pair(a: Look, b: Look, wanted: Axes) -> Pair | None:
    """How arrays with these axes, of these sizes, with a batch or not, are contracted; ``None`` if they are multiplied entry by entry."""
    (a_axes, a_sizes, a_batched), (b_axes, b_sizes, b_batched) = a, b
    if a_axes == b_axes == wanted and a_batched == b_batched:
        return None
    if a_batched and not b_batched:
        turned = plan_pair(b, a, wanted)
        return turned and turned._replace(swapped=True)
    size = dict(zip((*a_axes, *b_axes), (*a_sizes, *b_sizes), strict=True)).__getitem__
    kept = [axis for axis in a_axes if axis in b_axes and axis in wanted]
    summed = [axis for axis in a_axes if axis in b_axes and axis not in wanted]
    mine, other = [axis for axis in a_axes if axis not in b_axes], [axis for axis in b_axes if axis not in a_axes]
    k, m, s, n = prod(map(size, kept)), prod(map(size, mine)), prod(map(size, summed)), prod(map(size, other))
    found = (*kept, *mine, *other)
    return Pair(
        (k, m, s),
        (k, s, n),
        tuple(map(size, found)),
        s,
        find_order(a_axes, (*kept, *mine, *summed), a_batched),
        find_order(b_axes, (*kept, *summed, *other), b_batched),
        find_order(found, wanted, b_batched),
        a_batched,
        b_batched,
    )


def find_order(axes: Axes, wanted: Axes, batched: bool) -> Axes | None:
    """How axes are transposed to those wanted, ``None`` if they stand in that order; the batch stays last."""
    if axes == wanted:
        return None
    order = [axes.index(axis) for axis in wanted]
    return (*order, len(order)) if batched else tuple(order)


def arrange_stages(plan: Plan) -> StageLayout:
    """Stacks of operands of equal sizes, and stages of the steps that need the same stacks and are contracted alike."""
    count, shapes, steps = len(plan.operands), plan.shapes, plan.steps
    sizes = [tuple(map(plan.sizes.__getitem__, axes)) for axes in shapes]
    are_large = [prod(one) > MOST_STACKED for one in sizes]
    depth = [0] * count
    for left, right, _ in steps:
        depth.append(1 + max(depth[left], depth[right]))

    stacks: list[tuple[int, ...]] = []
    where: dict[int, tuple[int, int]] = {}

    def add_stack(members: Sequence[int]) -> None:
        where.update({member: (len(stacks), place) for place, member in enumerate(members)})
        stacks.append(tuple(members))

    def make_side(members: Sequence[int], stack: int, places: Places) -> Side:
        first, several = members[0], len(members) > 1
        axes, own = (
            ((STACK, *shapes[first]), (len(members), *sizes[first])) if several else (shapes[first], sizes[first])
        )
        return Side(stack, places, (axes, own, plan.batched[first]), plan.live[first])

    def make_stage(results: Sequence[int]) -> Stage:
        left, right = [
            make_side(members, stack, find_places([where[member][1] for member in members], len(stacks[stack])))
            for members in zip(*[steps[result - count][:2] for result in results], strict=True)
            for stack in (where[members[0]][0],)
        ]
        result = make_side(results, len(stacks), None)
        above, sides = (*result.look[:2], True), ((left, right), (right, left))
        backward = [(mine, other, plan_pair(above, other.look, mine.look[0])) for mine, other in sides if mine.live]
        forward = plan_pair(left.look, right.look, result.look[0])
        neighbours = None
        order = [where[member] for result in results for member in steps[result - count][:2]]
        run = range(order[0][1], order[0][1] + len(order))
        if (
            forward is None
            and result.look[2]
            and len(backward) == 2
            and order == [(left.stack, place) for place in run]
        ):
            neighbours = make_side(
                [stacks[left.stack][place] for place in run], left.stack, find_places(run, len(stacks[left.stack]))
            )
        return Stage(left, right, result, forward, tuple(backward), neighbours)

    alike: dict[Hashable, list[int]] = {}
    for number in range(count):
        look = number if are_large[number] else (sizes[number], plan.batched[number], plan.live[number])
        alike.setdefault(look, []).append(number)
    for members in alike.values():
        add_stack(members)
    operands, stages = tuple(stacks), list[Stage]()
    for _, level in groupby(sorted(range(count, len(shapes)), key=depth.__getitem__), key=depth.__getitem__):
        alike = {}
        for result in level:
            left, right, axes = steps[result - count]
            is_alone = are_large[left] or are_large[right] or are_large[result]
            both = (*shapes[left], *shapes[right])
            pattern = *map(both.index, shapes[right]), *map(both.index, axes)
            alike.setdefault(result if is_alone else (where[left][0], where[right][0], pattern), []).append(result)
        for members in alike.values():
            stages.append(make_stage(members))
            add_stack(members)
    own = [where[number] for number in range(plan.factors)]
    places = [(stack, find_places([place], len(stacks[stack]))) for stack, place in own]
    return StageLayout(operands, tuple(stages), tuple(places))


def find_places(places: Sequence[int], size: int) -> Places:
    """Where arrays are in a stack of this size: a slice if they are evenly spaced.

    >>> find_places([0, 1], 2), find_places([1], 2), find_places([1, 3], 5), find_places([0, 1, 3], 5)
    (None, (1, Ellipsis), slice(1, 4, 2), array([0, 1, 3]))
    """
    if list(places) == list(range(size)):
        return None
    if len(places) == 1:
        return places[0], ...  # an array, also where it has no axes
    step = places[1] - places[0]
    if step > 0 and all(after - before == step for before, after in pairwise(places)):
        return slice(places[0], places[-1] + 1, step)
    return np.array(places)


def evaluate(
    plan: Plan, arithmetic: Arithmetic, factors: Sequence[Array], vectors: Sequence[Array]
) -> tuple[Array, list[Array]]:
    """The values of a batch of functionals, and all stacks on the way (the tape of the backward pass)."""
    tape = stack_operands(plan, arithmetic, factors, vectors)
    run_stages(arithmetic, tape, plan.layout.stages)
    return tape[-1], tape


def stack_operands(
    plan: Plan, arithmetic: Arithmetic, factors: Sequence[Array], vectors: Sequence[Array]
) -> list[Array]:
    """The operands, where several are of equal sizes as one array."""
    ones = [
        arithmetic.elements(np.ones(plan.sizes[axes[0]], dtype=np.bool_))
        for axes in plan.operands[plan.factors + plan.vectors :]
    ]
    operands = [*factors, *vectors, *ones]
    return [
        operands[members[0]] if len(members) == 1 else stack_arrays([operands[member] for member in members])
        for members in plan.layout.stacks
    ]


def stack_arrays(arrays: Sequence[Array]) -> Array:
    """Arrays of one size as one array, as `numpy.stack` has them, which takes longer."""
    shape = arrays[0].shape
    return np.concatenate(arrays).reshape(len(arrays), *shape) if shape else np.array(arrays)


def run_stages(arithmetic: Arithmetic, tape: list[Array], stages: Sequence[Stage]) -> None:
    """Put the results of stages on the tape."""
    check_time()
    for stage in stages:
        found = contract_as_planned(arithmetic, stage.left.find(tape), stage.right.find(tape), stage.forward)
        tape.append(found)
        if found.size > FEW_NUMBERS:
            check_time()


def compute_gradients(
    plan: Plan, arithmetic: Arithmetic, tape: Sequence[Array], weights: Array | None = None
) -> list[Array | None]:
    """The gradient of every functional by the entries of every factor (``None`` where none is wanted).

    With weights, one for each value, the gradient of the weighted sum over the batch instead. Of the tape the values are needed
    only where there are several points.
    """
    stacks, stages, factors = plan.layout
    gradient: list[Array | None] = [None] * (len(stacks) + len(stages))
    gradient[-1] = weights
    if weights is None and stages[-1].result.axes:
        gradient[-1] = arithmetic.elements(np.ones(tape[-1].shape, dtype=np.bool_))
    check_time()
    for stage in reversed(stages):
        upper, gradient[stage.result.stack] = gradient[stage.result.stack], None  # no longer needed
        if upper is not None and upper.size > FEW_NUMBERS:
            check_time()
        if stage.neighbours is not None and upper is not None and weights is None:
            found = multiply_by_neighbours(arithmetic, upper, stage.neighbours.find(tape))
            add_to_stack(gradient, stage.neighbours, found, tape)
            continue
        for mine, other, pair in stage.backward:
            beside = other.find(tape)
            if upper is None:
                found = multiply_by_ones(beside, other, mine.find(tape).shape[-1:], pair)
            elif weights is None:
                found = contract_as_planned(arithmetic, upper, beside, pair)
            else:
                found = contract_weighted(arithmetic, (upper, stage.result), (beside, other), mine)
            add_to_stack(gradient, mine, found, tape)
    each = [(gradient[stack], places) for stack, places in factors]
    return [stack if stack is None or places is None else stack[places] for stack, places in each]


def multiply_by_neighbours(arithmetic: Arithmetic, upper: Array, stack: Array) -> Array:
    """The gradients by arrays of which neighbours are multiplied: that by the product, times the neighbour."""
    each = stack.shape[1:]
    found = arithmetic.multiply(stack.reshape(-1, 2, *each)[:, ::-1], upper.reshape(-1, 1, *each))
    return found.reshape(stack.shape)


def multiply_by_ones(array: Array, side: Side, batch: tuple[int, ...], pair: Pair | None) -> Array:
    """What the pair makes of ones, the gradient of a value by itself, and an array, at one point."""
    whole = array if side.look[2] else np.broadcast_to(array[..., None], (*array.shape, *batch))
    return whole if pair is None or pair.turn_result is None else whole.transpose(pair.turn_result)


def add_to_stack(stacks: list[Array | None], side: Side, found: Array, tape: Sequence[Array]) -> None:
    """Put arrays where they are in a stack, which has as many as the one on the tape."""
    if side.places is None:
        stacks[side.stack] = found
        return
    stack = stacks[side.stack]
    if stack is None:
        each = found.shape if isinstance(side.places, tuple) else found.shape[1:]
        stacks[side.stack] = stack = np.empty((len(tape[side.stack]), *each), dtype=found.dtype)
    stack[side.places] = found


def contract_weighted(
    arithmetic: Arithmetic, upper: tuple[Array, Side], beside: tuple[Array, Side], mine: Side
) -> Array:
    """The same with weights: the batch is summed over where the array that the gradient is of has none."""
    (a, result), (b, other) = upper, beside
    ends = result.look[2] and not mine.look[2]
    contract = contract_over_batch if ends else contract_pair
    return contract(arithmetic, (a, result.axes, result.look[2]), (b, other.axes, other.look[2]), mine.axes)


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
        tape = stack_operands(plan, self.arithmetic, self.factors, vectors)
        run_stages(self.arithmetic, tape, plan.layout.stages[:-1])  # the values are not needed
        if isinstance(vectors, AllCells) and plan.numbers_per_functional * len(into) <= MOST_AT_ONCE:
            # they may be asked for later
            find_at_point(pmap, "tape", self.arithmetic, self.point, lambda: tape)
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
    chosen = None if wanted is None or tuple(wanted) == find_live_factors(pmap) else tuple(wanted)
    return plan_once(pmap, ("plan", chosen), lambda: find_contraction_plan(pmap, chosen))


def evaluate_cells(pmap: ParamMap, arithmetic: Arithmetic, point: Array) -> Array:
    """The table of all cells at a point: a small one, with all arrays on the way to it, at once, without vectors."""

    def evaluate_now() -> Array:
        begun = find_at_point(pmap, "tape", arithmetic, point, list[Array])
        if begun:
            run_stages(arithmetic, begun, get_contraction_plan(pmap).layout.stages[-1:])
            return begun[-1].reshape(pmap.shape)
        plan = plan_once(pmap, "cells", lambda: find_contraction_plan(pmap, to_cells=True))
        if plan.largest > MOST_AT_ONCE:
            return evaluate_functionals(pmap, arithmetic, point, select_all_cells(pmap)).reshape(pmap.shape)
        table = evaluate(plan, arithmetic, evaluate_factors(pmap, arithmetic, point), ())[0]
        order = find_order(plan.shapes[-1], pmap.observed, False)
        return table if order is None else table.transpose(order)

    return find_at_point(pmap, "cells", arithmetic, point, evaluate_now)


def find_live_factors(pmap: ParamMap) -> tuple[bool, ...]:
    """Which factors have parameters."""
    return tuple([not pmap.arrays[factor.array].is_constant for factor in pmap.factors])


def evaluate_factors(pmap: ParamMap, arithmetic: Arithmetic, point: Array) -> list[Array]:
    """The array of every factor at the point."""

    def evaluate_now() -> list[Array]:
        arrays = pmap.arrays.values(arithmetic, point)
        return [arrays[factor.array] for factor in pmap.factors]

    return find_at_point(pmap, "factors", arithmetic, point, evaluate_now)


AtPoint = TypeVar("AtPoint")


def find_at_point(
    pmap: ParamMap, what: str, arithmetic: Arithmetic, point: Array, find: Callable[[], AtPoint]
) -> AtPoint:
    """What is found at a point; it is kept where the point, of a small map, is only read."""
    if point.flags.writeable:
        return find()
    # with the point, whose number no other one has as long as it is kept
    return find_once(pmap, (what, id(point), arithmetic), lambda: (point, find()))[1]


def add_entry_gradients(pmap: ParamMap, arithmetic: Arithmetic, gradient: list[Array | None], batch: int) -> Array:
    """Add up the gradients of all uses of each array; one row per entry, one column per functional."""
    totals: dict[int, Array] = {}
    for factor, piece in zip(pmap.factors, gradient, strict=True):
        if piece is not None:
            flat = piece.reshape(-1, batch)
            totals[factor.array] = arithmetic.add(totals[factor.array], flat) if factor.array in totals else flat
    ordered = [totals[number] for number in sorted(totals)]
    return np.concatenate(ordered) if ordered else np.zeros((0, batch))
