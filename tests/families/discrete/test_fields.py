"""Fields on two sides of a hidden variable: which divisions there are, and that only identities pass."""

import numpy as np
import pytest

import algdim
from algdim.families.discrete.bounds.fields import (
    Change,
    FactorShapes,
    Sides,
    differentiate_hidden_sum,
    has_constant_row_sums,
    is_identity,
    iterate_sides,
    join_axes,
    list_proved_sides,
    make_unknowns,
    take_slice,
)


def shape(*factors, hidden=1, stay=()):
    """A shape whose factors may all be moved but those that stay."""
    return FactorShapes(hidden, factors, tuple(number not in stay for number in range(len(factors))))


SIDES = {
    "between a parent and a child": (shape((0, 1), (1, 2)), [((0,), (1,), ())]),
    "a root with a child": (shape((1,), (1, 2)), [((0,), (1,), ())]),
    "a root with two children": (shape((1,), (1, 2), (1, 3)), [((0, 1), (2,), ()), ((0, 2), (1,), ())]),
    "a parent of both": (shape((0, 1), (0, 1, 2)), [((0,), (1,), (0,))]),
    "a child with a parent of its own": (shape((0, 1), (3, 1, 2)), [((0,), (1,), ())]),
    "two children, one the other's parent": (
        shape((0, 1), (1, 2), (1, 2, 3)),
        [((0,), (1, 2), ())],
    ),
    "a child below the parent": (shape((0, 1), (1, 2), (0, 1, 3)), [((0, 2), (1,), ())]),
    "two chains of two": (
        shape((1,), (1, 2), (1, 2, 3), (1, 4), (1, 4, 5)),
        [((0, 1, 2), (3, 4), ()), ((0, 3, 4), (1, 2), ())],
    ),
}

NO_SIDES = {
    "a parent and two children": shape((0, 1), (1, 2), (1, 3)),
    "a root with three children": shape((1,), (1, 2), (1, 3), (1, 4)),
    "no child that may be moved": shape((0, 1), (1, 2), stay=(1,)),
    "an own table that stays": shape((0, 1), (1, 2), stay=(0,)),
    "more children than are tried": shape((1,), *((1, *range(2, 3 + number)) for number in range(7))),
}


@pytest.mark.parametrize("name", SIDES)
def test_sides(name):
    """Every division into two chains is found, and its field is an identity."""
    around, expected = SIDES[name]
    assert [Sides(*sides) for sides in expected] == list(iterate_sides(around))
    assert tuple(Sides(*sides) for sides in expected) == list_proved_sides(around)


@pytest.mark.parametrize("parents", [(1, 2), (2, 2), (3, 0)])
def test_several_parents_of_one_table_are_as_one(parents):
    """Axes that are parents in the same factors are joined for the identity; the fields found are the same, each of which is one."""
    first, second = (tuple(range(10 * n, 10 * n + count)) for n, count in enumerate(parents, 1))
    around = shape((*first, 0, 1), (*second, 0, 1, 2), (*first, *second, 0, 1, 2, 3))
    smaller = join_axes(around)

    assert len(smaller.open_axes) <= 5
    assert [sides for sides in iterate_sides(around) if is_identity(around, sides)] == list(list_proved_sides(around))
    assert list_proved_sides(around)


def test_a_root_whose_children_have_many_parents():
    """Eleven axes around H, six after parents of the same tables are joined: both directions are found."""
    text = """A, H -> G; B, C, D, E, F, H -> X; A, K, L, G, H -> Y; hidden H; given A, B, C, D, E, F, K, L"""
    report = algdim.dimension(text, bounds="counting,ambient,symmetry,districts")

    assert report.upper.value == 1 + 4 + 64 + 32 - 2
    assert report.exact


@pytest.mark.parametrize("name", NO_SIDES)
def test_no_sides(name):
    """Where the factors do not fall into two chains, or may not be moved, there is no field."""
    assert () == list_proved_sides(NO_SIDES[name])


@pytest.mark.parametrize(
    ("around", "sides"),
    [
        (shape((1,), (1, 2), (1, 3)), Sides((0,), (1, 2), ())),
        (shape((0, 1), (1, 2), (1, 3)), Sides((0, 1), (2,), ())),
        (shape((0, 1), (1, 2), (1, 3)), Sides((0,), (1,), ())),
        (shape((1,), (1, 2), (1, 3)), Sides((0,), (1,), ())),
        (shape((1,), (0, 1, 2), (0, 1, 3)), Sides((0, 1), (2,), (0,))),
    ],
)
def test_wrong_sides_are_no_identity(around, sides):
    """A division that is not one into two chains, leaves a factor out or depends on too much does not pass."""
    assert not is_identity(around, sides)


def scalings():
    """A root H with children X and Y, and what multiplies the entries of two of these tables in state 0 of H."""
    around, sizes = shape((1,), (1, 2), (1, 3)), dict.fromkeys((1, 2, 3), 2)
    arrays = make_unknowns(around, sizes)
    one = np.ones((1, 1), dtype=object)

    def scaled(factor, by, under=one):
        return Change(factor, 0, by * take_slice(around, arrays[factor], factor, 0), under)

    return around, sizes, arrays, scaled


@pytest.mark.parametrize("pair", [(0, 1), (0, 2), (1, 2)])
def test_a_scaling_keeps_the_sum_over_the_hidden_states_but_not_those_of_rows(pair):
    """It leaves the observed sums as they are, and is no field of probabilities."""
    around, sizes, arrays, scaled = scalings()
    changes = [scaled(pair[0], 1), scaled(pair[1], -1)]

    assert not (differentiate_hidden_sum(around, sizes, arrays, changes) != 0).any()
    assert not has_constant_row_sums(around, changes)


def test_sums_of_rows_are_seen_only_under_one_denominator():
    """An entry's derivative may have a denominator, but not one of its own in a row, and none in the hidden variable's row."""
    around, _, arrays, _ = scalings()
    first = take_slice(around, arrays[1], 1, 0)[:1]
    apart = np.array([1, -1], dtype=object).reshape(2, 1)

    assert has_constant_row_sums(around, [Change(1, 0, apart, first)])
    assert not has_constant_row_sums(around, [Change(1, 0, apart, take_slice(around, arrays[1], 1, 0))])
    assert not has_constant_row_sums(around, [Change(0, 0, first, first), Change(0, 1, -first, first)])
    assert has_constant_row_sums(around, [Change(0, 0, first, first**0), Change(0, 1, -first, first**0)])
