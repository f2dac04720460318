"""What an experiment measured, as rows: read again as it was written, chosen and split."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim_papers.experiments.rows import Rows, make_rows, parse_csv, write_csv

numbers = st.one_of(st.integers(-(10**9), 10**9), st.floats(allow_nan=True, allow_infinity=True), st.none())
texts = st.sampled_from(["F1", "X1 X2", "5(2,3(2,2),3(2,2))", "random", 'a "word", and a comma'])


@given(st.lists(st.tuples(numbers, texts, numbers), max_size=8))
def test_rows_are_read_as_they_were_written(entries):
    """Whatever the numbers: what is kept is what a reader of the file has."""
    found = make_rows(("a", "b", "c"), entries)

    assert found == parse_csv(write_csv(found))


def test_what_is_not_finite_has_no_entry():
    """A score that has no value is neither a number nor the word for one."""
    assert "x,y\n,1\n" == write_csv(make_rows(("x", "y"), [(float("-inf"), 1)]))
    assert [None, 1.5] == make_rows(("x",), [(float("nan"),), (1.5,)]).column("x")


def test_rows_are_chosen_and_split():
    """In the order in which they stand."""
    found = Rows(("set", "N", "BIC"), ((0, 100, -1.0), (0, 200, -2.0), (1, 100, -3.0)))

    assert [-1.0, -3.0] == found.where(N=100).column("BIC")
    assert [[-1.0, -2.0], [-3.0]] == [part.column("BIC") for part in found.split("set").values()]
    assert {100: -1.0, 200: -2.0} == found.where(set=0).pairs("N", "BIC")


@pytest.mark.parametrize("text", ["a,b\n1\n", "a\n1,2\n"])
def test_a_row_of_another_length_is_refused(text):
    """The file is not what was written."""
    with pytest.raises(ValueError, match="header"):
        parse_csv(text)
