"""Arithmetics: every operation on arrays is the operation on integers modulo the prime."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim.exact.arithmetic import (
    Floats,
    Objects,
    Residues,
    add_weighted_runs,
    has_difference_weights,
    make_rationals,
    run_starts,
)

# the largest and the smallest primes of the lengths that are drawn, and tiny ones
FIELDS = [Residues(prime) for prime in (2, 3, 5, 97, 4194319, 8388593)]
EACH = pytest.mark.parametrize("field", FIELDS, ids=lambda field: str(field.prime))


def extreme(prime, shape, seed=0):
    """Integers modulo a prime, many of them at the ends, where rounding would show first."""
    source = np.random.default_rng(seed)
    ends = [0, 1, prime - 1, prime // 2, prime // 2 + 1, max(0, prime - 2)]
    drawn = source.integers(0, prime, size=shape)
    return (
        np.where(source.random(shape) < 0.5, source.choice(np.array(ends, dtype=np.int64), size=shape), drawn) % prime
    )


def back(field, array):
    """Elements as integers 0 … p − 1."""
    return np.array([int(value) % field.prime for value in array.flat], dtype=object).reshape(array.shape)


def exact(array):
    """Integers of any size."""
    return np.asarray(array).astype(object)


@EACH
def test_products_and_sums_are_those_of_the_integers(field):
    """Entry by entry, with broadcasting, at the ends of the range and between."""
    a, b = extreme(field.prime, (40, 1, 7)), extreme(field.prime, (30, 7), 1)
    x, y = field.elements(a), field.elements(b)

    assert (exact(a) * exact(b) % field.prime == back(field, field.multiply(x, y))).all()
    assert ((exact(a) + exact(b)) % field.prime == back(field, field.add(x, y))).all()


@EACH
def test_single_numbers_and_none_multiply(field):
    """Arrays of one entry and empty arrays are multiplied and added like others."""
    last = field.elements(np.array([field.prime - 1]))
    none = field.elements(np.zeros((0, 3), dtype=np.int64))

    assert [1] == list(back(field, field.multiply(last, last)))
    assert [(field.prime - 2) % field.prime] == list(back(field, field.add(last, last)))
    assert (0, 3) == field.multiply(none, none).shape == field.add(none, none).shape


@EACH
@pytest.mark.parametrize("inner", [1, 2, 255, 256, 257, 700])
def test_matrix_products_are_those_of_the_integers(field, inner):
    """Sums longer than float64 can hold in one go are reduced in between."""
    a, b = extreme(field.prime, (2, 3, inner)), extreme(field.prime, (2, inner, 4), 1)
    expected = np.matmul(exact(a), exact(b)) % field.prime

    assert (expected == back(field, field.matmul(field.elements(a), field.elements(b)))).all()


@EACH
def test_the_worst_matrix_product_is_exact(field):
    """All entries p/2, the largest balanced residue."""
    half = np.full((1, 1000), field.prime // 2, dtype=np.int64)
    x = field.elements(half)

    assert 1000 * (field.prime // 2) ** 2 % field.prime == back(field, field.matmul(x, x.T))[0, 0]


@EACH
def test_runs_of_rows_are_added(field):
    """Runs of different lengths, one of them with a single row."""
    a = extreme(field.prime, (1000, 3))
    starts = np.array([0, 1, 400, 999])
    expected = [exact(part).sum(axis=0) % field.prime for part in np.split(a, starts[1:])]

    assert (np.array(expected) == back(field, field.segment_sums(field.elements(a), starts))).all()


@EACH
def test_any_integer_becomes_a_residue(field):
    """Negative integers and those beyond the prime are brought into the field."""
    values = np.array([-1, -field.prime, field.prime, 2**62, -(2**62), 0], dtype=np.int64)

    assert (exact(values) % field.prime == back(field, field.elements(values))).all()


@given(st.fractions(), st.sampled_from(FIELDS))
def test_a_fraction_times_its_denominator_is_its_numerator(value, field):
    """Fractions become residues unless the prime divides the denominator, which is an error."""
    array = np.array([value], dtype=object)
    if value.denominator % field.prime == 0:
        with pytest.raises(ZeroDivisionError, match="no residue modulo"):
            field.elements(array)
    else:
        [found] = back(field, field.elements(array))

        assert value.numerator % field.prime == found * value.denominator % field.prime


@pytest.mark.parametrize("prime", [-5, 0, 1, 2**23])
def test_a_prime_of_another_length_is_refused(prime):
    """The bounds that keep arithmetic exact are checked."""
    with pytest.raises(ValueError, match="prime"):
        Residues(prime)


@given(st.lists(st.integers(0, 3)))
def test_runs_start_where_a_number_differs_from_the_one_before(numbers):
    """The first number starts a run, if there is one."""
    expected = [place for place, number in enumerate(numbers) if place == 0 or number != numbers[place - 1]]

    assert expected == run_starts(np.array(numbers, dtype=np.intp)).tolist()


def test_rationals_stay_exact():
    """Rational numbers are added and multiplied without rounding, in stacks of matrices too."""
    field = make_rationals()
    thirds = field.elements(np.array([[Fraction(1, 3), Fraction(2, 3)]], dtype=object))
    ones = field.elements(np.ones((2, 1), dtype=np.int64))

    assert [[1]] == field.matmul(thirds, ones).tolist()
    assert [Fraction(2, 9)] == [Fraction(x) for x in field.multiply(thirds[:, 0], thirds[:, 1])]
    assert [[1, 1]] == field.segment_sums(np.concatenate([thirds, thirds[:, ::-1]]), np.array([0])).tolist()


def test_objects_convert_what_they_are_given():
    """Integers of numpy come to the conversion as Python's, fractions as they are."""
    seen = []
    Objects(convert=lambda value: seen.append(value) or 0).elements(np.array([1, -2], dtype=np.int64))
    Objects(convert=lambda value: seen.append(value) or 0).elements(np.array([Fraction(1, 2)], dtype=object))

    assert [int, int, Fraction] == [type(value) for value in seen]


def test_floats_are_floats():
    """Fractions become the nearest float64."""
    field = Floats()
    values = field.elements(np.array([Fraction(1, 2), Fraction(1, 3)], dtype=object))

    assert [0.5, 1 / 3] == values.tolist()
    assert [[0.25 + 1 / 9]] == field.matmul(values[None, :], values[:, None]).tolist()
    assert [0.5 + 1 / 3] == field.segment_sums(values, np.array([0])).tolist()
    assert [1.0, 2 / 3] == field.add(values, values).tolist()
    assert [0.25, 1 / 9] == field.multiply(values, values).tolist()


@EACH
@pytest.mark.parametrize(
    ("weights", "starts"),
    [([1, -1, 1, -1], [0, 2]), ([2, -1, 1, -1], [0, 2]), ([1, -1, 1, 3], [0, 2]), ([1, -1, 1, -1], [0, 1])],
)
def test_weighted_sums(field, weights, starts):
    """Runs of weighted rows; those of one row minus another are told from all others."""
    a, rows = extreme(field.prime, (3, 5)), np.array([2, 0, 1, 2])
    ends = [*starts[1:], len(rows)]
    expected = [
        sum(weight * exact(a[row]) for weight, row in zip(weights[start:end], rows[start:end], strict=True))
        % field.prime
        for start, end in zip(starts, ends, strict=True)
    ]
    found = add_weighted_runs(field, field.elements(a), rows, field.elements(np.array(weights)), np.array(starts))

    assert (np.array(expected) == back(field, found)).all()
    assert (weights == [1, -1, 1, -1] and starts == [0, 2]) == has_difference_weights(
        np.array(weights), np.array(starts)
    )
