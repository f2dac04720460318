"""One contraction: values and gradients, in every arithmetic, against explicit sums over joint states."""

from itertools import product
from math import prod

import brute
import numpy as np
import pytest
from amount import some
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import networks
from suites.agreement import is_small

import algdim
from algdim.exact.arithmetic import Floats, Residues, make_rationals
from algdim.families.discrete.contraction import (
    STACK,
    add_entry_gradients,
    compute_gradients,
    contract_pair,
    evaluate,
    evaluate_factors,
    expand_plan,
    find_contraction_plan,
    find_order,
    order_pairs,
)
from algdim.families.discrete.map import get_param_map

SMALL = networks(max_variables=5, max_states=3, max_table=40)


def einsum(pmap, arrays, vectors):
    """The value of one functional by a sum over all states of all axes."""
    total = 0
    for states in product(*(range(size) for size in pmap.sizes)):
        weight = 1
        for factor, array in zip(pmap.factors, arrays, strict=True):
            weight *= array[tuple(states[axis] for axis in factor.axes)]
        for axis, vector in zip(pmap.observed, vectors, strict=True):
            weight *= int(vector[states[axis]])
        total += weight
    return total


def integers(shape, seed):
    """Small integers as Python's."""
    source = np.random.default_rng(seed)
    return source.integers(-9, 10, size=shape).astype(object)


@settings(max_examples=some(60))
@given(SMALL, st.integers(0, 2**32))
@example(algdim.model("2:2"), 0)
@example(algdim.model("states A=2, B=3"), 1)
@example(algdim.model("A -> B; given A"), 2)
@example(algdim.model("A -> C <- H -> D <- B; hidden H"), 3)
def test_contraction_is_the_sum_over_joint_states(model, seed):
    """Arrays with any entries, vectors with any entries: each functional of a batch is the explicit sum."""
    assume(is_small(model))
    pmap = get_param_map(model)
    shapes = [tuple(pmap.sizes[axis] for axis in factor.axes) for factor in pmap.factors]
    arrays = [integers(shape, seed + number) for number, shape in enumerate(shapes)]
    vectors = [integers((pmap.sizes[axis], 3), seed + axis) for axis in pmap.observed]
    field = make_rationals()
    values, tape = evaluate(
        find_contraction_plan(pmap), field, [field.elements(a) for a in arrays], [field.elements(v) for v in vectors]
    )

    assert [einsum(pmap, arrays, [vector[:, k] for vector in vectors]) for k in range(3)] == list(values)
    assert values is tape[-1]


@settings(max_examples=some(60))
@given(SMALL, st.integers(0, 2**32))
@example(algdim.model("A -> B -> C; hidden B; share t: B, C"), 0)
@example(algdim.model("2:2^7"), 0)  # neighbours are multiplied, of stacks as a whole and in part
@example(algdim.model("H -> A -> B -> C; A -> C; max C; hidden A, H"), 0)
def test_gradients_are_exact_differences(model, seed):
    """A functional is affine in each entry of each factor: the gradient is the difference of two values."""
    assume(is_small(model))
    pmap = get_param_map(model)
    field = make_rationals()
    plan = find_contraction_plan(pmap)
    point = field.elements(integers((len(pmap.parameters),), seed))
    arrays = evaluate_factors(pmap, field, point)
    vectors = [field.elements(integers((pmap.sizes[axis], 2), seed + axis)) for axis in pmap.observed]
    values, tape = evaluate(plan, field, arrays, vectors)
    source = np.random.default_rng(seed)
    for number, gradient in enumerate(compute_gradients(plan, field, tape)):
        if gradient is None:
            assert pmap.arrays[pmap.factors[number].array].is_constant
            continue
        place = tuple(int(source.integers(size)) for size in arrays[number].shape)
        moved = [array.copy() for array in arrays]
        moved[number][place] += 1
        after, _ = evaluate(plan, field, moved, vectors)

        assert (*arrays[number].shape, 2) == gradient.shape
        assert list(after - values) == list(gradient[place])


@settings(max_examples=some(40))
@given(SMALL, st.sampled_from([Residues(8388593), Residues(1000003), Residues(3)]))
def test_residues_are_the_rational_values_modulo_the_prime(model, field):
    """One contraction in both arithmetics: values and gradients agree modulo the prime."""
    assume(is_small(model))
    pmap = get_param_map(model)
    denominators = set().union(*(entries.denominators() for entries in pmap.arrays))
    assume(all(denominator % field.prime for denominator in denominators))
    plan = find_contraction_plan(pmap)
    numbers = np.arange(5, 5 + len(pmap.parameters)) ** 3
    found = []
    for arithmetic in (make_rationals(), field):
        vectors = [
            arithmetic.elements(np.arange(1, 1 + 4 * pmap.sizes[axis]).reshape(-1, 4) ** 2 + axis)
            for axis in pmap.observed
        ]
        values, tape = evaluate(
            plan, arithmetic, evaluate_factors(pmap, arithmetic, arithmetic.elements(numbers)), vectors
        )
        total = add_entry_gradients(pmap, arithmetic, compute_gradients(plan, arithmetic, tape), 4)
        found.append(
            [
                brute.residue(int(x) if isinstance(x, np.generic) else x.numerator, field.prime)
                * pow(int(getattr(x, "denominator", 1)), -1, field.prime)
                % field.prime
                for x in (*values.flat, *total.flat)
            ]
        )

    assert found[0] == found[1]


def test_floats_give_probabilities():
    """In floating point the cells of a proper point are positive and sum to 1."""
    pmap = get_param_map(algdim.model("5(2,3(2,2),3(2,2))"))
    field = Floats()
    point = np.full(len(pmap.parameters), 0.2)
    cells = np.array(list(product(*(range(size) for size in pmap.shape)))).T
    vectors = [np.eye(size)[:, states] for size, states in zip(pmap.shape, cells, strict=True)]
    values, _ = evaluate(find_contraction_plan(pmap), field, evaluate_factors(pmap, field, point), vectors)

    assert abs(values.sum() - 1) < 1e-12
    assert values.min() > 0


@pytest.mark.parametrize("batched", [(False, False), (False, True), (True, False), (True, True)])
@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ((0, 1), (1, 2), (0, 2)),
        ((0, 1), (1, 2), (2, 1, 0)),
        ((0,), (0,), ()),
        ((0, 1), (1,), (1, 0)),
        ((0,), (1,), (1, 0)),
        ((2, 0, 1), (1, 2), (0,)),
        ((), (0,), (0,)),
    ],
)
def test_a_pair_is_a_sum_over_shared_axes(left, right, wanted, batched):
    """With and without a batch on either side, whatever order of the axes is wanted."""
    sizes, batch = (2, 3, 4), 5
    letters = "abc"
    arrays = [
        np.random.default_rng(number)
        .integers(-5, 6, size=(*(sizes[axis] for axis in axes), *([batch] * has)))
        .astype(float)
        for number, (axes, has) in enumerate(zip((left, right), batched, strict=True))
    ]
    names = [
        "".join(letters[axis] for axis in axes) + "z" * has for axes, has in zip((left, right), batched, strict=True)
    ]
    out = "".join(letters[axis] for axis in wanted) + "z" * any(batched)
    expected = np.einsum(f"{names[0]},{names[1]}->{out}", *arrays)
    found = contract_pair(Floats(), (arrays[0], left, batched[0]), (arrays[1], right, batched[1]), wanted)

    assert (expected == found).all()


def test_axes_are_rearranged():
    """The batch stays last; nothing is transposed where nothing changes."""
    array = np.zeros((2, 3, 4, 5))

    assert (4, 2, 3, 5) == array.transpose(find_order((7, 8, 9), (9, 7, 8), True)).shape
    assert (3, 2, 5, 4) == array.transpose(find_order((0, 1, 2, 3), (1, 0, 3, 2), False)).shape
    assert find_order((7, 8, 9), (7, 8, 9), True) is None


@given(networks(max_variables=6, max_states=4))
@settings(max_examples=some(60))
def test_a_plan_uses_every_operand_once(model):
    """Each operand and each intermediate result is used exactly once, the last result has no axes."""
    plan = find_contraction_plan(get_param_map(model))
    used = [number for step in plan.steps for number in (step.left, step.right)]

    assert list(range(len(plan.operands) + len(plan.steps) - 1)) == sorted(used)
    assert () == plan.steps[-1].axes
    assert plan.batched[-1]
    assert plan.largest >= max(prod(plan.sizes[axis] for axis in axes) for axes in plan.operands)
    assert plan.numbers_per_functional >= 1
    assert len(plan.steps) == len(str(plan).splitlines())


@pytest.mark.parametrize(("text", "most"), [("10:2^60", 20), ("2:2^2000", 4), ("4(3(2^30),3(2^30),2)", 12)])
def test_intermediate_arrays_stay_small(text, most):
    """No array grows with the number of items."""
    assert find_contraction_plan(get_param_map(algdim.model(text))).largest <= most


def test_a_long_chain_stays_small():
    """A hidden Markov chain of 60 steps is contracted along the chain."""
    hidden = " -> ".join(f"H{t}" for t in range(60))
    items = "; ".join(f"H{t} -> X{t}" for t in range(60))
    names = ", ".join(f"H{t}" for t in range(60))
    states = ", ".join(f"H{t}=3" for t in range(60))

    assert (
        find_contraction_plan(
            get_param_map(algdim.model(f"{hidden}; {items}; hidden {names}; states {states}"))
        ).largest
        <= 9
    )


def test_the_same_map_gives_the_same_plan():
    """The order does not depend on chance."""
    plans = {str(find_contraction_plan(get_param_map(algdim.model("5(2,3(2,2),3(2,2))")))) for _ in range(3)}

    assert 1 == len(plans)


@pytest.mark.parametrize("count", range(2, 20))
@pytest.mark.parametrize("axes", [(), (0,), (0, 1)])
def test_arrays_with_the_same_axes_are_multiplied_by_twos(count, axes):
    """Each array and each result but the last is used once, and no array takes part in more products than it must."""
    pairs = order_pairs([frozenset(axes)] * count, (3, 2))
    depth = [0] * count
    for left, right in pairs:
        depth.append(1 + max(depth[left], depth[right]))

    assert list(range(2 * count - 2)) == sorted(number for pair in pairs for number in pair)
    assert (count - 1).bit_length() == depth[-1]


@given(networks(max_variables=6, max_states=4))
@settings(max_examples=some(60))
def test_stages_have_each_step_once(model):
    """Each operand and each result is in one stack, and each is on one side of one stage."""
    plan = find_contraction_plan(get_param_map(model))
    stacks, stages, _ = plan.layout
    sizes = [len(members) for members in stacks]
    used = []
    for number, stage in enumerate(stages, len(stacks)):
        assert number == stage.result.stack
        sizes.append(stage.result.look[1][0] if STACK in stage.result.axes else 1)
        for side in (stage.left, stage.right):
            places = np.arange(sizes[side.stack])[slice(None) if side.places is None else side.places]
            used += [(side.stack, place) for place in places.flat]

    assert len(plan.operands) + len(plan.steps) == sum(sizes)
    assert [(stack, place) for stack, size in enumerate(sizes[:-1]) for place in range(size)] == sorted(used)


@pytest.mark.parametrize(("text", "most"), [("4:3^3", 4), ("3:2^10", 6), ("20:2^64", 14)])
def test_steps_that_are_alike_are_one_stage(text, most):
    """The calls grow with the logarithm of the number of items."""
    assert len(find_contraction_plan(get_param_map(algdim.model(text))).layout.stages) <= most


@pytest.mark.parametrize("text", ["3:2,2,3", "A -> B -> C; hidden B", "states A=2"])
def test_several_points_at_once_are_as_one_by_one(text):
    """Values and gradients along the axis of the points are those of each point, with weights and without."""
    pmap = get_param_map(algdim.model(text))
    plan, copies, batch = find_contraction_plan(pmap), 3, 4
    shapes = [tuple(pmap.sizes[axis] for axis in factor.axes) for factor in pmap.factors]
    arrays = [integers((copies, *shape), number).astype(float) for number, shape in enumerate(shapes)]
    vectors = [integers((pmap.sizes[axis], batch), axis).astype(float) for axis in pmap.observed]
    weights = integers((copies, batch), 9).astype(float)
    several = expand_plan(plan, copies)
    values, tape = evaluate(several, Floats(), arrays, vectors)
    found = compute_gradients(several, Floats(), tape)
    weighted = compute_gradients(several, Floats(), tape, weights)
    for copy in range(copies):
        one, own = evaluate(plan, Floats(), [array[copy] for array in arrays], vectors)
        each = compute_gradients(plan, Floats(), own)

        assert (one == values[copy]).all()
        for gradient, alone, total in zip(found, each, weighted, strict=True):
            assert (gradient[copy] == alone).all()
            assert (total[copy] == (alone * weights[copy]).sum(axis=-1)).all()
