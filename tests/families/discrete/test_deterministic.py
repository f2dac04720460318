"""Variables that are functions of their parents: the records, and the chains of the map."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim import InputError
from algdim.families.discrete.locals.function import RULES, AtLeast, Maximum, Parity, StateSum, build_chain

COUNTS = st.lists(st.integers(1, 4), min_size=1, max_size=5)
BINARY = st.integers(1, 7).map(lambda length: [2] * length)
CASES = st.one_of(
    st.tuples(st.sampled_from([Maximum(), StateSum()]), COUNTS),
    st.tuples(st.just(Parity()), BINARY),
    BINARY.flatmap(lambda counts: st.tuples(st.integers(1, len(counts)).map(AtLeast), st.just(counts))),
)


def outcome(rule, row):
    match rule:
        case Maximum():
            return max(row)
        case StateSum():
            return sum(row)
        case Parity():
            return sum(row) % 2
        case AtLeast(n=n):
            return int(sum(row) >= n)


def named(counts):
    return tuple((f"X{number}", count) for number, count in enumerate(counts, 1))


def joined(arrays):
    """Sum out the inner states of a chain; what is left has the parents' axes and then the variable's."""
    total, *others = arrays
    for array in others:
        total = np.tensordot(total, array, axes=([-1], [0]))
    return total


@given(CASES)
def test_a_rule_gives_the_states(case):
    """The number of states is that of the rule's outcomes, and no other is allowed."""
    rule, counts = case
    states = rule.states(counts)

    assert states == 1 + max(outcome(rule, row) for row in product(*map(range, counts)))
    rule.check("Y", states, named(counts))
    for wrong in (states - 1, states + 1):
        with pytest.raises(InputError, match=rf"Y has {wrong} states; as a function \({rule.kind}\) of X1"):
            rule.check("Y", wrong, named(counts))


@given(CASES)
def test_a_chain_is_the_function(case):
    """Joined over its inner states, a chain is one where the variable is the rule's outcome and zero elsewhere."""
    rule, counts = case
    inner, entries = build_chain(rule, counts)
    arrays = [array.constants.reshape(array.shape) for array in entries]
    expected = np.zeros((*counts, rule.states(counts)), dtype=np.int64)
    for row in product(*map(range, counts)):
        expected[(*row, outcome(rule, row))] = 1

    assert all(array.is_constant for array in entries)
    assert inner == [array.shape[-1] for array in arrays[:-1]]
    assert np.array_equal(expected, joined(arrays))


@pytest.mark.parametrize("n", [True, 1.0, "1", None])
def test_at_least_takes_a_whole_number(n):
    """True is none."""
    with pytest.raises(InputError, match="an integer is allowed"):
        AtLeast(n).check("Y", 2, named([2, 2]))


@pytest.mark.parametrize("rule", [Maximum(), Parity(), AtLeast(3)])
def test_chains_stay_small(rule):
    """With many parents no array grows with their number."""
    inner, entries = build_chain(rule, [2] * 40)

    assert 39 == len(entries) == len(inner) + 1
    assert max(prod(array.shape) for array in entries) <= 32


def test_one_parent_is_copied():
    """With one parent every rule but a larger at-least is a copy."""
    for rule in (Maximum(), StateSum(), Parity(), AtLeast(1)):
        inner, (array,) = build_chain(rule, [2])

        assert [] == inner
        assert [1, 0, 0, 1] == array.constants.tolist()


@pytest.mark.parametrize("rule", [*RULES.values(), AtLeast(1)])
def test_a_rule_needs_parents(rule):
    """A function of no parents is refused."""
    with pytest.raises(InputError, match=r"Y is a function of its parents \(.*\) and has none"):
        rule.check("Y", 2, ())


@pytest.mark.parametrize("rule", [Parity(), AtLeast(1)])
@pytest.mark.parametrize("count", [1, 3])
def test_some_rules_need_binary_parents(rule, count):
    """Parity and at-least take binary parents only."""
    with pytest.raises(InputError, match=rf"X2, a parent of Y, has {count} states; {rule.kind} takes binary parents"):
        rule.check("Y", 2, named([2, count]))


@pytest.mark.parametrize("n", [-1, 0, 3])
def test_at_least_can_be_reached_and_missed(n):
    """The number of parents that must be 1 is from 1 to all of them."""
    with pytest.raises(InputError, match=f"Y asks for at least {n} of 2 parents; 1 to 2 is allowed"):
        AtLeast(n).check("Y", 2, named([2, 2]))


def test_the_rules_have_their_names():
    """Rules without a number are found by the word of the notation."""
    assert {"max": Maximum(), "sum": StateSum(), "parity": Parity()} == RULES
