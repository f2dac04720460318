"""Entries of small arrays: values, derivatives, and the sizes from which chances are computed."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import networks

import algdim
from algdim.exact.arithmetic import Booleans, Residues, make_rationals
from algdim.families.discrete.locals.contract import Affine
from algdim.families.discrete.locals.table import make_free_table
from algdim.families.discrete.map import get_param_map
from algdim.rank import make_object_array


@st.composite
def affines(draw):
    """Affine entries with any coefficients, small integers or fractions."""
    numbers = draw(st.sampled_from([st.integers(-3, 3), st.fractions(-2, 2, max_denominator=6)]))
    shape = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    size, parameters = shape[0] * shape[1], draw(st.integers(1, 4))
    places = draw(
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, parameters - 1)), unique=True, max_size=10)
    )
    coefficients = [draw(numbers.filter(bool)) for _ in places]
    constants = [draw(numbers) for _ in range(size)]
    exact = all(isinstance(value, int) for value in (*coefficients, *constants))

    def array(values):
        return np.array(values, dtype=np.int64) if exact else make_object_array([Fraction(value) for value in values])

    entry = np.array([place[0] for place in places], dtype=np.intp)
    parameter = np.array([place[1] for place in places], dtype=np.intp)
    return Affine(shape, array(constants), entry, parameter, array(coefficients)), parameters


def by_hand(affine, point):
    """The entries, one term at a time."""
    values = [Fraction(value) for value in affine.constants.tolist()]
    for entry, parameter, coefficient in zip(affine.entry, affine.parameter, affine.coefficient.tolist(), strict=True):
        values[entry] += Fraction(coefficient) * point[parameter]
    return values


@given(affines(), st.lists(st.fractions(-3, 3, max_denominator=9), min_size=4, max_size=4))
def test_values_and_derivatives_are_those_of_the_terms(drawn, numbers):
    """Values follow from the terms; the derivative is the difference quotient of an affine function."""
    affine, parameters = drawn
    field = make_rationals()
    point = numbers[:parameters]
    values = affine.values(field, field.elements(make_object_array(point)))

    assert affine.shape == values.shape
    assert by_hand(affine, point) == [Fraction(value) for value in values.flat]
    derivative = affine.derivative(field, field.elements(make_object_array(point)))
    for number in range(parameters):
        moved = [value + (number == other) for other, value in enumerate(point)]
        slopes = [after - before for before, after in zip(by_hand(affine, point), by_hand(affine, moved), strict=True)]
        found = [Fraction(0)] * len(slopes)
        for entry, parameter, coefficient in zip(
            derivative.entry, derivative.parameter, derivative.coefficient, strict=True
        ):
            if parameter == number:
                found[entry] += Fraction(coefficient)

        assert slopes == found


@given(affines())
def test_norms_bound_the_cleared_coefficients(drawn):
    """With one factor that clears all denominators, no row and no entry has larger coefficients in sum."""
    affine, _ = drawn
    numbers = [Fraction(value) for value in (*affine.constants, *affine.coefficient)]
    scale = np.lcm.reduce([number.denominator for number in numbers])
    sums = [abs(Fraction(value)) * int(scale) for value in affine.constants]
    for entry, coefficient in zip(affine.entry, affine.coefficient, strict=True):
        sums[entry] += abs(Fraction(coefficient)) * int(scale)
    width = affine.shape[-1]
    rows = [sum(sums[start : start + width]) for start in range(0, len(sums), width)]
    row, entry = affine.norms()

    assert max(1, *rows) == row
    assert max(1, *sums) == entry
    assert all(denominator in {1, *(n.denominator for n in numbers)} for denominator in affine.denominators())
    assert {n.denominator for n in numbers} - {1} == set(affine.denominators()) - {1}


@given(affines(), st.integers(1, 80))
def test_equations_hold_at_values_of_any_length(drawn, digits):
    """At entries with eighty decimals as at others: what they say of the parameters is what the point says."""
    affine, parameters = drawn
    point = [1 - Fraction(number + 1, 10**digits) for number in range(parameters)]
    for terms, right in affine.equations(by_hand(affine, point)):
        assert sum(factor * point[number] for number, factor in terms.items()) == right
        assert all(type(x) is int for value in (*terms.values(), right) for x in value.as_integer_ratio())


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 5))
def test_free_tables_have_rows_that_sum_to_one(shape, first):
    """In every field, at every point; the last state is 1 − the others, which are the parameters in order."""
    shape = tuple(shape)
    affine = make_free_table(shape, first)
    count = int(np.prod(shape[:-1])) * (shape[-1] - 1)
    field = Residues(8388593)
    point = field.elements(np.arange(100, 100 + first + count))
    values = affine.values(field, point).astype(np.int64) % 8388593

    assert (values.sum(axis=-1) % 8388593 == 1).all()
    assert list(range(100 + first, 100 + first + count)) == values[..., :-1].ravel().tolist()
    assert (2 * shape[-1] - 1, shape[-1]) == affine.norms()
    assert (count == 0) == affine.is_constant
    assert affine.degree == int(count > 0)


@settings(max_examples=some(60))
@given(networks(max_variables=4, max_states=3, max_table=60))
def test_every_array_of_a_model_is_stochastic(model):
    """Whatever is fixed, named or shared, all rows of all arrays sum to 1 at every point."""
    pmap = get_param_map(model)
    field = make_rationals()
    point = field.elements(
        make_object_array([Fraction(number + 2, number + 7) for number in range(len(pmap.parameters))])
    )
    for entries in pmap.arrays:
        assert {1} == set(entries.values(field, point).sum(axis=-1, keepdims=True).flat)


@settings(max_examples=some(60))
@given(networks(max_variables=4, max_states=3, max_table=60))
def test_parameters_are_read_off_the_tables(model):
    """From the values of all tables the point is found again."""
    pmap = get_param_map(model)
    field = make_rationals()
    point = [Fraction(1, number + 2) for number in range(len(pmap.parameters))]
    elements = field.elements(make_object_array(point))
    tables = {
        owner: [
            [Fraction(value) for value in row] for row in entries.values(field, elements).reshape(-1, entries.shape[-1])
        ]
        for owner, entries in zip(pmap.owners, pmap.arrays, strict=True)
    }

    assert point == pmap.point(tables)


@settings(max_examples=some(60))
@given(networks(max_variables=4, max_states=3, max_table=60, deterministic=True, sigmoid=True))
def test_entries_that_vanish_are_those_that_are_zero_at_an_inner_point(model):
    """Looked for without numbers; a fixed zero and functions have some, and nothing else."""
    pmap = get_param_map(model)
    inner = np.ones(pmap.parameter_count, dtype=np.bool_)
    vanish = any(not entries.values(Booleans(), inner).all() for entries in pmap.arrays)

    assert vanish == pmap.arrays.have_zeros(inner)


def test_a_constant_array_has_no_derivative():
    """A hidden variable with one state is constant."""
    affine = make_free_table((2, 1), 0)

    assert affine.is_constant
    assert [[1], [1]] == affine.values(make_rationals(), np.zeros(0, dtype=object)).tolist()
    assert all(len(part) == 0 for part in (affine.entry, affine.parameter, affine.coefficient))


@pytest.mark.parametrize("shape", [(2,), (3, 2), (2, 3, 4)])
def test_parameters_of_a_free_table_are_numbered_row_by_row(shape):
    """Derivatives of the first entry of each row follow each other by r − 1."""
    affine = make_free_table(shape, 5)
    numbers = [int(p) for e, p, c in zip(affine.entry, affine.parameter, affine.coefficient, strict=True) if c == 1]

    assert 5 == numbers[0]
    assert all(after == before + 1 for before, after in pairwise(numbers))


@pytest.mark.parametrize("denominator", [3**40, 2**62 - 1, 2**63 + 29, 10**40])
def test_norms_of_long_fractions(denominator):
    """Denominators beyond the machine's integers: cleared, the entries are c, θ and 1 − θ times the denominator."""
    fixed = make_object_array(
        [Fraction(1, denominator), Fraction(denominator - 1, denominator), Fraction(0), Fraction(1)]
    )
    places = np.array([2, 3], dtype=np.intp)
    affine = Affine((2, 2), fixed, places, np.array([0, 0], dtype=np.intp), np.array([1, -1], dtype=np.int64))

    assert (3 * denominator, 2 * denominator) == affine.norms()
    flat = [Fraction(1, denominator), 1 - Fraction(1, denominator), Fraction(1, 4), Fraction(3, 4)]
    assert [({0: 1}, Fraction(1, 4)), ({0: -1}, Fraction(-1, 4))] == affine.equations(flat)


def test_large_fractions_are_read():
    """Tables with numerators beyond 64 bits give parameters; numpy's integers would overflow."""
    large = Fraction(3**60, 7**40) % 1
    tables = {"A": [[large, 1 - large]], "B": [[large, 1 - large], [1 - large, large]]}

    assert [large, large, 1 - large] == get_param_map(algdim.model("A -> B")).point(tables)
