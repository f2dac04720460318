"""Figures for people."""

import re
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim.figures import format_bytes, format_count, format_integer, format_product


def read(text):
    """What a printed figure means."""
    text, minus, one = text.partition(" − ")
    value = prod(int(base) ** int(power or 1) for base, power in re.findall(r"(\d+)(?:\^(\d+))?", text))
    return value - (int(one) if minus else 0)


@given(
    st.one_of(
        st.integers(0, 10**13), st.integers(10**12, 10**40), st.builds(pow, st.integers(2, 50), st.integers(1, 80))
    )
)
def test_a_figure_says_what_it_is(value):
    """Whatever form is chosen, it can be calculated back, and up to twelve digits it is the number itself."""
    assert value == read(format_integer(value))
    assert value - 1 == read(format_integer(value - 1)) or value == 0
    if value < 10**12:
        assert str(value) == format_integer(value)


@pytest.mark.parametrize("value", [2**60 - 1, 2**60, 3**40 * 5**3 - 1, 6**30])
def test_long_products_are_short(value):
    """Counts of cells beyond twelve digits are printed as powers."""
    assert "^" in format_integer(value)
    assert len(format_integer(value)) <= 15


def test_numbers_of_thousands_of_digits_are_printed():
    """Python refuses to write integers of more than 4300 digits; a count of cells may have more."""
    assert "2^20000 − 1" == format_integer(2**20000 - 1)
    assert "2^20000·3" == format_integer(3 * 2**20000)


def test_a_long_number_without_small_factors_is_still_printed():
    """No figure is too long to be mentioned in a message."""
    assert format_integer(10**6000 + 7)


@given(st.integers(1, 10**9))
def test_products_multiply_up(value):
    """A product of powers of small primes has the value; otherwise a factor is at least 1000."""
    text = format_product(value)
    if text is None:
        for base in range(2, 1000):
            while value % base == 0:
                value //= base

        assert value > 1
    else:
        assert value == read(text)


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (0, "row", "0 rows"),
        (1, "row", "1 row"),
        (1, "entry", "1 entry"),
        (3, "entry", "3 entries"),
        (2**50, "cell", "2^50 cells"),
    ],
)
def test_one_thing_is_in_the_singular(count, noun, text):
    """And everything else in the plural."""
    assert text == format_count(count, noun)


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1 kB"), (2_500_000, "2.5 MB"), (10**9, "1 GB"), (13 * 10**9, "13 GB")],
)
def test_sizes_have_units(size, text):
    """Bytes are printed with three digits."""
    assert text == format_bytes(size)
