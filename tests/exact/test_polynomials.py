"""Polynomials and the rank of matrices of them."""

import numpy as np
import pytest
from brute import rational_rank
from hypothesis import given
from hypothesis import strategies as st

from algdim import LimitError
from algdim.exact.polynomials import find_generic_rank, make_polynomials
from algdim.limits import MemoryLimitError
from algdim.memory import allow


def test_a_vandermonde_matrix_has_full_rank():
    """The determinant is the product of the differences, which is not the zero polynomial."""
    _, x = make_polynomials(4)
    rows, columns = find_generic_rank([[value**power for power in range(1, 5)] for value in x])

    assert (4, 4) == (len(set(rows)), len(set(columns)))


def test_an_outer_product_has_rank_one():
    """All minors of order two vanish identically, although every entry is a different polynomial."""
    _, (a, b, c, d) = make_polynomials(4)

    assert (1, 1) == tuple(map(len, find_generic_rank([[a * c, a * d], [b * c, b * d], [(a + b) * c, (a + b) * d]])))


def test_the_chosen_minor_is_not_zero():
    """Rows and columns name a minor that does not vanish; zero rows and columns are never chosen."""
    arithmetic, (x, y) = make_polynomials(2)
    zero, one = x - x, x - x + 1
    rows, columns = find_generic_rank([[zero, zero, zero], [zero, x, y], [zero, x * y, y * y], [zero, one, x]])
    minors = {(1, 3), (2, 3)}

    assert {1, 2} == set(columns)
    assert tuple(sorted(rows)) in minors
    assert arithmetic.item_bytes > 0


@given(
    st.integers(0, 4).flatmap(
        lambda width: st.lists(st.lists(st.integers(-2, 2), min_size=width, max_size=width), max_size=5)
    )
)
def test_constant_matrices_have_their_ordinary_rank(matrix):
    """Without variables the rank is that of elimination with fractions."""
    _, (x,) = make_polynomials(1)
    rows, columns = find_generic_rank([[x - x + value for value in row] for row in matrix])

    assert rational_rank(matrix) == len(rows) == len(columns) == len(set(rows)) == len(set(columns))


@given(st.integers(0, 3), st.integers(1, 4), st.integers(1, 4), st.data())
def test_products_of_generic_matrices_have_the_inner_size_as_rank(inner, height, width, data):
    """A product of a matrix of variables and one of random numbers has rank min(inner, height, rank of the numbers)."""
    _, x = make_polynomials(height * inner + 1)
    numbers = data.draw(
        st.lists(st.lists(st.integers(-3, 3), min_size=width, max_size=width), min_size=inner, max_size=inner)
    )
    zero = x[-1] - x[-1]
    product = [
        [sum((x[i * inner + k] * numbers[k][j] for k in range(inner)), zero) for j in range(width)]
        for i in range(height)
    ]

    assert min(height, rational_rank(numbers)) == len(find_generic_rank(product)[0])


def test_matrices_without_rows_or_columns_have_rank_zero():
    """Nothing is chosen where nothing is."""
    assert ((), ()) == find_generic_rank([]) == find_generic_rank([[], []])


def test_no_variables_are_allowed():
    """A model without parameters has polynomials too."""
    _, none = make_polynomials(0)

    assert 0 == len(none)


def test_large_products_are_refused():
    """Before a product of polynomials with too many terms is formed, the elimination is refused."""
    _, (x, y) = make_polynomials(2)

    with pytest.raises(LimitError, match="at most 3 products of terms are allowed"):
        find_generic_rank([[x + y, x - y], [x + 2 * y, x + 3 * y]], 3)


def test_polynomials_alone_are_no_arrays():
    """FLINT's can be iterated over; a product and a sum of two that stand in arrays without axes are one object."""
    arithmetic, (x, y) = make_polynomials(2)
    one, other = (np.array(None, dtype=object) for _ in "ab")
    one[()], other[()] = x + y, x - y

    for found, expected in ((arithmetic.multiply(one, other), x * x - y * y), (arithmetic.add(one, other), 2 * x)):
        assert (found.shape, found[()]) == ((), expected)


def test_polynomials_that_do_not_fit_into_memory_end_an_elimination():
    """What is held is counted on the way, before each product."""
    _, variables = make_polynomials(9)
    matrix = [[(variables[i] + variables[j] + i * j) ** 6 for j in range(5)] for i in range(4, 9)]
    with allow(None, "100k"), pytest.raises(MemoryLimitError, match=r"terms; .* needed"):
        find_generic_rank(matrix)
    with allow(None, "1G"):
        assert len(find_generic_rank([row[:3] for row in matrix[:3]])[0]) == 3
