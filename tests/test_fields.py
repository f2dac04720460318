"""Fields on two sides of a hidden variable: which divisions there are, and that only identities pass."""

import pytest

from algdim.bound.fields import Shape, Sides, all_sides, is_identity, proved_sides


def shape(*factors, hidden=1, stay=()):
    """A shape whose factors may all be moved but those that stay."""
    return Shape(hidden, factors, tuple(number not in stay for number in range(len(factors))))


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
    assert [Sides(*sides) for sides in expected] == list(all_sides(around))
    assert tuple(Sides(*sides) for sides in expected) == proved_sides(around)


@pytest.mark.parametrize("name", NO_SIDES)
def test_no_sides(name):
    """Where the factors do not fall into two chains, or may not be moved, there is no field."""
    assert () == proved_sides(NO_SIDES[name])


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
